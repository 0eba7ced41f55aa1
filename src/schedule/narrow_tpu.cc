#include "schedule/narrow_tpu.h"

#include <algorithm>
#include <map>

#include "schedule/insertion.h"

namespace sw {

bool is_narrowed(const FusionGraph& graph, uint32_t unit) {
  const OpKind kind = graph.op(unit).kind;
  const Type type = graph.type(unit);
  const bool kind_fits = is_elementwise(kind) || kind == OpKind::dot_general || kind == OpKind::transpose ||
                         kind == OpKind::concatenate || kind == OpKind::broadcast_in_dim;
  if (!kind_fits || graph.must_exist(unit) || !type.is_array() || type.element != ElementType::f32 ||
      graph.is_scalar(unit) || graph.consumers(unit).empty())
    return false;
  for (const uint32_t consumer : graph.consumers(unit)) {
    bool reads = false;
    for (const uint32_t reader : graph.group(consumer).units) {
      const std::span<const Leaf> operands = graph.operands(reader);
      if (std::find(operands.begin(), operands.end(), Leaf{unit, 0}) == operands.end()) continue;
      reads = true;
      const MachineOp& op = graph.op(reader);
      if ((op.kind != OpKind::dot_general && op.kind != OpKind::convolution) || op.exact) return false;
    }
    if (!reads) return false;
  }
  return true;
}

namespace {

constexpr int kSteps = 3;                        // of moving between the loop's state and a product
constexpr int64_t kSmallest = int64_t{1} << 16;  // elements

class WeightNarrowing {
 public:
  explicit WeightNarrowing(MachineProgram& program) : program_(program), added_(program) {}

  void run(ComputationId id) {
    for (const MachineOpId loop : program_.computation(id).ops) {
      if (program_.op(loop).kind != OpKind::while_) continue;
      const MachineOpId state = program_.op(loop).operands[0];
      const Computation& body = program_.computation(program_.op(loop).called.back());
      if (program_.op(state).kind != OpKind::tuple || program_.op(body.root).kind != OpKind::tuple) continue;
      const Users users = users_of(program_, body);
      for (uint32_t i = 0; i < program_.op(state).operands.size(); ++i)
        if (may_narrow(body, users, state, i)) narrow(state, i);
    }
    added_.apply(id);
  }

 private:
  // A stack of f32 weights that the body passes through and hands to products alone.
  bool may_narrow(const Computation& body, const Users& users, MachineOpId state, uint32_t i) const {
    const MachineOpId given = program_.op(state).operands[i];
    const Type type = program_.type_of(given);
    if (!type.is_array() || type.element != ElementType::f32 || type.rank() < 3 || type.element_count() < kSmallest ||
        program_.op(given).kind == OpKind::get_tuple_element)
      return false;
    const MachineOpId passed = passed_through(program_, body, i);
    if (!passed.valid()) return false;
    bool any = false;
    for (const MachineOpId user : users[passed.index()]) {
      if (user == body.root) continue;
      if (!only_feeds_products(users, user, 0)) return false;
      any = true;
    }
    return any;
  }

  bool only_feeds_products(const Users& users, MachineOpId id, int step) const {
    const MachineOp& op = program_.op(id);
    if (op.kind != OpKind::fusion) return false;
    if (op.role == Role::product) return true;
    const bool moves = op.does == OpKind::dynamic_slice || op.does == OpKind::all_gather ||
                       op.does == OpKind::transpose || op.does == OpKind::convert;
    const SmallVector<MachineOpId, 4>& readers = users[id.index()];
    return moves && step < kSteps && !readers.empty() &&
           std::all_of(readers.begin(), readers.end(),
                       [&](MachineOpId reader) { return only_feeds_products(users, reader, step + 1); });
  }

  void narrow(MachineOpId state, uint32_t i) {
    const MachineOpId wide = program_.op(state).operands[i];
    const auto [known, is_new] = narrowed_.emplace(wide, MachineOpId{});
    if (is_new) {
      known->second = added_.copy_operand(state, i, OpKind::convert);
      const DimList dims(program_.type_of(wide).dims);
      program_.op(known->second).type = program_.types.tensor(ElementType::bf16, dims);
    }
    program_.op(state).operands[i] = known->second;
  }

  MachineProgram& program_;
  Insertions added_;
  std::map<MachineOpId, MachineOpId> narrowed_;
};

}  // namespace

void narrow_weights_before_loops(MachineProgram& program) {
  for (const ComputationId id : computations_in_use(program)) WeightNarrowing(program).run(id);
}

}  // namespace sw
