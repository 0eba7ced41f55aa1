// draw/scope_tree.h and draw/graph_model.h: which scopes a program has, what is folded, where collectives stand.
#include "draw/graph_model.h"

#include <algorithm>

#include "draw/source_path.h"
#include "partition/partition.h"
#include "propagate/shardy/propagate.h"
#include "support/catch.h"
#include "text/mlir/reader.h"

namespace {

struct Planned {
  explicit Planned(const std::string& text) {
    const sw::FileId file = sources.add("f.mlir", text);
    sw::Result<sw::Program> read = sw::read_mlir(file, sources, diags);
    REQUIRE(read.has_value());
    program = std::move(*read);
    sw::ShardyOptions options;
    options.lower = true;
    sw::Result<sw::Plan> made = propagate_shardy(program, {}, options, diags);
    REQUIRE(made.has_value());
    plan = std::move(*made);
    auto parts = partition(plan.lowered->graph, program.tile_shardings, plan.lowered->shardings, 0, diags);
    REQUIRE(parts.has_value());
    local = std::move(*parts);
    for (sw::Collective& c : local.collectives)
      if (c.cause.op.valid()) c.cause.op = plan.lowered->source_op[c.cause.op.index()];
  }
  sw::PlanReport report() const { return {sources, program, plan, "f.mlir", &local}; }
  sw::GraphModel model(const sw::GraphOptions& options) const {
    const sw::PlanReport r = report();
    const sw::CollectiveList list(r);
    return graph_model(r, scope_tree(r), &list, options);
  }

