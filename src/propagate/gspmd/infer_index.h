// What gather and scatter share: dimensions that run together, and shardings along them.
#pragma once

#include <optional>

#include "propagate/gspmd/rules.h"

namespace sw::gspmd {

struct DimPairs {
  DimList operand, slices;
};

// Tiles along the pairs source[i] -> target[i], all else replicated.
Shard along(Context& ctx, Shard from, std::span<const int64_t> source, std::span<const int64_t> target, size_t rank);
// Operand dimensions whose windows take them whole, with the dimensions of the slices they become.
DimPairs passed_through(const GatherScatterDims& dims, std::span<const int64_t> operand_shape);
// Along those: nothing when no tile goes over.
Shard slices_from_operand(Context& ctx, Shard from, const GatherScatterDims& dims, std::span<const int64_t> shape,
                          size_t slices_rank);
Shard operand_from_slices(Context& ctx, Shard from, const GatherScatterDims& dims, std::span<const int64_t> shape);
ParallelDims all_parallel(const IndexedDims& indexed);
// Joins what parallel and passed-through dimensions say; the parallel ones win when they disagree.
Shard merged_either_way(Context& ctx, Shard parallel, Shard passed);

}  // namespace sw::gspmd
