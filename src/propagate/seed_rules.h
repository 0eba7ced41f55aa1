// What the command line says instead of, or beside, a program: --mesh, --shard, a file of rules, --pin, --donate.
// Resolves names, patterns and lines against the program, changes its mesh, the shardings of its results and what is
// donated, and returns the shardings to start from.
//
// Arguments are those of the main function. A pattern selects them by (README in configs/ has the table)
//   number        0, or the spelling %arg0
//   name          params['layers']['w1'], as JAX's debug information has it; `*` any text, `?` one character
//   path          params/layers/w1, the same name with / between its keys; `*` within one key, `**` across keys
// Flags are tried before rules, in the order given, and the first that selects an argument wins. One that selects no
// argument is looked for among the results, by name and as result[0].
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "propagate/seeds.h"
#include "sharding/program.h"
#include "sharding/rules.h"
#include "source/diagnostic.h"

namespace sw {

struct SeedRequest {
  std::string mesh_sizes;             // --mesh x=2,y=4; empty: not given
  std::optional<MeshFile> mesh_file;  // --mesh FILE, read
  std::vector<std::string> shard;     // --shard PATTERN=SPEC
  std::vector<ShardingRule> rules;    // of a file, tried after the flags
  std::vector<std::string> pin;       // --pin VALUE|LINE|LINE:VALUE=SPEC
  std::vector<std::string> donate;    // --donate PATTERN
};

// Flags become files named `--mesh`, `--shard` and `--pin` in `sources`, so that messages point into them. Reports
// every error; also a warning for each rule or flag that selects nothing, and one note with the arguments that no rule
// of the file selects.
Result<Seeds> resolve_seeds(Program& program, const SeedRequest& request, SourceManager& sources,
                            Diagnostics& diagnostics);

// ---- The parts, for tests and other users ---------------------------------------------------------------------------

// Whether `--mesh TEXT` gives sizes (x=2,y=4) rather than the name of a file: it has an equals sign, or nothing that
// file names have.
bool is_mesh_sizes(std::string_view text);

// Matches a pattern of one of the three kinds against an argument.
bool pattern_selects(std::string_view pattern, std::string_view source_name, std::string_view spelled_name,
                     size_t number);

// The values that a user means by a name or a line: `%12`, `%12#1`, `dot.3`, params['w1'], result[0], 61, step.mlir:61,
// model.py:41. Of a line, the values that are used on other lines: what the line computes, not its steps; all of them
// when there are none such. Names repeat from function to function and from region to region: 5:%12 is the one on
// line 5, 5:%12@2 the second of that name there.
std::vector<ValueId> find_values(const Program& program, const SourceManager& sources, std::string_view text);

// The shortest of these texts that stands for this value alone.
std::string value_address(const Program& program, const SourceManager& sources, ValueId value);

}  // namespace sw
