// One value is one line of the report. Everything that many values share (types, shardings, rules, op names) is turned
// into JSON once and copied after that; so 61,000 values take about as long as writing the bytes.
#include "report/plan_json.h"

#include <algorithm>

#include "ops/factor_rule.h"
#include "propagate/explain.h"
#include "report/collectives_json.h"
#include "report/findings.h"
#include "report/json_writer.h"
#include "report/memory_report.h"
#include "report/names.h"
#include "report/rule_words.h"
#include "sharding/text.h"

namespace sw {

namespace {

constexpr int64_t kSchemaVersion = 1;

std::string string_or_null(std::string_view text) { return text.empty() ? "null" : json_string(text); }

std::string json_list(const std::vector<int64_t>& numbers) {
  std::string text = "[";
  for (size_t i = 0; i < numbers.size(); ++i) {
    if (i > 0) text += ", ";
    text += numbers[i] == kDynamic ? "null" : std::to_string(numbers[i]);
  }
  return text + ']';
}

class PlanJson {
 public:
  PlanJson(const PlanReport& report, TextSink& out)
      : report_(report),
        graph_(report.program.graph),
        plan_(report.plan),
        texts_(report),
        provenance_(report.program, report.plan),
        json_(out) {
    types_.resize(graph_.types.count());
    rules_.resize(plan_.rules.size());
  }

  void write() {
    json_.begin_object();
    write_report_head(report_, json_);
    write_values();
    write_outputs();
    json_.key("collectives").begin_array();
    if (report_.local != nullptr) {
      CollectiveList list(report_);
      write_collectives(list, json_);
    }
    json_.end();
    if (report_.memory != nullptr) {
      json_.key("memory");
      write_memory_json(report_, /*everything=*/false, json_);
    }
    json_.key("findings");
    write_findings_json(report_, plan_findings(report_), json_);
    write_unsupported();
    json_.end();
  }

 private:
  void write_values() {
    json_.key("values").begin_array();
    std::vector<OpId> ops;
    ops.reserve(graph_.op_count());
    for (size_t i = 0; i < graph_.op_count(); ++i)
      if (graph_.op(OpId{i}).parent.valid()) ops.push_back(OpId{i});
    std::stable_sort(ops.begin(), ops.end(),
                     [&](OpId a, OpId b) { return graph_.op(a).where.begin < graph_.op(b).where.begin; });
    for (OpId op : ops)
      for (uint32_t i = 0; i < graph_.op(op).result_count; ++i) write_result(op, graph_.result(op, i), i);
    for (size_t i = 0; i < graph_.value_count(); ++i)
      if (!graph_.value(ValueId{i}).def.valid() && graph_.value(ValueId{i}).block.valid()) write_argument(ValueId{i});
    json_.end();
  }

  void write_result(OpId id, ValueId value, uint32_t index) {
    const Op& op = graph_.op(id);
    begin_value("result", value, index);
    line_ += ", \"op\": " + json_string(graph_.strings.text(op.name));
    const FactorRuleId rule = id.index() < plan_.rule_of_op.size() ? plan_.rule_of_op[id.index()] : FactorRuleId{};
    finish_value(value, rule.valid() ? rule_text(rule) : "null");
  }

  void write_argument(ValueId value) {
    begin_value("argument", value, graph_.value(value).index);
    const std::string name = argument_name(graph_, value);
    if (!name.empty()) line_ += ", \"argument\": " + json_string(name);
    finish_value(value, "null");
  }

  void begin_value(std::string_view kind, ValueId value, uint32_t index) {
    const SourceRange range = range_of(graph_, value);
    line_ = "{\"kind\": \"";
    line_ += kind;
    line_ += "\", \"function\": " + json_string(containing_function(graph_, value));
    line_ += ", \"name\": " + json_string(spelled_name(graph_, value));
    line_ += ", \"line\": " + (range.valid() ? std::to_string(line_of(report_.sources, range)) : "null");
    line_ += ", \"index\": " + std::to_string(index);
  }

  void finish_value(ValueId value, const std::string& rule) {
    const Type type = graph_.type_of(value);
    line_ += ", \"type\": " + type_text(graph_.value(value).type);
    line_ += ", \"sharding\": ";
    append_sharding(texts_.of_value(value));
    line_ += ", \"device_shape\": ";
    line_ += type.is_array()
                 ? json_list(device_shape(type, tiles_of(report_.program, sharding_of(plan_, value), type.rank())))
                 : "null";
    line_ += ", \"rule\": " + rule;
    line_ += ", \"origin\": ";
    append_origin(value);
    append_source(location_of(graph_, value));
    line_ += '}';
    json_.raw(line_);
  }

  void append_sharding(const ShardingText& text) {
    line_ += "{\"sdy\": " + string_or_null(text.sdy) + ", \"hlo\": " + string_or_null(text.hlo) +
             ", \"spec\": " + string_or_null(text.spec) + '}';
  }

