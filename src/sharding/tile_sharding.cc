// Interning by content. Device lists are brought to one spelling first (canonical_devices), so that equal assignments
// have equal ids whichever way they were written.
#include "sharding/tile_sharding.h"

#include <algorithm>

#include "base/hash.h"

namespace sw {

namespace {

constexpr size_t kFirstSlots = 64;

uint64_t hash_of(const TileSharding& s) {
  uint64_t h = hash_mix(static_cast<uint64_t>(s.kind), s.tile.size());
  for (int64_t v : s.tile) h = hash_mix(h, static_cast<uint64_t>(v));
  for (Subgroup v : s.subgroups) h = hash_mix(h, static_cast<uint64_t>(v));
  for (int64_t v : s.devices.reshape) h = hash_mix(h, static_cast<uint64_t>(v));
  for (int32_t v : s.devices.perm) h = hash_mix(h, static_cast<uint64_t>(v));
  for (int64_t v : s.devices.ids) h = hash_mix(h, static_cast<uint64_t>(v));
  h = hash_mix(h, static_cast<uint64_t>(s.device));
  for (TileShardingId v : s.elements) h = hash_mix(h, v.raw);
  h = hash_mix(h, static_cast<uint64_t>(s.shard_group_id) * 2 + (s.shard_group_is_as ? 1 : 0));
  h = hash_mix(h, static_cast<uint64_t>(s.reduction));
  return hash_mix(h, hash_bytes(s.named_text));
}

// One pass of the two rules below; false when neither applied.
bool simplify_once(DeviceList& d) {
  const size_t n = d.reshape.size();
  for (size_t i = 0; i < n; ++i) {
    if (d.reshape[i] != 1 || n == 1) continue;
    d.reshape.erase(d.reshape.begin() + i);
    d.perm.erase(std::find(d.perm.begin(), d.perm.end(), static_cast<int32_t>(i)));
    for (int32_t& p : d.perm)
      if (p > static_cast<int32_t>(i)) --p;
    return true;
  }
  for (size_t at = 0; at + 1 < n; ++at) {
    const int32_t major = d.perm[at];
    if (d.perm[at + 1] != major + 1) continue;
    d.reshape[static_cast<size_t>(major)] *= d.reshape[static_cast<size_t>(major) + 1];
    d.reshape.erase(d.reshape.begin() + major + 1);
    d.perm.erase(d.perm.begin() + at + 1);
    for (int32_t& p : d.perm)
      if (p > major) --p;
    return true;
  }
  return false;
}

}  // namespace

void canonicalize(DeviceList& devices) {
  if (!devices.ids.empty() || devices.reshape.empty()) return;
  while (simplify_once(devices)) {
  }
}

int64_t device_count(const DeviceList& devices) {
  if (!devices.ids.empty()) return static_cast<int64_t>(devices.ids.size());
  int64_t count = 1;
  for (int64_t d : devices.reshape) count *= d;
  return count;
}

std::vector<int64_t> materialize(const DeviceList& devices) {
  if (!devices.ids.empty()) return devices.ids;
  const size_t rank = devices.reshape.size();
  std::vector<int64_t> strides(rank, 1);
  for (size_t i = rank; i-- > 1;) strides[i - 1] = strides[i] * devices.reshape[i];
  std::vector<int64_t> ids;
  ids.reserve(static_cast<size_t>(device_count(devices)));
  std::vector<int64_t> at(rank, 0);
  const auto permuted = [&](size_t i) { return static_cast<size_t>(devices.perm[i]); };
  for (;;) {
    int64_t id = 0;
    for (size_t i = 0; i < rank; ++i) id += at[i] * strides[permuted(i)];
    ids.push_back(id);
    size_t i = rank;
    while (i > 0 && ++at[i - 1] == devices.reshape[permuted(i - 1)]) at[--i] = 0;
    if (i == 0) return ids;
  }
}

TileShardingId TileShardingTable::intern(TileSharding sharding) {
  canonicalize(sharding.devices);
  if ((all_.size() + 1) * 2 > slots_.size()) {
    slots_.assign(std::max(kFirstSlots, slots_.size() * 2), TileShardingId::kNoneRaw);
    for (uint32_t raw = 0; raw < all_.size(); ++raw) {
      size_t at = static_cast<size_t>(hashes_[raw]) & (slots_.size() - 1);
      while (slots_[at] != TileShardingId::kNoneRaw) at = (at + 1) & (slots_.size() - 1);
      slots_[at] = raw;
    }
  }
  const uint64_t hash = hash_of(sharding);
  const size_t mask = slots_.size() - 1;
  size_t slot = static_cast<size_t>(hash) & mask;
  for (; slots_[slot] != TileShardingId::kNoneRaw; slot = (slot + 1) & mask)
    if (hashes_[slots_[slot]] == hash && all_[slots_[slot]] == sharding) return TileShardingId{slots_[slot]};
  all_.push_back(std::move(sharding));
  hashes_.push_back(hash);
  slots_[slot] = static_cast<uint32_t>(all_.size() - 1);
  return TileShardingId{all_.size() - 1};
}

}  // namespace sw
