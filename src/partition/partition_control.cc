// Partition rules of control flow, tuples, collectives and custom calls. Follow the Handle* functions of XLA's
// spmd_partitioner.cc and custom_call_handler.cc.
#include <numeric>

#include "ops/dims_reduce.h"
#include "partition/collectives.h"
#include "partition/visitor.h"

namespace sw {

void partition_elementwise(Visitor& v) { v.elementwise_rule(); }
void partition_default(Visitor& v) { v.default_rule(); }

// Elementwise when it runs over all dimensions in their order, or names none.
void partition_map(Visitor& v) {
  const AttrId dims = v.graph().attr(v.graph().op(v.op()), "dimensions");
  const size_t rank = v.result_dims().size();
  const std::span<const int64_t> named =
      dims.valid() ? v.graph().attr_table.get(dims).integers : std::span<const int64_t>();
  bool elementwise = named.empty() || named.size() == rank;
  for (size_t i = 0; i < named.size(); ++i) elementwise = elementwise && named[i] == static_cast<int64_t>(i);
  return elementwise ? v.elementwise_rule() : v.default_rule();
}

namespace {

// The tuple of the program's results; other tuples are the state of a loop or branch.
bool is_main_result(const Visitor& v) {
  const Graph& graph = v.graph();
  const BlockId entry = graph.entry_block(graph.function(graph.main).body);
  return graph.operands(graph.block(entry).ops.back())[0] == graph.result(v.op());
}

}  // namespace

void partition_tuple(Visitor& v) {
  Context& context = v.context;
  const CollectiveReason reason = is_main_result(v) ? CollectiveReason::output : CollectiveReason::loop_state;
  std::vector<ValueId> leaves;
  for (size_t i = 0; i < v.operand_count(); ++i) {
    const ShardedValue leaf = v.operand(i);
    context.cause.reason = reason;
    leaves.push_back(reshard(context, leaf, leaf_sharding(context, v.sharding_id(), i)).value);
  }
  v.finish(v.emit().tuple(leaves));
}

void partition_get_tuple_element(Visitor& v) {
  if (is_manual(v.sharding())) return v.default_rule();
  const ShardedValue tuple = v.operand(0);
  const AttrId attr = v.graph().attr(v.graph().op(v.op()), "index");
  const int64_t index = attr.valid() ? v.graph().attr_table.get(attr).integer : 0;
  const TileShardingId from = leaf_sharding(v.context, tuple.sharding, static_cast<size_t>(index));
  v.finish(ShardedValue{v.emit().get_tuple_element(tuple.value, index), v.full_type(), from, v.scope()});
}

namespace {

// The loop's computations have no collectives of the caller's groups: they are partitioned on their own.
ValueId with_regions(Visitor& v, ValueId result, std::span<const RegionId> regions) {
  v.emit().builder().set_regions(v.graph().value(result).def, regions);
  return result;
}

}  // namespace

void partition_while(Visitor& v) {
  Context& context = v.context;
  const ShardedValue state = v.operand(0);
  context.cause.reason = CollectiveReason::loop_state;
  const ValueId initial = reshard(context, state, v.sharding_id()).value;
  const std::vector<RegionId> regions(v.graph().regions(v.graph().op(v.op())).begin(),
                                      v.graph().regions(v.graph().op(v.op())).end());
  // The condition's result is the same on every device, so that all leave the loop together.
  const RegionId local[] = {
      v.computations.partitioned(regions[0], {v.sharding_id()}, {}),
      v.computations.partitioned(regions[1], {v.sharding_id()}, v.sharding_id()),
  };
  const ValueId result = v.clone_as(v.sharding_id(), std::span(&initial, 1)).value;
  v.finish(with_regions(v, result, local));
}

void partition_conditional(Visitor& v) {
  Context& context = v.context;
  std::vector<ValueId> operands;
  ShardedValue predicate = v.operand(0);
  if (!is_manual(context.at(predicate.sharding))) {
    if (has_manual_subgroup(context.at(predicate.sharding))) {
      const TileSharding whole = replicate_data_dims(context.at(predicate.sharding), -1);
      predicate = reshard(context, predicate, context.id(whole));
    } else {
      predicate = replicate(context, predicate);
    }
  }
  operands.push_back(predicate.value);
  const std::vector<RegionId> branches(v.graph().regions(v.graph().op(v.op())).begin(),
                                       v.graph().regions(v.graph().op(v.op())).end());
  std::vector<RegionId> local;
  for (size_t i = 0; i < branches.size(); ++i) {
    const ShardedValue arg = v.operand(i + 1);
    operands.push_back(arg.value);
    local.push_back(v.computations.partitioned(branches[i], {arg.sharding}, v.sharding_id()));
  }
  v.finish(with_regions(v, v.clone_as(v.sharding_id(), operands).value, local));
}

void partition_call(Visitor& v) {
  std::vector<ValueId> operands;
  std::vector<TileShardingId> args;
  for (size_t i = 0; i < v.operand_count(); ++i) {
    const ShardedValue arg = v.operand(i);
    operands.push_back(arg.value);
    args.push_back(arg.sharding);
  }
  const RegionId callee = v.graph().regions(v.graph().op(v.op()))[0];
  const RegionId local = v.computations.partitioned(callee, std::move(args), v.sharding_id());
  v.finish(with_regions(v, v.clone_as(v.sharding_id(), operands).value, std::span(&local, 1)));
}

namespace {

bool has_channel(const Visitor& v) {
  const Graph& graph = v.context.emit.graph();
  return graph.attr(graph.op(v.op()), "channel_handle").valid();
}

}  // namespace

// Collectives that a manual region brings along.
void partition_all_reduce(Visitor& v) {
  const bool cross_replica = !has_channel(v);
  if (v.operand_count() == 1 &&
      (cross_replica || is_manual(v.sharding()) || is_replicated(v.sharding()) || has_manual_subgroup(v.sharding())))
    return v.elementwise_rule();
  v.default_rule();
}

void partition_collective_permute(Visitor& v) {
  if (has_channel(v)) return v.elementwise_rule();
  v.default_rule();
}

void partition_all_gather_like(Visitor& v) { v.default_rule(); }

void partition_partition_id(Visitor& v) { v.finish(v.emit().partition_id()); }

void partition_cholesky(Visitor& v) {
  const auto rank = static_cast<int64_t>(v.result_dims().size());
  const int64_t dims[] = {rank - 2, rank - 1};
  v.elementwise_except(dims);
}

void partition_triangular_solve(Visitor& v) { partition_cholesky(v); }

// Replicated: device 0 draws and everybody gets it. Tiled: every device draws its piece; replicas take the first's.
void partition_rng(Visitor& v) {
  Context& context = v.context;
  if (v.sharding().kind == TileKind::maximal || is_manual(v.sharding())) return v.default_rule();
  std::vector<ValueId> operands;
  for (size_t i = 0; i < v.operand_count(); ++i) operands.push_back(replicate(context, v.operand(i)).value);
  TileSharding first;
  first.kind = TileKind::maximal;
  const TileShardingId first_id = context.id(first);
  if (is_replicated(v.sharding())) {
    const ShardedValue drawn{v.emit().clone(v.op(), v.full_type(), operands), v.full_type(), first_id, v.scope()};
    return v.finish(replicate(context, drawn).value);
  }
  const ShardedValue drawn = v.clone_as(v.sharding_id(), operands);
  if (!has_partial_replication(v.sharding())) return v.finish(drawn.value);
  DimList dims;
  for (size_t d = 0; d < v.sharding().tile.size(); ++d)
    if (static_cast<int64_t>(d) != replication_dim(v.sharding())) dims.push_back(static_cast<int64_t>(d));
  const GroupedSharding grouped = group_on_dims(v.sharding(), dims);
  const ShardedValue piece{drawn.value, v.graph().value(drawn.value).type, first_id,
                           group_scope(context, v.scope(), grouped.device_groups)};
  v.finish(replicate(context, piece).value);
}

}  // namespace sw
