// The stages of `shardwright plan` one by one, on a real training step.
//
//   bench_stages [FILE] [--benchmark_filter=propagate]     FILE: models/vit_b16_train.mlir.xz unless given
//
// `operations/s` is the figure to compare; times differ between machines, their ratios in one run do not.
#include <benchmark/benchmark.h>

#include <cstdio>
#include <string>
#include <string_view>

#include "ops/verify.h"
#include "propagate/shardy/propagate.h"
#include "report/plan_json.h"
#include "report/plan_text.h"
#include "report/text_sink.h"
#include "source/input.h"
#include "text/mlir/reader.h"

namespace sw {

namespace {

struct Input {
  SourceManager sources;
  FileId file;
};

Input* g_input = nullptr;

Program read_once(benchmark::State& state) {
  Diagnostics diagnostics;
  Result<Program> program = read_mlir(g_input->file, g_input->sources, diagnostics);
  if (program.has_value()) return std::move(*program);
  state.SkipWithError("the file cannot be read");
  return {};
}

void count_ops(benchmark::State& state, const Program& program) {
  state.counters["operations"] = static_cast<double>(program.graph.op_count());
  state.counters["operations/s"] =
      benchmark::Counter(static_cast<double>(program.graph.op_count()), benchmark::Counter::kIsIterationInvariantRate);
}

void bench_read(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(read_once(state));
  count_ops(state, read_once(state));
}

void bench_verify(benchmark::State& state) {
  const Program program = read_once(state);
  for (auto _ : state) {
    Diagnostics diagnostics;
    verify(program, diagnostics);
    benchmark::DoNotOptimize(diagnostics.has_errors());
  }
  count_ops(state, program);
}

void bench_propagate(benchmark::State& state) {
  const Program original = read_once(state);
  for (auto _ : state) {
    state.PauseTiming();
    Program program = read_once(state);
    Diagnostics diagnostics;
    state.ResumeTiming();
    benchmark::DoNotOptimize(propagate_shardy(program, {}, {}, diagnostics));
  }
  count_ops(state, original);
}

template <class Write>
void bench_report(benchmark::State& state, Write write) {
  Program program = read_once(state);
  Diagnostics diagnostics;
  const Result<Plan> plan = propagate_shardy(program, {}, {}, diagnostics);
  if (!plan.has_value()) return state.SkipWithError("the program cannot be planned");
  size_t bytes = 0;
  for (auto _ : state) {
    bytes = 0;
    TextSink sink([&](std::string_view block) {
      bytes += block.size();
      return true;
    });
    const PlanReport report{.sources = g_input->sources, .program = program, .plan = *plan, .file = "bench"};
    write(report, sink);
    sink.flush();
  }
  count_ops(state, program);
  state.counters["bytes"] = static_cast<double>(bytes);
}

void bench_text(benchmark::State& state) {
  bench_report(state, [](const PlanReport& report, TextSink& sink) { write_plan_text(report, {}, sink); });
}

void bench_json(benchmark::State& state) {
  bench_report(state, [](const PlanReport& report, TextSink& sink) { write_plan_json(report, sink); });
}

}  // namespace

}  // namespace sw

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  const std::string file = argc > 1 ? argv[1] : SHARDWRIGHT_MODELS "/vit_b16_train.mlir.xz";
  sw::Input input;
  sw::Diagnostics diagnostics;
  const sw::Result<sw::FileId> loaded = sw::load_input(file, input.sources, diagnostics);
  if (!loaded.has_value()) {
    std::fprintf(stderr, "error: cannot read %s\n", file.c_str());
    return 1;
  }
  input.file = *loaded;
  sw::g_input = &input;
  const auto add = [](const char* name, void (*run)(benchmark::State&)) {
    benchmark::RegisterBenchmark(name, run)->Unit(benchmark::kMillisecond);
  };
  add("read", sw::bench_read);
  add("verify", sw::bench_verify);
  add("propagate", sw::bench_propagate);
  add("report/text", sw::bench_text);
  add("report/json", sw::bench_json);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
