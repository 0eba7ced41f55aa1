// GPU: normalisations along rows become kernels before anything else is fused. The pattern is an op of two arrays, of
// which one is spread from a reduction of the other along its last dimension, with nothing but simple ops on the way; a
// block of threads holds whole rows, so the array is read once. The result can then not lie where the array lies.
//
//   d = x - broadcast(reduce max(x))          one kernel
//   y = e / broadcast(reduce add(e))          another; with e = exp(d) the first moves into it later: softmax(x)
//
// A simple op has one user and one operand, or two of which one is the other or a spread scalar or parameter.
//
// Follows SoftmaxRewriterTriton of XLA, which also asks whether the kernel is faster, and finds so.
#include <algorithm>

#include "schedule/fusion.h"

namespace sw {

namespace {

constexpr uint32_t kNone = 0xffffffffU;

class RowFusion {
 public:
  explicit RowFusion(FusionGraph& graph) : graph_(graph) {}

  void run() {
    for (uint32_t unit = static_cast<uint32_t>(graph_.size()); unit-- > 0;)
      if (graph_.has_group(unit) && matches(unit)) take_in(unit);
  }

 private:
  bool is_spread_constant(uint32_t unit) const {
    if (graph_.is_free(unit)) return true;
    return graph_.op(unit).kind == OpKind::broadcast_in_dim &&
           graph_.op(graph_.operands(unit)[0].unit).kind == OpKind::parameter;
  }

  // A unit that computes one array alone; others are what a pattern begins with.
  bool is_single(uint32_t unit) const {
    return graph_.has_group(unit) && graph_.group(unit).units.size() == 1 && !graph_.group(unit).product;
  }

  // The operand by which a simple op is looked through; kNone when it is none.
  uint32_t behind(uint32_t unit) const {
    if (!is_single(unit) || graph_.must_exist(unit) || graph_.consumers(unit).size() > 1) return kNone;
    if (!is_elementwise(graph_.op(unit).kind)) return kNone;
    const std::span<const Leaf> operands = graph_.operands(unit);
    if (operands.size() == 1) return operands[0].unit;
    if (operands.size() != 2) return kNone;
    if (operands[0] == operands[1]) return operands[0].unit;
    const bool first = is_spread_constant(operands[0].unit), second = is_spread_constant(operands[1].unit);
    if (first == second) return kNone;
    return operands[first ? 1 : 0].unit;
  }

  // The first op of a kind behind simple ones, which are noted.
  uint32_t find(uint32_t unit, OpKind kind) {
    while (unit != kNone && graph_.op(unit).kind != kind) {
      inside_.push_back(unit);
      unit = behind(unit);
    }
    return unit;
  }

  bool spreads_rows(uint32_t broadcast) const {
    const Type from = graph_.type(graph_.operands(broadcast)[0]), to = graph_.type(broadcast);
    const DimList& dims = graph_.op(broadcast).dims;
    for (size_t d = 0; d < dims.size() && d < from.rank(); ++d)
      if (dims[d] == static_cast<int64_t>(to.rank()) - 1 && from.dims[d] != 1) return false;
    return true;
  }

  bool used_once(uint32_t unit) const {
    return is_single(unit) && !graph_.must_exist(unit) && graph_.consumers(unit).size() == 1;
  }

  // Leaves the units between in inside_.
  bool matches(uint32_t root) {
    inside_.clear();
    const std::span<const Leaf> operands = graph_.operands(root);
    if (!is_single(root) || !is_elementwise(graph_.op(root).kind) || operands.size() != 2) return false;
    const uint32_t broadcast = find(operands[1].unit, OpKind::broadcast_in_dim);
    if (broadcast == kNone || !used_once(broadcast) || !spreads_rows(broadcast)) return false;
    inside_.push_back(broadcast);
    const uint32_t reduction = find(graph_.operands(broadcast)[0].unit, OpKind::reduce);
    if (reduction == kNone || !used_once(reduction) || !graph_.reduces_rows(reduction)) return false;
    inside_.push_back(reduction);
    uint32_t producer = graph_.operands(reduction)[0].unit;
    for (uint32_t next = behind(producer); next != kNone; next = behind(producer)) {
      inside_.push_back(producer);
      producer = next;
    }
    const uint32_t other = operands[0].unit;
    if (other == producer) return true;
    for (uint32_t unit = other; unit != producer; unit = behind(unit)) {
      if (behind(unit) == kNone) return false;
      inside_.push_back(unit);
    }
    return true;
  }

  void take_in(uint32_t root) {
    std::sort(inside_.begin(), inside_.end());
    inside_.erase(std::unique(inside_.begin(), inside_.end()), inside_.end());
    const auto is_inside = [&](uint32_t unit) { return std::binary_search(inside_.begin(), inside_.end(), unit); };
    std::vector<FusionInput> inputs;
    for (const uint32_t unit : inside_)
      for (const FusionInput& input : graph_.own_inputs(unit))
        if (!is_inside(input.leaf.unit)) inputs.push_back(input);
    for (size_t i = inside_.size(); i-- > 0;) {
      graph_.drop_consumer(inside_[i], root);
      graph_.remove_group(inside_[i]);
    }
    FusionGroup& group = graph_.group(root);
    std::erase_if(group.inputs, [&](const FusionInput& input) { return is_inside(input.leaf.unit); });
    for (const FusionInput& input : inputs) graph_.add_input(root, input);
    group.units.insert(group.units.begin(), inside_.begin(), inside_.end());
    group.rows = true;
  }

  FusionGraph& graph_;
  std::vector<uint32_t> inside_;
};

}  // namespace

void fuse_rows(FusionGraph& graph) { RowFusion(graph).run(); }

}  // namespace sw
