// Partition rules of sort and of the custom call TopK.
//
// Worked example: sort of f32[64,32] along dimension 1 in [1,4]: dimension 0 has no tiles and 64 divides by 4, so the
// tiles move there (an all-to-all), every device sorts whole rows, and the result moves back.
//
// Follows HandleSort (spmd_partitioner.cc) and HandleCustomCallTopK (custom_call_handler.cc) of XLA. Differs: the
// pattern sort, then slice of the first k, is partitioned as any other sort.
#include "ops/dims_reduce.h"

#include <algorithm>

#include "base/checked_math.h"
#include "partition/align.h"
#include "partition/visitor.h"

namespace sw {

namespace {

TileShardingId repeated(Context& context, TileShardingId leaf, size_t count, bool tuple) {
  if (!tuple) return leaf;
  TileSharding all;
  all.kind = TileKind::tuple;
  all.elements.assign(count, leaf);
  return context.id(all);
}

}  // namespace

void partition_sort(Visitor& v) {
  Context& context = v.context;
  SortDims dims;
  read_sort_dims(v.graph(), v.op(), dims);
  const bool tuple = v.graph().types.get(v.full_type()).kind == TypeKind::tuple;
  const TileShardingId first = leaf_sharding(context, v.sharding_id(), 0);
  bool same = true;
  for (size_t i = 1; i < v.operand_count(); ++i)
    same = same && context.same(leaf_sharding(context, v.sharding_id(), i), first);
  const TileSharding s = context.at(first);
  if (!same || !is_tiled(s)) return v.default_rule();
  const int64_t along = dims.dimension;
  TileSharding target = s;
  if (s.tile[static_cast<size_t>(along)] != 1) {
    const Dims full = v.operand_dims(0);
    if (full.size() < 2) return v.default_rule();
    // The tiles go to another dimension that can take them, or are gathered.
    if (const auto to = first_dim_to_absorb(full, s, along))
      target = move_tiles(s, along, *to);
    else
      target = replicate_dims(s, std::span(&along, 1));
  }
  const TileShardingId id = context.id(target);
  std::vector<ValueId> operands;
  for (size_t i = 0; i < v.operand_count(); ++i) operands.push_back(reshard(context, v.operand(i), id).value);
  v.finish(v.clone_as(repeated(context, id, v.operand_count(), tuple), operands));
}

namespace {

// The first k along dimension 1 of an element of a tuple.
ValueId first_k(Emitter& emit, ValueId value, int64_t k) { return emit.slice_dim(value, 1, 0, k); }

bool element_is_used(const Graph& graph, OpId op, int64_t element) {
  const ValueId result = graph.result(op);
  for (OpId user : graph.block(graph.op(op).parent).ops) {
    const auto operands = graph.operands(user);
    if (std::find(operands.begin(), operands.end(), result) == operands.end()) continue;
    if (graph.op(user).kind != OpKind::get_tuple_element) return true;
    const AttrId index = graph.attr(graph.op(user), "index");
    if (index.valid() && graph.attr_table.get(index).integer == element) return true;
  }
  return false;
}

// Puts the greatest first; with `count` 2 the smaller index wins between equals.
RegionId comparator(Context& context, ElementType element, size_t count) {
  std::vector<TypeId> inputs;
  for (size_t i = 0; i < count * 2; ++i) inputs.push_back(context.emit.type({i < 2 ? element : ElementType::s32, {}}));
  return context.computation(count == 2 ? "compare-value-and-index" : "compare-value", inputs,
                             [&](Emitter& emit, std::span<const ValueId> args) {
                               const ValueId greater = emit.compare("GT", args[0], args[1]);
                               if (count < 2) return greater;
                               const ValueId equal = emit.compare("EQ", args[0], args[1]);
                               return emit.select(equal, emit.compare("LT", args[2], args[3]), greater);
                             });
}

struct TopK {
  int64_t shards, batch_shards, k, per_shard;
};

ValueId sorted(Visitor& v, std::span<const ValueId> operands, ElementType element) {
  Emitter& emit = v.emit();
  std::vector<TypeId> types;
  for (ValueId operand : operands) types.push_back(emit.graph().value(operand).type);
  const TypeId type = types.size() == 1 ? types[0] : emit.builder().types().tuple(types);
  const NamedAttr attrs[] = {emit.integer_attr("dimension", 1),
                             {emit.builder().name("is_stable"), emit.builder().attr_table().boolean(true)}};
  const ValueId result = emit.op(OpKind::sort, type, operands, attrs);
  const RegionId region = comparator(v.context, element, operands.size());
  emit.builder().set_regions(emit.graph().value(result).def, std::span(&region, 1));
  return result;
}

}  // namespace

// Every device finds the k greatest of its part; these are gathered and sorted.
void partition_top_k(Visitor& v) {
  Context& context = v.context;
  Emitter& emit = v.emit();
  const ShardedValue operand = v.operand(0);
  const TileSharding s = context.at(operand.sharding);
  if (!is_tiled(s) || has_partial_replication(s)) return v.default_rule();
  const Dims full = v.operand_dims(0);
  const Type result_type = v.graph().types.get(v.full_type());
  const std::vector<TypeId> leaves(result_type.elements.begin(), result_type.elements.end());
  TopK top{s.tile[1], s.tile[0], v.graph().types.get(leaves[0]).dims[1], 0};
  top.per_shard = ceil_div(full[1], top.shards);
  if (top.k >= top.per_shard) return v.default_rule();
  const ElementType element = emit.element(operand.value);
  const ValueId lowest = is_floating(element) ? emit.scalar_text(element, "-inf") : emit.scalar(element, 0);
  const ValueId input = mask_padding(context, operand, lowest).value;
  TileSharding target = replicated_sharding();
  ValueId device = v.scope()->partition_id;
  const int64_t batch = 0, along = 1;
  if (top.batch_shards > 1) {
    const GroupedSharding grouped = group_on_dims(s, std::span(&batch, 1));
    device = group_scope(context, v.scope(), grouped.device_groups)->partition_id;
    target = replicate_dims(s, std::span(&along, 1));
  }
  const Dims local_dims{ceil_div(full[0], top.batch_shards), top.k}, all_dims{full[0], top.k * top.shards};
  const TypeId local[] = {emit.type({element, local_dims}), emit.type({ElementType::s32, local_dims})};
  const ValueId found = emit.clone(v.op(), emit.builder().types().tuple(local), std::span(&input, 1));
  const auto gathered = [&](ValueId part, ElementType type) {
    return reshard(context, {part, emit.type({type, all_dims}), operand.sharding, v.scope()}, context.id(target)).value;
  };
  const ValueId values = gathered(emit.get_tuple_element(found, 0), element);
  std::vector<ValueId> outputs;
  if (element_is_used(v.graph(), v.op(), 1)) {
    const ValueId start = emit.binary(OpKind::multiply, emit.convert(device, ElementType::s32),
                                      emit.scalar(ElementType::s32, top.per_shard));
    ValueId indices = emit.get_tuple_element(found, 1);
    indices = emit.binary(OpKind::add, indices, emit.splat(start, emit.shape(indices)));
    const ValueId both[] = {values, gathered(indices, ElementType::s32)};
    const ValueId order = sorted(v, both, element);
    for (int64_t i = 0; i < 2; ++i) outputs.push_back(first_k(emit, emit.get_tuple_element(order, i), top.k));
  } else {
    outputs.push_back(first_k(emit, sorted(v, std::span(&values, 1), element), top.k));
    outputs.push_back(emit.splat(emit.zero(ElementType::s32), {ElementType::s32, emit.dims(outputs[0])}));
  }
  v.finish(ShardedValue{emit.tuple(outputs), v.full_type(), repeated(context, context.id(target), 2, true), v.scope()});
}

}  // namespace sw
