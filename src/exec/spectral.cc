#include "exec/spectral.h"

#include <Eigen/Eigenvalues>
#include <Eigen/SVD>

#include <algorithm>
#include <cmath>
#include <limits>

namespace sw {

namespace {

using ComplexMatrix = Eigen::Matrix<Number, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Eigen::Map<ComplexMatrix> mapped(const MatrixView& a) { return {a.items.data(), a.rows, a.columns}; }

bool fail(std::span<double> values, std::initializer_list<const MatrixView*> views) {
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  std::fill(values.begin(), values.end(), kNaN);
  for (const MatrixView* view : views) std::fill(view->items.begin(), view->items.end(), Number(kNaN));
  return false;
}

bool all_finite(const MatrixView& a) {
  return std::all_of(a.items.begin(), a.items.end(),
                     [](Number x) { return std::isfinite(x.real()) && std::isfinite(x.imag()); });
}

// The factor that makes the leading component of a vector real and positive.
template <class Vector>
Number turn_of(const Vector& v) {
  double largest = 0;
  for (Eigen::Index i = 0; i < v.size(); ++i) largest = std::max(largest, std::abs(v[i]));
  for (Eigen::Index i = 0; i < v.size(); ++i)
    if (std::abs(v[i]) > 0 && std::abs(v[i]) >= largest / 2) return std::conj(Number(v[i])) / std::abs(v[i]);
  return 1;
}

template <class Solver>
bool take_eigen(const Solver& solver, std::span<double> values, const MatrixView& vectors) {
  if (solver.info() != Eigen::Success) return fail(values, {&vectors});
  for (size_t j = 0; j < values.size(); ++j) values[j] = solver.eigenvalues()[static_cast<Eigen::Index>(j)];
  mapped(vectors) = solver.eigenvectors().template cast<Number>();
  for (Eigen::Index j = 0; j < vectors.columns; ++j) {
    const Number turn = turn_of(mapped(vectors).col(j));
    mapped(vectors).col(j) *= turn;
  }
  return true;
}

template <class Matrix>
bool take_singular(const Matrix& a, std::span<double> values, const MatrixView& left, const MatrixView& right) {
  const bool vectors = !left.items.empty() || !right.items.empty();
  const bool full =
      left.columns > static_cast<int64_t>(values.size()) || right.rows > static_cast<int64_t>(values.size());
  const unsigned options = !vectors ? 0U
                           : full   ? static_cast<unsigned>(Eigen::ComputeFullU) | Eigen::ComputeFullV
                                    : static_cast<unsigned>(Eigen::ComputeThinU) | Eigen::ComputeThinV;
  const Eigen::BDCSVD<Matrix> solver(a, options);
  if (solver.info() != Eigen::Success) return fail(values, {&left, &right});
  for (size_t j = 0; j < values.size(); ++j) values[j] = solver.singularValues()[static_cast<Eigen::Index>(j)];
  if (!vectors) return true;
  mapped(left) = solver.matrixU().template cast<Number>();
  mapped(right) = solver.matrixV().adjoint().template cast<Number>();
  // A right vector decides for its left one; the left ones that are left over for themselves.
  for (Eigen::Index j = 0; j < std::max(left.columns, right.rows); ++j) {
    const bool has_right = j < right.rows;
    const Number turn = has_right ? turn_of(mapped(right).row(j)) : turn_of(mapped(left).col(j));
    if (has_right) mapped(right).row(j) *= turn;
    if (j < left.columns) mapped(left).col(j) *= has_right ? std::conj(turn) : turn;
  }
  return true;
}

}  // namespace

bool hermitian_eigen(const MatrixView& a, bool lower, bool real, std::span<double> values, const MatrixView& vectors) {
  if (!all_finite(a)) return fail(values, {&vectors});
  if (a.rows == 0) return true;
  // Eigen reads the lower triangle.
  const ComplexMatrix source = lower ? ComplexMatrix(mapped(a)) : ComplexMatrix(mapped(a).adjoint());
  if (real) return take_eigen(Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(source.real()), values, vectors);
  return take_eigen(Eigen::SelfAdjointEigenSolver<Eigen::MatrixXcd>(source), values, vectors);
}

bool singular_values(const MatrixView& a, bool real, std::span<double> values, const MatrixView& left,
                     const MatrixView& right) {
  if (!all_finite(a)) return fail(values, {&left, &right});
  if (a.items.empty()) {
    // No singular values: any square matrices do.
    for (const MatrixView* view : {&left, &right})
      if (!view->items.empty()) mapped(*view).setIdentity();
    return true;
  }
  if (real) return take_singular<Eigen::MatrixXd>(mapped(a).real(), values, left, right);
  return take_singular<Eigen::MatrixXcd>(mapped(a), values, left, right);
}

}  // namespace sw
