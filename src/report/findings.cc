// See the header. Each rule is one function that appends; what it looks for stands above it.
#include "report/findings.h"

#include <algorithm>
#include <iterator>

#include "propagate/seed_rules.h"
#include "report/axis_conflicts.h"
#include "report/full_remat.h"
#include "report/json_writer.h"
#include "report/memory_findings.h"
#include "report/miscompiled.h"
#include "report/names.h"
#include "report/rule_words.h"
#include "report/table.h"

namespace sw {

namespace {

constexpr LintRuleFacts kRules[] = {
    {LintRule::under_constrained, "under-constrained",
     "the sharding depends on the partitioner or on the order of propagation",
     "Several shardings are equally good to the partitioner, and which one comes out depends on the order in which it "
     "looks\n"
     "at the operations. GSPMD and Shardy, or two versions of either, may then differ. Found by running both in their "
     "own\n"
     "order, reversed, shuffled, backward first, without priorities, and with Shardy's basic strategy. Pin the values "
     "at "
     "the\n"
     "places named with jax.lax.with_sharding_constraint; the pins proposed have been tried in all of these."},
    {LintRule::silent_replication, "silent-replication",
     "an axis was asked for and dropped, so every device holds the whole",
     "An annotation names an axis that does not divide the dimension, and the partitioner dropped it without a word. "
     "Every\n"
     "device along that axis holds a copy. Make the extent a multiple of the axis, or shard another dimension."},
    {LintRule::axis_conflict, "axis-conflict",
     "two dimensions of an operation want one axis, and the loser is gathered",
     "An axis can cut one dimension of an operation at a time. Its operands bring it on two, such as the rows of one "
     "matrix and\n"
     "the columns of the other, so one operand is gathered along the axis, or exchanged between its dimensions, each "
     "time the\n"
     "operation runs. Shard one of the two by another axis. Gathering the weights may be what you want "
     "(FSDP);\n"
     "where both operands and the result are pinned, it is taken as meant."},
    {LintRule::unused_axis, "unused-axis", "a mesh axis shards nothing, so its devices repeat one another's work",
     "No value is cut by this axis: the devices along it compute the same. Annotate an argument with it, or leave it "
     "out."},
    {LintRule::constraint_ignored, "constraint-ignored", "a with_sharding_constraint is not what the value got",
     "The value ends up with another sharding than its constraint says, since an axis of it does not divide the "
     "dimension or\n"
     "another constraint stands beside it."},
    {LintRule::loop_carry_resharded, "loop-carry-resharded",
     "a value carried round a loop changes its sharding in each iteration",
     "What the body returns is sharded unlike what the loop carries, so it is resharded once an iteration. Constrain "
     "the value\n"
     "inside the body to the sharding of the carry, or the initial value to that of the body."},
    {LintRule::full_remat, "full-remat",
     "a value is gathered whole on every device, since there is no direct way between two shardings",
     "An operation wants a value in a sharding to which the partitioner knows no efficient way from the one it has, so "
     "it puts\n"
     "all of it on every device and cuts it again: what XLA logs as \"involuntary full rematerialization\". It costs "
     "the "
     "bytes\n"
     "of the whole array in memory and on the wire. Go through a sharding in between, of which each half is one "
     "exchange; the\n"
     "ones proposed have been tried. Or annotate the value as its user wants it, so that nothing is moved."},
    {LintRule::donation_missed, "donation-missed", "an argument is kept beside the result that replaces it",
     "A result has the shape, type and sharding of an argument that is not donated, as new weights have those of the "
     "old "
     "ones, so\n"
     "both lie in memory at once. Donated, the result takes the place of the argument: jax.jit(step, "
     "donate_argnames=('params',)).\n"
     "The caller must not use the old array again. The bytes are exact: the results' own storage goes away."},
    {LintRule::replicated_optimizer_state, "replicated-optimizer-state",
     "every device along an axis keeps the same state of the optimizer",
     "Moments and the like are as large as the weights, but no product reads them: each device may keep and update its "
     "part only\n"
     "(ZeRO, stage 1). Shard them by the axis of the batch too; the new weights are then gathered once a step. State "
     "is "
     "told by\n"
     "having a successor among the results and the shape of a weight, and by being read by no product."},
    {LintRule::large_unsharded, "large-unsharded", "a large array is whole on every device",
     "An argument, or a value made from what is sharded, of at least 64 MiB and a twentieth of all arguments and "
     "results "
     "is cut by\n"
     "no axis of the mesh. Shard one of its dimensions. With data parallelism alone that is FSDP: the weights are "
     "gathered "
     "layer by\n"
     "layer."},
    {LintRule::tile_padding, "tile-padding", "an array takes twice its bytes or more in the tiles of a TPU",
     "TPUs store the two innermost dimensions in tiles of 8 by 128 and choose which dimensions those are; when all are "
     "short, most\n"
     "of each tile is padding. Join dimensions, or let one be a multiple of 128. Looked for with `--hardware` of a "
     "TPU, "
     "among the\n"
     "arguments and what lives at the worst moment."},
    {LintRule::miscompiled, "miscompiled", "the partitioned program computes something else than the program",
     "XLA's partitioner has mistakes that show under few shardings: the program compiles and runs, and its numbers are "
     "wrong.\n"
     "Where a rule of the partitioner is known to go wrong, it is named here. Plans and emitted programs are what XLA "
     "makes;\n"
     "shardwright run computes such operations whole on every device instead, and so gets what the program says."},
};

class Finder {
 public:
  explicit Finder(const PlanReport& report)
      : report_(report),
        program_(report.program),
        graph_(report.program.graph),
        plan_(report.plan),
        axes_(report.program, report.plan),
        texts_(report) {}

