// A program, whole or of one device, in the form that XLA reads: every constant a literal of HLO, every operation one
// that HLO has.
//
//   constant dense<0.0> : 64x32xf32   ->  broadcast of a scalar constant
//   constant dense<"0x0000803F...">   ->  constant({1, ...})
//   chlo.erf_inv                      ->  call of a computation that is written with it (special_functions.h)
//   custom-call "TopK"                ->  topk
#pragma once

#include <span>

#include "base/result.h"
#include "ir/graph.h"
#include "sharding/tile_sharding.h"
#include "source/diagnostic.h"

namespace sw {

// Errors: a constant whose elements the text leaves out or that XLA would have computed; operations without an
// equivalent. `device_count` is written down in the module.
Result<Graph> hlo_form(const Graph& program, int64_t device_count, Diagnostics& diagnostics);

// The program with the sharding of every value written at it, where one is said; by ValueId.
Graph with_shardings(const Graph& program, std::span<const TileShardingId> shardings);

}  // namespace sw
