// Partitions one computation, op by op in the order of the text: looks up the pieces of the operands, lets the rule of
// the op write the local ops, and remembers the piece of the result.
//
// Manual regions: an op inside one is not the partitioner's business. A fully manual op is seen as living on device 0
// together with its operands, so that its rule changes nothing; an op that is manual on some axes is partitioned inside
// the groups of devices with equal manual coordinates.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "partition/context.h"
#include "partition/reshard.h"
#include "source/diagnostic.h"

namespace sw {

// Computations that loops, branches and calls need, partitioned on demand.
class Computations {
 public:
  virtual ~Computations() = default;
  // The local form of `region` whose parameters have the shardings `args` and whose root gets `root`.
  virtual RegionId partitioned(RegionId region, std::vector<TileShardingId> args, TileShardingId root) = 0;
};

class Visitor {
 public:
  Visitor(Context& c, Scope& everything, Computations& made, const std::vector<TileShardingId>& shardings,
          std::vector<ShardedValue>& pieces, Diagnostics& sink)
      : context(c),
        computations(made),
        diagnostics(sink),
        everything_(everything),
        shardings_(shardings),
        pieces_(pieces) {}

  Context& context;
  Computations& computations;
  Diagnostics& diagnostics;

  // Partitions `op` (not a terminator).
  void visit(OpId op);

  // For rules: the op being visited as the rule is to see it.
  const Graph& graph() const { return context.emit.graph(); }
  Emitter& emit() { return context.emit; }
  OpId op() const { return op_; }
  TileShardingId sharding_id() const { return sharding_; }
  const TileSharding& sharding() const { return context.at(sharding_); }
  TypeId full_type() const { return graph().value(graph().result(op_)).type; }
  Scope* scope() const { return scope_; }
  size_t operand_count() const { return graph().op(op_).operands.count; }
  ValueId operand_value(size_t i) const { return graph().operands(op_)[i]; }
  // Piece of an operand; sets the cause of what is written next to "operand i is moved".
  ShardedValue operand(size_t i);
  // The same of any value computed before; patterns look through the operands.
  ShardedValue piece(ValueId value);
  TileShardingId sharding_of(ValueId value) { return piece(value).sharding; }
  // Operands of the source program that are this value.
  uint32_t uses(ValueId value) const;
  // Full extents of an operand and of the (array) result.
  Dims operand_dims(size_t i) const { return Dims(graph().type_of(operand_value(i)).dims); }
  Dims result_dims() const { return Dims(graph().types.get(full_type()).dims); }

  // The result: a piece in the op's own sharding, or in any other, which is then resharded.
  void finish(ValueId piece) { result_ = {piece, full_type(), sharding_, scope_}; }
  void finish(const ShardedValue& value) { result_ = reshard_result(value); }
  ShardedValue reshard_result(const ShardedValue& value);
  // Copies the op with other operands onto pieces of sharding `s`; the result still has to be finished.
  ShardedValue clone_as(TileShardingId s, std::span<const ValueId> operands);
  // Replicates the operands, computes everything on every device, and takes the piece.
  void default_rule();
  void elementwise_rule();
  // Elementwise but for `dims`: their tiles go to the first other dimension that can take them, or are gathered.
  void elementwise_except(std::span<const int64_t> dims);

 private:
  struct Seen {
    TileShardingId sharding;
    Scope* scope = nullptr;
  };
  void note_users_collective(OpKind kind);
  bool is_scalar_for_all(size_t i);
  void enter_manual();
  void enter_manual_groups();
  TileShardingId on_device_zero(TileShardingId s);
  Seen grouped(TileShardingId s, const GroupedSharding* reference, GroupedSharding* out);

  Scope& everything_;
  const std::vector<TileShardingId>& shardings_;
  std::vector<ShardedValue>& pieces_;
  OpId op_;
  TileShardingId sharding_;
  Scope* scope_ = nullptr;
  bool all_manual_ = false;
  std::optional<GroupedSharding> manual_groups_;
  ShardedValue result_;
};

using PartitionFn = void (*)(Visitor&);
// The rule of an op (rules.cc).
PartitionFn partition_rule(OpKind kind);

// Rules by family: partition_<family>.cc.
void partition_elementwise(Visitor& v);
void partition_default(Visitor& v);
void partition_all_gather_like(Visitor& v);
void partition_all_reduce(Visitor& v);
void partition_collective_permute(Visitor& v);
void partition_bitcast_convert(Visitor& v);
void partition_broadcast_in_dim(Visitor& v);
void partition_call(Visitor& v);
void partition_cholesky(Visitor& v);
void partition_concatenate(Visitor& v);
void partition_conditional(Visitor& v);
void partition_constant(Visitor& v);
void partition_convolution(Visitor& v);
void partition_custom_call(Visitor& v);
void partition_dot_general(Visitor& v);
void partition_dynamic_slice(Visitor& v);
void partition_dynamic_update_slice(Visitor& v);
void partition_gather(Visitor& v);
void partition_get_tuple_element(Visitor& v);
void partition_iota(Visitor& v);
void partition_map(Visitor& v);
void partition_pad(Visitor& v);
void partition_partition_id(Visitor& v);
void partition_reduce(Visitor& v);
void partition_reduce_window(Visitor& v);
void partition_reshape(Visitor& v);
void partition_reverse(Visitor& v);
void partition_rng(Visitor& v);
void partition_scatter(Visitor& v);
void partition_select_and_scatter(Visitor& v);
void partition_slice(Visitor& v);
void partition_sort(Visitor& v);
void partition_top_k(Visitor& v);  // the custom call
void partition_transpose(Visitor& v);
void partition_triangular_solve(Visitor& v);
void partition_tuple(Visitor& v);
void partition_while(Visitor& v);

// Several ops at once, as a rotation of an array (partition_rotate.cc): false when the op is not the end of such a
// pattern.
bool partition_as_rotation(Visitor& v, int64_t dim);
bool partition_slice_of_pad(Visitor& v);
// `operand` padded to the result of the op, in its sharding.
ValueId pad_to_result(Visitor& v, const ShardedValue& operand, ValueId value, std::span<const PadDim> pads);

}  // namespace sw
