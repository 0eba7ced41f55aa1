// Resharding by moving whole pieces: collective-permute, and all-to-all between dimensions.
//
// All-to-all, worked example: f32[64,32] from [8,1] to [1,8]. Each device holds [8,32]. Its columns are cut in 8 groups
// of 4
// ([8,8,4]), piece i goes to device i, and what arrives is a stack of 8 pieces [8,8,4] whose stack dimension belongs in
// front of the rows: transposed and merged to [64,4].
//
// Follows GetReshardAllToAllSourceTargetDims, ReshardWithAllToAll, TryMultipleSourceTargetDims and
// ReshardWithCollectivePermute of XLA (spmd/).
#include <algorithm>
#include <map>
#include <numeric>

#include "partition/collectives.h"
#include "partition/reshard.h"
#include "partition/windowed.h"

namespace sw {

bool can_permute(const TileSharding& from, const TileSharding& to) {
  if (!is_tiled(from) || !is_tiled(to)) return false;
  return from.tile == to.tile && replicates_on_last_dim(from) == replicates_on_last_dim(to) &&
         !same_grid(grid_of(from), grid_of(to));
}

ShardedValue reshard_by_permute(Context& context, const ShardedValue& value, TileShardingId target) {
  Emitter& emit = context.emit;
  const TileSharding from = context.at(value.sharding), to = context.at(target);
  if (same_sharding(from, to)) return {value.value, value.full, target, value.scope};
  DimList constant;
  for (size_t d = 0; d < emit.dims(value.value).size() && d < 64; ++d)
    if ((emit.constant_dims(value.value) >> d & 1) != 0) constant.push_back(static_cast<int64_t>(d));
  if (!constant.empty() && same_sharding(replicate_dims(from, constant), replicate_dims(to, constant)))
    return {emit.copy(value.value), value.full, target, value.scope};
  const Moves moves = moves_between(grid_of(from), grid_of(to));
  return {emit_permute(context, *value.scope, value.value, moves), value.full, target, value.scope};
}

namespace {

using DimsByCount = std::map<int64_t, std::vector<int64_t>>;

void remove(DimsByCount& dims, int64_t count, int64_t dim) {
  auto& list = dims[count];
  list.erase(std::remove(list.begin(), list.end(), dim), list.end());
  if (list.empty()) dims.erase(count);
}

bool same_distribution(const DimsByCount& a, const DimsByCount& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
    return x.first == y.first && x.second.size() == y.second.size();
  });
}

// The dimension with `count` source tiles that gives its tiles to a dimension that has `have`: preferably one that ends
// with what the receiver had, so that one move settles both; when the receiver has none, one that keeps a use for the
// exchange.
std::optional<int64_t> giver(const std::vector<int64_t>& candidates, const TileSharding& to, int64_t have,
                             int64_t count) {
  const auto preferred = [&](int64_t j) {
    const int64_t wanted = to.tile[static_cast<size_t>(j)];
    return have == 1 ? wanted != 1 : wanted == have;
  };
  if (have != 1 && count % have != 0) return std::nullopt;
  const auto found = std::find_if(candidates.begin(), candidates.end(), preferred);
  return found == candidates.end() ? candidates.back() : *found;
}

}  // namespace

std::optional<std::vector<DimPair>> all_to_all_pairs(const TileSharding& from, const TileSharding& to) {
  if (!is_tiled(from) || !is_tiled(to) || from.tile.size() != to.tile.size() || tile_count(from) != tile_count(to))
    return std::nullopt;
  DimsByCount source, target;
  for (size_t d = 0; d < from.tile.size(); ++d) {
    if (from.tile[d] == to.tile[d]) continue;
    source[from.tile[d]].push_back(static_cast<int64_t>(d));
    target[to.tile[d]].push_back(static_cast<int64_t>(d));
  }
  if (source.empty() || !same_distribution(source, target)) return std::nullopt;
  std::vector<DimPair> pairs;
  while (!source.empty()) {
    const int64_t have = source.begin()->first;
    const int64_t receiver = source.begin()->second.back();
    const int64_t wanted = to.tile[static_cast<size_t>(receiver)];
    if (wanted == have) {
      remove(source, have, receiver);
      remove(target, have, receiver);
      continue;
    }
    const auto from_dim = giver(source[wanted], to, have, wanted);
    if (!from_dim) return std::nullopt;
    pairs.emplace_back(*from_dim, receiver);
    remove(target, wanted, receiver);
    source.begin()->second.back() = *from_dim;
    remove(source, wanted, *from_dim);
  }
  return pairs;
}

