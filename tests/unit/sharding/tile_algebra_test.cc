// Answers are XLA's (hlo_sharding_util_test.cc gives many of the cases, recorded modules the others).
#include "sharding/tile_algebra.h"

#include "sharding/text.h"
#include "support/catch.h"
#include "support/diagnostics.h"

using namespace sw;

namespace {

TileSharding tile(const std::string& text) {
  SourceManager sources;
  Diagnostics diagnostics;
  TileShardingTable table;
  TextCursor in = TextCursor::of_file(sources, sources.add("test", text));
  const auto id = parse_hlo_sharding(in, table, diagnostics);
  INFO(test::told(diagnostics, sources));
  REQUIRE(id.has_value());
  return canonical(table.get(*id));
}

std::string text(const TileSharding& s) { return hlo_text(TileShardingTable{}, s); }
std::string text(const std::optional<TileSharding>& s) { return s ? text(*s) : "none"; }

std::string merged(const std::string& other, const std::string& into) {
  TileSharding out = tile(into);
  return merge_if_compatible(tile(other), out) ? text(out) : "no";
}

std::vector<int64_t> shape(std::initializer_list<int64_t> dims) { return dims; }

}  // namespace

TEST_CASE("tile grids: an iota stays one through reshape and transpose") {
  const int64_t perm[] = {1, 0};
  const TileGrid grid = transposed(identity_grid(shape({2, 4})), perm);
  CHECK(grid.is_iota());
  CHECK(device_ids(grid) == std::vector<int64_t>{0, 4, 1, 5, 2, 6, 3, 7});
  const TileGrid again = transposed(reshaped(grid, shape({2, 2, 2})), std::vector<int64_t>{2, 0, 1});
  CHECK(again.is_iota());
  CHECK(same_grid(again, identity_grid(shape({2, 2, 2}))));
}

TEST_CASE("tile grids: transposing agrees with the written-out list for every permutation") {
  const TileGrid starts[] = {identity_grid(shape({2, 3, 4})),
                             iota_grid(shape({4, 3, 2}), shape({6, 4}), std::vector<int32_t>{1, 0}),
                             iota_grid(shape({2, 3, 4}), shape({2, 2, 6}), std::vector<int32_t>{2, 0, 1})};
  for (const TileGrid& start : starts) {
    std::vector<int64_t> perm{0, 1, 2};
    do {
      const TileGrid list = list_grid(start.dims, device_ids(start));
      CHECK(same_grid(transposed(start, perm), transposed(list, perm)));
    } while (std::next_permutation(perm.begin(), perm.end()));
  }
}

TEST_CASE("tile grids: what no regrouping explains is written out") {
  // [2,3]<=[2,3]T(1,0): neither dimension is a whole part.
  const TileGrid grid = iota_grid(shape({2, 3}), shape({2, 3}), std::vector<int32_t>{1, 0});
  const TileGrid turned = transposed(grid, std::vector<int64_t>{1, 0});
  CHECK_FALSE(turned.is_iota());
  CHECK(device_ids(turned) == std::vector<int64_t>{0, 4, 3, 2, 1, 5});
}

TEST_CASE("replicating dimensions") {
  const TileSharding s = tile("{devices=[2,4]<=[8]}");
  CHECK(text(replicate_dims(s, shape({1}))) == "{devices=[2,1,4]<=[8] last_tile_dim_replicate}");
  CHECK(text(replicate_dims(s, shape({0}))) == "{devices=[1,4,2]<=[2,4]T(1,0) last_tile_dim_replicate}");
  CHECK(text(replicate_dims(s, shape({0, 1}))) == "{replicated}");
  CHECK(text(replicate_dims(s, {})) == "{devices=[2,4]<=[8]}");
  const TileSharding manual = tile("{devices=[2,2,2]<=[8] last_tile_dims={manual}}");
  CHECK(text(replicate_dims(manual, shape({0}))) ==
        "{devices=[1,2,2,2]<=[2,4]T(1,0) last_tile_dims={manual, replicated}}");
}

