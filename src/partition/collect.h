// The list of collectives of a local program, with how often each runs.
#pragma once

#include <span>
#include <vector>

#include "partition/partition.h"

namespace sw {

// `causes` by op of the graph before it was cleaned up, `new_op` where these ops are now.
std::vector<Collective> collect(const Graph& graph, std::span<const std::pair<OpId, CollectiveCause>> causes,
                                std::span<const OpId> new_op);

// What the list holds: ops that exchange data between devices. The second half of an op in two parts is none.
bool is_listed_collective(OpKind kind);

// What a collective gives: the first half of one in two parts hands on its operands beside the result.
TypeId collective_result_type(const Graph& graph, OpId op);

// Iterations of a while op whose condition compares an element of its state with a constant, and whose body adds a
// constant to this element, from a constant start; or as the op's backend_config says. 0: not known.
int64_t trip_count(const Graph& graph, OpId while_op);

}  // namespace sw
