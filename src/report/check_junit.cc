// The answer of `check` as JUnit XML: a suite for the memory of the targets, one for the assertions, one for the lint
// rules, each a test that fails when there is a finding that fails.
#include <algorithm>

#include "report/check_formats.h"
#include "source/utf8.h"

namespace sw {

namespace {

// Characters that XML does not have, and bytes that are no UTF-8, become a replacement; a name (`token`) is one line
// with single blanks.
std::string xml(std::string_view text, bool token) {
  std::string out;
  for (size_t at = 0; at < text.size();) {
    const size_t length = utf8_length(text, at);
    const std::string_view piece = text.substr(at, std::max<size_t>(length, 1));
    at += piece.size();
    const char c = piece.front();
    if (length == 0)
      out += "\xef\xbf\xbd";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '&')
      out += "&amp;";
    else if (c == '"')
      out += "&quot;";
    else if (token && (c == ' ' || c == '\n' || c == '\t' || c == '\r'))
      out += out.empty() || out.back() == ' ' ? "" : " ";
    else if (c == '\n' || c == '\t')
      out += c;
    else if (static_cast<unsigned char>(c) < 0x20 || piece == "\xef\xbf\xbe" || piece == "\xef\xbf\xbf")
      out += "\xef\xbf\xbd";
    else
      out += piece;
  }
  while (token && !out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

struct Case {
  std::string name, class_name;
  const CheckItem* failure = nullptr;  // the first
  bool skipped = false;
  std::string text;  // of all failures
};

std::string failure_text(const CheckItem& item) {
  std::string text = item.place.file + (item.place.line > 0 ? ":" + std::to_string(item.place.line) : "") + ": ";
  text += (item.subject.empty() ? "" : item.subject + ": ") + item.message + "\n";
  for (const std::string& note : item.notes) text += "  " + note + "\n";
  for (const std::string& help : item.helps) text += "  " + help + "\n";
  return text;
}

void note_failure(const CheckItem& item, Case& test) {
  if (item.outcome != CheckOutcome::failed) return;
  if (test.failure == nullptr) test.failure = &item;
  test.text += failure_text(item);
}

std::vector<Case> cases_of(const CheckReport& report, CheckKind kind) {
  std::vector<Case> cases;
  if (kind == CheckKind::finding) {
    for (const LintRuleFacts& rule : lint_rules()) {
      Case test{std::string(rule.name), "lint", nullptr, false, {}};
      test.skipped = std::find(report.skipped.begin(), report.skipped.end(), rule.rule) != report.skipped.end();
      for (const CheckItem& item : report.items)
        if (item.kind == kind && item.rule == rule.name) note_failure(item, test);
      cases.push_back(std::move(test));
    }
    return cases;
  }
  for (const CheckItem& item : report.items) {
    if (item.kind != kind) continue;
    const std::string of = item.target.empty() ? "" : "." + item.target;
    cases.push_back({item.title, (kind == CheckKind::memory ? "memory" : "assertion") + of, nullptr, false, {}});
    note_failure(item, cases.back());
  }
  return cases;
}

void write_suite(std::string_view name, int id, std::span<const Case> cases, TextSink& out) {
  const auto skipped = std::count_if(cases.begin(), cases.end(), [](const Case& c) { return c.skipped; });
  const auto failures = std::count_if(cases.begin(), cases.end(), [](const Case& c) { return c.failure != nullptr; });
  out.write("  <testsuite name=\"" + std::string(name) + "\" package=\"shardwright\" id=\"" + std::to_string(id) +
            "\" timestamp=\"1970-01-01T00:00:00\" hostname=\"localhost\" tests=\"" + std::to_string(cases.size()) +
            "\" failures=\"" + std::to_string(failures) + "\" errors=\"0\" skipped=\"" + std::to_string(skipped) +
            "\" time=\"0\">\n    <properties/>\n");
  for (const Case& test : cases) {
    out.write("    <testcase name=\"" + xml(test.name, true) + "\" classname=\"" + xml(test.class_name, true) +
              "\" time=\"0\"");
    if (test.failure == nullptr) {
      out.write(test.skipped ? "><skipped/></testcase>\n" : "/>\n");
      continue;
    }
    out.write(">\n      <failure message=\"" + xml(test.failure->message, true) + "\" type=\"" +
              xml(test.failure->rule, true) + "\">" + xml(test.text, false) + "</failure>\n    </testcase>\n");
  }
  out.write("    <system-out/>\n    <system-err/>\n  </testsuite>\n");
}

}  // namespace

void write_check_junit(const CheckReport& report, TextSink& out) {
  out.write("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
  int id = 0;
  for (const auto& [kind, name] : {std::pair(CheckKind::memory, "memory"),
                                   {CheckKind::assertion, "assertions"},
                                   {CheckKind::finding, "findings"}}) {
    const std::vector<Case> cases = cases_of(report, kind);
    if (!cases.empty()) write_suite(name, id++, cases, out);
  }
  out.write("</testsuites>\n");
}

}  // namespace sw
