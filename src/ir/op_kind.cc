#include "ir/op_kind.h"

#include <array>

#include "base/hash.h"

namespace sw {

namespace {

constexpr OpFacts kFacts[] = {
#define SW_OP(kind, mlir, hlo, family, operands, results, traits) \
  {mlir, hlo, Family::family, operands, results, static_cast<uint8_t>(traits)},
#include "ir/ops.def"
#undef SW_OP
};

constexpr std::string_view kEnumerators[] = {
#define SW_OP(kind, mlir, hlo, family, operands, results, traits) #kind,
#include "ir/ops.def"
#undef SW_OP
};

constexpr std::string_view kFamilies[] = {"pointwise", "shape", "contract", "conv",    "reduce",     "window",
                                          "index",     "slice", "linalg",   "control", "collective", "custom"};

// Perfectly ordinary open addressing, filled on first use; 512 slots for about 180 names.
class NameTable {
 public:
  explicit NameTable(std::string_view OpFacts::*spelling) : spelling_(spelling) {
    slots_.fill(OpKind::unknown);
    for (size_t i = 0; i + 1 < kOpKindCount; ++i) {
      const std::string_view name = kFacts[i].*spelling;
      if (name.empty()) continue;
      size_t slot = hash_bytes(name) % kSlots;
      while (slots_[slot] != OpKind::unknown) slot = (slot + 1) % kSlots;
      slots_[slot] = static_cast<OpKind>(i);
    }
  }
  OpKind find(std::string_view name) const {
    for (size_t slot = hash_bytes(name) % kSlots; slots_[slot] != OpKind::unknown; slot = (slot + 1) % kSlots)
      if (kFacts[static_cast<size_t>(slots_[slot])].*spelling_ == name) return slots_[slot];
    return OpKind::unknown;
  }

 private:
  static constexpr size_t kSlots = 512;
  std::string_view OpFacts::*spelling_;
  std::array<OpKind, kSlots> slots_;
};

}  // namespace

const OpFacts& facts(OpKind kind) { return kFacts[static_cast<size_t>(kind)]; }
std::string_view family_name(Family family) { return kFamilies[static_cast<size_t>(family)]; }
std::string_view enumerator_name(OpKind kind) { return kEnumerators[static_cast<size_t>(kind)]; }

OpKind op_kind_from_mlir(std::string_view spelling) {
  static const NameTable table(&OpFacts::mlir);
  return table.find(spelling);
}
OpKind op_kind_from_hlo(std::string_view spelling) {
  static const NameTable table(&OpFacts::hlo);
  return table.find(spelling);
}

}  // namespace sw
