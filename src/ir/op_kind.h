// OpKind and the facts of ir/ops.def: spelling in both texts, family, arity, traits.
#pragma once

#include <cstdint>
#include <string_view>

namespace sw {

enum class OpKind : uint16_t {
#define SW_OP(kind, mlir, hlo, family, operands, results, traits) kind,
#include "ir/ops.def"
#undef SW_OP
};

constexpr size_t kOpKindCount = static_cast<size_t>(OpKind::unknown) + 1;

enum class Family : uint8_t {
  pointwise,
  shape,
  contract,
  conv,
  reduce,
  window,
  index,
  slice,
  linalg,
  control,
  collective,
  custom
};
constexpr size_t kFamilyCount = 12;

enum OpTraits : uint8_t { kNone = 0, kPure = 1, kElementwise = 2, kConstant = 4, kTerminator = 8, kRegions = 16 };

struct OpFacts {
  std::string_view mlir;  // "stablehlo.add"
  std::string_view hlo;   // "add"
  Family family;
  int8_t operands;  // -1: any number
  int8_t results;
  uint8_t traits;
};

const OpFacts& facts(OpKind kind);
inline bool has_trait(OpKind kind, OpTraits trait) { return (facts(kind).traits & trait) != 0; }
std::string_view family_name(Family family);
// The enumerator as text: "dot_general", "while_".
std::string_view enumerator_name(OpKind kind);

// OpKind::unknown when the spelling is not in the table.
OpKind op_kind_from_mlir(std::string_view spelling);
OpKind op_kind_from_hlo(std::string_view spelling);

}  // namespace sw
