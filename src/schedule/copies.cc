#include "schedule/copies.h"

#include <algorithm>
#include <map>
#include <set>

#include "schedule/insertion.h"
#include "schedule/local_flow.h"

namespace sw {

namespace {

class Copies {
 public:
  Copies(MachineProgram& program, TypeTrees& trees, std::span<const StorageHandover> handovers, ReadOrder order)
      : program_(program), trees_(trees), handovers_(handovers), order_(order), added_(program) {
    for (const StorageHandover& handover : handovers) handed_over_.insert(handover.parameter);
  }

  void run() {
    const std::vector<ComputationId> used = computations_in_use(program_);
    std::set<ComputationId> bodies;
    for (const ComputationId id : used)
      for (const MachineOpId op : program_.computation(id).ops)
        if (program_.op(op).kind == OpKind::while_) bodies.insert(program_.op(op).called.back());
    for (const ComputationId id : used) {
      step(id, &Copies::before_loops);
      step(id, &Copies::before_updates);
      if (bodies.contains(id)) step(id, &Copies::at_end_of_body);
      if (program_.computation(id).is_entry) step(id, &Copies::at_end_of_program);
    }
  }

 private:
  // What a step looks at: the computation before it.
  struct View {
    ComputationId id;
    LocalFlow flow;
    std::vector<uint32_t> position;                    // by MachineOpId
    std::vector<int64_t> last_read;                    // by LocalValue; -1: never
    std::vector<SmallVector<MachineOpId, 2>> readers;  // by LocalValue, where dependence orders
  };

  View view_of(ComputationId id) const {
    const Computation& computation = program_.computation(id);
    View view{id, LocalFlow(program_, trees_, computation, /*in_place=*/false), {}, {}, {}};
    view.position.assign(program_.ops.size(), 0);
    view.last_read.assign(view.flow.value_count(), -1);
    if (order_ == ReadOrder::dependence) view.readers.resize(view.flow.value_count());
    for (uint32_t i = 0; i < computation.ops.size(); ++i) {
      const MachineOp& op = program_.op(computation.ops[i]);
      view.position[computation.ops[i].index()] = i;
      if (op.kind == OpKind::tuple || op.kind == OpKind::get_tuple_element || op.kind == OpKind::bitcast) continue;
      const bool control = op.kind == OpKind::while_ || op.kind == OpKind::case_;
      for (const MachineOpId operand : op.operands)
        for (size_t place = 0; place < (control ? view.flow.places(operand) : 1); ++place) {
          const LocalValue value = view.flow.at(operand, place);
          view.last_read[value] = i;
          if (!view.readers.empty() &&
              (view.readers[value].empty() || view.readers[value].back() != computation.ops[i]))
            view.readers[value].push_back(computation.ops[i]);
        }
    }
    return view;
  }

  void step(ComputationId id, void (Copies::*look)(const View&)) {
    (this->*look)(view_of(id));
    added_.apply(id);
  }

  void copy_operand(MachineOpId user, size_t i) {
    program_.op(added_.copy_operand(user, i, OpKind::copy)).role = Role::copy;
  }

  // The array at `place` of a tuple, perhaps of tuples, is copied as it is put in. Whatever else makes the tuple, a
  // loop or a branch, has copied it.
  void copy_part(MachineOpId tuple, uint32_t place) {
    while (program_.op(tuple).kind == OpKind::tuple) {
      const TypeTree& tree = trees_.of(program_.op(tuple).type);
      const size_t i = tree.element_with(place);
      place -= tree.element[i];
      if (place == 0) return copy_operand(tuple, i);
      tuple = program_.op(tuple).operands[i];
    }
  }

  // Whether `value`, made by a kernel or loop, may lie where `before` lies.
  bool may_follow(const View& view, LocalValue before, LocalValue value) const {
    const MachineOpId maker = view.flow.op_of(value);
    const MachineOp& op = program_.op(maker);
    const uint32_t place = view.flow.place_of(value);
    if (op.kind == OpKind::while_) return view.flow.at(op.operands[0], place) == before;
    if (!op.kernel.valid()) return op.kind == OpKind::case_;
    const Kernel& kernel = program_.kernels[op.kernel.index()];
    const auto allows = [&](const OperandToResult& pair) {
      return pair.place == place && view.flow.at(op.operands[pair.operand]) == before;
    };
    return std::any_of(kernel.may_overwrite.begin(), kernel.may_overwrite.end(), allows) ||
           std::any_of(kernel.in_place.begin(), kernel.in_place.end(), allows);
  }

  // Whether the old value is read once the new one is there.
  bool read_too_late(const View& view, LocalValue old, LocalValue made) const {
    const MachineOpId maker = view.flow.op_of(made);
    const int64_t at = view.position[maker.index()];
    if (view.last_read[old] > at || (view.last_read[old] == at && !may_follow(view, old, made))) return true;
    return is_read_beside(view, old, maker);
  }

  // Whether something reads the value that `op` does not wait for.
  bool is_read_beside(const View& view, LocalValue value, MachineOpId op) const {
    if (view.readers.empty()) return false;
    SmallVector<MachineOpId, 2> beside;
    for (const MachineOpId reader : view.readers[value])
      if (reader != op) beside.push_back(reader);
    if (beside.empty()) return false;
    std::set<MachineOpId> before{op};
    std::vector<MachineOpId> todo{op};
    const uint32_t first = view.position[std::ranges::min(beside, {}, [&](MachineOpId reader) {
                                           return view.position[reader.index()];
                                         }).index()];
    while (!todo.empty()) {
      const MachineOpId at = todo.back();
      todo.pop_back();
      for (const MachineOpId operand : program_.op(at).operands)
        if (view.position[operand.index()] >= first && before.insert(operand).second) todo.push_back(operand);
    }
    return std::ranges::any_of(beside, [&](MachineOpId reader) { return !before.contains(reader); });
  }

