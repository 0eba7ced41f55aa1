// Shardings are few and stand in a table, values refer to them. Origins (propagate/explain.h) are written as they are,
// child to parent, those that a final sharding leads to: the page follows the parents of the one value that is looked
// at. Both keep a plan of 70,000 values within a few megabytes.
#include "draw/page_plan.h"

#include <algorithm>
#include <map>

#include "draw/page_memory.h"
#include "ops/factor_rule.h"
#include "report/collective_facts.h"
#include "report/findings.h"
#include "report/memory_findings.h"
#include "report/memory_report.h"
#include "report/names.h"
#include "report/plan_text.h"
#include "report/rule_words.h"
#include "sharding/convert.h"

namespace sw {

namespace {

// More device numbers than this are not written out one by one.
constexpr size_t kListedDevices = 4096;
constexpr int64_t kNothingSaid = -1, kAbsent = -2;

std::string_view tile_kind_name(TileKind kind) {
  switch (kind) {
    case TileKind::replicated: return "replicated";
    case TileKind::maximal: return "maximal";
    case TileKind::manual: return "manual";
    case TileKind::unknown: return "unknown";
    case TileKind::unreduced: return "unreduced";
    case TileKind::tuple: return "tuple";
    case TileKind::tiled: break;
  }
  return "tiled";
}

template <class List>
std::vector<int64_t> as_numbers(const List& list) {
  return {list.begin(), list.end()};
}

class PagePlan {
 public:
  PagePlan(const PlanReport& report, const Provenance& provenance, const PageRows& rows, ScriptStrings& strings,
           TextSink& out)
      : report_(report),
        graph_(report.program.graph),
        plan_(report.plan),
        provenance_(provenance),
        rows_(rows),
        strings_(strings),
        out_(out),
        texts_(report),
        needed_(provenance.all().size(), 0) {}

  void write() {
    find_shardings();
    find_origins();
    ScriptObject plan(out_);
    plan.string("by", partitioner_name(plan_.by));
    plan.string("title", partitioner_title(plan_.by));
    plan.column("sharding", value_sharding_);
    plan.column("outputs", output_sharding_);
    plan.column("whyBegin", why_begin_);
    plan.column("why", why_);
    write_origins(plan.key("origins"));
    write_rules(plan);
    plan.boolean("partitioned", report_.local != nullptr);
    write_collectives(plan.key("collectives"));
    write_findings(plan.key("findings"));
    write_unsupported(plan.key("unsupported"));
    if (report_.memory != nullptr) write_page_memory(report_, rows_, strings_, plan.key("memory"));
    write_shardings(plan.key("shardings"));  // last: collectives have added to them
  }

 private:
  // A sharding as the table of the page knows it; the text of one without tiles depends on the rank.
  int64_t sharding_row(PlannedSharding sharding, size_t rank, const ShardingText& text) {
    if (!sharding.named.valid() && !sharding.tiled.valid()) return kNothingSaid;
    const std::pair<uint32_t, size_t> key =
        sharding.named.valid() ? std::pair(sharding.named.raw, SIZE_MAX) : std::pair(sharding.tiled.raw, rank);
    const auto [at, added] = sharding_rows_.emplace(key, static_cast<int64_t>(shardings_.size()));
    if (added) shardings_.push_back({sharding, text});
    return at->second;
  }

  void find_shardings() {
    for (const ValueId value : rows_.values) {
      const bool absent = value.index() < plan_.absent.size() && plan_.absent[value.index()] != 0;
      value_sharding_.push_back(
          absent ? kAbsent
                 : sharding_row(sharding_of(plan_, value), graph_.type_of(value).rank(), texts_.of_value(value)));
    }
    const std::vector<TypeId> outputs = output_types(graph_);
    for (size_t i = 0; i < outputs.size(); ++i)
      output_sharding_.push_back(
          sharding_row(sharding_of_output(plan_, i), graph_.types.get(outputs[i]).rank(), texts_.of_output(i)));
  }

  struct Known {
    PlannedSharding sharding;
    ShardingText text;
  };

  void write_shardings(TextSink& out) {
    out.write('[');
    for (size_t i = 0; i < shardings_.size(); ++i) {
      if (i > 0) out.write(",\n");
      write_sharding(shardings_[i], out);
    }
    out.write(']');
  }

