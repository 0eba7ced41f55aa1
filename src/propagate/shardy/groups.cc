// Sharding groups at the start of propagation. Members are made equal once; afterwards whoever changes a member changes
// all (engine.cc). Example: %a [{"x"}], %b without a sharding, one group: %b gets [{"x"}]. If %b were [{"y"}], both
// stay as they are and new open constraints behind them form the group.
//
// Follows ShardingGroupMap and syncGroupMemberShardings.
#include "propagate/shardy/module.h"
#include "propagate/shardy/sharding_ops.h"

namespace sw::shardy {
namespace {

struct Common {
  NamedShardingId sharding;
  bool conflict = false;
};

Common common_sharding(const Module& module, const std::vector<WorkValueId>& members) {
  if (members.size() == 1) return {module.sharding_of(members.front()), false};
  Common common;
  for (const WorkValueId member : members) {
    const NamedShardingId candidate = module.sharding_of(member);
    if (!candidate.valid() || fully_replicated_and_open(module.shardings.get(candidate))) continue;
    if (!common.sharding.valid()) {
      common.sharding = candidate;
    } else if (candidate != common.sharding) {
      common.conflict = true;
      return common;
    }
  }
  return common;
}

}  // namespace

GroupMembers synchronise_groups(Module& module) {
  WorkIr& ir = module.ir;
  GroupMembers groups;
  module.for_each_body([&](WorkBlockId body) {
    walk_postorder(ir, body, [&](WorkOpId id) {
      if (ir.op(id).kind != OpKind::sharding_group) return;
      if (groups.size() <= ir.op(id).extra) groups.resize(ir.op(id).extra + 1);
      groups[ir.op(id).extra].push_back(ir.operand(id, 0));
    });
  });
  for (std::vector<WorkValueId>& members : groups) {
    if (members.empty()) continue;
    const Common common = common_sharding(module, members);
    if (!common.sharding.valid()) continue;
    for (WorkValueId& member : members) {
      if (!common.conflict) {
        if (module.sharding_of(member) == common.sharding) continue;
        module.set_sharding(member, common.sharding);
        const WorkValueId at = module.shardable(member);
        if (at.valid()) module.applied.push_back({at, WorkOpId{}});
        continue;
      }
      const WorkOpId open = ir.add_op({OpKind::sharding_constraint, OpId{}, kElementwiseOp, std::span(&member, 1)});
      const WorkValueId result = ir.add_result(open, ir.value(member).type, ir.value(member).flags, ValueId{});
      ir.shardings[result.index()] =
          module.shardings.fully_open(module.shardings.get(common.sharding).mesh, module.rank(member));
      ir.insert_after_value(open, member);
      ir.replace_uses_except(member, result, open);
      member = result;
    }
  }
  return groups;
}

}  // namespace sw::shardy
