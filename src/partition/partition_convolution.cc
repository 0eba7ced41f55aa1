// Partition rule of convolution: a product (partition_dot.cc) whose spatial dimensions may also be tiled, with halos.
//
// Worked example: f32[8,64,64,3] tiled [1,4,1,1] with a kernel 3x3 and padding 1, output in the same tiles: every
// device needs one row of each neighbour (two collective-permutes) and convolves 18 rows into 16. A gradient of the
// kernel, where input and output gradient are both tiled along the image, gets halos on the left operand and an
// all-reduce of the partial sums.
//
// Follows HandleConvolution and PartitionConvolution of XLA (convolution_handler.cc, dot_as_convolution_util.cc) with
// halos on the left operand, the default.
#include <algorithm>

#include "base/checked_math.h"
#include "ops/dims_conv.h"
#include "partition/align.h"
#include "partition/collectives.h"
#include "partition/dot.h"
#include "partition/window_attrs.h"
#include "partition/windowed.h"

namespace sw {

namespace {

bool unit_steps(const WindowDim& w) { return w.stride == 1 && w.window_dilation == 1 && w.base_dilation == 1; }
bool unpadded(const WindowDim& w) { return w.pad_low == 0 && w.pad_high == 0 && !w.reversal; }

// A batch dimension written as a spatial one.
bool is_batch_like(int64_t size, const WindowDim& w) {
  if (size != w.size) return false;
  const int64_t step = std::max<int64_t>(1, size - 1);
  const bool spread = (step == w.stride && w.window_dilation == 1) || (step == w.window_dilation && w.stride == 1);
  if (size == w.base_dilation && spread && unpadded(w)) return true;
  return w.pad_high == size - 1 && w.pad_low == size - 1 && w.reversal && w.window_dilation == 1 && w.stride == size &&
         w.base_dilation == size - 1;
}

DotSpec read_spec(const Visitor& v, const ConvDims& conv) {
  const Dims lhs = v.operand_dims(0), rhs = v.operand_dims(1);
  DotSpec spec;
  spec.lhs_rank = lhs.size();
  spec.rhs_rank = rhs.size();
  spec.out_rank = v.result_dims().size();
  spec.lhs_free.push_back({conv.input_batch, -1, conv.output_batch, -1});
  spec.rhs_free.push_back({-1, conv.kernel_output_feature, conv.output_feature, -1});
  spec.contract.push_back({conv.input_feature, conv.kernel_input_feature, -1, -1});
  for (size_t i = 0; i < conv.input_spatial.size(); ++i) {
    const DotDim dim{conv.input_spatial[i], conv.kernel_spatial[i], conv.output_spatial[i], static_cast<int64_t>(i)};
    const int64_t lhs_size = lhs[static_cast<size_t>(dim.lhs)], rhs_size = rhs[static_cast<size_t>(dim.rhs)];
    const WindowDim& w = conv.window[i];
    if (is_batch_like(lhs_size, w))
      spec.batch.push_back(dim);
    else if (lhs_size == w.size && w.base_dilation == 1 && w.window_dilation == 1 && unpadded(w))
      spec.contract.push_back(dim);
    else if (unit_steps(w) && rhs_size == 1 && w.size == 1 && unpadded(w))
      spec.lhs_free.push_back(dim);
    else if (unit_steps(w) && lhs_size == 1 && w.size == rhs_size && w.pad_high == rhs_size - 1 &&
             w.pad_low == rhs_size - 1 && w.reversal)
      spec.rhs_free.push_back(dim);
    else
      spec.spatial.push_back(dim);
  }
  return spec;
}

// Whether every device has the tile of the same number along dimension `i` of `a` and `j` of `b`.
bool same_tile_numbers(const TileSharding& a, int64_t i, const TileSharding& b, int64_t j) {
  const int64_t tiles = tiles_along(a, static_cast<size_t>(i));
  if (tiles != tiles_along(b, static_cast<size_t>(j))) return false;
  return tiles == 1 || groups_match(group_on_dims(a, std::span(&i, 1)).device_groups,
                                    group_on_dims(b, std::span(&j, 1)).device_groups);
}

class Convolution {
 public:
  Convolution(Visitor& visitor, const ConvDims& dims)
      : v(visitor), conv(dims), spec(read_spec(visitor, dims)), window_(dims.window) {}

