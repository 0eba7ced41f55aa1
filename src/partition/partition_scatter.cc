// Partition rule of scatter: a gather's methods run the other way.
//
// Worked example: the gradient of an embedding, f32[32000,512] += rows f32[16,512] at s32[16,1]. A table tiled [4,1]
// takes on every device the updates that fall into its quarter (indices less the quarter's start; what lies outside has
// no effect). Updates tiled along the 16 instead give every device a partial sum: all but the first start from zero and
// an all-reduce adds them up.
//
// Follows PartitionScatter of XLA (gather_scatter_handler.cc) with need_resolve_conflicts.
#include <algorithm>
#include <cstdint>
#include <string>

#include "ops/dims_reduce.h"
#include "partition/collectives.h"
#include "partition/indexed.h"
#include "partition/padding.h"
#include "partition/tile_axes.h"

namespace sw {

namespace {

bool has(std::span<const int64_t> list, int64_t d) { return std::find(list.begin(), list.end(), d) != list.end(); }

class ScatterPartitioner {
 public:
  struct Problem {
    std::vector<ShardedValue> operands, updates;
    ShardedValue indices;
    TileShardingId masked;    // indices in this sharding have -1 where they are padded
    bool adds = false;        // updates are added
    bool adds_zeros = false;  // and they are padded with zeros, wherever they are moved
    TileShardingId sharding;  // that every result is to have, or (a tuple) each of them
    DimList slice_sizes;
  };

  explicit ScatterPartitioner(const IndexedOp& call) : call_(call) {}

  // The results' pieces: an array, or a tuple when there are several operands.
  ValueId partition(Context& context, const Problem& p, bool recurse) const;

 private:
  using Method = ValueId (ScatterPartitioner::*)(Context&, Problem, bool) const;
  ValueId explicit_batch(Context& context, Problem p, bool recurse) const;
  ValueId implicit_batch(Context& context, Problem p, bool recurse) const;
  ValueId whole_windows(Context& context, Problem p, bool recurse) const;
  ValueId indexed_dims(Context& context, Problem p, bool recurse) const;
  ValueId through_indices(Context& context, Problem p, bool recurse) const;
  ValueId parallel(Context& context, Problem p, bool recurse, const ParallelIndexDims& dims, bool offsets) const;
  ValueId in_groups(Context& context, const Problem& p, const GroupedSharding& operand, const GroupedSharding& indices,
                    const GroupedSharding& updates, bool recurse) const;
  void enter_indices(Context& context, const Problem& p, const GroupedSharding& groups, Problem& inner) const;
  bool padding_is_harmless(const Graph& graph, const Problem& p, const Problem& inner, size_t dim) const;
  ValueId local(Context& context, const Problem& p) const;
  ValueId moved(Context& context, const Problem& p, ValueId result, const TileSharding& from) const;
  ValueId identity_but_first(Context& context, const ShardedValue& indices, ValueId operand) const;
  void untile_conflicts(Context& context, Problem& p) const;

