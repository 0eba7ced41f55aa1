// See the header. Small arrays are passed over: what counts is what can be had back.
#include "report/memory_findings.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "memory/argument_names.h"
#include "memory/arguments.h"
#include "report/collective_facts.h"
#include "report/names.h"
#include "report/plan_text.h"
#include "report/product_inputs.h"
#include "report/rule_words.h"
#include "report/table.h"

namespace sw {

namespace {

constexpr int64_t kMiB = int64_t{1} << 20;
constexpr int64_t kSmallest = kMiB;    // of donations, optimizer state and padding, in sum
constexpr int64_t kLarge = 64 * kMiB;  // of one array
constexpr int64_t kShare = 20;         // and at least one part in so many of all arguments and results
constexpr size_t kMostValues = 4;      // findings large-unsharded about results of operations

std::string alike(size_t count) {
  return count > 1 ? "; so with " + count_text(static_cast<int64_t>(count - 1)) + " more" : "";
}

class Finder {
 public:
  explicit Finder(const PlanReport& report)
      : report_(report),
        program_(report.program),
        graph_(report.program.graph),
        arguments_(main_arguments(graph_)),
        axes_(report.program, report.plan),
        entry_(entry_bytes(report.local->graph, EntryRules{})) {}

  std::vector<Finding> find() {
    if (!same_arguments()) return {};
    free_ = free_pairs();
    donation_missed();
    if (has_devices()) {
      replicated_optimizer_state();
      large_arguments();
      large_values();
    }
    return std::move(findings_);
  }

 private:
  // The program of a device takes what main takes, one by one.
  bool same_arguments() const {
    return entry_.parameters.size() == arguments_.size() && entry_.results.size() == output_types(graph_).size();
  }
  bool has_devices() const { return report_.plan.mesh.valid() && mesh().device_count() > 1; }
  // Of a plan that has devices.
  const Mesh& mesh() const { return program_.shardings.mesh(report_.plan.mesh).mesh; }
  int64_t device_bytes(size_t argument) const { return entry_.parameters[argument].bytes; }
  std::string name(size_t argument) const { return shown(display_name(graph_, arguments_[argument])); }

  std::map<size_t, size_t> free_pairs() const {
    std::vector<std::string> arguments, results;
    for (const ValueId argument : arguments_) arguments.push_back(argument_name(graph_, argument));
    for (size_t r = 0; r < entry_.results.size(); ++r) results.push_back(output_name(graph_, r));
    return pairs_not_donated(entry_, arguments, results);
  }

  void donation_missed() {
    struct Group {
      std::vector<size_t> arguments;
      size_t largest = 0, result = 0;
      int64_t bytes = 0;
    };
    std::map<std::string, Group> groups;
    for (const auto& [argument, result] : free_) {
      Group& group = groups[std::string(name_root(argument_name(graph_, arguments_[argument])))];
      if (group.arguments.empty() || device_bytes(argument) > device_bytes(group.largest)) {
        group.largest = argument;
        group.result = result;
      }
      group.arguments.push_back(argument);
      group.bytes = saturated_add(group.bytes, device_bytes(argument));
    }
    for (const auto& [root, group] : groups) {
      if (group.bytes < kSmallest) continue;
      findings_.push_back({LintRule::donation_missed, arguments_[group.largest],
                           "not donated, though " + shown(output_name(graph_, group.result)) +
                               " of the same shape and sharding could take its place" + alike(group.arguments.size()),
                           root.empty() ? "jax.jit(..., donate_argnums=...), if the caller does not need the old value"
                                        : "jax.jit(..., donate_argnames='" + shown(root) +
                                              "'), if the caller does not need the old value",
                           group.bytes});
    }
  }

  // Axes of the mesh that cut nothing of the value; none when that cannot be said in axes.
  std::vector<uint32_t> unused_axes(ValueId value) const {
    const std::vector<MeshAxis>& axes = mesh().axes;
    std::vector<char> used(axes.size());
    for (const DimAxis& axis : axes_.of_value(value)) {
      if (axis.axis.axis >= used.size()) return {};
      used[axis.axis.axis] = 1;
    }
    std::vector<uint32_t> unused;
    for (uint32_t a = 0; a < used.size(); ++a)
      if (used[a] == 0 && axes[a].size > 1) unused.push_back(a);
    return unused;
  }

