// Partition rule of dot_general, and the recursion that products and convolutions share.
//
// One kind of dimension at a time is found where operands and output agree; the devices are grouped by these tiles, and
// the rest is partitioned inside the groups, where it is a smaller problem with fewer devices. When nothing is left to
// group, one of the base cases writes the local product. First only groups that already lie on the same devices count
// (strict), then any.
//
// Worked example, mesh x=2, y=4: lhs [2,4], rhs [4,1]x2, output [2,1]x4. Free dimension of lhs: both have 2 tiles,
// group: 2 groups of
// 4. The rhs is replicated over the two groups (its replication), so inside: lhs [1,4], rhs [4,1], output replicated:
// contracting dimension, 4 groups of 1, sum over them: local product, then an all-reduce over y.
//
// Follows PartitionDot and what it calls in XLA's dot_handler.cc, NEW behaviour: nested sums keep the innermost only.
// Not followed: windowed einsum (collective matmul), which no backend's defaults reach.
#include <algorithm>
#include <numeric>

#include "ops/dims_dot.h"
#include "partition/align.h"
#include "partition/collectives.h"
#include "partition/dot.h"

namespace sw {

int64_t tiles_over(const TileSharding& s, const std::vector<DotDim>& dims, DotSide side) {
  int64_t tiles = 1;
  if (!is_tiled(s)) return tiles;
  for (const DotDim& d : dims)
    if (d.on(side) >= 0) tiles *= s.tile[static_cast<size_t>(d.on(side))];
  return tiles;
}

DimList dims_on(const std::vector<DotDim>& dims, DotSide side) {
  DimList list;
  for (const DotDim& d : dims) list.push_back(d.on(side));
  return list;
}

namespace {

size_t rank_on(const DotSpec& spec, DotSide side) {
  return side == DotSide::lhs ? spec.lhs_rank : side == DotSide::rhs ? spec.rhs_rank : spec.out_rank;
}

struct Mapping {
  DimList to, from;  // by dimension of the source, of the target; -1: none
};

Mapping mapping_between(const DotSpec& spec, DotSide from, DotSide to,
                        std::initializer_list<const std::vector<DotDim>*> classes) {
  Mapping m{DimList(rank_on(spec, from), -1), DimList(rank_on(spec, to), -1)};
  for (const auto* dims : classes)
    for (const DotDim& d : *dims) {
      if (d.on(from) >= 0) m.to[static_cast<size_t>(d.on(from))] = d.on(to);
      if (d.on(to) >= 0) m.from[static_cast<size_t>(d.on(to))] = d.on(from);
    }
  return m;
}

}  // namespace

std::optional<TileSharding> seen_from(const DotSpec& spec, const TileSharding& s, DotSide from, DotSide to) {
  const Mapping m =
      mapping_between(spec, from, to, {&spec.batch, &spec.contract, &spec.lhs_free, &spec.rhs_free, &spec.spatial});
  return map_dims(s, m.to, m.from);
}

TileSharding operand_from_output(const DotSpec& spec, const TileSharding& output, const TileSharding* other,
                                 DotSide side, bool combine) {
  const DotSide other_side = side == DotSide::lhs ? DotSide::rhs : DotSide::lhs;
  const auto& own_free = side == DotSide::lhs ? spec.lhs_free : spec.rhs_free;
  const auto& other_free = side == DotSide::lhs ? spec.rhs_free : spec.lhs_free;
  DimList out_gone, other_gone;
  for (const DotDim& d : other_free) {
    out_gone.push_back(d.out);
    other_gone.push_back(d.on(other_side));
  }
  for (const DotDim& d : spec.contract)
    if (d.out >= 0) out_gone.push_back(d.out);
  for (const DotDim& d : own_free)
    if (d.on(other_side) >= 0) other_gone.push_back(d.on(other_side));
  const Mapping from_out = mapping_between(spec, DotSide::out, side, {&spec.batch, &own_free});
  TileSharding result = replicated_sharding();
  if (auto mapped = map_dims(replicate_dims(output, out_gone), from_out.to, from_out.from)) result = *mapped;
  if (other == nullptr || other->kind == TileKind::maximal) return result;
  const Mapping from_other = mapping_between(spec, other_side, side, {&spec.batch, &spec.contract});
  auto mapped = map_dims(replicate_dims(*other, other_gone), from_other.to, from_other.from);
  if (mapped && merge_sharding(result, *mapped, combine)) return *mapped;
  return result;
}

DotPartitioner::Counts DotPartitioner::counts(const Problem& p) const {
  const TileSharding &l = at(p.lhs.sharding), &r = at(p.rhs.sharding), &o = at(p.sharding);
  return {tiles_over(l, spec.batch, DotSide::lhs),    tiles_over(r, spec.batch, DotSide::rhs),
          tiles_over(o, spec.batch, DotSide::out),    tiles_over(l, spec.contract, DotSide::lhs),
          tiles_over(r, spec.contract, DotSide::rhs), tiles_over(l, spec.lhs_free, DotSide::lhs),
          tiles_over(r, spec.rhs_free, DotSide::rhs), tiles_over(o, spec.lhs_free, DotSide::out),
          tiles_over(o, spec.rhs_free, DotSide::out)};
}

// `value` as the groups see it.
ShardedValue DotPartitioner::in_groups(const ShardedValue& value, const GroupedSharding& grouped, Scope* scope,
                                       bool divide) {
  Emitter& emit = v.context.emit;
  TypeId full = value.full;
  if (divide) full = emit.type({emit.element(value.value), group_dims(emit.graph().types.get(full).dims, grouped)});
  return {value.value, full, v.context.id(grouped.inner), scope};
}

ValueId DotPartitioner::partition(const ShardedValue& lhs, const ShardedValue& rhs, TypeId out, TileShardingId sharding,
                                  int64_t devices) {
  for (const bool strict : {true, false}) {
    const ValueId piece = attempt({lhs, rhs, out, sharding, devices, strict});
    if (piece.valid()) return piece;
  }
  Context& context = v.context;
  if (spec.spatial.empty()) {
    const TileSharding output = at(sharding);
    const TileShardingId l = context.id(operand_from_output(spec, output, nullptr, DotSide::lhs, false));
    const TileShardingId r = context.id(operand_from_output(spec, output, nullptr, DotSide::rhs, false));
    return create(reshard(context, lhs, l), reshard(context, rhs, r));
  }
  const ValueId whole = create(replicate(context, lhs), replicate(context, rhs));
  return reshard(context, {whole, out, context.replicated(), lhs.scope}, sharding).value;
}

ValueId DotPartitioner::attempt(const Problem& p) {
  if (try_conv)
    if (const auto piece = try_conv(*this, p.lhs, p.rhs, p.out, p.sharding, p.devices, p.strict)) return piece->value;
  using Step = ValueId (DotPartitioner::*)(const Problem&);
  for (const Step step : {&DotPartitioner::before_grouping, &DotPartitioner::group_on_batch,
                          &DotPartitioner::group_on_free, &DotPartitioner::group_on_contract,
                          &DotPartitioner::group_on_output_replication, &DotPartitioner::after_grouping}) {
    const ValueId piece = (this->*step)(p);
    if (piece.valid()) return piece;
  }
  return {};
}

ValueId DotPartitioner::grouped_on_batch(DotSpec as, const ShardedValue& lhs, const ShardedValue& rhs, TypeId out,
                                         TileShardingId sharding, int64_t devices, bool strict) {
  std::swap(spec, as);
  const ValueId piece = group_on_batch({lhs, rhs, out, sharding, devices, strict});
  std::swap(spec, as);
  return piece;
}

// ---- base cases

ValueId DotPartitioner::batch_tiled_output(const Problem& p, const Counts& c, bool only_direct_moves) {
  const auto direct = [&](const TileSharding& from, const TileSharding& to) {
    return can_permute(from, to) || all_to_all_pairs(from, to).has_value();
  };
  const TileSharding l = at(p.lhs.sharding), r = at(p.rhs.sharding), o = at(p.sharding);
  if (c.out_batch != p.devices) return {};
  const auto try_side = [&](const TileSharding& own, DotSide side) -> ValueId {
    const DotSide other_side = side == DotSide::lhs ? DotSide::rhs : DotSide::lhs;
    const auto seen = seen_from(spec, own, side, DotSide::out);
    if (!seen || !same_sharding(*seen, o)) return {};
    const auto wanted = seen_from(spec, own, side, other_side);
    if (!wanted) return {};
    const ShardedValue& other = side == DotSide::lhs ? p.rhs : p.lhs;
    if (only_direct_moves && !direct(at(other.sharding), *wanted)) return {};
    const ShardedValue moved = reshard(v.context, other, v.context.id(*wanted));
    return side == DotSide::lhs ? create(p.lhs, moved) : create(moved, p.rhs);
  };
  // A side that qualifies decides, also when it fails.
  if (c.lhs_batch == p.devices) {
    const auto seen = seen_from(spec, l, DotSide::lhs, DotSide::out);
    if (seen && same_sharding(*seen, o)) return try_side(l, DotSide::lhs);
  }
  if (c.rhs_batch == p.devices) return try_side(r, DotSide::rhs);
  return {};
}

ValueId DotPartitioner::before_grouping(const Problem& p) {
  const TileSharding l = at(p.lhs.sharding), r = at(p.rhs.sharding), o = at(p.sharding);
  if (replicates_on_last_dim(o)) return {};
  const Counts c = counts(p);
  Context& context = v.context;
  if (c.lhs_batch == c.rhs_batch && c.rhs_batch == p.devices) {
    const auto seen = seen_from(spec, l, DotSide::lhs, DotSide::rhs);
    if (seen && same_sharding(*seen, r)) {
      const auto out = seen_from(spec, l, DotSide::lhs, DotSide::out);
      const ShardedValue piece{create(p.lhs, p.rhs), p.out, context.id(*out), p.lhs.scope};
      return reshard(context, piece, p.sharding).value;
    }
  }
  for (const bool only_direct_moves : {true, false}) {
    const ValueId piece = batch_tiled_output(p, c, only_direct_moves);
    if (piece.valid()) return piece;
  }
  const auto matches_output = [&](const TileSharding& s, DotSide side) {
    const auto seen = seen_from(spec, s, side, DotSide::out);
    return seen && same_sharding(*seen, o);
  };
  if (c.lhs_free == p.devices && c.out_lhs_free == p.devices && matches_output(l, DotSide::lhs))
    return create(p.lhs, replicate(context, p.rhs));
  if (c.rhs_free == p.devices && c.out_rhs_free == p.devices && matches_output(r, DotSide::rhs))
    return create(replicate(context, p.lhs), p.rhs);
  return {};
}

ValueId DotPartitioner::after_grouping(const Problem& p) {
  const TileSharding l = at(p.lhs.sharding), r = at(p.rhs.sharding), o = at(p.sharding);
  if (replicates_on_last_dim(o)) return {};
  const Counts c = counts(p);
  Context& context = v.context;
  const auto from_output = [&](const ShardedValue& operand, DotSide side) {
    const auto seen = seen_from(spec, o, DotSide::out, side);
    SW_CHECK(seen.has_value(), "a fully tiled output maps to the operand");
    return reshard(context, operand, context.id(*seen));
  };
  if (c.out_batch == p.devices) {
    const ShardedValue lhs = from_output(p.lhs, DotSide::lhs);
    return create(lhs, from_output(p.rhs, DotSide::rhs));
  }
  if (c.out_lhs_free == p.devices) {
    const ShardedValue lhs = from_output(p.lhs, DotSide::lhs);
    return create(lhs, replicate(context, p.rhs));
  }
  if (c.out_rhs_free == p.devices) {
    const ShardedValue lhs = replicate(context, p.lhs);
    return create(lhs, from_output(p.rhs, DotSide::rhs));
  }
  if (!is_replicated(o)) return {};
  // Summing the output may move less than gathering the operand.
  const Graph& graph = context.emit.graph();
  const auto elements = [&](TypeId type) { return graph.types.get(type).element_count(); };
  ShardedValue lhs = p.lhs, rhs = p.rhs;
  if (c.rhs_contract == p.devices && is_replicated(l) && elements(p.rhs.full) > elements(p.out)) {
    const auto seen = seen_from(spec, r, DotSide::rhs, DotSide::lhs);
    lhs = reshard(context, lhs, context.id(*seen));
  } else if (c.lhs_contract == p.devices && is_replicated(r) && elements(p.lhs.full) > elements(p.out)) {
    const auto seen = seen_from(spec, l, DotSide::lhs, DotSide::rhs);
    rhs = reshard(context, rhs, context.id(*seen));
  } else {
    return {};
  }
  lhs = mask_padding_with_zero(context, lhs);
  rhs = mask_padding_with_zero(context, rhs);
  const ValueId partial = create(lhs, rhs);
  context.cause.reason = CollectiveReason::contraction;
  return reduce_dims(context, *lhs.scope, partial, at(lhs.sharding), dims_on(spec.contract, DotSide::lhs),
                     context.adder(context.emit.element(partial)));
}

ValueId DotPartitioner::group_on_output_replication(const Problem& p) {
  const TileSharding o = at(p.sharding);
  if (!is_replicated(at(p.lhs.sharding)) || !is_replicated(at(p.rhs.sharding)) || !replicates_on_last_dim(o)) return {};
  const auto last = static_cast<int64_t>(o.tile.size()) - 1;
  const GroupedSharding grouped = group_on_dims(o, std::span(&last, 1));
  Scope* scope = group_scope(v.context, p.lhs.scope, grouped.device_groups);
  ShardedValue lhs = p.lhs, rhs = p.rhs;
  lhs.scope = rhs.scope = scope;
  return partition(lhs, rhs, p.out, v.context.id(grouped.inner), tile_count(o));
}

// ---- batch dimensions

ValueId DotPartitioner::group_on_batch(const Problem& p) {
  const Counts c = counts(p);
  if (c.out_batch <= 1 || (c.lhs_batch != c.out_batch && c.rhs_batch != c.out_batch)) return {};
  const TileSharding l = at(p.lhs.sharding), r = at(p.rhs.sharding);
  const DimList lhs_dims = dims_on(spec.batch, DotSide::lhs), rhs_dims = dims_on(spec.batch, DotSide::rhs);
  bool equal = true;
  for (const DotDim& d : spec.batch)
    equal = equal && tiles_along(l, static_cast<size_t>(d.lhs)) == tiles_along(r, static_cast<size_t>(d.rhs));
  if (equal && p.strict)
    equal = same_sharding(r, ungroup(align_groups(group_on_dims(r, rhs_dims), group_on_dims(l, lhs_dims))));
  if (equal) return group_on_equal_batch(p);
  const GroupedSharding out_groups = group_on_dims(at(p.sharding), dims_on(spec.batch, DotSide::out));
  Scope* scope = group_scope(v.context, p.lhs.scope, out_groups.device_groups);
  const auto lhs = to_output_batch(p, DotSide::lhs, out_groups, scope);
  if (!lhs) return {};
  const auto rhs = to_output_batch(p, DotSide::rhs, out_groups, scope);
  if (!rhs) return {};
  const TypeId out = v.context.emit.type({v.context.emit.graph().types.get(p.out).element,
                                          group_dims(v.context.emit.graph().types.get(p.out).dims, out_groups)});
  const ValueId piece =
      partition(*lhs, *rhs, out, v.context.id(out_groups.inner), p.devices / group_count(out_groups.device_groups));
  return reshard(v.context, {piece, p.out, v.context.id(ungroup(out_groups)), p.lhs.scope}, p.sharding).value;
}

// Both operands have the same batch tiles: the smaller one is aligned with the other.
ValueId DotPartitioner::group_on_equal_batch(const Problem& p) {
  Context& context = v.context;
  const Graph& graph = context.emit.graph();
  ShardedValue lhs = p.lhs, rhs = p.rhs;
  GroupedSharding l = group_on_dims(at(lhs.sharding), dims_on(spec.batch, DotSide::lhs));
  GroupedSharding r = group_on_dims(at(rhs.sharding), dims_on(spec.batch, DotSide::rhs));
  if (byte_size(graph, graph.value(lhs.value).type) > byte_size(graph, graph.value(rhs.value).type)) {
    r = align_groups(r, l);
    rhs = reshard(context, rhs, context.id(ungroup(r)));
  } else {
    l = align_groups(l, r);
    lhs = reshard(context, lhs, context.id(ungroup(l)));
  }
  const TileSharding o = at(p.sharding);
  TileDims tiles = grid_of(o).dims;
  for (const DotDim& d : spec.batch)
    tiles[static_cast<size_t>(d.out)] = tiles_along(at(p.lhs.sharding), static_cast<size_t>(d.lhs));
  const GroupedSharding out_groups =
      align_groups(group_on_dims(tiles_like(o, reshaped(grid_of(o), tiles)), dims_on(spec.batch, DotSide::out)), l);
  Scope* scope = group_scope(context, lhs.scope, l.device_groups);
  const Type out_type = graph.types.get(p.out);
  const ElementType element = out_type.element;
  const TypeId out = context.emit.type({element, group_dims(out_type.dims, out_groups)});
  const ValueId piece = partition(in_groups(lhs, l, scope), in_groups(rhs, r, scope), out, context.id(out_groups.inner),
                                  p.devices / group_count(out_groups.device_groups));
  return reshard(context, {piece, p.out, context.id(ungroup(out_groups)), lhs.scope}, p.sharding).value;
}

// One operand brought to the output's batch tiles: by slicing what is replicated, or by taking the tiles from other
// dimensions.
std::optional<ShardedValue> DotPartitioner::to_output_batch(const Problem& p, DotSide side,
                                                            const GroupedSharding& out_groups, Scope* scope) {
  Context& context = v.context;
  const ShardedValue& operand = side == DotSide::lhs ? p.lhs : p.rhs;
  const TileSharding s = at(operand.sharding);
  const DimList batch = dims_on(spec.batch, side);
  if (is_trivial(s)) {
    GroupedSharding slices = out_groups;
    slices.dims = batch;
    const ValueId piece =
        slice_for_group(context, replicate(context, operand).value, operand.scope->partition_id, slices);
    return ShardedValue{piece, context.emit.graph().value(piece).type, context.replicated(), scope};
  }
  const Counts c = counts(p);
  const int64_t own_contract = side == DotSide::lhs ? c.lhs_contract : c.rhs_contract;
  const int64_t other_contract = side == DotSide::lhs ? c.rhs_contract : c.lhs_contract;
  const int64_t own_free = side == DotSide::lhs ? c.lhs_free : c.rhs_free;
  TileDims tiles = grid_of(s).dims;
  for (const DotDim& d : spec.batch)
    tiles[static_cast<size_t>(d.on(side))] = tiles_along(at(p.sharding), static_cast<size_t>(d.out));
  const int64_t devices = device_count(s);
  if (product(tiles) > devices) {
    if (product(tiles) % devices != 0) return std::nullopt;
    const int64_t surplus = product(tiles) / devices;
    const auto untile = [&](const std::vector<DotDim>& dims) {
      for (const DotDim& d : dims) tiles[static_cast<size_t>(d.on(side))] = 1;
    };
    if (replicates_on_last_dim(s) && s.tile.back() % surplus == 0) {
      tiles.back() /= surplus;
      if (tiles.back() == 1) tiles.pop_back();
    } else if (surplus == own_free && (surplus != own_contract || own_contract == other_contract)) {
      untile(side == DotSide::lhs ? spec.lhs_free : spec.rhs_free);
    } else if (surplus == own_contract) {
      untile(spec.contract);
    } else {
      return std::nullopt;
    }
  }
  if (product(tiles) < devices) return std::nullopt;
  const size_t rank = side == DotSide::lhs ? spec.lhs_rank : spec.rhs_rank;
  const TileGrid grid = reshaped(grid_of(s), tiles);
  const GroupedSharding grouped =
      align_groups(group_on_dims(rank < tiles.size() ? partial_tiles(grid) : plain_tiles(grid), batch), out_groups);
  const TileSharding wanted = ungroup(grouped);
  if (p.strict && !same_sharding(s, wanted)) return std::nullopt;
  return in_groups(reshard(context, operand, context.id(wanted)), grouped, scope);
}

// ---- free dimensions

ValueId DotPartitioner::group_on_free(const Problem& p) {
  const Counts c = counts(p);
  const TileSharding l = at(p.lhs.sharding), r = at(p.rhs.sharding), o = at(p.sharding);
  const bool lhs_matches = c.lhs_free == c.out_lhs_free && c.lhs_free > 1;
  const bool rhs_matches = c.rhs_free == c.out_rhs_free && c.rhs_free > 1;
  const Graph& graph = v.context.emit.graph();
  if (lhs_matches || rhs_matches) {
    // Both match: the one that leaves less of the other to replicate.
    const int64_t lhs_bytes = byte_size(graph, graph.value(p.lhs.value).type);
    const int64_t rhs_bytes = byte_size(graph, graph.value(p.rhs.value).type);
    const bool lhs = lhs_matches && (!rhs_matches || c.lhs_free * rhs_bytes < c.rhs_free * lhs_bytes);
    return lhs ? group_on_free_dims(p, DotSide::lhs, spec.lhs_free)
               : group_on_free_dims(p, DotSide::rhs, spec.rhs_free);
  }
  const auto matching = [&](const std::vector<DotDim>& dims, const TileSharding& s, DotSide side) {
    std::vector<DotDim> found;
    for (const DotDim& d : dims) {
      const int64_t tiles = tiles_along(s, static_cast<size_t>(d.on(side)));
      if (tiles > 1 && d.out >= 0 && tiles == tiles_along(o, static_cast<size_t>(d.out))) found.push_back(d);
    }
    return found;
  };
  DotSide side = DotSide::lhs;
  std::vector<DotDim> dims;
  if (c.lhs_free > 1 && c.out_lhs_free > 1) {
    dims = matching(spec.lhs_free, l, DotSide::lhs);
  } else if (c.rhs_free > 1 && c.out_rhs_free > 1) {
    side = DotSide::rhs;
    dims = matching(spec.rhs_free, r, DotSide::rhs);
  }
  return dims.empty() ? ValueId{} : group_on_free_dims(p, side, dims);
}

// How the other operand is to be grouped: on what it replicates over the groups, else on dimensions that tell the
// groups apart, else on dimensions that it can give up.
std::optional<GroupedSharding> DotPartitioner::groups_of_other(const Problem& p, DotSide matching,
                                                               const std::vector<DotDim>& dims,
                                                               const ShardedValue& other) {
  const DotSide side = matching == DotSide::lhs ? DotSide::rhs : DotSide::lhs;
  const TileSharding s = at(other.sharding), o = at(p.sharding);
  const Counts c = counts(p);
  const GroupedSharding out_groups = group_on_dims(o, dims_on(dims, DotSide::out));
  const int64_t groups = group_count(out_groups.device_groups);
  const bool replicated_over_groups = replicates_on_last_dim(s) && s.tile.back() % groups == 0;
  const auto last = static_cast<int64_t>(s.tile.size()) - 1;
  if (replicated_over_groups) {
    // The replication itself, or a dimension that takes its place: whichever lies on the output's groups as it is.
    for (int64_t d = last; d >= 0; --d) {
      if (s.tile[static_cast<size_t>(d)] % groups != 0) continue;
      DimList perm(s.tile.size());
      std::iota(perm.begin(), perm.end(), 0);
      std::swap(perm[static_cast<size_t>(d)], perm[static_cast<size_t>(last)]);
      const TileSharding swapped = d == last ? s : transpose_sharding(s, perm);
      if (!replicates_on_last_dim(swapped)) continue;
      if (auto found = group_replicas_as(swapped, swapped.tile.back() / groups, out_groups.device_groups)) return found;
    }
    const int64_t kept = s.tile.back() / groups;
    return align_groups(group_on_dims(s, std::span(&last, 1), std::span(&kept, 1)), out_groups, true);
  }
  const bool lhs = matching == DotSide::lhs;
  const int64_t other_contract = lhs ? c.rhs_contract : c.lhs_contract,
                own_contract = lhs ? c.lhs_contract : c.rhs_contract;
  const int64_t other_free = lhs ? c.rhs_free : c.lhs_free, out_other_free = lhs ? c.out_rhs_free : c.out_lhs_free;
  const bool give_contract = other_contract == groups && other_free == out_other_free;
  const bool give_free = groups == other_free && own_contract == other_contract;
  DimList group_dims_of_other;
  if (auto found = dims_matching_groups(s, out_groups.device_groups)) {
    group_dims_of_other = *found;
  } else if (give_contract) {
    const Graph& graph = v.context.emit.graph();
    const int64_t other_bytes = byte_size(graph, graph.value(other.value).type);
    const TypeId piece = shard_type(v.context, p.out, p.sharding);
    if (!give_free || other_bytes <= byte_size(v.context.emit.graph(), piece))
      group_dims_of_other = dims_on(spec.contract, side);
    else
      group_dims_of_other = dims_on(lhs ? spec.rhs_free : spec.lhs_free, side);
  } else if (give_free) {
    group_dims_of_other = dims_on(lhs ? spec.rhs_free : spec.lhs_free, side);
  } else {
    return std::nullopt;
  }
  if (!is_tiled(s)) return std::nullopt;
  if (group_dims_of_other.size() == 1 && group_dims_of_other[0] == last) {
    const int64_t kept = s.tile.back() / groups;
    return align_groups(group_on_dims(s, std::span(&last, 1), std::span(&kept, 1)), out_groups, true);
  }
  return align_groups(group_on_dims(s, group_dims_of_other), out_groups, true);
}

ValueId DotPartitioner::group_on_free_dims(const Problem& p, DotSide matching, const std::vector<DotDim>& dims) {
  Context& context = v.context;
  const DotSide other_side = matching == DotSide::lhs ? DotSide::rhs : DotSide::lhs;
  ShardedValue own = matching == DotSide::lhs ? p.lhs : p.rhs;
  ShardedValue other = matching == DotSide::lhs ? p.rhs : p.lhs;
  const TileSharding s = at(own.sharding), o = at(p.sharding);
  const GroupedSharding out_groups = group_on_dims(o, dims_on(dims, DotSide::out));
  TileDims tiles = grid_of(s).dims;
  for (const DotDim& d : dims) tiles[static_cast<size_t>(d.on(matching))] = o.tile[static_cast<size_t>(d.out)];
  const GroupedSharding own_groups =
      align_groups(group_on_dims(tiles_like(s, reshaped(grid_of(s), tiles)), dims_on(dims, matching)), out_groups);
  const TileSharding own_wanted = ungroup(own_groups);
  if (p.strict && !same_sharding(s, own_wanted)) return {};

  auto other_groups = groups_of_other(p, matching, dims, other);
  if (!other_groups && is_tiled(at(other.sharding)) && spec.spatial.empty()) {
    const TileSharding wanted = operand_from_output(spec, o, &s, other_side, true);
    const ShardedValue moved = reshard(context, other, context.id(wanted));
    other_groups = groups_of_other(p, matching, dims, moved);
    if (other_groups) other = moved;
  }
  if (!other_groups) other = replicate(context, other);
  own = reshard(context, own, context.id(own_wanted));
  Scope* scope = group_scope(context, own.scope, own_groups.device_groups);
  ShardedValue other_in{other.value, other.full, other.sharding, scope};
  const auto other_rank = static_cast<int64_t>(other_side == DotSide::lhs ? spec.lhs_rank : spec.rhs_rank);
  if (other_groups && other_groups->dims.size() == 1 && other_groups->dims[0] == other_rank) {
    other = reshard(context, other, context.id(ungroup(*other_groups)));
    other_in = {other.value, other.full, context.id(other_groups->inner), scope};
  } else if (other_groups && is_tiled(at(other.sharding))) {
    const TileSharding wanted = ungroup(*other_groups);
    const bool in_place =
        groups_match(group_on_dims(wanted, other_groups->dims).device_groups, other_groups->device_groups);
    if (!replicates_on_last_dim(at(other.sharding)) || !in_place) other = reshard(context, other, context.id(wanted));
    DimList given_up;
    for (int64_t d : other_groups->dims)
      if (d < other_rank) given_up.push_back(d);
    other = reshard(context, other, context.id(replicate_dims(at(other.sharding), given_up)));
    other_in = {other.value, other.full, context.id(other_groups->inner), scope};
  }
  const ShardedValue own_in = in_groups(own, own_groups, scope);
  const Type out_type = context.emit.graph().types.get(p.out);
  const ElementType element = out_type.element;
  const TypeId out = context.emit.type({element, group_dims(out_type.dims, out_groups)});
  const bool lhs = matching == DotSide::lhs;
  return partition(lhs ? own_in : other_in, lhs ? other_in : own_in, out, context.id(out_groups.inner),
                   p.devices / group_count(own_groups.device_groups));
}

}  // namespace sw
