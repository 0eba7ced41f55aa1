#include "propagate/hlo_writer.h"

#include <algorithm>
#include <array>
#include <string>

#include "ir/donation.h"
#include "ops/dims_collective.h"
#include "ops/dims_listed.h"

namespace sw {

namespace {

// Attributes of StableHLO text that an HLO instruction does not have, or that propagation has used up.
constexpr std::array<std::string_view, 6> kDropped{"mhlo.sharding", "sdy.sharding", "sdy.sharding_rule",
                                                   "result_layout", "xla_shape",    "operandSegmentSizes"};

// Ops whose regions are bodies that run per element.
bool has_bodies(OpKind kind) {
  return has_trait(kind, kRegions) && kind != OpKind::while_ && kind != OpKind::case_ && kind != OpKind::if_;
}

bool is_top_k(OpKind kind) { return kind == OpKind::topk || kind == OpKind::top_k; }

// What HLO has instead of an op.
OpKind hlo_kind(OpKind kind) {
  if (kind == OpKind::top_k) return OpKind::topk;
  if (kind == OpKind::dot) return OpKind::dot_general;
  return kind == OpKind::chlo_square ? OpKind::multiply : kind;
}

}  // namespace

HloWriter::HloWriter(const Graph& source) : source_(source) {
  for (const std::string_view name : kDropped)
    if (const StringId id = source.strings.find(name); id.valid()) dropped_.push_back(id);
  builder_.types() = source.types;
  builder_.attr_table() = source.attr_table;
  builder_.strings() = StringInterner(source.strings);
  builder_.copy_locations(source);
  builder_.set_is_hlo(true);
  builder_.set_module(source.module_name, {});
}

void HloWriter::note(ValueId value, TileShardingId sharding, ValueId source) {
  out_.shardings.resize(graph().value_count());
  out_.source_value.resize(graph().value_count());
  out_.shardings[value.index()] = sharding;
  out_.source_value[value.index()] = source;
}

HloWriter::Computation HloWriter::begin(std::string_view name) {
  Function function;
  const std::string number = computations_ == 0 ? std::string() : "_" + std::to_string(computations_);
  ++computations_;
  function.name = builder_.name(std::string(name) + number);
  Computation made;
  made.function = builder_.add_function(function);
  made.region = builder_.add_region({}, made.function);
  builder_.function(made.function).body = made.region;
  made.block = builder_.add_block(made.region);
  return made;
}

ValueId HloWriter::add_parameter(const Computation& in, TypeId type, TileShardingId sharding, ValueId source) {
  const Value* read = source.valid() ? &source_.value(source) : nullptr;
  const ValueId value =
      builder_.add_arg(in.block, type, read != nullptr ? read->name : StringId{},
                       read != nullptr ? read->where : SourceRange{}, read != nullptr ? read->loc : LocationId{});
  note(value, sharding, source);
  return value;
}

void HloWriter::own_attrs(const Op& op, std::vector<NamedAttr>& out) {
  const StringId listed = source_.strings.find(listed_dims_of(op.kind).attribute);
  for (const NamedAttr& attr : source_.attrs(op)) {
    if (attr.name == listed || std::find(dropped_.begin(), dropped_.end(), attr.name) != dropped_.end()) continue;
    if (source_.strings.text(attr.name).starts_with("jax.")) continue;
    if (!Graph::find(out, attr.name).valid()) out.push_back(attr);
  }
}

void HloWriter::dims_attr(OpKind kind, std::span<const int64_t> dims, std::vector<NamedAttr>& out) {
  const ListedDims listed = listed_dims_of(kind);
  if (listed.attribute.empty()) return;
  if (!listed.single) {
    out.push_back(builder_.dims_attr(listed.attribute, dims));
  } else if (!dims.empty()) {
    out.push_back(builder_.integer_attr(listed.attribute, dims[0]));
  }
}

// stablehlo.dot says nothing: the last dimension of the left operand against the first of the right.
void HloWriter::dot_attr(TypeId lhs, std::vector<NamedAttr>& out) {
  const auto rank = static_cast<int64_t>(graph().types.get(lhs).rank());
  const int64_t left[] = {rank - 1}, right[] = {0};
  const NamedAttr fields[] = {builder_.dims_attr("lhs_contracting_dimensions", left),
                              builder_.dims_attr("rhs_contracting_dimensions", right)};
  out.push_back(
      {builder_.name("dot_dimension_numbers"), builder_.attr_table().struct_("stablehlo.dot", std::span(fields))});
}

std::vector<NamedAttr> HloWriter::attrs_of(const Spec& spec) {
  std::vector<NamedAttr> attrs(spec.made.begin(), spec.made.end());
  if (spec.kind == OpKind::dot && !spec.operands.empty()) dot_attr(graph().value(spec.operands[0]).type, attrs);
  dims_attr(spec.kind, spec.dims, attrs);
  if (spec.own_attrs && spec.origin.valid()) own_attrs(source_.op(spec.origin), attrs);
  if (!is_top_k(spec.kind)) return attrs;
  const StringId largest = builder_.name("largest");
  if (!Graph::find(attrs, largest).valid()) attrs.push_back({largest, builder_.attr_table().boolean(true)});
  return attrs;
}

ValueId HloWriter::add(const Computation& in, const Spec& spec) {
  std::vector<NamedAttr> attrs = attrs_of(spec);
  GraphBuilder::OpSpec op;
  op.kind = hlo_kind(spec.kind);
  const Op* read = spec.origin.valid() ? &source_.op(spec.origin) : nullptr;
  const std::string_view spelling = facts(op.kind).hlo;
  op.name = spelling.empty() && read != nullptr ? read->name : builder_.name(spelling);
  const ValueId twice[] = {spec.operands.empty() ? ValueId{} : spec.operands[0],
                           spec.operands.empty() ? ValueId{} : spec.operands[0]};
  op.operands = spec.kind == OpKind::chlo_square ? std::span<const ValueId>(twice) : spec.operands;
  op.result_types = std::span(&spec.type, 1);
  op.attrs = attrs;
  if (spec.source.valid()) op.result_name = source_.value(spec.source).name;
  if (read != nullptr) {
    op.loc = read->loc;
    op.where = read->where;
  }
  const OpId id = builder_.add_op(in.block, op);
  out_.source_op.resize(graph().op_count());
  out_.source_op[id.index()] = spec.origin;
  std::vector<RegionId> regions(spec.called.begin(), spec.called.end());
  if (regions.empty() && spec.own_attrs && read != nullptr && has_bodies(op.kind))
    for (const RegionId body : source_.regions(*read)) regions.push_back(computation_of(body));
  if (!regions.empty()) builder_.set_regions(id, regions);
  const ValueId result = graph().result(id);
  note(result, spec.sharding, spec.source);
  return result;
}

NamedAttr HloWriter::unknown_constant() {
  const std::string text = "computed " + std::to_string(++out_.unknown_constants);
  return {builder_.name("value"), builder_.attr_table().opaque(text)};
}

ValueId HloWriter::add_tuple(const Computation& in, std::span<const ValueId> elements, TileShardingId sharding) {
  std::vector<TypeId> types;
  for (const ValueId element : elements) types.push_back(graph().value(element).type);
  Spec spec;
  spec.kind = OpKind::tuple;
  spec.type = builder_.types().tuple(types);
  spec.operands = elements;
  spec.sharding = sharding;
  return add(in, spec);
}

ValueId HloWriter::add_element(const Computation& in, ValueId tuple, int64_t index, TileShardingId sharding,
                               ValueId source, OpId origin) {
  const NamedAttr made[] = {builder_.integer_attr("index", index)};
  Spec spec;
  spec.kind = OpKind::get_tuple_element;
  spec.type = graph().types.get(graph().value(tuple).type).elements[static_cast<size_t>(index)];
  spec.operands = std::span(&tuple, 1);
  spec.made = made;
  spec.own_attrs = false;
  spec.origin = origin;
  spec.sharding = sharding;
  spec.source = source;
  return add(in, spec);
}

ValueId HloWriter::add_all_to_all(const Computation& in, OpId origin, ValueId operand, TypeId type,
                                  TileShardingId sharding, const std::function<TileShardingId(TypeId)>& on_the_way,
                                  ValueId source) {
  const TypeId from = graph().value(operand).type;
  const Type t = graph().types.get(from);
  const std::optional<AllToAllSteps> steps = all_to_all_steps(source_, origin, t.dims);
  if (!steps) return {};
  const TypeId pieces = builder_.types().tensor(t.element, steps->pieces);
  const TypeId turned = builder_.types().tensor(t.element, steps->moved);
  const auto step = [&](OpKind kind, TypeId to, std::span<const int64_t> dims, TileShardingId tiles) {
    Spec spec;
    spec.kind = kind;
    spec.origin = origin;
    spec.own_attrs = kind == OpKind::all_to_all;
    spec.type = to;
    spec.operands = std::span(&operand, 1);
    spec.dims = dims;
    spec.sharding = tiles;
    if (to == type) spec.source = source;
    operand = add(in, spec);
  };
  step(OpKind::all_to_all, from, {}, on_the_way(from));
  step(OpKind::reshape, pieces, {}, on_the_way(pieces));
  step(OpKind::transpose, turned, steps->permutation, on_the_way(turned));
  step(OpKind::reshape, type, {}, sharding);
  return operand;
}

// From each op that nobody uses, in the order in which they were written: operands first. Follows
// HloComputation::MakeInstructionPostOrder.
std::vector<OpId> HloWriter::post_order(BlockId block) const {
  enum : uint8_t { kNew, kOpen, kDone };
  const std::vector<OpId>& ops = graph().block(block).ops;
  if (ops.empty()) return {};
  const uint32_t first = ops.front().raw;
  std::vector<uint8_t> state(graph().op_count() - first, kNew), used(state.size(), 0);
  for (const OpId op : ops)
    for (const ValueId operand : graph().operands(op))
      if (const OpId def = graph().value(operand).def; def.valid()) used[def.raw - first] = 1;
  std::vector<OpId> ordered, stack;
  for (const OpId start : ops) {
    if (used[start.raw - first] != 0) continue;
    stack.push_back(start);
    while (!stack.empty()) {
      const OpId top = stack.back();
      uint8_t& at = state[top.raw - first];
      if (at != kNew) {
        stack.pop_back();
        if (at == kOpen) ordered.push_back(top);
        at = kDone;
        continue;
      }
      at = kOpen;
      const std::span<const ValueId> operands = graph().operands(top);
      for (size_t i = operands.size(); i-- > 0;)
        if (const OpId def = graph().value(operands[i]).def; def.valid() && state[def.raw - first] != kDone)
          stack.push_back(def);
    }
  }
  return ordered;
}

void HloWriter::finish(const Computation& in, ValueId root) {
  builder_.set_block_ops(in.block, post_order(in.block));
  GraphBuilder::OpSpec end;
  end.kind = OpKind::func_return;
  end.name = builder_.name(facts(OpKind::func_return).mlir);
  end.operands = std::span(&root, 1);
  builder_.add_op(in.block, end);
  out_.source_op.resize(graph().op_count());
  const Block& block = graph().block(in.block);
  std::vector<TypeId> inputs;
  for (uint32_t i = 0; i < block.arg_count; ++i) inputs.push_back(graph().value(graph().arg(in.block, i)).type);
  const TypeId result = graph().value(root).type;
  Function& function = builder_.function(in.function);
  function.type = builder_.types().function(inputs, std::span(&result, 1));
  function.arg_attrs.assign(inputs.size(), {});
  function.result_attrs.assign(1, {});
}

// An op of a body, one result or several.
void HloWriter::copy_op(const Computation& in, OpId id, Values& values) {
  const Op& op = source_.op(id);
  std::vector<ValueId> operands;
  for (const ValueId operand : source_.operands(op)) {
    if (!values.contains(operand.raw)) {
      // A constant of the program around the body is written into it.
      const OpId def = source_.value(operand).def;
      if (!def.valid() || !has_trait(source_.op(def).kind, kConstant)) {
        captures_ = id;
        return;
      }
      copy_op(in, def, values);
    }
    operands.push_back(values[operand.raw]);
  }
  // Inside of a body an annotation says nothing.
  if (op.kind == OpKind::sharding_constraint || op.kind == OpKind::reshard) {
    values[source_.result(id).raw] = operands[0];
    return;
  }
  std::vector<TypeId> types;
  for (uint32_t r = 0; r < op.result_count; ++r) types.push_back(source_.value(source_.result(id, r)).type);
  Spec spec;
  spec.kind = op.kind;
  spec.origin = id;
  spec.type = types.size() == 1 ? types[0] : builder_.types().tuple(types);
  spec.operands = operands;
  const DimList dims = listed_dims(source_, id, op.kind);
  spec.dims = dims;
  const ValueId result = add(in, spec);
  if (types.size() == 1) values[source_.result(id).raw] = result;
  for (uint32_t r = 0; types.size() > 1 && r < op.result_count; ++r)
    values[source_.result(id, r).raw] = add_element(in, result, r, {}, {}, id);
}

RegionId HloWriter::computation_of(RegionId body) {
  if (const auto known = bodies_.find(body.raw); known != bodies_.end()) return known->second;
  const Computation made = begin("region");
  bodies_.emplace(body.raw, made.region);
  Values values;
  const BlockId source = source_.entry_block(body);
  for (uint32_t i = 0; i < source_.block(source).arg_count; ++i) {
    const ValueId arg = source_.arg(source, i);
    values[arg.raw] = add_parameter(made, source_.value(arg).type, {}, {});
  }
  std::vector<ValueId> results;
  for (const OpId id : source_.block(source).ops) {
    const Op& op = source_.op(id);
    if (!has_trait(op.kind, kTerminator)) {
      copy_op(made, id, values);
      continue;
    }
    for (const ValueId operand : source_.operands(op)) {
      const OpId def = source_.value(operand).def;
      if (!values.contains(operand.raw) && def.valid() && has_trait(source_.op(def).kind, kConstant))
        copy_op(made, def, values);
      if (!values.contains(operand.raw)) captures_ = id;
      results.push_back(values[operand.raw]);
    }
  }
  if (captures_.valid()) return made.region;
  finish(made, results.size() == 1 ? results[0] : add_tuple(made, results, {}));
  return made.region;
}

Result<LoweredProgram> HloWriter::take(const Computation& main, Diagnostics& diagnostics) {
  if (captures_.valid()) {
    diagnostics.error(DiagnosticKind::unsupported, source_.op(captures_).where,
                      "the body of a reduction, sort or scatter uses a value from outside it, which HLO cannot say");
    return reported();
  }
  builder_.function(main.function).is_entry = true;
  builder_.set_main(main.function);
  // What jax writes on arguments stands in the header of HLO.
  builder_.set_module(graph().module_name, builder_.attrs(donation_attrs(builder_, read_donations(source_))));
  out_.shardings.resize(graph().value_count());
  out_.source_value.resize(graph().value_count());
  out_.source_op.resize(graph().op_count());
  out_.graph = builder_.take();
  return std::move(out_);
}

}  // namespace sw
