// XLA's CPU compiler: ops move into all of their users, users first, as long as nothing that is expensive is computed
// twice. Products, convolutions, collectives and sorts are kernels of their own and take nothing in.
//
//   a = exp(p); b = add(a, a)                       one kernel
//   a = exp(p); b = broadcast(a)                    two: exp would run once for each element of b
//   a = exp(p); b = add(a, q); c = multiply(a, q)   a is a buffer; an addition in its place would be computed twice
//
// Follows CpuInstructionFusion and InstructionFusion::IsExpensive.
#include <algorithm>

#include "schedule/fusion.h"

namespace sw {

namespace {

constexpr size_t kMostConcatenated = 8;
constexpr int64_t kLongRow = 128;

class CpuFusion {
 public:
  explicit CpuFusion(FusionGraph& graph) : graph_(graph) {}

  void run() {
    for (uint32_t unit = static_cast<uint32_t>(graph_.size()); unit-- > 0;)
      if (may_move(unit)) move(unit);
  }

 private:
  bool is_loop(uint32_t unit) const {
    switch (graph_.op(unit).kind) {
      case OpKind::scatter:
      case OpKind::reduce_window: return false;
      case OpKind::constant: return graph_.is_scalar(unit);
      case OpKind::concatenate: {
        const Type type = graph_.type(unit);
        const bool along_rows = type.rank() > 1 && !graph_.op(unit).dims.empty() &&
                                graph_.op(unit).dims[0] == static_cast<int64_t>(type.rank()) - 1 &&
                                type.dims.back() >= kLongRow;
        return graph_.operands(unit).size() <= kMostConcatenated && !along_rows;
      }
      default: return graph_.is_light(unit);
    }
  }

  bool is_expensive(uint32_t unit) const {
    switch (graph_.op(unit).kind) {
      case OpKind::divide:
      case OpKind::remainder:
        return !is_integer(graph_.type(unit).element) || !graph_.is_free(graph_.operands(unit)[1].unit);
      case OpKind::atan2:
      case OpKind::erf:
      case OpKind::exponential:
      case OpKind::exponential_minus_one:
      case OpKind::gather:
      case OpKind::log:
      case OpKind::log_plus_one:
      case OpKind::logistic:
      case OpKind::map:
      case OpKind::power:
      case OpKind::reduce:
      case OpKind::rsqrt:
      case OpKind::sqrt:
      case OpKind::cbrt:
      case OpKind::tanh: return true;
      default: return false;
    }
  }

  // Whether the group reads elements of the unit more than once.
  bool reuses(const FusionGroup& group, uint32_t unit) const {
    std::vector<uint32_t> todo{unit}, seen{unit};
    while (!todo.empty()) {
      const Leaf leaf{todo.back(), 0};
      todo.pop_back();
      for (const uint32_t reader : group.units) {
        const std::span<const Leaf> operands = graph_.operands(reader);
        if (std::find(operands.begin(), operands.end(), leaf) == operands.end()) continue;
        const OpKind kind = graph_.op(reader).kind;
        if (kind == OpKind::broadcast_in_dim || kind == OpKind::gather) return true;
        if (std::find(seen.begin(), seen.end(), reader) != seen.end()) continue;
        seen.push_back(reader);
        todo.push_back(reader);
      }
    }
    return false;
  }

  bool may_move(uint32_t unit) const {
    if (!graph_.has_group(unit) || graph_.must_exist(unit) || !is_loop(unit) || graph_.consumers(unit).empty())
      return false;
    const bool expensive = is_expensive(unit) && !graph_.is_scalar(unit);
    if (expensive && graph_.consumers(unit).size() > 1) return false;
    for (const uint32_t user : graph_.consumers(unit)) {
      const FusionGroup& group = graph_.group(user);
      if (!is_loop(user) || (expensive && reuses(group, unit)) ||
          group.inputs.size() + graph_.group(unit).inputs.size() > kMostKernelArrays)
        return false;
      const OpKind kind = graph_.op(user).kind;
      if (kind == OpKind::dynamic_update_slice && graph_.operands(user)[0].unit == unit) return false;
    }
    return true;
  }

  void move(uint32_t unit) {
    const std::vector<uint32_t> users = graph_.consumers(unit);
    const FusionGroup moved = graph_.group(unit);
    for (const uint32_t user : users) {
      FusionGroup& group = graph_.group(user);
      std::erase_if(group.inputs, [&](const FusionInput& input) { return input.leaf.unit == unit; });
      for (const FusionInput& input : moved.inputs) graph_.add_input(user, input);
      graph_.drop_consumer(unit, user);
      group.units.insert(group.units.begin(), unit);
    }
    graph_.remove_group(unit);
  }

  FusionGraph& graph_;
};

}  // namespace

void fuse_for_cpu(FusionGraph& graph) { CpuFusion(graph).run(); }

}  // namespace sw
