// See the header.
#include "propagate/match.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/hash.h"

namespace sw {

namespace {

// How far a gap between two matched neighbours is searched for a partner of the next operation.
constexpr size_t kLookAhead = 64;

uint64_t type_hash(const Graph& graph, TypeId id) {
  const Type type = graph.types.get(id);
  uint64_t h = hash_mix(static_cast<uint64_t>(type.kind), static_cast<uint64_t>(type.element));
  for (const int64_t d : type.dims) h = hash_mix(h, static_cast<uint64_t>(d));
  return hash_mix(h, type.elements.size());
}

// One program in the order of its text.
class Signed {
 public:
  explicit Signed(const Graph& graph) : graph_(graph), signature_(graph.value_count()) {
    for (uint32_t i = 0; i < graph.function_count(); ++i) {
      const Function& function = graph.function(FunctionId{i});
      if (function.body.valid()) sign_arguments(function);
    }
    for (uint32_t i = 0; i < graph.op_count(); ++i)
      if (graph.op(OpId{i}).parent.valid()) order_.push_back(OpId{i});
    std::stable_sort(order_.begin(), order_.end(),
                     [&](OpId x, OpId y) { return graph.op(x).where.begin < graph.op(y).where.begin; });
    for (const OpId op : order_) sign_op(op);
  }

  const Graph& graph() const { return graph_; }
  uint64_t signature(ValueId value) const { return signature_[value.index()]; }
  const std::vector<OpId>& order() const { return order_; }

 private:
  void sign_arguments(const Function& function) {
    const Block& block = graph_.block(graph_.entry_block(function.body));
    for (uint32_t i = 0; i < block.arg_count; ++i) {
      const ValueId value{block.first_arg.raw + i};
      const LocationId loc = graph_.value(value).loc;
      const bool named = loc.valid() && graph_.location(loc).kind == LocationKind::name;
      const uint64_t who = named ? hash_bytes(graph_.strings.text(graph_.location(loc).text)) : i;
      const uint64_t where = hash_bytes(graph_.strings.text(function.name));
      signature_[value.index()] = hash_mix(hash_mix(where, who), type_hash(graph_, graph_.value(value).type));
    }
  }

  void sign_op(OpId id) {
    const Op& op = graph_.op(id);
    uint64_t h = hash_bytes(graph_.strings.text(op.name));
    for (const ValueId operand : graph_.operands(op)) h = hash_mix(h, signature_[operand.index()]);
    for (uint32_t i = 0; i < op.result_count; ++i) {
      const ValueId value = graph_.result(id, i);
      signature_[value.index()] = hash_mix(hash_mix(h, i), type_hash(graph_, graph_.value(value).type));
    }
    // Arguments of its regions; regions of HLO computations belong to functions and are signed there.
    uint64_t number = 1;
    for (const RegionId region : graph_.regions(op))
      for (const BlockId block : graph_.region(region).blocks) {
        if (graph_.is_hlo) continue;
        for (uint32_t i = 0; i < graph_.block(block).arg_count; ++i) {
          const ValueId value = graph_.arg(block, i);
          signature_[value.index()] = hash_mix(hash_mix(h, ++number), type_hash(graph_, graph_.value(value).type));
        }
      }
  }

  const Graph& graph_;
  std::vector<uint64_t> signature_;
  std::vector<OpId> order_;
};

class Matcher {
 public:
  Matcher(const Graph& a, const Graph& b) : a_(a), b_(b), b_of_a_(a.value_count()), taken_(b.value_count()) {}

  std::vector<ValueId> match() {
    by_signature();
    by_argument();
    by_position();
    return std::move(b_of_a_);
  }

 private:
  void set(ValueId a, ValueId b) {
    b_of_a_[a.index()] = b;
    taken_[b.index()] = 1;
  }

  void by_signature() {
    std::unordered_map<uint64_t, std::pair<std::vector<ValueId>, std::vector<ValueId>>> same;
    for (uint32_t i = 0; i < a_.graph().value_count(); ++i) same[a_.signature(ValueId{i})].first.push_back(ValueId{i});
    for (uint32_t i = 0; i < b_.graph().value_count(); ++i) same[b_.signature(ValueId{i})].second.push_back(ValueId{i});
    for (const auto& [signature, lists] : same)
      if (signature != 0 && lists.first.size() == lists.second.size())
        for (size_t i = 0; i < lists.first.size(); ++i) set(lists.first[i], lists.second[i]);
  }

