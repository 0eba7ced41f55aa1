#include "exec/numbers.h"

#include <numeric>

#include "exec/kernel.h"
#include "exec/strided.h"

namespace sw {

Array numbers(const Array& a) { return copied(converted(a, ElementType::c128)); }

std::span<Number> numbers_of(Array& a) { return {a.data<Number>(), static_cast<size_t>(a.count())}; }

Array transposed(const Array& a) {
  DimList order(a.dims.size(), 0);
  std::iota(order.begin(), order.end(), 0);
  std::swap(order[order.size() - 1], order[order.size() - 2]);
  return permuted(a, order);
}

Array solved(const Array& a, const Array& b, bool left, TriangularForm form) {
  // x a = b is a^T x^T = b^T.
  if (!left) form.transposed = !form.transposed;
  Array matrices = numbers(a), x = numbers(left ? b : transposed(b));
  const int64_t n = matrices.dims.back(), columns = x.dims.back();
  const auto a_size = static_cast<size_t>(n * n), b_size = static_cast<size_t>(n * columns);
  const size_t count = a_size == 0 ? 0 : static_cast<size_t>(matrices.count()) / a_size;
  for (size_t i = 0; i < count; ++i)
    solve_triangular(numbers_of(matrices).subspan(i * a_size, a_size), numbers_of(x).subspan(i * b_size, b_size), n,
                     columns, form);
  return left ? x : transposed(x);
}

}  // namespace sw
