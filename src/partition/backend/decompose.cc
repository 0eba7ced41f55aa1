#include "partition/backend/decompose.h"

#include <algorithm>

#include "ops/dims_collective.h"
#include "partition/backend/collective_key.h"

namespace sw {

namespace {

// Start of this device's piece along `dim`, zero along the others.
std::vector<ValueId> piece_starts(Emitter& emit, const TileGrid& groups, size_t rank, size_t dim, int64_t piece) {
  const ValueId zero = emit.zero(ElementType::s32);
  std::vector<ValueId> starts(rank, zero);
  const ValueId member = emit_grid_coordinate(emit, groups, emit.partition_id(), 1);
  starts[dim] = emit.binary(OpKind::multiply, member, emit.scalar(ElementType::s32, piece));
  return starts;
}

// An all-reduce in the groups of `op`, of which it takes the channel.
ValueId all_reduce_like(Rewrite& rewrite, OpId op, ValueId operand, OpKind reduction) {
  std::vector<NamedAttr> attrs;
  for (const NamedAttr& a : rewrite.graph().attrs(rewrite.graph().op(op))) {
    const std::string_view name = rewrite.graph().strings.text(a.name);
    if (name != "all_gather_dim" && name != "scatter_dimension") attrs.push_back(a);
  }
  const ValueId result = rewrite.add(op, OpKind::all_reduce, rewrite.type(operand), {operand}, attrs);
  rewrite.set_reduction(rewrite.def(result), reduction, rewrite.shape(operand).element);
  rewrite.take_causes(rewrite.def(result), op);
  return result;
}

}  // namespace

void decompose_reduce_scatters(Rewrite& rewrite) {
  for (FunctionId computation : rewrite.computations()) {
    for (OpId op : rewrite.post_order(computation)) {
      if (rewrite.graph().op(op).kind != OpKind::reduce_scatter || rewrite.graph().operands(op).size() != 1) continue;
      int64_t dim = 0;
      const auto groups = GroupTable::groups_of(rewrite, op);
      const auto reduction = reduction_kind(rewrite.graph(), rewrite.graph().op(op));
      if (!groups || !reduction || !read_reduce_scatter_dim(rewrite.graph(), op, dim)) continue;
      const Dims sizes(rewrite.shape(rewrite.result(op)).dims);
      const ValueId all = all_reduce_like(rewrite, op, rewrite.operand(op), *reduction);
      rewrite.replace(op, rewrite.emit(op, [&](Emitter& emit) {
        const auto at = static_cast<size_t>(dim);
        return emit.dynamic_slice(all, piece_starts(emit, *groups, sizes.size(), at, sizes[at]), sizes);
      }));
    }
  }
}

void decompose_flat_all_gathers(Rewrite& rewrite) {
  for (FunctionId computation : rewrite.computations()) {
    for (OpId op : rewrite.post_order(computation)) {
      if (rewrite.graph().op(op).kind != OpKind::all_gather || rewrite.graph().operands(op).size() != 1) continue;
      const ValueId operand = rewrite.operand(op);
      const Type type = rewrite.shape(rewrite.result(op));
      int64_t dim = 0;
      const auto groups = GroupTable::groups_of(rewrite, op);
      if (!groups || !type.is_array() || !read_all_gather_dim(rewrite.graph(), op, dim)) continue;
      const auto at = static_cast<size_t>(dim);
      if (type.element_count() != type.dims[at] || !(is_integer(type.element) || is_floating(type.element))) continue;
      const ArrayShape shape{type.element, Dims(type.dims)};
      const ValueId placed = rewrite.emit(op, [&](Emitter& emit) {
        const ValueId zeros = emit.splat(emit.zero(shape.element), shape);
        return emit.dynamic_update_slice(zeros, operand,
                                         piece_starts(emit, *groups, shape.rank(), at, emit.dim(operand, at)));
      });
      rewrite.replace(op, all_reduce_like(rewrite, op, placed, OpKind::add));
    }
  }
}

}  // namespace sw
