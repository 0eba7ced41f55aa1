// The answer of `collectives`: every collective of a plan, by axis, by line or by bytes. Text, JSON, Markdown.
#pragma once

#include <string_view>

#include "report/collective_facts.h"
#include "report/text_sink.h"

namespace sw {

struct CollectivesOptions {
  CollectiveOrder by = CollectiveOrder::axis;
  bool all = false;                   // every line instead of the first ones
  std::string_view backend = "none";  // whose passes the collectives went through
};

// `report.local` must be there.
void write_collectives_report(const PlanReport& report, const CollectivesOptions& options, TextSink& out);
void write_collectives_report_json(const PlanReport& report, const CollectivesOptions& options, TextSink& out);
void write_collectives_report_markdown(const PlanReport& report, const CollectivesOptions& options, TextSink& out);

}  // namespace sw
