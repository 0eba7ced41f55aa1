// Which of two shardings says more, and joining two partial tilings into one. Follows IsLeafShardingMoreSpecific,
// MergeSharding, MergeShardingIfCompatible, FindCommonSharding, IsSubTilingOrEqualSharding and
// ReturnImprovedShardingImpl (hlo_sharding_util.cc).
//
// Worked example: {devices=[2,1,4]<=[8] rep} with {devices=[1,4,2]<=[2,4]T(1,0) rep}. Tiles join to (2,4),
// replication 1. The first leaves its 4 replicas to the new dimension 1: [2,4]<=[8]. The second leaves its 2 replicas
// to dimension 0: take [4,2]<=[2,4]T(1,0) and bring the new dimension to the front: [2,4]<=[8]. They agree, so that is
// the answer.
#include <algorithm>
#include <numeric>
#include <set>

#include "base/checked_math.h"
#include "sharding/tile_algebra.h"

namespace sw {
namespace {

// How one of the two shardings is cut up to fit the joined tiles: `kept` are the grid dimensions it already has (manual
// subgroup included), `split` the tiles its replication must yield, with the position each takes in the joined grid.
struct MergeSide {
  DimList kept, split, split_at, perm;
  int64_t groups = 1;  // product of its tiles (and manual subgroup)
  void keep(size_t at, int64_t tiles) {
    perm[at] = static_cast<int64_t>(kept.size());
    kept.push_back(tiles);
  }
  void take_from_replication(size_t at, int64_t tiles) {
    split.push_back(tiles);
    split_at.push_back(static_cast<int64_t>(at));
  }
};

struct MergePlan {
  MergeSide other, into;
  TileDims joined;  // tiles, then manual, then replication when above 1
  int64_t replication = 1;
};

std::optional<MergePlan> plan_merge(const TileSharding& other, const TileSharding& into, int64_t minimum_tiles) {
  MergePlan plan;
  plan.other.perm = DimList(into.tile.size(), -1);
  plan.into.perm = plan.other.perm;
  const size_t rank = into.data_rank();
  for (size_t i = 0; i < rank; ++i) {
    const int64_t a = other.tile[i], b = into.tile[i];
    if (a != b && a != 1 && b != 1) return std::nullopt;
    plan.other.groups *= a;
    plan.into.groups *= b;
    plan.joined.push_back(std::max(a, b));
    if (a == b || b == 1) {
      plan.other.keep(i, a);
    } else {
      plan.other.take_from_replication(i, b);
    }
    if (a == b || a == 1) {
      plan.into.keep(i, b);
    } else {
      plan.into.take_from_replication(i, a);
    }
  }
  const int64_t devices = device_count(other);
  const int64_t tiles = product(plan.joined);
  if (devices % tiles != 0 || tiles < minimum_tiles) return std::nullopt;
  plan.replication = devices / tiles;
  if (const int64_t other_manual = manual_dim(other); other_manual >= 0) {
    const int64_t size = other.tile[static_cast<size_t>(other_manual)];
    if (size != into.tile[static_cast<size_t>(manual_dim(into))]) return std::nullopt;
    plan.other.keep(rank, size);
    plan.into.keep(rank, size);
    plan.joined.push_back(size);
    plan.other.groups *= size;
    plan.into.groups *= size;
    if (devices % (tiles * size) != 0) return std::nullopt;
    plan.replication = devices / (tiles * size);
  }
  if (plan.replication > 1) plan.joined.push_back(plan.replication);
  return plan;
}

// Every grid of the joined shape that `s` can become by splitting its replication in some order.
std::vector<TileGrid> refinements(const TileSharding& s, MergeSide side, int64_t replication) {
  const int64_t at = replication_dim(s);
  if (at < 0 || s.tile[static_cast<size_t>(at)] == replication) return {grid_of(s)};
  if (replication == 1) {
    side.perm.pop_back();
  } else {
    side.take_from_replication(side.perm.size() - 1, replication);
  }
  std::vector<TileGrid> all;
  DimList order(side.split.size(), 0);
  std::iota(order.begin(), order.end(), 0);
  do {
    DimList dims = side.kept, perm = side.perm;
    for (const int64_t i : order) {
      perm[static_cast<size_t>(side.split_at[static_cast<size_t>(i)])] = static_cast<int64_t>(dims.size());
      dims.push_back(side.split[static_cast<size_t>(i)]);
    }
    all.push_back(transposed(reshaped(grid_of(s), dims), perm));
  } while (std::next_permutation(order.begin(), order.end()));
  return all;
}

std::optional<TileGrid> joined_by_refinement(const TileSharding& other, const TileSharding& into,
                                             const MergePlan& plan) {
  std::optional<TileGrid> joined;
  const std::vector<TileGrid> others = refinements(other, plan.other, plan.replication);
  for (const TileGrid& mine : refinements(into, plan.into, plan.replication)) {
    for (const TileGrid& theirs : others) {
      if (same_grid(mine, theirs)) joined = mine.is_iota() ? mine : theirs;
    }
  }
  return joined;
}

std::vector<std::set<int64_t>> group_members(const TileSharding& s, int64_t groups) {
  const std::vector<int64_t> ids = device_ids(grid_of(s));
  const std::ptrdiff_t size = static_cast<std::ptrdiff_t>(ids.size()) / groups;
  std::vector<std::set<int64_t>> members;
  for (auto at = ids.begin(); at != ids.end(); at += size) members.emplace_back(at, at + size);
  return members;
}

// The replication group of `s` that holds the joined tile `index`.
size_t group_of(const TileSharding& s, std::span<const int64_t> index) {
  const size_t rank = s.data_rank();
  int64_t group = 0;
  for (size_t i = 0; i < rank; ++i) group = group * s.tile[i] + (s.tile[i] == 1 ? 0 : index[i]);
  if (const int64_t manual = manual_dim(s); manual >= 0)
    group = group * s.tile[static_cast<size_t>(manual)] + index[rank];
  return static_cast<size_t>(group);
}

// Fills the joined tiles one by one with the smallest device that both sharings still have for the tile. Per device,
// and the result is written out; only for assignments that no splitting explains.
std::optional<TileGrid> joined_by_devices(const TileSharding& other, const TileSharding& into, const MergePlan& plan) {
  std::vector<std::set<int64_t>> other_members = group_members(other, plan.other.groups);
  std::vector<std::set<int64_t>> into_members = group_members(into, plan.into.groups);
  std::vector<int64_t> ids;
  TileDims index(plan.joined.size(), 0);
  for (int64_t left = product(plan.joined); left > 0; --left) {
    std::set<int64_t>& a = other_members[group_of(other, index)];
    std::set<int64_t>& b = into_members[group_of(into, index)];
    auto at = a.begin();
    while (at != a.end() && b.count(*at) == 0) ++at;
    if (at == a.end()) return std::nullopt;
    ids.push_back(*at);
    b.erase(*at);
    a.erase(at);
    for (size_t d = index.size(); d-- > 0;) {
      if (++index[d] < plan.joined[d]) break;
      index[d] = 0;
    }
  }
  return list_grid(plan.joined, std::move(ids));
}

}  // namespace

bool more_specific(const TileSharding& a, const TileSharding& b) {
  if (is_manual(a)) return is_trivial(b);
  if (is_manual(b)) return false;
  if (!is_trivial(b)) return tile_count(a) > tile_count(b);
  return !(is_replicated(b) ? is_replicated(a) : is_trivial(a));
}

bool merge_if_compatible(const TileSharding& other, int64_t minimum_tiles, TileSharding& into) {
  if (is_trivial(other) || is_manual(other) || is_manual(into)) return false;
  if (is_trivial(into)) {
    into = other;
    return true;
  }
  if (!is_tiled(other) || !is_tiled(into) || !has_partial_replication(into)) return false;
  if (into.data_rank() != other.data_rank() || device_count(into) != device_count(other)) return false;
  if (has_manual_subgroup(other) != has_manual_subgroup(into)) return false;
  const std::optional<MergePlan> plan = plan_merge(other, into, minimum_tiles);
  if (!plan) return false;
  std::optional<TileGrid> joined = joined_by_refinement(other, into, *plan);
  if (!joined) joined = joined_by_devices(other, into, *plan);
  if (!joined) return false;
  SmallVector<Subgroup, 2> kinds;
  if (has_manual_subgroup(other)) kinds.push_back(Subgroup::manual);
  if (plan->replication > 1) kinds.push_back(Subgroup::replicated);
  into = grouped_tiles(reshaped(*joined, plan->joined), kinds);
  return true;
}

bool merge_sharding(const TileSharding& other, TileSharding& into, bool combine) {
  if (combine && has_partial_replication(other) && has_partial_replication(into) &&
      device_count(other) == device_count(into) &&
      merge_if_compatible(other, std::max(tile_count(other), tile_count(into)) + 1, into)) {
    return true;
  }
  return more_specific(into, other);
}

TileSharding common_sharding(std::span<const TileSharding> all, const TileSharding* otherwise) {
  TileSharding common = all.front();
  for (const TileSharding& s : all.subspan(1)) {
    if (!same_sharding(common, s) && !merge_if_compatible(s, tile_count(common), common)) {
      return otherwise != nullptr ? *otherwise : all.front();
    }
  }
  return common;
}

namespace {

// What is_sub_tiling needs to know of each dimension.
struct SubTilingDims {
  DimList sub_size, base_size;  // extent of a tile
  TileDims split;               // sub's grid with every finer dimension cut into (base's tiles, rest)
  bool exact = true;            // tiles nest evenly, and no device holds padding only
};

std::optional<SubTilingDims> compare_dims(std::span<const int64_t> shape, const TileSharding& sub,
                                          const TileSharding& base) {
  SubTilingDims dims;
  for (size_t i = 0; i < shape.size(); ++i) {
    const int64_t fine = sub.tile[i], coarse = base.tile[i];
    if (fine < coarse) return std::nullopt;
    const int64_t sub_size = ceil_div(shape[i], fine), base_size = ceil_div(shape[i], coarse);
    dims.sub_size.push_back(sub_size);
    dims.base_size.push_back(base_size);
    if (coarse != 1 && (fine % coarse != 0 || (sub_size != 0 && base_size % sub_size != 0) ||
                        shape[i] <= (fine - 1) * sub_size || shape[i] <= (coarse - 1) * base_size)) {
      dims.exact = false;
    }
    dims.split.push_back(coarse);
    if (fine != coarse) dims.split.push_back(dims.exact ? fine / coarse : 1);
  }
  for (size_t i = shape.size(); i < sub.tile.size(); ++i) dims.split.push_back(sub.tile[i]);
  return dims;
}

// Groups the devices of `sub` by the tile of `base` that contains theirs, and compares with base's own groups.
bool nests_exactly(const SubTilingDims& dims, const TileSharding& sub, const TileSharding& base) {
  if (!has_partial_replication(base)) return same_sharding(sub, base);
  DimList perm, rest;
  int64_t at = 0;
  for (size_t i = 0; i < base.data_rank(); ++i) {
    perm.push_back(at++);
    if (sub.tile[i] != base.tile[i]) rest.push_back(at++);
  }
  for (; at < static_cast<int64_t>(dims.split.size()); ++at) perm.push_back(at);
  perm.append(rest.begin(), rest.end());
  const TileGrid regrouped =
      reshaped(transposed(reshaped(grid_of(sub), dims.split), perm), TileDims(std::span<const int64_t>(base.tile)));
  const TileSharding sorted = partial_tiles(regrouped);
  return is_tiled(sorted) && same_grid(grid_of(sorted), grid_of(base));
}

// Device by device: where its tile of `s` starts in each dimension, indexed [device * rank + dim]. Empty when the
// devices are not exactly 0 .. n-1.
std::vector<int64_t> tile_starts(const TileSharding& s, std::span<const int64_t> sizes) {
  const std::vector<int64_t> ids = device_ids(grid_of(s));
  const size_t rank = sizes.size();
  const auto [first, last] = std::minmax_element(ids.begin(), ids.end());
  if (*first != 0 || *last != static_cast<int64_t>(ids.size()) - 1) return {};
  std::vector<int64_t> starts(ids.size() * rank, 0);
  TileDims index(s.tile.size(), 0);
  for (const int64_t id : ids) {
    for (size_t d = 0; d < rank; ++d) starts[static_cast<size_t>(id) * rank + d] = index[d] * sizes[d];
    for (size_t d = index.size(); d-- > 0;) {
      if (++index[d] < s.tile[d]) break;
      index[d] = 0;
    }
  }
  return starts;
}

bool nests_by_device(std::span<const int64_t> shape, const SubTilingDims& dims, const TileSharding& sub,
                     const TileSharding& base) {
  const std::vector<int64_t> fine = tile_starts(sub, dims.sub_size);
  const std::vector<int64_t> coarse = tile_starts(base, dims.base_size);
  if (fine.empty() || fine.size() != coarse.size()) return false;
  const size_t rank = shape.size();
  for (size_t i = 0; i < fine.size(); ++i) {
    const size_t d = i % rank;
    if (fine[i] < coarse[i]) return false;
    const int64_t end = fine[i] + dims.sub_size[d];
    if (end <= shape[d] && end > coarse[i] + dims.base_size[d]) return false;
  }
  return true;
}

}  // namespace

bool is_sub_tiling(std::span<const int64_t> shape, const TileSharding& sub, const TileSharding& base) {
  if (is_manual(sub) || is_manual(base)) return false;
  if (is_trivial(base)) return true;
  if (!is_tiled(sub) || !is_tiled(base)) return false;
  if (sub.data_rank() != base.data_rank() || sub.data_rank() != shape.size()) return false;
  if (device_count(sub) != device_count(base)) return false;
  const std::optional<SubTilingDims> dims = compare_dims(shape, sub, base);
  if (!dims) return false;
  return dims->exact ? nests_exactly(*dims, sub, base) : nests_by_device(shape, *dims, sub, base);
}

std::optional<TileSharding> improved_sharding(TileSharding from, const TileSharding* current,
                                              std::span<const int64_t> shape, bool is_array, bool combine,
                                              bool aggressive) {
  if (current != nullptr && is_manual(from) && is_trivial(*current)) return from;
  if (from.kind == TileKind::maximal) return std::nullopt;
  if (current == nullptr) return from;
  if (is_manual(from)) return std::nullopt;
  const int64_t tiles = tile_count(from);
  if (!merge_sharding(*current, from, combine)) return std::nullopt;
  // More tiles alone do not replace a tiling: they must refine it, or have been joined with it.
  if (!aggressive && is_array && !is_trivial(*current) && tile_count(from) == tiles &&
      !is_sub_tiling(shape, from, *current)) {
    return std::nullopt;
  }
  return from;
}

}  // namespace sw
