// Faulty ops, each with what verify says: position, kind, what was seen and expected. Then what must be let pass.
#include "unit/ops/reading.h"

using namespace sw;
using test::Reading;

namespace {

struct Case {
  const char* args;
  const char* body;
  const char* said;
};

const Case kFaults[] = {
    {R"(%a: tensor<8xf32>, %b: tensor<4xf32>)",
     R"(%0 = "stablehlo.add"(%a, %b) : (tensor<8xf32>, tensor<4xf32>) -> tensor<8xf32>)",
     "2:1-79 type-mismatch: `stablehlo.add`: operand 1 has shape 4, the result 8, expected equal shapes\n"},
    {R"(%a: tensor<8xf32>)", R"(%0 = "stablehlo.add"(%a, %a) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xbf16>)",
     "2:1-80 type-mismatch: `stablehlo.add`: operand 0 and result have elements of `f32` and `bf16`, expected one "
     "type\n"},
    {R"(%a: tensor<8xf32>)", R"(%0:2 = "stablehlo.tanh"(%a) : (tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>))",
     "2:1-80 wrong-arity: `stablehlo.tanh`: 2 results, expected 1\n"},
    {R"(%a: tensor<8xf32>)",
     R"(%0 = "stablehlo.compare"(%a, %a) <{comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi32>)",
     "2:1-146 type-mismatch: `stablehlo.compare`: the result is `tensor<8xi32>`, expected elements that are true or "
     "false\n"},
    {R"(%a: tensor<8xf32>)", R"(%0 = "stablehlo.compare"(%a, %a) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>)",
     "2:1-82 bad-attribute: `stablehlo.compare`: attribute `comparison_direction` is missing\n"},
    {R"(%p: tensor<4xi1>, %a: tensor<8xf32>)",
     R"(%0 = "stablehlo.select"(%p, %a, %a) : (tensor<4xi1>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>)",
     "2:1-100 type-mismatch: `stablehlo.select`: the predicate has shape 4, expected a scalar or 8\n"},
    {R"(%s: tensor<4xf32>, %a: tensor<8xf32>)",
     R"(%0 = "stablehlo.clamp"(%s, %a, %a) : (tensor<4xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>)",
     "2:1-100 type-mismatch: `stablehlo.clamp`: operand 0 has shape 4, expected a scalar or 8\n"},
    {R"(%a: tensor<8xf32>)",
     R"(%0 = "stablehlo.complex"(%a, %a) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xcomplex<f64>>)",
     "2:1-92 type-mismatch: `stablehlo.complex`: the result is `tensor<8xcomplex<f64>>`, expected complex elements "
     "with parts as in `tensor<8xf32>`\n"},
    {R"(%a: tensor<8x4xf32>)", R"(%0 = "stablehlo.reshape"(%a) : (tensor<8x4xf32>) -> tensor<8x3xf32>)",
     "2:1-68 type-mismatch: `stablehlo.reshape`: the operand `tensor<8x4xf32>` has 32 elements, the result "
     "`tensor<8x3xf32>` has 24\n"},
    {R"(%a: tensor<8x4xf32>)",
     R"(%0 = "stablehlo.broadcast_in_dim"(%a) <{broadcast_dimensions = array<i64: 0, 0>}> : (tensor<8x4xf32>) -> tensor<8x4xf32>)",
     "2:1-121 bad-attribute: `stablehlo.broadcast_in_dim`: broadcast dimension 0 is given twice\n"},
    {R"(%a: tensor<8x4xf32>)",
     R"(%0 = "stablehlo.broadcast_in_dim"(%a) <{broadcast_dimensions = array<i64: 0, 2>}> : (tensor<8x4xf32>) -> tensor<8x4x5xf32>)",
     "2:1-123 type-mismatch: `stablehlo.broadcast_in_dim`: dimension 1 of size 4 cannot become dimension 2 of size "
     "5\n"},
    {R"(%a: tensor<8x4xf32>)",
     R"(%0 = "stablehlo.transpose"(%a) <{permutation = array<i64: 0, 2>}> : (tensor<8x4xf32>) -> tensor<8x4xf32>)",
     "2:1-105 bad-attribute: `stablehlo.transpose`: permuted dimension 2 is out of range, expected a dimension of a "
     "tensor of rank 2\n"},
    {R"(%a: tensor<8x4xf32>)",
     R"(%0 = "stablehlo.transpose"(%a) <{permutation = array<i64: 1, 0>}> : (tensor<8x4xf32>) -> tensor<8x4xf32>)",
     "2:1-105 type-mismatch: `stablehlo.transpose`: the result has shape 8x4, expected 4x8\n"},
    {R"(%a: tensor<8xf32>)",
     R"(%0 = "stablehlo.slice"(%a) <{start_indices = array<i64: 2>, limit_indices = array<i64: 9>, strides = array<i64: 1>}> : (tensor<8xf32>) -> tensor<7xf32>)",
     "2:1-152 bad-attribute: `stablehlo.slice`: bounds 2:9 of dimension 0 do not lie within its size 8\n"},
    {R"(%a: tensor<8xf32>)",
     R"(%0 = "stablehlo.slice"(%a) <{start_indices = array<i64: 2>, limit_indices = array<i64: 8>, strides = array<i64: 0>}> : (tensor<8xf32>) -> tensor<7xf32>)",
     "2:1-152 bad-attribute: `stablehlo.slice`: stride 0 of dimension 0, expected a positive one\n"},
    {R"(%a: tensor<8xf32>, %s: tensor<f32>)",
     R"(%0 = "stablehlo.pad"(%a, %s) <{edge_padding_low = array<i64: 1>, edge_padding_high = array<i64: 1>, interior_padding = array<i64: 0>}> : (tensor<8xf32>, tensor<f32>) -> tensor<9xf32>)",
     "2:1-183 type-mismatch: `stablehlo.pad`: the result has shape 9, expected 10\n"},
    {R"(%a: tensor<8xf32>, %s: tensor<f32>)",
     R"(%0 = "stablehlo.pad"(%a, %s) <{edge_padding_low = array<i64: 1>, edge_padding_high = array<i64: 9223372036854775807>, interior_padding = array<i64: 0>}> : (tensor<8xf32>, tensor<f32>) -> tensor<9xf32>)",
     "2:1-201 bad-attribute: `stablehlo.pad`: the padded size of dimension 0 is below 0 or too large for 64 bits\n"},
    {R"(%a: tensor<8x4xf32>, %b: tensor<7x4xf32>)",
     R"(%0 = "stablehlo.concatenate"(%a, %b) <{dimension = 1 : i64}> : (tensor<8x4xf32>, tensor<7x4xf32>) -> tensor<8x8xf32>)",
     "2:1-117 type-mismatch: `stablehlo.concatenate`: operand 1 has shape 7x4, operand 0 8x4, expected equal sizes but "
     "in dimension 1\n"},
    {R"()", R"(%0 = "stablehlo.concatenate"() <{dimension = 1 : i64}> : () -> tensor<8x8xf32>)",
     "2:1-79 invalid-op: `stablehlo.concatenate`: no operands, expected at least one\n"},
    {R"()", R"(%0 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<8xi32>)",
     "2:1-75 bad-attribute: `stablehlo.iota`: iota dimension 1 is out of range, expected a dimension of a tensor of "
     "rank 1\n"},
    {R"(%a: tensor<8x4xf32>, %b: tensor<5x3xf32>)",
     R"(%0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<8x4xf32>, tensor<5x3xf32>) -> tensor<8x3xf32>)",
     "2:1-120 type-mismatch: `stablehlo.dot_general`: contracting dimensions 1 of the left and 0 of the right operand "
     "have sizes 4 and 5, expected equal ones\n"},
    {R"(%a: tensor<8x4xf32>, %b: tensor<4x3xf32>)",
     R"(%0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<8x4xf32>, tensor<4x3xf32>) -> tensor<3x8xf32>)",
     "2:1-120 type-mismatch: `stablehlo.dot_general`: the result has shape 3x8, expected 8x3\n"},
    {R"(%a: tensor<8x4xf32>, %b: tensor<4x3xf32>)",
     R"(%0 = stablehlo.dot_general %a, %b, batching_dims = [1] x [0], contracting_dims = [1] x [0] : (tensor<8x4xf32>, tensor<4x3xf32>) -> tensor<4x8x3xf32>)",
     "2:1-149 bad-attribute: `stablehlo.dot_general`: batching or contracting dimension of the left operand 1 is given "
     "twice\n"},
    {R"(%a: tensor<8x4xf32>, %b: tensor<4x3xf32>)",
     R"(%0 = stablehlo.dot_general %a, %b, contracting_dims = [1, 0] x [0] : (tensor<8x4xf32>, tensor<4x3xf32>) -> tensor<3xf32>)",
     "2:1-121 bad-attribute: `stablehlo.dot_general`: 2 contracting dimensions on the left and 1 on the right, "
     "expected as many\n"},
    {R"(%a: tensor<8x32x12xf32>, %b: tensor<3x5x16xf32>)",
     R"(%0 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<8x32x12xf32>, tensor<3x5x16xf32>) -> tensor<8x30x16xf32>)",
     "2:1-221 type-mismatch: `stablehlo.convolution`: the kernel has 5 input features, expected 6\n"},
    {R"(%a: tensor<8x32x12xf32>, %b: tensor<3x12x16xf32>)",
     R"(%0 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [2]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<8x32x12xf32>, tensor<3x12x16xf32>) -> tensor<8x30x16xf32>)",
     "2:1-234 type-mismatch: `stablehlo.convolution`: the result has shape 8x30x16, expected 8x15x16\n"},
    {R"(%a: tensor<8x4xf32>, %s: tensor<f32>)",
     R"(%0 = stablehlo.reduce(%a init: %s) applies stablehlo.add across dimensions = [2] : (tensor<8x4xf32>, tensor<f32>) -> tensor<8xf32>)",
     "2:1-131 bad-attribute: `stablehlo.reduce`: reduced dimension 2 is out of range, expected a dimension of a tensor "
     "of rank 2\n"},
    {R"(%a: tensor<8x4xf32>, %s: tensor<f32>)",
     R"(%0 = stablehlo.reduce(%a init: %s) applies stablehlo.add across dimensions = [0] : (tensor<8x4xf32>, tensor<f32>) -> tensor<8xf32>)",
     "2:1-131 type-mismatch: `stablehlo.reduce`: result 0 has shape 8, expected 4\n"},
    {R"(%a: tensor<5x3xf32>, %i: tensor<4x1xi32>)",
     R"(%0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 3>, slice_sizes = array<i64: 1, 3>}> : (tensor<5x3xf32>, tensor<4x1xi32>) -> tensor<4x3xf32>)",
     "2:1-254 bad-attribute: `stablehlo.gather`: index_vector_dim 3 is out of range for indices of rank 2\n"},
    {R"(%a: tensor<5x3xf32>, %i: tensor<4x1xi32>)",
     R"(%0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>}> : (tensor<5x3xf32>, tensor<4x1xi32>) -> tensor<4x3xf32>)",
     "2:1-254 bad-attribute: `stablehlo.gather`: slice size 4 of dimension 1 does not lie within its size 3\n"},
    {R"(%a: tensor<5x3xf32>, %i: tensor<4x1xf32>)",
     R"(%0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>}> : (tensor<5x3xf32>, tensor<4x1xf32>) -> tensor<4x3xf32>)",
     "2:1-254 type-mismatch: `stablehlo.gather`: the indices are not integers\n"},
    {R"(%a: tensor<32x4xf32>, %i: tensor<i32>)",
     R"(%0 = "stablehlo.dynamic_slice"(%a, %i) <{slice_sizes = array<i64: 32, 1>}> : (tensor<32x4xf32>, tensor<i32>) -> tensor<32x1xf32>)",
     "2:1-129 wrong-arity: `stablehlo.dynamic_slice`: 1 start index, expected 2\n"},
    {R"(%a: tensor<32xf32>, %u: tensor<33xf32>, %i: tensor<i32>)",
     R"(%0 = "stablehlo.dynamic_update_slice"(%a, %u, %i) : (tensor<32xf32>, tensor<33xf32>, tensor<i32>) -> tensor<32xf32>)",
     "2:1-116 type-mismatch: `stablehlo.dynamic_update_slice`: dimension 0 of the update has size 33, expected at most "
     "32\n"},
    {R"(%a: tensor<3x4xf32>)",
     R"(%0 = "stablehlo.cholesky"(%a) <{lower = true}> : (tensor<3x4xf32>) -> tensor<3x4xf32>)",
     "2:1-86 type-mismatch: `stablehlo.cholesky`: the operand has shape 3x4, expected square matrices\n"},
    {R"(%a: tensor<8xcomplex<f32>>)",
     R"(%0 = "stablehlo.fft"(%a) <{fft_type = #stablehlo<fft_type RFFT>, fft_length = array<i64: 8>}> : (tensor<8xcomplex<f32>>) -> tensor<5xcomplex<f32>>)",
     "2:1-147 type-mismatch: `stablehlo.fft`: operand `tensor<8xcomplex<f32>>` and result `tensor<5xcomplex<f32>>` do "
     "not fit the type of the transform\n"},
    {R"(%a: tensor<8xf32>)",
     R"(%0 = "stablehlo.all_reduce"(%a) <{replica_groups = dense<[[0, 0]]> : tensor<1x2xi64>}> ({
^bb0(%x: tensor<f32>, %y: tensor<f32>):
  %m = stablehlo.add %x, %y : tensor<f32>
  stablehlo.return %m : tensor<f32>
}) : (tensor<8xf32>) -> tensor<8xf32>)",
     "2:1-38 bad-attribute: `stablehlo.all_reduce`: replica id 0 is given twice\n"},
    {R"(%a: tensor<8xf32>)", R"(%0 = "stablehlo.optimization_barrier"(%a) : (tensor<8xf32>) -> tensor<7xf32>)",
     "2:1-77 type-mismatch: `stablehlo.optimization_barrier`: result 0 is `tensor<7xf32>`, expected `tensor<8xf32>`\n"},
    {R"(%a: tensor<8xf32>)", R"(%0 = stablehlo.while(%c = %a) : tensor<8xf32>
cond {
  %t = stablehlo.constant dense<true> : tensor<2xi1>
  stablehlo.return %t : tensor<2xi1>
} do {
  stablehlo.return %c : tensor<8xf32>
})",
     "2:1-2 type-mismatch: `stablehlo.while`: the value that the condition returns is not a single true or false\n"},
    {R"(%a: tensor<8xf32>)", R"(%0 = "stablehlo.while"(%a) ({
^bb0(%c: tensor<8xf32>):
  %t = stablehlo.constant dense<true> : tensor<i1>
  stablehlo.return %t : tensor<i1>
}, {
^bb0(%c: tensor<8xf32>):
  stablehlo.return %c, %c : tensor<8xf32>, tensor<8xf32>
}) : (tensor<8xf32>) -> tensor<8xf32>)",
     "2:1-38 invalid-op: `stablehlo.while`: the region `do` returns 2 values, expected 1\n"},
    {R"(%i: tensor<i32>, %a: tensor<8xf32>)", R"(%0 = "stablehlo.case"(%i) ({
  stablehlo.return %i : tensor<i32>
}) : (tensor<i32>) -> tensor<8xf32>)",
     "2:1-36 type-mismatch: `stablehlo.case`: value 0 returned by the region `branch 0` is `tensor<i32>`, expected "
     "`tensor<8xf32>`\n"},
    {R"(%a: tensor<*xf32>)", R"(%0 = "stablehlo.negate"(%a) : (tensor<*xf32>) -> tensor<*xf32>)",
     "1:11-16 unsupported: `@main`: `tensor<*xf32>` has no rank, expected tensors of known rank\n2:1-63 unsupported: "
     "`stablehlo.negate`: `tensor<*xf32>` has no rank, expected tensors of known rank\n"},
    {R"(%a: tensor<8xf32>)",
     R"(%0 = stablehlo.custom_call @f(%a) {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i]) {i=8, j=1}>} : (tensor<8xf32>) -> tensor<8xf32>)",
     "2:1-141 invalid-sharding: `stablehlo.custom_call`: the rule gives 2 dimensions to operand 0 of rank 1\n"},
    {R"(%a: tensor<8xf32>)",
     R"(%0 = stablehlo.custom_call @f(%a) {sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([a]) {i=8}>} : (tensor<8xf32>) -> tensor<8xf32>)",
     "2:1-133 bad-attribute: `stablehlo.custom_call`: sharding rule `<([i])->([a]) {i=8}>`: expected a factor, `i` to "
     "`z` or `z_1`, `z_2`, ..., found `a`\n"},
};

}  // namespace

