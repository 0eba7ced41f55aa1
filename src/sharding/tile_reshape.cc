// Shardings through a reshape. Follows ReshapeSharding and PropagateShardingThroughReshape (hlo_sharding_util.cc), the
// newer algorithm of the two that XLA had.
//
// Worked example: 64x32 tiled (2,4), reshaped to 2048. Walk both shapes from major to minor: gcd(2, 2048) = 2 tiles go
// to the target, 32 of the first source dimension are left untiled, and an untiled remainder that the target does not
// end with stops the walk: the result has 2 tiles, and the 4 become replication.
#include <numeric>

#include "sharding/tile_algebra.h"

namespace sw {
namespace {

// The walk over both shapes. `tiles` are the tiles given to each target dimension.
struct ReshapeWalk {
  std::span<const int64_t> from, to, source_tiles;
  TileDims tiles;
  DimList replicated;  // tiled source dimensions of extent 1 that no target dimension takes
  size_t source = 0, target = 0;
  int64_t source_size = 1, source_tile = 1, target_size = 1;

  void load_source() {
    if (source == from.size()) return;
    source_size = from[source];
    source_tile = source_tiles[source];
  }
  void load_target() {
    if (target < to.size()) target_size = to[target];
  }
  void next_source() {
    ++source;
    load_source();
  }
  void next_target() {
    ++target;
    load_target();
  }
  bool ended() const { return source >= from.size() || target >= to.size(); }

  // Steps over untiled source dimensions and the target dimensions that make up their product; false when it does not
  // come out even, or a shape ends.
  bool skip_untiled() {
    int64_t untiled = 1;
    while (source_tile == 1) {
      untiled *= source_size;
      next_source();
      if (source == from.size()) break;
    }
    while (untiled != 1 && untiled % target_size == 0) {
      untiled /= target_size;
      next_target();
      if (target == to.size()) break;
    }
    return !ended() && untiled == 1;
  }

  enum class Step : uint8_t { go_on, stop, impossible };
  Step step() {
    if (source_size == target_size) {
      if (target_size != to[target] && source_size % source_tile != 0) {
        tiles[target] *= std::gcd(source_size, source_tile);
        return Step::stop;
      }
      tiles[target] *= source_tile;
      next_source();
      next_target();
    } else if (target_size == 1) {
      next_target();
    } else if (source_size == 1) {
      if (source_tile > 1) replicated.push_back(static_cast<int64_t>(source));
      next_source();
    } else if (source_size % source_tile != 0) {
      return Step::impossible;
    } else {
      const int64_t common = std::gcd(source_tile, target_size);
      if (common == 1) return Step::stop;
      source_size /= common;
      source_tile /= common;
      target_size /= common;
      tiles[target] *= common;
    }
    return Step::go_on;
  }

  bool run() {
    load_source();
    load_target();
    while (!ended() && skip_untiled()) {
      const Step outcome = step();
      if (outcome == Step::impossible) return false;
      if (outcome == Step::stop) break;
    }
    return true;
  }
};

bool any_zero(std::span<const int64_t> shape) {
  for (const int64_t d : shape) {
    if (d == 0) return true;
  }
  return false;
}

TileSharding inside_groups(std::span<const int64_t> from, std::span<const int64_t> to, const TileSharding& s) {
  const int64_t dims[] = {manual_dim(s)};
  GroupedSharding group = group_on_dims(s, dims, /*manual=*/true);
  group.inner = through_reshape(from, to, group.inner);
  group.data_rank = to.size();
  group.dims[0] += static_cast<int64_t>(to.size()) - static_cast<int64_t>(from.size());
  return ungroup(group);
}

// The part of `s` on dims [begin, end) carried to the target shape, the rest as replication.
std::optional<TileSharding> interval_through(std::span<const int64_t> from, std::span<const int64_t> to,
                                             const TileSharding& s, size_t begin, size_t end) {
  TileDims tiles(from.size(), 1);
  for (size_t i = begin; i < end; ++i) tiles[i] = s.tile[i];
  const std::optional<TileSharding> part = reshape_tiles(from, to, plain_tiles(identity_grid(tiles)));
  if (!part) return std::nullopt;
  DimList perm;
  for (size_t i = begin; i < end; ++i) perm.push_back(static_cast<int64_t>(i));
  for (size_t i = 0; i < begin; ++i) perm.push_back(static_cast<int64_t>(i));
  for (size_t i = end; i < s.tile.size(); ++i) perm.push_back(static_cast<int64_t>(i));
  TileDims dims(std::span<const int64_t>(part->tile));
  const int64_t rest = device_count(s) / product(dims);
  if (dims.size() == to.size()) {
    dims.push_back(rest);
  } else {
    dims.back() *= rest;
  }
  return partial_tiles(reshaped(transposed(grid_of(s), perm), dims));
}

}  // namespace

std::optional<TileSharding> reshape_tiles(std::span<const int64_t> from, std::span<const int64_t> to,
                                          const TileSharding& s) {
  if (s.kind != TileKind::tiled) return s;
  if (any_zero(from) || any_zero(to)) return std::nullopt;
  ReshapeWalk walk{from, to, std::span<const int64_t>(s.tile).first(from.size()), TileDims(to.size(), 1), {}};
  if (!walk.run() || product(walk.tiles) == 1) return std::nullopt;
  const TileSharding kept = replicate_dims(s, walk.replicated);
  SmallVector<Subgroup, 4> kinds(std::span<const Subgroup>(kept.subgroups));
  TileDims tiles = walk.tiles;
  for (size_t i = 0; i < kinds.size(); ++i) {
    tiles.push_back(kinds[i] == Subgroup::replicated ? 1 : kept.tile[kept.data_rank() + i]);
  }
  const int64_t left = device_count(kept) / product(tiles);
  if (left > 1) {
    const int64_t at = replication_dim(kept);
    if (at >= 0) {
      tiles[to.size() + static_cast<size_t>(at) - kept.data_rank()] = left;
    } else {
      tiles.push_back(left);
      kinds.push_back(Subgroup::replicated);
    }
  }
  return grouped_tiles(reshaped(grid_of(kept), tiles), kinds);
}

TileSharding through_reshape(std::span<const int64_t> from, std::span<const int64_t> to, const TileSharding& s) {
  if (s.kind != TileKind::tiled) return s;
  if (has_manual_subgroup(s)) return inside_groups(from, to, s);
  // Longest run of dimensions first; a run that works is done with, and the next one starts behind it.
  TileSharding result = replicated_sharding();
  size_t begin = 0;
  while (begin < from.size()) {
    size_t next = begin + 1;
    for (size_t end = from.size(); end > begin; --end) {
      const std::optional<TileSharding> part = interval_through(from, to, s, begin, end);
      if (part && merge_if_compatible(*part, result)) {
        next = end;
        break;
      }
    }
    begin = next;
  }
  return result;
}

}  // namespace sw
