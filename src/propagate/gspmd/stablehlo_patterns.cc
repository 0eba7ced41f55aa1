// The patterns, op by op. Each comment shows what becomes of what.
#include <algorithm>
#include <numeric>

#include "ops/dims_gather_scatter.h"
#include "ops/dims_listed.h"
#include "ops/dims_slice.h"
#include "propagate/gspmd/stablehlo_simplify.h"

namespace sw::gspmd {
namespace {

bool all_zero(std::span<const int64_t> list) {
  return std::all_of(list.begin(), list.end(), [](int64_t v) { return v == 0; });
}

bool commutes(OpKind kind) {
  switch (kind) {
    case OpKind::add:
    case OpKind::and_:
    case OpKind::maximum:
    case OpKind::minimum:
    case OpKind::multiply:
    case OpKind::or_:
    case OpKind::xor_: return true;
    default: return false;
  }
}

}  // namespace

bool Simplifier::simplify_node(uint32_t id) {
  switch (function_.nodes[id].kind) {
    case OpKind::constant: return unique_constant(id);
    case OpKind::broadcast_in_dim: return simplify_broadcast(id);
    case OpKind::reshape: return simplify_reshape(id);
    case OpKind::transpose: return simplify_transpose(id);
    case OpKind::add:
    case OpKind::subtract:
    case OpKind::multiply:
    case OpKind::and_:
    case OpKind::or_:
    case OpKind::xor_:
    case OpKind::maximum:
    case OpKind::minimum:
    case OpKind::divide:
    case OpKind::remainder: return simplify_binary(id);
    case OpKind::compare: return simplify_compare(id);
    case OpKind::select: return simplify_select(id);
    case OpKind::convert:
    case OpKind::negate:
    case OpKind::not_:
    case OpKind::abs:
    case OpKind::sign:
    case OpKind::sqrt:
    case OpKind::rsqrt:
    case OpKind::exponential:
    case OpKind::log:
    case OpKind::logistic:
    case OpKind::sine:
    case OpKind::cosine:
    case OpKind::tan:
    case OpKind::tanh:
    case OpKind::round_nearest_afz:
    case OpKind::round_nearest_even:
    case OpKind::real:
    case OpKind::imag: return simplify_unary(id);
    case OpKind::reverse: return simplify_reverse(id);
    case OpKind::slice: return simplify_slice(id);
    case OpKind::dynamic_slice: return simplify_dynamic_slice(id);
    case OpKind::dynamic_update_slice: return simplify_dynamic_update(id);
    case OpKind::concatenate: return simplify_concatenate(id);
    case OpKind::pad: return simplify_pad(id);
    case OpKind::gather: return simplify_gather(id);
    case OpKind::iota: return simplify_iota(id);
    case OpKind::reduce: return simplify_reduce(id);
    case OpKind::while_: return simplify_while(id);
    case OpKind::case_: return simplify_case(id);
    default: return false;
  }
}

// broadcast_in_dim(splat) -> splat; (x : same type) -> x; (broadcast_in_dim(x)) -> broadcast_in_dim(x), the inner one
// being none that is a reshape; then, same elements in order -> reshape; same elements -> transpose.
bool Simplifier::simplify_broadcast(uint32_t id) {
  const StableNode& node = function_.nodes[id];
  const uint32_t operand = node.operands[0], result = node.first_result;
  const DimList dims = node.dims;
  if (is_splat(operand)) return become_splat(id, *function_.def(operand));
  if (function_.values[operand].type == function_.values[result].type && counts_up(dims)) return replace(id, operand);
  if (const StableNode* inner = def_of_kind(operand, OpKind::broadcast_in_dim)) {
    DimList merged;
    for (const int64_t d : inner->dims) merged.push_back(dims[static_cast<size_t>(d)]);
    const uint32_t source = inner->operands[0];
    become(id, OpKind::broadcast_in_dim, {source}, merged);
    simplify_broadcast(id);
    return true;
  }
  if (product(dims_of(operand)) != product(dims_of(result))) return false;
  if (std::is_sorted(dims.begin(), dims.end())) {
    become(id, OpKind::reshape, {operand}, {});
    simplify_reshape(id);
    return true;
  }
  if (dims_of(operand).size() != dims_of(result).size()) return false;
  DimList inverse(dims.size(), 0);
  for (size_t i = 0; i < dims.size(); ++i) inverse[static_cast<size_t>(dims[i])] = static_cast<int64_t>(i);
  return become(id, OpKind::transpose, {operand}, inverse);
}

// reshape(constant) -> constant; (x : same type) -> x; (reshape(x)) -> reshape(x).
bool Simplifier::simplify_reshape(uint32_t id) {
  const uint32_t operand = function_.nodes[id].operands[0], result = function_.nodes[id].first_result;
  if (is_splat(operand)) return become_splat(id, *function_.def(operand));
  if (is_constant(operand)) return become_some_constant(id);
  if (function_.values[operand].type == function_.values[result].type) return replace(id, operand);
  if (const StableNode* inner = def_of_kind(operand, OpKind::reshape)) {
    const uint32_t source = inner->operands[0];
    if (function_.values[source].type == function_.values[result].type) return replace(id, source);
    return become(id, OpKind::reshape, {source}, {});
  }
  return false;
}

// transpose(constant) -> constant; (x, identity) -> x; (transpose(x)) -> transpose(x); only dimensions of 1 move ->
// reshape.
bool Simplifier::simplify_transpose(uint32_t id) {
  const uint32_t operand = function_.nodes[id].operands[0];
  const DimList dims = function_.nodes[id].dims;
  if (is_splat(operand)) return become_splat(id, *function_.def(operand));
  if (is_constant(operand)) return become_some_constant(id);
  if (counts_up(dims)) return replace(id, operand);
  if (moves_ones_only(dims, dims_of(operand))) {
    become(id, OpKind::reshape, {operand}, {});
    simplify_reshape(id);
    return true;
  }
  if (const StableNode* inner = def_of_kind(operand, OpKind::transpose)) {
    DimList merged;
    for (const int64_t d : dims) merged.push_back(inner->dims[static_cast<size_t>(d)]);
    const uint32_t source = inner->operands[0];
    if (counts_up(merged)) return replace(id, source);
    return become(id, OpKind::transpose, {source}, merged);
  }
  return false;
}

// A whole number with all bits set.
bool Simplifier::all_ones(uint32_t value) const {
  const std::optional<int64_t> number = number_of(value);
  if (!number) return false;
  const ElementType element = element_of(value);
  if (element == ElementType::pred) return *number == 1;
  const int64_t width = bits(element);
  return *number == -1 || (width < 63 && *number == (int64_t{1} << width) - 1);
}

// Both constant -> constant. op(constant, x) -> op(x, constant). x + 0, x - 0, x * 1, x & -1, x | 0, x ^ 0 -> x; x * 0,
// x & 0
// -> 0; x - x, x ^ x -> 0 for integers.
bool Simplifier::simplify_binary(uint32_t id) {
  const StableNode& node = function_.nodes[id];
  const OpKind kind = node.kind;
  const uint32_t a = node.operands[0], b = node.operands[1];
  if (is_constant(a) && is_constant(b)) return become_some_constant(id);
  if (commutes(kind) && is_constant(a)) {
    become(id, kind, {b, a}, {});
    simplify_binary(id);
    return true;
  }
  const bool integer = is_integer(element_of(a)) || element_of(a) == ElementType::pred;
  const bool same = a == b && integer;
  if (same && (kind == OpKind::subtract || kind == OpKind::xor_)) return become_number(id, 0);
  switch (kind) {
    case OpKind::add:
    case OpKind::subtract: return is_value(b, 0) && replace(id, a);
    case OpKind::or_:
      if (all_ones(b)) return replace(id, b);
      return integer && is_value(b, 0) && replace(id, a);
    case OpKind::xor_: return integer && is_value(b, 0) && replace(id, a);
    case OpKind::multiply:
      if (is_value(b, 1)) return replace(id, a);
      return integer && is_value(b, 0) && replace(id, b);
    case OpKind::and_:
      if (is_value(b, 0)) return replace(id, b);
      return all_ones(b) && replace(id, a);
    default: return false;
  }
}

namespace {

std::string_view turned_direction(std::string_view direction) {
  if (direction == "LT") return "GT";
  if (direction == "GT") return "LT";
  if (direction == "LE") return "GE";
  return direction == "GE" ? "LE" : direction;
}

}  // namespace

AttrId Simplifier::direction_of(const StableNode& node) const {
  const StringId name = graph_.strings.find("comparison_direction");
  const AttrId made = name.valid() ? Graph::find(node.made, name) : AttrId{};
  return made.valid() || !node.op.valid() ? made : graph_.attr(graph_.op(node.op), "comparison_direction");
}

// Of integers and predicates: compare(x, x) -> constant; compare(constant, x) -> compare(x, constant).
bool Simplifier::simplify_compare(uint32_t id) {
  const StableNode& node = function_.nodes[id];
  const uint32_t a = node.operands[0], b = node.operands[1];
  const AttrId attr = direction_of(node);
  const std::string_view direction = attr.valid() ? graph_.attr_table.get(attr).text : std::string_view{};
  const bool integer = is_integer(element_of(a)) || element_of(a) == ElementType::pred;
  if (is_constant(a) && is_constant(b)) return become_some_constant(id);
  if (!integer) return false;
  if (a == b) {
    const bool answer = direction == "EQ" || direction == "GE" || direction == "LE";
    return become_number(id, answer ? 1 : 0);
  }
  if (element_of(a) == ElementType::pred &&
      ((direction == "NE" && number_of(b) == 0) || (direction == "EQ" && number_of(b) == 1))) {
    return replace(id, a);
  }
  if (!is_constant(a) || !attr.valid() || !node.made.empty()) return false;
  // The direction turns round with the operands.
  const std::string turned(turned_direction(direction));
  become(id, OpKind::compare, {b, a}, {});
  Attr changed = graph_.attr_table.get(attr);
  changed.text = turned;
  const std::string name(changed.name);
  changed.name = name;
  function_.nodes[id].made = {{graph_.strings.intern("comparison_direction"), graph_.attr_table.intern(changed)}};
  return true;
}

// select(p, x, x) -> x; select(constant, x, y) -> one of them; select(not(p), x, y) -> select(p, y, x).
bool Simplifier::simplify_select(uint32_t id) {
  const StableNode& node = function_.nodes[id];
  const uint32_t pred = node.operands[0], yes = node.operands[1], no = node.operands[2];
  if (yes == no) return replace(id, yes);
  if (is_splat(pred) && number_of(pred)) return replace(id, *number_of(pred) != 0 ? yes : no);
  if (is_constant(pred) && is_constant(yes) && is_constant(no)) return become_some_constant(id);
  if (const StableNode* inverted = def_of_kind(pred, OpKind::not_)) {
    return become(id, OpKind::select, {inverted->operands[0], no, yes}, {});
  }
  return false;
}

// convert(x : same type) -> x; op(constant) -> constant; real(complex(a, b)) -> a.
bool Simplifier::simplify_unary(uint32_t id) {
  const StableNode& node = function_.nodes[id];
  const uint32_t operand = node.operands[0];
  const OpKind kind = node.kind;
  if (kind == OpKind::real || kind == OpKind::imag) {
    const StableNode* parts = def_of_kind(operand, OpKind::complex);
    return parts != nullptr && replace(id, parts->operands[kind == OpKind::real ? 0 : 1]);
  }
  if (kind == OpKind::convert && function_.values[operand].type == function_.values[node.first_result].type) {
    return replace(id, operand);
  }
  return is_constant(operand) && become_some_constant(id);
}

// reverse(x) along no dimension, or along extents of 1 -> x; reverse(splat) -> splat.
bool Simplifier::simplify_reverse(uint32_t id) {
  const StableNode& node = function_.nodes[id];
  const uint32_t operand = node.operands[0];
  if (is_splat(operand)) return replace(id, operand);
  if (is_constant(operand)) return become_some_constant(id);
  const std::span<const int64_t> shape = dims_of(operand);
  for (const int64_t d : node.dims) {
    if (shape[static_cast<size_t>(d)] != 1) return false;
  }
  return replace(id, operand);
}

// slice(constant) -> constant; (x : same type) -> x; of a concatenate: only the pieces it touches.
bool Simplifier::simplify_slice(uint32_t id) {
  const StableNode& node = function_.nodes[id];
  const uint32_t operand = node.operands[0];
  if (function_.values[operand].type == function_.values[node.first_result].type) return replace(id, operand);
  if (is_splat(operand)) return become_splat(id, *function_.def(operand));
  if (is_constant(operand)) return become_some_constant(id);
  const StableNode* joined = def_of_kind(operand, OpKind::concatenate);
  if (joined == nullptr || !node.op.valid() || graph_.op(node.op).kind != OpKind::slice) return false;
  SliceDims slice;
  if (!read_slice_dims(graph_, node.op, slice)) return false;
  const size_t dim = static_cast<size_t>(joined->dims[0]);
  size_t first = joined->operands.size(), last = first;
  int64_t at = 0, before = 0;  // `before`: extent of the pieces left out in front
  for (size_t i = 0; i < joined->operands.size(); ++i) {
    const int64_t extent = dims_of(joined->operands[i])[dim];
    if (at + extent > slice.start[dim] && first == joined->operands.size()) {
      first = i;
      before = at;
    }
    if (at < slice.limit[dim]) last = i + 1;
    at += extent;
  }
  if (first >= last || last - first == joined->operands.size()) return false;
  if (last - first > 1 && !single_use(operand)) return false;
  std::vector<uint32_t> pieces(joined->operands.begin() + static_cast<std::ptrdiff_t>(first),
                               joined->operands.begin() + static_cast<std::ptrdiff_t>(last));
  uint32_t source = pieces[0];
  if (pieces.size() > 1) {
    std::vector<int64_t> shape(dims_of(source).begin(), dims_of(source).end());
    for (size_t i = 1; i < pieces.size(); ++i) shape[dim] += dims_of(pieces[i])[dim];
    StableNode concat;
    concat.kind = OpKind::concatenate;
    concat.dims = joined->dims;
    concat.operands = std::move(pieces);
    source = insert(std::move(concat), typed(source, shape));
  }
  if (function_.values[source].type == function_.values[function_.nodes[id].first_result].type)
    return replace(id, source);
  become(id, OpKind::slice, {source}, {});
  function_.nodes[id].op = OpId{};
  slice.start[dim] -= before;
  slice.limit[dim] -= before;
  set_window(function_.nodes[id], slice);
  return true;
}

// The window of a slice that was made.
void Simplifier::set_window(StableNode& node, const SliceDims& window) {
  const TypeId i64 = graph_.types.scalar(ElementType::s64);
  const auto list = [&](std::string_view name, const DimList& values) {
    return NamedAttr{graph_.strings.intern(name), graph_.attr_table.dense_array(i64, values)};
  };
  node.made = {list("start_indices", window.start), list("limit_indices", window.limit),
               list("strides", window.strides)};
}

std::optional<SliceDims> Simplifier::window_of(const StableNode& node) const {
  SliceDims window;
  if (node.made.empty())
    return node.op.valid() && graph_.op(node.op).kind == OpKind::slice && read_slice_dims(graph_, node.op, window)
               ? std::optional(window)
               : std::nullopt;
  const auto list = [&](std::string_view name) {
    const AttrId attr = Graph::find(node.made, graph_.strings.find(name));
    return attr.valid() ? DimList(graph_.attr_table.get(attr).integers) : DimList{};
  };
  window.start = list("start_indices");
  window.limit = list("limit_indices");
  window.strides = list("strides");
  return window;
}

// Of `sizes` at `starts`, which are brought inside of an array of shape `shape`.
void Simplifier::set_window(StableNode& node, std::span<const int64_t> shape, DimList starts,
                            std::span<const int64_t> sizes) {
  SliceDims window;
  for (size_t d = 0; d < shape.size(); ++d) {
    starts[d] = std::clamp<int64_t>(starts[d], 0, shape[d] - sizes[d]);
    window.limit.push_back(starts[d] + sizes[d]);
    window.strides.push_back(1);
  }
  window.start = std::move(starts);
  set_window(node, window);
}

// dynamic_slice with constant starts -> slice.
bool Simplifier::simplify_dynamic_slice(uint32_t id) {
  const StableNode& node = function_.nodes[id];
  for (size_t i = 1; i < node.operands.size(); ++i) {
    if (!number_of(node.operands[i])) return false;
  }
  DimList starts;
  for (size_t i = 1; i < node.operands.size(); ++i) starts.push_back(*number_of(node.operands[i]));
  const std::vector<int64_t> sizes(dims_of(node.first_result).begin(), dims_of(node.first_result).end());
  const std::vector<int64_t> shape(dims_of(node.operands[0]).begin(), dims_of(node.operands[0]).end());
  become(id, OpKind::slice, {node.operands[0]}, {});
  set_window(function_.nodes[id], shape, std::move(starts), sizes);
  simplify_slice(id);
  return true;
}

// dynamic_update_slice of all of it, at zero -> the update.
bool Simplifier::simplify_dynamic_update(uint32_t id) {
  const StableNode& node = function_.nodes[id];
  if (function_.values[node.operands[0]].type != function_.values[node.operands[1]].type) return false;
  for (size_t i = 2; i < node.operands.size(); ++i) {
    if (number_of(node.operands[i]) != 0) return false;
  }
  return replace(id, node.operands[1]);
}

// concatenate(x) -> x; pieces of extent 0 go; a concatenate that only this one uses is taken apart; neighbours that are
// the same splat are one; all constant -> constant.
bool Simplifier::simplify_concatenate(uint32_t id) {
  const StableNode& node = function_.nodes[id];
  const size_t dim = static_cast<size_t>(node.dims[0]);
  if (node.operands.size() == 1) return replace(id, node.operands[0]);
  if (std::all_of(node.operands.begin(), node.operands.end(), [&](uint32_t v) { return is_constant(v); })) {
    return become_some_constant(id);
  }
  std::vector<uint32_t> pieces;
  for (const uint32_t operand : node.operands) {
    if (dims_of(operand)[dim] == 0) continue;
    const StableNode* inner = def_of_kind(operand, OpKind::concatenate);
    if (inner != nullptr && inner->dims == node.dims && single_use(operand)) {
      pieces.insert(pieces.end(), inner->operands.begin(), inner->operands.end());
    } else {
      pieces.push_back(operand);
    }
  }
  const DimList dims = node.dims;
  const std::vector<uint32_t> before = node.operands;
  join_splats(pieces, dim);
  if (pieces == before || pieces.empty()) return false;
  return become(id, OpKind::concatenate, std::move(pieces), dims);
}

void Simplifier::join_splats(std::vector<uint32_t>& pieces, size_t dim) {
  const auto same_splat = [&](uint32_t a, uint32_t b) {
    if (!is_splat(a) || !is_splat(b)) return false;
    const StableNode &x = *function_.def(a), &y = *function_.def(b);
    if (x.number || y.number) return x.number == y.number;
    if (x.real || y.real) return x.real == y.real;
    return x.splat == y.splat;
  };
  for (size_t i = 0; i + 1 < pieces.size();) {
    if (!same_splat(pieces[i], pieces[i + 1])) {
      ++i;
      continue;
    }
    std::vector<int64_t> shape(dims_of(pieces[i]).begin(), dims_of(pieces[i]).end());
    shape[dim] += dims_of(pieces[i + 1])[dim];
    StableNode joined = *function_.def(pieces[i]);
    joined.op = OpId{};
    pieces[i] = insert(std::move(joined), typed(pieces[i], shape));
    pieces.erase(pieces.begin() + static_cast<std::ptrdiff_t>(i) + 1);
  }
}

// pad by nothing -> x.
bool Simplifier::simplify_pad(uint32_t id) {
  const StableNode& node = function_.nodes[id];
  if (function_.values[node.operands[0]].type != function_.values[node.first_result].type) return false;
  PadDims pad;
  if (!node.op.valid() || !read_pad_dims(graph_, node.op, pad)) return false;
  return all_zero(pad.low) && all_zero(pad.high) && all_zero(pad.interior) && replace(id, node.operands[0]);
}

// gather at one constant index -> slice, and a reshape when dimensions are dropped.
bool Simplifier::simplify_gather(uint32_t id) {
  const StableNode& node = function_.nodes[id];
  GatherScatterDims dims;
  if (!node.op.valid() || !is_constant(node.operands[1]) || dims_of(node.operands[1]).size() > 1) return false;
  if (!read_gather_dims(graph_, node.op, dims) || dims.index_vector_dim != 0) return false;
  const uint32_t source = node.operands[0];
  const std::vector<int64_t> shape(dims_of(source).begin(), dims_of(source).end());
  DimList starts(shape.size(), 0);
  const std::optional<Literal> index = literal_of(node.operands[1]);
  if (!index || !index->is_whole()) return false;
  for (size_t i = 0; i < dims.index_map.size(); ++i)
    starts[static_cast<size_t>(dims.index_map[i])] = index->whole[index->splat ? 0 : i];
  if (dims.collapsed.empty()) {
    become(id, OpKind::slice, {source}, {});
    set_window(function_.nodes[id], shape, starts, dims.slice_sizes);
    simplify_slice(id);
    return true;
  }
  uint32_t sliced = source;
  if (!std::equal(shape.begin(), shape.end(), dims.slice_sizes.begin(), dims.slice_sizes.end())) {
    StableNode slice;
    slice.kind = OpKind::slice;
    slice.operands = {source};
    set_window(slice, shape, starts, dims.slice_sizes);
    sliced = insert(std::move(slice), typed(source, dims.slice_sizes));
  }
  become(id, OpKind::reshape, {sliced}, {});
  simplify_reshape(id);
  return true;
}

// iota along an extent of 1 -> 0; iota of several dimensions -> broadcast of one of one dimension.
bool Simplifier::simplify_iota(uint32_t id) {
  const StableNode& node = function_.nodes[id];
  const uint32_t result = node.first_result;
  const std::span<const int64_t> shape = dims_of(result);
  const DimList dims = node.dims;
  const size_t dim = static_cast<size_t>(dims[0]);
  if (dim >= shape.size()) return false;
  if (shape[dim] == 1) {
    return is_floating(element_of(result)) ? become_real(id, 0) : become_number(id, 0);
  }
  if (shape.size() < 2) return false;
  StableNode line;
  line.kind = OpKind::iota;
  line.op = node.op;
  line.dims = {0};
  const int64_t extent[] = {shape[dim]};
  const uint32_t counted = insert(std::move(line), typed(result, extent));
  become(id, OpKind::broadcast_in_dim, {counted}, dims);
  simplify_broadcast(id);
  return true;
}

// reduce over no dimension -> x.
bool Simplifier::simplify_reduce(uint32_t id) {
  const StableNode& node = function_.nodes[id];
  if (!node.dims.empty()) return false;
  for (uint32_t r = 0; r < node.result_count; ++r) {
    function_.values[node.first_result + r].replaced = function_.resolve(node.operands[r]);
  }
  return true;
}

// What a loop carries unchanged is not carried, but used from outside.
bool Simplifier::simplify_while(uint32_t id) {
  StableNode& node = function_.nodes[id];
  if (node.regions.size() != 2) return false;
  StableRegion &cond = node.regions[0], &body = node.regions[1];
  const size_t count = node.operands.size();
  if (cond.results.size() == 1 && number_of(cond.results[0]) == 0) {
    for (uint32_t i = 0; i < count; ++i) function_.values[node.first_result + i].replaced = node.operands[i];
    return true;
  }
  bool any = false;
  for (size_t i = 0; i < count; ++i) {
    if (node.operands[i] == kNone) continue;
    const uint32_t returned = function_.resolve(body.results[i]);
    if (returned != node.operands[i] && returned != body.args[i]) continue;
    const uint32_t outside = node.operands[i];
    for (const uint32_t inside : {cond.args[i], body.args[i], node.first_result + static_cast<uint32_t>(i)}) {
      function_.values[inside].replaced = outside;
    }
    any = true;
  }
  if (!any) return false;
  drop_replaced_state(id);
  return true;
}

// Takes out of a loop the state whose argument was replaced. Results keep their numbers: those that stay are moved up.
void Simplifier::drop_replaced_state(uint32_t id) {
  StableNode& node = function_.nodes[id];
  StableRegion &cond = node.regions[0], &body = node.regions[1];
  StableNode kept;
  std::vector<uint32_t> operands, cond_args, body_args, results;
  const uint32_t first = static_cast<uint32_t>(function_.values.size());
  for (size_t i = 0; i < node.operands.size(); ++i) {
    if (function_.values[body.args[i]].replaced != kNone) continue;
    operands.push_back(node.operands[i]);
    cond_args.push_back(cond.args[i]);
    body_args.push_back(body.args[i]);
    results.push_back(body.results[i]);
    // A fresh result, so that results stay consecutive; the old one points at it and hands on its place in the text.
    const uint32_t old = node.first_result + static_cast<uint32_t>(i);
    StableValue fresh = function_.values[old];
    function_.values.push_back(fresh);
    uses_.push_back(old < uses_.size() ? uses_[old] : 0);
    function_.values[old].replaced = static_cast<uint32_t>(function_.values.size() - 1);
  }
  node.operands = std::move(operands);
  node.first_result = first;
  node.result_count = static_cast<uint32_t>(function_.values.size()) - first;
  cond.args = std::move(cond_args);
  body.args = std::move(body_args);
  body.results = std::move(results);
}

// case of a constant -> the branch itself.
bool Simplifier::simplify_case(uint32_t id) {
  StableNode& node = function_.nodes[id];
  const std::optional<int64_t> index = number_of(node.operands[0]);
  if (!index || node.regions.empty()) return false;
  const int64_t last = static_cast<int64_t>(node.regions.size()) - 1;
  const bool predicate = element_of(node.operands[0]) == ElementType::pred;
  const int64_t branch = predicate ? (*index != 0 ? 0 : 1) : (*index < 0 || *index > last ? last : *index);
  StableRegion region = std::move(node.regions[static_cast<size_t>(std::min(branch, last))]);
  node.regions.clear();
  out_->nodes.insert(out_->nodes.end(), region.nodes.begin(), region.nodes.end());
  for (uint32_t r = 0; r < node.result_count; ++r) {
    function_.values[node.first_result + r].replaced = function_.resolve(region.results[r]);
  }
  return true;
}

}  // namespace sw::gspmd
