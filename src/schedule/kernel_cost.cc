#include "schedule/kernel_cost.h"

#include <algorithm>
#include <cmath>

namespace sw {

namespace {

// An H100, per microsecond.
constexpr double kBandwidth = 3.35232e6;
constexpr double kCores = 132, kUnitsPerCore = 128, kClock = 1980;
constexpr double kBytesPerBlock = kClock * 32;  // a transaction of 32 bytes each cycle
constexpr double kTransaction = 64;
constexpr double kCache = 50.0 * 1024 * 1024, kCacheSpeedup = 2.5;
constexpr double kOverlap = 0.95;
constexpr double kThreads = 128;

// Cycles for an element; bf16 is computed as f32 where there is no instruction for it.
double cycles(OpKind kind, ElementType element) {
  const bool wide = element == ElementType::f64;
  switch (kind) {
    case OpKind::add:
    case OpKind::subtract: return element == ElementType::f32 ? 7 : wide ? 15 : 3;
    case OpKind::multiply: return wide ? 15 : 3;
    case OpKind::divide: return is_integer(element) ? 300 : wide ? 526 : 19;
    case OpKind::remainder: return is_integer(element) ? 300 : 3;
    case OpKind::rsqrt:
    case OpKind::sqrt: return wide ? 300 : 75;
    case OpKind::cbrt: return wide ? 586 : 178;
    case OpKind::exponential: return wide ? 376 : 79;
    case OpKind::exponential_minus_one: return wide ? 712 : 190;
    case OpKind::log: return wide ? 815 : 166;
    case OpKind::log_plus_one: return wide ? 1259 : 229;
    case OpKind::logistic: return wide ? 917 : 108;
    case OpKind::tanh: return wide ? 431 : 467;
    case OpKind::sine: return wide ? 554 : 958;
    case OpKind::cosine: return wide ? 558 : 978;
    case OpKind::power: return is_integer(element) ? 71 : wide ? 2205 : 510;
    case OpKind::atan2: return wide ? 930 : 431;
    default: return 3;
  }
}

bool transposes_last(const DimList& permutation, std::span<const int64_t> dims) {
  int64_t last = -1;
  for (size_t d = 0; d < dims.size(); ++d)
    if (dims[d] > 1) last = static_cast<int64_t>(d);
  for (size_t d = permutation.size(); d-- > 0;) {
    const auto from = static_cast<size_t>(permutation[d]);
    if (from < dims.size() && dims[from] > 1) return permutation[d] != last;
  }
  return false;
}

double read_time(const KernelCost::Read& read, double blocks, double rate) {
  const double possible = blocks * kBytesPerBlock, first = std::min(read.size, read.bytes);
  const double memory = std::min(kBandwidth * rate, possible);
  const double again = std::min(first < kCache ? kBandwidth * kCacheSpeedup : kBandwidth * rate, possible);
  return first / memory + (read.bytes - first) / again;
}

double combined(double work, double blocks, double memory) {
  const double speed = kClock * 2 * kUnitsPerCore * std::min(blocks, kCores);
  const double computing = work / speed;
  return computing + memory - kOverlap * std::min(computing, memory);
}

double element_rate(const FusionGraph& graph, const KernelCost::Read& read) {
  if (!read.scattered) return 1;
  const Type type = graph.type(read.leaf);
  return type.is_array() ? static_cast<double>(std::max<int64_t>(8, bits(type.element))) / 8 / kTransaction : 1;
}

double elements_of(const FusionGraph& graph, Leaf leaf) {
  return std::max<double>(1, static_cast<double>(element_count(graph.type(leaf))));
}

}  // namespace

const KernelCost::Read* KernelCost::find(Leaf leaf) const {
  const auto at = std::lower_bound(reads.begin(), reads.end(), leaf,
                                   [](const Read& read, Leaf wanted) { return read.leaf < wanted; });
  return at != reads.end() && at->leaf == leaf ? &*at : nullptr;
}

namespace {

// One kernel, walked from its result to what it reads.
class Walk {
 public:
  Walk(const FusionGraph& graph, uint32_t result, KernelCost& cost)
      : graph_(graph), result_(result), units_(graph.group(result).units), cost_(cost) {
    std::sort(units_.begin(), units_.end());
    for (const uint32_t unit : units_)
      for (const Leaf leaf : graph.operands(unit))
        if (!is_inside(leaf)) reads_.push_back(leaf);
    std::sort(reads_.begin(), reads_.end());
    reads_.erase(std::unique(reads_.begin(), reads_.end()), reads_.end());
    nodes_.resize(units_.size() + reads_.size());
    cost_.root_share.assign(nodes_.size(), 0);
  }

