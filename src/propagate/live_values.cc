// See the header. Backwards from what is returned, over ops not seen before.
#include "propagate/live_values.h"

#include <unordered_map>

namespace sw {

namespace {

class Walk {
 public:
  explicit Walk(const Graph& graph)
      : graph_(graph),
        callee_(graph.strings.find("callee")),
        effect_(graph.strings.find("has_side_effect")),
        seen_(graph.op_count()),
        live_(graph.value_count()) {
    for (size_t i = 0; i < graph.function_count(); ++i)
      functions_.try_emplace(graph.function(FunctionId{i}).name, FunctionId{i});
  }

  std::vector<char> run() {
    if (graph_.main.valid()) add_body(graph_.function(graph_.main).body);
    while (!work_.empty()) {
      const OpId id = work_.back();
      work_.pop_back();
      for (const ValueId operand : graph_.operands(id)) {
        live_[operand.index()] = 1;
        if (graph_.value(operand).def.valid()) add(graph_.value(operand).def);
      }
      for (const RegionId region : graph_.regions(graph_.op(id))) add_body(region);
      if (const FunctionId function = called(id); function.valid()) add_body(graph_.function(function).body);
    }
    return std::move(live_);
  }

 private:
  void add(OpId id) {
    if (seen_[id.index()] != 0) return;
    seen_[id.index()] = 1;
    work_.push_back(id);
  }

  void add_body(RegionId region) {
    if (!region.valid()) return;
    for (const BlockId block : graph_.region(region).blocks)
      for (const OpId id : graph_.block(block).ops)
        if (id == graph_.block(block).ops.back() || has_effect(graph_.op(id))) add(id);
  }

  bool has_effect(const Op& op) const {
    if (op.result_count == 0) return true;
    if (graph_.type_of(op.first_result).is_token()) return true;
    const AttrId effect = effect_.valid() ? graph_.attr(op, effect_) : AttrId{};
    return effect.valid() && graph_.attr_table.get(effect).integer != 0;
  }

  FunctionId called(OpId id) const {
    const AttrId callee = callee_.valid() ? graph_.attr(graph_.op(id), callee_) : AttrId{};
    if (!callee.valid()) return {};
    const StringId name = graph_.strings.find(graph_.attr_table.get(callee).text);
    const auto at = functions_.find(name);
    return name.valid() && at != functions_.end() ? at->second : FunctionId{};
  }

  const Graph& graph_;
  StringId callee_, effect_;
  std::unordered_map<StringId, FunctionId> functions_;
  std::vector<char> seen_, live_;
  std::vector<OpId> work_;
};

}  // namespace

std::vector<char> live_values(const Graph& graph) { return Walk(graph).run(); }

}  // namespace sw