  void before_loops(const View& view) {
    const Computation& computation = program_.computation(view.id);
    const std::vector<MachineOpId> ops = computation.ops;
    for (const MachineOpId loop : ops) {
      const MachineOp& op = program_.op(loop);
      if (op.kind != OpKind::while_) continue;
      const Computation& body = program_.computation(op.called.back());
      const LocalFlow inside(program_, trees_, body, /*in_place=*/false);
      const MachineOpId parameter = parameters_of(program_, body)[0];
      const MachineOpId state = op.operands[0];
      std::set<LocalValue> given;
      for (uint32_t place = 0; place < view.flow.places(loop); ++place) {
        if (program_.types.get(trees_.of(program_.op(loop).type).at[place]).kind == TypeKind::tuple) continue;
        if (inside.at(body.root, place) == inside.named(parameter, place)) continue;
        const LocalValue value = view.flow.at(state, place);
        const MachineOp& maker = program_.op(view.flow.op_of(value));
        const bool read_later =
            view.last_read[value] > view.position[loop.index()] || is_read_beside(view, value, loop);
        bool needed = read_later;
        if (maker.kind == OpKind::parameter)
          needed = read_later || (computation.is_entry && !handed_over_.contains(maker.index));
        else if (maker.kind == OpKind::constant)
          needed = true;
        if (!given.insert(value).second) needed = true;
        if (needed) copy_part(state, place);
      }
    }
  }

  void before_updates(const View& view) {
    const std::vector<MachineOpId> ops = program_.computation(view.id).ops;
    for (const MachineOpId id : ops) {
      if (program_.op(id).kind != OpKind::fusion || !program_.op(id).kernel.valid()) continue;
      const std::vector<OperandToResult> pairs = program_.kernels[program_.op(id).kernel.index()].in_place;
      for (const OperandToResult& pair : pairs) {
        const MachineOpId operand = program_.op(id).operands[pair.operand];
        if (program_.is_tuple(operand) || program_.op(operand).role == Role::copy) continue;
        const LocalValue value = view.flow.at(operand);
        const MachineOp& maker = program_.op(view.flow.op_of(value));
        bool needed = view.last_read[value] > view.position[id.index()] || maker.kind == OpKind::constant ||
                      is_read_beside(view, value, id);
        if (maker.kind == OpKind::parameter && program_.computation(view.id).is_entry)
          needed = needed || !handed_over_.contains(maker.index);
        if (needed) copy_operand(id, pair.operand);
      }
    }
  }

  void at_end_of_body(const View& view) {
    const Computation& body = program_.computation(view.id);
    const MachineOpId root = body.root, parameter = parameters_of(program_, body)[0];
    if (program_.op(root).kind != OpKind::tuple) return;
    std::set<LocalValue> returned;
    for (uint32_t place = 0; place < view.flow.places(root); ++place) {
      if (program_.types.get(trees_.of(program_.op(root).type).at[place]).kind == TypeKind::tuple) continue;
      const LocalValue value = view.flow.at(root, place), old = view.flow.named(parameter, place);
      if (value == old) continue;
      const MachineOpId maker = view.flow.op_of(value);
      const bool again = !returned.insert(value).second;
      if (again || maker == parameter || program_.op(maker).kind == OpKind::constant || read_too_late(view, old, value))
        copy_part(root, place);
    }
  }

  void at_end_of_program(const View& view) {
    const Computation& entry = program_.computation(view.id);
    const MachineOpId root = entry.root;
    if (program_.op(root).kind != OpKind::tuple) return;
    const std::vector<MachineOpId> parameters = parameters_of(program_, entry);
    std::map<uint32_t, LocalValue> taken_over;  // by place of the root
    for (const StorageHandover& handover : handovers_)
      taken_over[handover.place] = view.flow.named(parameters[handover.parameter], handover.parameter_place);
    std::set<LocalValue> returned;
    for (uint32_t place = 0; place < view.flow.places(root); ++place) {
      if (program_.types.get(trees_.of(program_.op(root).type).at[place]).kind == TypeKind::tuple) continue;
      const LocalValue value = view.flow.at(root, place);
      const MachineOp& maker = program_.op(view.flow.op_of(value));
      const auto old = taken_over.find(place);
      bool needed = false;
      if (maker.kind == OpKind::parameter)
        needed = old == taken_over.end() || old->second != value;
      else if (returned.contains(value) || maker.kind == OpKind::constant)
        needed = true;
      else if (old != taken_over.end())
        needed = read_too_late(view, old->second, value) || is_filled_inside(view, value, old->second);
      returned.insert(value);
      if (needed) copy_part(root, place);
    }
  }

  // The result of a loop that begins with a fill does not begin in the parameter that it takes over at the end.
  bool is_filled_inside(const View& view, LocalValue value, LocalValue old) const {
    const MachineOp& maker = program_.op(view.flow.op_of(value));
    if (maker.kind != OpKind::while_ || view.last_read[old] < 0) return false;
    const LocalValue initial = view.flow.at(maker.operands[0], view.flow.place_of(value));
    const MachineOp& fill = program_.op(view.flow.op_of(initial));
    return fill.kind == OpKind::fusion && fill.operands.empty();
  }

  MachineProgram& program_;
  TypeTrees& trees_;
  std::span<const StorageHandover> handovers_;
  const ReadOrder order_;
  std::set<uint32_t> handed_over_;
  Insertions added_;
};

}  // namespace

void insert_copies(MachineProgram& program, TypeTrees& trees, std::span<const StorageHandover> handovers,
                   ReadOrder order) {
  Copies(program, trees, handovers, order).run();
}

}  // namespace sw