TEST_CASE("mapping and transferring dimensions") {
  const TileSharding s = tile("{devices=[2,1,4]<=[8]}");
  CHECK(text(map_dims(s, shape({1, -1, 0}), shape({2, 0}))) == "{devices=[4,2]<=[2,4]T(1,0)}");
  CHECK(text(map_dims(s, shape({0, 1, -1}), shape({0, 1}))) == "none");
  CHECK(text(transfer_dims(s, shape({2}), shape({0}), 2)) == "{devices=[4,1,2]<=[2,4]T(1,0) last_tile_dim_replicate}");
  CHECK(text(remove_dims(s, shape({1}))) == "{devices=[2,4]<=[8]}");
  CHECK(text(transpose_sharding(s, shape({2, 1, 0}))) == "{devices=[4,1,2]<=[2,4]T(1,0)}");
  CHECK(text(reverse_sharding(tile("{devices=[2,4]<=[8]}"), shape({0}))) == "{devices=[2,4]4,5,6,7,0,1,2,3}");
  CHECK(text(move_tiles(tile("{devices=[2,4]<=[8]}"), 1, 0)) == "{devices=[8,1]<=[8]}");
  CHECK(text(move_tiles(tile("{devices=[2,4]<=[8]}"), 0, 1)) == "{devices=[1,8]<=[2,4]T(1,0)}");
}

TEST_CASE("reshapes") {
  const auto through = [](std::initializer_list<int64_t> from, std::initializer_list<int64_t> to, const char* s) {
    return text(through_reshape(shape(from), shape(to), tile(s)));
  };
  CHECK(through({64, 32}, {2048}, "{devices=[2,4]<=[8]}") == "{devices=[2,4]<=[8] last_tile_dim_replicate}");
  CHECK(through({8, 8, 32}, {64, 32}, "{devices=[1,2,4]<=[8]}") ==
        "{devices=[1,4,2]<=[2,4]T(1,0) last_tile_dim_replicate}");
  CHECK(through({6, 8}, {12, 4}, "{devices=[2,4]<=[8]}") == "{devices=[2,1,4]<=[8] last_tile_dim_replicate}");
  CHECK(through({64}, {8, 8}, "{devices=[8]<=[8]}") == "{devices=[8,1]<=[8]}");
  CHECK(through({64}, {4, 16}, "{devices=[8]<=[8]}") == "{devices=[4,2]<=[8]}");
  CHECK(through({8, 8}, {64}, "{devices=[1,8]<=[8]}") == "{replicated}");
  CHECK(through({6, 4}, {4, 6}, "{devices=[6,1]<=[6]}") == "{devices=[2,1,3]<=[6] last_tile_dim_replicate}");
  CHECK(through({64, 1}, {64}, "{devices=[2,4]<=[8]}") == "{devices=[2,4]<=[8] last_tile_dim_replicate}");
  CHECK(through({64, 32}, {8, 8, 32}, "{devices=[2,1,4]<=[8] last_tile_dims={manual}}") ==
        "{devices=[2,1,1,4]<=[8] last_tile_dims={manual}}");
  CHECK(text(reshape_tiles(shape({10}), shape({5, 2}), tile("{devices=[4]<=[4]}"))) == "none");
}

TEST_CASE("merging partial tilings") {
  CHECK(merged("{devices=[2,1,4]<=[8] last_tile_dim_replicate}",
               "{devices=[1,4,2]<=[2,4]T(1,0) last_tile_dim_replicate}") == "{devices=[2,4]<=[8]}");
  CHECK(merged("{devices=[2,1,4]<=[8] last_tile_dim_replicate}", "{devices=[1,4,2]<=[8] last_tile_dim_replicate}") ==
        "no");
  CHECK(merged("{devices=[2,1,4]<=[8] last_tile_dim_replicate}", "{replicated}") ==
        "{devices=[2,1,4]<=[8] last_tile_dim_replicate}");
  CHECK(merged("{replicated}", "{devices=[2,1,4]<=[8] last_tile_dim_replicate}") == "no");
  CHECK(merged("{devices=[2,1,4]<=[8] last_tile_dim_replicate}", "{devices=[4,1,2]<=[8] last_tile_dim_replicate}") ==
        "no");
  CHECK(merged("{devices=[2,1,4]<=[8] last_tile_dim_replicate}",
               "{devices=[1,2,4]<=[2,2,2]T(1,0,2) last_tile_dim_replicate}") ==
        "{devices=[2,2,2]<=[8] last_tile_dim_replicate}");
  CHECK(merged("{devices=[1,2,2,2]<=[8] last_tile_dims={manual, replicated}}",
               "{devices=[2,1,2,2]<=[2,2,2]T(2,1,0) last_tile_dims={manual, replicated}}") ==
        "{devices=[2,2,2]<=[4,2]T(1,0) last_tile_dims={manual}}");
  // No way of splitting explains the order of the list: device by device.
  CHECK(merged("{devices=[2,1,2]0,1,2,3 last_tile_dim_replicate}",
               "{devices=[1,2,2]0,3,1,2 last_tile_dim_replicate}") == "{devices=[2,2]0,1,3,2}");
}

