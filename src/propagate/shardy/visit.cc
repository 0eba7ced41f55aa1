// See the header. Follows propagateTensorShardings and updateTensorSharding of Shardy's basic_propagation.cc, without
// the writing: that is done by the engine, in the order of the updates.
#include "propagate/shardy/visit.h"

#include <algorithm>

#include "propagate/shardy/sharding_ops.h"

namespace sw::shardy {

// ---- rules ---------------------------------------------------------------------------------------------------------

// One id per content: different ops with the same rule share what is remembered of their visits.
RuleId RuleBook::add(std::shared_ptr<const FactorRule> rule) {
  constexpr uint64_t kMix = 0x9e3779b97f4a7c15ULL;
  uint64_t hash = rule->operands.size() * kMix + rule->results.size();
  for (size_t f = 0; f < rule->factor_count(); ++f)
    hash = (hash ^ (hash >> 31)) * kMix + static_cast<uint64_t>(rule->sizes[f]) * 4 +
           static_cast<uint64_t>(rule->kinds[f]);
  for (const auto* tensors : {&rule->operands, &rule->results})
    for (const TensorFactors& tensor : *tensors)
      for (const FactorIndex f : tensor.factors) hash = (hash ^ (hash >> 31)) * kMix + f;
  const auto [begin, end] = by_content_.equal_range(hash);
  for (auto it = begin; it != end; ++it)
    if (*rules_[it->second.index()] == *rule) return it->second;
  const RuleId id{rules_.size()};
  rules_.push_back(std::move(rule));
  by_content_.emplace(hash, id);
  return id;
}

// Rules stay where their table keeps them.
RuleId RuleBook::add(const FactorRuleTable& table, FactorRuleId rule, std::vector<RuleId>& known) {
  if (known.size() <= rule.index()) known.resize(rule.index() + 1);
  RuleId& id = known[rule.index()];
  if (!id.valid()) id = add(std::shared_ptr<const FactorRule>(&table.get(rule), [](const FactorRule*) {}));
  return id;
}

RuleId RuleBook::of(OpId op, std::vector<OpId>& unknown) {
  const FactorRuleTable::Answer answer = table_.of(graph_, op);
  if (answer.outcome == RuleOutcome::unknown) unknown.push_back(op);
  return answer.outcome == RuleOutcome::rule ? add(table_, answer.id, of_table_) : RuleId{};
}

RuleId RuleBook::of_made(const MadeOps& made, uint32_t op) {
  const FactorRuleTable::Answer answer = made_table_.of(made.graph(), OpId{op});
  return answer.outcome == RuleOutcome::rule ? add(made_table_, answer.id, of_made_table_) : RuleId{};
}

RuleId RuleBook::identity(TypeId type, size_t operands) {
  RuleId& id = identities_[uint64_t{type.raw} << 32 | operands];
  if (id.valid()) return id;
  const auto rule = std::make_shared<FactorRule>();
  TensorFactors factors;
  factors.dim_begins.push_back(0);
  for (const int64_t size : graph_.types.get(type).dims) {
    factors.factors.push_back(static_cast<FactorIndex>(rule->sizes.size()));
    factors.dim_begins.push_back(static_cast<uint16_t>(factors.factors.size()));
    rule->sizes.push_back(size);
    rule->kinds.push_back(FactorKind::pass_through);
    rule->blocked.push_back(false);
  }
  rule->operands.assign(operands, factors);
  rule->results.assign(1, factors);
  id = add(rule);
  return id;
}

// ---- one visit -----------------------------------------------------------------------------------------------------

// The mesh that all shardings share, by content; an empty mesh gives way to any other. Invalid: none, or two of them.
MeshId Visitor::common_mesh(std::span<const NamedShardingId> tensors) const {
  MeshId common;
  for (const NamedShardingId id : tensors) {
    if (!id.valid()) continue;
    const MeshId mesh = shardings_.get(id).mesh;
    if (mesh == common) continue;
    if (!common.valid() || shardings_.mesh(common).mesh.empty()) {
      common = mesh;
    } else if (!shardings_.mesh(mesh).mesh.empty() && !(shardings_.mesh(mesh).mesh == shardings_.mesh(common).mesh)) {
      return MeshId{};
    }
  }
  return common;
}

// The tensor from which the first factor that grew in `tensor` has its axes.
uint32_t Visitor::source_of(size_t tensor) const {
  for (size_t f = 0; f < after_.factor_count(); ++f) {
    const AxisList& axes = after_.at(tensor, f).axes;
    if (axes == before_.at(tensor, f).axes) continue;
    for (size_t t = 0; t < after_.tensor_count(); ++t)
      if (t != tensor && before_.at(t, f).present && is_prefix(axes, before_.at(t, f).axes))
        return static_cast<uint32_t>(t);
    for (size_t t = 0; t < after_.tensor_count(); ++t)
      if (t != tensor && before_.at(t, f).present && !before_.at(t, f).axes.empty()) return static_cast<uint32_t>(t);
  }
  return kNoTensor;
}

void Visitor::compute(const Job& job, std::span<const NamedShardingId> tensors) {
  found_.clear();
  const MeshId mesh_id = common_mesh(tensors);
  if (!mesh_id.valid()) return;
  const Mesh& mesh = shardings_.mesh(mesh_id).mesh;
  if (mesh.maximal()) return;
  const FactorRule& rule = rules_.get(job.rule);
  after_.build(rule, tensors, shardings_);
  before_ = after_;
  changed_.assign(tensors.size(), 0);
  const Visit visit{rule, after_, job.directions, job.elementwise, conservative_ && job.may_conserve};
  if (job.factors == Factors::basic) {
    propagate_basic(visit, mesh, changed_);
  } else {
    propagate_aggressive(visit, mesh, changed_);
  }
  for (size_t t = 0; t < tensors.size(); ++t) {
    if (changed_[t] == 0) continue;
    const NamedShardingId next = after_.read_back(rule, t, mesh_id, tensors[t], shardings_);
    if (next == tensors[t] || (!tensors[t].valid() && empty_axes(shardings_.get(next)))) continue;
    found_.push_back({static_cast<uint32_t>(t), source_of(t), next});
  }
}

// ---- memory --------------------------------------------------------------------------------------------------------

std::span<const Update> Visitor::run(const Job& job, std::span<const NamedShardingId> tensors) {
  const uint32_t mode = static_cast<uint32_t>(job.directions.pass_through) |
                        static_cast<uint32_t>(job.directions.other) << 2 | static_cast<uint32_t>(job.elementwise) << 4 |
                        static_cast<uint32_t>(job.may_conserve) << 5 | static_cast<uint32_t>(job.factors) << 6;
  constexpr uint64_t kMix = 0x9e3779b97f4a7c15ULL;
  uint64_t hash = (uint64_t{job.rule.raw} << 8 | mode) * kMix;
  for (const NamedShardingId id : tensors) hash = ((hash ^ (hash >> 29)) + id.raw) * kMix;
  hash ^= hash >> 32;
  if (slots_.size() < 2 * (entries_.size() + 1)) grow();
  const size_t mask = slots_.size() - 1;
  size_t slot = hash & mask;
  for (; slots_[slot] != 0xffffffffU; slot = (slot + 1) & mask) {
    const Entry& entry = entries_[slots_[slot]];
    if (entry.hash != hash || entry.key_size != tensors.size() + 2) continue;
    const uint32_t* key = &keys_[entry.key];
    if (key[0] != job.rule.raw || key[1] != mode) continue;
    if (!std::equal(tensors.begin(), tensors.end(), key + 2, [](NamedShardingId a, uint32_t b) { return a.raw == b; }))
      continue;
    return std::span<const Update>(updates_).subspan(entry.updates, entry.update_count);
  }
  compute(job, tensors);
  Entry entry;
  entry.hash = hash;
  entry.key = static_cast<uint32_t>(keys_.size());
  entry.key_size = static_cast<uint32_t>(tensors.size() + 2);
  entry.updates = static_cast<uint32_t>(updates_.size());
  entry.update_count = static_cast<uint32_t>(found_.size());
  keys_.push_back(job.rule.raw);
  keys_.push_back(mode);
  for (const NamedShardingId id : tensors) keys_.push_back(id.raw);
  updates_.insert(updates_.end(), found_.begin(), found_.end());
  slots_[slot] = static_cast<uint32_t>(entries_.size());
  entries_.push_back(entry);
  return std::span<const Update>(updates_).subspan(entry.updates, entry.update_count);
}

void Visitor::grow() {
  slots_.assign(std::max<size_t>(1024, slots_.size() * 2), 0xffffffffU);
  for (size_t i = 0; i < entries_.size(); ++i) {
    size_t slot = entries_[i].hash & (slots_.size() - 1);
    while (slots_[slot] != 0xffffffffU) slot = (slot + 1) & (slots_.size() - 1);
    slots_[slot] = static_cast<uint32_t>(i);
  }
}

}  // namespace sw::shardy
