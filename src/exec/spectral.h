// Eigenvalues of Hermitian matrices and singular values, by Eigen, in double (complex or not).
//
// Vectors are defined up to a factor of magnitude 1; here the first component that has at least half the largest
// magnitude is real and positive (of eigenvectors, and of right singular vectors, whose left ones follow). LAPACK's
// vectors may have the opposite sign.
#pragma once

#include <vector>

#include "exec/reflectors.h"

namespace sw {

// Ascending; column j of `vectors` (n by n) belongs to values[j]. Only one triangle of `a` is read. False when `a` has
// numbers that are not finite, or there is no convergence: then everything is NaN.
bool hermitian_eigen(const MatrixView& a, bool lower, bool real, std::span<double> values, const MatrixView& vectors);

// a = left diag(values) right, values descending; left is rows by k and right is k by columns, with k the smaller of
// both, or square ones, as the views say; views without elements are not computed. False as above.
bool singular_values(const MatrixView& a, bool real, std::span<double> values, const MatrixView& left,
                     const MatrixView& right);

}  // namespace sw
