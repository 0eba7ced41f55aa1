// From the Graph to the working IR: copies the functions that can be reached, op by op in the order of the text, so
// that uses lie as MLIR's parser makes them (work_ir.h): the operands of an op with regions become uses after its
// regions are built. On the way shardings are normalised: meshes of equal content become one, axes of size 1 disappear,
// and seeds from outside are put in.
//
// Follows symbol-dce, LiftInlinedMeshes, RemoveSizeOneAxes and PropagateShardingFromFuncToCall.
#include <algorithm>
#include <string>
#include <unordered_map>

#include "propagate/shardy/module.h"
#include "propagate/shardy/sharding_ops.h"

namespace sw::shardy {
namespace {

uint8_t flags_of(OpKind kind) {
  uint8_t flags = 0;
  if (has_trait(kind, kPure)) flags |= kPureOp;
  if (has_trait(kind, kTerminator)) flags |= kTerminatorOp;
  if (has_trait(kind, kElementwise)) flags |= kElementwiseOp;
  switch (kind) {
    case OpKind::while_:
    case OpKind::case_:
    case OpKind::optimization_barrier:
    case OpKind::manual_computation:
    case OpKind::named_computation: flags |= kDataFlow; break;
    default: break;
  }
  return flags;
}

// One mesh for each content, and for inline meshes a name. `@b` with the content of an earlier `@a` becomes `@a`.
class MeshNames {
 public:
  explicit MeshNames(ShardingTable& table) : table_(table) {
    for (size_t i = 0; i < table_.mesh_count(); ++i) {
      const NamedMesh& mesh = table_.mesh(MeshId{i});
      for (const MeshAxis& axis : mesh.mesh.axes) any_size_one = any_size_one || axis.size == 1;
      MeshId same{i};
      for (size_t j = 0; j < i; ++j)
        if (!table_.mesh(MeshId{j}).name.empty() && table_.mesh(MeshId{j}).mesh == mesh.mesh) {
          same = canonical_[j];
          break;
        }
      canonical_.push_back(same);
    }
  }

  MeshId of(MeshId mesh) {
    if (canonical_.size() <= mesh.index()) return mesh;
    MeshId& to = canonical_[mesh.index()];
    if (table_.mesh(to).name.empty()) to = lift(to);
    return to;
  }

  bool any_size_one = false;

 private:
  MeshId lift(MeshId inline_mesh) {
    const Mesh mesh = table_.mesh(inline_mesh).mesh;
    for (size_t i = 0; i < table_.mesh_count(); ++i)
      if (!table_.mesh(MeshId{i}).name.empty() && table_.mesh(MeshId{i}).mesh == mesh) return MeshId{i};
    std::string name = "mesh";
    if (mesh.maximal()) name = "maximal_mesh_" + std::to_string(mesh.device_ids.front());
    if (mesh.empty()) name = "empty_mesh";
    std::string unique = name;
    for (int i = 0; table_.mesh_named(unique).valid(); ++i) unique = name + "_" + std::to_string(i);
    return table_.add_mesh({unique, mesh});
  }

  ShardingTable& table_;
  std::vector<MeshId> canonical_;
};

class Builder {
 public:
  Builder(Module& module, const Seeds& seeds)
      : module_(module), graph_(module.graph), ir_(module.ir), meshes_(module.shardings) {
    for (const Seed& seed : seeds) (seed.is_pin ? pins_ : seeds_).emplace(seed.value.raw, seed.sharding);
    sdy_sharding_ = graph_.strings.find("sdy.sharding");
    sharding_ = graph_.strings.find("sharding");
    out_sharding_ = graph_.strings.find("out_sharding");
    callee_ = graph_.strings.find("callee");
  }

  Result<void> run();

 private:
  // Either a block whose ops are being copied, or an op whose regions are done.
  struct Job {
    BlockId block;
    WorkBlockId to;
    size_t next = 0;
    OpId finish;
    WorkOpId work;
  };

  Result<void> find_reachable();
  void reach(AttrId attr);
  void build_function(FunctionId id);
  void build_block_args(BlockId block, WorkBlockId to);
  void build_op(OpId id, WorkBlockId to);
  void build_regions(OpId id, WorkOpId work);
  void finish_op(OpId id, WorkOpId work);
  void read_shardings(OpId id, WorkOpId work);
  void read_manual(OpId id, WorkOpId work);
  void pin(ValueId value, WorkBlockId to);
  void share_results_with_calls();

