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
#include <queue>
#include <set>

#include "schedule/fusion.h"

namespace sw {

namespace {

constexpr size_t kMostConcatenated = 8;
constexpr int64_t kLongRow = 128;
constexpr int64_t kMostReductions = 5;  // in a kernel that takes one more in
constexpr size_t kMostCopies = 15;      // of the code of an op in one kernel
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
      : graph_(graph), of_library_(of_library), stays_(graph.size(), false), places_(graph.size()) {}

  void run() {
    for (auto unit = static_cast<uint32_t>(graph_.size()); unit-- > 0;)
      if (graph_.has_group(unit)) stays_[unit] = must_stay(unit);
    for (auto unit = static_cast<uint32_t>(graph_.size()); unit-- > 0;)
      if (graph_.has_group(unit) && may_take_in_anything(unit)) fill(unit);
  }

 private:
  // What the kernel that is being filled is to a unit in it or read by it.
  struct Place {
    uint32_t kernel = 0;                  // the kernel for which the rest holds
    SmallVector<uint32_t, 4> counted_by;  // units that decide which of its elements are computed; kWhole: the result
    size_t copies = 0;                    // of its code, once it is in
    bool is_reused = false;               // elements of it go into several of the result
  };
  static constexpr uint32_t kWhole = 0xffffffffU;

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

  // Begins the kernel of `user`, an op alone so far.
  void begin(uint32_t user) {
    ++kernel_;
    reductions_ = 0;
    size_ = 0;
    Place& place = place_of(user);
    place.counted_by = {kWhole};
    add(user);
  }

  Place& place_of(uint32_t unit) {
    Place& place = places_[unit];
    if (place.kernel != kernel_) place = {kernel_, {}, 0, false};
    return place;
  }

  // The unit is in the kernel now, and its operands are read in the kernel.
  void add(uint32_t unit) {
    ++size_;
    if (graph_.op(unit).kind == OpKind::reduce) ++reductions_;
    Place& place = place_of(unit);
    place.copies = copies_of(unit);
    const SmallVector<uint32_t, 4> counted_by = place.counted_by;
    const bool reused = place.is_reused;
    const OpKind kind = graph_.op(unit).kind;
    const std::span<const Leaf> operands = graph_.operands(unit);
    for (size_t i = 0; i < operands.size(); ++i) {
      Place& read = place_of(operands[i].unit);
      read.is_reused = read.is_reused || reused || reads_again(kind, i);
      const bool alike =
          kind == OpKind::transpose || std::ranges::equal(graph_.type(operands[i]).dims, graph_.type(unit).dims);
      const auto count = [&](uint32_t by) {
        SmallVector<uint32_t, 4>& all = read.counted_by;
        if (all.size() <= kMostCopies && std::find(all.begin(), all.end(), by) == all.end()) all.push_back(by);
      };
      if (!alike) count(unit);
      if (alike)
        for (const uint32_t by : counted_by) count(by);
    }
  }

  // How often the code of a unit that the kernel reads would be in it: once for every way of counting its elements.
  size_t copies_of(uint32_t unit) {
    size_t sum = 0;
    for (const uint32_t by : place_of(unit).counted_by) sum += by == kWhole ? 1 : place_of(by).copies;
    return std::min(sum, kMostCopies + 1);
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

  bool makes_too_much_code(uint32_t user, uint32_t unit) {
    const OpKind kind = graph_.op(unit).kind;
    const bool is_op = size_ == 1 && graph_.op(user).kind != OpKind::transpose;
    if (is_op || kind == OpKind::broadcast_in_dim) return false;
    if (is_emitted_at_every_use(kind) && has_other_readers(unit, user)) return true;
    const size_t copies = copies_of(unit);
    return copies > kMostCopies || (copies > 1 && is_emitted_at_every_use(kind));
  }

  // Into the kernel begun last, which is that of `user`.
  bool may_take_in(uint32_t user, uint32_t unit) {
    if (!graph_.has_group(unit) || !is_loop(unit) || is_slow_concatenate(unit)) return false;
    const OpKind kind = graph_.op(unit).kind;
    if (kind == OpKind::constant && !graph_.is_scalar(unit)) return false;
    if (is_expensive(unit) && (has_other_readers(unit, user) || place_of(unit).is_reused)) return false;
    if (kind == OpKind::reduce && size_ > 1 && reductions_ > kMostReductions) return false;
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

  bool must_stay(uint32_t unit) {
    if (!is_loop(unit) || reads_one_array(unit)) return false;
    int64_t read = 0;
    for (const FusionInput& input : graph_.own_inputs(unit)) read += element_count(graph_.type(input.leaf));
    if (read <= element_count(graph_.type(unit))) return false;
    if (graph_.must_exist(unit)) return true;
    const std::vector<uint32_t>& readers = graph_.consumers(unit);
    return !std::all_of(readers.begin(), readers.end(), [&](uint32_t user) { return is_taken_in(user, unit); });
  }

  // Whether everything between `unit` and `user` may be part of the kernel of `user`.
  bool is_taken_in(uint32_t user, uint32_t unit) {
    std::vector<uint32_t> todo{user};
    std::set<uint32_t> seen{user};
    while (!todo.empty()) {
      const uint32_t at = todo.back();
      todo.pop_back();
      if (!may_take_in_anything(at)) return false;
      begin(at);
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

  // The latest of what it reads first, so that it is taken in once for all that read it.
  void fill(uint32_t user) {
    begin(user);
    std::priority_queue<uint32_t> units;
    for (const FusionInput& input : graph_.group(user).inputs) units.push(input.leaf.unit);
    while (!units.empty()) {
      const uint32_t unit = units.top();
      units.pop();
      if (graph_.group(user).find({unit, 0}) == nullptr || stays_[unit] || !may_take_in(user, unit)) continue;
      for (const FusionInput& input : graph_.own_inputs(unit)) units.push(input.leaf.unit);
      take_in(user, unit);
      add(unit);
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
  std::vector<bool> stays_;    // by unit: is a buffer, whoever could take it in
  std::vector<Place> places_;  // by unit
  uint32_t kernel_ = 0;
  int64_t reductions_ = 0;  // in the kernel
  size_t size_ = 0;         // of the kernel, in units
};

}  // namespace

void fuse_for_cpu(FusionGraph& graph, const std::vector<bool>& of_library) { CpuFusion(graph, of_library).run(); }

}  // namespace sw
