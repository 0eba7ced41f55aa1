#include "partition/reshard.h"

#include <algorithm>
#include <numeric>

#include "partition/align.h"
#include "partition/collectives.h"

namespace sw {

namespace {

ShardedValue with(const ShardedValue& like, ValueId value, TileShardingId sharding) {
  return {value, like.full, sharding, like.scope};
}

// A piece of `array` too, whatever it was made for.
bool fits(const Context& context, const ShardedValue& piece, const ShardedValue& array) {
  const Graph& graph = context.emit.graph();
  if (piece.full == array.full || graph.types.get(array.full).kind == TypeKind::tuple) return true;
  return Dims(graph.type_of(piece.value).dims) ==
         shard_dims(graph.types.get(array.full).dims, context.at(piece.sharding));
}

const ShardedValue* cached(Context& context, const ShardedValue& value, TileShardingId target) {
  const auto entry = value.scope->cache.find(value.value.raw);
  if (entry == value.scope->cache.end()) return nullptr;
  for (const auto& [sharding, result] : entry->second.resharded)
    if (context.same(sharding, target) && (fits(context, result, value) || may_mistake(context))) return &result;
  return nullptr;
}

void remember(Context& context, const ShardedValue& from, TileShardingId target, const ShardedValue& result) {
  auto& list = from.scope->cache[from.value.raw].resharded;
  for (auto& [sharding, old] : list) {
    if (!context.same(sharding, target)) continue;
    old = result;
    return;
  }
  list.emplace_back(target, result);
}

ShardedValue reshard_tuple(Context& context, const ShardedValue& value, TileShardingId target) {
  const Type full = context.emit.graph().types.get(value.full);
  const std::vector<TypeId> elements(full.elements.begin(), full.elements.end());
  std::vector<ValueId> leaves;
  for (size_t i = 0; i < elements.size(); ++i) {
    const ShardedValue leaf{context.emit.get_tuple_element(value.value, static_cast<int64_t>(i)), elements[i],
                            leaf_sharding(context, value.sharding, i), value.scope};
    leaves.push_back(reshard(context, leaf, leaf_sharding(context, target, i)).value);
  }
  return with(value, context.emit.tuple(leaves), target);
}

// Manual on some axes: the rest is resharded inside the groups of devices with equal manual coordinates.
std::optional<ShardedValue> reshard_in_manual_groups(Context& context, const ShardedValue& value,
                                                     TileShardingId target) {
  const TileSharding from = context.at(value.sharding), to = context.at(target);
  if (!has_manual_subgroup(from) && !has_manual_subgroup(to)) return std::nullopt;
  const auto manual_groups = [](const TileSharding& s) {
    const int64_t dim = manual_dim(s);
    return group_on_dims(s, std::span(&dim, 1), true);
  };
  std::optional<GroupedSharding> grouped, wanted;
  if (has_manual_subgroup(from) && has_manual_subgroup(to)) {
    grouped = manual_groups(from);
    wanted = align_groups_if_compatible(manual_groups(to), *grouped);
  } else if (has_manual_subgroup(from) && is_replicated(to)) {
    grouped = wanted = manual_groups(from);
    wanted->inner = replicated_sharding();
  } else if (is_replicated(from) && has_manual_subgroup(to)) {
    grouped = wanted = manual_groups(to);
    grouped->inner = replicated_sharding();
  }
  if (!grouped || !wanted) return std::nullopt;
  ShardedValue inside{value.value, value.full, context.id(grouped->inner),
                      group_scope(context, value.scope, grouped->device_groups)};
  return with(value, reshard_uncached(context, inside, context.id(wanted->inner)).value, target);
}

// Some dimensions have the same tiles on both sides: the devices are grouped by them and the rest is resharded inside.
std::optional<ShardedValue> reshard_beside_equal_dims(Context& context, const ShardedValue& value,
                                                      TileShardingId target) {
  const TileSharding from = context.at(value.sharding), to = context.at(target);
  ArrayShape inner_full{context.emit.element(value.value), Dims(context.emit.graph().types.get(value.full).dims)};
  DimList equal;
  for (size_t d = 0; d < inner_full.rank(); ++d) {
    if (from.tile[d] == 1 || from.tile[d] != to.tile[d]) continue;
    equal.push_back(static_cast<int64_t>(d));
    inner_full.dims[d] = context.emit.dim(value.value, d);
  }
  if (equal.empty()) return std::nullopt;
  const GroupedSharding grouped = group_on_dims(from, equal);
  const GroupedSharding wanted = align_groups(group_on_dims(to, equal), grouped);
  const ShardedValue inside{context.emit.copy(value.value), context.emit.type(inner_full), context.id(grouped.inner),
                            group_scope(context, value.scope, grouped.device_groups)};
  const ValueId moved = reshard_uncached(context, inside, context.id(wanted.inner)).value;
  return reshard_uncached(context, with(value, moved, context.id(ungroup(wanted))), target);
}

// `pad`: of uneven tiles; invalid: zero. Tiles with replicas get zero whatever it is.
ShardedValue reshard_from_replicated(Context& context, const ShardedValue& value, TileShardingId target,
                                     ValueId pad = {}) {
  Emitter& emit = context.emit;
  const TileSharding to = context.at(target);
  if (is_trivial(to)) return with(value, emit.copy(value.value), target);
  if (has_partial_replication(to)) {
    DimList dims;
    for (size_t d = 0; d < to.tile.size(); ++d)
      if (static_cast<int64_t>(d) != replication_dim(to)) dims.push_back(static_cast<int64_t>(d));
    return with(value, slice_for_group(context, value.value, value.scope->partition_id, group_on_dims(to, dims)),
                target);
  }
  const Dims full = emit.dims(value.value);
  const ValueId padded = [&] {
    std::vector<PadDim> pads(full.size());
    const Dims wanted = padded_dims(full, to);
    bool any = false;
    for (size_t d = 0; d < full.size(); ++d) {
      pads[d].high = wanted[d] - full[d];
      any = any || pads[d].high != 0;
    }
    if (!any) return value.value;
    return emit.pad(value.value, pad.valid() ? pad : emit.zero(emit.element(value.value)), pads);
  }();
  const std::vector<ValueId> offsets = shard_offsets(context, full, to, value.scope->partition_id);
  return with(value, emit.dynamic_slice(padded, offsets, shard_dims(full, to)), target);
}

bool is_scalar_broadcast(const Graph& graph, ValueId value) {
  const OpId def = graph.value(value).def;
  if (!def.valid() || graph.op(def).kind != OpKind::broadcast_in_dim) return false;
  return graph.type_of(graph.operands(def)[0]).rank() == 0;
}

std::optional<ShardedValue> reshard_partly_replicated(Context& context, const ShardedValue& value,
                                                      TileShardingId target) {
  const TileSharding from = context.at(value.sharding), to = context.at(target);
  if (!is_trivial(to) && has_partial_replication(from)) {
    if (auto done = reshard_by_slice(context, value, target)) return done;
    if (auto done = reshard_partial_by_all_to_all(context, value, target)) return done;
  }
  if (!is_trivial(from) && has_partial_replication(to)) {
    if (auto done = reshard_by_gather(context, value, target)) return done;
    if (auto done = reshard_partial_by_all_to_all(context, value, target)) return done;
  }
  return std::nullopt;
}

}  // namespace

bool may_mistake(Context& context) {
  if (context.shared.lowering == Lowering::right) return false;
  context.note_miscompile(MiscompileKind::piece_mistaken);
  return true;
}

ShardedValue reshard(Context& context, const ShardedValue& value, TileShardingId target) {
  if (context.same(value.sharding, target)) return value;
  const Graph& graph = context.emit.graph();
  const OpId def = graph.value(value.value).def;
  if (def.valid() && graph.op(def).kind == OpKind::constant && !is_manual(context.at(value.sharding)) &&
      is_manual(context.at(target)))
    return with(value, replicate(context, value).value, target);
  if (const ShardedValue* known = cached(context, value, target)) return *known;
  const MoveScope move(context, value, target);
  const ShardedValue result = reshard_uncached(context, value, target);
  remember(context, result, value.sharding, value);
  remember(context, value, target, result);
  return result;
}

ShardedValue reshard_uncached(Context& context, const ShardedValue& value, TileShardingId target, bool may_replicate) {
  const Graph& graph = context.emit.graph();
  const Type type = graph.type_of(value.value);
  if (type.kind == TypeKind::tuple) return reshard_tuple(context, value, target);
  if (!type.is_array() || context.same(value.sharding, target)) return value;
  if (auto done = reshard_in_manual_groups(context, value, target)) return *done;
  // By value: the table may grow under a reference.
  const TileSharding from = context.at(value.sharding), to = context.at(target);
  if (is_scalar_broadcast(graph, value.value)) {
    const ValueId scalar = graph.operands(graph.value(value.value).def)[0];
    const ArrayShape piece{type.element, shard_dims(graph.types.get(value.full).dims, to)};
    return with(value, context.emit.splat(scalar, piece), target);
  }
  if (can_permute(from, to)) return reshard_by_permute(context, value, target);
  if (const auto pairs = all_to_all_pairs(from, to)) return reshard_by_all_to_all(context, value, target, *pairs);
  if (auto done = reshard_partly_replicated(context, value, target)) return *done;
  if (is_replicated(from)) return reshard_from_replicated(context, value, target);
  if (!is_replicated(to)) {
    if (is_tiled(from) && is_tiled(to)) {
      if (auto done = reshard_complex(context, value, target)) return *done;
      if (auto done = reshard_beside_equal_dims(context, value, target)) return *done;
    }
    if (!may_replicate) return value;
    if (is_tiled(to) && (is_tiled(from) || from.kind == TileKind::maximal)) {
      const ReasonScope reason(context, CollectiveReason::full_replication);
      return reshard(context, replicate(context, value), target);
    }
  }
  return reshard(context, replicate(context, value), target);
}

ShardedValue cut_with_padding(Context& context, const ShardedValue& value, TileShardingId target, ValueId pad) {
  const ShardedValue whole = replicate(context, value);
  const MoveScope move(context, whole, target);
  const ShardedValue result = is_scalar_broadcast(context.emit.graph(), whole.value)
                                  ? reshard_uncached(context, whole, target)
                                  : reshard_from_replicated(context, whole, target, pad);
  remember(context, result, whole.sharding, whole);
  remember(context, whole, target, result);
  return result;
}

namespace {

// A value that exists on one device: everybody adds what it has, zero elsewhere.
ShardedValue replicate_from_one_device(Context& context, const ShardedValue& value) {
  Emitter& emit = context.emit;
  const ArrayShape shape = emit.shape(value.value);
  const int64_t device = context.at(value.sharding).device;
  const ValueId here = emit.compare("EQ", value.scope->partition_id, emit.scalar(ElementType::u32, device));
  const ValueId mask = emit.splat(here, {ElementType::pred, shape.dims});
  const ValueId zeros = emit.splat(emit.zero(shape.element), shape);
  const ValueId mine = emit.select(mask, value.value, zeros);
  return with(value, emit_all_reduce(context, *value.scope, mine, context.adder(shape.element), {}),
              context.replicated());
}

}  // namespace

ShardedValue replicate(Context& context, const ShardedValue& value) {
  const TileSharding from = context.at(value.sharding);
  if (is_replicated(from)) return value;
  const TileShardingId target = context.replicated();
  if (const ShardedValue* known = cached(context, value, target)) return *known;
  const MoveScope move(context, value, target);
  ShardedValue result;
  if (is_tiled(from)) {
    DimList all(context.emit.dims(value.value).size());
    std::iota(all.begin(), all.end(), 0);
    result = with(value, gather_value_dims(context, value, all), target);
  } else {
    result = replicate_from_one_device(context, value);
  }
  remember(context, result, value.sharding, value);
  remember(context, value, target, result);
  return result;
}

namespace {

// How the dims to gather are gathered: all data on the first tile, data on few tiles, or data on all.
struct GatherPlan {
  DimList on_first_tile, on_few_tiles, on_all_tiles;
  Dims gathered;  // extents after the all-gathers, without padding
  Dims result;
};

GatherPlan plan_gather(const Dims& shard, const Dims& full, const TileSharding& s, std::span<const int64_t> dims) {
  GatherPlan plan;
  plan.gathered = plan.result = shard;
  for (int64_t dim : dims) {
    const auto d = static_cast<size_t>(dim);
    if (s.tile[d] == 1) continue;
    plan.result[d] = full[d];
    if (full[d] == shard[d]) {
      plan.on_first_tile.push_back(dim);
    } else if (full[d] <= s.tile[d] / 2) {
      plan.on_few_tiles.push_back(dim);
    } else {
      plan.gathered[d] = full[d];
      plan.on_all_tiles.push_back(dim);
    }
  }
  return plan;
}

DimList all_but(size_t rank, std::span<const int64_t> dims) {
  DimList others;
  for (size_t d = 0; d < rank; ++d)
    if (std::find(dims.begin(), dims.end(), static_cast<int64_t>(d)) == dims.end())
      others.push_back(static_cast<int64_t>(d));
  return others;
}

ValueId slice_to(Emitter& emit, ValueId value, const Dims& wanted) {
  if (emit.dims(value) == wanted) return value;
  return emit.slice(value, Dims(wanted.size(), 0), wanted, Dims(wanted.size(), 1));
}

}  // namespace

ValueId gather_value_dims(Context& context, const ShardedValue& value, std::span<const int64_t> dims) {
  Emitter& emit = context.emit;
  const TileSharding s = context.at(value.sharding);
  const Dims full(emit.graph().types.get(value.full).dims);
  const ArrayShape shard = emit.shape(value.value);
  const GatherPlan plan = plan_gather(shard.dims, full, s, dims);
  ValueId result = value.value;
  if (!plan.on_first_tile.empty()) {
    const GroupedSharding grouped = group_on_dims(s, all_but(s.tile.size(), plan.on_first_tile));
    TileSharding first;
    first.kind = TileKind::maximal;
    first.device = is_tiled(grouped.inner) ? device_ids(grid_of(grouped.inner))[0] : 0;
    const ShardedValue inside{result, emit.type(shard), context.id(first),
                              group_scope(context, value.scope, grouped.device_groups)};
    result = replicate_from_one_device(context, inside).value;
  }
  if (plan.on_all_tiles.empty() && plan.on_few_tiles.empty()) return result;
  result = slice_to(emit, gather_dims(context, *value.scope, result, s, plan.on_all_tiles), plan.gathered);
  if (plan.on_few_tiles.empty()) return result;
  // Every device writes its piece at its place among zeros; pieces that are padding only are masked before.
  const ShardedValue piece{result, emit.type({shard.element, plan.result}), value.sharding, value.scope};
  const ValueId zero = emit.zero(shard.element);
  result = mask_padding(context, piece, zero, {}, all_but(full.size(), plan.on_few_tiles)).value;
  const ValueId zeros = emit.splat(zero, {shard.element, plan.result});
  const std::vector<ValueId> offsets =
      shard_offsets(context, plan.result, replicate_all_dims_except(s, plan.on_few_tiles), value.scope->partition_id,
                    std::span<const int64_t>(plan.on_few_tiles));
  result = emit.dynamic_update_slice(zeros, result, offsets);
  return reduce_dims(context, *value.scope, result, s, plan.on_few_tiles, context.adder(shard.element));
}

ValueId slice_for_group(Context& context, ValueId replicated, ValueId partition_id, const GroupedSharding& grouped) {
  Emitter& emit = context.emit;
  const Dims full = emit.dims(replicated);
  // Tiles over group numbers: the dims grouped on, in the order in which the groups are numbered.
  TileDims tiles(full.size(), 1), parts;
  std::vector<std::pair<int64_t, int32_t>> order;
  for (size_t i = 0; i < grouped.dims.size(); ++i) {
    if (static_cast<size_t>(grouped.dims[i]) < full.size())
      tiles[static_cast<size_t>(grouped.dims[i])] = grouped.sizes[i];
    parts.push_back(grouped.sizes[i]);
    order.emplace_back(grouped.dims[i], static_cast<int32_t>(i));
  }
  std::sort(order.begin(), order.end());
  SmallVector<int32_t, 8> perm;
  for (const auto& [dim, i] : order) perm.push_back(i);
  const TileSharding over_groups = plain_tiles(iota_grid(tiles, parts, perm));
  const ValueId group =
      emit.convert(emit_grid_coordinate(emit, grouped.device_groups, partition_id, 0), ElementType::u32);
  std::vector<PadDim> pads(full.size());
  const Dims wanted = padded_dims(full, over_groups);
  for (size_t d = 0; d < full.size(); ++d) pads[d].high = wanted[d] - full[d];
  const bool uneven = wanted != full;
  const ValueId padded = uneven ? emit.pad(replicated, emit.zero(emit.element(replicated)), pads) : replicated;
  return emit.dynamic_slice(padded, shard_offsets(context, full, over_groups, group), shard_dims(full, over_groups));
}

ShardedValue mask_padding(Context& context, const ShardedValue& value, ValueId pad,
                          std::span<const int64_t> left_padded, std::span<const int64_t> skipped) {
  Emitter& emit = context.emit;
  const TileSharding s = context.at(value.sharding);
  const Dims full(emit.graph().types.get(value.full).dims);
  if (!is_tiled(s) || tiles_evenly(full, s)) return value;
  const ArrayShape piece = emit.shape(value.value);
  const ArrayShape index{ElementType::s32, piece.dims};
  const auto listed = [](std::span<const int64_t> list, size_t d) {
    return std::find(list.begin(), list.end(), static_cast<int64_t>(d)) != list.end();
  };
  ValueId mask;
  std::vector<ValueId> offsets;
  for (size_t d = 0; d < full.size(); ++d) {
    if (full[d] % s.tile[d] == 0 || listed(skipped, d)) continue;
    if (offsets.empty()) offsets = shard_offsets(context, full, s, value.scope->partition_id);
    const bool left = listed(left_padded, d);
    const int64_t limit = left ? piece.dims[d] * s.tile[d] - full[d] : full[d];
    const ValueId position =
        emit.binary(OpKind::add, emit.iota(index, static_cast<int64_t>(d)), emit.splat(offsets[d], index));
    const ValueId valid =
        emit.compare(left ? "GE" : "LT", position, emit.splat(emit.scalar(ElementType::s32, limit), index));
    mask = mask.valid() ? emit.binary(OpKind::and_, mask, valid) : valid;
  }
  if (!mask.valid()) return value;
  return with(value, emit.select(mask, value.value, emit.splat(pad, piece)), value.sharding);
}

ShardedValue mask_padding_with_zero_on(Context& context, const ShardedValue& value, std::span<const int64_t> dims) {
  const DimList skipped = all_but(context.emit.dims(value.value).size(), dims);
  return mask_padding(context, value, context.emit.zero(context.emit.element(value.value)), {}, skipped);
}

ShardedValue mask_padding_with_zero(Context& context, const ShardedValue& value) {
  return mask_padding(context, value, context.emit.zero(context.emit.element(value.value)));
}

}  // namespace sw
