// Sharding groups: values that must be sharded alike. Groups that share a value are one; they are numbered from 0 in
// the order of their smallest old number; a value is in its group once.
//
// Follows ShardingGroupImportPass.
#include <algorithm>
#include <map>
#include <unordered_map>

#include "propagate/shardy/module.h"

namespace sw::shardy {
namespace {

struct Membership {
  WorkOpId op;
  WorkValueId value;
};

WorkOpId manual_around(const WorkIr& ir, WorkOpId id) {
  for (WorkOpId up = ir.parent_op(id); up.valid(); up = ir.parent_op(up))
    if (ir.op(up).kind == OpKind::manual_computation) return up;
  return WorkOpId{};
}

Reported refuse(const Module& module, WorkOpId id, const std::string& what) {
  const OpId origin = module.ir.op(id).origin;
  module.diagnostics.error(DiagnosticKind::unsupported, module.graph.op(origin).where,
                           "values of sharding group " + std::to_string(module.ir.op(id).extra) + " " + what);
  return Reported{};
}

// Each group must lie in one manual computation (or in none) and have one shape.
Result<void> check_groups(const Module& module, const std::vector<Membership>& members) {
  struct Seen {
    WorkOpId manual;
    WorkValueId value;
  };
  const WorkIr& ir = module.ir;
  std::unordered_map<uint32_t, Seen> seen;
  for (const Membership& member : members) {
    const WorkOpId manual = manual_around(ir, member.op);
    const auto [it, added] = seen.try_emplace(ir.op(member.op).extra, Seen{manual, member.value});
    if (added) continue;
    if (it->second.manual != manual)
      return tl::make_unexpected(refuse(module, member.op, "lie on both sides of a manual computation"));
    const Type a = module.graph.types.get(ir.value(member.value).type);
    const Type b = module.graph.types.get(ir.value(it->second.value).type);
    if (!std::ranges::equal(a.dims, b.dims))
      return tl::make_unexpected(refuse(module, member.op, "have different shapes"));
  }
  return {};
}

}  // namespace

Result<void> import_groups(Module& module) {
  WorkIr& ir = module.ir;
  std::vector<Membership> members;
  module.for_each_body([&](WorkBlockId body) {
    walk_postorder(ir, body, [&](WorkOpId id) {
      if (ir.op(id).kind == OpKind::sharding_group) members.push_back({id, ir.operand(id, 0)});
    });
  });
  if (members.empty()) return {};
  if (auto ok = check_groups(module, members); !ok) return ok;

  // Union-find over old numbers, the smallest being the root.
  std::map<uint32_t, uint32_t> parent;
  for (const Membership& member : members) parent[ir.op(member.op).extra] = ir.op(member.op).extra;
  const auto root = [&](uint32_t group) {
    while (parent[group] != group) group = parent[group];
    return group;
  };
  std::unordered_map<uint32_t, uint32_t> group_of_value;
  for (const Membership& member : members) {
    const auto [it, added] = group_of_value.try_emplace(member.value.raw, ir.op(member.op).extra);
    if (added) continue;
    const uint32_t a = root(it->second), b = root(ir.op(member.op).extra);
    parent[std::max(a, b)] = std::min(a, b);
  }
  std::map<uint32_t, uint32_t> number;
  for (const auto& [group, up] : parent)
    if (group == up) number.emplace(group, static_cast<uint32_t>(number.size()));
  std::unordered_map<uint32_t, uint32_t> seen;
  for (const Membership& member : members) {
    ir.op(member.op).extra = number[root(ir.op(member.op).extra)];
    if (!seen.try_emplace(member.value.raw, 0).second) ir.erase(member.op);
  }
  return {};
}

}  // namespace sw::shardy
