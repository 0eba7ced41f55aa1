// Reductions, batch normalisation, windows.
#include "ops/dims_reduce.h"
#include "ops/dims_window.h"
#include "ops/verify_check.h"

namespace sw {

namespace {

// The first `n` operands have one shape; the `n` after them are scalars of their element types.
bool check_inputs(const OpCheck& check, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    const Type input = check.operand(i), init = check.operand(n + i);
    if (!same_dims(input.dims, check.operand(0).dims))  // reduce_c1
      return check.mismatch("input " + std::to_string(i) + " has shape " + dims_text(input.dims) + ", input 0 " +
                            dims_text(check.operand(0).dims) + ", expected equal shapes");
    if (!check.scalar(init, "an initial value") || !check.promotable(input, init, "input and initial value"))
      return false;
  }
  return true;
}

// n results of one shape; HLO has one tuple of them.
bool check_results(const OpCheck& check, size_t n, std::span<const int64_t> expected) {
  std::span<const TypeId> elements;
  if (check.is_hlo() && check.result().kind == TypeKind::tuple) {
    elements = check.result().elements;
    if (elements.size() != n)
      return check.mismatch("the result is a tuple of " + std::to_string(elements.size()) + ", expected " +
                            std::to_string(n));
  } else if (check.op.result_count != n) {
    return check.fail(DiagnosticKind::wrong_arity,
                      counted(check.op.result_count, "result") + ", expected " + std::to_string(n));
  }
  for (size_t i = 0; i < n; ++i) {
    const Type type = elements.empty() ? check.result(i) : check.graph.types.get(elements[i]);
    if (!same_dims(type.dims, expected))
      return check.mismatch("result " + std::to_string(i) + " has shape " + dims_text(type.dims) + ", expected " +
                            dims_text(expected));
    if (!check.promotable(check.operand(i), type, "input and result")) return false;
  }
  return true;
}

bool check_windows(const OpCheck& check, const WindowDims& window, std::span<const int64_t> input, DimList& out) {
  for (size_t d = 0; d < window.size(); ++d) {
    if (input[d] == kDynamic) {
      out.push_back(kDynamic);
      continue;
    }
    const auto count = window_output_size(input[d], window[d]);
    if (!count)
      return check.bad_attribute("the padded size of dimension " + std::to_string(d) + " does not fit into 64 bits");
    out.push_back(*count);
  }
  return true;
}

}  // namespace

bool verify_reduce(const OpCheck& check) {
  if (!check.arrays()) return false;
  ReduceDims dims;
  std::string why;
  if (check.operands.empty()) return check.invalid("no operands, expected at least one input");
  if (!read_reduce_dims(check.graph, check.id, dims, &why)) return check.bad_attribute(why);
  if (!check_inputs(check, dims.input_count)) return false;
  DimList expected;
  for (int64_t d : dims.kept) expected.push_back(check.operand(0).dims[static_cast<size_t>(d)]);
  return check_results(check, dims.input_count, expected) &&
         check_scalar_body(check, 0, 2 * dims.input_count, dims.input_count);  // reduce_c6
}

bool verify_reduce_window(const OpCheck& check) {
  if (!check.arrays()) return false;
  if (check.operands.empty() || check.operands.size() % 2 != 0)
    return check.fail(DiagnosticKind::wrong_arity,
                      counted(check.operands.size(), "operand") + ", expected as many initial values as inputs");
  const size_t n = check.operands.size() / 2;
  WindowDims window;
  std::string why;
  if (!read_window_dims(check.graph, check.id, window, &why)) return check.bad_attribute(why);
  DimList expected;
  return check_inputs(check, n) && check_windows(check, window, check.operand(0).dims, expected) &&
         check_results(check, n, expected) && check_scalar_body(check, 0, 2 * n, n);
}

bool verify_select_and_scatter(const OpCheck& check) {
  if (!check.arrays()) return false;
  WindowDims window;
  std::string why;
  if (!read_window_dims(check.graph, check.id, window, &why)) return check.bad_attribute(why);
  if (!check.scalar(check.operand(2), "the initial value")) return false;
  DimList expected;
  if (!check_windows(check, window, check.operand(0).dims, expected)) return false;
  if (!same_dims(check.operand(1).dims, expected))  // select_and_scatter_c2
    return check.mismatch("the source has shape " + dims_text(check.operand(1).dims) + ", expected " +
                          dims_text(expected));
  return check_results(check, 1, check.operand(0).dims) && check_scalar_body(check, 0, 2, 1) &&
         check_scalar_body(check, 1, 2, 1);
}

bool verify_batch_norm(const OpCheck& check) {
  if (!check.arrays()) return false;
  int64_t feature = 0;
  std::string why;
  if (!read_batch_norm_dim(check.graph, check.id, feature, &why)) return check.bad_attribute(why);
  const auto shape = check.operand(0).dims;
  const int64_t features = shape[static_cast<size_t>(feature)];
  // batch_norm_grad: the gradient of the output, the last operand, has the shape of the first.
  const bool grad = check.op.kind == OpKind::batch_norm_grad;
  for (size_t i = 1; i < check.operands.size(); ++i) {
    const auto dims = check.operand(i).dims;
    const bool whole = grad && i + 1 == check.operands.size();
    if (whole ? !same_dims(dims, shape) : dims.size() != 1 || !same_size(dims[0], features))
      return check.mismatch("operand " + std::to_string(i) + " has shape " + dims_text(dims) + ", expected " +
                            (whole ? dims_text(shape) : std::to_string(features)));
    if (!check.promotable(check.operand(0), check.operand(i), "the operands")) return false;
  }
  if (check.is_hlo() && check.result().kind == TypeKind::tuple) return true;
  if (!same_dims(check.result().dims, shape))
    return check.mismatch("result 0 has shape " + dims_text(check.result().dims) + ", expected " + dims_text(shape));
  return true;
}

}  // namespace sw
