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
  uint64_t seed = 0;
  std::string_view inputs_from;  // folder of given inputs; empty: random
};

// `rows`: of the table of results.
void write_run_text(const RunReport& report, size_t rows, TextSink& out);
void write_run_json(const RunReport& report, TextSink& out);

}  // namespace sw
