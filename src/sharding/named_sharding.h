// Shardy's native sharding: a list of mesh axes for each dimension, open or closed, with priorities, and axes on which
// the value is explicitly replicated or unreduced. Interned: equal shardings have equal ids, so propagation compares
// integers.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "base/small_vector.h"
#include "sharding/axis_ref.h"
#include "sharding/mesh.h"
#include "sharding/reduction_op.h"

namespace sw {

constexpr int32_t kNoPriority = -1;

struct DimSharding {
  Slice<AxisRef> axes;  // into the table's axis pool
  bool closed = false;  // `{"x"}` closed, `{"x", ?}` open
  int32_t priority = kNoPriority;
};

// A sharding under construction, and the form that algorithms change.
struct NamedShardingSpec {
  struct Dim {
    AxisList axes;
    bool closed = false;
    int32_t priority = kNoPriority;
    friend bool operator==(const Dim&, const Dim&) = default;
  };
  MeshId mesh;
  std::vector<Dim> dims;
  AxisList replicated;  // in mesh order
  AxisList unreduced;   // in mesh order
  ReductionOp reduction = ReductionOp::sum;
  friend bool operator==(const NamedShardingSpec&, const NamedShardingSpec&) = default;
};

// What a NamedShardingId stands for; views into the table, valid while nothing is added.
struct NamedSharding {
  MeshId mesh;
  std::span<const DimSharding> dims;
  std::span<const AxisRef> replicated, unreduced;
  ReductionOp reduction = ReductionOp::sum;
  std::span<const AxisRef> pool;
  std::span<const AxisRef> axes(size_t dim) const { return pool.subspan(dims[dim].axes.begin, dims[dim].axes.count); }
  size_t rank() const { return dims.size(); }
  // No dimension has axes (replicated and unreduced lists do not matter).
  bool fully_replicated() const;
};

class ShardingTable {
 public:
  MeshId add_mesh(NamedMesh mesh);
  // The nameless entry with this content, added when new: `mesh<["x"=2]>` inside a sharding.
  MeshId inline_mesh(const Mesh& mesh);
  // The mesh with this symbol name, or an invalid id.
  MeshId mesh_named(std::string_view name) const;
  const NamedMesh& mesh(MeshId id) const { return meshes_[id.index()]; }
  NamedMesh& mutable_mesh(MeshId id) { return meshes_[id.index()]; }
  size_t mesh_count() const { return meshes_.size(); }

  // Gives a mesh other axis sizes (same names, same order) or another device order; every sharding on it keeps its id
  // and says the same about the new sizes. A sharding with a part of an axis that does not divide the new size is
  // returned, and nothing is changed; an invalid id means that it is done.
  NamedShardingId replace_mesh(MeshId id, Mesh mesh);

  NamedShardingId intern(const NamedShardingSpec& spec);
  NamedSharding get(NamedShardingId id) const;
  NamedShardingSpec spec(NamedShardingId id) const;
  size_t count() const { return records_.size(); }

  // Fully open, replicated, of this rank.
  NamedShardingId fully_open(MeshId mesh, size_t rank);
  NamedShardingId fully_closed(MeshId mesh, size_t rank);

 private:
  struct Record {
    MeshId mesh;
    Slice<DimSharding> dims;
    Slice<AxisRef> replicated, unreduced;
    ReductionOp reduction;
    uint64_t hash;
  };
  bool same(const Record& record, const NamedShardingSpec& spec) const;
  Slice<AxisRef> store(std::span<const AxisRef> axes);
  NamedShardingId uniform(MeshId mesh, size_t rank, bool closed);
  std::span<AxisRef> axes_of(const Record& record);
  uint64_t hash_of(NamedShardingId id) const;
  void rebuild_slots(size_t count);

  std::vector<NamedMesh> meshes_;
  std::vector<Record> records_;
  std::vector<uint32_t> slots_;
  std::vector<DimSharding> dims_;
  std::vector<AxisRef> axes_;
};

}  // namespace sw
