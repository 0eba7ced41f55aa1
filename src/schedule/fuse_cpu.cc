// XLA's CPU compiler: the last kernels first, every kernel takes in what it reads, and then what that reads, as long as
// nothing expensive is computed twice. What is cheap is computed again in each kernel that reads it, unless it reads
// more than it makes and some reader, directly or on a longer way, cannot take it in. Products, convolutions,
// collectives and sorts are kernels of their own.
//
//   a = exp(p); b = add(a, a)                       one kernel
//   a = exp(p); b = broadcast(a)                    two: exp would run once for each element of b
//   a = negate(p); b = add(a, q); c = dot(a, q)     a is in b, and a buffer for the product as well
//   a = add(p, r); b = add(a, q); c = dot(a, q)     a is a buffer: b would have to read p and r instead
//
// Follows CpuInstructionFusion, InstructionFusion and, for how often a kernel would compute an op again,
// FusionNodeIndexingEvaluation. Ops that reuse elements are those of HloInstruction::ReusesOperandElements.
#include <algorithm>
#include <map>
#include <set>

#include "schedule/fusion.h"

namespace sw {

namespace {

constexpr size_t kMostConcatenated = 8;
constexpr int64_t kLongRow = 128;
constexpr int64_t kMostReductions = 5;  // in a kernel that takes one more in
constexpr int64_t kMostCopies = 15;     // of the code of an op in one kernel
constexpr size_t kFarAway = 2000;       // units that are searched on the way from one to another

size_t long_dims(const Type& type) {
  return static_cast<size_t>(std::count_if(type.dims.begin(), type.dims.end(), [](int64_t d) { return d != 1; }));
}

// Whether an element of operand `i` goes into more than one element of the result.
bool reads_again(OpKind kind, size_t i) {
  switch (kind) {
    case OpKind::concatenate:
    case OpKind::reshape:
    case OpKind::reverse:
    case OpKind::slice:
    case OpKind::transpose:
    case OpKind::gather: return false;
    case OpKind::pad:
    case OpKind::reduce: return i > 0;
    case OpKind::dynamic_update_slice: return i > 1;
    default: return !is_elementwise(kind);
  }
}

// The code for one element is made anew at every use.
bool is_emitted_at_every_use(OpKind kind) {
  switch (kind) {
    case OpKind::concatenate:
    case OpKind::dynamic_update_slice:
    case OpKind::pad:
    case OpKind::reduce: return true;
    default: return false;
  }
}

class CpuFusion {
 public:
  CpuFusion(FusionGraph& graph, const std::vector<bool>& of_library)
      : graph_(graph), of_library_(of_library), stays_(graph.size(), false) {}

  void run() {
    for (auto unit = static_cast<uint32_t>(graph_.size()); unit-- > 0;)
      if (graph_.has_group(unit)) stays_[unit] = must_stay(unit);
    for (auto unit = static_cast<uint32_t>(graph_.size()); unit-- > 0;)
      if (graph_.has_group(unit) && may_take_in_anything(unit)) fill(unit);
  }

 private:
  bool is_loop(uint32_t unit) const {
    const OpKind kind = graph_.op(unit).kind;
    if (of_library_[unit] || kind == OpKind::scatter || kind == OpKind::reduce_window) return false;
    if (kind == OpKind::partition_id || kind == OpKind::replica_id) return false;
    return graph_.is_light(unit) && !graph_.trees().of(graph_.op(unit).type).is_tuple;
  }

  // A long row put together is written piece by piece, as are many pieces.
  bool is_slow_concatenate(uint32_t unit) const {
    if (graph_.op(unit).kind != OpKind::concatenate) return false;
    const Type type = graph_.type(unit);
    const bool along_rows = type.rank() > 1 && !graph_.op(unit).dims.empty() &&
                            graph_.op(unit).dims[0] == static_cast<int64_t>(type.rank()) - 1 &&
                            type.dims.back() >= kLongRow;
    return graph_.operands(unit).size() > kMostConcatenated || along_rows;
  }

  bool may_take_in_anything(uint32_t unit) const {
    const bool reduces_several = graph_.op(unit).kind == OpKind::reduce && !of_library_[unit];
    return (is_loop(unit) || reduces_several) && !is_slow_concatenate(unit);
  }

  bool is_expensive(uint32_t unit) const {
    const Type type = graph_.type(unit);
    switch (graph_.op(unit).kind) {
      case OpKind::abs:
      case OpKind::sign:
      case OpKind::cosine:
      case OpKind::sine:
      case OpKind::tan: return is_complex(type.element);
      case OpKind::convert:
        return type.element == ElementType::bf16 && graph_.type(graph_.operands(unit)[0]).element == ElementType::f32;
      case OpKind::divide:
      case OpKind::remainder: return !is_integer(type.element) || !graph_.is_free(graph_.operands(unit)[0].unit);
      case OpKind::atan2:
      case OpKind::cbrt:
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
      case OpKind::tanh: return true;
      default: return false;
    }
  }

