#include "partition/backend/promote.h"

#include <map>

namespace sw {

namespace {

// The same reduction of two scalars in another type.
RegionId reduction_in(Rewrite& rewrite, OpId op, OpKind kind, ElementType element) {
  GraphBuilder& builder = rewrite.builder();
  const RegionId original = rewrite.graph().regions(rewrite.graph().op(op))[0];
  Function function = rewrite.graph().function(rewrite.graph().region(original).function);
  function.name = builder.name(std::string(builder.strings().text(function.name)) + "_promoted");
  const TypeId scalar = builder.types().tensor(element, {});
  const TypeId inputs[] = {scalar, scalar};
  function.type = builder.types().function(inputs, std::span(inputs, 1));
  const FunctionId id = builder.add_function(function);
  const RegionId region = builder.add_region({}, id);
  builder.function(id).body = region;
  const BlockId block = builder.add_block(region);
  const ValueId a = builder.add_arg(block, scalar, builder.name("x"));
  const ValueId b = builder.add_arg(block, scalar, builder.name("y"));
  const ValueId operands[] = {a, b};
  GraphBuilder::OpSpec spec;
  spec.kind = kind;
  spec.name = builder.name(facts(kind).hlo);
  spec.operands = operands;
  spec.result_types = std::span(&scalar, 1);
  const ValueId result = rewrite.graph().result(builder.add_op(block, spec));
  GraphBuilder::OpSpec end;
  end.kind = OpKind::func_return;
  end.name = builder.name(facts(OpKind::func_return).mlir);
  end.operands = std::span(&result, 1);
  builder.add_op(block, end);
  return region;
}

TypeId with_element(Rewrite& rewrite, ValueId value, ElementType element) {
  const SmallVector<int64_t, 6> dims(rewrite.shape(value).dims);
  return rewrite.builder().types().tensor(element, dims);
}

}  // namespace

void promote_reductions(Rewrite& rewrite, std::span<const std::pair<ElementType, ElementType>> promoted) {
  std::map<std::pair<OpKind, ElementType>, RegionId> reductions;
  for (FunctionId computation : rewrite.computations()) {
    for (OpId op : rewrite.post_order(computation)) {
      const OpKind kind = rewrite.graph().op(op).kind;
      if (kind != OpKind::all_reduce && kind != OpKind::reduce_scatter) continue;
      const ValueId result = rewrite.result(op);
      const auto reduction = reduction_kind(rewrite.graph(), rewrite.graph().op(op));
      if (!reduction || !rewrite.shape(result).is_array() || rewrite.graph().operands(op).size() != 1) continue;
      const ElementType narrow = rewrite.shape(result).element;
      for (const auto& [from, to] : promoted) {
        if (from != narrow) continue;
        const TypeId type = rewrite.type(result);
        const ValueId operand = rewrite.operand(op);
        const ValueId wide_operand = rewrite.add(op, OpKind::convert, with_element(rewrite, operand, to), {operand});
        const ValueId wide = rewrite.clone(op, with_element(rewrite, result, to), std::span(&wide_operand, 1));
        RegionId& region = reductions[{*reduction, to}];
        if (!region.valid()) region = reduction_in(rewrite, op, *reduction, to);
        rewrite.builder().set_regions(rewrite.def(wide), std::span(&region, 1));
        rewrite.replace(op, rewrite.add(op, OpKind::convert, type, {wide}));
        break;
      }
    }
  }
}

}  // namespace sw
