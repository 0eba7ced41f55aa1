#include "memory/categories.h"

#include <algorithm>
#include <set>

#include "schedule/sharing.h"

namespace sw {

namespace {

// Shape without the element type: gradients and moments may be wider than their weight.
using Shape = std::vector<int64_t>;
Shape shape_of(const Type& type) { return {type.dims.begin(), type.dims.end()}; }

bool moves_elements(OpKind kind) {
  switch (kind) {
    case OpKind::all_gather:
    case OpKind::all_gather_start:
    case OpKind::slice:
    case OpKind::dynamic_slice:
    case OpKind::convert:
    case OpKind::transpose:
    case OpKind::reshape:
    case OpKind::concatenate:
    case OpKind::copy: return true;
    default: return false;
  }
}

// The ops that read each value, tuples looked through, loops left out.
std::vector<std::vector<MachineOpId>> readers_of(const MachineProgram& program, const Sequence& sequence,
                                                 const ValueFlow& flow) {
  std::vector<std::vector<MachineOpId>> readers(flow.place_count());
  for (const MachineOpId id : sequence.ops) {
    const MachineOp& op = program.op(id);
    if (op.kind == OpKind::tuple || op.kind == OpKind::get_tuple_element) continue;
    for (const MachineOpId operand : op.operands)
      for (const PlaceId value : flow.at(operand)) readers[value.index()].push_back(id);
  }
  return readers;
}

class Arguments {
 public:
  explicit Arguments(const MachineProgram& program)
      : program_(program),
        trees_(program.types),
        sequence_(sequence_of(program)),
        flow_(program, sequence_, trees_),
        readers_(readers_of(program, sequence_, flow_)) {}

  // Arguments with a successor among the results are the state of training. Of each shape as many are weights as are
  // used as such; of shapes that no product reads (scales, biases) the same part, the first of them.
  ArgumentCategories run() {
    const Computation& entry = program_.computation(program_.entry);
    std::multiset<Shape> results;
    for (size_t i = 0; i < flow_places(entry.root); ++i)
      for (const PlaceId value : flow_.at(entry.root, i))
        if (type(value).is_array()) results.insert(shape_of(type(value)));
    std::map<Shape, std::vector<State>> state;
    for (const MachineOpId id : parameters_of(program_, entry)) {
      for (uint32_t i = 0; i < flow_places(id); ++i) {
        const PlaceId value = flow_.place(id, i);
        if (!type(value).is_array()) continue;
        const ArgumentPlace place{program_.op(id).index, i};
        const bool weight = is_floating(type(value).element) && type(value).rank() >= 2 && feeds_product(value);
        const auto next = type(value).rank() > 0 ? results.find(shape_of(type(value))) : results.end();
        if (next != results.end()) {
          results.erase(next);
          state[shape_of(type(value))].push_back({place, weight});
        } else {
          out_[place] = MemoryCategory::batch;
          if (weight) read_only_weights_.push_back(place);
        }
      }
    }
    if (state.empty())
      for (const ArgumentPlace& place : read_only_weights_) out_[place] = MemoryCategory::parameter;
    divide(state);
    return std::move(out_);
  }

 private:
  struct State {
    ArgumentPlace place;
    bool is_weight;
  };

  size_t flow_places(MachineOpId op) { return trees_.of(program_.op(op).type).places(); }
  Type type(PlaceId value) const { return program_.types.get(flow_.type_of(value)); }

  void divide(const std::map<Shape, std::vector<State>>& shapes) {
    const auto is_weight = [](const State& s) { return s.is_weight; };
    size_t weights = 0, all = 0;
    for (const auto& [shape, list] : shapes) {
      const auto used = static_cast<size_t>(std::count_if(list.begin(), list.end(), is_weight));
      weights += used;
      if (used > 0) all += list.size();
    }
    const size_t copies = weights > 0 ? std::max<size_t>(1, all / weights) : 1;
    for (const auto& [shape, list] : shapes) {
      const bool known = std::any_of(list.begin(), list.end(), is_weight);
      for (size_t i = 0; i < list.size(); ++i) {
        const bool weight = known ? list[i].is_weight : i * copies < list.size();
        out_[list[i].place] = weight ? MemoryCategory::parameter : MemoryCategory::optimizer_state;
      }
    }
  }

  // Whether a product or a gather reads the value, perhaps gathered, sliced or converted before.
  bool feeds_product(PlaceId start) {
    std::vector<PlaceId> todo{start};
    std::set<PlaceId> seen{start};
    while (!todo.empty()) {
      const PlaceId value = todo.back();
      todo.pop_back();
      for (const MachineOpId reader : readers_[value.index()]) {
        const MachineOp& op = program_.op(reader);
        if (op.kind == OpKind::dot_general || op.kind == OpKind::convolution || op.kind == OpKind::gather ||
            op.role == Role::product)
          return true;
        if (!moves_elements(op.kind)) continue;
        for (size_t i = 0; i < flow_places(reader); ++i) {
          const PlaceId made = flow_.place(reader, i);
          if (flow_.is_value(made) && seen.insert(made).second) todo.push_back(made);
        }
      }
    }
    return false;
  }

