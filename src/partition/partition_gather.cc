// Partition rule of gather.
//
// Worked example: rows of a table f32[32000,512] tiled [4,1] by indices s32[16,1] on every device. Every device gathers
// with the indices that fall into its quarter, writes zeros for the others, and an all-reduce adds the four results:
// cheaper than bringing the table to every device. Tiles of the 512 columns, or of the 16 indices, simply go over to
// the result.
//
// Follows PartitionGather of XLA (gather_scatter_handler.cc) with need_resolve_conflicts: five methods, each tried out,
// taken in the order of their cost; inside the groups of devices that a method makes, the rest is partitioned in the
// same way.
#include <algorithm>

#include "partition/collectives.h"
#include "partition/indexed.h"

namespace sw {

namespace {

class GatherPartitioner {
 public:
  struct Problem {
    ShardedValue operand, indices;
    TypeId out;               // full in the scope
    TileShardingId sharding;  // that the result is to have
    DimList slice_sizes;
  };

  GatherPartitioner(const IndexedOp& call) : call_(call) {}

  ValueId partition(Context& context, const Problem& p, bool recurse) const;

 private:
  using Method = ValueId (GatherPartitioner::*)(Context&, Problem, bool) const;
  ValueId explicit_batch(Context& context, Problem p, bool recurse) const;
  ValueId implicit_batch(Context& context, Problem p, bool recurse) const;
  ValueId whole_windows(Context& context, Problem p, bool recurse) const;
  ValueId indexed_dims(Context& context, Problem p, bool recurse) const;
  ValueId through_indices(Context& context, Problem p, bool recurse) const;
  ValueId parallel(Context& context, Problem p, bool recurse, const ParallelIndexDims& dims, bool offsets) const;
  ValueId in_groups(Context& context, const Problem& p, const GroupedSharding& operand, const GroupedSharding& indices,
                    const GroupedSharding& out, bool recurse) const;
  ValueId local(Context& context, const Problem& p) const;
  ValueId rows_held_here(Context& context, const Problem& p, ValueId gathered, const ShardedValue& indices,
                         std::span<const ValueId> bounds, const GroupedSharding& operand,
                         const GroupedSharding& out) const;

