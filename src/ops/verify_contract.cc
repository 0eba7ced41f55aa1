// Products and convolutions: paired sizes, and the result's shape.
#include "ops/dims_conv.h"
#include "ops/dims_dot.h"
#include "ops/verify_check.h"

namespace sw {

namespace {

int64_t at(std::span<const int64_t> shape, int64_t dim) { return shape[static_cast<size_t>(dim)]; }

bool check_pairs(const OpCheck& check, const DimList& lhs_dims, const DimList& rhs_dims, std::string_view what) {
  const auto lhs = check.operand(0).dims, rhs = check.operand(1).dims;
  for (size_t i = 0; i < lhs_dims.size(); ++i)
    if (!same_size(at(lhs, lhs_dims[i]), at(rhs, rhs_dims[i])))
      return check.mismatch(std::string(what) + " dimensions " + std::to_string(lhs_dims[i]) + " of the left and " +
                            std::to_string(rhs_dims[i]) + " of the right operand have sizes " +
                            std::to_string(at(lhs, lhs_dims[i])) + " and " + std::to_string(at(rhs, rhs_dims[i])) +
                            ", expected equal ones");
  return true;
}

bool check_shape(const OpCheck& check, const DimList& expected) {
  if (same_dims(check.result().dims, expected)) return true;
  return check.mismatch("the result has shape " + dims_text(check.result().dims) + ", expected " + dims_text(expected));
}

}  // namespace

bool verify_dot_general(const OpCheck& check) {
  // HLO: operands beyond the second are metadata of sparse operands, and the sizes then differ on purpose.
  if (check.operands.size() < 2 || (!check.is_hlo() && check.operands.size() > 2))
    return check.fail(DiagnosticKind::wrong_arity, counted(check.operands.size(), "operand") + ", expected 2");
  if (!check.arrays()) return false;
  DotDims dims;
  std::string why;
  if (!read_dot_dims(check.graph, check.id, dims, &why)) return check.bad_attribute(why);
  if (check.operands.size() == 2 && (!check_pairs(check, dims.lhs_batch, dims.rhs_batch, "batching") ||          // c9
                                     !check_pairs(check, dims.lhs_contract, dims.rhs_contract, "contracting")))  // c10
    return false;
  const auto lhs = check.operand(0).dims, rhs = check.operand(1).dims;
  DimList expected;  // dot_general_c12
  for (int64_t d : dims.lhs_batch) expected.push_back(at(lhs, d));
  for (int64_t d : dims.lhs_free) expected.push_back(at(lhs, d));
  for (int64_t d : dims.rhs_free) expected.push_back(at(rhs, d));
  return check_shape(check, expected);
}

namespace {

// A scale stands for a block of its operand, or for nothing: one bf16 element beside a bf16 operand.
bool check_scale(const OpCheck& check, size_t operand, std::string_view side, size_t contracting) {
  const Type of = check.operand(operand), scale = check.operand(operand + 2);
  if (scale.element == of.element && of.element == ElementType::bf16 && scale.element_count() == 1) return true;
  if (scale.rank() != of.rank())
    return check.mismatch("the scale of the " + std::string(side) + " operand has rank " +
                          std::to_string(scale.rank()) + ", expected " + std::to_string(of.rank()));
  if (contracting != 1) return check.mismatch(counted(contracting, "contracting dimension") + ", expected one");
  for (size_t d = 0; d < of.rank(); ++d)
    if (scale.dims[d] <= 0 || of.dims[d] % scale.dims[d] != 0)
      return check.mismatch("dimension " + std::to_string(d) + " of the " + std::string(side) + " operand has size " +
                            std::to_string(of.dims[d]) + ", expected a multiple of its scale's " +
                            std::to_string(scale.dims[d]));
  return true;
}

}  // namespace

// HLO only; follows ShapeVerifier::HandleScaledDot. Operands: left, right, and the scales of both.
bool verify_scaled_dot(const OpCheck& check) {
  if (check.operands.size() != 4)
    return check.fail(DiagnosticKind::wrong_arity, counted(check.operands.size(), "operand") + ", expected 4");
  if (!check.arrays()) return false;
  DotDims dims;
  std::string why;
  if (!read_dot_dims(check.graph, check.id, dims, &why)) return check.bad_attribute(why);
  if (!check_pairs(check, dims.lhs_batch, dims.rhs_batch, "batching") ||
      !check_pairs(check, dims.lhs_contract, dims.rhs_contract, "contracting") ||
      !check_scale(check, 0, "left", dims.lhs_contract.size()) ||
      !check_scale(check, 1, "right", dims.rhs_contract.size()))
    return false;
  if (check.operand(2).rank() == 0 && check.operand(3).rank() == 0)
    return check.mismatch("both scales are scalars, expected one at most");
  const auto lhs = check.operand(0).dims, rhs = check.operand(1).dims;
  DimList expected;
  for (int64_t d : dims.lhs_batch) expected.push_back(at(lhs, d));
  for (int64_t d : dims.lhs_free) expected.push_back(at(lhs, d));
  for (int64_t d : dims.rhs_free) expected.push_back(at(rhs, d));
  return check_shape(check, expected);
}

bool verify_ragged_dot(const OpCheck& check) {
  if (check.operands.size() < 3)
    return check.fail(DiagnosticKind::wrong_arity, counted(check.operands.size(), "operand") + ", expected 3");
  if (!check.arrays()) return false;
  RaggedDotDims dims;
  std::string why;
  if (!read_ragged_dot_dims(check.graph, check.id, dims, &why)) return check.bad_attribute(why);
  if (!check_pairs(check, dims.dot.lhs_batch, dims.dot.rhs_batch, "batching") ||
      !check_pairs(check, dims.dot.lhs_contract, dims.dot.rhs_contract, "contracting"))
    return false;
  const auto lhs = check.operand(0).dims, rhs = check.operand(1).dims, groups = check.operand(2).dims;
  DimList expected;
  if (dims.mode == RaggedMode::contracting) expected.push_back(groups.empty() ? kDynamic : groups.back());
  for (int64_t d : dims.dot.lhs_batch) expected.push_back(at(lhs, d));
  for (int64_t d : dims.dot.lhs_free) expected.push_back(at(lhs, d));
  for (int64_t d : dims.dot.rhs_free) expected.push_back(at(rhs, d));
  return check_shape(check, expected);
}

bool verify_convolution(const OpCheck& check) {
  if (!check.arrays()) return false;
  ConvDims d;
  std::string why;
  if (!read_conv_dims(check.graph, check.id, d, &why)) return check.bad_attribute(why);
  const auto lhs = check.operand(0).dims, rhs = check.operand(1).dims, out = check.result().dims;
  const int64_t batch = at(lhs, d.input_batch), features = at(lhs, d.input_feature);
  const int64_t kernel_in = at(rhs, d.kernel_input_feature), kernel_out = at(rhs, d.kernel_output_feature);
  if (batch != kDynamic && batch % d.batch_group_count != 0)  // convolution_c10
    return check.mismatch("the input batch of size " + std::to_string(batch) +
                          " does not divide by batch_group_count " + std::to_string(d.batch_group_count));
  if (features != kDynamic && features % d.feature_group_count != 0)  // convolution_c11
    return check.mismatch(std::to_string(features) + " input features do not divide by feature_group_count " +
                          std::to_string(d.feature_group_count));
  if (features != kDynamic && !same_size(kernel_in, features / d.feature_group_count))  // convolution_c14
    return check.mismatch("the kernel has " + std::to_string(kernel_in) + " input features, expected " +
                          std::to_string(features / d.feature_group_count));
  if (kernel_out != kDynamic && (kernel_out % d.batch_group_count != 0 || kernel_out % d.feature_group_count != 0))
    return check.mismatch(std::to_string(kernel_out) +
                          " output features do not divide by the group count");  // c15, c16
  DimList expected(out.size(), kDynamic);                                        // convolution_c25
  expected[static_cast<size_t>(d.output_batch)] = batch == kDynamic ? kDynamic : batch / d.batch_group_count;
  expected[static_cast<size_t>(d.output_feature)] = kernel_out;
  for (size_t i = 0; i < d.window.size(); ++i) {
    const int64_t size = at(lhs, d.input_spatial[i]);
    if (size == kDynamic || d.window[i].size == kDynamic) continue;
    const auto windows = window_output_size(size, d.window[i]);
    if (!windows) return check.bad_attribute("the padded size of a spatial dimension does not fit into 64 bits");
    expected[static_cast<size_t>(d.output_spatial[i])] = *windows;
  }
  return check_shape(check, expected);
}

}  // namespace sw
