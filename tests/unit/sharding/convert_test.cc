#include "sharding/convert.h"

#include "sharding/text.h"
#include "support/catch.h"
#include "support/diagnostics.h"

using namespace sw;

namespace {

struct World {
  SourceManager sources;
  Diagnostics diagnostics;
  ShardingTable table;
  TileShardingTable tiles;
  MeshId mesh;

  explicit World(Mesh m) { mesh = table.add_mesh({"mesh", std::move(m)}); }
  NamedShardingId named(const std::string& dims) {
    TextCursor in{dims, 0, {}};
    const auto id = parse_sdy_dims(in, table, mesh, diagnostics);
    INFO(dims << " " << test::told(diagnostics, sources));
    REQUIRE(id);
    return *id;
  }
  std::string tile(const std::string& dims, const AxisList& manual = {}) {
    return hlo_text(tiles, tile_from_named(table, named(dims), manual));
  }
  std::string back(const std::string& hlo, size_t rank) {
    TextCursor in{hlo, 0, {}};
    const auto id = parse_hlo_sharding(in, tiles, diagnostics);
    REQUIRE(id);
    const auto spec = named_from_tile(tiles.get(*id), table, mesh, rank);
    return spec ? sdy_text(table, *spec) : spec.error();
  }
  std::string spec(const std::string& dims) {
    const auto text = partition_spec_text(table, named(dims));
    return text ? *text : text.error();
  }
};

const Mesh k2x4{{{"x", 2}, {"y", 4}}, {}};

}  // namespace

TEST_CASE("named to tile: a mesh of 2 x 4") {
  World w(k2x4);
  CHECK(w.tile(R"([{"x"}, {"y"}])") == "{devices=[2,4]<=[8]}");
  CHECK(w.tile(R"([{"y"}, {"x"}])") == "{devices=[4,2]<=[2,4]T(1,0)}");
  CHECK(w.tile(R"([{"x"}, {}])") == "{devices=[2,1,4]<=[8] last_tile_dim_replicate}");
  CHECK(w.tile(R"([{"y"}, {}])") == "{devices=[4,1,2]<=[2,4]T(1,0) last_tile_dim_replicate}");
  CHECK(w.tile(R"([{}, {"y"}])") == "{devices=[1,4,2]<=[2,4]T(1,0) last_tile_dim_replicate}");
  CHECK(w.tile(R"([{"x", "y"}, {}])") == "{devices=[8,1]<=[8]}");
  CHECK(w.tile(R"([{"y", "x"}, {}])") == "{devices=[8,1]<=[2,4]T(1,0)}");
  CHECK(w.tile(R"([{}, {?}])") == "{replicated}");
  CHECK(w.tile(R"([])") == "{replicated}");
  CHECK(w.tile(R"([{"y":(1)2}])") == "{devices=[2,4]<=[2,2,2]T(1,0,2) last_tile_dim_replicate}");
  CHECK(w.tile(R"([{"y":(2)2}, {"x"}])") == "{devices=[2,2,2]<=[4,2]T(1,0) last_tile_dim_replicate}");
  CHECK(w.tile(R"([{}, {}], unreduced={"x", "y"})") == "{unreduced}");
  CHECK(w.tile(R"([{"x"}], unreduced=max{"y"})") ==
        "{devices=[2,4]<=[8] last_tile_dims={unreduced} metadata={op_type=\"sdy::reduction_op\" op_name=\"MAX\"}}");
  CHECK(w.tile(R"([{"x"}], replicated={"y"})") == "{devices=[2,4]<=[8] last_tile_dim_replicate}");
  CHECK(w.tile(R"([{"x"}])", AxisList{{1, 1, 4}}) == "{devices=[2,4]<=[8] last_tile_dims={manual}}");
  CHECK(w.tile(R"([{}])", AxisList{{1, 1, 4}, {0, 1, 2}}) == "{manual}");
}