  bool reuses(const FusionGroup& group, uint32_t unit) const {
    std::vector<uint32_t> todo{unit}, seen{unit};
    while (!todo.empty()) {
      const Leaf leaf{todo.back(), 0};
      todo.pop_back();
      for (const uint32_t reader : group.units) {
        const std::span<const Leaf> operands = graph_.operands(reader);
        bool reads = false;
        for (size_t i = 0; i < operands.size(); ++i) {
          if (operands[i] != leaf) continue;
          if (reads_again(graph_.op(reader).kind, i)) return true;
          reads = true;
        }
        if (!reads || std::find(seen.begin(), seen.end(), reader) != seen.end()) continue;
        seen.push_back(reader);
        todo.push_back(reader);
      }
    }
    return false;
  }

  bool has_other_readers(uint32_t unit, uint32_t reader) const {
    const std::vector<uint32_t>& readers = graph_.consumers(unit);
    return graph_.must_exist(unit) || readers.size() > 1 || (readers.size() == 1 && readers[0] != reader);
  }

  // What a kernel that updates in place must not do inside: read elsewhere what it overwrites.
  bool spoils_update(uint32_t user, uint32_t unit) const {
    if (graph_.op(user).kind != OpKind::dynamic_update_slice) return false;
    const std::span<const Leaf> update = graph_.operands(user), operands = graph_.operands(unit);
    if (std::count(update.begin(), update.end(), update[0]) > 1) return true;
    const OpKind kind = graph_.op(unit).kind;
    const bool is_updated = update[0].unit == unit;
    if (!is_updated && std::find(operands.begin(), operands.end(), update[0]) == operands.end()) return false;
    if (is_elementwise(kind) || kind == OpKind::reshape) return false;
    if (is_updated || kind != OpKind::dynamic_slice) return true;
    return !std::ranges::equal(graph_.type(unit).dims, graph_.type(update[1]).dims) ||
           !std::equal(operands.begin() + 1, operands.end(), update.begin() + 2, update.end());
  }

  // How often the code of an op that the kernel reads would be in it: once for every way of counting its elements.
  int64_t copies_of(uint32_t user, uint32_t unit) const {
    std::vector<uint32_t> units = graph_.group(user).units;
    std::sort(units.begin(), units.end(), std::greater<>());
    std::map<uint32_t, std::set<uint32_t>> counted_by;  // by unit: those whose way of counting reaches it
    std::map<uint32_t, int64_t> times;
    constexpr uint32_t kKernel = 0xffffffffU;
    counted_by[user].insert(kKernel);
    times[kKernel] = 1;
    const auto count = [&](uint32_t of) {
      int64_t sum = 0;
      for (const uint32_t by : counted_by[of]) sum = std::min<int64_t>(sum + times[by], kMostCopies + 1);
      return sum;
    };
    for (const uint32_t reader : units) {
      times[reader] = count(reader);
      for (const Leaf leaf : graph_.operands(reader)) {
        const bool alike = graph_.op(reader).kind == OpKind::transpose ||
                           std::ranges::equal(graph_.type(leaf).dims, graph_.type(reader).dims);
        if (alike) {
          const std::set<uint32_t> by = counted_by[reader];
          counted_by[leaf.unit].insert(by.begin(), by.end());
        } else {
          counted_by[leaf.unit].insert(reader);
        }
      }
    }
    return count(unit);
  }

  bool makes_too_much_code(uint32_t user, uint32_t unit) const {
    const OpKind kind = graph_.op(unit).kind;
    const bool is_op = graph_.group(user).units.size() == 1 && graph_.op(user).kind != OpKind::transpose;
    if (is_op || kind == OpKind::broadcast_in_dim) return false;
    if (is_emitted_at_every_use(kind) && has_other_readers(unit, user)) return true;
    const int64_t copies = copies_of(user, unit);
    return copies > kMostCopies || (copies > 1 && is_emitted_at_every_use(kind));
  }

  bool may_take_in(uint32_t user, uint32_t unit) const {
    if (!graph_.has_group(unit) || !is_loop(unit) || is_slow_concatenate(unit)) return false;
    const OpKind kind = graph_.op(unit).kind;
    if (kind == OpKind::constant && !graph_.is_scalar(unit)) return false;
    const FusionGroup& group = graph_.group(user);
    if (is_expensive(unit) && (has_other_readers(unit, user) || reuses(group, unit))) return false;
    if (kind == OpKind::reduce && group.units.size() > 1 &&
        std::count_if(group.units.begin(), group.units.end(),
                      [&](uint32_t member) { return graph_.op(member).kind == OpKind::reduce; }) > kMostReductions)
      return false;
    return !spoils_update(user, unit) && !makes_too_much_code(user, unit);
  }

