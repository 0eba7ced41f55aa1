// Partition rule of reduce.
//
// Worked example: sum of f32[64,32] in [2,4] over dimension 1: local sum, then an all-reduce over the 4 devices of a
// row; the result is in [2] x 4 replicated. Several inputs (argmax): there is no all-reduce of tuples, so the partial
// results are gathered and reduced again.
//
// Follows HandleReduce of XLA (spmd_partitioner.cc).
#include "ops/dims_reduce.h"

#include <algorithm>

#include "partition/collectives.h"
#include "partition/init_value.h"
#include "partition/visitor.h"

namespace sw {

namespace {

TileShardingId tuple_of(Context& context, TileShardingId leaf, size_t count) {
  TileSharding tuple;
  tuple.kind = TileKind::tuple;
  tuple.elements.assign(count, leaf);
  return context.id(tuple);
}

// Partial results of several inputs: gathered along the reduced dimensions inside the groups of devices that share the
// others.
ValueId reduce_gathered(Visitor& v, const ReduceDims& dims, const std::vector<ShardedValue>& inputs,
                        std::span<const ValueId> inits, ValueId local) {
  Context& context = v.context;
  Emitter& emit = v.emit();
  const TileSharding s = context.at(inputs[0].sharding);
  DimList kept = dims.kept;
  if (has_partial_replication(s)) kept.push_back(static_cast<int64_t>(s.data_rank()));
  const GroupedSharding grouped = group_on_dims(s, kept);
  Scope* scope = group_scope(context, inputs[0].scope, grouped.device_groups);
  std::vector<ValueId> operands;
  for (size_t i = 0; i < inputs.size(); ++i) {
    ArrayShape one = emit.shape(inputs[i].value), all = one;
    for (int64_t d : dims.reduced) {
      one.dims[static_cast<size_t>(d)] = 1;
      all.dims[static_cast<size_t>(d)] = s.tile[static_cast<size_t>(d)];
    }
    const ValueId partial = emit.reshape(emit.get_tuple_element(local, static_cast<int64_t>(i)), one.dims);
    operands.push_back(replicate(context, {partial, emit.type(all), context.id(grouped.inner), scope}).value);
  }
  operands.insert(operands.end(), inits.begin(), inits.end());
  return emit.clone(v.op(), v.graph().value(local).type, operands);
}

// Every device starts from the initial values, and XLA combines what all devices have: a value that changes something
// then counts as often as there are parts.
bool init_counts_more_than_once(Visitor& v, const ReduceDims& dims) {
  const TileSharding s = v.context.at(v.operand(0).sharding);
  if (!is_tiled(s)) return false;
  if (std::all_of(dims.reduced.begin(), dims.reduced.end(),
                  [&](int64_t d) { return tiles_along(s, static_cast<size_t>(d)) == 1; }))
    return false;
  return init_changes_result(v.graph(), v.op());
}

}  // namespace

void partition_reduce(Visitor& v) {
  if (v.sharding().kind == TileKind::maximal) return v.default_rule();
  Context& context = v.context;
  ReduceDims dims;
  read_reduce_dims(v.graph(), v.op(), dims);
  if (init_counts_more_than_once(v, dims)) context.note_miscompile(MiscompileKind::init_on_each_device);
  std::vector<ShardedValue> inputs;
  std::vector<ValueId> inits, operands;
  for (size_t i = 0; i < dims.input_count; ++i) {
    inits.push_back(replicate(context, v.operand(i + dims.input_count)).value);
    ShardedValue input = v.operand(i);
    if (i > 0) input = reshard(context, input, inputs[0].sharding);
    if (is_tiled(context.at(input.sharding))) input = mask_padding(context, input, inits[i], {}, dims.kept);
    inputs.push_back(input);
    operands.push_back(input.value);
  }
  operands.insert(operands.end(), inits.begin(), inits.end());
  const TileSharding s = context.at(inputs[0].sharding);
  const TileSharding partial = remove_dims(replicate_dims(s, dims.reduced), dims.reduced);
  const bool variadic = v.graph().types.get(v.full_type()).kind == TypeKind::tuple;
  TileShardingId partial_id = context.id(partial);
  if (variadic) partial_id = tuple_of(context, partial_id, dims.input_count);
  // The local result has the tiles that the kept dimensions have.
  ValueId result = v.clone_as(partial_id, operands).value;
  const bool tiled = is_tiled(s) && std::any_of(dims.reduced.begin(), dims.reduced.end(),
                                                [&](int64_t d) { return s.tile[static_cast<size_t>(d)] > 1; });
  if (tiled) {
    context.cause = {v.op(), 0, inputs[0].sharding, v.sharding_id(), CollectiveReason::reduction, {}};
    const RegionId body = v.graph().regions(v.graph().op(v.op()))[0];
    result = variadic ? reduce_gathered(v, dims, inputs, inits, result)
                      : reduce_dims(context, *v.scope(), result, s, dims.reduced, body);
  }
  v.finish(ShardedValue{result, v.full_type(), partial_id, v.scope()});
}

}  // namespace sw
