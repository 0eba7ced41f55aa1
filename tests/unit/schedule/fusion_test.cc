#include "schedule/fusion.h"

#include "schedule/from_hlo.h"
#include "schedule/rewrite_gpu.h"
#include "schedule/rewrite_tpu.h"
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
    if (compiler == Compiler::tpu) rewrite_for_tpu(*read, graph);
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

TEST_CASE("fusion: an update is in place, and a fill is made anew for each use, on a GPU all at once", "[schedule]") {
  const std::string text = entry(
      "  u = f32[1,1024] parameter(0)\n  i = s32[] parameter(1)\n  zero = s32[] constant(0)\n"
      "  f = f32[] constant(0)\n  z = f32[64,1024] broadcast(f), dimensions={}\n"
      "  a = f32[64,1024] dynamic-update-slice(z, u, i, zero)\n"
      "  b = f32[64,1024] dynamic-update-slice(z, u, zero, i)\n"
      "  ROOT t = (f32[64,1024], f32[64,1024]) tuple(a, b)\n");
  const auto count = [&](Compiler compiler) {
    const Kernels k(text, compiler);
    std::vector<size_t> fills, updates(1, 0);
    for (size_t i = 0; i < k.ids.size(); ++i) {
      const Type type = k.program.type_of(k.ids[i]);
      if (k.program.op(k.ids[i]).operands.empty()) fills.push_back(type.is_array() ? 1 : type.elements.size());
      updates[0] += k.facts(i).in_place.size();
    }
    CHECK(updates[0] == 2);
    return fills;
  };
  CHECK(count(Compiler::tpu) == std::vector<size_t>{1, 1});
  CHECK(count(Compiler::gpu) == std::vector<size_t>{2});
}

TEST_CASE("fusion: a long computation is not repeated for two users, a short one is", "[schedule]") {
  const auto kernels = [](const std::string& made) {
    return Kernels(entry("  p = f32[1024,4096] parameter(0)\n  q = f32[4096,1024] parameter(1)\n" + made +
                         "  x = f32[4096,1024] transpose(a), dimensions={1,0}\n  b = f32[4096,1024] add(x, q)\n"
                         "  zero = f32[] constant(0)\n"
                         "  r = f32[4096] reduce(a, zero), dimensions={0}, to_apply=add\n"
                         "  ROOT t = (f32[4096,1024], f32[4096]) tuple(b, r)\n"),
                   Compiler::gpu)
        .ids.size();
  };
  CHECK(kernels("  a = f32[1024,4096] negate(p)\n") == 1);
  const std::string power = "f32[1024,4096] power(";
  CHECK(kernels("  a1 = " + power + "p, p)\n  a2 = " + power + "a1, p)\n  a = " + power + "a2, a1)\n") == 2);
}

TEST_CASE("fusion: what a product reads as another view stays in memory for it alone", "[schedule]") {
  const Kernels k(entry("  p = f32[8,128,512] parameter(0)\n  q = f32[8,128,512] parameter(1)\n"
                        "  w = f32[512,256] parameter(2)\n  a = f32[8,128,512] multiply(p, q)\n"
                        "  v = f32[1024,512] reshape(a)\n"
                        "  d = f32[1024,256] dot(v, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n"
                        "  b = f32[128,8,512] transpose(a), dimensions={1,0,2}\n"
                        "  ROOT t = (f32[1024,256], f32[128,8,512]) tuple(d, b)\n"),
                  Compiler::gpu);
  REQUIRE(k.ops() == Ops{OpKind::multiply, OpKind::dot_general, OpKind::transpose});
  CHECK(k.program.op(k.ids[2]).operands.size() == 2);  // what is multiplied, not the product
}

TEST_CASE("fusion: softmax is one kernel, of rows that fit into registers", "[schedule]") {
  const auto kernels = [](const std::string& length) {
    const std::string all = "f32[64," + length + "] ";
    return Kernels(entry("  p = " + all +
                         "parameter(0)\n  low = f32[] constant(-inf)\n  zero = f32[] constant(0)\n"
                         "  m = f32[64] reduce(p, low), dimensions={1}, to_apply=add\n"
                         "  mb = " +
                         all + "broadcast(m), dimensions={0}\n  x = " + all +
                         "subtract(p, mb)\n"
                         "  e = " +
                         all +
                         "exponential(x)\n"
                         "  s = f32[64] reduce(e, zero), dimensions={1}, to_apply=add\n"
                         "  sb = " +
                         all + "broadcast(s), dimensions={0}\n  ROOT y = " + all + "divide(e, sb)\n"),
                   Compiler::gpu)
        .ids.size();
  };
  CHECK(kernels("16384") == 1);
  CHECK(kernels("16640") > 1);
}

