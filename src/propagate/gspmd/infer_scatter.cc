// scatter: a gather run backwards, with updates in the place of the slices. Follows the case of scatter in
// sharding_propagation.cc and ScatterUpdateShardingFromOutput and its like (hlo_sharding_util.cc).
#include "propagate/gspmd/infer_index.h"

namespace sw::gspmd {
namespace {

// Operands: `inputs` operands, the indices, `inputs` updates.
struct ScatterOperands {
  const Module& module;
  InstId id;
  size_t inputs;
  InstId input(size_t i) const { return module.operand(id, i); }
  InstId indices() const { return module.operand(id, inputs); }
  InstId update(size_t i) const { return module.operand(id, inputs + 1 + i); }
};

// The results along parallel dimensions, from operands, indices and updates.
bool offer_parallel(Context& ctx, const ScatterOperands& ops, const ParallelDims& dims) {
  const size_t rank = ctx.state.rank(ops.input(0));
  bool changed = false;
  for (size_t i = 0; i < ops.inputs; ++i) {
    if (!ctx.state.partitioned(ops.input(i))) continue;
    const Shard from = along(ctx, ctx.state.shard(ops.input(i)), dims.operand, dims.operand, rank);
    changed |= ctx.offer_leaf(ops.id, i, i, from);
  }
  if (ctx.state.partitioned(ops.indices())) {
    const Shard from = along(ctx, ctx.state.shard(ops.indices()), dims.indices, dims.operand, rank);
    for (size_t i = 0; i < ops.inputs; ++i) changed |= ctx.offer_leaf(ops.id, ops.inputs, i, from);
  }
  for (size_t i = 0; i < ops.inputs; ++i) {
    if (!ctx.state.partitioned(ops.update(i))) continue;
    const Shard from = along(ctx, ctx.state.shard(ops.update(i)), dims.slices, dims.operand, rank);
    changed |= ctx.offer_leaf(ops.id, ops.inputs + 1 + i, i, from);
  }
  return changed;
}

bool any_index_or_update(const Context& ctx, const ScatterOperands& ops) {
  if (ctx.state.partitioned(ops.indices())) return true;
  for (size_t i = 0; i < ops.inputs; ++i) {
    if (ctx.state.partitioned(ops.update(i))) return true;
  }
  return false;
}

bool indices_from_updates(Context& ctx, const ScatterOperands& ops, const IndexedDims& indexed, Leaves& out) {
  std::vector<Shard> all;
  const size_t rank = ctx.state.rank(ops.indices());
  for (size_t i = 0; i < ops.inputs; ++i) {
    if (!ctx.state.partitioned(ops.update(i))) continue;
    all.push_back(along(ctx, ctx.state.shard(ops.update(i)), indexed.dims.batch, indexed.dims.indices_dims, rank));
  }
  if (all.empty()) return false;
  out = {ctx.pool.common(all)};
  return true;
}

Shard update_from_result(Context& ctx, const ScatterOperands& ops, const IndexedDims& indexed, Shard result,
                         size_t rank) {
  Shard parallel = kNoShard;
  if (!ctx.pool.is_tiled(result)) {
    parallel = result;
  } else if (const ParallelDims dims = all_parallel(indexed); !dims.operand.empty()) {
    parallel = along(ctx, result, dims.operand, dims.slices, rank);
  }
  const Shard passed = slices_from_operand(ctx, result, indexed.dims, ctx.state.shape(ops.input(0)), rank);
  return merged_either_way(ctx, parallel, passed);
}

}  // namespace

bool gspmd_forward_scatter(Context& ctx, InstId id) {
  const IndexedDims& indexed = ctx.indexed_dims(id);
  if (!indexed.ok) return false;
  const ScatterOperands ops{ctx.module, id, indexed.dims.input_count};
  bool changed = false;
  if (indexed.explicit_batch) changed |= offer_parallel(ctx, ops, *indexed.explicit_batch);
  for (size_t i = 0; i < ops.inputs; ++i) {
    if (ctx.state.partitioned(ops.input(i))) changed |= ctx.offer_leaf(id, i, i, ctx.state.shard(ops.input(i)));
  }
  if (!any_index_or_update(ctx, ops)) return changed;
  if (indexed.implicit_batch) changed |= offer_parallel(ctx, ops, *indexed.implicit_batch);
  for (size_t i = 0; i < ops.inputs; ++i) {
    if (!ctx.state.partitioned(ops.update(i))) continue;
    const Shard from =
        operand_from_slices(ctx, ctx.state.shard(ops.update(i)), indexed.dims, ctx.state.shape(ops.input(0)));
    if (from != kNoShard) changed |= ctx.offer_leaf(id, ops.inputs + 1 + i, i, from);
  }
  return changed;
}

bool gspmd_backward_scatter(Context& ctx, InstId operand, InstId user, Leaves& out) {
  const IndexedDims& indexed = ctx.indexed_dims(user);
  if (!indexed.ok) return false;
  const ScatterOperands ops{ctx.module, user, indexed.dims.input_count};
  const std::span<const Shard> results = ctx.state.shards(user);
  for (size_t i = 0; i < ops.inputs; ++i) {
    if (ops.input(i) != operand) continue;
    out = {results[i]};
    return true;
  }
  if (operand == ops.indices()) return indices_from_updates(ctx, ops, indexed, out);
  size_t update = 0;
  while (update < ops.inputs && ops.update(update) != operand) ++update;
  if (update == ops.inputs) return false;
  const size_t rank = ctx.state.rank(operand);
  Shard from_indices = ctx.pool.replicated();
  if (ctx.state.partitioned(ops.indices())) {
    from_indices = along(ctx, ctx.state.shard(ops.indices()), indexed.dims.indices_dims, indexed.dims.batch, rank);
  }
  Shard from_result = update_from_result(ctx, ops, indexed, results[update], rank);
  if (from_result != kNoShard) {
    const Shard joined = ctx.pool.merged_if_compatible(from_indices, from_result);
    if (joined != kNoShard) from_result = joined;
  }
  const bool use_result = from_result != kNoShard && !ctx.pool.is_trivial(from_result);
  if (!use_result && ctx.pool.is_trivial(from_indices)) return false;
  out = {use_result ? from_result : from_indices};
  return true;
}

}  // namespace sw::gspmd
