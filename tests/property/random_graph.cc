// What a random program is made of: its arguments, values that fit where they are wanted, loops, branches and calls.
#include "property/random_graph.h"

#include <algorithm>

#include "property/random_graph_maker.h"

namespace sw::test {

std::string bracketed(const std::vector<int64_t>& values) {
  std::string out;
  for (const int64_t v : values) out += (out.empty() ? "" : ", ") + std::to_string(v);
  return "[" + out + "]";
}

std::string i64_array(const std::vector<int64_t>& values) {
  const std::string list = bracketed(values);
  return "array<i64" + (values.empty() ? "" : ": " + list.substr(1, list.size() - 2)) + ">";
}

int64_t GraphMaker::size() {
  constexpr int64_t kSizes[] = {1, 2, 2, 3, 3, 4, 4, 5, 5, 8, 8};
  return kSizes[below(std::size(kSizes))];
}

std::vector<int64_t> GraphMaker::order(size_t count) {
  std::vector<int64_t> out;
  for (size_t i = 0; i < count; ++i)
    out.insert(out.begin() + below(static_cast<int64_t>(i) + 1), static_cast<int64_t>(i));
  return out;
}

std::vector<int64_t> GraphMaker::some(size_t count, size_t at_least) {
  std::vector<int64_t> out = order(count);
  out.resize(static_cast<size_t>(between(static_cast<int64_t>(at_least), static_cast<int64_t>(count))));
  std::sort(out.begin(), out.end());
  return out;
}

// Every axis cuts one dimension or none; an axis of four may be used in halves.
std::string GraphMaker::sharding(size_t rank) {
  static constexpr const char* kAxes[] = {"\"a\"", "\"b\"", "\"c\""};
  std::vector<std::string> axes, dims(rank), replicated;
  for (size_t k = 0; k < graph_.mesh.axes.size(); ++k) {
    if (graph_.mesh.axes[k] == 4 && chance(30)) {
      axes.push_back(std::string(kAxes[k]) + ":(1)2");
      axes.push_back(std::string(kAxes[k]) + ":(2)2");
    } else {
      axes.push_back(kAxes[k]);
    }
  }
  for (const int64_t k : order(axes.size())) {
    const std::string& axis = axes[static_cast<size_t>(k)];
    const auto d = static_cast<size_t>(below(static_cast<int64_t>(rank) + 1));
    if (d < rank)
      dims[d] += (dims[d].empty() ? "" : ", ") + axis;
    else if (chance(20) && axis.find(':') == std::string::npos)
      replicated.push_back(axis);
  }
  // Halves of one axis side by side are the axis.
  for (std::string& dim : dims)
    if (const size_t at = dim.find("\"a\":(1)2, \"a\":(2)2"); at != std::string::npos) dim.replace(at, 18, "\"a\"");
  std::string out;
  const bool open = chance(40);
  for (const std::string& dim : dims) {
    out += (out.empty() ? "{" : ", {") + dim;
    if (open && chance(60)) out += dim.empty() ? "?" : ", ?";
    out += "}";
  }
  out = "[" + out + "]";
  std::sort(replicated.begin(), replicated.end());
  for (size_t i = 0; i < replicated.size(); ++i) out += (i == 0 ? ", replicated={" : ", ") + replicated[i];
  return out + (replicated.empty() ? "" : "}");
}

Var GraphMaker::any(const Scope& scope) {
  const auto count = static_cast<int64_t>(scope.visible.size());
  return scope.visible[static_cast<size_t>(std::max(below(count), below(count)))];
}

Var GraphMaker::any_ranked(const Scope& scope) {
  for (int tries = 0; tries < 20; ++tries)
    if (const Var v = any(scope); !type(v).dims.empty()) return v;
  return any(scope);
}

Var GraphMaker::new_var(ArrayType type) {
  graph_.types.push_back(std::move(type));
  return static_cast<Var>(graph_.types.size() - 1);
}

std::vector<Var> GraphMaker::add(Scope& scope, Step step, const std::vector<ArrayType>& results) {
  for (const ArrayType& result : results) step.results.push_back(new_var(result));
  const std::vector<Var> made = step.results;
  scope.visible.insert(scope.visible.end(), made.begin(), made.end());
  scope.block.steps.push_back(std::move(step));
  return made;
}

Var GraphMaker::op(Scope& scope, const std::string& name, std::vector<Var> operands, ArrayType result,
                   std::string attributes, std::string body) {
  Step step;
  step.name = "stablehlo." + name;
  step.operands = std::move(operands);
  step.attributes = std::move(attributes);
  step.body = std::move(body);
  return add(scope, std::move(step), {std::move(result)})[0];
}

Var GraphMaker::splat(Scope& scope, const ArrayType& type, const std::string& value) {
  const Var v = op(scope, "constant", {}, type, "value = dense<" + value + "> : " + type.text());
  scope.visible.pop_back();  // there are more interesting values to build on
  return v;
}

Var GraphMaker::constant(Scope& scope, const ArrayType& type) {
  if (type.element == "i32" && !type.dims.empty() && chance(60)) {
    const Var v = op(scope, "iota", {}, type,
                     "iota_dimension = " + std::to_string(below(static_cast<int64_t>(type.dims.size()))) + " : i64");
    scope.visible.pop_back();
    return v;
  }
  static constexpr const char* kFloats[] = {"0.0", "1.0", "-0.5", "0.25"};
  const std::string value = type.element == "i32"   ? std::to_string(between(-2, 5))
                            : type.element == "f32" ? kFloats[below(std::size(kFloats))]
                            : chance(50)            ? "true"
                                                    : "false";
  return splat(scope, type, value);
}

Var GraphMaker::summed(Scope& scope, Var v, const Dims& dims) {
  ArrayType result{type(v).element, {}};
  for (size_t d = 0; d < type(v).dims.size(); ++d)
    if (std::find(dims.begin(), dims.end(), static_cast<int64_t>(d)) == dims.end())
      result.dims.push_back(type(v).dims[d]);
  const std::string name = result.element == "i1" ? "or" : "add";
  const Var init = splat(scope, {result.element, {}}, neutral(name, result.element));
  return op(scope, "reduce", {v, init}, result, "dimensions = " + i64_array(dims), reducer(name, result.element));
}

// As many dimensions by a sum or a broadcast, then as long ones by a pad, which also cuts.
Var GraphMaker::fitted(Scope& scope, Var v, const Dims& dims) {
  const size_t rank = dims.size();
  if (type(v).dims.size() > rank) {
    Dims rest;
    for (size_t d = rank; d < type(v).dims.size(); ++d) rest.push_back(static_cast<int64_t>(d));
    v = summed(scope, v, rest);
  } else if (type(v).dims.size() < rank) {
    Dims to = order(rank);
    to.resize(type(v).dims.size());
    std::sort(to.begin(), to.end());
    ArrayType result{type(v).element, dims};
    for (size_t i = 0; i < to.size(); ++i) result.dims[static_cast<size_t>(to[i])] = type(v).dims[i];
    v = op(scope, "broadcast_in_dim", {v}, result, "broadcast_dimensions = " + i64_array(to));
  }
  if (type(v).dims == dims) return v;
  Dims low(rank, 0), high(rank, 0);
  for (size_t d = 0; d < rank; ++d) {
    const int64_t more = dims[d] - type(v).dims[d];
    (chance(30) ? low : high)[d] = more;
  }
  const Var value = constant(scope, {type(v).element, {}});
  return op(scope, "pad", {v, value}, {type(v).element, dims},
            "edge_padding_high = " + i64_array(high) + ", edge_padding_low = " + i64_array(low) +
                ", interior_padding = " + i64_array(Dims(rank, 0)));
}

Var GraphMaker::made(Scope& scope, const ArrayType& wanted) {
  std::vector<Var> same, near;
  for (const Var v : scope.visible) {
    if (type(v) == wanted) same.push_back(v);
    if (type(v).element == wanted.element) near.push_back(v);
  }
  const auto one_of = [&](const std::vector<Var>& from) {
    return from[static_cast<size_t>(below(static_cast<int64_t>(from.size())))];
  };
  if (!same.empty() && chance(90)) return one_of(same);
  if (near.empty() || chance(15)) return constant(scope, wanted);
  return fitted(scope, one_of(near), wanted.dims);
}

Var GraphMaker::start_index(Scope& scope) {
  if (chance(35)) return splat(scope, {"i32", {}}, std::to_string(between(-1, 4)));
  const Var v = made(scope, {"i32", {}});
  return chance(70) ? bounded(scope, v) : v;
}

Var GraphMaker::start_inside(Scope& scope, int64_t most) {
  const ArrayType t{"i32", {}};
  if (chance(35)) return splat(scope, t, std::to_string(between(-1, 4)));
  const Var low = splat(scope, t, "0"), high = splat(scope, t, std::to_string(most));
  scope.block.steps.back().kept = scope.block.steps[scope.block.steps.size() - 2].kept = true;
  const Var v = op(scope, "clamp", {low, made(scope, t), high}, t);
  scope.block.steps.back().kept = true;
  return v;
}

Var GraphMaker::bounded(Scope& scope, Var v) {
  const ArrayType t = type(v);
  if (t.element == "f32") return op(scope, "tanh", {v}, t);
  if (t.element == "i1") return v;
  return op(scope, "and", {v, splat(scope, t, "3")}, t);
}

Var GraphMaker::combined(Scope& scope, Var a, Var b) {
  const ArrayType t = type(a);
  static constexpr const char* kNumbers[] = {"add", "subtract", "maximum", "minimum"};
  static constexpr const char* kFlags[] = {"and", "or", "xor"};
  return op(scope, t.element == "i1" ? kFlags[below(std::size(kFlags))] : kNumbers[below(std::size(kNumbers))], {a, b},
            t);
}

// A body that gives `results`; the first of them are made from its arguments. Isolated: it sees nothing else.
Block GraphMaker::body_block(const Scope& scope, const std::vector<ArrayType>& args,
                             const std::vector<ArrayType>& results, int steps, bool isolated) {
  Block block;
  Scope inner{block, isolated ? std::vector<Var>() : scope.visible, scope.depth + 1};
  for (const ArrayType& arg : args) block.args.push_back(new_var(arg));
  inner.visible.insert(inner.visible.end(), block.args.begin(), block.args.end());
  for (int i = 0; i < steps; ++i) random_step(inner);
  for (size_t i = 0; i < results.size(); ++i) {
    const Var v = made(inner, results[i]);
    const bool carried = i < args.size() && args[i] == results[i];
    block.results.push_back(carried && chance(70) ? combined(inner, block.args[i], v) : v);
  }
  return block;
}

void GraphMaker::loop(Scope& scope) {
  if (scope.depth >= 2) return;
  Step step;
  step.name = "stablehlo.while";
  std::vector<ArrayType> types{{"i32", {}}};
  step.operands.push_back(splat(scope, types[0], "0"));
  for (int64_t i = between(1, 3); i > 0; --i) {
    step.operands.push_back(any(scope));
    types.push_back(type(step.operands.back()));
  }
  // At most three turns, of a number that is known or not; that it is small is said where nothing is left out.
  const bool known = chance(60);
  Var turns = known ? splat(scope, types[0], std::to_string(between(0, 3))) : made(scope, types[0]);
  Block condition;
  Scope asked{condition, {}, scope.depth + 1};
  for (const ArrayType& t : types) condition.args.push_back(new_var(t));
  if (!known) turns = bounded(asked, turns);
  condition.results.push_back(op(asked, "compare", {condition.args[0], turns}, {"i1", {}},
                                 "comparison_direction = #stablehlo<comparison_direction LT>"));
  const std::vector<ArrayType> carried(types.begin() + 1, types.end());
  Block body = body_block(scope, carried, carried, static_cast<int>(between(0, 4)), false);
  Scope end{body, {}, scope.depth + 1};
  body.args.insert(body.args.begin(), new_var(types[0]));
  body.results.insert(body.results.begin(), op(end, "add", {body.args[0], splat(end, types[0], "1")}, types[0]));
  step.blocks.push_back(std::move(condition));
  step.blocks.push_back(std::move(body));
  add(scope, std::move(step), types);
}

void GraphMaker::branches(Scope& scope) {
  if (scope.depth >= 2) return;
  Step step;
  std::vector<ArrayType> types;
  for (int64_t i = between(1, 2); i > 0; --i) types.push_back(type(any(scope)));
  int64_t count = 2;
  if (chance(50)) {
    step.name = "stablehlo.if";
    step.operands.push_back(made(scope, {"i1", {}}));
  } else {
    step.name = "stablehlo.case";
    step.operands.push_back(start_index(scope));
    count = between(1, 3);
  }
  for (int64_t i = 0; i < count; ++i)
    step.blocks.push_back(body_block(scope, {}, types, static_cast<int>(between(0, 3)), false));
  add(scope, std::move(step), types);
}

void GraphMaker::call(Scope& scope) {
  if (scope.depth >= 2) return;
  Step step;
  step.name = "func.call";
  if (graph_.functions.empty() || chance(50)) {
    std::vector<ArrayType> args, results;
    for (int64_t i = between(1, 3); i > 0; --i) args.push_back(type(any(scope)));
    for (int64_t i = between(1, 2); i > 0; --i) results.push_back(type(any(scope)));
    Block function = body_block(scope, args, results, static_cast<int>(between(1, 5)), true);
    graph_.functions.push_back(std::move(function));
    step.callee = static_cast<int>(graph_.functions.size() - 1);
  } else {
    step.callee = static_cast<int>(below(static_cast<int64_t>(graph_.functions.size())));
  }
  const Block& function = graph_.functions[static_cast<size_t>(step.callee)];
  for (const Var arg : function.args) step.operands.push_back(made(scope, type(arg)));
  std::vector<ArrayType> results;
  for (const Var v : function.results) results.push_back(type(v));
  add(scope, std::move(step), results);
}

void GraphMaker::random_step(Scope& scope) {
  struct Choice {
    void (GraphMaker::*add)(Scope&);
    int weight;
  };
  using M = GraphMaker;
  static constexpr Choice kChoices[] = {
      {&M::pointwise, 14},  {&M::compare, 5},     {&M::convert, 3},       {&M::broadcast, 6},
      {&M::reshape, 8},     {&M::transpose, 5},   {&M::reverse, 2},       {&M::slice, 6},
      {&M::pad, 4},         {&M::concatenate, 5}, {&M::dynamic_slice, 4}, {&M::dynamic_update_slice, 4},
      {&M::reduce, 6},      {&M::arg_max, 2},     {&M::reduce_window, 3}, {&M::dot, 8},
      {&M::convolution, 3}, {&M::gather, 5},      {&M::scatter, 5},       {&M::sort, 4},
      {&M::pin, 10},        {&M::barrier, 1},     {&M::loop, 4},          {&M::branches, 3},
      {&M::call, 4}};
  static constexpr int kTotal = [] {
    int total = 0;
    for (const Choice& c : kChoices) total += c.weight;
    return total;
  }();
  int64_t left = below(kTotal);
  for (const Choice& c : kChoices)
    if ((left -= c.weight) < 0) return (this->*c.add)(scope);
}

RandomGraph GraphMaker::make() {
  graph_.mesh = kDevices[static_cast<size_t>(below(static_cast<int64_t>(kDevices.size())))];
  graph_.from_jax = chance(60);
  Scope scope{graph_.main, {}, 0};
  static constexpr const char* kElements[] = {"i32", "i32", "i32", "f32", "f32", "i1"};
  for (int64_t i = between(2, 4); i > 0; --i) {
    ArrayType t{kElements[below(std::size(kElements))], {}};
    do {
      t.dims.assign(static_cast<size_t>(chance(10) ? 0 : between(1, 3)), 0);
      for (int64_t& d : t.dims) d = size();
    } while (t.count() > kMaxElements);
    const Var v = new_var(t);
    graph_.main.args.push_back(v);
    scope.visible.push_back(v);
    if (chance(60)) graph_.given[v] = sharding(t.dims.size());
  }
  const auto wanted = static_cast<size_t>(between(5, 40));
  const auto steps = [&] {
    size_t count = 0;
    for_each_step(graph_, [&](const Step& s) { count += s.name == "stablehlo.constant" ? 0 : 1; });
    return count;
  };
  while (steps() < wanted) random_step(scope);
  // What nobody uses, the latest first, is what the program computes.
  std::vector<bool> used(graph_.types.size(), false);
  for_each_step(graph_, [&](const Step& s) {
    for (const Var v : s.operands) used[v] = true;
  });
  for (size_t i = scope.visible.size(); i-- > 0;)
    if (const Var v = scope.visible[i]; graph_.main.results.size() < 4 && (!used[v] || chance(5)))
      graph_.main.results.push_back(v);
  for (const Var v : graph_.main.results)
    graph_.result_given.push_back(chance(50) ? sharding(type(v).dims.size()) : "");
  return std::move(graph_);
}

RandomGraph random_graph(uint64_t seed) { return GraphMaker(seed).make(); }

}  // namespace sw::test
