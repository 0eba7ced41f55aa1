// The column of kernels: which op is executed by what.
#include "exec/kernel.h"

namespace sw {

namespace {

constexpr Column<KernelMaker> kKernels = [] {
  Column<KernelMaker> c;
  for (size_t i = 0; i < kOpKindCount; ++i) c.unsupported(static_cast<OpKind>(i), "no kernel computes it");
  for (size_t i = 0; i < kOpKindCount; ++i)
    if (kFamilyOf[i] == Family::pointwise) c.op(static_cast<OpKind>(i), interp_pointwise);
  c.op(OpKind::map, interp_map);
  c.unsupported(OpKind::uniform_dequantize, "quantized elements cannot be executed");
  c.unsupported(OpKind::uniform_quantize, "quantized elements cannot be executed");

  c.op(OpKind::bitcast_convert, interp_bitcast_convert);
  c.op(OpKind::broadcast_in_dim, interp_broadcast_in_dim);
  c.op(OpKind::concatenate, interp_concatenate);
  c.op(OpKind::constant, interp_constant);
  c.op(OpKind::sdy_constant, interp_constant);
  c.op(OpKind::iota, interp_iota);
  c.op(OpKind::pad, interp_pad);
  c.op(OpKind::reshape, interp_reshape);
  c.op(OpKind::reverse, interp_reverse);
  c.op(OpKind::slice, interp_slice);
  c.op(OpKind::transpose, interp_transpose);

  c.op(OpKind::dynamic_slice, interp_dynamic_slice);
  c.op(OpKind::dynamic_update_slice, interp_dynamic_update_slice);

  c.op(OpKind::reduce, interp_reduce);
  for (const OpKind kind : {OpKind::batch_norm_grad, OpKind::batch_norm_inference, OpKind::batch_norm_training})
    c.op(kind, interp_batch_norm);
  c.op(OpKind::reduce_window, interp_reduce_window);
  c.op(OpKind::select_and_scatter, interp_select_and_scatter);
  c.op(OpKind::gather, interp_gather);
  c.op(OpKind::scatter, interp_scatter);
  c.op(OpKind::sort, interp_sort);
  c.op(OpKind::topk, interp_top_k);
  c.op(OpKind::top_k, interp_top_k);
  c.op(OpKind::convolution, interp_convolution);
  c.op(OpKind::dot_general, interp_dot_general);
  c.op(OpKind::cholesky, interp_cholesky);
  c.op(OpKind::fft, interp_fft);
  c.op(OpKind::triangular_solve, interp_triangular_solve);
  c.op(OpKind::rng, interp_rng);
  c.op(OpKind::rng_bit_generator, interp_rng_bit_generator);
  c.op(OpKind::custom_call, interp_custom_call);

  c.op(OpKind::tuple, interp_tuple);
  c.op(OpKind::after_all, interp_tuple);
  c.op(OpKind::create_token, interp_tuple);
  for (const OpKind kind : {OpKind::optimization_barrier, OpKind::copy, OpKind::sharding_constraint, OpKind::reshard,
                            OpKind::propagation_barrier, OpKind::add_dependency, OpKind::domain})
    c.op(kind, interp_pass);

  for (const OpKind kind :
       {OpKind::while_, OpKind::case_, OpKind::if_, OpKind::call, OpKind::get_tuple_element, OpKind::func_return,
        OpKind::return_, OpKind::sdy_return, OpKind::fusion, OpKind::parameter, OpKind::all_gather, OpKind::all_reduce,
        OpKind::all_to_all, OpKind::collective_broadcast, OpKind::collective_permute, OpKind::reduce_scatter,
        OpKind::partition_id, OpKind::replica_id})
    c.none(kind, "run by the machine");
  return c;
}();
static_assert(kKernels.first_hole() == kNoHole);

}  // namespace

KernelMaker kernel_maker(OpKind kind) { return kKernels.fn(kind); }
const Cell& kernel_cell(OpKind kind) { return kKernels.cell(kind); }

ColumnCells exec_column_cells() {
  ColumnCells cells = column_cells("exec", kKernels);
  for (size_t i = 0; i < kOpKindCount; ++i) {
    if (cells.cells[i].kind == CellKind::none) cells.cells[i] = {CellKind::own, {}};
    if (cells.cells[i].kind == CellKind::own && kFamilyOf[i] == Family::pointwise)
      cells.cells[i].kind = CellKind::family;
  }
  return cells;
}

}  // namespace sw
