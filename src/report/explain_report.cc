// See the header.
#include "report/explain_report.h"

#include <algorithm>

#include "propagate/explain.h"
#include "report/json_writer.h"
#include "report/names.h"
#include "report/plan_text.h"
#include "report/rule_words.h"
#include "report/table.h"

namespace sw {

namespace {

constexpr size_t kMaxValues = 4;    // explained in full; more values on one line are only named
constexpr size_t kMaxSteps = 14;    // of one chain in text
constexpr size_t kMaxRefusals = 6;  // in text
constexpr size_t kMaxLeaves = 64;   // of one tuple, asked for refusals
constexpr size_t kMaxCopies = 64;   // of one function, looked at

// Same way: the same values and dimensions, step by step.
bool same_way(const Provenance& provenance, const std::vector<uint32_t>& a, const std::vector<uint32_t>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](uint32_t x, uint32_t y) {
    return provenance.at(x).value == provenance.at(y).value && provenance.at(x).dim == provenance.at(y).dim;
  });
}

// A step of GSPMD that put what was offered together with what was there, or in its place.
struct Change {
  uint32_t step = 0;
  bool merged = false;  // otherwise replaced
};

bool contains_all(std::span<const DimAxis> all, std::span<const DimAxis> part) {
  return std::all_of(part.begin(), part.end(),
                     [&](const DimAxis& axis) { return std::find(all.begin(), all.end(), axis) != all.end(); });
}

std::vector<Change> changes_of(const Plan& plan, const Provenance& provenance, ValueAt at) {
  std::vector<Change> list;
  if (plan.by != Partitioner::gspmd) return list;
  for (uint32_t i = 0; i < plan.trace.steps.size(); ++i) {
    const Step& step = plan.trace.steps[i];
    if (step.value != at.value || step.instance != at.instance || step.offered == kNoSharding) continue;
    const auto before = provenance.axes().of_sharding(step.before), after = provenance.axes().of_sharding(step.after),
               offered = provenance.axes().of_sharding(step.offered);
    if (before.empty() || offered.empty() || contains_all(offered, before)) continue;
    list.push_back({i, !contains_all(offered, after)});
  }
  return list;
}

// The step that took the axes of a value away at the end, which only arguments and results of main know.
const Step* made_whole(const Plan& plan, const Provenance& provenance, ValueAt at) {
  for (size_t i = plan.trace.steps.size(); i-- > 0;) {
    const Step& step = plan.trace.steps[i];
    if (step.value != at.value || step.instance != at.instance) continue;
    const bool lost =
        provenance.axes().of_sharding(step.after).empty() && !provenance.axes().of_sharding(step.before).empty();
    return lost && step.cause.kind == CauseKind::fallback ? &step : nullptr;
  }
  return nullptr;
}

std::string mesh_axis_name(const PlanReport& report, uint32_t axis) {
  if (!report.plan.mesh.valid()) return "axis " + std::to_string(axis);
  const Mesh& mesh = report.program.shardings.mesh(report.plan.mesh).mesh;
  return axis < mesh.axes.size() ? mesh.axes[axis].name : "axis " + std::to_string(axis);
}

std::string label_of(const ShardingText& text) {
  return !text.spec.empty() ? text.spec : !text.hlo.empty() ? text.hlo : "P()";
}

// ", called at line 20 in @outer, called at line 8"
std::string call_words(const PlanReport& report, uint32_t instance) {
  constexpr int kMaxCallers = 3;
  const Graph& graph = report.program.graph;
  std::string text;
  for (int i = 0; i < kMaxCallers && instance < report.plan.instances.size(); ++i) {
    const FunctionInstance& at = report.plan.instances[instance];
    if (!at.call.valid()) break;
    if (i > 0) text += " in @" + shown(graph.strings.text(graph.function(at.function).name));
    text += ", called at " + shown(place_of(graph, report.sources, at.call));
    instance = at.caller;
  }
  return text;
}

class ExplainText {
 public:
  ExplainText(const PlanReport& report, const ExplainOptions& options, TextSink& out)
      : report_(report),
        graph_(report.program.graph),
        plan_(report.plan),
        options_(options),
        out_(out),
        texts_(report),
        provenance_(report.program, report.plan) {}