  std::vector<Finding> find() {
    for (Finding& finding : full_remat_findings(report_)) findings_.push_back(std::move(finding));
    for (Finding& finding : memory_findings(report_)) findings_.push_back(std::move(finding));
    if (plan_.by == Partitioner::none) return with_wrong_ones_first();
    silent_replication();
    for (Finding& finding : axis_conflict_findings(report_)) findings_.push_back(std::move(finding));
    unused_axis();
    constraint_ignored();
    loop_carry_resharded();
    std::stable_sort(findings_.begin(), findings_.end(),
                     [](const Finding& a, const Finding& b) { return a.bytes > b.bytes; });
    return with_wrong_ones_first();
  }

 private:
  std::vector<Finding> with_wrong_ones_first() {
    std::vector<Finding> all = miscompiled_findings(report_);
    all.insert(all.end(), std::make_move_iterator(findings_.begin()), std::make_move_iterator(findings_.end()));
    return all;
  }

  int64_t device_bytes(ValueId value, const std::vector<int64_t>& tiles) const {
    const Type type = graph_.type_of(value);
    return type.is_array() ? array_bytes(type, device_shape(type, tiles)) : 0;
  }
  std::vector<int64_t> tiles(ValueId value) const {
    return tiles_of(program_, sharding_of(plan_, value), graph_.type_of(value).rank());
  }
  static std::string spec(const ShardingText& text) {
    return !text.spec.empty() ? text.spec : !text.hlo.empty() ? text.hlo : "P()";
  }

  // Arguments whose written sharding cuts more than the one they got.
  void silent_replication() {
    const StringId key = graph_.strings.find("sdy.sharding");
    if (!graph_.main.valid() || !key.valid()) return;
    const Function& main = graph_.function(graph_.main);
    const std::vector<ValueId> arguments = main_arguments(graph_);
    for (size_t i = 0; i < arguments.size() && i < main.arg_attrs.size(); ++i) {
      const AttrId id = Graph::find(graph_.attrs(main.arg_attrs[i]), key);
      if (!id.valid() || graph_.attr_table.get(id).kind != AttrKind::sharding) continue;
      const NamedShardingId written{static_cast<uint32_t>(graph_.attr_table.get(id).integer)};
      const std::vector<int64_t> wanted = tiles_of(program_, {written, {}}, graph_.type_of(arguments[i]).rank());
      const std::vector<int64_t> got = tiles(arguments[i]);
      const Type type = graph_.type_of(arguments[i]);
      for (size_t d = 0; d < got.size(); ++d) {
        if (wanted[d] <= got[d] || type.dims[d] == kDynamic) continue;
        const std::string extent = std::to_string(type.dims[d]);
        findings_.push_back(
            {LintRule::silent_replication, arguments[i],
             "dimension " + std::to_string(d) + " (" + extent + ") was to be cut in " + std::to_string(wanted[d]) +
                 " and is cut in " + std::to_string(got[d]) +
                 (type.dims[d] % wanted[d] != 0 ? ", since " + std::to_string(wanted[d]) + " does not divide it" : ""),
             "make the extent a multiple of " + std::to_string(wanted[d]) + ", or shard another dimension",
             device_bytes(arguments[i], got) - device_bytes(arguments[i], wanted)});
      }
    }
  }

