#include "sharding/named_sharding.h"

#include "support/catch.h"

using namespace sw;

TEST_CASE("sharding table: equal contents have equal ids") {
  ShardingTable table;
  const MeshId mesh = table.add_mesh({"mesh", {{{"x", 4}, {"y", 2}}, {}}});
  NamedShardingSpec spec;
  spec.mesh = mesh;
  spec.dims.resize(2);
  spec.dims[0].axes.push_back({0, 1, 4});
  const NamedShardingId a = table.intern(spec);
  CHECK(table.intern(spec) == a);
  CHECK(table.spec(a) == spec);
  CHECK(table.get(a).axes(0)[0] == AxisRef{0, 1, 4});
  CHECK(table.get(a).axes(1).empty());
  CHECK_FALSE(table.get(a).fully_replicated());

  NamedShardingSpec other = spec;
  other.dims[0].closed = true;
  CHECK(table.intern(other) != a);
  other = spec;
  other.dims[1].priority = 0;
  CHECK(table.intern(other) != a);
  other = spec;
  other.replicated.push_back({1, 1, 2});
  const NamedShardingId replicated = table.intern(other);
  CHECK(replicated != a);
  std::swap(other.replicated, other.unreduced);
  const NamedShardingId sum = table.intern(other);
  CHECK(sum != replicated);
  other.reduction = ReductionOp::max;
  CHECK(table.intern(other) != sum);
  CHECK(table.spec(table.intern(other)) == other);
}

TEST_CASE("sharding table: the reduction op counts only beside unreduced axes") {
  ShardingTable table;
  NamedShardingSpec spec;
  spec.mesh = table.add_mesh({"mesh", {{{"x", 4}}, {}}});
  const NamedShardingId sum = table.intern(spec);
  spec.reduction = ReductionOp::max;
  CHECK(table.intern(spec) == sum);
}

TEST_CASE("sharding table: open, closed, meshes") {
  ShardingTable table;
  const MeshId mesh = table.add_mesh({"mesh", {{{"x", 4}}, {}}});
  const MeshId in_place = table.inline_mesh({{{"x", 4}}, {}});
  CHECK(in_place != mesh);
  CHECK(table.inline_mesh({{{"x", 4}}, {}}) == in_place);
  CHECK(table.mesh_named("mesh") == mesh);
  CHECK_FALSE(table.mesh_named("").valid());
  CHECK_FALSE(table.mesh_named("mesh_0").valid());
  CHECK(table.fully_open(mesh, 2) != table.fully_closed(mesh, 2));
  CHECK(table.fully_open(mesh, 2) != table.fully_open(in_place, 2));
  CHECK(table.fully_open(mesh, 0) == table.fully_closed(mesh, 0));
  CHECK(table.get(table.fully_open(mesh, 3)).fully_replicated());
}

TEST_CASE("sharding table: many shardings stay apart and are found again") {
  ShardingTable table;
  const MeshId mesh = table.add_mesh({"mesh", {{{"x", 1 << 10}, {"y", 1 << 10}}, {}}});
  std::vector<NamedShardingId> ids;
  const auto spec_of = [&](uint32_t i) {
    NamedShardingSpec spec;
    spec.mesh = mesh;
    spec.dims.resize(i % 5 + 1);
    spec.dims[i % spec.dims.size()].axes.push_back({i % 2, 1U << (i % 7), 1U << (i % 3 + 1)});
    spec.dims.back().priority = static_cast<int32_t>(i / 210);
    return spec;
  };
  for (uint32_t i = 0; i < 5000; ++i) ids.push_back(table.intern(spec_of(i)));
  for (uint32_t i = 0; i < 5000; ++i) {
    REQUIRE(table.intern(spec_of(i)) == ids[i]);
    REQUIRE(table.spec(ids[i]) == spec_of(i));
  }
  CHECK(table.count() == 5000);
}
