#include "report/collectives_json.h"

#include "report/names.h"
#include "sharding/text.h"

namespace sw {

std::string_view collective_name(OpKind kind) {
  switch (kind) {
    case OpKind::all_gather_start: return "all-gather";
    case OpKind::all_reduce_start: return "all-reduce";
    case OpKind::collective_permute_start: return "collective-permute";
    default: return facts(kind).hlo;
  }
}

std::string local_shape_text(const Graph& graph, TypeId id) {
  const Type type = graph.types.get(id);
  if (type.kind == TypeKind::tuple) {
    std::string text = "(";
    for (TypeId element : type.elements) text += (text.size() > 1 ? ", " : "") + local_shape_text(graph, element);
    return text + ')';
  }
  std::string text(hlo_spelling(type.element));
  text += '[';
  for (size_t i = 0; i < type.dims.size(); ++i) text += (i > 0 ? "," : "") + std::to_string(type.dims[i]);
  return text + ']';
}

std::string collective_reason(const PlanReport& report, const CollectiveCause& cause) {
  const Graph& graph = report.program.graph;
  const auto op_name = [&] {
    return cause.op.valid() ? std::string(graph.strings.text(graph.op(cause.op).name)) : "?";
  };
  switch (cause.reason) {
    case CollectiveReason::reshard:
      return op_name() + " wants operand " + std::to_string(cause.operand) + " in another sharding than it has";
    case CollectiveReason::result: return op_name() + " gives its result in another sharding than it is to have";
    case CollectiveReason::contraction: return "a contracting dimension is sharded: partial sums are added up";
    case CollectiveReason::reduction: return "a reduced dimension is sharded: partial results are combined";
    case CollectiveReason::halo: return "a window reads rows of the neighbours";
    case CollectiveReason::masked_rows:
      return "rows are gathered from a sharded dimension: each device has some of them";
    case CollectiveReason::partial_updates: return "sharded updates are scattered: partial results are combined";
    case CollectiveReason::full_replication: return "no direct way between the two shardings: gathered on every device";
    case CollectiveReason::loop_state: return "a value carried by a loop, branch or tuple changes its sharding";
    case CollectiveReason::output: return "the result is to have another sharding than the value returned";
    case CollectiveReason::user: return "written in the program";
  }
  return "";
}

namespace {

std::string list_text(const std::vector<int64_t>& ids, size_t begin, size_t count) {
  std::string text = "[";
  for (size_t i = 0; i < count; ++i) text += (i > 0 ? ", " : "") + std::to_string(ids[begin + i]);
  return text + ']';
}

std::string groups_text(const Collective& c) {
  std::string text = "[";
  if (!c.pairs.empty()) {
    for (const auto& [from, to] : c.pairs) {
      if (text.size() > 1) text += ", ";
      text += '[';
      text += std::to_string(from) + ", " + std::to_string(to) + ']';
    }
    return text + ']';
  }
  if (c.groups.dims.empty()) return "null";
  const std::vector<int64_t> ids = device_ids(c.groups);
  const auto size = static_cast<size_t>(c.groups.dims[1]);
  for (size_t g = 0; g < ids.size() / size; ++g) text += (g > 0 ? ", " : "") + list_text(ids, g * size, size);
  return text + ']';
}

int64_t line_of(const PlanReport& report, OpId op) {
  if (!op.valid() || !report.program.graph.op(op).where.valid()) return 0;
  return report.sources.line(report.program.graph.op(op).where);
}

void write_sharding(const PlanReport& report, TileShardingId id, JsonWriter& json) {
  if (!id.valid()) {
    json.null();
    return;
  }
  json.string(hlo_text(report.program.tile_shardings, id));
}

void write_cause(const PlanReport& report, const CollectiveCause& cause, JsonWriter& json) {
  const Graph& graph = report.program.graph;
  json.begin_object();
  json.key("value").string_or_null(cause.op.valid() ? spelled_name(graph, graph.result(cause.op)) : "");
  json.key("line");
  const int64_t line = line_of(report, cause.op);
  line > 0 ? json.number(line) : json.null();
  json.key("from");
  write_sharding(report, cause.from, json);
  json.key("to");
  write_sharding(report, cause.to, json);
  json.key("why").string(collective_reason(report, cause));
  json.end();
}

}  // namespace

void write_collectives(const PlanReport& report, JsonWriter& json) {
  const Graph& local = report.local->graph;
  for (const Collective& c : report.local->collectives) {
    json.begin_object();
    json.key("op").string(collective_name(c.kind));
    json.key("shape").string(local_shape_text(local, local.value(local.result(c.op)).type));
    json.key("groups").raw(groups_text(c));
    json.key("dims").null();
    json.key("axes").begin_array().end();
    json.key("computation").string(local.strings.text(local.function(c.computation).name));
    json.key("trip_count");
    c.trip_count > 0 ? json.number(c.trip_count) : json.null();
    json.key("bytes").number(c.bytes);
    json.key("cause");
    write_cause(report, c.cause, json);
    json.key("merged").begin_array();
    for (const CollectiveCause& cause : c.also) write_cause(report, cause, json);
    json.end();
    json.end();
  }
}

}  // namespace sw
