// Kernels with several results: an elementwise kernel joins one that reads its result and runs over the same elements,
// and kernels over the same elements that read the same large array join, if nothing else leads from one to the other.
// On a TPU a reduction of a product's result joins the product too, which then makes both.
//
//   m2 = f(m, g); v2 = f(v, g); p2 = h(p, m2, v2)     an optimizer's update: one kernel with three results
//
// Groups that are joined, loops and branches are nodes of a graph that must stay without cycles. Nodes are kept in an
// order in which every edge leads forwards; so whether a path leads from a to b is found by looking only at nodes
// between the two, and joining them moves only those.
//
// Follows MultiOutputFusion of XLA's GPU compiler.
#include <algorithm>
#include <map>

#include "schedule/fusion.h"

namespace sw {

namespace {

class SiblingFusion {
 public:
  explicit SiblingFusion(const FusionGraph& graph)
      : graph_(graph),
        leader_(graph.size()),
        members_(graph.size()),
        control_users_(graph.size()),
        position_(graph.size()),
        at_(graph.size()),
        seen_(graph.size(), 0) {
    arrays_.assign(graph.size(), 1);
    for (uint32_t unit = 0; unit < graph.size(); ++unit) {
      leader_[unit] = position_[unit] = at_[unit] = unit;
      members_[unit] = {unit};
      if (graph.has_group(unit)) arrays_[unit] += graph.group(unit).inputs.size();
      for (const std::vector<Leaf>& operand : graph.control_leaves(unit))
        for (const Leaf leaf : operand) control_users_[leaf.unit].push_back(unit);
      if (graph.op(unit).kind == OpKind::tuple)
        for (const MachineOpId operand : graph.op(unit).operands)
          control_users_[graph.resolve(operand).unit].push_back(unit);
    }
  }

  std::vector<uint32_t> run() {
    for (uint32_t unit = static_cast<uint32_t>(graph_.size()); unit-- > 0;)
      if (graph_.has_group(unit)) join_a_reader(unit);
    std::map<Leaf, std::vector<uint32_t>> readers;
    for (uint32_t unit = 0; unit < graph_.size(); ++unit)
      if (graph_.has_group(unit))
        for (const FusionInput& input : graph_.group(unit).inputs) readers[input.leaf].push_back(unit);
    for (const auto& [leaf, units] : readers) join_readers(leaf, units);
    std::vector<uint32_t> leaders(graph_.size());
    for (uint32_t unit = 0; unit < graph_.size(); ++unit) leaders[unit] = leader(unit);
    return leaders;
  }

 private:
  uint32_t leader(uint32_t unit) const {
    while (leader_[unit] != unit) unit = leader_[unit];
    return unit;
  }

  // A group whose kernel may get another result by a reader of it.
  bool may_join_reader(uint32_t unit) const {
    const OpKind kind = graph_.op(unit).kind;
    const bool moves = kind == OpKind::concatenate || kind == OpKind::broadcast_in_dim || kind == OpKind::transpose;
    const FusionGroup& group = graph_.group(unit);
    if (group.reduces || group.rows || graph_.is_scalar(unit) || graph_.op(unit).role == Role::standalone) return false;
    return group.product ? graph_.compiler() == Compiler::tpu : moves || is_elementwise(kind);
  }

  void join_a_reader(uint32_t unit) {
    if (!may_join_reader(unit)) return;
    std::vector<uint32_t> candidates;
    for (const uint32_t reader : graph_.consumers(unit)) {
      const uint32_t node = leader(reader);
      const OpKind kind = graph_.op(reader).kind;
      if (node == unit || graph_.group(reader).product || graph_.group(reader).rows || !graph_.is_light(reader) ||
          kind == OpKind::dynamic_update_slice || kind == OpKind::scatter || kind == OpKind::gather ||
          kind == OpKind::dynamic_slice || kind == OpKind::reduce_window)
        continue;
      if (graph_.group(unit).product && kind != OpKind::reduce) continue;
      // A kernel turns blocks of one order into another, not of several.
      if (kind == OpKind::transpose && graph_.op(unit).kind == OpKind::transpose) continue;
      if (graph_.iterations(reader) == graph_.iterations(unit)) candidates.push_back(node);
    }
    std::sort(candidates.begin(), candidates.end());
    candidates.erase(std::unique(candidates.begin(), candidates.end()), candidates.end());
    for (const uint32_t node : candidates)
      if (is_in_bounds(unit, node) && !leads_to(unit, node, /*directly=*/false)) return join(unit, node);
  }

