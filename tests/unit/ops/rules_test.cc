// The factor rule of every op that has one, as the Shardy inside jaxlib 0.10.2 prints it for the same text.
#include "ops/factors.h"
#include "unit/ops/reading.h"

using namespace sw;
using test::Reading;

namespace {

struct Case {
  const char* title;
  const char* args;
  const char* body;
  const char* rule;
};

const Case
    kCases[] =
        {
            {"add", R"(%a: tensor<2x1x4xf32>)", R"(%0 = stablehlo.add %a, %a : tensor<2x1x4xf32>)",
             "<([i, j, k], [i, j, k])->([i, j, k]) {i=2, j=1, k=4}>"},
            {"add without elements", R"(%a: tensor<2x0xf32>)", R"(%0 = stablehlo.add %a, %a : tensor<2x0xf32>)",
             "<([i, j], [i, j])->([i, j]) {i=2, j=0}>"},
            {"add of scalars", R"(%a: tensor<f32>)", R"(%0 = stablehlo.add %a, %a : tensor<f32>)", "<([], [])->([])>"},
            {"compare", R"(%a: tensor<8x4xf32>)",
             R"(%0 = stablehlo.compare GT, %a, %a : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xi1>)",
             "<([i, j], [i, j])->([i, j]) {i=8, j=4}>"},
            {"select by a scalar", R"(%p: tensor<i1>, %a: tensor<8x4xf32>)",
             R"(%0 = stablehlo.select %p, %a, %a : tensor<i1>, tensor<8x4xf32>)",
             "<([], [i, j], [i, j])->([i, j]) {i=8, j=4}>"},
            {"clamp between scalars", R"(%s: tensor<f32>, %a: tensor<8x4xf32>)",
             R"(%0 = stablehlo.clamp %s, %a, %s : (tensor<f32>, tensor<8x4xf32>, tensor<f32>) -> tensor<8x4xf32>)",
             "<([], [i, j], [])->([i, j]) {i=8, j=4}>"},
            {"bitcast_convert to narrower elements", R"(%a: tensor<6x5xf32>)",
             R"(%0 = stablehlo.bitcast_convert %a : (tensor<6x5xf32>) -> tensor<6x5x4xui8>)",
             "<([i, j])->([i, j, k]) {i=6, j=5, k=4} need_replication={k}>"},
            {"bitcast_convert to wider elements", R"(%a: tensor<6x4xui8>)",
             R"(%0 = stablehlo.bitcast_convert %a : (tensor<6x4xui8>) -> tensor<6xf32>)",
             "<([i, j])->([i]) {i=6, j=4} need_replication={j}>"},
            {"broadcast_in_dim that stretches a dimension", R"(%a: tensor<2x1xf32>)",
             R"(%0 = stablehlo.broadcast_in_dim %a, dims = [0, 2] : (tensor<2x1xf32>) -> tensor<2x3x64xf32>)",
             "<([i, k])->([i, j, l]) {i=2, j=3, k=1, l=64}>"},
            {"broadcast_in_dim of a scalar", R"(%a: tensor<f32>)",
             R"(%0 = stablehlo.broadcast_in_dim %a, dims = [] : (tensor<f32>) -> tensor<3x1xf32>)",
             "<([])->([i, j]) {i=3, j=1}>"},
            {"transpose", R"(%a: tensor<2x3x5xf32>)",
             R"(%0 = stablehlo.transpose %a, dims = [2, 0, 1] : (tensor<2x3x5xf32>) -> tensor<5x2x3xf32>)",
             "<([j, k, i])->([i, j, k]) {i=5, j=2, k=3}>"},
            {"reverse", R"(%a: tensor<4x6xf32>)", R"(%0 = stablehlo.reverse %a, dims = [1] : tensor<4x6xf32>)",
             "<([i, j])->([i, j]) {i=4, j=6} permutation={j}>"},
            {"slice", R"(%a: tensor<8x6xf32>)",
             R"(%0 = stablehlo.slice %a [0:8, 1:6:2] : (tensor<8x6xf32>) -> tensor<8x3xf32>)",
             "<([i, j])->([i, j]) {i=8, j=6} permutation={j}>"},
            {"pad", R"(%a: tensor<8x6xf32>, %s: tensor<f32>)",
             R"(%0 = stablehlo.pad %a, %s, low = [0, 1], high = [0, -2], interior = [0, 1] : (tensor<8x6xf32>, tensor<f32>) -> tensor<8x10xf32>)",
             "<([i, j], [])->([i, j]) {i=8, j=6} permutation={j}>"},
            {"concatenate", R"(%a: tensor<4x3xf32>, %b: tensor<4x5xf32>)",
             R"(%0 = stablehlo.concatenate %a, %b, dim = 1 : (tensor<4x3xf32>, tensor<4x5xf32>) -> tensor<4x8xf32>)",
             "<([i, j], [i, j])->([i, j]) {i=4, j=8} need_replication={j}>"},
            {"concatenate of slices", R"(%a: tensor<4x9xf32>, %b: tensor<4x5xf32>)",
             R"(%x = stablehlo.slice %a [0:4, 0:3] : (tensor<4x9xf32>) -> tensor<4x3xf32>
%y = stablehlo.slice %b [0:4, 1:5] : (tensor<4x5xf32>) -> tensor<4x4xf32>
%0 = stablehlo.concatenate %x, %y, dim = 1 : (tensor<4x3xf32>, tensor<4x4xf32>) -> tensor<4x7xf32>)",
             "<([i, j], [i, j])->([i, j]) {i=4, j=7} permutation={j}>"},
            {"concatenate of a value and its slice", R"(%a: tensor<4x9xf32>)",
             R"(%x = stablehlo.slice %a [0:4, 0:3] : (tensor<4x9xf32>) -> tensor<4x3xf32>
%0 = stablehlo.concatenate %x, %a, dim = 1 : (tensor<4x3xf32>, tensor<4x9xf32>) -> tensor<4x12xf32>)",
             "<([i, j], [i, j])->([i, j]) {i=4, j=12} permutation={j}>"},
            {"concatenate of a slice and another value", R"(%a: tensor<4x9xf32>, %b: tensor<4x5xf32>)",
             R"(%x = stablehlo.slice %a [0:4, 0:3] : (tensor<4x9xf32>) -> tensor<4x3xf32>
%0 = stablehlo.concatenate %x, %b, dim = 1 : (tensor<4x3xf32>, tensor<4x5xf32>) -> tensor<4x8xf32>)",
             "<([i, j], [i, j])->([i, j]) {i=4, j=8} need_replication={j}>"},
            {"concatenate of one value with itself", R"(%a: tensor<4x9xf32>)",
             R"(%0 = stablehlo.concatenate %a, %a, dim = 0 : (tensor<4x9xf32>, tensor<4x9xf32>) -> tensor<8x9xf32>)",
             "<([i, j], [i, j])->([i, j]) {i=8, j=9} need_replication={i}>"},
            {"dot_general", R"(%a: tensor<2x4x8x32xf32>, %b: tensor<32x4x16x2xf32>)",
             R"(%0 = stablehlo.dot_general %a, %b, batching_dims = [0, 1] x [3, 1], contracting_dims = [3] x [0] : (tensor<2x4x8x32xf32>, tensor<32x4x16x2xf32>) -> tensor<2x4x8x16xf32>)",
             "<([i, j, k, m], [m, j, l, i])->([i, j, k, l]) {i=2, j=4, k=8, l=16, m=32} reduction={m}>"},
            {"dot_general as an outer product", R"(%a: tensor<3xf32>, %b: tensor<5xf32>)",
             R"(%0 = stablehlo.dot_general %a, %b, contracting_dims = [] x [] : (tensor<3xf32>, tensor<5xf32>) -> tensor<3x5xf32>)",
             "<([i], [j])->([i, j]) {i=3, j=5}>"},
            {"dot of a matrix and a vector", R"(%a: tensor<8x32xf32>, %b: tensor<32xf32>)",
             R"(%0 = stablehlo.dot %a, %b : (tensor<8x32xf32>, tensor<32xf32>) -> tensor<8xf32>)",
             "<([i, j], [j])->([i]) {i=8, j=32} reduction={j}>"},
            {"convolution", R"(%a: tensor<8x32x30x16xf32>, %b: tensor<3x5x16x64xf32>)",
             R"(%0 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 1], pad = [[1, 1], [2, 2]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<8x32x30x16xf32>, tensor<3x5x16x64xf32>) -> tensor<8x16x30x64xf32>)",
             "<([i, jk, l, m], [k, o, m, n])->([i, j, l, n]) {i=8, j=16, k=2, l=30, m=16, n=64, o=1} reduction={k, m} "
             "permutation={j, l}>"},
            {"convolution with a kernel larger than its output", R"(%a: tensor<8x32x16xf32>, %b: tensor<20x16x64xf32>)",
             R"(%0 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<8x32x16xf32>, tensor<20x16x64xf32>) -> tensor<8x13x64xf32>)",
             "<([i, j, k], [j, k, l])->([i, m, l]) {i=8, j=20, k=16, l=64, m=1} reduction={j, k}>"},
            {"convolution by groups of features", R"(%a: tensor<8x32x12xf32>, %b: tensor<3x4x6xf32>)",
             R"(%0 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 3 : i64} : (tensor<8x32x12xf32>, tensor<3x4x6xf32>) -> tensor<8x32x6xf32>)",
             "<([i, j, kl], [n, l, km])->([i, j, km]) {i=8, j=32, k=3, l=4, m=2, n=1} reduction={l} permutation={j}>"},
            {"depthwise convolution", R"(%a: tensor<8x32x12xf32>, %b: tensor<3x1x12xf32>)",
             R"(%0 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 12 : i64} : (tensor<8x32x12xf32>, tensor<3x1x12xf32>) -> tensor<8x32x12xf32>)",
             "<([i, j, k], [m, l, k])->([i, j, k]) {i=8, j=32, k=12, l=1, m=1} reduction={l} permutation={j}>"},
            {"convolution by groups of batches", R"(%a: tensor<8x32x12xf32>, %b: tensor<3x12x16xf32>)",
             R"(%0 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[1, 1]]} {batch_group_count = 4 : i64, feature_group_count = 1 : i64} : (tensor<8x32x12xf32>, tensor<3x12x16xf32>) -> tensor<2x32x16xf32>)",
             "<([ij, k, l], [n, l, im])->([j, k, im]) {i=4, j=2, k=32, l=12, m=4, n=1} reduction={l} permutation={k}>"},
            {"convolution by as many groups as batches", R"(%a: tensor<4x32x12xf32>, %b: tensor<3x12x16xf32>)",
             R"(%0 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[1, 1]]} {batch_group_count = 4 : i64, feature_group_count = 1 : i64} : (tensor<4x32x12xf32>, tensor<3x12x16xf32>) -> tensor<1x32x16xf32>)",
             "<([i, k, l], [n, l, im])->([j, k, im]) {i=4, j=1, k=32, l=12, m=4, n=1} reduction={l} permutation={k}>"},
            {"reduce", R"(%a: tensor<2x64x13xf32>, %s: tensor<f32>)",
             R"(%0 = stablehlo.reduce(%a init: %s) applies stablehlo.add across dimensions = [1] : (tensor<2x64x13xf32>, tensor<f32>) -> tensor<2x13xf32>)",
             "<([i, j, k], [])->([i, k]) {i=2, j=64, k=13} reduction={j}>"},
            {"batch_norm_inference", R"(%a: tensor<4x8x16xf32>, %s: tensor<8xf32>)",
             R"(%0 = "stablehlo.batch_norm_inference"(%a, %s, %s, %s, %s) <{epsilon = 1.0e-3 : f32, feature_index = 1 : i64}> : (tensor<4x8x16xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<4x8x16xf32>)",
             "<([i, j, k], [j], [j], [j], [j])->([i, j, k]) {i=4, j=8, k=16}>"},
            {"reduce_window", R"(%a: tensor<8x16xf32>, %s: tensor<f32>)",
             R"(%0 = "stablehlo.reduce_window"(%a, %s) <{window_dimensions = array<i64: 1, 4>, window_strides = array<i64: 1, 4>}> ({
^bb0(%x: tensor<f32>, %y: tensor<f32>):
  %m = stablehlo.maximum %x, %y : tensor<f32>
  stablehlo.return %m : tensor<f32>
}) : (tensor<8x16xf32>, tensor<f32>) -> tensor<8x4xf32>)",
             "<([i, j], [])->([i, j]) {i=8, j=4} permutation={j}>"},
            {"select_and_scatter", R"(%a: tensor<8x16xf32>, %b: tensor<8x4xf32>, %s: tensor<f32>)",
             R"(%0 = "stablehlo.select_and_scatter"(%a, %b, %s) <{window_dimensions = array<i64: 1, 4>, window_strides = array<i64: 1, 4>}> ({
^bb0(%x: tensor<f32>, %y: tensor<f32>):
  %m = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
  stablehlo.return %m : tensor<i1>
}, {
^bb0(%x: tensor<f32>, %y: tensor<f32>):
  %m = stablehlo.add %x, %y : tensor<f32>
  stablehlo.return %m : tensor<f32>
}) : (tensor<8x16xf32>, tensor<8x4xf32>, tensor<f32>) -> tensor<8x16xf32>)",
             "<([i, k], [i, j], [])->([i, k]) {i=8, j=4, k=16} need_replication={j} permutation={k}>"},
            {"gather of rows", R"(%a: tensor<5x3xf32>, %i: tensor<4x1xi32>)",
             R"(%0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>}> : (tensor<5x3xf32>, tensor<4x1xi32>) -> tensor<4x3xf32>)",
             "<([k, j], [i, l])->([i, j]) {i=4, j=3, k=5, l=1} reduction={k} need_replication={l}>"},
            {"gather with partial, single and collapsed windows", R"(%a: tensor<7x6x5x1x2xf32>, %i: tensor<4x2xi32>)",
             R"(%0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 2, 3], collapsed_slice_dims = [0, 3], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4, 1, 1, 2>}> : (tensor<7x6x5x1x2xf32>, tensor<4x2xi32>) -> tensor<4x4x1x2xf32>)",
             "<([n, i, k, o, m], [j, p])->([i, j, l, m]) {i=6, j=4, k=5, l=1, m=2, n=7, o=1, p=2} reduction={k, n} "
             "need_replication={i, l, o, p} blocked_propagation={i}>"},
            {"gather with batching dimensions", R"(%a: tensor<5x3x7x4xf32>, %i: tensor<7x5x3x2xi32>)",
             R"(%0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [3], collapsed_slice_dims = [1], operand_batching_dims = [0, 2], start_indices_batching_dims = [1, 0], start_index_map = [1, 3], index_vector_dim = 3>, slice_sizes = array<i64: 1, 1, 1, 2>}> : (tensor<5x3x7x4xf32>, tensor<7x5x3x2xi32>) -> tensor<7x5x3x2xf32>)",
             "<([j, m, i, l], [i, j, k, n])->([i, j, k, l]) {i=7, j=5, k=3, l=4, m=3, n=2} reduction={m} "
             "need_replication={l, n} blocked_propagation={l}>"},
            {"scatter that adds", R"(%a: tensor<5x3xf32>, %i: tensor<4x1xi32>, %u: tensor<4x3xf32>)",
             R"(%0 = "stablehlo.scatter"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
^bb0(%x: tensor<f32>, %y: tensor<f32>):
  %m = stablehlo.add %y, %x : tensor<f32>
  stablehlo.return %m : tensor<f32>
}) : (tensor<5x3xf32>, tensor<4x1xi32>, tensor<4x3xf32>) -> tensor<5x3xf32>)",
             "<([k, j], [i, l], [i, j])->([k, j]) {i=4, j=3, k=5, l=1} reduction={i} need_replication={l}>"},
            {"scatter that overwrites a part", R"(%a: tensor<5x3xf32>, %i: tensor<4x2xi32>, %u: tensor<4x2xf32>)",
             R"(%0 = "stablehlo.scatter"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>}> ({
^bb0(%x: tensor<f32>, %y: tensor<f32>):
  stablehlo.return %y : tensor<f32>
}) : (tensor<5x3xf32>, tensor<4x2xi32>, tensor<4x2xf32>) -> tensor<5x3xf32>)",
             "<([l, j], [i, m], [i, k])->([l, j]) {i=4, j=3, k=2, l=5, m=2} need_replication={i, j, k, m}>"},
            {"sort", R"(%a: tensor<4x8xf32>)", R"(%0 = "stablehlo.sort"(%a) <{dimension = 1 : i64}> ({
^bb0(%x: tensor<f32>, %y: tensor<f32>):
  %m = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
  stablehlo.return %m : tensor<i1>
}) : (tensor<4x8xf32>) -> tensor<4x8xf32>)",
             "<([i, j])->([i, j]) {i=4, j=8} need_replication={j}>"},
            {"sort of the only dimension", R"(%a: tensor<1x8xf32>)",
             R"(%0 = "stablehlo.sort"(%a) <{dimension = 1 : i64}> ({
^bb0(%x: tensor<f32>, %y: tensor<f32>):
  %m = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
  stablehlo.return %m : tensor<i1>
}) : (tensor<1x8xf32>) -> tensor<1x8xf32>)",
             "<([i, j])->([i, j]) {i=1, j=8} need_replication={j} blocked_propagation={j}>"},
            {"dynamic_slice", R"(%a: tensor<32x4xf32>, %i: tensor<i32>)",
             R"(%0 = stablehlo.dynamic_slice %a, %i, %i, sizes = [32, 1] : (tensor<32x4xf32>, tensor<i32>, tensor<i32>) -> tensor<32x1xf32>)",
             "<([i, j], [], [])->([i, j]) {i=32, j=4} need_replication={j} blocked_propagation={j}>"},
            {"dynamic_update_slice", R"(%a: tensor<32x4xf32>, %u: tensor<32x1xf32>, %i: tensor<i32>)",
             R"(%0 = stablehlo.dynamic_update_slice %a, %u, %i, %i : (tensor<32x4xf32>, tensor<32x1xf32>, tensor<i32>, tensor<i32>) -> tensor<32x4xf32>)",
             "<([i, j], [i, k], [], [])->([i, j]) {i=32, j=4, k=1} need_replication={k}>"},
            {"dynamic_update_slice at constant indices", R"(%a: tensor<32x4xf32>, %u: tensor<32x1xf32>)",
             R"(%i = stablehlo.constant dense<0> : tensor<i32>
%0 = stablehlo.dynamic_update_slice %a, %u, %i, %i : (tensor<32x4xf32>, tensor<32x1xf32>, tensor<i32>, tensor<i32>) -> tensor<32x4xf32>)",
             "<([i, j], [i, k], [], [])->([i, j]) {i=32, j=4, k=1}>"},
            {"cholesky", R"(%a: tensor<3x8x8xf32>)", R"(%0 = stablehlo.cholesky %a, lower = true : tensor<3x8x8xf32>)",
             "<([i, j, k])->([i, j, k]) {i=3, j=8, k=8} need_replication={j, k}>"},
            {"triangular_solve from the left", R"(%a: tensor<3x8x8xf32>, %b: tensor<3x8x5xf32>)",
             R"(%0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<3x8x8xf32>, tensor<3x8x5xf32>) -> tensor<3x8x5xf32>)",
             "<([i, j, l], [i, j, k])->([i, l, k]) {i=3, j=8, k=5, l=8} need_replication={j, k, l}>"},
            {"triangular_solve from the right, transposed", R"(%a: tensor<8x8xf32>, %b: tensor<5x8xf32>)", R"(%0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = false, lower = true, transpose_a = #stablehlo<transpose ADJOINT>, unit_diagonal = false}> : (tensor<8x8xf32>, tensor<5x8xf32>) -> tensor<5x8xf32>)",
             "<([j, k], [i, j])->([i, k]) {i=5, j=8, k=8} need_replication={i, j, k}>"},
            {"fft", R"(%a: tensor<3x4x8xcomplex<f32>>)",
             R"(%0 = stablehlo.fft %a, type = FFT, length = [4, 8] : (tensor<3x4x8xcomplex<f32>>) -> tensor<3x4x8xcomplex<f32>>)",
             "<([i, j, k])->([i, j, k]) {i=3, j=4, k=8} need_replication={j, k}>"},
            {"fft of real numbers", R"(%a: tensor<3x4x8xf32>)",
             R"(%0 = stablehlo.fft %a, type = RFFT, length = [8] : (tensor<3x4x8xf32>) -> tensor<3x4x5xcomplex<f32>>)",
             "<([i, j, k])->([i, j, k]) {i=3, j=4, k=8} need_replication={k} blocked_propagation={k}>"},
            {"rng_bit_generator", R"(%a: tensor<2xui64>)",
             R"(%0:2 = "stablehlo.rng_bit_generator"(%a) <{rng_algorithm = #stablehlo<rng_algorithm DEFAULT>}> : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4x5xui32>))",
             "<([i])->([i], [j, k]) {i=2, j=4, k=5} need_replication={i} blocked_propagation={i}>"},
            {"all_gather", R"(%a: tensor<4x8xf32>)",
             R"(%0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x8xf32>) -> tensor<4x16xf32>)",
             "<([i, j])->([i, k]) {i=4, j=8, k=16} need_replication={j, k}>"},
            {"all_to_all", R"(%a: tensor<4x8x3xf32>)",
             R"(%0 = "stablehlo.all_to_all"(%a) <{split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x8x3xf32>) -> tensor<8x4x3xf32>)",
             "<([l, j, i])->([m, k, i]) {i=3, j=8, k=4, l=4, m=8} need_replication={j, k, l, m}>"},
            {"custom call Eigh", R"(%a: tensor<3x8x8xf32>)",
             R"(%0:2 = stablehlo.custom_call @Eigh(%a) : (tensor<3x8x8xf32>) -> (tensor<3x8x8xf32>, tensor<3x8xf32>))",
             "<([i, j, k])->([i, j, k], [i, k]) {i=3, j=8, k=8}>"},
            {"custom call Qr", R"(%a: tensor<3x8x5xf32>)",
             R"(%0:2 = stablehlo.custom_call @Qr(%a) : (tensor<3x8x5xf32>) -> (tensor<3x8x5xf32>, tensor<3x5xf32>))",
             "<([i, j, k])->([i, j, k], [i, l]) {i=3, j=8, k=5, l=5} need_replication={j, k, l}>"},
            {"custom call ProductOfElementaryHouseholderReflectors", R"(%a: tensor<3x8x6xf32>, %t: tensor<3x5xf32>)",
             R"(%0 = stablehlo.custom_call @ProductOfElementaryHouseholderReflectors(%a, %t) : (tensor<3x8x6xf32>, tensor<3x5xf32>) -> tensor<3x8x6xf32>)",
             "<([i, j, k], [i, l])->([i, j, k]) {i=3, j=8, k=6, l=5} need_replication={j, k, l}>"},
            {"custom call mhlo.topk", R"(%a: tensor<16x8xf32>)",
             R"(%0:2 = stablehlo.custom_call @mhlo.topk(%a) : (tensor<16x8xf32>) -> (tensor<16x2xf32>, tensor<16x2xi32>))",
             "<([i, j])->([i, j], [i, j]) {i=16, j=8} need_replication={j} blocked_propagation={j}>"},
            {"custom call ApproxTopK",
             R"(%a: tensor<16x8xf32>, %i: tensor<16x8xi32>, %s: tensor<f32>, %t: tensor<i32>)",
             R"(%0:2 = stablehlo.custom_call @ApproxTopK(%a, %i, %s, %t) : (tensor<16x8xf32>, tensor<16x8xi32>, tensor<f32>, tensor<i32>) -> (tensor<16x2xf32>, tensor<16x2xi32>))",
             "<([i, j], [i, j], [], [])->([i, k], [i, k]) {i=16, j=8, k=2} need_replication={k} "
             "blocked_propagation={k}>"},
            {"custom call X64Combine", R"(%a: tensor<2xui32>)",
             R"(%0 = stablehlo.custom_call @X64Combine(%a, %a) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui64>)",
             "<([i], [i])->([i]) {i=2}>"},
            {"custom call with a rule of the user", R"(%a: tensor<4x2xf32>)",
             R"(%0 = stablehlo.custom_call @mine(%a) {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([j, i]) {i=4, j=2}, custom>} : (tensor<4x2xf32>) -> tensor<2x4xf32>)",
             "<([i, j])->([j, i]) {i=4, j=2}, custom>"},
};

