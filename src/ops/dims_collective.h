// Collectives written in the program: the dimensions that they gather, scatter or exchange.
#pragma once

#include "ops/attr_reader.h"

namespace sw {

// all_gather: the gathered dimension. reduce_scatter: the scattered one.
bool read_all_gather_dim(const Graph& graph, OpId op, int64_t& out, std::string* why = nullptr);
bool read_reduce_scatter_dim(const Graph& graph, OpId op, int64_t& out, std::string* why = nullptr);

struct AllToAllDims {
  int64_t split = 0, concat = 0, count = 1;
};
bool read_all_to_all_dims(const Graph& graph, OpId op, AllToAllDims& out, std::string* why = nullptr);

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