  void run() {
    const uint32_t root = node_of({result_, 0});
    nodes_[root].roots.push_back(root);
    cost_.root_share[root] = 1;
    nodes_[root].from_result = true;
    for (size_t i = units_.size(); i-- > 0;) visit(static_cast<uint32_t>(i));
    for (size_t i = 0; i < reads_.size(); ++i) add_read(reads_[i], nodes_[units_.size() + i], root);
    finish();
  }

 private:
  struct Node {
    SmallVector<uint32_t, 4> roots;
    bool from_result = false;  // by elementwise ops alone
    bool scattered = false;
    bool in_place = false;  // stays where it is
  };

  bool is_inside(Leaf leaf) const {
    return leaf.place == 0 && std::binary_search(units_.begin(), units_.end(), leaf.unit);
  }
  uint32_t node_of(Leaf leaf) const {
    if (is_inside(leaf))
      return static_cast<uint32_t>(std::lower_bound(units_.begin(), units_.end(), leaf.unit) - units_.begin());
    return static_cast<uint32_t>(
        units_.size() + static_cast<size_t>(std::lower_bound(reads_.begin(), reads_.end(), leaf) - reads_.begin()));
  }
  double share_of(const Node& node) const {
    if (graph_.group(result_).rows) return 1;
    double share = 0;
    for (const uint32_t root : node.roots) share += cost_.root_share[root];
    return share;
  }

  double operations(uint32_t unit) const {
    const MachineOp& op = graph_.op(unit);
    const Type type = graph_.type(unit);
    const double elements = static_cast<double>(element_count(type));
    switch (op.kind) {
      case OpKind::reduce: {
        const Type read = graph_.type(graph_.operands(unit)[0]);
        const TypeTree& tree = graph_.tree(unit);
        const double results = tree.is_tuple && tree.places() > 1
                                   ? static_cast<double>(element_count(graph_.type(Leaf{unit, 1})))
                                   : elements;
        return cycles(OpKind::add, read.is_array() ? read.element : ElementType::f32) *
               std::max(0.0, static_cast<double>(element_count(read)) - results);
      }
      case OpKind::scatter:
        return graph_.operands(unit).size() < 3
                   ? 0
                   : 7 * static_cast<double>(element_count(graph_.type(graph_.operands(unit).back())));
      case OpKind::reduce_window: return 7 * elements * std::max<double>(0, graph_.window_elements(unit) - 1);
      case OpKind::concatenate: {
        const int64_t dim = op.dims.empty() ? 0 : op.dims[0];
        const Type first = graph_.type(graph_.operands(unit)[0]);
        const bool crosses =
            dim > 0 && dim < static_cast<int64_t>(first.rank()) && first.dims[static_cast<size_t>(dim)] % 32 != 0;
        return elements * (crosses ? 400 : 6);  // a group of threads that meets a border runs both sides
      }
      default: return is_elementwise(op.kind) ? elements * cycles(op.kind, type.element) : 0;
    }
  }

  // How often the op asks for each element of an operand.
  double repeats(uint32_t unit, size_t operand) const {
    const double out = elements_of(graph_, {unit, 0}), in = elements_of(graph_, graph_.operands(unit)[operand]);
    switch (graph_.op(unit).kind) {
      case OpKind::broadcast_in_dim: return out / in;
      case OpKind::slice: return out / in;
      case OpKind::dynamic_slice:
      case OpKind::gather: return operand == 0 ? out / in : 1;
      case OpKind::reduce_window: return operand == 0 ? out * graph_.window_elements(unit) / in : 1;
      default: return 1;
    }
  }

  void visit(uint32_t at) {
    const uint32_t unit = units_[at];
    const Node& node = nodes_[at];
    const double share = share_of(node);
    cost_.work += share * operations(unit);
    const OpKind kind = graph_.op(unit).kind;
    const std::span<const Leaf> operands = graph_.operands(unit);
    for (size_t i = 0; i < operands.size(); ++i) {
      const uint32_t to = node_of(operands[i]);
      Node& operand = nodes_[to];
      operand.scattered = operand.scattered || node.scattered;
      if (is_elementwise(kind) && !graph_.read_through_bitcast(unit, i)) {
        operand.from_result = operand.from_result || node.from_result;
        for (const uint32_t root : node.roots)
          if (std::find(operand.roots.begin(), operand.roots.end(), root) == operand.roots.end())
            operand.roots.push_back(root);
        continue;
      }
      if (std::find(operand.roots.begin(), operand.roots.end(), to) == operand.roots.end()) operand.roots.push_back(to);
      const double elements = elements_of(graph_, operands[i]);
      cost_.root_share[to] += std::ceil(share * repeats(unit, i) * elements) / elements;
      const bool updated = i == 0 && (kind == OpKind::dynamic_update_slice || kind == OpKind::scatter);
      operand.in_place = operand.in_place || updated;
      if (kind == OpKind::transpose && !node.from_result && graph_.type(operands[i]).is_array() &&
          transposes_last(graph_.op(unit).dims, graph_.type(operands[i]).dims))
        operand.scattered = true;
    }
  }

