// Reading what was printed gives the same program, and the pretty and the generic form of an op are the same op. Each
// text below is the body of `@main(%a: ..)`; what it prints as stands beside it when that differs.
#include <string>

#include "support/catch.h"
#include "support/same_program.h"
#include "text/mlir/reader.h"

using namespace sw;

namespace {

struct Reading {
  SourceManager sources;
  Diagnostics diagnostics;
  Result<Program> program = reported();
  explicit Reading(std::string text) {
    const FileId file = sources.add("test.mlir", std::move(text));
    program = read_mlir(file, sources, diagnostics);
  }
  std::string messages() const {
    std::string all;
    for (const Diagnostic* d : diagnostics.sorted()) all += d->message + "\n";
    return all;
  }
};

std::string module_of(const std::string& body) {
  return "module {\n  sdy.mesh @mesh = <[\"x\"=2, \"y\"=4]>\n"
         "  func.func @main(%a: tensor<8x16xf32>, %b: tensor<16x4xf32>, %s: tensor<f32>, %i: tensor<i32>, %p: "
         "tensor<8x16xi1>, "
         "%im: tensor<2x8x8x3xf32>, %k: tensor<3x3x3x5xf32>, %t: !stablehlo.token) {\n    " +
         body + "\n    return\n  }\n}\n";
}

// Both bodies give the same program, and the first is what is printed.
void check_forms(const std::string& pretty, const std::string& generic) {
  const Reading first(module_of(pretty));
  INFO(pretty);
  INFO(first.messages());
  REQUIRE(first.program);
  CHECK(print_mlir(*first.program) == module_of(pretty));
  if (generic.empty()) return;
  const Reading second(module_of(generic));
  INFO(generic);
  INFO(second.messages());
  REQUIRE(second.program);
  CHECK(first_difference(*first.program, *second.program, /*names=*/false).empty());
}

}  // namespace

TEST_CASE("pointwise ops: short and generic") {
  check_forms("%0 = stablehlo.add %a, %a : tensor<8x16xf32>",
              "%0 = \"stablehlo.add\"(%a, %a) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>");
  check_forms("%0 = stablehlo.convert %a : (tensor<8x16xf32>) -> tensor<8x16xbf16>", "");
  check_forms(
      "%0 = stablehlo.compare LT, %a, %a, FLOAT : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xi1>",
      "%0 = \"stablehlo.compare\"(%a, %a) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = "
      "#stablehlo<comparison_direction LT>}> : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xi1>");
  check_forms("%0 = stablehlo.select %p, %a, %a : tensor<8x16xi1>, tensor<8x16xf32>", "");
  check_forms("%0 = stablehlo.complex %a, %a : tensor<8x16xcomplex<f32>>",
              "%0 = \"stablehlo.complex\"(%a, %a) : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xcomplex<f32>>");
  check_forms("%0 = stablehlo.reduce_precision %a, format = e5m2 : tensor<8x16xf32>",
              "%0 = \"stablehlo.reduce_precision\"(%a) <{exponent_bits = 5 : i32, mantissa_bits = 2 : i32}> : "
              "(tensor<8x16xf32>) -> "
              "tensor<8x16xf32>");
  check_forms("%0 = chlo.erf_inv %a : tensor<8x16xf32> -> tensor<8x16xf32>",
              "%0 = \"chlo.erf_inv\"(%a) : (tensor<8x16xf32>) -> tensor<8x16xf32>");
}

