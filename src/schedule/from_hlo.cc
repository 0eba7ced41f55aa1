#include "schedule/from_hlo.h"

#include <map>
#include <optional>

#include "base/checked_math.h"
#include "ir/donation.h"
#include "ops/dims_collective.h"
#include "ops/dims_dot.h"
#include "ops/dims_listed.h"
#include "ops/dims_reduce.h"
#include "ops/dims_window.h"
#include "schedule/fused_kernel.h"

namespace sw {

namespace {

// More than a whole machine holds: sizes up to this add up without overflow, padding included.
constexpr int64_t kMostBytes = int64_t{1} << 50;
constexpr size_t kMostOps = 4'000'000;  // after inlining
constexpr size_t kDeepestCalls = 500;

// Adds the size of an array type to the sum; false when it gets too large.
bool add_bytes(const TypeTable& types, TypeId id, int64_t& sum) {
  const Type type = types.get(id);
  if (type.kind == TypeKind::tuple) {
    for (const TypeId element : type.elements)
      if (!add_bytes(types, element, sum)) return false;
    return true;
  }
  for (const int64_t dim : type.dims)
    if (dim < 0) return true;
  const std::optional<int64_t> all = checked_add(sum, packed_bytes(type));
  if (!all.has_value() || *all > kMostBytes) return false;
  sum = *all;
  return true;
}

class Import {
 public:
  Import(const Graph& graph, bool inlined, Diagnostics& diagnostics)
      : graph_(graph), inlined_(inlined), diagnostics_(diagnostics), trees_(graph.types) {}

  Result<MachineProgram> run() {
    program_.types = graph_.types;
    if (!graph_.main.valid() || !graph_.function(graph_.main).body.valid()) {
      diagnostics_.error(DiagnosticKind::no_main_function, {}, "there is no entry computation to lay out in memory");
      return reported();
    }
    program_.entry = computation_of(graph_.function(graph_.main).body);
    program_.computation(program_.entry).is_entry = true;
    for (size_t next = 0; next < pending_.size(); ++next)
      if (!import_computation(pending_[next], ComputationId{next})) return reported();
    count_reducers();
    return std::move(program_);
  }

 private:
  ComputationId computation_of(RegionId region) {
    const auto [at, is_new] = computations_.emplace(region.raw, ComputationId{program_.computations.size()});
    if (is_new) {
      program_.computations.emplace_back();
      pending_.push_back(region);
    }
    return at->second;
  }

  bool import_computation(RegionId region, ComputationId id) {
    const Block& block = graph_.block(graph_.entry_block(region));
    std::vector<MachineOpId> args;
    for (uint32_t i = 0; i < block.arg_count; ++i) {
      MachineOp op;
      op.kind = op.does = OpKind::parameter;
      op.type = graph_.value(graph_.arg(graph_.entry_block(region), i)).type;
      op.computation = id;
      op.index = i;
      args.push_back(program_.append(std::move(op)));
    }
    const std::optional<MachineOpId> root = import_ops(region, id, args, 0);
    if (!root.has_value()) return false;
    program_.computation(id).root = *root;
    return true;
  }

  // The ops of a region behind those of the computation, with these arguments; its root.
  std::optional<MachineOpId> import_ops(RegionId region, ComputationId into, std::span<const MachineOpId> args,
                                        size_t depth) {
    const BlockId block = graph_.entry_block(region);
    for (uint32_t i = 0; i < args.size(); ++i) machine_[graph_.arg(block, i)] = args[i];
    MachineOpId root;
    // Machine ops of this expansion: a computation that is called twice is expanded twice.
    for (const OpId id : graph_.block(block).ops) {
      const Op& op = graph_.op(id);
      SmallVector<MachineOpId, 4> operands;
      for (const ValueId operand : graph_.operands(op)) operands.push_back(machine_[operand]);
      if (has_trait(op.kind, kTerminator)) {
        root = operands[0];
      } else if (inlined_ && op.kind == OpKind::call && !op.regions.empty()) {
        if (depth == kDeepestCalls) return too_much(id, "calls nest too deep", DiagnosticKind::nesting_too_deep);
        const std::vector<MachineOpId> passed(operands.begin(), operands.end());
        const std::optional<MachineOpId> result = import_ops(graph_.regions(op)[0], into, passed, depth + 1);
        if (!result.has_value()) return std::nullopt;
        machine_[op.first_result] = *result;
      } else {
        if (program_.ops.size() == kMostOps || !add_bytes(graph_.types, graph_.value(op.first_result).type, bytes_))
          return too_much(id, "what the program makes on one device cannot be counted: too many arrays, or too large",
                          DiagnosticKind::too_large);
        MachineOp made = machine_op(id, into, std::move(operands));
        if (inlined_ && is_fill(op)) make_fill(made);
        machine_[op.first_result] = program_.append(std::move(made));
      }
    }
    return root;
  }