  // The largest unused axis that divides what a device has of some dimension.
  std::optional<std::pair<uint32_t, size_t>> way_to_cut(size_t argument) const {
    const std::vector<MeshAxis>& axes = mesh().axes;
    const Type local = report_.local->graph.types.get(entry_.parameters[argument].type);
    std::optional<std::pair<uint32_t, size_t>> best;
    for (const uint32_t axis : unused_axes(arguments_[argument]))
      for (size_t d = 0; d < local.rank(); ++d)
        if (local.dims[d] > 0 && local.dims[d] % axes[axis].size == 0 &&
            (!best || axes[axis].size > axes[best->first].size))
          best = {axis, d};
    return best;
  }

  // Floats with a successor that no product reads, of the shape of an argument that a product reads.
  void replicated_optimizer_state() {
    const std::vector<char> read = product_inputs(report_.local->graph);
    const auto has_successor = [&](size_t a) { return entry_.parameters[a].partner.has_value() || free_.contains(a); };
    std::set<std::vector<int64_t>> weights;
    for (size_t a = 0; a < arguments_.size(); ++a)
      if (a < read.size() && read[a] != 0) weights.insert(dims_of(a));
    struct Group {
      size_t count = 0, largest = 0, dim = 0;
      int64_t bytes = 0;
    };
    std::map<uint32_t, Group> groups;  // by axis
    for (size_t a = 0; a < arguments_.size(); ++a) {
      if (a >= read.size() || read[a] != 0 || !has_successor(a) || !weights.contains(dims_of(a)) ||
          !is_floating(graph_.type_of(arguments_[a]).element))
        continue;
      const auto way = way_to_cut(a);
      if (!way) continue;
      state_.push_back(a);
      Group& group = groups[way->first];
      if (group.count++ == 0 || device_bytes(a) > device_bytes(group.largest)) {
        group.largest = a;
        group.dim = way->second;
      }
      const int64_t size = mesh().axes[way->first].size;
      group.bytes = saturated_add(group.bytes, device_bytes(a) - device_bytes(a) / size);
    }
    for (const auto& [axis, group] : groups) {
      if (group.bytes < kSmallest) continue;
      const MeshAxis& along = mesh().axes[axis];
      findings_.push_back({LintRule::replicated_optimizer_state, arguments_[group.largest],
                           "state of the optimizer that is the same along `" + shown(along.name) + "`: " +
                               count_text(along.size) + " devices keep and update copies of it" + alike(group.count),
                           "shard it by `" + shown(along.name) + "` too, on dimension " + std::to_string(group.dim) +
                               ": " + bytes_text(group.bytes) + " less on each device",
                           group.bytes});
    }
  }

  std::vector<int64_t> dims_of(size_t argument) const {
    const Type type = graph_.type_of(arguments_[argument]);
    return {type.dims.begin(), type.dims.end()};
  }

  bool is_large(int64_t bytes) const {
    return bytes >= kLarge && bytes >= saturated_add(entry_.argument, entry_.output) / kShare;
  }
  bool is_whole(ValueId value) const { return axes_.of_value(value).empty(); }

  void large_arguments() {
    size_t count = 0, largest = 0;
    int64_t bytes = 0;
    for (size_t a = 0; a < arguments_.size(); ++a) {
      if (!is_whole(arguments_[a]) || !is_large(device_bytes(a)) ||
          std::find(state_.begin(), state_.end(), a) != state_.end())
        continue;
      if (count++ == 0 || device_bytes(a) > device_bytes(largest)) largest = a;
      bytes = saturated_add(bytes, device_bytes(a));
    }
    if (count == 0) return;
    const auto way = way_to_cut(largest);
    findings_.push_back(
        {LintRule::large_unsharded, arguments_[largest], "an argument that is whole on every device" + alike(count),
         way ? "shard dimension " + std::to_string(way->second) + " by `" + shown(mesh().axes[way->first].name) + "`"
             : "",
         bytes});
  }

