// Operands and results of concatenations and products that change their sharding around the op, once propagation is
// done: the exported program says so with copies, and XLA's partitioner then sees an op without conflicts.
//
// A concatenation whose operands are not all sharded as its result gets one sharding for all: what its tensors agree on
// factor by factor, larger tensors first; axes on the concatenated dimension go to others where they fit.
//   %2 = concatenate %0 [{"x"}, {}], %1 [{"x"}, {}], dim = 1 -> [{}, {"y"}]
//   is done in [{"x"}, {}], the result is copied to [{}, {"y"}]
// A product whose contracted axes shard one dimension of the result, on which an operand is sharded otherwise, takes
// the operand's axes there and is copied afterwards: an all-reduce and a small reshard, not a reduce-scatter of a
// larger tensor.
//
// Follows the pass insert-explicit-reshards without its full version, findCommonAxes for rules whose dimensions are one
// factor each, and processDot. Differs: tensors on meshes that differ in device order only are left as they are.
#pragma once

#include <vector>

#include "propagate/shardy/final_shardings.h"

namespace sw::shardy {

// By operand and result: what it is to have while the op runs; invalid: what it has.
struct Reshards {
  std::vector<NamedShardingId> operands, results;
};

class ExplicitReshards {
 public:
  ExplicitReshards(Module& module, const Engine& engine, const FinalShardings& final)
      : module_(module), ir_(module.ir), shardings_(module.shardings), engine_(engine), final_(final) {}

  // False when the op stays as it is.
  bool find(WorkOpId op, Reshards& out);

 private:
  void gather(WorkOpId op);
  bool reshard_concatenate(const FactorRule& rule, Reshards& out);
  bool reshard_dot(WorkOpId op, const FactorRule& rule, Reshards& out);
  std::vector<AxisList> common_axes(const FactorRule& rule) const;
  bool agreed(const FactorRule& rule, std::vector<AxisList>& axes) const;
  void pick_axes(const FactorRule& rule, std::vector<AxisList>& chosen) const;
  NamedShardingId read_back(const FactorRule& rule, size_t tensor);

  Module& module_;
  const WorkIr& ir_;
  ShardingTable& shardings_;
  const Engine& engine_;
  const FinalShardings& final_;
  Projection projection_;
  MeshId mesh_;
  std::vector<NamedShardingId> tensors_;  // operands, then results; closed
  std::vector<int64_t> sizes_;            // elements
};

}  // namespace sw::shardy