  const IndexedOp& call_;
};

bool untiled(const GroupedSharding& g) { return is_trivial(g.inner); }

ValueId GatherPartitioner::local(Context& context, const Problem& p) const {
  const ValueId operands[] = {replicate(context, p.operand).value, replicate(context, p.indices).value};
  const NamedAttr sizes = context.emit.dims_attr("slice_sizes", p.slice_sizes);
  const ValueId gathered = context.emit.clone(call_.op, p.out, operands, std::span(&sizes, 1));
  return reshard(context, {gathered, p.out, context.replicated(), p.operand.scope}, p.sharding).value;
}

ValueId GatherPartitioner::partition(Context& context, const Problem& p, bool recurse) const {
  if (!recurse) return local(context, p);
  constexpr Method kMethods[] = {&GatherPartitioner::explicit_batch, &GatherPartitioner::implicit_batch,
                                 &GatherPartitioner::whole_windows, &GatherPartitioner::indexed_dims,
                                 &GatherPartitioner::through_indices};
  std::vector<std::pair<WayCost, Method>> ways;
  for (Method method : kMethods) {
    const ShardedValue values[] = {p.operand, p.indices};
    // The stated batch dimensions come first whatever they cost.
    WayCost cost{0, 0};
    if (method != kMethods[0])
      cost = cost_of(context, OpKind::gather, values, [&](Context& trial, std::span<const ShardedValue> stand_ins) {
        Problem q = p;
        q.operand = stand_ins[0];
        q.indices = stand_ins[1];
        return (this->*method)(trial, q, false);
      });
    ways.emplace_back(cost, method);
  }
  std::stable_sort(ways.begin(), ways.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (const auto& [cost, method] : ways)
    if (const ValueId done = (this->*method)(context, p, true); done.valid()) return done;
  return local(context, p);
}

ValueId GatherPartitioner::in_groups(Context& context, const Problem& p, const GroupedSharding& operand,
                                     const GroupedSharding& indices, const GroupedSharding& out, bool recurse) const {
  Problem inner;
  inner.operand = enter_groups(context, p.operand, operand);
  inner.indices = enter_groups(context, p.indices, indices);
  const Type type = context.emit.graph().types.get(p.out);
  const ElementType element = type.element;
  inner.out = context.emit.type({element, group_dims(type.dims, out)});
  inner.sharding = context.id(out.inner);
  inner.slice_sizes = p.slice_sizes;
  return partition(context, inner, recurse);
}

ValueId GatherPartitioner::explicit_batch(Context& context, Problem p, bool recurse) const {
  return call_.explicit_batch ? parallel(context, std::move(p), recurse, *call_.explicit_batch, false) : ValueId{};
}

ValueId GatherPartitioner::implicit_batch(Context& context, Problem p, bool recurse) const {
  return call_.implicit_batch ? parallel(context, std::move(p), recurse, *call_.implicit_batch, true) : ValueId{};
}

ValueId GatherPartitioner::parallel(Context& context, Problem p, bool recurse, const ParallelIndexDims& dims,
                                    bool offsets) const {
  const auto tiled = tiled_in_parallel(context.at(p.operand.sharding), call_.operand_shape.size(),
                                       context.at(p.indices.sharding), call_.indices_rank, dims);
  if (!tiled) return {};
  p.operand = reshard(context, p.operand, context.id(tiled->first));
  p.indices = reshard(context, p.indices, context.id(tiled->second));
  TileSharding out = slices_from_indices(call_, tiled->second);
  const Dims base(context.emit.graph().types.get(p.operand.full).dims);
  const WindowPairs whole = windows_taken_whole(call_, base, p.slice_sizes);
  if (const TileSharding rest = replicate_dims(tiled->first, dims.operand); is_tiled(rest))
    if (const TileSharding through = transfer_dims(rest, whole.operand, whole.slices, call_.slices_rank);
        is_tiled(through))
      merge_if_compatible(through, out);
  if (offsets)
    p.indices.value = context.emit.binary(OpKind::subtract, p.indices.value,
                                          index_offsets(context, call_, p.operand, p.indices.value, dims.operand));
  const GroupedSharding indices = group_on_dims(tiled->second, dims.indices);
  const GroupedSharding operand = align_groups(group_on_dims(tiled->first, dims.operand), indices);
  const GroupedSharding result = align_groups(group_on_dims(out, dims.slices), indices);
  const ValueId gathered = in_groups(context, p, operand, indices, result, recurse);
  return reshard(context, {gathered, p.out, context.id(ungroup(result)), p.operand.scope}, p.sharding).value;
}

// The operand is tiled along dimensions whose windows take them whole.
ValueId GatherPartitioner::whole_windows(Context& context, Problem p, bool recurse) const {
  const TileSharding s = context.at(p.operand.sharding);
  if (!is_tiled(s)) return {};
  const Dims base(context.emit.graph().types.get(p.operand.full).dims);
  const WindowPairs here = windows_taken_whole(call_, base, p.slice_sizes);
  TileSharding out = transfer_dims(s, here.operand, here.slices, call_.slices_rank);
  if (!is_tiled(out)) return {};
  const DimList operand_dims = windows_taken_whole(call_, call_.operand_shape, p.slice_sizes).operand;
  int64_t groups = 1;
  for (int64_t d : operand_dims) groups *= s.tile[static_cast<size_t>(d)];
  DimList out_dims;
  for (size_t d = 0; d < out.data_rank(); ++d)
    if (out.tile[d] != 1) out_dims.push_back(static_cast<int64_t>(d));
  for (int64_t d : operand_dims)
    p.slice_sizes[static_cast<size_t>(d)] = context.emit.dim(p.operand.value, static_cast<size_t>(d));
  merge_if_compatible(context.at(p.sharding), out);
  const GroupedSharding result = group_on_dims(out, out_dims);
  const GroupedSharding operand = align_groups(group_on_dims(s, operand_dims), result);
  const GroupedSharding indices =
      align_groups(group_on_replicas(context.at(p.indices.sharding), groups, device_count(s), call_.indices_rank,
                                     indices_dims_by_priority(call_)),
                   result);
  const ValueId gathered = in_groups(context, p, operand, indices, result, recurse);
  return reshard(context, {gathered, p.out, context.id(out), p.operand.scope}, p.sharding).value;
}

// The operand is tiled along indexed dimensions: every device gathers what it holds, the rest is zero, and the sum is
// the result.
ValueId GatherPartitioner::indexed_dims(Context& context, Problem p, bool recurse) const {
  const TileSharding s = context.at(p.operand.sharding);
  const auto tiled = indexed_tiled_dims(call_, s, p.slice_sizes);
  if (!tiled) return {};
  const GroupedSharding operand = group_on_dims(s, *tiled);
  const int64_t groups = group_count(operand.device_groups), devices = device_count(s);
  const auto grouped_indices = [&](const TileSharding& from) {
    return align_groups(group_on_replicas(from, groups, devices, call_.indices_rank, indices_dims_by_priority(call_)),
                        operand);
  };
  const auto grouped_out = [&](const TileSharding& from) {
    return align_groups(
        group_on_replicas(from, groups, devices, call_.slices_rank, slices_dims_by_priority(call_, p.slice_sizes)),
        operand);
  };
  GroupedSharding indices = grouped_indices(context.at(p.indices.sharding));
  GroupedSharding out = grouped_out(context.at(p.sharding));
  if (!untiled(indices) && untiled(out)) out = grouped_out(slices_from_indices(call_, context.at(p.indices.sharding)));
  if (untiled(indices) && !untiled(out)) indices = grouped_indices(indices_from_slices(call_, context.at(p.sharding)));
  Emitter& emit = context.emit;
  ShardedValue clamped = reshard(context, p.indices, context.id(ungroup(indices)));
  clamped.value = clamp(context, call_, p.operand, clamped.value);
  const ValueId bounds[] = {index_bound(context, call_, p.operand, clamped.value, *tiled, false),
                            index_bound(context, call_, p.operand, clamped.value, *tiled, true)};
  Problem q = p;
  q.indices = clamped;
  q.indices.value = emit.binary(OpKind::subtract, clamped.value, bounds[0]);
  const ValueId gathered = in_groups(context, q, operand, indices, out, recurse);
  const ValueId held = rows_held_here(context, p, gathered, clamped, bounds, operand, out);
  context.cause.reason = CollectiveReason::masked_rows;
  const RegionId adder = context.adder(emit.element(held));
  const ValueId sum = reduce_dims(context, *p.operand.scope, held, s, *tiled, adder);
  context.cause.reason = CollectiveReason::reshard;
  return reshard(context, {sum, p.out, context.id(ungroup(out)), p.operand.scope}, p.sharding).value;
}

// Zero where the index is outside of this device's part.
ValueId GatherPartitioner::rows_held_here(Context& context, const Problem& p, ValueId gathered,
                                          const ShardedValue& indices, std::span<const ValueId> bounds,
                                          const GroupedSharding& operand, const GroupedSharding& out) const {
  Emitter& emit = context.emit;
  ValueId outside = emit.binary(OpKind::or_, emit.compare("LT", indices.value, bounds[0]),
                                emit.compare("GT", indices.value, bounds[1]));
  const Dims full(emit.graph().types.get(p.indices.full).dims);
  const ShardedValue filter{outside, emit.type({ElementType::pred, full}), indices.sharding, indices.scope};
  const size_t first_op = emit.graph().op_count();
  outside = reshard(context, filter, context.id(indices_from_slices(call_, ungroup(out)))).value;
  // As if all groups had the same filter.
  if (moves_between_groups(emit.graph(), first_op, expand_groups(*indices.scope, operand.device_groups)))
    context.note_miscompile(MiscompileKind::filter_moved);
  if (call_.vector_is_tiled_dim()) outside = reduce_any(context, outside, call_.dims.index_vector_dim);
  ArrayShape shape = emit.shape(gathered);
  const ValueId zeros = emit.splat(emit.zero(shape.element), shape);
  shape.element = ElementType::pred;
  return emit.select(emit.broadcast(outside, shape, call_.dims.batch), zeros, gathered);
}

// The indices are tiled along dimensions that the slices have too.
ValueId GatherPartitioner::through_indices(Context& context, Problem p, bool recurse) const {
  if (!is_tiled(context.at(p.indices.sharding))) return {};
  TileSharding s = context.at(p.indices.sharding);
  const TileSharding wanted = context.at(p.sharding);
  const TileSharding from_out =
      is_tiled(wanted) ? transfer_dims(wanted, call_.through_slices, call_.through_indices, call_.indices_rank)
                       : wanted;
  if (merge_if_compatible(from_out, s)) p.indices = reshard(context, p.indices, context.id(s));
  TileSharding out = transfer_dims(s, call_.through_indices, call_.through_slices, call_.slices_rank);
  if (!is_tiled(out)) return {};
  merge_if_compatible(wanted, out);
  const GroupedSharding result = group_on_dims(out, call_.through_slices);
  const GroupedSharding own = group_on_dims(s, call_.through_indices);
  // Where the result is in more groups XLA stops with an internal error.
  if (group_count(own.device_groups) != group_count(result.device_groups)) return {};
  const GroupedSharding indices = align_groups(own, result);
  const TileSharding o = context.at(p.operand.sharding);
  const GroupedSharding operand =
      align_groups(group_on_replicas(o, group_count(indices.device_groups), device_count(s), call_.operand_shape.size(),
                                     operand_dims_by_priority(call_, o, p.slice_sizes)),
                   result);
  const ValueId gathered = in_groups(context, p, operand, indices, result, recurse);
  return reshard(context, {gathered, p.out, context.id(out), p.operand.scope}, p.sharding).value;
}

}  // namespace

void partition_gather(Visitor& v) {
  if (v.sharding().kind == TileKind::maximal) return v.default_rule();
  const IndexedOp call = indexed_op(v.context.shared, v.graph(), v.op());
  GatherPartitioner::Problem p;
  p.operand = v.operand(0);
  p.indices = v.operand(1);
  if (p.operand.value == p.indices.value) p.indices.value = v.emit().copy(p.indices.value);
  p.out = v.full_type();
  p.sharding = v.sharding_id();
  p.slice_sizes = call.dims.slice_sizes;
  v.finish(GatherPartitioner(call).partition(v.context, p, true));
}

}  // namespace sw
