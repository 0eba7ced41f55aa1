// run: executes the program as written and as partitioned on simulated devices, and compares their results.
#include <filesystem>
#include <fstream>
#include <iterator>

#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/output.h"
#include "cli/pipeline.h"
#include "exec/npy.h"
#include "exec/peak.h"
#include "exec/simulate.h"
#include "report/names.h"
#include "report/run_report.h"
#include "text/hlo/reader.h"

namespace sw {

namespace {

constexpr size_t kTableRows = 8;

// DIR/arg0.npy, DIR/arg1.npy, ... for the arguments of main.
bool read_inputs(const Program& program, const std::string& folder, std::vector<Datum>& out, Diagnostics& diagnostics) {
  const std::vector<ValueId> arguments = main_arguments(program.graph);
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string path = folder + "/arg" + std::to_string(i) + ".npy";
    std::ifstream in(path, std::ios::binary);
    if (!in) {
      diagnostics
          .error(DiagnosticKind::cannot_read_file, {},
                 "cannot read `" + path + "`, the input for `" + display_name(program.graph, arguments[i]) + "`")
          .help("`--inputs` is a folder with arg0.npy, arg1.npy and so on, one for each argument of main");
      return false;
    }
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    std::string why;
    const std::optional<Array> array = read_npy(bytes, program.graph.type_of(arguments[i]), &why);
    if (!array.has_value()) {
      diagnostics.error(DiagnosticKind::cannot_read_file, {}, "`" + path + "` " + why);
      return false;
    }
    out.emplace_back(*array);
  }
  return true;
}

// DIR/arg<i>.npy and DIR/out<i>.npy, the results of the program as written.
int save_arrays(const Simulation& simulation, const std::string& folder, Diagnostics& diagnostics) {
  std::error_code ignored;
  std::filesystem::create_directories(folder, ignored);
  const auto save = [&](const std::vector<Array>& arrays, const char* prefix) {
    for (size_t i = 0; i < arrays.size(); ++i) {
      const std::string path = folder + "/" + prefix + std::to_string(i) + ".npy";
      std::ofstream out(path, std::ios::binary);
      const std::string bytes = write_npy(arrays[i]);
      out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
      if (out.flush()) continue;
      diagnostics.error(DiagnosticKind::cannot_write_file, {}, "cannot write `" + path + "`");
      return false;
    }
    return true;
  };
  return save(simulation.inputs, "arg") && save(simulation.results, "out") ? kExitOk : kExitDevice;
}

// Which results go back to which arguments between steps. False: reported.
bool choose_feeds(const Arguments& arguments, const Program& program, std::optional<Feeds>& out,
                  Diagnostics& diagnostics) {
  std::string why;
  if (!arguments.feed.empty() && arguments.steps == 1) {
    why = "`--feed` is for more than one of `--steps`";
  } else if (!arguments.feed.empty()) {
    out = given_feeds(program.graph, arguments.feed, &why);
    why = "`--feed`: " + why;
  } else if (arguments.steps > 1) {
    out = find_feeds(program.graph);
    why = "`--steps`: no result has the type of an argument that it could become";
  } else {
    return true;
  }
  if (out.has_value()) return true;
  diagnostics.error(DiagnosticKind::bad_configuration, {}, why)
      .help("`--feed RESULT=ARGUMENT` says which result is which argument of the next step, counted from 0");
  return false;
}

ExitCode code_of(SimulateError error) {
  switch (error) {
    case SimulateError::unsupported: return kExitInput;
    case SimulateError::too_large: return kExitOutOfMemory;
    case SimulateError::failed: break;
  }
  return kExitDevice;
}

bool may_run(const Planned& planned, const std::optional<LocalProgram>& local, Diagnostics& diagnostics) {
  const Program& program = planned.program;
  const auto refused = [&](std::string text) {
    diagnostics.error(DiagnosticKind::unsupported, {program.file, 0, 0}, std::move(text));
    return false;
  };
  if (!local.has_value()) return refused("this program is not partitioned here, so there is nothing to compare");
  const LoweredProgram* lowered = planned.plan.lowered.get();
  if (lowered == nullptr && looks_partitioned(program))
    return refused("this program is one device's already: what it computes as a whole is not in the file");
  if (lowered != nullptr && lowered->unknown_constants > 0)
    return refused("XLA folds " + std::to_string(lowered->unknown_constants) +
                   " constants of this program to values that are not computed here yet, so it cannot be executed");
  return true;
}

}  // namespace

int command_run(const Arguments& arguments, SourceManager& sources, Diagnostics& diagnostics) {
  tl::expected<Planned, ExitCode> planned = make_plan(arguments, {.lower = true}, sources, diagnostics);
  if (!planned.has_value()) return planned.error();
  const auto local = partition_plan(planned->program, planned->plan, arguments.backend, diagnostics, Lowering::right);
  if (!local.has_value()) return local.error();
  if (!may_run(*planned, *local, diagnostics)) return kExitInput;
  if (arguments.every_value && (*local)->pieces.empty()) {
    diagnostics.error(
        DiagnosticKind::bad_configuration, {},
        "`--every-value` compares what the partitioner leaves; after `--backend` values are not found again");
    return kExitUsage;
  }
  std::optional<Feeds> feeds;
  if (!choose_feeds(arguments, planned->program, feeds, diagnostics)) return kExitUsage;

  SimulateOptions options;
  options.seed = arguments.seed;
  options.tolerance = arguments.tolerance;
  options.memory = available_memory();
  if (!arguments.inputs.empty() && !read_inputs(planned->program, arguments.inputs, options.inputs, diagnostics))
    return kExitInput;
  const LoweredProgram* lowered = planned->plan.lowered.get();
  const ProgramPair pair{lowered != nullptr ? lowered->graph : planned->program.graph,
                         lowered != nullptr ? std::span<const TileShardingId>(lowered->shardings) : planned->plan.tiled,
                         planned->program.tile_shardings, **local};
  options.keep_arrays = !arguments.save.empty();
  options.steps = arguments.steps;
  options.every_value = arguments.every_value;
  if (feeds.has_value()) options.feeds = feeds->list;
  const tl::expected<Simulation, SimulateError> simulation = simulate(pair, options, diagnostics);
  if (!simulation.has_value()) return code_of(simulation.error());

  const std::string file = shown_file(arguments.file);
  const PlanReport plan{sources, planned->program, planned->plan, file, &**local};
  const RunReport report{
      plan,
      *simulation,
      pair.whole,
      lowered != nullptr ? std::span<const ValueId>(lowered->source_value) : std::span<const ValueId>(),
      feeds,
      arguments.seed,
      arguments.inputs};
  int code = write_formats(arguments, diagnostics, [&](const std::string& format, TextSink& sink) {
    if (format == "json") {
      write_run_json(report, sink);
    } else {
      write_run_text(report, arguments.all ? SIZE_MAX : kTableRows, sink);
    }
  });
  if (!arguments.save.empty()) code = worse(code, save_arrays(*simulation, arguments.save, diagnostics));
  return worse(code, simulation->agrees() ? kExitOk : kExitFindings);
}

}  // namespace sw
