// What comes of one program when it is propagated in several ways: by both partitioners, each in its own order and in
// others. A value whose sharding is the same in all of them is certain; where it is not, the annotations of the program
// leave a choice, and the order decided.
//
// Each way runs on a copy of the program, since the tables of a program grow while a partitioner runs, and is then
// reduced to the cut of every value (propagate/cuts.h). Worked example: y = add(a, b), a cut by x in dimension 0, b by
// x in dimension 1. Shardy from the top gives y dimension 0, its basic strategy neither: y is uncertain, with two cuts.
//
// Left out are values that nothing is computed from and arrays without elements; a partitioner whose program lacks a
// value has no say in it. Uncertain values that are neighbours
// in the program (operand and result, variable of a loop and what its body returns) form one group.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "propagate/cuts.h"
#include "propagate/plan.h"
#include "propagate/seeds.h"
#include "propagate/visit_order.h"

namespace sw {

// One way of propagating.
struct Variation {
  enum class Strategy : uint8_t { own, basic, basic_first };
  Partitioner by = Partitioner::shardy;
  VisitOrder order = {};
  Strategy strategy = Strategy::own;  // Shardy's
  bool priorities = true;             // false: Shardy without op priorities, GSPMD without levels
};

// "Shardy", "Shardy reversed", "GSPMD shuffled 1".
std::string variation_name(const Variation& variation);

// The ways to compare, the first of which is the chosen partitioner's own; HLO text is GSPMD's alone. None for
// Partitioner::none. A very large program is shuffled once only.
std::vector<Variation> variations(const Program& program, Partitioner chosen);

// Propagates `program`, which is a copy that may be changed; called from several threads.
using RunVariation = std::function<Result<Plan>(Program& program, const Seeds& seeds, const Variation& variation)>;

// A sharding that a value may have, whichever the partitioner.
struct CutText {
  std::string text;            // "P('x', None)", or as the partitioner prints it where axes cannot say it
  std::vector<int64_t> tiles;  // by dimension
};

class Outcomes {
 public:
  // Ways that refuse the program are left out. The first way must not. `threads` as in parallel_for().
  Outcomes(const Program& program, const Seeds& seeds, std::span<const Variation> ways, const RunVariation& run,
           int threads = 0);

  // Those that gave a plan.
  const std::vector<Variation>& ways() const { return ways_; }
  // Uncertain values in the order of the text, and whether a value is among them.
  const std::vector<ValueId>& uncertain() const { return uncertain_; }
  bool is_uncertain(ValueId value) const { return uncertain_flag_[value.index()] != 0; }
  // Each in the order of the text, as are the groups by their first values.
  std::vector<std::vector<ValueId>> groups() const;
  // Where the ways part from the first: values from which differences follow.
  const std::vector<ValueId>& partings() const { return partings_; }

  // kAbsent where the way has no such value: GSPMD sees a program that XLA has simplified.
  static constexpr uint32_t kAbsent = 0xffffffffU;
  uint32_t cut(size_t way, ValueId value) const { return cuts_[way][value.index()]; }
  // Of a way that has the value.
  const CutText& text(size_t way, ValueId value) const;
  // The plan of the first way.
  const Plan& plan() const { return plan_; }
  // The program that the plan refers to.
  const Program& plan_program() const { return plan_program_; }

 private:
  void find_uncertain();
  bool differs(ValueId value) const;

  const Program& program_;
  Program plan_program_;
  Plan plan_;
  std::vector<Variation> ways_;
  std::vector<std::vector<uint32_t>> cuts_;               // by way and ValueId
  std::map<std::pair<uint32_t, size_t>, CutText> texts_;  // by cut and rank
  std::vector<char> uncertain_flag_;
  std::vector<ValueId> uncertain_, partings_;
};

}  // namespace sw