TEST_CASE("shape ops: short and generic") {
  check_forms(
      "%0 = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> tensor<2xf32>",
      "%0 = \"stablehlo.broadcast_in_dim\"(%s) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2xf32>");
  check_forms("%0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<8x16xf32>) -> tensor<16x8xf32>",
              "%0 = \"stablehlo.transpose\"(%a) {permutation = dense<[1, 0]> : tensor<2xi64>} : (tensor<8x16xf32>) -> "
              "tensor<16x8xf32>");
  check_forms(
      "%0 = stablehlo.slice %a [0:8:2, 3:5] : (tensor<8x16xf32>) -> tensor<4x2xf32>",
      "%0 = \"stablehlo.slice\"(%a) <{limit_indices = array<i64: 8, 5>, start_indices = array<i64: 0, 3>, strides = "
      "array<i64: 2, 1>}> : (tensor<8x16xf32>) -> tensor<4x2xf32>");
  check_forms(
      "%0 = stablehlo.pad %a, %s, low = [0, 1], high = [0, -1], interior = [0, 0] : (tensor<8x16xf32>, tensor<f32>) -> "
      "tensor<8x16xf32>",
      "");
  check_forms("%0 = stablehlo.iota dim = 1 : tensor<4x5xi32>",
              "%0 = \"stablehlo.iota\"() <{iota_dimension = 1 : i64}> : () -> tensor<4x5xi32>");
  check_forms("%0 = stablehlo.concatenate %a, %a, dim = 0 : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<16x16xf32>",
              "");
  check_forms(
      "%0 = stablehlo.dynamic_slice %a, %i, %i, sizes = [2, 4] : (tensor<8x16xf32>, tensor<i32>, tensor<i32>) -> "
      "tensor<2x4xf32>",
      "");
}

TEST_CASE("literals keep their spelling") {
  for (const char* literal :
       {"dense<0.000000e+00> : tensor<f32>", "dense<[1, 2, 3]> : tensor<3xi32>",
        "dense<[[true, false]]> : tensor<1x2xi1>", "dense<\"0x0000803F00000040\"> : tensor<2xf32>",
        "dense<> : tensor<0xi32>", "dense<(1.000000e+00,-2.000000e+00)> : tensor<complex<f32>>",
        "dense_resource<weights> : tensor<1024xf32>", "dense<0x7FC00000> : tensor<f32>",
        "dense<1.5> : tensor<2xf8E4M3FN>", "dense<-3> : tensor<i4>", "dense<3> : tensor<ui2>"})
    check_forms("%cst = stablehlo.constant " + std::string(literal), "");
}

TEST_CASE("products and convolutions") {
  check_forms(
      "%0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0], precision = [DEFAULT, HIGHEST] : "
      "(tensor<8x16xf32>, tensor<16x4xf32>) -> tensor<8x4xf32>",
      "%0 = \"stablehlo.dot_general\"(%a, %b) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [], "
      "rhs_contracting_dimensions = [0], lhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision "
      "DEFAULT>, "
      "#stablehlo<precision HIGHEST>]}> : (tensor<8x16xf32>, tensor<16x4xf32>) -> tensor<8x4xf32>");
  check_forms(
      "%0 = stablehlo.convolution(%im, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = "
      "[1, 1], "
      "pad = [[1, 0], [1, 1]], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, "
      "feature_group_count = 1 : i64} : (tensor<2x8x8x3xf32>, tensor<3x3x3x5xf32>) -> tensor<2x8x8x5xf32>",
      "%0 = \"stablehlo.convolution\"(%im, %k) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, "
      "0, 1, "
      "f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, padding = dense<[[1, 0], [1, 1]]> : "
      "tensor<2x2xi64>, "
      "rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, window_strides = array<i64: 1, 1>}> "
      ": "
      "(tensor<2x8x8x3xf32>, tensor<3x3x3x5xf32>) -> tensor<2x8x8x5xf32>");
}

