// What the partitioner leaves behind is cleaned up: dead code (collectives too: attempts that were given up), tuples
// that are taken apart at once, equal ops. Collectives are never merged: each has its own channel.
//
// Follows the pipeline `spmd-cleanup` of XLA: DCE, TupleSimplifier, DCE, CSE.
#pragma once

#include <vector>

#include "ir/graph.h"

namespace sw {

struct Cleaned {
  Graph graph;  // only what `main` reaches
  // By id in the graph given: the op, the value in the new graph; invalid: gone.
  std::vector<OpId> new_op;
  std::vector<ValueId> new_value;
};

Cleaned clean_up(Graph graph);

// Ops that stay although nobody uses their result. `tables` has the names and attributes of `graph`; while a graph is
// copied they are another's.
bool has_effect(const Graph& graph, const Graph& tables, const Op& op);

}  // namespace sw
