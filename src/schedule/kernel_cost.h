// What a GPU's compiler thinks a kernel costs, in microseconds, while it decides what to fuse.
//
// A kernel is a chain of ops from its result back to what it reads. An array is computed or read as often as the ops
// behind it ask for its elements: its *share* is 1 when each element is needed once, more where a broadcast or a window
// repeats it, less behind a slice. Two ways that lead to an array by elementwise ops from one place (a *root* of the
// array: the result, or what an op that is not elementwise reads) ask for the same elements at the same time, so that
// they count once; ways from different roots count for each.
//
//   r = reduce(multiply(a, b)); a read once, b once           roots of a, b: what the reduction reads
//   s = add(a, transpose(a)):   a has two roots, the result and what the transposition reads, and is read twice
//
// Time: operations by the speed of the units that the blocks of the kernel can occupy, bytes by the bandwidth that they
// can draw (elements that lie apart draw a whole transaction each; what is read again comes from the cache if it fits);
// the longer of the two and a twentieth of the shorter.
//
// Follows GpuHloCostAnalysis, GpuPerformanceModel and HloOpProfiles (the cycles of H100) of XLA. Differences: whether
// reads are coalesced is told from transpositions of the last dimension alone, and blocks are counted roughly.
#pragma once

#include <optional>

#include "schedule/fusion_graph.h"

namespace sw {

struct KernelCost {
  struct Read {
    Leaf leaf;
    double size = 0;   // bytes of all of it
    double bytes = 0;  // read of it
    double share = 0;
    bool elementwise = false;  // from the result, once
    bool scattered = false;    // neighbours in the result are not neighbours in it
    SmallVector<uint32_t, 4> roots;
  };
  double work = 0, written = 0;
  double blocks = 1;
  double time = 0, read_time = 0;
  std::vector<Read> reads;         // by leaf
  std::vector<double> root_share;  // by root
  const Read* find(Leaf leaf) const;
};

class KernelCosts {
 public:
  explicit KernelCosts(const FusionGraph& graph) : graph_(graph), known_(graph.size()) {}

  // Of the group of a unit, as it is.
  const KernelCost& of(uint32_t unit);
  // Of the group of `reader` with that of `unit` inside of it.
  double fused(uint32_t unit, uint32_t reader);
  void forget(uint32_t unit) { known_[unit].reset(); }

 private:
  void measure(uint32_t unit, KernelCost& cost) const;

  const FusionGraph& graph_;
  std::vector<std::optional<KernelCost>> known_;  // by unit
};

}  // namespace sw
