// The answer of `check` as JSON.
#include "report/check_formats.h"
#include "report/json_writer.h"
#include "report/plan_json.h"

namespace sw {

namespace {

std::string_view outcome_name(CheckOutcome outcome) {
  constexpr std::string_view kNames[] = {"passed", "failed", "reported", "known"};
  return kNames[static_cast<size_t>(outcome)];
}

std::string_view kind_name(CheckKind kind) {
  constexpr std::string_view kNames[] = {"memory", "assertion", "finding"};
  return kNames[static_cast<size_t>(kind)];
}

void write_target(const CheckReport& report, const CheckTarget& target, JsonWriter& json) {
  const MemoryProfile& memory = target.profile;
  json.begin_object();
  json.key("hardware").string(target.hardware.name);
  json.key("argument").number(memory.argument);
  json.key("output").number(memory.output);
  json.key("alias").number(memory.alias);
  json.key("temp").number(memory.temp);
  json.key("peak").number(memory.peak);
  json.key("total").number(memory.total());
  json.key("capacity").number_or_null(target.hardware.capacity);
  json.key("reserve").number(target.hardware.reserve);
  json.key("limit").number_or_null(target.limit);
  json.key("fits");
  const std::optional<int64_t> usable = target.hardware.usable();
  usable ? json.boolean(memory.total() <= *usable) : json.null();
  json.key("advice");
  write_advice_json(report.plan, target.advice, json);
  json.end();
}

void write_place(const CheckPlace& place, JsonWriter& json) {
  json.key("file").string(place.file);
  json.key("line");
  place.line > 0 ? json.number(place.line) : json.null();
}

void write_texts(std::string_view key, std::span<const std::string> texts, JsonWriter& json) {
  json.key(key).begin_array();
  for (const std::string& text : texts) json.string(text);
  json.end();
}

void write_item(const CheckItem& item, JsonWriter& json) {
  json.begin_object();
  json.key("kind").string(kind_name(item.kind));
  json.key("outcome").string(outcome_name(item.outcome));
  json.key("severity").string(severity_name(item.severity));
  json.key("rule").string(item.rule);
  json.key("title").string(item.title);
  json.key("target").string_or_null(item.target);
  json.key("value").string_or_null(item.subject);
  json.key("message").string(item.message);
  write_place(item.place, json);
  json.key("bytes").number(item.bytes);
  write_texts("notes", item.notes, json);
  write_texts("fixes", item.helps, json);
  json.key("key").string_or_null(item.key);
  json.key("flows").begin_array();
  for (const std::vector<CheckStep>& flow : item.flows) {
    json.begin_array();
    for (const CheckStep& step : flow) {
      json.begin_object();
      json.key("text").string(step.text);
      write_place(step.place, json);
      json.end();
    }
    json.end();
  }
  json.end();
  json.end();
}

}  // namespace

void write_check_json(const CheckReport& report, TextSink& out) {
  JsonWriter json(out);
  json.begin_object();
  write_report_head(report.plan, json);
  json.key("passed").boolean(report.exit_code == 0);
  json.key("exit_code").number(report.exit_code);
  json.key("verdict").string(verdict_text(report));
  json.key("targets").begin_array();
  for (const CheckTarget& target : report.targets) write_target(report, target, json);
  json.end();
  json.key("items").begin_array();
  for (const CheckItem& item : report.items) write_item(item, json);
  json.end();
  json.end();
}

}  // namespace sw
