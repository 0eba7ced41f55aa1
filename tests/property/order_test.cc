// What depends on the order of propagation, on generated programs.
#include "propagate/hold.h"

#include "propagate/gspmd/propagate.h"
#include "propagate/shardy/propagate.h"
#include "support/catch.h"
#include "support/diagnostics.h"
#include "support/recipe.h"
#include "text/mlir/reader.h"

namespace {

using namespace sw;

constexpr unsigned kPrograms = 60;

Result<Plan> run(Program& program, const Seeds& seeds, const Variation& way) {
  Diagnostics diagnostics;
  if (way.by == Partitioner::gspmd)
    return propagate_gspmd(program, seeds, {.order = way.order, .levels = way.priorities}, diagnostics);
  ShardyOptions options;
  options.order = way.order;
  options.op_priorities = way.priorities;
  options.through_xla = true;
  if (way.strategy == Variation::Strategy::basic) options.strategy = ShardyOptions::Strategy::basic;
  if (way.strategy == Variation::Strategy::basic_first)
    options.strategy = ShardyOptions::Strategy::basic_then_aggressive;
  return propagate_shardy(program, seeds, options, diagnostics);
}

struct World {
  explicit World(unsigned seed) : text(test::Recipe(seed).text(test::kRecipeMesh, {}, {})) {
    Diagnostics diagnostics;
    Result<Program> read = read_mlir(sources.add("test.mlir", text), sources, diagnostics);
    REQUIRE(read.has_value());
    program = std::move(*read);
    ways = variations(program, Partitioner::shardy);
  }
  Outcomes outcomes(const Seeds& seeds = {}, int threads = 0) const { return {program, seeds, ways, run, threads}; }

  std::string text;
  SourceManager sources;
  Program program;
  std::vector<Variation> ways;
};

TEST_CASE("order property: a program with every value pinned leaves no choice") {
  size_t uncertain = 0;
  for (unsigned seed = 0; seed < kPrograms; ++seed) {
    World world(seed);
    INFO(world.text);
    const Outcomes free = world.outcomes();
    REQUIRE(free.ways().size() == world.ways.size());
    uncertain += free.uncertain().size();
    Seeds pins;
    for (size_t i = 0; i < world.program.graph.value_count(); ++i)
      if (const auto sharding = pinned_sharding(world.program, free, ValueId{i}))
        pins.push_back(pin_seed(ValueId{i}, *sharding));
    CHECK(pins.size() == world.program.graph.value_count());
    CHECK(world.outcomes(pins).uncertain().empty());
  }
  CHECK(uncertain > 0);  // or the property says nothing
}

TEST_CASE("order property: pins that were found settle every way, and none can be left out") {
  size_t settled = 0;
  for (unsigned seed = 0; seed < kPrograms; ++seed) {
    World world(seed);
    INFO(world.text);
    const Outcomes free = world.outcomes();
    if (free.uncertain().empty()) continue;
    const Hold hold = find_hold(world.program, {}, free, run, 3000);
    CHECK(hold.left == 0);
    Seeds pins;
    for (const Pin& p : hold.pins) pins.push_back(pin_seed(p.value, p.sharding));
    CHECK(world.outcomes(pins).uncertain().empty());
    for (size_t i = 0; i < pins.size(); ++i) {
      Seeds fewer = pins;
      fewer.erase(fewer.begin() + static_cast<ptrdiff_t>(i));
      CHECK_FALSE(world.outcomes(fewer).uncertain().empty());
    }
    ++settled;
  }
  CHECK(settled > 0);
}

TEST_CASE("order property: any number of threads finds the same") {
  for (unsigned seed = 0; seed < kPrograms; ++seed) {
    const World world(seed);
    INFO(world.text);
    const Outcomes one = world.outcomes({}, 1), four = world.outcomes({}, 4);
    REQUIRE(one.uncertain() == four.uncertain());
    CHECK(one.partings() == four.partings());
    for (size_t way = 0; way < one.ways().size(); ++way)
      for (const ValueId value : one.uncertain()) {
        CHECK(one.cut(way, value) == four.cut(way, value));
        if (one.cut(way, value) != Outcomes::kAbsent) CHECK(one.text(way, value).text == four.text(way, value).text);
      }
  }
}

}  // namespace
