// The pretty forms of ops, as a table that the reader and the printer share: what stands where, under which word, and
// which attribute of the generic form it is.
//
//   broadcast_in_dim %0, dims = [0] {attrs} : (tensor<f32>) -> tensor<2xf32>
//     = operands, a field {"dims", "broadcast_dimensions", int_list}, the attribute dictionary, functional types
//
// Ops with a grammar of their own (convolution, while, ...) name a CustomForm instead.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "ir/op_kind.h"

namespace sw::mlir {

enum class FieldKind : uint8_t {
  int_list,  // [0, 1]        -> array<i64: 0, 1>
  i64,       // 1             -> 1 : i64
  boolean,   // true
  text,      // "ab,bc->ac"
  fft_type,  // enumerators, spelled bare
  rng_distribution,
  rng_algorithm,
  exponent_mantissa,  // e8m7          -> exponent_bits, mantissa_bits
  dot_dims,           // batching_dims = [0] x [0], contracting_dims = [2] x [1]
  precision,          // precision = [DEFAULT, DEFAULT]
  algorithm,          // algorithm = <lhs_precision_type = tf32, ...>
};

struct Field {
  std::string_view keyword;  // empty: the field's kind holds its own words
  std::string_view attribute;
  FieldKind kind;
  bool optional = false;
};

enum class TypeForm : uint8_t {
  same,        // `: T` when all operands and results have one type, else functional
  functional,  // `: (A, B) -> C`
  results,     // `: T` of the results; no operands
  listed,      // `: A, B -> C`
  select,      // `: pred, T`
  complex,     // `: complex type`
};

enum class CustomForm : uint8_t {
  none,  // generic form only
  table,
  compare,
  slice,
  constant,
  convolution,
  custom_call,
  call,
  composite,
  get_tuple_element,
  tuple,
  optimization_barrier,
  return_,
  top_k,
  while_,
  reduce,
  sharding_constraint,
  sharding_group,
  propagation_barrier,
  data_flow_edge,
  manual_computation,
  named_computation,
  sdy_collective,
};

// The module attribute under which the text of `{-# dialect_resources: ... #-}` is kept.
constexpr std::string_view kResourcesAttribute = "{-#";

// The parameters of #stablehlo.conv, three each for input, kernel and output.
constexpr std::string_view kConvFields[] = {
    "input_batch_dimension",          "input_feature_dimension",         "input_spatial_dimensions",
    "kernel_input_feature_dimension", "kernel_output_feature_dimension", "kernel_spatial_dimensions",
    "output_batch_dimension",         "output_feature_dimension",        "output_spatial_dimensions"};

struct Form {
  CustomForm custom = CustomForm::none;
  TypeForm types = TypeForm::functional;
  std::span<const Field> fields;
};

const Form& form_of(OpKind kind);
// Forms of chlo ops that are not in ir/ops.def, by name; null: none.
const Form* form_named(std::string_view name);

// The list of axes that stands before the operand of an sdy collective; null for an op without one.
struct SdyAxes {
  OpKind kind;
  std::string_view attribute;
  std::string_view mnemonic;
  bool braces = false;  // {"x"}; otherwise [{"x"}, {}]
};
const SdyAxes* sdy_axes_of(OpKind kind);

}  // namespace sw::mlir
