// Exchanging neighbours' rows. Every distance gets one collective-permute: first the farthest left neighbour's rows,
// ..., the nearest's, the own piece, then the right ones; one concatenation joins them. All devices get the same static
// shape, the largest that any needs; which part of it a device uses is cut out later by its ordinal.
//
// Worked example: 64 rows in 2 tiles, rows [8, 40) wanted in 2 tiles of 16: tile 0 needs rows 8..23 (its own), tile 1
// needs rows 24..39: 8 rows of tile 0, 8 of its own. Left halo of tile 1 is 8: one permute of 8 rows 0 -> 1.
//
// Follows ExchangeHalo and ExchangeHaloAndGetValidData of XLA (spmd_partitioner_util.cc).
#include <algorithm>

#include "base/checked_math.h"
#include "partition/collectives.h"
#include "partition/windowed.h"

namespace sw {

namespace {

// Every tile along `dim` to the one `distance` farther; `to_the_left`: the other way.
Moves shifted(const TileSharding& s, size_t dim, int64_t distance, bool to_the_left) {
  const TileGrid grid = grid_of(s);
  Moves moves{grid, grid, dim, {}};
  for (int64_t far = distance; far < grid.dims[dim]; ++far)
    moves.tiles.emplace_back(to_the_left ? far : far - distance, to_the_left ? far - distance : far);
  return moves;
}

// The pieces that one side's tiles send, and how many zero rows stand for tiles that nobody is beside.
struct Side {
  std::vector<ValueId> pieces;
  int64_t zero_rows = 0;
  void add(Context& context, const Scope& scope, ValueId rows, const Moves& moves) {
    if (moves.tiles.empty())
      zero_rows += context.emit.dim(rows, moves.dim);
    else
      pieces.push_back(emit_permute(context, scope, rows, moves));
  }
};

ValueId zero_rows(Emitter& emit, ValueId like, size_t dim, int64_t rows) {
  ArrayShape shape = emit.shape(like);
  shape.dims[dim] = rows;
  return emit.splat(emit.zero(shape.element), shape);
}

}  // namespace

std::optional<ValueId> exchange_halo(Context& context, const Scope& scope, ValueId value, const Halo& halo,
                                     const TileSharding& s) {
  const ReasonScope reason(context, CollectiveReason::halo);
  Emitter& emit = context.emit;
  const size_t dim = halo.dim;
  const int64_t rows = emit.dim(value, dim), tiles = s.tile[dim];
  const int64_t max_left = halo.left.max_over(1, tiles), max_right = halo.right.max_over(0, tiles - 1);
  if (max_left + max_right + rows >= rows * tiles && (max_left > rows || max_right > rows)) return std::nullopt;
  // Rows that any tile uses, counted from the start of its own piece.
  const int64_t first = -halo.left.max_over(0, tiles), end = rows + halo.right.max_over(0, tiles);
  if (first >= end) return std::nullopt;

  std::vector<ValueId> pieces;
  Side left;
  for (int64_t i = ceil_div(std::max<int64_t>(max_left, 0), rows) - 1; i >= 0 && (-i - 1) * rows < end; --i) {
    const int64_t wanted = std::min(max_left - rows * i, rows);
    const int64_t unused = std::max<int64_t>(-i * rows - end, 0);
    left.add(context, scope, emit.slice_dim(value, dim, rows - wanted, rows - unused), shifted(s, dim, i + 1, false));
  }
  if (left.zero_rows > 0) pieces.push_back(zero_rows(emit, value, dim, left.zero_rows));
  pieces.insert(pieces.end(), left.pieces.begin(), left.pieces.end());

  if (first < rows && end > 0)
    pieces.push_back(emit.slice_dim(value, dim, std::max<int64_t>(0, first), std::min(rows, end)));

  Side right;
  const int64_t skipped = std::min(std::max<int64_t>(first - rows, 0), std::max<int64_t>(max_right, 0)) / rows;
  for (int64_t i = skipped; i < ceil_div(std::max<int64_t>(max_right, 0), rows); ++i) {
    const int64_t wanted = std::min(max_right - rows * i, rows);
    const int64_t unused = std::max<int64_t>(first - (i + 1) * rows, 0);
    right.add(context, scope, emit.slice_dim(value, dim, unused, wanted), shifted(s, dim, i + 1, true));
  }
  pieces.insert(pieces.end(), right.pieces.begin(), right.pieces.end());
  if (right.zero_rows > 0) pieces.push_back(zero_rows(emit, value, dim, right.zero_rows));
  return emit.concatenate(pieces, static_cast<int64_t>(dim));
}

}  // namespace sw
