// Who sends to whom in a collective-permute, said without listing devices, and the lists made from it: one for each
// different permute of a program, since the same few shifts come back in every layer.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ir/graph.h"
#include "sharding/tile_grid.h"

namespace sw {

// The device at a place of `from` sends to the device at a place of `to` (same dims), for all places that agree but in
// coordinate `dim`, which goes from first to second of each pair of `tiles`.
// Worked example: grids [2,3]<=[6], dim 1, tiles (0,1) (1,2): 0 -> 1, 1 -> 2, 3 -> 4, 4 -> 5.
struct Moves {
  TileGrid from, to;
  size_t dim = 0;
  std::vector<std::pair<int64_t, int64_t>> tiles;
};

// Every device of `from` sends to the device of `to` at the same place.
Moves moves_between(const TileGrid& from, const TileGrid& to);
std::vector<std::pair<int64_t, int64_t>> pairs_of(const Moves& moves);

// The attribute `source_target_pairs` of every permute written so far. Invalid where every device keeps what it has.
class PermuteTable {
 public:
  // `outer`: the groups of the enclosing scopes, innermost first.
  template <class Make>
  AttrId find(const Moves& moves, std::span<const TileGrid* const> outer, Make make) {
    std::vector<Entry>& entries = by_hash_[hash(moves, outer)];
    for (const Entry& e : entries)
      if (e.is(moves, outer)) return e.attr;
    Entry entry{moves, {}, make()};
    for (const TileGrid* groups : outer) entry.outer.push_back(*groups);
    entries.push_back(std::move(entry));
    return entries.back().attr;
  }

 private:
  struct Entry {
    Moves moves;
    std::vector<TileGrid> outer;
    AttrId attr;
    bool is(const Moves& m, std::span<const TileGrid* const> groups) const;
  };
  static uint64_t hash(const Moves& moves, std::span<const TileGrid* const> outer);

  std::unordered_map<uint64_t, std::vector<Entry>> by_hash_;
};

// The pairs of a permute; copies share them.
class PairList {
 public:
  using Pair = std::pair<int64_t, int64_t>;
  PairList() = default;
  explicit PairList(std::vector<Pair> pairs) : pairs_(std::make_shared<const std::vector<Pair>>(std::move(pairs))) {}

  bool empty() const { return size() == 0; }
  size_t size() const { return pairs_ ? pairs_->size() : 0; }
  const Pair* begin() const { return pairs_ ? pairs_->data() : nullptr; }
  const Pair* end() const { return begin() + size(); }
  const Pair& operator[](size_t i) const { return (*pairs_)[i]; }
  // Whether these are copies of one list: cheap, and enough to remember what has been found out about it.
  const void* identity() const { return pairs_.get(); }

 private:
  std::shared_ptr<const std::vector<Pair>> pairs_;
};

}  // namespace sw
