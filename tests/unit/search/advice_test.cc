// search/: what loops collect, changes to a program, and that what is advised is what happens.
#include "search/advice.h"

#include <algorithm>
#include <string>

#include "cli/pipeline.h"
#include "search/loop_stacks.h"
#include "support/catch.h"
#include "text/hlo/reader.h"
#include "text/mlir/reader.h"

namespace {

// s1 collects tanh of what each run is given, which the second loop reads; s2 what each run is given; s3 goes to the
// caller too.
constexpr const char* kLoops = R"(HloModule loops, input_output_alias={ {0}: (0, {}, may-alias) }
cond1 { p = (s32[], f32[8], f32[4,8], f32[4,8], f32[4,8]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  n = s32[] constant(4)
  ROOT less = pred[] compare(i, n), direction=LT }
body1 { p = (s32[], f32[8], f32[4,8], f32[4,8], f32[4,8]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  one = s32[] constant(1)
  zero = s32[] constant(0)
  next = s32[] add(i, one)
  x = f32[8] get-tuple-element(p), index=1
  y = f32[8] tanh(x)
  s1 = f32[4,8] get-tuple-element(p), index=2
  y1 = f32[1,8] reshape(y)
  t1 = f32[4,8] dynamic-update-slice(s1, y1, i, zero)
  s2 = f32[4,8] get-tuple-element(p), index=3
  x1 = f32[1,8] reshape(x)
  t2 = f32[4,8] dynamic-update-slice(s2, x1, i, zero)
  s3 = f32[4,8] get-tuple-element(p), index=4
  t3 = f32[4,8] dynamic-update-slice(s3, y1, i, zero)
  ROOT r = (s32[], f32[8], f32[4,8], f32[4,8], f32[4,8]) tuple(next, y, t1, t2, t3) }
cond2 { p = (s32[], f32[8], f32[4,8], f32[4,8]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  n = s32[] constant(4)
  ROOT less = pred[] compare(i, n), direction=LT }
body2 { p = (s32[], f32[8], f32[4,8], f32[4,8]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  one = s32[] constant(1)
  next = s32[] add(i, one)
  x = f32[8] get-tuple-element(p), index=1
  s1 = f32[4,8] get-tuple-element(p), index=2
  s2 = f32[4,8] get-tuple-element(p), index=3
  ROOT r = (s32[], f32[8], f32[4,8], f32[4,8]) tuple(next, x, s1, s2) }
ENTRY main { a = f32[8] parameter(0)
  zero = s32[] constant(0)
  c = f32[] constant(0)
  e1 = f32[4,8] broadcast(c), dimensions={}
  e2 = f32[4,8] broadcast(c), dimensions={}
  e3 = f32[4,8] broadcast(c), dimensions={}
  t = (s32[], f32[8], f32[4,8], f32[4,8], f32[4,8]) tuple(zero, a, e1, e2, e3)
  w = (s32[], f32[8], f32[4,8], f32[4,8], f32[4,8]) while(t), condition=cond1, body=body1
  x = f32[8] get-tuple-element(w), index=1
  s1 = f32[4,8] get-tuple-element(w), index=2
  s2 = f32[4,8] get-tuple-element(w), index=3
  s3 = f32[4,8] get-tuple-element(w), index=4
  t2 = (s32[], f32[8], f32[4,8], f32[4,8]) tuple(zero, x, s1, s2)
  w2 = (s32[], f32[8], f32[4,8], f32[4,8]) while(t2), condition=cond2, body=body2
  y = f32[8] get-tuple-element(w2), index=1
  u = f32[4,8] negate(s3)
  ROOT out = (f32[8], f32[4,8]) tuple(y, u) }
)";

// A weight and its momentum that nothing cuts, a batch that one of two axes cuts.
constexpr const char* kStep = R"(module @jit_step {
  sdy.mesh @mesh = <["data"=4, "model"=2]>
  func.func public @main(%arg0: tensor<512x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>} loc("params['w']"),
                         %arg1: tensor<512x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>} loc("mu['w']"),
                         %arg2: tensor<4096x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>} loc("x"))
      -> (tensor<512x512xf32> {jax.result_info = "result[0]['w']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>},
          tensor<512x512xf32> {jax.result_info = "result[1]['w']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
    %0 = stablehlo.dot_general %arg2, %arg0, contracting_dims = [1] x [0] : (tensor<4096x512xf32>, tensor<512x512xf32>) -> tensor<4096x512xf32>
    %1 = stablehlo.tanh %0 : tensor<4096x512xf32>
    %2 = stablehlo.dot_general %arg2, %1, contracting_dims = [0] x [0] : (tensor<4096x512xf32>, tensor<4096x512xf32>) -> tensor<512x512xf32>
    %3 = stablehlo.add %arg1, %2 : tensor<512x512xf32>
    %4 = stablehlo.subtract %arg0, %3 : tensor<512x512xf32>
    return %4, %3 : tensor<512x512xf32>, tensor<512x512xf32>
  }
}
)";

struct World {
  explicit World(const char* text) {
    const sw::FileId file = sources.add("step.mlir", text);
    sw::Result<sw::Program> read = std::string_view(text).starts_with("HloModule") ? read_hlo(file, sources, diags)
                                                                                   : read_mlir(file, sources, diags);
    REQUIRE(read.has_value());
    program = std::move(*read);
  }
  static std::optional<sw::ChangedProgram> run(sw::Program changed, const sw::Seeds& seeds) {
    sw::Diagnostics ignored;
    sw::Result<sw::Plan> plan = propagate(changed, seeds, sw::Partitioner::shardy, {.lower = true}, ignored);
    if (!plan) return std::nullopt;
    auto local = partition_plan(changed, *plan, sw::Backend::none, ignored);
    if (!local || !local->has_value()) return std::nullopt;
    return sw::ChangedProgram{std::move(changed), std::move(*plan), std::move(**local)};
  }
  static sw::MemoryProfile profile(const sw::ChangedProgram& changed) {
    sw::Diagnostics ignored;
    sw::Result<sw::MemoryProfile> profile = profile_memory(changed.local.graph, {sw::MemoryTarget::h100}, ignored);
    REQUIRE(profile.has_value());
    return *profile;
  }
  sw::SourceManager sources;
  sw::Diagnostics diags;
  sw::Program program;
};

TEST_CASE("what loops collect") {
  const World world(kLoops);
  const std::vector<sw::LoopStack> stacks = sw::find_loop_stacks(world.program.graph);
  REQUIRE(stacks.size() == 3);
  CHECK(stacks[0].runs == 4);
  CHECK(!stacks[0].of_carry);
  CHECK(stacks[0].reader.valid());
  CHECK(stacks[0].reader_index == 2);
  CHECK(stacks[1].of_carry);
  CHECK(stacks[1].reader_index == 3);
  CHECK(stacks[1].reader == stacks[0].reader);
  CHECK(!stacks[2].of_carry);
  CHECK(!stacks[2].reader.valid());
}

TEST_CASE("donations are written as JAX and HLO write them") {
  World step(kStep);
  const sw::BlockId entry = step.program.graph.entry_block(step.program.graph.function(step.program.graph.main).body);
  const sw::ValueId first[] = {step.program.graph.arg(entry, 0)};
  give_away(step.program, first);
  give_away(step.program, first);
  const std::string text = print_mlir(step.program);
  CHECK(text.find("jax.buffer_donor = true") != std::string::npos);
  CHECK(text.find("jax.buffer_donor = true", text.find("jax.buffer_donor = true") + 1) == std::string::npos);

  World loops(kLoops);
  const sw::Graph& graph = loops.program.graph;
  const sw::ValueId taken[] = {graph.arg(graph.entry_block(graph.function(graph.main).body), 0)};
  give_away(loops.program, taken);
  CHECK(print_hlo(loops.program).find("buffer_donor") == std::string::npos);
}

TEST_CASE("an axis more") {
  const sw::Mesh mesh{{{"a", 4}, {"b", 2}, {"one", 1}}, {}};
  sw::NamedShardingSpec spec;
  spec.dims.resize(2);
  spec.dims[0].axes.push_back({0, 1, 4});
  const std::vector<int64_t> dims = {8, 6};
  CHECK(!with_axis(mesh, spec, dims, 0, 0));
  CHECK(!with_axis(mesh, spec, dims, 1, 2));
  CHECK(with_axis(mesh, spec, dims, 0, 1)->dims[0].axes.size() == 2);
  CHECK(with_axis(mesh, spec, dims, 1, 1)->dims[1].axes.size() == 1);
  CHECK(!with_axis(mesh, spec, std::vector<int64_t>{4, 6}, 0, 1));
  CHECK(!with_axis(mesh, spec, std::vector<int64_t>{6, 7}, 1, 1));
}

TEST_CASE("of several shardings of one thing the last holds") {
  sw::Change first, second;
  first.arguments = {{sw::ValueId{1}, sw::NamedShardingId{1}}, {sw::ValueId{2}, sw::NamedShardingId{1}}};
  second.arguments = {{sw::ValueId{1}, sw::NamedShardingId{3}}};
  const sw::Change both[] = {first, second};
  const sw::Change all = joined(both);
  REQUIRE(all.arguments.size() == 2);
  CHECK(all.arguments[0].sharding == sw::NamedShardingId{3});
  CHECK(all.arguments[1].sharding == sw::NamedShardingId{1});
}

TEST_CASE("what is advised is what happens") {
  World world(kStep);
  const std::optional<sw::ChangedProgram> base = World::run(world.program, {});
  REQUIRE(base.has_value());
  const sw::MemoryProfile profile = World::profile(*base);
  const sw::AdviceOptions options{profile.total() * 3 / 5, 60};
  const sw::AdviceReport found = find_advice(world.program, {}, base->plan, base->local, profile, World::run, options);
  const auto donates = [](const sw::AdviceItem& item) { return item.change.kind == sw::ChangeKind::donate; };
  CHECK(std::any_of(found.items.begin(), found.items.end(), donates));
  CHECK(found.tried <= 60);
  CHECK(found.fits());
  REQUIRE(!found.together.empty());
  const auto check = [&](const sw::Change& change, const sw::Need& promised) {
    sw::Program changed = world.program;
    sw::Seeds seeds;
    apply_change(change, changed, seeds);
    const std::optional<sw::ChangedProgram> made = World::run(std::move(changed), seeds);
    REQUIRE(made.has_value());
    const sw::MemoryProfile with = World::profile(*made);
    CHECK(with.total() == promised.total);
    CHECK(with.peak == promised.peak);
    CHECK(moved_bytes(made->local) == promised.moved);
  };
  for (const sw::AdviceItem& item : found.items)
    if (item.after.empty() && !item.is_estimate) check(item.change, item.with);
  check(found.all, found.with);

  // The same tries give the same answer.
  const sw::AdviceReport again = find_advice(world.program, {}, base->plan, base->local, profile, World::run, options);
  CHECK(again.together == found.together);
  CHECK(again.with.total == found.with.total);
}

}  // namespace
