// Kernels: what an op computes, on whole arrays. A maker reads the attributes of an op once and returns a function of
// the operands; it is found in a table by op (kernels.cc) and stands in the file of its family,
// exec/interp_<family>.cc, under the name interp_<op>.
//
// A kernel may write into an operand's buffer when nobody else holds it (reuse_or_new). Control flow, collectives and
// what tells devices apart are no kernels: the machine runs them (machine.h).
#pragma once

#include <functional>
#include <span>
#include <string>

#include "exec/array.h"
#include "exec/element_loop.h"
#include "ir/graph.h"
#include "ops/column.h"

namespace sw {

using Kernel = std::function<Datum(std::span<Datum>)>;

struct KernelRequest {
  const Graph& graph;
  OpId id;
  std::string* why;  // set when an empty kernel is returned: what cannot be executed
  Precision precision = Precision::as_written;

  const Op& op() const { return graph.op(id); }
  size_t operand_count() const { return graph.operands(id).size(); }
  // Types as the values are held.
  Type operand(size_t i) const { return held(graph.type_of(graph.operands(id)[i])); }
  Type result() const { return held(graph.type_of(graph.result(id))); }
  Type held(Type type) const {
    type.element = held_as(type.element, precision);
    return type;
  }
  Kernel refused(std::string text) const {
    *why = std::move(text);
    return {};
  }
};

using KernelMaker = Kernel (*)(const KernelRequest&);

// Null: the machine runs it, or nothing can (the cell of the column says which).
KernelMaker kernel_maker(OpKind kind);
const Cell& kernel_cell(OpKind kind);
// The column "exec" of the matrix of ops; what the machine runs counts as a rule of its own.
ColumnCells exec_column_cells();

Kernel interp_pointwise(const KernelRequest& request);
Kernel interp_map(const KernelRequest& request);

Kernel interp_bitcast_convert(const KernelRequest& request);
Kernel interp_broadcast_in_dim(const KernelRequest& request);
Kernel interp_concatenate(const KernelRequest& request);
Kernel interp_constant(const KernelRequest& request);
Kernel interp_iota(const KernelRequest& request);
Kernel interp_pad(const KernelRequest& request);
Kernel interp_pass(const KernelRequest& request);
Kernel interp_reshape(const KernelRequest& request);
Kernel interp_reverse(const KernelRequest& request);
Kernel interp_slice(const KernelRequest& request);
Kernel interp_transpose(const KernelRequest& request);
Kernel interp_tuple(const KernelRequest& request);

Kernel interp_dynamic_slice(const KernelRequest& request);
Kernel interp_dynamic_update_slice(const KernelRequest& request);

Kernel interp_reduce(const KernelRequest& request);
Kernel interp_batch_norm(const KernelRequest& request);
Kernel interp_reduce_window(const KernelRequest& request);
Kernel interp_select_and_scatter(const KernelRequest& request);

Kernel interp_gather(const KernelRequest& request);
Kernel interp_scatter(const KernelRequest& request);
Kernel interp_sort(const KernelRequest& request);
Kernel interp_top_k(const KernelRequest& request);

Kernel interp_convolution(const KernelRequest& request);
Kernel interp_dot_general(const KernelRequest& request);

Kernel interp_cholesky(const KernelRequest& request);
Kernel interp_fft(const KernelRequest& request);
Kernel interp_triangular_solve(const KernelRequest& request);
Kernel interp_rng(const KernelRequest& request);
Kernel interp_rng_bit_generator(const KernelRequest& request);
Kernel interp_custom_call(const KernelRequest& request);
Kernel interp_lapack(const KernelRequest& request, std::string_view target);

// `array` with its elements converted as `convert` does it.
Array converted(const Array& array, ElementType to);

}  // namespace sw