  // Arguments of main of another shape: by their names, by number where they have none.
  void by_argument() {
    const auto arguments = [](const Graph& graph) {
      std::unordered_map<std::string, ValueId> by_name;
      if (!graph.main.valid() || !graph.function(graph.main).body.valid()) return by_name;
      const BlockId entry = graph.entry_block(graph.function(graph.main).body);
      for (uint32_t i = 0; i < graph.block(entry).arg_count; ++i) {
        const LocationId loc = graph.value(graph.arg(entry, i)).loc;
        const bool named = loc.valid() && graph.location(loc).kind == LocationKind::name;
        by_name[named ? std::string(graph.strings.text(graph.location(loc).text)) : std::to_string(i)] =
            graph.arg(entry, i);
      }
      return by_name;
    };
    const auto of_a = arguments(a_.graph()), of_b = arguments(b_.graph());
    for (const auto& [name, value] : of_a) {
      const auto other = of_b.find(name);
      if (other != of_b.end() && !b_of_a_[value.index()].valid() && taken_[other->second.index()] == 0)
        set(value, other->second);
    }
  }

  void set_op(OpId a, OpId b) {
    for (uint32_t r = 0; r < a_.graph().op(a).result_count; ++r) set(a_.graph().result(a, r), b_.graph().result(b, r));
    const auto regions_a = a_.graph().regions(a_.graph().op(a)), regions_b = b_.graph().regions(b_.graph().op(b));
    if (a_.graph().is_hlo || b_.graph().is_hlo || regions_a.size() != regions_b.size()) return;
    for (size_t i = 0; i < regions_a.size(); ++i) {
      const BlockId block_a = a_.graph().entry_block(regions_a[i]), block_b = b_.graph().entry_block(regions_b[i]);
      const uint32_t count = std::min(a_.graph().block(block_a).arg_count, b_.graph().block(block_b).arg_count);
      for (uint32_t j = 0; j < count; ++j) set(a_.graph().arg(block_a, j), b_.graph().arg(block_b, j));
    }
  }

  bool alike(OpId x, OpId y) const {
    const Op& a = a_.graph().op(x);
    const Op& b = b_.graph().op(y);
    if (a.result_count != b.result_count || a.result_count == 0) return false;
    if (a_.graph().strings.text(a.name) != b_.graph().strings.text(b.name)) return false;
    return a_.graph().type_of(a.first_result).rank() == b_.graph().type_of(b.first_result).rank();
  }

  // Walks both texts together; a matched operation sets the place in b, an unmatched one takes the next that is alike.
  void by_position() {
    std::vector<uint32_t> place(b_.graph().op_count());
    for (uint32_t i = 0; i < b_.order().size(); ++i) place[b_.order()[i].index()] = i;
    size_t at = 0;
    for (const OpId op : a_.order()) {
      if (a_.graph().op(op).result_count == 0) continue;
      const ValueId first = a_.graph().result(op);
      if (b_of_a_[first.index()].valid() && b_.graph().value(b_of_a_[first.index()]).def.valid()) {
        at = place[b_.graph().value(b_of_a_[first.index()]).def.index()] + 1;
        continue;
      }
      for (size_t i = at; i < std::min(at + kLookAhead, b_.order().size()); ++i) {
        const OpId other = b_.order()[i];
        if (!alike(op, other) || taken_[b_.graph().result(other).index()] != 0) continue;
        set_op(op, other);
        at = i + 1;
        break;
      }
    }
  }

  Signed a_, b_;
  std::vector<ValueId> b_of_a_;
  std::vector<char> taken_;
};

}  // namespace

std::vector<ValueId> match_values(const Program& a, const Program& b) {
  if (&a != &b) return Matcher(a.graph, b.graph).match();
  std::vector<ValueId> same(a.graph.value_count());
  for (uint32_t i = 0; i < same.size(); ++i) same[i] = ValueId{i};
  return same;
}

}  // namespace sw
