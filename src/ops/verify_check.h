// What the check of one op sees, and the checks themselves by family (verify_<family>.cc). Private to ops/.
//
// A check reports at most one fault, the first it finds, and returns whether there was none. When it runs, the counts
// of operands and results agree with ir/ops.def, and no type is an unranked tensor. HLO has tuples where MLIR has
// several results and no regions but computations with other signatures, so checks of results and regions are for MLIR;
// sizes of array results are checked in both.
//
// Labels such as dot_general_c12 name the constraint of the StableHLO specification that a check stands for.
#pragma once

#include <initializer_list>
#include <string>

#include "ops/attr_reader.h"
#include "sharding/program.h"
#include "source/diagnostic.h"

namespace sw {

struct OpCheck {
  const Program& program;
  const Graph& graph;
  OpId id;
  const Op& op;
  std::span<const ValueId> operands;
  Diagnostics& diagnostics;

  bool is_hlo() const { return graph.is_hlo; }
  ValueId result_value(size_t i) const { return ValueId{op.first_result.raw + static_cast<uint32_t>(i)}; }
  TypeId operand_id(size_t i) const { return graph.value(operands[i]).type; }
  TypeId result_id(size_t i = 0) const { return graph.value(result_value(i)).type; }
  Type operand(size_t i) const { return graph.types.get(operand_id(i)); }
  Type result(size_t i = 0) const { return graph.types.get(result_id(i)); }
  std::span<const RegionId> regions() const { return graph.regions(op); }

  // Reports "`op name`: message" at the op and returns false.
  bool fail(DiagnosticKind kind, const std::string& message) const;
  bool mismatch(const std::string& message) const { return fail(DiagnosticKind::type_mismatch, message); }
  bool invalid(const std::string& message) const { return fail(DiagnosticKind::invalid_op, message); }
  // A fault that a reader of dims_*.h explained.
  bool bad_attribute(const std::string& why) const { return fail(DiagnosticKind::bad_attribute, why); }
  std::string text(TypeId type) const;

  // All operands and results are arrays (also of dynamic shape), not tokens or tuples.
  bool arrays() const;
  // The element types agree; HLO lets the floating-point types of one op differ.
  bool elements(const Type& a, const Type& b, std::string_view what) const;
  // The same, and reductions may accumulate in another width than the input's.
  bool promotable(const Type& a, const Type& b, std::string_view what) const;
  // Operand or result i (`what` names it) is a scalar array.
  bool scalar(const Type& type, std::string_view what) const;
};

// Equal or one of them not static.
inline bool same_size(int64_t a, int64_t b) { return a == b || a == kDynamic || b == kDynamic; }
bool same_dims(std::span<const int64_t> a, std::span<const int64_t> b);
// The element types can be equal: quantized types are compared no further.
bool same_element(const Type& a, const Type& b);
// "1 operand", "2 operands".
std::string counted(size_t count, std::string_view singular, std::string_view plural = {});
// "8x16" for messages; "()" for a scalar.
std::string dims_text(std::span<const int64_t> dims);

// A region of an MLIR op has exactly one block, and that ends with a terminator. HLO: nothing to check.
bool check_region(const OpCheck& check, size_t region, std::string_view name);
// The same, and arguments and returned values of exactly these types.
bool check_region(const OpCheck& check, size_t region, std::string_view name, std::span<const TypeId> args,
                  std::span<const TypeId> results);
// Scalar arguments and results, as many as given: bodies of reduce, scatter, sort, ...
bool check_scalar_body(const OpCheck& check, size_t region, size_t args, size_t results);

using VerifyFn = bool (*)(const OpCheck&);

bool verify_pointwise(const OpCheck& check);
bool verify_compare(const OpCheck& check);
bool verify_select(const OpCheck& check);
bool verify_clamp(const OpCheck& check);
bool verify_convert(const OpCheck& check);
bool verify_complex(const OpCheck& check);
bool verify_real(const OpCheck& check);
bool verify_map(const OpCheck& check);

bool verify_bitcast_convert(const OpCheck& check);
bool verify_broadcast(const OpCheck& check);
bool verify_broadcast_in_dim(const OpCheck& check);
bool verify_reshape(const OpCheck& check);
bool verify_transpose(const OpCheck& check);
bool verify_reverse(const OpCheck& check);
bool verify_slice(const OpCheck& check);
bool verify_pad(const OpCheck& check);
bool verify_concatenate(const OpCheck& check);
bool verify_iota(const OpCheck& check);
bool verify_constant(const OpCheck& check);
bool verify_arrays(const OpCheck& check);

bool verify_dot_general(const OpCheck& check);
bool verify_ragged_dot(const OpCheck& check);
bool verify_scaled_dot(const OpCheck& check);
bool verify_convolution(const OpCheck& check);

bool verify_reduce(const OpCheck& check);
bool verify_batch_norm(const OpCheck& check);
bool verify_reduce_window(const OpCheck& check);
bool verify_select_and_scatter(const OpCheck& check);

bool verify_gather(const OpCheck& check);
bool verify_scatter(const OpCheck& check);
bool verify_sort(const OpCheck& check);
bool verify_topk(const OpCheck& check);
bool verify_dynamic_slice(const OpCheck& check);
bool verify_dynamic_update_slice(const OpCheck& check);

bool verify_cholesky(const OpCheck& check);
bool verify_triangular_solve(const OpCheck& check);
bool verify_fft(const OpCheck& check);
bool verify_rng_bit_generator(const OpCheck& check);

bool verify_while(const OpCheck& check);
bool verify_case(const OpCheck& check);
bool verify_same_types(const OpCheck& check);
bool verify_call(const OpCheck& check);
bool verify_tuple(const OpCheck& check);
bool verify_get_tuple_element(const OpCheck& check);
bool verify_computation(const OpCheck& check);

bool verify_grouped(const OpCheck& check);
bool verify_collective_permute(const OpCheck& check);
bool verify_all_gather(const OpCheck& check);
bool verify_all_to_all(const OpCheck& check);
bool verify_reduce_scatter(const OpCheck& check);
bool verify_custom_call(const OpCheck& check);
bool verify_sharding_op(const OpCheck& check);

}  // namespace sw