  uint8_t value_flags(TypeId type);
  NamedShardingId imported(NamedShardingId id);
  NamedShardingId sharding_attr(std::span<const NamedAttr> attrs, StringId name);
  std::vector<NamedShardingId> sharding_list(std::span<const NamedAttr> attrs, std::string_view name);

  Module& module_;
  const Graph& graph_;
  WorkIr& ir_;
  MeshNames meshes_;
  std::unordered_map<uint32_t, NamedShardingId> seeds_, pins_;  // by ValueId; the first one for a value wins
  std::vector<uint8_t> reachable_;                              // by FunctionId
  std::vector<FunctionId> found_;
  std::vector<uint32_t> index_of_function_;  // by FunctionId: index in Module::functions
  std::vector<WorkValueId> value_map_;
  std::vector<WorkOpId> calls_;
  std::vector<uint8_t> type_flags_;
  std::vector<NamedShardingId> imported_;
  std::vector<Job> jobs_;
  std::vector<WorkValueId> operands_;
  StringId sdy_sharding_, sharding_, out_sharding_, callee_;
};

uint8_t Builder::value_flags(TypeId type) {
  constexpr uint8_t kUnknown = 0xff;
  if (type_flags_.size() <= type.index()) type_flags_.resize(graph_.types.count(), kUnknown);
  uint8_t& flags = type_flags_[type.index()];
  if (flags == kUnknown) {
    const Type t = graph_.types.get(type);
    flags = 0;
    if (t.is_tensor() && !t.is_token()) {
      if (t.is_static()) flags |= kShaped;
      if (t.rank() == 0) flags |= kScalar;
    }
  }
  return flags;
}

NamedShardingId Builder::imported(NamedShardingId id) {
  if (!id.valid()) return id;
  if (imported_.size() <= id.index()) imported_.resize(std::max<size_t>(module_.shardings.count(), id.index() + 1));
  if (!imported_[id.index()].valid()) {
    NamedShardingId to = with_mesh(module_.shardings, id, meshes_.of(module_.shardings.get(id).mesh));
    if (meshes_.any_size_one) to = without_size_one_axes(module_.shardings, to);
    imported_[id.index()] = to;
  }
  return imported_[id.index()];
}

NamedShardingId Builder::sharding_attr(std::span<const NamedAttr> attrs, StringId name) {
  const AttrId id = name.valid() ? Graph::find(attrs, name) : AttrId{};
  if (!id.valid()) return NamedShardingId{};
  const Attr attr = graph_.attr_table.get(id);
  return attr.kind == AttrKind::sharding ? imported(NamedShardingId{static_cast<uint32_t>(attr.integer)})
                                         : NamedShardingId{};
}

std::vector<NamedShardingId> Builder::sharding_list(std::span<const NamedAttr> attrs, std::string_view name) {
  std::vector<NamedShardingId> out;
  const AttrId id = Graph::find(attrs, graph_.strings.find(name));
  if (!id.valid()) return out;
  const Attr attr = graph_.attr_table.get(id);
  if (attr.kind != AttrKind::sharding_list) return out;
  for (const int64_t sharding : attr.integers)
    out.push_back(imported(NamedShardingId{static_cast<uint32_t>(sharding)}));
  return out;
}

// ---- which functions -----------------------------------------------------------------------------------------------

// Every symbol that an attribute names keeps its function.
void Builder::reach(AttrId id) {
  const Attr attr = graph_.attr_table.get(id);
  if (attr.kind == AttrKind::symbol) {
    const FunctionId function = graph_.function_named(graph_.strings.find(attr.text));
    if (function.valid() && reachable_[function.index()] == 0) {
      reachable_[function.index()] = 1;
      found_.push_back(function);
    }
  } else if (attr.kind == AttrKind::array) {
    for (const AttrId element : attr.elements) reach(element);
  }
}

Result<void> Builder::find_reachable() {
  reachable_.assign(graph_.function_count(), 0);
  for (size_t i = 0; i < graph_.function_count(); ++i) {
    if (graph_.function(FunctionId{i}).is_private && FunctionId{i} != graph_.main) continue;
    reachable_[i] = 1;
    found_.push_back(FunctionId{i});
  }
  // Which functions an op names: all ops are looked at once, by the function that contains them.
  std::vector<std::vector<AttrId>> named(graph_.function_count());
  for (size_t i = 0; i < graph_.op_count(); ++i) {
    const Op& op = graph_.op(OpId{i});
    if (op.kind != OpKind::call && op.kind != OpKind::custom_call && op.kind != OpKind::composite &&
        op.kind != OpKind::unknown)
      continue;
    if (!op.parent.valid()) continue;
    const FunctionId in = graph_.region(graph_.block(op.parent).parent).function;
    if (!in.valid()) continue;
    for (const NamedAttr& attr : graph_.attrs(op)) {
      const AttrKind kind = graph_.attr_table.get(attr.value).kind;
      if (kind == AttrKind::symbol || kind == AttrKind::array) named[in.index()].push_back(attr.value);
    }
  }
  while (!found_.empty()) {
    const FunctionId function = found_.back();
    found_.pop_back();
    for (const AttrId attr : named[function.index()]) reach(attr);
  }
  if (graph_.main.valid()) return {};
  module_.diagnostics
      .error(DiagnosticKind::no_main_function, SourceRange{module_.program.file, 0, 0},
             "the module has no `main` function")
      .help("name the function to plan `@main`, or keep only one function in the module");
  return reported();
}

// ---- copying -------------------------------------------------------------------------------------------------------

void Builder::build_block_args(BlockId block, WorkBlockId to) {
  const Block& from = graph_.block(block);
  for (uint32_t i = 0; i < from.arg_count; ++i) {
    const ValueId value = graph_.arg(block, i);
    const TypeId type = graph_.value(value).type;
    value_map_[value.index()] = ir_.add_arg(to, type, value_flags(type), value);
  }
  if (!pins_.empty())
    for (uint32_t i = 0; i < from.arg_count; ++i) pin(graph_.arg(block, i), to);
}

void Builder::pin(ValueId value, WorkBlockId to) {
  const auto found = pins_.find(value.raw);
  if (found == pins_.end()) return;
  WorkValueId& current = value_map_[value.index()];
  if ((ir_.value(current).flags & kShaped) == 0) return;
  const WorkOpId constraint =
      ir_.add_op({OpKind::sharding_constraint, OpId{}, flags_of(OpKind::sharding_constraint), std::span(&current, 1)});
  const WorkValueId result = ir_.add_result(constraint, graph_.value(value).type, ir_.value(current).flags, ValueId{});
  ir_.shardings[result.index()] = imported(found->second);
  ir_.append(to, constraint);
  current = result;
}

void Builder::read_manual(OpId id, WorkOpId work) {
  const std::span<const NamedAttr> attrs = graph_.attrs(graph_.op(id));
  ManualComputation manual;
  manual.in = sharding_list(attrs, "in_shardings");
  manual.out = sharding_list(attrs, "out_shardings");
  ir_.op(work).extra = static_cast<uint32_t>(module_.manual.size());
  module_.manual.push_back(std::move(manual));
}

void Builder::read_shardings(OpId id, WorkOpId work) {
  const Op& op = graph_.op(id);
  const std::span<const NamedAttr> attrs = graph_.attrs(op);
  switch (op.kind) {
    case OpKind::manual_computation: read_manual(id, work); return;
    case OpKind::named_computation: {
      // Block arguments take the shardings of `in_shardings` when they exist (build_regions).
      const std::vector<NamedShardingId> out = sharding_list(attrs, "out_shardings");
      for (uint32_t i = 0; i < out.size() && i < op.result_count; ++i)
        ir_.shardings[ir_.result(work, i).index()] = out[i];
      return;
    }
    case OpKind::sharding_group: {
      const AttrId group = graph_.attr(op, "group_id");
      ir_.op(work).extra = group.valid() ? static_cast<uint32_t>(graph_.attr_table.get(group).integer) : 0;
      return;
    }
    default: break;
  }
  if (op.result_count == 0 || attrs.empty()) return;
  for (const StringId name : {sharding_, out_sharding_}) {
    const NamedShardingId own = sharding_attr(attrs, name);
    if (own.valid()) {
      ir_.shardings[ir_.result(work).index()] = own;
      return;
    }
  }
  const AttrId list = sdy_sharding_.valid() ? Graph::find(attrs, sdy_sharding_) : AttrId{};
  if (!list.valid()) return;
  const Attr attr = graph_.attr_table.get(list);
  if (attr.kind != AttrKind::sharding_list || attr.integers.size() != op.result_count) return;
  ir_.op(work).flags |= kHasShardings;
  for (uint32_t i = 0; i < op.result_count; ++i)
    ir_.shardings[ir_.result(work, i).index()] = imported(NamedShardingId{static_cast<uint32_t>(attr.integers[i])});
}

void Builder::build_op(OpId id, WorkBlockId to) {
  const Op& op = graph_.op(id);
  OpKind kind = op.kind;
  uint8_t flags = flags_of(kind);
  if (kind == OpKind::constant) {
    kind = OpKind::sdy_constant;  // so that constants are never shared again; see import_constants.cc
  } else if (kind == OpKind::custom_call) {
    const AttrId effect = graph_.attr(op, "has_side_effect");
    if (!effect.valid() || graph_.attr_table.get(effect).integer == 0) flags |= kPureOp;
  } else if (kind == OpKind::bitcast_convert && op.operands.count == 1 && op.result_count == 1) {
    const Type in = graph_.type_of(graph_.operands(op)[0]), out = graph_.type_of(graph_.result(id));
    if (std::ranges::equal(in.dims, out.dims)) flags |= kElementwiseOp;
  }
  const WorkOpId work = ir_.add_op({kind, id, flags, {}});
  for (uint32_t i = 0; i < op.result_count; ++i) {
    const ValueId value = graph_.result(id, i);
    const TypeId type = graph_.value(value).type;
    value_map_[value.index()] = ir_.add_result(work, type, value_flags(type), value);
  }
  ir_.append(to, work);
  read_shardings(id, work);
  if (op.kind == OpKind::call) {
    const AttrId callee = Graph::find(graph_.attrs(op), callee_);
    const FunctionId function =
        callee.valid() ? graph_.function_named(graph_.strings.find(graph_.attr_table.get(callee).text)) : FunctionId{};
    ir_.op(work).extra = function.raw;
    if (function.valid() && graph_.function(function).body.valid()) calls_.push_back(work);
  }
  if (op.regions.empty()) {
    finish_op(id, work);
  } else {
    build_regions(id, work);
  }
  if (!pins_.empty())
    for (uint32_t i = 0; i < op.result_count; ++i) pin(graph_.result(id, i), to);
}

void Builder::build_regions(OpId id, WorkOpId work) {
  const std::span<const RegionId> regions = graph_.regions(graph_.op(id));
  Job finish;
  finish.finish = id;
  finish.work = work;
  jobs_.push_back(finish);
  const size_t begin = jobs_.size();
  for (size_t r = 0; r < regions.size(); ++r) ir_.add_region(work);
  for (size_t r = 0; r < regions.size(); ++r) {
    for (const BlockId block : graph_.region(regions[r]).blocks) {
      const WorkBlockId to = ir_.add_block(WorkRegionId{ir_.op(work).first_region + r});
      build_block_args(block, to);
      Job job;
      job.block = block;
      job.to = to;
      jobs_.push_back(job);
    }
  }
  if (graph_.op(id).kind == OpKind::named_computation && jobs_.size() > begin) {
    const std::vector<NamedShardingId> in = sharding_list(graph_.attrs(graph_.op(id)), "in_shardings");
    const WorkBlockId body = ir_.entry_block(work, 0);
    for (uint32_t i = 0; i < in.size() && i < ir_.block(body).arg_count; ++i)
      ir_.shardings[ir_.arg(body, i).index()] = in[i];
  }
  std::reverse(jobs_.begin() + static_cast<ptrdiff_t>(begin), jobs_.end());
}

void Builder::finish_op(OpId id, WorkOpId work) {
  operands_.clear();
  for (const ValueId operand : graph_.operands(id)) operands_.push_back(value_map_[operand.index()]);
  ir_.set_operands(work, operands_);
}

void Builder::build_function(FunctionId id) {
  const Function& function = graph_.function(id);
  WorkFunction made;
  made.origin = id;
  made.body = ir_.add_region(WorkOpId{});
  for (const Slice<NamedAttr>& attrs : function.result_attrs)
    made.results.push_back(sharding_attr(graph_.attrs(attrs), sdy_sharding_));
  made.results.resize(graph_.types.get(function.type).elements.size() - graph_.types.get(function.type).input_count);
  jobs_.clear();
  for (const BlockId block : graph_.region(function.body).blocks) {
    Job job;
    job.block = block;
    job.to = ir_.add_block(made.body);
    build_block_args(block, job.to);
    jobs_.push_back(job);
  }
  std::reverse(jobs_.begin(), jobs_.end());
  const WorkBlockId entry = ir_.entry_block(made.body);
  const bool is_main = id == graph_.main;
  for (uint32_t i = 0; i < ir_.block(entry).arg_count; ++i) {
    NamedShardingId& sharding = ir_.shardings[ir_.arg(entry, i).index()];
    if (i < function.arg_attrs.size()) sharding = sharding_attr(graph_.attrs(function.arg_attrs[i]), sdy_sharding_);
    const auto seed = seeds_.find(ir_.value(ir_.arg(entry, i)).origin.raw);
    if (seed != seeds_.end()) sharding = imported(seed->second);
  }
  if (is_main) module_.main = static_cast<uint32_t>(module_.functions.size());
  index_of_function_[id.index()] = static_cast<uint32_t>(module_.functions.size());
  module_.functions.push_back(std::move(made));
  while (!jobs_.empty()) {
    Job& job = jobs_.back();
    if (job.finish.valid()) {
      const Job done = job;
      jobs_.pop_back();
      finish_op(done.finish, done.work);
    } else if (job.next == graph_.block(job.block).ops.size()) {
      jobs_.pop_back();
    } else {
      const OpId op = graph_.block(job.block).ops[job.next++];
      build_op(op, job.to);
    }
  }
}

// A call without shardings of its own gets those of the results of its function.
void Builder::share_results_with_calls() {
  for (const WorkOpId call : calls_) {
    WorkOp& op = ir_.op(call);
    op.extra = index_of_function_[op.extra];
    if ((op.flags & kHasShardings) != 0) continue;
    const WorkFunction& callee = module_.functions[op.extra];
    std::vector<TypeId> types;
    for (uint32_t i = 0; i < op.result_count; ++i) types.push_back(ir_.value(ir_.result(call, i)).type);
    const std::vector<NamedShardingId> results = module_.completed(callee.results, types);
    if (results.size() != op.result_count || results.empty()) continue;
    op.flags |= kHasShardings;
    for (uint32_t i = 0; i < op.result_count; ++i) ir_.shardings[ir_.result(call, i).index()] = results[i];
  }
}

Result<void> Builder::run() {
  if (auto ok = find_reachable(); !ok) return ok;
  value_map_.resize(graph_.value_count());
  index_of_function_.assign(graph_.function_count(), 0);
  ir_.ops.reserve(graph_.op_count() * 5 / 4);
  ir_.values.reserve(graph_.value_count() * 5 / 4);
  ir_.shardings.reserve(graph_.value_count() * 5 / 4);
  ir_.uses.reserve(graph_.value_count() * 2);
  for (size_t i = 0; i < graph_.function_count(); ++i)
    if (reachable_[i] != 0 && graph_.function(FunctionId{i}).body.valid()) build_function(FunctionId{i});
  share_results_with_calls();
  return {};
}

}  // namespace

Result<void> build_module(Module& module, const Seeds& seeds) { return Builder(module, seeds).run(); }

Result<void> check_shapes(const Module& module) {
  const WorkIr& ir = module.ir;
  bool good = true;
  module.for_each_body([&](WorkBlockId body) {
    walk_preorder(ir, body, [&](WorkOpId id) {
      const WorkOp& op = ir.op(id);
      for (uint32_t i = 0; i < op.result_count && good; ++i) {
        const Type type = module.graph.types.get(ir.value(ir.result(id, i)).type);
        const bool dynamic = type.kind == TypeKind::unranked || (type.is_tensor() && !type.is_static());
        if (!dynamic && type.kind != TypeKind::tuple) continue;
        good = false;
        const SourceRange where = op.origin.valid() ? module.graph.op(op.origin).where : SourceRange{};
        const std::string text = mlir_text(module.graph.types, ir.value(ir.result(id, i)).type);
        module.diagnostics.error(DiagnosticKind::unsupported, where,
                                 dynamic
                                     ? "result type `" + text + "` is dynamic; propagation needs static shapes"
                                     : "result type `" + text + "` is a tuple; propagation works on single tensors");
      }
      return good;
    });
  });
  if (good) return {};
  return reported();
}

}  // namespace sw::shardy
