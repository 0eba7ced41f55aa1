// Convolutions. Follows InferConvolutionShardingFromOperands (sharding_propagation.cc): as a product when no truly
// spatial dimension is tiled; otherwise the result follows the input, dimension by dimension, when the kernel is small,
// and keeps only the batch dimension when it is large (the gradient of a kernel).
#include "propagate/gspmd/infer_contract.h"

namespace sw::gspmd {
namespace {

int64_t spatial_tiles(const Context& ctx, InstId operand, const ContractDimList& dims, size_t k) {
  if (!ctx.state.has(operand) || !ctx.pool.is_tiled(ctx.state.shard(operand))) return 1;
  const TileSharding& s = ctx.pool.get(ctx.state.shard(operand));
  int64_t tiles = 1;
  for (const ContractDim& d : dims) tiles *= s.tile[static_cast<size_t>(of_operand(d, k))];
  return tiles;
}

}  // namespace

bool gspmd_forward_convolution(Context& ctx, InstId id) {
  const ContractDims* dims = ctx.contract_dims(id);
  if (dims == nullptr) return false;
  const InstId lhs = ctx.module.operand(id, 0), rhs = ctx.module.operand(id, 1);
  const bool spatial_untiled =
      spatial_tiles(ctx, lhs, dims->spatial, 0) == 1 && spatial_tiles(ctx, rhs, dims->spatial, 1) == 1;
  if (dims->spatial.empty() || (spatial_untiled && dims->batch_groups == 1 && dims->feature_groups == 1)) {
    return forward_contract(ctx, id, *dims);
  }
  if (!ctx.state.partitioned(lhs)) return false;
  const Shard from = ctx.state.shard(lhs);
  if (!ctx.pool.is_tiled(from)) return ctx.offer(id, 0, from);
  const TileSharding s = ctx.pool.get(from);
  if (dims->small_kernel) {
    if (s.tile[static_cast<size_t>(dims->input_feature)] > 1) return false;
    return ctx.offer(id, 0, ctx.intern(transpose_sharding(s, dims->lhs_of_output)));
  }
  const int64_t batch[] = {dims->input_batch};
  return ctx.offer(id, 0, ctx.intern(replicate_all_dims_except(s, batch)));
}

bool gspmd_backward_convolution(Context& ctx, InstId operand, InstId user, Leaves& out) {
  const ContractDims* dims = ctx.contract_dims(user);
  if (dims == nullptr || !dims->spatial.empty()) return false;
  const size_t k = ctx.module.operand_index(user, operand);
  return k < 2 && backward_contract(ctx, k, user, *dims, out);
}

}  // namespace sw::gspmd
