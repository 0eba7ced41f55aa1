#include "schedule/order.h"

#include <algorithm>
#include <limits>
#include <queue>
#include <tuple>

#include "schedule/local_flow.h"

namespace sw {

namespace {

bool takes_nothing(const MachineOp& op) { return op.kind == OpKind::parameter || op.kind == OpKind::constant; }

// One computation to be ordered; what the three orders and their comparison share.
class Ordering {
 public:
  Ordering(const MachineProgram& program, TypeTrees& trees, ComputationId id, const SizeOf& size)
      : program_(program),
        computation_(program.computation(id)),
        flow_(program, trees, computation_, /*in_place=*/true),
        users_(users_of(program, computation_)) {
    const size_t values = flow_.value_count();
    bytes_.assign(values, 0);
    for (LocalValue v = 0; v < values; ++v)
      if (!takes_nothing(program.op(flow_.op_of(v)))) bytes_[v] = size(program.types.get(flow_.type_of(v)));
    held_.resize(program.ops.size());
    uses_.resize(program.ops.size());
    defined_.assign(program.ops.size(), 0);
    for (const MachineOpId op : computation_.ops) {
      for (const LocalValue v : flow_.all_of(op)) {
        if (takes_nothing(program.op(flow_.op_of(v)))) continue;
        held_[op.index()].push_back(v);
        if (flow_.op_of(v) == op) defined_[op.index()] += bytes_[v];
      }
      std::vector<LocalValue>& uses = uses_[op.index()];
      for (const MachineOpId operand : program.op(op).operands)
        uses.insert(uses.end(), held_[operand.index()].begin(), held_[operand.index()].end());
      std::sort(uses.begin(), uses.end());
      uses.erase(std::unique(uses.begin(), uses.end()), uses.end());
    }
  }

  std::vector<MachineOpId> greedy() const;
  std::vector<MachineOpId> depth_first(const std::vector<MachineOpId>& post_order) const;
  std::vector<MachineOpId> post_order() const {
    return walk([](SmallVector<MachineOpId, 4>&) {});
  }
  // The most bytes alive at one time; `inside` is what computations that an op runs need.
  int64_t peak(const std::vector<MachineOpId>& order, const std::vector<int64_t>& inside) const;

 private:
  template <class Arrange>
  std::vector<MachineOpId> walk(const Arrange& arrange) const;

