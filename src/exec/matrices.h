// Decompositions of small dense matrices, in double (complex or not), for the kernels of linear algebra: row-major,
// in place, one matrix at a time. Plain loops: what is compared must not depend on blocking.
#pragma once

#include <complex>
#include <cstdint>
#include <span>

namespace sw {

using Number = std::complex<double>;

// The lower triangle such that l l^H = a, of which the lower triangle is read; zeros above. False, and NaN, when a is
// not positive definite.
bool cholesky_in_place(std::span<Number> a, int64_t n);

struct TriangularForm {
  bool lower = true, unit_diagonal = false, transposed = false, conjugated = false;
};
// x of op(a) x = b, for `columns` columns at once; b becomes x.
void solve_triangular(std::span<const Number> a, std::span<Number> b, int64_t n, int64_t columns,
                      const TriangularForm& form);

// Discrete Fourier transform of `n` numbers, not scaled; sign -1 forward, 1 backward.
void fourier(std::span<Number> x, int sign);

}  // namespace sw
