// Computation by computation, op by op: what is HLO stays, the rest is replaced by what is appended in its place. The
// users of a replaced op come later in the block, so operands are renamed as they are reached.
#include "partition/hlo_form/hlo_form.h"

#include <fmt/format.h>

#include <map>
#include <string>

#include "ops/dims_conv.h"
#include "ops/literal.h"
#include "partition/emitter.h"
#include "partition/hlo_form/custom_calls.h"
#include "partition/hlo_form/special_functions.h"

namespace sw {

namespace {

class HloForm {
 public:
  HloForm(const Graph& program, Diagnostics& diagnostics) : builder_(program), diagnostics_(diagnostics) {
    renamed_.resize(program.value_count());
  }

  Result<Graph> run(int64_t device_count) {
    const size_t functions = graph().function_count();
    for (size_t f = 0; f < functions; ++f) {
      const Function& function = graph().function(FunctionId{f});
      if (function.body.valid()) rewrite(graph().entry_block(function.body));
    }
    set_device_count(device_count);
    if (failed_) return reported();
    return builder_.take();
  }

 private:
  const Graph& graph() const { return builder_.graph(); }

  void set_device_count(int64_t count) {
    const StringId name = builder_.name("mhlo.num_partitions");
    std::vector<NamedAttr> attrs;
    for (const NamedAttr& attr : graph().attrs(graph().module_attrs))
      if (attr.name != name) attrs.push_back(attr);
    attrs.push_back(builder_.integer_attr("mhlo.num_partitions", count));
    builder_.set_module(graph().module_name, builder_.attrs(attrs));
  }

  void rewrite(BlockId block) {
    const std::vector<OpId> ops = graph().block(block).ops;
    std::vector<OpId> order;
    for (const OpId id : ops) {
      rename_operands(id);
      builder_.set_block_ops(block, {});
      Emitter emit(builder_, block);
      emit.set_visiting(id);
      const ValueId instead = replacement(emit, id);
      if (!instead.valid()) {
        complete(id);
        order.push_back(id);
        continue;
      }
      const std::vector<OpId>& added = graph().block(block).ops;
      order.insert(order.end(), added.begin(), added.end());
      renamed_[graph().result(id).index()] = instead;
      take_place(graph().value(instead).def, id);
    }
    builder_.set_block_ops(block, std::move(order));
  }

  // Name and sharding of the op that is replaced.
  void take_place(OpId op, OpId replaced) {
    builder_.set_result_name(graph().result(op), graph().value(graph().result(replaced)).name);
    const AttrId sharding = graph().attr(graph().op(replaced), "mhlo.sharding");
    if (!sharding.valid()) return;
    std::vector<NamedAttr> attrs(graph().attrs(graph().op(op)).begin(), graph().attrs(graph().op(op)).end());
    attrs.push_back({builder_.name("mhlo.sharding"), sharding});
    builder_.set_attrs(op, attrs);
  }

  void rename_operands(OpId id) {
    const size_t count = graph().operands(id).size();
    for (size_t i = 0; i < count; ++i) {
      const ValueId operand = graph().operands(id)[i];
      if (operand.index() < renamed_.size() && renamed_[operand.index()].valid())
        builder_.set_operand(id, i, renamed_[operand.index()]);
    }
  }

  // What stands for the result of the op from now on; invalid: the op stays.
  ValueId replacement(Emitter& emit, OpId id) {
    const Op op = graph().op(id);
    if (op.kind == OpKind::constant) return constant(emit, id);
    if (is_special_function(op.kind)) return call_special(emit, id);
    if (op.kind == OpKind::chlo_erf) return emit.op(OpKind::erf, result_type(id), operands(id));
    if (op.kind == OpKind::create_token) return emit.op(OpKind::after_all, result_type(id), {});
    if (op.kind == OpKind::custom_call && attr_text(op, "call_target_name") == "TopK") return top_k(emit, id);
    if (facts(op.kind).hlo.empty() && !has_trait(op.kind, kTerminator) && op.kind != OpKind::unknown) refuse(id);
    return {};
  }

