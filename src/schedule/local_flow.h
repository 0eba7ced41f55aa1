// Which value stands at every place of the ops of one computation, as far as the computation itself shows: parts of
// tuples are those that were put in; a loop passes its initial values through.
#pragma once

#include <vector>

#include "schedule/machine.h"

namespace sw {

// A value by the place where it is made, as a number that is unique in the computation.
using LocalValue = uint32_t;
constexpr LocalValue kNoValue = 0xffffffffU;

class LocalFlow {
 public:
  // With `in_place`, updates and loops hand on what they update; without, they make values of their own.
  LocalFlow(const MachineProgram& program, TypeTrees& trees, const Computation& computation, bool in_place);

  size_t value_count() const { return at_.size(); }
  LocalValue at(MachineOpId op, size_t place = 0) const { return at_[first_[op.index()] + place]; }
  LocalValue named(MachineOpId op, size_t place) const { return static_cast<LocalValue>(first_[op.index()] + place); }
  size_t places(MachineOpId op) const { return count_[op.index()]; }
  MachineOpId op_of(LocalValue value) const { return owner_[value]; }
  uint32_t place_of(LocalValue value) const { return value - first_[op_of(value).index()]; }
  TypeId type_of(LocalValue value) const { return types_[value]; }
  // Every value that an op holds, once each, ascending.
  std::vector<LocalValue> all_of(MachineOpId op) const;

 private:
  std::vector<uint32_t> first_, count_;  // by MachineOpId
  std::vector<LocalValue> at_;
  std::vector<MachineOpId> owner_;
  std::vector<TypeId> types_;
};

}  // namespace sw
