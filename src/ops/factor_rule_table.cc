// Builds each distinct factor rule once: the key of an op is everything that its rule depends on.
#include "base/hash.h"
#include "ops/dims_reduce.h"
#include "ops/dims_slice.h"
#include "ops/factors.h"

namespace sw {

namespace {

// What the rule of an op depends on beside its own types and attributes, as a number.
uint32_t surroundings(const Graph& graph, OpId id, const RuleContext& context) {
  const Op& op = graph.op(id);
  switch (op.kind) {
    case OpKind::concatenate: {
      const ConcatenatePieces pieces = concatenate_pieces(graph, id);
      return (pieces.all_sliced ? 1U : 0U) | (pieces.one_source ? 2U : 0U);
    }
    case OpKind::dynamic_update_slice: return update_indices_are_constant(graph, id) ? 1 : 0;
    case OpKind::scatter: {
      const auto regions = graph.regions(op);
      return regions.empty() ? 0 : static_cast<uint32_t>(common_reducer(graph, regions[0], op.operands.count / 2));
    }
    // Without the callback the answer is searched for in the graph when the rule is made: then no two calls share one.
    case OpKind::custom_call:
      if (!context.feeds_rng_bit_generator) return id.raw;
      return op.result_count == 1 && context.feeds_rng_bit_generator(graph.result(id)) ? 1 : 0;
    default: return 0;
  }
}

}  // namespace

size_t FactorRuleTable::KeyHash::operator()(const Key& key) const {
  uint64_t h = key.words.size();
  for (uint32_t w : key.words) h = hash_mix(h, w);
  return static_cast<size_t>(h);
}

// Attributes that hold shardings are left out: they differ between ops that are otherwise alike.
FactorRuleTable::Key FactorRuleTable::key_of(const Graph& graph, OpId id) const {
  const Op& op = graph.op(id);
  const auto operands = graph.operands(op);
  Key key;
  key.words.push_back(static_cast<uint32_t>(op.kind));
  key.words.push_back(surroundings(graph, id, context_));
  key.words.push_back(op.kind == OpKind::unknown ? op.name.raw : 0);
  key.words.push_back(static_cast<uint32_t>(operands.size()));
  for (ValueId operand : operands) key.words.push_back(graph.value(operand).type.raw);
  key.words.push_back(op.result_count);
  for (uint32_t i = 0; i < op.result_count; ++i) key.words.push_back(graph.value(graph.result(id, i)).type.raw);
  for (const NamedAttr& named : graph.attrs(op)) {
    const AttrKind kind = graph.attr_table.get(named.value).kind;
    if (kind == AttrKind::sharding || kind == AttrKind::sharding_list || kind == AttrKind::tile_sharding) continue;
    key.words.push_back(named.name.raw);
    key.words.push_back(named.value.raw);
  }
  return key;
}

FactorRuleTable::Answer FactorRuleTable::of(const Graph& graph, OpId op) {
  const auto [at, added] = answers_.try_emplace(key_of(graph, op));
  if (!added) return at->second;
  auto rule = std::make_unique<FactorRule>();
  at->second.outcome = make_factor_rule(graph, op, context_, *rule);
  if (at->second.outcome == RuleOutcome::rule) {
    at->second.id = FactorRuleId{rules_.size()};
    rules_.push_back(std::move(rule));
  }
  return at->second;
}

}  // namespace sw
