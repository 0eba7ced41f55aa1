#include "propagate/shardy/final_shardings.h"

#include "propagate/shardy/sharding_ops.h"

namespace sw::shardy {

std::vector<NamedShardingId> FinalShardings::shardings_of(WorkValueId first, uint32_t count) const {
  std::vector<NamedShardingId> list;
  for (uint32_t i = 0; i < count; ++i) list.push_back(engine_.sharding(WorkValueId{first.raw + i}));
  return list;
}

std::vector<NamedShardingId> FinalShardings::sunk(WorkValueId first, uint32_t count) const {
  std::vector<NamedShardingId> list = shardings_of(first, count);
  for (const NamedShardingId id : list) {
    if (!id.valid()) continue;
    const MeshId mesh = shardings_.get(id).mesh;
    for (uint32_t i = 0; i < count; ++i)
      if (!list[i].valid()) list[i] = shardings_.fully_open(mesh, module_.rank(WorkValueId{first.raw + i}));
    break;
  }
  return list;
}

std::vector<NamedShardingId> FinalShardings::results_of(WorkOpId id) const {
  const WorkOp& op = ir_.op(id);
  if ((op.flags & kDataFlow) != 0) return sunk(op.first_result, op.result_count);
  return shardings_of(op.first_result, op.result_count);
}

NamedShardingId FinalShardings::value_sharding(WorkValueId value) const {
  while (ir_.value(value).def.valid() && ir_.op(ir_.value(value).def).kind == OpKind::data_flow_edge &&
         ir_.op(ir_.value(value).def).origin == OpId{})
    value = ir_.operand(ir_.value(value).def, 0);
  const WorkOpId owner = ir_.owning_op(value);
  if (!owner.valid() || (ir_.op(owner).flags & kDataFlow) == 0) return engine_.sharding(value);
  const bool result = ir_.value(value).def.valid();
  const bool loop = ir_.op(owner).kind == OpKind::while_;
  const WorkBlockId block = ir_.value(value).block;
  const std::vector<NamedShardingId> list = result || loop
                                                ? sunk(ir_.op(owner).first_result, ir_.op(owner).result_count)
                                                : sunk(ir_.block(block).first_arg, ir_.block(block).arg_count);
  return ir_.value(value).index < list.size() ? list[ir_.value(value).index] : NamedShardingId{};
}

NamedShardingId FinalShardings::divisible(NamedShardingId id, WorkValueId value) const {
  const WorkValue& v = ir_.value(value);
  if (!id.valid() || (v.flags & kShaped) == 0) return id;
  return divisible_prefix(shardings_, id, module_.graph.types.get(v.type).dims);
}

NamedShardingId FinalShardings::closed(NamedShardingId id) const {
  return id.valid() ? closed_like(shardings_, id) : id;
}

NamedShardingId FinalShardings::exported(WorkValueId value) const {
  NamedShardingId sharding = value_sharding(value);
  if (!sharding.valid()) return sharding;
  if (!ir_.value(value).def.valid()) {
    const WorkOpId owner = ir_.owning_op(value);
    const OpKind kind = owner.valid() ? ir_.op(owner).kind : OpKind::unknown;
    if (!owner.valid()) sharding = without_open_sub_axes(shardings_, divisible(sharding, value));
    if (kind == OpKind::manual_computation || kind == OpKind::named_computation) sharding = divisible(sharding, value);
  }
  return closed(sharding);
}

NamedShardingId FinalShardings::output(uint32_t i) const {
  NamedShardingId sharding = engine_.main_result(i);
  const WorkOpId terminator = ir_.terminator(module_.body(module_.functions[module_.main]));
  if (!sharding.valid() || !terminator.valid() || i >= ir_.op(terminator).operand_count) return sharding;
  sharding = divisible(sharding, ir_.operand(terminator, i));
  return closed(without_open_sub_axes(shardings_, sharding));
}

}  // namespace sw::shardy
