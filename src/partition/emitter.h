// Writes the ops of one computation of the local program. Every op of the partitioned program is made here, so this is
// where result types are computed and where values that are constant along a dimension (broadcasts and what is
// elementwise made from them) are remembered: moving such a value between devices can be free.
//
// The local program is HLO: tuples for loops, computations as functions, attributes in the canonical form of
// ir/attrs.h.
#pragma once

#include <initializer_list>
#include <span>
#include <string_view>
#include <vector>

#include "base/small_vector.h"
#include "ir/builder.h"

namespace sw {

using Dims = SmallVector<int64_t, 6>;

struct ArrayShape {
  ElementType element = ElementType::f32;
  Dims dims;
  size_t rank() const { return dims.size(); }
  friend bool operator==(const ArrayShape&, const ArrayShape&) = default;
};

// One dimension of `pad`.
struct PadDim {
  int64_t low = 0, high = 0, interior = 0;
};

class Emitter {
 public:
  // Appends to `block`. `builder` also holds the program being partitioned, so its types and attributes can be used as
  // they are.
  Emitter(GraphBuilder& builder, BlockId block) : builder_(builder), block_(block) {}

  GraphBuilder& builder() { return builder_; }
  const Graph& graph() const { return builder_.graph(); }
  BlockId block() const { return block_; }
  // The op of the source program whose partitioning is being written: new ops take its location.
  void set_visiting(OpId op) { visiting_ = op; }
  OpId visiting() const { return visiting_; }

  // Shape of an array value. Tuples and tokens: see Graph::type_of.
  ArrayShape shape(ValueId value) const;
  Dims dims(ValueId value) const { return shape(value).dims; }
  int64_t dim(ValueId value, size_t i) const { return graph().type_of(value).dims[i]; }
  ElementType element(ValueId value) const { return graph().type_of(value).element; }
  TypeId type(const ArrayShape& shape);

  // Any op with one result.
  ValueId op(OpKind kind, TypeId type, std::span<const ValueId> operands, std::span<const NamedAttr> attrs = {});
  ValueId op(OpKind kind, TypeId type, std::initializer_list<ValueId> operands, std::span<const NamedAttr> attrs = {}) {
    return op(kind, type, std::span<const ValueId>(operands.begin(), operands.size()), attrs);
  }
  // The op `original` with other operands and result type; attributes and regions (computations) are kept, but for the
  // sharding and for attributes that `changed` names.
  ValueId clone(OpId original, TypeId type, std::span<const ValueId> operands, std::span<const NamedAttr> changed = {});

  ValueId scalar(ElementType element, int64_t value);
  // Any number, spelled as in a literal: `-inf`, `false`.
  ValueId scalar_text(ElementType element, std::string_view number);
  ValueId zero(ElementType element) { return scalar(element, 0); }
  ValueId predicate(bool value);
  // 1-d constant.
  ValueId table(ElementType element, std::span<const int64_t> values);
  // table[index] as a scalar; `index` is a scalar integer.
  ValueId table_lookup(ElementType element, std::span<const int64_t> values, ValueId index);

  ValueId partition_id();
  ValueId iota(const ArrayShape& shape, int64_t dim);
  // A scalar broadcast to `shape`.
  ValueId splat(ValueId scalar, const ArrayShape& shape);
  ValueId broadcast(ValueId value, const ArrayShape& shape, std::span<const int64_t> broadcast_dimensions);
  ValueId binary(OpKind kind, ValueId a, ValueId b);
  // direction: "LT", "GE", "EQ", ...
  ValueId compare(std::string_view direction, ValueId a, ValueId b);
  ValueId select(ValueId predicate, ValueId on_true, ValueId on_false);
  ValueId convert(ValueId value, ElementType element);
  ValueId copy(ValueId value);
  ValueId reshape(ValueId value, const Dims& dims);
  ValueId transpose(ValueId value, std::span<const int64_t> permutation);
  ValueId slice(ValueId value, const Dims& starts, const Dims& limits, const Dims& strides);
  // Only dimension `dim` is cut, with stride 1.
  ValueId slice_dim(ValueId value, size_t dim, int64_t start, int64_t limit);
  ValueId pad(ValueId value, ValueId padding_value, std::span<const PadDim> dims);
  ValueId concatenate(std::span<const ValueId> values, int64_t dim);
  ValueId dynamic_slice(ValueId value, std::span<const ValueId> starts, const Dims& sizes);
  ValueId dynamic_update_slice(ValueId value, ValueId update, std::span<const ValueId> starts);
  ValueId tuple(std::span<const ValueId> values);
  ValueId get_tuple_element(ValueId tuple, int64_t index);

  // Dimensions along which `value` is known to be constant, as a bit set (dimensions from 64 on are never reported).
  uint64_t constant_dims(ValueId value) const;

  // Attribute builders in canonical form.
  NamedAttr dims_attr(std::string_view name, std::span<const int64_t> values) {
    return builder_.dims_attr(name, values);
  }
  NamedAttr integer_attr(std::string_view name, int64_t value) { return builder_.integer_attr(name, value); }
  NamedAttr text_attr(std::string_view name, std::string_view text) { return builder_.text_attr(name, text); }

 private:
  void note_constant_dims(ValueId result, OpKind kind, std::span<const ValueId> operands,
                          std::span<const NamedAttr> attrs);

  GraphBuilder& builder_;
  BlockId block_;
  OpId visiting_;
  std::vector<uint64_t> constant_dims_;  // by ValueId, from first_value_ on
  uint32_t first_value_ = 0;
  bool have_first_ = false;
};

}  // namespace sw
