// See situation.h. Which arguments belong together is told by their names, as JAX spells places in pytrees, else by
// their types:
//
//   params['layers'][0]['wq'], params['layers'][1]['wq'], ...     one name: params['layers'][*]['wq']
//   params['layers']['wq'], opt_state['mu']['layers']['wq']       a weight and its state: the second ends as the first
#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <string>

#include "base/checked_math.h"
#include "base/hash.h"
#include "ir/names.h"
#include "memory/argument_names.h"
#include "memory/arguments.h"
#include "ops/verify.h"
#include "propagate/hold.h"
#include "search/situation.h"

namespace sw {

namespace {

constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
int64_t sum(int64_t a, int64_t b) { return checked_add(a, b).value_or(kMost); }

struct Argument {
  ValueId value;
  std::string name, pattern;
  std::vector<int64_t> dims;
  int64_t bytes = 0;  // on a device
  bool is_donated = false;
  MemoryCategory category = MemoryCategory::scratch;
  std::optional<NamedShardingSpec> spec;
  std::optional<uint32_t> result;  // that takes its place and whose sharding the program says
  ValueId returned;                // of HLO: the value that takes its place
};
using Members = std::vector<size_t>;

class Finder {
 public:
  explicit Finder(const Situation& in) : in_(in), graph_(in.program.graph), mesh_(in.mesh()) {}

  std::vector<Change> find() {
    if (!read_arguments()) return {};
    donations();
    if (mesh_ != nullptr) {
      const std::vector<Members> groups = by_name();
      for (const Members& group : groups) uniform(group);
      families(groups);
      categories();
      batch();
    }
    return std::move(changes_);
  }

 private:
  bool read_arguments() {
    if (!graph_.main.valid() || !graph_.function(graph_.main).body.valid()) return false;
    const BlockId entry = graph_.entry_block(graph_.function(graph_.main).body);
    const EntryBytes bytes = entry_bytes(in_.local.graph, entry_rules(in_.profile.target));
    const Type type = graph_.types.get(graph_.function(graph_.main).type);
    const size_t results = graph_.is_hlo ? 0 : type.elements.size() - type.input_count;
    if (bytes.parameters.size() != graph_.block(entry).arg_count) return false;
    if (!graph_.is_hlo && bytes.results.size() != results) return false;
    std::vector<std::string> names, result_names;
    for (size_t i = 0; i < bytes.parameters.size(); ++i)
      names.emplace_back(argument_source_name(graph_, graph_.main, i));
    for (size_t i = 0; i < bytes.results.size(); ++i)
      result_names.push_back(graph_.is_hlo ? "" : result_source_name(graph_, graph_.main, i));
    free_ = pairs_not_donated(bytes, names, result_names);
    const std::vector<ValueId> returned = returned_by_hlo(bytes.results.size());
    for (size_t i = 0; i < bytes.parameters.size(); ++i) {
      const EntryArray& at = bytes.parameters[i];
      Argument argument;
      argument.value = graph_.arg(entry, i);
      argument.name = names[i];
      argument.pattern = name_pattern(names[i]);
      argument.bytes = at.bytes;
      argument.is_donated = at.donated;
      const Type array = graph_.type_of(argument.value);
      argument.dims.assign(array.dims.begin(), array.dims.end());
      if (array.is_array() && array.is_static() && mesh_ != nullptr) argument.spec = in_.spec(argument.value);
      std::optional<uint32_t> next = successor(names[i], result_names);
      if (!next) next = at.partner;
      if (const auto open = free_.find(i); !next && open != free_.end()) next = static_cast<uint32_t>(open->second);
      if (next && *next < results && says_sharding_of_result(in_.program, *next) &&
          std::ranges::equal(graph_.types.get(type.elements[type.input_count + *next]).dims, array.dims))
        argument.result = next;
      if (next && *next < returned.size() && std::ranges::equal(graph_.type_of(returned[*next]).dims, array.dims))
        argument.returned = returned[*next];
      arguments_.push_back(std::move(argument));
    }
    read_categories();
    return true;
  }

  void read_categories() {
    const Graph& local = in_.local.graph;
    const BlockId entry = local.entry_block(local.function(local.main).body);
    for (const MemoryBuffer& buffer : in_.profile.buffers)
      if (!buffer.op.valid() && buffer.value.valid() && local.value(buffer.value).block == entry)
        arguments_[local.value(buffer.value).index].category = buffer.category;
  }

