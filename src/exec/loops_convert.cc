// Loops of `convert`. A float becomes an integer by cutting off its fraction; what does not fit becomes the nearest
// number that does, NaN becomes 0. Integers are cut to their low bits. To a predicate: whether it is not 0. A complex
// number gives its real part.
#include <cmath>
#include <limits>
#include <type_traits>

#include "exec/loop_types.h"

namespace sw {

namespace {

struct Pred {
  uint8_t value;
};

template <class T>
struct IsComplex : std::false_type {};
template <class T>
struct IsComplex<std::complex<T>> : std::true_type {};

template <class From, class To>
To converted(From x) {
  if constexpr (std::is_same_v<From, Pred>) {
    if constexpr (std::is_same_v<To, Pred>)
      return x;
    else
      return converted<uint8_t, To>(x.value != 0 ? 1 : 0);
  } else if constexpr (std::is_same_v<To, Pred>) {
    return Pred{static_cast<uint8_t>(x != From(0))};
  } else if constexpr (IsComplex<From>::value && IsComplex<To>::value) {
    return To(static_cast<typename To::value_type>(x.real()), static_cast<typename To::value_type>(x.imag()));
  } else if constexpr (IsComplex<From>::value) {
    return converted<typename From::value_type, To>(x.real());
  } else if constexpr (IsComplex<To>::value) {
    return To(static_cast<typename To::value_type>(x), 0);
  } else if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
    if (std::isnan(x)) return 0;
    // The bounds as floats are exact or just outside.
    if (x <= static_cast<From>(std::numeric_limits<To>::min())) return std::numeric_limits<To>::min();
    if (x >= static_cast<From>(std::numeric_limits<To>::max())) return std::numeric_limits<To>::max();
    return static_cast<To>(x);
  } else {
    return static_cast<To>(x);
  }
}

template <class From, class To>
void convert(const void* const* in, void* out, size_t n, int64_t) {
  const From* a = static_cast<const From*>(in[0]);
  To* r = static_cast<To*>(out);
  for (size_t i = 0; i < n; ++i) r[i] = converted<From, To>(a[i]);
}

template <class From>
struct ConvertFrom {
  template <class To>
  struct Of {
    static constexpr LoopFn fn = convert<From, To>;
  };
};

template <class From>
LoopFn to(ElementType element) {
  if (element == ElementType::pred) return convert<From, Pred>;
  return first_of(for_floats<ConvertFrom<From>::template Of>(element),
                  for_integers<ConvertFrom<From>::template Of>(element),
                  for_complex<ConvertFrom<From>::template Of>(element));
}

}  // namespace

LoopFn convert_loop(ElementType from, ElementType element) {
  switch (from) {
    case ElementType::pred: return to<Pred>(element);
    case ElementType::s8: return to<int8_t>(element);
    case ElementType::s16: return to<int16_t>(element);
    case ElementType::s32: return to<int32_t>(element);
    case ElementType::index:
    case ElementType::s64: return to<int64_t>(element);
    case ElementType::u8: return to<uint8_t>(element);
    case ElementType::u16: return to<uint16_t>(element);
    case ElementType::u32: return to<uint32_t>(element);
    case ElementType::u64: return to<uint64_t>(element);
    case ElementType::f32: return to<float>(element);
    case ElementType::f64: return to<double>(element);
    case ElementType::c64: return to<std::complex<float>>(element);
    case ElementType::c128: return to<std::complex<double>>(element);
    default: return nullptr;
  }
}

}  // namespace sw
