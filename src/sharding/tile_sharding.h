// GSPMD's native sharding, HLO's `sharding={...}`: a grid of tiles and a list of devices, or replicated, maximal,
// manual, unknown, or a tuple of those. Interned by value; the device list is kept as an iota (`<=[8]`,
// `<=[2,4]T(1,0)`) whenever it is one, so that a mesh of 65,536 devices costs as much as one of 8.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "base/small_vector.h"
#include "sharding/reduction_op.h"

namespace sw {

enum class TileKind : uint8_t { replicated, maximal, manual, unknown, unreduced, tiled, tuple };
// What a trailing subgroup dimension of the tile grid means (last_tile_dims={manual, replicated}).
enum class Subgroup : uint8_t { replicated, manual, unreduced, maximal };

// Devices in row-major order of the tile grid. Iota form: reshape 0..n-1 to `reshape`, transpose by `perm`, flatten.
// Explicit form: `ids` not empty.
struct DeviceList {
  SmallVector<int64_t, 4> reshape;
  SmallVector<int32_t, 4> perm;
  std::vector<int64_t> ids;
  friend bool operator==(const DeviceList&, const DeviceList&) = default;
};

// Brings an iota to its canonical form: no reshape extents of 1 (a single one stays), no neighbours that stay
// neighbours: [3,4,5]T(1,2,0) -> [3,20]T(1,0). An explicit list is left alone.
void canonicalize(DeviceList& devices);
int64_t device_count(const DeviceList& devices);
// The ids written out. Work per device: only for what cannot be said as an iota, and for tests.
std::vector<int64_t> materialize(const DeviceList& devices);

struct TileSharding {
  TileKind kind = TileKind::replicated;
  SmallVector<int64_t, 6> tile;        // tiles per dimension, then the sizes of the subgroup dimensions
  SmallVector<Subgroup, 2> subgroups;  // kinds of the trailing dimensions
  DeviceList devices;
  int64_t device = 0;                    // maximal
  std::vector<TileShardingId> elements;  // tuple
  int32_t shard_group_id = -1;           // shard_as / shard_like groups
  bool shard_group_is_as = false;
  ReductionOp reduction = ReductionOp::sum;  // of unreduced parts; in text it hides in metadata
  std::string named_text;  // as spelled in form V3 (`{mesh['x'=2], [{'x'}]}`), only for printing; otherwise empty
  friend bool operator==(const TileSharding&, const TileSharding&) = default;
  size_t data_rank() const { return tile.size() - subgroups.size(); }
};

class TileShardingTable {
 public:
  TileShardingId intern(TileSharding sharding);
  const TileSharding& get(TileShardingId id) const { return all_[id.index()]; }
  size_t count() const { return all_.size(); }

 private:
  std::vector<TileSharding> all_;
  std::vector<uint64_t> hashes_;
  std::vector<uint32_t> slots_;
};

}  // namespace sw
