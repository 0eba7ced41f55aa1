// Decompositions, triangular systems and Fourier transforms of the last dimensions, in complex double whatever the
// element type (exec/matrices.h), rounded once.
#include "exec/kernel.h"
#include "exec/numbers.h"
#include "exec/strided.h"
#include "ops/dims_linalg.h"

namespace sw {

namespace {

bool flag(const KernelRequest& request, std::string_view name, bool otherwise) {
  const AttrId attr = request.graph.attr(request.op(), name);
  return attr.valid() ? request.graph.attr_table.get(attr).integer != 0 : otherwise;
}

}  // namespace

// The triangle that is not asked for is zero.
Kernel interp_cholesky(const KernelRequest& request) {
  const Type type = request.result();
  return [lower = flag(request, "lower", true), element = type.element](std::span<Datum> operands) -> Datum {
    const Array& a = operands[0].array;
    // Of u^H u = a the lower triangle of a^T is read, and l^T is u.
    Array work = numbers(lower ? a : transposed(a));
    const int64_t n = a.dims.back();
    const auto size = static_cast<size_t>(n * n);
    const std::span<Number> all = numbers_of(work);
    for (size_t at = 0; size > 0 && at < all.size(); at += size) cholesky_in_place(all.subspan(at, size), n);
    return converted(lower ? work : transposed(work), element);
  };
}

Kernel interp_triangular_solve(const KernelRequest& request) {
  TriangularSolveDims d;
  if (!read_triangular_solve_dims(request.graph, request.id, d, request.why)) return {};
  const AttrId attr = request.graph.attr(request.op(), "transpose_a");
  const bool adjoint = attr.valid() && request.graph.attr_table.get(attr).text == "ADJOINT";
  return [d, adjoint, element = request.result().element](std::span<Datum> operands) -> Datum {
    const TriangularForm form{d.lower, d.unit_diagonal, d.transposed, adjoint};
    return converted(solved(operands[0].array, operands[1].array, d.left_side, form), element);
  };
}

namespace {

// Every line along dimension `d`.
void transform_lines(Array& a, size_t d, int sign, double scale) {
  const DimList steps = row_major(a.dims);
  const auto length = static_cast<size_t>(a.dims[d]), step = static_cast<size_t>(steps[d]);
  const std::span<Number> all = numbers_of(a);
  std::vector<Number> line(length);
  for (size_t first = 0; length > 0 && first < all.size(); ++first) {
    if (first / step % length != 0) continue;
    for (size_t i = 0; i < length; ++i) line[i] = all[first + i * step];
    fourier(line, sign);
    for (size_t i = 0; i < length; ++i) all[first + i * step] = line[i] * scale;
  }
}

Array cut_last(const Array& a, int64_t extent) {
  DimList dims = a.dims;
  dims.back() = extent;
  return gathered(a, dims, row_major(a.dims), 0);
}

// The second half of a spectrum of real numbers is the conjugate of the first, mirrored along all dimensions; along the
// others it has been transformed back already, so only this one is left.
Array mirrored_last(const Array& half, int64_t length) {
  DimList dims = half.dims;
  const int64_t have = dims.back();
  dims.back() = length;
  Array out = new_array(ElementType::c128, dims);
  const int64_t rows = length == 0 ? 0 : out.count() / length;
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t k = 0; k < length; ++k) {
      const bool first = k <= length / 2;
      const Number x = half.data<Number>()[row * have + (first ? k : length - k)];
      out.data<Number>()[row * length + k] = first ? x : std::conj(x);
    }
  // What stands for itself is real.
  for (int64_t row = 0; row < rows; ++row) {
    Number& zero = out.data<Number>()[row * length];
    zero = zero.real();
    if (length % 2 == 0) {
      Number& middle = out.data<Number>()[row * length + length / 2];
      middle = middle.real();
    }
  }
  return out;
}

}  // namespace

Kernel interp_fft(const KernelRequest& request) {
  FftDims d;
  if (!read_fft_dims(request.graph, request.id, d, request.why)) return {};
  return [d, element = request.result().element](std::span<Datum> operands) -> Datum {
    Array work = numbers(operands[0].array);
    const size_t rank = work.dims.size(), count = d.lengths.size();
    const bool back = d.kind == FftKind::ifft || d.kind == FftKind::irfft;
    const auto scale = [&](size_t i) { return back ? 1.0 / static_cast<double>(d.lengths[i]) : 1.0; };
    if (d.kind == FftKind::rfft) {
      transform_lines(work, rank - 1, -1, 1);
      work = cut_last(work, d.lengths.back() / 2 + 1);
    }
    const size_t full = d.kind == FftKind::fft || d.kind == FftKind::ifft ? count : count - 1;
    for (size_t i = 0; i < full; ++i) transform_lines(work, rank - count + i, back ? 1 : -1, scale(i));
    if (d.kind == FftKind::irfft) {
      work = mirrored_last(work, d.lengths.back());
      transform_lines(work, rank - 1, 1, scale(count - 1));
    }
    return converted(work, element);
  };
}

}  // namespace sw
