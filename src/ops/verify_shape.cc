// Ops that rearrange elements: the result's shape follows from the operand's and the attributes.
#include "base/checked_math.h"
#include "ops/dims_reshape.h"
#include "ops/dims_slice.h"
#include "ops/verify_check.h"

namespace sw {

namespace {

bool check_result(const OpCheck& check, std::span<const int64_t> expected) {
  if (!same_dims(check.result().dims, expected))
    return check.mismatch("the result has shape " + dims_text(check.result().dims) + ", expected " +
                          dims_text(expected));
  return check.elements(check.operand(0), check.result(), "operand and result");
}

// The number of elements, or nothing when it is not known or exceeds 64 bits.
bool element_count(const Type& type, int64_t& count) {
  count = 1;
  if (!type.is_static()) return false;
  for (int64_t d : type.dims)
    if (d == 0) return count = 0, true;
  for (int64_t d : type.dims) {
    const auto product = checked_mul(count, d);
    if (!product) return false;
    count = *product;
  }
  return true;
}

}  // namespace

// Nothing but arrays: ops whose shapes are computed when the program runs.
bool verify_arrays(const OpCheck& check) { return check.arrays(); }

bool verify_bitcast_convert(const OpCheck& check) {
  if (!check.arrays()) return false;
  const Type from = check.operand(0), to = check.result();
  const int64_t from_bits = bits(from.element), to_bits = bits(to.element);
  const bool narrows = from_bits > to_bits;
  // bitcast_convert_c1: the narrower side has one more dimension of size the ratio.
  const auto longer = narrows ? to.dims : from.dims;
  const auto shorter = narrows ? from.dims : to.dims;
  // i1 counts as one bit here and is stored as eight: either reading is let pass.
  const bool vague =
      from.element == ElementType::pred || to.element == ElementType::pred || from_bits == 0 || to_bits == 0;
  if (from.rank() == to.rank() && (from_bits == to_bits || vague)) {
    if (same_dims(from.dims, to.dims)) return true;
  } else if (longer.size() == shorter.size() + 1 && same_dims(longer.first(shorter.size()), shorter)) {
    const int64_t wide = std::max(from_bits, to_bits), narrow = std::min(from_bits, to_bits);
    if (vague || (wide % narrow == 0 && same_size(longer.back(), wide / narrow))) return true;
  }
  return check.mismatch(check.text(check.operand_id(0)) + " cannot be read as " + check.text(check.result_id()));
}

bool verify_broadcast(const OpCheck& check) {
  if (!check.arrays()) return false;
  DimList expected;
  std::string why;
  AttrReader attrs(check.graph, check.op, &why);
  if (!attrs.ints("broadcast_sizes", expected)) return check.bad_attribute(why);
  const auto from = check.operand(0).dims;
  expected.append(from.begin(), from.end());
  return check_result(check, expected);
}

bool verify_broadcast_in_dim(const OpCheck& check) {
  if (!check.arrays()) return false;
  DimList map;
  std::string why;
  if (!read_broadcast_dims(check.graph, check.id, map, &why)) return check.bad_attribute(why);
  const Type from = check.operand(0), to = check.result();
  for (size_t d = 0; d < map.size(); ++d) {
    const int64_t size = from.dims[d], result_size = to.dims[static_cast<size_t>(map[d])];
    if (size != 1 && !same_size(size, result_size))  // broadcast_in_dim_c5
      return check.mismatch("dimension " + std::to_string(d) + " of size " + std::to_string(size) +
                            " cannot become dimension " + std::to_string(map[d]) + " of size " +
                            std::to_string(result_size));
  }
  return check.elements(from, to, "operand and result");  // broadcast_in_dim_c1
}

bool verify_reshape(const OpCheck& check) {
  if (!check.arrays()) return false;
  int64_t from = 0, to = 0;
  const bool from_known = element_count(check.operand(0), from), to_known = element_count(check.result(), to);
  if (from_known && to_known && from != to)  // reshape_c2
    return check.mismatch("the operand " + check.text(check.operand_id(0)) + " has " + std::to_string(from) +
                          " elements, the result " + check.text(check.result_id()) + " has " + std::to_string(to));
  if (check.operand(0).is_static() && check.result().is_static() && !(from_known && to_known))
    return check.mismatch("the number of elements does not fit into 64 bits");
  return check.elements(check.operand(0), check.result(), "operand and result");
}

bool verify_transpose(const OpCheck& check) {
  if (!check.arrays()) return false;
  DimList permutation, expected;
  std::string why;
  if (!read_transpose_dims(check.graph, check.id, permutation, &why)) return check.bad_attribute(why);
  for (int64_t d : permutation) expected.push_back(check.operand(0).dims[static_cast<size_t>(d)]);
  return check_result(check, expected);  // transpose_c3
}

bool verify_reverse(const OpCheck& check) {
  if (!check.arrays()) return false;
  DimList dims;
  std::string why;
  if (!read_reverse_dims(check.graph, check.id, dims, &why)) return check.bad_attribute(why);
  return check_result(check, check.operand(0).dims);
}

bool verify_slice(const OpCheck& check) {
  if (!check.arrays()) return false;
  SliceDims dims;
  std::string why;
  if (!read_slice_dims(check.graph, check.id, dims, &why)) return check.bad_attribute(why);
  DimList expected;
  for (size_t d = 0; d < dims.start.size(); ++d)
    expected.push_back(ceil_div(dims.limit[d] - dims.start[d], dims.strides[d]));
  return check_result(check, expected);  // slice_c5
}

bool verify_pad(const OpCheck& check) {
  if (!check.arrays()) return false;
  PadDims dims;
  std::string why;
  if (!read_pad_dims(check.graph, check.id, dims, &why)) return check.bad_attribute(why);
  if (!check.scalar(check.operand(1), "the padding value") ||
      !check.elements(check.operand(0), check.operand(1), "operand and padding value"))
    return false;
  const auto from = check.operand(0).dims;
  DimList expected;
  for (size_t d = 0; d < from.size(); ++d) {
    if (from[d] == kDynamic) {
      expected.push_back(kDynamic);
      continue;
    }
    const auto between = checked_mul(std::max<int64_t>(from[d] - 1, 0), dims.interior[d]);
    const auto inner = between ? checked_add(from[d], *between) : std::nullopt;
    const auto low = inner ? checked_add(*inner, dims.low[d]) : std::nullopt;
    const auto whole = low ? checked_add(*low, dims.high[d]) : std::nullopt;
    if (!whole || *whole < 0)
      return check.bad_attribute("the padded size of dimension " + std::to_string(d) +
                                 " is below 0 or too large for 64 bits");
    expected.push_back(*whole);
  }
  return check_result(check, expected);  // pad_c4
}

bool verify_concatenate(const OpCheck& check) {
  if (check.operands.empty()) return check.invalid("no operands, expected at least one");  // concatenate_c3
  if (!check.arrays()) return false;
  int64_t joined = 0;
  std::string why;
  if (!read_concatenate_dim(check.graph, check.id, joined, &why)) return check.bad_attribute(why);
  const Type first = check.operand(0);
  DimList expected(first.dims);
  const size_t dim = static_cast<size_t>(joined);
  for (size_t i = 1; i < check.operands.size(); ++i) {
    const Type type = check.operand(i);
    if (!check.elements(first, type, "the operands")) return false;  // concatenate_c1
    DimList masked(type.dims);
    if (masked.size() == expected.size()) masked[dim] = expected[dim];
    if (!same_dims(masked, expected))  // concatenate_c2
      return check.mismatch("operand " + std::to_string(i) + " has shape " + dims_text(type.dims) + ", operand 0 " +
                            dims_text(first.dims) + ", expected equal sizes but in dimension " +
                            std::to_string(joined));
    if (type.dims[dim] == kDynamic || expected[dim] == kDynamic) {
      expected[dim] = kDynamic;
    } else {
      const auto sum = checked_add(expected[dim], type.dims[dim]);
      if (!sum) return check.mismatch("the size of the joined dimension does not fit into 64 bits");
      expected[dim] = *sum;
    }
  }
  return check_result(check, expected);  // concatenate_c6
}

bool verify_iota(const OpCheck& check) {
  if (!check.arrays()) return false;
  int64_t dim = 0;
  std::string why;
  return read_iota_dim(check.graph, check.id, dim, &why) || check.bad_attribute(why);  // iota_c1
}

bool verify_constant(const OpCheck& check) {
  const Type result = check.result();
  if (check.is_hlo()) return true;
  if (!result.is_array() || !result.is_static())
    return check.mismatch("the result is " + check.text(check.result_id()) + ", expected a tensor of static shape");
  for (const NamedAttr& named : check.graph.attrs(check.op)) {
    if (check.graph.strings.text(named.name) != "value") continue;
    const Attr value = check.graph.attr_table.get(named.value);
    if (value.kind == AttrKind::dense && value.type.valid() && value.type != check.result_id() &&
        !same_dims(check.graph.types.get(value.type).dims, result.dims))  // constant_c1
      return check.mismatch("the value is " + check.text(value.type) + ", the result " + check.text(check.result_id()));
    return true;
  }
  return check.bad_attribute("attribute `value` is missing");
}

}  // namespace sw
