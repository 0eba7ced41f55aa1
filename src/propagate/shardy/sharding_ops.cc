// See the header.
#include "propagate/shardy/sharding_ops.h"

#include <algorithm>
#include <numeric>

#include "sharding/axis_ref.h"

namespace sw::shardy {
namespace {

bool is_manual(ManualAxes manual, const AxisRef& axis) {
  return std::find(manual.begin(), manual.end(), axis.axis) != manual.end();
}

// How many leading axes of a dimension are manual.
size_t manual_prefix(ManualAxes manual, const AxisList& axes) {
  size_t count = 0;
  while (count < axes.size() && is_manual(manual, axes[count])) ++count;
  return count;
}

AxisList free_axes(ManualAxes manual, const AxisList& axes) {
  AxisList out;
  for (const AxisRef& axis : axes)
    if (!is_manual(manual, axis)) out.push_back(axis);
  return out;
}

AxisRef full_axis(const Mesh& mesh, uint32_t axis) { return {axis, 1, static_cast<uint32_t>(mesh.axes[axis].size)}; }

// The parts of `axis` that none of `used` (sorted, disjoint) covers.
void append_unused_parts(AxisRef axis, const AxisList& used, AxisList& out) {
  for (;;) {
    const ptrdiff_t hit = first_overlapping(used, axis);
    if (hit < 0) {
      out.push_back(axis);
      return;
    }
    const AxisRef& other = used[static_cast<size_t>(hit)];
    if (const auto prefix = prefix_without_overlap(axis, other)) out.push_back(*prefix);
    const auto suffix = suffix_without_overlap(axis, other);
    if (!suffix) return;
    axis = *suffix;
  }
}

}  // namespace

bool empty_axes(const NamedSharding& sharding) {
  return sharding.replicated.empty() && sharding.unreduced.empty() && sharding.fully_replicated();
}

bool fully_closed(const NamedSharding& sharding) {
  return std::all_of(sharding.dims.begin(), sharding.dims.end(), [](const DimSharding& dim) { return dim.closed; });
}

bool fully_replicated_and_open(const NamedSharding& sharding) {
  return sharding.fully_replicated() &&
         std::none_of(sharding.dims.begin(), sharding.dims.end(), [](const DimSharding& dim) { return dim.closed; });
}

void sort_and_merge(AxisList& axes) {
  std::sort(axes.begin(), axes.end());
  AxisList merged;
  for (const AxisRef& axis : axes) append_or_merge(merged, axis);
  axes = merged;
}

NamedShardingId without_size_one_axes(ShardingTable& table, NamedShardingId id) {
  NamedShardingSpec spec = table.spec(id);
  const auto drop = [](AxisList& axes) {
    AxisList kept;
    for (const AxisRef& axis : axes)
      if (axis.size != 1) kept.push_back(axis);
    axes = kept;
  };
  for (NamedShardingSpec::Dim& dim : spec.dims) {
    drop(dim.axes);
    if (dim.axes.empty() && dim.closed) dim.priority = kNoPriority;
  }
  drop(spec.replicated);
  drop(spec.unreduced);
  return table.intern(spec);
}

NamedShardingId with_mesh(ShardingTable& table, NamedShardingId id, MeshId mesh) {
  if (table.get(id).mesh == mesh) return id;
  NamedShardingSpec spec = table.spec(id);
  spec.mesh = mesh;
  return table.intern(spec);
}

NamedShardingId erase_manual_axes(ShardingTable& table, NamedShardingId outer, ManualAxes manual) {
  if (manual.empty()) return outer;
  NamedShardingSpec spec = table.spec(outer);
  for (NamedShardingSpec::Dim& dim : spec.dims)
    dim.axes.erase(dim.axes.begin(), dim.axes.begin() + manual_prefix(manual, dim.axes));
  spec.replicated = free_axes(manual, spec.replicated);
  spec.unreduced = free_axes(manual, spec.unreduced);
  return table.intern(spec);
}

NamedShardingId add_free_axes(ShardingTable& table, NamedShardingId outer, NamedShardingId inner, ManualAxes manual) {
  const NamedShardingSpec outside = table.spec(outer);
  NamedShardingSpec spec = table.spec(inner);
  for (size_t d = 0; d < spec.dims.size() && d < outside.dims.size(); ++d) {
    const AxisList& from = outside.dims[d].axes;
    AxisList axes;
    axes.append(from.begin(), from.begin() + manual_prefix(manual, from));
    axes.append(spec.dims[d].axes.begin(), spec.dims[d].axes.end());
    spec.dims[d].axes = axes;
  }
  spec.replicated = outside.replicated;
  spec.unreduced = outside.unreduced;
  spec.reduction = ReductionOp::sum;
  return table.intern(spec);
}

NamedShardingId complete_manual_axes(ShardingTable& table, NamedShardingId id, ManualAxes manual, MeshId common) {
  NamedShardingSpec spec = table.spec(id);
  AxisList used;
  for (const NamedShardingSpec::Dim& dim : spec.dims) used.append(dim.axes.begin(), dim.axes.end());
  used.append(spec.replicated.begin(), spec.replicated.end());
  used.append(spec.unreduced.begin(), spec.unreduced.end());
  std::sort(used.begin(), used.end());
  AxisList unused;
  for (const uint32_t axis : manual) append_unused_parts(full_axis(table.mesh(common).mesh, axis), used, unused);
  if (unused.empty()) return id;
  spec.replicated.append(unused.begin(), unused.end());
  sort_and_merge(spec.replicated);
  spec.mesh = common;
  return table.intern(spec);
}

NamedShardingId hold_back_priorities(ShardingTable& table, NamedShardingId id) {
  NamedShardingSpec spec = table.spec(id);
  bool held = false;
  for (NamedShardingSpec::Dim& dim : spec.dims) {
    if (dim.priority > 0) {
      spec.replicated.append(dim.axes.begin(), dim.axes.end());
      dim.axes.clear();
      dim.closed = true;
      held = true;
    }
    dim.priority = kNoPriority;
  }
  if (held) std::sort(spec.replicated.begin(), spec.replicated.end());
  return table.intern(spec);
}

NamedShardingId release_priority(ShardingTable& table, NamedShardingId current, NamedShardingId original,
                                 int32_t priority) {
  NamedShardingSpec spec = table.spec(current);
  const NamedShardingSpec from = table.spec(original);
  AxisList released;
  for (size_t d = 0; d < spec.dims.size(); ++d) {
    if (from.dims[d].priority != priority) continue;
    spec.dims[d] = from.dims[d];
    spec.dims[d].priority = kNoPriority;
    released.append(from.dims[d].axes.begin(), from.dims[d].axes.end());
  }
  AxisList kept;
  for (const AxisRef& axis : spec.replicated)
    if (std::find(released.begin(), released.end(), axis) == released.end()) kept.push_back(axis);
  spec.replicated = kept;
  return table.intern(spec);
}

NamedShardingId divisible_prefix(ShardingTable& table, NamedShardingId id, std::span<const int64_t> dims) {
  const NamedSharding sharding = table.get(id);
  if (sharding.rank() != dims.size()) return id;  // a maximal sharding has rank 0 whatever the value is
  bool divides = true;
  for (size_t d = 0; d < dims.size() && divides; ++d) divides = dims[d] % product(sharding.axes(d)) == 0;
  if (divides) return id;
  NamedShardingSpec spec = table.spec(id);
  for (size_t d = 0; d < dims.size(); ++d) {
    NamedShardingSpec::Dim& dim = spec.dims[d];
    if (dims[d] % product(dim.axes) == 0) continue;
    int64_t remaining = dims[d];
    AxisList kept;
    for (AxisRef axis : dim.axes) {
      const int64_t common = std::gcd(int64_t{axis.size}, remaining);
      if (common == 1) break;
      const bool whole = common == axis.size;
      axis.size = static_cast<uint32_t>(common);
      kept.push_back(axis);
      if (!whole) break;
      remaining /= common;
    }
    dim.axes = kept;
    dim.priority = kNoPriority;
  }
  return table.intern(spec);
}

NamedShardingId without_open_sub_axes(ShardingTable& table, NamedShardingId id) {
  NamedShardingSpec spec = table.spec(id);
  const Mesh& mesh = table.mesh(spec.mesh).mesh;
  for (NamedShardingSpec::Dim& dim : spec.dims) {
    if (dim.closed) continue;
    size_t kept = 0;
    while (kept < dim.axes.size() && dim.axes[kept].size == mesh.axes[dim.axes[kept].axis].size) ++kept;
    dim.axes.resize(kept);
  }
  return table.intern(spec);
}

NamedShardingId closed_like(ShardingTable& table, NamedShardingId id) {
  NamedShardingSpec spec = table.spec(id);
  for (NamedShardingSpec::Dim& dim : spec.dims) dim.closed = true;
  spec.replicated.clear();
  return table.intern(spec);
}

NamedShardingId with_unreduced_of(ShardingTable& table, NamedShardingId id, NamedShardingId from) {
  NamedShardingSpec spec = table.spec(id);
  const NamedShardingSpec source = table.spec(from);
  spec.unreduced = source.unreduced;
  spec.reduction = source.reduction;
  return table.intern(spec);
}

bool equivalent(const ShardingTable& table, NamedShardingId a, NamedShardingId b) {
  if (a == b) return true;
  if (!a.valid() || !b.valid()) {
    const NamedShardingId one = a.valid() ? a : b;
    const NamedSharding sharding = table.get(one);
    return sharding.fully_replicated() && (!a.valid() || sharding.unreduced.empty());
  }
  const NamedSharding x = table.get(a), y = table.get(b);
  const bool x_empty = x.fully_replicated() && x.unreduced.empty();
  const bool y_empty = y.fully_replicated() && y.unreduced.empty();
  if (x_empty || y_empty) return x_empty && y_empty;
  if (x.mesh != y.mesh || x.rank() != y.rank() || !same_axes(x.unreduced, y.unreduced)) return false;
  for (size_t d = 0; d < x.rank(); ++d)
    if (!same_axes(x.axes(d), y.axes(d))) return false;
  return true;
}

}  // namespace sw::shardy
