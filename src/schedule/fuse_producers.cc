// Moves ops into all of their users, or into none, the one first by which most time is saved.
//
// Time of a kernel: what it reads and writes by the bandwidth of memory, or its operations by the speed of the units,
// whichever is longer, and the launch. A producer with several users is computed several times, which is fine for an
// addition and is not for a long chain over a large array.
//
//   a = exp(p); b = add(a, a); c = multiply(a, q)     exp into both: saves writing a, reading it twice and a launch
//
// Follows PriorityFusion of XLA's GPU compiler. Which ops may move: elementwise ones and those that only move elements;
// a reduction never moves into its users; nothing moves into a collective, a loop, a sort, a convolution or a custom
// call, nor into an update by way of the operand that is updated in place.
#include <algorithm>
#include <queue>

#include "schedule/fusion.h"
#include "schedule/kernel_cost.h"

namespace sw {

namespace {

// Bytes, operations and launches in microseconds, on a TPU.
struct Speed {
  double bytes = 2.7e6, work = 1.0e7;
};
constexpr double kLaunch = 1.0;

constexpr double kAlways = 1e18, kAlmostAlways = 1e17;
constexpr int64_t kSmall = 4096;

class ProducerFusion {
 public:
  explicit ProducerFusion(FusionGraph& graph)
      : graph_(graph), costs_(graph), gain_(graph.size(), 0), waiting_(graph.size(), false) {}

  void run() {
    for (uint32_t unit = 0; unit < graph_.size(); ++unit)
      if (graph_.has_group(unit)) push(unit);
    while (!queue_.empty()) {
      const Candidate next = queue_.top();
      queue_.pop();
      if (!waiting_[next.unit] || gain_[next.unit] != next.gain) continue;
      if (next.gain < 0) break;
      waiting_[next.unit] = false;
      if (may_move(next.unit)) move(next.unit);
    }
  }

 private:
  struct Candidate {
    double gain;
    uint64_t order;
    uint32_t unit;
    // The top of the queue is the largest gain, of equal ones the first.
    bool operator<(const Candidate& other) const {
      return gain != other.gain ? gain < other.gain : order > other.order;
    }
  };

  void push(uint32_t unit) {
    waiting_[unit] = may_move(unit);
    if (!waiting_[unit]) return;
    gain_[unit] = gain(unit);
    queue_.push({gain_[unit], next_order_++, unit});
  }

  bool may_move(uint32_t unit) const {
    if (!graph_.has_group(unit) || !graph_.is_light(unit)) return false;
    if (graph_.must_exist(unit) && !(is_gpu() && graph_.must_exist_as_view(unit))) return false;
    const FusionGroup& group = graph_.group(unit);
    const OpKind kind = graph_.op(unit).kind;
    if (group.product || kind == OpKind::scatter || kind == OpKind::reduce_window) return false;
    bool moves = false;
    for (const uint32_t user : graph_.consumers(unit)) {
      if (stays_outside(unit, user)) continue;
      moves = true;
      if (kind == OpKind::dynamic_update_slice && !may_read_updated(user)) return false;
      if (!may_take_in(user, unit)) return false;
    }
    return moves;
  }

  // What is updated inside of a kernel is read by elements, on a GPU also in another order.
  bool may_read_updated(uint32_t user) const {
    const OpKind kind = graph_.op(user).kind;
    return (is_elementwise(kind) || (is_gpu() && kind == OpKind::transpose)) && !graph_.group(user).product &&
           !graph_.group(user).reduces;
  }

  bool is_gpu() const { return graph_.compiler() == Compiler::gpu; }

  // A GPU's compiler lets a user that cannot take the producer in, and reads another view of it, read it from memory:
  // the view is an op, and the producer moves into the others all the same.
  bool stays_outside(uint32_t unit, uint32_t user) const {
    return is_gpu() && graph_.reads_views_only(user, unit) && !may_take_in(user, unit);
  }

  // The kernel of both has no more operands than a kernel may have.
  bool is_in_bounds(const FusionGroup& reader, const FusionGroup& group) const {
    size_t count = reader.inputs.size() + group.inputs.size();  // one goes, the result comes
    if (count <= kMostKernelArrays) return true;
    for (const FusionInput& input : group.inputs)
      if (std::any_of(reader.inputs.begin(), reader.inputs.end(),
                      [&](const FusionInput& other) { return other.leaf == input.leaf; }))
        --count;
    return count <= kMostKernelArrays;
  }

  bool may_take_in(uint32_t user, uint32_t unit) const {
    if (!is_in_bounds(graph_.group(user), graph_.group(unit))) return false;
    if (graph_.group(user).product) {
      if (is_gpu()) return graph_.is_free(unit);
      return !graph_.group(unit).reduces;
    }
    if (graph_.group(unit).rows || graph_.group(user).rows) return keeps_rows(user, unit);
    if (graph_.group(unit).reduces || !graph_.is_light(user)) return false;
    const OpKind kind = graph_.op(user).kind;
    if (kind == OpKind::dynamic_update_slice || kind == OpKind::scatter) return graph_.operands(user)[0].unit != unit;
    return kind != OpKind::reduce_window;
  }

