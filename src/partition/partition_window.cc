// Partition rules of reduce_window and select_and_scatter. Follow HandleReduceWindow and HandleSelectAndScatter of XLA
// (spmd_partitioner.cc).
#include "ops/dims_window.h"
#include "partition/init_value.h"
#include "partition/visitor.h"
#include "partition/window_attrs.h"
#include "partition/windowed.h"

namespace sw {

namespace {

// Padding along tiled dimensions becomes rows of the piece that hold the initial value, and so does what is added up.
bool padding_counts(const TileSharding& s, const WindowDims& window) {
  for (size_t d = 0; d < window.size(); ++d)
    if (tiles_along(s, d) > 1 && (window[d].pad_low > 0 || window[d].pad_high > 0)) return true;
  return false;
}

}  // namespace

void partition_reduce_window(Visitor& v) {
  Context& context = v.context;
  Emitter& emit = v.emit();
  if (!is_tiled(context.at(leaf_sharding(context, v.sharding_id(), 0)))) return v.default_rule();
  // Several results with shardings of their own: XLA's partitioner stops with an error.
  for (size_t i = 1; i < v.operand_count() / 2; ++i)
    if (!context.same(leaf_sharding(context, v.sharding_id(), i), leaf_sharding(context, v.sharding_id(), 0)))
      return v.default_rule();
  WindowDims window;
  read_window_dims(v.graph(), v.op(), window);
  const size_t count = v.operand_count() / 2;
  if (padding_counts(context.at(leaf_sharding(context, v.sharding_id(), 0)), window) &&
      init_changes_result(v.graph(), v.op()))
    context.note_miscompile(MiscompileKind::init_in_padding);
  std::vector<ValueId> operands, inits;
  std::vector<TypeId> types;
  WindowedInput first;
  for (size_t i = 0; i < count; ++i) {
    inits.push_back(replicate(context, v.operand(count + i)).value);
    const auto input =
        reshard_windowed(context, v.operand(i), window, leaf_sharding(context, v.sharding_id(), i), inits[i]);
    if (!input) return v.default_rule();
    if (i == 0) first = *input;
    operands.push_back(input->value);
    types.push_back(emit.type({emit.element(input->value), window_output(emit.dims(input->value), first.window)}));
  }
  operands.insert(operands.end(), inits.begin(), inits.end());
  const bool tuple = v.graph().types.get(v.full_type()).kind == TypeKind::tuple;
  const TypeId type = tuple ? emit.builder().types().tuple(types) : types[0];
  const ValueId local = emit.clone(v.op(), type, operands, window_attrs(emit, OpKind::reduce_window, first.window));
  if (first.output_offsets.empty()) return v.finish(local);
  v.finish(emit.dynamic_slice(local, first.output_offsets, shard_dims(v.result_dims(), v.sharding())));
}

namespace {

// Which infinity never wins the comparison of a select computation that compares its two parameters; 0: not such a one.
int losing_infinity(const Graph& graph, RegionId region) {
  const Block& block = graph.block(graph.entry_block(region));
  const OpId end = block.ops.back();
  const OpId root = graph.value(graph.operands(end)[0]).def;
  if (!root.valid() || graph.op(root).kind != OpKind::compare) return 0;
  const Value& a = graph.value(graph.operands(root)[0]);
  const Value& b = graph.value(graph.operands(root)[1]);
  if (a.def.valid() || b.def.valid() || a.index + b.index != 1) return 0;
  const AttrId direction = graph.attr(graph.op(root), "comparison_direction");
  const std::string_view text = direction.valid() ? graph.attr_table.get(direction).text : "";
  const int greater = text == "GE" || text == "GT" ? -1 : text == "LE" || text == "LT" ? 1 : 0;
  return a.index == 0 ? greater : -greater;
}

ValueId infinity(Emitter& emit, ElementType element, int sign) {
  const TypeId type = emit.type({element, {}});
  Attr attr;
  attr.kind = AttrKind::dense;
  attr.form = DenseForm::hex;
  attr.type = type;
  if (element == ElementType::bf16)
    attr.text = sign < 0 ? "80FF" : "807F";
  else
    attr.text = sign < 0 ? "000080FF" : "0000807F";
  const NamedAttr value{emit.builder().name("value"), emit.builder().attr_table().intern(attr)};
  return emit.op(OpKind::constant, type, {}, std::span(&value, 1));
}

// Along one dimension: the windows that overlap the piece of tile k are [first(k), limit(k)).
struct ScatterWindows {
  OrdinalExtent first, limit;
  Halo source, data;
};

ScatterWindows scatter_windows(WindowDim w, int64_t data_rows, int64_t source_rows, size_t dim) {
  if (w.stride > w.size) w.size = w.stride;
  ScatterWindows s;
  s.first = OrdinalExtent(data_rows, w.pad_low - w.size + w.stride, w.stride);
  s.limit = OrdinalExtent(data_rows, data_rows + w.pad_low + w.stride - 1, w.stride);
  s.source = {OrdinalExtent(source_rows, 0, 1) - s.first, s.limit - OrdinalExtent(source_rows, source_rows, 1), dim};
  s.data = {OrdinalExtent(data_rows, w.pad_low, 1) - s.first.times(w.stride),
            s.limit.times(w.stride) - OrdinalExtent(data_rows, data_rows + w.stride + w.pad_low - w.size, 1), dim};
  return s;
}

}  // namespace

// Every tile scatters all windows that overlap it; data and source get halos, rows of the neighbours are cut off after.
void partition_select_and_scatter(Visitor& v) {
  Context& context = v.context;
  Emitter& emit = v.emit();
  if (!is_tiled(v.sharding())) return v.default_rule();
  const ShardedValue data = reshard(context, v.operand(0), v.sharding_id());
  const ShardedValue source = reshard(context, v.operand(1), v.sharding_id());
  const ElementType element = emit.element(data.value);
  const RegionId select = v.graph().regions(v.graph().op(v.op()))[0];
  const int sign = losing_infinity(v.graph(), select);
  if ((element != ElementType::f32 && element != ElementType::bf16) || sign == 0) return v.default_rule();
  const ValueId pad = infinity(emit, element, sign);
  const ValueId init = replicate(context, v.operand(2)).value;
  WindowDims window;
  read_window_dims(v.graph(), v.op(), window);
  const TileSharding s = v.sharding();
  const std::vector<ValueId> ordinals = shard_ordinals(context, s, v.scope()->partition_id);
  const Dims data_full = v.operand_dims(0), source_full = v.operand_dims(1);
  const Dims data_rows = shard_dims(data_full, s), source_rows = shard_dims(source_full, s);
  ValueId data_piece = data.value, source_piece = source.value;
  std::vector<OrdinalExtent> left(window.size());
  WindowDims local = window;
  context.cause.reason = CollectiveReason::halo;
  for (size_t d = 0; d < window.size(); ++d) {
    const int64_t tiles = s.tile[d];
    if (tiles == 1) continue;
    const WindowDim& w = window[d];
    const int64_t size = std::max(w.size, w.stride);
    const ScatterWindows along = scatter_windows(w, data_rows[d], source_rows[d], d);
    left[d] = along.data.left;
    const int64_t windows = (along.limit - along.first).max_over(0, tiles);
    const int64_t last = along.limit.at(tiles - 1);
    const ValueId first = emit_extent(context, along.first, ordinals[d]);
    const auto sources = exchange_and_cut(context, *v.scope(), source_piece, along.source, {0, last, windows, first},
                                          source_full, s, ordinals[d], init, {});
    if (!sources) return v.default_rule();
    source_piece = *sources;
    const ValueId start = emit.binary(OpKind::multiply, first, emit.scalar(ElementType::s32, w.stride));
    const auto rows =
        exchange_and_cut(context, *v.scope(), data_piece, along.data,
                         {w.pad_low, (last - 1) * w.stride + size, (windows - 1) * w.stride + size, start}, data_full,
                         s, ordinals[d], pad, {});
    if (!rows) return v.default_rule();
    data_piece = *rows;
    local[d].pad_low = local[d].pad_high = 0;
  }
  const ValueId operands[] = {data_piece, source_piece, init};
  const ValueId scattered = emit.clone(v.op(), v.graph().value(data_piece).type, operands,
                                       window_attrs(emit, OpKind::select_and_scatter, local));
  const Dims piece = shard_dims(v.result_dims(), s);
  if (emit.dims(scattered) == piece) return v.finish(scattered);
  const ValueId zero = emit.zero(ElementType::s32);
  std::vector<ValueId> offsets(piece.size(), zero);
  for (size_t d = 0; d < window.size(); ++d) {
    if (s.tile[d] == 1) continue;
    offsets[d] = emit_extent(context, left[d], ordinals[d]);
    if (left[d].at(0) == window[d].pad_low) continue;
    const ValueId is_first = emit.compare("EQ", zero, ordinals[d]);
    offsets[d] = emit.select(is_first, emit.scalar(ElementType::s32, window[d].pad_low), offsets[d]);
  }
  v.finish(emit.dynamic_slice(scattered, offsets, piece));
}

}  // namespace sw
