// From the end of propagation to the answer: what each value of the program as read is sharded like when Shardy hands
// the program on.
#pragma once

#include "propagate/plan.h"
#include "propagate/shardy/engine.h"

namespace sw::shardy {

// Follows ExportNamedComputations, PropagateToFuncResults, UnflattenCallGraph, InsertFuncCallReshards,
// SinkDataFlowEdges, UpdateNonDivisibleInputOutputShardings, RemoveSubAxesInInputOutputShardings and CloseShardings.
Plan export_plan(Module& module, Engine& engine);

// Numbers the function instances and marks every op with its own.
void number_instances(Module& module);

}  // namespace sw::shardy
