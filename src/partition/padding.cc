// A piece that was cut out of an array that had been padded has what it was padded with. Handing it on, copying it,
// cutting it and joining it with the pieces beside it change nothing of that:
//
//   pad(s32[3], 0), padding=0_1    dynamic-slice to s32[2]    collective-permute    its padding: 0
#include "partition/padding.h"

#include "ops/dims_slice.h"
#include "partition/init_value.h"

namespace sw {

namespace {

// Cut along one dimension and put together along another: reshape, all-to-all, transpose, reshape.
ValueId before_exchange(const Graph& graph, ValueId piece) {
  const size_t rank = graph.type_of(piece).rank();
  for (const OpKind kind : {OpKind::reshape, OpKind::transpose, OpKind::all_to_all, OpKind::reshape}) {
    const OpId def = graph.value(piece).def;
    if (!def.valid() || graph.op(def).kind != kind) return {};
    piece = graph.operands(def)[0];
  }
  return graph.type_of(piece).rank() == rank ? piece : ValueId{};
}

}  // namespace

bool padding_holds(const Graph& graph, ValueId piece, size_t dim, int64_t full, int64_t number) {
  for (;;) {
    const OpId def = graph.value(piece).def;
    if (!def.valid()) return false;
    const std::span<const ValueId> operands = graph.operands(def);
    switch (graph.op(def).kind) {
      case OpKind::copy:
      case OpKind::collective_permute:
      case OpKind::all_gather:
      case OpKind::dynamic_slice: break;
      case OpKind::slice: {
        SliceDims slice;
        if (!read_slice_dims(graph, def, slice) || slice.start[dim] != 0 || slice.strides[dim] != 1) return false;
        break;
      }
      case OpKind::pad: {
        PadDims pads;
        if (!read_pad_dims(graph, def, pads) || pads.low[dim] != 0 || pads.interior[dim] != 0) return false;
        if (pads.high[dim] == 0) break;
        if (!is_constant(graph, operands[1], number)) return false;
        if (graph.type_of(operands[0]).dims[dim] == full) return true;
        break;
      }
      case OpKind::reshape:
        piece = before_exchange(graph, piece);
        if (!piece.valid()) return false;
        continue;
      case OpKind::subtract:
        // The starts of pieces, which are not negative: what addresses nothing goes on to address nothing.
        if (number >= 0) return false;
        break;
      default: return false;
    }
    piece = operands[0];
  }
}

}  // namespace sw
