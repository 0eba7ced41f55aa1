// What `run` shows: whether the partitioned program computes what the program computes, how far off it is and where,
// what its collectives moved and what its devices held.
#pragma once

#include "exec/simulate.h"
#include "report/plan_report.h"
#include "report/text_sink.h"

namespace sw {

struct RunReport {
  const PlanReport& plan;  // with the local program
  const Simulation& simulation;
  const Graph& whole;                  // what was executed as written
  std::span<const ValueId> source_of;  // its values as read; empty: it is the program itself
  const std::optional<Feeds>& feeds;   // between steps
  uint64_t seed = 0;
  std::string_view inputs_from;  // folder of given inputs; empty: random
};

// Where a value on the way stands: its name and its line, or those of the op that it was made for.
struct ValuePlace {
  std::string name;
  SourceRange where;
};
ValuePlace place_of_value(const RunReport& report, ValueId value);

// `rows`: of the table of results.
void write_run_text(const RunReport& report, size_t rows, TextSink& out);
void write_run_json(const RunReport& report, TextSink& out);

}  // namespace sw