  std::optional<MachineOpId> too_much(OpId op, std::string_view what, DiagnosticKind kind) {
    diagnostics_.error(kind, graph_.op(op).where, std::string(what));
    return std::nullopt;
  }

  MachineOp machine_op(OpId id, ComputationId into, SmallVector<MachineOpId, 4> operands) {
    const Op& op = graph_.op(id);
    MachineOp made;
    made.kind = made.does = op.kind;
    made.type = graph_.value(op.first_result).type;
    made.computation = into;
    made.operands = std::move(operands);
    made.source = id;
    const bool loops = op.kind == OpKind::while_;
    if ((runs_computations(op.kind) && op.regions.empty()) || (loops && op.regions.count != 2)) {
      made.kind = OpKind::custom_call;  // not what XLA could run; it makes its results somehow
    } else if (runs_computations(op.kind) || op.kind == OpKind::async_start)
      for (const RegionId region : graph_.regions(op)) made.called.push_back(computation_of(region));
    if (op.kind == OpKind::get_tuple_element) {
      const AttrId index = graph_.attr(op, index_);
      if (index.valid()) made.index = static_cast<uint32_t>(graph_.attr_table.get(index).integer);
    } else if (op.kind == OpKind::fusion) {
      made.kernel = program_.add(kernel_of(id));
      if (has_product(id)) made.role = Role::product;
    } else if (op.kind == OpKind::custom_call) {
      if (graph_.attr(op, aliasing_).valid()) made.kernel = program_.add(kernel_of(id));
    } else {
      made.dims = dims_of(id);
      made.exact = is_exact(id);
    }
    if (facts(op.kind).family == Family::collective) made.role = Role::collective;
    return made;
  }

  // Products and convolutions whose text asks for more than the usual precision.
  bool is_exact(OpId id) const {
    const AttrId precision = precision_.valid() ? graph_.attr(graph_.op(id), precision_) : AttrId{};
    if (!precision.valid()) return false;
    for (const AttrId element : graph_.attr_table.get(precision).elements)
      if (graph_.attr_table.get(element).text != "DEFAULT") return true;
    return false;
  }

  // A constant with one number for all elements, which HLO writes as the broadcast of a scalar.
  bool is_fill(const Op& op) const {
    if (op.kind != OpKind::constant) return false;
    const AttrId value = graph_.attr(op, value_);
    return value.valid() && graph_.attr_table.get(value).kind == AttrKind::dense &&
           graph_.attr_table.get(value).form == DenseForm::splat && element_count(graph_.type_of(op.first_result)) > 1;
  }

  void make_fill(MachineOp& op) {
    MachineOp scalar = op;
    scalar.type = program_.types.tensor(program_.types.get(op.type).element, {});
    op.kind = op.does = OpKind::broadcast_in_dim;
    op.operands = {program_.append(std::move(scalar))};
  }

  bool has_product(OpId fusion) const {
    for (const RegionId region : graph_.regions(graph_.op(fusion)))
      for (const OpId id : graph_.block(graph_.entry_block(region)).ops)
        if (graph_.op(id).kind == OpKind::dot_general || graph_.op(id).kind == OpKind::convolution) return true;
    return false;
  }

