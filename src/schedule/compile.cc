#include "schedule/compile.h"

#include "schedule/combine_cpu.h"
#include "schedule/from_hlo.h"
#include "schedule/fusion.h"
#include "schedule/narrow_tpu.h"
#include "schedule/rewrite_cpu.h"
#include "schedule/rewrite_gpu.h"
#include "schedule/rewrite_tpu.h"
#include "schedule/simplify.h"

namespace sw {

namespace {

// A GPU's collectives run asynchronously: the start gives its operands and results, or a list of both.
std::vector<int64_t> collective_tables(const MachineProgram& program) {
  constexpr int64_t kPair = 16, kList = 8;
  std::vector<int64_t> tables;
  for (const ComputationId id : computations_in_use(program)) {
    for (const MachineOpId op : program.computation(id).ops) {
      switch (program.op(op).kind) {
        case OpKind::all_gather:
        case OpKind::collective_permute: tables.push_back(kPair); break;
        case OpKind::all_to_all:
        case OpKind::reduce_scatter:
          tables.push_back(kPair);
          tables.push_back(kList);
          break;
        default: break;
      }
    }
  }
  return tables;
}

}  // namespace

Result<CompiledProgram> compile_program(const Graph& graph, Compiler compiler, const SizeOf& size,
                                        Diagnostics& diagnostics) {
  Result<MachineProgram> program = machine_program_inlined(graph, diagnostics);
  if (!program.has_value()) return reported();
  simplify(*program, graph);
  CompiledProgram out;
  RelaidStacks stacks;
  if (compiler == Compiler::gpu) {
    stacks = rewrite_for_gpu(*program, graph);
    out.tables = collective_tables(*program);
  }
  if (compiler == Compiler::tpu) rewrite_for_tpu(*program, graph);
  if (compiler == Compiler::cpu) rewrite_for_cpu(*program, graph);
  out.program = fuse(*program, compiler);
  if (compiler == Compiler::cpu) combine_reductions_for_cpu(out.program, graph);
  copy_stacks_before_loops(out.program, stacks);
  if (compiler == Compiler::tpu) narrow_weights_before_loops(out.program);
  TypeTrees trees(out.program.types);
  if (compiler == Compiler::cpu)
    order_breadth_first(out.program);
  else
    order_program(out.program, trees, size);
  if (compiler == Compiler::gpu) start_gathers_early(out.program);
  if (compiler != Compiler::cpu) make_reduced_results_last(out.program);
  out.ops = std::move(*program);
  return out;
}

}  // namespace sw
