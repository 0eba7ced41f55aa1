// See the header.
#include "report/diff_report.h"

#include <algorithm>
#include <cstdlib>
#include <tuple>

#include "report/explain_report.h"
#include "report/json_writer.h"
#include "report/names.h"
#include "report/plan_text.h"
#include "report/rule_words.h"
#include "report/table.h"
#include "sharding/convert.h"
#include "sharding/text.h"

namespace sw {

namespace {

constexpr size_t kMaxGroups = 8;
constexpr size_t kMaxMembers = 4;
constexpr size_t kMaxSteps = 6;  // of one chain, the last ones

int64_t bytes_on_device(const PlanReport& report, ValueId value) {
  const Type type = report.program.graph.type_of(value);
  if (!type.is_array()) return 0;
  return array_bytes(type, device_shape(type, tiles_of(report.program, sharding_of(report.plan, value), type.rank())));
}

struct RankedGroup {
  const DifferenceGroup* group;
  int64_t worst = 0;  // largest difference of bytes of one member
  int64_t sum = 0;    // of all of them, side b less side a
  int64_t moved = 0;  // bytes of collectives a step at its values, side b less side a
};

// Of the collectives that differ: the bytes at the values of each group, in one plan. A collective is at the value that
// it moves, else at what its op makes, else at an operand of it.
class MovedBytes {
 public:
  MovedBytes(const DiffReport& diff, bool is_b) {
    if (diff.collectives == nullptr || diff.collectives->equal()) return;
    const PlanComparison& comparison = diff.comparison;
    const Graph& graph = (is_b ? diff.b : diff.a).report.program.graph;
    std::vector<uint32_t> group_of(graph.value_count(), kNone);
    bytes_.resize(comparison.groups().size());
    for (uint32_t g = 0; g < comparison.groups().size(); ++g)
      for (const uint32_t i : comparison.groups()[g].members) {
        const Difference& d = comparison.differences()[i];
        group_of[(is_b ? d.b : d.a).index()] = g;
      }
    for (const CollectiveChange& change : diff.collectives->changes())
      for (const CollectiveFacts* c : (is_b ? change.b : change.a).members)
        if (const uint32_t group = group_at(graph, group_of, c->collective->cause); group != kNone)
          bytes_[group] = saturated_add(bytes_[group], c->bytes);
  }
  int64_t of_group(size_t group) const { return group < bytes_.size() ? bytes_[group] : 0; }

 private:
  static constexpr uint32_t kNone = UINT32_MAX;

  static uint32_t group_at(const Graph& graph, const std::vector<uint32_t>& group_of, const CollectiveCause& cause) {
    if (cause.value.valid() && group_of[cause.value.index()] != kNone) return group_of[cause.value.index()];
    if (!cause.op.valid()) return kNone;
    for (uint32_t r = 0; r < graph.op(cause.op).result_count; ++r)
      if (const uint32_t group = group_of[graph.result(cause.op, r).index()]; group != kNone) return group;
    for (ValueId operand : graph.operands(cause.op))
      if (group_of[operand.index()] != kNone) return group_of[operand.index()];
    return kNone;
  }

  std::vector<int64_t> bytes_;  // by group
};

// What all three forms show, worked out once.
class DiffFacts {
 public:
  explicit DiffFacts(const DiffReport& diff)
      : diff_(diff), graph_(diff.a.report.program.graph), texts_a_(diff.a.report), texts_b_(diff.b.report) {
    const MovedBytes moved_a(diff, false), moved_b(diff, true);
    for (const DifferenceGroup& group : diff.comparison.groups()) {
      RankedGroup ranked{&group};
      ranked.moved = moved_b.of_group(groups_.size()) - moved_a.of_group(groups_.size());
      for (const uint32_t i : group.members) {
        const int64_t change = this->change(diff.comparison.differences()[i]);
        ranked.worst = std::max(ranked.worst, std::abs(change));
        ranked.sum += change;
      }
      groups_.push_back(ranked);
    }
    std::stable_sort(groups_.begin(), groups_.end(), [](const RankedGroup& x, const RankedGroup& y) {
      return std::tuple(std::abs(x.moved), x.worst, x.group->members.size()) >
             std::tuple(std::abs(y.moved), y.worst, y.group->members.size());
    });
  }

  const std::vector<RankedGroup>& groups() const { return groups_; }
  int64_t change(const Difference& d) const {
    return bytes_on_device(diff_.b.report, d.b) - bytes_on_device(diff_.a.report, d.a);
  }

  const Difference& parting(const DifferenceGroup& group) const {
    const auto& all = diff_.comparison.differences();
    for (const uint32_t i : group.members)
      if (all[i].a == group.parting) return all[i];
    return all[group.members.front()];
  }

