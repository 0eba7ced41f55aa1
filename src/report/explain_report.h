// The answer of `explain`: for each dimension and axis of a value, the chain of steps from the annotation, in text and
// JSON.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "propagate/sharding_axes.h"
#include "report/plan_report.h"
#include "report/subject.h"
#include "report/text_sink.h"

namespace sw {

struct ExplainOptions {
  std::string why_not;  // an axis; empty: refusals of all axes, shortly
};

// One axis group of one dimension: axes that came the same way.
struct ExplainedAxes {
  uint32_t leaf = 0;  // of a tuple
  uint16_t dim = 0;
  std::vector<AxisRef> axes;
  std::vector<uint32_t> chain;  // origins of the first axis, the annotation first; empty when the trace does not say
};

void write_explain_text(const PlanReport& report, const Subject& subject, const ExplainOptions& options, TextSink& out);
void write_explain_json(const PlanReport& report, const Subject& subject, const ExplainOptions& options, TextSink& out);

class Provenance;
std::vector<ExplainedAxes> explain_axes(const Provenance& provenance, ValueId value);
// Of a value in one copy of its function, for the axes that it has there.
std::vector<ExplainedAxes> explain_axes(const Provenance& provenance, ValueAt at, std::span<const DimAxis> axes);

}  // namespace sw
