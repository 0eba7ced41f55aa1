// Products. Operands are brought to (batch, rows, contracting) and (batch, contracting, columns) unless they are so
// already; Eigen multiplies, blocks of rows at the same time. Small floats are multiplied in f32 and rounded once;
// integers in 32 or 64 bits without sign, so that they wrap.
#include <Eigen/Core>

#include <algorithm>
#include <complex>

#include "exec/element_loop.h"
#include "exec/kernel.h"
#include "exec/strided.h"
#include "ops/dims_dot.h"

namespace sw {

namespace {

struct Extents {
  int64_t batch = 1, rows = 1, depth = 1, columns = 1;
};

template <class T>
void multiply_as(const Array& lhs, const Array& rhs, Array& out, const Extents& e) {
  using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  constexpr int64_t kWorthSharing = 1 << 16;
  const auto block = [&](int64_t b, int64_t begin, int64_t end) {
    const Eigen::Map<const Matrix> left(lhs.data<T>() + (b * e.rows + begin) * e.depth, end - begin, e.depth);
    const Eigen::Map<const Matrix> right(rhs.data<T>() + b * e.depth * e.columns, e.depth, e.columns);
    Eigen::Map<Matrix> result(out.data<T>() + (b * e.rows + begin) * e.columns, end - begin, e.columns);
    if (e.depth == 0) {
      result.setZero();
    } else {
      result.noalias() = left * right;
    }
  };
  const int64_t row_work = std::max<int64_t>(1, e.depth * e.columns);
  if (e.batch > 1) {
    const int64_t batch_work = std::max<int64_t>(1, e.rows * row_work);
    return parallel_parts(e.batch, kWorthSharing / batch_work, [&](int64_t begin, int64_t end) {
      for (int64_t b = begin; b < end; ++b) block(b, 0, e.rows);
    });
  }
  // Parts of few rows would pack the right operand again and again.
  constexpr int64_t kRows = 128;
  parallel_parts(e.rows, std::max(kRows, kWorthSharing / row_work),
                 [&](int64_t begin, int64_t end) { block(0, begin, end); });
}

using Multiply = void (*)(const Array&, const Array&, Array&, const Extents&);

Multiply multiplier(ElementType element) {
  switch (element) {
    case ElementType::f32: return multiply_as<float>;
    case ElementType::f64: return multiply_as<double>;
    case ElementType::c64: return multiply_as<std::complex<float>>;
    case ElementType::c128: return multiply_as<std::complex<double>>;
    case ElementType::u32: return multiply_as<uint32_t>;
    case ElementType::u64: return multiply_as<uint64_t>;
    default: return nullptr;
  }
}

ElementType multiplied_in(ElementType element) {
  if (!is_integer(element) && element != ElementType::pred) return computed_in(element);
  return bits(element) > 32 ? ElementType::u64 : ElementType::u32;
}

// The dimensions of `a` in the order of the three lists.
Array ordered(const Array& a, const DimList& first, const DimList& second, const DimList& third) {
  const DimList steps = row_major(a.dims);
  DimList dims, distances, order;
  for (const DimList* list : {&first, &second, &third})
    for (const int64_t d : *list) {
      order.push_back(d);
      dims.push_back(a.dims[static_cast<size_t>(d)]);
      distances.push_back(steps[static_cast<size_t>(d)]);
    }
  if (std::is_sorted(order.begin(), order.end())) return a;
  return gathered(a, dims, distances, 0);
}

int64_t extent(const Array& a, const DimList& dims) {
  int64_t product = 1;
  for (const int64_t d : dims) product *= a.dims[static_cast<size_t>(d)];
  return product;
}

}  // namespace

Kernel interp_dot_general(const KernelRequest& request) {
  DotDims d;
  if (!read_dot_dims(request.graph, request.id, d, request.why)) return {};
  const Type result = request.result();
  const ElementType in = multiplied_in(result.element);
  const Multiply multiply = multiplier(in);
  if (multiply == nullptr) return request.refused("a product of this element type cannot be executed");
  return [d, in, multiply, element = result.element, dims = DimList(result.dims)](std::span<Datum> operands) -> Datum {
    const Array& a = operands[0].array;
    const Array& b = operands[1].array;
    const Extents e{extent(a, d.lhs_batch), extent(a, d.lhs_free), extent(a, d.lhs_contract), extent(b, d.rhs_free)};
    const Array left = converted(ordered(a, d.lhs_batch, d.lhs_free, d.lhs_contract), in);
    const Array right = converted(ordered(b, d.rhs_batch, d.rhs_contract, d.rhs_free), in);
    Array out = new_array(in, dims);
    multiply(left, right, out, e);
    return converted(out, element);
  };
}

}  // namespace sw
