// Where the sharding of a value stands, and how it is read and set. Follows ir/utils.cc and DataFlowEdgeOp::lookup.
#include "propagate/shardy/module.h"

namespace sw::shardy {
namespace {

bool carries_own_sharding(OpKind kind) {
  switch (kind) {
    case OpKind::sharding_constraint:
    case OpKind::reshard:
    case OpKind::data_flow_edge:
    case OpKind::sdy_all_gather:
    case OpKind::sdy_all_slice:
    case OpKind::sdy_all_to_all:
    case OpKind::sdy_collective_permute:
    case OpKind::sdy_all_reduce:
    case OpKind::sdy_reduce_scatter:
    case OpKind::sharded_to_unreduced:
    case OpKind::replicated_to_unreduced: return true;
    default: return false;
  }
}

// The value that owns the edge of a target, or an invalid id.
WorkValueId edge_owner(const WorkIr& ir, WorkValueId value) {
  const WorkValue& v = ir.value(value);
  const WorkOpId owner = ir.owning_op(value);
  if (!owner.valid() || (ir.op(owner).flags & kDataFlow) == 0) return WorkValueId{};
  if (v.def.valid()) return value;
  switch (ir.op(owner).kind) {
    case OpKind::while_: return v.index < ir.op(owner).result_count ? ir.result(owner, v.index) : WorkValueId{};
    case OpKind::manual_computation:
    case OpKind::named_computation: return value;
    default: return WorkValueId{};
  }
}

}  // namespace

WorkValueId Module::edge_of_target(WorkValueId value) const {
  const WorkValueId owner = edge_owner(ir, value);
  if (!owner.valid() || !ir.has_one_use(owner)) return WorkValueId{};
  const WorkOpId user = ir.uses[ir.value(owner).first_use.index()].owner;
  return ir.op(user).kind == OpKind::data_flow_edge ? ir.result(user) : WorkValueId{};
}

WorkValueId Module::shardable(WorkValueId value) const {
  const WorkOpId owner = ir.owning_op(value);
  if (!owner.valid()) return value;  // function argument
  if ((ir.op(owner).flags & kDataFlow) != 0) {
    const WorkValueId edge = edge_of_target(value);
    return edge.valid() ? edge : edge_owner(ir, value);
  }
  if (ir.value(value).def.valid()) return value;
  if (ir.op(owner).kind == OpKind::async_start && ir.value(value).index < ir.op(owner).operand_count)
    return ir.operand(owner, ir.value(value).index);
  return WorkValueId{};
}

NamedShardingId Module::sharding_of(WorkValueId value) const {
  const WorkValueId at = shardable(value);
  return at.valid() ? ir.shardings[at.index()] : NamedShardingId{};
}

void Module::set_sharding(WorkValueId value, NamedShardingId sharding) {
  const WorkValueId at = shardable(value);
  if (!at.valid()) return;
  ir.shardings[at.index()] = sharding;
  const WorkOpId def = ir.value(at).def;
  if (!def.valid() || (ir.op(def).flags & kHasShardings) != 0 || carries_own_sharding(ir.op(def).kind)) return;
  ir.op(def).flags |= kHasShardings;
  for (uint32_t i = 0; i < ir.op(def).result_count; ++i) {
    const WorkValueId other = ir.result(def, i);
    if (other != at) ir.shardings[other.index()] = shardings.fully_open(shardings.get(sharding).mesh, rank(other));
  }
}

MeshId Module::first_mesh(std::span<const NamedShardingId> list) const {
  for (const NamedShardingId id : list)
    if (id.valid() && !shardings.mesh(shardings.get(id).mesh).mesh.maximal()) return shardings.get(id).mesh;
  return MeshId{};
}

std::vector<NamedShardingId> Module::completed(std::span<const NamedShardingId> list, std::span<const TypeId> types) {
  const MeshId mesh = first_mesh(list);
  if (!mesh.valid()) return {};
  std::vector<NamedShardingId> out(list.begin(), list.end());
  for (size_t i = 0; i < out.size(); ++i)
    if (!out[i].valid()) out[i] = shardings.fully_open(mesh, graph.types.get(types[i]).rank());
  return out;
}

void add_edges(Module& module, std::span<const WorkValueId> owners) {
  WorkIr& ir = module.ir;
  // Each edge goes directly behind its owner; from the last to the first keeps them in order.
  for (size_t i = owners.size(); i-- > 0;) {
    const WorkValueId owner = owners[i];
    if ((ir.value(owner).flags & kShaped) == 0 || module.edge_of_target(owner).valid()) continue;
    const NamedShardingId sharding = module.sharding_of(owner);
    const WorkOpId edge = ir.add_op({OpKind::data_flow_edge, OpId{}, 0, std::span(&owner, 1)});
    const WorkValueId result = ir.add_result(edge, ir.value(owner).type, ir.value(owner).flags, ValueId{});
    ir.shardings[result.index()] = sharding;
    ir.insert_after_value(edge, owner);
    ir.replace_uses_except(owner, result, edge);
  }
}

// Edges of the block arguments of manual and named computations and of the results of all data-flow ops.
void add_data_flow_edges(Module& module) {
  WorkIr& ir = module.ir;
  std::vector<WorkValueId> owners;
  module.for_each_body([&](WorkBlockId body) {
    walk_postorder(ir, body, [&](WorkOpId id) {
      if ((ir.op(id).flags & kDataFlow) == 0) return;
      const OpKind kind = ir.op(id).kind;
      if (kind == OpKind::manual_computation || kind == OpKind::named_computation) {
        owners.clear();
        const WorkBlockId block = ir.entry_block(id, 0);
        for (uint32_t i = 0; i < ir.block(block).arg_count; ++i) owners.push_back(ir.arg(block, i));
        add_edges(module, owners);
      }
      owners.clear();
      for (uint32_t i = 0; i < ir.op(id).result_count; ++i) owners.push_back(ir.result(id, i));
      add_edges(module, owners);
    });
  });
}

}  // namespace sw::shardy
