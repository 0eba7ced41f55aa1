#include "partition/emitter.h"

#include <algorithm>
#include <string>

#include "base/check.h"

namespace sw {

ArrayShape Emitter::shape(ValueId value) const {
  const Type type = graph().type_of(value);
  return {type.element, Dims(type.dims)};
}

TypeId Emitter::type(const ArrayShape& shape) { return builder_.types().tensor(shape.element, shape.dims); }

ValueId Emitter::op(OpKind kind, TypeId type, std::span<const ValueId> operands, std::span<const NamedAttr> attrs) {
  GraphBuilder::OpSpec spec;
  spec.kind = kind;
  spec.name = builder_.name(facts(kind).hlo);
  spec.operands = operands;
  spec.result_types = std::span(&type, 1);
  spec.attrs = attrs;
  if (visiting_.valid()) {
    const Op& original = graph().op(visiting_);
    spec.loc = original.loc;
    spec.where = original.where;
  }
  const OpId id = builder_.add_op(block_, spec);
  const ValueId result = graph().result(id);
  note_constant_dims(result, kind, operands, attrs);
  return result;
}

ValueId Emitter::clone(OpId original, TypeId type, std::span<const ValueId> operands,
                       std::span<const NamedAttr> changed) {
  const Op source = graph().op(original);
  const std::vector<RegionId> regions(graph().regions(source).begin(), graph().regions(source).end());
  const StringId sharding = builder_.name("mhlo.sharding");
  std::vector<NamedAttr> attrs;
  for (NamedAttr attr : graph().attrs(source)) {
    if (attr.name == sharding) continue;
    for (const NamedAttr& c : changed)
      if (c.name == attr.name) attr.value = c.value;
    attrs.push_back(attr);
  }
  for (const NamedAttr& c : changed)
    if (!Graph::find(attrs, c.name).valid()) attrs.push_back(c);
  const ValueId result = op(source.kind, type, operands, attrs);
  const OpId id = graph().value(result).def;
  if (!regions.empty()) builder_.set_regions(id, regions);
  return result;
}

ValueId Emitter::scalar_text(ElementType element, std::string_view number) {
  const TypeId type = this->type({element, {}});
  const NamedAttr named{builder_.name("value"), builder_.attr_table().splat(type, number)};
  return op(OpKind::constant, type, {}, std::span(&named, 1));
}

ValueId Emitter::scalar(ElementType element, int64_t value) {
  std::string text = std::to_string(value);
  if (element == ElementType::pred) text = value != 0 ? "true" : "false";
  if (is_floating(element)) text += ".000000e+00";
  if (is_complex(element)) text = "(" + text + ".000000e+00,0.000000e+00)";
  return scalar_text(element, text);
}

ValueId Emitter::predicate(bool value) { return scalar(ElementType::pred, value ? 1 : 0); }

ValueId Emitter::table(ElementType element, std::span<const int64_t> values) {
  const TypeId type = this->type({element, Dims{static_cast<int64_t>(values.size())}});
  Attr attr;
  attr.kind = AttrKind::dense;
  attr.type = type;
  std::string text = "[";
  for (size_t i = 0; i < values.size(); ++i) text += (i > 0 ? ", " : "") + std::to_string(values[i]);
  text += "]";
  attr.form = DenseForm::list;
  attr.text = text;
  const NamedAttr named{builder_.name("value"), builder_.attr_table().intern(attr)};
  return op(OpKind::constant, type, {}, std::span(&named, 1));
}

ValueId Emitter::table_lookup(ElementType element, std::span<const int64_t> values, ValueId index) {
  if (std::all_of(values.begin(), values.end(), [&](int64_t v) { return v == values[0]; }))
    return scalar(element, values[0]);
  const ValueId all = table(element, values);
  const ValueId one = dynamic_slice(all, std::span(&index, 1), Dims{1});
  return reshape(one, {});
}

ValueId Emitter::partition_id() { return op(OpKind::partition_id, type({ElementType::u32, {}}), {}); }

ValueId Emitter::iota(const ArrayShape& shape, int64_t dim) {
  const NamedAttr attr = integer_attr("iota_dimension", dim);
  return op(OpKind::iota, type(shape), {}, std::span(&attr, 1));
}

ValueId Emitter::splat(ValueId scalar, const ArrayShape& shape) { return broadcast(scalar, shape, {}); }

ValueId Emitter::broadcast(ValueId value, const ArrayShape& shape, std::span<const int64_t> broadcast_dimensions) {
  const NamedAttr attr = dims_attr("broadcast_dimensions", broadcast_dimensions);
  return op(OpKind::broadcast_in_dim, type(shape), {value}, std::span(&attr, 1));
}

ValueId Emitter::binary(OpKind kind, ValueId a, ValueId b) { return op(kind, graph().value(a).type, {a, b}); }

ValueId Emitter::compare(std::string_view direction, ValueId a, ValueId b) {
  Attr attr;
  attr.kind = AttrKind::enum_;
  attr.text = direction;
  attr.name = "stablehlo<comparison_direction";
  const NamedAttr named{builder_.name("comparison_direction"), builder_.attr_table().intern(attr)};
  return op(OpKind::compare, type({ElementType::pred, dims(a)}), {a, b}, std::span(&named, 1));
}

ValueId Emitter::select(ValueId predicate, ValueId on_true, ValueId on_false) {
  return op(OpKind::select, graph().value(on_true).type, {predicate, on_true, on_false});
}

ValueId Emitter::convert(ValueId value, ElementType to) {
  if (element(value) == to) return value;
  return op(OpKind::convert, type({to, dims(value)}), {value});
}

ValueId Emitter::copy(ValueId value) { return op(OpKind::copy, graph().value(value).type, {value}); }

ValueId Emitter::reshape(ValueId value, const Dims& dims) {
  return op(OpKind::reshape, type({element(value), dims}), {value});
}

ValueId Emitter::transpose(ValueId value, std::span<const int64_t> permutation) {
  const Dims from = dims(value);
  Dims to;
  for (int64_t p : permutation) to.push_back(from[static_cast<size_t>(p)]);
  const NamedAttr attr = dims_attr("permutation", permutation);
  return op(OpKind::transpose, type({element(value), to}), {value}, std::span(&attr, 1));
}

ValueId Emitter::slice(ValueId value, const Dims& starts, const Dims& limits, const Dims& strides) {
  Dims sizes;
  for (size_t i = 0; i < starts.size(); ++i) sizes.push_back((limits[i] - starts[i] + strides[i] - 1) / strides[i]);
  const NamedAttr attrs[] = {dims_attr("start_indices", starts), dims_attr("limit_indices", limits),
                             dims_attr("strides", strides)};
  return op(OpKind::slice, type({element(value), sizes}), {value}, attrs);
}

ValueId Emitter::slice_dim(ValueId value, size_t dim, int64_t start, int64_t limit) {
  Dims limits = dims(value);
  if (start == 0 && limit == limits[dim]) return value;
  Dims starts(limits.size(), 0);
  const Dims strides(limits.size(), 1);
  starts[dim] = start;
  limits[dim] = limit;
  return slice(value, starts, limits, strides);
}

ValueId Emitter::pad(ValueId value, ValueId padding_value, std::span<const PadDim> padding) {
  Dims to = dims(value);
  Dims low, high, interior;
  bool trivial = true;
  for (size_t i = 0; i < to.size(); ++i) {
    const PadDim& p = padding[i];
    trivial = trivial && p.low == 0 && p.high == 0 && p.interior == 0;
    to[i] = p.low + p.high + (to[i] == 0 ? 0 : to[i] + (to[i] - 1) * p.interior);
    low.push_back(p.low);
    high.push_back(p.high);
    interior.push_back(p.interior);
  }
  if (trivial) return value;
  const NamedAttr attrs[] = {dims_attr("edge_padding_low", low), dims_attr("edge_padding_high", high),
                             dims_attr("interior_padding", interior)};
  return op(OpKind::pad, type({element(value), to}), {value, padding_value}, attrs);
}

ValueId Emitter::concatenate(std::span<const ValueId> values, int64_t dim) {
  if (values.size() == 1) return values[0];
  ArrayShape to = shape(values[0]);
  for (ValueId v : values.subspan(1)) to.dims[static_cast<size_t>(dim)] += this->dim(v, static_cast<size_t>(dim));
  const NamedAttr attr = integer_attr("dimension", dim);
  return op(OpKind::concatenate, type(to), values, std::span(&attr, 1));
}

ValueId Emitter::dynamic_slice(ValueId value, std::span<const ValueId> starts, const Dims& sizes) {
  std::vector<ValueId> operands{value};
  operands.insert(operands.end(), starts.begin(), starts.end());
  const NamedAttr attr = dims_attr("slice_sizes", sizes);
  return op(OpKind::dynamic_slice, type({element(value), sizes}), operands, std::span(&attr, 1));
}

ValueId Emitter::dynamic_update_slice(ValueId value, ValueId update, std::span<const ValueId> starts) {
  std::vector<ValueId> operands{value, update};
  operands.insert(operands.end(), starts.begin(), starts.end());
  return op(OpKind::dynamic_update_slice, graph().value(value).type, operands);
}

ValueId Emitter::tuple(std::span<const ValueId> values) {
  std::vector<TypeId> types;
  for (ValueId v : values) types.push_back(graph().value(v).type);
  const TypeId type = builder_.types().tuple(types);
  return op(OpKind::tuple, type, values);
}

ValueId Emitter::get_tuple_element(ValueId tuple, int64_t index) {
  const TypeId type = graph().type_of(tuple).elements[static_cast<size_t>(index)];
  const NamedAttr attr = integer_attr("index", index);
  return op(OpKind::get_tuple_element, type, {tuple}, std::span(&attr, 1));
}

uint64_t Emitter::constant_dims(ValueId value) const {
  if (!have_first_ || value.raw < first_value_ || value.raw - first_value_ >= constant_dims_.size()) return 0;
  return constant_dims_[value.raw - first_value_];
}

namespace {

uint64_t bit(size_t i) { return i < 64 ? uint64_t{1} << i : 0; }

// A target dimension is constant when every source dimension that it takes a part of is. Nothing is known when the two
// shapes do not factor into one another ((4,6) -> (6,4)) or one of them ends early (trailing dimensions of size 1).
uint64_t constant_dims_of_reshape(uint64_t from_constant, std::span<const int64_t> from, std::span<const int64_t> to) {
  uint64_t result = 0;
  for (size_t j = 0; j < to.size(); ++j) result |= bit(j);
  size_t i = 0, j = 0;
  int64_t left = from.empty() ? 1 : from[0], wanted = to.empty() ? 1 : to[0];
  while (i < from.size() && j < to.size()) {
    if ((from_constant & bit(i)) == 0) result &= ~bit(j);
    const bool same = left == wanted;
    if (same || (wanted != 0 && left % wanted == 0)) {
      left = same ? 0 : left / wanted;
      if (++j < to.size()) wanted = to[j];
      if (same && ++i < from.size()) left = from[i];
    } else if (left != 0 && wanted % left == 0) {
      wanted /= left;
      if (++i < from.size()) left = from[i];
    } else {
      return 0;
    }
  }
  return i == from.size() && j == to.size() ? result : 0;
}

}  // namespace

// A dimension of a result is constant when it is new in a broadcast, or constant in every operand of an elementwise op,
// or carried by transpose, reshape, slice, or by pad where nothing is added.
void Emitter::note_constant_dims(ValueId result, OpKind kind, std::span<const ValueId> operands,
                                 std::span<const NamedAttr> attrs) {
  const Type type = graph().type_of(result);
  if (!type.is_array() || operands.empty()) return;
  uint64_t dims = 0;
  const auto integers = [&](std::string_view name) {
    const AttrId attr = Graph::find(attrs, graph().strings.find(name));
    return attr.valid() ? graph().attr_table.get(attr).integers : std::span<const int64_t>{};
  };
  if (kind == OpKind::broadcast_in_dim) {
    for (size_t i = 0; i < type.rank(); ++i) dims |= bit(i);
    for (int64_t d : integers("broadcast_dimensions")) dims &= ~bit(static_cast<size_t>(d));
  } else if (facts(kind).family == Family::pointwise || kind == OpKind::copy) {
    dims = ~uint64_t{0};
    for (ValueId operand : operands) dims &= constant_dims(operand);  // a scalar predicate or bound ends it
  } else if (kind == OpKind::transpose) {
    const uint64_t from = constant_dims(operands[0]);
    const auto permutation = integers("permutation");
    for (size_t i = 0; i < permutation.size(); ++i)
      if ((from & bit(static_cast<size_t>(permutation[i]))) != 0) dims |= bit(i);
  } else if (kind == OpKind::reshape) {
    dims = constant_dims_of_reshape(constant_dims(operands[0]), graph().type_of(operands[0]).dims, type.dims);
  } else if (kind == OpKind::slice || kind == OpKind::dynamic_slice) {
    dims = constant_dims(operands[0]);
  } else if (kind == OpKind::pad) {
    const auto low = integers("edge_padding_low"), high = integers("edge_padding_high"),
               interior = integers("interior_padding");
    for (size_t i = 0; i < low.size(); ++i)
      if (low[i] == 0 && high[i] == 0 && interior[i] == 0) dims |= constant_dims(operands[0]) & bit(i);
  }
  if (dims == 0) return;
  if (!have_first_) {
    first_value_ = result.raw;
    have_first_ = true;
  }
  if (constant_dims_.size() <= result.raw - first_value_) constant_dims_.resize(result.raw - first_value_ + 1, 0);
  constant_dims_[result.raw - first_value_] = dims;
}

}  // namespace sw
