#include "schedule/order.h"

#include "schedule/copies.h"
#include "schedule/from_hlo.h"
#include "support/hlo_text.h"

namespace sw {
namespace {

struct Ordered {
  Graph graph;
  MachineProgram program;

  explicit Ordered(const std::string& text) : graph(hlo_graph(text)) {
    Diagnostics diagnostics;
    program = *machine_program_as_it_stands(graph, diagnostics);
  }
  // The names of the ops of the entry, parameters left out.
  std::vector<std::string> names() const {
    std::vector<std::string> out;
    for (const MachineOpId id : program.computation(program.entry).ops) {
      const MachineOp& op = program.op(id);
      if (op.kind == OpKind::parameter) continue;
      out.push_back(op.role == Role::copy ? "copy"
                                          : std::string(graph.strings.text(graph.value(graph.result(op.source)).name)));
    }
    return out;
  }
};

using Names = std::vector<std::string>;

TEST_CASE("order: large arrays are done with before the next is made", "[schedule]") {
  Ordered m(
      "HloModule m\n\nENTRY main {\n  p = f32[8] parameter(0)\n  q = f32[8] parameter(1)\n"
      "  a = f32[8,1000] custom-call(p), custom_call_target=\"f\"\n"
      "  c = f32[8,1000] custom-call(q), custom_call_target=\"f\"\n"
      "  b = f32[8] custom-call(a), custom_call_target=\"g\"\n"
      "  d = f32[8] custom-call(c), custom_call_target=\"g\"\n"
      "  ROOT r = f32[8] custom-call(b, d), custom_call_target=\"h\"\n}\n");
  TypeTrees trees(m.program.types);
  order_program(m.program, trees, packed_bytes);
  const Names names = m.names();
  REQUIRE(names.size() == 5);
  const auto at = [&](const char* name) { return std::find(names.begin(), names.end(), name) - names.begin(); };
  const bool first_a = at("b") < at("c"), first_c = at("d") < at("a");
  CHECK((first_a || first_c));
}

const std::string kLoop =
    "HloModule m\n\nbody {\n  s = (s32[], f32[64], f32[64]) parameter(0)\n  i = s32[] get-tuple-element(s), index=0\n"
    "  x = f32[64] get-tuple-element(s), index=1\n  w = f32[64] get-tuple-element(s), index=2\n  one = s32[] "
    "constant(1)\n"
    "  n = s32[] add(i, one)\n  y = f32[64] add(x, w)\n  ROOT t = (s32[], f32[64], f32[64]) tuple(n, y, w)\n}\n\n"
    "condition {\n  s = (s32[], f32[64], f32[64]) parameter(0)\n  i = s32[] get-tuple-element(s), index=0\n"
    "  ten = s32[] constant(10)\n  ROOT c = pred[] compare(i, ten), direction=LT\n}\n\n";

TEST_CASE("copies: changed state of a loop is copied from parameters and constants, what passes through is not",
          "[schedule]") {
  Ordered m(kLoop +
            "ENTRY main {\n  p = f32[64] parameter(0)\n  w = f32[64] parameter(1)\n  zero = s32[] constant(0)\n"
            "  t = (s32[], f32[64], f32[64]) tuple(zero, p, w)\n"
            "  l = (s32[], f32[64], f32[64]) while(t), condition=condition, body=body\n"
            "  ROOT r = f32[64] get-tuple-element(l), index=1\n}\n");
  TypeTrees trees(m.program.types);
  insert_copies(m.program, trees, {});
  CHECK(m.names() == Names{"zero", "copy", "copy", "t", "l", "r"});

  // A donated parameter is the state itself.
  Ordered donated(kLoop +
                  "ENTRY main {\n  p = f32[64] parameter(0)\n  w = f32[64] parameter(1)\n  zero = s32[] constant(0)\n"
                  "  t = (s32[], f32[64], f32[64]) tuple(zero, p, w)\n"
                  "  l = (s32[], f32[64], f32[64]) while(t), condition=condition, body=body\n"
                  "  x = f32[64] get-tuple-element(l), index=1\n  ROOT r = (f32[64]) tuple(x)\n}\n");
  TypeTrees donated_trees(donated.program.types);
  const StorageHandover handover{1, 0, 0};
  insert_copies(donated.program, donated_trees, {&handover, 1});
  CHECK(donated.names() == Names{"zero", "copy", "t", "l", "x", "r"});
}

TEST_CASE("copies: a parameter that is returned, and a value that is returned twice", "[schedule]") {
  Ordered m(
      "HloModule m\n\nENTRY main {\n  p = f32[64] parameter(0)\n  a = f32[64] negate(p)\n"
      "  ROOT t = (f32[64], f32[64], f32[64]) tuple(p, a, a)\n}\n");
  TypeTrees trees(m.program.types);
  insert_copies(m.program, trees, {});
  CHECK(m.names() == Names{"a", "copy", "copy", "t"});
}

TEST_CASE("copies: a CPU's compiler does not know the order, so that what is read beside the new value is copied",
          "[schedule]") {
  // Donated p becomes the result of `a`; `b` reads p too, before `a` in the text, but nothing makes it go first.
  const std::string text =
      "HloModule m\n\nENTRY main {\n  p = f32[64] parameter(0)\n  q = f32[64] parameter(1)\n"
      "  b = f32[64] negate(p)\n  a = f32[64] custom-call(q), custom_call_target=\"f\"\n"
      "  ROOT t = (f32[64], f32[64]) tuple(a, b)\n}\n";
  const StorageHandover handover{1, 0, 0};
  for (const ReadOrder order : {ReadOrder::scheduled, ReadOrder::dependence}) {
    Ordered m(text);
    TypeTrees trees(m.program.types);
    insert_copies(m.program, trees, {&handover, 1}, order);
    CHECK(m.names() == (order == ReadOrder::scheduled ? Names{"b", "a", "t"} : Names{"b", "a", "copy", "t"}));
  }
}

TEST_CASE("machine program: what cannot be counted is refused", "[schedule]") {
  const Graph graph = hlo_graph(
      "HloModule m\n\nENTRY main {\n  p = f32[] parameter(0)\n"
      "  a = f32[1048576,1048576,1048576] broadcast(p), dimensions={}\n"
      "  ROOT b = f32[1048576,1048576,1048576] negate(a)\n}\n");
  Diagnostics diagnostics;
  CHECK_FALSE(machine_program_inlined(graph, diagnostics).has_value());
  REQUIRE(diagnostics.error_count() == 1);
  CHECK(diagnostics.in_order_reported()[0].kind == DiagnosticKind::too_large);
}

}  // namespace
}  // namespace sw
