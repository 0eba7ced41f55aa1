// draw/tiling.h: pieces of arrays, who holds them, what is padding.
#include "draw/tiling.h"

#include "draw/array_picture.h"
#include "sharding/text.h"
#include "sharding/tile_algebra.h"
#include "support/catch.h"

namespace {

struct Case {
  explicit Case(std::vector<sw::MeshAxis> axes) { mesh = program.shardings.add_mesh({"mesh", {std::move(axes), {}}}); }

  // Axes by dimension, as positions in the mesh.
  sw::Tiling named(std::vector<std::vector<uint32_t>> dims, const std::vector<int64_t>& extents) {
    sw::NamedShardingSpec spec;
    spec.mesh = mesh;
    for (const auto& axes : dims) {
      sw::NamedShardingSpec::Dim dim;
      for (const uint32_t a : axes)
        dim.axes.push_back({a, 1, static_cast<uint32_t>(program.shardings.mesh(mesh).mesh.axes[a].size)});
      spec.dims.push_back(dim);
    }
    return tiling_of(program, mesh, {program.shardings.intern(spec), {}}, extents);
  }
  sw::Tiling tiled(const sw::TileSharding& tile, const std::vector<int64_t>& extents) {
    return tiling_of(program, mesh, {{}, program.tile_shardings.intern(tile)}, extents);
  }

  sw::Program program;
  sw::MeshId mesh;
};

std::string text(const sw::Tiling& t, std::vector<int64_t> tile) { return t.devices_text(tile); }

}  // namespace

TEST_CASE("pieces are numbered as the mesh numbers its devices") {
  Case c({{"data", 2}, {"model", 4}});
  const sw::Tiling t = c.named({{1}, {0}}, {8, 6});
  CHECK(t.dims[0].tiles == 4);
  CHECK(t.dims[0].piece == 2);
  CHECK(t.dims[0].axes[0].name == "model");
  CHECK(t.dims[0].axes[0].axis == 1);
  CHECK(t.copies == 1);
  CHECK(text(t, {0, 1}) == "4");
  CHECK(text(t, {3, 0}) == "3");
  CHECK(dim_words(t.dims[0]) == "8 in 4 of 2 by model=4");
}

TEST_CASE("every device is on exactly one piece, whichever axes cut") {
  Case c({{"a", 2}, {"b", 3}, {"c", 4}});
  for (const auto& dims :
       std::vector<std::vector<std::vector<uint32_t>>>{{{0}, {1}}, {{2, 0}, {}}, {{}, {1}}, {{1, 2}, {0}}, {{}, {}}}) {
    const sw::Tiling t = c.named(dims, {24, 24});
    std::vector<int> seen(24, 0);
    for (int64_t i = 0; i < t.dims[0].tiles; ++i)
      for (int64_t j = 0; j < t.dims[1].tiles; ++j)
        for (int64_t k = 0; k < t.copies; ++k) ++seen[static_cast<size_t>(t.device(std::vector<int64_t>{i, j}, k))];
    CHECK(seen == std::vector<int>(24, 1));
  }
}

TEST_CASE("copies are listed shortly") {
  Case c({{"data", 4}, {"model", 8}});
  CHECK(text(c.named({{0}}, {8}), {1}) == "8–15");
  CHECK(text(c.named({{1}}, {8}), {1}) == "1, 9, 17, 25");
  Case large({{"data", 256}, {"model", 256}});
  const sw::Tiling t = large.named({{1}}, {256});
  CHECK(t.copies == 256);
  CHECK(t.copies_step(std::vector<int64_t>{0}) == 256);
  CHECK(text(t, {3}) == "3, 259 … 65283");
  CHECK(copies_words(t) == "each piece on 256 devices, along data=256");
  CHECK(text(c.named({{}}, {8}), {0}) == "0–31");
  CHECK(copies_words(c.named({{}}, {8})) == "the whole on each of 32 devices");
}

TEST_CASE("what is not filled is padding") {
  Case c({{"x", 4}});
  const sw::Tiling t = c.named({{0}}, {9});
  CHECK(t.uneven());
  CHECK(t.dims[0].piece == 3);
  CHECK(t.dims[0].filled(2) == 3);
  CHECK(t.dims[0].filled(3) == 0);
  CHECK(dim_words(t.dims[0]) == "9 in 4 of 3 by x=4, 1 is nothing but padding");
  CHECK(dim_words(c.named({{0}}, {5}).dims[0]) == "5 in 4 of 2 by x=4, tile 2 has 1, 1 is nothing but padding");
  CHECK(dim_words(c.named({{0}}, {7}).dims[0]) == "7 in 4 of 2 by x=4, the last has 1");
  CHECK(dim_words(c.named({{0}}, {0}).dims[0]) == "0 in 4 of 0 by x=4");
}

TEST_CASE("tile shardings keep their order of devices, also where no axis says it") {
  Case c({{"x", 4}});
  sw::TileSharding tile;
  tile.kind = sw::TileKind::tiled;
  tile.tile = {4};
  tile.devices.ids = {2, 3, 0, 1};
  const sw::Tiling t = c.tiled(tile, {8});
  CHECK(text(t, {0}) == "2");
  CHECK(t.dims[0].axes.empty());
  CHECK(dim_words(t.dims[0]) == "8 in 4 of 2");
  sw::TileSharding one;
  one.kind = sw::TileKind::maximal;
  one.device = 3;
  CHECK(text(c.tiled(one, {8}), {0}) == "3");
}

TEST_CASE("a flat view shows the two dimensions with most tiles, the others as panels") {
  Case c({{"a", 2}, {"b", 4}, {"c", 3}});
  const sw::Tiling t = c.named({{0}, {1}, {}, {2}}, {12, 12, 12, 12});
  const sw::FlatView view = flat_view(t);
  CHECK(view.rows == 1);
  CHECK(view.columns == 3);
  CHECK(view.panels == std::vector<int>{0});
  CHECK(view.panel_count == 2);
  CHECK(panel_tile(t, view, 1) == std::vector<int64_t>{1, 0, 0, 0});
  const sw::FlatView column = flat_view(c.named({{}, {1}}, {12, 12}));
  CHECK(column.rows == -1);
  CHECK(column.columns == 1);
  CHECK(flat_view(c.named({{1}, {}}, {12, 12})).rows == 0);
  CHECK(sw::shown_of(4, 6) == std::vector<int64_t>{0, 1, 2, 3});
  CHECK(sw::shown_of(100, 4) == std::vector<int64_t>{0, 1, -1, 99});
}
