// One column of the op matrix: what a stage does with each op. A column is a constexpr table made of family defaults,
// then single ops, then reasons; an op without any of these is a hole, and a hole does not compile:
//
//   constexpr Column<FactorFn> kFactors = [] {
//     Column<FactorFn> c;
//     c.family(Family::pointwise, factors_pointwise);
//     c.op(OpKind::dot_general, factors_dot_general);
//     c.none(OpKind::constant, "constants follow their users");
//     c.unsupported(OpKind::map, "Shardy has no rule");
//     return c;
//   }();
//   template struct MissingRuleFor<kFactors.first_hole()>;  // names the op in the compiler's message
//
// `shardwright ops` prints the columns side by side.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "ir/op_kind.h"

namespace sw {

enum class CellKind : uint8_t {
  hole,
  own,          // a function of its own
  family,       // the function of its family
  none,         // nothing to do, and that is right
  unsupported,  // not handled; reports name the op and the reason
};

struct Cell {
  CellKind kind = CellKind::hole;
  std::string_view reason;  // none, unsupported
};

constexpr OpKind kNoHole = static_cast<OpKind>(kOpKindCount);

constexpr std::array<Family, kOpKindCount> kFamilyOf = [] {
  std::array<Family, kOpKindCount> families{};
  size_t i = 0;
#define SW_OP(kind, mlir, hlo, family, operands, results, traits) families[i++] = Family::family;
#include "ir/ops.def"
#undef SW_OP
  return families;
}();

template <class Fn>
class Column {
 public:
  constexpr void family(Family family, Fn function) {
    for (size_t i = 0; i < kOpKindCount; ++i)
      if (kFamilyOf[i] == family && cells_[i].kind == CellKind::hole) set(i, CellKind::family, function, {});
  }
  constexpr void op(OpKind kind, Fn function) { set(static_cast<size_t>(kind), CellKind::own, function, {}); }
  constexpr void none(OpKind kind, std::string_view reason) {
    set(static_cast<size_t>(kind), CellKind::none, Fn{}, reason);
  }
  constexpr void unsupported(OpKind kind, std::string_view reason) {
    set(static_cast<size_t>(kind), CellKind::unsupported, Fn{}, reason);
  }

  // The first op without an entry, or kNoHole.
  constexpr OpKind first_hole() const {
    for (size_t i = 0; i < kOpKindCount; ++i)
      if (cells_[i].kind == CellKind::hole) return static_cast<OpKind>(i);
    return kNoHole;
  }

  constexpr Fn fn(OpKind kind) const { return fns_[static_cast<size_t>(kind)]; }
  constexpr const Cell& cell(OpKind kind) const { return cells_[static_cast<size_t>(kind)]; }

 private:
  constexpr void set(size_t i, CellKind kind, Fn function, std::string_view reason) {
    cells_[i] = {kind, reason};
    fns_[i] = function;
  }
  std::array<Cell, kOpKindCount> cells_{};
  std::array<Fn, kOpKindCount> fns_{};
};

template <OpKind kKind>
struct MissingRuleFor;
template <>
struct MissingRuleFor<kNoHole> {};

// A column as `shardwright ops` shows it.
struct ColumnCells {
  std::string_view name;
  std::array<Cell, kOpKindCount> cells;
};

template <class Fn>
ColumnCells column_cells(std::string_view name, const Column<Fn>& column) {
  ColumnCells out;
  out.name = name;
  for (size_t i = 0; i < kOpKindCount; ++i) out.cells[i] = column.cell(static_cast<OpKind>(i));
  return out;
}

// The columns of this folder: "factors" and "verify". Later stages have functions of the same shape.
std::vector<ColumnCells> ops_columns();
ColumnCells factors_column_cells();
ColumnCells verify_column_cells();

}  // namespace sw
