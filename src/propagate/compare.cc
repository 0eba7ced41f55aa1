// See the header.
#include "propagate/compare.h"

#include <algorithm>
#include <unordered_map>

#include "propagate/cuts.h"

namespace sw {

namespace {

// For every origin: the one nearest to the annotation, on its chain, whose value differs; kNoOrigin when none does.
std::vector<uint32_t> first_differing(const Provenance& provenance, const std::vector<char>& differs) {
  std::vector<uint32_t> first(provenance.all().size(), kNoOrigin);
  for (uint32_t i = 0; i < first.size(); ++i) {
    const AxisOrigin& origin = provenance.at(i);
    if (origin.parent != kNoOrigin) first[i] = first[origin.parent];  // parents come before their children
    if (first[i] == kNoOrigin && origin.value.valid() && differs[origin.value.index()] != 0) first[i] = i;
  }
  return first;
}

}  // namespace

PlanComparison::PlanComparison(const PlanSide& a, const Provenance& from_a, const PlanSide& b, const Provenance& from_b,
                               const std::vector<ValueId>& b_of_a)
    : a_(a), b_(b), from_a_(from_a), from_b_(from_b) {
  find_differences(b_of_a);
  find_partings(b_of_a);
  make_groups();
}

void PlanComparison::find_differences(const std::vector<ValueId>& b_of_a) {
  CutTable table;
  const Cuts cuts_a(a_.program, a_.plan, from_a_.axes(), table), cuts_b(b_.program, b_.plan, from_b_.axes(), table);
  for (uint32_t i = 0; i < b_of_a.size(); ++i) {
    const ValueId value{i};
    if (!b_of_a[i].valid() || !a_.program.graph.type_of(value).is_array()) continue;
    ++compared_;
    if (cuts_a.of_value(value) != cuts_b.of_value(b_of_a[i])) differences_.push_back({value, b_of_a[i], value});
  }
  const size_t outputs = std::min(std::max(a_.plan.outputs_named.size(), a_.plan.outputs_tiled.size()),
                                  std::max(b_.plan.outputs_named.size(), b_.plan.outputs_tiled.size()));
  for (uint32_t i = 0; i < outputs; ++i)
    if (cuts_a.of_output(i) != cuts_b.of_output(i)) outputs_.push_back(i);
}

void PlanComparison::find_partings(const std::vector<ValueId>& b_of_a) {
  std::vector<char> differs_a(a_.program.graph.value_count()), differs_b(b_.program.graph.value_count());
  std::vector<ValueId> a_of_b(b_.program.graph.value_count());
  for (uint32_t i = 0; i < b_of_a.size(); ++i)
    if (b_of_a[i].valid()) a_of_b[b_of_a[i].index()] = ValueId{i};
  for (const Difference& d : differences_) differs_a[d.a.index()] = differs_b[d.b.index()] = 1;
  const std::vector<uint32_t> first_a = first_differing(from_a_, differs_a),
                              first_b = first_differing(from_b_, differs_b);

  // Of all axes that the two do not share, the parting that stands first in the text.
  for (Difference& d : differences_) {
    ValueId best;
    const auto consider = [&](ValueId candidate) {
      if (!candidate.valid()) return;
      const auto at = [&](ValueId v) { return std::pair(a_.program.graph.value(v).def.raw + 1, v.raw); };
      if (!best.valid() || at(candidate) < at(best)) best = candidate;
    };
    for (const DimAxis& axis : from_a_.axes().of_value(d.a)) {
      const uint32_t origin = from_a_.find(d.a, axis);
      if (origin != kNoOrigin && first_a[origin] != kNoOrigin) consider(from_a_.at(first_a[origin]).value);
    }
    for (const DimAxis& axis : from_b_.axes().of_value(d.b)) {
      const uint32_t origin = from_b_.find(d.b, axis);
      if (origin != kNoOrigin && first_b[origin] != kNoOrigin)
        consider(a_of_b[from_b_.at(first_b[origin]).value.index()]);
    }
    if (best.valid()) d.parting = best;
  }
}

void PlanComparison::make_groups() {
  std::unordered_map<ValueId, size_t> group_of;
  for (uint32_t i = 0; i < differences_.size(); ++i) {
    const auto [at, fresh] = group_of.try_emplace(differences_[i].parting, groups_.size());
    if (fresh) groups_.push_back({differences_[i].parting, {}});
    groups_[at->second].members.push_back(i);
  }
}

}  // namespace sw