  void write(const Subject& subject) {
    for (size_t i = 0; i < std::min(subject.values.size(), kMaxValues); ++i) {
      if (i > 0) out_.write('\n');
      write_value(subject.values[i], subject.output);
    }
    if (subject.values.size() <= kMaxValues) return;
    std::string rest;
    for (size_t i = kMaxValues; i < std::min(subject.values.size(), kMaxValues + 12); ++i)
      rest += (rest.empty() ? "" : ", ") + shown(spelled_name(graph_, subject.values[i]));
    if (subject.values.size() > kMaxValues + 12) rest += ", …";
    out_.write("\nAlso there: " + rest + "\n");
  }

 private:
  void write_value(ValueId value, const std::string& output) {
    const Value& v = graph_.value(value);
    std::string title = output.empty() ? "" : shown(output) + " = ";
    title += shown(display_name(graph_, value));
    if (v.def.valid()) title += "  " + op_word(graph_, v.def);
    if (!v.def.valid() && display_name(graph_, value) != spelled_name(graph_, value))
      title += "  (" + shown(spelled_name(graph_, value)) + ")";
    title += "  ·  " + type_label(graph_, v.type) + "  ·  " + sharding_label(value);
    const std::string place = shown(place_of(graph_, report_.sources, value));
    if (!place.empty()) title += "   " + place;
    const std::string region = region_of(graph_, value);
    if (!region.empty()) title += "   of the " + region;
    const std::string_view function = containing_function(graph_, value);
    if (graph_.main.valid() && function != graph_.strings.text(graph_.function(graph_.main).name)) {
      title += "   in @" + shown(function);
      const std::vector<uint32_t> copies = provenance_.instances_of(value);
      if (copies.size() > 1) title += call_words(report_, copies[0]);
    }
    out_.write(title + "\n\n");

    if (value.index() < plan_.absent.size() && plan_.absent[value.index()] != 0) {
      out_.write("  not there: nothing uses it, or it is simplified away, before the partitioner runs\n");
      return;
    }
    write_way(provenance_.home(value), value, explain_axes(provenance_, value));
    write_copies(value);
    if (v.def.valid() &&
        std::find(plan_.unsupported.begin(), plan_.unsupported.end(), v.def) != plan_.unsupported.end())
      out_.write("  unsupported   nothing is known about " + op_word(graph_, v.def) +
                 ", so no sharding goes through it\n");
  }

  void write_way(ValueAt at, ValueId value, const std::vector<ExplainedAxes>& groups) {
    tuple_ = graph_.types.get(graph_.value(value).type).kind == TypeKind::tuple;
    for (const ExplainedAxes& group : groups) write_group(group);
    if (const Step* step = made_whole(plan_, provenance_, at)) {
      out_.write("  whole on every device: " + label(step->before, step->value) +
                 " does not cut it into equal parts, which an argument or a result must be\n");
    } else if (groups.empty()) {
      out_.write("  whole on every device: no axis reached it\n");
    }
    write_changes(at);
    write_refusals(at, value);
  }

  // GSPMD writes calls out: the same value in the copies of its function, those that came out differently in full.
  void write_copies(ValueId value) {
    if (plan_.by != Partitioner::gspmd) return;
    const std::vector<uint32_t> copies = provenance_.instances_of(value);
    std::vector<uint32_t> told{sharding_in(value, copies[0])};
    std::string same;
    size_t same_count = 0;
    for (size_t i = 1; i < std::min(copies.size(), kMaxCopies); ++i) {
      const ValueAt at = provenance_.home(ValueAt{value, copies[i]});
      const uint32_t sharding = sharding_in(value, copies[i]);
      if (std::find(told.begin(), told.end(), sharding) != told.end()) {
        if (++same_count <= kMaxValues) same += call_words(report_, copies[i]);
        continue;
      }
      told.push_back(sharding);
      out_.write("\n  another copy" + call_words(report_, copies[i]) + "  ·  " + label(sharding, value) + "\n\n");
      write_way(at, value, explain_axes(provenance_, at, provenance_.axes().of_sharding(sharding)));
    }
    if (same_count > 0) {
      if (same_count > kMaxValues)
        same += ", and " + count_text(static_cast<int64_t>(same_count - kMaxValues)) + " more";
      out_.write("\n  the same in the " + std::string(same_count == 1 ? "copy" : "copies") + same + "\n");
    }
    if (copies.size() > kMaxCopies)
      out_.write("  " + count_text(static_cast<int64_t>(copies.size() - kMaxCopies)) + " more copies\n");
  }

