// Partition rules of slice, pad, dynamic_slice and dynamic_update_slice. Follow HandleSlice, HandlePad,
// HandleDynamicSlice and HandleDynamicUpdateSlice of XLA (spmd_partitioner.cc).
#include "ops/dims_slice.h"

#include "base/checked_math.h"
#include "partition/visitor.h"
#include "partition/windowed.h"

namespace sw {

namespace {

// The slice computed in the tiles `s` of the operand; invalid when that does not go.
ValueId slice_in(Visitor& v, const SliceDims& slice, TileShardingId s) {
  Context& context = v.context;
  if (!is_tiled(context.at(s))) return {};
  const ShardedValue operand = reshard(context, v.operand(0), s);
  const auto input = reshard_for_slice(context, operand, slice.start, slice.limit, slice.strides, s);
  if (!input) return {};
  const ValueId piece = finish_slice(context, *input, slice.strides);
  const ValueId result = v.reshard_result({piece, v.full_type(), s, v.scope()}).value;
  // Its own value, so that what the operand was resharded to is not taken for the slice's.
  return result == input->value ? v.emit().copy(result) : result;
}

}  // namespace

void partition_slice(Visitor& v) {
  if (partition_slice_of_pad(v)) return;
  SliceDims slice;
  read_slice_dims(v.graph(), v.op(), slice);
  const TileShardingId operand = v.operand(0).sharding;
  ValueId result;
  if (tile_count(v.context.at(operand)) > tile_count(v.sharding())) result = slice_in(v, slice, operand);
  if (!result.valid()) result = slice_in(v, slice, v.sharding_id());
  if (!result.valid()) return v.default_rule();
  v.finish(result);
}

void partition_pad(Visitor& v) {
  PadDims dims;
  read_pad_dims(v.graph(), v.op(), dims);
  Context& context = v.context;
  if (!is_tiled(v.sharding())) return v.default_rule();
  std::vector<PadDim> pads;
  for (size_t d = 0; d < dims.low.size(); ++d) pads.push_back({dims.low[d], dims.high[d], dims.interior[d]});
  const ValueId value = replicate(context, v.operand(1)).value;
  v.finish(pad_to_result(v, v.operand(0), value, pads));
}

// A dimension that is really sliced cannot be tiled.
void partition_dynamic_slice(Visitor& v) {
  if (!is_tiled(v.sharding())) return v.default_rule();
  const Dims full = v.operand_dims(0), sizes = v.result_dims();
  for (size_t d = 0; d < full.size(); ++d)
    if (v.sharding().tile[d] != 1 && sizes[d] != full[d]) return v.default_rule();
  Context& context = v.context;
  const ValueId operand = reshard(context, v.operand(0), v.sharding_id()).value;
  std::vector<ValueId> starts;
  for (size_t d = 0; d < full.size(); ++d) {
    if (sizes[d] == full[d])
      starts.push_back(v.emit().zero(v.emit().element(v.operand_value(d + 1))));
    else
      starts.push_back(replicate(context, v.operand(d + 1)).value);
  }
  v.finish(v.emit().dynamic_slice(operand, starts, shard_dims(sizes, v.sharding())));
}

namespace {

// Integer value of a constant scalar.
std::optional<int64_t> constant_index(const Graph& graph, ValueId value) {
  const OpId def = graph.value(value).def;
  if (!def.valid() || graph.op(def).kind != OpKind::constant) return std::nullopt;
  const AttrId literal = graph.attr(graph.op(def), "value");
  if (!literal.valid()) return std::nullopt;
  const std::string text(graph.attr_table.get(literal).text);
  char* end = nullptr;
  const int64_t number = std::strtoll(text.c_str(), &end, 10);
  return end == text.c_str() || *end != '\0' ? std::nullopt : std::optional(number);
}

struct UpdateDims {
  DimList sliced;           // update smaller than the operand
  DimList sliced_tiled;     // of these, tiled
  bool on_one_tile = true;  // every update lies within one tile along each of them
  bool outside = false;     // along one of them it is known to start where it does not fit
};

UpdateDims read_update_dims(Visitor& v) {
  UpdateDims u;
  const Dims full = v.result_dims(), update = v.operand_dims(1);
  for (size_t d = 0; d < full.size(); ++d) {
    if (update[d] == full[d]) continue;
    u.sliced.push_back(static_cast<int64_t>(d));
    const int64_t tiles = v.sharding().tile[d];
    if (tiles == 1) continue;
    u.sliced_tiled.push_back(static_cast<int64_t>(d));
    const auto start = constant_index(v.graph(), v.operand_value(d + 2));
    if (start && (*start < 0 || *start > full[d] - update[d])) u.outside = true;
    if (update[d] == 1) continue;
    const int64_t rows = ceil_div(full[d], tiles);
    if (!start || *start / rows != (*start + update[d] - 1) / rows) u.on_one_tile = false;
  }
  return u;
}

ValueId clamped(Emitter& emit, ValueId index, int64_t most) {
  const ValueId low = emit.zero(ElementType::s32), high = emit.scalar(ElementType::s32, most);
  index = emit.select(emit.compare("LT", index, low), low, index);
  return emit.select(emit.compare("GT", index, high), high, index);
}

// Everybody has the update; the tile that it falls on takes it, the others keep what they have. XLA does not move a
// start outside back in first.
void update_on_one_tile(Visitor& v, const UpdateDims& u, std::vector<ValueId> starts) {
  Context& context = v.context;
  Emitter& emit = v.emit();
  const ValueId operand = reshard(context, v.operand(0), v.sharding_id()).value;
  const ValueId update = reshard(context, v.operand(1), context.id(replicate_dims(v.sharding(), u.sliced))).value;
  const std::vector<ValueId> ordinals = shard_ordinals(context, v.sharding(), v.scope()->partition_id);
  ValueId here = emit.predicate(true);
  for (int64_t dim : u.sliced_tiled) {
    const auto d = static_cast<size_t>(dim);
    const ElementType index = emit.element(starts[d]);
    const ValueId rows = emit.scalar(ElementType::s32, emit.dim(operand, d));
    ValueId start = emit.convert(starts[d], ElementType::s32);
    if (context.shared.lowering == Lowering::right)
      start = clamped(emit, start, v.result_dims()[d] - emit.dim(update, d));
    const ValueId first = emit.binary(OpKind::multiply, ordinals[d], rows);
    const ValueId inside = emit.binary(OpKind::and_, emit.compare("GE", start, first),
                                       emit.compare("LT", start, emit.binary(OpKind::add, first, rows)));
    here = emit.binary(OpKind::and_, here, inside);
    const ValueId local = emit.select(inside, emit.binary(OpKind::subtract, start, first), emit.zero(ElementType::s32));
    starts[d] = emit.convert(local, index);
  }
  const ValueId updated = emit.dynamic_update_slice(operand, update, starts);
  v.finish(emit.select(emit.splat(here, {ElementType::pred, emit.dims(updated)}), updated, operand));
}

}  // namespace

void partition_dynamic_update_slice(Visitor& v) {
  if (!is_tiled(v.sharding())) return v.default_rule();
  Context& context = v.context;
  const Dims full = v.result_dims(), update = v.operand_dims(1);
  std::vector<ValueId> starts;
  for (size_t d = 0; d < full.size(); ++d) {
    if (update[d] == full[d])
      starts.push_back(v.emit().zero(v.emit().element(v.operand_value(d + 2))));
    else
      starts.push_back(replicate(context, v.operand(d + 2)).value);
  }
  const UpdateDims u = read_update_dims(v);
  if (u.outside && u.on_one_tile) v.context.note_miscompile(MiscompileKind::update_outside);
  if (!u.sliced_tiled.empty() && u.on_one_tile) return update_on_one_tile(v, u, std::move(starts));
  // Sliced dimensions whole, in the finer of the two shardings.
  const TileSharding input = context.at(v.operand(0).sharding);
  const TileSharding better = tile_count(input) > tile_count(v.sharding()) ? input : v.sharding();
  const TileShardingId whole = context.id(replicate_dims(better, u.sliced));
  const ValueId base = reshard(context, v.operand(0), whole).value;
  const ValueId piece = reshard(context, v.operand(1), whole).value;
  v.finish(ShardedValue{v.emit().dynamic_update_slice(base, piece, starts), v.full_type(), whole, v.scope()});
}

}  // namespace sw
