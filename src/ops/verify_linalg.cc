// Dense linear algebra and random bits.
#include "ops/dims_linalg.h"
#include "ops/verify_check.h"

namespace sw {

namespace {

bool check_shape(const OpCheck& check, std::span<const int64_t> expected) {
  if (same_dims(check.result().dims, expected)) return true;
  return check.mismatch("the result has shape " + dims_text(check.result().dims) + ", expected " + dims_text(expected));
}

bool check_type(const OpCheck& check, std::span<const int64_t> expected) {
  return check_shape(check, expected) && check.elements(check.operand(0), check.result(), "operand and result");
}

}  // namespace

bool verify_cholesky(const OpCheck& check) {
  if (!check.arrays()) return false;
  const auto dims = check.operand(0).dims;
  if (dims.size() < 2 || !same_size(dims[dims.size() - 1], dims[dims.size() - 2]))  // cholesky_c2, c3
    return check.mismatch("the operand has shape " + dims_text(dims) + ", expected square matrices");
  return check_type(check, dims);
}

bool verify_triangular_solve(const OpCheck& check) {
  if (!check.arrays()) return false;
  TriangularSolveDims dims;
  std::string why;
  if (!read_triangular_solve_dims(check.graph, check.id, dims, &why)) return check.bad_attribute(why);
  const auto a = check.operand(0).dims, b = check.operand(1).dims;
  const size_t row = a.size() - 2, column = a.size() - 1;
  if (!same_size(a[row], a[column]))
    return check.mismatch("operand 0 has shape " + dims_text(a) + ", expected square matrices");
  if (!same_dims(a.first(row), b.first(row)) || !same_size(a[row], dims.left_side ? b[row] : b[column]))  // c3, c4
    return check.mismatch("operands of shape " + dims_text(a) + " and " + dims_text(b) + " do not fit each other");
  return check.elements(check.operand(0), check.operand(1), "the operands") && check_type(check, b);
}

bool verify_fft(const OpCheck& check) {
  if (!check.arrays()) return false;
  FftDims dims;
  std::string why;
  if (!read_fft_dims(check.graph, check.id, dims, &why)) return check.bad_attribute(why);
  const auto from = check.operand(0).dims;
  // Complex transforms take the length from the operand.
  const bool real = dims.kind == FftKind::rfft || dims.kind == FftKind::irfft;
  const ElementType in = check.operand(0).element, out = check.result().element;
  if (is_complex(in) == (dims.kind == FftKind::rfft) || is_complex(out) == (dims.kind == FftKind::irfft))  // fft_c2
    return check.mismatch("operand " + check.text(check.operand_id(0)) + " and result " +
                          check.text(check.result_id()) + " do not fit the type of the transform");
  const size_t first = from.size() - dims.lengths.size();
  // A real transform keeps half of the last dimension, since the other half mirrors it.
  const int64_t half = dims.lengths.back() == 0 ? 0 : dims.lengths.back() / 2 + 1;
  for (size_t i = 0; i < dims.lengths.size() && real; ++i) {
    const bool last = i + 1 == dims.lengths.size();
    const int64_t expected = last && dims.kind == FftKind::irfft ? half : dims.lengths[i];
    if (!same_size(from[first + i], expected))  // fft_c4, c5
      return check.mismatch("dimension " + std::to_string(first + i) + " of the operand has size " +
                            std::to_string(from[first + i]) + ", expected " + std::to_string(expected));
  }
  DimList expected(from);
  if (dims.kind == FftKind::rfft) expected.back() = half;
  if (dims.kind == FftKind::irfft) expected.back() = dims.lengths.back();
  return check_shape(check, expected);
}

bool verify_rng_bit_generator(const OpCheck& check) {
  if (!check.arrays()) return false;
  if (check.is_hlo()) return true;
  if (check.op.result_count != 2)
    return check.fail(DiagnosticKind::wrong_arity, counted(check.op.result_count, "result") + ", expected 2");
  if (!same_dims(check.operand(0).dims, check.result(0).dims))  // rng_bit_generator_c1
    return check.mismatch("the new state has shape " + dims_text(check.result(0).dims) + ", expected " +
                          dims_text(check.operand(0).dims));
  return true;
}

}  // namespace sw