TEST_CASE("ops with regions") {
  check_forms(
      "%0 = stablehlo.reduce(%a init: %s) applies stablehlo.add across dimensions = [1] : (tensor<8x16xf32>, "
      "tensor<f32>) -> "
      "tensor<8xf32>",
      "%0 = \"stablehlo.reduce\"(%a, %s) <{dimensions = array<i64: 1>}> ({\n^bb0(%x: tensor<f32>, %y: tensor<f32>):\n"
      "%z = stablehlo.add %x, %y : tensor<f32>\nstablehlo.return %z : tensor<f32>\n}) : (tensor<8x16xf32>, "
      "tensor<f32>) -> "
      "tensor<8xf32>");
  check_forms(
      "%0 = stablehlo.reduce(%a init: %s) across dimensions = [1] : (tensor<8x16xf32>, tensor<f32>) -> tensor<8xf32>\n"
      "     reducer(%x: tensor<f32>, %y: tensor<f32>) {\n      %1 = stablehlo.subtract %x, %y : tensor<f32>\n"
      "      stablehlo.return %1 : tensor<f32>\n    }",
      "");
  check_forms(
      "%0:2 = stablehlo.while(%iterArg = %i, %iterArg_0 = %a) : tensor<i32>, tensor<8x16xf32>\n"
      "    cond {\n      %1 = stablehlo.compare LT, %iterArg, %i, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
      "      stablehlo.return %1 : tensor<i1>\n    } do {\n      %1 = stablehlo.add %iterArg_0, %a : tensor<8x16xf32>\n"
      "      stablehlo.return %iterArg, %1 : tensor<i32>, tensor<8x16xf32>\n    }\n"
      "    %2 = stablehlo.abs %0#1 : tensor<8x16xf32>",
      "");
  check_forms(
      "%0 = \"stablehlo.sort\"(%a) <{dimension = 0 : i64, is_stable = true}> ({\n    ^bb0(%x: tensor<f32>, %y: "
      "tensor<f32>):\n"
      "      %1 = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>\n"
      "      stablehlo.return %1 : tensor<i1>\n    }) : (tensor<8x16xf32>) -> tensor<8x16xf32>",
      "");
}

TEST_CASE("the sdy dialect") {
  check_forms(
      "%0 = sdy.sharding_constraint %a <@mesh, [{\"x\"}, {\"y\":(1)2, ?}p1], replicated={\"y\":(2)2}> : "
      "tensor<8x16xf32>",
      "%0 = \"sdy.sharding_constraint\"(%a) <{sharding = #sdy.sharding<@mesh, [{\"x\"}, {\"y\":(1)2, ?}p1], "
      "replicated={\"y\":(2)2}>}> : (tensor<8x16xf32>) -> tensor<8x16xf32>");
  check_forms("sdy.sharding_group %a group_id=21 : tensor<8x16xf32>", "");
  check_forms(
      "%0 = sdy.propagation_barrier %a allowed_direction=FORWARD : tensor<8x16xf32>",
      "%0 = \"sdy.propagation_barrier\"(%a) <{allowed_direction = 1 : i32}> : (tensor<8x16xf32>) -> tensor<8x16xf32>");
  check_forms("%0 = sdy.all_gather [{\"x\"}, {}] %a out_sharding=<@mesh, [{}, {}]> : tensor<8x16xf32>", "");
  check_forms(
      "%0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{\"x\"}, {}]>] out_shardings=[<@mesh, [{\"x\"}, {}]>] "
      "manual_axes={\"x\"} (%arg0: tensor<4x16xf32>) {\n      %1 = stablehlo.add %arg0, %arg0 : tensor<4x16xf32>\n"
      "      sdy.return %1 : tensor<4x16xf32>\n    } : (tensor<8x16xf32>) -> tensor<8x16xf32>",
      "");
}

TEST_CASE("calls, tuples, tokens, unknown ops") {
  check_forms(
      "%0 = stablehlo.custom_call @Sharding(%a) {mhlo.sharding = \"{devices=[2,4]<=[8]}\"} : (tensor<8x16xf32>) -> "
      "tensor<8x16xf32>",
      "%0 = \"stablehlo.custom_call\"(%a) <{api_version = 1 : i32, call_target_name = \"Sharding\", has_side_effect = "
      "false}> "
      "{mhlo.sharding = \"{devices=[2,4]<=[8]}\"} : (tensor<8x16xf32>) -> tensor<8x16xf32>");
  check_forms(
      "%0 = stablehlo.tuple %a, %i : tuple<tensor<8x16xf32>, tensor<i32>>\n    %1 = stablehlo.get_tuple_element %0[1] "
      ": "
      "(tuple<tensor<8x16xf32>, tensor<i32>>) -> tensor<i32>",
      "");
  check_forms("%0 = stablehlo.after_all %t, %t : !stablehlo.token", "");
  check_forms(
      "%0:2 = \"foo.bar\"(%a) {baz = [1 : i32, \"q\\22\"]} : (tensor<8x16xf32>) -> (tensor<?xf32>, !foo.handle<x>)",
      "");
  check_forms("%values, %indices = chlo.top_k(%a, k = 2) : tensor<8x16xf32> -> (tensor<8x2xf32>, tensor<8x2xi32>)", "");
}