  // A kernel that holds rows stays one: every op in it works on elements, spreads, or reduces rows.
  bool keeps_rows(uint32_t user, uint32_t unit) const {
    for (const uint32_t part : {user, unit}) {
      const FusionGroup& group = graph_.group(part);
      if (group.product) return false;
      if (group.rows) continue;
      for (const uint32_t inside : group.units) {
        const OpKind kind = graph_.op(inside).kind;
        if (!is_elementwise(kind) && kind != OpKind::broadcast_in_dim && kind != OpKind::constant &&
            kind != OpKind::iota && !graph_.reduces_rows(inside))
          return false;
      }
    }
    return graph_.is_light(user);
  }

  double time(double bytes, double work) const { return std::max(bytes / speed_.bytes, work / speed_.work); }

  static double bytes_of(const FusionGroup& group) {
    double sum = static_cast<double>(group.bytes);
    for (const FusionInput& input : group.inputs) sum += static_cast<double>(input.bytes);
    return sum;
  }

  // How much of the producer's result the user reads.
  double share(uint32_t unit, const FusionGroup& user) const {
    const int64_t all = graph_.group(unit).bytes;
    if (all == 0) return 1;
    int64_t read = 0;
    for (const FusionInput& input : user.inputs)
      if (input.leaf.unit == unit) read = std::max(read, input.bytes);
    return std::min(1.0, static_cast<double>(read) / static_cast<double>(all));
  }

  // The user's inputs with those of the producer in the place of its result.
  std::vector<FusionInput> fused_inputs(uint32_t unit, const FusionGroup& user, double part) const {
    FusionGroup fused;
    for (const FusionInput& input : user.inputs)
      if (input.leaf.unit != unit) fused.inputs.push_back(input);
    for (const FusionInput& input : graph_.group(unit).inputs)
      fused.add_input(input.leaf, static_cast<int64_t>(static_cast<double>(input.bytes) * part));
    return std::move(fused.inputs);
  }

  double gain(uint32_t unit) {
    if (graph_.is_free(unit) || graph_.op(unit).kind == OpKind::broadcast_in_dim) return kAlways;
    const FusionGroup& group = graph_.group(unit);
    if (group.bytes <= kSmall && graph_.is_scalar(unit)) return kAlmostAlways;
    if (is_gpu()) return gain_on_gpu(unit);
    double apart = kLaunch + time(bytes_of(group), group.work), together = 0;
    for (const uint32_t user : graph_.consumers(unit)) {
      const FusionGroup& reader = graph_.group(user);
      apart += time(bytes_of(reader), reader.work);
      const double part = share(unit, reader);
      double bytes = static_cast<double>(reader.bytes);
      for (const FusionInput& input : fused_inputs(unit, reader, part)) bytes += static_cast<double>(input.bytes);
      together += time(bytes, reader.work + group.work * part);
    }
    return apart - together;
  }

  // A user that reads a view costs what it would to make the view from what the producer reads.
  double gain_on_gpu(uint32_t unit) {
    const KernelCost& producer = costs_.of(unit);
    double apart = kLaunch + producer.time, together = 0;
    for (const uint32_t user : graph_.consumers(unit)) {
      if (stays_outside(unit, user)) {
        together += producer.read_time;
        continue;
      }
      apart += costs_.of(user).time;
      together += costs_.fused(unit, user);
    }
    return apart - together;
  }

  void move(uint32_t unit) {
    const FusionGroup group = graph_.group(unit);
    std::vector<uint32_t> touched;
    const std::vector<uint32_t> users = graph_.consumers(unit);
    for (const uint32_t user : users) {
      if (stays_outside(unit, user)) continue;
      costs_.forget(user);
      FusionGroup& reader = graph_.group(user);
      const double part = share(unit, reader);
      reader.inputs = fused_inputs(unit, reader, part);
      for (const FusionInput& input : reader.inputs) {
        graph_.add_consumer(input.leaf.unit, user);
        touched.push_back(input.leaf.unit);
      }
      graph_.drop_consumer(unit, user);
      reader.take_units(group);
      reader.work += group.work * part;
      reader.rows = reader.rows || group.rows;
      touched.push_back(user);
    }
    for (const FusionInput& input : group.inputs) touched.push_back(input.leaf.unit);
    if (graph_.consumers(unit).empty() && !graph_.must_exist(unit)) graph_.remove_group(unit);
    std::sort(touched.begin(), touched.end());
    touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
    for (const uint32_t other : touched)
      if (graph_.has_group(other)) push(other);
  }

  FusionGraph& graph_;
  const Speed speed_;
  KernelCosts costs_;          // on a GPU
  std::vector<double> gain_;   // by unit: the one that counts in the queue
  std::vector<bool> waiting_;  // by unit
  std::priority_queue<Candidate> queue_;
  uint64_t next_order_ = 0;
};

}  // namespace

void fuse_producers(FusionGraph& graph) { ProducerFusion(graph).run(); }

}  // namespace sw
