// Which values stand at every place of every op, over the whole schedule: forwards (tuples, their parts, bitcasts, ends
// of asynchronous ops) hold values of others, loops and branches hold those that come from several sides.
//
//   t = tuple(a, b); w = while(t) body(p): tuple(p.0, f(p.1))
//     place w.0: {a}; place w.1: {b, f}; parameter p the same
//
// Follows HloDataflowAnalysis of XLA without phis.
#pragma once

#include <vector>

#include "schedule/machine.h"

namespace sw {

// The ops in the order in which they run; a loop contributes its condition, then its body, then itself.
struct Sequence {
  struct Span {
    uint32_t begin = 0, end = 0;  // end: one past the last op
    bool runs = false;
  };
  std::vector<MachineOpId> ops;
  std::vector<uint32_t> time;  // by MachineOpId; kNever: does not run
  std::vector<Span> spans;     // by ComputationId
  static constexpr uint32_t kNever = 0xffffffffU;
  bool runs(MachineOpId op) const { return time[op.index()] != kNever; }
};
Sequence sequence_of(const MachineProgram& program);

// The number of a place of an op; as the name of a value: the place where it is made.
using PlaceId = Id<struct PlaceTag>;
using ValueSet = SmallVector<PlaceId, 2>;  // ascending

class ValueFlow {
 public:
  ValueFlow(const MachineProgram& program, const Sequence& sequence, TypeTrees& trees);

  size_t place_count() const { return sets_.size(); }
  PlaceId place(MachineOpId op, size_t place = 0) const { return PlaceId{first_[op.index()] + place}; }
  const ValueSet& at(PlaceId place) const { return sets_[place.index()]; }
  const ValueSet& at(MachineOpId op, size_t i = 0) const { return at(place(op, i)); }
  MachineOpId op_of(PlaceId place) const { return owner_[place.index()]; }
  uint32_t place_in_op(PlaceId place) const { return place.raw - first_[op_of(place).index()]; }
  TypeId type_of(PlaceId place) const { return types_[place.index()]; }
  // Whether the value that is named after this place exists.
  bool is_value(PlaceId place) const { return at(place).size() == 1 && at(place)[0] == place; }

 private:
  void visit(MachineOpId id);
  void forward(MachineOpId id, size_t to, MachineOpId from, size_t at);
  void forward_arrays(MachineOpId id, size_t to, MachineOpId from, size_t at);
  void make(MachineOpId id);
  void join(MachineOpId id, std::span<const MachineOpId> sides, std::span<const uint32_t> places);
  void visit_parameter(MachineOpId id);
  void visit_start(MachineOpId id);
  void set(PlaceId place, const ValueSet& values);

  const MachineProgram& program_;
  TypeTrees& trees_;
  std::vector<uint32_t> first_;  // by MachineOpId: number of its first place
  std::vector<MachineOpId> owner_;
  std::vector<TypeId> types_;
  std::vector<ValueSet> sets_;
  struct Caller {
    MachineOpId op;
    size_t which;  // of the computations that it calls
  };
  std::vector<SmallVector<Caller, 2>> callers_;  // by ComputationId
  bool changed_ = false;
};

}  // namespace sw
