// From a file to a plan. Reads as the line in src/README.md:
//
//   load -> read -> verify -> mesh, seeds -> propagate -> partition
//
// Every stage either returns its product or has reported why not.
#include "cli/pipeline.h"

#include "ops/verify.h"
#include "propagate/as_written.h"
#include "propagate/gspmd/propagate.h"
#include "propagate/lower_as_written.h"
#include "propagate/seed_rules.h"
#include "propagate/shardy/propagate.h"
#include "source/input.h"
#include "text/hlo/reader.h"
#include "text/hlo/scanner.h"
#include "text/mlir/reader.h"
#include "text/yaml/config_files.h"
#include "text/yaml/model.h"

namespace sw {

namespace {

// HLO without a header begins with a computation: `ENTRY`, a name with `%`, or a name and a brace, which `module {` of
// MLIR is too.
bool begins_computation(std::string_view text) {
  if (text.starts_with('%') || text.starts_with("ENTRY")) return true;
  size_t end = 0;
  while (end < text.size() && hlo::is_name_char(text[end])) ++end;
  const size_t brace = text.find_first_not_of(" \t", end);
  return end > 0 && text.substr(0, end) != "module" && brace != std::string_view::npos && text[brace] == '{';
}

// Told by content: HLO text begins with `HloModule` or a computation, a YAML model with the key `format:`; anything
// else is MLIR.
bool is_hlo(std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    if (text[at] == ' ' || text[at] == '\t' || text[at] == '\n' || text[at] == '\r') {
      ++at;
    } else if (text.substr(at, 2) == "//") {
      at = std::min(text.find('\n', at), text.size());
    } else {
      return text.substr(at).starts_with("HloModule") || begins_computation(text.substr(at));
    }
  }
  return false;
}

Result<Program> read_program(FileId file, SourceManager& sources, Diagnostics& diagnostics) {
  if (is_yaml_model(sources.text(file))) return read_yaml_model(file, sources, diagnostics);
  if (is_hlo(sources.text(file))) return read_hlo(file, sources, diagnostics);
  return read_mlir(file, sources, diagnostics);
}

// --mesh, --shard, --shardings, --pin and --donate: files are read here, what they say is resolved against the program.
Result<Seeds> seeds_of(Program& program, const Arguments& arguments, SourceManager& sources, Diagnostics& diagnostics) {
  SeedRequest request;
  request.shard = arguments.shard;
  request.pin = arguments.pin;
  request.donate = arguments.donate;
  if (is_mesh_sizes(arguments.mesh)) {
    request.mesh_sizes = arguments.mesh;
  } else if (!arguments.mesh.empty()) {
    const Result<FileId> file = load_input(arguments.mesh, sources, diagnostics);
    if (!file.has_value()) return reported();
    Result<MeshFile> mesh = read_mesh_file(*file, sources, diagnostics);
    if (!mesh.has_value()) return reported();
    request.mesh_file = std::move(*mesh);
  }
  if (!arguments.shardings_file.empty()) {
    const Result<FileId> file = load_input(arguments.shardings_file, sources, diagnostics);
    if (!file.has_value()) return reported();
    Result<std::vector<ShardingRule>> rules = read_sharding_rules(*file, sources, diagnostics);
    if (!rules.has_value()) return reported();
    request.rules = std::move(*rules);
  }
  return resolve_seeds(program, request, sources, diagnostics);
}

}  // namespace

tl::expected<Loaded, ExitCode> load_program(const Arguments& arguments, SourceManager& sources,
                                            Diagnostics& diagnostics) {
  const auto failed = [](ExitCode code) { return tl::make_unexpected(code); };

  // Load: the bytes of the file, decompressed.
  const Result<FileId> file = load_input(arguments.file, sources, diagnostics);
  if (!file.has_value()) return failed(kExitInput);

  // Read: text to graph, with the shardings that stand in it.
  Result<Program> program = read_program(*file, sources, diagnostics);
  if (!program.has_value()) return failed(kExitInput);

  // Verify: every op against what it may be. Later stages rely on it.
  const size_t errors_before = diagnostics.error_count();
  verify(*program, diagnostics);
  if (diagnostics.error_count() > errors_before) return failed(kExitInput);
  std::string reason;
  if (program->graph.is_hlo && looks_partitioned(*program, &reason))
    diagnostics.warning(DiagnosticKind::unsupported, {*file, 0, 0},
                        "this module has been partitioned already (" + reason +
                            "): its shapes are those of one device, and propagating again means little");

  // Mesh and seeds: what the command line says instead of, or beside, the program.
  Result<Seeds> seeds = seeds_of(*program, arguments, sources, diagnostics);
  if (!seeds.has_value()) return failed(kExitUsage);
  return Loaded{std::move(*program), std::move(*seeds)};
}

