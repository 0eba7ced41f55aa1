// Two grids over the same devices, read in digits that suit both: questions about all devices become questions about a
// few digits. A device number is written in mixed radix, cut wherever one of the grids cuts it; every dimension of each
// grid is then a run of whole digits.
//
// Worked example: [2,4]<=[8] and [4,2]<=[2,4]T(1,0) over devices 0..7. The second cuts 8 in 2*4 and its dimension of 4
// is the part of 4, so the digits are d0 of size 2 and d1 of size 4; the first reads (d0 | d1), the second (d1 | d0).
// With [2,2,2] in place of the second, d1 would be cut in two.
#pragma once

#include <optional>
#include <span>

#include "sharding/tile_grid.h"

namespace sw {

// Which digits each dimension of a grid is made of, major to minor.
struct DigitOrder {
  SmallVector<int32_t, 16> digits;  // in row-major order of the grid
  SmallVector<int32_t, 8> begin;    // dimension d has digits[begin[d] .. begin[d + 1])
  std::span<const int32_t> of(size_t dim) const {
    return {digits.data() + begin[dim], static_cast<size_t>(begin[dim + 1] - begin[dim])};
  }
};

struct CommonDigits {
  SmallVector<int64_t, 16> sizes;  // each at least 2; of device numbers, major to minor
  DigitOrder a, b;
};

// Nothing where a grid is a written-out list, the grids differ in the number of devices, or their cuts do not divide
// one another.
std::optional<CommonDigits> common_digits(const TileGrid& a, const TileGrid& b);

uint64_t digit_set(std::span<const int32_t> digits);

// The devices of every group of `groups` (dims [groups, members]) in the order in which `inner` names the members, one
// group after the other, as a grid of `dims`. An iota where both are and their cuts fit.
TileGrid within_groups(const TileGrid& groups, const TileGrid& inner, std::span<const int64_t> dims);

}  // namespace sw
