#include "memory/heap.h"

#include <algorithm>
#include <tuple>

#include "base/checked_math.h"
#include "memory/interval_index.h"
#include "schedule/sharing.h"

namespace sw {

namespace {

constexpr uint32_t kNone = 0xffffffffU;

struct HeapValue {
  PlaceId place;
  uint32_t buffer = 0;
  int64_t bytes = 0;
  uint32_t opened = kNone, closed = kNone;  // events
  uint32_t group = kNone;
};

// Values that lie in the same storage, the first of them first.
struct Group {
  std::vector<uint32_t> members;
  int64_t bytes = 0;
  uint32_t held = 0;  // members that are allocated now
};

class Heap {
 public:
  Heap(const AssignmentInput& input, int64_t alignment)
      : in_(input), alignment_(alignment), index_(input.flow.place_count(), kNone) {}

  HeapPlan run(std::span<const HeapBuffer> contents, PackingOrder order) {
    collect(contents);
    simulate();
    const auto length = [&](uint32_t v) { return int64_t{values_[v].opened} - values_[v].closed; };
    if (order == PackingOrder::as_allocated) {
      plan_.bytes = pack([&](const Group& g) { return std::tuple(int64_t{values_[g.members[0]].opened}, -g.bytes); });
    } else {
      const int64_t by_size = pack([&](const Group& g) { return std::tuple(-g.bytes, length(g.members[0])); });
      const int64_t by_length = pack([&](const Group& g) {
        const auto [first, last] = held(g);
        return std::tuple(int64_t{first} - last, -g.bytes);
      });
      plan_.bytes = std::min(by_size, by_length);
    }
    return std::move(plan_);
  }

 private:
  void collect(std::span<const HeapBuffer> contents) {
    for (const HeapBuffer& content : contents) {
      if (content.bytes == 0) continue;
      for (const PlaceId place : in_.buffers.all()[content.buffer]) {
        index_[place.index()] = 0;
        values_.push_back({place, content.buffer, content.bytes});
      }
    }
    std::sort(values_.begin(), values_.end(), [&](const HeapValue& a, const HeapValue& b) {
      const LiveRange x = in_.buffers.range(a.place), y = in_.buffers.range(b.place);
      return std::tuple(x.begin, x.end, a.place) < std::tuple(y.begin, y.end, b.place);
    });
    for (uint32_t i = 0; i < values_.size(); ++i) index_[values_[i].place.index()] = i;
  }

  bool is_alone(const HeapValue& value) const { return in_.buffers.all()[value.buffer].size() == 1; }

  void open(uint32_t v, uint32_t group) {
    HeapValue& value = values_[v];
    value.opened = clock_++;
    value.group = group;
    groups_[group].members.push_back(v);
    if (groups_[group].held++ == 0) live_ += value.bytes;
  }

  void close(uint32_t v) {
    HeapValue& value = values_[v];
    if (value.closed != kNone || value.opened == kNone) return;
    value.closed = clock_++;
    if (--groups_[value.group].held == 0) live_ -= value.bytes;
  }

  // An operand of the value's op whose storage it takes; kNone when there is none.
  uint32_t overwritten(const HeapValue& value, uint32_t time) const {
    const MachineOpId user = in_.flow.op_of(value.place);
    const MachineOp& op = in_.program.op(user);
    if (op.kind == OpKind::copy || !is_alone(value)) return kNone;
    for (const MachineOpId operand : op.operands) {
      for (const PlaceId place : in_.flow.at(operand)) {
        const uint32_t v = index_[place.index()];
        // Only what the operand makes itself: storage is not passed on through tuples and bitcasts.
        if (v == kNone || in_.flow.op_of(place) != operand || in_.flow.place_in_op(place) != 0) continue;
        const HeapValue& other = values_[v];
        if (!is_alone(other) || in_.buffers.range(place).end != time || other.opened == kNone || other.closed != kNone)
          continue;
        if (may_overwrite(in_.program, in_.trees, operand, in_.users[operand.index()].size() == 1, user,
                          in_.flow.place_in_op(value.place)))
          return v;
      }
    }
    return kNone;
  }

  void allocate(uint32_t v, uint32_t time) {
    const HeapValue value = values_[v];
    uint32_t& of_buffer = group_of_buffer_[value.buffer];
    if (of_buffer != kNone) return open(v, of_buffer);
    const uint32_t other = overwritten(value, time);
    if (other != kNone) {
      close(other);
      return open(v, values_[other].group);
    }
    of_buffer = static_cast<uint32_t>(groups_.size());
    groups_.push_back({{}, value.bytes, 0});
    open(v, of_buffer);
  }

