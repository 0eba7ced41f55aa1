// Partition rules of the shape family but for reshape: broadcast_in_dim, transpose, reverse, concatenate, iota,
// constant, bitcast_convert. Follow the Handle* functions of XLA's spmd_partitioner.cc.
#include <algorithm>

#include "ops/dims_reshape.h"
#include "ops/dims_slice.h"
#include "partition/visitor.h"
#include "partition/windowed.h"

namespace sw {

namespace {

// Which of the values in ascending order each of them is.
DimList ranks_of(const DimList& values) {
  DimList ranks;
  for (const int64_t value : values)
    ranks.push_back(std::count_if(values.begin(), values.end(), [&](int64_t other) { return other < value; }));
  return ranks;
}

}  // namespace

// The operand gets the result's tiles without the new dimensions. XLA's rule takes the dimensions to be in order, since
// what comes before it has put them so.
void partition_broadcast_in_dim(Visitor& v) {
  if (is_trivial(v.sharding())) return v.default_rule();
  DimList mapped;
  read_broadcast_dims(v.graph(), v.op(), mapped);
  const DimList fresh = other_dims(v.result_dims().size(), mapped);
  TileSharding wanted = remove_dims(replicate_dims(v.sharding(), fresh), fresh);
  if (!std::is_sorted(mapped.begin(), mapped.end())) wanted = transpose_sharding(wanted, ranks_of(mapped));
  const ValueId operand = reshard(v.context, v.operand(0), v.context.id(wanted)).value;
  v.finish(v.clone_as(v.sharding_id(), std::span(&operand, 1)));
}

void partition_transpose(Visitor& v) {
  if (is_trivial(v.sharding())) return v.default_rule();
  DimList permutation;
  read_transpose_dims(v.graph(), v.op(), permutation);
  DimList inverse(permutation.size());
  for (size_t i = 0; i < permutation.size(); ++i)
    inverse[static_cast<size_t>(permutation[i])] = static_cast<int64_t>(i);
  const TileShardingId wanted = v.context.id(transpose_sharding(v.sharding(), inverse));
  const ValueId operand = reshard(v.context, v.operand(0), wanted).value;
  v.finish(v.clone_as(v.sharding_id(), std::span(&operand, 1)));
}

// Tiles in opposite order, so that every device reverses its own piece; uneven: padding goes to the left first.
void partition_reverse(Visitor& v) {
  if (is_trivial(v.sharding())) return v.default_rule();
  DimList dims;
  read_reverse_dims(v.graph(), v.op(), dims);
  const TileShardingId wanted = v.context.id(reverse_sharding(v.sharding(), dims));
  const ShardedValue operand = reshard(v.context, v.operand(0), wanted);
  const ValueId padded = padding_to_the_left(v.context, operand, dims);
  if (!padded.valid()) return v.default_rule();
  v.finish(v.emit().clone(v.op(), v.graph().value(padded).type, std::span(&padded, 1)));
}

void partition_concatenate(Visitor& v) {
  int64_t dim = 0;
  read_concatenate_dim(v.graph(), v.op(), dim);
  if (partition_as_rotation(v, dim)) return;
  v.elementwise_except(std::span(&dim, 1));
}

void partition_iota(Visitor& v) {
  if (is_trivial(v.sharding())) return v.default_rule();
  int64_t dim = 0;
  read_iota_dim(v.graph(), v.op(), dim);
  Emitter& emit = v.emit();
  const TileSharding s = v.sharding();
  const ValueId local = v.clone_as(v.sharding_id(), {}).value;
  const ArrayShape shape = emit.shape(local);
  if (s.tile[static_cast<size_t>(dim)] == 1) return v.finish(local);
  const ValueId ordinal = emit_grid_coordinate(emit, grid_of(s), v.scope()->partition_id, static_cast<size_t>(dim));
  const ValueId start =
      emit.binary(OpKind::multiply, ordinal, emit.scalar(ElementType::s32, shape.dims[static_cast<size_t>(dim)]));
  v.finish(emit.binary(OpKind::add, local, emit.splat(emit.convert(start, shape.element), shape)));
}

// A constant of one repeated element is a smaller constant on every device; any other is whole on every device, then
// sliced.
void partition_constant(Visitor& v) {
  const AttrId literal = v.graph().attr(v.graph().op(v.op()), "value");
  const bool splat = literal.valid() && v.graph().attr_table.get(literal).form == DenseForm::splat;
  if (is_trivial(v.sharding()) || !is_tiled(v.sharding())) return v.finish(v.clone_as(v.sharding_id(), {}));
  if (!splat || !tiles_evenly(v.result_dims(), v.sharding())) return v.default_rule();
  Emitter& emit = v.emit();
  const TypeId type = shard_type(v.context, v.full_type(), v.sharding_id());
  Attr attr = v.graph().attr_table.get(literal);
  const std::string text(attr.text);
  attr.text = text;
  attr.type = type;
  const NamedAttr value{emit.builder().name("value"), emit.builder().attr_table().intern(attr)};
  v.finish(emit.op(OpKind::constant, type, {}, std::span(&value, 1)));
}

// With a change of rank the extra, innermost dimension stays whole.
void partition_bitcast_convert(Visitor& v) {
  const size_t in = v.operand_dims(0).size(), out = v.result_dims().size();
  if (in == out) return v.elementwise_rule();
  if (is_trivial(v.sharding())) return v.default_rule();
  TileSharding from = replicated_sharding(), to = replicated_sharding();
  if (in > out) {
    const auto extra = static_cast<int64_t>(out);
    from = replicate_dims(v.context.at(v.operand(0).sharding), std::span(&extra, 1));
    to = remove_dims(from, std::span(&extra, 1));
  } else {
    const auto extra = static_cast<int64_t>(in);
    to = replicate_dims(v.sharding(), std::span(&extra, 1));
    from = remove_dims(to, std::span(&extra, 1));
  }
  const ValueId operand = reshard(v.context, v.operand(0), v.context.id(from)).value;
  v.finish(v.clone_as(v.context.id(to), std::span(&operand, 1)));
}

}  // namespace sw
