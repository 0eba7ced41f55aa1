// One visit to an op: the shardings of its tensors in, the shardings that change out. A pure function of the rule, the
// directions and the shardings, all of which are small numbers, so every distinct visit is computed once and
// remembered: the second layer of a model costs a table lookup per op.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "ops/factors.h"
#include "propagate/shardy/factor_axes.h"
#include "propagate/shardy/made_ops.h"
#include "propagate/shardy/propagate.h"
#include "propagate/shardy/work_ir.h"

namespace sw::shardy {

// A rule of the rule book; identity rules of edges lie beside those of ops.
using RuleId = Id<struct RuleTag>;

class RuleBook {
 public:
  RuleBook(const Graph& graph, bool conservative)
      : graph_(graph), table_(RuleContext{conservative, {}}), made_table_(RuleContext{conservative, {}}) {}

  // The rule of an op as read; an invalid id when it has none. Ops of which nothing is known go to `unknown`.
  RuleId of(OpId op, std::vector<OpId>& unknown);
  // The rule of an op that stands in no text.
  RuleId of_made(const MadeOps& made, uint32_t op);
  // Every dimension is a factor of `operands` operands and one result of this type.
  RuleId identity(TypeId type, size_t operands);
  const FactorRule& get(RuleId id) const { return *rules_[id.index()]; }
  size_t count() const { return rules_.size(); }

 private:
  RuleId add(std::shared_ptr<const FactorRule> rule);
  RuleId add(const FactorRuleTable& table, FactorRuleId rule, std::vector<RuleId>& known);

  const Graph& graph_;
  FactorRuleTable table_, made_table_;
  std::vector<std::shared_ptr<const FactorRule>> rules_;
  std::vector<RuleId> of_table_, of_made_table_;  // by FactorRuleId of the tables
  std::unordered_map<uint64_t, RuleId> identities_;
  std::unordered_multimap<uint64_t, RuleId> by_content_;
};

constexpr uint32_t kNoTensor = 0xffffffffU;

struct Update {
  uint32_t tensor;  // operands, then results
  uint32_t from;    // the tensor that had the axes; kNoTensor: none
  NamedShardingId next;
};

class Visitor {
 public:
  Visitor(ShardingTable& shardings, const RuleBook& rules, const ShardyOptions& options)
      : shardings_(shardings), rules_(rules), conservative_(options.conservative) {}

  enum class Factors : uint8_t { aggressive, basic };

  struct Job {
    RuleId rule;
    Directions directions;
    bool elementwise = false;
    bool may_conserve = true;  // edges and barriers ignore the conservative option
    Factors factors = Factors::aggressive;
  };

  // `tensors` has one id per operand and result; invalid: no sharding. The answer is valid until the next call.
  std::span<const Update> run(const Job& job, std::span<const NamedShardingId> tensors);

  size_t distinct_visits() const { return entries_.size(); }

 private:
  struct Entry {
    uint64_t hash = 0;
    uint32_t key = 0;
    uint32_t key_size = 0;
    uint32_t updates = 0;
    uint32_t update_count = 0;
  };

  void compute(const Job& job, std::span<const NamedShardingId> tensors);
  uint32_t source_of(size_t tensor) const;
  MeshId common_mesh(std::span<const NamedShardingId> tensors) const;
  void grow();

  ShardingTable& shardings_;
  const RuleBook& rules_;
  bool conservative_;
  Projection before_, after_;
  std::vector<uint8_t> changed_;
  std::vector<Update> found_;
  // The memory: open addressing over entries; keys and updates lie in pools.
  std::vector<Entry> entries_;
  std::vector<uint32_t> slots_;
  std::vector<uint32_t> keys_;
  std::vector<Update> updates_;
};

}  // namespace sw::shardy
