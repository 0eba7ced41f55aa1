#include "partition/collectives.h"

#include <algorithm>
#include <string>

namespace sw {

namespace {

// `[4,2]<=[2,4]T(1,0)`, or for a written-out list a dense attribute of the ids: the two forms that text/hlo reads.
AttrId groups_attr(Context& context, const DeviceGroups& groups) {
  AttrTable& attrs = context.emit.builder().attr_table();
  if (groups.is_iota()) {
    const auto list = [](auto items) {
      std::string text;
      for (auto item : items) text += (text.empty() ? "" : ",") + std::to_string(item);
      return text;
    };
    std::string text = "[" + list(std::span<const int64_t>(groups.dims)) + "]<=[" +
                       list(std::span<const int64_t>(groups.devices.reshape)) + "]";
    if (groups.devices.reshape.size() > 1) text += "T(" + list(std::span<const int32_t>(groups.devices.perm)) + ")";
    return attrs.opaque(text);
  }
  Attr attr;
  attr.kind = AttrKind::dense;
  attr.form = DenseForm::list;
  const Dims dims{group_count(groups), group_size(groups)};
  attr.type = context.emit.builder().types().tensor(ElementType::s64, dims);
  attr.integers = groups.devices.ids;
  return attrs.intern(attr);
}

NamedAttr channel_attr(Context& context) {
  GraphBuilder& b = context.emit.builder();
  const TypeId i64 = b.types().scalar(ElementType::s64);
  const NamedAttr fields[] = {
      {b.name("handle"), b.attr_table().integer(context.shared.next_channel++, i64)},
      {b.name("type"), b.attr_table().integer(1, i64)},
  };
  return {b.name("channel_handle"), b.attr_table().struct_("stablehlo.channel_handle", fields)};
}

ValueId remembered(Context& context, ValueId result) {
  context.shared.causes.emplace_back(context.emit.graph().value(result).def, context.cause);
  return result;
}

}  // namespace

ValueId emit_all_gather(Context& context, const Scope& scope, ValueId value, size_t dim, const DeviceGroups& groups) {
  GraphBuilder& b = context.emit.builder();
  const DeviceGroups all = expand_groups(scope, groups);
  ArrayShape shape = context.emit.shape(value);
  shape.dims[dim] *= group_size(all);
  const NamedAttr attrs[] = {
      context.emit.integer_attr("all_gather_dim", static_cast<int64_t>(dim)),
      channel_attr(context),
      {b.name("replica_groups"), groups_attr(context, all)},
      {b.name("use_global_device_ids"), b.attr_table().unit()},
  };
  return remembered(context, context.emit.op(OpKind::all_gather, context.emit.type(shape), {value}, attrs));
}

ValueId emit_all_reduce(Context& context, const Scope& scope, ValueId value, RegionId reduction,
                        const DeviceGroups& groups) {
  GraphBuilder& b = context.emit.builder();
  DeviceGroups all = expand_groups(scope, groups);
  // A single group that is written out is put in order: only sums know no order. "All of the scope" is written out.
  if (group_count(all) == 1 && (groups.dims.empty() || !all.is_iota())) all = identity_grid(all.dims);
  const NamedAttr attrs[] = {
      channel_attr(context),
      {b.name("replica_groups"), groups_attr(context, all)},
      {b.name("use_global_device_ids"), b.attr_table().unit()},
  };
  const ValueId result = context.emit.op(OpKind::all_reduce, context.emit.graph().value(value).type, {value}, attrs);
  b.set_regions(context.emit.graph().value(result).def, std::span(&reduction, 1));
  return remembered(context, result);
}

ValueId emit_all_to_all(Context& context, const Scope& scope, ValueId value, size_t dim, const DeviceGroups& groups) {
  GraphBuilder& b = context.emit.builder();
  const NamedAttr attrs[] = {
      channel_attr(context),
      {b.name("replica_groups"), groups_attr(context, expand_groups(scope, groups))},
      context.emit.integer_attr("split_dimension", static_cast<int64_t>(dim)),
  };
  return remembered(context,
                    context.emit.op(OpKind::all_to_all, context.emit.graph().value(value).type, {value}, attrs));
}

namespace {

// `source_target_pairs` over all devices; invalid where each of them would send to itself.
AttrId pairs_attr(GraphBuilder& b, const Scope& scope, const Moves& moves, int64_t device_count) {
  const auto pairs = expand_pairs(scope, pairs_of(moves));
  const bool all = pairs.size() == static_cast<size_t>(device_count);
  if (all && std::all_of(pairs.begin(), pairs.end(), [](const auto& p) { return p.first == p.second; })) return {};
  std::vector<int64_t> flat;
  flat.reserve(pairs.size() * 2);
  for (const auto& [from, to] : pairs) {
    flat.push_back(from);
    flat.push_back(to);
  }
  Attr attr;
  attr.kind = AttrKind::dense;
  attr.form = DenseForm::list;
  const Dims dims{static_cast<int64_t>(pairs.size()), 2};
  attr.type = b.types().tensor(ElementType::s64, dims);
  attr.integers = flat;
  return b.attr_table().intern(attr);
}

}  // namespace

ValueId emit_permute(Context& context, const Scope& scope, ValueId value, const Moves& moves) {
  Emitter& emit = context.emit;
  GraphBuilder& b = emit.builder();
  if (moves.tiles.empty()) {
    ++context.shared.next_channel;
    const ArrayShape shape = emit.shape(value);
    return emit.splat(emit.zero(shape.element), shape);
  }
  std::vector<const TileGrid*> outer;
  const Scope* outermost = &scope;
  for (; outermost->outer != nullptr; outermost = outermost->outer) outer.push_back(&outermost->groups);
  const AttrId pairs =
      context.shared.permutes.find(moves, outer, [&] { return pairs_attr(b, scope, moves, outermost->device_count); });
  if (!pairs.valid()) {
    ++context.shared.next_channel;
    return value;
  }
  const NamedAttr attrs[] = {channel_attr(context), {b.name("source_target_pairs"), pairs}};
  return remembered(context, emit.op(OpKind::collective_permute, emit.graph().value(value).type, {value}, attrs));
}

DeviceGroups groups_over_dims(const TileSharding& s, std::span<const int64_t> dims) {
  const TileGrid grid = grid_of(s);
  DimList perm;
  int64_t size = 1;
  const auto listed = [&](size_t i) {
    return std::find(dims.begin(), dims.end(), static_cast<int64_t>(i)) != dims.end();
  };
  for (size_t i = 0; i < grid.rank(); ++i)
    if (!listed(i)) perm.push_back(static_cast<int64_t>(i));
  for (size_t i = 0; i < grid.rank(); ++i) {
    if (!listed(i)) continue;
    perm.push_back(static_cast<int64_t>(i));
    size *= grid.dims[i];
  }
  return reshaped(transposed(grid, perm), TileDims{grid.device_count() / size, size});
}

DeviceGroups groups_over_minor_parts(const TileSharding& s, std::span<const int64_t> dims,
                                     std::span<const int64_t> sizes) {
  const TileGrid grid = grid_of(s);
  TileDims cut;
  std::vector<int64_t> part_of(dims.size(), 0);  // position of the minor part of dims[i] in `cut`
  int64_t size = 1;
  for (size_t d = 0; d < grid.rank(); ++d) {
    const auto at = std::find(dims.begin(), dims.end(), static_cast<int64_t>(d));
    if (at == dims.end()) {
      cut.push_back(grid.dims[d]);
      continue;
    }
    const auto i = static_cast<size_t>(at - dims.begin());
    cut.push_back(grid.dims[d] / sizes[i]);
    cut.push_back(sizes[i]);
    part_of[i] = static_cast<int64_t>(cut.size()) - 1;
    size *= sizes[i];
  }
  DimList perm;
  const auto is_part = [&](int64_t p) { return std::find(part_of.begin(), part_of.end(), p) != part_of.end(); };
  for (size_t p = 0; p < cut.size(); ++p)
    if (!is_part(static_cast<int64_t>(p))) perm.push_back(static_cast<int64_t>(p));
  std::vector<int64_t> ordered = part_of;
  std::sort(ordered.begin(), ordered.end());
  for (int64_t p : ordered) perm.push_back(p);
  return reshaped(transposed(reshaped(grid, cut), perm), TileDims{grid.device_count() / size, size});
}

ValueId gather_dims(Context& context, const Scope& scope, ValueId value, const TileSharding& s,
                    std::span<const int64_t> dims) {
  for (size_t i = dims.size(); i-- > 0;) {
    if (s.tile[static_cast<size_t>(dims[i])] == 1) continue;
    value =
        emit_all_gather(context, scope, value, static_cast<size_t>(dims[i]), groups_over_dims(s, dims.subspan(i, 1)));
  }
  return value;
}

ValueId reduce_dims(Context& context, const Scope& scope, ValueId value, const TileSharding& s,
                    std::span<const int64_t> dims, RegionId reduction) {
  for (size_t i = dims.size(); i-- > 0;) {
    if (s.tile[static_cast<size_t>(dims[i])] == 1) continue;
    value = emit_all_reduce(context, scope, value, reduction, groups_over_dims(s, dims.subspan(i, 1)));
  }
  return value;
}

}  // namespace sw
