#include "propagate/gspmd/user_order.h"

#include <algorithm>

namespace sw::gspmd {
namespace {

constexpr uint32_t kNoCall = 0xffffffffU;

using Users = SmallVector<uint32_t, 4>;

// A user is listed once; it comes for all its operands before the next one does.
void add(Users& users, uint32_t user) {
  if (users.empty() || users.back() != user) users.push_back(user);
}

void remove(Users& users, uint32_t user) {
  uint32_t* at = std::find(users.begin(), users.end(), user);
  if (at == users.end()) return;
  *at = users.back();
  users.pop_back();
}

// Items are what stands in a computation: instructions by their number, and behind all of those the calls.
class Orderer {
 public:
  Orderer(Module& module, std::span<const WrittenOutCall> calls)
      : module_(module),
        calls_(calls),
        first_call_(static_cast<uint32_t>(module.insts.size())),
        call_of_(module.insts.size(), kNoCall),
        calls_in_(module.comps.size()),
        users_of_call_(calls.size()),
        written_(calls.size(), 0),
        used_(module.insts.size() + calls.size(), 0),
        state_(module.insts.size() + calls.size(), kElsewhere) {
    for (uint32_t c = 0; c < calls.size(); ++c) {
      calls_in_[calls[c].comp.index()].push_back(c);
      for (uint32_t i = calls[c].first; i < calls[c].last; ++i)
        if (module.insts[i].comp == calls[c].comp) call_of_[i] = c;
    }
    for (Users& users : module.users) users.clear();
  }

  void order(CompId comp) {
    std::vector<uint32_t> items;
    for (const InstId id : module_.comps[comp.index()].order)
      if (call_of_[id.index()] == kNoCall) items.push_back(id.raw);
    for (const uint32_t c : calls_in_[comp.index()]) items.push_back(first_call_ + c);
    std::sort(items.begin(), items.end(), [&](uint32_t a, uint32_t b) { return place(a) < place(b); });
    const std::vector<uint32_t> listed = post_order(items, true);
    for (const uint32_t item : listed) for_each_operand(item, [&](uint32_t operand) { add(users_of(operand), item); });
    for (const uint32_t item : listed)
      if (item >= first_call_) write_out(item - first_call_);
  }

 private:
  enum State : uint8_t { kElsewhere, kNew, kOpen, kDone };

  // In the order of the program; a call stands before what came of it.
  uint64_t place(uint32_t item) const {
    return item >= first_call_ ? uint64_t{calls_[item - first_call_].first} * 2 : uint64_t{item} * 2 + 1;
  }

  template <class Visit>
  void for_each_operand(uint32_t item, Visit&& visit) const {
    if (item >= first_call_) {
      for (const InstId operand : calls_[item - first_call_].operands) visit(operand.raw);
    } else {
      for (const uint32_t operand : module_.operands(InstId{item})) visit(operand);
    }
  }

  // The users of the result of a call are listed with it until it is written out.
  Users& users_of(uint32_t inst) {
    const uint32_t call = call_of_[inst];
    return call == kNoCall || written_[call] != 0 ? module_.users[inst] : users_of_call_[call];
  }

  // Items that nobody uses are where the walk starts, in their order. `whole_calls`: what came of a call stands for it.
  std::vector<uint32_t> post_order(const std::vector<uint32_t>& items, bool whole_calls) {
    const auto item_of = [&](uint32_t inst) {
      return whole_calls && call_of_[inst] != kNoCall ? first_call_ + call_of_[inst] : inst;
    };
    for (const uint32_t item : items) state_[item] = kNew;
    for (const uint32_t item : items) for_each_operand(item, [&](uint32_t operand) { used_[item_of(operand)] = 1; });
    std::vector<uint32_t> listed, stack, all;
    for (const uint32_t start : items) {
      if (used_[start] != 0) continue;
      stack.push_back(start);
      while (!stack.empty()) {
        const uint32_t top = stack.back();
        if (state_[top] != kNew) {
          stack.pop_back();
          if (state_[top] == kOpen) listed.push_back(top);
          state_[top] = kDone;
          continue;
        }
        state_[top] = kOpen;
        all.clear();
        for_each_operand(top, [&](uint32_t operand) { all.push_back(item_of(operand)); });
        for (size_t i = all.size(); i-- > 0;)
          if (state_[all[i]] == kNew) stack.push_back(all[i]);
      }
    }
    return listed;
  }

  void write_out(uint32_t c) {
    const WrittenOutCall& call = calls_[c];
    std::vector<uint32_t> items;
    for (uint32_t i = call.first; i < call.last; ++i)
      if (call_of_[i] == c) items.push_back(i);
    written_[c] = 1;
    for (const uint32_t inst : post_order(items, false))
      for_each_operand(inst, [&](uint32_t operand) { add(users_of(operand), inst); });
    if (call.root.valid()) {
      Users& users = users_of(call.root.raw);
      for (const uint32_t user : users_of_call_[c])
        if (std::find(users.begin(), users.end(), user) == users.end()) users.push_back(user);
    }
    for (const InstId operand : call.operands) remove(users_of(operand.raw), first_call_ + c);
  }

  Module& module_;
  std::span<const WrittenOutCall> calls_;
  uint32_t first_call_;
  std::vector<uint32_t> call_of_;                // by instruction
  std::vector<std::vector<uint32_t>> calls_in_;  // by computation
  std::vector<Users> users_of_call_;
  std::vector<uint8_t> written_;
  std::vector<uint8_t> used_, state_;  // by item
};

}  // namespace

void list_users_as_inlined(Module& module, std::span<const WrittenOutCall> calls) {
  Orderer orderer(module, calls);
  for (size_t c = 0; c < module.comps.size(); ++c) orderer.order(CompId{c});
}

}  // namespace sw::gspmd
