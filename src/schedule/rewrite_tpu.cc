#include "schedule/rewrite_tpu.h"

#include "ops/dims_gather_scatter.h"

namespace sw {

namespace {

bool is_fill(const MachineProgram& program, MachineOpId id) {
  const MachineOp& op = program.op(id);
  return op.kind == OpKind::broadcast_in_dim && element_count(program.type_of(op.operands[0])) == 1;
}

// One element is set for each index, and the indices run along all dimensions but one.
bool spreads(const MachineProgram& program, const Graph& graph, MachineOpId id) {
  const MachineOp& op = program.op(id);
  ScatterDims dims;
  if (op.kind != OpKind::scatter || op.operands.size() != 3 || program.is_tuple(id) ||
      !read_scatter_dims(graph, op.source, dims))
    return false;
  return is_fill(program, op.operands[0]) && dims.window.empty() && dims.index_map.size() == 1 &&
         dims.operand_batch.size() + 1 == program.type_of(id).rank();
}

// Single elements are gathered.
bool picks(const MachineProgram& program, const Graph& graph, MachineOpId id) {
  GatherScatterDims dims;
  return program.op(id).kind == OpKind::gather && read_gather_dims(graph, program.op(id).source, dims) &&
         dims.window.empty();
}

}  // namespace

void rewrite_for_tpu(MachineProgram& program, const Graph& graph) {
  for (const ComputationId computation : computations_in_use(program)) {
    for (const MachineOpId id : program.computation(computation).ops) {
      if (picks(program, graph, id)) program.op(id).role = Role::standalone;
      if (!spreads(program, graph, id)) continue;
      MachineOp& op = program.op(id);
      const MachineOpId indices = op.operands[1], updates = op.operands[2];
      op.kind = op.does = OpKind::select;
      op.operands = {indices, updates};
      op.dims.clear();
    }
  }
}

}  // namespace sw
