// The stages from a file to a plan, one after the other, for every verb that needs one.
#pragma once

#include <optional>

#include "base/result.h"
#include "cli/arguments.h"
#include "cli/exit_codes.h"
#include "partition/backend/backend.h"
#include "partition/partition.h"
#include "propagate/outcomes.h"
#include "propagate/plan.h"
#include "propagate/seeds.h"
#include "source/diagnostic.h"

namespace sw {

// A verified program, on the mesh and with the shardings that the command line gives.
struct Loaded {
  Program program;
  Seeds seeds;
};

struct Planned {
  Program program;
  Plan plan;
};

struct PropagateOptions {
  bool record_refusals = false;  // for explain
  bool through_xla = true;       // ShardyOptions::through_xla
  bool lower = false;            // Plan::lowered, for what partitions
  // For lint: another way than the partitioner's own, which a well-constrained program does not notice. `by` is not
  // read.
  Variation variation = {};
};

// Everything that went wrong is in `diagnostics`; the exit code says whose fault it was.
tl::expected<Loaded, ExitCode> load_program(const Arguments& arguments, SourceManager& sources,
                                            Diagnostics& diagnostics);

// One partitioner on a loaded program; its tables grow.
Result<Plan> propagate(Program& program, const Seeds& seeds, Partitioner by, const PropagateOptions& options,
                       Diagnostics& diagnostics);

// Both.
tl::expected<Planned, ExitCode> make_plan(const Arguments& arguments, const PropagateOptions& options,
                                          SourceManager& sources, Diagnostics& diagnostics);

// The program of one device and its collectives, after what the compiler of `backend` does to them. StableHLO
// must have been propagated with `lower`.
tl::expected<std::optional<LocalProgram>, ExitCode> partition_plan(Program& program, const Plan& plan, Backend backend,
                                                                   Diagnostics& diagnostics,
                                                                   Lowering lowering = Lowering::as_xla);

// What verbs say that need that program, where there is none.
ExitCode not_partitioned(const Program& program, Diagnostics& diagnostics);

// For reports, which take null where nothing was partitioned.
inline const LocalProgram* local_of(const std::optional<LocalProgram>& local) {
  return local.has_value() ? &*local : nullptr;
}

// The partitioner that was asked for, or the one that fits the input: GSPMD for what is GSPMD's, else
// Shardy.
Partitioner chosen_partitioner(const Arguments& arguments, const Program& program);

// FILE as reports show it: no absolute paths, so that the same input gives the same bytes everywhere.
std::string shown_file(const std::string& path);

}  // namespace sw