  std::string name(const Difference& d) const {
    std::string text = shown(display_name(graph_, d.a));
    if (graph_.value(d.a).def.valid()) return text + "  " + op_word(graph_, graph_.value(d.a).def);
    const std::string region = region_of(graph_, d.a);
    return region.empty() ? text : text + "  of the " + region;
  }
  std::string place(const Difference& d) const { return shown(place_of(graph_, diff_.a.report.sources, d.a)); }
  std::string spec_a(const Difference& d) { return spelling_of(texts_a_.of_value(d.a)); }
  std::string spec_b(const Difference& d) { return spelling_of(texts_b_.of_value(d.b)); }
  std::string output_a(size_t i) { return spelling_of(texts_a_.of_output(i)); }
  std::string output_b(size_t i) { return spelling_of(texts_b_.of_output(i)); }

  // The steps by which one side came to each axis of a value, in words, the annotation first.
  std::vector<std::vector<std::string>> ways(const DiffSide& side, ValueId value) const {
    std::vector<std::vector<std::string>> lines;
    for (const ExplainedAxes& group : explain_axes(side.provenance, value)) {
      const std::vector<uint32_t>& chain = group.chain;
      if (chain.empty()) continue;
      const size_t skipped = chain.size() > kMaxSteps ? chain.size() - kMaxSteps : 0;
      std::string head;
      for (const AxisRef& axis : group.axes)
        head += (head.empty() ? "" : ", ") + axis_word(side.report.program, side.report.plan, axis);
      head += " on dimension " + std::to_string(group.dim);
      for (size_t i = 0; i < chain.size(); ++i) {
        if (skipped > 0 && i == 1) {
          lines.push_back({"", " …", count_text(static_cast<int64_t>(skipped)) + " steps", "", ""});
          i += skipped;
        }
        lines.push_back(step(side, chain[i], i == 0 ? head : "", i == 0 ? "from" : " →"));
      }
    }
    return lines;
  }

 private:
  static std::vector<std::string> step(const DiffSide& side, uint32_t index, std::string head, const char* arrow) {
    const AxisOrigin& origin = side.provenance.at(index);
    const std::string place = origin.value.valid()
                                  ? shown(place_of(side.report.program.graph, side.report.sources, origin.value))
                                  : std::string("result of main");
    return {std::move(head), arrow, origin_name(side.report.program, origin), place,
            step_words(side.report.program, side.report.plan, side.provenance, index)};
  }

  const DiffReport& diff_;
  const Graph& graph_;
  ShardingTexts texts_a_, texts_b_;
  std::vector<RankedGroup> groups_;
};

std::string summary(const DiffReport& diff) {
  const size_t count = diff.comparison.differences().size(), outputs = diff.comparison.outputs().size();
  const std::string of = " of " + count_text(static_cast<int64_t>(diff.comparison.compared())) + " values";
  std::string text = diff.a.label + " and " + diff.b.label;
  if (diff.comparison.equal()) {
    text += " agree on all" + of.substr(3);
  } else {
    text += " differ on " + count_text(static_cast<int64_t>(count)) + of;
    if (outputs > 0)
      text += " and on " + std::to_string(outputs) + (outputs == 1 ? " result" : " results") + " of main";
  }
  if (reads_no_shardings(diff.a.report) != reads_no_shardings(diff.b.report))
    text +=
        "; Shardy does not read the shardings of this file, which are GSPMD's: lower the program with Shardy to "
        "compare";
  if (diff.collectives == nullptr || diff.collectives->sums().empty()) return text;
  return text + "; " + moved_difference(*diff.collectives, diff.a.label, diff.b.label);
}

class DiffText {
 public:
  DiffText(const DiffReport& diff, TextSink& out) : diff_(diff), facts_(diff), out_(out) {}

  void write() {
    out_.write(summary(diff_) + ".\n");
    if (diff_.comparison.equal()) {
      write_collectives();
      return;
    }
    const size_t groups = diff_.all ? facts_.groups().size() : std::min(facts_.groups().size(), kMaxGroups);
    for (size_t i = 0; i < groups; ++i) write_group(i + 1, facts_.groups()[i]);
    if (facts_.groups().size() > groups)
      out_.write("\n  …" + std::to_string(facts_.groups().size() - groups) + " more places where they part (--all)\n");
    write_outputs();
    write_collectives();
    write_settlement();
  }

 private:
  // Nothing when values and collectives are the same: the summary has said all.
  void write_collectives() {
    if (diff_.collectives == nullptr || diff_.equal()) return;
    write_collectives_diff_text(*diff_.collectives, diff_.a.label, diff_.b.label, diff_.all, out_);
  }

