// Which values must share one buffer, and from when to when each value is held.
//
//   loop state        the initial value, the body's parameter, the body's result and the loop's result are one buffer
//   in place          an update and what it updates; a result and the parameter whose storage it takes over
//   t=3 a = ...  t=5 b = f(a)  t=9 c = g(b)     a is held in [3, 5], b in [5, 9]
//
// Follows HloAliasAnalysis and HloLiveRange of XLA.
#pragma once

#include <vector>

#include "memory/value_flow.h"
#include "schedule/copies.h"

namespace sw {

struct LiveRange {
  uint32_t begin = 0, end = 0;  // both included
};

class Buffers {
 public:
  Buffers(const MachineProgram& program, const Sequence& sequence, const ValueFlow& flow, TypeTrees& trees,
          std::span<const StorageHandover> handovers);

  // The values of each buffer, those of a buffer by when they begin; buffers by their first value.
  const std::vector<std::vector<PlaceId>>& all() const { return buffers_; }
  uint32_t buffer_of(PlaceId value) const { return buffer_of_[value.index()]; }
  LiveRange range(PlaceId value) const { return ranges_[value.index()]; }
  // Parameters whose storage a result takes over.
  bool is_handed_over(uint32_t parameter) const { return parameter < handed_over_.size() && handed_over_[parameter]; }

 private:
  void join_buffers(TypeTrees& trees, std::span<const StorageHandover> handovers);
  void find_ranges(TypeTrees& trees);
  void note_uses(TypeTrees& trees, MachineOpId id);
  void end_with_branches(TypeTrees& trees);
  void cut_overlaps();
  uint32_t leader(uint32_t place);
  void unite(PlaceId a, PlaceId b);

  const MachineProgram& program_;
  const Sequence& sequence_;
  const ValueFlow& flow_;
  std::vector<uint32_t> leader_;  // by PlaceId, a forest
  std::vector<std::vector<PlaceId>> buffers_;
  std::vector<uint32_t> buffer_of_;  // by PlaceId of a value
  std::vector<LiveRange> ranges_;    // by PlaceId of a value
  std::vector<bool> handed_over_;
};

// What storage is given out from.
struct AssignmentInput {
  const MachineProgram& program;
  const Sequence& sequence;
  const ValueFlow& flow;
  const Buffers& buffers;
  const Users& users;
  TypeTrees& trees;
  std::span<const int64_t> more_tables = {};   // of what the program does not show
  const std::vector<bool>* on_chip = nullptr;  // by buffer: not in main memory
};

}  // namespace sw
