#include "partition/align.h"

#include <algorithm>
#include <vector>

#include "base/checked_math.h"
#include "sharding/grid_digits.h"

namespace sw {

namespace {

enum class Policy { replace, require_compatible };

struct Layout {
  std::vector<int64_t> ids;
  size_t groups, size;
  explicit Layout(const TileGrid& grid)
      : ids(device_ids(grid)), groups(static_cast<size_t>(grid.dims[0])), size(static_cast<size_t>(grid.dims[1])) {}
  int64_t at(size_t g, size_t i) const { return ids[g * size + i]; }
};

// Position in reference group `to` of each device of group `from`.
std::vector<int64_t> renumbering(const Layout& layout, size_t from, const Layout& reference, size_t to) {
  std::vector<int64_t> result(layout.size, 0);
  for (size_t i = 0; i < layout.size; ++i) {
    const auto begin = reference.ids.begin() + static_cast<std::ptrdiff_t>(to * reference.size);
    result[i] = std::find(begin, begin + static_cast<std::ptrdiff_t>(reference.size), layout.at(from, i)) - begin;
  }
  return result;
}

// The reference group that holds all devices of group g.
std::optional<size_t> group_holding(const Layout& layout, size_t g, const std::vector<size_t>& group_of) {
  const size_t found = group_of[static_cast<size_t>(layout.at(g, 0))];
  for (size_t i = 1; i < layout.size; ++i)
    if (group_of[static_cast<size_t>(layout.at(g, i))] != found) return std::nullopt;
  return found;
}

TileSharding renumbered(const TileSharding& inner, const std::vector<int64_t>& numbers) {
  const TileGrid grid = grid_of(inner);
  std::vector<int64_t> ids = device_ids(grid);
  for (int64_t& id : ids) id = numbers[static_cast<size_t>(id)];
  return tiles_like(inner, list_grid(grid.dims, std::move(ids)));
}

size_t index_in(std::span<const int32_t> digits, int32_t digit) {
  return static_cast<size_t>(std::find(digits.begin(), digits.end(), digit) - digits.begin());
}

// The numbers that the positions `to` count, read in the order in which `from` counts the same digits.
TileGrid digits_reordered(const CommonDigits& digits, std::span<const int32_t> from, std::span<const int32_t> to) {
  TileDims sizes;
  for (const int32_t d : to) sizes.push_back(digits.sizes[static_cast<size_t>(d)]);
  SmallVector<int32_t, 16> perm;
  for (const int32_t d : from) perm.push_back(static_cast<int32_t>(index_in(to, d)));
  const TileDims dims{product(sizes)};
  return sizes.empty() ? identity_grid(dims) : iota_grid(dims, sizes, perm);
}

// `align` in digits: groups are equal when the same digits tell them apart, and then one renumbering suits them all.
std::optional<GroupedSharding> align_by_digits(GroupedSharding grouped, const GroupedSharding& reference,
                                               const CommonDigits& digits, Policy policy, bool ignore_order) {
  const auto groups = digits.a.of(0), wanted = digits.b.of(0);
  const bool matching = ignore_order ? digit_set(groups) == digit_set(wanted) : std::ranges::equal(groups, wanted);
  if (!matching && policy == Policy::require_compatible) return std::nullopt;
  if (matching && is_tiled(grouped.inner)) {
    const TileGrid numbers = digits_reordered(digits, digits.a.of(1), digits.b.of(1)), inner = grid_of(grouped.inner);
    const TileGrid one_group = reshaped(numbers, TileDims{1, numbers.device_count()});
    grouped.inner = tiles_like(grouped.inner, within_groups(one_group, inner, inner.dims));
  }
  grouped.device_groups = reference.device_groups;
  return grouped;
}

std::optional<GroupedSharding> align(GroupedSharding grouped, const GroupedSharding& reference, Policy policy,
                                     bool ignore_order) {
  if (grouped.device_groups.is_iota() && reference.device_groups.is_iota() &&
      same_grid(grouped.device_groups, reference.device_groups))
    return grouped;
  if (const auto digits = common_digits(grouped.device_groups, reference.device_groups);
      digits && grouped.device_groups.dims == reference.device_groups.dims)
    return align_by_digits(std::move(grouped), reference, *digits, policy, ignore_order);
  const Layout layout(grouped.device_groups), wanted(reference.device_groups);
  const std::vector<size_t> group_of = group_by_device(reference.device_groups);
  std::vector<int64_t> first;
  bool matching = true;
  for (size_t g = 0; g < layout.groups && matching; ++g) {
    const auto target = group_holding(layout, g, group_of);
    if (!target || (!ignore_order && *target != g)) {
      if (policy == Policy::require_compatible) return std::nullopt;
      matching = false;
    } else if (g == 0) {
      first = renumbering(layout, 0, wanted, *target);
    } else if (policy == Policy::require_compatible && renumbering(layout, g, wanted, *target) != first) {
      return std::nullopt;
    }
  }
  if (matching && is_tiled(grouped.inner)) grouped.inner = renumbered(grouped.inner, first);
  grouped.device_groups = reference.device_groups;
  return grouped;
}

}  // namespace

GroupedSharding align_groups(GroupedSharding grouped, const GroupedSharding& reference, bool ignore_order) {
  return *align(std::move(grouped), reference, Policy::replace, ignore_order);
}

std::optional<GroupedSharding> align_groups_if_compatible(GroupedSharding grouped, const GroupedSharding& reference,
                                                          bool ignore_order) {
  return align(std::move(grouped), reference, Policy::require_compatible, ignore_order);
}

Dims group_dims(std::span<const int64_t> full, const GroupedSharding& grouped) {
  Dims dims(full);
  for (size_t i = 0; i < grouped.dims.size(); ++i) {
    const auto d = static_cast<size_t>(grouped.dims[i]);
    if (d < dims.size()) dims[d] = ceil_div(dims[d], grouped.sizes[i]);
  }
  return dims;
}

namespace {

// `dims_matching_groups` in digits; `a` is the grid of the sharding, `b` the groups.
std::optional<DimList> matching_by_digits(const TileGrid& grid, const TileGrid& groups, const CommonDigits& digits) {
  const auto members = digits.b.of(1);
  const uint64_t within = digit_set(members);
  DimList dims;
  int64_t told_apart = 1;
  bool equal_within = true;
  for (size_t d = 0; d < grid.rank(); ++d) {
    const uint64_t of_dim = digit_set(digits.a.of(d));
    if ((of_dim >> members.back() & 1) != 0) continue;  // the first two devices of a group differ here
    dims.push_back(static_cast<int64_t>(d));
    told_apart *= grid.dims[d];
    equal_within = equal_within && (of_dim & within) == 0;
  }
  if (told_apart != groups.dims[0] || !equal_within) return std::nullopt;
  return dims;
}

}  // namespace

std::optional<DimList> dims_matching_groups(const TileSharding& s, const TileGrid& groups) {
  if (!is_tiled(s) || groups.dims[0] < 2 || device_count(s) != groups.device_count()) return std::nullopt;
  const TileGrid grid = grid_of(s);
  DimList dims;
  if (groups.dims[1] < 2) {
    for (size_t i = 0; i < grid.rank(); ++i)
      if (grid.dims[i] > 1) dims.push_back(static_cast<int64_t>(i));
    return dims;
  }
  if (const auto digits = common_digits(grid, groups)) return matching_by_digits(grid, groups, *digits);
  const std::vector<int64_t> devices = device_ids(grid);
  std::vector<int64_t> position(devices.size(), 0);
  for (size_t p = 0; p < devices.size(); ++p) position[static_cast<size_t>(devices[p])] = static_cast<int64_t>(p);
  std::vector<int64_t> stride(grid.rank(), 1);
  for (size_t i = grid.rank(); i-- > 1;) stride[i - 1] = stride[i] * grid.dims[i];
  const auto coordinate = [&](int64_t device, size_t d) {
    return position[static_cast<size_t>(device)] / stride[d] % grid.dims[d];
  };
  const Layout layout(groups);
  int64_t told_apart = 1;
  for (size_t d = 0; d < grid.rank(); ++d) {
    if (coordinate(layout.at(0, 0), d) != coordinate(layout.at(0, 1), d)) continue;
    dims.push_back(static_cast<int64_t>(d));
    told_apart *= grid.dims[d];
  }
  if (told_apart != groups.dims[0]) return std::nullopt;
  for (size_t g = 0; g < layout.groups; ++g)
    for (size_t i = 1; i < layout.size; ++i)
      for (int64_t d : dims)
        if (coordinate(layout.at(g, i), static_cast<size_t>(d)) != coordinate(layout.at(g, 0), static_cast<size_t>(d)))
          return std::nullopt;
  return dims;
}

namespace {

// What every group holds, when that is the same: `kept` replicas of every tile, over positions in the group.
std::optional<TileSharding> replicas_in_each(const TileGrid& grid, const TileDims& inner_dims, int64_t kept,
                                             const TileGrid& groups) {
  const std::vector<int64_t> devices = device_ids(grid);
  const int64_t replicas = grid.dims.back();
  std::vector<size_t> tile_of(devices.size(), 0);
  for (size_t p = 0; p < devices.size(); ++p)
    tile_of[static_cast<size_t>(devices[p])] = p / static_cast<size_t>(replicas);
  const Layout layout(groups);
  const auto tiles = devices.size() / static_cast<size_t>(replicas);
  const auto slots = static_cast<size_t>(inner_dims.back());
  std::optional<TileSharding> inner;
  for (size_t g = 0; g < layout.groups; ++g) {
    std::vector<int64_t> arrangement(layout.size, 0), filled(tiles, 0);
    for (size_t i = 0; i < layout.size; ++i) {
      const size_t tile = tile_of[static_cast<size_t>(layout.at(g, i))];
      if (filled[tile] == kept) return std::nullopt;
      arrangement[tile * slots + static_cast<size_t>(filled[tile]++)] = static_cast<int64_t>(i);
    }
    const TileSharding found = partial_tiles(list_grid(inner_dims, std::move(arrangement)));
    if (!inner)
      inner = found;
    else if (!same_sharding(*inner, found))
      return std::nullopt;
  }
  return inner;
}

// The same in digits, for as many replicas as there are places: the groups must be told apart by replicas alone.
std::optional<TileSharding> replicas_by_digits(const TileGrid& grid, const TileDims& inner_dims,
                                               const CommonDigits& digits) {
  const size_t last = grid.rank() - 1;
  const auto groups = digits.b.of(0), members = digits.b.of(1);
  const uint64_t replicas = digit_set(digits.a.of(last));
  if ((digit_set(groups) & ~replicas) != 0) return std::nullopt;
  SmallVector<int32_t, 16> order;
  for (int32_t i = 0; i < digits.a.begin[last]; ++i) order.push_back(digits.a.digits[static_cast<size_t>(i)]);
  for (const int32_t d : members)
    if ((replicas >> d & 1) != 0) order.push_back(d);
  return partial_tiles(reshaped(digits_reordered(digits, std::span<const int32_t>(order), members), inner_dims));
}

}  // namespace

std::optional<GroupedSharding> group_replicas_as(const TileSharding& s, int64_t kept, const TileGrid& groups) {
  if (!replicates_on_last_dim(s) || s.tile.back() % groups.dims[0] != 0) return std::nullopt;
  const TileGrid grid = grid_of(s);
  TileDims inner_dims = grid.dims;
  inner_dims.back() /= groups.dims[0];
  const auto digits = kept == inner_dims.back() ? common_digits(grid, groups) : std::nullopt;
  const std::optional<TileSharding> inner =
      digits ? replicas_by_digits(grid, inner_dims, *digits) : replicas_in_each(grid, inner_dims, kept, groups);
  if (!inner) return std::nullopt;
  GroupedSharding grouped;
  grouped.device_groups = groups;
  grouped.data_rank = s.tile.size() - 1;
  grouped.dims.push_back(static_cast<int64_t>(grouped.data_rank));
  grouped.sizes.push_back(s.tile.back() / kept);
  grouped.inner = *inner;
  return grouped;
}

bool groups_match(const TileGrid& a, const TileGrid& b) {
  if (a.dims[0] != b.dims[0]) return false;
  if (a.is_iota() && b.is_iota() && same_grid(a, b)) return true;
  if (const auto digits = common_digits(a, b)) return std::ranges::equal(digits->a.of(0), digits->b.of(0));
  const std::vector<size_t> group_of = group_by_device(a);
  const Layout layout(b);
  for (size_t g = 0; g < layout.groups; ++g)
    if (group_holding(layout, g, group_of) != g) return false;
  return true;
}

bool groups_nest(const TileGrid& outer, const TileGrid& inner) {
  if (const auto digits = common_digits(outer, inner))
    return (digit_set(digits->a.of(0)) & digit_set(digits->b.of(1))) == 0;
  const std::vector<size_t> group_of = group_by_device(outer);
  const Layout layout(inner);
  for (size_t g = 0; g < layout.groups; ++g)
    if (!group_holding(layout, g, group_of)) return false;
  return true;
}

std::vector<size_t> group_by_device(const TileGrid& groups) {
  const Layout layout(groups);
  std::vector<size_t> group_of(layout.ids.size(), 0);
  for (size_t i = 0; i < layout.ids.size(); ++i) group_of[static_cast<size_t>(layout.ids[i])] = i / layout.size;
  return group_of;
}

}  // namespace sw
