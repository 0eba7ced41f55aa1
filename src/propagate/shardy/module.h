// The program being planned: the working IR with what stands around it, and the import passes that prepare it. Each
// pass follows the Shardy pass named in its file; their order is that of Shardy's pipeline (see propagate.cc).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "ops/literal.h"
#include "propagate/seeds.h"
#include "propagate/shardy/made_ops.h"
#include "propagate/shardy/propagate.h"
#include "propagate/shardy/work_ir.h"
#include "sharding/program.h"
#include "source/diagnostic.h"

namespace sw::shardy {

struct ManualComputation {
  std::vector<NamedShardingId> in, out;  // the outside view, free axes as annotated
  std::vector<uint32_t> axes;            // manual axes by position in the mesh, sorted
};

struct WorkFunction {
  FunctionId origin;
  WorkRegionId body;
  std::vector<NamedShardingId> results;  // sdy.sharding of the results; invalid: none
  bool alive = true;                     // false: a body that was moved into its call, or not reachable
};

// A value that got its sharding before propagation, from elsewhere: a closed constraint on it, or another group member.
struct Applied {
  WorkValueId value;
  WorkOpId by;  // sharding_constraint, manual_computation; invalid for groups
};

// A value of the text that is another value by now.
struct Alias {
  ValueId read;
  WorkValueId value;
};

// One activation of a function, as Plan reports it.
struct WorkInstance {
  FunctionId function;
  uint32_t caller = 0;
  WorkOpId call;  // the named computation that the call became
};

struct Module {
  Module(Program& p, Diagnostics& d) : program(p), graph(p.graph), shardings(p.shardings), diagnostics(d) {}

  Program& program;
  const Graph& graph;
  ShardingTable& shardings;
  Diagnostics& diagnostics;
  WorkIr ir;
  std::vector<WorkFunction> functions;
  uint32_t main = 0;
  std::vector<ManualComputation> manual;
  std::vector<WorkInstance> instances;
  std::vector<Applied> applied;
  std::vector<Alias> aliases;
  std::unordered_map<uint32_t, WorkValueId> replaced;
  MadeOps made;
  // The elements of constants that were computed; nothing where only that it is one is known.
  std::vector<std::optional<Literal>> folded;

  WorkBlockId body(const WorkFunction& function) const { return ir.entry_block(function.body); }

  // The edge of a target of a data-flow op: the value that carries the sharding for it. Invalid: it has no edge.
  WorkValueId edge_of_target(WorkValueId value) const;
  // The value at which the sharding of `value` stands: an edge, itself, or none (arguments of reduce bodies and the
  // like). Follows getShardableValue.
  WorkValueId shardable(WorkValueId value) const;
  NamedShardingId sharding_of(WorkValueId value) const;
  // Follows setSharding: the other results of an op without annotation become open.
  void set_sharding(WorkValueId value, NamedShardingId sharding);

  // All uses of `from` become uses of `to`, and so do aliases.
  void replace(WorkValueId from, WorkValueId to) {
    ir.replace_uses_except(from, to, WorkOpId{});
    replaced.emplace(from.raw, to);
  }
  // What a value has become by `replace`.
  WorkValueId current(WorkValueId value) const {
    for (auto it = replaced.find(value.raw); it != replaced.end(); it = replaced.find(value.raw)) value = it->second;
    return value;
  }

  size_t rank(WorkValueId value) const { return graph.types.get(ir.value(value).type).rank(); }
  // The mesh of the first sharding that is not maximal; invalid: none.
  MeshId first_mesh(std::span<const NamedShardingId> list) const;
  // Missing shardings become open on the first mesh. Empty when there is no sharding that is not maximal.
  std::vector<NamedShardingId> completed(std::span<const NamedShardingId> list, std::span<const TypeId> types);

  // Calls `visit(WorkBlockId)` with the body of each function that still stands by itself.
  template <class Visit>
  void for_each_body(Visit&& visit) const {
    for (const WorkFunction& function : functions)
      if (function.alive) visit(body(function));
  }
};

// Copies the reachable functions; shardings get one mesh per content and lose axes of size 1; seeds are put in.
// Follows symbol-dce, LiftInlinedMeshes, RemoveSizeOneAxes, PropagateShardingFromFuncToCall.
Result<void> build_module(Module& module, const Seeds& seeds);
// Whether the program is as JAX lowers it: it says how many partitions there are, but has not been through XLA.
bool is_jax_text(const Module& module);
// What XLA does to a program before Shardy sees it.
Result<void> import_jax(Module& module);
// Its first part, for each function (import_simplify.cc). Returns, by function, which values as read others stand for.
std::vector<std::vector<Alias>> simplify_functions(Module& module);
// Follows ConstantOrScalarSplitter.
void split_constants(Module& module);
// Follows ManualAxesCleanup. Errors: manual axes without any sharding around a body that is not empty.
Result<void> clean_manual_axes(Module& module);
// Follows AddDataFlowEdges.
void add_data_flow_edges(Module& module);
// Follows FlattenCallGraph and ImportFuncCalls: each call gets its own copy of the function, as a named computation.
Result<void> import_calls(Module& module);
// Follows ApplyShardingConstraints.
void apply_constraints(Module& module);
// Follows ShardingGroupImport. Errors: members of different shape, or across a manual computation.
Result<void> import_groups(Module& module);
// Members by group, after import_groups. Before propagation all members of a group get one sharding; where they
// disagree, each is replaced in the group by a new open constraint behind it. Follows ShardingGroupMap.
using GroupMembers = std::vector<std::vector<WorkValueId>>;
GroupMembers synchronise_groups(Module& module);
// Follows the shape check of propagation: tuples and dynamic shapes are errors.
Result<void> check_shapes(const Module& module);

// Used by add_data_flow_edges and import_calls: puts an edge after each of the values that can have one.
void add_edges(Module& module, std::span<const WorkValueId> owners);
// Functions in post-order of the call graph (callees first), by index.
Result<std::vector<uint32_t>> functions_post_order(const Module& module);

}  // namespace sw::shardy
