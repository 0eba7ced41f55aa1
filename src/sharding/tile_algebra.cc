// Follows HloSharding::PartialTile and ::Subgroup (hlo_sharding.cc) and the free functions of hlo_sharding_util.cc that
// each comment names. Differs: form V3 (named) is turned into tiles before anything is computed, and metadata is not
// kept.
#include "sharding/tile_algebra.h"

#include <algorithm>
#include <numeric>

namespace sw {
namespace {

bool contains(std::span<const int64_t> list, int64_t value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

TileSharding tiled(TileGrid grid, std::span<const Subgroup> kinds) {
  TileSharding s;
  s.kind = TileKind::tiled;
  s.tile.assign(grid.dims.begin(), grid.dims.end());
  s.subgroups.assign(kinds.begin(), kinds.end());
  s.devices = std::move(grid.devices);
  return s;
}

TileSharding of_kind(TileKind kind) {
  TileSharding s;
  s.kind = kind;
  return s;
}

int64_t subgroup_dim(const TileSharding& s, Subgroup kind) {
  if (s.kind != TileKind::tiled) return -1;
  for (size_t i = 0; i < s.subgroups.size(); ++i) {
    if (s.subgroups[i] == kind) return static_cast<int64_t>(s.data_rank() + i);
  }
  return -1;
}

DimList argsort(std::span<const int64_t> values) {
  DimList order(values.size(), 0);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
    return values[static_cast<size_t>(a)] < values[static_cast<size_t>(b)];
  });
  return order;
}

}  // namespace

bool has_partial_replication(const TileSharding& s) { return replication_dim(s) >= 0; }
bool has_manual_subgroup(const TileSharding& s) { return manual_dim(s) >= 0; }
int64_t replication_dim(const TileSharding& s) { return subgroup_dim(s, Subgroup::replicated); }
int64_t manual_dim(const TileSharding& s) { return subgroup_dim(s, Subgroup::manual); }

int64_t tile_count(const TileSharding& s) {
  if (s.kind != TileKind::tiled) return 1;
  return product(std::span<const int64_t>(s.tile).first(s.data_rank()));
}

int64_t device_count(const TileSharding& s) { return s.kind == TileKind::tiled ? product(s.tile) : 1; }

TileGrid grid_of(const TileSharding& s) { return {TileDims(std::span<const int64_t>(s.tile)), s.devices}; }

bool same_sharding(const TileSharding& a, const TileSharding& b) {
  if (a.kind != b.kind || a.subgroups.size() != b.subgroups.size()) return false;
  if (a.kind == TileKind::maximal) return a.device == b.device;
  if (a.kind == TileKind::tuple) return a.elements == b.elements;
  if (a.kind != TileKind::tiled) return true;
  return a.subgroups == b.subgroups && same_grid(grid_of(a), grid_of(b));
}

TileSharding replicated_sharding() { return of_kind(TileKind::replicated); }
TileSharding manual_sharding() { return of_kind(TileKind::manual); }
TileSharding plain_tiles(TileGrid grid) { return tiled(std::move(grid), {}); }

TileSharding partial_tiles(TileGrid grid) {
  const int64_t replication = grid.dims.back();
  if (grid.rank() == 1 || replication == grid.device_count()) return replicated_sharding();
  if (replication == 1) {
    grid.dims.pop_back();
    return plain_tiles(std::move(grid));
  }
  constexpr Subgroup kReplicated[] = {Subgroup::replicated};
  return tiled(sorted_in_groups(std::move(grid), replication), kReplicated);
}

