// From HLO as it is partitioned to kernels in the order in which a target's compiler would run them.
#pragma once

#include "base/result.h"
#include "schedule/fusion_graph.h"
#include "schedule/order.h"
#include "source/diagnostic.h"

namespace sw {

struct CompiledProgram {
  MachineProgram program;
  MachineProgram ops;           // what it was before ops were gathered into kernels
  std::vector<int64_t> tables;  // bytes of the pointer tables that collectives need beside their results
};

Result<CompiledProgram> compile_program(const Graph& graph, Compiler compiler, const SizeOf& size,
                                        Diagnostics& diagnostics);

}  // namespace sw
