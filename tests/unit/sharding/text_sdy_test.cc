#include "sharding/text.h"
#include "support/catch.h"
#include "support/diagnostics.h"

using namespace sw;

namespace {

// Everything a parse of one text needs.
struct World {
  SourceManager sources;
  Diagnostics diagnostics;
  ShardingTable table;

  World() {
    table.add_mesh({"mesh", {{{"x", 4}, {"y", 8}, {"z", 2}}, {}}});
    table.add_mesh({"empty", {}});
    table.add_mesh({"one", {{}, {3}}});
  }
  TextCursor cursor(std::string text) {
    const FileId file = sources.add("test", std::move(text));
    return TextCursor::of_file(sources, file);
  }
  std::string told() const { return test::told(diagnostics, sources); }
};

std::string round_trip(const std::string& text) {
  World w;
  TextCursor in = w.cursor(text);
  const auto id = parse_sdy_sharding(in, w.table, w.diagnostics);
  INFO(w.told());
  REQUIRE(id);
  CHECK(in.at_end());
  return sdy_text(w.table, *id);
}

std::string sharding_error(const std::string& text) {
  World w;
  TextCursor in = w.cursor(text);
  CHECK_FALSE(parse_sdy_sharding(in, w.table, w.diagnostics));
  return w.told();
}

std::string mesh_error(const std::string& text) {
  World w;
  TextCursor in = w.cursor(text);
  CHECK_FALSE(parse_sdy_mesh(in, w.diagnostics));
  return w.told();
}

}  // namespace

TEST_CASE("sdy shardings: what is printed is what was read") {
  for (const char* text : {
           R"(<@mesh, []>)",
           R"(<@mesh, [{"x"}, {}]>)",
           R"(<@mesh, [{"x", "y":(1)2, ?}p1, {?}, {?}p0, {"y":(4)2}]>)",
           R"(<@mesh, [{}, {"z"}], replicated={"x":(1)2, "y"}>)",
           R"(<@mesh, [{}], unreduced={"x", "z"}>)",
           R"(<@mesh, [{}], replicated={"x"}, unreduced=max{"y"}>)",
           R"(<@mesh, [{}], unreduced=min{"y"}>)",
           R"(<mesh<["a"=2, "b"=2]>, [{"a"}, {"b"}]>)",
           R"(<mesh<["a"=2, "b"=2], device_ids=[0, 2, 1, 3]>, [{"a"}]>)",
           R"(<@empty, [{?}]>)",
           R"(<@one, []>)",
       })
    CHECK(round_trip(text) == text);
}

TEST_CASE("sdy shardings: other spellings of the same") {
  CHECK(round_trip("#sdy.sharding<@mesh,[{\"x\",?},{}] , unreduced = sum{\"y\"}, replicated={\"z\"}>") ==
        R"(<@mesh, [{"x", ?}, {}], replicated={"z"}, unreduced={"y"}>)");
  CHECK(round_trip("< @mesh , [ {\"x\" ?} // a comment\n ] >") == R"(<@mesh, [{"x", ?}]>)");
}

