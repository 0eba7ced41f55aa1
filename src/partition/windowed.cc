// Windowed ops on pieces. Per dimension: how many windows each tile computes, which rows of the padded array these
// read, hence how many rows must come from the left and from the right; then one exchange per dimension, a cut at each
// tile's own start, and a mask where padding was read.
//
// Worked example: convolution window of 3, padding 1_1, 64 rows in 2 tiles of 32: 32 windows each. Tile k reads padded
// rows 32k .. 32k+33, which are rows 32k-1 .. 32k+32: one row from each neighbour, one row of padding at either end of
// the array.
//
// When there are fewer windows than tiles, tiles at the right end (no input that matters) and in the middle (a large
// negative low padding skips them) take no part in the exchange.
//
// Follows ReshardAsWindowedInput, ReshardDataForSlicing, ReshardDataForPad and HaloExchangeToPadOnLeft of XLA (spmd/).
#include "partition/windowed.h"

#include <algorithm>
#include <numeric>

#include "base/checked_math.h"
#include "partition/reshard.h"

namespace sw {

namespace {

// Everything about one dimension.
struct DimPlan {
  WindowDim window;                             // of the op on the device
  int64_t tiles = 1;                            // that take part
  bool keeps_tiles = false;                     // trivial window: stays tiled as it is
  int64_t windows = 0;                          // per tile
  int64_t left_padding = 0;                     // explicit rows before the array
  OrdinalExtent start, limit;                   // rows that tile k reads, on the padded, not dilated array
  int64_t padded = 0;                           // rows of the array with padding
  int64_t shard = 0;                            // rows one tile reads
  int64_t exchange = 0;                         // rows of the array that the exchange is over
  int64_t slice_start = 0, slice_limit = 0;     // of the piece, before the exchange
  int64_t middle_start = -1, middle_count = 0;  // tiles skipped in the middle
  bool mask_before = false;
  ValueId offset;         // start of this device's rows on the padded array
  ValueId output_offset;  // invalid: none
};

struct Plan {
  std::vector<DimPlan> dims;
  bool skips_tiles = false, slices_piece = false;
};

class WindowPlanner {
 public:
  WindowPlanner(Context& context, const ShardedValue& value, const TileSharding& target, std::vector<ValueId>& ordinals)
      : context_(context),
        emit_(context.emit),
        target_(target),
        ordinals_(ordinals),
        full_(emit_.graph().types.get(value.full).dims),
        piece_(emit_.dims(value.value)) {}

  // False: cannot be said with static shapes.
  bool plan(const WindowDims& window, Plan& out) {
    out.dims.resize(window.size());
    for (size_t d = 0; d < window.size(); ++d)
      if (!plan_dim(d, window[d], out.dims[d], out)) return false;
    return true;
  }

 private:
  ValueId s32(int64_t v) { return emit_.scalar(ElementType::s32, v); }

  bool plan_dim(size_t d, const WindowDim& w, DimPlan& p, Plan& all) {
    p.window = w;
    p.tiles = target_.tile[d];
    p.keeps_tiles = w.trivial();
    p.padded = p.exchange = full_[d];
    p.slice_limit = piece_[d];
    p.shard = full_[d];
    if (p.tiles == 1) {
      p.offset = s32(0);
      return true;
    }
    if (p.keeps_tiles) {
      p.shard = ceil_div(full_[d], p.tiles);
      p.padded = p.shard * p.tiles;
      p.offset = emit_.binary(OpKind::multiply, ordinals_[d], s32(p.shard));
      return true;
    }
    return plan_windows(d, w, p, all);
  }

