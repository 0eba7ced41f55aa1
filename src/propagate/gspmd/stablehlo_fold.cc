// The values of constants, and of ops on them.
#include <string>

#include "propagate/constant_fold.h"
#include "propagate/gspmd/stablehlo_simplify.h"

namespace sw::gspmd {

std::optional<Literal> Simplifier::literal_of(uint32_t value) const {
  const StableNode* node = function_.def(value);
  if (node == nullptr || node->kind != OpKind::constant) return std::nullopt;
  const TypeId type = function_.values[value].type;
  if (!node->splat.valid()) return read_literal(graph_, node->literal, type);
  const Type t = graph_.types.get(type);
  Literal splat;
  splat.element = t.element;
  splat.dims.assign(t.dims.begin(), t.dims.end());
  splat.splat = true;
  if (node->number) {
    splat.whole = {wrapped(*node->number, t.element)};
  } else if (node->real) {
    splat.real = {*node->real};
  } else {
    if (graph_.strings.text(node->splat).starts_with(kComputed)) return std::nullopt;
    const std::string text(graph_.strings.text(node->splat));
    return read_literal(graph_, graph_.attr_table.splat(type, text), type);
  }
  return splat;
}

// The value of the node at hand, all of whose operands are constants; nothing where it cannot be told.
std::optional<Literal> Simplifier::folded(const StableNode& node) const {
  std::vector<Literal> operands;
  for (const uint32_t operand : node.operands) {
    std::optional<Literal> literal = literal_of(operand);
    if (!literal) return std::nullopt;
    operands.push_back(std::move(*literal));
  }
  const Type type = graph_.types.get(function_.values[node.first_result].type);
  if (!type.is_static()) return std::nullopt;
  FoldedOp op;
  op.kind = node.kind;
  op.element = type.element;
  op.shape = type.dims;
  op.dims = node.dims;
  if (node.kind == OpKind::compare)
    if (const AttrId direction = direction_of(node); direction.valid())
      op.direction = graph_.attr_table.get(direction).text;
  if (node.kind == OpKind::slice) op.window = window_of(node).value_or(SliceDims{});
  return fold(op, operands);
}

}  // namespace sw::gspmd
