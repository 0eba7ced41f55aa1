// See page_rows.h.
#include <algorithm>
#include <map>

#include "draw/page_rows.h"
#include "report/names.h"
#include "report/plan_text.h"
#include "report/rule_words.h"
#include "report/table.h"

namespace sw {

namespace {

constexpr size_t kLineWidth = 320;  // characters of a line of the file; the arguments of a model are a line of 100 kB

class PageProgram {
 public:
  PageProgram(const PlanReport& report, const PageRows& rows, const ScopeTree& scopes, ScriptStrings& strings,
              TextSink& out)
      : report_(report), graph_(report.program.graph), rows_(rows), scopes_(scopes), strings_(strings), out_(out) {}

  void write() {
    ScriptObject program(out_);
    write_types(program.key("types"));
    write_values(program.key("values"));
    write_ops(program.key("ops"));
    write_lines(program.key("lines"));
    write_scopes(program.key("scopes"));
  }

 private:
  void write_types(TextSink& out) {
    for (const ValueId value : rows_.values) type_row(graph_.value(value).type);
    for (const TypeId type : output_types(graph_)) type_row(type);
    std::vector<int64_t> label, element_bits, dims_begin{0}, dims;
    for (const TypeId id : types_) {
      const Type type = graph_.types.get(id);
      label.push_back(strings_.id(type_label(graph_, id)));
      element_bits.push_back(type.is_array() ? bits(type.element) : 0);
      if (type.is_array()) dims.insert(dims.end(), type.dims.begin(), type.dims.end());
      dims_begin.push_back(static_cast<int64_t>(dims.size()));
    }
    ScriptObject types(out);
    types.column("label", label);
    types.column("bits", element_bits);
    types.column("dimsBegin", dims_begin);
    types.column("dims", dims);
    std::vector<int64_t> outputs, names;
    for (const TypeId type : output_types(graph_)) {
      names.push_back(strings_.id(output_name(graph_, outputs.size())));
      outputs.push_back(type_row(type));
    }
    types.column("outputs", outputs);
    types.column("outputNames", names);
  }

  int64_t type_row(TypeId id) {
    const auto [at, added] = type_rows_.emplace(id.raw, static_cast<int64_t>(types_.size()));
    if (added) types_.push_back(id);
    return at->second;
  }

  void write_values(TextSink& out) {
    std::vector<int64_t> name, argument, op, type, function, place, line, source, kind, region, same_as, owner;
    for (const ValueId value : rows_.values) {
      const Value& v = graph_.value(value);
      name.push_back(strings_.id(spelled_name(graph_, value)));
      argument.push_back(strings_.id_or_none(argument_name(graph_, value)));
      op.push_back(rows_.of(v.def));
      type.push_back(type_row(v.type));
      function.push_back(strings_.id(containing_function(graph_, value)));
      place.push_back(strings_.id_or_none(place_of(graph_, report_.sources, value)));
      const SourceRange range = range_of(graph_, value);
      line.push_back(range.valid() ? static_cast<int64_t>(line_of(report_.sources, range)) : 0);
      source.push_back(range.valid() ? line_row(range, line.back()) : PageRows::kNone);
      kind.push_back(v.def.valid() ? 0 : is_main_argument(graph_, value) ? 1 : 2);
      region.push_back(strings_.id_or_none(region_of(graph_, value)));
      same_as.push_back(rows_.of(scopes_.origin(value)));
      owner.push_back(rows_.of(v.block.valid() ? graph_.region(graph_.block(v.block).parent).owner : OpId{}));
    }
    ScriptObject values(out);
    values.column("name", name);
    values.column("argument", argument);
    values.column("op", op);
    values.column("type", type);
    values.column("fn", function);
    values.column("place", place);
    values.column("line", line);
    values.column("source", source);
    values.column("kind", kind);
    values.column("region", region);
    values.column("sameAs", same_as);
    values.column("owner", owner);
  }