  sw::SourceManager sources;
  sw::Diagnostics diags;
  sw::Program program;
  sw::Plan plan;
  sw::LocalProgram local;
};

const sw::GraphNode* titled(const sw::GraphModel& model, std::string_view title) {
  for (const sw::GraphNode& node : model.nodes)
    if (node.title == title) return &node;
  return nullptr;
}

std::vector<std::string> paths(const sw::ScopeTree& tree) {
  std::vector<std::string> names;
  for (const sw::DrawScope& scope : tree.scopes) names.push_back(scope.path);
  return names;
}

constexpr const char* kMlp = R"(#l1 = loc("jit(f)/jvp(enc)/dot_general"("m.py":3:1))
#l2 = loc("jit(f)/jvp(enc)/tanh"("m.py":4:1))
#l3 = loc("jit(f)/transpose(jvp(enc))/mul"("m.py":4:1))
module @jit_f {
  sdy.mesh @mesh = <["data"=2, "model"=4]>
  func.func public @main(%x: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>} loc("x"), %w: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>} loc("w")) -> tensor<8x16xf32> {
    %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32> loc(#l1)
    %1 = stablehlo.tanh %0 : tensor<8x16xf32> loc(#l2)
    %2 = stablehlo.add %1, %1 : tensor<8x16xf32> loc(#l2)
    %c = stablehlo.constant dense<2.0> : tensor<f32> loc(#l2)
    %b = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<f32>) -> tensor<8x16xf32> loc(#l2)
    %3 = stablehlo.multiply %2, %b : tensor<8x16xf32> loc(#l2)
    %4 = stablehlo.multiply %3, %1 : tensor<8x16xf32> loc(#l3)
    %5 = stablehlo.add %4, %4 : tensor<8x16xf32> loc(#l3)
    %6 = stablehlo.subtract %5, %0 : tensor<8x16xf32> loc(#l3)
    return %6 : tensor<8x16xf32>
  }
}
)";

}  // namespace

TEST_CASE("scopes are passes, named scopes and lines; constants are left out") {
  const Planned p(kMlp);
  const sw::ScopeTree tree = scope_tree(p.report());
  CHECK(paths(tree) == std::vector<std::string>{"main", "main/forward", "main/forward/m.py:4", "main/backward"});
  CHECK(tree.hidden_constants == 2);
  CHECK(tree.scopes[0].ops == 7);
  CHECK(tree.scopes[1].ops == 4);
  CHECK(tree.find("m.py:4") == std::vector<uint32_t>{2});
  CHECK(tree.find("forward/m.py:4") == std::vector<uint32_t>{2});
  CHECK(tree.find("m.py") == std::vector<uint32_t>{});
}

TEST_CASE("with room for all, every op is a node, and the collective is at the op that makes it") {
  const Planned p(kMlp);
  const sw::GraphModel model = p.model({});
  const sw::GraphNode* dot = titled(model, "dot_general");
  REQUIRE(dot != nullptr);
  CHECK(dot->type == "f32[8,16]");
  CHECK(dot->on_device == "[4,16]");
  CHECK(dot->spec == "P('data', None)");
  CHECK(model.classes[dot->color].label == "data");
  REQUIRE(dot->collectives.size() == 1);
  const sw::GraphCollective& c = model.collectives[dot->collectives[0]];
  CHECK(c.kind == "all-reduce");
  CHECK(c.axes == std::vector<std::string>{"model"});
  CHECK(c.bytes == 4 * 16 * 4);
  CHECK(titled(model, "broadcast_in_dim") == nullptr);
  CHECK(model.nodes.size() == 7 + 2 + 1);
}

TEST_CASE("what does not fit is folded, with its collectives inside it") {
  const Planned p(kMlp);
  const sw::GraphModel folded = p.model({.budget = 2, .expand = {}});
  const sw::GraphNode* forward = titled(folded, "forward");
  REQUIRE(forward != nullptr);
  CHECK(forward->kind == sw::NodeKind::folded);
  CHECK(forward->ops == 4);
  CHECK(forward->collectives.size() == 1);
  // From x and w into forward, on to backward, to the result.
  CHECK(folded.nodes.size() == 2 + 2 + 1);
  CHECK(folded.edges.size() == 4);

  const sw::GraphModel expanded = p.model({.budget = 2, .expand = {1}});
  CHECK(titled(expanded, "forward") == nullptr);
  CHECK(titled(expanded, "dot_general") != nullptr);
}

TEST_CASE("the edges of folded scopes never go back up the text") {
  const Planned p(kMlp);
  const sw::GraphModel model = p.model({.budget = 2, .expand = {}});
  for (const sw::GraphEdge& e : model.edges) CHECK(e.from != e.to);
  const auto position = [&](const char* title) { return titled(model, title) - model.nodes.data(); };
  CHECK(position("forward") < position("backward"));
}

TEST_CASE("a loop has a node for what each iteration is given and one for what it hands on") {
  const Planned p(R"(module @jit_f {
  sdy.mesh @mesh = <["x"=2]>
  func.func public @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
    %c0 = stablehlo.constant dense<0> : tensor<i32>
    %0:2 = stablehlo.while(%i = %c0, %s = %a) : tensor<i32>, tensor<8xf32>
    cond {
      %n = stablehlo.constant dense<10> : tensor<i32>
      %q = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %q : tensor<i1>
    } do {
      %one = stablehlo.constant dense<1> : tensor<i32>
      %j = stablehlo.add %i, %one : tensor<i32>
      %t = stablehlo.tanh %s : tensor<8xf32>
      stablehlo.return %j, %t : tensor<i32>, tensor<8xf32>
    }
    %1 = stablehlo.negate %0#1 : tensor<8xf32>
    return %1 : tensor<8xf32>
  }
}
)");
  const sw::GraphModel model = p.model({});
  REQUIRE(model.tree.scopes.size() == 2);
  CHECK(model.tree.scopes[1].kind == sw::ScopeKind::loop);
  CHECK(model.tree.scopes[1].times == 10);
  const auto index = [&](std::string_view title) {
    return static_cast<uint32_t>(titled(model, title) - model.nodes.data());
  };
  const auto has_edge = [&](std::string_view from, std::string_view to) {
    return std::any_of(model.edges.begin(), model.edges.end(),
                       [&](const sw::GraphEdge& e) { return e.from == index(from) && e.to == index(to); });
  };
  CHECK(has_edge("%a", "each iteration"));
  CHECK(has_edge("each iteration", "tanh"));
  CHECK(has_edge("tanh", "next iteration"));
  CHECK(has_edge("next iteration", "negate"));
  CHECK(!has_edge("tanh", "each iteration"));
}

TEST_CASE("an unrolled program without locations is folded by what repeats in it") {
  std::string text = R"(module @jit_f {
  sdy.mesh @mesh = <["x"=2]>
  func.func public @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<8x8xf32> {
    %0 = stablehlo.negate %a : tensor<8x8xf32>
)";
  int n = 0;
  const auto op = [&](const std::string& kind, bool two) {
    text += "    %" + std::to_string(n + 1) + " = stablehlo." + kind + " %" + std::to_string(n) +
            (two ? ", %" + std::to_string(n) : "") + " : tensor<8x8xf32>\n";
    ++n;
  };
  for (int layer = 0; layer < 30; ++layer) {
    op("tanh", false);
    op("multiply", true);
    op("exponential", false);
    op("add", true);
  }
  text += "    return %" + std::to_string(n) + " : tensor<8x8xf32>\n  }\n}\n";
  const Planned p(text);
  const sw::ScopeTree tree = scope_tree(p.report());
  const auto repeat = std::find_if(tree.scopes.begin(), tree.scopes.end(),
                                   [](const sw::DrawScope& s) { return s.kind == sw::ScopeKind::repeat; });
  REQUIRE(repeat != tree.scopes.end());
  CHECK(repeat->times == 30);
  CHECK(repeat->ops == 120);
  const sw::GraphModel model = p.model({.budget = 10, .expand = {}});
  CHECK(titled(model, "29 more like it") != nullptr);
  CHECK(model.nodes.size() < 12);
}

TEST_CASE("names of strangers are cut and made safe") {
  std::string name(10000, 'x');
  const Planned p(
      "module @jit_f {\n  sdy.mesh @mesh = <[\"x\"=2]>\n  func.func public @main(%a: tensor<8xf32> "
      "{sdy.sharding = #sdy.sharding<@mesh, [{\"x\"}]>} loc(\"<b>\\22\\0A" +
      name + "\")) -> tensor<8xf32> {\n    %0 = stablehlo.negate %a : tensor<8xf32> loc(\"a/" + name +
      "/b\"(\"f.py\":1:1))\n    return %0 : tensor<8xf32>\n  }\n}\n");
  const sw::GraphModel model = p.model({});
  for (const sw::GraphNode& node : model.nodes) {
    CHECK(node.title.size() < 200);
    CHECK(node.title.find('\n') == std::string::npos);
  }
}
