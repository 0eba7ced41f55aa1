// Replica groups and permute pairs as numbers, from the attributes of a collective in any of XLA's three spellings:
// lists
// `{{0,1},{2,3}}`, iota `[2,4]<=[8]T(1,0)`, and mesh axes `mesh['a'=2,'b'=4] {'a'}`.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "ir/graph.h"
#include "partition/permutes.h"
#include "sharding/tile_grid.h"

namespace sw {

// Nothing when the op has no such attribute or it cannot be read (ragged groups).
std::optional<TileGrid> read_replica_groups(const Graph& graph, const Op& op);
PairList read_source_target_pairs(const Graph& graph, const Op& op);

}  // namespace sw