namespace {

// The sharding after the tiles that source dims have more than their target dims went over, as the minor part.
TileSharding after_all_to_all(const TileSharding& s, std::span<const int64_t> sources,
                              std::span<const int64_t> targets) {
  TileGrid grid = grid_of(s);
  for (size_t i = 0; i < sources.size(); ++i) {
    const auto from = static_cast<size_t>(sources[i]), to = static_cast<size_t>(targets[i]);
    TileDims cut;
    size_t from_part = 0, to_part = 0;
    for (size_t d = 0; d < grid.rank(); ++d) {
      cut.push_back(d == from ? grid.dims[to] : grid.dims[d]);
      if (d == from) {
        from_part = cut.size();
        cut.push_back(grid.dims[from] / grid.dims[to]);
      } else if (d == to) {
        to_part = cut.size();
        cut.push_back(1);
      }
    }
    DimList perm(cut.size());
    std::iota(perm.begin(), perm.end(), 0);
    std::swap(perm[from_part], perm[to_part]);
    TileDims swapped = grid.dims;
    std::swap(swapped[from], swapped[to]);
    grid = reshaped(transposed(reshaped(grid, cut), perm), swapped);
  }
  return tiles_like(s, grid);
}

ShardedValue merged_all_to_all(Context& context, const ShardedValue& value, TileShardingId target,
                               std::span<const DimPair> pairs);

// Cuts dimension `to` of the piece in `group` parts, exchanges them and stacks what arrives in front of dimension
// `from`.
ValueId exchange_between(Context& context, const ShardedValue& value, ValueId piece, size_t from, size_t to,
                         int64_t group, const TileSharding& after) {
  Emitter& emit = context.emit;
  Dims cut = emit.dims(piece);
  cut[to] /= group;
  Dims stacked = cut;
  stacked.insert(stacked.begin() + static_cast<std::ptrdiff_t>(to), group);
  const ValueId parts = emit.reshape(piece, stacked);
  const auto to_dim = static_cast<int64_t>(to);
  const ValueId exchanged = emit_all_to_all(
      context, *value.scope, parts, to, groups_over_minor_parts(after, std::span(&to_dim, 1), std::span(&group, 1)));
  const size_t front_of = to < from ? from + 1 : from;
  DimList permutation;
  for (size_t d = 0; d < stacked.size(); ++d) {
    if (d == to) continue;
    if (d == front_of) permutation.push_back(to_dim);
    permutation.push_back(static_cast<int64_t>(d));
  }
  cut[from] *= group;
  return emit.reshape(emit.transpose(exchanged, permutation), cut);
}

}  // namespace

ShardedValue reshard_by_all_to_all(Context& context, const ShardedValue& value, TileShardingId target,
                                   std::span<const DimPair> pairs, bool merge_pairs) {
  if (context.same(value.sharding, target)) return value;
  if (pairs.empty()) return reshard_by_permute(context, value, target);
  if (merge_pairs) return merged_all_to_all(context, value, target, pairs);
  Emitter& emit = context.emit;
  const TileSharding s = context.at(value.sharding);
  const int64_t source = pairs[0].first, receiver = pairs[0].second;
  const auto from = static_cast<size_t>(source), to = static_cast<size_t>(receiver);
  const int64_t group = s.tile[from] / s.tile[to];
  const TileSharding after = after_all_to_all(s, std::span(&source, 1), std::span(&receiver, 1));
  const Dims full(emit.graph().types.get(value.full).dims);
  const ElementType element = emit.element(value.value);

  // The receiving dimension must divide by its new number of tiles.
  std::vector<PadDim> pads(full.size());
  pads[to].high =
      (full[to] + after.tile[to] - 1) / after.tile[to] * after.tile[to] - emit.dim(value.value, to) * s.tile[to];
  const ValueId zero = emit.zero(element);
  const auto padded = reshard_for_pad(context, value, zero, pads, value.sharding);
  SW_CHECK(padded.has_value(), "padding a dimension at its end cannot fail");
  const ValueId piece = finish_pad(context, *padded, zero);
  const ValueId exchanged = exchange_between(context, value, piece, from, to, group, after);

  // The giving dimension may have more padding than its new number of tiles needs.
  const TileShardingId after_id = context.id(after);
  Dims limits = full, current = full;
  limits[from] = (full[from] + after.tile[from] - 1) / after.tile[from] * after.tile[from];
  current[from] = emit.dim(value.value, from) * s.tile[from];
  const Dims starts(full.size(), 0), strides(full.size(), 1);
  const ShardedValue wide{exchanged, emit.type({element, current}), after_id, value.scope};
  const auto cut = reshard_for_slice(context, wide, starts, limits, strides, after_id);
  SW_CHECK(cut.has_value(), "cutting padding at the end cannot fail");
  const ShardedValue moved{finish_slice(context, *cut, strides), value.full, after_id, value.scope};
  return reshard_by_all_to_all(context, moved, target, pairs.subspan(1));
}

