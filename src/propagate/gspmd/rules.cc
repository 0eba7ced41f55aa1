// The table of rules: family defaults, then ops of their own, then reasons for having none. A hole does not compile.
#include "propagate/gspmd/rules.h"

namespace sw::gspmd {
namespace {

constexpr Rule elementwise(Representative which) {
  return {gspmd_forward_pointwise, gspmd_backward_pointwise, which, 0, true};
}
constexpr Rule own(ForwardFn forward, BackwardFn backward, uint8_t level, Representative which = Representative::none) {
  return {forward, backward, which, level, true};
}
// Nothing flows forward but replication; backward the default: equal shapes.
constexpr Rule untiled() { return {gspmd_forward_nothing, gspmd_backward_pointwise, Representative::none, 1, false}; }
// As untiled, but it may be given a sharding by its users.
constexpr Rule from_users_only() {
  return {gspmd_forward_nothing, gspmd_backward_pointwise, Representative::none, 1, true};
}
constexpr Rule like_operand(bool tiled) {
  return {gspmd_forward_pointwise, gspmd_backward_pointwise, Representative::most_specific, 1, tiled};
}

constexpr auto kBest = Representative::most_specific;
constexpr auto kFirst = Representative::first;

constexpr void add_elementwise(Column<Rule>& c) {
  c.family(Family::pointwise, elementwise(kBest));
  for (const OpKind kind :
       {OpKind::power, OpKind::shift_left, OpKind::shift_right_arithmetic, OpKind::shift_right_logical, OpKind::map}) {
    c.op(kind, elementwise(kFirst));
  }
  for (const OpKind kind : {OpKind::copy, OpKind::bitcast_convert, OpKind::stochastic_convert})
    c.op(kind, elementwise(kBest));
  c.op(OpKind::rng, elementwise(Representative::none));
  c.op(OpKind::constant, {gspmd_forward_nothing, gspmd_backward_pointwise, Representative::none, 0, true});
}

constexpr void add_shape(Column<Rule>& c) {
  c.family(Family::shape, untiled());
  c.op(OpKind::broadcast_in_dim, own(gspmd_forward_broadcast_in_dim, gspmd_backward_broadcast_in_dim, 2));
  c.op(OpKind::reshape, own(gspmd_forward_reshape, gspmd_backward_reshape, 0));
  c.op(OpKind::transpose, own(gspmd_forward_transpose, gspmd_backward_transpose, 0));
  c.op(OpKind::reverse, own(gspmd_forward_reverse, gspmd_backward_reverse, 1, kFirst));
  c.op(OpKind::concatenate, own(gspmd_forward_concatenate, gspmd_backward_concatenate, 0, kBest));
  c.op(OpKind::slice, own(gspmd_forward_slice, gspmd_backward_slice, 1, kFirst));
  c.op(OpKind::pad, own(gspmd_forward_pad, gspmd_backward_pad, 1, kFirst));
  c.op(OpKind::iota, from_users_only());
}

constexpr void add_linear(Column<Rule>& c) {
  c.family(Family::contract, untiled());
  c.op(OpKind::dot_general, own(gspmd_forward_dot_general, gspmd_backward_dot_general, 1));
  c.op(OpKind::dot, own(gspmd_forward_dot_general, gspmd_backward_dot_general, 1));
  c.family(Family::conv, untiled());
  c.op(OpKind::convolution, own(gspmd_forward_convolution, gspmd_backward_convolution, 1));
  c.family(Family::linalg, untiled());
  c.op(OpKind::rng_bit_generator, from_users_only());
}

constexpr void add_reduce(Column<Rule>& c) {
  c.family(Family::reduce, untiled());
  c.op(OpKind::reduce, own(gspmd_forward_reduce, gspmd_backward_reduce, 1));
  c.family(Family::window, untiled());
  c.op(OpKind::reduce_window, own(gspmd_forward_reduce_window, gspmd_backward_reduce_window, 1));
  c.op(OpKind::select_and_scatter, own(gspmd_forward_select_and_scatter, gspmd_backward_select_and_scatter, 1));
}

constexpr void add_index(Column<Rule>& c) {
  c.family(Family::index, untiled());
  c.op(OpKind::gather, own(gspmd_forward_gather, gspmd_backward_gather, 1));
  c.op(OpKind::scatter, own(gspmd_forward_scatter, gspmd_backward_scatter, 1));
  c.op(OpKind::sort, own(gspmd_forward_sort, gspmd_backward_sort, 1, kBest));
  c.family(Family::slice, untiled());
  c.op(OpKind::dynamic_slice, own(gspmd_forward_dynamic_slice, gspmd_backward_dynamic_slice, 0));
  c.op(OpKind::dynamic_update_slice, own(gspmd_forward_dynamic_update_slice, gspmd_backward_dynamic_update_slice, 0));
}

constexpr void add_control(Column<Rule>& c) {
  c.family(Family::control, untiled());
  c.op(OpKind::tuple, own(gspmd_forward_tuple, gspmd_backward_tuple, 0));
  c.op(OpKind::get_tuple_element, own(gspmd_forward_get_tuple_element, gspmd_backward_get_tuple_element, 0));
  c.op(OpKind::optimization_barrier, own(gspmd_forward_pointwise, gspmd_backward_pointwise, 0, kFirst));
  c.op(OpKind::while_, own(gspmd_forward_while_, gspmd_backward_pointwise, 0, kBest));
  c.op(OpKind::case_, from_users_only());
  c.op(OpKind::if_, from_users_only());
  c.op(OpKind::call, {gspmd_forward_nothing, gspmd_backward_pointwise, Representative::none, 0, false});
  c.op(OpKind::parameter, {gspmd_forward_parameter, gspmd_backward_pointwise, Representative::none, 1, false});
}

constexpr void add_collective(Column<Rule>& c) {
  c.family(Family::collective, untiled());
  for (const OpKind kind : {OpKind::all_reduce, OpKind::collective_permute, OpKind::reduce_scatter})
    c.op(kind, like_operand(true));
  for (const OpKind kind : {OpKind::all_gather, OpKind::all_to_all, OpKind::collective_broadcast})
    c.op(kind, like_operand(false));
  c.op(OpKind::infeed, from_users_only());
  c.op(OpKind::outfeed, {gspmd_forward_nothing, gspmd_backward_outfeed, Representative::none, 1, false});
  c.family(Family::custom, untiled());
  c.op(OpKind::custom_call, {gspmd_forward_custom_call, gspmd_backward_custom_call, Representative::none, 1, false});
}

constexpr Column<Rule> kRules = [] {
  Column<Rule> c;
  add_elementwise(c);
  add_shape(c);
  add_linear(c);
  add_reduce(c);
  add_index(c);
  add_control(c);
  add_collective(c);
  return c;
}();

}  // namespace

static_assert(sizeof(MissingRuleFor<kRules.first_hole()>) > 0, "every op has a cell");

Rule rule_of(OpKind kind) { return kRules.fn(kind); }
ColumnCells gspmd_column() { return column_cells("gspmd", kRules); }

bool elementwise_kind(OpKind kind) {
  const Rule rule = kRules.fn(kind);
  return rule.forward == gspmd_forward_pointwise && rule.level == 0 && kind != OpKind::optimization_barrier;
}

}  // namespace sw::gspmd
