// The factor rule of every op: what Shardy's op sharding rule registry (propagation/op_sharding_rule_registry.cc) and
// XLA's models for mhlo ops (spmd/shardy/extensions/mhlo_extensions.cc) give. Evaluated on any graph, on demand.
//
// A rule depends on the op's types and attributes, and for four ops on its surroundings: concatenate (fed by slices?),
// dynamic_update_slice (constant indices?), scatter (which update computation?), and the custom call X64Combine (does
// an rng_bit_generator use it?). Since rewriting changes surroundings, take the rule when Shardy does: at the first
// visit.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ir/graph.h"
#include "ops/factor_rule.h"

namespace sw {

enum class RuleOutcome : uint8_t {
  rule,  // propagates by this rule
  none,  // propagates nothing, and that is right: constants, data flow ops (they have edges instead), terminators, ...
  unknown,  // propagates nothing, since Shardy knows no rule: must be named in reports
};

struct RuleContext {
  // Shardy's conservative propagation option: no sharding along dimensions whose shards would have to move data.
  bool conservative = false;
  // Whether some user of the value is an rng_bit_generator; asked for results of X64Combine only. Empty: the graph is
  // searched, which is slow in a program with many of them.
  std::function<bool(ValueId)> feeds_rng_bit_generator;
};

// The rule of one op. An attribute sdy.sharding_rule on the op wins. `rule` is reused memory, meaningful for outcome
// `rule`.
RuleOutcome make_factor_rule(const Graph& graph, OpId op, const RuleContext& context, FactorRule& rule);

// Whether a rule has as many operands and results as the op, of the same ranks, all of static shape.
bool rule_fits(const Graph& graph, const Op& op, const FactorRule& rule, std::string* why);

// Why an op has no rule, for reports: "unknown custom call `foo`". Empty when it has one or needs none.
std::string missing_rule_reason(const Graph& graph, OpId op);

// Rules of a whole graph, each distinct one built and stored once: equal ops (kind, types, attributes, surroundings)
// share an id. Layers of a model repeat, so 61,000 ops come down to some hundred rules.
class FactorRuleTable {
 public:
  explicit FactorRuleTable(RuleContext context = {}) : context_(std::move(context)) {}

  struct Answer {
    RuleOutcome outcome = RuleOutcome::none;
    FactorRuleId id;  // valid for outcome `rule`
  };
  Answer of(const Graph& graph, OpId op);
  const FactorRule& get(FactorRuleId id) const { return *rules_[id.index()]; }
  size_t count() const { return rules_.size(); }

 private:
  struct Key {
    SmallVector<uint32_t, 16> words;
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct KeyHash {
    size_t operator()(const Key& key) const;
  };
  Key key_of(const Graph& graph, OpId op) const;

  RuleContext context_;
  std::unordered_map<Key, Answer, KeyHash> answers_;
  std::vector<std::unique_ptr<FactorRule>> rules_;
};

}  // namespace sw
