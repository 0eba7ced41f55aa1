// Tile assignments: a grid of tiles and the device that holds each one. The algebra every GSPMD rule rests on.
//
// A grid keeps its devices as an iota (`[4,2]<=[2,4]T(1,0)`: number the devices of a 2x4 array, transpose it, read it
// in order as a 4x2 grid) for as long as that is possible, so no operation here costs anything per device; only a list
// that was written out, and the few operations that cannot be said with an iota, hold one number per device.
//
// Invariant: the iota is canonical, so two iota grids are equal when their dims, reshape and perm are. Canonical means:
// no part of size 1 (unless it is the only one), and no two neighbours of `reshape` that stay neighbours in `perm`.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/small_vector.h"
#include "sharding/tile_sharding.h"

namespace sw {

using TileDims = SmallVector<int64_t, 6>;
using DimList = SmallVector<int64_t, 6>;

struct TileGrid {
  TileDims dims;
  DeviceList devices;

  bool is_iota() const { return devices.ids.empty(); }
  size_t rank() const { return dims.size(); }
  int64_t device_count() const;
  // As written; `same_grid` also knows a list and an iota that say the same.
  friend bool operator==(const TileGrid&, const TileGrid&) = default;
};

int64_t product(std::span<const int64_t> sizes);

// Devices 0, 1, 2, ... in row-major order.
TileGrid identity_grid(std::span<const int64_t> dims);
// `[dims]<=[reshape]T(perm)`, made canonical.
TileGrid iota_grid(std::span<const int64_t> dims, std::span<const int64_t> reshape, std::span<const int32_t> perm);
TileGrid list_grid(std::span<const int64_t> dims, std::vector<int64_t> ids);

// The same devices in the same order under other dims of equal product.
TileGrid reshaped(const TileGrid& grid, std::span<const int64_t> dims);
// Dimension i of the result is dimension perm[i] of `grid`. Stays an iota when the parts of the iota can be regrouped
// to match the dims; otherwise the devices are written out.
TileGrid transposed(const TileGrid& grid, std::span<const int64_t> perm);

// All devices in row-major order of the grid.
std::vector<int64_t> device_ids(const TileGrid& grid);
// Same dims and same device in every tile, whichever way it is written.
bool same_grid(const TileGrid& a, const TileGrid& b);

// Orders the devices of every run of `group` consecutive ones ascending. Devices that hold the same tile are listed
// this way, so that one assignment has one spelling.
TileGrid sorted_in_groups(TileGrid grid, int64_t group);

}  // namespace sw
