// The plan as one screen of text for people: 100 columns, readable without colour.
#pragma once

#include "report/plan_report.h"
#include "report/text_sink.h"

namespace sw {

struct PlanTextOptions {
  bool all = false;  // every argument, result and value instead of the first or largest ones
};

void write_plan_text(const PlanReport& report, const PlanTextOptions& options, TextSink& out);

// "train_step": the name of the module without what jax.jit puts before it.
std::string program_name(const Graph& graph);
// "train_step  ·  step.mlir (StableHLO, 1,648 operations)  ·  mesh data=2 × fsdp=4 (8 devices)  ·  Shardy"
std::string plan_title(const PlanReport& report);
// "f32[64,128]", "token", "(f32[8], s32[])".
std::string type_label(const Graph& graph, TypeId type);

// The spelling that people are shown: "P('data', None)"; where that cannot say it, HLO's or Shardy's; "P()" for none.
std::string spelling_of(const ShardingText& text);
// What a step that is a seed was given.
std::string seed_text(const PlanReport& report, ShardingTexts& texts, const Step& step);

}  // namespace sw
