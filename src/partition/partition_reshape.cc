// Partition rule of reshape. In order: tiles that go through the reshape from the result or from the operand; the
// dimensions that go through, grouped, and the rest inside the groups; one uneven dimension split or merged, re-aligned
// with the neighbours; everything gathered.
//
// Worked example: f32[64,32] in [2,4] to f32[2048] in [2]x4 replicated: no full match; dimension 0 goes through (2
// groups), inside a group the 4 tiles of dimension 1 are gathered.
//
// Follows HandleReshape of XLA (spmd_partitioner.cc).
#include <algorithm>

#include "base/checked_math.h"
#include "partition/align.h"
#include "partition/visitor.h"
#include "partition/windowed.h"

namespace sw {

namespace {

struct Reshape {
  ShardedValue operand;
  TileShardingId sharding;  // wanted of the result
  Dims full;                // of the result, inside the scope of the operand
};

Dims full_dims(Context& context, const ShardedValue& value) {
  return Dims(context.emit.graph().types.get(value.full).dims);
}

ShardedValue result_of(Context& context, const Reshape& r, ValueId piece, TileShardingId s) {
  return {piece, context.emit.type({context.emit.element(piece), r.full}), s, r.operand.scope};
}

ValueId gathered(Context& context, const Reshape& r) {
  const ValueId whole = context.emit.reshape(replicate(context, r.operand).value, r.full);
  return reshard(context, result_of(context, r, whole, context.replicated()), r.sharding).value;
}

std::optional<size_t> only_tiled_dim(const TileSharding& s) {
  std::optional<size_t> found;
  if (!is_tiled(s)) return found;
  for (size_t d = 0; d < s.data_rank(); ++d) {
    if (s.tile[d] == 1) continue;
    if (found) return std::nullopt;
    found = d;
  }
  return found;
}

// Rows of the tiled dimension are moved so that every piece ends where a piece of the result ends.
std::optional<ValueId> realigned(Context& context, const ShardedValue& value, size_t dim, int64_t rows) {
  const Dims full = full_dims(context, value);
  WindowDims window(full.size());
  window[dim].pad_high = rows * context.at(value.sharding).tile[dim] - full[dim];
  const ValueId zero = context.emit.zero(context.emit.element(value.value));
  const auto moved = reshard_windowed(context, value, window, value.sharding, zero, false);
  if (!moved) return std::nullopt;
  return moved->value;
}

ValueId reshape_one_uneven_dim(Context& context, Reshape r) {
  Emitter& emit = context.emit;
  const TileSharding from = context.at(r.operand.sharding), to = context.at(r.sharding);
  const Dims in = full_dims(context, r.operand);
  const auto in_dim = only_tiled_dim(from), out_dim = only_tiled_dim(to);
  if (tile_count(from) != tile_count(to) || !in_dim || !out_dim) return gathered(context, r);
  const auto major = [](const Dims& dims, size_t end) {
    int64_t p = 1;
    for (size_t d = 0; d < end; ++d) p *= dims[d];
    return p;
  };
  if (major(in, *in_dim) != major(r.full, *out_dim)) return gathered(context, r);
  const TileSharding aligned = tiles_like(to, reshaped(grid_of(to), grid_of(from).dims));
  r.operand = reshard(context, r.operand, context.id(aligned));
  const Dims piece = shard_dims(r.full, to);
  if (in[*in_dim] % r.full[*out_dim] == 0) {
    const int64_t factor = in[*in_dim] / r.full[*out_dim];
    const auto rows = realigned(context, r.operand, *in_dim, piece[*out_dim] * factor);
    return rows ? emit.reshape(*rows, piece) : gathered(context, r);
  }
  if (r.full[*out_dim] % in[*in_dim] != 0) return gathered(context, r);
  // Merged: reshape first, padding included, then cut the padding between the pieces out.
  const int64_t factor = r.full[*out_dim] / in[*in_dim];
  Dims local = piece, padded = r.full;
  local[*out_dim] = shard_dims(in, aligned)[*in_dim] * factor;
  const int64_t tiles = to.tile[*out_dim];
  for (size_t d = 0; d < padded.size(); ++d) padded[d] = local[d];
  padded[*out_dim] = local[*out_dim] * tiles;
  const ValueId merged = emit.reshape(r.operand.value, local);
  WindowDims window(padded.size());
  window[*out_dim].pad_high = r.full[*out_dim] - padded[*out_dim];
  const ShardedValue wide{merged, emit.type({emit.element(merged), padded}), r.sharding, r.operand.scope};
  const auto moved = reshard_windowed(context, wide, window, r.sharding, emit.zero(emit.element(merged)), false);
  return moved ? moved->value : gathered(context, r);
}

// The dimensions that go through the reshape group the devices; what is left is reshaped inside.
ValueId reshape_in_groups(Context& context, const Reshape& r) {
  Emitter& emit = context.emit;
  const TileSharding from = context.at(r.operand.sharding), to = context.at(r.sharding);
  const Dims in = full_dims(context, r.operand);
  const TileSharding through = through_reshape(in, r.full, from);
  if (!is_tiled(through)) return reshape_one_uneven_dim(context, r);
  const auto back = reshape_tiles(r.full, in, through);
  if (!back || !is_tiled(*back)) return reshape_one_uneven_dim(context, r);
  DimList in_dims, out_dims;
  Dims inner_in = in, inner_out = r.full;
  for (size_t d = 0; d < in.size(); ++d) {
    if (back->tile[d] == 1) continue;
    in_dims.push_back(static_cast<int64_t>(d));
    inner_in[d] = emit.dim(r.operand.value, d);
  }
  // The wanted result tiling itself, when it agrees on these dimensions and is finer.
  bool use_wanted = tile_count(to) > tile_count(through);
  for (size_t d = 0; d < r.full.size(); ++d) {
    if (through.tile[d] == 1) continue;
    inner_out[d] = ceil_div(r.full[d], through.tile[d]);
    out_dims.push_back(static_cast<int64_t>(d));
    use_wanted = use_wanted && through.tile[d] == tiles_along(to, d);
  }
  const GroupedSharding in_groups = group_on_dims(from, in_dims);
  GroupedSharding out_groups = group_on_dims(use_wanted ? to : through, out_dims);
  if (use_wanted) out_groups = align_groups(out_groups, in_groups);
  const ValueId copy = emit.copy(r.operand.value);
  const Reshape inner{{copy, emit.type({emit.element(copy), inner_in}), context.id(in_groups.inner),
                       group_scope(context, r.operand.scope, in_groups.device_groups)},
                      context.id(out_groups.inner),
                      inner_out};
  const ValueId piece = reshape_in_groups(context, inner);
  return reshard(context, result_of(context, r, piece, context.id(ungroup(out_groups))), r.sharding).value;
}

}  // namespace

void partition_reshape(Visitor& v) {
  if (is_trivial(v.sharding())) return v.default_rule();
  Context& context = v.context;
  const ShardedValue operand = v.operand(0);
  const TileSharding from = context.at(operand.sharding), to = v.sharding();
  const Dims in = v.operand_dims(0), out = v.result_dims();
  struct Pair {
    TileSharding in, out;
  };
  std::vector<Pair> pairs;
  if (auto back = reshape_tiles(out, in, to); back && tile_count(*back) == tile_count(to)) pairs.push_back({*back, to});
  if (auto forth = reshape_tiles(in, out, from))
    if (auto back = reshape_tiles(out, in, *forth); back && tile_count(*back) == tile_count(*forth))
      pairs.push_back({*back, *forth});
  if (pairs.empty()) return v.finish(reshape_in_groups(context, {operand, v.sharding_id(), out}));
  const ValueId input = reshard(context, operand, context.id(pairs[0].in)).value;
  const ShardedValue result = v.reshard_result(v.clone_as(context.id(pairs[0].out), std::span(&input, 1)));
  if (pairs.size() == 2 && same_sharding(pairs[1].in, from) && !same_sharding(pairs[1].out, to)) {
    // Who wants the operand's own tiles behind the reshape gets them without moving anything.
    const TileShardingId other = context.id(pairs[1].out);
    const ShardedValue unmoved = v.clone_as(other, std::span(&operand.value, 1));
    result.scope->cache[result.value.raw].resharded.emplace_back(other, unmoved);
  }
  v.finish(result.value);
}

}  // namespace sw
