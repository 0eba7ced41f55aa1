// Which of some chosen ops of a computation lead to one another.
#pragma once

#include <vector>

#include "schedule/machine.h"

namespace sw {

class Ancestors {
 public:
  // Operands must come before their users. Of more than a few thousand ops all count as related to everything.
  Ancestors(const MachineProgram& program, ComputationId computation, const std::vector<MachineOpId>& chosen)
      : number_(program.ops.size(), kNone) {
    constexpr size_t kMost = 4096;
    if (chosen.empty() || chosen.size() > kMost) return;
    for (size_t i = 0; i < chosen.size(); ++i) number_[chosen[i].index()] = static_cast<uint32_t>(i);
    words_ = (chosen.size() + 63) / 64;
    rows_.assign(words_ * program.ops.size(), 0);
    for (const MachineOpId id : program.computation(computation).ops) {
      uint64_t* row = &rows_[words_ * id.index()];
      for (const MachineOpId operand : program.op(id).operands) {
        const uint64_t* from = &rows_[words_ * operand.index()];
        for (size_t w = 0; w < words_; ++w) row[w] |= from[w];
        if (const uint32_t n = number_[operand.index()]; n != kNone) row[n / 64] |= uint64_t{1} << (n % 64);
      }
    }
  }

  bool related(MachineOpId a, MachineOpId b) const { return leads(a, b) || leads(b, a); }

  // The ops become one: what leads to one of them leads to all, and they all lead where one did.
  void unite(std::span<const MachineOpId> ops) {
    std::vector<uint64_t> members(words_, 0), before(words_, 0);
    for (const MachineOpId op : ops) {
      const uint32_t n = number_[op.index()];
      members[n / 64] |= uint64_t{1} << (n % 64);
      for (size_t w = 0; w < words_; ++w) before[w] |= rows_[words_ * op.index() + w];
    }
    for (size_t op = 0; op < number_.size(); ++op) {
      uint64_t* row = rows_.data() + words_ * op;
      bool behind = false;
      for (size_t w = 0; w < words_; ++w) behind = behind || (row[w] & members[w]) != 0;
      if (!behind) continue;
      for (size_t w = 0; w < words_; ++w) row[w] |= members[w] | before[w];
    }
    for (const MachineOpId op : ops)
      for (size_t w = 0; w < words_; ++w) rows_[words_ * op.index() + w] |= before[w];
  }

 private:
  static constexpr uint32_t kNone = 0xffffffffU;

  bool leads(MachineOpId from, MachineOpId to) const {
    const uint32_t n = number_[from.index()];
    return n == kNone || (rows_[words_ * to.index() + n / 64] >> (n % 64) & 1) != 0;
  }

  std::vector<uint32_t> number_;  // by MachineOpId
  size_t words_ = 0;
  std::vector<uint64_t> rows_;  // by MachineOpId: a bit for each chosen op before it
};

}  // namespace sw
