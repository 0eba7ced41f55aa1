// What a command line says, as plain data: parsed in one place (arguments.cc, the only file that knows CLI11), read by
// the commands. Defaults from a `shardwright.yaml` are filled in before the flags, so that flags win.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "partition/backend/backend.h"
#include "propagate/plan.h"
#include "report/collective_facts.h"
#include "report/schema.h"
#include "source/diagnostic.h"

namespace sw {

enum class Verb : uint8_t {
  plan,
  collectives,
  memory,
  explain,
  diff,
  lint,
  check,
  run,
  hardware,
  render,
  ops,
  schema,
  version
};

enum class ColorMode : uint8_t { automatic, always, never };

// `--format json=plan.json`: one report to write. An empty file is the main output (-o, otherwise stdout).
struct FormatRequest {
  std::string format;
  std::string file;
};

// Which picture `render` makes, and how.
struct RenderArguments {
  bool graph = false, report = false, devices = false, propagation = false;
  std::string array;                // a value
  bool diff = false;                // of the graph: two partitioners as one
  std::vector<std::string> expand;  // scopes
  int64_t nodes = 0;                // 0: as many as are well read
  std::optional<int64_t> step;      // of the propagation: one frame
  std::string frames;               // all of them, in this folder
};

struct Arguments {
  Verb verb = Verb::plan;
  std::string file;                        // the program
  std::string subject;                     // explain: VALUE or LINE
  std::optional<Partitioner> partitioner;  // none given: Shardy, or GSPMD for HLO text
  Backend backend = Backend::none;         // whose later passes the collectives go through
  std::string mesh;                        // FILE.yaml or x=2,y=4
  std::vector<std::string> shard;          // PATTERN=SPEC
  std::string shardings_file;
  std::vector<std::string> pin;                // VALUE|LINE=SPEC
  std::vector<std::string> donate;             // PATTERN
  CollectiveOrder by = CollectiveOrder::axis;  // collectives: in which groups
  // diff: the second file, or what the second side has instead.
  std::string other_file, to_mesh, to_shardings_file;
  std::vector<std::string> to_shard, to_pin;
  std::array<Partitioner, 2> partitioners = {Partitioner::gspmd, Partitioner::shardy};
  ReportKind schema_of = ReportKind::plan;  // schema: of which report
  bool list_rules = false;                  // lint --list
  std::string explain_rule;                 // lint --explain
  std::string why_not;                      // explain: an axis
  bool gate = false;                        // memory: end with an error when it does not fit
  std::optional<int64_t> advice;            // memory, check: how many changes may be tried; none given: some, in need
  bool show_hardware = false;               // hardware: show, not list
  std::vector<std::string> hardware;        // names of the catalogue, or files
  // check
  std::string max_memory;  // a share of the capacity or bytes; empty: what the device can use
  std::vector<std::string> assertions;
  std::optional<Severity> fail_on = Severity::error;  // none: no finding fails
  std::string baseline, write_baseline;
  // run
  uint64_t seed = 0;                // of random inputs
  std::string inputs, save;         // folders of arrays
  std::optional<double> tolerance;  // none given: by element type
  int64_t steps = 1;
  std::vector<std::string> feed;  // RESULT=ARGUMENT
  bool every_value = false;
  RenderArguments render;
  std::vector<FormatRequest> formats;  // of render, one without a name: the picture's own
  std::vector<FormatRequest> emitted;  // plan --emit
  std::string output;
  ColorMode color = ColorMode::automatic;
  bool quiet = false;
  bool all = false;
  int64_t max_errors = 20;
};

// What to do after parsing: run the verb, or end with this code (help was asked for, or the usage was wrong and
// reported).
struct ParsedArguments {
  std::optional<Arguments> run;
  int exit_code = 0;
  std::string help;  // to print on stdout
};

// `sources` receives the configuration file, so that its errors have positions.
ParsedArguments parse_arguments(int argc, const char* const* argv, SourceManager& sources, Diagnostics& diagnostics);

}  // namespace sw
