// The whole plan, as `shardwright plan` makes it: any bytes are read, verified, propagated by each partitioner,
// partitioned and reported in every form. What is accepted must be planned without a crash and report the same bytes
// when planned again.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "cli/pipeline.h"
#include "ops/verify.h"
#include "report/collectives_diff.h"
#include "report/collectives_report.h"
#include "report/plan_json.h"
#include "report/plan_text.h"
#include "text/hlo/reader.h"
#include "text/mlir/reader.h"

namespace {

void report(const sw::PlanReport& plan, std::string& out) {
  sw::TextSink sink([&out](std::string_view block) {
    out += block;
    return true;
  });
  sw::write_plan_json(plan, sink);
  sw::write_plan_text(plan, {.all = true}, sink);
  if (plan.local != nullptr) {
    sw::write_collectives_report(plan, {.by = sw::CollectiveOrder::line, .all = true}, sink);
    sw::write_collectives_report_json(plan, {}, sink);
    sw::write_collectives_report_markdown(plan, {.by = sw::CollectiveOrder::bytes}, sink);
    const sw::CollectiveList list(plan);
    if (!sw::CollectivesDiff(list, list).equal()) std::abort();
  }
  sink.flush();
}

// One partitioner and one backend on the program; a refusal must say why.
void plan_by(sw::Partitioner by, sw::Backend backend, const sw::SourceManager& sources, sw::Planned& planned,
             std::string& out) {
  sw::Diagnostics diagnostics;
  sw::Result<sw::Plan> plan =
      sw::propagate(planned.program, {}, by, {.record_refusals = true, .lower = true}, diagnostics);
  if (plan.has_value()) {
    planned.plan = std::move(*plan);
    const auto local = sw::partition_plan(planned.program, planned.plan, backend, diagnostics);
    if (local.has_value()) {
      const sw::LocalProgram* program = local->has_value() ? &**local : nullptr;
      report({sources, planned.program, planned.plan, "input", program}, out);
      return;
    }
  }
  if (!diagnostics.has_errors()) std::abort();
}

// The reports, or nothing where the input is refused; a refusal must say why.
std::string plan_of(std::string_view text) {
  const bool is_hlo = text.starts_with("HloModule");
  sw::SourceManager sources;
  sw::Diagnostics diagnostics;
  const sw::FileId file = sources.add("input", std::string(text));
  sw::Result<sw::Program> program =
      is_hlo ? sw::read_hlo(file, sources, diagnostics) : sw::read_mlir(file, sources, diagnostics);
  if (program) sw::verify(*program, diagnostics);
  if (!program || diagnostics.has_errors()) {
    if (!diagnostics.has_errors()) std::abort();
    return {};
  }
  std::string out;
  sw::Planned planned{std::move(*program), {}};
  plan_by(sw::Partitioner::none, sw::Backend::none, sources, planned, out);
  if (!is_hlo) plan_by(sw::Partitioner::shardy, sw::Backend::tpu, sources, planned, out);
  plan_by(sw::Partitioner::gspmd, sw::Backend::xla_gpu, sources, planned, out);
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (plan_of(text) != plan_of(text)) std::abort();
  return 0;
}
