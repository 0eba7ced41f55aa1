// Worked example: {devices=[4,2]<=[2,4]T(1,0)} implies the mesh 2 x 4; its dimension 0 is tiled by the second axis and
// dimension 1 by the first. {devices=[2,4]<=[8]} implies the same mesh, with dimension 0 tiled by the first axis.
#include "partition/tile_axes.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "sharding/tile_algebra.h"

namespace sw {

namespace {

struct Axes {
  std::vector<int64_t> sizes;    // of the mesh, major to minor
  std::vector<size_t> tile_dim;  // which dimension of the grid each axis tiles
};

// Cuts the transposed dimensions of the device list so that every piece lies in one dimension of the grid; nothing when
// they do not nest.
bool cut(const TileGrid& grid, Axes& out) {
  const auto& reshape = grid.devices.reshape;
  const auto& perm = grid.devices.perm;
  struct Piece {
    int64_t size;
    size_t tile_dim;
  };
  std::vector<std::vector<Piece>> pieces(reshape.size());
  size_t d = 0;
  int64_t left_of_dim = grid.rank() > 0 ? grid.dims[0] : 1;
  for (size_t k = 0; k < reshape.size(); ++k) {
    const size_t source = perm.empty() ? k : static_cast<size_t>(perm[k]);
    int64_t left = reshape[source];
    while (left > 1) {
      while (left_of_dim == 1 && d + 1 < grid.rank()) left_of_dim = grid.dims[++d];
      const int64_t common = std::gcd(left, left_of_dim);
      // One must divide the other for the cut to fall on a boundary.
      if (common != std::min(left, left_of_dim) || common == 1) return false;
      pieces[source].push_back({common, d});
      left /= common;
      left_of_dim /= common;
    }
  }
  for (const auto& of_source : pieces)
    for (const Piece& piece : of_source) {
      out.sizes.push_back(piece.size);
      out.tile_dim.push_back(piece.tile_dim);
    }
  return true;
}

Axes axes_of(const TileSharding& s) {
  const TileGrid grid = grid_of(s);
  Axes axes;
  if (grid.is_iota() && cut(grid, axes)) return axes;
  axes = {};
  for (size_t d = 0; d < grid.rank(); ++d) {
    axes.sizes.push_back(grid.dims[d]);
    axes.tile_dim.push_back(d);
  }
  return axes;
}

}  // namespace

bool share_axis(const TileSharding& a, std::span<const int64_t> dims, const TileSharding& b, int64_t dim) {
  const Axes first = axes_of(a), second = axes_of(b);
  if (first.sizes != second.sizes) return false;
  for (size_t i = 0; i < first.sizes.size(); ++i) {
    if (first.sizes[i] == 1 || second.tile_dim[i] != static_cast<size_t>(dim)) continue;
    if (std::find(dims.begin(), dims.end(), static_cast<int64_t>(first.tile_dim[i])) != dims.end()) return true;
  }
  return false;
}

}  // namespace sw