  const IndexedOp& call_;
};

TypeId tuple_or_single(Context& context, std::span<const TypeId> types) {
  return types.size() == 1 ? types[0] : context.emit.builder().types().tuple(types);
}

TileShardingId tuple_or_single(Context& context, TileShardingId leaf, size_t count) {
  if (count == 1) return leaf;
  TileSharding tuple;
  tuple.kind = TileKind::tuple;
  tuple.elements.assign(count, leaf);
  return context.id(tuple);
}

// From `from` to what the results are to have.
ValueId ScatterPartitioner::moved(Context& context, const Problem& p, ValueId result, const TileSharding& from) const {
  std::vector<TypeId> full;
  for (const ShardedValue& operand : p.operands) full.push_back(operand.full);
  const size_t n = p.operands.size();
  const ShardedValue value{result, tuple_or_single(context, full), tuple_or_single(context, context.id(from), n),
                           p.operands[0].scope};
  const bool each = context.at(p.sharding).kind == TileKind::tuple;
  return reshard(context, value, each ? p.sharding : tuple_or_single(context, p.sharding, n)).value;
}

ValueId ScatterPartitioner::local(Context& context, const Problem& p) const {
  std::vector<ValueId> operands;
  std::vector<TypeId> types;
  for (const ShardedValue& operand : p.operands) {
    operands.push_back(replicate(context, operand).value);
    types.push_back(context.emit.graph().value(operands.back()).type);
  }
  const ValueId indices = replicate(context, p.indices).value;
  operands.push_back(indices);
  for (const ShardedValue& update : p.updates) operands.push_back(replicate(context, update).value);
  return moved(context, p, context.emit.clone(call_.op, tuple_or_single(context, types), operands),
               replicated_sharding());
}

ValueId ScatterPartitioner::partition(Context& context, const Problem& p, bool recurse) const {
  if (!recurse) return local(context, p);
  constexpr Method kMethods[] = {&ScatterPartitioner::explicit_batch, &ScatterPartitioner::implicit_batch,
                                 &ScatterPartitioner::whole_windows, &ScatterPartitioner::indexed_dims,
                                 &ScatterPartitioner::through_indices};
  std::vector<ShardedValue> values = p.operands;
  values.push_back(p.indices);
  values.insert(values.end(), p.updates.begin(), p.updates.end());
  std::vector<std::pair<WayCost, Method>> ways;
  for (Method method : kMethods) {
    WayCost cost{0, 0};
    // The stated batch dimensions come first whatever they cost.
    if (method != kMethods[0])
      cost = cost_of(context, OpKind::scatter, values, [&](Context& trial, std::span<const ShardedValue> stand_ins) {
        Problem q = p;
        const size_t n = p.operands.size();
        q.operands.assign(stand_ins.begin(), stand_ins.begin() + static_cast<std::ptrdiff_t>(n));
        q.indices = stand_ins[n];
        q.updates.assign(stand_ins.begin() + static_cast<std::ptrdiff_t>(n) + 1, stand_ins.end());
        return (this->*method)(trial, q, false);
      });
    ways.emplace_back(cost, method);
  }
  std::stable_sort(ways.begin(), ways.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (const auto& [cost, method] : ways)
    if (const ValueId done = (this->*method)(context, p, true); done.valid()) return done;
  return local(context, p);
}

ValueId ScatterPartitioner::in_groups(Context& context, const Problem& p, const GroupedSharding& operand,
                                      const GroupedSharding& indices, const GroupedSharding& updates,
                                      bool recurse) const {
  Problem inner;
  for (const ShardedValue& o : p.operands) inner.operands.push_back(enter_groups(context, o, operand));
  for (const ShardedValue& u : p.updates) inner.updates.push_back(enter_groups(context, u, updates));
  enter_indices(context, p, indices, inner);
  inner.sharding = context.id(operand.inner);
  inner.slice_sizes = p.slice_sizes;
  return partition(context, inner, recurse);
}

// Whether padding of the indices along a dimension, which is not known to be -1, writes nothing that stays: along a
// batch dimension it writes into the padding of the operand, and elsewhere zeros may be added.
bool ScatterPartitioner::padding_is_harmless(const Graph& graph, const Problem& p, const Problem& inner,
                                             size_t dim) const {
  const auto d = static_cast<int64_t>(dim);
  if (has(call_.dims.indices_batch, d)) return true;
  if (padding_holds(graph, inner.indices.value, dim, graph.types.get(p.indices.full).dims[dim], -1)) return true;
  if (p.adds_zeros) return true;
  const auto at = std::find(call_.dims.indices_dims.begin(), call_.dims.indices_dims.end(), d);
  if (!p.adds || at == call_.dims.indices_dims.end()) return false;
  const auto along = static_cast<size_t>(call_.dims.batch[static_cast<size_t>(at - call_.dims.indices_dims.begin())]);
  for (size_t i = 0; i < p.updates.size(); ++i)
    if (!padding_holds(graph, inner.updates[i].value, along, graph.types.get(p.updates[i].full).dims[along], 0))
      return false;
  return true;
}

// Uneven groups count padding among the indices. It is -1 there where nothing has been moved.
void ScatterPartitioner::enter_indices(Context& context, const Problem& p, const GroupedSharding& groups,
                                       Problem& inner) const {
  const TileSharding wanted = ungroup(groups);
  const bool masked =
      p.masked.valid() && (same_sharding(context.at(p.masked), wanted) || can_permute(context.at(p.masked), wanted));
  const Dims full(context.emit.graph().types.get(p.indices.full).dims);
  inner.indices = enter_groups(context, p.indices, groups);
  for (size_t i = 0; i < groups.dims.size() && !masked; ++i)
    if (const auto d = static_cast<size_t>(groups.dims[i]);
        d < full.size() && full[d] % groups.sizes[i] != 0 && !padding_is_harmless(context.emit.graph(), p, inner, d))
      context.note_miscompile(MiscompileKind::padding_scattered);
  if (masked) inner.masked = context.id(groups.inner);
  inner.adds = p.adds;
  inner.adds_zeros = p.adds_zeros;
}

ValueId ScatterPartitioner::explicit_batch(Context& context, Problem p, bool recurse) const {
  return call_.explicit_batch ? parallel(context, std::move(p), recurse, *call_.explicit_batch, false) : ValueId{};
}

ValueId ScatterPartitioner::implicit_batch(Context& context, Problem p, bool recurse) const {
  return call_.implicit_batch ? parallel(context, std::move(p), recurse, *call_.implicit_batch, true) : ValueId{};
}

ValueId ScatterPartitioner::parallel(Context& context, Problem p, bool recurse, const ParallelIndexDims& dims,
                                     bool offsets) const {
  const auto tiled = tiled_in_parallel(context.at(p.operands[0].sharding), call_.operand_shape.size(),
                                       context.at(p.indices.sharding), call_.indices_rank, dims);
  if (!tiled) return {};
  for (ShardedValue& o : p.operands) o = reshard(context, o, context.id(tiled->first));
  p.indices = reshard(context, p.indices, context.id(tiled->second));
  TileSharding updates = slices_from_indices(call_, tiled->second);
  const Dims base(context.emit.graph().types.get(p.operands[0].full).dims);
  const WindowPairs whole = windows_taken_whole(call_, base, p.slice_sizes);
  if (const TileSharding rest = replicate_dims(tiled->first, dims.operand); is_tiled(rest))
    if (const TileSharding through = transfer_dims(rest, whole.operand, whole.slices, call_.slices_rank);
        is_tiled(through))
      merge_if_compatible(through, updates);
  for (ShardedValue& u : p.updates) u = reshard(context, u, context.id(updates));
  if (offsets)
    p.indices.value = context.emit.binary(OpKind::subtract, p.indices.value,
                                          index_offsets(context, call_, p.operands[0], p.indices.value, dims.operand));
  const GroupedSharding indices = group_on_dims(tiled->second, dims.indices);
  const GroupedSharding operand = align_groups(group_on_dims(tiled->first, dims.operand), indices);
  const GroupedSharding update = align_groups(group_on_dims(updates, dims.slices), indices);
  return moved(context, p, in_groups(context, p, operand, indices, update, recurse), ungroup(operand));
}

ValueId ScatterPartitioner::whole_windows(Context& context, Problem p, bool recurse) const {
  const ShardedValue& first = p.operands[0];
  const TileSharding s = context.at(first.sharding);
  if (!is_tiled(s)) return {};
  const Dims base(context.emit.graph().types.get(first.full).dims);
  const WindowPairs here = windows_taken_whole(call_, base, p.slice_sizes);
  TileSharding updates = transfer_dims(s, here.operand, here.slices, call_.slices_rank);
  if (!is_tiled(updates)) return {};
  const DimList operand_dims = windows_taken_whole(call_, call_.operand_shape, p.slice_sizes).operand;
  int64_t groups = 1;
  for (int64_t d : operand_dims) groups *= s.tile[static_cast<size_t>(d)];
  DimList update_dims;
  for (size_t d = 0; d < updates.data_rank(); ++d)
    if (updates.tile[d] != 1) update_dims.push_back(static_cast<int64_t>(d));
  for (int64_t d : operand_dims)
    p.slice_sizes[static_cast<size_t>(d)] = context.emit.dim(first.value, static_cast<size_t>(d));
  merge_if_compatible(context.at(p.updates[0].sharding), updates);
  const GroupedSharding update = group_on_dims(updates, update_dims);
  const GroupedSharding operand = align_groups(group_on_dims(s, operand_dims), update);
  const GroupedSharding indices =
      align_groups(group_on_replicas(context.at(p.indices.sharding), groups, device_count(s), call_.indices_rank,
                                     indices_dims_by_priority(call_)),
                   update);
  return moved(context, p, in_groups(context, p, operand, indices, update, recurse), ungroup(operand));
}

// Indices less the start of this device's part; those outside of it have no effect.
ValueId ScatterPartitioner::indexed_dims(Context& context, Problem p, bool recurse) const {
  const TileSharding s = context.at(p.operands[0].sharding);
  const auto tiled = indexed_tiled_dims(call_, s, p.slice_sizes);
  if (!tiled) return {};
  const GroupedSharding operand = group_on_dims(s, *tiled);
  const int64_t groups = group_count(operand.device_groups), devices = device_count(s);
  const auto grouped_indices = [&](const TileSharding& from) {
    return align_groups(group_on_replicas(from, groups, devices, call_.indices_rank, indices_dims_by_priority(call_)),
                        operand);
  };
  const auto grouped_updates = [&](const TileSharding& from) {
    return align_groups(
        group_on_replicas(from, groups, devices, call_.slices_rank, slices_dims_by_priority(call_, p.slice_sizes)),
        operand);
  };
  const TileSharding given_indices = context.at(p.indices.sharding), given_updates = context.at(p.updates[0].sharding);
  GroupedSharding indices = grouped_indices(given_indices);
  GroupedSharding updates = grouped_updates(given_updates);
  if (!is_trivial(indices.inner) && is_trivial(updates.inner))
    updates = grouped_updates(slices_from_indices(call_, given_indices));
  if (is_trivial(indices.inner) && !is_trivial(updates.inner))
    indices = grouped_indices(indices_from_slices(call_, given_updates));
  p.indices = reshard(context, p.indices, context.id(ungroup(indices)));
  const ValueId start = index_bound(context, call_, p.operands[0], p.indices.value, *tiled, false);
  p.indices.value = context.emit.binary(OpKind::subtract, p.indices.value, start);
  return moved(context, p, in_groups(context, p, operand, indices, updates, recurse), ungroup(operand));
}

// Smallest and largest integer of a type, as far as 64 bits with a sign go.
std::pair<int64_t, int64_t> limits(ElementType element) {
  const int bits_of = std::min(static_cast<int>(bits(element)), 64);
  const bool has_sign = hlo_spelling(element).front() == 's';
  if (bits_of == 64) return {has_sign ? INT64_MIN : 0, INT64_MAX};
  const int64_t half = int64_t{1} << (bits_of - 1);
  return has_sign ? std::pair(-half, half - 1) : std::pair(int64_t{0}, 2 * half - 1);
}

// What the update computation leaves unchanged; nothing for computations other than these.
std::optional<std::string> identity_text(const Graph& graph, RegionId computation, ElementType element) {
  const auto ops = std::span(graph.block(graph.entry_block(computation)).ops);
  if (ops.size() != 2) return std::nullopt;
  const Op& op = graph.op(ops[0]);
  if (graph.operands(op).size() != 2) return std::nullopt;
  for (ValueId operand : graph.operands(op))
    if (graph.value(operand).def.valid()) return std::nullopt;
  if (graph.operands(op)[0] == graph.operands(op)[1]) return std::nullopt;
  const bool predicate = element == ElementType::pred;
  switch (op.kind) {
    case OpKind::add: return predicate ? "false" : is_integer(element) ? "0" : "0.000000e+00";
    case OpKind::multiply: return predicate ? "true" : is_integer(element) ? "1" : "1.000000e+00";
    case OpKind::or_: return predicate ? std::optional<std::string>("false") : std::nullopt;
    case OpKind::and_: return predicate ? std::optional<std::string>("true") : std::nullopt;
    case OpKind::minimum: return is_integer(element) ? std::to_string(limits(element).second) : "inf";
    case OpKind::maximum: return is_integer(element) ? std::to_string(limits(element).first) : "-inf";
    default: return std::nullopt;
  }
}

// The operand on the first device of those that add their results up, what changes nothing on the others.
ValueId ScatterPartitioner::identity_but_first(Context& context, const ShardedValue& indices, ValueId operand) const {
  Emitter& emit = context.emit;
  const Graph& graph = emit.graph();
  const ArrayShape shape = emit.shape(operand);
  const auto text = identity_text(graph, graph.regions(graph.op(call_.op))[0], shape.element);
  if (!text) return {};
  ValueId device = indices.scope->partition_id;
  const TileSharding s = context.at(indices.sharding);
  // One device of all is the first, but there is a sum for every tile of the other dimensions.
  for (size_t d = 0; d < s.data_rank(); ++d)
    if (s.tile[d] != 1 && !has(call_.through_indices, static_cast<int64_t>(d)))
      context.note_miscompile(MiscompileKind::operand_lost);
  if (has_partial_replication(s)) {
    const int64_t dim = replication_dim(s);
    const GroupedSharding replicas = group_on_dims(s, std::span(&dim, 1));
    device = emit.convert(emit_grid_coordinate(emit, replicas.device_groups, device, 1), ElementType::u32);
  }
  ArrayShape predicates = shape;
  predicates.element = ElementType::pred;
  const ValueId not_first = emit.splat(emit.convert(device, ElementType::pred), predicates);
  const ValueId identity = emit.splat(emit.scalar_text(shape.element, *text), shape);
  return emit.select(not_first, identity, operand);
}

// Updates tiled with axes that the operand's indexed dimensions have are brought together first.
void ScatterPartitioner::untile_conflicts(Context& context, Problem& p) const {
  if (call_.dims.window.empty()) return;
  DimList conflicts;
  for (size_t i = 0; i < p.operands.size(); ++i) {
    const TileSharding operand = context.at(p.operands[i].sharding), updates = context.at(p.updates[i].sharding);
    if (!is_tiled(operand) || !is_tiled(updates)) continue;
    for (int64_t d : call_.dims.batch)
      if (!has(conflicts, d) && share_axis(operand, call_.dims.index_map, updates, d)) conflicts.push_back(d);
  }
  for (ShardedValue& u : p.updates)
    if (const TileSharding s = context.at(u.sharding); is_tiled(s))
      u = reshard(context, u, context.id(replicate_dims(s, conflicts)));
}

// The indices are tiled along dimensions that the updates have too: every device adds its own updates, and the results
// are added up.
ValueId ScatterPartitioner::through_indices(Context& context, Problem p, bool recurse) const {
  if (recurse) untile_conflicts(context, p);
  TileSharding s = context.at(p.indices.sharding);
  const TileSharding given = context.at(p.updates[0].sharding);
  const TileSharding from_updates =
      is_tiled(given) ? transfer_dims(given, call_.through_slices, call_.through_indices, call_.indices_rank) : given;
  if (merge_if_compatible(from_updates, s)) p.indices = reshard(context, p.indices, context.id(s));
  if (!is_tiled(s)) return {};
  TileSharding updates = transfer_dims(s, call_.through_indices, call_.through_slices, call_.slices_rank);
  if (!is_tiled(updates)) return {};
  merge_if_compatible(given, updates);
  const GroupedSharding update = group_on_dims(updates, call_.through_slices);
  const GroupedSharding indices_grouped = group_on_dims(s, call_.through_indices);
  // Where the updates are in more groups XLA stops with an internal error.
  if (group_count(indices_grouped.device_groups) != group_count(update.device_groups)) return {};
  const TileSharding o = context.at(p.operands[0].sharding);
  const GroupedSharding operand =
      align_groups(group_on_replicas(o, group_count(indices_grouped.device_groups), device_count(s),
                                     call_.operand_shape.size(), operand_dims_by_priority(call_, o, p.slice_sizes)),
                   update);
  const GroupedSharding indices = align_groups(indices_grouped, update);
  ShardedValue inside = enter_groups(context, p.operands[0], operand);
  inside.value = identity_but_first(context, p.indices, inside.value);
  if (!inside.value.valid()) return {};
  Problem inner;
  inner.operands = {inside};
  inner.updates = {enter_groups(context, p.updates[0], update)};
  enter_indices(context, p, indices, inner);
  inner.sharding = context.id(operand.inner);
  inner.slice_sizes = p.slice_sizes;
  const ValueId partial = partition(context, inner, recurse);
  context.cause.reason = CollectiveReason::partial_updates;
  const Graph& graph = context.emit.graph();
  const RegionId computation = graph.regions(graph.op(call_.op))[0];
  const ValueId sum = reduce_dims(context, *p.operands[0].scope, partial, s, call_.through_indices, computation);
  context.cause.reason = CollectiveReason::reshard;
  Problem out = p;
  out.operands.resize(1);
  return moved(context, out, sum, ungroup(operand));
}

// What is common to shardings that are not all the same.
std::optional<TileSharding> common_if_different(Context& context, const std::vector<ShardedValue>& values) {
  std::vector<TileSharding> all;
  bool equal = true;
  for (const ShardedValue& value : values) {
    all.push_back(context.at(value.sharding));
    equal = equal && context.same(value.sharding, values[0].sharding) && value.full == values[0].full;
  }
  return equal ? std::nullopt : std::optional(common_sharding(all));
}

void reshard_all(Context& context, std::vector<ShardedValue>& values, const TileSharding& target) {
  for (ShardedValue& value : values) value = reshard(context, value, context.id(target));
}

}  // namespace

void partition_scatter(Visitor& v) {
  const TileSharding out = v.context.at(leaf_sharding(v.context, v.sharding_id(), 0));
  if (out.kind == TileKind::maximal) return v.default_rule();
  Context& context = v.context;
  const IndexedOp call = indexed_op(context.shared, v.graph(), v.op());
  ScatterPartitioner::Problem p;
  for (size_t i = 0; i < call.input_count; ++i) p.operands.push_back(v.operand(i));
  if (const auto common = common_if_different(context, p.operands)) reshard_all(context, p.operands, *common);
  for (size_t i = 0; i < call.input_count; ++i) p.updates.push_back(v.operand(call.input_count + 1 + i));
  p.indices = v.operand(call.input_count);
  const auto is_operand = [&](ValueId value) {
    return std::any_of(p.operands.begin(), p.operands.end(), [&](const ShardedValue& o) { return o.value == value; });
  };
  const auto is_update = [&](ValueId value) {
    return std::any_of(p.updates.begin(), p.updates.end(), [&](const ShardedValue& u) { return u.value == value; });
  };
  for (ShardedValue& u : p.updates)
    if (is_operand(u.value)) u.value = v.emit().copy(u.value);
  // Updates that differ stay so; it is the operands that XLA brings into what is common to the updates.
  if (const auto common = common_if_different(context, p.updates)) {
    if (is_tiled(*common) && common->data_rank() != call.operand_shape.size()) return v.default_rule();
    reshard_all(context, p.operands, *common);
  }
  if (is_operand(p.indices.value) || is_update(p.indices.value)) p.indices.value = v.emit().copy(p.indices.value);
  // Padding of uneven indices must not address anything: it becomes -1, or is to become that.
  p.masked = p.indices.sharding;
  const TileSharding indices = context.at(p.indices.sharding);
  if (!tiles_evenly(v.operand_dims(call.input_count), indices)) {
    const ValueId outside = context.emit.scalar(context.emit.element(p.indices.value), -1);
    p.indices = cut_with_padding(context, p.indices, p.indices.sharding, outside);
    if (has_partial_replication(indices)) p.masked = {};
  }
  p.adds = common_reducer(v.graph(), v.graph().regions(v.graph().op(v.op()))[0], call.input_count) == OpKind::add;
  p.adds_zeros = p.adds;
  for (size_t i = 0; i < call.input_count; ++i) {
    const TileSharding given = context.at(p.updates[i].sharding);
    // What is cut from replicas may have other things there than zeros.
    p.adds_zeros =
        p.adds_zeros && !replicates_on_last_dim(given) && tiles_evenly(v.operand_dims(call.input_count + 1 + i), given);
  }
  p.sharding = v.sharding_id();
  p.slice_sizes = call.dims.slice_sizes;
  v.finish(ScatterPartitioner(call).partition(context, p, true));
}

}  // namespace sw
