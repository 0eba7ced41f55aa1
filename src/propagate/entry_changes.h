// What is said about the arguments and results of a program beside the shardings of arguments: which arguments are
// given away, and how results are sharded. Written into the program as JAX would have written it, so that every stage
// reads one form.
#pragma once

#include <cstdint>
#include <span>

#include "sharding/program.h"

namespace sw {

struct ResultSharding {
  uint32_t result = 0;  // of main
  NamedShardingId sharding;
};

// As `donate_argnums` does: `jax.buffer_donor`, or the header of HLO. Arguments that are donated already stay so.
void give_away(Program& program, std::span<const ValueId> arguments);

// As `out_shardings` does, in the place of what the result has. Not for HLO, whose results have none of their own.
void shard_results(Program& program, std::span<const ResultSharding> results);

// Whether the program says how a result is sharded.
bool says_sharding_of_result(const Program& program, uint32_t result);

}  // namespace sw
