// From a file to a plan. Reads as the line in src/README.md:
//
//   load -> read -> verify -> mesh, seeds -> propagate
//
// Every stage either returns its product or has reported why not.
#include "cli/pipeline.h"

#include "ops/verify.h"
#include "propagate/as_written.h"
#include "source/input.h"
#include "text/hlo/reader.h"
#include "text/mlir/reader.h"
#if __has_include("propagate/seed_rules.h")
#include "propagate/seed_rules.h"
#define SW_HAS_SEED_RULES 1
#endif
#if __has_include("propagate/shardy/propagate.h")
#include "propagate/shardy/propagate.h"
#define SW_HAS_SHARDY 1
#endif
#include "propagate/gspmd/propagate.h"

namespace sw {

namespace {

// Told by content: HLO text begins with `HloModule`; a YAML model has a key `ops:`; anything else is MLIR.
bool is_hlo(std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    if (text[at] == ' ' || text[at] == '\t' || text[at] == '\n' || text[at] == '\r') {
      ++at;
    } else if (text.substr(at, 2) == "//") {
      at = std::min(text.find('\n', at), text.size());
    } else {
      return text.substr(at).starts_with("HloModule");
    }
  }
  return false;
}

Result<Program> read_program(FileId file, const SourceManager& sources, Diagnostics& diagnostics) {
  if (is_hlo(sources.text(file))) return read_hlo(file, sources, diagnostics);
  return read_mlir(file, sources, diagnostics);
}

Result<Seeds> seeds_of(Program& program, const Arguments& arguments, SourceManager& sources, Diagnostics& diagnostics) {
#ifdef SW_HAS_SEED_RULES
  return resolve_seeds(program, {arguments.mesh, arguments.shard, arguments.shardings_file, arguments.pin}, sources,
                       diagnostics);
#else
  static_cast<void>(program);
  static_cast<void>(sources);
  if (arguments.mesh.empty() && arguments.shard.empty() && arguments.shardings_file.empty() && arguments.pin.empty())
    return Seeds{};
  diagnostics.error(DiagnosticKind::unsupported, {}, "meshes and shardings cannot be given on the command line yet");
  return reported();
#endif
}

Result<Plan> propagate(Program& program, const Seeds& seeds, const Arguments& arguments,
                       [[maybe_unused]] bool record_refusals, Diagnostics& diagnostics) {
  switch (arguments.partitioner) {
    case Partitioner::shardy: {
#ifdef SW_HAS_SHARDY
      ShardyOptions options;
      options.record_refusals = record_refusals;
      return propagate_shardy(program, seeds, options, diagnostics);
#else
      diagnostics.error(DiagnosticKind::unsupported, {}, "the partitioner `shardy` is not there yet");
      return reported();
#endif
    }
    case Partitioner::gspmd: {
      GspmdOptions options;
      options.record_refusals = record_refusals;
      return propagate_gspmd(program, seeds, options, diagnostics);
    }
    case Partitioner::none: break;
  }
  return plan_as_written(program, seeds);
}

}  // namespace

tl::expected<Planned, ExitCode> make_plan(const Arguments& arguments, bool record_refusals, SourceManager& sources,
                                          Diagnostics& diagnostics) {
  const auto failed = [](ExitCode code) { return tl::make_unexpected(code); };

  // Load: the bytes of the file, decompressed.
  const Result<FileId> file = load_input(arguments.file, sources, diagnostics);
  if (!file.has_value()) return failed(kExitInput);

  // Read: text to graph, with the shardings that stand in it.
  Result<Program> program = read_program(*file, sources, diagnostics);
  if (!program.has_value()) return failed(kExitInput);

    // Verify: every op against what it may be. Later stages rely on it.
  verify(*program, diagnostics);
  if (diagnostics.has_errors()) return failed(kExitInput);

  // Mesh and seeds: what the command line says instead of, or beside, the program.
  const Result<Seeds> seeds = seeds_of(*program, arguments, sources, diagnostics);
  if (!seeds.has_value()) return failed(kExitUsage);

  // Propagate: a sharding for every value, and the trace of how it came.
  Result<Plan> plan = propagate(*program, *seeds, arguments, record_refusals, diagnostics);
  if (!plan.has_value()) return failed(kExitInput);

  return Planned{std::move(*program), std::move(*plan)};
}

std::string shown_file(const std::string& path) {
  if (path == "-") return "<stdin>";
  return path.starts_with("/") ? path.substr(path.find_last_of('/') + 1) : path;
}

}  // namespace sw
