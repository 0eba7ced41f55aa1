// Shardings as small numbers, and the algebra over them with every answer remembered: a program of 61,000 instructions
// has some hundred distinct shardings, so nearly every step of propagation is a look-up.
//
// Invariant: ids are TileShardingIds of the program's table (raw), never of a tuple; facts() is filled for all of them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/hash.h"
#include "sharding/tile_algebra.h"

namespace sw::gspmd {

using Shard = uint32_t;
constexpr Shard kNoShard = 0xffffffffU;

// Open addressing from 128-bit keys to 32-bit answers.
class Memo {
 public:
  struct Key {
    uint64_t a = 0, b = 0;
    friend bool operator==(const Key&, const Key&) = default;
  };
  // The place of the answer, and whether it was there.
  const uint32_t* find(Key key) const;
  void put(Key key, uint32_t answer);

 private:
  struct Entry {
    Key key;
    uint32_t answer = 0;
    bool used = false;
  };
  static size_t hash(Key key) { return static_cast<size_t>(hash_mix(hash_mix(0, key.a), key.b)); }
  void grow();
  std::vector<Entry> entries_;
  size_t count_ = 0;
};

struct ShardFacts {
  TileKind kind = TileKind::replicated;
  bool partial = false;  // has a replicated subgroup
  bool manual_subgroup = false;
  int64_t tiles = 1, devices = 1;
  uint32_t rank = 0;  // data dimensions, when tiled
  bool trivial() const { return kind == TileKind::replicated || kind == TileKind::maximal; }
};

class ShardingPool {
 public:
  explicit ShardingPool(TileShardingTable& table);

  Shard intern(TileSharding s);
  const TileSharding& get(Shard s) const { return table_.get(TileShardingId{s}); }
  const ShardFacts& facts(Shard s) const { return facts_[s]; }
  TileShardingTable& table() { return table_; }
  Shard replicated() const { return replicated_; }
  Shard manual() const { return manual_; }
  bool is_replicated(Shard s) const { return facts_[s].kind == TileKind::replicated; }
  bool is_manual(Shard s) const { return facts_[s].kind == TileKind::manual; }
  bool is_tiled(Shard s) const { return facts_[s].kind == TileKind::tiled; }
  bool is_trivial(Shard s) const { return facts_[s].trivial(); }
  bool same(Shard a, Shard b);
  Shard tuple(std::span<const Shard> leaves);  // for traces and reports only

  bool more_specific(Shard a, Shard b) const;
  // See the functions of these names in tile_algebra.h. kNoShard: no.
  Shard merged_if_compatible(Shard other, int64_t minimum_tiles, Shard into);
  Shard merged_if_compatible(Shard other, Shard into) {
    return merged_if_compatible(other, facts(into).tiles + 1, into);
  }
  // What `into` becomes; nothing when merge_sharding says false.
  Shard merged(Shard other, Shard into, bool combine);
  Shard improved(Shard from, Shard current, TypeId type, std::span<const int64_t> shape, bool combine, bool aggressive);
  bool sub_tiling(TypeId type, std::span<const int64_t> shape, Shard sub, Shard base);
  Shard common(std::span<const Shard> all, Shard otherwise = kNoShard);
  Shard replicate_except(Shard s, std::span<const int64_t> kept);

  // Answers of rules: `rule` tells rule and operands' shapes apart (see RuleClasses), `tag` the direction and slot.
  template <class Compute>
  Shard remember(uint32_t rule, uint32_t tag, Shard s, Compute&& compute) {
    const Memo::Key key{(uint64_t{rule} << 32) | s, uint64_t{tag} | (uint64_t{kRule} << 56)};
    if (const uint32_t* known = memo_.find(key)) return *known;
    const Shard answer = compute();
    memo_.put(key, answer);
    return answer;
  }

 private:
  enum Question : uint8_t { kSame = 1, kMerge, kImprove, kSub, kMergeAt, kRule };
  static Memo::Key key(Question question, Shard a, Shard b, uint64_t rest) {
    return {(uint64_t{a} << 32) | b, rest | (uint64_t{question} << 56)};
  }
  void learn(Shard s);

  TileShardingTable& table_;
  std::vector<ShardFacts> facts_;
  Memo memo_;
  Shard replicated_ = kNoShard, manual_ = kNoShard;
};

}  // namespace sw::gspmd
