// What a kernel that fusion has made says of its operands; fused_kernel.h does the same for kernels that were read.
#pragma once

#include "schedule/fusion_graph.h"

namespace sw {

struct KernelMembers {
  std::vector<uint32_t> members;  // the units whose results it gives, in order
  std::vector<Leaf> inputs;
  std::vector<uint32_t> operand_of_input;  // of the machine op
};

Kernel kernel_facts(FusionGraph& graph, const KernelMembers& kernel);

}  // namespace sw