  void add_read(Leaf leaf, const Node& node, uint32_t root) {
    KernelCost::Read read;
    read.leaf = leaf;
    read.size = static_cast<double>(graph_.bytes(leaf));
    read.share = share_of(node);
    read.bytes = node.in_place ? 0 : read.size * read.share;
    const bool rows = graph_.group(result_).rows;
    read.roots = rows ? SmallVector<uint32_t, 4>{root} : node.roots;
    read.elementwise = rows || (node.roots.size() == 1 && node.roots[0] == root);
    read.scattered = node.scattered;
    cost_.reads.push_back(std::move(read));
  }

  void finish() {
    const OpKind kind = graph_.op(result_).kind;
    cost_.written = static_cast<double>(graph_.group(result_).bytes);
    if ((kind == OpKind::dynamic_update_slice || kind == OpKind::scatter) && graph_.operands(result_).size() > 1) {
      const size_t update = kind == OpKind::scatter ? graph_.operands(result_).size() - 1 : 1;
      cost_.written = static_cast<double>(graph_.bytes(graph_.operands(result_)[update]));
    }
    // A thread makes an element, or four where there are many; a reduction's block reads what a thousand threads take.
    const double elements = static_cast<double>(graph_.iterations(result_));
    const double apiece = graph_.group(result_).reduces ? 8 : elements >= kCores * 2048 ? 4 : 1;
    cost_.blocks = std::max(1.0, std::ceil(elements / (kThreads * apiece)));
    for (const KernelCost::Read& read : cost_.reads)
      cost_.read_time += sw::read_time(read, cost_.blocks, element_rate(graph_, read));
    cost_.time = combined(cost_.work, cost_.blocks, cost_.read_time + cost_.written / kBandwidth);
  }

  const FusionGraph& graph_;
  const uint32_t result_;
  std::vector<uint32_t> units_;  // ascending, so users come after what they use
  std::vector<Leaf> reads_;      // ascending
  std::vector<Node> nodes_;      // units, then reads
  KernelCost& cost_;
};

}  // namespace

void KernelCosts::measure(uint32_t unit, KernelCost& cost) const { Walk(graph_, unit, cost).run(); }

const KernelCost& KernelCosts::of(uint32_t unit) {
  if (!known_[unit].has_value()) {
    known_[unit].emplace();
    measure(unit, *known_[unit]);
  }
  return *known_[unit];
}

double KernelCosts::fused(uint32_t unit, uint32_t reader) {
  const KernelCost &producer = of(unit), &consumer = of(reader);
  const KernelCost::Read* between = consumer.find({unit, 0});
  const bool rows = graph_.group(unit).rows || graph_.group(reader).rows;
  const double share = between == nullptr ? 0 : rows ? 1 : between->share;
  double reading = 0;
  const auto add = [&](const KernelCost::Read* inside, const KernelCost::Read* outside) {
    KernelCost::Read read = inside != nullptr ? *inside : *outside;
    read.bytes = (inside != nullptr ? inside->bytes * share : 0) + (outside != nullptr ? outside->bytes : 0);
    read.scattered = (inside != nullptr && (inside->scattered || (between != nullptr && between->scattered))) ||
                     (outside != nullptr && outside->scattered);
    if (rows)
      read.bytes = std::min(read.bytes, read.size);
    else if (inside != nullptr && outside != nullptr && inside->elementwise && between != nullptr)
      for (const uint32_t root : outside->roots)
        if (std::find(between->roots.begin(), between->roots.end(), root) != between->roots.end())
          read.bytes -= read.size * consumer.root_share[root];
    read.bytes = std::max(0.0, read.bytes);
    reading += read_time(read, consumer.blocks, element_rate(graph_, read));
  };
  for (const KernelCost::Read& read : producer.reads) add(&read, consumer.find(read.leaf));
  for (const KernelCost::Read& read : consumer.reads)
    if (read.leaf != Leaf{unit, 0} && producer.find(read.leaf) == nullptr) add(nullptr, &read);
  return combined(producer.work * share + consumer.work, consumer.blocks, reading + consumer.written / kBandwidth);
}

}  // namespace sw
