// Follows the helpers of XLA's gather_scatter_handler.cc and, for shardings along dimensions, hlo_sharding_util.cc and
// spmd_partitioner_util.cc (GroupShardingOnReplicatedDim, GatherScatterOperandsShardedAcrossParallelDims,
// EvaluatePartitionCost).
#include "partition/indexed.h"

#include <algorithm>
#include <limits>
#include <unordered_set>

#include "partition/collectives.h"
#include "partition/replica_groups.h"

namespace sw {

namespace {

bool has(std::span<const int64_t> list, int64_t d) { return std::find(list.begin(), list.end(), d) != list.end(); }

TileSharding along(const TileSharding& s, std::span<const int64_t> source, std::span<const int64_t> target,
                   size_t rank) {
  return is_tiled(s) ? transfer_dims(s, source, target, rank) : s;
}

}  // namespace

WindowPairs windows_taken_whole(const IndexedOp& call, std::span<const int64_t> shape,
                                std::span<const int64_t> slice_sizes) {
  WindowPairs out;
  for (size_t i = 0; i < call.dims.window.size(); ++i) {
    const auto d = static_cast<size_t>(call.dims.window[i]);
    if (slice_sizes[d] != shape[d]) continue;
    out.operand.push_back(call.dims.window[i]);
    out.slices.push_back(call.dims.offset[i]);
  }
  return out;
}

std::optional<DimList> indexed_tiled_dims(const IndexedOp& call, const TileSharding& operand,
                                          std::span<const int64_t> slice_sizes) {
  if (!is_tiled(operand)) return std::nullopt;
  DimList dims;
  int64_t tiles = 1;
  for (int64_t d : call.dims.index_map) {
    if (slice_sizes[static_cast<size_t>(d)] != 1) continue;
    tiles *= operand.tile[static_cast<size_t>(d)];
    dims.push_back(d);
  }
  if (tiles == 1) return std::nullopt;
  return dims;
}

TileSharding slices_from_indices(const IndexedOp& call, const TileSharding& indices) {
  return along(indices, call.dims.indices_dims, call.dims.batch, call.slices_rank);
}

TileSharding indices_from_slices(const IndexedOp& call, const TileSharding& slices) {
  return along(slices, call.dims.batch, call.dims.indices_dims, call.indices_rank);
}

DimList operand_dims_by_priority(const IndexedOp& call, const TileSharding& operand,
                                 std::span<const int64_t> slice_sizes) {
  DimList dims;
  if (const auto tiled = indexed_tiled_dims(call, operand, slice_sizes)) dims = *tiled;
  for (int64_t d : windows_taken_whole(call, call.operand_shape, slice_sizes).operand) dims.push_back(d);
  return dims;
}

DimList indices_dims_by_priority(const IndexedOp& call) {
  DimList dims;
  if (call.vector_is_tiled_dim()) dims.push_back(call.dims.index_vector_dim);
  for (size_t i = 0; i < call.indices_rank; ++i) {
    const auto d = static_cast<int64_t>(i);
    if (d != call.dims.index_vector_dim && !has(call.dims.indices_batch, d)) dims.push_back(d);
  }
  for (int64_t d : call.dims.indices_batch) dims.push_back(d);
  return dims;
}

DimList slices_dims_by_priority(const IndexedOp& call, std::span<const int64_t> slice_sizes) {
  const DimList whole = windows_taken_whole(call, call.operand_shape, slice_sizes).slices;
  DimList dims;
  for (size_t i = 0; i < call.slices_rank; ++i)
    if (!has(whole, static_cast<int64_t>(i))) dims.push_back(static_cast<int64_t>(i));
  for (int64_t d : whole) dims.push_back(d);
  return dims;
}

namespace {

// The devices of `s` in the order in which `reference` has them along its dims.
TileSharding aligned_on_dims(const TileSharding& s, std::span<const int64_t> dims, const TileSharding& reference,
                             std::span<const int64_t> reference_dims) {
  return ungroup(align_groups(group_on_dims(s, dims), group_on_dims(reference, reference_dims)));
}

TileSharding matching_on_dims(size_t rank, const TileSharding& source, std::span<const int64_t> dims,
                              std::span<const int64_t> source_dims) {
  if (!is_tiled(source)) return replicated_sharding();
  TileDims tiles(rank, 1);
  int64_t count = 1;
  for (size_t i = 0; i < dims.size(); ++i) {
    const int64_t n = source.tile[static_cast<size_t>(source_dims[i])];
    tiles[static_cast<size_t>(dims[i])] = n;
    count *= n;
  }
  const int64_t devices = device_count(source);
  if (count != devices) tiles.push_back(devices / count);
  const TileGrid grid = reshaped(grid_of(source), tiles);
  return aligned_on_dims(count != devices ? partial_tiles(grid) : plain_tiles(grid), dims, source, source_dims);
}

int64_t tiles_on(const TileSharding& s, std::span<const int64_t> dims) {
  int64_t count = 1;
  if (is_tiled(s))
    for (int64_t d : dims) count *= s.tile[static_cast<size_t>(d)];
  return count;
}

// Takes the missing tiles from the replicas of `s`.
bool refine_from_replicas(TileSharding& s, std::span<const int64_t> dims, const TileSharding& target,
                          std::span<const int64_t> target_dims) {
  if (!replicates_on_last_dim(s)) return false;
  TileDims tiles(std::span<const int64_t>(s.tile));
  for (size_t i = 0; i < dims.size(); ++i) {
    const int64_t wanted = target.tile[static_cast<size_t>(target_dims[i])];
    int64_t& have = tiles[static_cast<size_t>(dims[i])];
    if (wanted < have) return false;
    if (wanted == have) continue;
    const int64_t ratio = wanted / have;
    if (wanted % have != 0 || tiles.back() % ratio != 0) return false;
    have *= ratio;
    tiles.back() /= ratio;
  }
  const bool plain = tiles.back() == 1;
  if (plain) tiles.pop_back();
  const TileGrid grid = reshaped(grid_of(s), tiles);
  s = aligned_on_dims(plain ? plain_tiles(grid) : partial_tiles(grid), dims, target, target_dims);
  return true;
}

}  // namespace

std::optional<std::pair<TileSharding, TileSharding>> tiled_in_parallel(const TileSharding& operand, size_t operand_rank,
                                                                       const TileSharding& indices, size_t indices_rank,
                                                                       const ParallelIndexDims& dims) {
  TileSharding o = operand, i = indices;
  const int64_t in_indices = tiles_on(i, dims.indices), in_operand = tiles_on(o, dims.operand);
  if (in_indices == 1 && in_operand == 1) return std::nullopt;
  if (!is_tiled(i)) return std::pair(o, matching_on_dims(indices_rank, o, dims.indices, dims.operand));
  if (!is_tiled(o)) return std::pair(matching_on_dims(operand_rank, i, dims.operand, dims.indices), i);
  if (in_indices < in_operand && !refine_from_replicas(i, dims.indices, o, dims.operand)) return std::nullopt;
  if (in_indices > in_operand && !refine_from_replicas(o, dims.operand, i, dims.indices)) return std::nullopt;
  TileDims tiles(std::span<const int64_t>(o.tile));
  for (size_t k = 0; k < dims.indices.size(); ++k)
    tiles[static_cast<size_t>(dims.operand[k])] = i.tile[static_cast<size_t>(dims.indices[k])];
  if (product(tiles) != device_count(o)) return std::nullopt;
  const TileGrid grid = reshaped(grid_of(o), tiles);
  o = aligned_on_dims(replicates_on_last_dim(o) ? partial_tiles(grid) : plain_tiles(grid), dims.operand, i,
                      dims.indices);
  return std::pair(o, i);
}

namespace {

// A device that has some components of the index vectors alone: XLA's verifier refuses what is made of them.
void note_cut_vectors(Context& context, const IndexedOp& call, const ArrayShape& indices) {
  if (!call.vector_is_tiled_dim()) return;
  if (indices.dims[static_cast<size_t>(call.dims.index_vector_dim)] != static_cast<int64_t>(call.dims.index_map.size()))
    context.note_miscompile(MiscompileKind::cut_index_vectors);
}

// One number per component of an index vector, broadcast over the indices.
ValueId spread(Context& context, const IndexedOp& call, std::vector<ValueId> numbers, ValueId indices) {
  Emitter& emit = context.emit;
  const ArrayShape shape = emit.shape(indices);
  for (ValueId& n : numbers)
    if (emit.element(n) != shape.element) n = emit.convert(n, shape.element);
  if (!call.vector_is_tiled_dim()) return emit.splat(numbers[0], shape);
  note_cut_vectors(context, call, shape);
  for (ValueId& n : numbers) n = emit.reshape(n, Dims{1});
  const ValueId row = numbers.size() > 1 ? emit.concatenate(numbers, 0) : numbers[0];
  return emit.broadcast(row, shape, std::span(&call.dims.index_vector_dim, 1));
}

}  // namespace

ValueId index_bound(Context& context, const IndexedOp& call, const ShardedValue& operand, ValueId indices,
                    std::span<const int64_t> tiled, bool last) {
  Emitter& emit = context.emit;
  const Dims full(emit.graph().types.get(operand.full).dims);
  const TileSharding s = context.at(operand.sharding);
  const std::vector<ValueId> offsets = shard_offsets(context, full, s, operand.scope->partition_id);
  const ElementType element = emit.element(indices);
  std::vector<ValueId> bounds;
  for (int64_t d : call.dims.index_map) {
    const auto i = static_cast<size_t>(d);
    if (tiles_along(s, i) == 1 || !has(tiled, d)) {
      bounds.push_back(emit.scalar(element, last ? full[i] : 0));
      continue;
    }
    const ValueId offset = emit.convert(offsets[i], element);
    if (last)
      bounds.push_back(emit.binary(OpKind::add, offset, emit.scalar(element, emit.dim(operand.value, i) - 1)));
    else
      bounds.push_back(offset);
  }
  return spread(context, call, std::move(bounds), indices);
}

ValueId index_offsets(Context& context, const IndexedOp& call, const ShardedValue& operand, ValueId indices,
                      std::span<const int64_t> dims) {
  const Dims full(context.emit.graph().types.get(operand.full).dims);
  const std::vector<ValueId> offsets =
      shard_offsets(context, full, context.at(operand.sharding), operand.scope->partition_id, dims);
  std::vector<ValueId> numbers;
  for (int64_t d : call.dims.index_map) numbers.push_back(offsets[static_cast<size_t>(d)]);
  return spread(context, call, std::move(numbers), indices);
}

ValueId clamp(Context& context, const IndexedOp& call, const ShardedValue& operand, ValueId indices) {
  Emitter& emit = context.emit;
  const Dims full(emit.graph().types.get(operand.full).dims);
  const ArrayShape shape = emit.shape(indices);
  note_cut_vectors(context, call, shape);
  std::vector<int64_t> last;
  for (int64_t d : call.dims.index_map) last.push_back(full[static_cast<size_t>(d)] - 1);
  const ValueId most = call.vector_is_tiled_dim() ? emit.broadcast(emit.table(shape.element, last), shape,
                                                                   std::span(&call.dims.index_vector_dim, 1))
                                                  : emit.splat(emit.scalar(shape.element, last[0]), shape);
  const ValueId least = emit.splat(emit.zero(shape.element), shape);
  return emit.op(OpKind::clamp, emit.type(shape), {least, indices, most});
}

ValueId reduce_any(Context& context, ValueId predicates, int64_t dim) {
  Emitter& emit = context.emit;
  ArrayShape shape = emit.shape(predicates);
  shape.dims.erase(shape.dims.begin() + dim);
  const NamedAttr attr = emit.dims_attr("dimensions", std::span(&dim, 1));
  const ValueId result =
      emit.op(OpKind::reduce, emit.type(shape), {predicates, emit.predicate(false)}, std::span(&attr, 1));
  const RegionId adder = context.adder(ElementType::pred);
  emit.builder().set_regions(emit.graph().value(result).def, std::span(&adder, 1));
  return result;
}

namespace {

// Tiles along `dims` given up, one prime factor after another, until `missing` times as many replicas are there.
bool borrow_tiles(TileDims& tiles, std::span<const int64_t> dims, int64_t missing) {
  for (int64_t d : dims) {
    int64_t rest = tiles[static_cast<size_t>(d)];
    for (int64_t factor = 2; rest > 1; ++factor) {
      for (; rest % factor == 0; rest /= factor) {
        if (missing % factor != 0) continue;
        tiles[static_cast<size_t>(d)] /= factor;
        tiles.back() *= factor;
        missing /= factor;
        if (missing == 1) return true;
      }
    }
  }
  return false;
}

}  // namespace

GroupedSharding group_on_replicas(const TileSharding& s, int64_t groups, int64_t devices, size_t rank,
                                  std::span<const int64_t> dims) {
  if (replicates_on_last_dim(s) && s.tile.back() % groups == 0) {
    const auto last = static_cast<int64_t>(s.tile.size()) - 1;
    const int64_t kept = s.tile.back() / groups;
    return group_on_dims(s, std::span(&last, 1), std::span(&kept, 1));
  }
  if (is_tiled(s)) {
    const int64_t replicas = replicates_on_last_dim(s) ? s.tile.back() : 1;
    TileDims tiles(std::span<const int64_t>(s.tile));
    if (!replicates_on_last_dim(s)) tiles.push_back(1);
    int64_t most = replicas;
    for (int64_t d : dims) most *= s.tile[static_cast<size_t>(d)];
    if (most % groups == 0 && groups % replicas == 0 && borrow_tiles(tiles, dims, groups / replicas)) {
      // The order of the devices is not kept: what the upstream function does.
      const TileSharding partial = partial_tiles(identity_grid(tiles));
      const auto last = static_cast<int64_t>(tiles.size()) - 1;
      if (is_tiled(partial)) return group_on_dims(partial, std::span(&last, 1));
    }
  }
  GroupedSharding out;
  out.device_groups = identity_grid(TileDims{groups, devices / groups});
  out.dims.push_back(static_cast<int64_t>(rank));
  out.sizes.push_back(groups);
  out.data_rank = rank;
  out.inner = replicated_sharding();
  return out;
}

ShardedValue enter_groups(Context& context, const ShardedValue& value, const GroupedSharding& grouped) {
  const ShardedValue moved = reshard(context, value, context.id(ungroup(grouped)));
  const Graph& graph = context.emit.graph();
  const ElementType element = context.emit.element(moved.value);
  const TypeId full = context.emit.type({element, group_dims(graph.types.get(value.full).dims, grouped)});
  return {moved.value, full, context.id(grouped.inner), group_scope(context, value.scope, grouped.device_groups)};
}

namespace {

bool crosses(const PairList& pairs, const DeviceGroups& groups) {
  const std::vector<size_t> group_of = group_by_device(groups);
  return std::any_of(pairs.begin(), pairs.end(), [&](const auto& pair) {
    return group_of[static_cast<size_t>(pair.first)] != group_of[static_cast<size_t>(pair.second)];
  });
}

}  // namespace

bool moves_between_groups(const Graph& graph, size_t first_op, const DeviceGroups& groups) {
  for (size_t i = first_op; i < graph.op_count(); ++i) {
    const Op& op = graph.op(OpId{i});
    if (op.kind == OpKind::collective_permute && crosses(read_source_target_pairs(graph, op), groups)) return true;
    const std::optional<TileGrid> members = read_replica_groups(graph, op);
    if (members && !groups_nest(groups, *members)) return true;
  }
  return false;
}

namespace {

int64_t operand_bytes(const Graph& graph, OpId op) {
  int64_t sum = 0;
  for (ValueId operand : graph.operands(op)) sum += byte_size(graph, graph.value(operand).type);
  return sum;
}

int64_t bytes_sent(const Graph& graph, OpId op) {
  const int64_t bytes = byte_size(graph, graph.value(graph.result(op)).type);
  const auto gathered = [&](int64_t group) { return bytes * (group - 1) / std::max<int64_t>(group, 1); };
  switch (graph.op(op).kind) {
    case OpKind::all_reduce: return bytes * 2;
    case OpKind::collective_permute: return bytes;
    case OpKind::all_gather: return gathered(bytes / std::max<int64_t>(operand_bytes(graph, op), 1));
    case OpKind::all_to_all: {
      const std::optional<TileGrid> groups = read_replica_groups(graph, graph.op(op));
      return gathered(groups ? groups->dims[1] : 1);
    }
    default: return 0;
  }
}

// Ops that reuse their input buffers count their operands alone.
int64_t bytes_alive(const Graph& graph, OpId op) {
  const OpKind kind = graph.op(op).kind;
  const int64_t operands = operand_bytes(graph, op);
  if (kind == OpKind::all_reduce || kind == OpKind::scatter) return operands;
  return operands + byte_size(graph, graph.value(graph.result(op)).type);
}

}  // namespace

WayCost cost_of(Context& context, OpKind kind, std::span<const ShardedValue> values, const TryWay& way) {
  GraphBuilder& builder = context.emit.builder();
  const RegionId scratch = builder.add_region({}, {});
  Shared shared;
  Context trial(builder, builder.add_block(scratch), context.table, shared);
  trial.emit.set_visiting(context.emit.visiting());
  Scope scope;
  const Scope& like = *values[0].scope;
  scope.outer = like.outer;
  scope.groups = like.groups;
  scope.device_count = like.device_count;
  scope.partition_id = like.partition_id;
  std::vector<ShardedValue> stand_ins(values.begin(), values.end());
  std::vector<ValueId> args;
  for (ShardedValue& value : stand_ins) {
    const TypeId type = builder.graph().value(value.value).type;
    value.value = trial.emit.copy(value.value);
    args.push_back(value.value);
    value.scope = &scope;
    SW_CHECK(builder.graph().value(value.value).type == type, "a stand-in has the type of its value");
  }
  const ValueId result = way(trial, stand_ins);
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  if (!result.valid()) return {kMost, kMost};
  const Graph& graph = builder.graph();
  int64_t alive = 0, sent = 0;
  std::vector<ValueId> open{result};
  std::unordered_set<uint32_t> seen;
  while (!open.empty()) {
    const ValueId value = open.back();
    open.pop_back();
    const OpId op = graph.value(value).def;
    if (!op.valid() || std::find(args.begin(), args.end(), value) != args.end() || !seen.insert(op.raw).second)
      continue;
    if (graph.op(op).parent != trial.emit.block()) continue;
    const bool collective = facts(graph.op(op).kind).family == Family::collective;
    if (collective || graph.op(op).kind == kind) alive = std::max(alive, bytes_alive(graph, op));
    if (collective) sent += bytes_sent(graph, op);
    for (ValueId operand : graph.operands(op)) open.push_back(operand);
  }
  return alive == 0 ? WayCost{kMost, kMost} : WayCost{alive, sent};
}

}  // namespace sw
