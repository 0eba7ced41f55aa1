// Instruction by instruction, in XLA's post-order, which is the order in which the partitioner visits. Annotations have
// done their work and are copies now; the borders of manual regions are custom calls with XLA's names.
#include "propagate/gspmd/lower.h"

namespace sw::gspmd {
namespace {

class Lowering {
 public:
  explicit Lowering(State& state) : state_(state), module_(state.module), writer_(state.graph) {}

  Result<LoweredProgram> run(Diagnostics& diagnostics) {
    module_.compute_post_orders();
    value_.resize(module_.insts.size());
    region_.resize(module_.comps.size());
    HloWriter::Computation entry;
    // Callees stand before their callers.
    for (size_t i = 0; i < module_.comps.size(); ++i) {
      const HloWriter::Computation made = write(module_.comps[i], CompId{i} == module_.entry ? "main" : "body");
      region_[i] = made.region;
      if (CompId{i} == module_.entry) entry = made;
    }
    return writer_.take(entry, diagnostics);
  }

 private:
  HloWriter::Computation write(const Computation& comp, std::string_view name) {
    const HloWriter::Computation made = writer_.begin(name);
    for (const InstId param : comp.params)
      value_[param.index()] = writer_.add_parameter(made, module_.inst(param).type, sharding(param), source(param));
    for (const InstId id : comp.post)
      if (module_.inst(id).kind != OpKind::parameter) add(made, id);
    writer_.finish(made, value_[comp.root.index()]);
    return made;
  }

  TileShardingId sharding(InstId id) {
    if (!state_.has(id)) return {};
    if (state_.is_tuple(id)) return TileShardingId{state_.pool.tuple(state_.shards(id))};
    return TileShardingId{state_.shard(id)};
  }

  ValueId source(InstId id) const {
    const Inst& inst = module_.inst(id);
    return inst.leaf_count == 1 ? module_.value_of_leaf[inst.leaf_begin] : ValueId{};
  }

  void add(const HloWriter::Computation& in, InstId id) {
    const Inst& inst = module_.inst(id);
    operands_.clear();
    for (const uint32_t operand : module_.operands(id)) operands_.push_back(value_[operand]);
    if (inst.kind == OpKind::get_tuple_element) {
      value_[id.index()] = writer_.add_element(in, operands_[0], inst.number, sharding(id), source(id), inst.op);
      return;
    }
    called_.clear();
    for (const uint32_t callee : module_.called(id)) called_.push_back(region_[callee]);
    made_.assign(module_.made(id).begin(), module_.made(id).end());
    HloWriter::Spec spec;
    spec.kind = inst.kind;
    spec.origin = inst.op;
    spec.own_attrs = inst.op.valid() && same_op(state_.graph.op(inst.op).kind, inst.kind);
    switch (inst.target) {
      case CallTarget::sharding:
        spec.kind = OpKind::copy;
        spec.own_attrs = false;
        break;
      case CallTarget::full_to_shard: name_call("SPMDFullToShardShape", spec); break;
      case CallTarget::shard_to_full: name_call("SPMDShardToFullShape", spec); break;
      default: break;
    }
    if (inst.kind == OpKind::constant && made_.empty() && !spec.own_attrs) made_.push_back(writer_.unknown_constant());
    const std::span<const int64_t> dims = module_.dims(id);
    spec.type = inst.type;
    spec.operands = operands_;
    spec.called = called_;
    spec.dims = dims;
    spec.made = made_;
    spec.sharding = sharding(id);
    spec.source = source(id);
    value_[id.index()] = writer_.add(in, spec);
  }

  // The op as read is this instruction, so its attributes hold.
  static bool same_op(OpKind read, OpKind kind) {
    return read == kind || (read == OpKind::sdy_constant && kind == OpKind::constant) ||
           (read == OpKind::top_k && kind == OpKind::topk);
  }

  void name_call(std::string_view target, HloWriter::Spec& spec) {
    made_.push_back(writer_.builder().text_attr("call_target_name", target));
    spec.own_attrs = false;
  }

  State& state_;
  Module& module_;
  HloWriter writer_;
  std::vector<ValueId> value_;    // by instruction
  std::vector<RegionId> region_;  // by computation
  std::vector<ValueId> operands_;
  std::vector<RegionId> called_;
  std::vector<NamedAttr> made_;
};

}  // namespace

Result<LoweredProgram> lower(State& state, Diagnostics& diagnostics) { return Lowering(state).run(diagnostics); }

}  // namespace sw::gspmd