TEST_CASE("sdy shardings: errors") {
  CHECK(sharding_error(R"(<@mesh, [{"x"}, {"x"}]>)") ==
        "1:18-21 duplicate-axis: axis `x` shards two dimensions, 0 and 1\n"
        "  1:11-14 first used for dimension 0 here\n"
        "  help: drop one, or use parts of it: `\"x\":(1)2` and `\"x\":(2)2`\n");
  CHECK(sharding_error(R"(<@mesh, [{"x":(1)2}, {"x"}]>)") ==
        "1:23-26 duplicate-axis: axis `x` shards two dimensions, 0 and 1\n"
        "  1:11-19 first used for dimension 0 here\n");
  CHECK(sharding_error(R"(<@mesh, [{"x"}], replicated={"x"}>)") ==
        "1:30-33 duplicate-axis: axis `x` is used in dimension 0 and in the replicated axes\n"
        "  1:11-14 first used for dimension 0 here\n"
        "  help: drop one, or use parts of it: `\"x\":(1)2` and `\"x\":(2)2`\n");
  CHECK(sharding_error(R"(<@mesh, [{"tensor"}]>)") ==
        "1:11-19 unknown-axis: the mesh has no axis `tensor`\n"
        "  help: its axes are `x`=4, `y`=8, `z`=2\n");
  CHECK(sharding_error(R"(<@mesch, [{"x"}]>)") ==
        "1:2-8 unknown-mesh: there is no mesh named `@mesch`\n  help: did you mean `@mesh`?\n");
  CHECK(sharding_error(R"(<@mesh, [{"y":(1)3}]>)") ==
        "1:11-19 sub-axis-invalid: (1)3 does not divide axis `y` of size 8: 1 x 3 = 3\n");
  CHECK(sharding_error(R"(<@mesh, [{"y":(4)4}]>)") ==
        "1:11-19 sub-axis-invalid: (4)4 does not divide axis `y` of size 8: 4 x 4 = 16\n");
  CHECK(sharding_error(R"(<@mesh, [{"y":(1)8}]>)") ==
        "1:11-19 sub-axis-invalid: this part of axis `y` is all of it\n  help: write `\"y\"`\n");
  CHECK(sharding_error(R"(<@mesh, [{"y":(0)2}]>)") ==
        "1:11-19 sub-axis-invalid: the pre-size of a part of axis `y` is 0, expected at least 1\n");
  CHECK(sharding_error(R"(<@mesh, [{"y":(2)1}]>)") ==
        "1:11-19 sub-axis-invalid: a part of axis `y` has size 1, expected more than 1\n");
  CHECK(sharding_error(R"(<@mesh, [{"y":(1)2, "y":(2)2}]>)") ==
        "1:21-29 sub-axis-invalid: \"y\":(1)2 and \"y\":(2)2 are neighbours and together \"y\":(1)4\n"
        "  help: write `\"y\":(1)4`\n");
  CHECK(sharding_error(R"(<@mesh, [{}], replicated={"z", "x"}>)") ==
        "1:32-35 invalid-sharding: the replicated axes are not in the order of the mesh: \"x\" comes before \"z\"\n"
        "  1:27-30 after this one\n");
  CHECK(sharding_error(R"(<@mesh, [{}p1]>)") ==
        "1:10-14 invalid-sharding: a dimension that is closed and has no axes cannot have a priority\n");
  CHECK(sharding_error(R"(<@mesh, [{"x"}p01]>)") == "1:15-18 invalid-sharding: priority `p01` has leading zeros\n");
  CHECK(sharding_error(R"(<@mesh, [{"x"}p]>)") ==
        "1:15-16 invalid-sharding: `p` is not a priority, expected `p` and a number below 10^9\n");
  CHECK(sharding_error(R"(<@mesh, [{?, "x"}]>)") ==
        "1:12-13 syntax: expected `}` after `?`, which comes last, found `,`\n");
  CHECK(sharding_error(R"(<@mesh, [{"x",}]>)") == "1:15-16 syntax: expected an axis or `?` after `,`, found `}`\n");
  CHECK(sharding_error(R"(<@mesh, [{"x"})") ==
        "1:15-15 syntax: expected `]` after the dimensions of the sharding, found the end\n");
  CHECK(sharding_error(R"(<@mesh, [{"x}]>)") == "1:11-12 syntax: this string is not closed, expected `\"`\n");
  CHECK(sharding_error(R"(<@mesh, [{}], unreduced={"x"}, unreduced={"y"}>)") ==
        "1:32-41 syntax: `unreduced` is given twice\n");
  CHECK(sharding_error(R"(<@mesh, [{}], replicate={"x"}>)") ==
        "1:15-24 syntax: expected `replicated` or `unreduced`, found `replicate`\n");
}