  uint32_t sharding_in(ValueId value, uint32_t instance) const {
    return provenance_.final_sharding(provenance_.home(ValueAt{value, instance}));
  }

  std::string sharding_label(ValueId value) { return label_of(texts_.of_value(value)); }

  // A sharding of the partitioner's own table, on a value.
  std::string label(uint32_t sharding, ValueId value) {
    if (sharding == kNoSharding) return "P()";
    if (plan_.by == Partitioner::shardy) return label_of(texts_.of_named(NamedShardingId{sharding}));
    return label_of(texts_.of_tiled(TileShardingId{sharding}, graph_.type_of(value).rank()));
  }

  std::string element_words(uint32_t leaf) const { return tuple_ ? "element " + std::to_string(leaf) + ", " : ""; }

  // What was merged, or given up for something finer.
  void write_changes(ValueAt at) {
    Table table({0, 0, 0}, 2);
    for (const Change& change : changes_of(plan_, provenance_, at)) {
      const Step& step = plan_.trace.steps[change.step];
      const std::string offered = label(step.offered, at.value) + from_words(step.cause);
      table.add({change.merged ? "merged  " : "replaced",
                 element_words(step.leaf) + label(step.before, at.value) + (change.merged ? " with " : " by ") +
                     offered + (change.merged ? ": " + label(step.after, at.value) : ", which has more tiles") +
                     at_op(step.cause.op),
                 round_words(plan_, step)});
    }
    table.write(out_);
  }

  std::string from_words(const Cause& cause) const {
    return cause.from.valid() ? " of " + shown(display_name(graph_, cause.from)) : "";
  }

  void write_group(const ExplainedAxes& group) {
    std::string axes;
    for (const AxisRef& axis : group.axes) axes += (axes.empty() ? "" : ", ") + axis_word(report_.program, plan_, axis);
    out_.write("  " + element_words(group.leaf) + "dimension " + std::to_string(group.dim) + "   " + axes + "\n");
    if (group.chain.empty()) {
      out_.write("      from  the file, as it is written\n");
      return;
    }
    Table table({0, 34, 24, 72, 0}, 6);
    const size_t count = group.chain.size();
    for (size_t i = 0; i < count; ++i) {
      if (count > kMaxSteps && i == kMaxSteps / 2) {
        const size_t skipped = count - 2 * (kMaxSteps / 2);
        table.add({" …", count_text(static_cast<int64_t>(skipped)) + " more steps (--format json)"});
        i += skipped;
      }
      table.add(step_cells(group.chain[i], i == 0));
    }
    table.write(out_);
  }

  std::vector<std::string> step_cells(uint32_t index, bool first) {
    const AxisOrigin& origin = provenance_.at(index);
    const Step& step = plan_.trace.steps[origin.step];
    std::string words = step_words(report_.program, plan_, provenance_, index);
    if (step.cause.kind == CauseKind::seed) words += " " + seed_text(report_, texts_, step);
    if (plan_.by == Partitioner::gspmd && origin.value.valid() && origin.instance != 0 &&
        provenance_.instances_of(origin.value).size() > 1)
      words += call_words(report_, origin.instance);
    const std::string place =
        origin.value.valid() ? shown(place_of(graph_, report_.sources, origin.value)) : std::string("result of main");
    return {first ? "from" : " →", origin_name(report_.program, origin), place, words, round_words(plan_, step)};
  }