namespace {

// All subgroups of one kind and no data tiled: the plain sharding of that kind.
std::optional<TileSharding> ungrouped_kind(const TileGrid& grid, std::span<const Subgroup> kinds) {
  for (const Subgroup kind : kinds) {
    if (kind != kinds[0]) return std::nullopt;
  }
  if (product(std::span<const int64_t>(grid.dims).first(grid.rank() - kinds.size())) != 1) return std::nullopt;
  switch (kinds[0]) {
    case Subgroup::manual: return manual_sharding();
    case Subgroup::replicated: return replicated_sharding();
    case Subgroup::unreduced: return of_kind(TileKind::unreduced);
    case Subgroup::maximal: return std::nullopt;
  }
  return std::nullopt;
}

TileSharding from_sorted_kinds(const TileGrid& grid, std::span<const Subgroup> kinds) {
  if (kinds.empty()) return plain_tiles(grid);
  if (kinds.back() == Subgroup::replicated) {
    if (kinds.size() == 1) return partial_tiles(grid);
    return tiled(sorted_in_groups(grid, grid.dims.back()), kinds);
  }
  if (kinds.size() == 1 && kinds[0] == Subgroup::manual && grid.device_count() == grid.dims.back())
    return manual_sharding();
  return tiled(grid, kinds);
}

}  // namespace

TileSharding grouped_tiles(const TileGrid& grid, std::span<const Subgroup> kinds) {
  if (kinds.empty()) return plain_tiles(grid);
  if (std::optional<TileSharding> plain = ungrouped_kind(grid, kinds)) return *plain;
  const size_t data_rank = grid.rank() - kinds.size();
  // Sort the subgroups by kind, fuse those of one kind, drop those of size 1.
  constexpr Subgroup kOrder[] = {Subgroup::maximal, Subgroup::manual, Subgroup::unreduced, Subgroup::replicated};
  DimList perm(data_rank, 0);
  std::iota(perm.begin(), perm.end(), 0);
  TileDims merged(std::span<const int64_t>(grid.dims).first(data_rank));
  SmallVector<Subgroup, 4> merged_kinds;
  for (const Subgroup kind : kOrder) {
    int64_t size = 1;
    for (size_t i = 0; i < kinds.size(); ++i) {
      if (kinds[i] != kind || grid.dims[data_rank + i] == 1) continue;
      perm.push_back(static_cast<int64_t>(data_rank + i));
      size *= grid.dims[data_rank + i];
    }
    if (size == 1) continue;
    merged.push_back(size);
    merged_kinds.push_back(kind);
  }
  for (size_t i = 0; i < kinds.size(); ++i) {
    if (grid.dims[data_rank + i] == 1) perm.push_back(static_cast<int64_t>(data_rank + i));
  }
  return from_sorted_kinds(reshaped(transposed(grid, perm), merged), merged_kinds);
}

TileSharding tiles_like(const TileSharding& like, const TileGrid& grid) {
  return replicates_on_last_dim(like) ? partial_tiles(grid) : grouped_tiles(grid, like.subgroups);
}

TileSharding canonical(const TileSharding& s) {
  if (s.kind == TileKind::tuple) return s;
  TileSharding out;
  if (s.kind == TileKind::tiled) {
    const bool iota = s.devices.ids.empty();
    if (product(s.tile) == 1) {
      out = replicated_sharding();
    } else {
      SmallVector<int32_t, 4> perm = s.devices.perm;
      for (size_t i = perm.size(); i < s.devices.reshape.size(); ++i) perm.push_back(static_cast<int32_t>(i));
      out = grouped_tiles(iota ? iota_grid(s.tile, s.devices.reshape, perm) : list_grid(s.tile, s.devices.ids),
                          s.subgroups);
    }
  } else {
    out = of_kind(s.kind);
    out.device = s.device;
  }
  out.shard_group_id = s.shard_group_id;
  out.shard_group_is_as = s.shard_group_is_as;
  return out;
}

// TransposeSharding
TileSharding transpose_sharding(const TileSharding& s, std::span<const int64_t> perm) {
  if (s.kind != TileKind::tiled) return s;
  DimList full(perm);
  for (size_t i = full.size(); i < s.tile.size(); ++i) full.push_back(static_cast<int64_t>(i));
  const TileGrid grid = transposed(grid_of(s), full);
  if (replicates_on_last_dim(s)) return partial_tiles(grid);
  SmallVector<Subgroup, 4> kinds;
  for (size_t i = s.data_rank(); i < full.size(); ++i) {
    kinds.push_back(s.subgroups[static_cast<size_t>(full[i]) - s.data_rank()]);
  }
  return grouped_tiles(grid, kinds);
}