  // The annotation behind every axis of the sharding, and how many steps away it is.
  void append_origin(ValueId value) {
    std::string dims;
    for (const DimAxis& axis : provenance_.axes().of_value(value)) {
      const uint32_t found = provenance_.find(value, axis);
      if (found == kNoOrigin) continue;
      const AxisOrigin& root = provenance_.at(provenance_.at(found).root);
      const Step& step = plan_.trace.steps[root.step];
      if (!dims.empty()) dims += ", ";
      dims += "{\"dim\": " + std::to_string(axis.dim) + ", \"axis\": " + axis_text(axis.axis) + ", \"from\": " +
              json_string(root.value.valid() ? display_name(graph_, root.value) : output_name(graph_, root.output)) +
              ", \"from_dim\": " + std::to_string(root.dim);
      const SourceRange range = step.cause.op.valid() ? graph_.op(step.cause.op).where
                                : root.value.valid()  ? range_of(graph_, root.value)
                                                      : SourceRange{};
      dims += ", \"line\": " + (range.valid() ? std::to_string(line_of(report_.sources, range)) : "null") +
              ", \"steps\": " + std::to_string(provenance_.at(found).depth) + '}';
    }
    line_ += dims.empty() ? "null" : "{\"axes\": [" + dims + "]}";
  }

  std::string axis_text(const AxisRef& axis) const {
    return axis.axis == kWholeDimension ? "null" : json_string(axis_word(report_.program, plan_, axis));
  }

  void append_source(LocationId loc) {
    const UserPosition position = user_position(graph_, loc);
    if (position.line == 0) return;
    line_ += ", \"source\": {\"file\": " + json_string(position.file) + ", \"line\": " + std::to_string(position.line) +
             ", \"function\": " + string_or_null(function_name(position)) + '}';
  }

  void write_outputs() {
    json_.key("outputs").begin_array();
    const std::vector<TypeId> types = output_types(graph_);
    for (size_t i = 0; i < types.size(); ++i) {
      const Type type = graph_.types.get(types[i]);
      line_ = "{\"index\": " + std::to_string(i) + ", \"name\": " + json_string(output_name(graph_, i)) +
              ", \"type\": " + type_text(types[i]) + ", \"sharding\": ";
      append_sharding(texts_.of_output(i));
      line_ += ", \"device_shape\": ";
      line_ += type.is_array()
                   ? json_list(device_shape(type, tiles_of(report_.program, sharding_of_output(plan_, i), type.rank())))
                   : "null";
      json_.raw(line_ + '}');
    }
    json_.end();
  }

  void write_unsupported() {
    json_.key("unsupported").begin_array();
    for (OpId id : plan_.unsupported) {
      const Op& op = graph_.op(id);
      json_.begin_object();
      json_.key("op").string(graph_.strings.text(op.name));
      json_.key("line");
      op.where.valid() ? json_.number(line_of(report_.sources, op.where)) : json_.null();
      json_.key("assumed").string("no sharding is propagated through it");
      json_.end();
    }
    json_.end();
  }

  const std::string& rule_text(FactorRuleId id) {
    std::string& text = rules_[id.index()];
    if (text.empty()) text = json_string(factor_rule_text(plan_.rules[id.index()]));
    return text;
  }

  const std::string& type_text(TypeId id) {
    std::string& text = types_[id.index()];
    if (!text.empty()) return text;
    const Type type = graph_.types.get(id);
    if (type.kind == TypeKind::tuple) {
      std::string elements;
      for (TypeId element : type.elements) elements += (elements.empty() ? "" : ", ") + type_text(element);
      return types_[id.index()] = "{\"tuple\": [" + elements + "]}";
    }
    if (type.is_tensor()) {
      const std::string_view element = !type.element_text.empty() ? type.element_text
                                       : graph_.is_hlo            ? hlo_spelling(type.element)
                                                                  : mlir_spelling(type.element);
      return text = "{\"element\": " + json_string(element) +
                    ", \"shape\": " + json_list({type.dims.begin(), type.dims.end()}) + '}';
    }
    return text = "{\"text\": " + json_string(mlir_text(graph_.types, id)) + '}';
  }

  const PlanReport& report_;
  const Graph& graph_;
  const Plan& plan_;
  ShardingTexts texts_;
  Provenance provenance_;
  JsonWriter json_;
  std::vector<std::string> types_;  // JSON by TypeId
  std::vector<std::string> rules_;  // JSON by FactorRuleId
  std::string line_;                // of the value being written
};

}  // namespace

void write_report_head(const PlanReport& report, JsonWriter& json) {
  const Graph& graph = report.program.graph;
  json.key("schema_version").number(kSchemaVersion);
  json.key("input").begin_object();
  json.key("file").string(report.file);
  json.key("format").string(input_format(graph));
  json.key("module").string(graph.module_name.valid() ? graph.strings.text(graph.module_name) : "");
  json.end();
  json.key("partitioner").string(partitioner_name(report.plan.by));
  json.key("meshes").begin_array();
  for (size_t i = 0; i < report.program.shardings.mesh_count(); ++i) {
    const NamedMesh& named = report.program.shardings.mesh(MeshId{i});
    json.begin_object();
    json.key("name").string(named.name);
    json.key("axes").begin_array();
    for (const MeshAxis& axis : named.mesh.axes) {
      json.begin_object();
      json.key("name").string(axis.name);
      json.key("size").number(axis.size);
      json.end();
    }
    json.end();
    json.key("device_ids");
    named.mesh.device_ids.empty() ? json.null() : json.raw(json_list(named.mesh.device_ids));
    json.end();
  }
  json.end();
}

void write_plan_json(const PlanReport& report, TextSink& out) { PlanJson(report, out).write(); }

}  // namespace sw
