// Values on the way: which are compared, in which order, and which are left out. Feeds: what goes where between steps.
#include "exec/value_check.h"

#include "exec/feeds.h"
#include "support/catch.h"
#include "support/diagnostics.h"
#include "text/hlo/reader.h"

namespace sw {
namespace {

Replicas numbers(std::initializer_list<float> list) {
  Array array = new_array(ElementType::f32, DimList{static_cast<int64_t>(list.size())});
  std::copy(list.begin(), list.end(), array.data<float>());
  return {{array}};
}

LocalProgram with_pieces(std::initializer_list<SourcePiece> pieces) {
  LocalProgram local;
  local.pieces = pieces;
  return local;
}

const ValueId kA{size_t{0}}, kB{size_t{1}}, kC{size_t{2}};
constexpr int64_t kRoom = 1 << 20;

TEST_CASE("exec: values are compared each time they are made, in the order of the partitioned program", "[exec]") {
  const TileShardingTable table;
  const LocalProgram local = with_pieces({{kA, kB, {}}, {kB, kC, {}}});
  ValueCheck check(local, table, 1e-5, kRoom);
  check.keep(kC, numbers({1, 2}));
  check.keep(kB, numbers({5}));
  check.keep(kB, numbers({7}));
  check.compare(kA, numbers({5}));
  check.compare(kB, numbers({1, 2}));
  check.compare(kA, numbers({8}));
  const ValueDifferences found = check.take();
  REQUIRE(found.values.size() == 2);
  CHECK(found.values[0].value == kB);
  CHECK(found.values[0].times == 2);
  CHECK(found.values[0].worst_time == 1);
  CHECK(found.values[0].worst.wrong == 1);
  CHECK(found.values[0].worst.expected == "7");
  CHECK(found.values[0].worst.found == "8");
  CHECK(found.values[1].value == kC);
  CHECK(found.values[1].worst.wrong == 0);
  CHECK(found.not_lined_up + found.no_room == 0);
}

TEST_CASE("exec: values that are not made equally often, or do not fit, are counted and not compared", "[exec]") {
  const TileShardingTable table;
  const LocalProgram local = with_pieces({{kA, kA, {}}, {kB, kB, {}}});
  ValueCheck check(local, table, 1e-5, 3 * static_cast<int64_t>(sizeof(float)));
  check.keep(kA, numbers({1}));
  check.keep(kB, numbers({1, 2}));
  check.keep(kB, numbers({1, 2}));  // no room: all of kB is given up
  check.keep(kA, numbers({1}));
  check.compare(kA, numbers({1}));
  const ValueDifferences found = check.take();
  CHECK(found.values.empty());
  CHECK(found.not_lined_up == 1);
  CHECK(found.no_room == 1);
}

std::string feeds_of(const std::string& head, const std::vector<std::string>& given = {}) {
  SourceManager sources;
  Diagnostics diagnostics;
  const FileId file = sources.add("m.hlo", "HloModule m" + head + R"(

ENTRY main {
  a = f32[2] parameter(0)
  b = f32[3] parameter(1)
  c = f32[2] parameter(2)
  ROOT r = (f32[2], f32[3], f32[2]) tuple(a, b, c)
}
)");
  Result<Program> program = read_hlo(file, sources, diagnostics);
  REQUIRE(program.has_value());
  std::string text;
  const std::optional<Feeds> feeds =
      given.empty() ? find_feeds(program->graph) : given_feeds(program->graph, given, &text);
  if (!feeds.has_value()) return text;
  for (const Feed& feed : feeds->list)
    text += (text.empty() ? "" : " ") + std::to_string(feed.result) + "->" + std::to_string(feed.argument);
  return text;
}

TEST_CASE("exec: results go where the module aliases them, else to the first arguments", "[exec]") {
  CHECK(feeds_of("") == "0->0 1->1 2->2");
  CHECK(feeds_of(", input_output_alias={ {2}: (0, {}, may-alias), {1}: (1, {}, must-alias) }") == "2->0 1->1");
  // What does not fit is not believed.
  CHECK(feeds_of(", input_output_alias={ {1}: (0, {}, may-alias), {0}: (2, {}) }") == "0->2");
  CHECK(feeds_of("", {"2=0", "0=2"}) == "2->0 0->2");
  CHECK(feeds_of("", {"0-2=0-2"}) == "0->0 1->1 2->2");
  CHECK(feeds_of("", {"0-2=0-1"}).starts_with("cannot read `0-2=0-1`"));
  CHECK(feeds_of("", {"0=1"}).starts_with("result 0 cannot be argument 1"));
  CHECK(feeds_of("", {"99999999999999999999=1"}).starts_with("cannot read"));
}

}  // namespace
}  // namespace sw