namespace {

Result<Plan> run_partitioner(Program& program, const Seeds& seeds, Partitioner by, const PropagateOptions& options,
                             Diagnostics& diagnostics) {
  switch (by) {
    case Partitioner::shardy: {
      if (program.graph.is_hlo) {
        diagnostics
            .error(DiagnosticKind::unsupported, {program.file, 0, 0}, "this is HLO text, and Shardy works on StableHLO")
            .help(
                "`--partitioner gspmd` is the default for HLO; for Shardy give what `jax.jit(f).lower(...).as_text()` "
                "prints");
        return reported();
      }
      ShardyOptions shardy;
      shardy.record_refusals = options.record_refusals;
      shardy.through_xla = options.through_xla;
      shardy.order = options.variation.order;
      if (options.variation.strategy == Variation::Strategy::basic) shardy.strategy = ShardyOptions::Strategy::basic;
      if (options.variation.strategy == Variation::Strategy::basic_first)
        shardy.strategy = ShardyOptions::Strategy::basic_then_aggressive;
      shardy.op_priorities = options.variation.priorities;
      shardy.lower = options.lower;
      return propagate_shardy(program, seeds, shardy, diagnostics);
    }
    case Partitioner::gspmd: {
      GspmdOptions gspmd;
      gspmd.record_refusals = options.record_refusals;
      gspmd.order = options.variation.order;
      gspmd.levels = options.variation.priorities;
      gspmd.lower = options.lower;
      return propagate_gspmd(program, seeds, gspmd, diagnostics);
    }
    case Partitioner::none: break;
  }
  Plan plan = plan_as_written(program, seeds);
  if (options.lower && !program.graph.is_hlo) lower_as_written(program, seeds, plan, diagnostics);
  return plan;
}

// The mesh in whose axes reports speak, where the partitioner does not say or names one without axes: the first with
// any.
void choose_mesh(const Program& program, Plan& plan) {
  const auto has_axes = [&](MeshId mesh) { return mesh.valid() && !program.shardings.mesh(mesh).mesh.axes.empty(); };
  for (size_t i = 0; i < program.shardings.mesh_count() && !has_axes(plan.mesh); ++i)
    if (has_axes(MeshId{i})) plan.mesh = MeshId{i};
}

}  // namespace

Result<Plan> propagate(Program& program, const Seeds& seeds, Partitioner by, const PropagateOptions& options,
                       Diagnostics& diagnostics) {
  Result<Plan> plan = run_partitioner(program, seeds, by, options, diagnostics);
  if (plan.has_value()) choose_mesh(program, *plan);
  return plan;
}

Partitioner chosen_partitioner(const Arguments& arguments, const Program& program) {
  if (arguments.partitioner.has_value()) return *arguments.partitioner;
  return is_for_gspmd(program) ? Partitioner::gspmd : Partitioner::shardy;
}

tl::expected<Planned, ExitCode> make_plan(const Arguments& arguments, const PropagateOptions& options,
                                          SourceManager& sources, Diagnostics& diagnostics) {
  tl::expected<Loaded, ExitCode> loaded = load_program(arguments, sources, diagnostics);
  if (!loaded.has_value()) return tl::make_unexpected(loaded.error());

  // Propagate: a sharding for every value, and the trace of how it came.
  const Partitioner by = chosen_partitioner(arguments, loaded->program);
  Result<Plan> plan = propagate(loaded->program, loaded->seeds, by, options, diagnostics);
  if (!plan.has_value()) return tl::make_unexpected(kExitInput);
  return Planned{std::move(loaded->program), std::move(*plan)};
}

namespace {

// Causes in terms of the program as read.
void name_causes(const LoweredProgram& lowered, LocalProgram& local) {
  const auto source = [&](OpId op) { return op.valid() ? lowered.source_op[op.index()] : op; };
  for (Collective& c : local.collectives) {
    c.cause.op = source(c.cause.op);
    if (c.cause.value.valid()) c.cause.value = lowered.source_value[c.cause.value.index()];
  }
  for (Miscompile& m : local.miscompiles) m.op = source(m.op);
}

}  // namespace

tl::expected<std::optional<LocalProgram>, ExitCode> partition_plan(Program& program, const Plan& plan, Backend backend,
                                                                   Diagnostics& diagnostics, Lowering lowering) {
  const LoweredProgram* lowered = plan.lowered.get();
  Result<LocalProgram> local;
  if (lowered != nullptr)
    local = partition(lowered->graph, program.tile_shardings, lowered->shardings, 0, diagnostics, lowering);
  else if (!program.graph.is_hlo)
    return std::nullopt;
  else if (looks_partitioned(program))
    local = already_partitioned(program, partition_count(program));
  else if (plan.tiled.empty())
    return std::nullopt;
  else
    local = partition(program.graph, program.tile_shardings, plan.tiled, 0, diagnostics, lowering);
  if (local.has_value() && lowered != nullptr) name_causes(*lowered, *local);
  if (!local.has_value()) return tl::make_unexpected(kExitInput);
  apply_backend(*local, backend);
  return std::move(*local);
}

ExitCode not_partitioned(const Program& program, Diagnostics& diagnostics) {
  diagnostics
      .error(DiagnosticKind::unsupported, {program.file, 0, 0},
             "no sharding stands in this program, so there is nothing to partition it by")
      .help("give arguments one, `--mesh x=2,y=4 --shard \"ARGUMENT=P('x', 'y')\"`");
  return kExitInput;
}

std::string shown_file(const std::string& path) {
  if (path == "-") return "<stdin>";
  return path.starts_with("/") ? path.substr(path.find_last_of('/') + 1) : path;
}

}  // namespace sw