  void write_sharding(const Known& known, TextSink& out) {
    const TileSharding tile = known.sharding.named.valid()
                                  ? tile_from_named(report_.program.shardings, known.sharding.named)
                                  : report_.program.tile_shardings.get(known.sharding.tiled);
    ScriptObject item(out);
    item.string("spec", known.text.spec);
    item.string("sdy", known.text.sdy);
    item.string("hlo", known.text.hlo);
    item.string("kind", tile_kind_name(tile.kind));
    item.column("tile", as_numbers(tile.tile));
    item.number("dataRank", static_cast<int64_t>(tile.data_rank()));
    item.number("device", tile.device);
    item.column("reshape", as_numbers(tile.devices.reshape));
    item.column("perm", as_numbers(tile.devices.perm));
    if (tile.devices.ids.size() <= kListedDevices) item.column("ids", tile.devices.ids);
    // Axes are known of the partitioner's own shardings.
    const bool own = known.sharding.named.valid() || plan_.by != Partitioner::shardy;
    const uint32_t id = known.sharding.named.valid() ? known.sharding.named.raw : known.sharding.tiled.raw;
    std::vector<int64_t> dims, axes;
    for (const DimAxis& axis : provenance_.axes().of_sharding(own ? id : kNoSharding)) {
      dims.push_back(axis.dim);
      axes.push_back(strings_.id(axis_word(report_.program, plan_, axis.axis)));
    }
    item.column("axisDims", dims);
    item.column("axes", axes);
  }

  // For every axis of every value the origin that brought it; then all that these lead back to.
  void find_origins() {
    for (const ValueId value : rows_.values) {
      why_begin_.push_back(static_cast<int64_t>(why_.size()));
      if (value_sharding_[why_begin_.size() - 1] < 0) continue;
      const ValueAt at = provenance_.home(value);
      for (const DimAxis& axis : provenance_.axes().of_value(value)) {
        const uint32_t origin = provenance_.find(at, axis);
        why_.push_back(origin == kNoOrigin ? PageRows::kNone : origin);
        for (uint32_t o = origin; o != kNoOrigin && needed_[o] == 0; o = provenance_.at(o).parent) needed_[o] = 1;
      }
    }
    why_begin_.push_back(static_cast<int64_t>(why_.size()));
    std::vector<int64_t> number(needed_.size(), PageRows::kNone);
    for (uint32_t o = 0; o < needed_.size(); ++o) {
      if (needed_[o] == 0) continue;
      number[o] = static_cast<int64_t>(origins_.size());
      origins_.push_back(o);
    }
    for (int64_t& origin : why_)
      if (origin != PageRows::kNone) origin = number[static_cast<size_t>(origin)];
    for (const uint32_t o : origins_) {
      const uint32_t parent = provenance_.at(o).parent;
      parents_.push_back(parent == kNoOrigin ? PageRows::kNone : number[parent]);
    }
  }

  void write_origins(TextSink& out) {
    std::vector<int64_t> value, dim, axis, words, round;
    for (const uint32_t o : origins_) {
      const AxisOrigin& origin = provenance_.at(o);
      const Step& step = plan_.trace.steps[origin.step];
      // A result of main has no row: those numbers are below kNone.
      value.push_back(origin.value.valid() ? rows_.of(origin.value) : -2 - static_cast<int64_t>(origin.output));
      dim.push_back(origin.dim);
      axis.push_back(strings_.id(axis_word(report_.program, plan_, origin.axis)));
      std::string text = step_words(report_.program, plan_, provenance_, o);
      if (step.cause.kind == CauseKind::seed) text += " " + seed_text(report_, texts_, step);
      words.push_back(strings_.id(text));
      round.push_back(strings_.id_or_none(round_words(plan_, step)));
    }
    ScriptObject origins(out);
    origins.column("value", value);
    origins.column("dim", dim);
    origins.column("axis", axis);
    origins.column("parent", parents_);
    origins.column("words", words);
    origins.column("round", round);
  }

  void write_rules(ScriptObject& plan) {
    std::vector<int64_t> text_of_rule, rule_of_op;
    for (const FactorRule& rule : plan_.rules) text_of_rule.push_back(strings_.id(factor_rule_text(rule)));
    for (const OpId op : rows_.ops) {
      const FactorRuleId rule = op.index() < plan_.rule_of_op.size() ? plan_.rule_of_op[op.index()] : FactorRuleId{};
      rule_of_op.push_back(rule.valid() ? text_of_rule[rule.index()] : PageRows::kNone);
    }
    if (!plan_.rules.empty()) plan.column("rule", rule_of_op);
  }

