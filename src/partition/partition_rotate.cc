// Patterns that would need several exchanges if each op were partitioned alone: concatenations of two slices that
// rotate an array (jnp.roll), concatenations that wrap an array around (padding of a periodic grid), and slices of
// padded arrays.
//
// Worked example: roll by 1 of f32[32] in 4 tiles is concatenate(x[31:32], x[0:31]). As a rotation every device sends
// its last element to the next one, the last device to the first: one collective-permute of f32[1].
//
// Follows PreprocessHlos (spmd_partitioner.cc), FindRotateRightPattern, FindPadWithWrapPattern
// (spmd_partitioner_util.cc) and the internal custom call RotateRight (custom_call_handler.cc) of XLA. Differs: the
// source program is not rewritten; what the patterns leave unused is dropped with all dead code.
#include <algorithm>

#include "base/checked_math.h"
#include "ops/dims_slice.h"
#include "partition/collectives.h"
#include "partition/visitor.h"
#include "partition/windowed.h"

namespace sw {

namespace {

bool is(const Graph& graph, ValueId value, OpKind kind) {
  return graph.value(value).def.valid() && graph.op(graph.value(value).def).kind == kind;
}

// The value behind copies that nobody else uses.
ValueId behind_copies(const Visitor& v, ValueId value) {
  while (is(v.graph(), value, OpKind::copy) && v.uses(value) == 1)
    value = v.graph().operands(v.graph().value(value).def)[0];
  return value;
}

// The slice behind copies; nothing when others use it too.
std::optional<SliceDims> lone_slice(const Visitor& v, ValueId value) {
  if (!is(v.graph(), value, OpKind::slice) || v.uses(value) != 1) return std::nullopt;
  SliceDims slice;
  if (!read_slice_dims(v.graph(), v.graph().value(value).def, slice)) return std::nullopt;
  return slice;
}

ValueId sliced(const Visitor& v, ValueId slice) { return v.graph().operands(v.graph().value(slice).def)[0]; }

// Along one dimension.
struct Ring {
  size_t dim;
  int64_t shard;   // extent of a piece
  int64_t shards;  // that hold data at all
};

// Rows [from, to) of every piece, sent `distance` pieces on around the ring.
ValueId sent(Visitor& v, const ShardedValue& input, const Ring& ring, int64_t from, int64_t to, int64_t distance) {
  Emitter& emit = v.emit();
  ValueId rows = input.value;
  if (to - from != ring.shard) rows = emit.slice_dim(rows, ring.dim, from, to);
  if (distance == 0) return rows;
  const TileGrid grid = grid_of(v.context.at(input.sharding));
  Moves moves{grid, grid, ring.dim, {}};
  for (int64_t at = 0; at < ring.shards; ++at) moves.tiles.emplace_back(at, (at + distance) % ring.shards);
  return emit_permute(v.context, *input.scope, rows, moves);
}

// Rotation of the padded array.
ValueId rotate_padded(Visitor& v, const ShardedValue& input, const Ring& ring, int64_t amount) {
  std::vector<ValueId> pieces;
  for (int64_t have = 0; have < ring.shard;) {
    const int64_t distance = amount > have ? ceil_div(amount - have, ring.shard) : 0;
    const int64_t offset = distance * ring.shard - amount + have;
    const int64_t rows = std::min(ring.shard - offset, ring.shard - have);
    pieces.push_back(sent(v, input, ring, offset, offset + rows, distance));
    have += rows;
  }
  return pieces.size() > 1 ? v.emit().concatenate(pieces, static_cast<int64_t>(ring.dim)) : pieces[0];
}

// `input`, in the sharding of the op, moved up by `amount` along a tiled dimension, the end to the start.
ValueId rotate(Visitor& v, const ShardedValue& input, size_t dim, int64_t amount) {
  Context& context = v.context;
  Emitter& emit = v.emit();
  const Dims all(v.graph().types.get(input.full).dims);
  const int64_t full = all[dim];
  Ring ring{dim, emit.dim(input.value, dim), 0};
  ring.shards = ceil_div(full, ring.shard);
  const int64_t padding = ring.shards * ring.shard - full;
  amount %= full;
  if (amount == 0) return input.value;
  context.cause.reason = CollectiveReason::halo;
  const ValueId first = rotate_padded(v, input, ring, amount);
  if (padding == 0) return first;
  // Rows that come around the end have the padding behind them: a second rotation skips it, and the rows below `amount`
  // are its.
  const ValueId second = rotate_padded(v, input, ring, (amount + padding) % (ring.shard * ring.shards));
  const auto only = static_cast<int64_t>(dim);
  const ValueId start =
      shard_offsets(context, all, context.at(input.sharding), input.scope->partition_id, std::span(&only, 1))[dim];
  ArrayShape shape = emit.shape(first);
  shape.element = ElementType::s32;
  const ValueId boundary = emit.binary(OpKind::subtract, emit.scalar(ElementType::s32, amount), start);
  return emit.select(emit.compare("LT", emit.iota(shape, only), emit.splat(boundary, shape)), second, first);
}

// What stands between a slice and the concatenation: elementwise ops of one operand, outermost first, copies left out.
struct Wrapped {
  std::vector<OpId> modifiers;
  ValueId slice;
};

Wrapped behind_modifiers(const Visitor& v, ValueId value) {
  Wrapped out;
  const Graph& graph = v.graph();
  while (graph.value(value).def.valid() && v.uses(value) == 1) {
    const OpId def = graph.value(value).def;
    if (!has_trait(graph.op(def).kind, kElementwise) || graph.operands(def).size() != 1) break;
    if (graph.op(def).kind != OpKind::copy) out.modifiers.push_back(def);
    value = graph.operands(def)[0];
  }
  out.slice = value;
  return out;
}

ValueId modified(Visitor& v, ValueId value, const std::vector<OpId>& modifiers) {
  for (size_t i = modifiers.size(); i-- > 0;) {
    ArrayShape shape = v.emit().shape(value);
    shape.element = v.graph().type_of(v.graph().result(modifiers[i])).element;
    value = v.emit().clone(modifiers[i], v.emit().type(shape), std::span(&value, 1));
  }
  return value;
}

bool as_rotation(Visitor& v, size_t dim) {
  if (v.operand_count() != 2) return false;
  const ValueId lhs = behind_copies(v, v.operand_value(0)), rhs = behind_copies(v, v.operand_value(1));
  const auto a = lone_slice(v, lhs), b = lone_slice(v, rhs);
  if (!a || !b || sliced(v, lhs) != sliced(v, rhs)) return false;
  const ValueId source = sliced(v, lhs);
  const ShardedValue input = v.piece(source);
  if (v.graph().value(source).type != v.full_type() || !v.context.same(input.sharding, v.sharding_id())) return false;
  if (a->strides[dim] != 1 || b->strides[dim] != 1 || a->start[dim] != b->limit[dim]) return false;
  v.finish(rotate(v, input, dim, v.graph().type_of(lhs).dims[dim]));
  return true;
}

bool as_wrap(Visitor& v, size_t dim) {
  if (v.operand_count() != 3) return false;
  const Graph& graph = v.graph();
  const ValueId left = behind_copies(v, v.operand_value(0)), right = behind_copies(v, v.operand_value(2));
  const ValueId middle = behind_copies(v, v.operand_value(1));
  if (v.uses(left) != 1 || v.uses(right) != 1) return false;
  const Wrapped l = behind_modifiers(v, left), r = behind_modifiers(v, right);
  if (!is(graph, l.slice, OpKind::slice) || !is(graph, r.slice, OpKind::slice)) return false;
  if (sliced(v, l.slice) != middle || sliced(v, r.slice) != middle) return false;
  SliceDims a, b;
  read_slice_dims(graph, graph.value(l.slice).def, a);
  read_slice_dims(graph, graph.value(r.slice).def, b);
  if (a.strides[dim] != 1 || b.strides[dim] != 1) return false;
  const Dims result = v.result_dims();
  const int64_t low = graph.type_of(left).dims[dim], high = graph.type_of(right).dims[dim], size = result[dim];
  std::vector<PadDim> pads(result.size());
  pads[dim] = {low, high, 0};
  Emitter& emit = v.emit();
  const ShardedValue padded{
      pad_to_result(v, v.piece(middle), emit.zero(graph.type_of(v.graph().result(v.op())).element), pads),
      v.full_type(), v.sharding_id(), v.scope()};
  // The array already lies where it belongs; the two ends are brought there by rotations of all of it.
  const ValueId from_left = modified(v, rotate(v, padded, dim, size - (a.start[dim] + low)), l.modifiers);
  const ValueId from_right = modified(v, rotate(v, padded, dim, size - (b.start[dim] + low + high)), r.modifiers);
  ArrayShape shape = emit.shape(padded.value);
  shape.element = ElementType::s32;
  const auto only = static_cast<int64_t>(dim);
  const ValueId start =
      shard_offsets(v.context, result, v.sharding(), v.scope()->partition_id, std::span(&only, 1))[dim];
  const ValueId row = emit.binary(OpKind::add, emit.iota(shape, only), emit.splat(start, shape));
  const auto limit = [&](int64_t at) { return emit.splat(emit.scalar(ElementType::s32, at), shape); };
  const ValueId with_left = emit.select(emit.compare("LT", row, limit(low)), from_left, padded.value);
  v.finish(emit.select(emit.compare("GE", row, limit(size - high)), from_right, with_left));
  return true;
}

}  // namespace

bool partition_as_rotation(Visitor& v, int64_t dim) {
  const auto d = static_cast<size_t>(dim);
  if (!is_tiled(v.sharding()) || v.sharding().tile[d] == 1) return false;
  return as_rotation(v, d) || as_wrap(v, d);
}

bool partition_slice_of_pad(Visitor& v) {
  if (!is_tiled(v.sharding())) return false;
  const Graph& graph = v.graph();
  const ValueId padded = behind_copies(v, v.operand_value(0));
  if (!is(graph, padded, OpKind::pad) || v.uses(padded) != 1) return false;
  const OpId pad = graph.value(padded).def;
  const ShardedValue source = v.piece(graph.operands(pad)[0]);
  const TileShardingId sharding = v.sharding_of(padded);
  if (!v.context.same(sharding, v.sharding_id()) || !v.context.same(source.sharding, sharding)) return false;
  PadDims dims;
  SliceDims slice;
  read_pad_dims(graph, pad, dims);
  read_slice_dims(graph, v.op(), slice);
  const Dims whole(graph.type_of(padded).dims), result = v.result_dims();
  bool several = false;  // padding, slicing and tiles along one dimension
  std::vector<PadDim> merged;
  for (size_t d = 0; d < whole.size(); ++d) {
    if (dims.interior[d] != 0 || slice.strides[d] != 1) return false;
    several =
        several || (v.sharding().tile[d] != 1 && (dims.low[d] != 0 || dims.high[d] != 0) && result[d] != whole[d]);
    merged.push_back({dims.low[d] - slice.start[d], slice.limit[d] - (whole[d] - dims.high[d]), 0});
  }
  if (!several) return false;
  const ValueId value = replicate(v.context, v.piece(graph.operands(pad)[1])).value;
  v.finish(pad_to_result(v, source, value, merged));
  return true;
}

ValueId pad_to_result(Visitor& v, const ShardedValue& operand, ValueId value, std::span<const PadDim> pads) {
  Context& context = v.context;
  Emitter& emit = v.emit();
  const auto input = reshard_for_pad(context, operand, value, pads, v.sharding_id());
  if (!input) {
    const ValueId whole = emit.pad(replicate(context, operand).value, value, pads);
    return reshard(context, {whole, v.full_type(), context.replicated(), v.scope()}, v.sharding_id()).value;
  }
  const ValueId padded = finish_pad(context, *input, value);
  if (input->output_offsets.empty()) return padded;
  return emit.dynamic_slice(padded, input->output_offsets, shard_dims(v.result_dims(), v.sharding()));
}

}  // namespace sw