  const MachineProgram& program_;
  TypeTrees trees_;
  const Sequence sequence_;
  const ValueFlow flow_;
  const std::vector<std::vector<MachineOpId>> readers_;
  std::vector<ArgumentPlace> read_only_weights_;
  ArgumentCategories out_;
};

class Temporaries {
 public:
  Temporaries(const AssignmentInput& input, const ArgumentCategories& arguments)
      : in_(input),
        readers_(readers_of(input.program, input.sequence, input.flow)),
        loops_(input.buffers.all().size(), 0),
        updated_(input.buffers.all().size(), false) {
    for (const MachineOpId id : in_.sequence.ops) note(id);
    const std::vector<MachineOpId> parameters = parameters_of(in_.program, in_.program.computation(in_.program.entry));
    for (const auto& [place, category] : arguments)
      if (category == MemoryCategory::parameter)
        weights_.insert(shape_of(type(in_.flow.place(parameters[place.first], place.second))));
  }

  MemoryCategory of(uint32_t buffer) const {
    const std::vector<PlaceId>& values = in_.buffers.all()[buffer];
    const auto is_collective = [&](MachineOpId id) { return in_.program.op(id).role == Role::collective; };
    for (const PlaceId value : values) {
      const std::vector<MachineOpId>& readers = readers_[value.index()];
      if (is_collective(in_.flow.op_of(value)) || std::any_of(readers.begin(), readers.end(), is_collective))
        return MemoryCategory::collective;
    }
    const Type first = type(values.front());
    const bool like_weight = first.rank() > 0 && weights_.contains(shape_of(first));
    if (loops_[buffer] > 0) {
      if (like_weight && updated_[buffer]) return MemoryCategory::gradient;
      return loops_[buffer] > 1 ? MemoryCategory::activation : MemoryCategory::loop_carry;
    }
    if (like_weight) return MemoryCategory::gradient;
    constexpr size_t kLong = 16;  // steps, and as a part of the program
    const size_t held = in_.buffers.range(values.back()).end - in_.buffers.range(values.front()).begin;
    return held >= kLong && held * kLong >= in_.sequence.ops.size() ? MemoryCategory::activation
                                                                    : MemoryCategory::scratch;
  }

 private:
  Type type(PlaceId value) const { return in_.program.types.get(in_.flow.type_of(value)); }

  void note(MachineOpId id) {
    const MachineOp& op = in_.program.op(id);
    if (op.kind == OpKind::while_) {
      std::set<uint32_t> state;
      for (size_t i = 0; i < in_.trees.of(op.type).places(); ++i)
        for (const PlaceId value : in_.flow.at(op.operands[0], i)) state.insert(in_.buffers.buffer_of(value));
      for (const uint32_t buffer : state) ++loops_[buffer];
    }
    for (const OperandToResult& pair : in_place_pairs(in_.program, in_.trees, id))
      for (const PlaceId value : in_.flow.at(id, pair.place)) updated_[in_.buffers.buffer_of(value)] = true;
  }

  const AssignmentInput& in_;
  const std::vector<std::vector<MachineOpId>> readers_;  // by PlaceId of a value
  std::vector<uint32_t> loops_;                          // by buffer: loops whose state it is in
  std::vector<bool> updated_;                            // by buffer: in place
  std::set<Shape> weights_;
};

}  // namespace

ArgumentCategories categorize_arguments(const MachineProgram& ops) { return Arguments(ops).run(); }

std::vector<MemoryCategory> categorize_buffers(const AssignmentInput& input, const Assignment& assignment,
                                               const ArgumentCategories& arguments) {
  std::vector<MemoryCategory> categories(input.buffers.all().size(), MemoryCategory::scratch);
  const Temporaries temporaries(input, arguments);
  for (const AssignedBuffer& buffer : assignment.buffers) {
    MemoryCategory& category = categories[buffer.buffer];
    if (buffer.place == BufferPlace::result) category = MemoryCategory::output;
    if (buffer.place == BufferPlace::heap) category = temporaries.of(buffer.buffer);
    if (buffer.place != BufferPlace::parameter) continue;
    for (const PlaceId value : input.buffers.all()[buffer.buffer]) {
      const MachineOp& op = input.program.op(input.flow.op_of(value));
      if (op.kind != OpKind::parameter || op.computation != input.program.entry) continue;
      const auto known = arguments.find({op.index, input.flow.place_in_op(value)});
      if (known != arguments.end()) category = known->second;
    }
  }
  return categories;
}

std::string_view category_name(MemoryCategory category) {
  switch (category) {
    case MemoryCategory::parameter: return "parameters";
    case MemoryCategory::optimizer_state: return "optimizer-state";
    case MemoryCategory::batch: return "batch";
    case MemoryCategory::output: return "outputs";
    case MemoryCategory::activation: return "activations";
    case MemoryCategory::gradient: return "gradients";
    case MemoryCategory::collective: return "collective-buffers";
    case MemoryCategory::loop_carry: return "loop-carries";
    case MemoryCategory::scratch: break;
  }
  return "scratch";
}

}  // namespace sw
