// One function for each kind of operation: draws operands and attributes. A draw that does not work out adds nothing.
//
// Floats take part in nothing that a rounding could tip over (comparisons, sorts with a second operand, conversions to
// integers), and are kept small.
#include <algorithm>
#include <utility>

#include "property/random_graph_maker.h"

namespace sw::test {

std::string GraphMaker::reducer(const std::string& name, const std::string& element) {
  const std::string t = "tensor<" + element + ">";
  return "  ^bb0(%x: " + t + ", %y: " + t + "):\n    %z = stablehlo." + name + " %x, %y : " + t +
         "\n    stablehlo.return %z : " + t + "\n  ";
}

std::string GraphMaker::neutral(const std::string& reducer, const std::string& element) {
  const bool floats = element == "f32", flags = element == "i1";
  if (reducer == "maximum") return floats ? "0xFF800000" : "-2147483648";
  if (reducer == "minimum") return floats ? "0x7F800000" : "2147483647";
  if (reducer == "and") return flags ? "true" : "-1";
  if (reducer == "multiply") return "1";
  return floats ? "0.0" : flags ? "false" : "0";
}

std::string GraphMaker::any_reducer(const std::string& element) {
  static constexpr const char* kIntegers[] = {"add", "add", "maximum", "minimum", "or", "and", "multiply"};
  static constexpr const char* kFloats[] = {"add", "add", "maximum", "minimum"};
  static constexpr const char* kFlags[] = {"or", "and"};
  if (element == "i32") return kIntegers[below(std::size(kIntegers))];
  return element == "f32" ? kFloats[below(std::size(kFloats))] : kFlags[below(std::size(kFlags))];
}

void GraphMaker::pointwise(Scope& scope) {
  const Var v = any(scope);
  const ArrayType t = type(v);
  if (chance(25)) {
    static constexpr const char* kNumbers[] = {"negate", "abs", "sign"};
    op(scope, t.element == "i1" ? "not" : kNumbers[below(t.element == "f32" ? 2 : 3)], {v}, t);
  } else if (t.element != "i1" && chance(10)) {
    const ArrayType bound{t.element, chance(50) ? Dims() : t.dims};
    op(scope, "clamp", {made(scope, bound), v, made(scope, bound)}, t);
  } else if (t.element == "i32" && chance(40)) {
    static constexpr const char* kIntegers[] = {"and", "or", "xor", "multiply", "multiply"};
    op(scope, kIntegers[below(std::size(kIntegers))], {v, made(scope, t)}, t);
  } else if (t.element == "f32" && chance(30)) {
    bounded(scope, op(scope, "multiply", {v, made(scope, t)}, t));
  } else {
    combined(scope, v, made(scope, t));
  }
}

void GraphMaker::compare(Scope& scope) {
  const Var v = any(scope);
  const ArrayType t = type(v);
  Var flags = 0;
  if (t.element == "i32" && chance(70)) {
    static constexpr const char* kDirections[] = {"EQ", "NE", "LT", "LE", "GT", "GE"};
    flags = op(scope, "compare", {v, made(scope, t)}, {"i1", t.dims},
               std::string("comparison_direction = #stablehlo<comparison_direction ") +
                   kDirections[below(std::size(kDirections))] + ">");
    if (chance(40)) return;
  } else {
    flags = made(scope, {"i1", chance(30) ? Dims() : t.dims});
  }
  op(scope, "select", {flags, v, made(scope, t)}, t);
}

void GraphMaker::convert(Scope& scope) {
  const Var v = any(scope);
  const ArrayType t = type(v);
  if (t.element == "f32") return;
  const std::string to = t.element == "i1" ? (chance(50) ? "i32" : "f32") : chance(70) ? "f32" : "i1";
  op(scope, "convert", {bounded(scope, v)}, {to, t.dims});
}

void GraphMaker::broadcast(Scope& scope) {
  const Var v = any(scope);
  const ArrayType t = type(v);
  if (t.dims.size() >= kMaxRank) return;
  const auto rank = static_cast<size_t>(between(static_cast<int64_t>(t.dims.size()), kMaxRank));
  Dims map = order(rank);
  map.resize(t.dims.size());
  if (chance(85)) std::sort(map.begin(), map.end());
  ArrayType result{t.element, Dims(rank, 0)};
  for (int64_t& d : result.dims) d = size();
  for (size_t i = 0; i < map.size(); ++i)
    if (t.dims[i] != 1 || chance(50)) result.dims[static_cast<size_t>(map[i])] = t.dims[i];
  if (result.count() > kMaxElements) return;
  op(scope, "broadcast_in_dim", {v}, result, "broadcast_dimensions = " + i64_array(map));
}

// Every prime factor of the count goes to one dimension of the result.
void GraphMaker::reshape(Scope& scope) {
  const Var v = any(scope);
  const ArrayType t = type(v);
  ArrayType result{t.element, {}};
  int64_t left = t.count();
  result.dims.assign(static_cast<size_t>(between(left > 1 ? 1 : 0, kMaxRank)), 1);
  const auto first = static_cast<size_t>(below(2));  // often in the order of the text, so that pieces stay together
  size_t at = first < result.dims.size() ? first : 0;
  for (int64_t p = 2; left > 1;) {
    if (left % p != 0) {
      ++p;
      continue;
    }
    left /= p;
    result.dims[at] *= p;
    if (chance(60)) at = static_cast<size_t>(below(static_cast<int64_t>(result.dims.size())));
  }
  op(scope, "reshape", {v}, result);
}

void GraphMaker::transpose(Scope& scope) {
  const Var v = any_ranked(scope);
  const Dims permutation = order(type(v).dims.size());
  ArrayType result{type(v).element, {}};
  for (const int64_t d : permutation) result.dims.push_back(type(v).dims[static_cast<size_t>(d)]);
  op(scope, "transpose", {v}, result, "permutation = " + i64_array(permutation));
}

void GraphMaker::reverse(Scope& scope) {
  const Var v = any_ranked(scope);
  op(scope, "reverse", {v}, type(v), "dimensions = " + i64_array(some(type(v).dims.size(), 0)));
}

void GraphMaker::slice(Scope& scope) {
  const Var v = any_ranked(scope);
  Dims start, limit, stride;
  ArrayType result{type(v).element, {}};
  for (const int64_t d : type(v).dims) {
    const bool whole = chance(45);
    start.push_back(whole ? 0 : below(d));
    limit.push_back(whole ? d : between(start.back() + 1, d));
    stride.push_back(whole || chance(60) ? 1 : between(1, 3));
    result.dims.push_back((limit.back() - start.back() + stride.back() - 1) / stride.back());
  }
  op(scope, "slice", {v}, result,
     "limit_indices = " + i64_array(limit) + ", start_indices = " + i64_array(start) +
         ", strides = " + i64_array(stride));
}

void GraphMaker::pad(Scope& scope) {
  const Var v = any_ranked(scope);
  if (type(v).dims.empty()) return;  // HLO has no text for it
  Dims low, high, interior;
  ArrayType result{type(v).element, {}};
  for (const int64_t d : type(v).dims) {
    const bool untouched = chance(45);
    low.push_back(untouched ? 0 : between(-1, 2));
    high.push_back(untouched ? 0 : between(-1, 2));
    interior.push_back(untouched || chance(70) ? 0 : 1);
    result.dims.push_back(low.back() + high.back() + d + interior.back() * (d - 1));
    if (result.dims.back() < 1) return;
  }
  if (result.count() > kMaxElements) return;
  const Var value = chance(70) ? constant(scope, {result.element, {}}) : made(scope, {result.element, {}});
  op(scope, "pad", {v, value}, result,
     "edge_padding_high = " + i64_array(high) + ", edge_padding_low = " + i64_array(low) +
         ", interior_padding = " + i64_array(interior));
}

void GraphMaker::concatenate(Scope& scope) {
  Var v = any_ranked(scope);
  if (type(v).dims.empty()) return;
  const auto dim = static_cast<size_t>(below(static_cast<int64_t>(type(v).dims.size())));
  std::vector<Var> operands{v};
  ArrayType result = type(v);
  for (int64_t i = between(1, 2); i > 0; --i) {
    ArrayType piece = type(v);
    if (!chance(40)) piece.dims[dim] = size();
    operands.push_back(made(scope, piece));
    result.dims[dim] += piece.dims[dim];
  }
  if (result.count() > kMaxElements) return;
  op(scope, "concatenate", operands, result, "dimension = " + std::to_string(dim) + " : i64");
}

void GraphMaker::dynamic_slice(Scope& scope) {
  const Var v = any_ranked(scope);
  if (type(v).dims.empty()) return;
  ArrayType result{type(v).element, {}};
  for (const int64_t d : type(v).dims) result.dims.push_back(chance(50) ? d : between(1, d));
  std::vector<Var> operands{v};
  for (size_t d = 0; d < result.dims.size(); ++d) operands.push_back(start_index(scope));
  op(scope, "dynamic_slice", operands, result, "slice_sizes = " + i64_array(result.dims));
}

// XLA loses updates that start outside (partition/miscompile.h), which is known of constants alone.
void GraphMaker::dynamic_update_slice(Scope& scope) {
  const Var v = any_ranked(scope);
  if (type(v).dims.empty()) return;
  ArrayType update{type(v).element, {}};
  for (const int64_t d : type(v).dims) update.dims.push_back(chance(50) ? d : between(1, d));
  std::vector<Var> operands{v, made(scope, update)};
  for (size_t d = 0; d < update.dims.size(); ++d)
    operands.push_back(start_inside(scope, type(v).dims[d] - update.dims[d]));
  op(scope, "dynamic_update_slice", operands, type(v));
}

void GraphMaker::reduce(Scope& scope) {
  const Var v = any_ranked(scope);
  if (type(v).dims.empty()) return;
  const std::string element = type(v).element;
  const Dims dims = some(type(v).dims.size(), 1);
  if (chance(50)) {
    summed(scope, v, dims);
    return;
  }
  ArrayType result{element, {}};
  for (size_t d = 0; d < type(v).dims.size(); ++d)
    if (std::find(dims.begin(), dims.end(), static_cast<int64_t>(d)) == dims.end())
      result.dims.push_back(type(v).dims[d]);
  const std::string name = any_reducer(element);
  const Var init = chance(85) ? splat(scope, {element, {}}, neutral(name, element)) : made(scope, {element, {}});
  op(scope, "reduce", {v, init}, result, "dimensions = " + i64_array(dims), reducer(name, element));
}

// The greatest along a dimension and where it is, the first of equals.
void GraphMaker::arg_max(Scope& scope) {
  const Var v = any_ranked(scope);
  if (type(v).element != "i32" || type(v).dims.empty()) return;
  const auto dim = static_cast<size_t>(below(static_cast<int64_t>(type(v).dims.size())));
  ArrayType result = type(v);
  result.dims.erase(result.dims.begin() + static_cast<ptrdiff_t>(dim));
  const ArrayType scalar{"i32", {}};
  Step step;
  step.name = "stablehlo.reduce";
  step.attributes = "dimensions = " + i64_array({static_cast<int64_t>(dim)});
  const Var place = op(scope, "iota", {}, type(v), "iota_dimension = " + std::to_string(dim) + " : i64");
  step.operands = {v, place, splat(scope, scalar, "-2147483648"), splat(scope, scalar, "0")};
  step.body =
      "  ^bb0(%x: tensor<i32>, %i: tensor<i32>, %y: tensor<i32>, %j: tensor<i32>):\n"
      "    %g = stablehlo.compare GT, %x, %y : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
      "    %e = stablehlo.compare EQ, %x, %y : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
      "    %l = stablehlo.compare LT, %i, %j : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
      "    %t = stablehlo.and %e, %l : tensor<i1>\n"
      "    %c = stablehlo.or %g, %t : tensor<i1>\n"
      "    %v = stablehlo.select %c, %x, %y : tensor<i1>, tensor<i32>\n"
      "    %k = stablehlo.select %c, %i, %j : tensor<i1>, tensor<i32>\n"
      "    stablehlo.return %v, %k : tensor<i32>, tensor<i32>\n  ";
  add(scope, std::move(step), {result, result});
}

namespace {

std::string pairs(const std::vector<std::pair<int64_t, int64_t>>& values) {
  std::string out;
  for (const auto& [low, high] : values)
    out += (out.empty() ? "[" : ", [") + std::to_string(low) + ", " + std::to_string(high) + "]";
  return "dense<[" + out + "]> : tensor<" + std::to_string(values.size()) + "x2xi64>";
}

// Windows along one dimension, and how often they fit.
struct Window {
  int64_t size = 1, stride = 1, low = 0, high = 0, base = 1, spread = 1;
  int64_t count(int64_t extent) const {
    const int64_t padded = low + high + (extent - 1) * base + 1, reach = (size - 1) * spread + 1;
    return padded < reach ? 0 : (padded - reach) / stride + 1;
  }
};

struct WindowText {
  std::vector<int64_t> sizes, strides, bases, spreads;
  std::vector<std::pair<int64_t, int64_t>> edges;
  void add(const Window& w) {
    sizes.push_back(w.size);
    strides.push_back(w.stride);
    bases.push_back(w.base);
    spreads.push_back(w.spread);
    edges.emplace_back(w.low, w.high);
  }
};

}  // namespace

void GraphMaker::reduce_window(Scope& scope) {
  const Var v = any_ranked(scope);
  const ArrayType t = type(v);
  if (t.dims.empty()) return;
  WindowText text;
  ArrayType result{t.element, {}};
  for (const int64_t d : t.dims) {
    Window w;
    if (chance(60)) {
      w = {between(1, 3), between(1, 2), between(0, 1), between(0, 2), 1, 1};
      if (chance(15)) w.base = 2;
      if (chance(15)) w.spread = 2;
    }
    text.add(w);
    result.dims.push_back(w.count(d));
    if (result.dims.back() < 1) return;
  }
  const std::string name = any_reducer(t.element);
  op(scope, "reduce_window", {v, splat(scope, {t.element, {}}, neutral(name, t.element))}, result,
     "base_dilations = " + i64_array(text.bases) + ", padding = " + pairs(text.edges) +
         ", window_dilations = " + i64_array(text.spreads) + ", window_dimensions = " + i64_array(text.sizes) +
         ", window_strides = " + i64_array(text.strides),
     reducer(name, t.element));
}

// Each dimension of the left side is a batch, contracted or free; the right side is made to fit.
void GraphMaker::dot(Scope& scope) {
  const Var v = any_ranked(scope);
  const ArrayType t = type(v);
  if (t.element == "i1") return;
  enum Role : uint8_t { batch, contract, free };
  struct Dim {
    Role role;
    int64_t lhs, extent;
  };
  std::vector<Dim> rhs;
  Dims of_lhs[3], of_rhs[3];
  ArrayType result{t.element, {}};
  for (const int64_t d : order(t.dims.size())) {
    const auto role = static_cast<Role>(chance(25) ? batch : chance(55) ? contract : free);
    of_lhs[role].push_back(d);
    if (role != free) rhs.push_back({role, d, t.dims[static_cast<size_t>(d)]});
  }
  std::sort(of_lhs[free].begin(), of_lhs[free].end());
  for (int64_t i = between(0, 2); i > 0 && rhs.size() < kMaxRank; --i) rhs.push_back({free, -1, size()});
  const Dims places = order(rhs.size());
  ArrayType right{t.element, Dims(rhs.size(), 0)};
  for (size_t i = 0; i < rhs.size(); ++i) {
    right.dims[static_cast<size_t>(places[i])] = rhs[i].extent;
    of_rhs[rhs[i].role].push_back(places[i]);
  }
  std::sort(of_rhs[free].begin(), of_rhs[free].end());
  for (const int64_t d : of_lhs[batch]) result.dims.push_back(t.dims[static_cast<size_t>(d)]);
  for (const int64_t d : of_lhs[free]) result.dims.push_back(t.dims[static_cast<size_t>(d)]);
  for (const int64_t d : of_rhs[free]) result.dims.push_back(right.dims[static_cast<size_t>(d)]);
  if (result.count() > kMaxElements || right.count() > kMaxElements || result.dims.size() > kMaxRank) return;
  const Var product =
      op(scope, "dot_general", {v, made(scope, right)}, result,
         "dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = " + bracketed(of_lhs[batch]) +
             ", rhs_batching_dimensions = " + bracketed(of_rhs[batch]) + ", lhs_contracting_dimensions = " +
             bracketed(of_lhs[contract]) + ", rhs_contracting_dimensions = " + bracketed(of_rhs[contract]) + ">");
  if (t.element == "f32") bounded(scope, product);
}

void GraphMaker::convolution(Scope& scope) {
  const std::string element = chance(70) ? "i32" : "f32";
  const auto spatial = static_cast<size_t>(chance(75) ? 1 : 2);
  // Batch, features and positions in this order, laid out as drawn.
  Dims lhs{between(1, 4), between(1, 4)}, rhs{between(1, 4), lhs[1]}, out{lhs[0], rhs[0]};
  WindowText text;
  for (size_t i = 0; i < spatial; ++i) {
    Window w{between(1, 3), between(1, 2), between(0, 1), between(0, 1), 1, 1};
    if (chance(15)) w.base = 2;
    if (chance(15)) w.spread = 2;
    text.add(w);
    lhs.push_back(between(2, 5));
    rhs.push_back(w.size);
    out.push_back(w.count(lhs.back()));
    if (out.back() < 1) return;
  }
  const auto laid_out = [&](const Dims& sizes, const char* first, const char* second, ArrayType& t) {
    std::vector<std::string> labels(sizes.size());
    t = {element, Dims(sizes.size(), 0)};
    const Dims places = order(sizes.size());
    for (size_t i = 0; i < sizes.size(); ++i) {
      t.dims[static_cast<size_t>(places[i])] = sizes[i];
      labels[static_cast<size_t>(places[i])] = i == 0 ? first : i == 1 ? second : std::to_string(i - 2);
    }
    std::string list;
    for (const std::string& label : labels) list += (list.empty() ? "" : ", ") + label;
    return "[" + list + "]";
  };
  ArrayType input, kernel, result;
  std::string numbers = laid_out(lhs, "b", "f", input) + "x";
  numbers += laid_out(rhs, "o", "i", kernel) + "->";
  numbers += laid_out(out, "b", "f", result);
  const Var a = made(scope, input), b = made(scope, kernel);
  const Var found = op(scope, "convolution", {a, b}, result,
                       "batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<" + numbers +
                           ">, feature_group_count = 1 : i64, lhs_dilation = " + i64_array(text.bases) +
                           ", padding = " + pairs(text.edges) + ", rhs_dilation = " + i64_array(text.spreads) +
                           ", window_strides = " + i64_array(text.strides));
  if (element == "f32") bounded(scope, found);
}

// What a gather takes, or a scatter writes.
bool GraphMaker::indexed(const Dims& operand, Indexed& out) {
  Dims batches, windows;  // extents
  for (size_t d = 0; d < operand.size(); ++d) {
    const auto dim = static_cast<int64_t>(d);
    if (chance(12)) {
      out.batching.push_back(dim);
      out.slice_sizes.push_back(1);
      batches.push_back(operand[d]);
      continue;
    }
    const bool collapsed = chance(40), whole = !collapsed && chance(65);
    out.slice_sizes.push_back(collapsed ? 1 : whole ? operand[d] : between(1, operand[d]));
    if (collapsed)
      out.collapsed.push_back(dim);
    else
      windows.push_back(out.slice_sizes.back());
    if (chance(collapsed ? 85 : whole ? 15 : 75)) out.map.push_back(dim);
  }
  if (out.map.empty()) return false;
  if (chance(40)) std::reverse(out.map.begin(), out.map.end());
  for (int64_t i = between(batches.empty() ? 1 : 0, 2); i > 0; --i) batches.push_back(size());
  const Dims places = order(batches.size());
  Dims by_place(batches.size());
  for (size_t i = 0; i < batches.size(); ++i) by_place[static_cast<size_t>(places[i])] = batches[i];
  out.indices = by_place;
  const auto rank = static_cast<int64_t>(batches.size());
  const auto components = static_cast<int64_t>(out.map.size());
  out.vector_dim = components == 1 && chance(30) ? rank : between(0, rank);
  const bool written = components > 1 || out.vector_dim < rank || chance(50);
  if (written) out.indices.insert(out.indices.begin() + out.vector_dim, components);
  for (size_t i = 0; i < out.batching.size(); ++i)
    out.indices_batching.push_back(places[i] + (written && places[i] >= out.vector_dim ? 1 : 0));
  Dims offset = order(batches.size() + windows.size());
  offset.resize(windows.size());
  std::sort(offset.begin(), offset.end());
  out.offset = offset;
  for (size_t d = 0, window = 0, batch = 0; d < batches.size() + windows.size(); ++d)
    out.slices.push_back(window < offset.size() && offset[window] == static_cast<int64_t>(d) ? windows[window++]
                                                                                             : by_place[batch++]);
  const ArrayType slices{"", out.slices}, indices{"", out.indices};
  return out.slices.size() <= kMaxRank && slices.count() <= kMaxElements && indices.count() <= kMaxElements;
}

void GraphMaker::gather(Scope& scope) {
  const Var v = any_ranked(scope);
  Indexed d;
  if (!indexed(type(v).dims, d)) return;
  Var indices = made(scope, {"i32", d.indices});
  if (chance(75)) indices = bounded(scope, indices);
  op(scope, "gather", {v, indices}, {type(v).element, d.slices},
     "dimension_numbers = #stablehlo.gather<offset_dims = " + bracketed(d.offset) +
         ", collapsed_slice_dims = " + bracketed(d.collapsed) + ", operand_batching_dims = " + bracketed(d.batching) +
         ", start_indices_batching_dims = " + bracketed(d.indices_batching) +
         ", start_index_map = " + bracketed(d.map) + ", index_vector_dim = " + std::to_string(d.vector_dim) +
         ">, indices_are_sorted = false, slice_sizes = " + i64_array(d.slice_sizes));
}

void GraphMaker::scatter(Scope& scope) {
  const Var v = any_ranked(scope);
  const std::string element = type(v).element;
  Indexed d;
  if (!indexed(type(v).dims, d)) return;
  Var indices = made(scope, {"i32", d.indices});
  if (chance(75)) indices = bounded(scope, indices);
  const Var updates = made(scope, {element, d.slices});
  op(scope, "scatter", {v, indices, updates}, type(v),
     "indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = " +
         bracketed(d.offset) + ", inserted_window_dims = " + bracketed(d.collapsed) + ", input_batching_dims = " +
         bracketed(d.batching) + ", scatter_indices_batching_dims = " + bracketed(d.indices_batching) +
         ", scatter_dims_to_operand_dims = " + bracketed(d.map) +
         ", index_vector_dim = " + std::to_string(d.vector_dim) + ">, unique_indices = false",
     reducer(any_reducer(element), element));
}

void GraphMaker::sort(Scope& scope) {
  const Var v = any_ranked(scope);
  const ArrayType t = type(v);
  if (t.dims.empty() || t.element == "i1") return;
  const bool two = t.element == "i32" && chance(50);
  Step step;
  step.name = "stablehlo.sort";
  step.operands = {v};
  if (two) step.operands.push_back(made(scope, {chance(70) ? "i32" : "f32", t.dims}));
  step.attributes =
      "dimension = " + std::to_string(below(static_cast<int64_t>(t.dims.size()))) + " : i64, is_stable = true";
  const std::string scalar = "tensor<" + t.element + ">";
  step.body = "  ^bb0(%x: " + scalar + ", %y: " + scalar;
  std::vector<ArrayType> results{t};
  if (two) {
    results.push_back(type(step.operands[1]));
    const std::string other = "tensor<" + results[1].element + ">";
    step.body += ", %i: " + other + ", %j: " + other;
  }
  step.body += std::string("):\n    %c = stablehlo.compare ") + (chance(50) ? "LT" : "GT") + ", %x, %y : (" + scalar +
               ", " + scalar + ") -> tensor<i1>\n    stablehlo.return %c : tensor<i1>\n  ";
  add(scope, std::move(step), results);
}

void GraphMaker::pin(Scope& scope) {
  Step step;
  step.name = "sdy.sharding_constraint";
  step.operands = {any(scope)};
  const ArrayType t = type(step.operands[0]);
  step.sharding = sharding(t.dims.size());
  add(scope, std::move(step), {t});
}

void GraphMaker::barrier(Scope& scope) {
  Step step;
  step.name = "stablehlo.optimization_barrier";
  std::vector<ArrayType> types;
  for (int64_t i = between(1, 3); i > 0; --i) {
    step.operands.push_back(any(scope));
    types.push_back(type(step.operands.back()));
  }
  add(scope, std::move(step), types);
}

}  // namespace sw::test