// PartiallyReplicateTiledShardingOnDims
TileSharding replicate_dims(const TileSharding& s, std::span<const int64_t> dims) {
  if (s.kind != TileKind::tiled) return s;
  int64_t freed = 1;
  for (const int64_t d : dims) freed *= s.tile[static_cast<size_t>(d)];
  if (freed == 1) return s;
  const bool only_replication = s.subgroups.empty() || replicates_on_last_dim(s);
  if (freed == tile_count(s) && only_replication) return replicated_sharding();
  DimList perm;
  for (size_t i = 0; i < s.data_rank(); ++i) {
    if (!contains(dims, static_cast<int64_t>(i))) perm.push_back(static_cast<int64_t>(i));
  }
  for (size_t i = 0; i < s.data_rank(); ++i) {
    if (contains(dims, static_cast<int64_t>(i))) perm.push_back(static_cast<int64_t>(i));
  }
  const TileGrid moved = grid_of(transpose_sharding(s, perm));
  TileDims tiles(std::span<const int64_t>(s.tile));
  for (const int64_t d : dims) tiles[static_cast<size_t>(d)] = 1;
  if (replicates_on_last_dim(s)) {
    tiles.back() *= freed;
    return partial_tiles(reshaped(moved, tiles));
  }
  tiles.insert(tiles.begin() + s.data_rank(), freed);
  SmallVector<Subgroup, 4> kinds{Subgroup::replicated};
  kinds.append(s.subgroups.begin(), s.subgroups.end());
  return grouped_tiles(reshaped(moved, tiles), kinds);
}

TileSharding replicate_all_dims_except(const TileSharding& s, std::span<const int64_t> kept) {
  if (s.kind != TileKind::tiled) return s;
  DimList dims;
  for (size_t i = 0; i < s.data_rank(); ++i) {
    if (!contains(kept, static_cast<int64_t>(i))) dims.push_back(static_cast<int64_t>(i));
  }
  return replicate_dims(s, dims);
}

// ReplicateAllDataDims
TileSharding replicate_data_dims(const TileSharding& s, int64_t data_rank) {
  if (is_manual(s)) return s;
  if (s.kind != TileKind::tiled || s.subgroups.empty() || replicates_on_last_dim(s)) return replicated_sharding();
  TileSharding out = replicate_all_dims_except(s, {});
  if (out.kind != TileKind::tiled || data_rank < 0 || data_rank == static_cast<int64_t>(out.data_rank())) return out;
  return with_data_tiles(out, TileDims(static_cast<size_t>(data_rank), 1));
}

TileSharding with_data_tiles(const TileSharding& s, std::span<const int64_t> sizes) {
  if (s.kind != TileKind::tiled) return s;
  TileDims tiles(sizes);
  for (size_t i = s.data_rank(); i < s.tile.size(); ++i) tiles.push_back(s.tile[i]);
  return tiles_like(s, reshaped(grid_of(s), tiles));
}

// RemoveShapeDimensions
TileSharding remove_dims(const TileSharding& s, std::span<const int64_t> dims) {
  if (s.kind != TileKind::tiled || dims.empty()) return s;
  TileDims tiles;
  for (size_t i = 0; i < s.data_rank(); ++i) {
    if (!contains(dims, static_cast<int64_t>(i))) tiles.push_back(s.tile[i]);
  }
  return with_data_tiles(s, tiles);
}

// TransposeShardingWithCollapsedDims
std::optional<TileSharding> map_dims(const TileSharding& s, std::span<const int64_t> target_of,
                                     std::span<const int64_t> source_of) {
  if (s.kind != TileKind::tiled) return s;
  DimList perm;
  TileDims tiles;
  for (const int64_t source : source_of) {
    if (source >= 0) perm.push_back(source);
    tiles.push_back(source >= 0 ? s.tile[static_cast<size_t>(source)] : 1);
  }
  for (size_t i = 0; i < target_of.size(); ++i) {
    if (target_of[i] >= 0) continue;
    if (s.tile[i] > 1) return std::nullopt;
    perm.push_back(static_cast<int64_t>(i));
  }
  return with_data_tiles(transpose_sharding(s, perm), tiles);
}

