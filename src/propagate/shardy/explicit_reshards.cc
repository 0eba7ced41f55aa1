// See the header. Candidates are pairs (factor, axes): what a tensor has on a factor, and every prefix of it. The best
// one is taken again and again: most elements of tensors that have it, then the kind of factor, then the size it adds.
#include "propagate/shardy/explicit_reshards.h"

#include <algorithm>
#include <tuple>

#include "propagate/shardy/sharding_ops.h"

namespace sw::shardy {
namespace {

struct Candidate {
  size_t factor = 0;
  AxisList axes;
  int64_t elements = 0;
  int rank = 0;      // by kind of factor
  int64_t adds = 1;  // by how much it shards further
};

int rank_of(FactorKind kind) {
  switch (kind) {
    case FactorKind::pass_through: return 3;
    case FactorKind::reduction: return 2;
    case FactorKind::permutation: return 1;
    case FactorKind::need_replication: return 0;
  }
  return 0;
}

// Shorter lists first; axes by name, then a sub-axis that starts an axis before the axis.
bool before(const Mesh& mesh, const AxisList& a, const AxisList& b) {
  if (a.size() != b.size()) return a.size() < b.size();
  for (size_t i = 0; i < a.size(); ++i) {
    if (a[i] == b[i]) continue;
    if (a[i].axis != b[i].axis) return mesh.axes[a[i].axis].name < mesh.axes[b[i].axis].name;
    return a[i] < b[i];
  }
  return false;
}

bool worse(const Mesh& mesh, const Candidate& a, const Candidate& b) {
  const auto key = [](const Candidate& c) { return std::tuple(c.elements, c.rank, c.adds, c.factor); };
  if (key(a) != key(b)) return key(a) < key(b);
  return before(mesh, a.axes, b.axes);
}

// Cuts `axes` before what overlaps `taken`; false when nothing does.
bool cut_overlap(AxisList& axes, const AxisList& taken) {
  for (size_t i = 0; i < axes.size(); ++i) {
    const std::optional<AxisRef> kept =
        prefix_without_overlap(axes[i], std::span<const AxisRef>(taken.data(), taken.size()));
    if (kept.has_value() && *kept == axes[i]) continue;
    axes.resize(i);
    if (kept.has_value()) axes.push_back(*kept);
    return true;
  }
  return false;
}

bool overlap_any(const AxisList& axes, const AxisList& others) {
  return std::any_of(axes.begin(), axes.end(),
                     [&](const AxisRef& axis) { return first_overlapping(others, axis) >= 0; });
}

bool in_all_tensors(const FactorRule& rule, const Projection& projection, size_t factor) {
  for (size_t t = 0; t < projection.tensor_count(); ++t)
    if (tensor_factors(rule, t).rank() > 0 && !projection.at(t, factor).present) return false;
  return true;
}

// Moves the axes of factors that must not be sharded to those that every tensor has, where they fit.
void distribute(const FactorRule& rule, const Projection& projection, std::vector<AxisList>& axes) {
  for (size_t f = 0; f < rule.factor_count(); ++f) {
    if (rule.kinds[f] != FactorKind::need_replication) continue;
    const AxisList left = axes[f];
    axes[f].clear();
    if (!in_all_tensors(rule, projection, f)) continue;
    size_t next = 0;
    for (size_t to = 0; to < rule.factor_count() && next < left.size(); ++to) {
      if (rule.kinds[to] != FactorKind::pass_through || !in_all_tensors(rule, projection, to)) continue;
      const int64_t has = product(axes[to]);
      if (rule.sizes[to] == 0 || rule.sizes[to] % has != 0) continue;
      for (int64_t room = rule.sizes[to] / has; next < left.size() && room % left[next].size == 0; ++next) {
        room /= left[next].size;
        append_or_merge(axes[to], left[next]);
      }
    }
  }
}

}  // namespace

bool ExplicitReshards::find(WorkOpId op, Reshards& out) {
  const OpKind kind = ir_.op(op).kind;
  if (kind != OpKind::concatenate && kind != OpKind::dot && kind != OpKind::dot_general) return false;
  if (!engine_.rule_of(op).valid()) return false;
  gather(op);
  if (!mesh_.valid()) return false;
  const FactorRule& rule = engine_.rules().get(engine_.rule_of(op));
  if (rule.custom || rule.operands.size() + rule.results.size() != tensors_.size()) return false;
  const WorkOp& work = ir_.op(op);
  out.operands.assign(work.operand_count, NamedShardingId{});
  out.results.assign(work.result_count, NamedShardingId{});
  projection_.build(rule, tensors_, shardings_);
  return kind == OpKind::concatenate ? reshard_concatenate(rule, out) : reshard_dot(op, rule, out);
}

// The shardings as exported, and the mesh that all of them name; none when they do not agree.
void ExplicitReshards::gather(WorkOpId op) {
  const WorkOp& work = ir_.op(op);
  tensors_.clear();
  sizes_.clear();
  mesh_ = MeshId{};
  bool one_mesh = true;
  const auto add = [&](WorkValueId value) {
    while (ir_.value(value).def.valid() && ir_.op(ir_.value(value).def).kind == OpKind::propagation_barrier)
      value = ir_.operand(ir_.value(value).def, 0);
    tensors_.push_back(final_.exported(value));
    sizes_.push_back(module_.graph.types.get(ir_.value(value).type).element_count());
    if (!tensors_.back().valid()) return;
    const MeshId mesh = shardings_.get(tensors_.back()).mesh;
    one_mesh = one_mesh && (!mesh_.valid() || mesh == mesh_);
    mesh_ = mesh;
  };
  for (uint32_t i = 0; i < work.operand_count; ++i) add(ir_.operand(op, i));
  for (uint32_t i = 0; i < work.result_count; ++i) add(ir_.result(op, i));
  if (!one_mesh) mesh_ = MeshId{};
}

NamedShardingId ExplicitReshards::read_back(const FactorRule& rule, size_t tensor) {
  return closed_like(shardings_, projection_.read_back(rule, tensor, mesh_, tensors_[tensor], shardings_));
}

bool ExplicitReshards::reshard_concatenate(const FactorRule& rule, Reshards& out) {
  if (std::all_of(tensors_.begin(), tensors_.end(), [&](NamedShardingId id) { return id == tensors_.back(); }))
    return false;
  const std::vector<AxisList> common = common_axes(rule);
  bool any = false;
  for (size_t t = 0; t < tensors_.size(); ++t) {
    bool differs = false;
    for (size_t f = 0; f < rule.factor_count(); ++f) {
      FactorSharding& cell = projection_.at(t, f);
      if (!cell.present || same_axes(cell.axes, common[f])) continue;
      cell.axes = common[f];
      differs = true;
    }
    if (!differs) continue;
    (t < out.operands.size() ? out.operands[t] : out.results[t - out.operands.size()]) = read_back(rule, t);
    any = true;
  }
  return any;
}

std::vector<AxisList> ExplicitReshards::common_axes(const FactorRule& rule) const {
  std::vector<AxisList> axes(rule.factor_count());
  if (agreed(rule, axes)) return axes;
  pick_axes(rule, axes);
  distribute(rule, projection_, axes);
  return axes;
}

// Every factor is sharded in one way, no axis serves two of them, and none that must not be is sharded.
bool ExplicitReshards::agreed(const FactorRule& rule, std::vector<AxisList>& axes) const {
  AxisList seen;
  for (size_t f = 0; f < rule.factor_count(); ++f) {
    const AxisList* first = nullptr;
    for (size_t t = 0; t < projection_.tensor_count(); ++t) {
      if (!projection_.at(t, f).present) continue;
      const AxisList& has = projection_.at(t, f).axes;
      if (first != nullptr && !same_axes(*first, has)) return false;
      first = &has;
    }
    if (first == nullptr || first->empty()) continue;
    if (rule.kinds[f] == FactorKind::need_replication || overlap_any(*first, seen)) return false;
    axes[f] = *first;
    seen.append(first->begin(), first->end());
  }
  return true;
}

void ExplicitReshards::pick_axes(const FactorRule& rule, std::vector<AxisList>& chosen) const {
  const Mesh& mesh = shardings_.mesh(mesh_).mesh;
  for (AxisList& axes : chosen) axes.clear();
  std::vector<Candidate> candidates;
  for (size_t t = 0; t < projection_.tensor_count(); ++t) {
    for (size_t f = 0; f < rule.factor_count(); ++f) {
      for (AxisList axes = projection_.at(t, f).axes; !axes.empty(); axes.resize(axes.size() - 1)) {
        const auto same = [&](const Candidate& c) { return c.factor == f && same_axes(c.axes, axes); };
        if (std::none_of(candidates.begin(), candidates.end(), same))
          candidates.push_back({f, axes, 0, rank_of(rule.kinds[f]), product(axes)});
      }
    }
  }
  for (Candidate& c : candidates)
    for (size_t t = 0; t < projection_.tensor_count(); ++t)
      if (is_prefix(c.axes, projection_.at(t, c.factor).axes)) c.elements += sizes_[t];
  while (!candidates.empty()) {
    const auto worse_of = [&](const Candidate& a, const Candidate& b) { return worse(mesh, a, b); };
    const Candidate best = *std::max_element(candidates.begin(), candidates.end(), worse_of);
    chosen[best.factor] = best.axes;
    std::vector<Candidate> left;
    for (Candidate& c : candidates) {
      if (c.factor == best.factor) {
        if (!is_strict_prefix(best.axes, c.axes)) continue;
        c.adds = product(c.axes) / product(best.axes);
      } else if (cut_overlap(c.axes, best.axes)) {
        if (same_axes(c.axes, chosen[c.factor])) continue;
        c.adds = product(c.axes) / product(chosen[c.factor]);
      } else {
        c.adds = product(c.axes);  // what the factor has already counts again here
      }
      left.push_back(std::move(c));
    }
    candidates = std::move(left);
  }
}

// One factor of the result may differ from the operand that has it, and only by having the contracted axes.
bool ExplicitReshards::reshard_dot(WorkOpId op, const FactorRule& rule, Reshards& out) {
  if (!tensors_[2].valid()) return false;
  constexpr size_t kNone = static_cast<size_t>(-1);
  size_t conflict = kNone;
  AxisList wanted, contracted, free;
  for (size_t f = 0; f < rule.factor_count(); ++f) {
    const FactorSharding& lhs = projection_.at(0, f);
    const FactorSharding& rhs = projection_.at(1, f);
    const AxisList& axes = lhs.present ? lhs.axes : rhs.axes;
    int64_t largest = lhs.present ? sizes_[0] : sizes_[1];
    if (lhs.present && rhs.present) {
      largest = std::max(sizes_[0], sizes_[1]);
      if (!same_axes(lhs.axes, rhs.axes)) return false;
      if (rule.kinds[f] == FactorKind::reduction) {
        contracted.append(axes.begin(), axes.end());
        continue;
      }
    } else {
      if (overlap_any(axes, free)) return false;
      free.append(axes.begin(), axes.end());
    }
    if (same_axes(projection_.at(2, f).axes, axes)) continue;
    if (axes.empty() || conflict != kNone || sizes_[2] > largest) return false;
    conflict = f;
    wanted = axes;
  }
  if (conflict == kNone) return false;
  AxisList& has = projection_.at(2, conflict).axes;
  if (has.empty() || !same_axes(has, contracted)) return false;
  has = wanted;
  out.results[0] = read_back(rule, 2);
  return ir_.op(op).result_count == 1;
}

}  // namespace sw::shardy
