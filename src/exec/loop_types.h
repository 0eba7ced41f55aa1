// Instances of a loop for groups of element types. A functor F with a templated operator() is one op; the functions
// here pick its instance by element.
#pragma once

#include <complex>
#include <cstdint>

#include "exec/element_loop.h"

namespace sw {

template <class F, class T>
void loop1(const void* const* in, void* out, size_t n, int64_t) {
  const T* a = static_cast<const T*>(in[0]);
  using R = decltype(F{}(T{}));
  R* r = static_cast<R*>(out);
  for (size_t i = 0; i < n; ++i) r[i] = F{}(a[i]);
}

template <class F, class T>
void loop2(const void* const* in, void* out, size_t n, int64_t) {
  const T* a = static_cast<const T*>(in[0]);
  const T* b = static_cast<const T*>(in[1]);
  using R = decltype(F{}(T{}, T{}));
  R* r = static_cast<R*>(out);
  for (size_t i = 0; i < n; ++i) r[i] = F{}(a[i], b[i]);
}

// Loop<T>::fn for the element type, or null when it is of another group.
template <template <class> class Loop>
LoopFn for_floats(ElementType element) {
  if (element == ElementType::f32) return Loop<float>::fn;
  return element == ElementType::f64 ? Loop<double>::fn : nullptr;
}

template <template <class> class Loop>
LoopFn for_complex(ElementType element) {
  if (element == ElementType::c64) return Loop<std::complex<float>>::fn;
  return element == ElementType::c128 ? Loop<std::complex<double>>::fn : nullptr;
}

template <template <class> class Loop>
LoopFn for_integers(ElementType element) {
  switch (element) {
    case ElementType::s8: return Loop<int8_t>::fn;
    case ElementType::s16: return Loop<int16_t>::fn;
    case ElementType::s32: return Loop<int32_t>::fn;
    case ElementType::index:
    case ElementType::s64: return Loop<int64_t>::fn;
    case ElementType::u8: return Loop<uint8_t>::fn;
    case ElementType::u16: return Loop<uint16_t>::fn;
    case ElementType::u32: return Loop<uint32_t>::fn;
    case ElementType::u64: return Loop<uint64_t>::fn;
    default: return nullptr;
  }
}

// The first that is not null.
inline LoopFn first_of(LoopFn a, LoopFn b, LoopFn c = nullptr) { return a != nullptr ? a : b != nullptr ? b : c; }

// Binds a functor of one or two operands as a Loop.
template <class F>
struct Unary {
  template <class T>
  struct Of {
    static constexpr LoopFn fn = loop1<F, T>;
  };
};
template <class F>
struct Binary {
  template <class T>
  struct Of {
    static constexpr LoopFn fn = loop2<F, T>;
  };
};

}  // namespace sw
