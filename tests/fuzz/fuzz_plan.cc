// The whole plan, as `shardwright plan` makes it: any bytes are read, verified, propagated and reported in every form.
// What is accepted must be planned without a crash and report the same bytes when planned again.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "ops/verify.h"
#include "propagate/as_written.h"
#include "propagate/gspmd/propagate.h"
#include "propagate/shardy/propagate.h"
#include "report/plan_json.h"
#include "report/plan_text.h"
#include "text/hlo/reader.h"
#include "text/mlir/reader.h"

namespace {

sw::Result<sw::Plan> propagate(sw::Program& program, bool is_hlo, sw::Diagnostics& diagnostics) {
  if (is_hlo) return sw::propagate_gspmd(program, {}, {}, diagnostics);
  sw::ShardyOptions options;
  options.record_refusals = true;
  return sw::propagate_shardy(program, {}, options, diagnostics);
}

void report(const sw::PlanReport& plan, std::string& out) {
  sw::TextSink sink([&out](std::string_view block) {
    out += block;
    return true;
  });
  sw::write_plan_json(plan, sink);
  sw::write_plan_text(plan, {.all = true}, sink);
  sink.flush();
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
  const sw::Plan written = sw::plan_as_written(*program, {});
  report({sources, *program, written, "input"}, out);
  const sw::Result<sw::Plan> plan = propagate(*program, is_hlo, diagnostics);
  if (plan) {
    report({sources, *program, *plan, "input"}, out);
  } else if (!diagnostics.has_errors()) {
    std::abort();
  }
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (plan_of(text) != plan_of(text)) std::abort();
  return 0;
}
