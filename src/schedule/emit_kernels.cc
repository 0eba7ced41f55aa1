// Writes the kernels that fusion has decided on: the third form of the machine program, after which ops are gone.
#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "base/check.h"
#include "schedule/fusion.h"
#include "schedule/kernel_facts.h"
#include "schedule/narrow_tpu.h"

namespace sw {

namespace {

// One computation of the fused program.
class Emitting {
 public:
  Emitting(FusionGraph& graph, std::vector<uint32_t> leaders, MachineProgram& out, ComputationId computation)
      : graph_(graph),
        leaders_(std::move(leaders)),
        out_(out),
        computation_(computation),
        made_(graph.size()),
        state_(graph.size(), State::waiting),
        writers_(graph.size(), 0),
        handed_out_(graph.size(), 0),
        members_(graph.size()) {
    for (uint32_t unit = 0; unit < graph.size(); ++unit) {
      if (graph.has_group(unit)) members_[leaders_[unit]].push_back(unit);
      for (const std::vector<Leaf>& operand : graph.control_leaves(unit))
        for (const Leaf leaf : operand) ++writers_[leaf.unit];
      if (graph.has_group(unit) && updates_in_place(unit)) ++writers_[graph.operands(unit)[0].unit];
    }
  }

  void run(TypeId root_type) {
    for (const Leaf leaf : graph_.root_leaves()) emit_with_inputs(leaf.unit);
    for (uint32_t unit = 0; unit < graph_.size(); ++unit)
      if (graph_.op(unit).kind == OpKind::parameter) emit_with_inputs(unit);
    std::vector<MachineOpId> parts;
    for (const Leaf leaf : graph_.root_leaves()) parts.push_back(get(leaf));
    size_t next = 0;
    Computation& computation = out_.computation(computation_);
    computation.root = build(root_type, parts, next);
    // Parameters come first and by number, as everywhere.
    std::vector<MachineOpId>& ops = out_.computation(computation_).ops;
    std::stable_sort(ops.begin(), ops.end(), [&](MachineOpId a, MachineOpId b) {
      const MachineOp &x = out_.op(a), &y = out_.op(b);
      const bool is_a = x.kind == OpKind::parameter, is_b = y.kind == OpKind::parameter;
      return is_a && (!is_b || x.index < y.index);
    });
  }

 private:
  enum class State : uint8_t { waiting, open, made };

  // The units that the kernel, loop or tuple of this unit reads.
  std::vector<uint32_t> inputs_of(uint32_t unit) const {
    std::vector<uint32_t> inputs;
    const MachineOp& op = graph_.op(unit);
    for (const std::vector<Leaf>& operand : graph_.control_leaves(unit))
      for (const Leaf leaf : operand) inputs.push_back(leaf.unit);
    if (op.kind == OpKind::tuple)
      for (const MachineOpId operand : op.operands) inputs.push_back(graph_.resolve(operand).unit);
    if (graph_.has_group(unit))
      for (const Leaf leaf : kernel_inputs(unit)) inputs.push_back(leaf.unit);
    return inputs;
  }

  // What the kernel that `unit` is in reads, once each.
  std::vector<Leaf> kernel_inputs(uint32_t unit) const {
    const std::vector<uint32_t>& members = members_[leaders_[unit]];
    std::vector<Leaf> inputs;
    std::set<Leaf> seen;
    for (const uint32_t member : members)
      for (const FusionInput& input : graph_.group(member).inputs)
        if (std::find(members.begin(), members.end(), input.leaf.unit) == members.end() &&
            seen.insert(input.leaf).second)
          inputs.push_back(input.leaf);
    return inputs;
  }

  void emit_with_inputs(uint32_t unit) {
    struct Frame {
      uint32_t unit;
      std::vector<uint32_t> inputs;
      size_t next = 0;
    };
    std::vector<Frame> stack;
    const auto open = [&](uint32_t u) {
      const uint32_t head = graph_.has_group(u) ? leaders_[u] : u;
      if (state_[head] == State::made) return;
      SW_CHECK(state_[head] == State::waiting, "kernels read one another in a circle");
      state_[head] = State::open;
      stack.push_back({u, inputs_of(u)});
    };
    open(unit);
    while (!stack.empty()) {
      Frame& frame = stack.back();
      if (frame.next < frame.inputs.size()) {
        open(frame.inputs[frame.next++]);
        continue;
      }
      const uint32_t done = frame.unit;
      stack.pop_back();
      emit(done);
      state_[graph_.has_group(done) ? leaders_[done] : done] = State::made;
    }
  }

