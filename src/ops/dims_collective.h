// Collectives written in the program: the dimensions that they gather, scatter or exchange.
#pragma once

#include <optional>
#include <span>

#include "ops/attr_reader.h"

namespace sw {

// all_gather: the gathered dimension. reduce_scatter: the scattered one.
bool read_all_gather_dim(const Graph& graph, OpId op, int64_t& out, std::string* why = nullptr);
bool read_reduce_scatter_dim(const Graph& graph, OpId op, int64_t& out, std::string* why = nullptr);

struct AllToAllDims {
  int64_t split = 0, concat = 0, count = 1;
};
bool read_all_to_all_dims(const Graph& graph, OpId op, AllToAllDims& out, std::string* why = nullptr);

// all_to_all split along one dimension and joined along another, as HLO says it: whole pieces are exchanged, and come
// back along the dimension that was split; a reshape to `pieces`, a transpose to `moved` and a reshape put them where
// they belong. Follows XlaBuilder::AllToAll. (8x6), split 0, concat 1, 2 pieces: (2x4x6) -> (4x2x6) -> (4x12).
struct AllToAllSteps {
  DimList pieces, permutation, moved;
};
// Nothing when it is not so split, or the pieces of an array of `shape` are uneven.
std::optional<AllToAllSteps> all_to_all_steps(const Graph& graph, OpId op, std::span<const int64_t> shape);

// Groups of devices as the program lists them: group g is ids[g * group_size] .. ids[(g + 1) * group_size), -1 fills
// short groups. Every other id is given once; but for collective_broadcast none is left out.
struct ReplicaGroups {
  DimList ids;
  int64_t group_size = 0;
};
// False without explanation when the groups are written as axes of a mesh instead.
bool read_replica_groups(const Graph& graph, OpId op, ReplicaGroups& out, std::string* why = nullptr);

// collective_permute: source and target by turns; no id is a source or a target twice.
bool read_source_target_pairs(const Graph& graph, OpId op, DimList& out, std::string* why = nullptr);

}  // namespace sw