  void write_group(size_t number, const RankedGroup& ranked) {
    const Difference& d = facts_.parting(*ranked.group);
    out_.write("\n  " + std::to_string(number) + "  " + facts_.name(d) + "  " +
               type_label(diff_.a.report.program.graph, diff_.a.report.program.graph.value(d.a).type) + "   " +
               facts_.place(d) +
               (ranked.moved == 0 ? "" : "   " + signed_bytes_text(ranked.moved) + " of collectives") + "\n");
    Table sides({0, 60, 0}, 5);
    sides.add({diff_.a.label, facts_.spec_a(d), bytes_text(bytes_on_device(diff_.a.report, d.a))});
    sides.add({diff_.b.label, facts_.spec_b(d), bytes_text(bytes_on_device(diff_.b.report, d.b))});
    sides.write(out_);
    write_way(diff_.a, d.a);
    write_way(diff_.b, d.b);
    write_members(*ranked.group, d);
  }

  void write_way(const DiffSide& side, ValueId value) {
    const auto lines = facts_.ways(side, value);
    if (lines.empty()) return;
    out_.write("     how " + side.label + " came to it\n");
    Table table({26, 0, 28, 22, 0}, 7);
    for (const auto& line : lines) table.add(line);
    table.write(out_);
  }

  void write_members(const DifferenceGroup& group, const Difference& parting) {
    if (group.members.size() < 2) return;
    out_.write("     " + std::to_string(group.members.size() - 1) + " more follow from it\n");
    Table table({24, 20, 34, 34, 0}, 7);
    size_t rows = 0;
    for (const uint32_t i : group.members) {
      const Difference& d = diff_.comparison.differences()[i];
      if (d.a == parting.a) continue;
      if (!diff_.all && rows == kMaxMembers) break;
      ++rows;
      table.add(
          {facts_.name(d), facts_.place(d), facts_.spec_a(d), facts_.spec_b(d), signed_bytes_text(facts_.change(d))});
    }
    table.write(out_);
    if (rows + 1 < group.members.size())
      out_.write("       …" + std::to_string(group.members.size() - 1 - rows) + " more (--all)\n");
  }

  void write_outputs() {
    if (diff_.comparison.outputs().empty()) return;
    out_.write("\n  results of main\n");
    Table table({40, 40, 0}, 5);
    table.add({"", diff_.a.label, diff_.b.label});
    for (const uint32_t i : diff_.comparison.outputs())
      table.add({shown(output_name(diff_.a.report.program.graph, i)), facts_.output_a(i), facts_.output_b(i)});
    table.write(out_);
  }

  void write_settlement() {
    if (diff_.settlement == nullptr) return;
    const Settlement& s = *diff_.settlement;
    if (s.pins.empty()) {
      out_.write("\n  No single pin was found that makes them agree more (" + std::to_string(s.tries) + " tried).\n");
      return;
    }
    out_.write("\n  settled by\n");
    Table table({0, 0}, 5);
    for (const Pin& pin : s.pins)
      table.add({pin_code(diff_.a.report, pin),
                 shown(place_of(diff_.a.report.program.graph, diff_.a.report.sources, pin.value))});
    table.write(out_);
    out_.write("     (tried: " + std::to_string(s.before) + " differences become " + std::to_string(s.after) + ")\n");
  }