  void write_refusals(ValueAt at, ValueId value) {
    size_t shown_count = 0;
    Table table({0, 0, 0}, 2);
    std::vector<Refusal> refusals;
    const size_t leaves = std::min(tuple_ ? provenance_.leaves_of(value).size() : 1, kMaxLeaves);
    for (; at.leaf < leaves; ++at.leaf) {
      const std::vector<Refusal> of_leaf = provenance_.refusals(at);
      refusals.insert(refusals.end(), of_leaf.begin(), of_leaf.end());
    }
    at.leaf = 0;
    for (const Refusal& r : refusals) {
      const std::string axis = mesh_axis_name(report_, r.axis);
      const bool named = r.offered == kNoSharding || r.axis != kWholeDimension;
      if (!options_.why_not.empty() && named && axis != options_.why_not) continue;
      if (options_.why_not.empty() && shown_count == kMaxRefusals) break;
      ++shown_count;
      const bool whole = r.offered != kNoSharding;
      table.add({shown_count == 1 ? "refused" : "",
                 (whole ? axis_word(report_.program, plan_, r.part) : shown(axis)) + " on " + element_words(r.leaf) +
                     "dimension " + std::to_string(r.dim) + ": " + refusal_words(report_.program, plan_, r) +
                     (whole ? offer_words(r) : at_op(r.op))});
    }
    if (shown_count > 0) {
      table.write(out_);
    } else if (!options_.why_not.empty()) {
      out_.write("  why not       " + shown(options_.why_not) + ": " + never_offered(at, value) + "\n");
    }
  }

  // "  (P('x', 'y') offered at add, line 8)"
  std::string offer_words(const Refusal& refusal) {
    const std::string place = place_words(refusal.op);
    return "  (" + label(refusal.offered, refusal.value) + " offered" + (place.empty() ? "" : " at " + place) + ")";
  }

  std::string at_op(OpId op) const { return op.valid() ? "  (at " + place_words(op) + ")" : ""; }

  std::string place_words(OpId op) const {
    if (!op.valid()) return {};
    const std::string place = shown(place_of(graph_, report_.sources, op));
    return op_word(graph_, op) + (place.empty() ? "" : ", " + place);
  }

  std::string never_offered(ValueAt at, ValueId value) {
    for (const DimAxis& axis : provenance_.axes().of_value(value))
      if (axis.axis.axis != kWholeDimension && mesh_axis_name(report_, axis.axis.axis) == options_.why_not)
        return "it is there, on dimension " + std::to_string(axis.dim);
    if (const Step* step = annotation(at))
      return "it is annotated " + label(step->after, at.value) + ", and GSPMD leaves alone what is annotated";
    // A value beside it, at an operation that makes or uses it.
    for (size_t i = 0; i < graph_.op_count(); ++i) {
      const OpId id{i};
      const auto operands = graph_.operands(id);
      if (graph_.value(value).def != id && std::find(operands.begin(), operands.end(), value) == operands.end())
        continue;
      std::vector<ValueId> beside(operands.begin(), operands.end());
      for (uint32_t r = 0; r < graph_.op(id).result_count; ++r) beside.push_back(graph_.result(id, r));
      for (const ValueId other : beside)
        for (const DimAxis& axis : provenance_.axes().of_value(other))
          if (other != value && axis.axis.axis != kWholeDimension &&
              mesh_axis_name(report_, axis.axis.axis) == options_.why_not)
            return shown(display_name(graph_, other)) + " has it on dimension " + std::to_string(axis.dim) + ", and " +
                   op_word(graph_, id) + " did not bring it over";
    }
    return "no value beside it is sharded by it";
  }

  // What keeps a value as it is for GSPMD: its annotation, or that of the constraint behind it.
  const Step* annotation(ValueAt at) const {
    if (plan_.by != Partitioner::gspmd) return nullptr;
    for (const Step& step : plan_.trace.steps) {
      if (step.value != at.value || step.instance != at.instance) continue;
      const bool given = step.cause.kind == CauseKind::seed || step.cause.kind == CauseKind::constraint;
      return given && step.after == provenance_.final_sharding(at) ? &step : nullptr;
    }
    return nullptr;
  }

  const PlanReport& report_;
  const Graph& graph_;
  const Plan& plan_;
  const ExplainOptions& options_;
  TextSink& out_;
  ShardingTexts texts_;
  Provenance provenance_;
  bool tuple_ = false;  // the value at hand is one
};

