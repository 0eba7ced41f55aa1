// Header, computations, instructions.
#include <algorithm>
#include <unordered_set>

#include "text/hlo/parser.h"
#include "text/hlo/printer.h"
#include "text/hlo/reader.h"

namespace sw {

std::string print_hlo(const Program& program) { return hlo::Printer(program).print(); }

}  // namespace sw

namespace sw::hlo {

Printer::Printer(const Program& program) : program_(program), graph_(program.graph) {
  types_.resize(graph_.types.count());
  shardings_.resize(program.tile_shardings.count());
  names_.resize(graph_.value_count());
  function_names_.resize(graph_.function_count());
}

std::string Printer::print() {
  print_header();
  std::unordered_set<std::string_view> taken;
  for (size_t i = 0; i < graph_.function_count(); ++i) {
    const std::string wish(valid_name(graph_.function(FunctionId{i}).name, "computation"));
    std::string name = wish;
    for (size_t n = 1; taken.contains(name); ++n) name = wish + "." + std::to_string(n);
    function_names_[i] = std::move(name);
    taken.insert(function_names_[i]);
  }
  for (const FunctionId id : called_first()) print_function(graph_.function(id));
  return std::move(out_);
}

// Functions in their order, but for those that earlier ones call: HLO text names only what stands above.
std::vector<FunctionId> Printer::called_first() const {
  enum : uint8_t { kNew, kOpen, kDone };
  std::vector<uint8_t> state(graph_.function_count(), kNew);
  std::vector<FunctionId> order, stack;
  for (size_t i = 0; i < graph_.function_count(); ++i) {
    stack.push_back(FunctionId{i});
    while (!stack.empty()) {
      const FunctionId top = stack.back();
      uint8_t& at = state[top.index()];
      const Function& function = graph_.function(top);
      if (at != kNew || !function.body.valid()) {
        stack.pop_back();
        if (at == kOpen) order.push_back(top);
        at = kDone;
        continue;
      }
      at = kOpen;
      for (const OpId op : graph_.block(graph_.entry_block(function.body)).ops)
        for (const RegionId region : graph_.regions(graph_.op(op)))
          if (const FunctionId called = graph_.region(region).function; state[called.index()] == kNew)
            stack.push_back(called);
    }
  }
  return order;
}

void Printer::print_header() {
  out_ += "HloModule ";
  out_ += valid_name(graph_.module_name, "module");
  AttrId frames;
  for (const NamedAttr& attr : graph_.attrs(graph_.module_attrs)) {
    const std::string_view name = text(attr.name);
    if (name == "hlo.stack_frames") {
      frames = attr.value;
      continue;
    }
    const AttrName* row = find_header_attr(name);
    // What is no HLO attribute comes from MLIR, but for what the reader kept without knowing it.
    if (row == nullptr && graph_.attr_table.get(attr.value).kind != AttrKind::opaque) continue;
    next(row == nullptr ? name : row->hlo);
    print_value(row == nullptr ? AttrName{name, Form::raw, name} : *row, graph_.attr_table.get(attr.value));
  }
  out_ += "\n";
  if (frames.valid()) {
    out_ += "\n";
    out_ += graph_.attr_table.get(frames).text;
    out_ += "\n";
  }
}

const std::string& Printer::type_text(TypeId type) {
  std::string& cached = types_[type.index()];
  if (cached.empty()) cached = hlo_text(graph_.types, type);
  return cached;
}

// The name if HLO can spell it (a leading percent is dropped), else `otherwise`.
std::string_view Printer::valid_name(StringId name, std::string_view otherwise) {
  if (!name.valid()) return otherwise;
  std::string_view spelling = text(name);
  if (spelling.starts_with('%')) spelling.remove_prefix(1);
  const bool good = !spelling.empty() && is_name_start(spelling.front()) &&
                    std::all_of(spelling.begin(), spelling.end(), is_name_char);
  return good ? spelling : otherwise;
}

void Printer::name_values(BlockId block) {
  std::unordered_set<std::string_view> taken;
  const auto give = [&](ValueId id, std::string_view wish, bool number) {
    std::string& name = names_[id.index()];
    if (number || taken.contains(wish)) {
      for (size_t n = id.index();; ++n) {
        name = std::string(wish) + "." + std::to_string(n);
        if (!taken.contains(name)) break;
      }
    } else {
      name = wish;
    }
    taken.insert(name);
  };
  const Block& b = graph_.block(block);
  for (size_t i = 0; i < b.arg_count; ++i) {
    const ValueId arg = graph_.arg(block, i);
    const std::string_view name = valid_name(graph_.value(arg).name, "");
    give(arg, name.empty() ? "param" : name, name.empty());
  }
  for (const OpId id : b.ops) {
    const Op& op = graph_.op(id);
    for (size_t i = 0; i < op.result_count; ++i) {
      const ValueId result = graph_.result(id, i);
      const std::string_view name = valid_name(graph_.value(result).name, "");
      give(result, name.empty() ? valid_name(op.name, "value") : name, name.empty());
    }
  }
}

// Where the arguments stand among all instructions: as the text had them if that still fits, else in front.
std::vector<size_t> Printer::places_of_arguments(const Function& function, size_t instruction_count) const {
  const size_t count = graph_.block(graph_.entry_block(function.body)).arg_count;
  std::vector<size_t> places(count);
  for (size_t i = 0; i < count; ++i) places[i] = i;
  const auto kept = integers(graph_.attrs(function.attrs), "hlo.parameter_positions");
  if (count == 0 || kept.size() != count) return places;
  std::vector<int64_t> sorted(kept.begin(), kept.end());
  std::sort(sorted.begin(), sorted.end());
  const bool distinct = std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end();
  if (!distinct || sorted.front() < 0 || sorted.back() >= static_cast<int64_t>(instruction_count)) return places;
  for (size_t i = 0; i < count; ++i) places[i] = static_cast<size_t>(kept[i]);
  return places;
}

void Printer::print_function(const Function& function) {
  const BlockId block = graph_.entry_block(function.body);
  const Block& b = graph_.block(block);
  name_values(block);
  const FunctionId id = graph_.region(function.body).function;
  out_ += function.is_entry ? "\nENTRY %" : "\n%";
  out_ += function_names_[id.index()];
  out_ += " (";
  for (size_t i = 0; i < b.arg_count; ++i) {
    if (i > 0) out_ += ", ";
    const ValueId arg = graph_.arg(block, i);
    out_ += names_[arg.index()] + ": " + hlo_text(graph_.types, graph_.value(arg).type, false);
  }
  const ValueId root = graph_.operands(b.ops.back()).front();
  out_ += ") -> " + hlo_text(graph_.types, graph_.value(root).type, false) + " {\n";
  const size_t count = b.arg_count + b.ops.size() - 1;
  constexpr size_t kNoArgument = ~size_t{0};
  std::vector<size_t> argument_at(count, kNoArgument);
  const std::vector<size_t> places = places_of_arguments(function, count);
  for (size_t i = 0; i < places.size(); ++i) argument_at[places[i]] = i;
  size_t next_op = 0;
  for (const size_t argument : argument_at) {
    if (argument != kNoArgument) {
      print_argument(function, argument, graph_.arg(block, argument) == root);
    } else {
      const OpId op = b.ops[next_op++];
      print_op(graph_.op(op), graph_.op(op).result_count > 0 && graph_.result(op) == root);
    }
  }
  out_ += "}";
  if (const AttrId thread = Graph::find(graph_.attrs(function.attrs), graph_.strings.find("execution_thread"));
      thread.valid()) {
    next("execution_thread");
    print_quoted(graph_.attr_table.get(thread).text);
  }
  out_ += "\n";
}

void Printer::print_argument(const Function& function, size_t number, bool is_root) {
  const ValueId arg = graph_.arg(graph_.entry_block(function.body), number);
  const Value& value = graph_.value(arg);
  out_ += is_root ? "  ROOT %" : "  %";
  out_ += names_[arg.index()] + " = " + type_text(value.type) + " parameter(" + std::to_string(number) + ")";
  const auto attrs =
      number < function.arg_attrs.size() ? graph_.attrs(function.arg_attrs[number]) : std::span<const NamedAttr>{};
  print_attrs(OpKind::parameter, attrs, 0, attrs.size());
  if (!Graph::find(attrs, graph_.strings.find("metadata")).valid()) print_location(value.loc);
  out_ += "\n";
}

void Printer::print_op(const Op& op, bool is_root) {
  out_ += is_root ? "  ROOT %" : "  %";
  out_ += names_[op.first_result.index()];
  out_ += " = ";
  out_ += type_text(graph_.value(op.first_result).type);
  out_ += " ";
  const bool is_async =
      op.kind == OpKind::async_start || op.kind == OpKind::async_update || op.kind == OpKind::async_done;
  const std::string_view spelling = facts(op.kind).hlo;
  out_ += spelling.empty() || is_async ? text(op.name) : spelling;
  print_operands(op);
  const OpKind wrapped = wrapped_kind(graph_, op);
  const OpKind meaning = wrapped == OpKind::unknown ? op.kind : wrapped;
  const auto attrs = graph_.attrs(op);
  // The computations stand between what is the operation's own and what every operation may have.
  const auto common =
      std::find_if(attrs.begin(), attrs.end(), [&](const NamedAttr& attr) { return is_common_attr(text(attr.name)); });
  const auto own = static_cast<size_t>(common - attrs.begin());
  print_attrs(meaning, attrs, 0, own);
  print_regions(op);
  print_attrs(meaning, attrs, own, attrs.size());
  if (!graph_.attr(op, "metadata").valid()) print_location(op.loc);
  out_ += "\n";
}

void Printer::print_operands(const Op& op) {
  out_ += "(";
  if (op.kind == OpKind::constant) {
    if (const AttrId value = graph_.attr(op, "value"); value.valid()) out_ += graph_.attr_table.get(value).text;
    out_ += ")";
    return;
  }
  const auto operands = graph_.operands(op);
  for (size_t i = 0; i < operands.size(); ++i) {
    if (i > 0) out_ += ", ";
    if (i > 0 && i % 5 == 0) out_ += "/*index=" + std::to_string(i) + "*/";
    out_ += "%";
    out_ += names_[operands[i].index()];
  }
  out_ += ")";
}

void Printer::print_regions(const Op& op) {
  const auto regions = graph_.regions(op);
  if (regions.empty()) return;
  const auto name = [&](size_t i) { return "%" + function_names_[graph_.region(regions[i]).function.index()]; };
  const auto one = [&](std::string_view attr, size_t i) {
    next(attr);
    out_ += name(i);
  };
  const auto list = [&](std::string_view attr) {
    next(attr);
    for (size_t i = 0; i < regions.size(); ++i) out_ += (i == 0 ? "{" : ", ") + name(i);
    out_ += "}";
  };
  const bool two = regions.size() == 2;
  if (op.kind == OpKind::while_ && two) {
    one("condition", 0);
    one("body", 1);
  } else if (op.kind == OpKind::select_and_scatter && two) {
    one("select", 0);
    one("scatter", 1);
  } else if (op.kind == OpKind::case_ && two && graph_.type_of(graph_.operands(op)[0]).element == ElementType::pred) {
    one("true_computation", 0);
    one("false_computation", 1);
  } else if (op.kind == OpKind::case_) {
    list("branch_computations");
  } else if (op.kind == OpKind::custom_call || regions.size() > 1) {
    list("called_computations");
  } else {
    const bool calls = op.kind == OpKind::fusion || op.kind == OpKind::async_start || op.kind == OpKind::async_update ||
                       op.kind == OpKind::async_done;
    one(calls ? "calls" : "to_apply", 0);
  }
}

// An op that a stage made, or that came from MLIR, has a location and no metadata of its own.
void Printer::print_location(LocationId loc) {
  if (!loc.valid()) return;
  const Location& location = graph_.location(loc);
  const UserPosition position = user_position(graph_, loc);
  if (location.kind != LocationKind::name && position.line == 0) return;
  next("metadata");
  out_ += "{";
  if (location.kind == LocationKind::name) {
    out_ += "op_name=";
    print_quoted(text(location.text));
  }
  if (position.line > 0) {
    out_ += out_.back() == '{' ? "source_file=" : " source_file=";
    print_quoted(position.file);
    out_ += " source_line=" + std::to_string(position.line);
  }
  out_ += "}";
}

}  // namespace sw::hlo
