// The answer of `diff`: where two plans give values different shardings, worst first; the place where they part, with
// the way to it on both sides; the collectives that differ; the pins that make them agree. Text, JSON, Markdown.
#pragma once

#include <string>

#include "propagate/compare.h"
#include "propagate/settle.h"
#include "report/collectives_diff.h"
#include "report/plan_report.h"
#include "report/text_sink.h"

namespace sw {

struct DiffSide {
  std::string label;  // "GSPMD", "x=2,y=4", "new.mlir"
  const PlanReport& report;
  const Provenance& provenance;
};

struct DiffReport {
  DiffSide a, b;
  const PlanComparison& comparison;
  const Settlement* settlement = nullptr;        // null: not looked for, since there is no one program to pin
  const CollectivesDiff* collectives = nullptr;  // null: at least one side is not partitioned
  bool all = false;                              // every group and member instead of the worst

  bool equal() const { return comparison.equal() && (collectives == nullptr || collectives->equal()); }
};

void write_diff_text(const DiffReport& diff, TextSink& out);
void write_diff_json(const DiffReport& diff, TextSink& out);
void write_diff_markdown(const DiffReport& diff, TextSink& out);

// "x = jax.lax.with_sharding_constraint(x, P('d'))": the statement that pins a value, with the variable where it is
// known.
std::string pin_code(const PlanReport& report, const Pin& pin);

}  // namespace sw