TEST_CASE("what says more") {
  const TileSharding two = tile("{devices=[2,1,4]<=[8] last_tile_dim_replicate}"), eight = tile("{devices=[2,4]<=[8]}");
  CHECK(more_specific(eight, two));
  CHECK_FALSE(more_specific(two, eight));
  CHECK(more_specific(two, replicated_sharding()));
  CHECK(more_specific(manual_sharding(), replicated_sharding()));
  CHECK_FALSE(more_specific(manual_sharding(), two));
  CHECK(more_specific(tile("{maximal device=0}"), replicated_sharding()));
  CHECK_FALSE(more_specific(replicated_sharding(), tile("{maximal device=0}")));
}

TEST_CASE("sub-tilings") {
  const auto sub = [](std::initializer_list<int64_t> dims, const char* a, const char* b) {
    return is_sub_tiling(shape(dims), tile(a), tile(b));
  };
  CHECK(sub({64, 32}, "{devices=[2,4]<=[8]}", "{devices=[2,1,4]<=[8] last_tile_dim_replicate}"));
  CHECK_FALSE(sub({64, 32}, "{devices=[2,4]<=[2,4]T(1,0)}", "{devices=[2,1,4]<=[8] last_tile_dim_replicate}"));
  CHECK(sub({64, 32}, "{devices=[2,4]<=[8]}", "{replicated}"));
  CHECK_FALSE(sub({64, 32}, "{replicated}", "{devices=[2,4]<=[8]}"));
  CHECK(sub({64, 32}, "{devices=[8,1]<=[8]}", "{devices=[4,1,2]<=[8] last_tile_dim_replicate}"));
  CHECK_FALSE(sub({64, 32}, "{devices=[8,1]<=[2,4]T(1,0)}", "{devices=[4,1,2]<=[8] last_tile_dim_replicate}"));
  // Uneven: all data lies in the first tile, so the other devices do not matter.
  CHECK(sub({1, 1}, "{devices=[4,1]<=[4]}", "{devices=[2,1,2]<=[4] last_tile_dim_replicate}"));
}

TEST_CASE("what an offer makes of a value") {
  const auto offer = [](const char* from, const char* current, bool combine, bool aggressive) {
    const TileSharding now = tile(current);
    return text(improved_sharding(tile(from), &now, shape({64, 64}), true, combine, aggressive));
  };
  const char *rows = "{devices=[2,1,4]<=[8] last_tile_dim_replicate}",
             *columns = "{devices=[1,4,2]<=[2,4]T(1,0) last_tile_dim_replicate}";
  CHECK(offer(rows, "{replicated}", false, false) == rows);
  CHECK(offer("{replicated}", rows, true, true) == "none");
  CHECK(offer(columns, rows, true, false) == "{devices=[2,4]<=[8]}");
  CHECK(offer(columns, rows, false, false) == "none");
  CHECK(offer(columns, rows, false, true) == columns);
  CHECK(offer("{devices=[2,4]<=[8]}", rows, false, false) == "{devices=[2,4]<=[8]}");
  CHECK(text(improved_sharding(replicated_sharding(), nullptr, shape({64}), true, true, false)) == "{replicated}");
}

TEST_CASE("grouping and ungrouping give back what was there") {
  for (const char* s : {"{devices=[2,4]<=[8]}", "{devices=[2,2,2]<=[2,2,2]T(2,0,1) last_tile_dim_replicate}",
                        "{devices=[4,2]0,3,1,2,7,5,6,4}"}) {
    for (const auto& dims : {shape({0}), shape({1}), shape({0, 1}), shape({1, 0})}) {
      CHECK(same_sharding(ungroup(group_on_dims(tile(s), dims)), tile(s)));
    }
  }
  const TileSharding manual = tile("{devices=[2,2,2]<=[8] last_tile_dims={manual, replicated}}");
  CHECK(same_sharding(ungroup(group_on_dims(manual, shape({1}), true)), manual));
  const GroupedSharding rows = group_on_dims(tile("{devices=[2,4]<=[8]}"), shape({0}));
  CHECK(text(rows.inner) == "{devices=[1,4]<=[4]}");
  CHECK(device_ids(rows.device_groups) == std::vector<int64_t>{0, 1, 2, 3, 4, 5, 6, 7});
}