  MachineOp like(uint32_t unit, OpKind kind) const {
    const MachineOp& op = graph_.op(unit);
    MachineOp made;
    made.kind = kind;
    made.does = op.kind;
    made.type = op.type;
    made.computation = computation_;
    made.index = op.index;
    made.place = unit;
    made.dims = op.dims;
    made.source = op.source;
    return made;
  }

  void emit(uint32_t unit) {
    const MachineOp& op = graph_.op(unit);
    if (op.kind == OpKind::tuple) {
      MachineOp made = like(unit, op.kind);
      for (const MachineOpId operand : op.operands) made.operands.push_back(get(graph_.resolve(operand)));
      made_[unit] = out_.append(std::move(made));
    } else if (graph_.is_control(unit)) {
      emit_control(unit);
    } else if (op.kind == OpKind::reshape && graph_.has_group(unit) && graph_.group(unit).units.size() == 1) {
      MachineOp made = like(unit, OpKind::bitcast);
      made.operands = {get(graph_.operands(unit)[0])};
      made_[unit] = out_.append(std::move(made));
    } else if (!graph_.has_group(unit) || (op.kind == OpKind::constant && graph_.group(unit).units.size() == 1)) {
      made_[unit] = out_.append(like(unit, op.kind));
    } else {
      emit_kernel(leaders_[unit]);
    }
  }

  void emit_control(uint32_t unit) {
    const MachineOp& op = graph_.op(unit);
    MachineOp made = like(unit, op.kind);
    made.called = op.called;
    for (size_t i = 0; i < op.operands.size(); ++i) {
      std::vector<MachineOpId> parts;
      for (const Leaf leaf : graph_.control_leaves(unit)[i]) parts.push_back(fresh(leaf));
      size_t next = 0;
      made.operands.push_back(build(graph_.program().op(op.operands[i]).type, parts, next));
    }
    made_[unit] = out_.append(std::move(made));
  }

  void emit_kernel(uint32_t head) {
    const std::vector<uint32_t>& members = members_[head];
    const std::vector<Leaf> inputs = kernel_inputs(head);
    std::vector<MachineOpId> operands;
    for (const Leaf leaf : inputs) operands.push_back(get(leaf));
    for (const uint32_t member : members) {
      if (!updates_in_place(member)) continue;
      const Leaf updated = graph_.operands(member)[0];
      const auto at = std::find(inputs.begin(), inputs.end(), updated);
      if (at != inputs.end()) operands[static_cast<size_t>(at - inputs.begin())] = fresh(updated);
    }
    KernelMembers kernel{members, {}, {}};
    MachineOp made = like(members.front(), OpKind::fusion);
    for (size_t i = 0; i < inputs.size(); ++i) {
      auto known = std::find(made.operands.begin(), made.operands.end(), operands[i]);
      if (known == made.operands.end()) {
        made.operands.push_back(operands[i]);
        known = made.operands.end() - 1;
      }
      kernel.inputs.push_back(inputs[i]);
      kernel.operand_of_input.push_back(static_cast<uint32_t>(known - made.operands.begin()));
    }
    made.role = role_of(kernel);
    made.kernel = out_.add(kernel_facts(graph_, kernel));
    if (members.size() > 1) {
      std::vector<TypeId> types;
      for (const uint32_t member : members) types.push_back(stored_type(member));
      made.type = out_.types.tuple(types);
    } else if (const uint32_t fills = fills_at_once(head); fills > 1) {
      made.type = out_.types.tuple(std::vector<TypeId>(fills, stored_type(members.front())));
    } else {
      made.type = stored_type(members.front());
    }
    const MachineOpId id = out_.append(std::move(made));
    const bool is_tuple = members.size() > 1 || fills_at_once(head) > 1;
    for (uint32_t i = 0; i < members.size(); ++i) made_[members[i]] = is_tuple ? part_of(id, i) : id;
  }

  TypeId stored_type(uint32_t unit) {
    if (graph_.compiler() != Compiler::tpu || !is_narrowed(graph_, unit)) return graph_.op(unit).type;
    return out_.types.tensor(ElementType::bf16, DimList(graph_.type(unit).dims));
  }

  Role role_of(const KernelMembers& kernel) const {
    for (const uint32_t member : kernel.members) {
      if (graph_.op(member).role == Role::collective) return Role::collective;
      for (const uint32_t unit : graph_.group(member).units)
        if (graph_.op(unit).kind == OpKind::dot_general || graph_.op(unit).kind == OpKind::convolution)
          return Role::product;
    }
    return Role::plain;
  }