  DimList dims_of(OpId id) const {
    const OpKind kind = graph_.op(id).kind;
    if (kind == OpKind::all_gather) {
      int64_t dim = 0;
      return read_all_gather_dim(graph_, id, dim) ? DimList{dim} : DimList{};
    }
    if (kind == OpKind::reduce_window) {
      WindowDims window;
      DimList sizes;
      if (read_window_dims(graph_, id, window))
        for (const WindowDim& dim : window) sizes.push_back(dim.size);
      return sizes;
    }
    if (kind == OpKind::dot_general) {
      DotDims dot;
      if (!read_dot_dims(graph_, id, dot)) return {};
      return {static_cast<int64_t>(dot.lhs_batch.size()), static_cast<int64_t>(dot.lhs_contract.size())};
    }
    return listed_dims(graph_, id, kind);
  }

  Kernel kernel_of(OpId id) {
    Kernel kernel;
    if (graph_.op(id).kind == OpKind::fusion) {
      if (!fused_.has_value()) fused_.emplace(graph_);
      kernel = fused_->facts_of(id, trees_);
    }
    const AttrId aliasing = graph_.attr(graph_.op(id), aliasing_);
    if (!aliasing.valid()) return kernel;
    const TypeTree& tree = trees_.of(graph_.value(graph_.result(id)).type);
    for (const Donations::Alias& alias : parse_aliases(graph_.attr_table.get(aliasing).text)) {
      const uint32_t place = place_of(trees_, tree, alias.result);
      const int64_t operand = alias.argument.number;
      if (place < tree.places() && operand < static_cast<int64_t>(graph_.operands(id).size()))
        kernel.in_place.push_back({static_cast<uint32_t>(operand), place});
    }
    return kernel;
  }

  // Ops that run per element: bodies of reductions, sorts, collectives, those inside of fusions too.
  void count_reducers() {
    std::vector<bool> seen(graph_.region_count(), false);
    std::vector<std::pair<RegionId, bool>> todo;  // is it a kernel's own body?
    for (const auto& [region, id] : computations_) todo.emplace_back(RegionId{region}, true);
    for (const auto& [region, unused] : todo) seen[region.index()] = true;
    while (!todo.empty()) {
      const auto [region, counted_elsewhere] = todo.back();
      todo.pop_back();
      const Block& block = graph_.block(graph_.entry_block(region));
      if (!counted_elsewhere) program_.reducer_ops += block.arg_count;
      for (const OpId id : block.ops) {
        const Op& op = graph_.op(id);
        if (!counted_elsewhere && op.kind != OpKind::constant && !has_trait(op.kind, kTerminator))
          ++program_.reducer_ops;
        for (const RegionId inner : graph_.regions(op)) {
          if (seen[inner.index()]) continue;
          seen[inner.index()] = true;
          todo.emplace_back(inner, op.kind == OpKind::fusion || (inlined_ && op.kind == OpKind::call));
        }
      }
    }
  }

  const Graph& graph_;
  const bool inlined_;
  Diagnostics& diagnostics_;
  TypeTrees trees_;
  std::optional<FusedKernels> fused_;  // of a graph with fusions
  StringId precision_ = graph_.strings.find("precision_config");
  StringId value_ = graph_.strings.find("value");
  StringId index_ = graph_.strings.find("index");
  StringId aliasing_ = graph_.strings.find("output_to_operand_aliasing");
  MachineProgram program_;
  std::map<uint32_t, ComputationId> computations_;  // by RegionId
  std::vector<RegionId> pending_;                   // by ComputationId
  struct ByValue {
    std::vector<MachineOpId> ids;
    MachineOpId& operator[](ValueId value) {
      if (ids.size() <= value.index()) ids.resize(value.index() + 1);
      return ids[value.index()];
    }
  } machine_;
  int64_t bytes_ = 0;
};

}  // namespace

bool is_scheduled(const Graph& graph) {
  const StringId name = graph.strings.find("is_scheduled");
  const AttrId attr = name.valid() ? Graph::find(graph.attrs(graph.module_attrs), name) : AttrId{};
  return attr.valid() && graph.attr_table.get(attr).integer != 0;
}

Result<MachineProgram> machine_program_as_it_stands(const Graph& graph, Diagnostics& diagnostics) {
  return Import(graph, /*inlined=*/false, diagnostics).run();
}

Result<MachineProgram> machine_program_inlined(const Graph& graph, Diagnostics& diagnostics) {
  return Import(graph, /*inlined=*/true, diagnostics).run();
}

}  // namespace sw
