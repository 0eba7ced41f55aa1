// Contracting dimensions of a product: each group of devices has a part of the sum. The parts are added up by an
// all-reduce; when the output is tiled over the same devices the sum is cut right after it, which later becomes a
// reduce-scatter.
//
// Worked example, 8 devices: lhs [1,8], rhs [8,1], output [8,1]: 8 groups of one. The local product is the whole
// output, partial; all-reduce over all, then each device slices its rows.
//
// Follows PartitionDotGroupOnContractingImpl and GetDotGroupPartitionContractingOutputShardings of XLA
// (dot_handler.cc).
#include <algorithm>

#include "ops/dims_dot.h"
#include "partition/align.h"
#include "partition/collectives.h"
#include "partition/dot.h"

namespace sw {

namespace {

// Where the sum goes.
struct SumPlan {
  TileSharding inner = replicated_sharding();  // of the output inside the groups
  TileSharding outer = replicated_sharding();  // of what comes out of the groups
  DimList slice_dims;                          // output dimensions cut after the sum
  bool sums_over_replication = false;          // a second sum over the output's replication
};

// An operand that is tiled beside the contracting dimensions decides, when the output refines what it gives.
TileSharding output_that_operand_gives(const DotSpec& spec, const TileSharding& output, const GroupedSharding& lhs,
                                       const GroupedSharding& rhs, std::span<const int64_t> out_dims, int64_t groups) {
  if (!is_tiled(output) || (replicates_on_last_dim(output) && output.tile.back() % groups == 0)) return output;
  const bool lhs_tiled = !is_replicated(lhs.inner), rhs_tiled = !is_replicated(rhs.inner);
  if (lhs_tiled == rhs_tiled || spec.contract.empty()) return output;
  const DotSide side = lhs_tiled ? DotSide::lhs : DotSide::rhs;
  const TileSharding operand = replicate_dims(ungroup(lhs_tiled ? lhs : rhs), dims_on(spec.contract, side));
  const auto given = seen_from(spec, operand, side, DotSide::out);
  return given && is_sub_tiling(out_dims, output, *given) ? *given : output;
}

SumPlan plan_sum(Context& context, const DotSpec& spec, const GroupedSharding& lhs, const GroupedSharding& rhs,
                 std::span<const int64_t> out_dims, TileSharding output, int64_t groups, int64_t out_lhs_free,
                 int64_t out_rhs_free, int64_t out_batch) {
  SumPlan plan;
  output = output_that_operand_gives(spec, output, lhs, rhs, out_dims, groups);
  const auto last = static_cast<int64_t>(output.tile.size()) - 1;
  if (replicates_on_last_dim(output) && output.tile.back() % groups == 0) {
    const int64_t kept = output.tile.back() / groups;
    const GroupedSharding grouped =
        align_groups(group_on_dims(output, std::span(&last, 1), std::span(&kept, 1)), lhs, true);
    plan.outer = ungroup(grouped);
    plan.inner = grouped.inner;
    return plan;
  }
  if (const auto found = dims_matching_groups(output, lhs.device_groups)) {
    plan.slice_dims = *found;
    if (!plan.slice_dims.empty()) {
      // Not aligned: that could reorder the groups, and they are all summed over anyway. XLA forgets that the devices
      // of a group may have another order too.
      const GroupedSharding own = group_on_dims(output, plan.slice_dims);
      const auto renumbered = align_groups_if_compatible(own, lhs, true);
      plan.inner = own.inner;
      plan.outer = output;
      if (!renumbered || !same_sharding(renumbered->inner, own.inner))
        context.note_miscompile(MiscompileKind::group_numbering);
    }
  } else if (!is_replicated(output)) {
    if (out_lhs_free == groups)
      plan.slice_dims = dims_on(spec.lhs_free, DotSide::out);
    else if (out_rhs_free == groups)
      plan.slice_dims = dims_on(spec.rhs_free, DotSide::out);
    else if (out_batch == groups)
      plan.slice_dims = dims_on(spec.batch, DotSide::out);
    if (!plan.slice_dims.empty()) {
      const GroupedSharding grouped = align_groups(group_on_dims(output, plan.slice_dims), lhs);
      plan.inner = grouped.inner;
      plan.outer = ungroup(grouped);
    }
  }
  const auto rank = static_cast<int64_t>(out_dims.size());
  plan.sums_over_replication = contains(plan.slice_dims, rank);
  if (replicates_on_last_dim(output))
    plan.slice_dims.erase(std::remove(plan.slice_dims.begin(), plan.slice_dims.end(), rank), plan.slice_dims.end());
  return plan;
}

}  // namespace

ValueId DotPartitioner::group_on_contract(const Problem& p) {
  const Counts c = counts(p);
  if (c.lhs_contract == c.rhs_contract && c.lhs_contract > 1) {
    const ValueId piece = group_on_contract_dims(p, spec.contract);
    if (piece.valid()) return piece;
  }
  if (c.lhs_contract <= 1 || c.rhs_contract <= 1) return {};
  std::vector<DotDim> equal;
  for (const DotDim& d : spec.contract) {
    const int64_t tiles = tiles_along(at(p.lhs.sharding), static_cast<size_t>(d.lhs));
    if (tiles > 1 && tiles == tiles_along(at(p.rhs.sharding), static_cast<size_t>(d.rhs))) equal.push_back(d);
  }
  return equal.empty() ? ValueId{} : group_on_contract_dims(p, equal);
}

ValueId DotPartitioner::group_on_contract_dims(const Problem& p, const std::vector<DotDim>& dims) {
  Context& context = v.context;
  const Graph& graph = context.emit.graph();
  ShardedValue lhs = p.lhs, rhs = p.rhs;
  TileSharding l = at(lhs.sharding), r = at(rhs.sharding);
  const DimList lhs_dims = dims_on(dims, DotSide::lhs), rhs_dims = dims_on(dims, DotSide::rhs);
  const int64_t groups = tiles_over(l, dims, DotSide::lhs);
  // The operand with the larger piece keeps its devices.
  const bool lhs_leads = byte_size(graph, graph.value(lhs.value).type) > byte_size(graph, graph.value(rhs.value).type);
  TileDims tiles = grid_of(lhs_leads ? r : l).dims;
  for (const DotDim& d : dims) {
    if (lhs_leads)
      tiles[static_cast<size_t>(d.rhs)] = l.tile[static_cast<size_t>(d.lhs)];
    else
      tiles[static_cast<size_t>(d.lhs)] = r.tile[static_cast<size_t>(d.rhs)];
  }
  (lhs_leads ? r : l) = tiles_like(lhs_leads ? r : l, reshaped(grid_of(lhs_leads ? r : l), tiles));
  GroupedSharding l_groups = group_on_dims(l, lhs_dims), r_groups = group_on_dims(r, rhs_dims);
  ShardedValue& follower = lhs_leads ? rhs : lhs;
  GroupedSharding& follower_groups = lhs_leads ? r_groups : l_groups;
  follower_groups = align_groups(follower_groups, lhs_leads ? l_groups : r_groups);
  const TileSharding wanted = ungroup(follower_groups);
  if (p.strict && !same_sharding(at(follower.sharding), wanted)) return {};
  follower = reshard(context, follower, context.id(wanted));
  if (!lhs_leads) l = wanted;
  lhs = mask_padding_with_zero_on(context, lhs, lhs_dims);
  rhs = mask_padding_with_zero_on(context, rhs, rhs_dims);

  const Counts c = counts(p);
  const Dims out_dims(graph.types.get(p.out).dims);
  const ElementType element = graph.types.get(p.out).element;
  const SumPlan plan = plan_sum(context, spec, l_groups, r_groups, out_dims, at(p.sharding), groups, c.out_lhs_free,
                                c.out_rhs_free, c.out_batch);
  const DimList kept = other_dims(out_dims.size(), plan.slice_dims);
  TypeId inner_out = p.out;
  if (!plan.slice_dims.empty())
    inner_out = context.emit.type({element, shard_dims(out_dims, replicate_dims(at(p.sharding), kept))});

  Scope* outer = lhs.scope;
  const CollectiveCause cause{v.op(), -1, p.lhs.sharding, p.sharding, CollectiveReason::contraction, {}};
  if (sum_around_) context.note_miscompile(MiscompileKind::outer_sum_lost);
  sum_around_ = [this, plan, kept, outer, l, lhs_dims, cause, out_dims](const ShardedValue& a, const ShardedValue& b) {
    const auto rank = static_cast<int64_t>(out_dims.size());
    Context& ctx = v.context;
    ValueId sum = create_(a, b);
    for (int64_t d : plan.slice_dims)
      if (plan.outer.tile[static_cast<size_t>(d)] != 1 &&
          ctx.emit.dim(sum, static_cast<size_t>(d)) != out_dims[static_cast<size_t>(d)])
        ctx.note_miscompile(MiscompileKind::piece_cut_as_whole);
    const CollectiveCause before = ctx.cause;
    ctx.cause = cause;
    const RegionId adder = ctx.adder(ctx.emit.element(sum));
    if (plan.slice_dims.empty()) {
      sum = reduce_dims(ctx, *outer, sum, l, lhs_dims, adder);
    } else {
      sum = reduce_dims(ctx, *outer, sum, plan.outer, plan.slice_dims, adder);
      // Cut as if it were replicated, beside the cache: it is not what it pretends to be.
      Scope beside;
      beside.outer = outer->outer;
      beside.groups = outer->groups;
      beside.device_count = outer->device_count;
      beside.partition_id = outer->partition_id;
      const ShardedValue whole{sum, ctx.emit.graph().value(sum).type, ctx.replicated(), &beside};
      sum = reshard(ctx, whole, ctx.id(replicate_dims(plan.outer, kept))).value;
      if (plan.sums_over_replication) sum = reduce_dims(ctx, *outer, sum, plan.outer, std::span(&rank, 1), adder);
    }
    ctx.cause = before;
    return sum;
  };
  Scope* scope = group_scope(context, outer, l_groups.device_groups);
  const ValueId piece = partition(in_groups(lhs, l_groups, scope), in_groups(rhs, r_groups, scope), inner_out,
                                  context.id(plan.inner), p.devices / groups);
  if (!piece.valid()) return {};
  return reshard(context, {piece, p.out, context.id(plan.outer), outer}, p.sharding).value;
}

void partition_dot_general(Visitor& v) {
  if (v.sharding().kind == TileKind::maximal) return v.default_rule();
  DotDims dims;
  read_dot_dims(v.graph(), v.op(), dims);
  DotSpec spec;
  spec.lhs_rank = v.operand_dims(0).size();
  spec.rhs_rank = v.operand_dims(1).size();
  spec.out_rank = v.result_dims().size();
  int64_t out = 0;
  for (size_t i = 0; i < dims.lhs_batch.size(); ++i)
    spec.batch.push_back({dims.lhs_batch[i], dims.rhs_batch[i], out++, -1});
  for (int64_t d : dims.lhs_free) spec.lhs_free.push_back({d, -1, out++, -1});
  for (int64_t d : dims.rhs_free) spec.rhs_free.push_back({-1, d, out++, -1});
  for (size_t i = 0; i < dims.lhs_contract.size(); ++i)
    spec.contract.push_back({dims.lhs_contract[i], dims.rhs_contract[i], -1, -1});
  const ElementType element = v.graph().types.get(v.full_type()).element;
  const auto local = [&v, &dims, element](const ShardedValue& lhs, const ShardedValue& rhs) {
    Emitter& emit = v.emit();
    const Dims a = emit.dims(lhs.value), b = emit.dims(rhs.value);
    ArrayShape shape{element, {}};
    for (int64_t d : dims.lhs_batch) shape.dims.push_back(a[static_cast<size_t>(d)]);
    for (int64_t d : dims.lhs_free) shape.dims.push_back(a[static_cast<size_t>(d)]);
    for (int64_t d : dims.rhs_free) shape.dims.push_back(b[static_cast<size_t>(d)]);
    const ValueId operands[] = {lhs.value, rhs.value};
    return emit.clone(v.op(), emit.type(shape), operands);
  };
  const ShardedValue lhs = v.operand(0);
  ShardedValue rhs = v.operand(1);
  if (lhs.value == rhs.value) rhs.value = v.emit().copy(rhs.value);
  DotPartitioner partitioner(v, std::move(spec), local);
  v.finish(partitioner.partition(lhs, rhs, v.full_type(), v.sharding_id(), v.scope()->device_count));
}

}  // namespace sw
