// See the header. Walks backward from the operands of products. A value that is one element of a tuple is followed
// through the tuple, and from the parameter of a called computation to what the caller gives it.
#include "report/product_inputs.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace sw {

namespace {

constexpr int64_t kWhole = -1;  // a value as it is, not an element of it

bool keeps_meaning(OpKind kind) {
  switch (kind) {
    case OpKind::convert:
    case OpKind::reshape:
    case OpKind::transpose:
    case OpKind::slice:
    case OpKind::dynamic_slice:
    case OpKind::broadcast:
    case OpKind::broadcast_in_dim:
    case OpKind::copy:
    case OpKind::all_gather:
    case OpKind::all_to_all:
    case OpKind::collective_permute:
    case OpKind::pad: return true;
    default: return false;
  }
}

bool is_product(OpKind kind) {
  return kind == OpKind::dot || kind == OpKind::dot_general || kind == OpKind::convolution || kind == OpKind::gather;
}

class Walk {
 public:
  explicit Walk(const Graph& graph) : graph_(graph) {
    for (size_t i = 0; i < graph.op_count(); ++i)
      for (const RegionId region : graph.regions(graph.op(OpId{i}))) callers_.emplace(region.raw, OpId{i});
  }

  std::vector<char> run() {
    const BlockId entry = graph_.entry_block(graph_.function(graph_.main).body);
    read_.assign(graph_.block(entry).arg_count, 0);
    entry_ = entry;
    for (size_t i = 0; i < graph_.op_count(); ++i) {
      if (!is_product(graph_.op(OpId{i}).kind)) continue;
      const auto operands = graph_.operands(OpId{i});
      // Of a gather only what is gathered from.
      const size_t count = graph_.op(OpId{i}).kind == OpKind::gather ? 1 : operands.size();
      for (size_t o = 0; o < std::min(count, operands.size()); ++o) push(operands[o], kWhole);
    }
    while (!open_.empty()) {
      const auto [value, element] = open_.back();
      open_.pop_back();
      step(value, element);
    }
    return std::move(read_);
  }

 private:
  void push(ValueId value, int64_t element) {
    if (seen_.insert((uint64_t{value.raw} << 32U) | static_cast<uint32_t>(element + 1)).second)
      open_.emplace_back(value, element);
  }

  void step(ValueId value, int64_t element) {
    const Value& v = graph_.value(value);
    if (!v.def.valid()) return from_caller(value, element);
    const Op& op = graph_.op(v.def);
    const auto operands = graph_.operands(op);
    if (operands.empty()) return;
    if (element == kWhole) {
      if (op.kind == OpKind::get_tuple_element)
        push(operands[0], index_of(op));
      else if (keeps_meaning(op.kind))
        push(operands[0], kWhole);
      return;
    }
    if (op.kind == OpKind::tuple && static_cast<size_t>(element) < operands.size())
      push(operands[static_cast<size_t>(element)], kWhole);
    if (op.kind == OpKind::while_ || op.kind == OpKind::optimization_barrier) push(operands[0], element);
  }

  void from_caller(ValueId value, int64_t element) {
    const Value& v = graph_.value(value);
    if (v.block == entry_) {
      read_[v.index] = 1;
      return;
    }
    const auto caller = callers_.find(graph_.block(v.block).parent.raw);
    if (caller == callers_.end()) return;
    const Op& op = graph_.op(caller->second);
    const auto operands = graph_.operands(op);
    if (op.kind == OpKind::while_) push(operands[0], element);
    if (op.kind == OpKind::call && v.index < operands.size()) push(operands[v.index], element);
    const auto regions = graph_.regions(op);
    if (op.kind == OpKind::case_)
      for (size_t r = 0; r < regions.size(); ++r)
        if (regions[r] == graph_.block(v.block).parent && r + 1 < operands.size()) push(operands[r + 1], element);
  }

  int64_t index_of(const Op& op) const {
    const AttrId attr = graph_.attr(op, "index");
    return attr.valid() ? graph_.attr_table.get(attr).integer : 0;
  }

  const Graph& graph_;
  BlockId entry_;
  std::unordered_map<uint32_t, OpId> callers_;  // by region: the op that runs it
  std::unordered_set<uint64_t> seen_;
  std::vector<std::pair<ValueId, int64_t>> open_;
  std::vector<char> read_;
};

}  // namespace

std::vector<char> product_inputs(const Graph& graph) {
  if (!graph.main.valid() || !graph.function(graph.main).body.valid()) return {};
  return Walk(graph).run();
}

}  // namespace sw