  const DiffReport& diff_;
  DiffFacts facts_;
  TextSink& out_;
};

}  // namespace

std::string pin_code(const PlanReport& report, const Pin& pin) {
  const Graph& graph = report.program.graph;
  const std::string spec = partition_spec_text(report.program.shardings, pin.sharding)
                               .value_or(sdy_text(report.program.shardings, pin.sharding));
  const std::string argument = argument_name(graph, pin.value);
  const std::string variable = argument.empty() ? "x" : shown(argument);
  std::string code = variable + " = jax.lax.with_sharding_constraint(" + variable + ", " + spec + ")";
  if (argument.empty()) {
    const OpId def = graph.value(pin.value).def;
    const std::string region = region_of(graph, pin.value);
    code += "  # x: " + (def.valid() ? op_word(graph, def) + " " : "argument ") +
            shown(spelled_name(graph, pin.value)) + (region.empty() ? "" : " of the " + region);
  }
  return code;
}

void write_diff_text(const DiffReport& diff, TextSink& out) { DiffText(diff, out).write(); }

void write_diff_json(const DiffReport& diff, TextSink& out) {
  DiffFacts facts(diff);
  const Graph& graph = diff.a.report.program.graph;
  JsonWriter json(out, 2);
  json.begin_object();
  json.key("schema_version").number(1);
  json.key("a").string(diff.a.label);
  json.key("b").string(diff.b.label);
  json.key("compared").number(static_cast<int64_t>(diff.comparison.compared()));
  json.key("equal").boolean(diff.equal());
  json.key("outputs").begin_array();
  for (const uint32_t i : diff.comparison.outputs()) {
    json.begin_object();
    json.key("index").number(i);
    json.key("name").string(output_name(graph, i));
    json.key("a").string(facts.output_a(i));
    json.key("b").string(facts.output_b(i));
    json.end();
  }
  json.end();
  json.key("differences").begin_array();
  size_t group_number = 0;
  for (const RankedGroup& ranked : facts.groups()) {
    for (const uint32_t i : ranked.group->members) {
      const Difference& d = diff.comparison.differences()[i];
      json.begin_object();
      json.key("group").number(static_cast<int64_t>(group_number));
      json.key("moved").number(ranked.moved);
      json.key("parting").boolean(d.a == ranked.group->parting);
      json.key("name").string(spelled_name(graph, d.a));
      json.key("function").string(containing_function(graph, d.a));
      json.key("region").string_or_null(region_of(graph, d.a));
      const SourceRange range = range_of(graph, d.a);
      json.key("line");
      range.valid() ? json.number(line_of(diff.a.report.sources, range)) : json.null();
      json.key("source").string_or_null(user_place(graph, location_of(graph, d.a)));
      json.key("a").string(facts.spec_a(d));
      json.key("b").string(facts.spec_b(d));
      json.key("bytes_a").number(bytes_on_device(diff.a.report, d.a));
      json.key("bytes_b").number(bytes_on_device(diff.b.report, d.b));
      json.end();
    }
    ++group_number;
  }
  json.end();
  json.key("collectives");
  if (diff.collectives == nullptr)
    json.null();
  else
    write_collectives_diff_json(*diff.collectives, json);
  json.key("settlement");
  if (diff.settlement == nullptr) {
    json.null();
  } else {
    json.begin_object();
    json.key("before").number(static_cast<int64_t>(diff.settlement->before));
    json.key("after").number(static_cast<int64_t>(diff.settlement->after));
    json.key("tries").number(static_cast<int64_t>(diff.settlement->tries));
    json.key("pins").begin_array();
    for (const Pin& pin : diff.settlement->pins) {
      json.begin_object();
      json.key("value").string(spelled_name(graph, pin.value));
      json.key("function").string(containing_function(graph, pin.value));
      json.key("region").string_or_null(region_of(graph, pin.value));
      const SourceRange range = range_of(graph, pin.value);
      json.key("line");
      range.valid() ? json.number(line_of(diff.a.report.sources, range)) : json.null();
      json.key("source").string_or_null(user_place(graph, location_of(graph, pin.value)));
      json.key("sdy").string(sdy_text(diff.a.report.program.shardings, pin.sharding));
      json.key("hlo").string(hlo_text(diff.a.report.program.tile_shardings,
                                      tile_from_named(diff.a.report.program.shardings, pin.sharding)));
      json.key("spec").string_or_null(partition_spec_text(diff.a.report.program.shardings, pin.sharding).value_or(""));
      json.key("code").string(pin_code(diff.a.report, pin));
      json.end();
    }
    json.end();
    json.end();
  }
  json.end();
}

void write_diff_markdown(const DiffReport& diff, TextSink& out) {
  DiffFacts facts(diff);
  std::string text = "**" + summary(diff) + ".**\n";
  if (!diff.comparison.equal()) {
    text += "\n| value | where | " + diff.a.label + " | " + diff.b.label +
            " | bytes on a device | collectives a step | follow from it |\n|---|---|---|---|---|---|---|\n";
    size_t left = facts.groups().size();
    for (const RankedGroup& ranked : facts.groups()) {
      const Difference& d = facts.parting(*ranked.group);
      const std::string row = "| `" + facts.name(d) + "` | " + facts.place(d) + " | `" + facts.spec_a(d) + "` | `" +
                              facts.spec_b(d) + "` | " + signed_bytes_text(facts.change(d)) + " | " +
                              signed_bytes_text(ranked.moved) + " | " +
                              std::to_string(ranked.group->members.size() - 1) + " |\n";
      if (text.size() + row.size() > kMarkdownBytes) break;
      text += row;
      --left;
    }
    if (left > 0) text += "\n" + std::to_string(left) + " more places where they part are not shown.\n";
  }
  if (diff.collectives != nullptr && text.size() < kMarkdownBytes)
    text += collectives_diff_markdown(*diff.collectives, diff.a.label, diff.b.label, kMarkdownBytes - text.size());
  if (diff.settlement != nullptr && !diff.settlement->pins.empty()) {
    text += "\nSettled by (tried: " + std::to_string(diff.settlement->before) + " differences become " +
            std::to_string(diff.settlement->after) + ")\n\n```python\n";
    for (const Pin& pin : diff.settlement->pins)
      text += pin_code(diff.a.report, pin) +
              (argument_name(diff.a.report.program.graph, pin.value).empty() ? ", " : "  # ") +
              shown(place_of(diff.a.report.program.graph, diff.a.report.sources, pin.value)) + "\n";
    text += "```\n";
  }
  out.write(text);
}

}  // namespace sw
