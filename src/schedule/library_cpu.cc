// Follows IsDotSupportedByYnn, IsConvolutionOpSupportedByYnn, IsReduceLikeOpSupportedByYnn and
// IsInstructionPreferredByYnn of XLA; products and convolutions of bf16 and f16 have been widened by then.
#include "schedule/library_cpu.h"

#include <algorithm>

#include "ops/dims_reduce.h"
#include "ops/dims_window.h"

namespace sw {

namespace {

constexpr int64_t kSmallForLibrary = 4096;  // elements
constexpr int64_t kSmallProduct = 8;
constexpr int64_t kFewFeatures = 16;

bool are_multiplied(ElementType left, ElementType right, ElementType result) {
  if (left == ElementType::s8 || left == ElementType::u8) return right == ElementType::s8 && result == ElementType::s32;
  return left == right && left == result && (left == ElementType::f32 || left == ElementType::f64);
}

bool are_compared(ElementType element) {
  switch (element) {
    case ElementType::u8:
    case ElementType::s8:
    case ElementType::bf16:
    case ElementType::f16:
    case ElementType::f32:
    case ElementType::f64: return true;
    default: return false;
  }
}

bool are_added(ElementType from, ElementType to) {
  switch (to) {
    case ElementType::f64: return from == ElementType::f64;
    case ElementType::f32: return from == ElementType::f32 || from == ElementType::bf16 || from == ElementType::f16;
    case ElementType::s32: return from == ElementType::s8 || from == ElementType::u8;
    default: return false;
  }
}

// Windows side by side.
bool has_plain_windows(const Graph& graph, const MachineOp& op) {
  WindowDims windows;
  if (op.kind != OpKind::reduce_window || !op.source.valid() || !read_window_dims(graph, op.source, windows))
    return false;
  size_t moved = 0;
  for (const WindowDim& window : windows) {
    if (window.size == 1 && window.stride == 1) continue;
    if ((window.size > 1 && window.stride != window.size) || window.base_dilation != 1 || window.window_dilation != 1 ||
        window.reversal)
      return false;
    ++moved;
  }
  return moved > 0;
}

}  // namespace

bool is_library_product(const MachineProgram& program, MachineOpId product) {
  const MachineOp& op = program.op(product);
  if (op.dims.size() != 2) return false;
  const Type a = program.type_of(op.operands[0]), b = program.type_of(op.operands[1]), c = program.type_of(product);
  const auto rank = static_cast<int64_t>(a.rank());
  const auto batch = static_cast<int64_t>(a.rank() + b.rank() - c.rank()) - 2;
  if (!are_multiplied(a.element, b.element, c.element) || rank != batch + 2 ||
      static_cast<int64_t>(b.rank()) != batch + 2)
    return false;
  const int64_t m = c.dims[static_cast<size_t>(batch)], n = c.dims.back();
  const int64_t k = a.dims[static_cast<size_t>(op.dims[0])];
  return m != 1 && n != 1 && std::max({m, n, k}) >= kSmallProduct && op.dims[0] == rank - 1;
}

bool is_library_convolution(const MachineProgram& program, MachineOpId convolution, const ConvDims& conv) {
  if (conv.batch_group_count != 1 || conv.input_spatial.size() != 2) return false;
  const MachineOp& op = program.op(convolution);
  const Type x = program.type_of(op.operands[0]), w = program.type_of(op.operands[1]);
  const Type y = program.type_of(convolution);
  if (!are_multiplied(x.element, w.element, y.element)) return false;
  if (std::max(x.dims[3], y.dims[3]) <= kFewFeatures) return false;
  for (size_t d = 0; d < 2; ++d)
    if (y.dims[d + 1] > x.dims[d + 1] || w.dims[d] > x.dims[d + 1] || conv.window[d].base_dilation != 1 ||
        conv.window[d].reversal)
      return false;
  return true;
}

bool is_library_reduction(const MachineProgram& program, const Graph& graph, MachineOpId reduction) {
  const MachineOp& op = program.op(reduction);
  if (program.is_tuple(reduction) || op.operands.size() != 2 || !op.source.valid()) return false;
  if (op.kind == OpKind::reduce ? op.dims.empty() : !has_plain_windows(graph, op)) return false;
  const Type from = program.type_of(op.operands[0]), to = program.type_of(reduction);
  if (std::max(from.element_count(), to.element_count()) < kSmallForLibrary) return false;
  const auto regions = graph.regions(graph.op(op.source));
  switch (regions.empty() ? OpKind::unknown : common_reducer(graph, regions[0], 1)) {
    case OpKind::maximum:
    case OpKind::minimum: return from.element == to.element && are_compared(to.element);
    case OpKind::add: return are_added(from.element, to.element);
    default: return false;
  }
}

}  // namespace sw