  // Results of operations that are whole though made from something cut.
  void large_values() {
    std::vector<std::pair<int64_t, ValueId>> large;
    for (size_t i = 0; i < graph_.op_count(); ++i) {
      const Op& op = graph_.op(OpId{i});
      if (!op.parent.valid() || op.result_count != 1 || op.regions.count > 0 || has_trait(op.kind, kTerminator))
        continue;
      const ValueId value = graph_.result(OpId{i});
      if (value.index() < report_.plan.absent.size() && report_.plan.absent[value.index()] != 0) continue;
      const Type type = graph_.type_of(value);
      if (!type.is_array() || !type.is_static()) continue;
      const int64_t bytes = stored_bytes(type, ArrayForm::packed);
      if (!is_large(bytes) || !is_whole(value)) continue;
      const auto operands = graph_.operands(OpId{i});
      if (std::any_of(operands.begin(), operands.end(), [&](ValueId operand) { return !is_whole(operand); }))
        large.emplace_back(bytes, value);
    }
    std::stable_sort(large.begin(), large.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    for (size_t i = 0; i < std::min(large.size(), kMostValues); ++i)
      findings_.push_back(
          {LintRule::large_unsharded, large[i].second, "whole on every device, though made from what is sharded",
           "jax.lax.with_sharding_constraint on it; `shardwright explain` says what kept axes away", large[i].first});
  }

  const PlanReport& report_;
  const Program& program_;
  const Graph& graph_;
  std::vector<ValueId> arguments_;
  ShardingAxes axes_;
  EntryBytes entry_;
  std::map<size_t, size_t> free_;  // free_pairs()
  std::vector<size_t> state_;      // arguments that are state of the optimizer and could be cut
  std::vector<Finding> findings_;
};

// Arrays of one program in tiles.
class PaddingFinder {
 public:
  explicit PaddingFinder(const PlanReport& report)
      : local_(report.local->graph), arguments_(main_arguments(report.program.graph)) {}

  void add(const MemoryProfile& profile) {
    if (entry_rules(profile.target).form != ArrayForm::tiled) return;
    for (const MemoryBuffer& buffer : profile.buffers)
      if (buffer.at_peak && buffer.value.valid()) add(buffer);
  }

  std::vector<Finding> take() {
    std::vector<Finding> findings;
    for (const auto& [key, found] : found_) findings.push_back(found);
    std::stable_sort(findings.begin(), findings.end(),
                     [](const Finding& a, const Finding& b) { return a.bytes > b.bytes; });
    return findings;
  }

 private:
  void add(const MemoryBuffer& buffer) {
    const Type type = local_.type_of(buffer.value);
    const int64_t packed = stored_bytes(type, ArrayForm::packed), tiled = stored_bytes(type, ArrayForm::tiled);
    if (tiled - packed < kSmallest || tiled / 2 < packed) return;
    const Value& value = local_.value(buffer.value);
    const bool is_argument = !value.def.valid() &&
                             value.block == local_.entry_block(local_.function(local_.main).body) &&
                             value.index < arguments_.size();
    Finding finding{LintRule::tile_padding, is_argument ? arguments_[value.index] : ValueId{}, {}, {}, tiled - packed};
    if (!is_argument && value.def.valid())
      finding.message = op_word(local_, value.def) + " " + user_place(local_, local_.op(value.def).loc) +
                        ", alive at the worst moment: ";
    finding.message += type_label(local_, value.type) + " takes " + bytes_text(tiled) + " on a TPU for " +
                       bytes_text(packed) + " of elements: it is stored as " + layout_text(type);
    finding.fix = "let the extent of one dimension be a multiple of 128, or join dimensions before it is stored";
    found_.emplace(std::pair(is_argument ? int64_t{value.index} : int64_t{-1}, finding.message), std::move(finding));
  }

  const Graph& local_;
  const std::vector<ValueId> arguments_;
  std::map<std::pair<int64_t, std::string>, Finding> found_;
};

}  // namespace

std::vector<Finding> memory_findings(const PlanReport& report) {
  if (report.local == nullptr || !report.local->graph.main.valid()) return {};
  return Finder(report).find();
}

std::vector<Finding> padding_findings(const PlanReport& report, std::span<const MemoryProfile* const> profiles) {
  if (report.local == nullptr) return {};
  PaddingFinder finder(report);
  for (const MemoryProfile* profile : profiles) finder.add(*profile);
  return finder.take();
}

}  // namespace sw