  // The values that HLO returns, where each is one result.
  std::vector<ValueId> returned_by_hlo(size_t results) const {
    const Block& entry = graph_.block(graph_.entry_block(graph_.function(graph_.main).body));
    const auto roots = entry.ops.empty() ? std::span<const ValueId>() : graph_.operands(entry.ops.back());
    if (!graph_.is_hlo || roots.size() != 1) return {};
    const OpId def = graph_.value(roots[0]).def;
    const auto all = def.valid() && graph_.op(def).kind == OpKind::tuple ? graph_.operands(def) : roots;
    return all.size() == results ? std::vector<ValueId>(all.begin(), all.end()) : std::vector<ValueId>();
  }

  // The result that is an argument's next value, by its name: of the arguments of one path the first is the first
  // result of that path, params['w'] result[0]['w'], momentum['w'] result[1]['w'].
  std::optional<uint32_t> successor(std::string_view name, const std::vector<std::string>& results) const {
    const std::string_view path = name_path(name);
    if (path.empty()) return std::nullopt;
    auto before = std::count_if(arguments_.begin(), arguments_.end(),
                                [&](const Argument& other) { return name_path(other.name) == path; });
    for (uint32_t r = 0; r < results.size(); ++r) {
      const std::string_view place = name_path(results[r]);  // "[0]['w']"
      const size_t end = place.find(']');
      if (end != std::string_view::npos && place.substr(end + 1) == path && before-- == 0) return r;
    }
    return std::nullopt;
  }

  // Of a named tree all, as donate_argnames would; without names those with a result to become.
  void donations() {
    std::map<std::string, Change> by_root;
    for (const auto& [argument, result] : free_) {
      Change& change = by_root[std::string(name_root(arguments_[argument].name))];
      change.bound = sum(change.bound, arguments_[argument].bytes);
      change.largest = std::max(change.largest, arguments_[argument].bytes);
    }
    for (auto& [root, change] : by_root) {
      for (size_t i = 0; i < arguments_.size(); ++i)
        if (!arguments_[i].is_donated && name_root(arguments_[i].name) == root && (!root.empty() || free_.contains(i)))
          change.donated.push_back(arguments_[i].value);
      change.kind = ChangeKind::donate;
      add(std::move(change), {});
    }
  }

  std::vector<Members> by_name() const {
    std::map<std::tuple<std::string, uint32_t, uint32_t>, Members> groups;
    for (size_t i = 0; i < arguments_.size(); ++i)
      if (arguments_[i].spec)
        groups[{arguments_[i].pattern, graph_.value(arguments_[i].value).type.raw,
                in_.shardings.intern(*arguments_[i].spec).raw}]
            .push_back(i);
    std::vector<Members> lists;
    for (auto& [key, members] : groups) lists.push_back(std::move(members));
    return lists;
  }

  // One axis on one dimension of all of them, all of one shape.
  void uniform(const Members& members) {
    for (uint32_t axis = 0; axis < mesh_->axes.size(); ++axis)
      for (size_t dim = 0; dim < arguments_[members.front()].dims.size(); ++dim)
        cut(members, axis, [&](size_t) { return dim; });
  }

  // A weight with all state of its shape.
  void families(const std::vector<Members>& groups) {
    for (const Members& group : groups) {
      const Argument& weight = arguments_[group.front()];
      const std::string_view path = name_path(weight.pattern);
      Members family;
      for (const Members& other : groups) {
        const Argument& first = arguments_[other.front()];
        const bool named = !path.empty() && first.pattern.ends_with(path);
        const bool unnamed = weight.name.empty() && first.name.empty() && is_state(weight) && is_state(first);
        if (first.dims == weight.dims && (named || unnamed)) family.insert(family.end(), other.begin(), other.end());
      }
      std::sort(family.begin(), family.end());
      if (family.size() > group.size()) uniform(family);
    }
  }

  static bool is_state(const Argument& a) {
    return a.category == MemoryCategory::parameter || a.category == MemoryCategory::optimizer_state;
  }

  // All weights, all state, both: each on its largest dimension that can be cut.
  void categories() {
    Members weights, state, both;
    for (size_t i = 0; i < arguments_.size(); ++i) {
      if (!arguments_[i].spec || !is_state(arguments_[i])) continue;
      (arguments_[i].category == MemoryCategory::parameter ? weights : state).push_back(i);
      both.push_back(i);
    }
    for (const Members* members : {&weights, &state, &both})
      for (uint32_t axis = 0; axis < mesh_->axes.size() && members->size() > 1; ++axis)
        cut(*members, axis, [&](size_t i) { return largest_dim(arguments_[i], axis); });
  }

