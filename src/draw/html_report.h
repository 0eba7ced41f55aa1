// `render --report`: one HTML file that needs nothing else, no network and no server, for looking around in a plan: its
// tables, its graph, the way of every sharding, the other partitioner's answer beside it.
//
// The file is a page (src/draw/page, embedded when the tool is built) and data: columns of numbers and a table of
// strings, as JSON that no name of the input can break out of (draw/script_json.h). All that is shown is made from the
// data in the browser, so the size of the file goes with the program and not with what can be looked at.
#pragma once

#include <string>

#include "propagate/compare.h"
#include "propagate/settle.h"
#include "report/collectives_diff.h"
#include "report/plan_report.h"
#include "report/text_sink.h"

namespace sw {

// What the other partitioner makes of the same program.
struct HtmlOther {
  const PlanReport& report;
  const Provenance& provenance;
  const PlanComparison& comparison;              // of the main plan with this one
  const CollectivesDiff* collectives = nullptr;  // null: at least one is not partitioned
  const Settlement* settlement = nullptr;        // null: no pins were looked for
};

struct HtmlReport {
  const PlanReport& report;
  const Provenance& provenance;
  const HtmlOther* other = nullptr;  // null: there is none
  std::string why_no_other;          // then in words
};

void write_html_report(const HtmlReport& html, TextSink& out);

}  // namespace sw
