// What GSPMD does with shardings as values: canonical constructors, predicates, and the operations that propagation and
// the SPMD partitioner share. Dimension numbers count data dimensions unless said otherwise; trailing subgroup
// dimensions (replicated, manual, unreduced) are carried along.
//
// Everywhere: a replicated, maximal, manual, unknown or unreduced sharding passes through an operation unchanged, and
// the result is canonical: equal assignments have equal spelling unless one of them is a written-out list.
#pragma once

#include <functional>
#include <optional>
#include <span>

#include "sharding/tile_grid.h"

namespace sw {

// Predicates of one (not tuple) sharding.
inline bool is_replicated(const TileSharding& s) { return s.kind == TileKind::replicated; }
inline bool is_manual(const TileSharding& s) { return s.kind == TileKind::manual; }
inline bool is_tiled(const TileSharding& s) { return s.kind == TileKind::tiled; }
// Replicated or on a single device.
inline bool is_trivial(const TileSharding& s) { return s.kind == TileKind::replicated || s.kind == TileKind::maximal; }
// The only subgroup is replication (`last_tile_dim_replicate`).
inline bool replicates_on_last_dim(const TileSharding& s) {
  return s.subgroups.size() == 1 && s.subgroups[0] == Subgroup::replicated;
}
bool has_partial_replication(const TileSharding& s);
bool has_manual_subgroup(const TileSharding& s);
// Position of the subgroup dimension in the grid, or -1.
int64_t replication_dim(const TileSharding& s);
int64_t manual_dim(const TileSharding& s);
// Distinct tiles of data: product over the data dimensions; 1 when not tiled.
int64_t tile_count(const TileSharding& s);
// Devices of a tiled sharding.
int64_t device_count(const TileSharding& s);
TileGrid grid_of(const TileSharding& s);
// Same meaning, whichever way the devices are written.
bool same_sharding(const TileSharding& a, const TileSharding& b);

// Canonical constructors.
TileSharding replicated_sharding();
TileSharding manual_sharding();
TileSharding plain_tiles(TileGrid grid);
// The last dimension of the grid counts devices that hold the same tile.
TileSharding partial_tiles(TileGrid grid);
// The last `kinds.size()` dimensions of the grid are subgroups.
TileSharding grouped_tiles(const TileGrid& grid, std::span<const Subgroup> kinds);
// partial_tiles or grouped_tiles, after what `like` is.
TileSharding tiles_like(const TileSharding& like, const TileGrid& grid);
// The same sharding brought to canonical form: for shardings as read.
TileSharding canonical(const TileSharding& s);

// tr(S, p): dimension i of the result is dimension perm[i]. `perm` covers the data dimensions, or all of them.
TileSharding transpose_sharding(const TileSharding& s, std::span<const int64_t> perm);
// rep(S, D): what is left when the dims in D are not tiled; their devices become replication, as its major part.
TileSharding replicate_dims(const TileSharding& s, std::span<const int64_t> dims);
TileSharding replicate_all_dims_except(const TileSharding& s, std::span<const int64_t> kept);
// No data dimension tiled; manual subgroups stay. `data_rank` < 0: the rank stays.
TileSharding replicate_data_dims(const TileSharding& s, int64_t data_rank);
// Takes away, or puts in as untiled, dimensions. Dimensions taken away must not be tiled.
TileSharding remove_dims(const TileSharding& s, std::span<const int64_t> dims);
// A sharding for another shape: `source_of[i]` is the dimension of `s` that dimension i of the result has, or -1 for an
// untiled one. Nothing when a dropped dimension is tiled.
std::optional<TileSharding> map_dims(const TileSharding& s, std::span<const int64_t> target_of,
                                     std::span<const int64_t> source_of);
// Tiles go along the pairs source[i] -> target[i]; all other dimensions are replicated.
TileSharding transfer_dims(const TileSharding& s, std::span<const int64_t> source, std::span<const int64_t> target,
                           size_t target_rank);
// Puts `sizes` (the tiles of the new data dimensions, of the same product) in place of the data dimensions.
TileSharding with_data_tiles(const TileSharding& s, std::span<const int64_t> sizes);
// Tiles in opposite order along `dims`.
TileSharding reverse_sharding(const TileSharding& s, std::span<const int64_t> dims);
// Moves the tiles of `source` to `target`, as its minor part.
TileSharding move_tiles(const TileSharding& s, int64_t source, int64_t target);
// First dimension other than `source` whose extent divides by the tiles of both.
std::optional<int64_t> first_dim_to_absorb(std::span<const int64_t> shape, const TileSharding& s, int64_t source,
                                           const std::function<bool(int64_t)>& allowed = {});

// Reshapes (tile_reshape.cc): the data dimensions of `from` become those of `to`.
std::optional<TileSharding> reshape_tiles(std::span<const int64_t> from, std::span<const int64_t> to,
                                          const TileSharding& s);
TileSharding through_reshape(std::span<const int64_t> from, std::span<const int64_t> to, const TileSharding& s);

// Specificity and merging (tile_merge.cc).
// More tiles; anything but replicated beats replicated; manual beats replicated and maximal, and nothing else.
bool more_specific(const TileSharding& a, const TileSharding& b);
// Joins two partial tilings into one that is finer than both, in `into`. False, and `into` untouched, when they tile
// one dimension differently, disagree about the devices, or when fewer than `minimum_tiles` would result.
bool merge_if_compatible(const TileSharding& other, int64_t minimum_tiles, TileSharding& into);
inline bool merge_if_compatible(const TileSharding& other, TileSharding& into) {
  return merge_if_compatible(other, tile_count(into) + 1, into);
}
// Merges when `combine` allows; otherwise says whether `into` is more specific than `other`.
bool merge_sharding(const TileSharding& other, TileSharding& into, bool combine);
// The common refinement of all, else `otherwise`, else the first.
TileSharding common_sharding(std::span<const TileSharding> all, const TileSharding* otherwise = nullptr);
// Whether every device holds, under `sub`, a part of what it holds under `base`.
bool is_sub_tiling(std::span<const int64_t> shape, const TileSharding& sub, const TileSharding& base);
// What a value that has `current` becomes when it is offered `from`; nothing when it stays as it is. `current` null: it
// has no sharding. `is_array`: not a leaf of a tuple.
std::optional<TileSharding> improved_sharding(TileSharding from, const TileSharding* current,
                                              std::span<const int64_t> shape, bool is_array, bool combine,
                                              bool aggressive);

// Device groups (tile_group.cc): devices with equal tile coordinates on `dims` form a group; `inner` is the rest of the
// sharding, over positions in a group.
struct GroupedSharding {
  TileGrid device_groups;  // [groups, devices of a group]
  DimList dims;            // dimensions of the grid grouped on, in the order of the groups
  DimList sizes;           // how many groups each of them makes
  size_t data_rank = 0;
  TileSharding inner;
  bool manual = false;  // grouped on manual subgroups
};
GroupedSharding group_on_dims(const TileSharding& s, std::span<const int64_t> dims, std::span<const int64_t> kept_tiles,
                              bool manual = false);
GroupedSharding group_on_dims(const TileSharding& s, std::span<const int64_t> dims, bool manual = false);
TileSharding ungroup(const GroupedSharding& grouped);

}  // namespace sw
