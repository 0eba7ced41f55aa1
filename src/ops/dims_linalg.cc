// StableHLO constraints fft_c1, c3 and triangular_solve_c3.
#include "ops/dims_linalg.h"

namespace sw {

bool read_fft_dims(const Graph& graph, OpId id, FftDims& out, std::string* why) {
  const Op& op = graph.op(id);
  const auto operands = graph.operands(op);
  if (operands.empty() || !graph.type_of(operands[0]).is_tensor()) return explain(why, "expected a tensor as operand");
  AttrReader attrs(graph, op, why);
  std::string_view kind;
  if (!attrs.enumerator("fft_type", kind) || !attrs.ints("fft_length", out.lengths)) return false;
  if (kind == "FFT") {
    out.kind = FftKind::fft;
  } else if (kind == "IFFT") {
    out.kind = FftKind::ifft;
  } else if (kind == "RFFT") {
    out.kind = FftKind::rfft;
  } else if (kind == "IRFFT") {
    out.kind = FftKind::irfft;
  } else {
    return explain(why, "fft type `" + std::string(kind) + "`, expected FFT, IFFT, RFFT or IRFFT");
  }
  const size_t rank = graph.type_of(operands[0]).rank();
  if (out.lengths.empty() || out.lengths.size() > 3 || out.lengths.size() > rank)
    return explain(why, std::to_string(out.lengths.size()) + " fft lengths for an operand of rank " +
                            std::to_string(rank) + ", expected 1 to 3 and no more than the rank");
  for (int64_t length : out.lengths)
    if (length < 0) return explain(why, "fft length " + std::to_string(length) + ", expected none below 0");
  return true;
}

bool read_triangular_solve_dims(const Graph& graph, OpId id, TriangularSolveDims& out, std::string* why) {
  const Op& op = graph.op(id);
  out = TriangularSolveDims{};
  const auto operands = graph.operands(op);
  if (operands.size() < 2) return explain(why, "expected two operands");
  const Type a = graph.type_of(operands[0]), b = graph.type_of(operands[1]);
  if (!a.is_tensor() || !b.is_tensor()) return explain(why, "expected tensors of known rank as operands");
  if (a.rank() < 2 || a.rank() != b.rank())
    return explain(why, "operands of rank " + std::to_string(a.rank()) + " and " + std::to_string(b.rank()) +
                            ", expected equal ranks of at least 2");
  AttrReader attrs(graph, op, why);
  std::string_view transpose = "NO_TRANSPOSE";
  if (graph.is_hlo) out.left_side = out.lower = false;  // HLO leaves out what is false
  if (!attrs.stated_boolean("left_side", out.left_side) || !attrs.stated_boolean("lower", out.lower) ||
      !attrs.stated_boolean("unit_diagonal", out.unit_diagonal))
    return false;
  if ((!graph.is_hlo || attrs.present("transpose_a")) && !attrs.enumerator("transpose_a", transpose)) return false;
  if (transpose != "NO_TRANSPOSE" && transpose != "TRANSPOSE" && transpose != "ADJOINT")
    return explain(why, "transpose_a `" + std::string(transpose) + "`, expected NO_TRANSPOSE, TRANSPOSE or ADJOINT");
  out.transposed = transpose != "NO_TRANSPOSE";
  return true;
}

}  // namespace sw