  // The local op; the window of the true spatial dimensions is what halos have made of it.
  ValueId local(const ShardedValue& lhs, const ShardedValue& rhs) const;
  std::optional<ShardedValue> base_case(DotPartitioner& dot, const ShardedValue& lhs, const ShardedValue& rhs,
                                        TypeId out, TileShardingId sharding, int64_t devices, bool strict);

  Visitor& v;
  const ConvDims& conv;
  DotSpec spec;

 private:
  struct Problem {
    DotPartitioner& dot;
    ShardedValue lhs, rhs;
    TypeId out;
    TileShardingId sharding;
  };
  const TileSharding& at(TileShardingId id) const { return v.context.at(id); }
  int64_t tiles(const ShardedValue& value, int64_t dim) const {
    return tiles_along(at(value.sharding), static_cast<size_t>(dim));
  }
  // Dimensions of the kernel as dimensions of the input; `swapped`: the kernel's output features are the input's
  // features.
  DimList kernel_of_input(int64_t output_feature, int64_t input_feature) const;
  DimList output_of_input(bool swapped) const;
  ValueId create(const Problem& p, const ShardedValue& lhs, const ShardedValue& rhs, const WindowDims& window);
  std::optional<ShardedValue> moved(const Problem& p, ValueId piece, const TileSharding& from) const;
  std::optional<ShardedValue> depthwise(Problem p, int64_t lhs_dim, bool batch_groups);
  std::optional<ShardedValue> batch_groups(const Problem& p, int64_t devices);
  std::optional<ShardedValue> feature_groups(const Problem& p, int64_t devices);
  std::optional<DotSpec> groups_as_batch(const Problem& p) const;
  std::optional<ShardedValue> tile_only_groups(const Problem& p, const DotSpec& as);
  std::optional<ShardedValue> both_tiled(Problem p);
  std::optional<ShardedValue> tiled_output(Problem p);
  bool starts_elsewhere(std::span<const ValueId> offsets) const;
  bool groups_are_tiled(const ShardedValue& lhs, const ShardedValue& rhs) const;
  bool align(Problem& p, const DimList& reversed);
  std::optional<ValueId> with_halos(const Problem& p, WindowDims& window);

