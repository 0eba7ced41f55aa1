// Tile shardings seen as axes of a mesh that they imply.
#pragma once

#include <span>

#include "sharding/tile_sharding.h"

namespace sw {

// Whether dimension `dim` of `b` is tiled by an axis that also tiles one of `dims` of `a`. False when the two do not
// imply the same mesh. Follows ToNamedSharding and AnalyzeTileAssignment of XLA (hlo_sharding.cc, tile_assignment.cc).
bool share_axis(const TileSharding& a, std::span<const int64_t> dims, const TileSharding& b, int64_t dim);

}  // namespace sw
