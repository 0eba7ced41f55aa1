// Which rule partitions which op. A kind without a row is computed whole on every device (default_rule).
#include <array>

#include "partition/visitor.h"

namespace sw {

namespace {

struct Rules {
  std::array<PartitionFn, kOpKindCount> of{};
  Rules() {
    for (size_t i = 0; i < kOpKindCount; ++i) {
      const auto kind = static_cast<OpKind>(i);
      of[i] = facts(kind).family == Family::pointwise ? partition_elementwise : partition_default;
    }
    set(OpKind::all_reduce, partition_all_reduce);
    set(OpKind::bitcast_convert, partition_bitcast_convert);
    set(OpKind::broadcast_in_dim, partition_broadcast_in_dim);
    set(OpKind::call, partition_call);
    set(OpKind::case_, partition_conditional);
    set(OpKind::cholesky, partition_cholesky);
    set(OpKind::collective_permute, partition_collective_permute);
    set(OpKind::concatenate, partition_concatenate);
    set(OpKind::constant, partition_constant);
    set(OpKind::convolution, partition_convolution);
    set(OpKind::copy, partition_elementwise);
    set(OpKind::custom_call, partition_custom_call);
    set(OpKind::dot_general, partition_dot_general);
    set(OpKind::dynamic_slice, partition_dynamic_slice);
    set(OpKind::dynamic_update_slice, partition_dynamic_update_slice);
    set(OpKind::gather, partition_gather);
    set(OpKind::get_tuple_element, partition_get_tuple_element);
    set(OpKind::iota, partition_iota);
    set(OpKind::map, partition_map);
    set(OpKind::optimization_barrier, partition_elementwise);
    set(OpKind::pad, partition_pad);
    set(OpKind::partition_id, partition_partition_id);
    set(OpKind::reduce, partition_reduce);
    set(OpKind::reduce_window, partition_reduce_window);
    set(OpKind::reshape, partition_reshape);
    set(OpKind::reverse, partition_reverse);
    set(OpKind::rng, partition_rng);
    set(OpKind::scatter, partition_scatter);
    set(OpKind::select_and_scatter, partition_select_and_scatter);
    set(OpKind::slice, partition_slice);
    set(OpKind::sort, partition_sort);
    set(OpKind::transpose, partition_transpose);
    set(OpKind::triangular_solve, partition_triangular_solve);
    set(OpKind::tuple, partition_tuple);
    set(OpKind::while_, partition_while);
  }
  void set(OpKind kind, PartitionFn fn) { of[static_cast<size_t>(kind)] = fn; }
};

}  // namespace

PartitionFn partition_rule(OpKind kind) {
  static const Rules rules;
  return rules.of[static_cast<size_t>(kind)];
}

}  // namespace sw
