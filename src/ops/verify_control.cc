// Control flow: regions agree with operands and results, calls with callees, tuples with their elements.
#include <algorithm>

#include "ops/verify_check.h"

namespace sw {

namespace {

void operand_types(const OpCheck& check, size_t first, std::vector<TypeId>& types) {
  for (size_t i = first; i < check.operands.size(); ++i) types.push_back(check.operand_id(i));
}

void result_types(const OpCheck& check, std::vector<TypeId>& types) {
  for (size_t i = 0; i < check.op.result_count; ++i) types.push_back(check.result_id(i));
}

bool check_region_count(const OpCheck& check, size_t count) {
  if (check.regions().size() == count) return true;
  return check.invalid(counted(check.regions().size(), "region") + ", expected " + std::to_string(count));
}

bool check_predicate(const OpCheck& check, const Type& type, std::string_view what) {
  if (type.is_array() && type.element == ElementType::pred && type.rank() == 0) return true;
  return check.mismatch(std::string(what) + " is not a single true or false");
}

// Equal but for layouts, which HLO may choose anew at every instruction.
bool same_shape(const TypeTable& types, TypeId a, TypeId b) {
  if (a == b) return true;
  const Type x = types.get(a), y = types.get(b);
  if (x.kind != y.kind) return false;
  if (x.kind != TypeKind::tuple)
    return x.element == y.element && std::equal(x.dims.begin(), x.dims.end(), y.dims.begin(), y.dims.end());
  if (x.elements.size() != y.elements.size()) return false;
  for (size_t i = 0; i < x.elements.size(); ++i)
    if (!same_shape(types, x.elements[i], y.elements[i])) return false;
  return true;
}

// HLO: the computation takes these types and returns that one.
bool check_computation(const OpCheck& check, size_t region, std::string_view what, std::span<const TypeId> inputs,
                       TypeId result) {
  const Graph& graph = check.graph;
  const Block& block = graph.block(graph.entry_block(check.regions()[region]));
  const std::string name(what);
  if (block.arg_count != inputs.size())
    return check.invalid("the " + name + " has " + counted(block.arg_count, "parameter") + ", expected " +
                         std::to_string(inputs.size()));
  for (uint32_t i = 0; i < block.arg_count; ++i) {
    const TypeId type = graph.value(ValueId{block.first_arg.raw + i}).type;
    if (!same_shape(graph.types, type, inputs[i]))
      return check.mismatch("parameter " + std::to_string(i) + " of the " + name + " is " + check.text(type) +
                            ", expected " + check.text(inputs[i]));
  }
  if (!result.valid()) return true;
  const TypeId root = graph.value(graph.operands(block.ops.back())[0]).type;
  if (same_shape(graph.types, root, result)) return true;
  return check.mismatch("the " + name + " returns " + check.text(root) + ", expected " + check.text(result));
}

bool verify_hlo_while(const OpCheck& check) {
  const TypeId state[] = {check.operand_id(0)};
  if (!same_shape(check.graph.types, state[0], check.result_id()))
    return check.mismatch("the result is " + check.text(check.result_id()) + ", expected " + check.text(state[0]));
  return check_computation(check, 0, "condition", state, {}) && check_computation(check, 1, "body", state, state[0]);
}

// An operand for each branch after the index.
bool verify_hlo_conditional(const OpCheck& check) {
  if (check.operands.size() != check.regions().size() + 1)
    return check.fail(DiagnosticKind::wrong_arity, counted(check.operands.size(), "operand") + ", expected " +
                                                       std::to_string(check.regions().size() + 1) +
                                                       ": the index, and one for each branch");
  for (size_t i = 0; i < check.regions().size(); ++i) {
    const TypeId input[] = {check.operand_id(i + 1)};
    if (!check_computation(check, i, "branch " + std::to_string(i), input, check.result_id())) return false;
  }
  return true;
}

}  // namespace

// Results have the types of the operands, one for one: optimization_barrier, data flow edges, sharding constraints, ...
bool verify_same_types(const OpCheck& check) {
  if (check.op.result_count != check.operands.size()) {
    if (check.is_hlo() && check.op.result_count == 1) return true;
    return check.fail(DiagnosticKind::wrong_arity, counted(check.op.result_count, "result") + ", expected " +
                                                       std::to_string(check.operands.size()) + ", one per operand");
  }
  for (size_t i = 0; i < check.operands.size(); ++i)
    if (check.result_id(i) != check.operand_id(i) && !check.is_hlo())
      return check.mismatch("result " + std::to_string(i) + " is " + check.text(check.result_id(i)) + ", expected " +
                            check.text(check.operand_id(i)));
  return true;
}

bool verify_while(const OpCheck& check) {
  if (!check_region_count(check, 2)) return false;
  if (check.is_hlo()) return verify_hlo_while(check);
  if (!verify_same_types(check)) return false;  // while_c3
  std::vector<TypeId> types;
  operand_types(check, 0, types);
  if (!check_region(check, 1, "do", types, types) || !check_region(check, 0, "cond")) return false;  // while_c2
  const Block& cond = check.graph.block(check.graph.entry_block(check.regions()[0]));
  const auto returned = check.graph.operands(cond.ops.back());
  if (returned.size() != 1)
    return check.invalid("the condition returns " + counted(returned.size(), "value") + ", expected 1");
  std::vector<TypeId> result{check.graph.value(returned[0]).type};
  return check_region(check, 0, "cond", types, result) &&
         check_predicate(check, check.graph.types.get(result[0]), "the value that the condition returns");  // while_c1
}

// case: an index and one region per branch. if: a predicate and two regions.
bool verify_case(const OpCheck& check) {
  if (check.operands.empty())
    return check.fail(DiagnosticKind::wrong_arity, "no operands, expected the index of the branch");
  if (check.is_hlo()) return verify_hlo_conditional(check);
  if (check.op.kind == OpKind::if_ && !check_region_count(check, 2)) return false;
  if (check.regions().empty()) return check.invalid("no branches, expected at least one");  // case_c1
  const Type index = check.operand(0);
  if (check.op.kind == OpKind::if_) {
    if (!check_predicate(check, index, "the predicate")) return false;
  } else if (!index.is_array() || index.rank() != 0 || !is_integer(index.element)) {
    return check.mismatch("the index of the branch is " + check.text(check.operand_id(0)) +
                          ", expected an integer scalar");
  }
  std::vector<TypeId> types;
  result_types(check, types);
  for (size_t i = 0; i < check.regions().size(); ++i)
    if (!check_region(check, i, "branch " + std::to_string(i), {}, types)) return false;  // case_c2, c3
  return true;
}

bool verify_call(const OpCheck& check) {
  if (check.is_hlo()) {
    std::vector<TypeId> inputs;
    operand_types(check, 0, inputs);
    return check_region_count(check, 1) && check_computation(check, 0, "computation", inputs, check.result_id());
  }
  std::string_view callee;
  std::string why;
  AttrReader attrs(check.graph, check.op, &why);
  if (!attrs.text("callee", callee)) return check.bad_attribute(why);
  const FunctionId id = check.graph.function_named(check.graph.strings.find(callee));
  if (!id.valid())
    return check.fail(DiagnosticKind::undefined_symbol, "there is no function `@" + std::string(callee) + "`");
  const Type type = check.graph.types.get(check.graph.function(id).type);
  const size_t inputs = type.input_count, results = type.elements.size() - inputs;
  if (check.operands.size() != inputs || check.op.result_count != results)
    return check.fail(DiagnosticKind::wrong_arity, std::to_string(check.operands.size()) + " operands and " +
                                                       std::to_string(check.op.result_count) + " results, `@" +
                                                       std::string(callee) + "` has " + std::to_string(inputs) +
                                                       " and " + std::to_string(results));
  for (size_t i = 0; i < inputs; ++i)
    if (check.operand_id(i) != type.elements[i])
      return check.mismatch("operand " + std::to_string(i) + " is " + check.text(check.operand_id(i)) + ", `@" +
                            std::string(callee) + "` takes " + check.text(type.elements[i]));
  for (size_t i = 0; i < results; ++i)
    if (check.result_id(i) != type.elements[inputs + i])
      return check.mismatch("result " + std::to_string(i) + " is " + check.text(check.result_id(i)) + ", `@" +
                            std::string(callee) + "` returns " + check.text(type.elements[inputs + i]));
  return true;
}

bool verify_tuple(const OpCheck& check) {
  const Type type = check.result();
  if (type.kind == TypeKind::tuple && type.elements.size() == check.operands.size()) {  // tuple_c1
    for (size_t i = 0; i < type.elements.size(); ++i)
      if (!same_shape(check.graph.types, type.elements[i], check.operand_id(i)))
        return check.mismatch("operand " + std::to_string(i) + " is " + check.text(check.operand_id(i)) +
                              ", the tuple has " + check.text(type.elements[i]) + " there");
    return true;
  }
  return check.mismatch("the result is " + check.text(check.result_id()) + ", expected a tuple of " +
                        std::to_string(check.operands.size()));
}

bool verify_get_tuple_element(const OpCheck& check) {
  const Type type = check.operand(0);
  if (type.kind != TypeKind::tuple)
    return check.mismatch("the operand is " + check.text(check.operand_id(0)) + ", expected a tuple");
  int64_t index = 0;
  std::string why;
  AttrReader attrs(check.graph, check.op, &why);
  if (!attrs.integer("index", index)) return check.bad_attribute(why);
  if (index < 0 || index >= static_cast<int64_t>(type.elements.size()))  // get_tuple_element_c1
    return check.bad_attribute("index " + std::to_string(index) + " is out of range for a tuple of " +
                               std::to_string(type.elements.size()));
  if (same_shape(check.graph.types, type.elements[static_cast<size_t>(index)], check.result_id())) return true;
  return check.mismatch("the result is " + check.text(check.result_id()) + ", the tuple has " +
                        check.text(type.elements[static_cast<size_t>(index)]) + " there");
}

// manual_computation and named_computation: one region; its arguments stand for the operands, what it returns for the
// results. Types of a manual computation are local, so only ranks agree.
bool verify_computation(const OpCheck& check) {
  if (!check_region_count(check, 1) || !check_region(check, 0, "body")) return false;
  const Graph& graph = check.graph;
  const Block& block = graph.block(graph.entry_block(check.regions()[0]));
  const auto returned = graph.operands(block.ops.back());
  if (block.arg_count != check.operands.size() || returned.size() != check.op.result_count)
    return check.invalid("the body has " + std::to_string(block.arg_count) + " arguments and returns " +
                         counted(returned.size(), "value") + ", expected " + std::to_string(check.operands.size()) +
                         " and " + std::to_string(check.op.result_count));
  const bool manual = check.op.kind == OpKind::manual_computation;
  const auto agree = [&](TypeId inside, TypeId outside) {
    if (!manual) return inside == outside;
    const Type a = graph.types.get(inside), b = graph.types.get(outside);
    return a.kind == b.kind && a.rank() == b.rank() && same_element(a, b);
  };
  for (uint32_t i = 0; i < block.arg_count; ++i) {
    const TypeId type = graph.value(ValueId{block.first_arg.raw + i}).type;
    if (!agree(type, check.operand_id(i)))
      return check.mismatch("argument " + std::to_string(i) + " of the body is " + check.text(type) + ", operand " +
                            std::to_string(i) + " is " + check.text(check.operand_id(i)));
  }
  for (size_t i = 0; i < returned.size(); ++i) {
    const TypeId type = graph.value(returned[i]).type;
    if (!agree(type, check.result_id(i)))
      return check.mismatch("value " + std::to_string(i) + " returned by the body is " + check.text(type) +
                            ", result " + std::to_string(i) + " is " + check.text(check.result_id(i)));
  }
  return true;
}

}  // namespace sw
