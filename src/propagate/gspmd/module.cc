// Follows HloComputation (post order, replacing an instruction) and HloInstruction::Users of XLA: a user is added at
// the end, and one that goes away leaves its place to the last one.
#include "propagate/gspmd/module.h"

#include <algorithm>

namespace sw::gspmd {

void collect_leaves(const TypeTable& types, TypeId type, std::vector<TypeId>& out) {
  // Tuples nest only as deep as the reader lets types nest.
  const size_t before = out.size();
  std::vector<TypeId> stack{type};
  while (!stack.empty()) {
    const TypeId top = stack.back();
    stack.pop_back();
    const Type t = types.get(top);
    if (t.kind != TypeKind::tuple) {
      out.push_back(top);
      continue;
    }
    for (size_t i = t.elements.size(); i-- > 0;) stack.push_back(t.elements[i]);
  }
  if (out.size() == before) out.push_back(type);
}

size_t Module::operand_index(InstId user, InstId operand_id) const {
  const std::span<const uint32_t> all = operands(user);
  return static_cast<size_t>(std::find(all.begin(), all.end(), operand_id.raw) - all.begin());
}

CompId Module::add_computation() {
  comps.emplace_back();
  return CompId{comps.size() - 1};
}

void Module::add_user(uint32_t operand_raw, uint32_t user) {
  SmallVector<uint32_t, 4>& list = users[operand_raw];
  // A user is registered once per operand, one right after the other.
  if (!list.empty() && list.back() == user) return;
  if (std::find(list.begin(), list.end(), user) == list.end()) list.push_back(user);
}

void Module::remove_user(uint32_t operand_raw, uint32_t user) {
  SmallVector<uint32_t, 4>& list = users[operand_raw];
  uint32_t* at = std::find(list.begin(), list.end(), user);
  if (at == list.end()) return;
  *at = list.back();
  list.pop_back();
}

InstId Module::add(const Graph& graph, CompId comp, Inst inst, std::span<const InstId> operand_list,
                   std::span<const CompId> called_list, std::span<const int64_t> dim_list) {
  const InstId id{insts.size()};
  inst.comp = comp;
  inst.operand_begin = static_cast<uint32_t>(operand_pool.size());
  inst.operand_count = static_cast<uint32_t>(operand_list.size());
  for (const InstId operand_id : operand_list) operand_pool.push_back(operand_id.raw);
  inst.dims_begin = static_cast<uint32_t>(dims_pool.size());
  inst.dims_count = static_cast<uint32_t>(dim_list.size());
  dims_pool.insert(dims_pool.end(), dim_list.begin(), dim_list.end());
  inst.called_begin = static_cast<uint32_t>(called_pool.size());
  inst.called_count = static_cast<uint32_t>(called_list.size());
  for (const CompId callee : called_list) {
    called_pool.push_back(callee.raw);
    comps[callee.index()].callers.push_back(id);
  }
  inst.leaf_begin = static_cast<uint32_t>(type_of_leaf.size());
  if (graph.types.get(inst.type).kind == TypeKind::tuple) {
    collect_leaves(graph.types, inst.type, type_of_leaf);
  } else {
    type_of_leaf.push_back(inst.type);
  }
  inst.leaf_count = static_cast<uint32_t>(type_of_leaf.size()) - inst.leaf_begin;
  value_of_leaf.resize(type_of_leaf.size());
  users.emplace_back();
  insts.push_back(inst);
  comps[comp.index()].order.push_back(id);
  if (inst.kind == OpKind::parameter) comps[comp.index()].params.push_back(id);
  for (const InstId operand_id : operand_list) {
    SmallVector<uint32_t, 4>& list = users[operand_id.index()];
    if (list.empty() || list.back() != id.raw) list.push_back(id.raw);
  }
  return id;
}

void Module::set_leaf_values(InstId id, std::span<const ValueId> values) {
  Inst& i = inst(id);
  if (!values.empty()) i.value = values.front();
  for (size_t leaf = 0; leaf < values.size() && leaf < i.leaf_count; ++leaf) {
    value_of_leaf[i.leaf_begin + leaf] = values[leaf];
    if (!values[leaf].valid()) continue;
    if (place_of_value.size() <= values[leaf].index()) place_of_value.resize(values[leaf].index() + 1);
    place_of_value[values[leaf].index()] = {id, static_cast<uint32_t>(leaf), false};
  }
}

void Module::set_copied_value(InstId id, ValueId value) {
  inst(id).value = value;
  value_of_leaf[inst(id).leaf_begin] = value;
}

void Module::set_made(InstId id, std::span<const NamedAttr> attrs) {
  inst(id).made = {static_cast<uint32_t>(made_pool.size()), static_cast<uint32_t>(attrs.size())};
  made_pool.insert(made_pool.end(), attrs.begin(), attrs.end());
}

void Module::set_value(InstId id, ValueId value) {
  inst(id).value = value;
  if (!value.valid()) return;
  if (place_of_value.size() <= value.index()) place_of_value.resize(value.index() + 1);
  place_of_value[value.index()] = {id, 0, true};
}

void Module::replace(InstId old, InstId by) {
  const SmallVector<uint32_t, 4> old_users = users[old.index()];
  bool by_uses_old = false;
  for (const uint32_t user : old_users) {
    if (user == by.raw) {
      by_uses_old = true;
      continue;
    }
    const Inst& u = insts[user];
    const auto begin = operand_pool.begin() + u.operand_begin;
    std::replace(begin, begin + u.operand_count, old.raw, by.raw);
    add_user(by.raw, user);
  }
  users[old.index()].clear();
  if (by_uses_old) users[old.index()].push_back(by.raw);
  Computation& comp = comps[inst(old).comp.index()];
  if (comp.root == old) comp.root = by;
  for (const uint32_t operand_raw : operands(old)) remove_user(operand_raw, old.raw);
  inst(old).removed = true;
}

void Module::remove(InstId id) {
  for (const uint32_t operand_raw : operands(id)) remove_user(operand_raw, id.raw);
  inst(id).removed = true;
}

void Module::redirect(InstId from, InstId to, std::span<const uint32_t> user_list) {
  for (const uint32_t user : user_list) {
    const Inst& u = insts[user];
    const auto begin = operand_pool.begin() + u.operand_begin;
    std::replace(begin, begin + u.operand_count, from.raw, to.raw);
    add_user(to.raw, user);
    remove_user(from.raw, user);
  }
  Computation& comp = comps[inst(from).comp.index()];
  if (comp.root == from) comp.root = to;
}

void Module::compute_post_orders() {
  enum : uint8_t { kNew, kVisiting, kDone };
  std::vector<uint8_t> state(insts.size(), kNew);
  std::vector<uint32_t> stack;
  for (Computation& comp : comps) {
    comp.order.erase(std::remove_if(comp.order.begin(), comp.order.end(), [&](InstId id) { return inst(id).removed; }),
                     comp.order.end());
    comp.post.clear();
    comp.post.reserve(comp.order.size());
    for (const InstId start : comp.order) {
      if (!users[start.index()].empty()) continue;
      stack.push_back(start.raw);
      while (!stack.empty()) {
        const uint32_t top = stack.back();
        if (state[top] != kNew) {
          stack.pop_back();
          if (state[top] == kVisiting) comp.post.push_back(InstId{top});
          state[top] = kDone;
          continue;
        }
        state[top] = kVisiting;
        const std::span<const uint32_t> all = operands(InstId{top});
        for (size_t i = all.size(); i-- > 0;) {
          if (state[all[i]] != kDone) stack.push_back(all[i]);
        }
      }
    }
  }
}

}  // namespace sw::gspmd