  // Attributes that HLO wants and StableHLO does not say, or says otherwise, at an op that stays.
  void complete(OpId id) {
    const OpKind kind = graph().op(id).kind;
    if (kind == OpKind::custom_call) complete_custom_call(builder_, id);
    if (kind != OpKind::convolution || graph().attr(graph().op(id), "window_dimensions").valid()) return;
    ConvDims conv;
    if (!read_conv_dims(graph(), id, conv) || conv.window.empty()) return;
    std::vector<int64_t> sizes;
    for (const WindowDim& dim : conv.window) sizes.push_back(dim.size);
    std::vector<NamedAttr> attrs{builder_.dims_attr("window_dimensions", sizes)};
    attrs.insert(attrs.end(), graph().attrs(graph().op(id)).begin(), graph().attrs(graph().op(id)).end());
    builder_.set_attrs(id, attrs);
  }

  TypeId result_type(OpId id) const { return graph().value(graph().result(id)).type; }
  std::vector<ValueId> operands(OpId id) const { return {graph().operands(id).begin(), graph().operands(id).end()}; }
  std::string_view attr_text(const Op& op, std::string_view name) const {
    const AttrId attr = graph().attr(op, name);
    return attr.valid() ? graph().attr_table.get(attr).text : std::string_view{};
  }

  void refuse(OpId id) {
    failed_ = true;
    const Op& op = graph().op(id);
    diagnostics_.error(DiagnosticKind::unsupported, op.where,
                       fmt::format("HLO has no operation for `{}`", graph().strings.text(op.name)));
  }

  // Large constants of one number are broadcast, as XLA writes them.
  ValueId constant(Emitter& emit, OpId id) {
    const TypeId type = result_type(id);
    const AttrId value = graph().attr(graph().op(id), "value");
    std::optional<Literal> literal = read_literal(graph(), value, type);
    if (!literal) {
      refuse_constant(id, value);
      return {};
    }
    const bool empty = literal->element_count() == 0;
    if (!literal->dims.empty() && (literal->splat || empty))
      return emit.splat(empty ? emit.zero(literal->element) : emit.scalar_text(literal->element, hlo_element(*literal)),
                        emit.shape(graph().result(id)));
    const DenseForm form = literal->dims.empty() ? DenseForm::splat : DenseForm::list;
    const NamedAttr attrs[] = {
        {builder_.name("value"), builder_.attr_table().dense(form, type, hlo_literal(*literal))}};
    return emit.op(OpKind::constant, type, {}, attrs);
  }

  void refuse_constant(OpId id, AttrId value) {
    failed_ = true;
    const bool computed = !value.valid() || graph().attr_table.get(value).kind != AttrKind::dense;
    auto report = diagnostics_.error(
        DiagnosticKind::unsupported, graph().op(id).where,
        computed ? "the value of a constant that XLA computes from others is not known here"
                 : "the elements of this constant are not in the text, so the program cannot be written out");
    if (!computed) report.help("print it whole: HLO texts with `{...}` come of printing without large constants");
  }

  ValueId call_special(Emitter& emit, OpId id) {
    const std::vector<ValueId> given = operands(id);
    const TypeId type = result_type(id);
    const OpKind kind = graph().op(id).kind;
    // Of complex numbers HLO has some as operations, which it splits up itself.
    if (is_complex(emit.element(given[0])) && !facts(kind).hlo.empty()) return {};
    std::vector<TypeId> inputs;
    for (const ValueId operand : given) inputs.push_back(graph().value(operand).type);
    const RegionId called = special_computation(kind, inputs, type);
    if (!called.valid()) {
      refuse(id);
      return {};
    }
    const ValueId result = emit.op(OpKind::call, type, given);
    builder_.set_regions(graph().value(result).def, std::span(&called, 1));
    return result;
  }

