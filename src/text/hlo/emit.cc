// From the flat records of a computation to a function of the graph, and the names of computations to regions.
//
// HLO computations refer to earlier ones only, and instructions to earlier ones; both are checked here, so that no
// cycle can come into a graph.
#include <algorithm>

#include "base/edit_distance.h"
#include "text/hlo/parser.h"

namespace sw::hlo {

std::optional<FunctionId> Parser::emit(Computation& computation) {
  if (computation.instructions.empty()) {
    error(DiagnosticKind::syntax, computation.where, "computation without instructions, expected at least one");
    return {};
  }
  std::vector<const Instruction*> parameters;
  if (!number_parameters(computation, parameters)) return {};
  const Instruction* root = nullptr;
  for (const Instruction& instruction : computation.instructions) {
    if (!instruction.is_root) continue;
    if (root != nullptr) {
      error(DiagnosticKind::syntax, instruction.name_where, "second `ROOT`, expected one in a computation");
      return {};
    }
    root = &instruction;
  }
  if (root == nullptr) root = &computation.instructions.back();
  Function function;
  function.name = computation.name;
  function.where = computation.where;
  function.is_entry = computation.is_entry;
  function.loc = {};
  const FunctionId id = builder_.add_function(std::move(function));
  const RegionId region = builder_.add_region({}, id);
  const BlockId block = builder_.add_block(region);
  builder_.function(id).body = region;
  emit_arguments(computation, id, block, parameters);
  std::vector<ValueId> values(computation.instructions.size());
  bool good = bind_names(computation, block, values);
  std::vector<ValueId> operands;
  for (size_t i = 0; i < computation.instructions.size(); ++i) {
    const Instruction& instruction = computation.instructions[i];
    if (instruction.kind == OpKind::parameter && instruction.parameter >= 0) continue;
    operands.clear();
    if (!instruction.is_broken) good = resolve_operands(computation, instruction, i, values, operands) && good;
    values[i] = emit_op(computation, block, instruction, operands);
  }
  const ValueId result[] = {values[static_cast<size_t>(root - computation.instructions.data())]};
  GraphBuilder::OpSpec spec;
  spec.kind = OpKind::func_return;
  spec.name = intern("func.return");
  spec.operands = result;
  spec.loc = root->loc;
  spec.where = root->where;
  builder_.add_op(block, spec);
  if (!good || root->is_broken) return {};
  const TypeId results[] = {root->type};
  std::vector<TypeId> inputs;
  for (const Instruction* parameter : parameters) inputs.push_back(parameter->type);
  builder_.function(id).type = builder_.types().function(inputs, results);
  builder_.function(id).result_attrs.resize(1);
  if (computation.is_entry) builder_.set_main(id);
  last_function_ = id;
  return id;
}

bool Parser::number_parameters(const Computation& computation, std::vector<const Instruction*>& parameters) {
  for (const Instruction& instruction : computation.instructions)
    if (instruction.kind == OpKind::parameter && !instruction.is_broken) parameters.push_back(&instruction);
  const auto by_number = [](const Instruction* a, const Instruction* b) { return a->parameter < b->parameter; };
  if (!std::is_sorted(parameters.begin(), parameters.end(), by_number))
    std::stable_sort(parameters.begin(), parameters.end(), by_number);
  for (size_t i = 0; i < parameters.size(); ++i) {
    const auto number = static_cast<size_t>(parameters[i]->parameter);
    if (number == i) continue;
    if (i > 0 && parameters[i - 1]->parameter == parameters[i]->parameter) {
      failed_ = true;
      diagnostics_
          .error(DiagnosticKind::redefined_value, parameters[i]->name_where,
                 "second parameter " + std::to_string(number))
          .note(parameters[i - 1]->name_where, "first one here");
    } else if (std::ranges::none_of(computation.instructions, &Instruction::is_broken)) {
      error(DiagnosticKind::invalid_op, parameters[i]->name_where,
            "parameter " + std::to_string(number) + " without a parameter " + std::to_string(i));
    }
    return false;
  }
  return true;
}

void Parser::emit_arguments(const Computation& computation, FunctionId id, BlockId block,
                            std::span<const Instruction* const> parameters) {
  std::vector<int64_t> positions;
  bool in_front = true;
  for (size_t i = 0; i < parameters.size(); ++i) {
    const Instruction& parameter = *parameters[i];
    builder_.add_arg(block, parameter.type, parameter.name, parameter.where, parameter.loc);
    const auto attrs = std::span(computation.attrs).subspan(parameter.attrs.begin, parameter.attrs.count);
    builder_.function(id).arg_attrs.push_back(builder_.attrs(attrs));
    positions.push_back(&parameter - computation.instructions.data());
    in_front = in_front && positions.back() == static_cast<int64_t>(i);
  }
  std::vector<NamedAttr> attrs = computation.function_attrs;
  if (!in_front) add(attrs, "hlo.parameter_positions", list_attr(positions));
  builder_.function(id).attrs = builder_.attrs(attrs);
}

// Binds every name to its instruction; arguments have their values already.
bool Parser::bind_names(const Computation& computation, BlockId block, std::vector<ValueId>& values) {
  ++stamp_;
  bindings_.resize(std::max(bindings_.size(), builder_.strings().count()));
  bool good = true;
  for (size_t i = 0; i < computation.instructions.size(); ++i) {
    const Instruction& instruction = computation.instructions[i];
    Binding& binding = bindings_[instruction.name.index()];
    if (binding.stamp == stamp_) {
      failed_ = true;
      good = false;
      diagnostics_
          .error(DiagnosticKind::redefined_value, instruction.name_where,
                 "second instruction named `" + std::string(builder_.strings().text(instruction.name)) + "`")
          .note(computation.instructions[binding.index].name_where, "first one here");
      continue;
    }
    binding = {stamp_, static_cast<uint32_t>(i)};
    if (instruction.kind == OpKind::parameter && !instruction.is_broken)
      values[i] = builder_.graph().arg(block, static_cast<size_t>(instruction.parameter));
  }
  return good;
}

bool Parser::resolve_operands(const Computation& computation, const Instruction& instruction, size_t index,
                              std::span<const ValueId> values, std::vector<ValueId>& out) {
  bool good = true;
  for (uint32_t i = 0; i < instruction.operands.count; ++i) {
    const OperandRef& operand = computation.operands[instruction.operands.begin + i];
    const Binding& binding = bindings_[operand.name.index()];
    if (binding.stamp != stamp_) {
      undefined_operand(computation, operand);
      good = false;
    } else if (binding.index >= index) {
      failed_ = true;
      good = false;
      diagnostics_
          .error(DiagnosticKind::undefined_value, in_.range(operand.begin, operand.end),
                 "`" + std::string(in_.text(operand.begin, operand.end)) + "` is used before it is defined")
          .note(computation.instructions[binding.index].name_where, "defined here");
    } else {
      out.push_back(values[binding.index]);
    }
  }
  return good;
}

void Parser::undefined_operand(const Computation& computation, const OperandRef& operand) {
  failed_ = true;
  auto report = diagnostics_.error(
      DiagnosticKind::undefined_value, in_.range(operand.begin, operand.end),
      "`" + std::string(in_.text(operand.begin, operand.end)) + "` is not defined in this computation");
  if (suggestions_++ >= kMaxSuggestions) return;
  std::vector<std::string_view> names;
  for (const Instruction& instruction : computation.instructions)
    names.push_back(builder_.strings().text(instruction.name));
  if (const std::string_view near = nearest_name(builder_.strings().text(operand.name), names); !near.empty())
    report.help("did you mean `%" + std::string(near) + "`?");
}

ValueId Parser::emit_op(const Computation& computation, BlockId block, const Instruction& instruction,
                        std::span<const ValueId> operands) {
  const TypeId types[] = {instruction.type};
  GraphBuilder::OpSpec spec;
  spec.kind = instruction.kind;
  spec.name = instruction.spelling;
  spec.operands = operands;
  spec.result_types = types;
  spec.attrs = std::span(computation.attrs).subspan(instruction.attrs.begin, instruction.attrs.count);
  spec.result_name = instruction.name;
  spec.loc = instruction.loc;
  spec.where = instruction.where;
  const OpId op = builder_.add_op(block, spec);
  if (!instruction.callees.empty()) {
    const auto begin = computation.callees.begin() + instruction.callees.begin;
    pending_.push_back({op, {static_cast<uint32_t>(pending_callees_.size()), instruction.callees.count}});
    pending_callees_.insert(pending_callees_.end(), begin, begin + instruction.callees.count);
  }
  return builder_.graph().result(op);
}

void Parser::resolve_callees() {
  const Graph& graph = builder_.graph();
  std::vector<RegionId> regions;
  for (const PendingCallees& pending : pending_) {
    regions.clear();
    const FunctionId caller = graph.region(graph.block(graph.op(pending.op).parent).parent).function;
    for (uint32_t i = 0; i < pending.callees.count; ++i) {
      const CalleeRef& callee = pending_callees_[pending.callees.begin + i];
      const auto found = functions_.find(callee.name.raw);
      const SourceRange where = in_.range(callee.begin, callee.end);
      const std::string name(graph.strings.text(callee.name));
      if (found == functions_.end()) {
        if (!broken_.contains(callee.name.raw)) undefined_computation(name, where);
        continue;
      }
      if (found->second >= caller) {
        failed_ = true;
        diagnostics_
            .error(DiagnosticKind::call_recursion, where,
                   "`" + name + "` is called before it is defined, expected computations that call only earlier ones")
            .note(graph.function(found->second).where, "defined here");
        continue;
      }
      regions.push_back(graph.function(found->second).body);
    }
    builder_.set_regions(pending.op, regions);
  }
}

void Parser::undefined_computation(const std::string& name, SourceRange where) {
  failed_ = true;
  auto report = diagnostics_.error(DiagnosticKind::undefined_symbol, where, "there is no computation `" + name + "`");
  if (suggestions_++ >= kMaxSuggestions) return;
  std::vector<std::string_view> names;
  for (size_t i = 0; i < builder_.graph().function_count(); ++i)
    names.push_back(builder_.strings().text(builder_.graph().function(FunctionId{i}).name));
  if (const std::string_view near = nearest_name(name, names); !near.empty())
    report.help("did you mean `%" + std::string(near) + "`?");
}

// Without an ENTRY the last computation is it, as for XLA.
void Parser::finish_module() {
  if (!builder_.graph().main.valid()) {
    builder_.set_main(last_function_);
    builder_.function(last_function_).is_entry = true;
  }
  if (builder_.graph().module_name.valid()) return;
  const std::string entry(builder_.strings().text(builder_.function(builder_.graph().main).name));
  builder_.set_module(intern("module_" + entry), {});
}

}  // namespace sw::hlo