  // What both read is counted twice, which is close enough to the limit of what a kernel may have.
  bool is_in_bounds(uint32_t a, uint32_t b) const { return arrays_[a] + arrays_[b] <= kMostKernelArrays; }

  bool may_join_sibling(uint32_t unit, int64_t read) const {
    const OpKind kind = graph_.op(unit).kind;
    if (graph_.group(unit).product || graph_.group(unit).rows || !graph_.is_light(unit) ||
        kind == OpKind::dynamic_update_slice || kind == OpKind::scatter || kind == OpKind::reduce_window ||
        kind == OpKind::transpose || kind == OpKind::concatenate || kind == OpKind::dynamic_slice ||
        kind == OpKind::slice)
      return false;
    const Type type = graph_.type(unit);
    return type.kind != TypeKind::tuple && !graph_.is_scalar(unit) && read >= (packed_bytes(type) + 1) / 2;
  }

  void join_readers(Leaf leaf, const std::vector<uint32_t>& readers) {
    const int64_t read = graph_.bytes(leaf);
    std::vector<uint32_t> siblings;
    for (const uint32_t reader : readers)
      if (may_join_sibling(reader, read)) siblings.push_back(reader);
    for (size_t i = 0; i < siblings.size(); ++i) {
      for (size_t k = i + 1; k < siblings.size(); ++k) {
        const uint32_t a = leader(siblings[i]), b = leader(siblings[k]);
        if (a == b || graph_.iterations(siblings[i]) != graph_.iterations(siblings[k])) continue;
        if (!is_in_bounds(a, b)) continue;
        const bool forward = position_[a] < position_[b];
        if (!leads_to(forward ? a : b, forward ? b : a, /*directly=*/true)) join(a, b);
      }
    }
  }

  template <class Visit>
  void for_each_next(uint32_t node, const Visit& visit) const {
    for (const uint32_t unit : members_[node]) {
      for (const uint32_t reader : graph_.consumers(unit)) visit(leader(reader));
      for (const uint32_t user : control_users_[unit]) visit(user);
    }
  }

  // Whether a path leads from a to b, which stands behind it in the order; without `directly`, one of more than an
  // edge. Leaves in reached_ what else was found between the two.
  bool leads_to(uint32_t a, uint32_t b, bool directly) {
    ++search_;
    reached_.clear();
    bool found = false;
    const auto reach = [&](uint32_t node) {
      if (seen_[node] == search_ || position_[node] >= position_[b]) return;
      seen_[node] = search_;
      reached_.push_back(node);
    };
    for_each_next(a, [&](uint32_t node) {
      if (node == b)
        found = found || directly;
      else if (node != a)
        reach(node);
    });
    for (size_t i = 0; i < reached_.size() && !found; ++i) {
      for_each_next(reached_[i], [&](uint32_t node) {
        if (node == b)
          found = true;
        else
          reach(node);
      });
    }
    return found;
  }

  // `into` gets the results of `from`. Whatever lies behind the two, as the search has just found, moves behind them in
  // the order; the rest stays before.
  void join(uint32_t from, uint32_t into) {
    const uint32_t first = std::min(position_[from], position_[into]);
    const uint32_t last = std::max(position_[from], position_[into]);
    std::vector<uint32_t> before, after;
    for (uint32_t p = first; p <= last; ++p) {
      const uint32_t node = at_[p];
      if (node == from || node == into) continue;
      (seen_[node] == search_ ? after : before).push_back(node);
    }
    leader_[from] = into;
    arrays_[into] += arrays_[from];
    members_[into].insert(members_[into].end(), members_[from].begin(), members_[from].end());
    members_[from].clear();
    before.push_back(from);  // holds a place, nothing else
    before.push_back(into);
    before.insert(before.end(), after.begin(), after.end());
    for (uint32_t i = 0; i < before.size(); ++i) {
      at_[first + i] = before[i];
      position_[before[i]] = first + i;
    }
  }

  const FusionGraph& graph_;
  std::vector<uint32_t> leader_;  // by unit
  std::vector<std::vector<uint32_t>> members_, control_users_;
  std::vector<size_t> arrays_;      // by node: operands and results
  std::vector<uint32_t> position_;  // by node
  std::vector<uint32_t> at_;        // the node at each position
  std::vector<uint32_t> seen_;      // by node: the last search that came by
  std::vector<uint32_t> reached_;
  uint32_t search_ = 0;
};

}  // namespace

std::vector<uint32_t> fuse_siblings(const FusionGraph& graph) { return SiblingFusion(graph).run(); }

}  // namespace sw