class ExplainJson {
 public:
  ExplainJson(const PlanReport& report, TextSink& out)
      : report_(report),
        graph_(report.program.graph),
        plan_(report.plan),
        texts_(report),
        provenance_(report.program, report.plan),
        json_(out, 3) {}

  void write(const Subject& subject) {
    json_.begin_object();
    json_.key("schema_version").number(1);
    json_.key("partitioner").string(partitioner_name(plan_.by));
    json_.key("output").string_or_null(subject.output);
    json_.key("values").begin_array();
    for (ValueId value : subject.values) write_value(value);
    json_.end();
    json_.end();
  }

 private:
  void write_value(ValueId value) {
    const Value& v = graph_.value(value);
    json_.begin_object();
    json_.key("function").string(containing_function(graph_, value));
    write_place(value);
    json_.key("type").string(type_label(graph_, v.type));
    const ShardingText& text = texts_.of_value(value);
    json_.key("sharding").begin_object();
    json_.key("sdy").string_or_null(text.sdy);
    json_.key("hlo").string_or_null(text.hlo);
    json_.key("spec").string_or_null(text.spec);
    json_.end();
    json_.key("dims").begin_array();
    for (const ExplainedAxes& group : explain_axes(provenance_, value)) write_group(group);
    json_.end();
    write_changes(provenance_.home(value));
    write_refusals(provenance_.home(value));
    write_copies(value);
    json_.end();
  }

  void write_changes(ValueAt at) {
    json_.key("changes").begin_array();
    for (const Change& change : changes_of(plan_, provenance_, at)) {
      const Step& step = plan_.trace.steps[change.step];
      json_.begin_object();
      json_.key("kind").string(change.merged ? "merged" : "replaced");
      json_.key("had").string(label(step.before, at.value));
      json_.key("offered").string(label(step.offered, at.value));
      json_.key("by").string_or_null(step.cause.from.valid() ? spelled_name(graph_, step.cause.from) : "");
      json_.key("became").string(label(step.after, at.value));
      json_.key("op").string_or_null(step.cause.op.valid() ? op_word(graph_, step.cause.op) : "");
      json_.key("level").number(step.user_round);
      json_.key("sweep").number(step.round);
      json_.end();
    }
    json_.end();
  }

  void write_refusals(ValueAt at) {
    json_.key("refused").begin_array();
    for (const Refusal& r : provenance_.refusals(at)) {
      json_.begin_object();
      json_.key("axis").string(mesh_axis_name(report_, r.axis));
      json_.key("dim").number(r.dim);
      json_.key("reason").string(refusal_words(report_.program, plan_, r));
      json_.key("op").string_or_null(r.op.valid() ? op_word(graph_, r.op) : "");
      json_.key("offered").string_or_null(r.offered == kNoSharding ? "" : label(r.offered, r.value));
      json_.end();
    }
    json_.end();
  }

  std::string label(uint32_t sharding, ValueId value) {
    if (sharding == kNoSharding) return "P()";
    return label_of(texts_.of_tiled(TileShardingId{sharding}, graph_.type_of(value).rank()));
  }

  // The copies of the value's function, where calls are written out: where each is called, and what the value is there.
  void write_copies(ValueId value) {
    const std::vector<uint32_t> copies = provenance_.instances_of(value);
    json_.key("copies").begin_array();
    for (size_t i = 0; plan_.by == Partitioner::gspmd && copies.size() > 1 && i < std::min(copies.size(), kMaxCopies);
         ++i) {
      const ValueAt at = provenance_.home(ValueAt{value, copies[i]});
      const uint32_t sharding = provenance_.final_sharding(at);
      json_.begin_object();
      json_.key("shown").boolean(i == 0);
      json_.key("calls").begin_array();
      for (uint32_t c = copies[i]; plan_.instances[c].call.valid(); c = plan_.instances[c].caller) {
        const OpId call = plan_.instances[c].call;
        json_.begin_object();
        json_.key("line").number(line_of(report_.sources, graph_.op(call).where));
        json_.key("source").string_or_null(user_place(graph_, graph_.op(call).loc));
        json_.end();
      }
      json_.end();
      json_.key("sharding").string(label(sharding, value));
      json_.key("dims").begin_array();
      for (const ExplainedAxes& group : explain_axes(provenance_, at, provenance_.axes().of_sharding(sharding)))
        write_group(group);
      json_.end();
      json_.end();
    }
    json_.end();
  }