  WindowDims window_;
  bool kernel_padding_moved_ = false;
};

ValueId Convolution::local(const ShardedValue& lhs, const ShardedValue& rhs) const {
  Emitter& emit = v.emit();
  const Dims a = emit.dims(lhs.value), b = emit.dims(rhs.value);
  const auto size = [](const Dims& dims, int64_t d) { return dims[static_cast<size_t>(d)]; };
  WindowDims window = conv.window;
  for (const DotDim& d : spec.batch) {
    WindowDim& w = window[static_cast<size_t>(d.spatial)];
    w.size = size(a, d.lhs);
    w.stride = std::max<int64_t>(1, w.size - 1);
    w.base_dilation = w.size;
  }
  for (const DotDim& d : spec.contract)
    if (d.spatial >= 0) window[static_cast<size_t>(d.spatial)].size = size(a, d.lhs);
  for (const DotDim& d : spec.rhs_free) {
    if (d.spatial < 0) continue;
    WindowDim& w = window[static_cast<size_t>(d.spatial)];
    w.size = size(b, d.rhs);
    w.pad_low = w.pad_high = w.size - 1;
  }
  for (const DotDim& d : spec.spatial) {
    WindowDim& w = window[static_cast<size_t>(d.spatial)];
    const WindowDim& now = window_[static_cast<size_t>(d.spatial)];
    w.size = now.size;
    w.pad_low = now.pad_low;
    w.pad_high = now.pad_high;
  }
  int64_t features = conv.feature_group_count, batches = conv.batch_group_count;
  if (features > 1) features = size(a, conv.input_feature) / size(b, conv.kernel_input_feature);
  if (batches > 1) batches = size(a, conv.input_batch) / size(v.result_dims(), conv.output_batch);
  if (conv.feature_group_count > 1 || conv.batch_group_count > 1) {
    const int64_t lhs_dim = conv.feature_group_count > 1 ? conv.input_feature : conv.input_batch;
    const int64_t outputs = size(b, conv.kernel_output_feature);
    const bool whole = features > 0 && batches > 0 && outputs % (features * batches) == 0 &&
                       size(a, conv.input_feature) == features * size(b, conv.kernel_input_feature) &&
                       size(a, conv.input_batch) % batches == 0;
    // As many tiles on both sides hold the same groups when each has the same share of its side.
    const bool same_share = size(a, lhs_dim) * size(v.operand_dims(1), conv.kernel_output_feature) ==
                            outputs * size(v.operand_dims(0), lhs_dim);
    if (!whole || !same_share ||
        !same_tile_numbers(at(lhs.sharding), lhs_dim, at(rhs.sharding), conv.kernel_output_feature))
      v.context.note_miscompile(MiscompileKind::cut_groups);
  }
  ArrayShape shape{v.graph().types.get(v.full_type()).element, Dims(spec.out_rank, 0)};
  shape.dims[static_cast<size_t>(conv.output_batch)] = size(a, conv.input_batch) / std::max<int64_t>(batches, 1);
  shape.dims[static_cast<size_t>(conv.output_feature)] = size(b, conv.kernel_output_feature);
  for (size_t i = 0; i < window.size(); ++i) {
    const auto out = window_output_size(size(a, conv.input_spatial[i]), window[i]);
    shape.dims[static_cast<size_t>(conv.output_spatial[i])] = out.value_or(0);
  }
  std::vector<NamedAttr> attrs = window_attrs(emit, OpKind::convolution, window);
  attrs.push_back(emit.integer_attr("feature_group_count", features));
  attrs.push_back(emit.integer_attr("batch_group_count", batches));
  const ValueId operands[] = {lhs.value, rhs.value};
  return emit.clone(v.op(), emit.type(shape), operands, attrs);
}

ValueId Convolution::create(const Problem& p, const ShardedValue& lhs, const ShardedValue& rhs,
                            const WindowDims& window) {
  const WindowDims before = window_;
  window_ = window;
  const ValueId result = p.dot.create(lhs, rhs);
  window_ = before;
  return result;
}

std::optional<ShardedValue> Convolution::moved(const Problem& p, ValueId piece, const TileSharding& from) const {
  return reshard(v.context, {piece, p.out, v.context.id(from), p.lhs.scope}, p.sharding);
}

DimList Convolution::kernel_of_input(int64_t output_feature, int64_t input_feature) const {
  DimList of(spec.rhs_rank, 0);
  of[static_cast<size_t>(conv.kernel_output_feature)] = output_feature;
  of[static_cast<size_t>(conv.kernel_input_feature)] = input_feature;
  for (size_t i = 0; i < conv.input_spatial.size(); ++i)
    of[static_cast<size_t>(conv.kernel_spatial[i])] = conv.input_spatial[i];
  return of;
}

DimList inverse(const DimList& of) {
  DimList result(of.size(), 0);
  for (size_t i = 0; i < of.size(); ++i) result[static_cast<size_t>(of[i])] = static_cast<int64_t>(i);
  return result;
}

// The permutation that gives, to the input's sharding, the output's.
DimList Convolution::output_of_input(bool swapped) const {
  DimList of(spec.lhs_rank, 0);
  of[static_cast<size_t>(conv.input_batch)] = swapped ? conv.output_feature : conv.output_batch;
  of[static_cast<size_t>(conv.input_feature)] = swapped ? conv.output_batch : conv.output_feature;
  for (size_t i = 0; i < conv.input_spatial.size(); ++i)
    of[static_cast<size_t>(conv.input_spatial[i])] = conv.output_spatial[i];
  return of;
}

// Groups of features or of the batch that are tiled as the kernel's output features: no exchange but for aligning the
// operands.
std::optional<ShardedValue> Convolution::depthwise(Problem p, int64_t lhs_dim, bool batch) {
  Context& context = v.context;
  const DimList rhs_to_lhs = batch ? kernel_of_input(conv.input_batch, conv.input_feature)
                                   : kernel_of_input(conv.input_feature, conv.input_batch);
  const TileSharding l = at(p.lhs.sharding), r = at(p.rhs.sharding);
  const int64_t devices = p.lhs.scope->device_count;
  const bool lhs_tiled = tiles(p.lhs, lhs_dim) == devices;
  if (!lhs_tiled && tiles(p.rhs, conv.kernel_output_feature) != devices) return std::nullopt;
  if (lhs_tiled)
    p.rhs = reshard(context, p.rhs, context.id(transpose_sharding(l, rhs_to_lhs)));
  else
    p.lhs = reshard(context, p.lhs, context.id(transpose_sharding(r, inverse(rhs_to_lhs))));
  const TileSharding out = transpose_sharding(at(p.lhs.sharding), output_of_input(batch));
  return moved(p, create(p, p.lhs, p.rhs, window_), out);
}

std::optional<ShardedValue> Convolution::batch_groups(const Problem& p, int64_t devices) {
  const int64_t groups = conv.batch_group_count;
  if (groups == 1 || groups % devices != 0) return std::nullopt;
  const Dims l(v.graph().types.get(p.lhs.full).dims), r(v.graph().types.get(p.rhs.full).dims);
  const int64_t batch = l[static_cast<size_t>(conv.input_batch)];
  if (batch != r[static_cast<size_t>(conv.kernel_output_feature)] || groups != batch) return std::nullopt;
  return depthwise(p, conv.input_batch, true);
}

std::optional<ShardedValue> Convolution::feature_groups(const Problem& p, int64_t devices) {
  const int64_t groups = conv.feature_group_count;
  if (groups == 1 || groups % devices != 0) return std::nullopt;
  const Dims l(v.graph().types.get(p.lhs.full).dims), r(v.graph().types.get(p.rhs.full).dims);
  if (r[static_cast<size_t>(conv.kernel_output_feature)] % groups != 0 ||
      l[static_cast<size_t>(conv.input_feature)] % groups != 0)
    return std::nullopt;
  return depthwise(p, conv.input_feature, false);
}

// The dimensions with the grouped ones as batch dimensions; nothing when padding of uneven tiles would come between
// groups.
std::optional<DotSpec> Convolution::groups_as_batch(const Problem& p) const {
  const bool features = conv.feature_group_count > 1;
  const int64_t lhs_dim = features ? conv.input_feature : conv.input_batch;
  const int64_t groups = features ? conv.feature_group_count : conv.batch_group_count;
  const Dims l(v.graph().types.get(p.lhs.full).dims), r(v.graph().types.get(p.rhs.full).dims);
  const bool equal = l[static_cast<size_t>(lhs_dim)] == r[static_cast<size_t>(conv.kernel_output_feature)];
  if (!equal && (!is_tiled(at(p.lhs.sharding)) || groups % tiles(p.lhs, lhs_dim) != 0)) return std::nullopt;
  DotSpec as = p.dot.spec;
  as.batch.push_back({lhs_dim, conv.kernel_output_feature, conv.output_feature, -1});
  as.lhs_free.clear();
  as.rhs_free.clear();
  if (features) {
    as.contract.clear();
    as.lhs_free.push_back({conv.input_batch, -1, -1, -1});
    as.rhs_free.push_back({-1, conv.kernel_input_feature, -1, -1});
  }
  return as;
}

// Whoever has the most tiles over the groups keeps those and nothing else, and the others follow.
std::optional<ShardedValue> Convolution::tile_only_groups(const Problem& p, const DotSpec& as) {
  Context& context = v.context;
  const TileSharding l = at(p.lhs.sharding), r = at(p.rhs.sharding), o = at(p.sharding);
  const int64_t lhs_tiles = tiles_over(l, as.batch, DotSide::lhs), rhs_tiles = tiles_over(r, as.batch, DotSide::rhs);
  const int64_t most = std::max({lhs_tiles, rhs_tiles, tiles_over(o, as.batch, DotSide::out)});
  const auto divides = [&](int64_t groups) { return groups > 1 && groups % most == 0; };
  if (most == 1 || !(divides(conv.batch_group_count) || divides(conv.feature_group_count))) return std::nullopt;
  const DotSide from = lhs_tiles == most ? DotSide::lhs : rhs_tiles == most ? DotSide::rhs : DotSide::out;
  const TileSharding& own = from == DotSide::lhs ? l : from == DotSide::rhs ? r : o;
  const int64_t lhs_dim = conv.batch_group_count > 1 ? conv.input_batch : conv.input_feature;
  const int64_t kept = from == DotSide::lhs   ? lhs_dim
                       : from == DotSide::rhs ? conv.kernel_output_feature
                                              : conv.output_feature;
  DimList given_up;
  for (size_t d = 0; d < v.result_dims().size(); ++d)
    if (static_cast<int64_t>(d) != kept) given_up.push_back(static_cast<int64_t>(d));
  const TileSharding tiles = replicate_dims(own, given_up);
  const auto seen = [&](DotSide side) {
    return side == from ? std::optional(tiles) : seen_from(as, tiles, from, side);
  };
  const auto lhs_wanted = seen(DotSide::lhs), rhs_wanted = seen(DotSide::rhs), out = seen(DotSide::out);
  if (!lhs_wanted || !rhs_wanted || !out) return std::nullopt;
  // The one whose tiles are kept goes first.
  const auto move = [&](const ShardedValue& value, const TileSharding& wanted) {
    return reshard(context, value, context.id(wanted));
  };
  ShardedValue lhs = p.lhs, rhs = p.rhs;
  if (from == DotSide::rhs) {
    rhs = move(rhs, *rhs_wanted);
    lhs = move(lhs, *lhs_wanted);
  } else {
    lhs = move(lhs, *lhs_wanted);
    rhs = move(rhs, *rhs_wanted);
  }
  return moved(p, create(p, lhs, rhs, window_), *out);
}

bool Convolution::groups_are_tiled(const ShardedValue& lhs, const ShardedValue& rhs) const {
  const bool kernel = tiles(rhs, conv.kernel_output_feature) > 1;
  if (conv.feature_group_count > 1 && (kernel || tiles(lhs, conv.input_feature) > 1)) return true;
  return conv.batch_group_count > 1 && (kernel || tiles(lhs, conv.input_batch) > 1);
}

// The smaller operand gets the tiles of the larger; false when batch or output features would be tiled. Along
// `reversed` dimensions the padding of an uneven kernel is to be at its start. XLA moves it there first, and to its
// tiles after that, as if it were still at the end.
bool Convolution::align(Problem& p, const DimList& reversed) {
  Context& context = v.context;
  const DimList rhs_to_lhs = kernel_of_input(conv.input_batch, conv.input_feature);
  const Dims full(v.graph().types.get(p.rhs.full).dims);
  kernel_padding_moved_ = false;
  if (!reversed.empty()) {
    p.rhs.value = padding_to_the_left(context, p.rhs, reversed);
    if (!p.rhs.value.valid()) return false;
  }
  const TileSharding l = at(p.lhs.sharding), r = at(p.rhs.sharding);
  const TileSharding rhs_wanted = reverse_sharding(transpose_sharding(l, rhs_to_lhs), reversed);
  const TileSharding lhs_wanted = transpose_sharding(reverse_sharding(r, reversed), inverse(rhs_to_lhs));
  const auto usable = [&](const TileSharding& lhs, const TileSharding& rhs) {
    return tiles_along(lhs, static_cast<size_t>(conv.input_batch)) == 1 &&
           tiles_along(rhs, static_cast<size_t>(conv.kernel_output_feature)) == 1;
  };
  const Graph& graph = v.graph();
  if (byte_size(graph, p.lhs.full) < byte_size(graph, p.rhs.full)) {
    if (!usable(lhs_wanted, r)) return false;
    p.lhs = reshard(context, p.lhs, context.id(lhs_wanted));
  } else {
    if (!usable(l, rhs_wanted)) return false;
    for (int64_t dim : reversed) {
      const auto d = static_cast<size_t>(dim);
      const int64_t rows = full[d], before = tiles_along(r, d), after = tiles_along(rhs_wanted, d);
      kernel_padding_moved_ |= before != after && (rows % before != 0 || rows % after != 0);
    }
    p.rhs = reshard(context, p.rhs, context.id(rhs_wanted));
  }
  p.lhs = mask_padding_with_zero(context, p.lhs);
  p.rhs = mask_padding(context, p.rhs, v.emit().zero(v.emit().element(p.rhs.value)), reversed);
  return true;
}

// Whether one of the first tiles reads rows that the image does not have.
bool reads_outside(const Halo& halo, int64_t rows, int64_t full, int64_t tiles) {
  for (int64_t k = 0; k < tiles; ++k)
    if (k * rows < halo.left.at(k) || (k + 1) * rows + halo.right.at(k) > full) return true;
  return false;
}

// The input with what the local kernel reads of the neighbours.
std::optional<ValueId> Convolution::with_halos(const Problem& p, WindowDims& window) {
  Context& context = v.context;
  const TileSharding s = at(p.lhs.sharding);
  const Dims lhs_full(v.graph().types.get(p.lhs.full).dims), rhs_full(v.graph().types.get(p.rhs.full).dims);
  const std::vector<ValueId> ordinals = shard_ordinals(context, s, p.lhs.scope->partition_id);
  context.cause.reason = CollectiveReason::halo;
  ValueId rows = p.lhs.value;
  for (size_t i = 0; i < window.size(); ++i) {
    const auto l = static_cast<size_t>(conv.input_spatial[i]), r = static_cast<size_t>(conv.kernel_spatial[i]);
    const int64_t count = tiles_along(s, l);
    if (count == 1) continue;
    WindowDim& w = window[i];
    const int64_t lhs_size = ceil_div(lhs_full[l], count), rhs_size = ceil_div(rhs_full[r], count);
    const int64_t windows =
        1 + (w.pad_low + w.pad_high + lhs_full[l] - (1 + (w.size - 1) * w.window_dilation)) / w.stride;
    const int64_t spread = rhs_size * w.window_dilation, with_kernel = ceil_div(rhs_full[r], rhs_size);
    Halo halo;
    halo.dim = l;
    halo.left = OrdinalExtent(lhs_size - spread, w.pad_low, 1);
    halo.right = OrdinalExtent(spread - lhs_size,
                               spread - lhs_size + 1 - w.window_dilation + w.stride * (windows - 1) - w.pad_low, 1);
    const int64_t shard = w.stride * (windows - 1) + (rhs_size - 1) * w.window_dilation + 1;
    const ValueId zero = v.emit().zero(v.emit().element(rows));
    const Reach reach{w.pad_low, 0, shard, v.emit().zero(ElementType::s32)};
    const auto cut =
        exchange_and_cut(context, *p.lhs.scope, rows, halo, reach, lhs_full, s, ordinals[l], zero, {false, false});
    if (!cut) return std::nullopt;
    if (exchanges_compactly(halo, reach, lhs_size, count) && reads_outside(halo, lhs_size, lhs_full[l], with_kernel))
      context.note_miscompile(MiscompileKind::halo_not_masked);
    rows = *cut;
    w.pad_low = w.pad_high = 0;
    w.size = rhs_size;
  }
  return rows;
}

// Both operands are tiled along the image: partial sums over all of it.
std::optional<ShardedValue> Convolution::both_tiled(Problem p) {
  Context& context = v.context;
  DimList reversed;
  for (size_t i = 0; i < window_.size(); ++i)
    if (window_[i].reversal) reversed.push_back(conv.kernel_spatial[i]);
  if (!align(p, reversed) || groups_are_tiled(p.lhs, p.rhs)) return std::nullopt;
  for (const WindowDim& w : window_)
    if (w.base_dilation != 1) return std::nullopt;
  WindowDims window = window_;
  const auto rows = with_halos(p, window);
  if (!rows) return std::nullopt;
  ShardedValue lhs = p.lhs;
  lhs.value = *rows;
  if (kernel_padding_moved_) context.note_miscompile(MiscompileKind::kernel_padding_moved);
  const ValueId partial = create(p, lhs, p.rhs, window);
  context.cause.reason = CollectiveReason::contraction;
  // Over all devices, those too that hold the same.
  if (has_partial_replication(at(p.lhs.sharding))) context.note_miscompile(MiscompileKind::sum_over_replicas);
  const ValueId sum = emit_all_reduce(context, *p.lhs.scope, partial, context.adder(v.emit().element(partial)), {});
  return moved(p, sum, replicated_sharding());
}

// Whether devices have outputs that start elsewhere, along a dimension that the result has in another place.
bool Convolution::starts_elsewhere(std::span<const ValueId> offsets) const {
  const Graph& graph = v.graph();
  for (size_t i = 0; i < window_.size() && !offsets.empty(); ++i) {
    const OpId offset = graph.value(offsets[static_cast<size_t>(conv.input_spatial[i])]).def;
    const bool starts_at_zero = offset.valid() && graph.op(offset).kind == OpKind::constant;
    if (conv.input_spatial[i] != conv.output_spatial[i] && !starts_at_zero) return true;
  }
  return false;
}

// The input in the tiles of the output, with halos; the kernel on every device.
std::optional<ShardedValue> Convolution::tiled_output(Problem p) {
  Context& context = v.context;
  const TileSharding out = at(p.sharding);
  if (tiles_along(out, static_cast<size_t>(conv.output_feature)) > 1 || groups_are_tiled(p.lhs, p.rhs))
    return std::nullopt;
  const TileShardingId target = context.id(transpose_sharding(out, output_of_input(false)));
  p.lhs = reshard(context, p.lhs, target);
  p.rhs = replicate(context, p.rhs);
  WindowDims all(spec.lhs_rank, WindowDim{});
  for (size_t i = 0; i < window_.size(); ++i) all[static_cast<size_t>(conv.input_spatial[i])] = window_[i];
  const ValueId zero = v.emit().zero(v.emit().element(p.lhs.value));
  const auto input = reshard_windowed(context, p.lhs, all, target, zero);
  if (!input) return std::nullopt;
  WindowDims window = window_;
  for (size_t i = 0; i < window.size(); ++i) window[i] = input->window[static_cast<size_t>(conv.input_spatial[i])];
  ShardedValue lhs = p.lhs;
  lhs.value = input->value;
  ValueId piece = create(p, lhs, p.rhs, window);
  const Dims full(v.graph().types.get(p.out).dims);
  if (starts_elsewhere(input->output_offsets)) v.context.note_miscompile(MiscompileKind::offset_misplaced);
  if (!input->output_offsets.empty())
    piece = v.emit().dynamic_slice(piece, input->output_offsets, shard_dims(full, out));
  return ShardedValue{piece, p.out, p.sharding, p.lhs.scope};
}

std::optional<ShardedValue> Convolution::base_case(DotPartitioner& dot, const ShardedValue& lhs,
                                                   const ShardedValue& rhs, TypeId out, TileShardingId sharding,
                                                   int64_t devices, bool strict) {
  const Problem p{dot, lhs, rhs, out, sharding};
  const bool grouped = conv.feature_group_count > 1 || conv.batch_group_count > 1;
  const TileSharding &l = at(lhs.sharding), &r = at(rhs.sharding), &o = at(sharding);
  const auto over = [](const TileSharding& s, const std::vector<DotDim>& dims, DotSide side) {
    return tiles_over(s, dims, side) > 1;
  };
  const bool spatial =
      over(l, spec.spatial, DotSide::lhs) || over(r, spec.spatial, DotSide::rhs) || over(o, spec.spatial, DotSide::out);
  const bool product = over(l, spec.batch, DotSide::lhs) || over(r, spec.batch, DotSide::rhs) ||
                       over(o, spec.batch, DotSide::out) ||
                       (over(l, spec.contract, DotSide::lhs) && over(r, spec.contract, DotSide::rhs));
  if (!grouped && (!spatial || product)) return std::nullopt;
  // No way is known: everything on every device.
  const ShardedValue none{};
  if (conv.feature_group_count > 1 && v.emit().dim(rhs.value, static_cast<size_t>(conv.kernel_input_feature)) > 1)
    return none;
  if (auto done = batch_groups(p, devices)) return done;
  if (auto done = feature_groups(p, devices)) return done;
  if (is_tiled(at(lhs.sharding)) && is_tiled(at(rhs.sharding)))
    if (auto done = both_tiled(p)) return done;
  if (is_tiled(at(sharding)))
    if (auto done = tiled_output(p)) return done;
  if (!grouped) return std::nullopt;
  const auto as = groups_as_batch(p);
  if (!as) return none;
  const ValueId piece = dot.grouped_on_batch(*as, lhs, rhs, out, sharding, devices, strict);
  if (!piece.valid() && !strict)
    if (auto done = tile_only_groups(p, *as)) return done;
  return ShardedValue{piece, out, sharding, lhs.scope};
}

}  // namespace

void partition_convolution(Visitor& v) {
  if (v.sharding().kind == TileKind::maximal) return v.default_rule();
  ConvDims conv;
  read_conv_dims(v.graph(), v.op(), conv);
  Convolution convolution(v, conv);
  const ShardedValue lhs = v.operand(0);
  ShardedValue rhs = v.operand(1);
  if (lhs.value == rhs.value) rhs.value = v.emit().copy(rhs.value);
  DotPartitioner partitioner(v, convolution.spec,
                             [&](const ShardedValue& l, const ShardedValue& r) { return convolution.local(l, r); });
  partitioner.try_conv = [&](DotPartitioner& dot, const ShardedValue& l, const ShardedValue& r, TypeId out,
                             TileShardingId sharding, int64_t devices,
                             bool strict) { return convolution.base_case(dot, l, r, out, sharding, devices, strict); };
  v.finish(partitioner.partition(lhs, rhs, v.full_type(), v.sharding_id(), v.scope()->device_count));
}

}  // namespace sw