  void simulate() {
    const uint32_t times = static_cast<uint32_t>(in_.sequence.ops.size()) + 1;
    group_of_buffer_.assign(in_.buffers.all().size(), kNone);
    std::vector<std::vector<uint32_t>> ending(times);
    for (uint32_t v = 0; v < values_.size(); ++v) ending[in_.buffers.range(values_[v].place).end].push_back(v);
    plan_.live.assign(times, 0);
    uint32_t next = 0, worst_event = 0;
    for (uint32_t time = 0; time < times; ++time) {
      plan_.live[time] = live_;
      for (; next < values_.size() && in_.buffers.range(values_[next].place).begin == time; ++next) {
        allocate(next, time);
        plan_.live[time] = std::max(plan_.live[time], live_);
        if (live_ <= plan_.most_live) continue;
        plan_.most_live = live_;
        plan_.worst_time = time;
        worst_event = clock_ - 1;
      }
      for (const uint32_t v : ending[time]) close(v);
    }
    for (HeapValue& value : values_)
      if (value.closed == kNone) value.closed = clock_++;
    for (const HeapValue& value : values_)
      if (value.opened <= worst_event && worst_event < value.closed) plan_.alive_at_worst.push_back(value.buffer);
    std::sort(plan_.alive_at_worst.begin(), plan_.alive_at_worst.end());
    plan_.alive_at_worst.erase(std::unique(plan_.alive_at_worst.begin(), plan_.alive_at_worst.end()),
                               plan_.alive_at_worst.end());
  }

  std::pair<uint32_t, uint32_t> held(const Group& group) const {
    uint32_t first = kNone, last = 0;
    for (const uint32_t v : group.members) {
      first = std::min(first, values_[v].opened);
      last = std::max(last, values_[v].closed);
    }
    return {first, last};
  }

  // Places every group in ascending order of `key`, equal ones by their first value; the bytes that all take.
  template <class Key>
  int64_t pack(const Key& key) const {
    using K = decltype(key(groups_[0]));
    std::vector<std::tuple<K, PlaceId, uint32_t>> order;
    order.reserve(groups_.size());
    for (uint32_t g = 0; g < groups_.size(); ++g)
      order.emplace_back(key(groups_[g]), values_[groups_[g].members[0]].place, g);
    std::sort(order.begin(), order.end());
    IntervalIndex placed(clock_ + 1);
    std::vector<std::pair<int64_t, int64_t>> taken;
    int64_t top = 0;
    for (const auto& [unused, place, g] : order) {
      const Group& group = groups_[g];
      taken.clear();
      for (const uint32_t v : group.members)
        placed.overlapping(values_[v].opened, values_[v].closed,
                           [&](const PlacedChunk& chunk) { taken.emplace_back(chunk.offset, chunk.limit); });
      const int64_t offset = best_gap(taken, group.bytes);
      for (const uint32_t v : group.members)
        placed.insert({values_[v].opened, values_[v].closed, offset, offset + values_[v].bytes});
      top = std::max(top, offset + group.bytes);
    }
    return top;
  }

  // The start of the smallest gap that holds `bytes`, else where all that is taken ends.
  int64_t best_gap(std::vector<std::pair<int64_t, int64_t>>& taken, int64_t bytes) const {
    std::sort(taken.begin(), taken.end());
    int64_t free_from = 0, best = -1, best_size = 0;
    for (const auto& [offset, limit] : taken) {
      const int64_t size = offset - free_from;
      if (size >= bytes && (best < 0 || size < best_size)) {
        best = free_from;
        best_size = size;
      }
      free_from = std::max(free_from, ceil_div(limit, alignment_) * alignment_);
    }
    return best >= 0 ? best : free_from;
  }

  const AssignmentInput& in_;
  const int64_t alignment_;
  std::vector<uint32_t> index_;    // by PlaceId: number in values_
  std::vector<HeapValue> values_;  // in the order in which they begin
  std::vector<Group> groups_;
  std::vector<uint32_t> group_of_buffer_;
  uint32_t clock_ = 0;
  int64_t live_ = 0;
  HeapPlan plan_;
};

}  // namespace

HeapPlan plan_heap(const AssignmentInput& input, std::span<const HeapBuffer> contents, int64_t alignment,
                   PackingOrder order) {
  return Heap(input, alignment).run(contents, order);
}

}  // namespace sw
