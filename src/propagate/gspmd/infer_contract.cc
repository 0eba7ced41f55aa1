// Products. Forward: each operand says how it would tile the result; when both do, the one that leads to what the
// result's user has goes first, else the one with more bytes. Backward: from the result, and from the other operand
// along batch and contracting dimensions. Follows InferDotShardingFromOperands (sharding_propagation.cc),
// LookaheadUserSharding, and InferDotOperandSharding (hlo_sharding_util.cc).
#include "propagate/gspmd/infer_contract.h"

namespace sw::gspmd {
namespace {

enum Tag : uint32_t { kForward0 = 0, kFromResult0 = 2, kFromOther0 = 4 };  // plus the operand number

// What operand k says about the result.
Shard result_from_operand(Context& ctx, InstId id, const ContractDims& dims, size_t k) {
  const InstId operand = ctx.module.operand(id, k);
  const Shard from = ctx.state.shard(operand);
  if (!ctx.pool.is_tiled(from)) return from;
  return ctx.pool.remember(ctx.class_of(id), kForward0 + static_cast<uint32_t>(k), from, [&] {
    DimList dropped, target_of(dims.rank_of(k), -1), source_of(dims.output_rank, -1);
    for (const ContractDim& d : dims.contracting) dropped.push_back(of_operand(d, k));
    // A spatial dimension of size 1 may count as free of the other operand and still be tiled here.
    for (const ContractDim& d : dims.free_of(1 - k)) {
      if (of_operand(d, k) >= 0) dropped.push_back(of_operand(d, k));
    }
    for (const ContractDimList* list : {&dims.batch, &dims.free_of(k)}) {
      for (const ContractDim& d : *list) {
        target_of[static_cast<size_t>(of_operand(d, k))] = d.output;
        source_of[static_cast<size_t>(d.output)] = of_operand(d, k);
      }
    }
    const std::optional<TileSharding> mapped =
        map_dims(replicate_dims(ctx.pool.get(from), dropped), target_of, source_of);
    return mapped ? ctx.intern(*mapped) : kNoShard;
  });
}

// What the result says about operand k.
Shard operand_from_result(Context& ctx, InstId user, const ContractDims& dims, size_t k) {
  const Shard from = ctx.state.shard(user);
  if (!ctx.pool.is_tiled(from)) return from;
  return ctx.pool.remember(ctx.class_of(user), kFromResult0 + static_cast<uint32_t>(k), from, [&] {
    DimList dropped, target_of(dims.output_rank, -1), source_of(dims.rank_of(k), -1);
    for (const ContractDim& d : dims.free_of(1 - k)) dropped.push_back(d.output);
    for (const ContractDim& d : dims.contracting) {
      if (d.output >= 0) dropped.push_back(d.output);
    }
    for (const ContractDimList* list : {&dims.batch, &dims.free_of(k)}) {
      for (const ContractDim& d : *list) {
        target_of[static_cast<size_t>(d.output)] = of_operand(d, k);
        source_of[static_cast<size_t>(of_operand(d, k))] = d.output;
      }
    }
    const std::optional<TileSharding> mapped =
        map_dims(replicate_dims(ctx.pool.get(from), dropped), target_of, source_of);
    return mapped ? ctx.intern(*mapped) : kNoShard;
  });
}

// What the other operand says about operand k: they agree on batch and contracting dimensions.
Shard operand_from_other(Context& ctx, InstId user, const ContractDims& dims, size_t k) {
  const Shard from = ctx.state.shard(ctx.module.operand(user, 1 - k));
  if (!ctx.pool.is_tiled(from)) return from;
  return ctx.pool.remember(ctx.class_of(user), kFromOther0 + static_cast<uint32_t>(k), from, [&] {
    DimList dropped, target_of(dims.rank_of(1 - k), -1), source_of(dims.rank_of(k), -1);
    for (const ContractDim& d : dims.free_of(1 - k)) dropped.push_back(of_operand(d, 1 - k));
    for (const ContractDim& d : dims.free_of(k)) {
      if (of_operand(d, 1 - k) >= 0) dropped.push_back(of_operand(d, 1 - k));
    }
    for (const ContractDimList* list : {&dims.batch, &dims.contracting}) {
      for (const ContractDim& d : *list) {
        target_of[static_cast<size_t>(of_operand(d, 1 - k))] = of_operand(d, k);
        source_of[static_cast<size_t>(of_operand(d, k))] = of_operand(d, 1 - k);
      }
    }
    const std::optional<TileSharding> mapped =
        map_dims(replicate_dims(ctx.pool.get(from), dropped), target_of, source_of);
    return mapped ? ctx.intern(*mapped) : kNoShard;
  });
}

// The instructions from `id` along single users to the first that has a sharding; empty when there is none.
std::vector<InstId> chain_to_sharded_user(const Context& ctx, InstId id) {
  std::vector<InstId> chain{id};
  InstId at = id;
  do {
    const auto& users = ctx.module.users[at.index()];
    if (users.size() != 1) return {};
    at = InstId{users[0]};
    chain.push_back(at);
  } while (!ctx.state.has(at));
  return chain;
}

// What the next user with a sharding, at the end of a chain of single users, would have the product be.
Shard sharding_ahead(Context& ctx, InstId id) {
  constexpr int kAnyLevel = 1 << 20;
  const std::vector<InstId> chain = chain_to_sharded_user(ctx, id);
  if (chain.empty()) return kNoShard;
  Leaves pulled;
  bool known = false;
  for (size_t i = chain.size() - 1; i >= 1; --i) {
    known = sharding_from_user(ctx, chain[i - 1], chain[i], kAnyLevel, pulled);
    if (!known || i == 1) break;
    ctx.state.poke(chain[i - 1], pulled);
  }
  for (size_t i = 1; i + 1 < chain.size(); ++i) ctx.state.unpoke(chain[i]);
  return known ? pulled[0] : kNoShard;
}

int64_t byte_size(const Graph& graph, TypeId type) {
  const Type t = graph.types.get(type);
  return t.element_count() * ((bits(t.element) + 7) / 8);
}

// Whether operand 1 goes first.
bool second_leads(Context& ctx, InstId id, Shard first, Shard second) {
  if (const Shard ahead = sharding_ahead(ctx, id); ahead != kNoShard) {
    const TypeId type = ctx.module.inst(id).type;
    const bool fits_first = ctx.pool.sub_tiling(type, ctx.state.shape(id), ahead, first);
    const bool fits_second = ctx.pool.sub_tiling(type, ctx.state.shape(id), ahead, second);
    if (fits_first != fits_second) return fits_second;
  }
  const Graph& graph = ctx.state.graph;
  return byte_size(graph, ctx.module.inst(ctx.module.operand(id, 0)).type) <
         byte_size(graph, ctx.module.inst(ctx.module.operand(id, 1)).type);
}

}  // namespace

bool forward_contract(Context& ctx, InstId id, const ContractDims& dims) {
  Shard improved[2] = {kNoShard, kNoShard};
  for (size_t k = 0; k < 2; ++k) {
    if (!ctx.state.partitioned(ctx.module.operand(id, k))) continue;
    const Shard from = result_from_operand(ctx, id, dims, k);
    if (from != kNoShard) improved[k] = ctx.state.improved(id, from);
  }
  if (improved[0] == kNoShard && improved[1] == kNoShard) return false;
  if (improved[0] == kNoShard || improved[1] == kNoShard) {
    const size_t k = improved[0] != kNoShard ? 0 : 1;
    ctx.from_operand(id, k);
    ctx.state.set(id, improved[k]);
    return true;
  }
  const size_t lead = second_leads(ctx, id, improved[0], improved[1]) ? 1 : 0;
  ctx.from_operand(id, lead);
  ctx.state.set(id, improved[lead]);
  ctx.offer(id, 1 - lead, improved[1 - lead]);
  return true;
}

bool backward_contract(Context& ctx, size_t k, InstId user, const ContractDims& dims, Leaves& out) {
  Shard result = ctx.state.has(user) ? operand_from_result(ctx, user, dims, k) : ctx.pool.replicated();
  if (result == kNoShard) return false;
  if (ctx.state.partitioned(ctx.module.operand(user, 1 - k))) {
    const Shard other = operand_from_other(ctx, user, dims, k);
    if (other != kNoShard) {
      const Shard joined = ctx.pool.merged(result, other, ctx.state.combine());
      if (joined != kNoShard) result = joined;
    }
  }
  out = {result};
  return true;
}

bool gspmd_forward_dot_general(Context& ctx, InstId id) {
  const ContractDims* dims = ctx.contract_dims(id);
  return dims != nullptr && forward_contract(ctx, id, *dims);
}

bool gspmd_backward_dot_general(Context& ctx, InstId operand, InstId user, Leaves& out) {
  const ContractDims* dims = ctx.contract_dims(user);
  const size_t k = ctx.module.operand_index(user, operand);
  return dims != nullptr && k < 2 && backward_contract(ctx, k, user, *dims, out);
}

}  // namespace sw::gspmd
