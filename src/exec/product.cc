// Eigen multiplies; nothing else includes it.
#include "exec/product.h"

#include <Eigen/Core>

#include <complex>

#include "exec/element_loop.h"

namespace sw {

namespace {

template <class T>
void product(const std::byte* a, const std::byte* b, std::byte* c, const ProductExtents& e, bool accumulate) {
  using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const Eigen::Map<const Matrix> left(reinterpret_cast<const T*>(a), e.rows, e.depth);
  const Eigen::Map<const Matrix> right(reinterpret_cast<const T*>(b), e.depth, e.columns);
  Eigen::Map<Matrix> result(reinterpret_cast<T*>(c), e.rows, e.columns);
  if (e.depth == 0) {
    if (!accumulate) result.setZero();
  } else if (accumulate) {
    result.noalias() += left * right;
  } else {
    result.noalias() = left * right;
  }
}

}  // namespace

ElementType multiplied_in(ElementType element) {
  if (!is_integer(element) && element != ElementType::pred) return computed_in(element);
  return bits(element) > 32 ? ElementType::u64 : ElementType::u32;
}

ProductFn product_of(ElementType element) {
  switch (element) {
    case ElementType::f32: return product<float>;
    case ElementType::f64: return product<double>;
    case ElementType::c64: return product<std::complex<float>>;
    case ElementType::c128: return product<std::complex<double>>;
    case ElementType::u32: return product<uint32_t>;
    case ElementType::u64: return product<uint64_t>;
    default: return nullptr;
  }
}

}  // namespace sw
