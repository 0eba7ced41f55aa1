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

// Same way: the same values and dimensions, step by step.
bool same_way(const Provenance& provenance, const std::vector<uint32_t>& a, const std::vector<uint32_t>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](uint32_t x, uint32_t y) {
    return provenance.at(x).value == provenance.at(y).value && provenance.at(x).dim == provenance.at(y).dim;
  });
}

std::string round_words(const Step& step) {
  std::string words;
  if (step.user_round > 0) words += "priority " + std::to_string(step.user_round);
  if (step.round > 0) words += (words.empty() ? "" : ", ") + std::string("round ") + std::to_string(step.round);
  return words;
}

// Refusals of one value, each (axis, dimension, reason) once.
std::vector<Refusal> refusals_of(const Plan& plan, ValueId value) {
  std::vector<Refusal> list;
  for (const Refusal& r : plan.trace.refusals) {
    if (r.value != value) continue;
    const bool known = std::any_of(list.begin(), list.end(), [&](const Refusal& o) {
      return o.axis == r.axis && o.dim == r.dim && o.reason == r.reason && o.blocker == r.blocker;
    });
    if (!known) list.push_back(r);
  }
  return list;
}

std::string mesh_axis_name(const PlanReport& report, uint32_t axis) {
  if (!report.plan.mesh.valid()) return "axis " + std::to_string(axis);
  const Mesh& mesh = report.program.shardings.mesh(report.plan.mesh).mesh;
  return axis < mesh.axes.size() ? mesh.axes[axis].name : "axis " + std::to_string(axis);
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
    const std::string_view function = containing_function(graph_, value);
    if (graph_.main.valid() && function != graph_.strings.text(graph_.function(graph_.main).name))
      title += "   in @" + shown(function);
    out_.write(title + "\n\n");

    const std::vector<ExplainedAxes> groups = explain_axes(provenance_, value);
    for (const ExplainedAxes& group : groups) write_group(group);
    if (groups.empty()) out_.write("  whole on every device: no axis reached it\n");
    write_refusals(value);
    if (v.def.valid() &&
        std::find(plan_.unsupported.begin(), plan_.unsupported.end(), v.def) != plan_.unsupported.end())
      out_.write("  unsupported   nothing is known about " + op_word(graph_, v.def) +
                 ", so no sharding goes through it\n");
  }

  std::string sharding_label(ValueId value) {
    const ShardingText& text = texts_.of_value(value);
    return !text.spec.empty() ? text.spec : !text.hlo.empty() ? text.hlo : "P()";
  }

  void write_group(const ExplainedAxes& group) {
    std::string axes;
    for (const AxisRef& axis : group.axes) axes += (axes.empty() ? "" : ", ") + axis_word(report_.program, plan_, axis);
    out_.write("  dimension " + std::to_string(group.dim) + "   " + axes + "\n");
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
    if (step.cause.kind == CauseKind::seed) words += " " + seed_text(step);
    const std::string place =
        origin.value.valid() ? shown(place_of(graph_, report_.sources, origin.value)) : std::string("result of main");
    return {first ? "from" : " →", origin_name(report_.program, origin), place, words, round_words(step)};
  }

  std::string seed_text(const Step& step) {
    const bool named = plan_.by == Partitioner::shardy;
    const size_t rank = step.value.valid() ? graph_.type_of(step.value).rank() : 0;
    const ShardingText& text =
        named ? texts_.of_named(NamedShardingId{step.after}) : texts_.of_tiled(TileShardingId{step.after}, rank);
    return !text.spec.empty() ? text.spec : named ? text.sdy : text.hlo;
  }

  void write_refusals(ValueId value) {
    const std::vector<Refusal> all = refusals_of(plan_, value);
    size_t shown_count = 0;
    Table table({0, 0, 0}, 2);
    // GSPMD refuses whole shardings: its refusals name no axis, and all are shown.
    const bool by_axis = plan_.by == Partitioner::shardy;
    for (const Refusal& r : all) {
      const std::string axis = mesh_axis_name(report_, r.axis);
      if (by_axis && !options_.why_not.empty() && axis != options_.why_not) continue;
      if (options_.why_not.empty() && shown_count == kMaxRefusals) break;
      ++shown_count;
      table.add({shown_count == 1 ? "refused" : "", (by_axis ? shown(axis) + " on " : "") + "dimension " +
                                                        std::to_string(r.dim) + ": " +
                                                        refusal_words(report_.program, r) + at_op(r)});
    }
    if (shown_count > 0) {
      table.write(out_);
    } else if (!options_.why_not.empty()) {
      out_.write("  why not       " + shown(options_.why_not) + ": " + never_offered(value) + "\n");
    }
  }

  std::string at_op(const Refusal& refusal) const {
    if (!refusal.op.valid()) return {};
    const std::string place = shown(place_of(graph_, report_.sources, refusal.op));
    return "  (at " + op_word(graph_, refusal.op) + (place.empty() ? "" : ", " + place) + ")";
  }

  std::string never_offered(ValueId value) const {
    for (const DimAxis& axis : provenance_.axes().of_value(value))
      if (axis.axis.axis != kWholeDimension && mesh_axis_name(report_, axis.axis.axis) == options_.why_not)
        return "it is there, on dimension " + std::to_string(axis.dim);
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

  const PlanReport& report_;
  const Graph& graph_;
  const Plan& plan_;
  const ExplainOptions& options_;
  TextSink& out_;
  ShardingTexts texts_;
  Provenance provenance_;
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
    json_.key("refused").begin_array();
    for (const Refusal& r : refusals_of(plan_, value)) {
      json_.begin_object();
      json_.key("axis").string_or_null(plan_.by == Partitioner::shardy ? mesh_axis_name(report_, r.axis) : "");
      json_.key("dim").number(r.dim);
      json_.key("reason").string(refusal_words(report_.program, r));
      json_.key("op").string_or_null(r.op.valid() ? op_word(graph_, r.op) : "");
      json_.end();
    }
    json_.end();
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
      json_.key("round").number(step.round);
      json_.key("priority").number(step.user_round);
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
  for (const DimAxis& axis : provenance.axes().of_value(value)) {
    const uint32_t origin = provenance.find(value, axis);
    std::vector<uint32_t> chain = origin == kNoOrigin ? std::vector<uint32_t>{} : provenance.chain(origin);
    if (!groups.empty() && groups.back().dim == axis.dim && same_way(provenance, groups.back().chain, chain)) {
      groups.back().axes.push_back(axis.axis);
    } else {
      groups.push_back({axis.dim, {axis.axis}, std::move(chain)});
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
