// Reads and writes HLO text as XLA prints it: before and after any pass, optimized and scheduled.
//
// How a module becomes the one IR (ir/graph.h):
//   - a computation is a Function in the order of the text, its parameters are block arguments in the order of their
//     numbers, the ROOT is the operand of a func_return at the end. Where the text had parameters among the
//     instructions, the function attribute `hlo.parameter_positions` keeps their places (positions among all
//     instructions).
//   - what the text says of a parameter (sharding, frontend attributes, ...) is in Function::arg_attrs.
//   - an instruction is an op with exactly one result, tuples included. `conditional` is OpKind::case_ whether its
//   first
//     operand is a predicate (region 0 is the true branch) or a number. `while` has the regions condition, body;
//     select-and-scatter has select, scatter.
//   - an async pair in short form (`all-to-all-start`) is OpKind::async_start, async_update or async_done without a
//   region;
//     Op::name is the spelling and the attributes are those of the wrapped op (wrapped_kind).
// Attributes with an equivalent in StableHLO have its name and form; sharding={...} is `mhlo.sharding` (tile_sharding)
// and frontend_attributes is `mhlo.frontend_attributes` (dictionary of strings), on ops, arguments and the module;
// replica_groups in list form are `dense` with integers, in the two other forms `opaque` with the text.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "sharding/program.h"
#include "source/diagnostic.h"

namespace sw {

// Parses the text of `file`. All errors of the text are reported (the reader goes on at the next instruction); an error
// result means that there was at least one.
Result<Program> read_hlo(FileId file, const SourceManager& sources, Diagnostics& diagnostics);

// The program as HLO text that XLA parses and whose reading gives the same program.
std::string print_hlo(const Program& program);

// The op that an async op in short form wraps: all_to_all for `all-to-all-start`; OpKind::unknown for any other op.
OpKind wrapped_kind(const Graph& graph, const Op& op);

// Devices that the module says it is for (`num_partitions=8`); 1 when it does not say.
int64_t partition_count(const Program& program);

// Whether the SPMD partitioner has run over this HLO module already; `reason` says what shows it.
bool looks_partitioned(const Program& program, std::string* reason = nullptr);

}  // namespace sw