  bool plan_windows(size_t d, const WindowDim& w, DimPlan& p, Plan& all) {
    const int64_t dilated_window = 1 + (w.size - 1) * w.window_dilation;
    const int64_t padded = 1 + (full_[d] - 1) * w.base_dilation + w.pad_high + w.pad_low;
    const int64_t count = (padded - dilated_window) / w.stride + 1;
    const bool plain = w.window_dilation == 1 && w.base_dilation == 1;
    p.windows = ceil_div(std::max<int64_t>(count, 0), p.tiles);
    if (count < 0) return false;
    int64_t rows = piece_[d];
    if (count < p.tiles && plain && rows > 0 && skip_right(d, w, padded, count, rows, p, all) && p.tiles == 1)
      return true;
    p.left_padding = w.pad_low / w.base_dilation;
    p.window.pad_low = w.pad_low % w.base_dilation;
    p.window.pad_high = 0;
    if (count < p.tiles && plain) {
      if (rows <= 0) return false;  // none of the array is left
      skip_middle(d, padded, count, rows, p, all);
    }
    if (p.tiles <= 0 || padded < dilated_window) return false;
    if (w.stride != 1 && w.stride * p.windows % w.base_dilation != 0) return false;

    const int64_t step = w.stride * p.windows;
    const int64_t reach = w.stride * (p.windows - 1) + dilated_window;
    p.start = OrdinalExtent(step, w.base_dilation - 1 - p.window.pad_low, w.base_dilation);
    p.limit = OrdinalExtent(step, reach + w.base_dilation - 1 - p.window.pad_low, w.base_dilation);
    p.offset = emit_extent(context_, p.start, ordinals_[d]);
    p.shard = (p.limit - p.start).max_over(0, p.tiles);
    p.padded = p.limit.at(p.tiles - 1);
    return w.base_dilation == 1 || plan_dilated(d, w, reach, p);
  }

  // Tiles at the right end without input that matters. True when only one tile is left.
  bool skip_right(size_t d, const WindowDim& w, int64_t padded, int64_t count, int64_t& rows, DimPlan& p, Plan& all) {
    const int64_t useful = ceil_div(std::max<int64_t>(full_[d] + w.pad_high, 0), rows);
    if (useful >= p.tiles) return false;
    p.tiles = std::max(useful, count);
    all.skips_tiles = true;
    if (p.tiles == 1) {
      p.offset = s32(0);
      p.window.pad_high = full_[d] + w.pad_high - piece_[d];
      return true;
    }
    p.exchange = rows * p.tiles;
    if (p.exchange > full_[d] && w.pad_high > 0) {
      p.mask_before = true;
    } else if (w.pad_high < 0 && padded - w.pad_low < rows) {
      rows = padded - w.pad_low;
      p.exchange = rows * p.tiles;
      p.slice_limit = rows;
      all.slices_piece = true;
    }
    return false;
  }

  // Tiles in the middle: a large negative low padding makes the first tile with input one without output.
  void skip_middle(size_t d, int64_t padded, int64_t count, int64_t rows, DimPlan& p, Plan& all) {
    const int64_t empty = -p.left_padding / rows - count;
    if (empty <= 0) return;
    p.tiles -= empty;
    p.middle_start = count;
    p.middle_count = empty;
    all.skips_tiles = true;
    p.left_padding += empty * rows;
    p.exchange = rows * p.tiles;
    const ValueId on_left = emit_.compare("LT", ordinals_[d], s32(count));
    ordinals_[d] = emit_.select(on_left, ordinals_[d], emit_.binary(OpKind::subtract, ordinals_[d], s32(count)));
    if (-p.left_padding <= rows * (p.tiles - 1)) return;
    // All input is on the last tile: what comes before it in the piece is cut off too.
    int64_t cut = -p.left_padding - rows * (p.tiles - 1);
    rows -= cut;
    p.left_padding += cut * p.tiles;
    p.slice_start = cut;
    all.slices_piece = true;
    if (padded < rows) {
      cut = rows - padded;
      p.slice_limit -= cut;
      p.left_padding += cut * (p.tiles - 1);
      rows = padded;
    }
    p.exchange = rows * p.tiles;
  }

