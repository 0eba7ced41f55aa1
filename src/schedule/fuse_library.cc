// XLA's CPU compiler hands reductions, products and convolutions to a library (YNNPACK). A product or convolution
// begins as a kernel alone; a reduction takes in what it can before and after it, products too, as far as nothing but
// the kernel reads what is in between.
//
//   d = dot(p, q); s = reduce(d)                                    one kernel
//   m = reduce(p); e = exp(subtract(p, broadcast(m)))               one, and it ends where e is read more than once
//   a = multiply(p, p); s = reduce(a); b = add(a, a)                a is read outside: two kernels
//
// The walk goes breadth first, over and over while something changes, since what was read from outside at first may be
// read from inside only later. Follows LibraryRewriter and YnnMatcher.
#include <algorithm>
#include <deque>

#include "schedule/fusion.h"

namespace sw {

namespace {

constexpr size_t kMostInLibraryKernel = 100;
constexpr int64_t kWorthCalling = 4096;  // elements

class LibraryFusion {
 public:
  explicit LibraryFusion(FusionGraph& graph)
      : graph_(graph), of_library_(graph.size(), false), taken_(graph.size(), false), visited_(graph.size(), 0) {}

  std::vector<bool> run() {
    for (auto unit = static_cast<uint32_t>(graph_.size()); unit-- > 0;) {
      if (!graph_.has_group(unit) || taken_[unit] || !graph_.op(unit).by_library) continue;
      of_library_[unit] = taken_[unit] = true;
      if (graph_.op(unit).kind == OpKind::reduce || graph_.op(unit).kind == OpKind::reduce_window) grow(unit);
    }
    return std::move(of_library_);
  }

 private:
  enum class Way : uint8_t { up, down, both };
  struct Candidate {
    uint32_t unit;
    Way way;
  };

  void grow(uint32_t kernel) {
    for (bool changed = true; changed;) {
      changed = false;
      ++round_;
      queue_.clear();
      visited_[kernel] = round_;
      add_candidates(kernel, kernel, Way::both);
      while (!queue_.empty() && graph_.group(kernel).units.size() < kMostInLibraryKernel) {
        const Candidate next = queue_.front();
        queue_.pop_front();
        const bool is_kernel = of_library_[next.unit];
        if (!is_kernel && !is_supported(next.unit)) continue;
        if (graph_.group(kernel).units.size() + graph_.group(next.unit).units.size() > kMostInLibraryKernel) continue;
        if (!is_kernel) {
          taken_[next.unit] = true;
          add_candidates(kernel, next.unit, next.way);
        }
        if (next.way == Way::up) {
          join(kernel, next.unit);
        } else {
          join(next.unit, kernel);
          of_library_[kernel] = false;
          kernel = next.unit;
        }
        of_library_[next.unit] = next.unit == kernel;
        changed = true;
      }
    }
  }

  // Neighbours of `unit`, which is the kernel or about to be part of it: operands that nothing else reads, and the one
  // reader.
  void add_candidates(uint32_t kernel, uint32_t unit, Way way) {
    const auto add = [&](uint32_t neighbour, Way to) {
      if (!graph_.has_group(neighbour) || visited_[neighbour] == round_) return;
      if (taken_[neighbour] && !of_library_[neighbour]) return;
      visited_[neighbour] = round_;
      queue_.push_back({neighbour, to});
    };
    if (way != Way::down) {
      for (const FusionInput& input : graph_.group(unit).inputs) {
        const std::vector<uint32_t>& readers = graph_.consumers(input.leaf.unit);
        if (!graph_.must_exist(input.leaf.unit) && std::all_of(readers.begin(), readers.end(), [&](uint32_t reader) {
              return reader == kernel || reader == unit;
            }))
          add(input.leaf.unit, Way::up);
      }
    }
    if (way != Way::up && graph_.consumers(unit).size() == 1 && !graph_.must_exist(unit))
      add(graph_.consumers(unit)[0], Way::down);
  }

  // `part` becomes part of the kernel of `whole`, which reads it.
  void join(uint32_t whole, uint32_t part) {
    const FusionGroup moved = graph_.group(part);
    FusionGroup& group = graph_.group(whole);
    std::erase_if(group.inputs, [&](const FusionInput& input) { return input.leaf.unit == part; });
    for (const FusionInput& input : moved.inputs) graph_.add_input(whole, input);
    graph_.drop_consumer(part, whole);
    group.take_units(moved);
    graph_.remove_group(part);
  }

  bool is_worth_calling(uint32_t unit) const {
    if (element_count(graph_.type(unit)) >= kWorthCalling) return true;
    const std::span<const Leaf> operands = graph_.operands(unit);
    return std::any_of(operands.begin(), operands.end(),
                       [&](Leaf leaf) { return element_count(graph_.type(leaf)) >= kWorthCalling; });
  }

  static bool is_known(ElementType element) {
    switch (element) {
      case ElementType::f16:
      case ElementType::s32: return true;
      default: return is_computed(element);
    }
  }
  static bool is_computed(ElementType element) {
    switch (element) {
      case ElementType::f64:
      case ElementType::f32:
      case ElementType::bf16:
      case ElementType::s8:
      case ElementType::u8: return true;
      default: return false;
    }
  }

  bool is_supported(uint32_t unit) const {
    const Type type = graph_.type(unit);
    if (!type.is_array()) return false;
    if (graph_.op(unit).by_library) return true;
    switch (graph_.op(unit).kind) {
      case OpKind::iota: return type.element == ElementType::f32 || type.element == ElementType::s32;
      case OpKind::constant:
      case OpKind::reshape:
      case OpKind::broadcast_in_dim:
      case OpKind::pad: return is_known(type.element);
      case OpKind::abs:
      case OpKind::add:
      case OpKind::ceil:
      case OpKind::convert:
      case OpKind::divide:
      case OpKind::erf:
      case OpKind::exponential:
      case OpKind::exponential_minus_one:
      case OpKind::floor:
      case OpKind::log:
      case OpKind::log_plus_one:
      case OpKind::logistic:
      case OpKind::maximum:
      case OpKind::minimum:
      case OpKind::multiply:
      case OpKind::negate:
      case OpKind::power:
      case OpKind::round_nearest_even:
      case OpKind::rsqrt:
      case OpKind::sign:
      case OpKind::sqrt:
      case OpKind::subtract:
      case OpKind::tanh: {
        const std::span<const Leaf> operands = graph_.operands(unit);
        return is_computed(type.element) && is_worth_calling(unit) &&
               std::all_of(operands.begin(), operands.end(),
                           [&](Leaf leaf) { return is_computed(graph_.type(leaf).element); });
      }
      default: return false;
    }
  }

  FusionGraph& graph_;
  std::vector<bool> of_library_;   // by unit: its group is a kernel of the library
  std::vector<bool> taken_;        // by unit: is part of one
  std::vector<uint32_t> visited_;  // by unit: the last round that looked at it
  uint32_t round_ = 0;
  std::deque<Candidate> queue_;
};

}  // namespace

std::vector<bool> fuse_for_library(FusionGraph& graph) { return LibraryFusion(graph).run(); }

}  // namespace sw
