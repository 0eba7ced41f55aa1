// The forms in which `check` answers: for people, for programs, and for what shows results of CI.
#pragma once

#include "report/check.h"
#include "report/text_sink.h"

namespace sw {

void write_check_text(const CheckReport& report, TextSink& out);
void write_check_json(const CheckReport& report, TextSink& out);
// At most kMarkdownBytes, what a comment on a pull request takes.
void write_check_markdown(const CheckReport& report, TextSink& out);
// SARIF 2.1.0: what failed and what was found, with the way of each sharding as a code flow; at most 5,000 results.
void write_check_sarif(const CheckReport& report, std::string_view version, TextSink& out);
// JUnit, as the schema of Ant's task has it; times and dates are fixed, so that equal input gives equal bytes.
void write_check_junit(const CheckReport& report, TextSink& out);
// Commands of GitHub's runner: the worst ten of each level, and one line that sums up.
void write_check_github(const CheckReport& report, TextSink& out);

// "note", "warning", "error", as JSON, SARIF and GitHub have them (but GitHub's notice).
std::string_view severity_name(Severity severity);

// "failed: 2 of 3 targets do not fit, 1 of 4 assertions is not so, 2 findings", or "passed: ...".
std::string verdict_text(const CheckReport& report);

// What a reader should see first: items that failed, then what was reported; the largest first.
std::vector<const CheckItem*> worst_first(const CheckReport& report);

}  // namespace sw