  const MachineProgram& program_;
  const Computation& computation_;
  const LocalFlow flow_;
  const Users users_;
  std::vector<int64_t> bytes_;                 // by value
  std::vector<std::vector<LocalValue>> held_;  // by MachineOpId: values in it, but for those that take nothing
  std::vector<std::vector<LocalValue>> uses_;  // by MachineOpId: values it reads
  std::vector<int64_t> defined_;               // by MachineOpId: bytes it makes
};

// The op first that frees most beyond what it makes; scalars at once; of equal ones that with more users, then the one
// that became ready last.
std::vector<MachineOpId> Ordering::greedy() const {
  using Priority = std::pair<int64_t, int64_t>;
  struct Ready {
    Priority priority;
    uint64_t since;
    MachineOpId op;
    bool operator<(const Ready& other) const {
      return priority != other.priority ? priority < other.priority : since < other.since;
    }
  };
  constexpr int64_t kFirst = std::numeric_limits<int64_t>::max();
  std::vector<uint32_t> readers(flow_.value_count(), 0);
  std::vector<uint32_t> waits_for(program_.ops.size(), 0);
  for (const MachineOpId op : computation_.ops) {
    for (const LocalValue v : uses_[op.index()]) ++readers[v];
    for (const MachineOpId user : users_[op.index()]) ++waits_for[user.index()];
  }
  for (const LocalValue v : held_[computation_.root.index()]) ++readers[v];
  const auto priority_of = [&](MachineOpId op) -> Priority {
    const Type type = program_.type_of(op);
    if (type.is_array() && type.element_count() == 1) return {kFirst, kFirst};
    int64_t freed = 0;
    for (const LocalValue v : uses_[op.index()])
      if (readers[v] == 1) freed += bytes_[v];
    return {freed - defined_[op.index()], static_cast<int64_t>(users_[op.index()].size())};
  };
  std::priority_queue<Ready> queue;
  std::vector<Priority> current(program_.ops.size());
  std::vector<bool> waiting(program_.ops.size(), false);
  uint64_t clock = 0;
  const auto push = [&](MachineOpId op, Priority priority) {
    current[op.index()] = priority;
    waiting[op.index()] = true;
    queue.push({priority, clock++, op});
  };
  for (const MachineOpId op : computation_.ops)
    if (waits_for[op.index()] == 0) push(op, priority_of(op));
  std::vector<MachineOpId> order;
  order.reserve(computation_.ops.size());
  while (!queue.empty()) {
    const Ready next = queue.top();
    queue.pop();
    const MachineOpId op = next.op;
    if (!waiting[op.index()] || current[op.index()] != next.priority) continue;
    waiting[op.index()] = false;
    order.push_back(op);
    bool frees = false;
    for (const LocalValue v : uses_[op.index()]) frees = --readers[v] == 1 || frees;
    for (const MachineOpId user : users_[op.index()])
      if (--waits_for[user.index()] == 0) push(user, priority_of(user));
    if (!frees) continue;
    // Whoever now is the last reader of something frees more than before.
    for (const MachineOpId operand : program_.op(op).operands) {
      const std::vector<LocalValue>& held = held_[operand.index()];
      if (std::none_of(held.begin(), held.end(), [&](LocalValue v) { return readers[v] == 1; })) continue;
      for (const MachineOpId user : users_[operand.index()]) {
        if (!waiting[user.index()]) continue;
        const Priority priority = priority_of(user);
        if (priority != current[user.index()]) push(user, priority);
      }
    }
  }
  return order;
}

// Operands before their users, from ops that nobody uses and then from the root on; `arrange` sorts the operands.
template <class Arrange>
std::vector<MachineOpId> Ordering::walk(const Arrange& arrange) const {
  std::vector<MachineOpId> order;
  order.reserve(computation_.ops.size());
  std::vector<bool> seen(program_.ops.size(), false);
  struct Frame {
    MachineOpId op;
    SmallVector<MachineOpId, 4> operands;
    size_t next = 0;
  };
  std::vector<Frame> stack;
  const auto enter = [&](MachineOpId op) {
    if (seen[op.index()]) return;
    seen[op.index()] = true;
    Frame frame{op, program_.op(op).operands};
    arrange(frame.operands);
    stack.push_back(std::move(frame));
  };
  const auto visit = [&](MachineOpId op) {
    enter(op);
    while (!stack.empty()) {
      if (stack.back().next < stack.back().operands.size()) {
        enter(stack.back().operands[stack.back().next++]);
        continue;
      }
      order.push_back(stack.back().op);
      stack.pop_back();
    }
  };
  for (const MachineOpId op : computation_.ops)
    if (users_[op.index()].empty() && op != computation_.root) visit(op);
  visit(computation_.root);
  for (const MachineOpId op : computation_.ops) visit(op);
  return order;
}

std::vector<MachineOpId> Ordering::depth_first(const std::vector<MachineOpId>& post_order) const {
  struct Behind {
    int64_t users = 0, bytes = 0;
  };
  std::vector<Behind> behind(program_.ops.size());
  const auto count = static_cast<int64_t>(computation_.ops.size());
  int64_t all = 0;
  for (const MachineOpId id : post_order) {
    const MachineOp& op = program_.op(id);
    if (takes_nothing(op)) continue;
    Behind sum{std::max<int64_t>(0, static_cast<int64_t>(users_[id.index()].size()) - 1), defined_[id.index()]};
    all += defined_[id.index()];
    for (size_t i = 0; i < op.operands.size(); ++i) {
      if (std::find(op.operands.begin(), op.operands.begin() + i, op.operands[i]) != op.operands.begin() + i) continue;
      const Behind& operand = behind[op.operands[i].index()];
      // Both are cut off below, so that what is reached on many ways does not grow without bounds.
      sum.users += operand.users;
      sum.bytes += operand.bytes;
    }
    behind[id.index()] = {std::min(sum.users, count), std::min(sum.bytes, all)};
  }
  return walk([&](SmallVector<MachineOpId, 4>& operands) {
    std::stable_sort(operands.begin(), operands.end(), [&](MachineOpId a, MachineOpId b) {
      const Behind &x = behind[a.index()], &y = behind[b.index()];
      return std::tuple(-x.users, -x.bytes, a) < std::tuple(-y.users, -y.bytes, b);
    });
  });
}

int64_t Ordering::peak(const std::vector<MachineOpId>& order, const std::vector<int64_t>& inside) const {
  constexpr uint32_t kUnused = 0xffffffffU;
  std::vector<uint32_t> last(flow_.value_count(), kUnused);
  for (uint32_t i = 0; i < order.size(); ++i) {
    for (const LocalValue v : uses_[order[i].index()]) last[v] = i;
    for (const LocalValue v : held_[order[i].index()])
      if (last[v] == kUnused) last[v] = i;
  }
  const auto end = static_cast<uint32_t>(order.size());
  for (const LocalValue v : held_[computation_.root.index()]) last[v] = end;
  std::vector<int64_t> freed(order.size() + 1, 0);
  for (LocalValue v = 0; v < last.size(); ++v)
    if (last[v] != kUnused) freed[last[v]] += bytes_[v];
  int64_t live = 0, most = 0;
  for (uint32_t i = 0; i < order.size(); ++i) {
    live += defined_[order[i].index()];
    most = std::max(most, live + inside[order[i].index()]);
    live -= freed[i];
  }
  return most;
}

using Orders = std::vector<std::vector<MachineOpId>>;  // by ComputationId

}  // namespace

void order_program(MachineProgram& program, TypeTrees& trees, const SizeOf& size) {
  const std::vector<ComputationId> used = computations_in_use(program);
  Orders orders[3] = {Orders(program.computations.size()), Orders(program.computations.size()),
                      Orders(program.computations.size())};
  std::vector<int64_t> needs[3];
  for (std::vector<int64_t>& need : needs) need.assign(program.computations.size(), 0);
  for (const ComputationId id : used) {
    const Ordering ordering(program, trees, id, size);
    orders[0][id.index()] = ordering.greedy();
    orders[2][id.index()] = ordering.post_order();
    orders[1][id.index()] = ordering.depth_first(orders[2][id.index()]);
    for (int way = 0; way < 3; ++way) {
      std::vector<int64_t> inside(program.ops.size(), 0);
      for (const MachineOpId op : program.computation(id).ops)
        for (const ComputationId called : program.op(op).called)
          inside[op.index()] = std::max(inside[op.index()], needs[way][called.index()]);
      needs[way][id.index()] = ordering.peak(orders[way][id.index()], inside);
    }
  }
  int best = 0;
  for (int way = 1; way < 3; ++way)
    if (needs[way][program.entry.index()] < needs[best][program.entry.index()]) best = way;
  for (const ComputationId id : used) program.computation(id).ops = std::move(orders[best][id.index()]);
}

// Follows BFScheduler.
void order_breadth_first(MachineProgram& program) {
  for (const ComputationId id : computations_in_use(program)) {
    Computation& computation = program.computation(id);
    const Users users = users_of(program, computation);
    std::vector<uint32_t> position(program.ops.size(), 0), waits_for(program.ops.size(), 0);
    for (uint32_t i = 0; i < computation.ops.size(); ++i) position[computation.ops[i].index()] = i;
    std::vector<MachineOpId> order;
    for (const MachineOpId op : computation.ops) {
      for (const MachineOpId user : users[op.index()]) ++waits_for[user.index()];
      if (program.op(op).operands.empty()) order.push_back(op);
    }
    // What needs nothing stands where it is first used.
    const auto first_use = [&](MachineOpId op) {
      return users[op.index()].empty() ? 0U : position[users[op.index()].front().index()];
    };
    std::stable_sort(order.begin(), order.end(),
                     [&](MachineOpId a, MachineOpId b) { return first_use(a) < first_use(b); });
    const auto stands_before = [&](MachineOpId a, MachineOpId b) {
      return std::pair(program.op(a).place, position[a.index()]) < std::pair(program.op(b).place, position[b.index()]);
    };
    for (size_t next = 0; next < order.size(); ++next) {
      SmallVector<MachineOpId, 4> readers = users[order[next].index()];
      std::sort(readers.begin(), readers.end(), stands_before);
      for (const MachineOpId user : readers)
        if (--waits_for[user.index()] == 0) order.push_back(user);
    }
    computation.ops = std::move(order);
  }
}

void start_gathers_early(MachineProgram& program) {
  std::vector<size_t> position(program.ops.size(), 0);
  for (Computation& computation : program.computations) {
    std::vector<MachineOpId>& ops = computation.ops;
    for (size_t i = 0; i < ops.size(); ++i) position[ops[i].index()] = i;
    for (size_t i = 0; i < ops.size(); ++i) {
      const MachineOp& op = program.op(ops[i]);
      if (op.role != Role::collective || op.does != OpKind::all_gather) continue;
      size_t earliest = 0;
      for (const MachineOpId operand : op.operands) earliest = std::max(earliest, position[operand.index()] + 1);
      size_t product = i;
      while (product > earliest && program.op(ops[product - 1]).role != Role::product) --product;
      if (product <= earliest) continue;
      std::rotate(ops.begin() + static_cast<std::ptrdiff_t>(product) - 1, ops.begin() + static_cast<std::ptrdiff_t>(i),
                  ops.begin() + static_cast<std::ptrdiff_t>(i) + 1);
      for (size_t k = product - 1; k <= i; ++k) position[ops[k].index()] = k;
    }
  }
}

void make_reduced_results_last(MachineProgram& program) {
  Computation& entry = program.computation(program.entry);
  const Users users = users_of(program, entry);
  const auto reduces = [&](MachineOpId id) {
    const OpKind does = program.op(id).does;
    return program.op(id).kind == OpKind::fusion && (does == OpKind::all_reduce || does == OpKind::reduce_scatter);
  };
  std::vector<bool> feeds_root(program.ops.size(), false), late(program.ops.size(), false);
  std::vector<bool> moved(program.ops.size(), false);
  for (auto id = entry.ops.rbegin(); id != entry.ops.rend(); ++id) {
    const SmallVector<MachineOpId, 4>& readers = users[id->index()];
    feeds_root[id->index()] = std::all_of(readers.begin(), readers.end(), [&](MachineOpId user) {
      const OpKind kind = program.op(user).kind;
      return user == entry.root ||
             ((kind == OpKind::tuple || kind == OpKind::get_tuple_element) && feeds_root[user.index()]);
    });
  }
  std::vector<MachineOpId> before, last, parts;
  for (const MachineOpId id : entry.ops) {
    if (id == entry.root) continue;
    const MachineOp& op = program.op(id);
    const bool from_reduced = std::any_of(op.operands.begin(), op.operands.end(), reduces);
    late[id.index()] = op.kind == OpKind::fusion && !reduces(id) && from_reduced && feeds_root[id.index()] &&
                       !users[id.index()].empty();
    const bool is_part = op.kind == OpKind::get_tuple_element || op.kind == OpKind::tuple;
    const bool of_late = is_part && std::any_of(op.operands.begin(), op.operands.end(), [&](MachineOpId operand) {
                           return late[operand.index()] || moved[operand.index()];
                         });
    moved[id.index()] = of_late;
    (late[id.index()] ? last : of_late ? parts : before).push_back(id);
  }
  before.insert(before.end(), last.begin(), last.end());
  before.insert(before.end(), parts.begin(), parts.end());
  before.push_back(entry.root);
  entry.ops = std::move(before);
}

}  // namespace sw
