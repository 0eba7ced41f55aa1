#include "sharding/tile_sharding.h"

#include "support/catch.h"

using namespace sw;

namespace {
DeviceList iota(std::initializer_list<int64_t> reshape, std::initializer_list<int32_t> perm) {
  DeviceList d;
  d.reshape.append(reshape.begin(), reshape.end());
  d.perm.append(perm.begin(), perm.end());
  return d;
}
DeviceList canonical(DeviceList d) {
  canonicalize(d);
  return d;
}
}  // namespace

TEST_CASE("device lists: canonical iota") {
  CHECK(canonical(iota({3, 4, 5}, {1, 2, 0})) == iota({3, 20}, {1, 0}));
  CHECK(canonical(iota({2, 4}, {0, 1})) == iota({8}, {0}));
  CHECK(canonical(iota({1, 2, 1, 4}, {3, 0, 1, 2})) == iota({2, 4}, {1, 0}));
  CHECK(canonical(iota({1}, {0})) == iota({1}, {0}));
  CHECK(canonical(iota({1, 1}, {1, 0})) == iota({1}, {0}));
  CHECK(canonical(iota({2, 2, 2}, {2, 1, 0})) == iota({2, 2, 2}, {2, 1, 0}));
}

TEST_CASE("device lists: canonical form keeps the contents") {
  const DeviceList lists[] = {iota({3, 4, 5}, {1, 2, 0}), iota({2, 1, 3}, {2, 1, 0}), iota({2, 2, 2, 2}, {2, 3, 0, 1}),
                              iota({4, 2, 3}, {0, 2, 1})};
  for (const DeviceList& d : lists) CHECK(materialize(canonical(d)) == materialize(d));
  CHECK(materialize(iota({2, 4}, {1, 0})) == std::vector<int64_t>{0, 4, 1, 5, 2, 6, 3, 7});
  CHECK(device_count(iota({2, 4}, {1, 0})) == 8);
}

TEST_CASE("tile table: equal assignments have equal ids") {
  TileShardingTable table;
  TileSharding a;
  a.kind = TileKind::tiled;
  a.tile = {4, 2};
  a.devices = iota({2, 2, 2}, {2, 0, 1});
  TileSharding b = a;
  b.devices = iota({4, 2}, {1, 0});
  CHECK(table.intern(a) == table.intern(b));
  b.shard_group_id = 3;
  CHECK(table.intern(a) != table.intern(b));
  CHECK(table.get(table.intern(a)).devices == iota({4, 2}, {1, 0}));
}
