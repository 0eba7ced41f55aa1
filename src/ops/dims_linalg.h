// Dense linear algebra: fft, triangular_solve. The last dimensions are the matrix, all before them are batch
// dimensions.
#pragma once

#include "ops/attr_reader.h"

namespace sw {

enum class FftKind : uint8_t { fft, ifft, rfft, irfft };

struct FftDims {
  FftKind kind = FftKind::fft;
  DimList lengths;  // of the last lengths.size() dimensions; 1 to 3 of them
};
bool read_fft_dims(const Graph& graph, OpId op, FftDims& out, std::string* why = nullptr);

// a x = b (left side) or x a = b, where a may be transposed or conjugated and transposed first.
struct TriangularSolveDims {
  bool left_side = true, lower = true, unit_diagonal = false, transposed = false;
};
bool read_triangular_solve_dims(const Graph& graph, OpId op, TriangularSolveDims& out, std::string* why = nullptr);

}  // namespace sw
