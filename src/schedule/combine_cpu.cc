// Follows CpuAllReduceCombiner and CombineInstructionsByKey: in post-order from the root, as many of one kind over the
// same devices as follow one another before one needs the result of another.
#include "schedule/combine_cpu.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "ops/dims_reduce.h"
#include "schedule/ancestors.h"

namespace sw {

namespace {

constexpr size_t kMostTogether = 256;

class Combine {
 public:
  Combine(MachineProgram& program, const Graph& graph, ComputationId computation)
      : program_(program), graph_(graph), computation_(computation) {}

  void run() {
    using Key = std::tuple<AttrId, ElementType, OpKind>;
    std::map<Key, std::vector<MachineOpId>> groups;
    std::vector<MachineOpId> all;
    const StringId devices = graph_.strings.find("replica_groups");
    for (const MachineOpId id : post_order()) {
      const MachineOp& op = program_.op(id);
      if (op.kind != OpKind::fusion || op.does != OpKind::all_reduce || program_.is_tuple(id) ||
          op.operands.size() != 1 || !op.source.valid())
        continue;
      const Op& source = graph_.op(op.source);
      const OpKind reducer =
          source.regions.empty() ? OpKind::unknown : common_reducer(graph_, graph_.regions(source)[0], 1);
      groups[{graph_.attr(source, devices), program_.type_of(id).element, reducer}].push_back(id);
      all.push_back(id);
    }
    if (all.size() < 2) return;
    Ancestors ancestors(program_, computation_, all);
    for (const auto& [key, members] : groups) {
      const std::span<const MachineOpId> list = members;
      for (size_t first = 0, count = 0; first < list.size(); first += count) {
        const auto joins = [&](MachineOpId id) {
          return std::ranges::none_of(list.subspan(first, count),
                                      [&](MachineOpId other) { return ancestors.related(id, other); });
        };
        for (count = 1; first + count < list.size() && count < kMostTogether && joins(list[first + count]);) ++count;
        if (count < 2) continue;
        ancestors.unite(list.subspan(first, count));
        combine(list.subspan(first, count));
      }
    }
    sort_topologically(program_, computation_);
  }

 private:
  // Operands in their order before their user, from the root on.
  std::vector<MachineOpId> post_order() const {
    std::vector<MachineOpId> order;
    std::vector<bool> seen(program_.ops.size(), false);
    std::vector<std::pair<MachineOpId, size_t>> stack{{program_.computation(computation_).root, 0}};
    seen[stack.back().first.index()] = true;
    while (!stack.empty()) {
      auto& [op, next] = stack.back();
      const SmallVector<MachineOpId, 4>& operands = program_.op(op).operands;
      if (next == operands.size()) {
        order.push_back(op);
        stack.pop_back();
        continue;
      }
      const MachineOpId operand = operands[next++];
      if (seen[operand.index()]) continue;
      seen[operand.index()] = true;
      stack.emplace_back(operand, 0);
    }
    return order;
  }

  void combine(std::span<const MachineOpId> members) {
    MachineOp list = program_.op(members[0]);
    list.operands.clear();
    std::vector<TypeId> types;
    for (const MachineOpId id : members) {
      list.operands.push_back(program_.op(id).operands[0]);
      types.push_back(program_.op(id).type);
    }
    list.type = program_.types.tuple(types);
    list.kernel = program_.add(Kernel{});
    const MachineOpId made = program_.append(std::move(list));
    for (uint32_t i = 0; i < members.size(); ++i) {
      MachineOp& op = program_.op(members[i]);
      op.kind = op.does = OpKind::get_tuple_element;
      op.role = Role::plain;
      op.index = i;
      op.operands = {made};
      op.kernel = {};
    }
  }

  MachineProgram& program_;
  const Graph& graph_;
  const ComputationId computation_;
};

}  // namespace

void combine_reductions_for_cpu(MachineProgram& kernels, const Graph& graph) {
  for (const ComputationId id : computations_in_use(kernels)) Combine(kernels, graph, id).run();
}

}  // namespace sw
