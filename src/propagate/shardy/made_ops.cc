// See the header.
#include "propagate/shardy/made_ops.h"

namespace sw::shardy {

uint32_t MadeOps::shape_op(OpKind kind, std::span<const int64_t> in, std::span<const int64_t> out,
                           std::span<const int64_t> broadcast_dimensions) {
  std::vector<int64_t> key{static_cast<int64_t>(kind), static_cast<int64_t>(in.size())};
  for (const auto list : {in, out, broadcast_dimensions}) key.insert(key.end(), list.begin(), list.end());
  const auto found = known_.find(key);
  if (found != known_.end()) return found->second;
  if (!block_.valid()) block_ = builder_.add_block(builder_.add_region(OpId{}, FunctionId{}));
  const StringId name = builder_.name(facts(kind).mlir);
  // The operand is the result of an op that nobody looks at.
  const TypeId in_type = builder_.types().tensor(ElementType::f32, in);
  const TypeId out_type = builder_.types().tensor(ElementType::f32, out);
  const OpId source = builder_.add_op(
      block_, {OpKind::iota, builder_.name("stablehlo.iota"), {}, std::span(&in_type, 1), {}, {}, {}, {}});
  const ValueId operand = builder_.graph().result(source);
  std::vector<NamedAttr> attrs;
  if (kind == OpKind::broadcast_in_dim) {
    const TypeId element = builder_.types().scalar(ElementType::s64);
    attrs.push_back(
        {builder_.name("broadcast_dimensions"), builder_.attr_table().dense_array(element, broadcast_dimensions)});
  }
  const OpId op =
      builder_.add_op(block_, {kind, name, std::span(&operand, 1), std::span(&out_type, 1), attrs, {}, {}, {}});
  known_.emplace(std::move(key), op.raw);
  return op.raw;
}

}  // namespace sw::shardy
