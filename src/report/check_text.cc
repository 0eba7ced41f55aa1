// The answer of `check` for people: text, Markdown, and annotations of GitHub.
#include <fmt/format.h>

#include <algorithm>

#include "report/check_formats.h"
#include "report/plan_text.h"
#include "report/table.h"

namespace sw {

namespace {

constexpr size_t kRows = 12;  // findings in text
constexpr size_t kRoomForNote = 100;
constexpr size_t kAnnotations = 10;  // of a level, which is what GitHub shows

std::string_view outcome_word(CheckOutcome outcome) {
  switch (outcome) {
    case CheckOutcome::passed: return "passed";
    case CheckOutcome::failed: return "FAILED";
    case CheckOutcome::reported: return "found";
    case CheckOutcome::known: break;
  }
  return "known";
}

std::string place_text(const CheckPlace& place) {
  return shown(place.file) + (place.line > 0 ? ":" + std::to_string(place.line) : "");
}

std::string subject_text(const CheckItem& item) { return item.subject.empty() ? "" : shown(item.subject) + ": "; }

std::string counted(size_t count, std::string_view one, std::string_view many) {
  return count_text(static_cast<int64_t>(count)) + " " + std::string(count == 1 ? one : many);
}

class Text {
 public:
  Text(const CheckReport& report, TextSink& out) : report_(report), out_(out) {}

  void write() {
    out_.write(plan_title(report_.plan) + "\n");
    rows(CheckKind::memory, "memory");
    rows(CheckKind::assertion, "assertions");
    findings();
    out_.write("\n  " + verdict_text(report_) + "\n");
  }

 private:
  void rows(CheckKind kind, std::string_view heading) {
    bool first = true;
    for (const CheckItem& item : report_.items) {
      if (item.kind != kind) continue;
      if (first) out_.write("\n  " + std::string(heading) + "\n");
      first = false;
      std::string line = "    " + padded(outcome_word(item.outcome), 8);
      if (kind == CheckKind::assertion)
        line += shown(item.title) + "   " + (item.target.empty() ? "" : item.target + ": ");
      out_.write(line + shown(item.message) + "\n");
      for (const std::string& note : item.notes) out_.write(std::string(12, ' ') + shown(note) + "\n");
      for (const std::string& help : item.helps) out_.write(std::string(12, ' ') + "└ " + shown(help) + "\n");
    }
  }

  void findings() {
    const size_t known = report_.count(CheckOutcome::known);
    size_t left = 0, written = 0;
    for (const CheckItem* item : worst_first(report_)) {
      if (item->kind != CheckKind::finding) continue;
      if (written == 0) out_.write("\n  findings\n");
      if (++written > kRows) {
        ++left;
        continue;
      }
      out_.write("    " + padded(outcome_word(item->outcome), 8) + padded(item->rule + "  ", 22) +
                 place_text(item->place) + "   " + subject_text(*item) + shown(item->message) +
                 (item->bytes > 0 ? " (" + bytes_text(item->bytes) + " on each device)" : "") + "\n");
      for (const std::string& help : item->helps) out_.write(std::string(34, ' ') + "└ " + shown(help) + "\n");
    }
    if (left > 0) out_.write("    …" + count_text(static_cast<int64_t>(left)) + " more (--format json)\n");
    if (known > 0 && written == 0) out_.write("\n  findings\n");
    if (known > 0) out_.write("    " + counted(known, "finding", "findings") + " more that the baseline holds\n");
  }

