#include "text/mlir/forms.h"

#include <algorithm>
#include <array>

namespace sw::mlir {

namespace {

using K = OpKind;
using F = FieldKind;

constexpr Field kBroadcast[] = {{"sizes", "broadcast_sizes", F::int_list}};
constexpr Field kBroadcastInDim[] = {{"dims", "broadcast_dimensions", F::int_list}};
constexpr Field kTranspose[] = {{"dims", "permutation", F::int_list}};
constexpr Field kReverse[] = {{"dims", "dimensions", F::int_list}};
constexpr Field kIota[] = {{"dim", "iota_dimension", F::i64}};
constexpr Field kDimension[] = {{"dim", "dimension", F::i64}};
constexpr Field kPad[] = {{"low", "edge_padding_low", F::int_list},
                          {"high", "edge_padding_high", F::int_list},
                          {"interior", "interior_padding", F::int_list}};
constexpr Field kDynamicSlice[] = {{"sizes", "slice_sizes", F::int_list}};
constexpr Field kDot[] = {{"", "precision_config", F::precision, true}};
constexpr Field kDotGeneral[] = {{"", "dot_dimension_numbers", F::dot_dims},
                                 {"", "precision_config", F::precision, true},
                                 {"", "algorithm", F::algorithm, true}};
constexpr Field kEinsum[] = {{"config", "einsum_config", F::text}};
constexpr Field kFft[] = {{"type", "fft_type", F::fft_type}, {"length", "fft_length", F::int_list}};
constexpr Field kCholesky[] = {{"lower", "lower", F::boolean, true}};
constexpr Field kRng[] = {{"distribution", "rng_distribution", F::rng_distribution}};
constexpr Field kRngBits[] = {{"algorithm", "rng_algorithm", F::rng_algorithm}};
constexpr Field kReducePrecision[] = {{"format", "exponent_bits", F::exponent_mantissa}};

struct Row {
  OpKind kind;
  Form form;
};

constexpr Form table(TypeForm types, std::span<const Field> fields = {}) { return {CustomForm::table, types, fields}; }
constexpr Form custom(CustomForm form) { return {form, TypeForm::functional, {}}; }

constexpr Row kRows[] = {
    {K::convert, table(TypeForm::same)},
    {K::complex, table(TypeForm::complex)},
    {K::select, table(TypeForm::select)},
    {K::clamp, table(TypeForm::same)},
    {K::after_all, table(TypeForm::same)},
    {K::copy, table(TypeForm::same)},
    {K::func_data_flow_edge, table(TypeForm::same)},
    {K::create_token, table(TypeForm::results)},
    {K::partition_id, table(TypeForm::results)},
    {K::replica_id, table(TypeForm::results)},
    {K::is_finite, table(TypeForm::functional)},
    {K::bitcast_convert, table(TypeForm::functional)},
    {K::reshape, table(TypeForm::functional)},
    {K::dynamic_reshape, table(TypeForm::functional)},
    {K::dynamic_update_slice, table(TypeForm::functional)},
    {K::dynamic_pad, table(TypeForm::functional)},
    {K::real_dynamic_slice, table(TypeForm::functional)},
    {K::broadcast, table(TypeForm::functional, kBroadcast)},
    {K::broadcast_in_dim, table(TypeForm::functional, kBroadcastInDim)},
    {K::dynamic_broadcast_in_dim, table(TypeForm::functional, kBroadcastInDim)},
    {K::transpose, table(TypeForm::functional, kTranspose)},
    {K::reverse, table(TypeForm::same, kReverse)},
    {K::iota, table(TypeForm::results, kIota)},
    {K::dynamic_iota, table(TypeForm::functional, kIota)},
    {K::concatenate, table(TypeForm::functional, kDimension)},
    {K::get_dimension_size, table(TypeForm::functional, kDimension)},
    {K::set_dimension_size, table(TypeForm::functional, kDimension)},
    {K::pad, table(TypeForm::functional, kPad)},
    {K::dynamic_slice, table(TypeForm::functional, kDynamicSlice)},
    {K::dot, table(TypeForm::functional, kDot)},
    {K::dot_general, table(TypeForm::functional, kDotGeneral)},
    {K::einsum, table(TypeForm::functional, kEinsum)},
    {K::unary_einsum, table(TypeForm::functional, kEinsum)},
    {K::fft, table(TypeForm::functional, kFft)},
    {K::cholesky, table(TypeForm::same, kCholesky)},
    {K::rng, table(TypeForm::functional, kRng)},
    {K::rng_bit_generator, table(TypeForm::functional, kRngBits)},
    {K::reduce_precision, table(TypeForm::same, kReducePrecision)},
    {K::chlo_next_after, table(TypeForm::listed)},
    {K::chlo_mulhi, table(TypeForm::listed)},
    {K::chlo_polygamma, table(TypeForm::listed)},
    {K::chlo_zeta, table(TypeForm::listed)},
    {K::compare, custom(CustomForm::compare)},
    {K::slice, custom(CustomForm::slice)},
    {K::constant, custom(CustomForm::constant)},
    {K::sdy_constant, custom(CustomForm::constant)},
    {K::convolution, custom(CustomForm::convolution)},
    {K::custom_call, custom(CustomForm::custom_call)},
    {K::call, custom(CustomForm::call)},
    {K::composite, custom(CustomForm::composite)},
    {K::get_tuple_element, custom(CustomForm::get_tuple_element)},
    {K::tuple, custom(CustomForm::tuple)},
    {K::optimization_barrier, custom(CustomForm::optimization_barrier)},
    {K::func_return, custom(CustomForm::return_)},
    {K::return_, custom(CustomForm::return_)},
    {K::sdy_return, custom(CustomForm::return_)},
    {K::top_k, custom(CustomForm::top_k)},
    {K::topk, custom(CustomForm::top_k)},
    {K::while_, custom(CustomForm::while_)},
    {K::reduce, custom(CustomForm::reduce)},
    {K::sharding_constraint, custom(CustomForm::sharding_constraint)},
    {K::reshard, custom(CustomForm::sharding_constraint)},
    {K::sharding_group, custom(CustomForm::sharding_group)},
    {K::propagation_barrier, custom(CustomForm::propagation_barrier)},
    {K::data_flow_edge, custom(CustomForm::data_flow_edge)},
    {K::manual_computation, custom(CustomForm::manual_computation)},
    {K::named_computation, custom(CustomForm::named_computation)},
    {K::sdy_all_gather, custom(CustomForm::sdy_collective)},
    {K::sdy_all_slice, custom(CustomForm::sdy_collective)},
    {K::sdy_all_to_all, custom(CustomForm::sdy_collective)},
    {K::sdy_collective_permute, custom(CustomForm::sdy_collective)},
    {K::sdy_all_reduce, custom(CustomForm::sdy_collective)},
    {K::sdy_reduce_scatter, custom(CustomForm::sdy_collective)},
    {K::sharded_to_unreduced, custom(CustomForm::sdy_collective)},
    {K::replicated_to_unreduced, custom(CustomForm::sdy_collective)},
};

// Unary chlo ops always print both types: `chlo.erf %0 : tensor<2xf32> -> tensor<2xf32>`.
constexpr bool is_chlo_unary(OpKind kind) { return kind >= K::chlo_acos && kind <= K::chlo_square; }
// Plain pointwise ops: every kind from abs to xor_ that has no row of its own.
constexpr bool is_plain_pointwise(OpKind kind) { return (kind >= K::abs && kind <= K::xor_) || kind == K::erf; }

constexpr std::array<Form, kOpKindCount> kForms = [] {
  std::array<Form, kOpKindCount> forms{};
  for (size_t i = 0; i < kOpKindCount; ++i) {
    const auto kind = static_cast<OpKind>(i);
    if (is_plain_pointwise(kind)) forms[i] = table(TypeForm::same);
    if (is_chlo_unary(kind)) forms[i] = table(TypeForm::listed);
  }
  for (const Row& row : kRows) forms[static_cast<size_t>(row.kind)] = row.form;
  return forms;
}();

}  // namespace

const Form& form_of(OpKind kind) { return kForms[static_cast<size_t>(kind)]; }

const Form* form_named(std::string_view name) {
  static constexpr Form kListed = table(TypeForm::listed);
  static constexpr Form kFunctional = table(TypeForm::functional);
  static constexpr Form kConstant = custom(CustomForm::constant);
  if (name == "chlo.tan" || name == "chlo._asin_acos_kernel") return &kListed;
  if (name == "chlo.constant") return &kConstant;
  // broadcast_compare is generic only. A name from the generic form may hold any bytes.
  const bool plain =
      std::ranges::all_of(name, [](char c) { return (c >= 'a' && c <= 'z') || c == '_' || c == '.' || c == '2'; });
  if (plain && name.starts_with("chlo.broadcast_") && name != "chlo.broadcast_compare") return &kFunctional;
  return nullptr;
}

const SdyAxes* sdy_axes_of(OpKind kind) {
  static constexpr SdyAxes kAxes[] = {
      {K::sdy_all_gather, "gathering_axes", "list_of_axis_ref_lists"},
      {K::sdy_all_slice, "slicing_axes", "list_of_axis_ref_lists"},
      {K::sdy_all_to_all, "params", "all_to_all_param_list"},
      {K::sdy_all_reduce, "reduction_axes", "axis_ref_list", true},
      {K::sdy_reduce_scatter, "reduce_scatter_axes", "list_of_axis_ref_lists"},
      {K::sharded_to_unreduced, "axes", "list_of_axis_ref_lists"},
      {K::replicated_to_unreduced, "axes", "axis_ref_list", true},
  };
  const auto* found = std::ranges::find(kAxes, kind, &SdyAxes::kind);
  return found == std::end(kAxes) ? nullptr : found;
}

}  // namespace sw::mlir