  size_t largest_dim(const Argument& argument, uint32_t axis) const {
    size_t best = argument.dims.size();
    int64_t most = 0;
    for (size_t d = 0; d < argument.dims.size(); ++d) {
      const int64_t part = argument.dims[d] / product(argument.spec->dims[d].axes);
      if (part > most && with_axis(*mesh_, *argument.spec, argument.dims, d, axis)) {
        best = d;
        most = part;
      }
    }
    return best;
  }

  // What is only read, along its first two dimensions: everything that is computed from it follows.
  void batch() {
    std::map<int64_t, Members> alike;
    for (size_t i = 0; i < arguments_.size(); ++i)
      if (arguments_[i].spec && arguments_[i].category == MemoryCategory::batch && !arguments_[i].dims.empty())
        alike[arguments_[i].dims[0]].push_back(i);
    for (const auto& [extent, members] : alike)
      for (uint32_t axis = 0; axis < mesh_->axes.size(); ++axis)
        for (const size_t dim : {size_t{0}, size_t{1}}) {
          const size_t before = changes_.size();
          cut(members, axis, [&](size_t) { return dim; });
          if (changes_.size() > before)
            changes_.back().bound = sum(changes_.back().bound, shared_saving(in_.profile.temp, mesh_->axes[axis].size));
        }
  }

  template <class DimOf>
  void cut(const Members& members, uint32_t axis, const DimOf& dim_of) {
    Change change;
    change.kind = ChangeKind::shard;
    for (const size_t i : members) {
      const Argument& argument = arguments_[i];
      const size_t dim = dim_of(i);
      const auto spec =
          dim < argument.dims.size() ? with_axis(*mesh_, *argument.spec, argument.dims, dim, axis) : std::nullopt;
      if (!spec) continue;
      const NamedShardingId id = in_.shardings.intern(*spec);
      change.arguments.push_back({argument.value, id});
      if (argument.result) change.results.push_back({*argument.result, id});
      if (argument.returned.valid() && graph_.value(argument.returned).def.valid())
        change.pins.push_back({argument.returned, id});
      change.bound = sum(change.bound, shared_saving(argument.bytes, mesh_->axes[axis].size));
      change.largest = std::max(change.largest, argument.bytes);
    }
    if (!change.arguments.empty()) add(std::move(change), members);
  }

  void add(Change change, const Members& members) {
    change.subject = static_cast<uint64_t>(change.kind);
    for (const ValueId value : change.donated) change.subject = hash_mix(change.subject, value.raw);
    for (const size_t member : members) change.subject = hash_mix(change.subject, member);
    changes_.push_back(std::move(change));
  }

  const Situation& in_;
  const Graph& graph_;
  const Mesh* mesh_;
  std::vector<Argument> arguments_;
  std::map<size_t, size_t> free_;  // pairs_not_donated()
  std::vector<Change> changes_;
};

}  // namespace

std::optional<NamedShardingSpec> with_axis(const Mesh& mesh, NamedShardingSpec spec, std::span<const int64_t> dims,
                                           size_t dim, uint32_t axis) {
  const int64_t size = mesh.axes[axis].size;
  if (size <= 1 || dim >= dims.size() || dims.size() != spec.dims.size()) return std::nullopt;
  for (const NamedShardingSpec::Dim& d : spec.dims)
    for (const AxisRef& used : d.axes)
      if (used.axis == axis) return std::nullopt;
  const int64_t tiles = product(spec.dims[dim].axes);
  if (dims[dim] <= 0 || dims[dim] % tiles != 0 || (dims[dim] / tiles) % size != 0) return std::nullopt;
  spec.dims[dim].axes.push_back({axis, 1, static_cast<uint32_t>(size)});
  return spec;
}

std::optional<NamedShardingSpec> Situation::spec(ValueId value) const {
  AxisList manual;
  std::optional<NamedShardingSpec> found = planned_spec(program, plan, value, &manual);
  const Value& v = program.graph.value(value);
  const BlockId block = v.def.valid() ? program.graph.op(v.def).parent : v.block;
  if (!found || found->mesh != plan.mesh || !manual.empty() || !manual_axes_around(program, block).empty())
    return std::nullopt;
  return found;
}

std::vector<Change> argument_changes(const Situation& in) { return Finder(in).find(); }

}  // namespace sw
