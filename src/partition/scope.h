// Where partitioning happens: on all devices, or inside groups of them. When some dimensions of an op are already
// sharded as wanted, the devices are grouped by their tiles along these dimensions, and what is left is partitioned
// inside each group as if there were no others; a collective emitted there runs in every group at once.
//
// Worked example: 8 devices as [2,4], grouped on dimension 0: groups {0,1,2,3} {4,5,6,7}, numbered 0..3 inside. An
// all-gather over all four in-group devices becomes replica groups {{0,1,2,3},{4,5,6,7}}.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ops/dims_window.h"
#include "partition/emitter.h"
#include "sharding/tile_grid.h"

namespace sw {

// Groups of devices: a grid of dims [groups, devices in a group], kept as an iota while it is one.
using DeviceGroups = TileGrid;
inline int64_t group_count(const DeviceGroups& groups) { return groups.dims[0]; }
inline int64_t group_size(const DeviceGroups& groups) { return groups.dims[1]; }

struct Scope;

// A value of the local program: the piece that one device holds of a (possibly imaginary) full array.
struct ShardedValue {
  ValueId value;            // invalid: none
  TypeId full;              // type of the full array inside `scope` (the base shape)
  TileShardingId sharding;  // over the devices of `scope`
  Scope* scope = nullptr;
  bool valid() const { return value.valid(); }
};

// What each device needs to compute its part of a windowed op.
struct WindowedInput {
  ValueId value;
  WindowDims window;                    // window of the op on the device
  std::vector<ValueId> output_offsets;  // dynamic-slice starts on the op's local result; empty: none needed
};

struct Scope {
  Scope* outer = nullptr;    // null: all devices
  DeviceGroups groups;       // in the numbering of `outer`; unused when outer is null
  int64_t device_count = 1;  // devices inside the scope (in one group)
  ValueId partition_id;      // scalar u32: number of this device inside its group

  // What a value has already been resharded to: the same consumer need is met once. `full` is the array that it was
  // then the piece of, `padding` what it was padded with; both may be others next time.
  struct CachedWindow {
    TypeId full;
    ValueId padding;
    TileShardingId target;
    WindowDims window;
    WindowedInput result;
  };
  struct CacheEntry {
    std::vector<std::pair<TileShardingId, ShardedValue>> resharded;
    std::vector<CachedWindow> windowed;
  };
  std::unordered_map<uint32_t, CacheEntry> cache;  // by ValueId
  std::vector<std::unique_ptr<Scope>> inner;       // scopes made inside this one
};

// The number of this device along dimension `dim` of `grid`; `device` is a scalar u32 holding its number. Result: s32
// scalar. Integer arithmetic when the grid is an iota, a table otherwise: an iota costs the same for 8 devices and for
// 65,536.
ValueId emit_grid_coordinate(Emitter& emit, const TileGrid& grid, ValueId device, size_t dim);

// `groups` of the numbering inside `scope`, run in every group of every enclosing scope, in global device numbers. An
// empty `groups` (no dims) means all devices of the scope.
DeviceGroups expand_groups(const Scope& scope, DeviceGroups groups);
// The same for source-target pairs.
std::vector<std::pair<int64_t, int64_t>> expand_pairs(const Scope& scope,
                                                      std::vector<std::pair<int64_t, int64_t>> pairs);

}  // namespace sw