struct ReshapeCase {
  std::vector<int64_t> from, to;
  const char* rule;
};

const ReshapeCase kReshapes[] = {
    {{8}, {2, 4}, "<([ij])->([i, j]) {i=2, j=4}>"},
    {{2, 4}, {8}, "<([i, j])->([ij]) {i=2, j=4}>"},
    {{4, 12}, {4, 2, 3, 2}, "<([i, jkl])->([i, j, k, l]) {i=4, j=2, k=3, l=2}>"},
    {{4, 6}, {6, 4}, "<([ij, ln])->([ik, mn]) {i=2, j=2, k=3, l=3, m=2, n=2}>"},
    {{2, 3}, {3, 2}, "<([i, k])->([j, l]) {i=2, j=3, k=3, l=2}>"},
    {{12, 5}, {2, 15, 2}, "<([ijk, m])->([i, jl, n]) {i=2, j=3, k=2, l=5, m=5, n=2}>"},
    {{1, 8, 1}, {2, 1, 4}, "<([i, jl, m])->([j, k, l]) {i=1, j=2, k=1, l=4, m=1}>"},
    {{5, 2, 5, 3}, {5, 3, 5, 2}, "<([i, j, l, n])->([i, k, m, o]) {i=5, j=2, k=3, l=5, m=5, n=3, o=2}>"},
    {{1}, {}, "<([i])->([]) {i=1}>"},
    {{6}, {6, 1}, "<([i])->([i, j]) {i=6, j=1}>"},
    {{2, 3, 8}, {3, 4, 4}, "<([i, k, mn])->([j, lm, n]) {i=2, j=3, k=3, l=2, m=2, n=4}>"},
    {{4, 7, 5, 8}, {14, 10, 8}, "<([ij, l, n, o])->([ik, mn, o]) {i=2, j=2, k=7, l=7, m=2, n=5, o=8}>"},
    {{30, 30}, {36, 25}, "<([ij, ln])->([ik, mn]) {i=6, j=5, k=6, l=6, m=5, n=5}>"},
    {{1, 1}, {1}, "<([i, j])->([k]) {i=1, j=1, k=1}>"},
};

