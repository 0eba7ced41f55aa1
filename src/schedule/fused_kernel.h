// What a fusion that a GPU compiler has made says of its operands: which of them it updates in place, and which it may
// overwrite because it reads each element before it writes it.
//
//   fused(p0, p1) = dynamic-update-slice(p0, exp(p1), i)     in place: p0
//   fused(p0, p1) = multiply(exp(p0), p1)                    may overwrite: p0, p1
//   fused(p0)     = add(p0, transpose(p0))                   neither: element (i, j) is read for (j, i) too
//
// Follows CanShareBufferHint and HloDataflowAnalysis::CanShareOperandBufferWithUser of XLA, for what Hopper's compiler
// leaves: loop, input (reduction) and matrix product kernels.
#pragma once

#include "schedule/machine.h"

namespace sw {

class FusedKernels {
 public:
  explicit FusedKernels(const Graph& graph);
  // Of a fusion; operands and places as in its machine op.
  Kernel facts_of(OpId fusion, TypeTrees& trees) const;

 private:
  struct Fusion;
  ValueId through_bitcasts(ValueId value) const;
  ValueId reduction_of(const Fusion& fusion) const;
  bool may_overwrite(const Fusion& fusion, size_t operand, size_t result) const;
  bool harmless(const Fusion& fusion, ValueId value, OpId user, OpId main) const;
  const Op* maker(ValueId value) const;

  const Graph& graph_;
  std::vector<SmallVector<OpId, 4>> users_;   // by ValueId, once for each op
  mutable std::vector<uint32_t> reached_in_;  // by ValueId: the last search that came by
  mutable uint32_t search_ = 0;
};

}  // namespace sw