TEST_CASE("a faulty op is reported", "[verify]") {
  for (const Case& c : kFaults) {
    INFO(c.body);
    CHECK(Reading::function(c.args, c.body).verified() == c.said);
  }
}

TEST_CASE("shardings fit their values", "[verify]") {
  const std::string mesh = "sdy.mesh @mesh = <[\"x\"=2, \"y\"=2]>\n";
  CHECK(Reading::mlir(mesh + R"(func.func @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  return
})")
            .verified()
            .find("sharding-rank") != std::string::npos);
  CHECK(Reading::mlir(mesh + R"(func.func @main(%a: tensor<8x4xf32>) {
  %0 = stablehlo.negate %a {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>, <@mesh, [{}, {}]>]>} : tensor<8x4xf32>
  return
})")
            .verified() == "3:3-129 invalid-sharding: `stablehlo.negate`: 2 shardings in `sdy.sharding`, expected 1\n");
  CHECK(Reading::hlo(R"(HloModule m
ENTRY e {
  a = f32[8,4] parameter(0), sharding={devices=[2]<=[2]}
  b = f32[8,4] negate(a), sharding={{devices=[2,1]<=[2]}, {replicated}}
  ROOT c = f32[8,4] negate(b), sharding={devices=[2,1]<=[2]}
})")
            .verified() ==
        "3:3-3 sharding-rank: `a`: a sharding of rank 1 on a value of rank 2\n"
        "4:3-3 sharding-rank: `negate`: a tuple sharding on a value that is no tuple\n");
  // An axis that the enclosing manual computation has taken.
  const std::string said = Reading::mlir(mesh + R"(func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%b: tensor<4xf32>) {
    %1 = stablehlo.negate %b {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<4xf32>
    sdy.return %1 : tensor<4xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
})")
                               .verified();
  CHECK(said.substr(0, 2) == "4:");
  CHECK(said.find("`x`") != std::string::npos);
}

