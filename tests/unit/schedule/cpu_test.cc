// What XLA's CPU compiler makes of a program: each case is one rule, as its own dumps show it.
#include "schedule/combine_cpu.h"
#include "schedule/from_hlo.h"
#include "schedule/fusion.h"
#include "schedule/order.h"
#include "schedule/rewrite_cpu.h"
#include "support/hlo_text.h"

namespace sw {
namespace {

// What the entry runs, in order: the main op of each kernel with the extents of its result, and reshapes as bitcasts.
std::vector<std::string> kernels(const std::string& body, bool in_order = false) {
  const std::string text =
      "HloModule m\n\nsum {\n  x = f32[] parameter(0)\n  y = f32[] parameter(1)\n  ROOT s = f32[] add(x, y)\n}\n\n"
      "sum_s32 {\n  x = s32[] parameter(0)\n  y = s32[] parameter(1)\n  ROOT s = s32[] add(x, y)\n}\n\n"
      "sum_bf16 {\n  x = bf16[] parameter(0)\n  y = bf16[] parameter(1)\n  ROOT s = bf16[] add(x, y)\n}\n\n"
      "most {\n  x = f32[] parameter(0)\n  y = f32[] parameter(1)\n  ROOT s = f32[] maximum(x, y)\n}\n\n"
      "ENTRY main {\n" +
      body + "}\n";
  const Graph graph = hlo_graph(text);
  Diagnostics diagnostics;
  Result<MachineProgram> read = machine_program_inlined(graph, diagnostics);
  REQUIRE(read.has_value());
  rewrite_for_cpu(*read, graph);
  MachineProgram program = fuse(*read, Compiler::cpu);
  combine_reductions_for_cpu(program, graph);
  if (in_order) order_breadth_first(program);
  std::vector<std::string> out;
  for (const MachineOpId id : program.computation(program.entry).ops) {
    const MachineOp& op = program.op(id);
    if (op.kind != OpKind::fusion && op.kind != OpKind::bitcast) continue;
    std::string name(op.kind == OpKind::bitcast ? facts(op.kind).hlo : facts(op.does).hlo);
    if (!program.is_tuple(id)) {
      name += ' ';
      name += hlo_spelling(program.type_of(id).element);
      for (const int64_t extent : program.type_of(id).dims) name += ' ' + std::to_string(extent);
    }
    if (op.kind == OpKind::fusion && !program.kernels[op.kernel.index()].may_overwrite.empty()) name += " over";
    out.push_back(name);
  }
  return out;
}

using List = std::vector<std::string>;

const std::string kTwo = "  p = f32[64,64] parameter(0)\n  q = f32[64,64] parameter(1)\n";
const std::string kBoth = "  ROOT t = (f32[64,64], f32[64,64]) tuple(b, c)\n";

TEST_CASE("cpu: what is expensive is computed once, what is cheap again", "[schedule]") {
  const std::string read_twice = "  b = f32[64,64] add(a, q)\n  c = f32[64,64] multiply(a, q)\n" + kBoth;
  CHECK(kernels(kTwo + "  a = f32[64,64] exponential(p)\n" + read_twice) ==
        List{"exponential f32 64 64 over", "add f32 64 64 over", "multiply f32 64 64 over"});
  CHECK(kernels(kTwo + "  a = f32[64,64] negate(p)\n" + read_twice) ==
        List{"add f32 64 64 over", "multiply f32 64 64 over"});
  CHECK(kernels("  p = f32[64] parameter(0)\n  a = f32[64] exponential(p)\n"
                "  ROOT b = f32[64,64] broadcast(a), dimensions={0}\n") ==
        List{"exponential f32 64 over", "broadcast f32 64 64"});
}

TEST_CASE("cpu: what a product needs as a buffer is computed again elsewhere if it reads one array only",
          "[schedule]") {
  const std::string readers =
      "  b = f32[64,64] exponential(a)\n  c = f32[64,64] dot(a, q), lhs_contracting_dims={1}, "
      "rhs_contracting_dims={0}\n" +
      kBoth;
  CHECK(kernels(kTwo + "  a = f32[64,64] negate(p)\n" + readers) ==
        List{"exponential f32 64 64 over", "negate f32 64 64 over", "dot f32 64 64"});
  CHECK(kernels(kTwo + "  a = f32[64,64] add(p, q)\n" + readers) ==
        List{"add f32 64 64 over", "exponential f32 64 64 over", "dot f32 64 64"});
}

TEST_CASE("cpu: operands of products become [batch, rows, contracted] and [batch, contracted, columns]", "[schedule]") {
  const std::string head = "  p = f32[8,32,64] parameter(0)\n  q = f32[8,32,16] parameter(1)\n";
  // A gradient of weights: two contracted dimensions, the left operand must be turned.
  CHECK(kernels(head + "  ROOT d = f32[64,16] dot(p, q), lhs_contracting_dims={0,1}, rhs_contracting_dims={0,1}\n") ==
        List{"reshape f32 64 256", "bitcast f32 256 16", "dot f32 64 16"});
  // Batch in front, one dimension of either kind: as it stands.
  CHECK(kernels(head + "  ROOT d = f32[8,64,16] dot(p, q), lhs_batch_dims={0}, rhs_batch_dims={0}, "
                       "lhs_contracting_dims={1}, rhs_contracting_dims={1}\n") == List{"dot f32 8 64 16"});
  // A transposition of rows and columns is read the other way round.
  CHECK(kernels("  p = f32[64,32] parameter(0)\n  q = f32[16,32] parameter(1)\n"
                "  t = f32[32,16] transpose(q), dimensions={1,0}\n"
                "  ROOT d = f32[64,16] dot(p, t), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n") ==
        List{"dot f32 64 16"});
}

TEST_CASE("cpu: a kernel that gives its result another shape may not overwrite what it reads", "[schedule]") {
  const std::string head = "  p = f32[8,32,64] parameter(0)\n  w = f32[64,16] parameter(1)\n";
  CHECK(kernels(head +
                "  e = f32[8,32,64] exponential(p)\n  ROOT d = f32[8,32,16] dot(e, w), lhs_contracting_dims={2}, "
                "rhs_contracting_dims={0}\n") == List{"reshape f32 256 64", "dot f32 256 16", "bitcast f32 8 32 16"});
}

TEST_CASE("cpu: a large reduction takes in what only it reads, products too, and what reads only it", "[schedule]") {
  const std::string head = "  p = f32[64,64] parameter(0)\n  q = f32[64,64] parameter(1)\n  zero = f32[] constant(0)\n";
  const std::string dot = "  a = f32[64,64] dot(p, q), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n";
  const std::string reduce = "  ROOT r = f32[64] reduce(a, zero), dimensions={1}, to_apply=sum\n";
  CHECK(kernels(head + dot + reduce) == List{"reduce f32 64"});
  const std::string softmax =
      "  m = f32[64] reduce(p, zero), dimensions={1}, to_apply=most\n  n = f32[64,64] broadcast(m), dimensions={0}\n"
      "  s = f32[64,64] subtract(p, n)\n  e = f32[64,64] exponential(s)\n"
      "  t = f32[64] reduce(e, zero), dimensions={1}, to_apply=sum\n  u = f32[64,64] broadcast(t), dimensions={0}\n"
      "  ROOT d = f32[64,64] divide(e, u)\n";
  CHECK(kernels(head + softmax) ==
        List{"exponential f32 64 64", "reduce f32 64", "divide f32 64 over", "multiply f32 64 64 over"});
  // Too small for the library: the reduction waits for nothing, and the product is apart.
  const std::string small =
      "  p = f32[8,8] parameter(0)\n  q = f32[8,8] parameter(1)\n  zero = f32[] constant(0)\n"
      "  a = f32[8,8] dot(p, q), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n"
      "  ROOT r = f32[8] reduce(a, zero), dimensions={1}, to_apply=sum\n";
  CHECK(kernels(small) == List{"dot f32 8 8", "reduce f32 8"});
}

TEST_CASE("cpu: bf16 is computed as f32 and stored as what the program says", "[schedule]") {
  const std::string head = "  p = bf16[64,64] parameter(0)\n  q = bf16[64,64] parameter(1)\n";
  CHECK(kernels(head + "  a = bf16[64,64] dot(p, q), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n"
                       "  ROOT n = bf16[64,64] negate(a)\n") ==
        List{"convert f32 64 64", "convert f32 64 64", "dot f32 64 64", "convert bf16 64 64"});
}

TEST_CASE("cpu: convolutions of the entry get their features last, and the result is turned back", "[schedule]") {
  const std::string conv = "window={size=3x3 pad=1_1x1_1}, dim_labels=";
  CHECK(kernels("  x = f32[2,32,8,8] parameter(0)\n  w = f32[64,32,3,3] parameter(1)\n"
                "  ROOT c = f32[2,64,8,8] convolution(x, w), " +
                conv + "bf01_oi01->bf01\n") == List{"transpose f32 2 8 8 32", "transpose f32 3 3 32 64",
                                                    "convolution f32 2 8 8 64", "transpose f32 2 64 8 8"});
  CHECK(kernels("  x = f32[2,8,8,32] parameter(0)\n  w = f32[3,3,32,64] parameter(1)\n"
                "  ROOT c = f32[2,8,8,64] convolution(x, w), " +
                conv + "b01f_01io->b01f\n") == List{"convolution f32 2 8 8 64"});
}

TEST_CASE("cpu: gathers run along the outermost dimension, reductions over devices together", "[schedule]") {
  const std::string groups = "replica_groups={{0,1}}, channel_id=1, use_global_device_ids=true, ";
  CHECK(kernels("  p = f32[128,256] parameter(0)\n  ROOT g = f32[128,512] all-gather(p), " + groups +
                "dimensions={1}\n") ==
        List{"transpose f32 256 128", "all-gather f32 512 128", "transpose f32 128 512"});
  CHECK(kernels(kTwo + "  b = f32[64,64] all-reduce(p), " + groups + "to_apply=sum\n  c = f32[64,64] all-reduce(q), " +
                groups + "to_apply=sum\n" + kBoth) == List{"all-reduce"});
  CHECK(kernels(kTwo + "  b = f32[64,64] all-reduce(p), " + groups + "to_apply=sum\n  c = f32[64,64] all-reduce(q), " +
                groups + "to_apply=most\n" + kBoth) == List{"all-reduce f32 64 64", "all-reduce f32 64 64"});
}

TEST_CASE("cpu: an exchange sends pieces, which are cut out before and put together after", "[schedule]") {
  CHECK(kernels("  p = f32[128,256] parameter(0)\n  ROOT g = f32[128,256] all-to-all(p), replica_groups={{0,1}}, "
                "channel_id=1, dimensions={0}\n") ==
        List{"slice f32 64 256", "slice f32 64 256", "all-to-all", "concatenate f32 128 256"});
}

TEST_CASE("cpu: long reductions that the library does not do are done in pieces first", "[schedule]") {
  const std::string of =
      "  zero = s32[] constant(0)\n  e = s32[128,4096] negate(p)\n"
      "  ROOT r = s32[128] reduce(e, zero), dimensions={1}, to_apply=sum_s32\n";
  CHECK(kernels("  p = s32[128,4096] parameter(0)\n" + of) ==
        List{"negate s32 128 4096 over", "reduce-window s32 128 128", "reduce-window s32 128 4", "reduce s32 128"});
}

TEST_CASE("cpu: a sum of bf16 rounds at every step, which the library does not do", "[schedule]") {
  CHECK(kernels("  p = bf16[64,128] parameter(0)\n  zero = bf16[] constant(0)\n"
                "  ROOT r = bf16[64] reduce(p, zero), dimensions={1}, to_apply=sum_bf16\n") ==
        List{"convert f32 64 128", "reduce-window f32 64 4", "convert bf16 64"});
}

TEST_CASE("cpu: a conversion that the program asks for reads what has not been rounded", "[schedule]") {
  CHECK(kernels("  p = bf16[64,64] parameter(0)\n  zero = f32[] constant(0)\n  e = bf16[64,64] exponential(p)\n"
                "  w = f32[64,64] convert(e)\n  s = f32[64] reduce(w, zero), dimensions={1}, to_apply=sum\n"
                "  ROOT t = (bf16[64,64], f32[64]) tuple(e, s)\n") ==
        List{"exponential f32 64 64", "convert bf16 64 64", "reduce f32 64"});
}

TEST_CASE("cpu: products of f16 are computed in f32", "[schedule]") {
  CHECK(kernels("  p = f16[64,64] parameter(0)\n  q = f16[64,64] parameter(1)\n"
                "  ROOT d = f16[64,64] dot(p, q), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n") ==
        List{"convert f32 64 64", "convert f32 64 64", "dot f32 64 64", "convert f16 64 64"});
}

TEST_CASE("cpu: a selection from windows finds the places by an array of numbers for each dimension", "[schedule]") {
  CHECK(kernels("  p = f32[8,8] parameter(0)\n  s = f32[4,4] parameter(1)\n  zero = f32[] constant(0)\n"
                "  ROOT r = f32[8,8] select-and-scatter(p, s, zero), window={size=2x2 stride=2x2}, select=most, "
                "scatter=sum\n") == List{"broadcast f32 8 8", "iota s32 8 8", "iota s32 8 8", "reduce-window",
                                         "concatenate s32 16 2", "scatter f32 8 8"});
}

TEST_CASE("cpu: a mask that multiplies selects, which the library does not do", "[schedule]") {
  const std::string body =
      "  p = f32[64,64] parameter(0)\n  q = f32[64,64] parameter(1)\n  zero = f32[] constant(0)\n"
      "  c = pred[64,64] compare(p, q), direction=LT\n  m = f32[64,64] convert(c)\n  x = f32[64,64] multiply(m, q)\n"
      "  ROOT r = f32[64] reduce(x, zero), dimensions={1}, to_apply=sum\n";
  CHECK(kernels(body) == List{"select f32 64 64 over", "reduce f32 64"});
}

TEST_CASE("cpu: elementwise ops work on what has not been reshaped yet", "[schedule]") {
  CHECK(kernels("  p = f32[8,32,64] parameter(0)\n  w = f32[64,16] parameter(1)\n"
                "  d = f32[8,32,16] dot(p, w), lhs_contracting_dims={2}, rhs_contracting_dims={0}\n"
                "  ROOT e = f32[8,32,16] exponential(d)\n") ==
        List{"bitcast f32 256 64", "dot f32 256 16", "reshape f32 8 32 16"});
}

TEST_CASE("cpu: of an image smaller than the filter, the filter is turned round and slid over", "[schedule]") {
  CHECK(
      kernels(
          "  x = f32[2,2,2,32] parameter(0)\n  w = f32[3,3,32,64] parameter(1)\n"
          "  ROOT c = f32[2,2,2,64] convolution(x, w), window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f\n") ==
      List{"reverse f32 3 3 32 64", "convolution f32 2 2 2 64"});
}

TEST_CASE("cpu: a convolution in groups along the batch computes all pairs of groups", "[schedule]") {
  CHECK(kernels("  x = f32[16,8,8,4] parameter(0)\n  w = f32[8,8,4,16] parameter(1)\n"
                "  ROOT c = f32[1,3,3,16] convolution(x, w), window={size=8x8 pad=1_1x1_1}, "
                "dim_labels=b01f_01io->b01f, batch_group_count=16\n") ==
        List{"convolution f32 16 3 3 16", "select f32 16 3 3 16 over", "reduce f32 1 3 3 16"});
}

TEST_CASE("cpu: ops run as they become ready", "[schedule]") {
  const std::string call = ", custom_call_target=\"f\"\n";
  const std::string body = "  p = f32[8] parameter(0)\n  q = f32[8] parameter(1)\n  a = f32[16] custom-call(p)" + call +
                           "  b = f32[17] custom-call(a)" + call + "  c = f32[18] custom-call(q)" + call +
                           "  ROOT r = f32[19] custom-call(b, c)" + call;
  CHECK(kernels(body, /*in_order=*/true) ==
        List{"custom-call f32 16", "custom-call f32 18", "custom-call f32 17", "custom-call f32 19"});
}

}  // namespace
}  // namespace sw
