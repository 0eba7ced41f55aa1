#include "text/hlo/reader.h"

#include <string>

#include "support/catch.h"

namespace sw {
namespace {

struct Read {
  SourceManager sources;
  Diagnostics diagnostics;
  Result<Program> program = reported();
  explicit Read(std::string text) {
    const FileId file = sources.add("test.hlo", std::move(text));
    program = read_hlo(file, sources, diagnostics);
  }
  const Graph& graph() const { return program->graph; }
  const Op& op(size_t i) const { return graph().op(graph().block(entry()).ops[i]); }
  BlockId entry() const { return graph().entry_block(graph().function(graph().main).body); }
  Attr attr(size_t i, std::string_view name) const {
    const AttrId id = graph().attr(op(i), name);
    REQUIRE(id.valid());
    return graph().attr_table.get(id);
  }
  std::vector<int64_t> integers(size_t i, std::string_view name) const {
    const auto list = attr(i, name).integers;
    return {list.begin(), list.end()};
  }
  // "line:column message" of the first diagnostic.
  std::string first_error() const {
    if (diagnostics.in_order_reported().empty()) return "";
    const Diagnostic& d = *diagnostics.sorted().front();
    const LineColumn at = sources.line_column(d.where.file, d.where.begin);
    return std::to_string(at.line) + ":" + std::to_string(at.column) + " " + d.message;
  }
};

TEST_CASE("hlo: a product", "[hlo]") {
  const Read read(
      R"(HloModule jit_mm, entry_computation_layout={(f32[64,32]{1,0}, f32[32,128]{1,0})->f32[64,128]{1,0}}, allow_spmd_sharding_propagation_to_output={true}, num_partitions=8

ENTRY %main.1 (a: f32[64,32], b: f32[32,128]) -> f32[64,128] {
  %b = f32[32,128]{1,0} parameter(1), sharding={devices=[4,2]<=[2,4]T(1,0)}
  %a = f32[64,32]{1,0} parameter(0)
  ROOT %dot.1 = f32[64,128]{1,0} dot(f32[64,32] %a, %b), lhs_contracting_dims={1}, rhs_contracting_dims={0}
}
)");
  REQUIRE(read.program);
  const Graph& g = read.graph();
  REQUIRE(g.block(read.entry()).ops.size() == 2);
  CHECK(g.block(read.entry()).arg_count == 2);
  CHECK(g.strings.text(g.value(g.arg(read.entry(), 1)).name) == "b");
  CHECK(read.op(0).kind == OpKind::dot_general);
  CHECK(g.operands(read.op(0))[0] == g.arg(read.entry(), 0));
  const Attr numbers = read.attr(0, "dot_dimension_numbers");
  REQUIRE(numbers.fields.size() == 2);
  CHECK(g.strings.text(numbers.fields[0].name) == "lhs_contracting_dimensions");
  CHECK(read.op(1).kind == OpKind::func_return);
  const AttrId sharding = Graph::find(g.attrs(g.function(g.main).arg_attrs[1]), g.strings.find("mhlo.sharding"));
  REQUIRE(sharding.valid());
  CHECK(g.attr_table.get(sharding).kind == AttrKind::tile_sharding);
}

TEST_CASE("hlo: windows, slices and padding", "[hlo]") {
  const Read read(R"(HloModule m
add { x = f32[] parameter(0) y = f32[] parameter(1) ROOT s = f32[] add(x, y) }
ENTRY main {
  p = f32[8,16] parameter(0)
  z = f32[] constant(0)
  s = f32[4,8] slice(p), slice={[0:8:2], [4:12]}
  q = f32[10,19] pad(p, z), padding=0_2x1_2_0
  ROOT w = f32[4,16] reduce-window(p, z), window={size=2x1 stride=2x1 pad=0_0x0_0}, to_apply=add
}
)");
  REQUIRE(read.program);
  CHECK(read.integers(1, "start_indices") == std::vector<int64_t>{0, 4});
  CHECK(read.integers(1, "strides") == std::vector<int64_t>{2, 1});
  CHECK(read.integers(2, "edge_padding_high") == std::vector<int64_t>{2, 2});
  CHECK(read.integers(3, "window_dimensions") == std::vector<int64_t>{2, 1});
  CHECK(read.integers(3, "padding") == std::vector<int64_t>{0, 0, 0, 0});
  CHECK(read.graph().regions(read.op(3)).size() == 1);
}

TEST_CASE("hlo: errors are where they are", "[hlo]") {
  CHECK(Read("HloModule m\nENTRY e {\n  ROOT a = f32[2] add(b, b)\n}\n").first_error() ==
        "3:23 `b` is not defined in this computation");
  CHECK(Read("HloModule m\nENTRY e {\n  a = f32[2] parameter(0)\n  a = f32[2] add(a, a)\n}\n").first_error() ==
        "4:3 second instruction named `a`");
  CHECK(Read("HloModule m\nENTRY e {\n  ROOT c = s32[2] constant({1, 2, 3})\n}\n").first_error() ==
        "3:36 list has 3 elements, expected 2");
}

}  // namespace
}  // namespace sw
