// Tile shardings in the form that XLA gives them: which of the ways to write one and the same assignment is kept.
//
// A device list is seen as digits, major to minor: the devices in row-major order of the grid are counted by digits of
// given (size, stride), e.g. [4,2]<=[2,4]T(1,0) on 8 devices is (4, stride 1), (2, stride 4). Canonical form has no
// digits of size 1 and no two neighbours that are one digit; it is unique, so equality of contents is equality of
// digits, also where the list was written out device by device. Cutting, permuting and sorting work on digits, so cost
// nothing per device; only what is no iota falls back to the list.
//
// Follows XLA's HloSharding::PartialTile and ::Subgroup (hlo/ir/hlo_sharding.cc) and IotaTileAssignment
// (tile_assignment.cc). Differs: a written-out list that is an iota becomes one, where XLA keeps the list (equal to it,
// and printed differently).
#pragma once

#include <optional>
#include <span>

#include "sharding/tile_sharding.h"

namespace sw {

struct DeviceDigit {
  int64_t size = 1;
  int64_t stride = 1;
  friend bool operator==(const DeviceDigit&, const DeviceDigit&) = default;
};
using DeviceDigits = SmallVector<DeviceDigit, 6>;

// Of an iota (ids empty); canonical.
DeviceDigits digits_of(const DeviceList& devices);
// The digits must count every device below their product once.
DeviceList devices_of(const DeviceDigits& digits);
// Makes an iota of a written-out list that is one.
void compress(DeviceList& devices);

// 0 .. n-1 in order, reshaped and transposed; perm empty: not transposed.
DeviceList iota_devices(std::span<const int64_t> reshape, std::span<const int32_t> perm = {});

// The digits grouped by the extents of `tile` (entry i: those of dimension i), or nothing when an extent cuts a digit
// unevenly.
std::optional<std::vector<DeviceDigits>> digits_per_dim(const DeviceDigits& digits, std::span<const int64_t> tile);

// The devices of the grid `tile` transposed: dimension i of the result is dimension perm[i] of `tile`.
DeviceList transpose(const DeviceList& devices, std::span<const int64_t> tile, std::span<const int32_t> perm);

// The normal form of a tiled sharding (kind tiled, all members but `tile`, `subgroups` and `devices` default):
// subgroups ordered manual, unreduced, replicated, merged, those of size 1 dropped, replication groups sorted;
// replicated, manual or unreduced where no data dimension is cut and all subgroups are of one type, and replicated for
// one device.
TileSharding normalize_tiled(TileSharding sharding);

}  // namespace sw
