// Groups of devices with equal tile coordinates. Follows GroupShardingOnDims and UngroupSharding
// (hlo_sharding_util.cc).
//
// Worked example: {devices=[2,4]<=[8]} grouped on dimension 0: groups {0,1,2,3} and {4,5,6,7}, inner sharding
// {devices=[1,4]<=[4]} over positions in a group. Ungrouping gives back what it was.
#include <algorithm>
#include <numeric>

#include "sharding/grid_digits.h"
#include "sharding/tile_algebra.h"

namespace sw {
namespace {

// Where each group dimension lands when one factor is put in front of every group dimension, in ascending order.
DimList factor_positions(std::span<const int64_t> dims) {
  DimList sorted(dims), positions;
  std::sort(sorted.begin(), sorted.end());
  for (const int64_t d : dims) {
    const int64_t rank = std::find(sorted.begin(), sorted.end(), d) - sorted.begin();
    positions.push_back(d + rank);
  }
  return positions;
}

// Sharding over the positions in a group: what is left of the tiles when the group factors are taken out.
TileSharding inner_sharding(const TileSharding& s, TileDims kept) {
  const bool last = replicates_on_last_dim(s);
  if (product(kept) == 1 || (last && product(kept) == kept.back())) return replicated_sharding();
  if (has_manual_subgroup(s)) {
    for (size_t i = s.subgroups.size(); i-- > 0;) {
      if (s.subgroups[i] == Subgroup::manual) kept.erase(kept.begin() + s.data_rank() + i);
    }
    // What remains of the subgroups is replication: it is told from a data dimension by its place.
    if (kept.size() > s.data_rank()) return partial_tiles(identity_grid(kept));
    return plain_tiles(identity_grid(kept));
  }
  if (last) return partial_tiles(identity_grid(kept));
  return plain_tiles(identity_grid(kept));
}

}  // namespace

GroupedSharding group_on_dims(const TileSharding& s, std::span<const int64_t> dims, std::span<const int64_t> kept_tiles,
                              bool manual) {
  SW_CHECK(is_tiled(s), "only a tiled sharding has groups");
  GroupedSharding out;
  out.dims = DimList(dims);
  out.manual = manual;
  out.data_rank = s.data_rank();
  TileDims kept(std::span<const int64_t>(s.tile));
  for (size_t i = 0; i < dims.size(); ++i) {
    const size_t d = static_cast<size_t>(dims[i]);
    out.sizes.push_back(s.tile[d] / kept_tiles[i]);
    kept[d] = kept_tiles[i];
  }
  const DimList positions = factor_positions(dims);
  TileDims cut;
  DimList perm(positions);
  for (size_t d = 0; d < kept.size(); ++d) {
    const auto at = std::find(dims.begin(), dims.end(), static_cast<int64_t>(d));
    if (at != dims.end()) cut.push_back(out.sizes[static_cast<size_t>(at - dims.begin())]);
    perm.push_back(static_cast<int64_t>(cut.size()));
    cut.push_back(kept[d]);
  }
  const int64_t groups = product(out.sizes);
  const int64_t shape[] = {groups, device_count(s) / groups};
  out.device_groups = reshaped(transposed(reshaped(grid_of(s), cut), perm), shape);
  out.inner = inner_sharding(s, kept);
  return out;
}

GroupedSharding group_on_dims(const TileSharding& s, std::span<const int64_t> dims, bool manual) {
  return group_on_dims(s, dims, DimList(dims.size(), 1), manual);
}

namespace {

// The grid inside a group, with a dimension of size 1 wherever a group dimension goes, and what its subgroups are.
struct InnerGrid {
  TileGrid grid;
  bool partial = false;
  SmallVector<Subgroup, 4> kinds;
};

InnerGrid inner_grid(const GroupedSharding& g) {
  InnerGrid inner;
  TileDims dims(g.data_rank, 1);
  const auto grouped_on = [&](size_t d) {
    return std::find(g.dims.begin(), g.dims.end(), static_cast<int64_t>(d)) != g.dims.end();
  };
  const int64_t members = g.device_groups.dims[1];
  if (is_tiled(g.inner)) {
    inner.grid = grid_of(g.inner);
    dims = inner.grid.dims;
    inner.partial = replicates_on_last_dim(g.inner);
  } else if (members != 1 || grouped_on(dims.size())) {
    dims.push_back(members);
    inner.partial = true;
    inner.grid = identity_grid(dims);
  } else {
    inner.grid = identity_grid(dims);
  }
  if (g.manual) {
    inner.partial = replicates_on_last_dim(g.inner) || is_replicated(g.inner);
    inner.kinds = SmallVector<Subgroup, 4>(g.dims.size() + (inner.partial ? 1 : 0), Subgroup::replicated);
    for (const int64_t d : g.dims) {
      inner.kinds[static_cast<size_t>(d) - g.data_rank] = Subgroup::manual;
      dims.insert(dims.begin() + d, 1);
    }
    // A replicated inner sharding of one member has no replication dimension to call by name.
    if (dims.size() < g.data_rank + inner.kinds.size()) dims.push_back(1);
  } else if (is_tiled(g.inner) && grouped_on(dims.size())) {
    dims.push_back(1);
    inner.partial = true;
  }
  inner.grid.dims = dims;
  return inner;
}

// Lays the devices of every group out in the order of the inner grid: [group sizes..., inner dims...].
TileGrid flattened(const GroupedSharding& g, const TileGrid& inner) {
  TileDims shape(std::span<const int64_t>(g.sizes));
  shape.append(inner.dims.begin(), inner.dims.end());
  return within_groups(g.device_groups, inner, shape);
}

}  // namespace

TileSharding ungroup(const GroupedSharding& g) {
  const InnerGrid inner = inner_grid(g);
  const TileGrid flat = flattened(g, inner.grid);
  const DimList positions = factor_positions(g.dims);
  DimList perm(flat.rank(), -1);
  for (size_t i = 0; i < g.dims.size(); ++i) perm[static_cast<size_t>(positions[i])] = static_cast<int64_t>(i);
  int64_t next = static_cast<int64_t>(g.dims.size());
  for (int64_t& p : perm) {
    if (p < 0) p = next++;
  }
  TileDims dims = inner.grid.dims;
  for (size_t i = 0; i < g.dims.size(); ++i) dims[static_cast<size_t>(g.dims[i])] *= g.sizes[i];
  const TileGrid grid = reshaped(transposed(flat, perm), dims);
  if (g.manual) return grouped_tiles(grid, inner.kinds);
  return inner.partial ? partial_tiles(grid) : plain_tiles(grid);
}

}  // namespace sw
