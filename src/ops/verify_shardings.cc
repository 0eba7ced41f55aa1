// Shardings of values: counts, ranks, axes that an enclosing manual computation has taken; rules written on ops.
#include "ops/verify_shardings.h"

#include "ops/factors.h"
#include "ops/verify.h"
#include "sharding/text.h"
#include "sharding/verify.h"

namespace sw {

namespace {

std::string value_text(const Graph& graph, ValueId value) {
  const StringId name = graph.value(value).name;
  return "`" + (name.valid() ? std::string(graph.strings.text(name)) : std::string("value")) + "`";
}

// Axes of `mesh` that manual computations around the block have taken; appended to `axes`.
void enclosing_manual_axes(const Program& program, BlockId block, AxisList& axes) {
  const Graph& graph = program.graph;
  while (block.valid()) {
    const OpId owner = graph.region(graph.block(block).parent).owner;
    if (!owner.valid()) return;
    const Op& outer = graph.op(owner);
    if (outer.kind == OpKind::manual_computation) {
      Attr manual;
      MeshId mesh;
      for (const NamedAttr& named : graph.attrs(outer)) {
        const Attr attr = graph.attr_table.get(named.value);
        if (attr.kind == AttrKind::axes) manual = attr;
        if (attr.kind == AttrKind::sharding_list && !attr.integers.empty())
          mesh = program.shardings.get(NamedShardingId{static_cast<size_t>(attr.integers[0])}).mesh;
      }
      if (mesh.valid()) {
        Diagnostics ignored;  // the text was read once before
        TextCursor cursor{manual.text, 0, outer.where};
        const auto list = parse_sdy_manual_axes(cursor, program.shardings.mesh(mesh).mesh, ignored);
        if (list) axes.append(list->begin(), list->end());
      }
    }
    block = outer.parent;
  }
}

bool check_named(const OpCheck& check, int64_t sharding, ValueId value, std::span<const AxisRef> manual) {
  return verify_sharding(check.program.shardings, NamedShardingId{static_cast<size_t>(sharding)},
                         check.graph.type_of(value), manual, value_text(check.graph, value), check.op.where,
                         check.diagnostics);
}

// One sharding per value of the list that it is for.
bool check_list(const OpCheck& check, std::string_view name, std::span<const int64_t> shardings) {
  const bool inputs = name == "in_shardings";
  const size_t count = inputs ? check.operands.size() : check.op.result_count;
  // An op without results may carry one sharding: that of the op itself.
  if (count == 0 && shardings.size() == 1) return true;
  if (shardings.size() != count)
    return check.fail(DiagnosticKind::invalid_sharding, std::to_string(shardings.size()) + " shardings in `" +
                                                            std::string(name) + "`, expected " + std::to_string(count));
  // The shardings of a manual computation are those of its surroundings.
  AxisList manual;
  enclosing_manual_axes(check.program, check.op.parent, manual);
  for (size_t i = 0; i < count; ++i)
    if (!check_named(check, shardings[i], inputs ? check.operands[i] : check.result_value(i), manual)) return false;
  return true;
}

bool check_rule(const OpCheck& check, const Attr& attr) {
  FactorRule rule;
  FactorRuleError error;
  if (!parse_factor_rule(attr.text, rule, error))
    return check.fail(DiagnosticKind::bad_attribute,
                      "sharding rule `" + std::string(attr.text) + "`: " + error.message);
  std::string why;
  return rule_fits(check.graph, check.op, rule, &why) || check.fail(DiagnosticKind::invalid_sharding, why);
}

size_t leaf_count(const Graph& graph, TypeId id) {
  // Types nest as deep as their text did, which the readers bound.
  const Type type = graph.types.get(id);
  if (type.kind != TypeKind::tuple) return 1;
  size_t count = 0;
  for (TypeId element : type.elements) count += leaf_count(graph, element);
  return count;
}

std::string tile_fault(const Program& program, TileShardingId id, TypeId type_id) {
  const Graph& graph = program.graph;
  const TileSharding& sharding = program.tile_shardings.get(id);
  const Type type = graph.types.get(type_id);
  if (sharding.kind == TileKind::tiled && type.is_array() && sharding.data_rank() != type.rank())
    return "a sharding of rank " + std::to_string(sharding.data_rank()) + " on a value of rank " +
           std::to_string(type.rank());
  if (sharding.kind != TileKind::tuple) return {};
  if (type.kind != TypeKind::tuple) return type.is_array() ? "a tuple sharding on a value that is no tuple" : "";
  const size_t leaves = leaf_count(graph, type_id);
  if (sharding.elements.size() != leaves && !(leaves == 0 && sharding.elements.size() == 1))
    return "a tuple of " + std::to_string(sharding.elements.size()) + " shardings on a tuple of " +
           std::to_string(leaves) + " values";
  if (sharding.elements.size() != type.elements.size()) return {};
  for (size_t i = 0; i < type.elements.size(); ++i) {
    if (graph.types.get(type.elements[i]).kind == TypeKind::tuple) return {};
    const std::string fault = tile_fault(program, sharding.elements[i], type.elements[i]);
    if (!fault.empty()) return fault;
  }
  return {};
}

// MLIR ops with several results carry a tuple sharding, one element per result.
bool check_tile(const OpCheck& check, int64_t sharding) {
  const TileShardingId id{static_cast<size_t>(sharding)};
  const TileSharding& tile = check.program.tile_shardings.get(id);
  std::string fault;
  if (check.op.result_count == 1) {
    fault = tile_fault(check.program, id, check.result_id());
    // A tuple of one on a single result is how some passes write it.
    if (!fault.empty() && tile.kind == TileKind::tuple && tile.elements.size() == 1)
      fault = tile_fault(check.program, tile.elements[0], check.result_id());
  } else if (tile.kind == TileKind::tuple && tile.elements.size() == check.op.result_count) {
    for (size_t i = 0; i < tile.elements.size() && fault.empty(); ++i)
      fault = tile_fault(check.program, tile.elements[i], check.result_id(i));
  }
  return fault.empty() || check.fail(DiagnosticKind::sharding_rank, fault);
}

}  // namespace

AxisList manual_axes_around(const Program& program, BlockId block) {
  const Graph& graph = program.graph;
  const StringId callee = graph.strings.find("callee");
  AxisList axes;
  // Functions do not call themselves; the bound is for those that nothing reaches.
  for (size_t depth = 0; block.valid() && depth <= graph.function_count(); ++depth) {
    enclosing_manual_axes(program, block, axes);
    const FunctionId function = graph.region(graph.block(block).parent).function;
    block = {};
    if (!function.valid() || function == graph.main || !callee.valid()) break;
    for (size_t i = 0; i < graph.op_count() && !block.valid(); ++i) {
      const Op& op = graph.op(OpId{i});
      const AttrId name = op.parent.valid() ? graph.attr(op, callee) : AttrId{};
      if (name.valid() && graph.attr_table.get(name).text == graph.strings.text(graph.function(function).name))
        block = op.parent;
    }
  }
  return axes;
}

bool verify_op_shardings(const OpCheck& check) {
  for (const NamedAttr& named : check.graph.attrs(check.op)) {
    const Attr attr = check.graph.attr_table.get(named.value);
    bool fine = true;
    switch (attr.kind) {
      case AttrKind::sharding: {
        if (check.op.result_count == 0) break;
        AxisList manual;
        enclosing_manual_axes(check.program, check.op.parent, manual);
        fine = check_named(check, attr.integer, check.result_value(0), manual);
        break;
      }
      case AttrKind::sharding_list:
        fine = check_list(check, check.graph.strings.text(named.name), attr.integers);
        break;
      case AttrKind::factor_rule: fine = check_rule(check, attr); break;
      case AttrKind::tile_sharding: fine = check_tile(check, attr.integer); break;
      default: break;
    }
    if (!fine) return false;
  }
  return true;
}

void verify_function_shardings(const Program& program, const Function& function, Diagnostics& diagnostics) {
  const Graph& graph = program.graph;
  const auto check = [&](Slice<NamedAttr> attrs, TypeId type, ValueId value, const std::string& what) {
    for (const NamedAttr& named : graph.attrs(attrs)) {
      const Attr attr = graph.attr_table.get(named.value);
      const SourceRange where =
          value.valid() && graph.value(value).where.valid() ? graph.value(value).where : function.where;
      if (attr.kind == AttrKind::sharding)
        verify_sharding(program.shardings, NamedShardingId{static_cast<size_t>(attr.integer)}, graph.types.get(type),
                        {}, what, where, diagnostics);
      if (attr.kind == AttrKind::tile_sharding) {
        const std::string fault = tile_fault(program, TileShardingId{static_cast<size_t>(attr.integer)}, type);
        if (!fault.empty()) diagnostics.error(DiagnosticKind::sharding_rank, where, what + ": " + fault);
      }
    }
  };
  const Type type = graph.types.get(function.type);
  if (type.kind != TypeKind::function) return;
  const bool has_body = function.body.valid() && graph.region(function.body).blocks.size() == 1;
  for (size_t i = 0; i < function.arg_attrs.size() && i < type.input_count; ++i) {
    const bool named = has_body && i < graph.block(graph.entry_block(function.body)).arg_count;
    const ValueId value = named ? graph.arg(graph.entry_block(function.body), i) : ValueId{};
    check(function.arg_attrs[i], type.elements[i], value,
          named ? value_text(graph, value) : "argument " + std::to_string(i));
  }
  const auto results = type.elements.subspan(type.input_count);
  for (size_t i = 0; i < function.result_attrs.size() && i < results.size(); ++i)
    check(function.result_attrs[i], results[i], {}, "result " + std::to_string(i));
}

}  // namespace sw