  void write_ops(TextSink& out) {
    std::vector<int64_t> word, first, results, operands_begin{0}, operands, scope, shown_as;
    for (const OpId id : rows_.ops) {
      const Op& op = graph_.op(id);
      word.push_back(strings_.id(op_word(graph_, id)));
      first.push_back(op.result_count > 0 ? rows_.of(op.first_result) : PageRows::kNone);
      results.push_back(op.result_count);
      for (const ValueId operand : graph_.operands(op)) operands.push_back(rows_.of(operand));
      operands_begin.push_back(static_cast<int64_t>(operands.size()));
      const uint32_t in = scopes_.scope_of_op[id.index()];
      scope.push_back(in == kNoScope ? PageRows::kNone : static_cast<int64_t>(in));
      shown_as.push_back(rows_.of(scopes_.shown_as[id.index()]));
    }
    ScriptObject ops(out);
    ops.column("word", word);
    ops.column("first", first);
    ops.column("results", results);
    ops.column("operandsBegin", operands_begin);
    ops.column("operands", operands);
    ops.column("scope", scope);
    ops.column("shownAs", shown_as);
  }

  // Lines are kept once, by number; arguments share one, of which each gets its own part.
  int64_t line_row(SourceRange range, int64_t line) {
    uint32_t begin = 0;
    std::string_view text = report_.sources.line_text(range.file, static_cast<uint32_t>(line), &begin);
    const bool whole = text.size() <= kLineWidth;
    const size_t indent = std::min(text.find_first_not_of(" \t"), text.size());
    const size_t at = whole ? 0 : std::min<size_t>(range.begin - begin, text.size());
    const auto [found, added] = line_rows_.emplace(std::pair(line, at <= indent ? 0 : at), lines_.size());
    if (!added) return static_cast<int64_t>(found->second);
    text.remove_prefix(std::max(indent, at));
    lines_.push_back((at > indent ? "…" : "") + page_text(text, kLineWidth));
    return static_cast<int64_t>(found->second);
  }

  void write_lines(TextSink& out) {
    out.write('[');
    for (size_t i = 0; i < lines_.size(); ++i) out.write((i > 0 ? ",\n" : "") + script_string(lines_[i]));
    out.write(']');
  }

  void write_scopes(TextSink& out) {
    std::vector<int64_t> kind, name, parent, owner, times, ops;
    for (const DrawScope& scope : scopes_.scopes) {
      kind.push_back(strings_.id(scope_kind_name(scope.kind)));
      name.push_back(strings_.id(scope.name));
      parent.push_back(scope.parent == kNoScope ? PageRows::kNone : static_cast<int64_t>(scope.parent));
      owner.push_back(rows_.of(scope.owner));
      times.push_back(scope.times);
      ops.push_back(scope.ops);
    }
    ScriptObject scopes(out);
    scopes.column("kind", kind);
    scopes.column("name", name);
    scopes.column("parent", parent);
    scopes.column("owner", owner);
    scopes.column("times", times);
    scopes.column("ops", ops);
  }

  const PlanReport& report_;
  const Graph& graph_;
  const PageRows& rows_;
  const ScopeTree& scopes_;
  ScriptStrings& strings_;
  TextSink& out_;
  std::vector<TypeId> types_;
  std::map<uint32_t, int64_t> type_rows_;
  std::vector<std::string> lines_;
  std::map<std::pair<int64_t, size_t>, size_t> line_rows_;
};

}  // namespace

PageRows::PageRows(const Graph& graph) : value_row_(graph.value_count(), kNone), op_row_(graph.op_count(), kNone) {
  for (size_t i = 0; i < graph.op_count(); ++i)
    if (graph.op(OpId{i}).parent.valid()) ops.push_back(OpId{i});
  std::stable_sort(ops.begin(), ops.end(),
                   [&](OpId a, OpId b) { return graph.op(a).where.begin < graph.op(b).where.begin; });
  for (size_t i = 0; i < ops.size(); ++i) op_row_[ops[i].index()] = static_cast<int64_t>(i);

  for (size_t i = 0; i < graph.value_count(); ++i)
    if (!graph.value(ValueId{i}).def.valid() && graph.value(ValueId{i}).block.valid()) values.push_back(ValueId{i});
  for (const OpId op : ops)
    for (uint32_t r = 0; r < graph.op(op).result_count; ++r) values.push_back(graph.result(op, r));
  const auto place = [&](ValueId value) {
    const SourceRange range = range_of(graph, value);
    return range.valid() ? range.begin : 0;
  };
  std::stable_sort(values.begin(), values.end(), [&](ValueId a, ValueId b) { return place(a) < place(b); });
  for (size_t i = 0; i < values.size(); ++i) value_row_[values[i].index()] = static_cast<int64_t>(i);
}

void write_page_program(const PlanReport& report, const PageRows& rows, const ScopeTree& scopes, ScriptStrings& strings,
                        TextSink& out) {
  PageProgram(report, rows, scopes, strings, out).write();
}

}  // namespace sw
