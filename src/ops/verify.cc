// Runs the check of every op, then of every function. Ops are visited in the order of their ids, so nesting costs no
// recursion; what spans several ops (regions, callees, enclosing manual computations) is looked up.
#include "ops/verify.h"

#include "ops/column.h"
#include "ops/verify_check.h"
#include "ops/verify_shardings.h"

namespace sw {

namespace {

constexpr std::string_view kFree = "any operands and results";

constexpr Column<VerifyFn> kVerify = [] {
  Column<VerifyFn> c;
  using K = OpKind;
  c.family(Family::pointwise, verify_pointwise);
  for (K k : {K::convert, K::is_finite, K::uniform_quantize, K::uniform_dequantize, K::chlo_is_inf, K::chlo_is_neg_inf,
              K::chlo_is_pos_inf, K::bitcast_convert})
    c.op(k, verify_convert);
  for (K k : {K::abs, K::real, K::imag}) c.op(k, verify_real);
  c.op(K::compare, verify_compare);
  c.op(K::select, verify_select);
  c.op(K::clamp, verify_clamp);
  c.op(K::complex, verify_complex);
  c.op(K::map, verify_map);

  c.op(K::bitcast_convert, verify_bitcast_convert);
  c.op(K::broadcast, verify_broadcast);
  c.op(K::broadcast_in_dim, verify_broadcast_in_dim);
  c.op(K::reshape, verify_reshape);
  c.op(K::transpose, verify_transpose);
  c.op(K::reverse, verify_reverse);
  c.op(K::slice, verify_slice);
  c.op(K::pad, verify_pad);
  c.op(K::concatenate, verify_concatenate);
  c.op(K::iota, verify_iota);
  for (K k : {K::constant, K::sdy_constant}) c.op(k, verify_constant);
  c.family(Family::shape, verify_arrays);

  for (K k : {K::dot, K::dot_general}) c.op(k, verify_dot_general);
  c.op(K::ragged_dot, verify_ragged_dot);
  c.op(K::scaled_dot, verify_scaled_dot);
  c.family(Family::contract, verify_arrays);
  c.op(K::convolution, verify_convolution);
  c.family(Family::conv, verify_arrays);

  c.op(K::reduce, verify_reduce);
  c.family(Family::reduce, verify_batch_norm);
  c.op(K::reduce_window, verify_reduce_window);
  c.op(K::select_and_scatter, verify_select_and_scatter);

  c.op(K::gather, verify_gather);
  c.op(K::scatter, verify_scatter);
  c.op(K::sort, verify_sort);
  for (K k : {K::topk, K::top_k}) c.op(k, verify_topk);
  c.op(K::dynamic_gather, verify_gather);
  c.family(Family::index, verify_arrays);
  c.op(K::dynamic_slice, verify_dynamic_slice);
  c.op(K::dynamic_update_slice, verify_dynamic_update_slice);

  c.op(K::cholesky, verify_cholesky);
  c.op(K::triangular_solve, verify_triangular_solve);
  c.op(K::fft, verify_fft);
  c.op(K::rng_bit_generator, verify_rng_bit_generator);
  c.family(Family::linalg, verify_arrays);

  c.op(K::while_, verify_while);
  for (K k : {K::case_, K::if_}) c.op(k, verify_case);
  c.op(K::optimization_barrier, verify_same_types);
  c.op(K::call, verify_call);
  c.op(K::tuple, verify_tuple);
  c.op(K::get_tuple_element, verify_get_tuple_element);
  for (K k : {K::manual_computation, K::named_computation}) c.op(k, verify_computation);
  c.op(K::copy, verify_same_types);
  c.op(K::stochastic_convert, verify_arrays);
  for (K k : {K::composite, K::after_all, K::create_token, K::add_dependency, K::parameter, K::fusion, K::domain,
              K::async_start, K::async_update, K::async_done, K::copy_start, K::copy_done, K::bitcast, K::scan,
              K::func_return, K::return_, K::sdy_return})
    c.none(k, kFree);

  c.op(K::all_gather, verify_all_gather);
  c.op(K::all_to_all, verify_all_to_all);
  c.op(K::reduce_scatter, verify_reduce_scatter);
  for (K k : {K::all_reduce, K::collective_broadcast}) c.op(k, verify_grouped);
  c.op(K::collective_permute, verify_collective_permute);
  for (K k : {K::cross_replica_sum, K::sdy_all_gather, K::sdy_all_slice, K::sdy_all_to_all, K::sdy_collective_permute,
              K::sdy_all_reduce, K::sdy_reduce_scatter, K::sharded_to_unreduced, K::replicated_to_unreduced})
    c.op(k, verify_same_types);
  for (K k : {K::partition_id, K::replica_id, K::send, K::recv, K::infeed, K::outfeed, K::all_gather_start,
              K::all_gather_done, K::all_reduce_start, K::all_reduce_done, K::collective_permute_start,
              K::collective_permute_done, K::send_done, K::recv_done, K::ragged_all_to_all})
    c.none(k, kFree);

  c.op(K::custom_call, verify_custom_call);
  for (K k : {K::sharding_constraint, K::reshard}) c.op(k, verify_sharding_op);
  for (K k : {K::propagation_barrier, K::data_flow_edge, K::func_data_flow_edge}) c.op(k, verify_same_types);
  for (K k : {K::sharding_group, K::unknown}) c.none(k, kFree);
  return c;
}();

}  // namespace

template struct MissingRuleFor<kVerify.first_hole()>;

namespace {

// Counts of ir/ops.def. HLO has one result always, a tuple where MLIR has several.
bool check_arity(const OpCheck& check) {
  const OpFacts& facts = sw::facts(check.op.kind);
  if (facts.operands >= 0 && check.operands.size() != static_cast<size_t>(facts.operands))
    return check.fail(DiagnosticKind::wrong_arity,
                      counted(check.operands.size(), "operand") + ", expected " + std::to_string(facts.operands));
  if (facts.results >= 0 && !check.is_hlo() && check.op.result_count != static_cast<uint32_t>(facts.results))
    return check.fail(DiagnosticKind::wrong_arity,
                      counted(check.op.result_count, "result") + ", expected " + std::to_string(facts.results));
  return true;
}

// Ranks are needed everywhere, so a tensor without one is refused.
bool check_ranked(const OpCheck& check) {
  const auto ranked = [&](TypeId type) {
    return check.graph.types.get(type).kind != TypeKind::unranked ||
           check.fail(DiagnosticKind::unsupported, check.text(type) + " has no rank, expected tensors of known rank");
  };
  for (ValueId operand : check.operands)
    if (!ranked(check.graph.value(operand).type)) return false;
  for (uint32_t i = 0; i < check.op.result_count; ++i)
    if (!ranked(check.result_id(i))) return false;
  return true;
}

// A function's type, its arguments and what it returns agree.
void check_function(const Program& program, const Function& function, Diagnostics& diagnostics) {
  const Graph& graph = program.graph;
  const auto fail = [&](DiagnosticKind kind, const std::string& message) {
    diagnostics.error(kind, function.where, "`@" + std::string(graph.strings.text(function.name)) + "`: " + message);
  };
  const auto text = [&](TypeId type) { return "`" + mlir_text(graph.types, type) + "`"; };
  const Type type = graph.types.get(function.type);
  if (type.kind != TypeKind::function) return fail(DiagnosticKind::bad_type, "the type is not that of a function");
  if (!function.body.valid()) return;
  const Region& body = graph.region(function.body);
  if (body.blocks.size() != 1)
    return fail(DiagnosticKind::unsupported, "the body has " + std::to_string(body.blocks.size()) +
                                                 " blocks, expected one: control flow is written with " +
                                                 "`stablehlo.while` and `stablehlo.case`");
  const Block& block = graph.block(body.blocks.front());
  if (block.arg_count != type.input_count)
    return fail(DiagnosticKind::invalid_op, "the body has " + std::to_string(block.arg_count) +
                                                " arguments, expected " + std::to_string(type.input_count));
  for (uint32_t i = 0; i < block.arg_count; ++i) {
    const TypeId arg = graph.value(ValueId{block.first_arg.raw + i}).type;
    if (arg != type.elements[i])
      return fail(DiagnosticKind::type_mismatch,
                  "argument " + std::to_string(i) + " is " + text(arg) + ", expected " + text(type.elements[i]));
    if (graph.types.get(arg).kind == TypeKind::unranked)
      return fail(DiagnosticKind::unsupported, text(arg) + " has no rank, expected tensors of known rank");
  }
  if (block.ops.empty() || graph.op(block.ops.back()).kind != OpKind::func_return)
    return fail(DiagnosticKind::invalid_op, "the body does not end with `return`");
  const auto returned = graph.operands(block.ops.back());
  const auto results = type.elements.subspan(type.input_count);
  const SourceRange where = graph.op(block.ops.back()).where;
  if (returned.size() != results.size()) {
    diagnostics.error(DiagnosticKind::wrong_arity, where,
                      counted(returned.size(), "value") + " returned, expected " + std::to_string(results.size()));
    return;
  }
  for (size_t i = 0; i < returned.size(); ++i) {
    const TypeId value = graph.value(returned[i]).type;
    if (value == results[i]) continue;
    diagnostics.error(DiagnosticKind::type_mismatch, where,
                      "value " + std::to_string(i) + " returned is " + text(value) + ", the function's type says " +
                          text(results[i]));
    return;
  }
}

}  // namespace

void verify(const Program& program, Diagnostics& diagnostics) {
  const Graph& graph = program.graph;
  for (size_t i = 0; i < graph.op_count(); ++i) {
    const OpId id{i};
    const Op& op = graph.op(id);
    if (!op.parent.valid()) continue;
    const OpCheck check{program, graph, id, op, graph.operands(op), diagnostics};
    if (!check_arity(check) || !check_ranked(check)) continue;
    const VerifyFn fn = kVerify.fn(op.kind);
    if (fn != nullptr && !fn(check)) continue;
    verify_op_shardings(check);
  }
  for (size_t i = 0; i < graph.function_count(); ++i) {
    const Function& function = graph.function(FunctionId{i});
    if (!graph.is_hlo) check_function(program, function, diagnostics);
    verify_function_shardings(program, function, diagnostics);
  }
}

ColumnCells verify_column_cells() { return column_cells("verify", kVerify); }

std::vector<ColumnCells> ops_columns() { return {verify_column_cells(), factors_column_cells()}; }

}  // namespace sw
