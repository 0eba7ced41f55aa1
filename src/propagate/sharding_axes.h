// Any sharding of a plan as a list of (dimension, mesh axis): the form in which the two partitioners can be compared
// and traces be followed.
//
// Shardy's shardings are that already. A tile sharding (GSPMD) is said with the axes of the mesh where it can be; where
// it cannot, a dimension in n tiles is the axis `kWholeDimension` of size n.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "propagate/plan.h"

namespace sw {

// AxisRef::axis of a split that the mesh axes cannot name; AxisRef::size is the number of tiles.
constexpr uint32_t kWholeDimension = 0xffffffffU;

struct DimAxis {
  uint16_t dim = 0;
  AxisRef axis;
  friend bool operator==(const DimAxis&, const DimAxis&) = default;
};

class ShardingAxes {
 public:
  // The axes of every sharding that the tables of `program` hold now, in the native form of `plan`.
  ShardingAxes(const Program& program, const Plan& plan);

  // Major to minor in each dimension; empty for ids that are none, replicated or maximal.
  std::span<const DimAxis> of_sharding(uint32_t id) const;
  std::span<const DimAxis> of_value(ValueId value) const;
  std::span<const DimAxis> of_output(size_t output) const;

 private:
  void fill_named(NamedShardingId id);
  void fill_tiled(const TileSharding& tile);

  const Program& program_;
  const Plan& plan_;
  std::vector<DimAxis> pool_;
  std::vector<Slice<DimAxis>> by_id_;
};

}  // namespace sw