  MachineOpId part_of(MachineOpId tuple, uint32_t index) {
    const auto [at, is_new] = parts_.emplace(std::pair(tuple, index), MachineOpId{});
    if (is_new) {
      MachineOp part;
      part.kind = part.does = OpKind::get_tuple_element;
      part.type = out_.types.get(out_.op(tuple).type).elements[index];
      part.computation = computation_;
      part.index = index;
      part.operands = {tuple};
      at->second = out_.append(std::move(part));
    }
    return at->second;
  }

  // The op that holds an array; parts of tuples are taken out once.
  MachineOpId get(Leaf leaf) {
    MachineOpId id = made_[leaf.unit];
    uint32_t place = leaf.place;
    while (place > 0) {
      const TypeTree& tree = graph_.trees().of(out_.op(id).type);
      const uint32_t index = tree.element_with(place);
      place -= tree.element[index];
      id = part_of(id, index);
    }
    return id;
  }

  bool updates_in_place(uint32_t unit) const {
    const OpKind kind = graph_.op(unit).kind;
    return kind == OpKind::dynamic_update_slice || kind == OpKind::scatter;
  }

  bool is_fill(uint32_t unit) const {
    return graph_.has_group(unit) && graph_.group(unit).inputs.empty() && members_[leaders_[unit]].size() == 1 &&
           element_count(graph_.type(unit)) > 1;
  }

  // A GPU's kernel that fills storage makes all of it that others will write, so all of it lives from then on.
  uint32_t fills_at_once(uint32_t unit) const {
    const bool at_once = graph_.compiler() == Compiler::gpu && is_fill(unit) && writers_[unit] <= kMostKernelArrays;
    return at_once ? writers_[unit] : 1;
  }

  // The same where the storage will be written: a fill is made for each writer, rather than copied.
  MachineOpId fresh(Leaf leaf) {
    const MachineOpId id = get(leaf);
    if (leaf.place != 0 || !is_fill(leaf.unit)) return id;
    const uint32_t number = handed_out_[leaf.unit]++;
    if (number == 0) return id;
    if (fills_at_once(leaf.unit) > 1) return part_of(out_.op(id).operands[0], number);
    if (out_.op(id).kind != OpKind::fusion) return id;
    MachineOp again = out_.op(id);
    again.does = OpKind::broadcast_in_dim;
    again.kernel = out_.add(Kernel{});
    return out_.append(std::move(again));
  }

  MachineOpId build(TypeId type, std::span<const MachineOpId> parts, size_t& next) {
    if (out_.types.get(type).kind != TypeKind::tuple) return parts[next++];
    MachineOp tuple;
    tuple.kind = tuple.does = OpKind::tuple;
    tuple.computation = computation_;
    std::vector<TypeId> types;
    const std::vector<TypeId> elements(out_.types.get(type).elements.begin(), out_.types.get(type).elements.end());
    for (const TypeId element : elements) {
      tuple.operands.push_back(build(element, parts, next));
      types.push_back(out_.op(tuple.operands.back()).type);
    }
    tuple.type = out_.types.tuple(types);
    return out_.append(std::move(tuple));
  }

  FusionGraph& graph_;
  const std::vector<uint32_t> leaders_;  // by unit
  MachineProgram& out_;
  const ComputationId computation_;
  std::vector<MachineOpId> made_;               // by unit
  std::vector<State> state_;                    // by unit, of kernels at their leader
  std::vector<uint32_t> writers_;               // by unit: loops, branches and updates that write into its storage
  std::vector<uint32_t> handed_out_;            // by unit: to how many of them so far
  std::vector<std::vector<uint32_t>> members_;  // by leader
  std::map<std::pair<MachineOpId, uint32_t>, MachineOpId> parts_;
};

}  // namespace

MachineProgram fuse(const MachineProgram& program, Compiler compiler) {
  MachineProgram out;
  out.types = program.types;
  out.computations.resize(program.computations.size());
  out.entry = program.entry;
  out.reducer_ops = program.reducer_ops;
  TypeTrees trees(out.types);
  for (const ComputationId id : computations_in_use(program)) {
    out.computation(id).is_entry = program.computation(id).is_entry;
    FusionGraph graph(program, trees, id, compiler);
    std::vector<uint32_t> leaders(graph.size());
    std::iota(leaders.begin(), leaders.end(), 0U);
    if (compiler == Compiler::cpu) {
      const std::vector<bool> of_library = fuse_for_library(graph);
      fuse_for_cpu(graph, of_library);
    } else {
      fuse_products(graph);
      if (compiler == Compiler::gpu) fuse_rows(graph);
      fuse_producers(graph);
      leaders = fuse_siblings(graph);
    }
    Emitting(graph, std::move(leaders), out, id).run(program.op(program.computation(id).root).type);
  }
  return out;
}

}  // namespace sw
