#include "schedule/fusion.h"

#include "schedule/from_hlo.h"
#include "schedule/rewrite_gpu.h"
#include "support/hlo_text.h"

namespace sw {
namespace {

// The kernels of the entry in the order in which they are written: their ops, results and in-place operands.
struct Kernels {
  MachineProgram program;
  std::vector<MachineOpId> ids;

  Kernels(const std::string& text, Compiler compiler) {
    const Graph graph = hlo_graph(text);
    Diagnostics diagnostics;
    Result<MachineProgram> read = machine_program_inlined(graph, diagnostics);
    REQUIRE(read.has_value());
    if (compiler == Compiler::gpu) rewrite_for_gpu(*read, graph);
    program = fuse(*read, compiler);
    for (const MachineOpId id : program.computation(program.entry).ops)
      if (program.op(id).kind == OpKind::fusion) ids.push_back(id);
  }
  std::vector<OpKind> ops() const {
    std::vector<OpKind> kinds;
    for (const MachineOpId id : ids) kinds.push_back(program.op(id).does);
    return kinds;
  }
  const Kernel& facts(size_t i) const { return program.kernels[program.op(ids[i]).kernel.index()]; }
};

std::string entry(const std::string& body) {
  return "HloModule m\n\nadd {\n  x = f32[] parameter(0)\n  y = f32[] parameter(1)\n  ROOT s = f32[] add(x, "
         "y)\n}\n\nENTRY main {\n" +
         body + "}\n";
}

using Ops = std::vector<OpKind>;

TEST_CASE("fusion: chains of elementwise ops are one kernel, which may overwrite what it reads", "[schedule]") {
  const Kernels k(entry("  p = f32[1024,1024] parameter(0)\n  a = f32[1024,1024] exponential(p)\n"
                        "  b = f32[1024,1024] negate(a)\n  ROOT c = f32[1024,1024] add(b, a)\n"),
                  Compiler::gpu);
  REQUIRE(k.ops() == Ops{OpKind::add});
  CHECK(k.facts(0).may_overwrite == std::vector<OperandToResult>{{0, 0}});
  CHECK(k.facts(0).in_place.empty());
}

TEST_CASE("fusion: what is read in another order cannot be overwritten", "[schedule]") {
  const Kernels k(entry("  p = f32[1024,1024] parameter(0)\n  t = f32[1024,1024] transpose(p), dimensions={1,0}\n"
                        "  ROOT c = f32[1024,1024] add(p, t)\n"),
                  Compiler::gpu);
  REQUIRE(k.ops() == Ops{OpKind::add});
  CHECK(k.facts(0).may_overwrite.empty());
}

TEST_CASE("fusion: a product takes in a conversion before it and a scaling after it, not a product of arrays",
          "[schedule]") {
  const std::string dot = "lhs_contracting_dims={1}, rhs_contracting_dims={0}\n";
  const Kernels taken(entry("  p = bf16[512,512] parameter(0)\n  w = f32[512,512] parameter(1)\n"
                            "  c = f32[512,512] convert(p)\n  d = f32[512,512] dot(c, w), " +
                            dot +
                            "  two = f32[] constant(2)\n  b = f32[512,512] broadcast(two), dimensions={}\n"
                            "  ROOT r = f32[512,512] multiply(d, b)\n"),
                      Compiler::gpu);
  CHECK(taken.ops() == Ops{OpKind::multiply});

  const std::string masked =
      "  p = f32[512,512] parameter(0)\n  q = f32[512,512] parameter(1)\n  w = f32[512,512] parameter(2)\n"
      "  n = f32[512,512] negate(q)\n  m = f32[512,512] multiply(p, n)\n  ROOT d = f32[512,512] dot(m, w), " +
      dot;
  CHECK(Kernels(entry(masked), Compiler::gpu).ops() == Ops{OpKind::multiply, OpKind::dot_general});
  CHECK(Kernels(entry(masked), Compiler::tpu).ops() == Ops{OpKind::dot_general});
}

TEST_CASE("fusion: reductions of rows join the kernel that normalises them", "[schedule]") {
  const Kernels k(
      entry("  p = f32[512,2048] parameter(0)\n  zero = f32[] constant(0)\n  e = f32[512,2048] exponential(p)\n"
            "  s = f32[512] reduce(e, zero), dimensions={1}, to_apply=add\n"
            "  b = f32[512,2048] broadcast(s), dimensions={0}\n"
            "  ROOT y = f32[512,2048] divide(e, b)\n"),
      Compiler::gpu);
  REQUIRE(k.ops() == Ops{OpKind::divide});
  CHECK(k.facts(0).may_overwrite.empty());
}

TEST_CASE("fusion: an optimizer's update is one kernel with several results", "[schedule]") {
  const Kernels k(entry("  w = f32[1024,1024] parameter(0)\n  m = f32[1024,1024] parameter(1)\n"
                        "  g = f32[1024,1024] parameter(2)\n  n = f32[1024,1024] add(m, g)\n"
                        "  v = f32[1024,1024] subtract(w, n)\n"
                        "  ROOT t = (f32[1024,1024], f32[1024,1024]) tuple(v, n)\n"),
                  Compiler::gpu);
  REQUIRE(k.ids.size() == 1);
  CHECK(k.program.type_of(k.ids[0]).elements.size() == 2);
}

TEST_CASE("fusion: an update is in place, and a fill is made anew for each use", "[schedule]") {
  const Kernels k(entry("  u = f32[1,1024] parameter(0)\n  i = s32[] parameter(1)\n  zero = s32[] constant(0)\n"
                        "  f = f32[] constant(0)\n  z = f32[64,1024] broadcast(f), dimensions={}\n"
                        "  a = f32[64,1024] dynamic-update-slice(z, u, i, zero)\n"
                        "  b = f32[64,1024] dynamic-update-slice(z, u, zero, i)\n"
                        "  ROOT t = (f32[64,1024], f32[64,1024]) tuple(a, b)\n"),
                  Compiler::gpu);
  size_t fills = 0, updates = 0;
  for (size_t i = 0; i < k.ids.size(); ++i) {
    fills += k.program.op(k.ids[i]).operands.empty() ? 1 : 0;
    updates += k.facts(i).in_place.size();
  }
  CHECK(fills == 2);
  CHECK(updates == 2);
}

TEST_CASE("rewrites: a gather along an inner dimension is transposed before and after", "[schedule]") {
  const std::string gather = "replica_groups={{0,1}}, channel_id=1, use_global_device_ids=true, dimensions=";
  const std::string head = "  p = f32[128,256] parameter(0)\n  ROOT g = ";
  CHECK(Kernels(entry(head + "f32[128,512] all-gather(p), " + gather + "{1}\n"), Compiler::gpu).ops() ==
        Ops{OpKind::transpose, OpKind::all_gather, OpKind::transpose});
  CHECK(Kernels(entry(head + "f32[256,256] all-gather(p), " + gather + "{0}\n"), Compiler::gpu).ops() ==
        Ops{OpKind::all_gather});
}

TEST_CASE("rewrites: reductions over the same devices are combined unless one needs the other", "[schedule]") {
  const std::string reduce = ", replica_groups={{0,1}}, channel_id=1, use_global_device_ids=true, to_apply=add\n";
  const std::string two =
      "  p = f32[128,256] parameter(0)\n  q = f32[64] parameter(1)\n"
      "  a = f32[128,256] all-reduce(p)" +
      reduce;
  const auto reductions = [](const Kernels& kernels) {
    size_t count = 0;
    for (const OpKind op : kernels.ops()) count += op == OpKind::all_reduce ? 1 : 0;
    return count;
  };
  const std::string root = "  ROOT t = (f32[128,256], f32[64]) tuple(a, b)\n";
  CHECK(reductions(Kernels(entry(two + "  b = f32[64] all-reduce(q)" + reduce + root), Compiler::gpu)) == 1);
  const std::string after =
      "  s = f32[1,64] slice(a), slice={[0:1], [0:64]}\n  r = f32[64] reshape(s)\n"
      "  b = f32[64] all-reduce(r)" +
      reduce + root;
  CHECK(reductions(Kernels(entry(two + after), Compiler::gpu)) == 2);
}

}  // namespace
}  // namespace sw
