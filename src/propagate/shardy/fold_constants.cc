#include "propagate/shardy/fold_constants.h"

#include <algorithm>
#include <utility>

#include "ops/dims_listed.h"
#include "ops/dims_slice.h"
#include "propagate/constant_fold.h"

namespace sw::shardy {
namespace {

constexpr int64_t kMostElements = 65'536;

bool is_foldable(OpKind kind) {
  switch (kind) {
    case OpKind::reshape:
    case OpKind::transpose:
    case OpKind::reverse:
    case OpKind::slice:
    case OpKind::concatenate:
    case OpKind::convert:
    case OpKind::compare:
    case OpKind::select:
    case OpKind::add:
    case OpKind::subtract:
    case OpKind::multiply:
    case OpKind::divide:
    case OpKind::remainder:
    case OpKind::maximum:
    case OpKind::minimum:
    case OpKind::and_:
    case OpKind::or_:
    case OpKind::xor_:
    case OpKind::not_:
    case OpKind::negate:
    case OpKind::sign:
    case OpKind::abs: return true;
    default: return false;
  }
}

}  // namespace

ConstantFolder::Kind ConstantFolder::kind_of(WorkValueId value) const {
  const WorkOpId def = ir_.value(value).def;
  if (!def.valid()) return Kind::none;
  const WorkOp& op = ir_.op(def);
  if (op.kind == OpKind::broadcast_in_dim) {
    const WorkOpId source = ir_.value(ir_.operand(def, 0)).def;
    const bool scalar = (ir_.value(ir_.operand(def, 0)).flags & kScalar) != 0;
    return source.valid() && scalar && ir_.op(source).kind == OpKind::sdy_constant ? Kind::splat : Kind::none;
  }
  if (op.kind != OpKind::sdy_constant) return Kind::none;
  if ((op.flags & kFoldedConstant) != 0) return Kind::list;
  if (!op.origin.valid()) return Kind::none;
  const AttrId attr = module_.graph.attr(module_.graph.op(op.origin), "value");
  if (!attr.valid()) return Kind::none;
  const Attr literal = module_.graph.attr_table.get(attr);
  return literal.kind == AttrKind::dense && literal.form == DenseForm::splat ? Kind::splat : Kind::list;
}

std::optional<Literal> ConstantFolder::literal_of(WorkValueId value) const {
  const WorkOpId def = ir_.value(value).def;
  const WorkOp& op = ir_.op(def);
  const TypeId type = ir_.value(value).type;
  if (op.kind == OpKind::broadcast_in_dim) {
    std::optional<Literal> one = literal_of(ir_.operand(def, 0));
    if (!one) return std::nullopt;
    const Type t = module_.graph.types.get(type);
    one->dims.assign(t.dims.begin(), t.dims.end());
    one->splat = true;
    return one;
  }
  if ((op.flags & kFoldedConstant) != 0) return module_.folded[op.extra];
  return read_literal(module_.graph, module_.graph.attr(module_.graph.op(op.origin), "value"), type);
}

bool ConstantFolder::can_fold(WorkOpId id) const {
  const WorkOp& op = ir_.op(id);
  if (!is_foldable(op.kind) || op.result_count != 1 || op.operand_count == 0) return false;
  const Type type = module_.graph.types.get(ir_.value(ir_.result(id)).type);
  if (type.rank() == 0 || type.element_count() > kMostElements) return false;
  bool any_list = false;
  for (uint32_t i = 0; i < op.operand_count; ++i) {
    const Kind kind = kind_of(ir_.operand(id, i));
    if (kind == Kind::none) return false;
    any_list = any_list || kind == Kind::list;
  }
  return any_list;
}

void ConstantFolder::fold(WorkOpId id) {
  module_.folded.push_back(compute(id));
  ir_.replace_operands(id, {});
  ir_.op(id).kind = OpKind::sdy_constant;
  ir_.op(id).flags = static_cast<uint8_t>(kPureOp | kFoldedConstant);
  ir_.op(id).extra = static_cast<uint32_t>(module_.folded.size() - 1);
}

std::optional<Literal> ConstantFolder::compute(WorkOpId id) const {
  std::vector<Literal> operands;
  for (uint32_t i = 0; i < ir_.op(id).operand_count; ++i) {
    std::optional<Literal> literal = literal_of(ir_.operand(id, i));
    if (!literal) return std::nullopt;
    operands.push_back(std::move(*literal));
  }
  const Graph& graph = module_.graph;
  const OpId origin = ir_.op(id).origin;
  const bool made = (ir_.op(id).flags & kMadeOp) != 0;
  const Graph& described = made ? module_.made.graph() : graph;
  const OpId source = made ? OpId{static_cast<size_t>(ir_.op(id).extra)} : origin;
  const Type type = graph.types.get(ir_.value(ir_.result(id)).type);
  FoldedOp op;
  op.kind = ir_.op(id).kind;
  op.element = type.element;
  op.shape = type.dims;
  const DimList dims = source.valid() ? listed_dims(described, source, op.kind) : DimList{};
  op.dims = dims;
  if (op.kind == OpKind::slice && (!source.valid() || !read_slice_dims(described, source, op.window)))
    return std::nullopt;
  if (op.kind == OpKind::compare && origin.valid())
    if (const AttrId direction = graph.attr(graph.op(origin), "comparison_direction"); direction.valid())
      op.direction = graph.attr_table.get(direction).text;
  return sw::fold(op, operands);
}

}  // namespace sw::shardy
