#include "exec/matrices.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

namespace sw {

bool cholesky_in_place(std::span<Number> a, int64_t n) {
  const auto at = [&](int64_t i, int64_t j) -> Number& { return a[static_cast<size_t>(i * n + j)]; };
  for (int64_t j = 0; j < n; ++j) {
    double pivot = at(j, j).real();
    for (int64_t k = 0; k < j; ++k) pivot -= std::norm(at(j, k));
    if (!(pivot > 0)) {
      std::fill(a.begin(), a.end(), Number(std::numeric_limits<double>::quiet_NaN()));
      return false;
    }
    at(j, j) = std::sqrt(pivot);
    for (int64_t i = j + 1; i < n; ++i) {
      Number sum = at(i, j);
      for (int64_t k = 0; k < j; ++k) sum -= at(i, k) * std::conj(at(j, k));
      at(i, j) = sum / at(j, j).real();
    }
    for (int64_t i = 0; i < j; ++i) at(i, j) = 0;
  }
  return true;
}

void solve_triangular(std::span<const Number> a, std::span<Number> b, int64_t n, int64_t columns,
                      const TriangularForm& form) {
  const auto entry = [&](int64_t i, int64_t j) {
    const Number x = a[static_cast<size_t>(form.transposed ? j * n + i : i * n + j)];
    return form.conjugated ? std::conj(x) : x;
  };
  const bool forward = form.lower != form.transposed;
  for (int64_t step = 0; step < n; ++step) {
    const int64_t i = forward ? step : n - 1 - step;
    for (int64_t c = 0; c < columns; ++c) {
      Number sum = b[static_cast<size_t>(i * columns + c)];
      for (int64_t before = 0; before < step; ++before) {
        const int64_t k = forward ? before : n - 1 - before;
        sum -= entry(i, k) * b[static_cast<size_t>(k * columns + c)];
      }
      b[static_cast<size_t>(i * columns + c)] = form.unit_diagonal ? sum : sum / entry(i, i);
    }
  }
}

namespace {

// Splits off the smallest factor; a prime length is summed up as it stands.
void transform(const Number* in, Number* out, size_t n, size_t step, int sign) {
  if (n == 1) {
    out[0] = in[0];
    return;
  }
  size_t factor = 2;
  while (factor * factor <= n && n % factor != 0) ++factor;
  if (n % factor != 0) factor = n;
  const size_t part = n / factor;
  std::vector<Number> pieces(n);
  for (size_t f = 0; f < factor; ++f) transform(in + f * step, pieces.data() + f * part, part, step * factor, sign);
  const double turn = sign * 2 * std::numbers::pi / static_cast<double>(n);
  for (size_t k = 0; k < n; ++k) {
    Number sum = 0;
    for (size_t f = 0; f < factor; ++f)
      sum += pieces[f * part + k % part] * std::polar(1.0, turn * static_cast<double>((f * k) % n));
    out[k] = sum;
  }
}

}  // namespace

void fourier(std::span<Number> x, int sign) {
  if (x.size() < 2) return;
  const std::vector<Number> in(x.begin(), x.end());
  transform(in.data(), x.data(), in.size(), 1, sign);
}

}  // namespace sw
