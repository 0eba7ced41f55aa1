// The factor column of the op matrix, and the two ways to ask it: op by op, or through a table that builds each
// distinct rule once. Which ops have a rule, which need none and which are unknown follows Shardy's
// op_sharding_rule_registry.cc; mhlo ops follow XLA's spmd/shardy/extensions/mhlo_extensions.cc. CHLO ops never reach
// Shardy: XLA expands them into pointwise StableHLO first, but for chlo.erf, which becomes mhlo.erf and stops
// propagation.
#include "ops/attr_reader.h"
#include "ops/column.h"
#include "ops/factor_input.h"

namespace sw {

namespace {

constexpr std::string_view kNoRule = "Shardy has no rule for it";
constexpr std::string_view kEdges = "data flow edges carry it";
constexpr std::string_view kFollowsUsers = "has no operand to propagate from; follows its users";

constexpr Column<FactorFn> kFactors = [] {
  Column<FactorFn> c;
  using K = OpKind;
  c.family(Family::pointwise, factors_pointwise);
  for (K k : {K::map, K::uniform_quantize, K::uniform_dequantize, K::chlo_mulhi}) c.unsupported(k, kNoRule);
  for (K k : {K::erf, K::chlo_erf}) c.unsupported(k, "Shardy has no rule for mhlo.erf");

  c.op(K::bitcast_convert, factors_bitcast_convert);
  c.op(K::broadcast_in_dim, factors_broadcast_in_dim);
  c.op(K::reshape, factors_reshape);
  c.op(K::transpose, factors_transpose);
  c.op(K::reverse, factors_reverse);
  c.op(K::slice, factors_slice);
  c.op(K::pad, factors_pad);
  c.op(K::concatenate, factors_concatenate);
  for (K k : {K::iota, K::constant, K::sdy_constant}) c.none(k, kFollowsUsers);
  for (K k : {K::broadcast, K::get_dimension_size, K::set_dimension_size, K::dynamic_broadcast_in_dim, K::dynamic_iota,
              K::dynamic_pad, K::dynamic_reshape, K::real_dynamic_slice})
    c.unsupported(k, kNoRule);

  c.op(K::dot, factors_dot);
  c.op(K::dot_general, factors_dot_general);
  c.op(K::ragged_dot, factors_ragged_dot);
  for (K k : {K::einsum, K::unary_einsum, K::scaled_dot}) c.unsupported(k, kNoRule);
  c.op(K::convolution, factors_convolution);
  c.unsupported(K::dynamic_conv, kNoRule);

  c.op(K::reduce, factors_reduce);
  c.op(K::batch_norm_inference, factors_batch_norm_inference);
  for (K k : {K::batch_norm_training, K::batch_norm_grad}) c.unsupported(k, kNoRule);
  c.op(K::reduce_window, factors_reduce_window);
  c.op(K::select_and_scatter, factors_select_and_scatter);

  c.op(K::gather, factors_gather);
  c.op(K::scatter, factors_scatter);
  c.op(K::sort, factors_sort);
  for (K k : {K::topk, K::top_k}) c.op(k, factors_topk);
  for (K k : {K::dynamic_gather, K::torch_index_select}) c.unsupported(k, kNoRule);
  c.op(K::dynamic_slice, factors_dynamic_slice);
  c.op(K::dynamic_update_slice, factors_dynamic_update_slice);

  c.op(K::cholesky, factors_cholesky);
  c.op(K::triangular_solve, factors_triangular_solve);
  c.op(K::fft, factors_fft);
  c.op(K::rng_bit_generator, factors_rng_bit_generator);
  for (K k : {K::rng, K::rng_get_and_update_state}) c.unsupported(k, kNoRule);

  for (K k : {K::while_, K::case_, K::optimization_barrier, K::manual_computation, K::named_computation})
    c.none(k, kEdges);
  c.none(K::call, "its callee is imported in its place");
  for (K k : {K::func_return, K::return_, K::sdy_return}) c.none(k, "terminator");
  for (K k : {K::after_all, K::create_token, K::get_tuple_element}) c.none(k, "carries no sharding of its own");
  c.none(K::parameter, kFollowsUsers);
  c.op(K::copy, factors_pointwise);
  for (K k : {K::if_, K::composite, K::tuple, K::async_start, K::async_update, K::async_done, K::add_dependency,
              K::fusion, K::domain, K::copy_start, K::copy_done, K::bitcast, K::stochastic_convert, K::scan})
    c.unsupported(k, kNoRule);

  c.op(K::all_gather, factors_all_gather);
  c.op(K::all_to_all, factors_all_to_all);
  c.op(K::reduce_scatter, factors_reduce_scatter);
  for (K k : {K::all_reduce, K::collective_broadcast, K::collective_permute, K::cross_replica_sum})
    c.op(k, factors_pointwise);
  for (K k : {K::partition_id, K::infeed, K::outfeed, K::send, K::recv})
    c.none(k, "talks to other programs or devices");
  for (K k : {K::replica_id, K::all_gather_start, K::all_gather_done, K::all_reduce_start, K::all_reduce_done,
              K::collective_permute_start, K::collective_permute_done, K::send_done, K::recv_done, K::ragged_all_to_all,
              K::sdy_all_gather, K::sdy_all_slice, K::sdy_all_to_all, K::sdy_collective_permute, K::sdy_all_reduce,
              K::sdy_reduce_scatter, K::sharded_to_unreduced, K::replicated_to_unreduced})
    c.unsupported(k, kNoRule);

  c.op(K::custom_call, factors_custom_call);
  c.op(K::sharding_constraint, factors_pointwise);
  c.none(K::reshard, "is a boundary");
  for (K k : {K::sharding_group, K::propagation_barrier}) c.none(k, "has a pattern of its own");
  for (K k : {K::data_flow_edge, K::func_data_flow_edge}) c.none(k, kEdges);
  c.unsupported(K::unknown, "operation of a dialect that this program does not know");
  return c;
}();

}  // namespace

template struct MissingRuleFor<kFactors.first_hole()>;

namespace {

// Rank of a value as rules see it; false for types that no rule can describe. Tokens and other bare types have rank 0.
bool rule_rank(const Type& type, size_t& rank) {
  if (type.kind == TypeKind::tuple || type.kind == TypeKind::unranked) return false;
  rank = type.kind == TypeKind::tensor ? type.rank() : 0;
  for (size_t d = 0; d < rank; ++d)
    if (type.dims[d] < 0) return false;
  return true;
}

bool set_up(const Graph& graph, const Op& op, std::span<const ValueId> operands, FactorRuleBuilder& builder) {
  size_t rank = 0;
  for (ValueId operand : operands) {
    if (!rule_rank(graph.type_of(operand), rank)) return false;
    builder.operand(rank);
  }
  for (uint32_t i = 0; i < op.result_count; ++i) {
    if (!rule_rank(graph.type_of(ValueId{op.first_result.raw + i}), rank)) return false;
    builder.result(rank);
  }
  return true;
}

// The rule that the user wrote on the op. One that does not fit the op has been reported by verify().
bool written_rule(const Graph& graph, const Op& op, FactorRule& rule, RuleOutcome& outcome) {
  for (const NamedAttr& named : graph.attrs(op)) {
    const Attr attr = graph.attr_table.get(named.value);
    if (attr.kind != AttrKind::factor_rule) continue;
    FactorRuleError error;
    outcome = parse_factor_rule(attr.text, rule, error) && rule_fits(graph, op, rule, nullptr) ? RuleOutcome::rule
                                                                                               : RuleOutcome::unknown;
    return true;
  }
  return false;
}

}  // namespace

bool rule_fits(const Graph& graph, const Op& op, const FactorRule& rule, std::string* why) {
  const auto operands = graph.operands(op);
  if (rule.operands.size() != operands.size() || rule.results.size() != op.result_count)
    return explain(why, "the rule is for " + std::to_string(rule.operands.size()) + " operands and " +
                            std::to_string(rule.results.size()) + " results, the op has " +
                            std::to_string(operands.size()) + " and " + std::to_string(op.result_count));
  const size_t tensors = operands.size() + op.result_count;
  for (size_t t = 0; t < tensors; ++t) {
    const bool is_operand = t < operands.size();
    const size_t i = is_operand ? t : t - operands.size();
    const TensorFactors& factors = is_operand ? rule.operands[i] : rule.results[i];
    const Type type = graph.type_of(is_operand ? operands[i] : ValueId{op.first_result.raw + static_cast<uint32_t>(i)});
    size_t rank = 0;
    const std::string_view what = is_operand ? "operand" : "result";
    if (!rule_rank(type, rank))
      return explain(
          why, "a rule needs tensors of static shape, " + std::string(what) + " " + std::to_string(i) + " is not one");
    if (factors.rank() != rank)
      return explain(why, "the rule gives " + std::to_string(factors.rank()) + " dimensions to " + std::string(what) +
                              " " + std::to_string(i) + " of rank " + std::to_string(rank));
  }
  return true;
}

RuleOutcome make_factor_rule(const Graph& graph, OpId id, const RuleContext& context, FactorRule& rule) {
  const Op& op = graph.op(id);
  RuleOutcome outcome = RuleOutcome::none;
  if (written_rule(graph, op, rule, outcome)) return outcome;
  const Cell& cell = kFactors.cell(op.kind);
  if (cell.kind == CellKind::none) return RuleOutcome::none;
  const FactorFn fn = kFactors.fn(op.kind);
  if (fn == nullptr) return has_trait(op.kind, kTerminator) ? RuleOutcome::none : RuleOutcome::unknown;
  FactorRuleBuilder builder(rule);
  const FactorInput input{graph, id, op, graph.operands(op), context};
  if (!set_up(graph, op, input.operands, builder)) return RuleOutcome::unknown;
  outcome = fn(input, builder);
  if (outcome != RuleOutcome::rule) return outcome;
  return builder.finish() ? RuleOutcome::rule : RuleOutcome::unknown;
}

std::string missing_rule_reason(const Graph& graph, OpId id) {
  const Op& op = graph.op(id);
  if (op.kind == OpKind::custom_call) {
    std::string_view name;
    AttrReader attrs(graph, op, nullptr);
    if (attrs.text("call_target_name", name)) return "unknown custom call `" + std::string(name) + "`";
    return "custom call without a target";
  }
  const Cell& cell = kFactors.cell(op.kind);
  if (cell.kind == CellKind::unsupported) return std::string(cell.reason);
  if (cell.kind == CellKind::none) return {};
  return "shapes are not static";
}

ColumnCells factors_column_cells() { return column_cells("factors", kFactors); }

}  // namespace sw
