// See the header.
#include "partition/mesh_axes.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "base/checked_math.h"

namespace sw {

namespace {

// The device numbers (or positions in the mesh) in which the members of a group differ: a digit of this stride and
// size.
struct Run {
  int64_t stride = 1, size = 1;
  int64_t end() const { return stride * size; }
};
using Runs = SmallVector<Run, 6>;

// The minor digits of an iota that count `members` devices; nothing when a digit would have to be cut unevenly.
std::optional<Runs> runs_of_iota(const DeviceGroups& groups) {
  const auto& sizes = groups.devices.reshape;
  const auto& order = groups.devices.perm;
  Runs runs;
  int64_t left = group_size(groups);
  for (size_t i = sizes.size(); i-- > 0 && left > 1;) {
    const size_t source = order.empty() ? i : static_cast<size_t>(order[i]);
    int64_t stride = 1;
    for (size_t k = source + 1; k < sizes.size(); ++k) stride *= sizes[k];
    const int64_t taken = std::min(left, sizes[source]);
    if (left % taken != 0 || sizes[source] % taken != 0) return std::nullopt;
    runs.push_back({stride, taken});
    left /= taken;
  }
  return left == 1 ? std::optional(runs) : std::nullopt;
}

// Digits whose combinations are exactly `offsets`: ascending, from 0.
std::optional<Runs> runs_of_offsets(std::span<const int64_t> offsets) {
  Runs runs;
  size_t known = 1;
  while (known < offsets.size()) {
    Run run{offsets[known], 1};
    const int64_t inner = runs.empty() ? 1 : runs.back().end();
    if (run.stride % inner != 0) return std::nullopt;
    while (static_cast<size_t>(run.size) * known < offsets.size() &&
           offsets[static_cast<size_t>(run.size) * known] == run.stride * run.size)
      ++run.size;
    if (offsets.size() % (static_cast<size_t>(run.size) * known) != 0) return std::nullopt;
    for (size_t i = known; i < static_cast<size_t>(run.size) * known; ++i)
      if (offsets[i] != offsets[i % known] + run.stride * static_cast<int64_t>(i / known)) return std::nullopt;
    known *= static_cast<size_t>(run.size);
    runs.push_back(run);
  }
  return runs;
}

// Position in the mesh of every device number; empty when they are the same, nothing when the list names strangers.
std::optional<std::vector<int64_t>> positions_in(const Mesh& mesh) {
  std::vector<int64_t> positions;
  if (mesh.device_ids.empty()) return positions;
  if (static_cast<int64_t>(mesh.device_ids.size()) != mesh.device_count()) return std::nullopt;
  positions.assign(mesh.device_ids.size(), -1);
  for (size_t i = 0; i < mesh.device_ids.size(); ++i) {
    const int64_t id = mesh.device_ids[i];
    if (id < 0 || static_cast<size_t>(id) >= positions.size()) return std::nullopt;
    positions[static_cast<size_t>(id)] = static_cast<int64_t>(i);
  }
  return positions;
}

// The same digits in every group, whichever way the groups and the mesh number their devices.
std::optional<Runs> runs_of_lists(const Mesh& mesh, const DeviceGroups& groups) {
  const auto positions = positions_in(mesh);
  if (!positions) return std::nullopt;
  const std::vector<int64_t> ids = device_ids(groups);
  const auto size = static_cast<size_t>(group_size(groups));
  std::vector<int64_t> first, members;
  Runs runs;
  for (size_t begin = 0; begin < ids.size(); begin += size) {
    members.assign(ids.begin() + static_cast<ptrdiff_t>(begin), ids.begin() + static_cast<ptrdiff_t>(begin + size));
    for (int64_t& member : members) {
      if (member < 0 || member >= static_cast<int64_t>(ids.size())) return std::nullopt;
      if (!positions->empty()) member = (*positions)[static_cast<size_t>(member)];
    }
    std::sort(members.begin(), members.end());
    const int64_t base = members.front();
    for (int64_t& member : members) member -= base;
    if (begin == 0) {
      const auto found = runs_of_offsets(members);
      if (!found) return std::nullopt;
      runs = *found;
      first = members;
    }
    if (members != first) return std::nullopt;
    for (const Run& run : runs)
      if (base / run.stride % run.size != 0) return std::nullopt;
  }
  return runs;
}

// The parts of axes that a run of positions covers, added to `axes`.
bool add_axes(const Mesh& mesh, const Run& run, AxisList& axes) {
  int64_t stride = mesh.device_count(), covered = 1;
  for (uint32_t i = 0; i < mesh.axes.size(); ++i) {
    const int64_t end = stride;
    stride /= mesh.axes[i].size;
    const int64_t low = std::max(run.stride, stride), high = std::min(run.end(), end);
    if (low >= high) continue;
    if (low % stride != 0 || high % low != 0 || end % high != 0) return false;
    axes.push_back({i, static_cast<uint32_t>(end / high), static_cast<uint32_t>(high / low)});
    covered *= high / low;
  }
  return covered == run.size;
}

// In the order of the mesh, neighbouring parts of an axis as one.
AxisList in_order(AxisList axes) {
  std::sort(axes.begin(), axes.end());
  AxisList merged;
  for (const AxisRef& axis : axes) append_or_merge(merged, axis);
  return merged;
}

}  // namespace

std::optional<AxisList> axes_of_groups(const Mesh& mesh, const DeviceGroups& groups) {
  // Lists of strangers may be of any size; a mesh has fewer than 2^31 devices.
  if (groups.dims.size() != 2 || checked_mul(group_count(groups), group_size(groups)) != mesh.device_count())
    return std::nullopt;
  if (group_size(groups) == 1) return AxisList();
  std::optional<Runs> runs;
  if (groups.is_iota() && mesh.device_ids.empty()) runs = runs_of_iota(groups);
  if (!runs) runs = runs_of_lists(mesh, groups);
  if (!runs) return std::nullopt;
  AxisList axes;
  for (const Run& run : *runs)
    if (!add_axes(mesh, run, axes)) return std::nullopt;
  return in_order(axes);
}

std::optional<AxisList> axes_of_pairs(const Mesh& mesh, std::span<const std::pair<int64_t, int64_t>> pairs) {
  const auto positions = positions_in(mesh);
  if (!positions) return std::nullopt;
  const int64_t devices = mesh.device_count();
  // Of each axis: the coordinates of all pairs are equal in what is more major than `pre`, and in the minor part
  // `rest`.
  struct Cut {
    int64_t pre = 0, rest = 0;
  };
  std::vector<Cut> cuts(mesh.axes.size());
  for (auto [from, to] : pairs) {
    if (from < 0 || to < 0 || from >= devices || to >= devices) return std::nullopt;
    if (!positions->empty()) {
      from = (*positions)[static_cast<size_t>(from)];
      to = (*positions)[static_cast<size_t>(to)];
    }
    for (size_t i = mesh.axes.size(); i-- > 0;) {
      const int64_t size = mesh.axes[i].size, a = from % size, b = to % size;
      from /= size;
      to /= size;
      if (a == b) continue;
      Cut& cut = cuts[i];
      if (cut.pre == 0) cut = {size, size};
      cut.rest = std::gcd(cut.rest, std::abs(a - b));
      while (cut.pre > 1 && (size % cut.pre != 0 || a / (size / cut.pre) != b / (size / cut.pre))) --cut.pre;
    }
  }
  AxisList axes;
  for (uint32_t i = 0; i < cuts.size(); ++i) {
    const int64_t size = mesh.axes[i].size, around = cuts[i].pre * cuts[i].rest;
    if (around == 0) continue;
    AxisRef axis{i, 1, static_cast<uint32_t>(size)};
    if (size % around == 0) axis = {i, static_cast<uint32_t>(cuts[i].pre), static_cast<uint32_t>(size / around)};
    axes.push_back(axis);
  }
  return axes;
}

}  // namespace sw
