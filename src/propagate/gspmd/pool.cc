#include "propagate/gspmd/pool.h"

#include <algorithm>

namespace sw::gspmd {

const uint32_t* Memo::find(Key key) const {
  if (entries_.empty()) return nullptr;
  const size_t mask = entries_.size() - 1;
  for (size_t at = hash(key) & mask; entries_[at].used; at = (at + 1) & mask) {
    if (entries_[at].key == key) return &entries_[at].answer;
  }
  return nullptr;
}

void Memo::put(Key key, uint32_t answer) {
  if (2 * (count_ + 1) > entries_.size()) grow();
  const size_t mask = entries_.size() - 1;
  size_t at = hash(key) & mask;
  while (entries_[at].used && !(entries_[at].key == key)) at = (at + 1) & mask;
  if (!entries_[at].used) ++count_;
  entries_[at] = {key, answer, true};
}

void Memo::grow() {
  constexpr size_t kFirst = 1024;
  std::vector<Entry> old(entries_.empty() ? kFirst : 2 * entries_.size());
  old.swap(entries_);
  const size_t mask = entries_.size() - 1;
  for (const Entry& e : old) {
    if (!e.used) continue;
    size_t at = hash(e.key) & mask;
    while (entries_[at].used) at = (at + 1) & mask;
    entries_[at] = e;
  }
}

ShardingPool::ShardingPool(TileShardingTable& table) : table_(table) {
  replicated_ = intern(replicated_sharding());
  manual_ = intern(manual_sharding());
}

void ShardingPool::learn(Shard s) {
  while (facts_.size() <= s) {
    const TileSharding& t = get(static_cast<Shard>(facts_.size()));
    ShardFacts f;
    f.kind = t.kind;
    f.partial = has_partial_replication(t);
    f.manual_subgroup = has_manual_subgroup(t);
    f.tiles = tile_count(t);
    f.devices = device_count(t);
    f.rank = t.kind == TileKind::tiled ? static_cast<uint32_t>(t.data_rank()) : 0;
    facts_.push_back(f);
  }
}

Shard ShardingPool::intern(TileSharding s) {
  const Shard id = table_.intern(std::move(s)).raw;
  learn(id);
  return id;
}

Shard ShardingPool::tuple(std::span<const Shard> leaves) {
  TileSharding t;
  t.kind = TileKind::tuple;
  for (const Shard leaf : leaves) t.elements.push_back(TileShardingId{leaf == kNoShard ? replicated_ : leaf});
  return intern(std::move(t));
}

bool ShardingPool::same(Shard a, Shard b) {
  if (a == b) return true;
  // Two iotas are the same only when spelled the same; two lists too.
  const TileSharding &x = get(a), &y = get(b);
  if (x.kind != y.kind || x.devices.ids.empty() == y.devices.ids.empty()) return false;
  const Memo::Key k = key(kSame, a, b, 0);
  if (const uint32_t* known = memo_.find(k)) return *known != 0;
  const bool answer = same_sharding(x, y);
  memo_.put(k, answer ? 1 : 0);
  return answer;
}

bool ShardingPool::more_specific(Shard a, Shard b) const {
  const ShardFacts &x = facts_[a], &y = facts_[b];
  if (x.kind == TileKind::manual) return y.trivial();
  if (y.kind == TileKind::manual) return false;
  if (!y.trivial()) return x.tiles > y.tiles;
  return !(y.kind == TileKind::replicated ? x.kind == TileKind::replicated : x.trivial());
}

Shard ShardingPool::merged_if_compatible(Shard other, int64_t minimum_tiles, Shard into) {
  if (is_trivial(other) || is_manual(other) || is_manual(into)) return kNoShard;
  if (is_trivial(into)) return other;
  const Memo::Key k = key(kMergeAt, other, into, static_cast<uint64_t>(minimum_tiles));
  if (const uint32_t* known = memo_.find(k)) return *known;
  TileSharding result = get(into);
  const Shard answer = merge_if_compatible(get(other), minimum_tiles, result) ? intern(std::move(result)) : kNoShard;
  memo_.put(k, answer);
  return answer;
}

Shard ShardingPool::merged(Shard other, Shard into, bool combine) {
  const ShardFacts &x = facts_[other], &y = facts_[into];
  if (combine && other != into && x.partial && y.partial && x.devices == y.devices) {
    const Shard joined = merged_if_compatible(other, std::max(x.tiles, y.tiles) + 1, into);
    if (joined != kNoShard) return joined;
  }
  return more_specific(into, other) ? into : kNoShard;
}

Shard ShardingPool::improved(Shard from, Shard current, TypeId type, std::span<const int64_t> shape, bool combine,
                             bool aggressive) {
  if (from == current) return kNoShard;
  const ShardFacts& f = facts_[from];
  if (f.kind == TileKind::tiled && f.rank != shape.size()) return kNoShard;  // a program whose shapes do not fit
  if (current != kNoShard && f.kind == TileKind::manual && facts_[current].trivial()) return from;
  if (f.kind == TileKind::maximal) return kNoShard;
  if (current == kNoShard) return from;
  if (f.kind == TileKind::manual) return kNoShard;
  const int64_t tiles = f.tiles;
  const Shard result = merged(current, from, combine);
  if (result == kNoShard) return kNoShard;
  if (!aggressive && !is_trivial(current) && facts_[result].tiles == tiles &&
      !sub_tiling(type, shape, result, current)) {
    return kNoShard;
  }
  return result;
}

bool ShardingPool::sub_tiling(TypeId type, std::span<const int64_t> shape, Shard sub, Shard base) {
  const Memo::Key k = key(kSub, sub, base, type.raw);
  if (const uint32_t* known = memo_.find(k)) return *known != 0;
  const bool answer = is_sub_tiling(shape, get(sub), get(base));
  memo_.put(k, answer ? 1 : 0);
  return answer;
}

Shard ShardingPool::common(std::span<const Shard> all, Shard otherwise) {
  Shard joined = all.front();
  for (const Shard s : all.subspan(1)) {
    if (same(joined, s)) continue;
    const Shard next = merged_if_compatible(s, facts(joined).tiles, joined);
    if (next == kNoShard) return otherwise != kNoShard ? otherwise : all.front();
    joined = next;
  }
  return joined;
}

Shard ShardingPool::replicate_except(Shard s, std::span<const int64_t> kept) {
  return intern(replicate_all_dims_except(get(s), kept));
}

}  // namespace sw::gspmd