  // Base dilation: padding of the op on the device, and where this device's outputs start in its result when tiles
  // differ.
  bool plan_dilated(size_t d, const WindowDim& w, int64_t reach, DimPlan& p) {
    const auto first_row = [&](int64_t k) {
      return p.start.at(k) * w.base_dilation + p.window.pad_low - w.stride * p.windows * k;
    };
    // Rows cut off at the start of a dilated array: XLA stops here with an internal error.
    if (first_row(0) != p.window.pad_low) return false;
    for (int64_t k = 0; k < p.tiles; ++k)
      p.window.pad_high = std::max(p.window.pad_high, reach - (first_row(k) + (p.shard - 1) * w.base_dilation + 1));
    if (w.stride != 1) return w.stride * p.windows % w.base_dilation == 0;
    int64_t low = first_row(0);
    bool all_same = true;
    for (int64_t k = 1; k < p.tiles; ++k) {
      all_same = all_same && first_row(k) == p.window.pad_low;
      low = std::max(low, first_row(k));
    }
    if (!all_same) {
      const ValueId start = emit_extent(context_, p.start, ordinals_[d]);
      const ValueId first = emit_extent(context_, OrdinalExtent(w.base_dilation, p.window.pad_low - low, 1), start);
      const ValueId wanted = emit_extent(context_, OrdinalExtent(p.windows, 0, 1), ordinals_[d]);
      p.output_offset = emit_.binary(OpKind::subtract, wanted, first);
    }
    p.window.pad_low = low;
    return true;
  }

