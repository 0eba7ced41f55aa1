// Other orders than the partitioners' own: they change an answer only where two shardings compete for a value.
#include "propagate/visit_order.h"

#include "propagate/gspmd/propagate.h"
#include "sharding/convert.h"
#include "support/gspmd.h"
#include "support/shardy_plan.h"

using namespace sw;

namespace {

// %0, %1 and %2 lie between an annotation that cuts dimension 0 and one that cuts dimension 1.
constexpr const char* kBetween = R"(sdy.mesh @mesh = <["a"=2]>
func.func @main(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"a"}]>}) {
  %0 = stablehlo.negate %arg0 : tensor<8x8xf32>
  %1 = stablehlo.tanh %0 : tensor<8x8xf32>
  %2 = stablehlo.abs %1 : tensor<8x8xf32>
  return %2 : tensor<8x8xf32>
}
)";
constexpr const char* kDim0 = R"([{"a"}, {}])";
constexpr const char* kDim1 = R"([{}, {"a"}])";

ShardyOptions shardy(VisitOrder order) {
  ShardyOptions options;
  options.order = order;
  return options;
}

// The tile assignment of %0, %1 and %2.
std::string gspmd(const GspmdOptions& options) {
  SourceManager sources;
  Diagnostics diagnostics;
  Result<Program> program = read_mlir(sources.add("test.mlir", std::string(kBetween)), sources, diagnostics);
  REQUIRE(program);
  const Result<Plan> plan = propagate_gspmd(*program, {}, options, diagnostics);
  REQUIRE(plan);
  std::string out;
  for (size_t i = 0; i < program->graph.value_count(); ++i)
    if (program->graph.value(ValueId{i}).def.valid()) out += hlo_text(program->tile_shardings, plan->tiled[i]) + " ";
  return out;
}
constexpr const char* kTiles0 = "{devices=[2,1]<=[2]} ";
constexpr const char* kTiles1 = "{devices=[1,2]<=[2]} ";

}  // namespace

TEST_CASE("visit orders: Shardy goes from the top, others need not") {
  const test::Planned own(kBetween);
  CHECK(own.of("%0") == kDim0);
  CHECK(own.of("%1") == kDim0);
  const test::Planned reversed(kBetween, shardy({VisitOrder::Kind::reversed, 0}));
  CHECK(reversed.of("%0") == kDim1);
  CHECK(reversed.of("%1") == kDim1);
  const test::Planned backward(kBetween, shardy({VisitOrder::Kind::backward_first, 0}));
  CHECK(backward.of("%0") == kDim1);
  CHECK(backward.of("%1") == kDim1);
}

TEST_CASE("visit orders: XLA asks the operands first, others need not") {
  const std::string all0 = std::string(kTiles0) + kTiles0 + kTiles0;
  const std::string all1 = std::string(kTiles1) + kTiles1 + kTiles1;
  CHECK(gspmd({}) == all0);
  CHECK(gspmd({.order = {VisitOrder::Kind::backward_first, 0}}) == all1);
  CHECK(gspmd({.order = {VisitOrder::Kind::reversed, 0}}) != all0);
}

TEST_CASE("visit orders: a seed means one order, and seeds differ") {
  bool shardy_differs = false, gspmd_differs = false;
  const test::Planned own(kBetween);
  for (uint64_t seed = 1; seed <= 8; ++seed) {
    const VisitOrder order{VisitOrder::Kind::seeded, seed};
    const test::Planned once(kBetween, shardy(order)), twice(kBetween, shardy(order));
    CHECK(once.of("%1") == twice.of("%1"));
    shardy_differs = shardy_differs || once.of("%1") != own.of("%1");
    CHECK(gspmd({.order = order}) == gspmd({.order = order}));
    gspmd_differs = gspmd_differs || gspmd({.order = order}) != gspmd({});
  }
  CHECK(shardy_differs);
  CHECK(gspmd_differs);
}

TEST_CASE("visit orders: a sharding reaches the end of a long chain in every order") {
  constexpr int kLength = 12'000;
  std::string text =
      "sdy.mesh @mesh = <[\"a\"=2]>\nfunc.func @main(%arg0: tensor<8xf32> {sdy.sharding = "
      "#sdy.sharding<@mesh, [{\"a\"}]>}) -> tensor<8xf32> {\n";
  for (int i = 0; i < kLength; ++i)
    text += "  %" + std::to_string(i) + " = stablehlo.tanh %" + (i == 0 ? "arg0" : std::to_string(i - 1)) +
            " : tensor<8xf32>\n";
  text += "  return %" + std::to_string(kLength - 1) + " : tensor<8xf32>\n}\n";
  SourceManager sources;
  Diagnostics diagnostics;
  Result<Program> program = read_mlir(sources.add("test.mlir", text), sources, diagnostics);
  REQUIRE(program);
  for (const VisitOrder order : {VisitOrder{VisitOrder::Kind::reversed, 0}, VisitOrder{VisitOrder::Kind::seeded, 1}}) {
    const Result<Plan> gspmd_plan = propagate_gspmd(*program, {}, {.order = order}, diagnostics);
    REQUIRE(gspmd_plan);
    size_t without = 0;
    for (const TileShardingId id : gspmd_plan->tiled)
      if (!id.valid() || hlo_text(program->tile_shardings, id) != "{devices=[2]<=[2]}") ++without;
    CHECK(without == 0);
    const Result<Plan> shardy_plan = propagate_shardy(*program, {}, shardy(order), diagnostics);
    REQUIRE(shardy_plan);
    without = 0;
    for (const NamedShardingId id : shardy_plan->named)
      if (!id.valid() || program->shardings.get(id).fully_replicated()) ++without;
    CHECK(without == 0);
  }
}

TEST_CASE("visit orders: where every value is held, none matters") {
  const std::string text = R"(sdy.mesh @mesh = <["a"=2]>
func.func @main(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}) -> tensor<8x8xf32> {
  %0 = stablehlo.negate %arg0 : tensor<8x8xf32>
  %1 = sdy.sharding_constraint %0 <@mesh, [{}, {"a"}]> : tensor<8x8xf32>
  %2 = stablehlo.abs %1 : tensor<8x8xf32>
  %3 = sdy.sharding_constraint %2 <@mesh, [{}, {}]> : tensor<8x8xf32>
  return %3 : tensor<8x8xf32>
}
)";
  for (const VisitOrder order :
       {VisitOrder{}, VisitOrder{VisitOrder::Kind::reversed, 0}, VisitOrder{VisitOrder::Kind::backward_first, 0},
        VisitOrder{VisitOrder::Kind::seeded, 7}}) {
    const test::Planned p(text, shardy(order));
    CHECK(p.of("%0") == kDim1);
    CHECK(p.of("%2") == "-");
  }
}
