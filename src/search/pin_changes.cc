// See situation.h. A buffer at the worst moment belongs to a value of one device's program; what can be pinned is the
// value of the program as read that it is a piece of. Two ways lead there:
//
//   dot.12                 is the piece of %41, the result of dot_general: %41 is pinned
//   a stack of a loop      (loop_stacks.h) holds what its runs write: what a run writes is pinned, in the body, so that
//                          the whole stack becomes cut; where that is the state x, also the x that a run hands on
//
// Values of functions that are called from several places are left out, since a pin there would be one for all calls.
#include <algorithm>
#include <map>
#include <set>

#include "base/checked_math.h"
#include "base/hash.h"
#include "search/loop_stacks.h"
#include "search/situation.h"

namespace sw {

namespace {

constexpr int64_t kShare = 200;   // buffers of fewer than one part in so many of all bytes are passed over
constexpr size_t kSteps = 4;      // back from a value to one that the program as read has
constexpr size_t kElsewhere = 2;  // shardings of other values that are tried on one

class Finder {
 public:
  explicit Finder(const Situation& in)
      : in_(in), graph_(in.program.graph), local_(in.local.graph), mesh_(*in.mesh()), calls_(graph_.function_count()) {
    const StringId callee = graph_.strings.find("callee");
    for (size_t i = 0; i < graph_.op_count() && callee.valid(); ++i) {
      const Op& op = graph_.op(OpId{i});
      const AttrId name = op.parent.valid() ? graph_.attr(op, callee) : AttrId{};
      if (!name.valid()) continue;
      const FunctionId called = graph_.function_named(graph_.strings.find(graph_.attr_table.get(name).text));
      if (called.valid()) calls_[called.index()].push_back(function_of(op.parent));
    }
    source_of_.resize(local_.value_count());
    for (const SourcePiece& piece : in.local.pieces) {
      ValueId source = piece.source;
      if (in.plan.lowered != nullptr && source.valid()) source = in.plan.lowered->source_value[source.index()];
      if (source.valid() && !source_of_[piece.local.index()].valid()) source_of_[piece.local.index()] = source;
    }
    for (LoopStack& stack : find_loop_stacks(local_)) stacks_.emplace(stack.init.raw, stack);
  }

  std::vector<Change> find() {
    for (const MemoryBuffer& buffer : in_.profile.buffers)
      if (buffer.at_peak && buffer.op.valid() && buffer.bytes >= in_.profile.total() / kShare) look(buffer);
    find_elsewhere();
    for (const auto& [value, size] : subjects_) pin(ValueId{value}, size);
    return std::move(changes_);
  }

 private:
  struct Size {
    int64_t all = 0, largest = 0;
  };

  void look(const MemoryBuffer& buffer) {
    const ValueId value = buffer.value.valid() ? buffer.value : local_.result(buffer.op);
    const auto stack = stacks_.find(value.raw);
    if (stack == stacks_.end()) {
      add_subject(value, buffer.bytes);
      return;
    }
    const ValueId written = unwrapped(local_, stack->second.update);
    if (!add_subject(written, buffer.bytes)) add_subject(stack->second.update, buffer.bytes);
    if (!stack->second.of_carry) return;
    const LoopState state = loop_state(local_, stack->second.loop);
    for (size_t i = 0; i < state.begin.size(); ++i)
      if (state.begin[i] == written) add_subject(state.end[i], buffer.bytes);
  }

  bool add_subject(ValueId local, int64_t bytes) {
    for (size_t step = 0; step < kSteps; ++step) {
      const ValueId source = source_of_[local.index()];
      if (source.valid() && can_be_pinned(source)) {
        Size& size = subjects_[source.raw];
        size.all = checked_add(size.all, bytes).value_or(size.all);
        size.largest = std::max(size.largest, bytes);
        return true;
      }
      const OpId def = local_.value(local).def;
      if (!def.valid()) return false;
      const auto operands = local_.operands(def);
      if (operands.size() != 1 || !local_.type_of(operands[0]).is_array()) return false;
      local = operands[0];
    }
    return false;
  }

  bool can_be_pinned(ValueId value) const {
    const Type type = graph_.type_of(value);
    if (!type.is_array() || !type.is_static() || type.rank() == 0) return false;
    if (value.index() < in_.plan.absent.size() && in_.plan.absent[value.index()] != 0) return false;
    const Value& v = graph_.value(value);
    const BlockId block = v.def.valid() ? graph_.op(v.def).parent : v.block;
    if (!block.valid() || !graph_.block(block).parent.valid()) return false;
    const FunctionId function = function_of(block);
    if (!function.valid()) return false;
    const bool argument = !v.def.valid() && graph_.function(function).body == graph_.block(block).parent;
    return function == graph_.main ? !argument : graph_.is_hlo || is_called_once(function);
  }

