// What a sharding cuts, as a small number: the form in which shardings of different partitioners, tables and programs
// are compared.
//
// A cut lists, by dimension, the mesh axes (by name) that cut it. What does not matter is left out: open dimensions,
// priorities, axes of size 1, lists of replicated axes. Equal cuts of one CutTable have equal numbers.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "propagate/plan.h"
#include "propagate/sharding_axes.h"

namespace sw {

// A whole axis has pre 1 and size 0: a mesh axis of another size is still the same axis.
struct CutPiece {
  uint32_t dim, axis, pre, size;
  friend auto operator<=>(const CutPiece&, const CutPiece&) = default;
};
using Cut = std::vector<CutPiece>;

class CutTable {
 public:
  uint32_t number(const Cut& cut) {
    return numbers_.try_emplace(cut, static_cast<uint32_t>(numbers_.size())).first->second;
  }
  // The number that stands for an axis name in pieces.
  uint32_t axis(const std::string& name) {
    return axes_.try_emplace(name, static_cast<uint32_t>(axes_.size())).first->second;
  }
  size_t count() const { return numbers_.size(); }
  // Takes in the cuts of another table; answers their numbers here, by their numbers there.
  std::vector<uint32_t> adopt(const CutTable& other);

 private:
  std::map<Cut, uint32_t> numbers_;
  std::map<std::string, uint32_t> axes_;
};

// The cut of every value and result of one plan.
class Cuts {
 public:
  Cuts(const Program& program, const Plan& plan, const ShardingAxes& axes, CutTable& table);

  uint32_t of_value(ValueId value) const;
  uint32_t of_output(size_t i) const;
  // By id of a sharding in the partitioner's own table.
  uint32_t of_sharding(uint32_t id) const { return id < numbers_.size() ? numbers_[id] : whole_; }
  size_t sharding_count() const { return numbers_.size(); }

 private:
  Cut cut_of(uint32_t id) const;
  const Mesh* mesh_of(uint32_t id) const;
  uint32_t single_device(uint32_t id) const;

  const Program& program_;
  const Plan& plan_;
  const ShardingAxes& axes_;
  CutTable& table_;
  uint32_t whole_ = 0;
  std::vector<uint32_t> numbers_;
};

}  // namespace sw