  void write_place(ValueId value) {
    const Value& v = graph_.value(value);
    json_.key("name").string(spelled_name(graph_, value));
    json_.key("argument").string_or_null(argument_name(graph_, value));
    json_.key("op").string_or_null(v.def.valid() ? graph_.strings.text(graph_.op(v.def).name) : std::string_view{});
    const SourceRange range = range_of(graph_, value);
    json_.key("line");
    range.valid() ? json_.number(line_of(report_.sources, range)) : json_.null();
    const UserPosition position = user_position(graph_, location_of(graph_, value));
    json_.key("source");
    if (position.line == 0) {
      json_.null();
      return;
    }
    json_.begin_object();
    json_.key("file").string(position.file);
    json_.key("line").number(position.line);
    json_.key("function").string_or_null(function_name(position));
    json_.end();
  }

  void write_group(const ExplainedAxes& group) {
    json_.begin_object();
    json_.key("element").number(group.leaf);
    json_.key("dim").number(group.dim);
    json_.key("axes").begin_array();
    for (const AxisRef& axis : group.axes) json_.string(axis_word(report_.program, plan_, axis));
    json_.end();
    json_.key("chain").begin_array();
    for (uint32_t index : group.chain) {
      const AxisOrigin& origin = provenance_.at(index);
      const Step& step = plan_.trace.steps[origin.step];
      json_.begin_object();
      if (origin.value.valid()) {
        write_place(origin.value);
      } else {
        json_.key("name").string(output_name(graph_, origin.output));
      }
      json_.key("dim").number(origin.dim);
      json_.key("why").string(step_words(report_.program, plan_, provenance_, index));
      const bool gspmd = plan_.by == Partitioner::gspmd;
      json_.key("round").number(step.round);
      json_.key("priority").number(gspmd ? 0 : step.user_round);
      json_.key("level");
      gspmd ? json_.number(step.user_round) : json_.null();
      json_.end();
    }
    json_.end();
    json_.end();
  }

  const PlanReport& report_;
  const Graph& graph_;
  const Plan& plan_;
  ShardingTexts texts_;
  Provenance provenance_;
  JsonWriter json_;
};

}  // namespace

std::vector<ExplainedAxes> explain_axes(const Provenance& provenance, ValueId value) {
  std::vector<ExplainedAxes> groups;
  ValueAt at = provenance.home(value);
  for (const uint32_t sharding : provenance.leaves_of(value)) {
    const std::vector<ExplainedAxes> leaf = explain_axes(provenance, at, provenance.axes().of_sharding(sharding));
    groups.insert(groups.end(), leaf.begin(), leaf.end());
    ++at.leaf;
  }
  return groups;
}

std::vector<ExplainedAxes> explain_axes(const Provenance& provenance, ValueAt at, std::span<const DimAxis> axes) {
  std::vector<ExplainedAxes> groups;
  for (const DimAxis& axis : axes) {
    const uint32_t origin = provenance.find(at, axis);
    std::vector<uint32_t> chain = origin == kNoOrigin ? std::vector<uint32_t>{} : provenance.chain(origin);
    if (!groups.empty() && groups.back().dim == axis.dim && same_way(provenance, groups.back().chain, chain)) {
      groups.back().axes.push_back(axis.axis);
    } else {
      groups.push_back({at.leaf, axis.dim, {axis.axis}, std::move(chain)});
    }
  }
  return groups;
}

void write_explain_text(const PlanReport& report, const Subject& subject, const ExplainOptions& options,
                        TextSink& out) {
  ExplainText(report, options, out).write(subject);
}

void write_explain_json(const PlanReport& report, const Subject& subject, const ExplainOptions&, TextSink& out) {
  ExplainJson(report, out).write(subject);
}

}  // namespace sw
