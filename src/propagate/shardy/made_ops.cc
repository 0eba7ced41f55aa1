// See the header.
#include "propagate/shardy/made_ops.h"

#include "ops/dims_listed.h"

namespace sw::shardy {

uint32_t MadeOps::shape_op(OpKind kind, std::span<const int64_t> in, std::span<const int64_t> out,
                           std::span<const int64_t> dims) {
  const std::vector<int64_t> operand[] = {{in.begin(), in.end()}};
  return add(kind, operand, out, dims);
}

uint32_t MadeOps::slice_op(std::span<const int64_t> in, std::span<const int64_t> out, std::span<const int64_t> starts) {
  const std::vector<int64_t> operand[] = {{in.begin(), in.end()}};
  return add(OpKind::slice, operand, out, starts);
}

uint32_t MadeOps::concatenate_op(std::span<const std::vector<int64_t>> pieces, int64_t dim) {
  std::vector<int64_t> out = pieces[0];
  for (size_t i = 1; i < pieces.size(); ++i) out[static_cast<size_t>(dim)] += pieces[i][static_cast<size_t>(dim)];
  const int64_t dims[] = {dim};
  return add(OpKind::concatenate, pieces, out, dims);
}

std::vector<NamedAttr> MadeOps::attributes(OpKind kind, std::span<const int64_t> out, std::span<const int64_t> dims) {
  const TypeId element = builder_.types().scalar(ElementType::s64);
  if (kind == OpKind::slice) {
    std::vector<int64_t> limits;
    for (size_t d = 0; d < out.size(); ++d) limits.push_back(dims[d] + out[d]);
    return {builder_.dims_attr("start_indices", dims), builder_.dims_attr("limit_indices", limits),
            builder_.dims_attr("strides", std::vector<int64_t>(out.size(), 1))};
  }
  const ListedDims listed = listed_dims_of(kind);
  if (listed.attribute.empty()) return {};
  const StringId name = builder_.name(listed.attribute);
  if (listed.single) return {{name, builder_.attr_table().integer(dims[0], element)}};
  return {{name, builder_.attr_table().dense_array(element, dims)}};
}

uint32_t MadeOps::add(OpKind kind, std::span<const std::vector<int64_t>> in, std::span<const int64_t> out,
                      std::span<const int64_t> dims) {
  std::vector<int64_t> key{static_cast<int64_t>(kind), static_cast<int64_t>(in.size())};
  for (const std::vector<int64_t>& shape : in) {
    key.push_back(static_cast<int64_t>(shape.size()));
    key.insert(key.end(), shape.begin(), shape.end());
  }
  for (const auto list : {out, dims}) key.insert(key.end(), list.begin(), list.end());
  const auto found = known_.find(key);
  if (found != known_.end()) return found->second;
  if (!block_.valid()) block_ = builder_.add_block(builder_.add_region(OpId{}, FunctionId{}));
  // The operands are results of ops that nobody looks at.
  std::vector<ValueId> operands;
  for (const std::vector<int64_t>& shape : in) {
    const TypeId type = builder_.types().tensor(ElementType::f32, shape);
    const OpId source = builder_.add_op(
        block_, {OpKind::iota, builder_.name("stablehlo.iota"), {}, std::span(&type, 1), {}, {}, {}, {}});
    operands.push_back(builder_.graph().result(source));
  }
  const TypeId out_type = builder_.types().tensor(ElementType::f32, out);
  const std::vector<NamedAttr> attrs = attributes(kind, out, dims);
  const OpId op = builder_.add_op(
      block_, {kind, builder_.name(facts(kind).mlir), operands, std::span(&out_type, 1), attrs, {}, {}, {}});
  known_.emplace(std::move(key), op.raw);
  return op.raw;
}

}  // namespace sw::shardy