  // Axes of the mesh that cut no value.
  void unused_axis() {
    if (!plan_.mesh.valid()) return;
    const Mesh& mesh = program_.shardings.mesh(plan_.mesh).mesh;
    std::vector<char> used(mesh.axes.size());
    bool any = false;
    for (size_t i = 0; i < graph_.value_count(); ++i)
      for (const DimAxis& axis : axes_.of_value(ValueId{i})) {
        if (axis.axis.axis == kWholeDimension) return;  // tiles that are no axes: nothing can be said
        if (axis.axis.axis < used.size()) used[axis.axis.axis] = 1;
        any = true;
      }
    for (size_t a = 0; a < used.size() && any; ++a)
      if (used[a] == 0 && mesh.axes[a].size > 1)
        findings_.push_back({LintRule::unused_axis,
                             {},
                             "mesh axis `" + mesh.axes[a].name + "` (" + std::to_string(mesh.axes[a].size) +
                                 " devices) cuts no value of the program",
                             "annotate an argument with it, for example the batch, or leave it out of the mesh",
                             0});
  }

  // sdy.sharding_constraint whose result lacks axes that the constraint names.
  void constraint_ignored() {
    for (size_t i = 0; i < graph_.op_count(); ++i) {
      const Op& op = graph_.op(OpId{i});
      if (op.kind != OpKind::sharding_constraint || !op.parent.valid()) continue;
      const AttrId id = graph_.attr(op, "sharding");
      if (!id.valid() || graph_.attr_table.get(id).kind != AttrKind::sharding) continue;
      const NamedShardingId written{static_cast<uint32_t>(graph_.attr_table.get(id).integer)};
      const ValueId value = graph_.result(OpId{i});
      if (value.index() < plan_.absent.size() && plan_.absent[value.index()] != 0) continue;
      const std::vector<int64_t> wanted = tiles_of(program_, {written, {}}, graph_.type_of(value).rank()),
                                 got = tiles(value);
      bool lost = false;
      for (size_t d = 0; d < got.size(); ++d) lost = lost || got[d] < wanted[d];
      if (lost)
        findings_.push_back(
            {LintRule::constraint_ignored, value,
             "constrained to " + spec(texts_.of_named(written)) + ", but it is " + spec(texts_.of_value(value)),
             "look for a second constraint on the same value: shardwright explain names what won",
             device_bytes(value, got) - device_bytes(value, wanted)});
    }
  }

  // Values that a loop body returns in another sharding than the loop carries.
  void loop_carry_resharded() {
    if (graph_.is_hlo) return;
    for (size_t i = 0; i < graph_.op_count(); ++i) {
      const Op& op = graph_.op(OpId{i});
      if (op.kind != OpKind::while_ || !op.parent.valid() || graph_.regions(op).size() < 2) continue;
      const Block& body = graph_.block(graph_.entry_block(graph_.regions(op)[1]));
      if (body.ops.empty()) continue;
      const auto returned = graph_.operands(body.ops.back());
      for (uint32_t r = 0; r < op.result_count && r < returned.size(); ++r) {
        const ValueId carried = graph_.result(OpId{i}, r);
        if (tiles(carried) == tiles(returned[r])) continue;
        findings_.push_back(
            {LintRule::loop_carry_resharded, returned[r],
             "the loop carries " + shown(spelled_name(graph_, carried)) + " as " + spec(texts_.of_value(carried)) +
                 ", its body returns " + spec(texts_.of_value(returned[r])),
             "x = jax.lax.with_sharding_constraint(x, " + spec(texts_.of_value(carried)) +
                 ") before the body returns it",
             std::max(device_bytes(carried, tiles(carried)), device_bytes(returned[r], tiles(returned[r])))});
      }
    }
  }