TEST_CASE("named to tile: special meshes") {
  World one({{}, {3}});
  CHECK(one.tile("[]") == "{maximal device=3}");
  World empty({{}, {}});
  CHECK(empty.tile("[{}]") == "{replicated}");
  World single({{{"x", 1}}, {}});
  CHECK(single.tile(R"([{"x"}])") == "{replicated}");
  World ordered({{{"x", 2}, {"y", 2}}, {0, 2, 1, 3}});
  CHECK(ordered.tile(R"([{"x"}, {"y"}])") == "{devices=[2,2]<=[2,2]T(1,0)}");
  World odd({{{"x", 2}, {"y", 2}}, {0, 3, 1, 2}});
  CHECK(odd.tile(R"([{"x"}, {"y"}])") == "{devices=[2,2]0,3,1,2}");
  CHECK(odd.back("{devices=[2,2]0,3,1,2}", 2) == R"(<@mesh, [{"x"}, {"y"}]>)");
}

TEST_CASE("tile to named") {
  World w(k2x4);
  CHECK(w.back("{replicated}", 2) == R"(<@mesh, [{}, {}]>)");
  CHECK(w.back("{devices=[4,1,2]<=[2,4]T(1,0) last_tile_dim_replicate}", 2) == R"(<@mesh, [{"y"}, {}]>)");
  CHECK(w.back("{devices=[4,2]<=[8]}", 2) == R"(<@mesh, [{"x", "y":(1)2}, {"y":(2)2}]>)");
  CHECK(w.back("{unreduced}", 1) == R"(<@mesh, [{}], unreduced={"x", "y"}>)");
  CHECK(w.back("{devices=[8]0,1,2,3,4,5,7,6}", 1) == "its devices are in no order that the axes of the mesh can make");
  CHECK(w.back("{devices=[4]<=[4]}", 1) == "it is for 4 devices, the mesh has 8");
  CHECK(w.back("{maximal device=0}", 1) == "it puts the value on device 0 alone, which needs a maximal mesh");
  CHECK(w.back("{manual}", 1) == "it is manual");
  CHECK(w.back("{devices=[2,4]<=[8] last_tile_dims={manual}}", 1) == "some of its devices are a manual subgroup");
  World six({{{"x", 6}}, {}});
  CHECK(six.back("{devices=[2,3]<=[3,2]T(1,0)}", 2) == R"(<@mesh, [{"x":(3)2}, {"x":(1)3}]>)");
}

TEST_CASE("named to tile and back, for every sharding of two dimensions on a small mesh") {
  World w({{{"a", 2}, {"b", 6}, {"c", 4}}, {}});
  std::vector<AxisRef> parts;
  for (uint32_t axis = 0; axis < 3; ++axis) {
    const auto n = static_cast<uint32_t>(w.table.mesh(w.mesh).mesh.axes[axis].size);
    parts.push_back({axis, 1, n});
    for (uint32_t pre = 1; pre <= n; ++pre)
      for (uint32_t size = 2; size < n; ++size)
        if (n % (pre * size) == 0) parts.push_back({axis, pre, size});
  }
  size_t tried = 0;
  const auto fits = [](const AxisRef& a, const AxisRef& b) {
    return can_coexist(a, b) && !overlaps(a, b) && !can_merge(a, b);
  };
  for (const AxisRef& a : parts)
    for (const AxisRef& b : parts)
      for (const AxisRef& c : parts) {
        if (!fits(a, b) || !fits(b, c) || !fits(a, c) || !fits(b, a) || !fits(c, b) || !fits(c, a)) continue;
        NamedShardingSpec spec;
        spec.mesh = w.mesh;
        spec.dims.resize(2);
        spec.dims[0].axes = {a, b};
        spec.dims[1].axes = {c};
        spec.dims[0].closed = spec.dims[1].closed = true;
        const TileSharding tile = tile_from_named(w.table.mesh(w.mesh).mesh, spec);
        const auto back = named_from_tile(tile, w.table, w.mesh, 2);
        REQUIRE(back);
        REQUIRE(sdy_text(w.table, *back) == sdy_text(w.table, spec));
        ++tried;
      }
  CHECK(tried == 90);
}

