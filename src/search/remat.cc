// See situation.h. What a program would be with jax.checkpoint around the body of a scan cannot be made from its text,
// so what it would need is put together from the memory of the program as it is:
//
//   steps                  0 ...... forward loop ...... backward loop .... end
//   a stack of 22 MiB          ############################                     goes
//   of which a run's part                         ####                          comes, computed again, until it is read
//   the state x of each run    ############################                     comes, unless it is saved already
#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "base/checked_math.h"
#include "memory/arguments.h"
#include "search/loop_stacks.h"
#include "search/situation.h"

namespace sw {

namespace {

const MemoryBuffer* buffer_of(const MemoryProfile& profile, ValueId init) {
  const auto at = std::find_if(profile.buffers.begin(), profile.buffers.end(),
                               [&](const MemoryBuffer& b) { return b.op.valid() && b.value == init; });
  return at == profile.buffers.end() ? nullptr : &*at;
}

// The steps of the schedule by the operations that they run.
class Steps {
 public:
  Steps(const Graph& graph, const MemoryProfile& profile) : graph_(graph), users_(graph.value_count()) {
    for (const MemoryPoint& point : profile.curve)
      if (point.op.valid()) steps_.emplace(point.op.raw, point.position);
    for (size_t i = 0; i < graph.op_count(); ++i)
      if (graph.op(OpId{i}).parent.valid())
        for (const ValueId operand : graph.operands(OpId{i})) users_[operand.index()].push_back(OpId{i});
  }

  // The first of a body; none when it has none.
  std::optional<int64_t> first(FunctionId body) const {
    std::optional<int64_t> found;
    for (const auto& [op, step] : steps_)
      if (graph_.region(graph_.block(graph_.op(OpId{op}).parent).parent).function == body)
        found = std::min(step, found.value_or(step));
    return found;
  }

  // The last that reads a value, be it in a kernel that a later operation gives its name; none when no step does.
  std::optional<int64_t> last_read(ValueId value) const {
    std::optional<int64_t> last;
    std::set<uint32_t> seen;
    std::vector<ValueId> open{value};
    while (!open.empty()) {
      const ValueId at = open.back();
      open.pop_back();
      for (const OpId user : users_[at.index()]) {
        if (!seen.insert(user.raw).second) continue;
        if (const auto step = steps_.find(user.raw); step != steps_.end())
          last = std::max(step->second, last.value_or(step->second));
        else if (graph_.op(user).kind != OpKind::tuple && graph_.op(user).result_count == 1)
          open.push_back(graph_.result(user));
      }
    }
    return last;
  }

 private:
  const Graph& graph_;
  std::vector<std::vector<OpId>> users_;
  std::map<uint32_t, int64_t> steps_;
};

// Sums of bytes stay below this, so that they need no checks: nothing has an exabyte.
constexpr int64_t kMost = int64_t{1} << 60;

// What a run hands to the next, but for stacks and counters.
int64_t carried_bytes(const Graph& graph, const LoopState& state, std::span<const LoopStack> stacks, OpId loop,
                      ArrayForm form) {
  int64_t bytes = 0;
  for (uint32_t i = 0; i < state.end.size(); ++i) {
    const auto is_stack = [&](const LoopStack& s) { return s.loop == loop && s.index == i; };
    const Type type = graph.type_of(state.end[i]);
    if (state.end[i] == state.begin[i] || !type.is_array() || type.rank() == 0 ||
        std::any_of(stacks.begin(), stacks.end(), is_stack))
      continue;
    bytes = std::min(bytes + std::min(stored_bytes(type, form), kMost), kMost);
  }
  return bytes;
}

}  // namespace

std::vector<Change> remat_changes(const Situation& in) {
  if (in.profile.peak >= kMost) return {};
  const std::vector<LoopStack> stacks = find_loop_stacks(in.local.graph);
  std::map<uint32_t, Change> by_loop;
  for (uint32_t i = 0; i < stacks.size(); ++i) {
    if (stacks[i].of_carry || !stacks[i].reader.valid()) continue;
    const MemoryBuffer* buffer = buffer_of(in.profile, stacks[i].init);
    if (buffer == nullptr || !buffer->at_peak) continue;
    Change& change = by_loop[stacks[i].loop.raw];
    change.kind = ChangeKind::remat;
    change.loop = stacks[i].loop;
    change.stacks.push_back(i);
    change.bound += buffer->bytes;
    change.largest = std::max(change.largest, buffer->bytes);
  }
  std::vector<Change> changes;
  for (auto& [loop, change] : by_loop) {
    const auto bytes = [&](uint32_t stack) { return buffer_of(in.profile, stacks[stack].init)->bytes; };
    std::stable_sort(change.stacks.begin(), change.stacks.end(),
                     [&](uint32_t a, uint32_t b) { return bytes(a) > bytes(b); });
    changes.push_back(std::move(change));
  }
  return changes;
}

int64_t peak_with_remat(const Situation& in, const Change& remat) {
  const Graph& graph = in.local.graph;
  const MemoryProfile& profile = in.profile;
  const std::vector<LoopStack> stacks = find_loop_stacks(graph);
  const Steps at(graph, profile);
  const auto steps = static_cast<int64_t>(profile.curve.size());
  std::vector<int64_t> change(profile.curve.size() + 1, 0);  // from this step on
  const auto held = [&](int64_t begin, int64_t end, int64_t bytes) {
    if (begin >= steps || end < begin) return;
    change[static_cast<size_t>(std::max<int64_t>(begin, 0))] += bytes;
    change[static_cast<size_t>(std::min(end + 1, steps))] -= bytes;
  };
  int64_t begin = steps, end = 0, runs = 1;
  for (const uint32_t i : remat.stacks) {
    const LoopStack& stack = stacks[i];
    const MemoryBuffer& buffer = *buffer_of(profile, stack.init);
    runs = stack.runs;
    begin = std::min(begin, buffer.begin);
    end = std::max(end, buffer.end);
    held(buffer.begin, buffer.end, -buffer.bytes);
    const LoopState reader = loop_state(graph, stack.reader);
    const auto again = at.first(reader.body);
    const ValueId read = stack.reader_index < reader.begin.size() ? reader.begin[stack.reader_index] : ValueId{};
    const int64_t until = (read.valid() ? at.last_read(read) : std::nullopt).value_or(buffer.end);
    if (again) held(*again, std::min(until, buffer.end), buffer.bytes / std::max<int64_t>(runs, 1));
  }
  const bool saved =
      std::any_of(stacks.begin(), stacks.end(), [&](const LoopStack& s) { return s.loop == remat.loop && s.of_carry; });
  if (!saved) {
    const ArrayForm form = entry_rules(profile.target).form;
    const int64_t one = carried_bytes(graph, loop_state(graph, remat.loop), stacks, remat.loop, form);
    held(begin, end, std::min(checked_mul(runs, one).value_or(kMost), kMost));
  }
  int64_t peak = 0, now = 0;
  for (size_t i = 0; i < profile.curve.size(); ++i) {
    now += change[i];
    peak = std::max(peak, profile.curve[i].bytes + now);
  }
  return std::min(peak, profile.peak);
}

}  // namespace sw