TEST_CASE("sdy meshes") {
  for (const char* text : {R"(<["x"=2, "y"=4]>)", R"(<[]>)", R"(<[], device_ids=[3]>)",
                           R"(<["x"=2, "y"=2], device_ids=[0, 2, 1, 3]>)", R"(<["a b\22"=1]>)"}) {
    World w;
    TextCursor in = w.cursor(text);
    const auto mesh = parse_sdy_mesh(in, w.diagnostics);
    INFO(w.told());
    REQUIRE(mesh);
    CHECK(sdy_text(*mesh) == text);
  }
  CHECK(mesh_error(R"(<["x"=2, "x"=4]>)") ==
        "1:10-13 duplicate-axis: the mesh has two axes named `x`\n  1:3-6 first defined here\n");
  CHECK(mesh_error(R"(<["x"=0]>)") == "1:7-8 axis-size-invalid: axis `x` has size 0, expected at least 1\n");
  CHECK(mesh_error(R"(<["x"=-2]>)") == "1:7-9 axis-size-invalid: axis `x` has size -2, expected at least 1\n");
  CHECK(mesh_error(R"(<["x"=65536, "y"=65536]>)") ==
        "1:18-23 invalid-mesh: the mesh has too many devices with axis `y` of size 65536, expected fewer than 2^31\n");
  CHECK(mesh_error(R"(<["x"=99999999999999999999]>)") ==
        "1:7-27 bad-literal: the size of the axis does not fit in 64 bits\n");
  CHECK(mesh_error(R"(<["x"=2], device_ids=[0, 1]>)") ==
        "1:1-29 invalid-mesh: the device ids are 0, 1, 2, ... in order, expected no list\n"
        "  help: leave `device_ids` out: this is the default order\n");
  CHECK(mesh_error(R"(<["x"=2], device_ids=[1, 1]>)") ==
        "1:26-27 invalid-mesh: device id 1 is listed twice\n  1:23-24 first listed here\n");
  CHECK(mesh_error(R"(<["x"=2], device_ids=[2, 1]>)") ==
        "1:23-24 invalid-mesh: device id 2 is not below the device count 2\n");
  CHECK(mesh_error(R"(<["x"=2], device_ids=[1]>)") == "1:1-26 invalid-mesh: 1 device ids for 2 devices\n");
  CHECK(mesh_error(R"(<[], device_ids=[0, 1]>)") ==
        "1:21-22 invalid-mesh: a mesh without axes lists 2 devices, expected one\n");
}

TEST_CASE("sdy lists: per value, manual axes, collective axes, all meshes of a module") {
  World w;
  TextCursor in = w.cursor(R"(#sdy.sharding_per_value<[<@mesh, [{"x"}]>, <@mesh, []>]> rest)");
  const auto list = parse_sdy_sharding_per_value(in, w.table, w.diagnostics);
  REQUIRE(list);
  CHECK(sdy_list_text(w.table, *list) == R"([<@mesh, [{"x"}]>, <@mesh, []>])");
  CHECK(in.text.substr(in.at) == " rest");

  in = w.cursor(R"([#sdy.sharding<@mesh, [{"x"}]>, <@mesh, []>])");
  CHECK(parse_sdy_sharding_list(in, w.table, w.diagnostics).value() == *list);

  const Mesh& mesh = w.table.mesh(w.table.mesh_named("mesh")).mesh;
  in = w.cursor(R"({"z", "x"})");
  CHECK(parse_sdy_manual_axes(in, mesh, w.diagnostics).value() == AxisList{{2, 1, 2}, {0, 1, 4}});
  in = w.cursor(R"(#sdy<manual_axes{"z"}>)");
  CHECK(parse_sdy_manual_axes(in, mesh, w.diagnostics).value() == AxisList{{2, 1, 2}});
  in = w.cursor(R"([{"x", "y":(1)2}, {}])");
  const auto lists = parse_sdy_axes_per_dim(in, mesh, w.diagnostics);
  REQUIRE(lists);
  CHECK((*lists)[0] == AxisList{{0, 1, 4}, {1, 1, 2}});
  CHECK((*lists)[1].empty());

  in = w.cursor(R"({mesh = #sdy.mesh<["x"=4, "y"=8, "z"=2]>, "other" = #sdy.mesh<["a"=2]>})");
  REQUIRE(parse_sdy_meshes(in, w.table, w.diagnostics));
  CHECK(w.table.mesh(w.table.mesh_named("other")).mesh.axes[0].name == "a");
  in = w.cursor(R"({mesh = #sdy.mesh<["a"=2]>})");
  CHECK_FALSE(parse_sdy_meshes(in, w.table, w.diagnostics));
  CHECK(w.told() == "1:2-6 duplicate-symbol: mesh `mesh` is defined twice, with different contents\n");
}

TEST_CASE("sdy text inside a string literal points at the whole literal") {
  World w;
  const FileId file = w.sources.add("f", R"(a = "#sdy.sharding<@mesh, [{\22q\22}]>")");
  TextCursor in{"#sdy.sharding<@mesh, [{\"q\"}]>", 0, {file, 4, 39}};
  CHECK_FALSE(parse_sdy_sharding(in, w.table, w.diagnostics));
  CHECK(w.told() == "1:5-40 unknown-axis: the mesh has no axis `q`\n  help: its axes are `x`=4, `y`=8, `z`=2\n");
}