  FunctionId function_of(BlockId block) const { return graph_.region(graph_.block(block).parent).function; }
  bool is_called_once(FunctionId function) const {
    // Calls do not run in circles, but a function that nothing reaches may call itself.
    for (size_t depth = 0; function.valid() && depth <= graph_.function_count(); ++depth) {
      if (function == graph_.main) return true;
      const std::vector<FunctionId>& callers = calls_[function.index()];
      if (callers.size() != 1) return false;
      function = callers.front();
    }
    return false;
  }

  static std::vector<int64_t> dims_of(const Type& type) { return {type.dims.begin(), type.dims.end()}; }

  // The shardings that values of the subjects' shapes have.
  void find_elsewhere() {
    for (const auto& [value, size] : subjects_) elsewhere_[dims_of(graph_.type_of(ValueId{value}))];
    const bool named = in_.plan.by == Partitioner::shardy;
    std::set<std::pair<std::vector<int64_t>, uint32_t>> seen;
    for (size_t i = 0; i < graph_.value_count(); ++i) {
      const uint32_t id = named ? (i < in_.plan.named.size() ? in_.plan.named[i].raw : NamedShardingId{}.raw)
                                : (i < in_.plan.tiled.size() ? in_.plan.tiled[i].raw : TileShardingId{}.raw);
      if (id == NamedShardingId{}.raw || !graph_.type_of(ValueId{i}).is_array()) continue;
      const auto at = elsewhere_.find(dims_of(graph_.type_of(ValueId{i})));
      if (at == elsewhere_.end() || !seen.emplace(at->first, id).second) continue;
      if (const auto spec = in_.spec(ValueId{i})) at->second.push_back(*spec);
    }
  }

  static int64_t tiles(const NamedShardingSpec& spec) {
    int64_t count = 1;
    for (const NamedShardingSpec::Dim& dim : spec.dims) count *= product(dim.axes);
    return count;
  }

  void pin(ValueId value, const Size& size) {
    const std::optional<NamedShardingSpec> now = in_.spec(value);
    if (!now) return;
    const std::vector<int64_t> dims = dims_of(graph_.type_of(value));
    // Of several dimensions the largest first.
    std::vector<size_t> order(dims.size());
    for (size_t d = 0; d < order.size(); ++d) order[d] = d;
    const auto part = [&](size_t d) { return dims[d] / product(now->dims[d].axes); };
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return part(a) > part(b); });
    for (const size_t dim : order)
      for (uint32_t axis = 0; axis < mesh_.axes.size(); ++axis)
        if (const auto spec = with_axis(mesh_, *now, dims, dim, axis)) add(value, *spec, tiles(*now), size);
    size_t tried = 0;
    for (const NamedShardingSpec& spec : elsewhere_[dims])
      if (tiles(spec) > tiles(*now) && tried < kElsewhere) {
        add(value, spec, tiles(*now), size);
        ++tried;
      }
  }

  void add(ValueId value, const NamedShardingSpec& spec, int64_t tiles_now, const Size& size) {
    const NamedShardingId id = in_.shardings.intern(spec);
    const auto same = [&](const Change& c) { return c.pins[0].value == value && c.pins[0].sharding == id; };
    if (std::any_of(changes_.begin(), changes_.end(), same)) return;
    Change change;
    change.kind = ChangeKind::pin;
    change.pins.push_back({value, id});
    change.subject = hash_mix(static_cast<uint64_t>(ChangeKind::pin), value.raw);
    change.bound = shared_saving(size.all, tiles(spec) / tiles_now);
    change.largest = size.largest;
    changes_.push_back(std::move(change));
  }

  const Situation& in_;
  const Graph& graph_;
  const Graph& local_;
  const Mesh& mesh_;
  std::vector<std::vector<FunctionId>> calls_;  // by FunctionId: from where, once for each call
  std::vector<ValueId> source_of_;              // by ValueId of the local program
  std::map<uint32_t, LoopStack> stacks_;        // by what they begin as
  std::map<uint32_t, Size> subjects_;           // by ValueId
  std::map<std::vector<int64_t>, std::vector<NamedShardingSpec>> elsewhere_;
  std::vector<Change> changes_;
};

}  // namespace

std::vector<Change> pin_changes(const Situation& in) {
  return in.mesh() == nullptr ? std::vector<Change>() : Finder(in).find();
}

}  // namespace sw
