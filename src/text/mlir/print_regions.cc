// Pretty forms that hold regions, and those of the sdy dialect.
#include <algorithm>
#include <array>

#include "sharding/text.h"
#include "text/lexer.h"
#include "text/mlir/printer.h"

namespace sw::mlir {

bool Printer::single_block(RegionId id, size_t arguments) {
  const Region& region = graph_.region(id);
  return region.blocks.size() == 1 && graph_.block(region.blocks[0]).arg_count == arguments;
}

// The short form names the arguments once for both regions and says nothing of their locations.
bool Printer::try_while(const Op& op) {
  const std::span<const RegionId> regions = graph_.regions(op);
  const std::span<const ValueId> operands = graph_.operands(op);
  if (regions.size() != 2 || !types_agree(op)) return false;
  for (const RegionId region : regions) {
    if (!single_block(region, operands.size())) return false;
    for (size_t i = 0; i < operands.size(); ++i) {
      const Value& arg = graph_.value(graph_.arg(graph_.entry_block(region), i));
      if (arg.type != graph_.value(operands[i]).type || arg.loc.valid()) return false;
    }
  }
  const BlockId cond = graph_.entry_block(regions[0]);
  const BlockId body = graph_.entry_block(regions[1]);
  const bool in_function = in_function_;
  out_ += op_name(op);
  in_function_ = false;
  out_ += '(';
  push_names(/*isolated=*/false);
  for (size_t i = 0; i < operands.size(); ++i) {
    const ValueId value = graph_.arg(cond, i);
    if (i > 0) out_ += ", ";
    name_value(value);
    names_[graph_.arg(body, i).index()] = names_[value.index()];
    print_value(value);
    out_ += " = ";
    print_value(operands[i]);
  }
  out_ += ')';
  if (!operands.empty()) {
    out_ += " : ";
    print_types(operands);
  }
  if (!op.attrs.empty()) {
    out_ += " attributes";
    print_attr_dict(graph_.attrs(op));
  }
  new_line();
  out_ += "cond ";
  push_names(/*isolated=*/false);
  print_region(regions[0], /*labelled=*/false);
  pop_names();
  out_ += " do ";
  print_region(regions[1], /*labelled=*/false);
  pop_names();
  in_function_ = in_function;
  return true;
}

// What `applies stablehlo.add` can say: one input, a region of the two scalars, a commutative op on them in their order
// and its return, all at the place of the reduce.
bool Printer::is_compact_reduce(const Op& op) {
  static constexpr OpKind kCommutative[] = {OpKind::add,  OpKind::multiply, OpKind::maximum, OpKind::minimum,
                                            OpKind::and_, OpKind::or_,      OpKind::xor_};
  if (op.operands.count != 2) return false;
  const Block& block = graph_.block(graph_.entry_block(graph_.regions(op)[0]));
  if (block.ops.size() != 2) return false;
  const Op& inner = graph_.op(block.ops[0]);
  const Op& last = graph_.op(block.ops[1]);
  const auto plain = [&](const Op& o) { return o.attrs.empty() && o.regions.empty() && o.loc == op.loc; };
  if (std::ranges::find(kCommutative, inner.kind) == std::end(kCommutative) || last.kind != OpKind::return_ ||
      !plain(inner) || !plain(last))
    return false;
  const std::span<const ValueId> inner_operands = graph_.operands(inner);
  const std::span<const ValueId> returned = graph_.operands(last);
  if (inner_operands.size() != 2 || inner.result_count != 1 || returned.size() != 1 ||
      returned[0] != inner.first_result)
    return false;
  const Type input = graph_.type_of(graph_.operands(op)[0]);
  for (uint32_t i = 0; i < 2; ++i) {
    const ValueId arg{block.first_arg.raw + i};
    const Type scalar = graph_.type_of(arg);
    if (inner_operands[i] != arg || graph_.value(arg).loc != op.loc) return false;
    if (!scalar.is_tensor() || scalar.rank() != 0 || !scalar.text.empty() || scalar.element != input.element ||
        scalar.element_text != input.element_text)
      return false;
  }
  return graph_.value(inner.first_result).type == graph_.value(block.first_arg).type;
}

bool Printer::try_reduce(const Op& op) {
  const std::span<const ValueId> operands = graph_.operands(op);
  const size_t inputs = operands.size() / 2;
  if (operands.empty() || operands.size() % 2 != 0 || !int_list_fits(op, "dimensions")) return false;
  if (graph_.regions(op).size() != 1 || !single_block(graph_.regions(op)[0], operands.size())) return false;
  const bool compact = is_compact_reduce(op);
  const BlockId block_id = graph_.entry_block(graph_.regions(op)[0]);
  out_ += op_name(op);
  for (size_t i = 0; i < inputs; ++i) {
    out_ += i > 0 ? ", (" : "(";
    print_value(operands[i]);
    out_ += " init: ";
    print_value(operands[inputs + i]);
    out_ += ')';
  }
  if (compact) {
    out_ += " applies ";
    out_ += op_name(graph_.op(graph_.block(block_id).ops[0]));
  }
  out_ += " across dimensions = [";
  print_int_list(attr_of(op, "dimensions").integers);
  out_ += ']';
  static constexpr std::string_view kWithout[] = {"dimensions"};
  print_attr_dict(graph_.attrs(op), kWithout);
  print_functional_type(op);
  if (compact) return true;
  new_line();
  out_ += " reducer";
  push_names(/*isolated=*/false);
  for (size_t i = 0; i < inputs; ++i) {
    for (const size_t k : {i, inputs + i}) {
      const ValueId value = graph_.arg(block_id, k);
      out_ += k == i ? (i > 0 ? " (" : "(") : ", ";
      name_value(value);
      print_value(value);
      out_ += ": ";
      print_type(graph_.value(value).type);
      print_location(graph_.value(value).loc);
    }
    out_ += ')';
  }
  out_ += ' ';
  const bool in_function = in_function_;
  in_function_ = false;
  print_region(graph_.regions(op)[0], /*labelled=*/false);
  in_function_ = in_function;
  pop_names();
  return true;
}

bool Printer::try_sharding_constraint(const Op& op) {
  if (op.operands.count != 1 || !types_agree(op) || !has(op, "sharding", AttrKind::sharding)) return false;
  out_ += op_name(op);
  out_ += ' ';
  print_operands(op);
  out_ += ' ' + sdy_text(program_.shardings, NamedShardingId{static_cast<uint32_t>(attr_of(op, "sharding").integer)});
  static constexpr std::string_view kWithout[] = {"sharding"};
  print_attr_dict(graph_.attrs(op), kWithout);
  print_form_types(op, TypeForm::same);
  return true;
}

bool Printer::try_sharding_group(const Op& op) {
  const Attr group = attr_of(op, "group_id");
  if (op.operands.count != 1 || op.result_count != 0 || group.kind != AttrKind::integer ||
      type_text(group.type) != "i64")
    return false;
  out_ += op_name(op);
  out_ += ' ';
  print_operands(op);
  out_ += " group_id=" + std::to_string(group.integer);
  static constexpr std::string_view kWithout[] = {"group_id"};
  print_attr_dict(graph_.attrs(op), kWithout);
  out_ += " : ";
  print_types(graph_.operands(op));
  return true;
}

bool Printer::try_propagation_barrier(const Op& op) {
  const AttrId direction = graph_.attr(op, "allowed_direction");
  if (op.operands.count != 1 || !types_agree(op) || !is_enum(direction, "sdy<propagation_direction")) return false;
  out_ += op_name(op);
  out_ += ' ';
  print_operands(op);
  out_ += " allowed_direction=";
  out_ += graph_.attr_table.get(direction).text;
  static constexpr std::string_view kWithout[] = {"allowed_direction"};
  print_attr_dict(graph_.attrs(op), kWithout);
  print_form_types(op, TypeForm::same);
  return true;
}

bool Printer::try_data_flow_edge(const Op& op) {
  if (op.operands.count != 1 || !types_agree(op)) return false;
  if (graph_.attr(op, "sharding").valid() && !has(op, "sharding", AttrKind::sharding)) return false;
  out_ += op_name(op);
  out_ += ' ';
  print_operands(op);
  if (graph_.attr(op, "sharding").valid())
    out_ += " sharding=" +
            sdy_text(program_.shardings, NamedShardingId{static_cast<uint32_t>(attr_of(op, "sharding").integer)});
  static constexpr std::string_view kWithout[] = {"sharding"};
  print_attr_dict(graph_.attrs(op), kWithout);
  print_form_types(op, TypeForm::same);
  return true;
}

bool Printer::try_computation(const Op& op, bool manual) {
  if (graph_.regions(op).size() != 1 || graph_.region(graph_.regions(op)[0]).blocks.size() != 1) return false;
  static constexpr std::string_view kLists[] = {"in_shardings", "out_shardings"};
  for (const std::string_view name : kLists) {
    const bool present = graph_.attr(op, name).valid();
    if (present ? !has(op, name, AttrKind::sharding_list) : manual) return false;
  }
  if (manual ? !has(op, "manual_axes", AttrKind::axes) : !has(op, "name", AttrKind::string)) return false;
  const bool in_function = in_function_;
  out_ += op_name(op);
  if (!manual) out_ += "<" + escape_mlir(attr_of(op, "name").text) + ">";
  out_ += '(';
  print_operands(op);
  out_ += ')';
  for (const std::string_view name : kLists) {
    if (!graph_.attr(op, name).valid()) continue;
    std::vector<NamedShardingId> list;
    for (const int64_t raw : attr_of(op, name).integers) list.emplace_back(static_cast<uint32_t>(raw));
    out_ += ' ';
    out_ += name;
    out_ += '=' + sdy_list_text(program_.shardings, list);
  }
  if (manual) {
    out_ += " manual_axes=";
    out_ += attr_of(op, "manual_axes").text;
  }
  out_ += ' ';
  in_function_ = false;
  push_names(/*isolated=*/true);
  print_arguments(graph_.entry_block(graph_.regions(op)[0]));
  out_ += ' ';
  print_region(graph_.regions(op)[0], /*labelled=*/false);
  pop_names();
  in_function_ = in_function;
  static constexpr std::string_view kWithout[] = {"in_shardings", "out_shardings", "manual_axes"};
  static constexpr std::string_view kNamedWithout[] = {"in_shardings", "out_shardings", "name"};
  print_attr_dict(graph_.attrs(op), manual ? std::span(kWithout) : std::span(kNamedWithout));
  print_functional_type(op);
  return true;
}

bool Printer::try_sdy_collective(const Op& op) {
  const SdyAxes* axes = sdy_axes_of(op.kind);
  if (op.operands.count != 1 || !types_agree(op) || !has(op, "out_sharding", AttrKind::sharding)) return false;
  if (axes != nullptr && !has(op, axes->attribute, AttrKind::axes)) return false;
  const AttrId reduction = graph_.attr(op, "reduction_op");
  if (reduction.valid() && !is_enum(reduction, "sdy<reduction_op")) return false;
  out_ += op_name(op);
  if (reduction.valid()) {
    out_ += ' ';
    out_ += graph_.attr_table.get(reduction).text;
  }
  if (axes != nullptr) {
    out_ += ' ';
    out_ += attr_of(op, axes->attribute).text;
  }
  out_ += ' ';
  print_operands(op);
  out_ += " out_sharding=" +
          sdy_text(program_.shardings, NamedShardingId{static_cast<uint32_t>(attr_of(op, "out_sharding").integer)});
  const std::string_view without[] = {"out_sharding", "reduction_op",
                                      axes != nullptr ? axes->attribute : "out_sharding"};
  print_attr_dict(graph_.attrs(op), without);
  print_form_types(op, TypeForm::same);
  return true;
}

}  // namespace sw::mlir
