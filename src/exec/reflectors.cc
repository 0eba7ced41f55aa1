// Follows what xGEQR2, xGEQP3, xGETF2 and xGTSV of LAPACK compute; norms are summed up plainly, since doubles that come
// from floats neither overflow nor vanish when they are squared.
#include "exec/reflectors.h"

#include <algorithm>
#include <cmath>

namespace sw {

namespace {

double column_norm(const MatrixView& a, int64_t from_row, int64_t column) {
  double sum = 0;
  for (int64_t i = from_row; i < a.rows; ++i) sum += std::norm(a.at(i, column));
  return std::sqrt(sum);
}

// c[first.., from..] = (1 - tau v v^H) c, v in column `first` of `a`.
void reflect(const MatrixView& a, int64_t first, Number tau, const MatrixView& c, int64_t from) {
  if (tau == Number(0)) return;
  for (int64_t j = from; j < c.columns; ++j) {
    Number sum = c.at(first, j);
    for (int64_t i = first + 1; i < a.rows; ++i) sum += std::conj(a.at(i, first)) * c.at(i, j);
    sum *= tau;
    c.at(first, j) -= sum;
    for (int64_t i = first + 1; i < a.rows; ++i) c.at(i, j) -= a.at(i, first) * sum;
  }
}

// The reflector that leaves of column j, from row j on, only its first element.
Number make_reflector(const MatrixView& a, int64_t j) {
  const Number alpha = a.at(j, j);
  const double rest = column_norm(a, j + 1, j);
  if (rest == 0 && alpha.imag() == 0) return 0;
  const double beta = -std::copysign(std::hypot(std::abs(alpha), rest), alpha.real());
  for (int64_t i = j + 1; i < a.rows; ++i) a.at(i, j) /= alpha - beta;
  a.at(j, j) = beta;
  return {(beta - alpha.real()) / beta, -alpha.imag() / beta};
}

void swap_columns(const MatrixView& a, int64_t i, int64_t j) {
  for (int64_t row = 0; row < a.rows; ++row) std::swap(a.at(row, i), a.at(row, j));
}

void swap_rows(const MatrixView& a, int64_t i, int64_t j) {
  for (int64_t column = 0; column < a.columns; ++column) std::swap(a.at(i, column), a.at(j, column));
}

}  // namespace

void qr_in_place(const MatrixView& a, std::span<Number> taus) {
  for (int64_t j = 0; j < std::min(a.rows, a.columns); ++j) {
    taus[static_cast<size_t>(j)] = make_reflector(a, j);
    reflect(a, j, std::conj(taus[static_cast<size_t>(j)]), a, j + 1);
  }
}

void qr_pivoted_in_place(const MatrixView& a, std::span<int32_t> order, std::span<Number> taus) {
  int64_t fixed = 0;
  std::vector<int32_t> wanted(order.begin(), order.end());
  for (size_t j = 0; j < order.size(); ++j) order[j] = static_cast<int32_t>(j + 1);
  for (int64_t j = 0; j < a.columns; ++j) {
    if (wanted[static_cast<size_t>(j)] == 0) continue;
    swap_columns(a, j, fixed);
    std::swap(order[static_cast<size_t>(j)], order[static_cast<size_t>(fixed++)]);
  }
  for (int64_t j = 0; j < std::min(a.rows, a.columns); ++j) {
    int64_t largest = j;
    double most = j < fixed ? 0 : column_norm(a, j, j);
    for (int64_t k = j + 1; j >= fixed && k < a.columns; ++k)
      if (const double norm = column_norm(a, j, k); norm > most) {
        most = norm;
        largest = k;
      }
    swap_columns(a, j, largest);
    std::swap(order[static_cast<size_t>(j)], order[static_cast<size_t>(largest)]);
    taus[static_cast<size_t>(j)] = make_reflector(a, j);
    reflect(a, j, std::conj(taus[static_cast<size_t>(j)]), a, j + 1);
  }
}

void apply_reflectors(const MatrixView& a, std::span<const Number> taus, bool adjoint, const MatrixView& c) {
  const auto count = static_cast<int64_t>(taus.size());
  for (int64_t step = 0; step < count; ++step) {
    const int64_t j = adjoint ? step : count - 1 - step;
    const Number tau = taus[static_cast<size_t>(j)];
    reflect(a, j, adjoint ? std::conj(tau) : tau, c, 0);
  }
}

int32_t lu_in_place(const MatrixView& a, std::span<int32_t> pivots) {
  const auto size = [](Number x) { return std::fabs(x.real()) + std::fabs(x.imag()); };
  int32_t first_zero = 0;
  for (int64_t j = 0; j < std::min(a.rows, a.columns); ++j) {
    int64_t pivot = j;
    for (int64_t i = j + 1; i < a.rows; ++i)
      if (size(a.at(i, j)) > size(a.at(pivot, j))) pivot = i;
    pivots[static_cast<size_t>(j)] = static_cast<int32_t>(pivot + 1);
    if (a.at(pivot, j) == Number(0)) {
      if (first_zero == 0) first_zero = static_cast<int32_t>(j + 1);
      continue;
    }
    if (pivot != j) swap_rows(a, j, pivot);
    for (int64_t i = j + 1; i < a.rows; ++i) {
      const Number factor = a.at(i, j) /= a.at(j, j);
      for (int64_t k = j + 1; k < a.columns; ++k) a.at(i, k) -= factor * a.at(j, k);
    }
  }
  return first_zero;
}

int32_t solve_tridiagonal(std::span<Number> below, std::span<Number> diagonal, std::span<Number> above,
                          const MatrixView& b) {
  const size_t n = diagonal.size();
  std::vector<Number> second(n);  // above `above`, which row exchanges fill
  const auto row = [](size_t i) { return static_cast<int64_t>(i); };
  for (size_t i = 0; i + 1 < n; ++i) {
    if (std::abs(diagonal[i]) < std::abs(below[i + 1])) {
      std::swap(diagonal[i], below[i + 1]);
      std::swap(above[i], diagonal[i + 1]);
      if (i + 2 < n) std::swap(second[i], above[i + 1]);
      swap_rows(b, row(i), row(i + 1));
    }
    if (diagonal[i] == Number(0)) return static_cast<int32_t>(i + 1);
    const Number factor = below[i + 1] / diagonal[i];
    diagonal[i + 1] -= factor * above[i];
    if (i + 2 < n) above[i + 1] -= factor * second[i];
    for (int64_t k = 0; k < b.columns; ++k) b.at(row(i + 1), k) -= factor * b.at(row(i), k);
  }
  if (n > 0 && diagonal[n - 1] == Number(0)) return static_cast<int32_t>(n);
  for (size_t i = n; i-- > 0;)
    for (int64_t k = 0; k < b.columns; ++k) {
      Number sum = b.at(row(i), k);
      if (i + 1 < n) sum -= above[i] * b.at(row(i + 1), k);
      if (i + 2 < n) sum -= second[i] * b.at(row(i + 2), k);
      b.at(row(i), k) = sum / diagonal[i];
    }
  return 0;
}

}  // namespace sw