std::string rule_of(const Graph& graph, OpId op, const RuleContext& context = {}) {
  FactorRule rule;
  switch (make_factor_rule(graph, op, context, rule)) {
    case RuleOutcome::rule: return factor_rule_text(rule);
    case RuleOutcome::none: return "none";
    case RuleOutcome::unknown: break;
  }
  return "unknown: " + missing_rule_reason(graph, op);
}

std::string rule_of(const std::string& args, const std::string& body, const RuleContext& context = {}) {
  const Reading reading = Reading::function(args, body);
  return rule_of(reading.graph(), reading.last(), context);
}

std::string tensor(const std::vector<int64_t>& dims) {
  std::string text = "tensor<";
  for (int64_t d : dims) text += std::to_string(d) + "x";
  return text + "f32>";
}

}  // namespace

TEST_CASE("the rule of every op", "[rules]") {
  for (const Case& c : kCases) {
    INFO(c.title);
    CHECK(rule_of(c.args, c.body) == c.rule);
  }
}

TEST_CASE("the rule of a reshape", "[rules]") {
  for (const ReshapeCase& c : kReshapes) {
    const std::string from = tensor(c.from), to = tensor(c.to);
    INFO(from << " to " << to);
    CHECK(rule_of("%a: " + from, "%0 = stablehlo.reshape %a : (" + from + ") -> " + to) == c.rule);
  }
  CHECK(rule_of("%a: tensor<4x0xf32>", "%0 = stablehlo.reshape %a : (tensor<4x0xf32>) -> tensor<0x8xf32>") == "none");
}

