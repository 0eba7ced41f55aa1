// Two plans side by side: which values they shard differently, and where each difference begins.
//
// Plans may come from different partitioners, meshes, pins or even files; values of one are matched to values of the
// other (propagate/match.h), axes by their names. Two shardings are the same when they cut every dimension by the same
// axes, in the same order; open dimensions, priorities, axes of size 1 and lists of replicated axes do not matter.
//
// Where they part: follow an axis that only one plan has on a value back to its annotation. The value nearest to the
// annotation that already differs is where the two plans part; every difference downstream of it has the same cause,
// and goes into the same group. Worked example: GSPMD shards `a` by x in its dimension 0, Shardy in dimension 1; b =
// negate(a) and c = tanh(b) then differ too. One group, parting at `a`, of three values.
#pragma once

#include <cstdint>
#include <vector>

#include "propagate/explain.h"

namespace sw {

struct PlanSide {
  const Program& program;
  const Plan& plan;
};

struct Difference {
  ValueId a, b;
  ValueId parting;  // of side a; the value itself when no trace says more
};

struct DifferenceGroup {
  ValueId parting;                // of side a
  std::vector<uint32_t> members;  // indices into differences, in the order of the text
};

class PlanComparison {
 public:
  // `b_of_a` by ValueId of a; invalid: a value that b does not have. Provenances are of the same plans.
  PlanComparison(const PlanSide& a, const Provenance& from_a, const PlanSide& b, const Provenance& from_b,
                 const std::vector<ValueId>& b_of_a);

  const std::vector<Difference>& differences() const { return differences_; }
  const std::vector<DifferenceGroup>& groups() const { return groups_; }
  // Results of main, by number, that differ; and how many both have.
  const std::vector<uint32_t>& outputs() const { return outputs_; }
  size_t compared() const { return compared_; }
  bool equal() const { return differences_.empty() && outputs_.empty(); }

 private:
  void find_differences(const std::vector<ValueId>& b_of_a);
  void find_partings(const std::vector<ValueId>& b_of_a);
  void make_groups();

  PlanSide a_, b_;
  const Provenance& from_a_;
  const Provenance& from_b_;
  std::vector<Difference> differences_;
  std::vector<DifferenceGroup> groups_;
  std::vector<uint32_t> outputs_;
  size_t compared_ = 0;
};

}  // namespace sw