  Context& context_;
  Emitter& emit_;
  const TileSharding& target_;
  std::vector<ValueId>& ordinals_;
  Dims full_, piece_;
};

std::vector<ValueId> output_offsets(Emitter& emit, const Plan& plan) {
  const auto has = [](const DimPlan& p) { return p.output_offset.valid(); };
  if (std::none_of(plan.dims.begin(), plan.dims.end(), has)) return {};
  const ValueId zero = emit.zero(ElementType::s32);
  std::vector<ValueId> offsets;
  for (const DimPlan& p : plan.dims) offsets.push_back(has(p) ? p.output_offset : zero);
  return offsets;
}

WindowDims device_window(const Plan& plan) {
  WindowDims window;
  for (const DimPlan& p : plan.dims) window.push_back(p.window);
  return window;
}

// No dimension with a window is tiled yet: pad the whole and slice.
WindowedInput pad_and_slice(Context& context, const ShardedValue& value, const TileSharding& target, const Plan& plan,
                            ValueId pad_value) {
  Emitter& emit = context.emit;
  const Dims full(emit.graph().types.get(value.full).dims);
  const bool from_replicated = is_replicated(context.at(value.sharding));
  WindowDims window = device_window(plan);
  std::vector<PadDim> pads(full.size());
  Dims sizes, padded = emit.dims(value.value);
  bool shifts = false;
  for (size_t d = 0; d < full.size(); ++d) {
    const DimPlan& p = plan.dims[d];
    sizes.push_back(p.shard);
    if (target.tile[d] == 1 || (p.keeps_tiles && !from_replicated)) continue;
    pads[d].low = p.left_padding;
    pads[d].high = p.padded - p.left_padding - full[d];
    padded[d] = p.padded;
    shifts = shifts || p.left_padding != 0;
    // Taken for done, but what base dilation leaves to the device's window is not.
    if (window[d].pad_low != 0 || window[d].pad_high != 0) context.note_miscompile(MiscompileKind::window_padding_lost);
    window[d].pad_low = window[d].pad_high = 0;
  }
  // As it is when the padded shape is the full shape, even if it is moved.
  if (padded == full && shifts) context.note_miscompile(MiscompileKind::window_shift_lost);
  const ValueId source = padded == full ? value.value : emit.pad(value.value, pad_value, pads);
  std::vector<ValueId> offsets;
  for (const DimPlan& p : plan.dims) offsets.push_back(p.offset);
  return {emit.dynamic_slice(source, offsets, sizes), window, output_offsets(emit, plan)};
}

// The target without the tiles that take no part in the exchange.
TileSharding without_skipped_tiles(const TileSharding& target, const Plan& plan) {
  const TileGrid grid = grid_of(target);
  TileDims dims = grid.dims;
  for (size_t d = 0; d < plan.dims.size(); ++d) dims[d] = plan.dims[d].tiles;
  const std::vector<int64_t> devices = device_ids(grid);
  std::vector<int64_t> kept;
  std::vector<int64_t> index(dims.size(), 0);
  for (int64_t n = product(dims); n > 0; --n) {
    int64_t position = 0;
    for (size_t d = 0; d < dims.size(); ++d) {
      int64_t i = index[d];
      if (d < plan.dims.size() && plan.dims[d].middle_start >= 0 && i >= plan.dims[d].middle_start)
        i += plan.dims[d].middle_count;
      position = position * grid.dims[d] + i;
    }
    kept.push_back(devices[static_cast<size_t>(position)]);
    for (size_t d = dims.size(); d-- > 0;) {
      if (++index[d] < dims[d]) break;
      index[d] = 0;
    }
  }
  TileSharding s = target;
  s.tile = decltype(s.tile)(std::span<const int64_t>(dims));
  s.devices = list_grid(dims, std::move(kept)).devices;
  return s;
}

// Rows of the exchanged concatenation that this tile reads, padded and masked.
ValueId cut_and_mask(Context& context, ValueId rows, const Halo& halo, const Reach& reach, int64_t full, int64_t tiles,
                     ValueId ordinal, ValueId pad_value, bool mask) {
  Emitter& emit = context.emit;
  const size_t d = halo.dim;
  const int64_t max_left = halo.left.max_over(1, tiles);
  const int64_t before = std::max(max_left, reach.left_padding);
  const OrdinalExtent start = OrdinalExtent::constant(before) - halo.left;
  std::vector<PadDim> pads(emit.dims(rows).size());
  pads[d].low = std::max<int64_t>(0, before - std::max<int64_t>(0, max_left));
  pads[d].high = std::max<int64_t>(0, start.max_over(0, tiles) + reach.shard - emit.dim(rows, d) - pads[d].low);
  rows = emit.pad(rows, pad_value, pads);
  if (emit.dim(rows, d) != reach.shard) {
    if (halo.left.is_constant() && halo.left.at(0) == reach.left_padding) {
      rows = emit.slice_dim(rows, d, 0, reach.shard);
    } else {
      Dims sizes = emit.dims(rows);
      std::vector<ValueId> offsets(sizes.size(), emit.zero(ElementType::s32));
      sizes[d] = reach.shard;
      offsets[d] = emit_extent(context, start, ordinal);
      rows = emit.dynamic_slice(rows, offsets, sizes);
    }
  }
  const int64_t right_padding = reach.padded - full - reach.left_padding;
  if (!mask || (reach.left_padding <= 0 && right_padding <= 0)) return rows;
  const ArrayShape shape = emit.shape(rows);
  const ArrayShape index{ElementType::s32, shape.dims};
  const ValueId position =
      emit.binary(OpKind::add, emit.iota(index, static_cast<int64_t>(d)), emit.splat(reach.offset, index));
  const auto bound = [&](int64_t v) { return emit.splat(emit.scalar(ElementType::s32, v), index); };
  ValueId valid;
  if (reach.left_padding > 0) valid = emit.compare("GE", position, bound(reach.left_padding));
  if (right_padding > 0) {
    const ValueId below = emit.compare("LT", position, bound(full + reach.left_padding));
    valid = valid.valid() ? emit.binary(OpKind::and_, valid, below) : below;
  }
  return emit.select(valid, rows, emit.splat(emit.convert(pad_value, shape.element), shape));
}

}  // namespace

bool exchanges_compactly(const Halo& halo, const Reach& reach, int64_t have, int64_t tiles) {
  if (reach.left_padding != halo.left.at(0)) return false;
  const int64_t farthest = std::max(halo.left.max_over(0, tiles), halo.right.max_over(0, tiles));
  return have + (halo.left + halo.right).max_over(0, tiles) == reach.shard && farthest > 2 * reach.shard;
}

std::optional<ValueId> exchange_and_cut(Context& context, const Scope& scope, ValueId rows, const Halo& halo,
                                        const Reach& reach, std::span<const int64_t> full, const TileSharding& s,
                                        ValueId ordinal, ValueId pad_value, MaskChoice mask) {
  const int64_t tiles = s.tile[halo.dim], have = context.emit.dim(rows, halo.dim);
  if (exchanges_compactly(halo, reach, have, tiles)) {
    if (reach.shard * 2 >= tiles * have) return std::nullopt;
    return exchange_halo_compact(context, scope, rows, full, halo,
                                 mask.always || mask.in_compact ? pad_value : ValueId{}, s, ordinal);
  }
  const auto joined = exchange_halo(context, scope, rows, halo, s);
  if (!joined) return std::nullopt;
  return cut_and_mask(context, *joined, halo, reach, full[halo.dim], tiles, ordinal, pad_value, mask.always);
}

namespace {

// Scalar constants may be written more than once.
bool same_scalar(const Graph& graph, ValueId a, ValueId b) {
  if (a == b) return true;
  const auto literal = [&](ValueId v) {
    const OpId def = v.valid() ? graph.value(v).def : OpId{};
    return def.valid() && graph.op(def).kind == OpKind::constant ? graph.attr(graph.op(def), "value") : AttrId{};
  };
  return literal(a).valid() && literal(a) == literal(b) && graph.value(a).type == graph.value(b).type;
}

}  // namespace

std::optional<WindowedInput> reshard_windowed(Context& context, const ShardedValue& value, const WindowDims& window,
                                              TileShardingId target_id, ValueId pad_value, bool mask,
                                              bool mask_in_compact) {
  for (const auto& known : value.scope->cache[value.value.raw].windowed) {
    if (!context.same(known.target, target_id) || known.window != window) continue;
    const bool same = known.full == value.full && same_scalar(context.emit.graph(), known.padding, pad_value);
    if (same || may_mistake(context)) return known.result;
  }
  const auto remembered = [&](WindowedInput result) {
    value.scope->cache[value.value.raw].windowed.push_back({value.full, pad_value, target_id, window, result});
    return result;
  };
  Emitter& emit = context.emit;
  const TileSharding target = context.at(target_id);
  SW_CHECK(is_tiled(target), "windowed reshard to a target without tiles");
  std::vector<ValueId> ordinals = shard_ordinals(context, target, value.scope->partition_id);
  Plan plan;
  if (!WindowPlanner(context, value, target, ordinals).plan(window, plan)) return std::nullopt;

  DimList windowed_dims;
  for (size_t d = 0; d < window.size(); ++d)
    if (!window[d].trivial()) windowed_dims.push_back(static_cast<int64_t>(d));
  const TileShardingId without_windows = context.id(replicate_dims(target, windowed_dims));
  const bool at_target = context.same(value.sharding, target_id);
  const bool at_without = context.same(value.sharding, without_windows);
  if (is_replicated(context.at(value.sharding)) || (!at_target && at_without))
    return remembered(pad_and_slice(context, value, target, plan, pad_value));
  if (!at_target) return reshard_windowed(context, reshard(context, value, target_id), window, target_id, pad_value);
  const bool one_tile_left =
      std::all_of(plan.dims.begin(), plan.dims.end(), [](const DimPlan& p) { return p.tiles == 1; });
  if (one_tile_left) return remembered({value.value, device_window(plan), output_offsets(emit, plan)});

  const TileSharding exchanged = plan.skips_tiles ? without_skipped_tiles(target, plan) : target;
  ValueId rows = value.value;
  DimList unmasked;
  Dims starts, limits, exchange_dims;
  for (size_t d = 0; d < plan.dims.size(); ++d) {
    if (!plan.dims[d].mask_before) unmasked.push_back(static_cast<int64_t>(d));
    starts.push_back(plan.dims[d].slice_start);
    limits.push_back(plan.dims[d].slice_limit);
    exchange_dims.push_back(plan.dims[d].exchange);
  }
  if (unmasked.size() < plan.dims.size()) rows = mask_padding(context, value, pad_value, {}, unmasked).value;
  if (plan.slices_piece) rows = emit.slice(rows, starts, limits, Dims(starts.size(), 1));
  for (size_t d = 0; d < plan.dims.size(); ++d) {
    const DimPlan& p = plan.dims[d];
    if (p.tiles == 1 || p.keeps_tiles) continue;
    const int64_t piece = ceil_div(p.exchange, p.tiles);
    const Halo halo{OrdinalExtent(piece, p.left_padding, 1) - p.start,
                    p.limit - OrdinalExtent(piece, piece + p.left_padding, 1), d};
    const auto moved =
        exchange_and_cut(context, *value.scope, rows, halo, {p.left_padding, p.padded, p.shard, p.offset},
                         exchange_dims, exchanged, ordinals[d], pad_value, {mask, mask_in_compact});
    if (!moved) {
      if (at_without) return remembered(pad_and_slice(context, value, target, plan, pad_value));
      return reshard_windowed(context, reshard(context, value, without_windows), window, target_id, pad_value);
    }
    rows = *moved;
  }
  return remembered({rows, device_window(plan), output_offsets(emit, plan)});
}

std::optional<WindowedInput> reshard_for_slice(Context& context, const ShardedValue& value,
                                               std::span<const int64_t> starts, std::span<const int64_t> limits,
                                               std::span<const int64_t> strides, TileShardingId target) {
  const Dims full(context.emit.graph().types.get(value.full).dims);
  WindowDims window(starts.size());
  for (size_t d = 0; d < window.size(); ++d) {
    window[d].stride = strides[d];
    window[d].pad_low = -starts[d];
    window[d].pad_high = limits[d] - full[d];
  }
  const ValueId zero = context.emit.zero(context.emit.element(value.value));
  return reshard_windowed(context, value, window, target, zero, false);
}

ValueId finish_slice(Context& context, const WindowedInput& input, std::span<const int64_t> strides) {
  const Dims have = context.emit.dims(input.value);
  Dims starts, limits;
  bool needed = false;
  for (size_t d = 0; d < have.size(); ++d) {
    starts.push_back(-input.window[d].pad_low);
    limits.push_back(have[d] + input.window[d].pad_high);
    needed = needed || starts[d] != 0 || strides[d] != 1 || limits[d] != have[d];
  }
  return needed ? context.emit.slice(input.value, starts, limits, Dims(strides)) : input.value;
}

std::optional<WindowedInput> reshard_for_pad(Context& context, const ShardedValue& value, ValueId pad_value,
                                             std::span<const PadDim> pads, TileShardingId target) {
  const TileSharding to = context.at(target);
  const Dims full(context.emit.graph().types.get(value.full).dims);
  const Graph& graph = context.emit.graph();
  // A permute leaves zeros where nothing was sent, so zero padding of an even dimension needs no mask.
  const OpId def = graph.value(pad_value).def;
  bool zero_pad = false;
  if (def.valid() && graph.op(def).kind == OpKind::constant) {
    const AttrId literal = graph.attr(graph.op(def), "value");
    const std::string_view text = literal.valid() ? graph.attr_table.get(literal).text : "";
    zero_pad = !text.empty() && text.find_first_not_of("0.-+e(),fals") == std::string_view::npos;
  }
  WindowDims window(pads.size());
  bool mask = false;
  for (size_t d = 0; d < pads.size(); ++d) {
    window[d].pad_low = pads[d].low;
    window[d].pad_high = pads[d].high;
    window[d].base_dilation = pads[d].interior + 1;
    const bool adds = pads[d].low > 0 || pads[d].high > 0 || pads[d].interior > 0;
    mask = mask || (to.tile[d] > 1 && adds && (!zero_pad || full[d] % to.tile[d] != 0));
  }
  return reshard_windowed(context, value, window, target, pad_value, mask, true);
}

ValueId finish_pad(Context& context, const WindowedInput& input, ValueId pad_value) {
  std::vector<PadDim> pads;
  for (const WindowDim& w : input.window) pads.push_back({w.pad_low, w.pad_high, w.base_dilation - 1});
  return context.emit.pad(input.value, pad_value, pads);
}

ValueId padding_to_the_left(Context& context, const ShardedValue& value, std::span<const int64_t> dims) {
  const TileSharding s = context.at(value.sharding);
  if (!is_tiled(s)) return value.value;
  const Dims full(context.emit.graph().types.get(value.full).dims);
  WindowDims window(full.size());
  for (int64_t dim : dims) {
    const auto d = static_cast<size_t>(dim);
    window[d].pad_low = ceil_div(full[d], s.tile[d]) * s.tile[d] - full[d];
  }
  const ValueId zero = context.emit.zero(context.emit.element(value.value));
  const auto moved = reshard_windowed(context, value, window, value.sharding, zero, false);
  return moved ? moved->value : ValueId{};
}

}  // namespace sw