TEST_CASE("top-k becomes mhlo.topk, which has a rule", "[rules]") {
  CHECK(rule_of("%a: tensor<16x8xf32>",
                "%0:2 = chlo.top_k(%a, k = 2) : tensor<16x8xf32> -> (tensor<16x2xf32>, tensor<16x2xi32>)") ==
        "<([i, j])->([i, j], [i, j]) {i=16, j=8} need_replication={j} blocked_propagation={j}>");
  CHECK(rule_of("%a: tensor<16x8xf32>",
                "%0:2 = chlo.top_k(%a, k = 8) : tensor<16x8xf32> -> (tensor<16x8xf32>, tensor<16x8xi32>)") ==
        "<([i, j])->([i, j], [i, j]) {i=16, j=8}>");
}

TEST_CASE("CHLO ops are pointwise, but erf stops propagation", "[rules]") {
  CHECK(rule_of("%a: tensor<4x8xf32>", "%0 = chlo.erf_inv %a : tensor<4x8xf32> -> tensor<4x8xf32>") ==
        "<([i, j])->([i, j]) {i=4, j=8}>");
  CHECK(rule_of("%a: tensor<4x8xf32>", "%0 = chlo.erf %a : tensor<4x8xf32> -> tensor<4x8xf32>") ==
        "unknown: Shardy has no rule for mhlo.erf");
}