TEST_CASE("shapes that are not static are let pass", "[verify]") {
  CHECK(Reading::function("%a: tensor<?x4xf32>, %b: tensor<4x?xf32>, %s: tensor<f32>", R"(
%0 = stablehlo.add %a, %a : tensor<?x4xf32>
%1 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<?x4xf32>, tensor<4x?xf32>) -> tensor<?x?xf32>
%2 = stablehlo.reduce(%1 init: %s) applies stablehlo.add across dimensions = [0] : (tensor<?x?xf32>, tensor<f32>) -> tensor<?xf32>
%3 = stablehlo.reshape %a : (tensor<?x4xf32>) -> tensor<8xf32>
%4 = stablehlo.concatenate %a, %a, dim = 0 : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
%5 = stablehlo.transpose %a, dims = [1, 0] : (tensor<?x4xf32>) -> tensor<4x?xf32>)")
            .verified() == "");
}

TEST_CASE("HLO has tuples, mixed widths and layouts", "[verify]") {
  CHECK(Reading::hlo(R"(HloModule m
add { x = f32[] parameter(0) y = f32[] parameter(1) ROOT s = f32[] add(x, y) }
ENTRY e {
  a = bf16[8,4]{1,0} parameter(0)
  b = f32[8,4]{0,1} parameter(1)
  c = f32[8,4] add(a, b)
  z = f32[] constant(0)
  r = f32[8] reduce(c, z), dimensions={1}, to_apply=add
  t = (f32[8], f32[8,4]) tuple(r, c)
  ROOT g = f32[8] get-tuple-element(t), index=0
})")
            .verified() == "");
  CHECK(Reading::hlo(R"(HloModule m
ENTRY e {
  a = f32[8,4] parameter(0)
  ROOT c = f32[4,8] negate(a)
})")
            .verified() ==
        "4:3-1 type-mismatch: `negate`: operand 0 has shape 8x4, the result 4x8, expected equal shapes\n");
  CHECK(Reading::hlo(R"(HloModule m
second { x = f32[] parameter(0) ROOT y = f32[] parameter(1) }
ENTRY e {
  a = f32[5,3] parameter(0)
  i = s32[4,1] parameter(1)
  u = f32[4,3] parameter(2)
  ROOT r = f32[15] scatter(a, i, u), update_window_dims={1}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=second
})")
            .verified() == "7:3-1 type-mismatch: `scatter`: the result has shape 15, expected 5x3\n");
}
