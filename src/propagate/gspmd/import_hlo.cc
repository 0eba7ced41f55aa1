// HLO text is already the module: computations become computations, instructions instructions. Users are registered in
// the order of the text.
#include "ops/dims_listed.h"
#include "propagate/gspmd/import.h"

namespace sw::gspmd {
namespace {

class HloImporter {
 public:
  explicit HloImporter(const Program& program) : graph_(program.graph) {}

  Module run() {
    module_.place_of_value.resize(graph_.value_count());
    comp_of_region_.assign(graph_.region_count(), CompId{});
    inst_of_value_.assign(graph_.value_count(), InstId{});
    const StringId sharding = graph_.strings.find("mhlo.sharding");
    for (size_t i = 0; i < graph_.function_count(); ++i) {
      const Function& function = graph_.function(FunctionId{i});
      if (!function.body.valid()) continue;
      const CompId comp = module_.add_computation();
      comp_of_region_[function.body.index()] = comp;
      if (FunctionId{i} == graph_.main) module_.entry = comp;
      add_parameters(function, comp, sharding);
      for (const OpId op : graph_.block(graph_.entry_block(function.body)).ops) add_op(comp, op, sharding);
    }
    module_.allow_outputs = flags_of(graph_, "allow_spmd_sharding_propagation_to_output");
    module_.allow_parameters = flags_of(graph_, "allow_spmd_sharding_propagation_to_parameters");
    return std::move(module_);
  }

 private:
  void bind(InstId id, ValueId value) {
    inst_of_value_[value.index()] = id;
    module_.set_value(id, value);
  }

  void give(InstId id, std::span<const NamedAttr> attrs, StringId name) {
    const AttrId attr = name.valid() ? Graph::find(attrs, name) : AttrId{};
    if (!attr.valid()) return;
    const Attr value = graph_.attr_table.get(attr);
    if (value.kind == AttrKind::tile_sharding)
      module_.given.emplace_back(id, TileShardingId{static_cast<size_t>(value.integer)});
  }

  void add_parameters(const Function& function, CompId comp, StringId sharding) {
    const BlockId block = graph_.entry_block(function.body);
    for (uint32_t i = 0; i < graph_.block(block).arg_count; ++i) {
      const ValueId value = graph_.arg(block, i);
      Inst inst;
      inst.kind = OpKind::parameter;
      inst.type = graph_.value(value).type;
      inst.number = i;
      const InstId id = module_.add(graph_, comp, inst, {});
      bind(id, value);
      if (i < function.arg_attrs.size()) give(id, graph_.attrs(function.arg_attrs[i]), sharding);
    }
  }

  void add_op(CompId comp, OpId op_id, StringId sharding) {
    const Op& op = graph_.op(op_id);
    operands_.clear();
    for (const ValueId operand : graph_.operands(op)) operands_.push_back(inst_of_value_[operand.index()]);
    if (op.kind == OpKind::func_return) {
      if (!operands_.empty()) module_.comps[comp.index()].root = operands_[0];
      return;
    }
    called_.clear();
    for (const RegionId region : graph_.regions(op)) called_.push_back(comp_of_region_[region.index()]);
    Inst inst;
    inst.kind = op.kind;
    inst.op = op_id;
    inst.type = graph_.value(op.first_result).type;
    inst.elementwise = is_elementwise(graph_, op_id, op.kind);
    inst.has_side_effect = has_side_effect(graph_, op, op.kind);
    if (op.kind == OpKind::custom_call) describe_custom_call(graph_, op, inst);
    if (op.kind == OpKind::get_tuple_element) inst.number = tuple_index(op);
    const InstId id = module_.add(graph_, comp, inst, operands_, called_, listed_dims(graph_, op_id, op.kind));
    bind(id, op.first_result);
    give(id, graph_.attrs(op), sharding);
    if (inst.target == CallTarget::sharding || inst.target == CallTarget::full_to_shard ||
        inst.target == CallTarget::shard_to_full) {
      if (const DimList open = unspecified_dims(graph_, op); !open.empty()) module_.unspecified.emplace_back(id, open);
    }
  }

  uint32_t tuple_index(const Op& op) const {
    const AttrId attr = graph_.attr(op, "index");
    return attr.valid() ? static_cast<uint32_t>(graph_.attr_table.get(attr).integer) : 0;
  }

  const Graph& graph_;
  Module module_;
  std::vector<CompId> comp_of_region_;
  std::vector<InstId> inst_of_value_;
  std::vector<InstId> operands_;
  std::vector<CompId> called_;
};

}  // namespace

Result<Module> import_hlo(const Program& program, Diagnostics&) { return HloImporter(program).run(); }

}  // namespace sw::gspmd