  // At most one of its operands is as large as the result.
  bool reads_one_array(uint32_t unit) const {
    const size_t rank = long_dims(graph_.type(unit));
    size_t large = 0;
    for (const Leaf leaf : graph_.operands(unit)) {
      const OpKind kind = graph_.op(leaf.unit).kind;
      if (kind == OpKind::broadcast_in_dim || kind == OpKind::iota) continue;
      if (kind == OpKind::constant && graph_.is_scalar(leaf.unit)) continue;
      if (graph_.type(leaf).is_array() && long_dims(graph_.type(leaf)) >= rank) ++large;
    }
    return large <= 1;
  }

  bool must_stay(uint32_t unit) const {
    if (!is_loop(unit) || reads_one_array(unit)) return false;
    int64_t read = 0;
    for (const FusionInput& input : graph_.own_inputs(unit)) read += element_count(graph_.type(input.leaf));
    if (read <= element_count(graph_.type(unit))) return false;
    if (graph_.must_exist(unit)) return true;
    const std::vector<uint32_t>& readers = graph_.consumers(unit);
    return !std::all_of(readers.begin(), readers.end(), [&](uint32_t user) { return is_taken_in(user, unit); });
  }

  // Whether everything between `unit` and `user` may be part of the kernel of `user`.
  bool is_taken_in(uint32_t user, uint32_t unit) const {
    std::vector<uint32_t> todo{user};
    std::set<uint32_t> seen{user};
    while (!todo.empty()) {
      const uint32_t at = todo.back();
      todo.pop_back();
      if (!may_take_in_anything(at)) return false;
      for (const FusionInput& input : graph_.group(at).inputs) {
        const uint32_t operand = input.leaf.unit;
        if (operand != unit && !is_behind(operand, unit)) continue;
        if (stays_[operand] || !may_take_in(at, operand)) return false;
        if (operand != unit && seen.insert(operand).second) todo.push_back(operand);
      }
    }
    return true;
  }

  // Whether `unit` is needed for `later`. What is too far away to tell is taken to be.
  bool is_behind(uint32_t later, uint32_t unit) const {
    if (later < unit) return false;
    std::vector<uint32_t> todo{later};
    std::set<uint32_t> seen{later};
    while (!todo.empty()) {
      const uint32_t at = todo.back();
      todo.pop_back();
      const auto look = [&](uint32_t operand) {
        if (operand > unit && seen.insert(operand).second) todo.push_back(operand);
        return operand == unit;
      };
      if (graph_.has_group(at)) {
        for (const FusionInput& input : graph_.group(at).inputs)
          if (look(input.leaf.unit)) return true;
      } else {
        for (const std::vector<Leaf>& leaves : graph_.control_leaves(at))
          for (const Leaf leaf : leaves)
            if (look(leaf.unit)) return true;
      }
      if (seen.size() > kFarAway) return true;
    }
    return false;
  }

  void fill(uint32_t user) {
    for (bool changed = true; changed;) {
      changed = false;
      std::vector<uint32_t> units;
      for (const FusionInput& input : graph_.group(user).inputs) units.push_back(input.leaf.unit);
      std::sort(units.begin(), units.end(), std::greater<>());
      for (const uint32_t unit : units) {
        if (!graph_.has_group(unit) || stays_[unit] || !may_take_in(user, unit)) continue;
        take_in(user, unit);
        changed = true;
        break;
      }
    }
  }

  void take_in(uint32_t user, uint32_t unit) {
    FusionGroup& group = graph_.group(user);
    std::erase_if(group.inputs, [&](const FusionInput& input) { return input.leaf.unit == unit; });
    const std::vector<FusionInput> inputs = graph_.group(unit).inputs;
    for (const FusionInput& input : inputs) graph_.add_input(user, input);
    graph_.drop_consumer(unit, user);
    group.take_units(graph_.group(unit));
    if (graph_.consumers(unit).empty() && !graph_.must_exist(unit)) graph_.remove_group(unit);
  }

  FusionGraph& graph_;
  const std::vector<bool>& of_library_;
  std::vector<bool> stays_;  // by unit: is a buffer, whoever could take it in
};

}  // namespace

void fuse_for_cpu(FusionGraph& graph, const std::vector<bool>& of_library) { CpuFusion(graph, of_library).run(); }

}  // namespace sw