TEST_CASE("PartitionSpecs: printing") {
  World w(k2x4);
  CHECK(w.spec(R"([{"x"}, {}])") == "P('x', None)");
  CHECK(w.spec(R"([{}, {"y", "x"}])") == "P(None, ('y', 'x'))");
  CHECK(w.spec(R"([{}, {}])") == "P()");
  CHECK(w.spec(R"([{?}, {}])") == "P(P.UNCONSTRAINED, None)");
  CHECK(w.spec(R"([{"x"}], unreduced={"y"})") == "P('x', unreduced={'y'})");
  CHECK(w.spec(R"([{"y":(1)2}])") == R"("y":(1)2 is a part of an axis, which a PartitionSpec cannot say)");
  CHECK(w.spec(R"([{"y", ?}])") == "dimension 0 has axes and is open");
  CHECK(w.spec(R"([{}], unreduced=max{"y"})") == "it is to be reduced by max, which a PartitionSpec cannot say");
}

TEST_CASE("any spelling of a sharding") {
  World w(k2x4);
  const auto any = [&](const std::string& text, size_t rank) {
    w.diagnostics = {};
    const FileId file = w.sources.add("flag", text);
    TextCursor in = TextCursor::of_file(w.sources, file);
    const auto id = parse_any_sharding(in, w.table, w.mesh, rank, w.diagnostics);
    return id ? sdy_text(w.table, *id) : test::told(w.diagnostics, w.sources);
  };
  CHECK(any("P('x', None)", 2) == R"(<@mesh, [{"x"}, {}]>)");
  CHECK(any("P('x')", 3) == R"(<@mesh, [{"x"}, {}, {}]>)");
  CHECK(any("jax.sharding.PartitionSpec((\"x\", 'y'), P.UNCONSTRAINED)", 2) == R"(<@mesh, [{"x", "y"}, {?}]>)");
  CHECK(any("P()", 0) == R"(<@mesh, []>)");
  CHECK(any("P(None, unreduced={'y', 'x'})", 1) == R"(<@mesh, [{}], unreduced={"x", "y"}>)");
  CHECK(any(R"([{"x"}, {?}])", 2) == R"(<@mesh, [{"x"}, {?}]>)");
  CHECK(any(R"(<@mesh, [{"x"}, {?}]>)", 2) == R"(<@mesh, [{"x"}, {?}]>)");
  CHECK(any("{devices=[2,4]<=[8]}", 2) == R"(<@mesh, [{"x"}, {"y"}]>)");
  CHECK(any("{replicated}", 2) == R"(<@mesh, [{}, {}]>)");
  CHECK(any("P('x', 'x')", 2).substr(0, 71) ==
        "1:8-11 duplicate-axis: axis `x` shards two dimensions, 0 and 1\n  1:3-6 ");
  CHECK(any("P('z')", 2) == "1:3-6 unknown-axis: the mesh has no axis `z`\n  help: its axes are `x`=2, `y`=4\n");
  CHECK(any("P('x', None, None)", 2) == "1:1-19 sharding-rank: the spec has 3 entries, the value has 2 dimensions\n");
  CHECK(any(R"([{"x"}])", 2) == "1:1-8 sharding-rank: the sharding has 1 dimension, the value has 2\n");
  CHECK(any("P('x') and more", 1) == "1:8-11 syntax: expected nothing after the sharding, found `and`\n");
  CHECK(any("Q('x')", 1) == "1:1-2 syntax: expected `P(` or `PartitionSpec(`, found `Q`\n");
  CHECK(any("{devices=[3]<=[3]}", 1) ==
        "1:1-19 not-expressible: this sharding has no equal on mesh <[\"x\"=2, \"y\"=4]>: it is for 3 devices, the "
        "mesh has 8\n");
  CHECK(any("", 1).substr(0, 10) == "1:1-1 synt");
}
