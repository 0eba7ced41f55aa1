#include "sharding/grid_digits.h"

#include <algorithm>
#include <functional>

namespace sw {
namespace {

using Strides = SmallVector<int64_t, 16>;

// The strides in device numbers at which the parts of an iota begin.
Strides part_strides(const TileGrid& grid) {
  Strides strides(grid.devices.reshape.size(), 1);
  for (size_t i = strides.size(); i-- > 1;) strides[i - 1] = strides[i] * grid.devices.reshape[i];
  return strides;
}

// Adds the strides at which the parts of `grid` are cut, by its own dimensions too. False where a dimension begins
// inside a part at a place that does not divide it.
bool add_cuts(const TileGrid& grid, Strides& cuts) {
  const Strides strides = part_strides(grid);
  size_t dim = grid.rank();
  int64_t wanted = 1;  // what the dimension still lacks
  for (size_t k = grid.devices.perm.size(); k-- > 0;) {
    const auto part = static_cast<size_t>(grid.devices.perm[k]);
    cuts.push_back(strides[part]);
    int64_t left = grid.devices.reshape[part], stride = strides[part];
    while (left > 1) {
      while (wanted == 1) {
        if (dim == 0) return false;
        wanted = grid.dims[--dim];
      }
      const int64_t taken = std::min(left, wanted);
      if (left % taken != 0 || wanted % taken != 0) return false;
      left /= taken;
      wanted /= taken;
      stride *= taken;
      if (left > 1) cuts.push_back(stride);
    }
  }
  return true;
}

DigitOrder order_of(const TileGrid& grid, const Strides& cuts, const SmallVector<int64_t, 16>& sizes) {
  const Strides strides = part_strides(grid);
  DigitOrder order;
  for (const int32_t p : grid.devices.perm) {
    const auto part = static_cast<size_t>(p);
    const int64_t end = strides[part] * grid.devices.reshape[part];
    for (size_t i = 0; i < cuts.size(); ++i)
      if (cuts[i] >= strides[part] && cuts[i] < end) order.digits.push_back(static_cast<int32_t>(i));
  }
  size_t at = 0;
  for (const int64_t extent : grid.dims) {
    order.begin.push_back(static_cast<int32_t>(at));
    for (int64_t left = extent; left > 1; ++at) left /= sizes[static_cast<size_t>(order.digits[at])];
  }
  order.begin.push_back(static_cast<int32_t>(at));
  return order;
}

}  // namespace

std::optional<CommonDigits> common_digits(const TileGrid& a, const TileGrid& b) {
  const int64_t count = a.device_count();
  if (!a.is_iota() || !b.is_iota() || count != b.device_count()) return std::nullopt;
  Strides cuts;
  if (!add_cuts(a, cuts) || !add_cuts(b, cuts)) return std::nullopt;
  std::sort(cuts.begin(), cuts.end(), std::greater<>());
  cuts.resize(static_cast<size_t>(std::unique(cuts.begin(), cuts.end()) - cuts.begin()));
  CommonDigits out;
  int64_t above = count;
  size_t kept = 0;
  for (const int64_t stride : Strides(cuts)) {
    if (above % stride != 0) return std::nullopt;
    if (above == stride) continue;
    out.sizes.push_back(above / stride);
    cuts[kept++] = stride;
    above = stride;
  }
  if (kept > 64) return std::nullopt;
  cuts.resize(kept);
  out.a = order_of(a, cuts, out.sizes);
  out.b = order_of(b, cuts, out.sizes);
  return out;
}

uint64_t digit_set(std::span<const int32_t> digits) {
  uint64_t set = 0;
  for (const int32_t d : digits) set |= uint64_t{1} << d;
  return set;
}

TileGrid within_groups(const TileGrid& groups, const TileGrid& inner, std::span<const int64_t> dims) {
  const int64_t count = groups.dims[0];
  if (inner.is_iota()) {
    TileDims parts{count};
    parts.append(inner.devices.reshape.begin(), inner.devices.reshape.end());
    DimList perm{0};
    for (const int32_t p : inner.devices.perm) perm.push_back(p + 1);
    return reshaped(transposed(reshaped(groups, parts), perm), dims);
  }
  const std::vector<int64_t> devices = device_ids(groups);
  std::vector<int64_t> ids;
  ids.reserve(devices.size());
  const auto size = static_cast<size_t>(groups.dims[1]);
  for (size_t g = 0; g < static_cast<size_t>(count); ++g)
    for (const int64_t member : inner.devices.ids) ids.push_back(devices[g * size + static_cast<size_t>(member)]);
  return list_grid(dims, std::move(ids));
}

}  // namespace sw
