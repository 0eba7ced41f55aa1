// See the header. Union-find over values.
#include "propagate/neighbours.h"

#include <algorithm>
#include <numeric>
#include <span>
#include <unordered_map>

#include "ir/op_kind.h"

namespace sw {

namespace {

class Joiner {
 public:
  Joiner(const Graph& graph, const std::vector<char>& flags) : graph_(graph), flags_(flags), parent_(flags.size()) {
    std::iota(parent_.begin(), parent_.end(), 0U);
    for (size_t i = 0; i < graph.function_count(); ++i)
      functions_.try_emplace(graph.function(FunctionId{i}).name, FunctionId{i});
    callee_ = graph.strings.find("callee");
  }

  void join_all() {
    for (size_t i = 0; i < graph_.op_count(); ++i)
      if (graph_.op(OpId{i}).parent.valid()) join_op(OpId{i});
  }

  uint32_t root(uint32_t at) {
    while (parent_[at] != at) at = parent_[at] = parent_[parent_[at]];
    return at;
  }

 private:
  void join(ValueId a, ValueId b) {
    if (flags_[a.index()] != 0 && flags_[b.index()] != 0) parent_[root(b.raw)] = root(a.raw);
  }

  // Value i of one list with value i of the other.
  void join_lists(std::span<const ValueId> a, std::span<const ValueId> b) {
    for (size_t i = 0; i < std::min(a.size(), b.size()); ++i) join(a[i], b[i]);
  }

  void join_op(OpId id) {
    const Op& op = graph_.op(id);
    const std::span<const ValueId> operands = graph_.operands(op);
    std::vector<ValueId> results;
    for (uint32_t r = 0; r < op.result_count; ++r) results.push_back(graph_.result(id, r));
    if (has_trait(op.kind, kTerminator)) return;
    switch (op.kind) {
      case OpKind::while_:
        join_lists(operands, results);
        for (const RegionId region : graph_.regions(op)) {
          join_lists(operands, arguments(region));
          join_lists(arguments(region), results);
        }
        if (graph_.regions(op).size() == 2) join_lists(returned(graph_.regions(op)[1]), results);
        return;
      case OpKind::case_:
      case OpKind::if_:
        for (const RegionId region : graph_.regions(op)) join_lists(returned(region), results);
        return;
      case OpKind::optimization_barrier: join_lists(operands, results); return;
      case OpKind::manual_computation:
      case OpKind::named_computation:
        for (const RegionId region : graph_.regions(op)) join_region(operands, region, results);
        return;
      default: break;
    }
    const AttrId callee = callee_.valid() ? graph_.attr(op, callee_) : AttrId{};
    if (callee.valid()) {
      const auto at = functions_.find(graph_.strings.find(graph_.attr_table.get(callee).text));
      if (at != functions_.end()) join_region(operands, graph_.function(at->second).body, results);
      return;
    }
    join_flat(operands, results);
  }

  void join_flat(std::span<const ValueId> operands, std::span<const ValueId> results) {
    ValueId first;
    for (const std::span<const ValueId> list : {operands, results})
      for (const ValueId value : list) {
        if (flags_[value.index()] == 0) continue;
        if (first.valid()) join(first, value);
        first = value;
      }
  }

  void join_region(std::span<const ValueId> operands, RegionId region, std::span<const ValueId> results) {
    if (!region.valid()) return;
    join_lists(operands, arguments(region));
    join_lists(returned(region), results);
  }

  std::vector<ValueId> arguments(RegionId region) const {
    const BlockId entry = graph_.entry_block(region);
    std::vector<ValueId> out;
    for (uint32_t i = 0; i < graph_.block(entry).arg_count; ++i) out.push_back(graph_.arg(entry, i));
    return out;
  }

  std::span<const ValueId> returned(RegionId region) const {
    const Block& block = graph_.block(graph_.entry_block(region));
    return block.ops.empty() ? std::span<const ValueId>() : graph_.operands(block.ops.back());
  }

  const Graph& graph_;
  const std::vector<char>& flags_;
  std::vector<uint32_t> parent_;
  std::unordered_map<StringId, FunctionId> functions_;
  StringId callee_;
};

}  // namespace

void sort_as_text(const Graph& graph, std::vector<ValueId>& values) {
  const auto place = [&](ValueId value) {
    const Value& v = graph.value(value);
    const SourceRange where = v.def.valid() ? graph.op(v.def).where : v.where;
    return std::pair(where.valid() ? where.begin : 0, value.raw);
  };
  std::sort(values.begin(), values.end(), [&](ValueId a, ValueId b) { return place(a) < place(b); });
}

std::vector<std::vector<ValueId>> neighbour_groups(const Graph& graph, const std::vector<ValueId>& values,
                                                   const std::vector<char>& flags) {
  if (values.empty()) return {};
  Joiner joiner(graph, flags);
  joiner.join_all();
  std::vector<std::vector<ValueId>> groups;
  std::unordered_map<uint32_t, size_t> group_of;
  for (const ValueId value : values) {
    const auto [at, fresh] = group_of.try_emplace(joiner.root(value.raw), groups.size());
    if (fresh) groups.emplace_back();
    groups[at->second].push_back(value);
  }
  return groups;
}

}  // namespace sw
