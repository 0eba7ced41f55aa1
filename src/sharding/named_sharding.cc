// The interning table. Contents lie in two flat pools (dimensions, axes); a record holds slices of them and the hash of
// its content, which does not depend on where in the pools it lies. A dimension's axes are compared through the pool.
#include "sharding/named_sharding.h"

#include <algorithm>

#include "base/hash.h"

namespace sw {

namespace {

constexpr size_t kFirstSlots = 256;

uint64_t hash_axes(uint64_t h, std::span<const AxisRef> axes) {
  h = hash_mix(h, axes.size());
  for (const AxisRef& a : axes) h = hash_mix(h, (uint64_t{a.axis} << 48U) ^ (uint64_t{a.pre} << 24U) ^ a.size);
  return h;
}

// Of anything with mesh, rank, per-dimension axes/closed/priority and the three tail members.
template <class Dims, class AxesOf>
uint64_t hash_content(MeshId mesh, const Dims& dims, AxesOf axes_of, std::span<const AxisRef> replicated,
                      std::span<const AxisRef> unreduced, ReductionOp reduction) {
  uint64_t h = hash_mix(mesh.raw, dims.size());
  for (const auto& dim : dims) {
    const uint64_t flags = (static_cast<uint64_t>(static_cast<uint32_t>(dim.priority)) << 1U) | (dim.closed ? 1U : 0U);
    h = hash_axes(hash_mix(h, flags), axes_of(dim));
  }
  if (!replicated.empty()) h = hash_axes(hash_mix(h, 1), replicated);
  if (!unreduced.empty()) h = hash_axes(hash_mix(h, 2 + static_cast<uint64_t>(reduction)), unreduced);
  return h;
}

// Without unreduced axes the reduction op means nothing.
ReductionOp effective(ReductionOp reduction, bool has_unreduced) {
  return has_unreduced ? reduction : ReductionOp::sum;
}

}  // namespace

bool NamedSharding::fully_replicated() const {
  return std::all_of(dims.begin(), dims.end(), [](const DimSharding& d) { return d.axes.empty(); });
}

MeshId ShardingTable::add_mesh(NamedMesh mesh) {
  meshes_.push_back(std::move(mesh));
  return MeshId{meshes_.size() - 1};
}

MeshId ShardingTable::mesh_named(std::string_view name) const {
  for (size_t i = 0; i < meshes_.size(); ++i)
    if (meshes_[i].name == name && !name.empty()) return MeshId{i};
  return {};
}

MeshId ShardingTable::inline_mesh(const Mesh& mesh) {
  for (size_t i = 0; i < meshes_.size(); ++i)
    if (meshes_[i].name.empty() && meshes_[i].mesh == mesh) return MeshId{i};
  return add_mesh({"", mesh});
}

NamedSharding ShardingTable::get(NamedShardingId id) const {
  const Record& r = records_[id.index()];
  const std::span<const AxisRef> pool(axes_);
  NamedSharding s;
  s.mesh = r.mesh;
  s.dims = std::span(dims_).subspan(r.dims.begin, r.dims.count);
  s.replicated = pool.subspan(r.replicated.begin, r.replicated.count);
  s.unreduced = pool.subspan(r.unreduced.begin, r.unreduced.count);
  s.reduction = r.reduction;
  s.pool = pool;
  return s;
}

bool ShardingTable::same(const Record& r, const NamedShardingSpec& spec) const {
  if (r.mesh != spec.mesh || r.dims.count != spec.dims.size() ||
      r.reduction != effective(spec.reduction, !spec.unreduced.empty()))
    return false;
  const auto equal = [&](Slice<AxisRef> slice, const AxisList& list) {
    return same_axes(std::span(axes_).subspan(slice.begin, slice.count), list);
  };
  for (uint32_t i = 0; i < r.dims.count; ++i) {
    const DimSharding& a = dims_[r.dims.begin + i];
    const NamedShardingSpec::Dim& b = spec.dims[i];
    if (a.closed != b.closed || a.priority != b.priority || !equal(a.axes, b.axes)) return false;
  }
  return equal(r.replicated, spec.replicated) && equal(r.unreduced, spec.unreduced);
}

Slice<AxisRef> ShardingTable::store(std::span<const AxisRef> axes) {
  const auto begin = static_cast<uint32_t>(axes_.size());
  axes_.insert(axes_.end(), axes.begin(), axes.end());
  return {begin, static_cast<uint32_t>(axes.size())};
}

void ShardingTable::rebuild_slots(size_t count) {
  slots_.assign(count, NamedShardingId::kNoneRaw);
  const size_t mask = slots_.size() - 1;
  for (uint32_t raw = 0; raw < records_.size(); ++raw) {
    size_t at = static_cast<size_t>(records_[raw].hash) & mask;
    while (slots_[at] != NamedShardingId::kNoneRaw) at = (at + 1) & mask;
    slots_[at] = raw;
  }
}

// All axes of one record: intern stores them one behind the other.
std::span<AxisRef> ShardingTable::axes_of(const Record& record) {
  const uint32_t end = record.unreduced.begin + record.unreduced.count;
  const uint32_t begin = record.dims.count > 0 ? dims_[record.dims.begin].axes.begin : record.replicated.begin;
  return std::span(axes_).subspan(begin, end - begin);
}

uint64_t ShardingTable::hash_of(NamedShardingId id) const {
  const NamedSharding s = get(id);
  return hash_content(
      s.mesh, s.dims, [&](const DimSharding& d) { return s.pool.subspan(d.axes.begin, d.axes.count); }, s.replicated,
      s.unreduced, s.reduction);
}

NamedShardingId ShardingTable::replace_mesh(MeshId id, Mesh mesh) {
  const Mesh& old = meshes_[id.index()].mesh;
  const auto is_full = [&](const AxisRef& a) { return a.pre == 1 && a.size == old.axes[a.axis].size; };
  for (uint32_t raw = 0; raw < records_.size(); ++raw) {
    if (records_[raw].mesh != id) continue;
    for (const AxisRef& a : axes_of(records_[raw])) {
      const int64_t size = mesh.axes[a.axis].size;
      if (!is_full(a) && (size % static_cast<int64_t>(a.next()) != 0 || a.size == size)) return NamedShardingId{raw};
    }
  }
  // Whole axes stay whole, so different contents stay different.
  for (uint32_t raw = 0; raw < records_.size(); ++raw) {
    if (records_[raw].mesh != id) continue;
    for (AxisRef& a : axes_of(records_[raw]))
      if (is_full(a)) a.size = static_cast<uint32_t>(mesh.axes[a.axis].size);
    records_[raw].hash = hash_of(NamedShardingId{raw});
  }
  meshes_[id.index()].mesh = std::move(mesh);
  rebuild_slots(std::max(kFirstSlots, slots_.size()));
  return {};
}

NamedShardingId ShardingTable::intern(const NamedShardingSpec& spec) {
  if ((records_.size() + 1) * 2 > slots_.size()) rebuild_slots(std::max(kFirstSlots, slots_.size() * 2));
  const uint64_t hash = hash_content(
      spec.mesh, spec.dims, [](const NamedShardingSpec::Dim& d) -> std::span<const AxisRef> { return d.axes; },
      spec.replicated, spec.unreduced, spec.reduction);
  const size_t mask = slots_.size() - 1;
  size_t slot = static_cast<size_t>(hash) & mask;
  for (; slots_[slot] != NamedShardingId::kNoneRaw; slot = (slot + 1) & mask) {
    const Record& r = records_[slots_[slot]];
    if (r.hash == hash && same(r, spec)) return NamedShardingId{slots_[slot]};
  }
  Record r;
  r.mesh = spec.mesh;
  r.reduction = effective(spec.reduction, !spec.unreduced.empty());
  r.hash = hash;
  // Axes first: `dims_` of one record are consecutive, and so are the axes of all its dimensions.
  r.dims = {static_cast<uint32_t>(dims_.size()), static_cast<uint32_t>(spec.dims.size())};
  for (const NamedShardingSpec::Dim& d : spec.dims) dims_.push_back({store(d.axes), d.closed, d.priority});
  r.replicated = store(spec.replicated);
  r.unreduced = store(spec.unreduced);
  records_.push_back(r);
  const NamedShardingId id{records_.size() - 1};
  slots_[slot] = id.raw;
  return id;
}

NamedShardingSpec ShardingTable::spec(NamedShardingId id) const {
  const NamedSharding s = get(id);
  NamedShardingSpec spec;
  spec.mesh = s.mesh;
  spec.dims.resize(s.rank());
  for (size_t i = 0; i < s.rank(); ++i) {
    spec.dims[i].axes = AxisList(s.axes(i));
    spec.dims[i].closed = s.dims[i].closed;
    spec.dims[i].priority = s.dims[i].priority;
  }
  spec.replicated = AxisList(s.replicated);
  spec.unreduced = AxisList(s.unreduced);
  spec.reduction = s.reduction;
  return spec;
}

NamedShardingId ShardingTable::uniform(MeshId mesh, size_t rank, bool closed) {
  NamedShardingSpec spec;
  spec.mesh = mesh;
  spec.dims.resize(rank);
  for (NamedShardingSpec::Dim& d : spec.dims) d.closed = closed;
  return intern(spec);
}

NamedShardingId ShardingTable::fully_open(MeshId mesh, size_t rank) { return uniform(mesh, rank, false); }
NamedShardingId ShardingTable::fully_closed(MeshId mesh, size_t rank) { return uniform(mesh, rank, true); }

}  // namespace sw