namespace {

// Several pairs on distinct, even dimensions go in one all-to-all: the parts of all receivers are merged to one leading
// dimension, exchanged, and put in front of their givers.
// Example: [32,32,32,32] from [1,4,2,1] to [2,1,1,4]: pairs 2->0 and 1->3, one exchange among 8 devices.
ShardedValue merged_all_to_all(Context& context, const ShardedValue& value, TileShardingId target,
                               std::span<const DimPair> pairs) {
  Emitter& emit = context.emit;
  const TileSharding s = context.at(value.sharding), to = context.at(target);
  const Dims full(emit.graph().types.get(value.full).dims);
  std::vector<DimPair> ordered(pairs.begin(), pairs.end()), rest;
  std::stable_sort(ordered.begin(), ordered.end(),
                   [](const DimPair& a, const DimPair& b) { return a.second < b.second; });
  DimList sources, targets, groups;
  const auto taken = [&](int64_t d) {
    return std::find(sources.begin(), sources.end(), d) != sources.end() ||
           std::find(targets.begin(), targets.end(), d) != targets.end();
  };
  for (const auto& [from_dim, to_dim] : ordered) {
    const auto f = static_cast<size_t>(from_dim), t = static_cast<size_t>(to_dim);
    if (taken(from_dim) || taken(to_dim) || full[f] % s.tile[f] != 0 || full[t] % to.tile[t] != 0) {
      rest.emplace_back(from_dim, to_dim);
      continue;
    }
    sources.push_back(from_dim);
    targets.push_back(to_dim);
    groups.push_back(s.tile[f] / s.tile[t]);
  }
  if (sources.size() < 2) return reshard_by_all_to_all(context, value, target, pairs, false);

  const Dims piece = emit.dims(value.value);
  Dims cut;
  DimList to_front, others;
  for (size_t d = 0; d < piece.size(); ++d) {
    const auto at = std::find(targets.begin(), targets.end(), static_cast<int64_t>(d));
    if (at == targets.end()) {
      others.push_back(static_cast<int64_t>(cut.size()));
      cut.push_back(piece[d]);
      continue;
    }
    const int64_t group = groups[static_cast<size_t>(at - targets.begin())];
    to_front.push_back(static_cast<int64_t>(cut.size()));
    cut.push_back(group);
    others.push_back(static_cast<int64_t>(cut.size()));
    cut.push_back(piece[d] / group);
  }
  const size_t count = to_front.size();
  DimList permutation = to_front;
  permutation.append(others.begin(), others.end());
  const ValueId fronted = emit.transpose(emit.reshape(value.value, cut), permutation);
  const Dims fronted_dims = emit.dims(fronted);
  Dims merged{1};
  for (size_t i = 0; i < fronted_dims.size(); ++i) {
    if (i < count)
      merged[0] *= fronted_dims[i];
    else
      merged.push_back(fronted_dims[i]);
  }
  const TileSharding after = after_all_to_all(s, sources, targets);
  const ValueId exchanged = emit_all_to_all(context, *value.scope, emit.reshape(fronted, merged), 0,
                                            groups_over_minor_parts(after, targets, groups));
  // Part i belongs in front of the dimension that gave it.
  DimList back;
  for (size_t d = 0; d < piece.size(); ++d) {
    const auto at = std::find(sources.begin(), sources.end(), static_cast<int64_t>(d));
    if (at != sources.end()) back.push_back(at - sources.begin());
    back.push_back(static_cast<int64_t>(d + count));
  }
  const ValueId placed = emit.transpose(emit.reshape(exchanged, fronted_dims), back);
  const Dims placed_dims = emit.dims(placed);
  Dims result;
  for (size_t i = 0; i < back.size(); ++i) {
    if (back[i] < static_cast<int64_t>(count)) {
      result.push_back(placed_dims[i] * placed_dims[i + 1]);
      ++i;
    } else {
      result.push_back(placed_dims[i]);
    }
  }
  const ShardedValue moved{emit.reshape(placed, result), value.full, context.id(after), value.scope};
  return reshard_by_all_to_all(context, moved, target, rest, false);
}

}  // namespace

}  // namespace sw
