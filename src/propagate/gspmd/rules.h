// The dispatch table of GSPMD's inference: one row per op, one function per direction.
//
//   gspmd_forward_<op>(ctx, inst)              offers `inst` what its operands say; true when it changed
//   gspmd_backward_<op>(ctx, operand, user, out)   what `user` says its operand should have; false: nothing
//
// The common part (which ops let shardings through at which level, manual shardings, what may be tiled at all) is in
// infer.cc; a rule only maps dimensions.
#pragma once

#include <optional>
#include <unordered_map>

#include "ops/column.h"
#include "ops/dims_gather_scatter.h"
#include "propagate/gspmd/contract.h"
#include "propagate/gspmd/state.h"

namespace sw::gspmd {

// Which operand stands for all of them, where a rule needs just one.
enum class Representative : uint8_t { none, first, most_specific };

// Dimensions along which a gather's or scatter's operand, indices and slices run together.
struct ParallelDims {
  DimList operand, indices, slices;
};

struct IndexedDims {
  ScatterDims dims;
  bool ok = false;
  std::optional<ParallelDims> explicit_batch;  // batching dims as written
  std::optional<ParallelDims> implicit_batch;  // found by an iota among the indices
};

// What rules work on: the state and dimensions read from attributes.
struct Context {
  State& state;
  Module& module;
  ShardingPool& pool;
  ContractCache contracts;
  std::unordered_map<uint32_t, IndexedDims> indexed;
  std::vector<uint32_t> rule_class;  // by instruction; see class_of
  Memo pairs;
  uint32_t next_class = 0;
  bool any_manual = false;       // some value is manual, or may become so
  InstId asked_tuple;            // the tuple that is_flat() was last asked about
  bool tuple_of_arrays = false;  // whether its operands are all arrays

  explicit Context(State& s) : state(s), module(s.module), pool(s.pool) {}

  // Equal for instructions whose rules give equal answers to equal shardings: kind, types, dimensions, attributes.
  uint32_t class_of(InstId id);
  const ContractDims* contract_dims(InstId id) { return contracts.get(state.graph, module, id, class_of(id)); }
  const IndexedDims& indexed_dims(InstId id);

  // Whether all but one of the users of `id` are the root; then a sharding with more tiles may replace one it does not
  // refine.
  bool single_inner_user(InstId id) const;
  Shard intern(TileSharding s) { return pool.intern(std::move(s)); }
  // From operand `slot` of the instruction at hand.
  bool offer(InstId id, size_t slot, Shard from, bool aggressive = false);
  bool offer_leaf(InstId id, size_t slot, size_t leaf, Shard from, bool aggressive = false);
  bool offer_everywhere(InstId id, size_t slot, Shard from, bool aggressive = false);
  void from_operand(InstId id, size_t slot);
  // Whether all elements are arrays; the first leaf of an element.
  bool is_flat(InstId tuple);
  uint32_t leaf_of_operand(InstId tuple, size_t slot);

 private:
  uint32_t pair(uint32_t a, uint32_t b);
  uint32_t compute_class(InstId id);
};

using ForwardFn = bool (*)(Context&, InstId);
using BackwardFn = bool (*)(Context&, InstId operand, InstId user, Leaves& out);

struct Rule {
  ForwardFn forward = nullptr;
  BackwardFn backward = nullptr;
  Representative representative = Representative::none;
  uint8_t level = 1;          // the first level at which the op lets shardings through
  bool can_be_tiled = false;  // the partitioner can cut it up, as far as the op alone decides
};
Rule rule_of(OpKind kind);
// For the matrix of ops: the column "gspmd".
ColumnCells gspmd_column();
// As elementwise by XLA's definition, as far as the op alone decides.
bool elementwise_kind(OpKind kind);

// infer.cc: the common frame.
bool infer_from_operands(Context& ctx, InstId id, bool allow_outputs);
bool infer_from_users(Context& ctx, InstId id, bool allow_parameters);
bool sharding_from_user(Context& ctx, InstId operand, InstId user, int level, Leaves& out);
bool can_be_tiled(const Context& ctx, InstId id, bool allow_outputs, bool allow_parameters);
InstId representative_operand(const Context& ctx, InstId id);
bool passes_through(const Context& ctx, InstId id);
// First leaf of element `index` of a tuple.
uint32_t tuple_element_leaf(const Graph& graph, const Module& module, InstId tuple, uint32_t index);
// No leaf says less, and at least one says more.
bool more_specific_leaves(const ShardingPool& pool, std::span<const Shard> a, std::span<const Shard> b);
// The type of every leaf equal but for the element type.
bool same_dims(const State& state, InstId a, InstId b);

#define SW_GSPMD_FORWARD(op) bool gspmd_forward_##op(Context& ctx, InstId id)
#define SW_GSPMD_BACKWARD(op) bool gspmd_backward_##op(Context& ctx, InstId operand, InstId user, Leaves& out)
#define SW_GSPMD_BOTH(op) \
  SW_GSPMD_FORWARD(op);   \
  SW_GSPMD_BACKWARD(op)

// infer_pointwise.cc
SW_GSPMD_BOTH(pointwise);
// infer_shape.cc
SW_GSPMD_BOTH(broadcast_in_dim);
SW_GSPMD_BOTH(reshape);
SW_GSPMD_BOTH(transpose);
SW_GSPMD_BOTH(reverse);
SW_GSPMD_BOTH(concatenate);
SW_GSPMD_BOTH(slice);
SW_GSPMD_BOTH(pad);
// infer_contract.cc
SW_GSPMD_BOTH(dot_general);
// infer_conv.cc
SW_GSPMD_BOTH(convolution);
// infer_reduce.cc
SW_GSPMD_BOTH(reduce);
SW_GSPMD_BOTH(sort);
// infer_window.cc
SW_GSPMD_BOTH(reduce_window);
SW_GSPMD_BOTH(select_and_scatter);
// infer_slice.cc
SW_GSPMD_BOTH(dynamic_slice);
SW_GSPMD_BOTH(dynamic_update_slice);
// infer_gather.cc, infer_scatter.cc
SW_GSPMD_BOTH(gather);
SW_GSPMD_BOTH(scatter);
// infer_control.cc
SW_GSPMD_BOTH(tuple);
SW_GSPMD_BOTH(get_tuple_element);
SW_GSPMD_FORWARD(parameter);
SW_GSPMD_FORWARD(while_);
SW_GSPMD_FORWARD(nothing);
SW_GSPMD_BACKWARD(outfeed);
// infer_custom.cc
SW_GSPMD_BOTH(custom_call);

}  // namespace sw::gspmd