  // Made once for each function and shape.
  RegionId special_computation(OpKind kind, std::span<const TypeId> inputs, TypeId result) {
    std::vector<uint32_t> key{static_cast<uint32_t>(kind), result.raw};
    for (const TypeId input : inputs) key.push_back(input.raw);
    const auto [at, fresh] = computations_.try_emplace(std::move(key));
    if (!fresh) return at->second;
    Function function;
    const std::string_view name = facts(kind).mlir;
    function.name = builder_.name(name.substr(name.find('.') + 1));
    const FunctionId id = builder_.add_function(function);
    const RegionId region = builder_.add_region({}, id);
    builder_.function(id).body = region;
    const BlockId block = builder_.add_block(region);
    std::vector<ValueId> args;
    for (const TypeId input : inputs) args.push_back(builder_.add_arg(block, input, builder_.name("x")));
    Emitter inside(builder_, block);
    const ValueId value = special_function(inside, kind, args, result);
    if (!value.valid()) return {};
    GraphBuilder::OpSpec end;
    end.kind = OpKind::func_return;
    end.name = builder_.name(facts(OpKind::func_return).mlir);
    end.operands = std::span(&value, 1);
    builder_.add_op(block, end);
    builder_.function(id).type = builder_.types().function(inputs, std::span(&result, 1));
    builder_.function(id).arg_attrs.resize(inputs.size());
    builder_.function(id).result_attrs.resize(1);
    at->second = region;
    return region;
  }

  ValueId top_k(Emitter& emit, OpId id) {
    const std::vector<ValueId> given = operands(id);
    const Type result = graph().types.get(result_type(id));
    if (given.size() != 1 || result.kind != TypeKind::tuple || result.elements.empty()) return {};
    const std::span<const int64_t> dims = graph().types.get(result.elements[0]).dims;
    if (dims.empty()) return {};
    const AttrId largest = graph().attr(graph().op(id), "largest");
    const bool smallest = largest.valid() && graph().attr_table.get(largest).integer == 0;
    const NamedAttr attrs[] = {builder_.integer_attr("k", dims.back()),
                               {builder_.name("largest"), builder_.attr_table().boolean(!smallest)}};
    return emit.op(OpKind::topk, result_type(id), given, attrs);
  }

  GraphBuilder builder_;
  Diagnostics& diagnostics_;
  std::vector<ValueId> renamed_;                            // by ValueId of the program given
  std::map<std::vector<uint32_t>, RegionId> computations_;  // by function, result and arguments
  bool failed_ = false;
};

NamedAttr sharding_attr(GraphBuilder& builder, TileShardingId sharding) {
  Attr attr;
  attr.kind = AttrKind::tile_sharding;
  attr.integer = sharding.raw;
  return {builder.name("mhlo.sharding"), builder.attr_table().intern(attr)};
}

}  // namespace

Graph with_shardings(const Graph& program, std::span<const TileShardingId> shardings) {
  GraphBuilder builder(program);
  const StringId name = builder.name("mhlo.sharding");
  const auto given = [&](ValueId value) {
    return value.index() < shardings.size() ? shardings[value.index()] : TileShardingId{};
  };
  const auto with = [&](std::span<const NamedAttr> list, TileShardingId sharding) {
    std::vector<NamedAttr> attrs;
    for (const NamedAttr& attr : list)
      if (attr.name != name) attrs.push_back(attr);
    if (sharding.valid()) attrs.push_back(sharding_attr(builder, sharding));
    return attrs;
  };
  const Graph& graph = builder.graph();
  for (size_t i = 0; i < graph.op_count(); ++i) {
    const Op& op = graph.op(OpId{i});
    if (op.result_count > 0) builder.set_attrs(OpId{i}, with(graph.attrs(op), given(op.first_result)));
  }
  for (size_t f = 0; f < graph.function_count(); ++f) {
    Function& function = builder.function(FunctionId{f});
    if (!function.body.valid()) continue;
    const BlockId block = graph.entry_block(function.body);
    function.arg_attrs.resize(graph.block(block).arg_count);
    for (uint32_t i = 0; i < graph.block(block).arg_count; ++i)
      function.arg_attrs[i] = builder.attrs(with(graph.attrs(function.arg_attrs[i]), given(graph.arg(block, i))));
  }
  return builder.take();
}

Result<Graph> hlo_form(const Graph& program, int64_t device_count, Diagnostics& diagnostics) {
  return HloForm(program, diagnostics).run(device_count);
}

}  // namespace sw