  const PlanReport& report_;
  const Program& program_;
  const Graph& graph_;
  const Plan& plan_;
  ShardingAxes axes_;
  ShardingTexts texts_;
  std::vector<Finding> findings_;
};

}  // namespace

std::span<const LintRuleFacts> lint_rules() { return kRules; }
std::string_view lint_rule_name(LintRule rule) { return kRules[static_cast<size_t>(rule)].name; }

std::vector<Finding> plan_findings(const PlanReport& report) { return Finder(report).find(); }

namespace {

constexpr size_t kFixLines = 4;

void write_fix_text(const std::string& fix, TextSink& out) {
  size_t count = 0, at = 0;
  for (; at < fix.size() && count < kFixLines; ++count) {
    const size_t end = std::min(fix.find('\n', at), fix.size());
    out.write("    " + std::string(22, ' ') + "└ " + fix.substr(at, end - at) + "\n");
    at = end + 1;
  }
  if (at >= fix.size()) return;
  const auto more = std::count(fix.begin() + static_cast<ptrdiff_t>(at), fix.end(), '\n') + 1;
  out.write("    " + std::string(22, ' ') + "└ and " + std::to_string(more) + " more (--format json)\n");
}

void write_values_json(const PlanReport& report, const Finding& finding, JsonWriter& json) {
  const Graph& graph = report.program.graph;
  const auto place = [&](ValueId value) {
    json.key("value").string(display_name(graph, value));
    const SourceRange range = range_of(graph, value);
    json.key("line");
    range.valid() ? json.number(line_of(report.sources, range)) : json.null();
    json.key("source").string_or_null(user_place(graph, location_of(graph, value)));
  };
  json.key("bytes_least").number(finding.least);
  json.key("bytes_most").number(finding.most);
  json.key("values").begin_array();
  for (const FindingValue& v : finding.values) {
    json.begin_object();
    place(v.value);
    json.key("outcomes").begin_array();
    for (const FindingOutcome& outcome : v.outcomes) {
      json.begin_object();
      json.key("sharding").string(outcome.sharding);
      json.key("bytes").number(outcome.bytes);
      json.key("ways").begin_array();
      for (const std::string& way : outcome.ways) json.string(way);
      json.end();
      json.end();
    }
    json.end();
    json.end();
  }
  json.end();
  json.key("pins").begin_array();
  for (const FindingPin& pin : finding.pins) {
    json.begin_object();
    place(pin.value);
    json.key("spec").string(pin.spec);
    json.key("flag").string("--pin \"" + value_address(report.program, report.sources, pin.value) + "=" + pin.spec +
                            "\"");
    json.key("code").string(pin.code);
    json.end();
  }
  json.end();
}

}  // namespace

void write_findings_text(const PlanReport& report, std::span<const Finding> findings, size_t most, TextSink& out) {
  const Graph& graph = report.program.graph;
  for (size_t i = 0; i < std::min(most, findings.size()); ++i) {
    const Finding& f = findings[i];
    std::string line = "    " + padded(std::string(lint_rule_name(f.rule)) + "  ", 22);
    if (f.value.valid()) {
      line += shown(place_of(graph, report.sources, f.value)) + "   " + shown(display_name(graph, f.value));
      const OpId def = graph.value(f.value).def;
      if (def.valid()) line += " " + op_word(graph, def);
      line += ": ";
    }
    line += f.message;
    if (f.most > 0)
      line += " (" + (f.bytes > 0 ? bytes_text(f.least) + " to " : "") + bytes_text(f.most) + " on each device)";
    else if (f.bytes > 0)
      line += " (" + bytes_text(f.bytes) + " on each device)";
    out.write(line + "\n");
    write_fix_text(f.fix, out);
  }
  if (findings.size() > most)
    out.write("    …" + std::to_string(findings.size() - most) + " more (shardwright lint)\n");
}

void write_findings_json(const PlanReport& report, std::span<const Finding> findings, JsonWriter& json) {
  const Graph& graph = report.program.graph;
  json.begin_array();
  for (const Finding& f : findings) {
    const SourceRange range = f.value.valid() ? range_of(graph, f.value) : SourceRange{};
    json.begin_object();
    json.key("rule").string(lint_rule_name(f.rule));
    json.key("severity").string("warning");
    json.key("line");
    range.valid() ? json.number(line_of(report.sources, range)) : json.null();
    json.key("source").string_or_null(f.value.valid() ? user_place(graph, location_of(graph, f.value)) : "");
    json.key("value").string_or_null(f.value.valid() ? display_name(graph, f.value) : "");
    json.key("message").string(f.message);
    json.key("bytes").number(f.bytes);
    json.key("fix").string_or_null(f.fix);
    if (!f.values.empty()) write_values_json(report, f, json);
    json.end();
  }
  json.end();
}

}  // namespace sw
