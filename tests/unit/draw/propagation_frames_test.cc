// draw/propagation_frames.h: what a propagation looks like after each part of its trace.
#include "draw/propagation_frames.h"

#include <algorithm>

#include "draw/propagation_svg.h"
#include "propagate/gspmd/propagate.h"
#include "propagate/shardy/propagate.h"
#include "support/catch.h"
#include "text/mlir/reader.h"

namespace {

constexpr const char* kChain = R"(module @jit_f {
  sdy.mesh @mesh = <["data"=2, "model"=4]>
  func.func public @main(%x: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, %w: tensor<16x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}) -> tensor<8x32xf32> {
    %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x32xf32>) -> tensor<8x32xf32>
    %1 = stablehlo.tanh %0 : tensor<8x32xf32>
    return %1 : tensor<8x32xf32>
  }
}
)";
constexpr const char* kConflict = R"(module @jit_f {
  sdy.mesh @mesh = <["x"=2]>
  func.func public @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %b: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) -> tensor<8x8xf32> {
    %0 = stablehlo.add %a, %b : tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }
}
)";

struct Filmed {
  Filmed(const std::string& text, bool gspmd, size_t frames) {
    const sw::FileId file = sources.add("f.mlir", text);
    sw::Result<sw::Program> read = sw::read_mlir(file, sources, diags);
    REQUIRE(read.has_value());
    program = std::move(*read);
    sw::ShardyOptions shardy;
    shardy.record_refusals = true;
    sw::GspmdOptions options;
    options.record_refusals = true;
    sw::Result<sw::Plan> made =
        gspmd ? propagate_gspmd(program, {}, options, diags) : propagate_shardy(program, {}, shardy, diags);
    REQUIRE(made.has_value());
    plan = std::move(*made);
    const sw::PlanReport report{sources, program, plan, "f.mlir"};
    model = graph_model(report, scope_tree(report), nullptr, {});
    film = film_of(report, model, frames);
  }
  uint32_t node(std::string_view title) const {
    for (uint32_t i = 0; i < model.nodes.size(); ++i)
      if (model.nodes[i].title == title) return i;
    FAIL("no node");
    return 0;
  }

  sw::SourceManager sources;
  sw::Diagnostics diags;
  sw::Program program;
  sw::Plan plan;
  sw::GraphModel model;
  sw::Film film;
};

}  // namespace

TEST_CASE("a film begins with what is given and ends with the plan") {
  for (const bool gspmd : {false, true}) {
    const Filmed f(kChain, gspmd, 20);
    REQUIRE(f.film.frames() >= 3);
    CHECK(f.film.captions[0] == "as given: 2 shardings set");
    const auto& argument = f.film.looks[f.node("%x")];
    CHECK(argument.back().text == "P('data', None)");
    CHECK(argument.back().colours.axes == std::vector<uint32_t>{0});
    const auto& dot = f.film.looks[f.node("dot_general")];
    CHECK(dot.front().from_frame == 0);
    CHECK(dot.front().colours.axes.empty());
    CHECK(dot.front().text.empty());
    CHECK(dot.back().text == "P('data', 'model')");
    CHECK(dot.back().colours.axes == std::vector<uint32_t>{0, 1});
    const auto& tanh = f.film.looks[f.node("tanh")];
    CHECK(tanh.back().from_frame >= dot.back().from_frame);
    for (const auto& looks : f.film.looks)
      CHECK(std::is_sorted(looks.begin(), looks.end(),
                           [](const sw::NodeLook& a, const sw::NodeLook& b) { return a.from_frame < b.from_frame; }));
  }
}

TEST_CASE("a frame says what was set and from where") {
  const Filmed f(kChain, false, 20);
  const auto set = std::find_if(f.film.sets.begin(), f.film.sets.end(),
                                [&](const sw::NodeSet& s) { return s.node == f.node("tanh"); });
  REQUIRE(set != f.film.sets.end());
  CHECK(set->from == f.node("dot_general"));
  CHECK(f.film.captions[set->frame].find("from %0") != std::string::npos);
}

TEST_CASE("a film has about as many frames as there is time for") {
  const Filmed shown(kChain, false, 20), shorter(kChain, false, 1);
  CHECK(shorter.film.frames() < shown.film.frames());
  CHECK(shorter.film.looks[shorter.node("tanh")].back().text == "P('data', 'model')");
}

TEST_CASE("what a value was offered and could not take is said") {
  for (const bool gspmd : {false, true}) {
    const Filmed f(kConflict, gspmd, 20);
    bool any = false;
    for (const std::string& words : f.film.refused) any |= words.find("x on dimension") == 0;
    CHECK(any);
  }
}

TEST_CASE("one frame alone has no animation; the film stops for readers who want none") {
  const Filmed f(kChain, false, 20);
  const std::vector<sw::Film> films = {f.film};
  const sw::Mesh& mesh = f.program.shardings.mesh(f.plan.mesh).mesh;
  const sw::PropagationPicture picture{f.model, films, &mesh, "f", "a chain"};
  const sw::DotGraph graph = propagation_cards(picture);
  sw::GraphLayout layout;
  layout.width = layout.height = 400;
  for (size_t i = 0; i < f.model.nodes.size(); ++i)
    layout.nodes["n" + std::to_string(i)] = {100, 60.0 * double(i) + 40};
  const std::string animated = propagation_svg(picture, graph, layout, std::nullopt);
  CHECK(animated.find("@media (prefers-reduced-motion:reduce){*{animation:none!important}}") != std::string::npos);
  CHECK(animated.find("@keyframes") != std::string::npos);
  const std::string first = propagation_svg(picture, graph, layout, 0);
  CHECK(first.find("@keyframes") == std::string::npos);
  CHECK(first.find("P(&#39;data&#39;, &#39;model&#39;)</text>") == std::string::npos);
  const std::string last = propagation_svg(picture, graph, layout, f.film.frames() - 1);
  CHECK(last.find("P(&#39;data&#39;, &#39;model&#39;)</text>") != std::string::npos);
}
