// Decompositions that are made of eliminations, as LAPACK states them, so that signs and pivots are the same: QR by
// Householder reflectors, LU with partial pivoting, tridiagonal systems. One matrix at a time, row-major, in place, in
// double (complex or not); plain loops, as in exec/matrices.h.
#pragma once

#include <vector>

#include "exec/matrices.h"

namespace sw {

struct MatrixView {
  std::span<Number> items;
  int64_t rows = 0, columns = 0;

  Number& at(int64_t i, int64_t j) const { return items[static_cast<size_t>(i * columns + j)]; }
};

// a = q r: r in and above the diagonal of `a`; below it column j of the vector v_j (whose element j is 1) of
// h_j = 1 - tau_j v_j v_j^H, and q = h_0 h_1 ...; r has a real diagonal.
void qr_in_place(const MatrixView& a, std::span<Number> taus);

// The same of `a` with columns exchanged so that the diagonal of r falls. `order[j]` becomes the number, from 1, of the
// column that is now column j; columns whose entry is not 0 before stay in front.
void qr_pivoted_in_place(const MatrixView& a, std::span<int32_t> order, std::span<Number> taus);

// c = q c, or q^H c, with q as qr_in_place leaves it in the columns of `a`.
void apply_reflectors(const MatrixView& a, std::span<const Number> taus, bool adjoint, const MatrixView& c);

// p a = l u with a unit lower l: row j was exchanged with row pivots[j] - 1, in this order. The number, from 1, of the
// first pivot that is zero; 0 when there is none.
int32_t lu_in_place(const MatrixView& a, std::span<int32_t> pivots);

// x of t x = b for a tridiagonal t; b becomes x, the diagonals are used up. below[0] stands outside of t, as the last
// of `above` does. The number of a pivot that is zero, or 0.
int32_t solve_tridiagonal(std::span<Number> below, std::span<Number> diagonal, std::span<Number> above,
                          const MatrixView& b);

}  // namespace sw
