#include "partition/permutes.h"

#include "base/check.h"
#include "base/hash.h"

namespace sw {
namespace {

uint64_t hash_of(uint64_t h, const TileGrid& grid) {
  for (const int64_t d : grid.dims) h = hash_mix(h, static_cast<uint64_t>(d));
  for (const int64_t r : grid.devices.reshape) h = hash_mix(h, static_cast<uint64_t>(r));
  for (const int32_t p : grid.devices.perm) h = hash_mix(h, static_cast<uint64_t>(p));
  for (const int64_t id : grid.devices.ids) h = hash_mix(h, static_cast<uint64_t>(id));
  return h;
}

}  // namespace

Moves moves_between(const TileGrid& from, const TileGrid& to) {
  const TileDims line{1, from.device_count()};
  return {reshaped(from, line), reshaped(to, line), 0, {{0, 0}}};
}

std::vector<std::pair<int64_t, int64_t>> pairs_of(const Moves& moves) {
  SW_CHECK(moves.from.dims == moves.to.dims, "moves between grids of different dims");
  const std::vector<int64_t> from = device_ids(moves.from);
  const bool same = moves.from == moves.to;
  const std::vector<int64_t> other = same ? std::vector<int64_t>() : device_ids(moves.to);
  const std::vector<int64_t>& to = same ? from : other;
  const std::span<const int64_t> dims(moves.from.dims);
  const int64_t outer = product(dims.first(moves.dim)), inner = product(dims.subspan(moves.dim + 1));
  std::vector<std::pair<int64_t, int64_t>> pairs;
  pairs.reserve(static_cast<size_t>(outer * inner) * moves.tiles.size());
  for (int64_t o = 0; o < outer; ++o) {
    const int64_t line = o * dims[moves.dim];
    for (const auto& [sender, receiver] : moves.tiles)
      for (int64_t i = 0; i < inner; ++i)
        pairs.emplace_back(from[static_cast<size_t>((line + sender) * inner + i)],
                           to[static_cast<size_t>((line + receiver) * inner + i)]);
  }
  return pairs;
}

bool PermuteTable::Entry::is(const Moves& m, std::span<const TileGrid* const> groups) const {
  if (m.dim != moves.dim || m.tiles != moves.tiles || groups.size() != outer.size()) return false;
  for (size_t i = 0; i < outer.size(); ++i)
    if (!(*groups[i] == outer[i])) return false;
  return m.from == moves.from && m.to == moves.to;
}

uint64_t PermuteTable::hash(const Moves& moves, std::span<const TileGrid* const> outer) {
  uint64_t h = hash_of(hash_of(moves.dim, moves.from), moves.to);
  for (const auto& [sender, receiver] : moves.tiles)
    h = hash_mix(hash_mix(h, static_cast<uint64_t>(sender)), static_cast<uint64_t>(receiver));
  for (const TileGrid* groups : outer) h = hash_of(h, *groups);
  return h;
}

}  // namespace sw