TEST_CASE("rewrites: a gather along an inner dimension is transposed before and after", "[schedule]") {
  const std::string gather = "replica_groups={{0,1}}, channel_id=1, use_global_device_ids=true, dimensions=";
  const std::string head = "  p = f32[128,256] parameter(0)\n  ROOT g = ";
  CHECK(Kernels(entry(head + "f32[128,512] all-gather(p), " + gather + "{1}\n"), Compiler::gpu).ops() ==
        Ops{OpKind::transpose, OpKind::all_gather, OpKind::transpose});
  CHECK(Kernels(entry(head + "f32[256,256] all-gather(p), " + gather + "{0}\n"), Compiler::gpu).ops() ==
        Ops{OpKind::all_gather});
}

TEST_CASE("rewrites: a cache that a product wants in another order is laid out anew and updated so", "[schedule]") {
  const std::string cache = "f32[8,512,4,64]";
  const Kernels k(entry("  c = " + cache +
                        " parameter(0)\n  u = f32[8,1,4,64] parameter(1)\n  i = s32[] parameter(2)\n"
                        "  q = f32[8,4,64] parameter(3)\n  zero = s32[] constant(0)\n  n = " +
                        cache +
                        " dynamic-update-slice(c, u, zero, i, zero, zero)\n"
                        "  d = f32[8,4,512] dot(q, n), lhs_batch_dims={0,1}, lhs_contracting_dims={2}, "
                        "rhs_batch_dims={0,2}, rhs_contracting_dims={3}\n  ROOT t = (f32[8,4,512], " +
                        cache + ") tuple(d, n)\n"),
                  Compiler::gpu);
  // Laid out anew, updated for the product; and turned back from what is updated again on the way.
  REQUIRE(k.ops() == Ops{OpKind::transpose, OpKind::dynamic_update_slice, OpKind::dot_general, OpKind::transpose});
  CHECK(k.program.op(k.ids[3]).operands[0] == k.ids[0]);
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

const std::string kImage = "f32[32,56,56,64]";

TEST_CASE("rewrites: a convolution adds what alone is added to it, and cuts off below zero", "[schedule]") {
  const std::string head = "  p = " + kImage + " parameter(0)\n  w = f32[3,3,64,64] parameter(1)\n  r = " + kImage +
                           " parameter(2)\n  n = f32[64] parameter(3)\n  c = " + kImage +
                           " convolution(p, w), window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f\n";
  const std::string sum = "  a = " + kImage + " add(c, r)\n";
  const std::string relu = "  zero = f32[] constant(0)\n  z = " + kImage +
                           " broadcast(zero), dimensions={}\n  ROOT y = " + kImage + " maximum(a, z)\n";
  const Kernels taken(entry(head + sum + relu), Compiler::gpu);
  REQUIRE(taken.ops() == Ops{OpKind::transpose, OpKind::convolution});
  CHECK(taken.program.op(taken.ids[1]).operands.size() == 3);
  const std::string bias = "  b = " + kImage + " broadcast(n), dimensions={3}\n  s = " + kImage +
                           " add(c, b)\n  a = " + kImage + " add(r, s)\n";
  const Kernels both(entry(head + bias + relu), Compiler::gpu);
  REQUIRE(both.ops() == Ops{OpKind::transpose, OpKind::convolution});
  CHECK(both.program.op(both.ids[1]).operands.size() == 4);
  const std::string read_again = sum + "  ROOT y = (" + kImage + ", " + kImage + ") tuple(a, c)\n";
  CHECK(Kernels(entry(head + read_again), Compiler::gpu).ops() ==
        Ops{OpKind::transpose, OpKind::convolution, OpKind::add});
}

TEST_CASE("rewrites: a convolution for the gradient of its input reads the filter of the forward one", "[schedule]") {
  const std::string window = ", window={size=3x3 pad=1_1x1_1}, dim_labels=";
  const Kernels k(entry("  p = " + kImage + " parameter(0)\n  g = " + kImage +
                        " parameter(1)\n"
                        "  w = f32[3,3,64,64] parameter(2)\n  c = " +
                        kImage + " convolution(p, w)" + window +
                        "b01f_01io->b01f\n  v = f32[3,3,64,64] reverse(w), dimensions={0,1}\n  d = " + kImage +
                        " convolution(g, v)" + window + "b01f_01oi->b01f\n  ROOT t = (" + kImage + ", " + kImage +
                        ") tuple(c, d)\n"),
                  Compiler::gpu);
  CHECK(k.ops() == Ops{OpKind::transpose, OpKind::convolution, OpKind::convolution});
  // For that of its filter, whose window is the image, nothing is turned.
  const Kernels filter(entry("  p = " + kImage + " parameter(0)\n  g = " + kImage +
                             " parameter(1)\n"
                             "  ROOT c = f32[3,3,64,64] convolution(p, g), window={size=56x56 pad=1_1x1_1}, "
                             "dim_labels=f01b_i01o->01bf\n"),
                       Compiler::gpu);
  CHECK(filter.ops() == Ops{OpKind::convolution});
}

TEST_CASE("rewrites: an image is padded for a convolution that pads its sides differently", "[schedule]") {
  const auto ops = [](const std::string& window, const std::string& result) {
    return Kernels(
               entry("  p = " + kImage + " parameter(0)\n  w = f32[3,3,64,64] parameter(1)\n  ROOT c = f32[32," +
                     result + ",64] convolution(p, w), window={size=3x3 " + window + "}, dim_labels=b01f_01io->b01f\n"),
               Compiler::gpu)
        .ops();
  };
  CHECK(ops("stride=2x2 pad=0_1x0_1", "28,28") == Ops{OpKind::pad, OpKind::transpose, OpKind::convolution});
  CHECK(ops("pad=1_1x1_1", "56,56") == Ops{OpKind::transpose, OpKind::convolution});
}

TEST_CASE("rewrites: on a TPU one element a row is picked from memory, and set by comparing", "[schedule]") {
  const std::string rows = "f32[64,1024]";
  const Kernels picked(entry("  p = " + rows + " parameter(0)\n  i = s32[64,1] parameter(1)\n  e = " + rows +
                             " exponential(p)\n  ROOT g = f32[64] gather(e, i), offset_dims={}, "
                             "collapsed_slice_dims={1}, operand_batching_dims={0}, start_indices_batching_dims={0}, "
                             "start_index_map={1}, index_vector_dim=1, slice_sizes={1,1}\n"),
                       Compiler::tpu);
  CHECK(picked.ops() == Ops{OpKind::exponential, OpKind::gather});
  const Kernels set(entry("  p = " + rows +
                          " parameter(0)\n  i = s32[64,1] parameter(1)\n  u = f32[64] parameter(2)\n"
                          "  zero = f32[] constant(0)\n  z = " +
                          rows + " broadcast(zero), dimensions={}\n  s = " + rows +
                          " scatter(z, i, u), update_window_dims={}, inserted_window_dims={1}, "
                          "input_batching_dims={0}, scatter_indices_batching_dims={0}, "
                          "scatter_dims_to_operand_dims={1}, index_vector_dim=1, to_apply=add\n  ROOT a = " +
                          rows + " add(p, s)\n"),
                    Compiler::tpu);
  CHECK(set.ops() == Ops{OpKind::add});
}

TEST_CASE("fusion: a TPU's product makes wider what it masks and reduces by rows, not what is only converted",
          "[schedule]") {
  const auto first = [](const std::string& rest) {
    const Kernels k(entry("  p = bf16[512,512] parameter(0)\n  q = bf16[512,512] parameter(1)\n"
                          "  d = bf16[512,512] dot(p, q), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n"
                          "  c = f32[512,512] convert(d)\n  zero = f32[] constant(0)\n  f = f32[] constant(0.5)\n"
                          "  h = f32[512,512] broadcast(f), dimensions={}\n" +
                          rest),
                    Compiler::tpu);
    const Type type = k.program.type_of(k.ids[0]);
    return type.is_array() ? type.element : k.program.types.get(type.elements[0]).element;
  };
  const std::string reduce = ", zero), dimensions={1}, to_apply=add\n";
  const std::string root = "  e = f32[512,512] exponential(c)\n  ROOT t = (f32[512], f32[512,512]) tuple(r, e)\n";
  CHECK(first("  m = f32[512,512] multiply(c, h)\n  r = f32[512] reduce(m" + reduce +
              "  e = f32[512,512] exponential(m)\n  ROOT t = (f32[512], f32[512,512]) tuple(r, e)\n") ==
        ElementType::f32);
  CHECK(first("  r = f32[512] reduce(c" + reduce + root) == ElementType::bf16);
}

}  // namespace
}  // namespace sw
