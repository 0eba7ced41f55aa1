#include "report/collectives_json.h"

#include <type_traits>

#include "report/names.h"

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

namespace {

void write_sharding(const ShardingText* text, JsonWriter& json) {
  if (text == nullptr) {
    json.null();
    return;
  }
  json.begin_object();
  json.key("sdy").string_or_null(text->sdy);
  json.key("hlo").string_or_null(text->hlo);
  json.key("spec").string_or_null(text->spec);
  json.end();
}

void write_cause(CollectiveList& list, const CollectiveCause& cause, int64_t line, JsonWriter& json) {
  const Graph& graph = list.report().program.graph;
  json.begin_object();
  json.key("value").string_or_null(list.value_name(cause));
  json.key("operand").string_or_null(cause.value.valid() ? display_name(graph, cause.value) : "");
  json.key("line");
  line > 0 ? json.number(line) : json.null();
  json.key("source").string_or_null(list.source(cause));
  json.key("reason").string(reason_name(cause.reason));
  json.key("from");
  write_sharding(list.sharding(cause.from, cause), json);
  json.key("to");
  write_sharding(list.sharding(cause.to, cause), json);
  json.key("why").string(list.cause_words(cause));
  json.end();
}

template <class Items>
void write_list(JsonWriter& json, const Items& items) {
  json.begin_array();
  for (const auto& item : items)
    if constexpr (std::is_same_v<std::decay_t<decltype(item)>, std::string>)
      json.string(item);
    else
      json.number(item);
  json.end();
}

}  // namespace

void write_collectives(CollectiveList& list, JsonWriter& json) {
  const Graph& local = list.report().local->graph;
  for (const CollectiveFacts& facts : list.all()) {
    const Collective& c = *facts.collective;
    json.begin_object();
    json.key("op").string(facts.kind);
    json.key("shape").string(facts.shape);
    json.key("groups").raw(facts.groups->json);
    json.key("iota").string_or_null(facts.groups->iota);
    json.key("group_size");
    facts.groups->size > 0 ? json.number(facts.groups->size) : json.null();
    json.key("group_count").number(facts.groups->count);
    json.key("dims");
    if (facts.dims.empty())
      json.null();
    else
      write_list(json, facts.dims);
    json.key("axes");
    write_list(json, facts.groups->axes);
    json.key("follows_axes").boolean(facts.groups->follows_axes);
    json.key("computation").string(local.strings.text(local.function(c.computation).name));
    json.key("trip_count");
    c.trip_count > 0 ? json.number(c.trip_count) : json.null();
    json.key("bytes").number(c.bytes);
    json.key("user").boolean(facts.by_user());
    json.key("cause");
    write_cause(list, c.cause, facts.line, json);
    json.key("merged").begin_array();
    for (const CollectiveCause& cause : c.also) write_cause(list, cause, list.line(cause), json);
    json.end();
    json.end();
  }
}

}  // namespace sw
