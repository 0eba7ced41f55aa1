#include "sharding/text.h"
#include "support/catch.h"
#include "support/diagnostics.h"

using namespace sw;

namespace {

std::string read_back(const std::string& text) {
  SourceManager sources;
  Diagnostics diagnostics;
  TileShardingTable table;
  const FileId file = sources.add("test", text);
  TextCursor in = TextCursor::of_file(sources, file);
  const auto id = parse_hlo_sharding(in, table, diagnostics);
  if (!id) return test::told(diagnostics, sources);
  CHECK(in.at_end());
  return hlo_text(table, *id);
}

}  // namespace

TEST_CASE("HLO shardings: what is printed is what was read") {
  for (const char* text : {
           "{replicated}",
           "{manual}",
           "{unknown}",
           "{unreduced}",
           "{maximal device=3}",
           "{devices=[2,4]<=[8]}",
           "{devices=[4,2]<=[2,4]T(1,0)}",
           "{devices=[1,4,2]<=[2,4]T(1,0) last_tile_dim_replicate}",
           "{devices=[2,4]<=[8] last_tile_dims={manual, replicated}}",
           "{devices=[1,2,4]<=[4,2]T(1,0) last_tile_dims={manual}}",
           "{devices=[2,2]0,1,3,2}",
           "{devices=[2,2]<=[4] shard_as 7}",
           "{unknown shard_like 0}",
           "{}",
           "{{replicated}, {devices=[2]<=[2]}}",
           "{{replicated}, {manual}, {manual}, {manual}, {manual}, /*index=5*/{replicated}}",
           "{mesh['x'=2,'y'=4], [{'x'}, {'y':(1)2, ?}], replicated={'y':(2)2}}",
           "{mesh['x'=2,'y'=4], manual}",
           "{mesh['x'=2,'y'=2], device_ids=([2,2]T(1,0)), [{'x'}]}",
           "{maximal_mesh[device_id=5]}",
           "{unreduced metadata={op_type=\"sdy::reduction_op\" op_name=\"MAX\"}}",
       })
    CHECK(read_back(text) == text);
}

TEST_CASE("HLO shardings: the normal form is that of XLA") {
  CHECK(read_back("{devices=[2,4]<=[2,4]T(0,1)}") == "{devices=[2,4]<=[8]}");
  CHECK(read_back("{devices=[2,2]0,1,2,3}") == "{devices=[2,2]<=[4]}");
  CHECK(read_back("{devices=[2,2]0,2,1,3}") == "{devices=[2,2]<=[2,2]T(1,0)}");
  CHECK(read_back("{devices=[1,1,8]<=[8] last_tile_dim_replicate}") == "{replicated}");
  CHECK(read_back("{devices=[8]<=[8] last_tile_dims={manual}}") == "{manual}");
  CHECK(read_back("{devices=[2,4,1]<=[8] last_tile_dim_replicate}") == "{devices=[2,4]<=[8]}");
  // Devices are sorted inside each replication group.
  CHECK(read_back("{devices=[2,4]<=[2,2,2]T(0,2,1) last_tile_dim_replicate}") ==
        "{devices=[2,4]<=[8] last_tile_dim_replicate}");
  CHECK(read_back("{devices=[2,2]3,1,2,0 last_tile_dim_replicate}") ==
        "{devices=[2,2]1,3,0,2 last_tile_dim_replicate}");
  CHECK(read_back("{devices=[2,2,2]<=[8] last_tile_dims={replicated, manual}}") ==
        "{devices=[2,2,2]<=[2,2,2]T(0,2,1) last_tile_dims={manual, replicated}}");
  CHECK(read_back("{devices=[2,2,2]<=[8] last_tile_dims={replicated, replicated}}") ==
        "{devices=[2,4]<=[8] last_tile_dim_replicate}");
  CHECK(read_back("{devices=[1,1]<=[1]}") == "{replicated}");
  CHECK(read_back("{ replicated metadata={{op_name=\"a}\" source_line=3}} }") == "{replicated}");
}

TEST_CASE("HLO shardings: errors") {
  CHECK(read_back("{devices=[2,4]<=[4]}") == "1:10-20 invalid-sharding: the tile grid has 8 tiles for 4 devices\n");
  CHECK(read_back("{devices=[2,2]0,1,1,3}") == "1:15-22 invalid-sharding: device 1 is listed twice\n");
  CHECK(read_back("{devices=[1]0}") ==
        "1:10-14 invalid-sharding: a tile grid lists one device, expected `maximal device=` for that\n");
  CHECK(read_back("{devices=[2,2]<=[2,2]T(0,0)}") == "1:23-27 invalid-sharding: expected a permutation of 0 to 1\n");
  CHECK(read_back("{devices=[2,2]<=[2,2]}") == "1:22-23 syntax: expected `T(` and a permutation, found `}`\n");
  CHECK(read_back("{devices=[2,0]<=[8]}") ==
        "1:13-14 invalid-sharding: the tile grid has an extent of 0, expected at least 1\n");
  CHECK(read_back("{devices=[99999999,99999999]<=[8]}") ==
        "1:20-28 invalid-sharding: the tile grid has 2^31 devices or more\n");
  CHECK(read_back("{devices=[999999,3]<=[3,999999]T(1,0)}") == "{devices=[999999,3]<=[3,999999]T(1,0)}");
  CHECK(read_back("{devices=[1234567,7]<=[7,2,617283]}").find("syntax") != std::string::npos);
  CHECK(read_back("{maximal}") ==
        "1:2-10 invalid-sharding: `maximal` has no device, expected `device=` and its number\n");
  CHECK(read_back("{replicated devices=[2]<=[2]}") ==
        "1:2-30 invalid-sharding: a sharding in one word has devices, expected none\n");
  CHECK(read_back("{replicate}") ==
        "1:2-11 syntax: expected a word of a sharding, such as `replicated` or `devices=`, found `replicate`\n");
  CHECK(read_back("{last_tile_dim_replicate}") ==
        "1:2-26 invalid-sharding: the sharding has no `devices=` and no word such as `replicated`\n");
  CHECK(read_back("{{replicated}, manual}") ==
        "1:16-22 syntax: expected `{` before the next sharding of the tuple, found `manual`\n");
  CHECK(read_back("{replicated metadata={") == "1:22-23 syntax: this `{` of the metadata is not closed\n");
  CHECK(read_back("{mesh['x'=2], [{'q'}]}") ==
        "1:17-20 unknown-axis: the mesh has no axis `q`\n  help: its axes are `x`=2\n");
  CHECK(read_back("{devices=[2,2]<=[4] last_tile_dims={manuel}}") ==
        "1:37-43 syntax: expected `manual`, `replicated`, `unreduced` or `maximal`, found `manuel`\n");
  CHECK(read_back("") == "1:1-1 syntax: expected `{` at the start of a sharding, found the end\n");
}
