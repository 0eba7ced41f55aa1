#include "partition/backend/reduce_scatter.h"

#include <algorithm>
#include <map>

#include "partition/backend/collective_key.h"
#include "partition/backend/slice_match.h"

namespace sw {

namespace {

class Creator {
 public:
  explicit Creator(Rewrite& rewrite) : rewrite_(rewrite), offsets_(rewrite) {}

  void visit(OpId op) {
    const auto match = match_slice(rewrite_, op);
    const auto groups = match ? GroupTable::groups_of(rewrite_, op) : std::nullopt;
    if (!groups || groups->dims[1] < 2 || match->pieces != groups->dims[1]) return;
    const ValueId cut = rewrite_.result(match->slice);
    const auto dim = static_cast<size_t>(match->dim);
    Dims shape(rewrite_.shape(rewrite_.result(op)).dims);
    const int64_t piece = shape[dim] / match->pieces;
    if (!offsets_.counts_members(match->offset, *groups, piece)) return;
    const ElementType element = rewrite_.shape(cut).element;
    ValueId input = rewrite_.operand(op);
    if (shape[dim] % match->pieces != 0) {
      shape[dim] = piece * match->pieces;
      const NamedAttr attrs[] = {rewrite_.dims_attr("start_indices", Dims(shape.size(), 0)),
                                 rewrite_.dims_attr("limit_indices", shape),
                                 rewrite_.dims_attr("strides", Dims(shape.size(), 1))};
      input = rewrite_.add(op, OpKind::slice, rewrite_.builder().types().tensor(element, shape), {input}, attrs);
    }
    shape[dim] = piece;
    const TypeId type = rewrite_.builder().types().tensor(element, shape);
    ValueId scattered = scatter(op, type, input, match->dim);
    if (match->reshaped) scattered = rewrite_.add(op, OpKind::reshape, rewrite_.type(cut), {scattered});
    rewrite_.replace(match->slice, scattered);
  }

 private:
  ValueId scatter(OpId op, TypeId type, ValueId input, int64_t dim) {
    const auto attrs_of_op = rewrite_.graph().attrs(rewrite_.graph().op(op));
    std::vector<NamedAttr> attrs(attrs_of_op.begin(), attrs_of_op.end());
    attrs.push_back(rewrite_.integer_attr("scatter_dimension", dim));
    const RegionId reduction = rewrite_.graph().regions(rewrite_.graph().op(op))[0];
    const ValueId result = rewrite_.add(op, OpKind::reduce_scatter, type, {input}, attrs);
    rewrite_.builder().set_regions(rewrite_.def(result), std::span(&reduction, 1));
    rewrite_.take_causes(rewrite_.def(result), op);
    return result;
  }

  Rewrite& rewrite_;
  DeviceOffsets offsets_;
};

}  // namespace

void create_reduce_scatters(Rewrite& rewrite) {
  Creator creator(rewrite);
  for (FunctionId computation : rewrite.computations())
    for (OpId op : rewrite.post_order(computation))
      if (rewrite.graph().op(op).kind == OpKind::all_reduce && !rewrite.erased(op)) creator.visit(op);
}

namespace {

// Which groups do the scattering, and which then reduce equal pieces.
struct Split {
  TileGrid scatter, rest;
};

std::optional<Split> split_groups(DeviceOffsets& offsets, const TileGrid& groups, ValueId offset, int64_t piece,
                                  int64_t pieces) {
  const std::vector<int64_t> ids = device_ids(groups);
  const std::vector<int64_t>& starts = offsets.on_all(offset);
  const auto size = static_cast<size_t>(groups.dims[1]), count = static_cast<size_t>(pieces);
  const size_t same = size / count;  // devices of a group that want the same piece
  std::vector<int64_t> scatter, rest;
  for (size_t g = 0; g * size < ids.size(); ++g) {
    std::vector<std::vector<int64_t>> wanting(count);
    for (size_t j = 0; j < size; ++j) {
      const int64_t device = ids[g * size + j];
      if (static_cast<size_t>(device) >= starts.size()) return std::nullopt;
      const int64_t at = starts[static_cast<size_t>(device)];
      if (at < 0 || at % piece != 0 || at / piece >= pieces) return std::nullopt;
      wanting[static_cast<size_t>(at / piece)].push_back(device);
    }
    for (const auto& devices : wanting) {
      if (devices.size() != same) return std::nullopt;
      rest.insert(rest.end(), devices.begin(), devices.end());
    }
    for (size_t k = 0; k < same; ++k)
      for (const auto& devices : wanting) scatter.push_back(devices[k]);
  }
  const auto grid = [](std::vector<int64_t> list, size_t per_group) {
    const TileDims dims{static_cast<int64_t>(list.size() / per_group), static_cast<int64_t>(per_group)};
    return list_grid(dims, std::move(list));
  };
  return Split{grid(std::move(scatter), count), grid(std::move(rest), same)};
}

}  // namespace

void split_all_reduces(Rewrite& rewrite) {
  DeviceOffsets offsets(rewrite);
  for (FunctionId computation : rewrite.computations()) {
    const std::vector<OpId> order = rewrite.post_order(computation);
    std::vector<TileGrid> present;
    for (OpId op : order) {
      if (rewrite.graph().op(op).kind != OpKind::all_reduce) continue;
      const auto groups = GroupTable::groups_of(rewrite, op);
      const auto same = [&](const TileGrid& g) { return groups && same_grid(g, *groups); };
      if (groups && std::none_of(present.begin(), present.end(), same)) present.push_back(*groups);
    }
    const auto is_present = [&](const TileGrid& groups) {
      return std::any_of(present.begin(), present.end(), [&](const TileGrid& g) { return same_grid(g, groups); });
    };
    for (OpId op : order) {
      if (rewrite.graph().op(op).kind != OpKind::all_reduce || rewrite.erased(op)) continue;
      const auto match = match_slice(rewrite, op);
      const auto groups = match ? GroupTable::groups_of(rewrite, op) : std::nullopt;
      if (!groups || match->reshaped || !rewrite.has_one_user(rewrite.result(match->slice))) continue;
      if (match->pieces < 2 || groups->dims[1] == match->pieces || groups->dims[1] % match->pieces != 0) continue;
      const ValueId cut = rewrite.result(match->slice);
      const int64_t piece = rewrite.shape(cut).dims[static_cast<size_t>(match->dim)];
      const auto split = split_groups(offsets, *groups, match->offset, piece, match->pieces);
      if (!split || !(is_present(split->scatter) || is_present(split->rest))) continue;
      const OpId slice = match->slice;
      const ValueId operand = rewrite.operand(op);
      const ValueId first = rewrite.clone(op, rewrite.type(rewrite.result(op)), std::span(&operand, 1));
      rewrite.set_groups(rewrite.def(first), split->scatter);
      std::vector<ValueId> cut_operands(rewrite.graph().operands(slice).begin(), rewrite.graph().operands(slice).end());
      cut_operands[0] = first;
      const ValueId piece_of_first = rewrite.clone(slice, rewrite.type(cut), cut_operands);
      const ValueId second = rewrite.clone(op, rewrite.type(cut), std::span(&piece_of_first, 1));
      rewrite.set_groups(rewrite.def(second), split->rest);
      rewrite.replace(slice, second);
    }
  }
}

}  // namespace sw
