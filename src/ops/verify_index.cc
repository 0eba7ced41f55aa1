// Indexed access and sorting.
#include "ops/dims_gather_scatter.h"
#include "ops/dims_reduce.h"
#include "ops/dims_slice.h"
#include "ops/verify_check.h"

namespace sw {

namespace {

int64_t at(std::span<const int64_t> shape, int64_t dim) { return shape[static_cast<size_t>(dim)]; }

// Explicit batching dimensions have equal sizes in operand and indices (gather_c17, scatter_c18).
bool check_batching(const OpCheck& check, const GatherScatterDims& dims, std::span<const int64_t> operand,
                    std::span<const int64_t> indices) {
  for (size_t i = 0; i < dims.operand_batch.size(); ++i)
    if (!same_size(at(operand, dims.operand_batch[i]), at(indices, dims.indices_batch[i])))
      return check.mismatch("batching dimensions " + std::to_string(dims.operand_batch[i]) + " of the operand and " +
                            std::to_string(dims.indices_batch[i]) + " of the indices have sizes " +
                            std::to_string(at(operand, dims.operand_batch[i])) + " and " +
                            std::to_string(at(indices, dims.indices_batch[i])) + ", expected equal ones");
  return true;
}

bool check_indices(const OpCheck& check, const Type& indices) {
  if (is_integer(indices.element)) return true;
  return check.mismatch("the indices are not integers");
}

// Start indices of dynamic_slice and dynamic_update_slice: one integer scalar per dimension. Old HLO has one vector.
bool check_start_indices(const OpCheck& check, size_t first, size_t rank) {
  const size_t count = check.operands.size() - first;
  if (check.is_hlo() && count == 1 && check.operand(first).rank() == 1) return true;
  if (count != rank)
    return check.fail(DiagnosticKind::wrong_arity,
                      counted(count, "start index", "start indices") + ", expected " + std::to_string(rank));
  for (size_t i = first; i < check.operands.size(); ++i)
    if (!check.scalar(check.operand(i), "start index " + std::to_string(i - first)) ||
        !check_indices(check, check.operand(i)))
      return false;
  return true;
}

bool check_shape(const OpCheck& check, std::span<const int64_t> expected) {
  if (same_dims(check.result().dims, expected)) return true;
  return check.mismatch("the result has shape " + dims_text(check.result().dims) + ", expected " + dims_text(expected));
}

}  // namespace

bool verify_gather(const OpCheck& check) {
  if (!check.arrays()) return false;
  GatherScatterDims dims;
  std::string why;
  if (!read_gather_dims(check.graph, check.id, dims, &why)) return check.bad_attribute(why);
  const Type operand = check.operand(0), indices = check.operand(1), result = check.result();
  if (!check_indices(check, indices) || !check_batching(check, dims, operand.dims, indices.dims)) return false;
  DimList expected(result.dims);  // gather_c22
  for (size_t i = 0; i < dims.window.size() && !dims.slice_sizes.empty(); ++i)
    expected[static_cast<size_t>(dims.offset[i])] = at(dims.slice_sizes, dims.window[i]);
  for (size_t i = 0; i < dims.batch.size(); ++i)
    expected[static_cast<size_t>(dims.batch[i])] = at(indices.dims, dims.indices_dims[i]);
  if (!check_shape(check, expected)) return false;
  return check.elements(operand, result, "operand and result");  // gather_c23
}

bool verify_scatter(const OpCheck& check) {
  if (!check.arrays()) return false;
  ScatterDims dims;
  std::string why;
  if (!read_scatter_dims(check.graph, check.id, dims, &why)) return check.bad_attribute(why);
  const size_t n = dims.input_count;
  const Type input = check.operand(0), indices = check.operand(n), update = check.operand(n + 1);
  if (!check_indices(check, indices) || !check_batching(check, dims, input.dims, indices.dims)) return false;
  for (size_t i = 1; i < n; ++i)
    if (!same_dims(check.operand(i).dims, input.dims) ||
        !same_dims(check.operand(n + 1 + i).dims, update.dims))  // c1, c3
      return check.mismatch("input or update " + std::to_string(i) + " differs in shape from the first");
  for (size_t i = 0; i < dims.window.size(); ++i) {  // scatter_c4
    const int64_t size = at(update.dims, dims.offset[i]), whole = at(input.dims, dims.window[i]);
    if (size != kDynamic && whole != kDynamic && size > whole)
      return check.mismatch("dimension " + std::to_string(dims.offset[i]) + " of the update has size " +
                            std::to_string(size) + ", expected at most " + std::to_string(whole) + ", dimension " +
                            std::to_string(dims.window[i]) + " of the input");
  }
  for (size_t i = 0; i < dims.batch.size(); ++i) {
    const int64_t size = at(update.dims, dims.batch[i]), expected = at(indices.dims, dims.indices_dims[i]);
    if (!same_size(size, expected))
      return check.mismatch("dimension " + std::to_string(dims.batch[i]) + " of the update has size " +
                            std::to_string(size) + ", expected " + std::to_string(expected) + " as the indices have");
  }
  if (check.is_hlo()) return check.result().kind == TypeKind::tuple || check_shape(check, input.dims);
  if (check.op.result_count != n)
    return check.fail(DiagnosticKind::wrong_arity,
                      counted(check.op.result_count, "result") + ", expected " + std::to_string(n));
  for (size_t i = 0; i < n; ++i) {
    if (!same_dims(check.result(i).dims, check.operand(i).dims))  // scatter_c24
      return check.mismatch("result " + std::to_string(i) + " has shape " + dims_text(check.result(i).dims) +
                            ", expected " + dims_text(check.operand(i).dims));
    if (!check.promotable(check.operand(i), check.result(i), "input and result") ||
        !check.promotable(check.operand(i), check.operand(n + 1 + i), "input and update"))
      return false;
  }
  return check_scalar_body(check, 0, 2 * n, n);
}

bool verify_sort(const OpCheck& check) {
  if (check.operands.empty()) return check.invalid("no operands, expected at least one");  // sort_c1
  if (!check.arrays()) return false;
  SortDims dims;
  std::string why;
  if (!read_sort_dims(check.graph, check.id, dims, &why)) return check.bad_attribute(why);
  for (size_t i = 1; i < check.operands.size(); ++i)
    if (!same_dims(check.operand(i).dims, check.operand(0).dims))  // sort_c3
      return check.mismatch("operand " + std::to_string(i) + " has shape " + dims_text(check.operand(i).dims) +
                            ", operand 0 " + dims_text(check.operand(0).dims) + ", expected equal shapes");
  if (check.is_hlo()) return true;
  if (check.op.result_count != check.operands.size())
    return check.fail(DiagnosticKind::wrong_arity,
                      counted(check.op.result_count, "result") + ", expected " + std::to_string(check.operands.size()));
  for (size_t i = 0; i < check.operands.size(); ++i) {
    if (!same_dims(check.result(i).dims, check.operand(i).dims))  // sort_c2
      return check.mismatch("result " + std::to_string(i) + " has shape " + dims_text(check.result(i).dims) +
                            ", expected " + dims_text(check.operand(i).dims));
    if (!check.elements(check.operand(i), check.result(i), "operand and result")) return false;
  }
  return check_scalar_body(check, 0, 2 * check.operands.size(), 1);  // sort_c5
}

bool verify_topk(const OpCheck& check) {
  if (!check.arrays() || check.is_hlo()) return check.is_hlo();
  if (check.op.result_count != 2)
    return check.fail(DiagnosticKind::wrong_arity, counted(check.op.result_count, "result") + ", expected 2");
  const auto from = check.operand(0).dims;
  if (from.empty()) return check.mismatch("the operand is a scalar, expected at least one dimension");
  int64_t k = 0;
  std::string why;
  AttrReader attrs(check.graph, check.op, &why);
  if (!attrs.integer("k", k)) return check.bad_attribute(why);
  if (k < 0 || (from.back() != kDynamic && k > from.back()))
    return check.bad_attribute("k is " + std::to_string(k) + ", expected at most " + std::to_string(from.back()));
  DimList expected(from);
  expected.back() = k;
  for (size_t i = 0; i < 2; ++i)
    if (!same_dims(check.result(i).dims, expected))
      return check.mismatch("result " + std::to_string(i) + " has shape " + dims_text(check.result(i).dims) +
                            ", expected " + dims_text(expected));
  return true;
}

bool verify_dynamic_slice(const OpCheck& check) {
  if (!check.arrays()) return false;
  if (check.operands.empty()) return check.invalid("no operands, expected a tensor and start indices");
  DimList sizes;
  std::string why;
  if (!read_dynamic_slice_sizes(check.graph, check.id, sizes, &why)) return check.bad_attribute(why);
  return check_start_indices(check, 1, check.operand(0).rank()) && check_shape(check, sizes) &&
         check.elements(check.operand(0), check.result(), "operand and result");  // dynamic_slice_c5
}

bool verify_dynamic_update_slice(const OpCheck& check) {
  if (!check.arrays()) return false;
  if (check.operands.size() < 2)
    return check.fail(DiagnosticKind::wrong_arity,
                      counted(check.operands.size(), "operand") + ", expected a tensor, an update and start indices");
  const Type whole = check.operand(0), update = check.operand(1);
  if (whole.rank() != update.rank())  // dynamic_update_slice_c3
    return check.mismatch("operand of rank " + std::to_string(whole.rank()) + " and update of rank " +
                          std::to_string(update.rank()) + ", expected equal ranks");
  for (size_t d = 0; d < whole.rank(); ++d)
    if (whole.dims[d] != kDynamic && update.dims[d] != kDynamic && update.dims[d] > whole.dims[d])  // c6
      return check.mismatch("dimension " + std::to_string(d) + " of the update has size " +
                            std::to_string(update.dims[d]) + ", expected at most " + std::to_string(whole.dims[d]));
  return check_start_indices(check, 2, whole.rank()) && check_shape(check, whole.dims) &&
         check.elements(whole, update, "operand and update") &&
         check.elements(whole, check.result(), "operand and result");  // c1
}

}  // namespace sw
