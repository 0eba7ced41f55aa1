// Instructions that have one sharding together: a loop with its body's root and parameters, a conditional with the
// roots of its branches, a call with its callee's root, a branch's or callee's parameter with the operand that feeds
// it. Follows GetRelatedInstructions and MaybeComputationPropagation (sharding_propagation.cc).
#include <algorithm>

#include "propagate/gspmd/driver.h"

namespace sw::gspmd {

std::vector<InstId> Propagation::related(InstId id) const {
  const Inst& inst = module_.inst(id);
  const std::span<const uint32_t> called = module_.called(id);
  const auto comp = [&](size_t i) -> const Computation& { return module_.comps[called[i]]; };
  switch (inst.kind) {
    case OpKind::while_:
      if (called.size() != 2 || comp(0).params.empty() || comp(1).params.empty()) return {};
      return {id, comp(1).root, comp(1).params[0], comp(0).params[0]};
    case OpKind::case_: {
      std::vector<InstId> all{id};
      for (size_t i = 0; i < called.size(); ++i) all.push_back(comp(i).root);
      return all;
    }
    case OpKind::call: return called.empty() ? std::vector<InstId>{} : std::vector<InstId>{id, comp(0).root};
    case OpKind::parameter: {
      const InstId caller = module_.comps[inst.comp.index()].sharer;
      if (!caller.valid()) return {};
      const std::span<const uint32_t> branches = module_.called(caller);
      size_t slot = module_.inst(caller).operand_count;
      if (module_.inst(caller).kind == OpKind::case_) {
        slot = static_cast<size_t>(std::find(branches.begin(), branches.end(), inst.comp.raw) - branches.begin()) + 1;
      } else if (module_.inst(caller).kind == OpKind::call) {
        slot = inst.number;
      }
      if (slot >= module_.inst(caller).operand_count) return {};
      return {id, module_.operand(caller, slot)};
    }
    default: return {};
  }
}

void Propagation::share_given() {
  for (size_t c = 0; c < module_.comps.size(); ++c) {
    for (const InstId id : std::vector<InstId>(module_.comps[c].order)) {
      const OpKind kind = module_.inst(id).kind;
      if (kind != OpKind::while_ && kind != OpKind::case_ && kind != OpKind::call) continue;
      const std::vector<InstId> all = related(id);
      const auto sharded = std::find_if(all.begin(), all.end(), [&](InstId i) { return state_.has(i); });
      for (const InstId to : all) {
        if (sharded == all.end() || to == *sharded) continue;
        state_.set_origin({CauseKind::edge, module_.inst(id).op, *sharded, {}, {}, 0});
        state_.copy(to, *sharded);
      }
      for (const uint32_t callee : module_.called(id)) module_.comps[callee].sharer = id;
    }
  }
}

void Propagation::share_from(InstId search, InstId id, std::vector<InstId>& changed_list) {
  const std::vector<InstId> all = related(search);
  if (std::find(all.begin(), all.end(), id) == all.end()) return;
  for (const InstId to : all) {
    if ((state_.has(to) && state_.same(to, id)) || marked(to, kProvided)) continue;
    state_.set_origin({CauseKind::edge, module_.inst(search).op, id, {}, {}, 0});
    state_.copy(to, id);
    changed_list.push_back(to);
    share(to, changed_list);
  }
}

void Propagation::share(InstId id, std::vector<InstId>& changed_list) {
  const Inst& inst = module_.inst(id);
  if (inst.kind == OpKind::case_ || inst.kind == OpKind::while_ || inst.kind == OpKind::call)
    share_from(id, id, changed_list);
  if (inst.kind != OpKind::parameter && !module_.is_root(id)) return;
  const InstId caller = module_.comps[inst.comp.index()].sharer;
  if (!caller.valid()) return;
  share_from(caller, id, changed_list);
  const OpKind kind = module_.inst(caller).kind;
  if (inst.kind == OpKind::parameter && (kind == OpKind::case_ || kind == OpKind::call))
    share_from(id, id, changed_list);
}

}  // namespace sw::gspmd