  void write_collectives(TextSink& out) {
    std::vector<int64_t> kind, over, devices, shape, one, runs, bytes, place, line, cause, value, op, from, to, user,
        unknown_runs;
    if (report_.local != nullptr) {
      CollectiveList list(report_);
      for (const CollectiveFacts& c : list.all()) {
        const CollectiveCause& why = c.collective->cause;
        kind.push_back(strings_.id(c.kind));
        over.push_back(strings_.id(c.groups->over));
        devices.push_back(strings_.id_or_none(c.groups->devices));
        shape.push_back(strings_.id(c.shape));
        one.push_back(c.collective->bytes);
        runs.push_back(c.runs);
        unknown_runs.push_back(c.collective->trip_count == 0 ? 1 : 0);
        bytes.push_back(c.bytes);
        place.push_back(strings_.id_or_none(c.place));
        line.push_back(c.line);
        cause.push_back(strings_.id(c.cause));
        value.push_back(rows_.of(why.value));
        op.push_back(rows_.of(why.op));
        from.push_back(moved_sharding(why.from, list.sharding(why.from, why)));
        to.push_back(moved_sharding(why.to, list.sharding(why.to, why)));
        user.push_back(c.by_user() ? 1 : 0);
      }
    }
    ScriptObject collectives(out);
    collectives.column("kind", kind);
    collectives.column("over", over);
    collectives.column("devices", devices);
    collectives.column("shape", shape);
    collectives.column("one", one);
    collectives.column("runs", runs);
    collectives.column("unknownRuns", unknown_runs);
    collectives.column("bytes", bytes);
    collectives.column("place", place);
    collectives.column("line", line);
    collectives.column("cause", cause);
    collectives.column("value", value);
    collectives.column("op", op);
    collectives.column("from", from);
    collectives.column("to", to);
    collectives.column("user", user);
  }

  // Before or after a collective: tiles, whichever the partitioner's own form is.
  int64_t moved_sharding(TileShardingId id, const ShardingText* text) {
    if (text == nullptr) return kNothingSaid;
    const TileSharding& tile = report_.program.tile_shardings.get(id);
    return sharding_row({.named = {}, .tiled = id}, tile.kind == TileKind::tiled ? tile.data_rank() : 0, *text);
  }

  std::vector<Finding> findings() const {
    std::vector<Finding> all = plan_findings(report_);
    if (report_.memory == nullptr) return all;
    const MemoryProfile* const profile = &report_.memory->profile;
    for (Finding& finding : padding_findings(report_, std::span(&profile, 1))) all.push_back(std::move(finding));
    return all;
  }

  void write_findings(TextSink& out) {
    std::vector<int64_t> rule, value, message, fix, bytes;
    for (const Finding& finding : findings()) {
      rule.push_back(strings_.id(lint_rule_name(finding.rule)));
      value.push_back(rows_.of(finding.value));
      message.push_back(strings_.id(finding.message));
      fix.push_back(strings_.lines(finding.fix));
      bytes.push_back(finding.bytes);
    }
    ScriptObject findings(out);
    findings.column("rule", rule);
    findings.column("value", value);
    findings.column("message", message);
    findings.column("fix", fix);
    findings.column("bytes", bytes);
  }

  void write_unsupported(TextSink& out) {
    std::vector<int64_t> ops;
    for (const OpId op : plan_.unsupported) ops.push_back(rows_.of(op));
    write_numbers(out, ops);
  }

  const PlanReport& report_;
  const Graph& graph_;
  const Plan& plan_;
  const Provenance& provenance_;
  const PageRows& rows_;
  ScriptStrings& strings_;
  TextSink& out_;
  ShardingTexts texts_;
  std::vector<Known> shardings_;
  std::map<std::pair<uint32_t, size_t>, int64_t> sharding_rows_;
  std::vector<int64_t> value_sharding_, output_sharding_;
  std::vector<char> needed_;       // by origin
  std::vector<uint32_t> origins_;  // by number on the page
  std::vector<int64_t> parents_, why_, why_begin_;
};

}  // namespace

void write_page_plan(const PlanReport& report, const Provenance& provenance, const PageRows& rows,
                     ScriptStrings& strings, TextSink& out) {
  PagePlan(report, provenance, rows, strings, out).write();
}

}  // namespace sw