  const CheckReport& report_;
  TextSink& out_;
};

// Markdown would take `<module>` for a tag of HTML.
std::string without_tags(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == '<' ? "&lt;" : std::string(1, c);
  return out;
}

// ---- GitHub

std::string escaped(std::string_view text, bool property) {
  std::string out;
  for (const char c : text) {
    const bool always = c == '%' || c == '\r' || c == '\n', in_property = property && (c == ':' || c == ',');
    out += always || in_property ? fmt::format("%{:02X}", static_cast<unsigned char>(c)) : std::string(1, c);
  }
  return out;
}

void write_annotation(const CheckItem& item, TextSink& out) {
  const std::string_view command = item.severity == Severity::note ? "notice" : severity_name(item.severity);
  std::string text = subject_text(item) + shown(item.message);
  if (item.kind == CheckKind::assertion) text = shown(item.title) + ": " + text;
  for (const std::string& note : item.notes) text += "\n" + shown(note);
  for (const std::string& help : item.helps) text += "\n" + shown(help);
  out.write("::" + std::string(command) + " file=" + escaped(item.place.file, true));
  if (item.place.line > 0) out.write(",line=" + std::to_string(item.place.line));
  out.write(",title=" + escaped(item.rule + (item.target.empty() ? "" : " on " + item.target), true) +
            "::" + escaped(text, false) + "\n");
}

}  // namespace

std::vector<const CheckItem*> worst_first(const CheckReport& report) {
  std::vector<const CheckItem*> items;
  for (const CheckItem& item : report.items)
    if (item.outcome == CheckOutcome::failed || item.outcome == CheckOutcome::reported) items.push_back(&item);
  const auto rank = [](const CheckItem& item) {
    return std::tuple(item.outcome == CheckOutcome::failed ? 0 : 1, -static_cast<int>(item.severity),
                      static_cast<int>(item.kind), -item.bytes);
  };
  std::stable_sort(items.begin(), items.end(),
                   [&](const CheckItem* a, const CheckItem* b) { return rank(*a) < rank(*b); });
  return items;
}

std::string_view severity_name(Severity severity) {
  return severity == Severity::error ? "error" : severity == Severity::warning ? "warning" : "note";
}

std::string verdict_text(const CheckReport& report) {
  size_t all[3] = {}, failed[3] = {}, known = 0;
  for (const CheckItem& item : report.items) {
    const auto kind = static_cast<size_t>(item.kind);
    known += item.outcome == CheckOutcome::known ? 1 : 0;
    all[kind] += item.outcome == CheckOutcome::known ? 0 : 1;
    failed[kind] += item.outcome == CheckOutcome::failed ? 1 : 0;
  }
  std::vector<std::string> bad, good;
  const auto part = [&](size_t kind, std::string_view one, std::string_view many, std::string_view holds) {
    if (all[kind] == 0) return;
    const std::string count = counted(all[kind], one, many);
    if (failed[kind] > 0)
      bad.push_back(fmt::format("{} of {}", failed[kind], count));
    else
      good.push_back(count + std::string(holds));
  };
  part(0, "target", "targets", all[0] == 1 ? " fits" : " fit");
  part(1, "assertion", "assertions", all[1] == 1 ? " holds" : " hold");
  part(2, report.has_baseline ? "new finding" : "finding", report.has_baseline ? "new findings" : "findings", "");
  if (known > 0) good.push_back(counted(known, "finding", "findings") + " of the baseline");
  const std::string rest = fmt::format("{}", fmt::join(good, ", "));
  if (bad.empty()) return "passed" + (rest.empty() ? "" : ": " + rest);
  return fmt::format("failed: {}{}{}", fmt::join(bad, ", "), rest.empty() ? "" : "; ", rest);
}

void write_check_text(const CheckReport& report, TextSink& out) { Text(report, out).write(); }

void write_check_markdown(const CheckReport& report, TextSink& out) {
  std::string text = "### shardwright check\n\n" + without_tags(plan_title(report.plan)) + "\n\n**" +
                     without_tags(verdict_text(report)) + "**\n\n";
  std::vector<const CheckItem*> items = worst_first(report);
  for (const CheckItem& item : report.items)
    if (item.outcome == CheckOutcome::passed) items.push_back(&item);
  if (!items.empty()) text += markdown_row({"", "what", "where", ""}) + markdown_row({"---", "---", "---", "---"});
  size_t written = 0;
  for (const CheckItem* item : items) {
    std::string message = subject_text(*item) + shown(item->message);
    for (const std::string& note : item->notes) message += "; " + shown(note);
    for (const std::string& help : item->helps) message += "; " + shown(help);
    const std::string what = item->kind == CheckKind::finding
                                 ? item->rule
                                 : item->title + (item->target.empty() ? "" : " on " + item->target);
    const std::string where = item->outcome == CheckOutcome::passed ? "" : place_text(item->place);
    const std::string row = markdown_row({std::string(outcome_word(item->outcome)), without_tags(shown(what)),
                                          without_tags(where), without_tags(message)});
    if (text.size() + row.size() + kRoomForNote > kMarkdownBytes) break;
    text += row;
    ++written;
  }
  if (written < items.size())
    text += "\n" + counted(items.size() - written, "row", "rows") + " left out, since a comment has room for no more\n";
  out.write(text);
}

void write_check_github(const CheckReport& report, TextSink& out) {
  size_t written[3] = {}, left = 0;
  for (const CheckItem* item : worst_first(report)) {
    size_t& of_level = written[static_cast<size_t>(item->severity)];
    // The line that sums up is a notice itself.
    if (of_level + (item->severity == Severity::note ? 1 : 0) >= kAnnotations) {
      ++left;
      continue;
    }
    ++of_level;
    write_annotation(*item, out);
  }
  out.write("::notice title=shardwright check::" + escaped(verdict_text(report), false) +
            (left > 0 ? "; " + counted(left, "more is", "more are") + " not shown here" : "") + "\n");
}

}  // namespace sw