// PropagateShardingAlongDimsAndReplicateOthers
TileSharding transfer_dims(const TileSharding& s, std::span<const int64_t> source, std::span<const int64_t> target,
                           size_t target_rank) {
  if (s.kind != TileKind::tiled) return s;
  TileSharding kept = replicate_all_dims_except(s, source);
  if (kept.kind != TileKind::tiled) return kept;
  const DimList target_order = argsort(target);
  if (!(argsort(source) == target_order)) {
    DimList perm;
    for (const int64_t i : target_order) perm.push_back(source[static_cast<size_t>(i)]);
    for (size_t i = 0; i < kept.tile.size(); ++i) {
      if (!contains(source, static_cast<int64_t>(i))) perm.push_back(static_cast<int64_t>(i));
    }
    kept = transpose_sharding(kept, perm);
  }
  TileDims tiles(target_rank, 1);
  for (size_t i = 0; i < source.size(); ++i) {
    tiles[static_cast<size_t>(target[i])] = s.tile[static_cast<size_t>(source[i])];
  }
  return with_data_tiles(kept, tiles);
}

// ReverseSharding
TileSharding reverse_sharding(const TileSharding& s, std::span<const int64_t> dims) {
  if (s.kind != TileKind::tiled || dims.empty()) return s;
  const TileGrid grid = grid_of(s);
  const std::vector<int64_t> ids = device_ids(grid);
  std::vector<int64_t> mirrored(ids.size());
  TileDims index(grid.rank(), 0);
  for (int64_t& id : mirrored) {
    int64_t from = 0;
    for (size_t d = 0; d < grid.rank(); ++d) {
      const bool flip = contains(dims, static_cast<int64_t>(d));
      from = from * grid.dims[d] + (flip ? grid.dims[d] - 1 - index[d] : index[d]);
    }
    id = ids[static_cast<size_t>(from)];
    for (size_t d = grid.rank(); d-- > 0;) {
      if (++index[d] < grid.dims[d]) break;
      index[d] = 0;
    }
  }
  return tiles_like(s, list_grid(grid.dims, std::move(mirrored)));
}

// MoveAndMergeShardingTiles
TileSharding move_tiles(const TileSharding& s, int64_t source, int64_t target) {
  if (s.kind != TileKind::tiled) return s;
  TileDims tiles(std::span<const int64_t>(s.tile));
  tiles.insert(tiles.begin() + target + 1, 1);
  DimList perm(tiles.size(), 0);
  std::iota(perm.begin(), perm.end(), 0);
  std::swap(perm[static_cast<size_t>(target) + 1], perm[static_cast<size_t>(source + (source < target ? 0 : 1))]);
  const TileGrid moved = transposed(reshaped(grid_of(s), tiles), perm);
  TileDims merged = moved.dims;
  merged[static_cast<size_t>(target)] *= merged[static_cast<size_t>(target) + 1];
  merged.erase(merged.begin() + target + 1);
  return tiles_like(s, reshaped(moved, merged));
}

// GetFirstTargetDimToMoveShardingTiles
std::optional<int64_t> first_dim_to_absorb(std::span<const int64_t> shape, const TileSharding& s, int64_t source,
                                           const std::function<bool(int64_t)>& allowed) {
  const size_t from = static_cast<size_t>(source);
  if (shape.size() < 2 || shape[from] == 1 || s.kind != TileKind::tiled || s.tile[from] == 1) return std::nullopt;
  for (size_t d = 0; d < shape.size(); ++d) {
    if (d == from || (allowed && !allowed(static_cast<int64_t>(d)))) continue;
    if (shape[d] % (s.tile[from] * s.tile[d]) == 0) return static_cast<int64_t>(d);
  }
  return std::nullopt;
}

}  // namespace sw
