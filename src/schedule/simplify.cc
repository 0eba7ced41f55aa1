#include "schedule/simplify.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <unordered_map>

#include "base/hash.h"
#include "ops/literal.h"

namespace sw {

namespace {

class Simplify {
 public:
  Simplify(MachineProgram& program, const Graph& graph)
      : program_(program), graph_(graph), instead_(program.ops.size()), number_(program.ops.size()) {}

  void run() {
    for (const ComputationId id : computations_in_use(program_)) {
      made_.clear();
      Computation& computation = program_.computation(id);
      for (const MachineOpId op : computation.ops) visit(op);
      if (instead_[computation.root.index()].valid()) computation.root = instead_[computation.root.index()];
      drop_unused(computation);
    }
  }

 private:
  void visit(MachineOpId id) {
    MachineOp& op = program_.op(id);
    for (MachineOpId& operand : op.operands)
      if (instead_[operand.index()].valid()) operand = instead_[operand.index()];
    if (const MachineOpId same = given(op); same.valid() && program_.op(same).type == op.type) {
      instead_[id.index()] = same;
    } else if (may_be_shared(op)) {
      std::vector<MachineOpId>& alike = made_[hash_of(op)];
      const auto known =
          std::find_if(alike.begin(), alike.end(), [&](MachineOpId other) { return is_same(program_.op(other), op); });
      if (known != alike.end())
        instead_[id.index()] = *known;
      else
        alike.push_back(id);
    }
  }

  // The one number of a scalar or of the broadcast of one.
  std::optional<double> number_of(MachineOpId id) {
    const MachineOp* op = &program_.op(id);
    while ((op->kind == OpKind::broadcast_in_dim || op->kind == OpKind::reshape) && op->operands.size() == 1) {
      id = op->operands[0];
      op = &program_.op(id);
    }
    if (op->kind != OpKind::constant || !op->source.valid() || element_count(program_.type_of(id)) != 1)
      return std::nullopt;
    std::optional<std::optional<double>>& known = number_[id.index()];
    if (!known.has_value()) known = constant_number(graph_, op->source);
    return *known;
  }

  bool is(MachineOpId id, double number) {
    const std::optional<double> known = number_of(id);
    return known.has_value() && *known == number;
  }

  // The operand that the op gives as it is; invalid when it does something.
  MachineOpId given(const MachineOp& op) {
    const auto either = [&](double neutral) {
      if (is(op.operands[1], neutral)) return op.operands[0];
      return is(op.operands[0], neutral) ? op.operands[1] : MachineOpId{};
    };
    const auto right = [&](double neutral) { return is(op.operands[1], neutral) ? op.operands[0] : MachineOpId{}; };
    switch (op.kind) {
      case OpKind::maximum: return either(-HUGE_VAL);
      case OpKind::minimum: return either(HUGE_VAL);
      case OpKind::add: return either(0);
      case OpKind::multiply: return either(1);
      case OpKind::subtract: return right(0);
      case OpKind::divide: return right(1);
      case OpKind::select:
        if (op.operands[1] == op.operands[2]) return op.operands[1];
        return program_.type_of(op.operands[1]).element == ElementType::pred && is(op.operands[1], 1) &&
                       is(op.operands[2], 0)
                   ? op.operands[0]
                   : MachineOpId{};
      case OpKind::convert: return back_from_wider(op);
      default: return {};
    }
  }

  // What was converted to a wider type of its kind and is converted back.
  MachineOpId back_from_wider(const MachineOp& op) const {
    const MachineOp& before = program_.op(op.operands[0]);
    if (before.kind != OpKind::convert) return {};
    const ElementType wide = program_.types.get(before.type).element;
    const ElementType narrow = program_.type_of(before.operands[0]).element;
    const bool same_kind = (is_floating(wide) && is_floating(narrow)) || (is_integer(wide) && is_integer(narrow));
    const bool same_exponent = narrow != ElementType::f16 || wide != ElementType::bf16;
    return same_kind && same_exponent && bits(wide) > bits(narrow) ? before.operands[0] : MachineOpId{};
  }

  static bool may_be_shared(const MachineOp& op) {
    return op.kind != OpKind::parameter && has_trait(op.kind, kPure) && op.called.empty() && op.role == Role::plain &&
           !runs_computations(op.kind);
  }

  uint64_t hash_of(const MachineOp& op) const {
    uint64_t hash = hash_mix(static_cast<uint64_t>(op.kind), op.type.raw);
    hash = hash_mix(hash, op.index);
    for (const MachineOpId operand : op.operands) hash = hash_mix(hash, operand.raw);
    return hash;
  }

  // Attributes and computations count, where they stand in the text does not.
  bool is_same(const MachineOp& a, const MachineOp& b) const {
    if (a.kind != b.kind || a.type != b.type || a.index != b.index || !(a.operands == b.operands) ||
        !(a.dims == b.dims) || a.source.valid() != b.source.valid())
      return false;
    if (!a.source.valid()) return true;
    const Op &x = graph_.op(a.source), &y = graph_.op(b.source);
    const auto p = graph_.attrs(x), q = graph_.attrs(y);
    const auto r = graph_.regions(x), s = graph_.regions(y);
    return std::ranges::equal(p, q) && std::ranges::equal(r, s);
  }

  void drop_unused(Computation& computation) {
    const std::vector<bool> needed = needed_ops(program_, computation);
    std::erase_if(computation.ops, [&](MachineOpId id) { return !needed[id.index()]; });
  }

  MachineProgram& program_;
  const Graph& graph_;
  std::vector<MachineOpId> instead_;                          // by MachineOpId: the op that takes its place
  std::vector<std::optional<std::optional<double>>> number_;  // by MachineOpId of a constant, once read
  std::unordered_map<uint64_t, std::vector<MachineOpId>> made_;
};

}  // namespace

std::optional<double> constant_number(const Graph& graph, OpId constant) {
  const AttrId value = graph.attr(graph.op(constant), "value");
  if (!value.valid()) return std::nullopt;
  // A fill is read as its one number.
  const std::optional<Literal> literal = read_literal(graph, value, graph.value(graph.result(constant)).type);
  if (!literal.has_value() || is_complex(literal->element)) return std::nullopt;
  if (!literal->splat && literal->element_count() != 1) return std::nullopt;
  if (literal->is_whole())
    return literal->whole.empty() ? std::nullopt : std::optional(static_cast<double>(literal->whole[0]));
  return literal->real.empty() ? std::nullopt : std::optional(literal->real[0]);
}

void simplify(MachineProgram& program, const Graph& graph) { Simplify(program, graph).run(); }

}  // namespace sw
