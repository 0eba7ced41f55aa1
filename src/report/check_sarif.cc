// The answer of `check` as SARIF 2.1.0, for GitHub's code scanning and what else reads it.
#include "report/check_formats.h"
#include "report/json_writer.h"

namespace sw {

namespace {

constexpr size_t kMostResults = 5000;

struct OwnRule {
  std::string_view name, summary, text;
};
constexpr OwnRule kOwnRules[] = {
    {"out-of-memory", "the program does not fit on the device",
     "The bytes that the program needs at its worst moment are more than the device has left beside the reserve of the "
     "runtime."},
    {"over-budget", "the program fits, but not within the budget",
     "The bytes that the program needs are more than `--max-memory` allows."},
    {"assertion-failed", "an assertion of `check` does not hold", "What `--assert` says about the plan is not so."},
};

size_t rule_index(std::string_view rule) {
  for (size_t i = 0; i < std::size(kOwnRules); ++i)
    if (kOwnRules[i].name == rule) return i;
  size_t index = std::size(kOwnRules);
  for (const LintRuleFacts& facts : lint_rules()) {
    if (facts.name == rule) return index;
    ++index;
  }
  return index;
}

// A path as a URI reference.
std::string uri(std::string_view path) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string text;
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       std::string_view("-._~/").find(c) != std::string_view::npos;
    if (plain)
      text += c;
    else
      (text += '%') += {kDigits[byte >> 4U], kDigits[byte & 15U]};
  }
  return text;
}

class Sarif {
 public:
  Sarif(const CheckReport& report, std::string_view version, TextSink& out)
      : report_(report), version_(version), json_(out, 5) {}

  void write() {
    json_.begin_object();
    json_.key("$schema").string("https://json.schemastore.org/sarif-2.1.0.json");
    json_.key("version").string("2.1.0");
    json_.key("runs").begin_array().begin_object();
    json_.key("tool").begin_object();
    json_.key("driver").begin_object();
    json_.key("name").string("shardwright");
    json_.key("version").string(version_);
    json_.key("rules").begin_array();
    for (const OwnRule& rule : kOwnRules) write_rule(rule.name, rule.summary, rule.text, Severity::error);
    for (const LintRuleFacts& rule : lint_rules()) write_rule(rule.name, rule.summary, rule.text, Severity::warning);
    json_.end().end().end();
    write_results();
    json_.key("columnKind").string("unicodeCodePoints");
    json_.end().end().end();
  }

 private:
  void text(std::string_view key, std::string_view value) {
    json_.key(key).begin_object();
    json_.key("text").string(value);
    json_.end();
  }

  void write_rule(std::string_view name, std::string_view summary, std::string_view full, Severity severity) {
    json_.begin_object();
    json_.key("id").string(name);
    text("shortDescription", summary);
    text("fullDescription", full);
    json_.key("defaultConfiguration").begin_object();
    json_.key("level").string(severity_name(severity));
    json_.end().end();
  }

  void write_results() {
    std::vector<const CheckItem*> items = worst_first(report_);
    for (const CheckItem& item : report_.items)
      if (item.outcome == CheckOutcome::known) items.push_back(&item);
    json_.key("invocations").begin_array().begin_object();
    json_.key("executionSuccessful").boolean(true);
    json_.key("exitCode").number(report_.exit_code);
    if (items.size() > kMostResults) {
      json_.key("toolExecutionNotifications").begin_array().begin_object();
      text("message", std::to_string(items.size() - kMostResults) + " results are left out: readers take " +
                          std::to_string(kMostResults));
      json_.end().end();
      items.resize(kMostResults);
    }
    json_.end().end();
    json_.key("results").begin_array();
    for (const CheckItem* item : items) write_result(*item);
    json_.end();
  }

  void write_result(const CheckItem& item) {
    json_.begin_object();
    json_.key("ruleId").string(item.rule);
    json_.key("ruleIndex").number(static_cast<int64_t>(rule_index(item.rule)));
    json_.key("level").string(severity_name(item.severity));
    if (report_.has_baseline && item.kind == CheckKind::finding)
      json_.key("baselineState").string(item.outcome == CheckOutcome::known ? "unchanged" : "new");
    std::string message = item.kind == CheckKind::assertion ? item.title + ": "
                          : item.subject.empty()            ? ""
                                                            : item.subject + ": ";
    message += item.message;
    for (const std::string& note : item.notes) message += "\n" + note;
    for (const std::string& help : item.helps) message += "\n" + help;
    text("message", message);
    json_.key("locations").begin_array().begin_object();
    write_place(item.place);
    json_.end().end();
    const std::string known_by = item.key.empty() ? item.rule + "|" + item.target + "|" + item.title : item.key;
    json_.key("partialFingerprints").begin_object();
    json_.key("shardwrightKey/v1").string(known_by);
    json_.end();
    if (!item.flows.empty()) write_flows(item);
    json_.end();
  }

  void write_place(const CheckPlace& place) {
    json_.key("physicalLocation").begin_object();
    json_.key("artifactLocation").begin_object();
    json_.key("uri").string(uri(place.file));
    json_.end();
    if (place.line > 0) {
      json_.key("region").begin_object();
      json_.key("startLine").number(place.line);
      json_.end();
    }
    json_.end();
  }

  void write_flows(const CheckItem& item) {
    json_.key("codeFlows").begin_array();
    for (const std::vector<CheckStep>& flow : item.flows) {
      json_.begin_object();
      json_.key("threadFlows").begin_array().begin_object();
      json_.key("locations").begin_array();
      for (const CheckStep& step : flow) {
        json_.begin_object();
        json_.key("location").begin_object();
        write_place(step.place);
        text("message", step.text);
        json_.end().end();
      }
      json_.end().end().end().end();
    }
    json_.end();
  }

  const CheckReport& report_;
  std::string_view version_;
  JsonWriter json_;
};

}  // namespace

void write_check_sarif(const CheckReport& report, std::string_view version, TextSink& out) {
  Sarif(report, version, out).write();
}

}  // namespace sw
