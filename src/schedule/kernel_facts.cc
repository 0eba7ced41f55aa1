// An operand may be overwritten by a result that it reaches through elementwise ops only, of as many elements of the
// same width. What else reads it on the way decides: a transposition or a slice reads other elements and forbids it,
// a reduction at the end of the kernel has read its row before anything is written. A CPU's compiler asks for the same
// shape and type, and for elementwise ops alone.
#include "schedule/kernel_facts.h"

#include <algorithm>
#include <set>

namespace sw {

namespace {

class Facts {
 public:
  Facts(FusionGraph& graph, const KernelMembers& kernel) : graph_(graph), kernel_(kernel) {
    std::vector<uint32_t> units;
    for (const uint32_t member : kernel.members)
      units.insert(units.end(), graph.group(member).units.begin(), graph.group(member).units.end());
    std::sort(units.begin(), units.end());
    units.erase(std::unique(units.begin(), units.end()), units.end());
    for (const uint32_t unit : units) {
      const std::span<const Leaf> operands = graph.operands(unit);
      for (uint32_t i = 0; i < operands.size(); ++i) readers_.push_back({operands[i], unit, i});
    }
    std::sort(readers_.begin(), readers_.end());
  }

  Kernel find() {
    Kernel facts;
    for (size_t i = 0; i < kernel_.inputs.size(); ++i) find_overwrites(i, facts);
    for (uint32_t r = 0; r < kernel_.members.size(); ++r) find_in_place(r, facts);
    if (on_cpu_ && graph_.op(kernel_.members[0]).kind == OpKind::sort) find_sorted(facts);
    return facts;
  }

 private:
  struct Reader {
    Leaf leaf;
    uint32_t unit = 0;
    uint32_t operand = 0;
    friend auto operator<=>(const Reader&, const Reader&) = default;
  };

  std::span<const Reader> readers_of(Leaf leaf) const {
    const auto first = std::lower_bound(readers_.begin(), readers_.end(), Reader{leaf});
    auto last = first;
    while (last != readers_.end() && last->leaf == leaf) ++last;
    return {first, last};
  }

  bool is_result(uint32_t unit) const {
    return std::find(kernel_.members.begin(), kernel_.members.end(), unit) != kernel_.members.end();
  }
  // The place of a result in the kernel's type: alone it is all of it.
  uint32_t place(uint32_t result) const { return kernel_.members.size() == 1 ? 0 : place_in_tuple(result); }
  uint32_t place_in_tuple(uint32_t result) const {
    uint32_t at = 1;
    for (uint32_t r = 0; r < result; ++r)
      at += static_cast<uint32_t>(graph_.trees().of(graph_.op(kernel_.members[r]).type).places());
    return at;
  }

  // The results that an input reaches element by element; false when something in the kernel reads it otherwise.
  bool reaches(Leaf input, std::vector<uint32_t>& results) const {
    std::vector<Leaf> todo{input};
    std::set<Leaf> seen{input};
    while (!todo.empty()) {
      const Leaf leaf = todo.back();
      todo.pop_back();
      for (const Reader& reader : readers_of(leaf)) {
        const OpKind kind = graph_.op(reader.unit).kind;
        if (kind == OpKind::reduce && is_result(reader.unit) && !on_cpu_) continue;
        const bool updates =
            !on_cpu_ && (kind == OpKind::dynamic_update_slice || kind == OpKind::scatter) && reader.operand == 0;
        if (!updates && !is_elementwise(kind)) return false;
        if (is_result(reader.unit)) results.push_back(reader.unit);
        const Leaf made{reader.unit, 0};
        if (seen.insert(made).second) todo.push_back(made);
      }
    }
    return true;
  }

  void find_overwrites(size_t input, Kernel& facts) {
    const Leaf leaf = kernel_.inputs[input];
    std::vector<uint32_t> results;
    const Type from = graph_.type(leaf);
    if (!from.is_array() || !reaches(leaf, results)) return;
    for (uint32_t r = 0; r < kernel_.members.size(); ++r) {
      const uint32_t member = kernel_.members[r];
      if (std::find(results.begin(), results.end(), member) == results.end()) continue;
      const Type to = graph_.type(member);
      const bool fits =
          on_cpu_ ? from.element == to.element && std::ranges::equal(from.dims, to.dims) : same_storage(from, to);
      if (fits) facts.may_overwrite.push_back({kernel_.operand_of_input[input], place(r)});
    }
  }

  // What nothing else reads is sorted where it lies.
  void find_sorted(Kernel& facts) const {
    const uint32_t sort = kernel_.members[0];
    const std::span<const Leaf> operands = graph_.operands(sort);
    const TypeTree& tree = graph_.trees().of(graph_.op(sort).type);
    for (size_t i = 0; i < operands.size(); ++i) {
      const Leaf leaf = operands[i];
      if (graph_.must_exist(leaf.unit) || graph_.consumers(leaf.unit).size() != 1 ||
          std::count(operands.begin(), operands.end(), leaf) != 1)
        continue;
      const auto input = std::find(kernel_.inputs.begin(), kernel_.inputs.end(), leaf) - kernel_.inputs.begin();
      facts.may_overwrite.push_back(
          {kernel_.operand_of_input[static_cast<size_t>(input)], tree.is_tuple ? tree.element[i] : 0});
    }
  }

  void find_in_place(uint32_t r, Kernel& facts) {
    const uint32_t member = kernel_.members[r];
    const OpKind kind = graph_.op(member).kind;
    const std::span<const Leaf> operands = graph_.operands(member);
    const TypeTree& tree = graph_.trees().of(graph_.op(member).type);
    const auto add = [&](Leaf leaf, uint32_t at) {
      const auto input = std::find(kernel_.inputs.begin(), kernel_.inputs.end(), leaf);
      if (input == kernel_.inputs.end()) return;
      const uint32_t operand = kernel_.operand_of_input[static_cast<size_t>(input - kernel_.inputs.begin())];
      facts.in_place.push_back({operand, place(r) + at});
    };
    if (kind == OpKind::all_reduce && graph_.compiler() != Compiler::cpu) {
      for (size_t i = 0; i < operands.size(); ++i)
        if (!tree.is_tuple || i < tree.element.size()) add(operands[i], tree.is_tuple ? tree.element[i] : 0);
    } else if ((kind == OpKind::dynamic_update_slice || kind == OpKind::scatter) && !tree.is_tuple) {
      add(operands[0], 0);
    }
  }

  FusionGraph& graph_;
  const KernelMembers& kernel_;
  const bool on_cpu_ = graph_.compiler() == Compiler::cpu;
  std::vector<Reader> readers_;  // sorted
};

}  // namespace

Kernel kernel_facts(FusionGraph& graph, const KernelMembers& kernel) { return Facts(graph, kernel).find(); }

}  // namespace sw
