#include "partition/backend/all_gather.h"

#include <algorithm>

#include "ops/dims_collective.h"
#include "ops/dims_reshape.h"
#include "partition/backend/collective_key.h"
#include "partition/backend/slice_match.h"

namespace sw {

namespace {

bool is_commutative(OpKind kind) {
  switch (kind) {
    case OpKind::add:
    case OpKind::multiply:
    case OpKind::maximum:
    case OpKind::minimum:
    case OpKind::and_:
    case OpKind::or_:
    case OpKind::xor_: return true;
    default: return false;
  }
}

}  // namespace

void join_all_gathers(Rewrite& rewrite) {
  GroupTable table;
  for (FunctionId computation : rewrite.computations()) {
    for (OpId op : rewrite.post_order(computation)) {
      if (!is_commutative(rewrite.graph().op(op).kind)) continue;
      const ValueId lhs = rewrite.operand(op, 0), rhs = rewrite.operand(op, 1);
      if (!rewrite.is(lhs, OpKind::all_gather) || !rewrite.is(rhs, OpKind::all_gather)) continue;
      if (!rewrite.has_one_user(lhs) || !rewrite.has_one_user(rhs)) continue;
      const OpId left = rewrite.def(lhs), right = rewrite.def(rhs);
      if (rewrite.graph().operands(left).size() != 1 || rewrite.graph().operands(right).size() != 1) continue;
      const auto key0 = gather_key(rewrite, left, table), key1 = gather_key(rewrite, right, table);
      const ValueId terms[] = {rewrite.operand(left), rewrite.operand(right)};
      if (!key0 || key0 != key1 || rewrite.type(terms[0]) != rewrite.type(terms[1])) continue;
      const ValueId local = rewrite.clone(op, rewrite.type(terms[0]), terms);
      rewrite.merge_causes(right, left);
      rewrite.replace(op, rewrite.clone(right, rewrite.type(rewrite.result(op)), std::span(&local, 1)));
    }
  }
}

void cancel_all_gathers(Rewrite& rewrite) {
  DeviceOffsets offsets(rewrite);
  for (FunctionId computation : rewrite.computations()) {
    for (OpId op : rewrite.post_order(computation)) {
      if (rewrite.graph().op(op).kind != OpKind::all_gather || rewrite.erased(op)) continue;
      const auto match = match_slice(rewrite, op);
      const auto groups = match ? GroupTable::groups_of(rewrite, op) : std::nullopt;
      int64_t dim = 0;
      if (!groups || groups->dims[1] < 2 || match->pieces != groups->dims[1]) continue;
      if (!read_all_gather_dim(rewrite.graph(), op, dim) || dim != match->dim) continue;
      const ValueId own = rewrite.operand(op);
      if (!offsets.counts_members(match->offset, *groups, rewrite.shape(own).dims[static_cast<size_t>(dim)])) continue;
      const TypeId type = rewrite.type(rewrite.result(match->slice));
      rewrite.replace(match->slice, match->reshaped ? rewrite.add(op, OpKind::reshape, type, {own}) : own);
    }
  }
}

namespace {

// The gathered dimension is one of x: gather x along it.
ValueId gather_operand(Rewrite& rewrite, OpId gather, OpId broadcast, const DimList& dims, size_t at, int64_t extent) {
  const ValueId x = rewrite.operand(broadcast);
  Dims shape(rewrite.shape(x).dims);
  shape[at] = extent;
  const TypeId type = rewrite.builder().types().tensor(rewrite.shape(x).element, shape);
  const ValueId gathered = rewrite.clone(gather, type, std::span(&x, 1));
  rewrite.set_attr(rewrite.def(gathered), rewrite.integer_attr("all_gather_dim", static_cast<int64_t>(at)));
  const NamedAttr attr = rewrite.dims_attr("broadcast_dimensions", dims);
  return rewrite.add(broadcast, OpKind::broadcast_in_dim, rewrite.type(rewrite.result(gather)), {gathered},
                     std::span(&attr, 1));
}

// It is a new one, in which devices may differ: gather x along a dimension before its own, of the devices, and put that
// beside the gathered one.
ValueId gather_stacked(Rewrite& rewrite, OpId gather, OpId broadcast, const DimList& dims, int64_t dim,
                       int64_t devices) {
  const ValueId x = rewrite.operand(broadcast);
  const ElementType element = rewrite.shape(x).element;
  TypeTable& types = rewrite.builder().types();
  Dims shape{1};
  const Dims of_x(rewrite.shape(x).dims), result(rewrite.shape(rewrite.result(gather)).dims);
  shape.append(of_x.begin(), of_x.end());
  const ValueId stacked = rewrite.add(gather, OpKind::reshape, types.tensor(element, shape), {x});
  shape[0] = devices;
  const ValueId gathered = rewrite.clone(gather, types.tensor(element, shape), std::span(&stacked, 1));
  rewrite.set_attr(rewrite.def(gathered), rewrite.integer_attr("all_gather_dim", 0));
  Dims split;
  for (size_t i = 0; i < result.size(); ++i) {
    if (static_cast<int64_t>(i) == dim) split.push_back(devices);
    split.push_back(static_cast<int64_t>(i) == dim ? result[i] / devices : result[i]);
  }
  DimList to{dim};
  for (int64_t d : dims) to.push_back(d > dim ? d + 1 : d);
  const NamedAttr attr = rewrite.dims_attr("broadcast_dimensions", to);
  const ValueId spread =
      rewrite.add(broadcast, OpKind::broadcast_in_dim, types.tensor(element, split), {gathered}, std::span(&attr, 1));
  return rewrite.add(gather, OpKind::reshape, rewrite.type(rewrite.result(gather)), {spread});
}

}  // namespace

void gather_before_broadcast(Rewrite& rewrite) {
  for (FunctionId computation : rewrite.computations()) {
    for (OpId op : rewrite.post_order(computation)) {
      if (rewrite.graph().op(op).kind != OpKind::all_gather || rewrite.graph().operands(op).size() != 1) continue;
      const ValueId operand = rewrite.operand(op), result = rewrite.result(op);
      if (!rewrite.is(operand, OpKind::broadcast_in_dim) || !rewrite.shape(result).is_array()) continue;
      const OpId broadcast = rewrite.def(operand);
      DimList dims;
      int64_t dim = 0;
      if (!read_broadcast_dims(rewrite.graph(), broadcast, dims) || !read_all_gather_dim(rewrite.graph(), op, dim))
        continue;
      int64_t uniform = 1;
      const Dims extents(rewrite.shape(result).dims);
      for (size_t i = 0; i < extents.size(); ++i)
        if (static_cast<int64_t>(i) != dim &&
            std::find(dims.begin(), dims.end(), static_cast<int64_t>(i)) == dims.end())
          uniform *= extents[i];
      const int64_t before = rewrite.shape(operand).dims[static_cast<size_t>(dim)];
      if (uniform == 1 || before < 1) continue;
      const auto at = std::find(dims.begin(), dims.end(), dim);
      const int64_t extent = extents[static_cast<size_t>(dim)];
      rewrite.replace(op, at != dims.end() ? gather_operand(rewrite, op, broadcast, dims,
                                                            static_cast<size_t>(at - dims.begin()), extent)
                                           : gather_stacked(rewrite, op, broadcast, dims, dim, extent / before));
    }
  }
}

}  // namespace sw
