// The stages one after the other; each has its files:
//
//   one device's HLO -> machine program -> schedule -> values and buffers -> assignment -> figures
#include "memory/profile.h"

#include <algorithm>

#include "memory/arguments.h"
#include "memory/assignment.h"
#include "memory/categories.h"
#include "memory/on_chip.h"
#include "schedule/compile.h"
#include "schedule/from_hlo.h"

namespace sw {

namespace {

AssignmentRules assignment_rules(MemoryTarget target) {
  AssignmentRules rules;
  rules.form = entry_rules(target).form;
  if (rules.form == ArrayForm::tiled) {
    rules.alignment = 16384;
    rules.order = PackingOrder::as_allocated;
    rules.reuses_results = false;
    rules.tables_in_slots = true;
  }
  if (target == MemoryTarget::cpu) rules.alignment = 64;
  return rules;
}

Compiler compiler_of(MemoryTarget target) {
  switch (target) {
    case MemoryTarget::h100: return Compiler::gpu;
    case MemoryTarget::tpu_v5e:
    case MemoryTarget::tpu_v5p: return Compiler::tpu;
    case MemoryTarget::cpu: break;
  }
  return Compiler::cpu;
}

// The places of the arrays in a type, in order.
void array_places(const TypeTree& tree, const TypeTable& types, std::vector<uint32_t>& out) {
  for (uint32_t i = 0; i < tree.places(); ++i)
    if (types.get(tree.at[i]).is_array()) out.push_back(i);
}

// The pairs of result and parameter, as places of the machine program.
std::vector<StorageHandover> handovers_of(const MachineProgram& program, TypeTrees& trees, const EntryBytes& entry) {
  const Computation& main = program.computation(program.entry);
  const std::vector<MachineOpId> parameters = parameters_of(program, main);
  std::vector<uint32_t> results, in_parameter;
  array_places(trees.of(program.op(main.root).type), program.types, results);
  std::vector<StorageHandover> out;
  for (uint32_t i = 0, within = 0; i < entry.parameters.size(); ++i) {
    const EntryArray& array = entry.parameters[i];
    ++within;
    if (i == 0 || entry.parameters[i - 1].number != array.number) {
      within = 0;
      in_parameter.clear();
      array_places(trees.of(program.op(parameters[array.number]).type), program.types, in_parameter);
    }
    if (!array.partner.has_value() || *array.partner >= results.size()) continue;
    out.push_back({results[*array.partner], array.number, in_parameter[within]});
  }
  return out;
}

// The value of the graph that a value of the machine program is, where there is one.
ValueId graph_value(const Graph& graph, const MachineOp& op, TypeId type, bool is_entry) {
  if (op.kind == OpKind::parameter && is_entry)
    return graph.arg(graph.entry_block(graph.function(graph.main).body), op.index);
  if (!op.source.valid()) return {};
  const ValueId made = graph.result(op.source);
  return graph.value(made).type == type ? made : ValueId{};
}

void list_buffers(const Graph& graph, const AssignmentInput& input, const Assignment& assignment,
                  const ArgumentCategories& arguments, MemoryProfile& profile) {
  const std::vector<MemoryCategory> categories = categorize_buffers(input, assignment, arguments);
  const std::vector<uint32_t>& at_worst = assignment.heap.alive_at_worst;
  for (const AssignedBuffer& assigned : assignment.buffers) {
    if (assigned.bytes == 0 || assigned.place == BufferPlace::reused || assigned.place == BufferPlace::constant ||
        assigned.place == BufferPlace::table || assigned.place == BufferPlace::on_chip)
      continue;
    const std::vector<PlaceId>& values = input.buffers.all()[assigned.buffer];
    const MachineOp& maker = input.program.op(input.flow.op_of(values.front()));
    const bool is_fixed = assigned.place != BufferPlace::heap;
    MemoryBuffer buffer;
    buffer.op = maker.source;
    buffer.value =
        graph_value(graph, maker, input.flow.type_of(values.front()), maker.computation == input.program.entry);
    buffer.bytes = assigned.bytes;
    for (const PlaceId value : values)
      buffer.unpadded = std::max(buffer.unpadded, packed_bytes(input.program.types.get(input.flow.type_of(value))));
    buffer.category = categories[assigned.buffer];
    buffer.begin = input.buffers.range(values.front()).begin;
    buffer.end = input.buffers.range(values.back()).end;
    buffer.at_peak = is_fixed || std::binary_search(at_worst.begin(), at_worst.end(), assigned.buffer);
    profile.buffers.push_back(buffer);
  }
}

void draw_curve(const AssignmentInput& input, const Assignment& assignment, MemoryProfile& profile) {
  const int64_t fixed = profile.argument + profile.output - profile.alias;
  for (size_t i = 0; i < input.sequence.ops.size(); ++i)
    profile.curve.push_back(
        {static_cast<int64_t>(i), fixed + assignment.heap.live[i], input.program.op(input.sequence.ops[i]).source});
  profile.peak_position = assignment.heap.worst_time;
}

}  // namespace

Result<MemoryProfile> profile_memory(const Graph& graph, const MemoryOptions& options, Diagnostics& diagnostics) {
  const AssignmentRules rules = assignment_rules(options.target);
  const EntryBytes entry = entry_bytes(graph, entry_rules(options.target));
  const bool scheduled = is_scheduled(graph);
  CompiledProgram compiled;
  if (scheduled) {
    Result<MachineProgram> program = machine_program_as_it_stands(graph, diagnostics);
    if (!program.has_value()) return reported();
    compiled.program = std::move(*program);
  } else {
    const SizeOf size = [&](const Type& type) { return value_bytes(type, rules.form); };
    Result<CompiledProgram> result = compile_program(graph, compiler_of(options.target), size, diagnostics);
    if (!result.has_value()) return reported();
    compiled = std::move(*result);
  }
  TypeTrees trees(compiled.program.types);
  const std::vector<StorageHandover> handovers = handovers_of(compiled.program, trees, entry);
  const ReadOrder order = options.target == MemoryTarget::cpu ? ReadOrder::dependence : ReadOrder::scheduled;
  if (!scheduled) insert_copies(compiled.program, trees, handovers, order);
  const MachineProgram& program = compiled.program;
  const Sequence sequence = sequence_of(program);
  const ValueFlow flow(program, sequence, trees);
  const Buffers buffers(program, sequence, flow, trees, handovers);
  const Users users = users_of(program);
  AssignmentInput input{program, sequence, flow, buffers, users, trees, compiled.tables};
  std::vector<bool> on_chip;
  if (rules.form == ArrayForm::tiled) {
    on_chip = on_chip_buffers(input, options.target);
    input.on_chip = &on_chip;
  }
  const Assignment assignment = assign_buffers(input, rules);

  MemoryProfile profile;
  profile.target = options.target;
  profile.argument = entry.argument;
  profile.output = entry.output;
  profile.alias = entry.alias;
  profile.temp = assignment.temp;
  if (options.target == MemoryTarget::tpu_v5e && !scheduled)
    profile.temp = with_copy_slots(input, compiled.ops, assignment.temp, rules.alignment);
  profile.peak = entry.argument + entry.output - entry.alias + assignment.heap.most_live;
  const ArgumentCategories arguments = categorize_arguments(scheduled ? program : compiled.ops);
  list_buffers(graph, input, assignment, arguments, profile);
  draw_curve(input, assignment, profile);
  return profile;
}

}  // namespace sw