TEST_CASE("ragged_dot by mode", "[rules]") {
  const auto ragged = [](const std::string& args, const std::string& numbers, const std::string& types) {
    return rule_of(args, "%0 = \"chlo.ragged_dot\"(%a, %b, %g) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<" +
                             numbers + ">}> : " + types);
  };
  CHECK(ragged("%a: tensor<16x8xf32>, %b: tensor<3x8x32xf32>, %g: tensor<3xi32>",
               "lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], "
               "rhs_group_dimensions = [0]",
               "(tensor<16x8xf32>, tensor<3x8x32xf32>, tensor<3xi32>) -> tensor<16x32xf32>") ==
        "<([i, k], [l, k, j], [l])->([i, j]) {i=16, j=32, k=8, l=3} reduction={k} need_replication={i, l}>");
  CHECK(ragged("%a: tensor<16x8xf32>, %b: tensor<8x32xf32>, %g: tensor<3xi32>",
               "lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0], lhs_ragged_dimensions = [1]",
               "(tensor<16x8xf32>, tensor<8x32xf32>, tensor<3xi32>) -> tensor<3x16x32xf32>") ==
        "<([i, k], [k, j], [l])->([l, i, j]) {i=16, j=32, k=8, l=3} need_replication={k, l}>");
}

TEST_CASE("a random bit generator keeps X64Combine from propagating", "[rules]") {
  const Reading reading = Reading::function("%a: tensor<2xui32>", R"(
%0 = stablehlo.custom_call @X64Combine(%a, %a) : (tensor<2xui32>, tensor<2xui32>) -> tensor<2xui64>
%1:2 = "stablehlo.rng_bit_generator"(%0) <{rng_algorithm = #stablehlo<rng_algorithm DEFAULT>}> : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui32>))");
  const OpId call = reading.last(OpKind::custom_call);
  const char* blocked = "<([i], [i])->([i]) {i=2} need_replication={i} blocked_propagation={i}>";
  CHECK(rule_of(reading.graph(), call) == blocked);
  CHECK(rule_of(reading.graph(), call, {false, [](ValueId) { return true; }}) == blocked);
  CHECK(rule_of(reading.graph(), call, {false, [](ValueId) { return false; }}) == "<([i], [i])->([i]) {i=2}>");
}

TEST_CASE("ops without a rule: silently, or by name", "[rules]") {
  CHECK(rule_of("", "%0 = stablehlo.constant dense<0.0> : tensor<8xf32>") == "none");
  CHECK(rule_of("", "%0 = stablehlo.iota dim = 0 : tensor<8xf32>") == "none");
  CHECK(rule_of("%a: tensor<8xf32>", "%0 = stablehlo.optimization_barrier %a : tensor<8xf32>") == "none");
  CHECK(rule_of("%a: tensor<8xf32>",
                "%0 = stablehlo.custom_call @tpu_custom_call(%a) : (tensor<8xf32>) -> tensor<8xf32>") == "none");
  CHECK(rule_of("%a: tensor<8xf32>", "%0 = stablehlo.custom_call @mine(%a) : (tensor<8xf32>) -> tensor<8xf32>") ==
        "unknown: unknown custom call `mine`");
  CHECK(rule_of("", "%0 = stablehlo.replica_id : tensor<ui32>") == "unknown: Shardy has no rule for it");
  CHECK(rule_of("%a: tensor<?xf32>", "%0 = stablehlo.negate %a : tensor<?xf32>") == "unknown: shapes are not static");
  CHECK(rule_of("%a: tensor<8xf32>", "%0 = \"my.op\"(%a) : (tensor<8xf32>) -> tensor<8xf32>") ==
        "unknown: operation of a dialect that this program does not know");
  CHECK(
      rule_of(
          "%a: tensor<8xf32>",
          "%0 = stablehlo.custom_call @f(%a) {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i]) {i=8, j=1}>} : "
          "(tensor<8xf32>) -> tensor<8xf32>") == "unknown: unknown custom call `f`");
}

TEST_CASE("conservative propagation blocks what would move data", "[rules]") {
  const RuleContext conservative{true, {}};
  CHECK(rule_of("%a: tensor<8x6xf32>", "%0 = stablehlo.slice %a [0:8, 1:6] : (tensor<8x6xf32>) -> tensor<8x5xf32>",
                conservative) == "<([i, j])->([i, j]) {i=8, j=6} permutation={j} blocked_propagation={j}>");
  CHECK(rule_of("%a: tensor<4x3xf32>",
                "%0 = stablehlo.concatenate %a, %a, dim = 1 : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x6xf32>",
                conservative) == "<([i, j], [i, k])->([i, l]) {i=4, j=1, k=1, l=1}>");
  CHECK(
      rule_of(
          "%a: tensor<8x32x16xf32>, %b: tensor<3x16x64xf32>",
          "%0 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[1, 1]]} "
          "{batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<8x32x16xf32>, tensor<3x16x64xf32>) "
          "-> "
          "tensor<8x32x64xf32>",
          conservative) == "<([i, l, j], [m, j, k])->([i, n, k]) {i=8, j=16, k=64, l=1, m=1, n=1} reduction={j}>");
}

TEST_CASE("the table makes each distinct rule once", "[rules]") {
  const Reading reading = Reading::function("%a: tensor<8x4xf32>, %b: tensor<8x4xf32>", R"(
%0 = stablehlo.add %a, %b : tensor<8x4xf32>
%1 = stablehlo.add %0, %b : tensor<8x4xf32>
%2 = stablehlo.slice %1 [0:8, 0:2] : (tensor<8x4xf32>) -> tensor<8x2xf32>
%3 = stablehlo.slice %1 [0:8, 2:4] : (tensor<8x4xf32>) -> tensor<8x2xf32>
%4 = stablehlo.concatenate %2, %3, dim = 1 : (tensor<8x2xf32>, tensor<8x2xf32>) -> tensor<8x4xf32>
%5 = stablehlo.negate %2 : tensor<8x2xf32>
%6 = stablehlo.concatenate %2, %5, dim = 1 : (tensor<8x2xf32>, tensor<8x2xf32>) -> tensor<8x4xf32>)");
  FactorRuleTable table;
  std::vector<FactorRuleTable::Answer> answers;
  const Block& block =
      reading.graph().block(reading.graph().entry_block(reading.graph().function(reading.graph().main).body));
  for (OpId op : block.ops) answers.push_back(table.of(reading.graph(), op));
  CHECK(answers[0].id == answers[1].id);
  CHECK(answers[2].outcome == RuleOutcome::rule);
  // The same op with the same types, but only the first is fed by slices alone.
  CHECK(answers[4].id != answers[6].id);
  CHECK(factor_rule_text(table.get(answers[4].id)) == "<([i, j], [i, j])->([i, j]) {i=8, j=4} permutation={j}>");
  CHECK(factor_rule_text(table.get(answers[6].id)) == "<([i, j], [i, j])->([i, j]) {i=8, j=4} need_replication={j}>");
  CHECK(answers[7].outcome == RuleOutcome::none);
}
