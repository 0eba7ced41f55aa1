// gather. Which dimensions run together, and how shardings go along them. Follows GetGatherScatterBatchParallelDims,
// GetDimensionForIota, GatherOutputShardingFromIndex and their like (hlo_sharding_util.cc).
//
// Worked example: rows of a table f32[128,32] by indices s32[16,1]: the result f32[16,32] takes dimension 0 from the
// indices and dimension 1 from the table, whose rows are taken whole (slice size 32); the table's dimension 0 says
// nothing.
#include <algorithm>

#include "ops/literal.h"
#include "propagate/gspmd/infer_index.h"

namespace sw::gspmd {
namespace {

// The value that a tuple element of a parameter has before the loop or branch: the caller's operand, when the loop
// leaves it alone. Invalid: not to be told.
InstId element_from_caller(const Module& module, InstId gte) {
  const InstId param = module.operand(gte, 0);
  const Inst& element = module.inst(gte);
  if (module.inst(param).kind != OpKind::parameter || element.comp == module.entry) return {};
  const Computation& comp = module.comps[element.comp.index()];
  if (comp.callers.size() != 1) return {};
  const InstId caller = comp.callers[0];
  const auto tuple_element = [&](InstId tuple) {
    const bool has = module.inst(tuple).kind == OpKind::tuple && element.number < module.inst(tuple).operand_count;
    return has ? module.operand(tuple, element.number) : InstId{};
  };
  if (module.inst(caller).kind == OpKind::while_) {
    return tuple_element(comp.root) == gte ? tuple_element(module.operand(caller, 0)) : InstId{};
  }
  if (module.inst(caller).kind == OpKind::case_) {
    const std::span<const uint32_t> branches = module.called(caller);
    const size_t branch =
        static_cast<size_t>(std::find(branches.begin(), branches.end(), element.comp.raw) - branches.begin());
    return branch + 1 < module.inst(caller).operand_count ? tuple_element(module.operand(caller, branch + 1))
                                                          : InstId{};
  }
  return {};
}

// The dimension along which an instruction counts 0, 1, 2, ...
std::optional<int64_t> iota_dim(const Context& ctx, InstId id) {
  // A chain of broadcasts and loop elements is followed to its start; dimensions are mapped on the way back.
  std::vector<InstId> broadcasts;
  const Module& module = ctx.module;
  std::optional<int64_t> found;
  for (InstId at = id; at.valid() && !found;) {
    const Inst& inst = module.inst(at);
    if (inst.kind == OpKind::iota) {
      found = module.dims(at)[0];
    } else if (ctx.state.graph.types.get(inst.type).element != ElementType::s32) {
      return std::nullopt;
    } else if (inst.kind == OpKind::constant) {
      if (inst.op.valid()) found = counted_dim_of_constant(ctx.state.graph, inst.op);
      if (!found) return std::nullopt;
    } else if (inst.kind == OpKind::broadcast_in_dim) {
      broadcasts.push_back(at);
      at = module.operand(at, 0);
    } else if (inst.kind == OpKind::get_tuple_element) {
      at = element_from_caller(module, at);
    } else {
      return std::nullopt;
    }
  }
  for (size_t i = broadcasts.size(); found && i-- > 0;) found = module.dims(broadcasts[i])[static_cast<size_t>(*found)];
  return found;
}

// By component of the index vector: the indices' dimension that it counts along, or -1.
DimList counted_dims(const Context& ctx, InstId indices, const GatherScatterDims& dims) {
  DimList counted(dims.index_map.size(), -1);
  const auto fill = [&](size_t begin, InstId piece, bool all) {
    const std::span<const int64_t> shape = ctx.state.shape(piece);
    const size_t axis = static_cast<size_t>(dims.index_vector_dim);
    const size_t components = axis < shape.size() ? static_cast<size_t>(shape[axis]) : 1;
    const std::optional<int64_t> dim = iota_dim(ctx, piece);
    if (dim && *dim != dims.index_vector_dim) {
      for (size_t j = 0; j < components && begin + j < counted.size(); ++j) counted[begin + j] = *dim;
      if (all) counted.resize(std::min(components, counted.size()));
    }
    return components;
  };
  if (ctx.module.inst(indices).kind == OpKind::concatenate && ctx.module.dims(indices)[0] == dims.index_vector_dim) {
    size_t at = 0;
    for (const uint32_t piece : ctx.module.operands(indices)) at += fill(at, InstId{piece}, false);
  } else {
    fill(0, indices, true);
  }
  return counted;
}

// Slices dimension that runs along a dimension of the indices.
int64_t slices_dim(const GatherScatterDims& dims, int64_t indices_dim) {
  for (size_t i = 0; i < dims.batch.size() && i < dims.indices_dims.size(); ++i) {
    if (dims.indices_dims[i] == indices_dim) return dims.batch[i];
  }
  return -1;
}

bool fill_slices(const GatherScatterDims& dims, ParallelDims& out) {
  for (const int64_t d : out.indices) out.slices.push_back(slices_dim(dims, d));
  return std::find(out.slices.begin(), out.slices.end(), -1) == out.slices.end();
}

bool has(std::span<const int64_t> list, int64_t d) { return std::find(list.begin(), list.end(), d) != list.end(); }

std::optional<ParallelDims> find_implicit_batch(const Context& ctx, InstId operand, InstId indices,
                                                const GatherScatterDims& dims) {
  InstId source = indices;
  while (ctx.module.inst(source).kind == OpKind::copy) source = ctx.module.operand(source, 0);
  if (ctx.module.inst(source).kind != OpKind::concatenate) source = indices;
  const DimList counted = counted_dims(ctx, source, dims);
  ParallelDims out;
  for (size_t i = 0; i < counted.size(); ++i) {
    const int64_t along = counted[i], operand_dim = dims.index_map[i];
    if (along < 0) continue;
    if (has(out.indices, along)) return std::nullopt;
    if (dims.slice_sizes[static_cast<size_t>(operand_dim)] != 1 || has(dims.indices_batch, along)) continue;
    if (ctx.state.shape(operand)[static_cast<size_t>(operand_dim)] !=
        ctx.state.shape(source)[static_cast<size_t>(along)]) {
      return std::nullopt;
    }
    out.indices.push_back(along);
    out.operand.push_back(operand_dim);
  }
  if (out.indices.empty() || !fill_slices(dims, out)) return std::nullopt;
  return out;
}

}  // namespace

const IndexedDims& Context::indexed_dims(InstId id) {
  const auto [at, fresh] = indexed.try_emplace(id.raw);
  IndexedDims& out = at->second;
  if (!fresh) return out;
  const Inst& inst = module.inst(id);
  const bool gather = inst.kind == OpKind::gather;
  out.ok =
      gather ? read_gather_dims(state.graph, inst.op, out.dims) : read_scatter_dims(state.graph, inst.op, out.dims);
  if (!out.ok) return out;
  if (gather) out.dims.input_count = 1;
  if (!out.dims.operand_batch.empty()) {
    ParallelDims batch{out.dims.operand_batch, out.dims.indices_batch, {}};
    if (fill_slices(out.dims, batch)) out.explicit_batch = batch;
  }
  out.implicit_batch =
      find_implicit_batch(*this, module.operand(id, 0), module.operand(id, out.dims.input_count), out.dims);
  return out;
}

Shard along(Context& ctx, Shard from, std::span<const int64_t> source, std::span<const int64_t> target, size_t rank) {
  if (!ctx.pool.is_tiled(from)) return from;
  return ctx.intern(transfer_dims(ctx.pool.get(from), source, target, rank));
}

DimPairs passed_through(const GatherScatterDims& dims, std::span<const int64_t> operand_shape) {
  DimPairs out;
  for (size_t i = 0; i < dims.window.size(); ++i) {
    const int64_t d = dims.window[i];
    if (dims.slice_sizes[static_cast<size_t>(d)] != operand_shape[static_cast<size_t>(d)]) continue;
    out.operand.push_back(d);
    out.slices.push_back(dims.offset[i]);
  }
  return out;
}

Shard slices_from_operand(Context& ctx, Shard from, const GatherScatterDims& dims, std::span<const int64_t> shape,
                          size_t slices_rank) {
  if (!ctx.pool.is_tiled(from)) return kNoShard;
  const DimPairs pairs = passed_through(dims, shape);
  const Shard out = along(ctx, from, pairs.operand, pairs.slices, slices_rank);
  return ctx.pool.is_trivial(out) ? kNoShard : out;
}

Shard operand_from_slices(Context& ctx, Shard from, const GatherScatterDims& dims, std::span<const int64_t> shape) {
  if (!ctx.pool.is_tiled(from)) return from;
  const DimPairs pairs = passed_through(dims, shape);
  const Shard out = along(ctx, from, pairs.slices, pairs.operand, shape.size());
  return ctx.pool.is_trivial(out) ? kNoShard : out;
}

ParallelDims all_parallel(const IndexedDims& indexed) {
  ParallelDims all;
  for (const std::optional<ParallelDims>* some : {&indexed.explicit_batch, &indexed.implicit_batch}) {
    if (!*some) continue;
    all.operand.append((*some)->operand.begin(), (*some)->operand.end());
    all.indices.append((*some)->indices.begin(), (*some)->indices.end());
    all.slices.append((*some)->slices.begin(), (*some)->slices.end());
  }
  return all;
}

Shard merged_either_way(Context& ctx, Shard parallel, Shard passed) {
  if (passed == kNoShard) return parallel;
  if (parallel == kNoShard) return passed;
  if (const Shard s = ctx.pool.merged(parallel, passed, true); s != kNoShard) return s;
  if (const Shard s = ctx.pool.merged(passed, parallel, true); s != kNoShard) return s;
  return parallel;
}

namespace {

// The result along parallel dimensions, from the operand and from the indices.
bool offer_parallel(Context& ctx, InstId id, const ParallelDims& dims) {
  const size_t rank = ctx.state.rank(id);
  bool changed = false;
  for (size_t slot = 0; slot < 2; ++slot) {
    const InstId operand = ctx.module.operand(id, slot);
    if (!ctx.state.partitioned(operand)) continue;
    const DimList& source = slot == 0 ? dims.operand : dims.indices;
    changed |= ctx.offer(id, slot, along(ctx, ctx.state.shard(operand), source, dims.slices, rank));
  }
  return changed;
}

}  // namespace

bool gspmd_forward_gather(Context& ctx, InstId id) {
  const IndexedDims& indexed = ctx.indexed_dims(id);
  if (!indexed.ok) return false;
  const InstId operand = ctx.module.operand(id, 0), indices = ctx.module.operand(id, 1);
  bool changed = false;
  if (indexed.explicit_batch) changed |= offer_parallel(ctx, id, *indexed.explicit_batch);
  if (ctx.state.partitioned(indices)) {
    const Shard from =
        along(ctx, ctx.state.shard(indices), indexed.dims.indices_dims, indexed.dims.batch, ctx.state.rank(id));
    changed |= ctx.offer(id, 1, from);
  }
  if (indexed.implicit_batch) changed |= offer_parallel(ctx, id, *indexed.implicit_batch);
  if (ctx.state.partitioned(operand)) {
    Shard from = ctx.state.shard(operand);
    if (indexed.implicit_batch) from = ctx.intern(replicate_dims(ctx.pool.get(from), indexed.implicit_batch->operand));
    const Shard next = slices_from_operand(ctx, from, indexed.dims, ctx.state.shape(operand), ctx.state.rank(id));
    if (next != kNoShard) changed |= ctx.offer(id, 0, next);
  }
  return changed;
}

bool gspmd_backward_gather(Context& ctx, InstId operand, InstId user, Leaves& out) {
  const IndexedDims& indexed = ctx.indexed_dims(user);
  if (!indexed.ok) return false;
  const Shard from = ctx.state.shard(user);
  if (operand == ctx.module.operand(user, 1)) {
    out = {along(ctx, from, indexed.dims.batch, indexed.dims.indices_dims, ctx.state.rank(operand))};
    return true;
  }
  Shard parallel = kNoShard;
  if (!ctx.pool.is_tiled(from)) {
    parallel = from;
  } else if (const ParallelDims dims = all_parallel(indexed); !dims.operand.empty()) {
    parallel = along(ctx, from, dims.slices, dims.operand, ctx.state.rank(operand));
  }
  const Shard passed = operand_from_slices(ctx, from, indexed.dims, ctx.state.shape(operand));
  const Shard merged = merged_either_way(ctx, parallel, passed);
  if (merged == kNoShard) return false;
  out = {merged};
  return true;
}

}  // namespace sw::gspmd
