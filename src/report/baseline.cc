// See the header.
#include "report/baseline.h"

#include <nlohmann/json.hpp>

#include "report/json_writer.h"

namespace sw {

namespace {
constexpr int kVersion = 1;
constexpr size_t kMostBytes = size_t{16} << 20;
}  // namespace

void write_baseline(const CheckReport& report, TextSink& out) {
  Baseline counts;
  for (const CheckItem& item : report.items)
    if (item.kind == CheckKind::finding) ++counts[item.key];
  JsonWriter json(out);
  json.begin_object();
  json.key("schema_version").number(kVersion);
  json.key("tool").string("shardwright check");
  json.key("findings").begin_array();
  for (const auto& [key, count] : counts) {
    json.begin_object();
    json.key("key").string(key);
    json.key("count").number(count);
    json.end();
  }
  json.end();
  json.end();
}

Result<Baseline> read_baseline(FileId file, const SourceManager& sources, Diagnostics& diagnostics) {
  const std::string_view text = sources.text(file);
  const auto fail = [&](size_t at, std::string message) {
    const auto offset = static_cast<uint32_t>(std::min(at, text.size()));
    diagnostics.error(DiagnosticKind::bad_configuration, {file, offset, offset}, std::move(message))
        .help("`check --write-baseline FILE` writes one");
    return reported();
  };
  if (text.size() > kMostBytes) return fail(0, "a baseline of more than 16 MiB");
  nlohmann::json root;
  try {
    root = nlohmann::json::parse(text.begin(), text.end());
  } catch (const nlohmann::json::parse_error& error) {
    return fail(error.byte > 0 ? error.byte - 1 : 0, "not valid JSON");
  }
  if (!root.is_object() || !root.contains("schema_version") || root["schema_version"] != kVersion ||
      !root.contains("findings") || !root["findings"].is_array())
    return fail(0, "this is no baseline: an object with `schema_version` 1 and a list `findings` is expected");
  Baseline baseline;
  for (const nlohmann::json& finding : root["findings"]) {
    if (!finding.is_object() || !finding.contains("key") || !finding["key"].is_string() || !finding.contains("count") ||
        !finding["count"].is_number_integer() || finding["count"].get<int64_t>() < 1)
      return fail(0, "a finding of a baseline is an object with a text `key` and a number `count` from 1");
    baseline[finding["key"].get<std::string>()] += std::min<int64_t>(finding["count"].get<int64_t>(), 1'000'000);
  }
  return baseline;
}

}  // namespace sw
