#include "schedule/fusion_graph.h"

#include <algorithm>

#include "ops/dims_listed.h"

namespace sw {

FusionInput* FusionGroup::find(Leaf leaf) {
  for (FusionInput& input : inputs)
    if (input.leaf == leaf) return &input;
  return nullptr;
}

void FusionGroup::add_input(Leaf leaf, int64_t read) {
  FusionInput* known = find(leaf);
  if (known == nullptr)
    inputs.push_back({leaf, read});
  else
    known->bytes = std::max(known->bytes, read);
}

void FusionGroup::take_units(const FusionGroup& other) {
  std::vector<uint32_t> more;
  for (const uint32_t unit : other.units)
    if (std::find(units.begin(), units.end(), unit) == units.end()) more.push_back(unit);
  units.insert(units.begin(), more.begin(), more.end());
}

namespace {

// Per element of the result; whatever is not here is one.
double operations(OpKind kind) {
  switch (kind) {
    case OpKind::rsqrt:
    case OpKind::sqrt: return 3;
    case OpKind::divide: return 4;
    case OpKind::exponential: return 8;
    case OpKind::log:
    case OpKind::logistic:
    case OpKind::exponential_minus_one: return 10;
    case OpKind::tanh:
    case OpKind::sine:
    case OpKind::cosine:
    case OpKind::erf:
    case OpKind::log_plus_one: return 12;
    case OpKind::power: return 20;
    default: return 1;
  }
}

bool is_reduction(OpKind kind) { return kind == OpKind::reduce || kind == OpKind::reduce_window; }

// A GPU's product wants at most one dimension of batch, of rows or columns and of contraction, so several become one.
bool is_flattened(const MachineProgram& program, const MachineOp& op, MachineOpId operand) {
  if (op.kind != OpKind::dot_general) return false;
  const int64_t batch = op.dims.empty() ? 0 : op.dims[0], contract = op.dims.empty() ? 1 : op.dims[1];
  const auto rank = static_cast<int64_t>(program.type_of(operand).rank());
  return batch > 1 || contract > 1 || rank > batch + contract + 1;
}

bool has_no_group(OpKind kind) {
  return kind == OpKind::parameter || kind == OpKind::tuple || kind == OpKind::while_ || kind == OpKind::case_ ||
         kind == OpKind::get_tuple_element || kind == OpKind::optimization_barrier;
}

}  // namespace

FusionGraph::FusionGraph(const MachineProgram& program, TypeTrees& trees, ComputationId id, Compiler compiler)
    : program_(program),
      trees_(trees),
      compiler_(compiler),
      unit_of_(program.ops.size(), 0),
      resolved_(program.ops.size()),
      is_view_(program.ops.size(), false) {
  const Computation& computation = program.computation(id);
  const Users users = users_of(program, computation);
  resolve_all(computation, users);
  operands_.resize(units_.size());
  bitcast_.resize(units_.size());
  for (uint32_t unit = 0; unit < units_.size(); ++unit) {
    if (has_no_group(op(unit).kind)) continue;
    for (const MachineOpId operand : op(unit).operands) {
      operands_[unit].push_back(resolve(operand));
      bitcast_[unit].push_back(is_view_[operand.index()] || is_flattened(program, op(unit), operand));
    }
  }
  leaves(computation.root, root_);
  must_.assign(units_.size(), false);
  must_itself_.assign(units_.size(), false);
  keep(computation.root);
  find_control();
  make_groups();
}

// Whether the op gives its operand another name or form at no cost.
bool FusionGraph::only_renames(const MachineOp& op, MachineOpId id, const Users& users) const {
  switch (op.kind) {
    case OpKind::optimization_barrier: return compiler_ != Compiler::cpu;
    case OpKind::reshape: return compiler_ != Compiler::cpu || is_one_element(program_.type_of(id));
    case OpKind::bitcast:
    case OpKind::copy:
    case OpKind::copy_done: return true;
    case OpKind::convert: return program_.type_of(id).element == program_.type_of(op.operands[0]).element;
    case OpKind::broadcast_in_dim:
      return program_.type_of(id).element_count() == program_.type_of(op.operands[0]).element_count();
    case OpKind::transpose: {
      if (compiler_ == Compiler::tpu || moves_ones_only(op.dims, program_.type_of(op.operands[0]).dims)) return true;
      if (compiler_ == Compiler::cpu) return false;
      const SmallVector<MachineOpId, 4>& readers = users[id.index()];
      return op.role != Role::relayout && !readers.empty() &&
             std::all_of(readers.begin(), readers.end(),
                         [&](MachineOpId user) { return program_.op(user).kind == OpKind::dot_general; });
    }
    default: return false;
  }
}

Leaf FusionGraph::resolve_one(MachineOpId id, const Users& users) const {
  const MachineOp& op = program_.op(id);
  if (op.kind == OpKind::get_tuple_element) {
    const Leaf tuple = resolve(op.operands[0]);
    const MachineOp& maker = this->op(tuple.unit);
    if (maker.kind == OpKind::tuple && op.index < maker.operands.size()) return resolve(maker.operands[op.index]);
    const TypeTree& tree = trees_.of(type_id(tuple));
    return {tuple.unit, tuple.place + (op.index < tree.element.size() ? tree.element[op.index] : 0)};
  }
  if (only_renames(op, id, users)) return resolve(op.operands[0]);
  return {unit_of_[id.index()], 0};
}

// Ops that the root does not need are left out, but for parameters.
void FusionGraph::resolve_all(const Computation& computation, const Users& users) {
  const std::vector<bool> needed = needed_ops(program_, computation);
  for (const MachineOpId id : computation.ops) {
    if (!needed[id.index()]) continue;
    unit_of_[id.index()] = static_cast<uint32_t>(units_.size());
    const Leaf leaf = resolve_one(id, users);
    resolved_[id.index()] = leaf;
    if (leaf.unit == units_.size()) {
      units_.push_back(id);
    } else if (program_.op(id).kind != OpKind::get_tuple_element) {
      const MachineOpId operand = program_.op(id).operands[0];
      is_view_[id.index()] = is_view_[operand.index()] || changes_dims(id);
    }
  }
}

TypeId FusionGraph::type_id(Leaf leaf) const { return trees_.of(op(leaf.unit).type).at[leaf.place]; }

int64_t FusionGraph::bytes(Leaf leaf) const {
  const Type view = type(leaf);
  return view.kind == TypeKind::tuple ? 0 : packed_bytes(view);
}

void FusionGraph::leaves(MachineOpId id, std::vector<Leaf>& out) const {
  const Leaf leaf = resolve(id);
  const MachineOp& maker = op(leaf.unit);
  if (maker.kind == OpKind::tuple) {
    for (const MachineOpId operand : maker.operands) leaves(operand, out);
    return;
  }
  const TypeTree& tree = trees_.of(type_id(leaf));
  for (uint32_t i = 0; i < tree.places(); ++i)
    if (program_.types.get(tree.at[i]).kind != TypeKind::tuple) out.push_back({leaf.unit, leaf.place + i});
}

bool FusionGraph::changes_dims(MachineOpId id) const {
  const Type from = program_.type_of(program_.op(id).operands[0]), to = program_.type_of(id);
  return from.is_array() && to.is_array() && !std::ranges::equal(from.dims, to.dims);
}

// The arrays in a value must be in memory.
void FusionGraph::keep(MachineOpId value) {
  std::vector<MachineOpId> todo{value};
  while (!todo.empty()) {
    const MachineOpId id = todo.back();
    todo.pop_back();
    const Leaf leaf = resolve(id);
    if (op(leaf.unit).kind == OpKind::tuple) {
      const SmallVector<MachineOpId, 4>& parts = op(leaf.unit).operands;
      todo.insert(todo.end(), parts.begin(), parts.end());
      continue;
    }
    must_[leaf.unit] = true;
    if (!is_view_[id.index()]) must_itself_[leaf.unit] = true;
  }
}

bool FusionGraph::reads_views_only(uint32_t unit, uint32_t of) const {
  bool reads = false;
  for (const uint32_t inside : groups_[unit].units) {
    for (size_t i = 0; i < operands_[inside].size(); ++i) {
      if (operands_[inside][i] != Leaf{of, 0}) continue;
      if (!bitcast_[inside][i]) return false;
      reads = true;
    }
  }
  return reads;
}

double FusionGraph::window_elements(uint32_t unit) const {
  double elements = 1;
  for (const int64_t size : op(unit).dims) elements *= static_cast<double>(size);
  return elements;
}

void FusionGraph::find_control() {
  control_.resize(units_.size());
  for (uint32_t unit = 0; unit < units_.size(); ++unit) {
    if (!is_control(unit)) continue;
    for (const MachineOpId operand : op(unit).operands) {
      control_[unit].emplace_back();
      leaves(operand, control_[unit].back());
      keep(operand);
    }
  }
}

bool FusionGraph::reduces_rows(uint32_t unit) const {
  // A row is padded to a power of two and may fill 0.4 of a block's 65,536 registers.
  constexpr int64_t kLongestRow = 16384;
  const MachineOp& it = op(unit);
  if (it.kind != OpKind::reduce || operands_[unit].size() != 2 || it.dims.size() != 1) return false;
  const Type read = type(operands_[unit][0]);
  return read.is_array() && it.dims[0] == static_cast<int64_t>(read.rank()) - 1 && read.dims.back() <= kLongestRow;
}

int64_t FusionGraph::iterations(uint32_t unit) const {
  if (op(unit).kind == OpKind::reduce) {
    const Type read = type(operands_[unit][0]);
    if (read.is_array()) return read.element_count();
  }
  return element_count(type(unit));
}

void FusionGraph::make_groups() {
  groups_.resize(units_.size());
  own_inputs_.resize(units_.size());
  consumers_.resize(units_.size());
  for (uint32_t unit = 0; unit < units_.size(); ++unit) {
    const OpKind kind = op(unit).kind;
    if (has_no_group(kind)) continue;
    FusionGroup& group = groups_[unit];
    group.alive = true;
    group.units.push_back(unit);
    group.reduces = is_reduction(kind);
    const TypeTree& tree = trees_.of(op(unit).type);
    for (const TypeId part : tree.at)
      if (program_.types.get(part).kind != TypeKind::tuple) group.bytes += packed_bytes(program_.types.get(part));
    int64_t elements = 1;
    if (kind == OpKind::reduce)
      elements = std::max<int64_t>(1, element_count(type(operands_[unit][0])));
    else if (!tree.is_tuple)
      elements = std::max<int64_t>(1, element_count(type(unit)));
    else if (tree.places() > 1)
      elements = std::max<int64_t>(1, element_count(program_.types.get(tree.at[1])));
    group.work = operations(kind) * static_cast<double>(elements);
    for (size_t i = 0; i < operands_[unit].size(); ++i) {
      const Leaf leaf = operands_[unit][i];
      int64_t read = bytes(leaf);
      const bool picks = kind == OpKind::slice || kind == OpKind::dynamic_slice || kind == OpKind::gather;
      const bool writes = kind == OpKind::dynamic_update_slice || kind == OpKind::scatter;
      if (i == 0 && picks) read = std::min(read, group.bytes);
      if (i == 0 && writes) read = 0;
      add_input(unit, {leaf, read});
    }
    own_inputs_[unit] = group.inputs;
  }
}

void FusionGraph::add_input(uint32_t unit, const FusionInput& input) {
  groups_[unit].add_input(input.leaf, input.bytes);
  add_consumer(input.leaf.unit, unit);
}

void FusionGraph::add_consumer(uint32_t unit, uint32_t consumer) {
  std::vector<uint32_t>& all = consumers_[unit];
  const auto at = std::lower_bound(all.begin(), all.end(), consumer);
  if (at == all.end() || *at != consumer) all.insert(at, consumer);
}

void FusionGraph::drop_consumer(uint32_t unit, uint32_t consumer) {
  std::vector<uint32_t>& all = consumers_[unit];
  const auto at = std::lower_bound(all.begin(), all.end(), consumer);
  if (at != all.end() && *at == consumer) all.erase(at);
}

void FusionGraph::remove_group(uint32_t unit) {
  for (const FusionInput& input : groups_[unit].inputs) drop_consumer(input.leaf.unit, unit);
  groups_[unit] = {};
}

bool FusionGraph::is_control(uint32_t unit) const {
  const OpKind kind = op(unit).kind;
  return kind == OpKind::while_ || kind == OpKind::case_ || kind == OpKind::optimization_barrier;
}

bool FusionGraph::is_free(uint32_t unit) const {
  switch (op(unit).kind) {
    case OpKind::iota:
    case OpKind::constant:
    case OpKind::partition_id:
    case OpKind::replica_id: return true;
    case OpKind::broadcast_in_dim: return is_one_element(type(operands_[unit][0]));
    default: return is_scalar(unit) && is_elementwise(op(unit).kind);
  }
}

bool FusionGraph::is_light(uint32_t unit) const {
  const MachineOp& it = op(unit);
  if (it.role == Role::standalone) return false;
  switch (it.kind) {
    case OpKind::broadcast_in_dim:
    case OpKind::iota:
    case OpKind::concatenate:
    case OpKind::pad:
    case OpKind::reverse:
    case OpKind::slice:
    case OpKind::dynamic_slice:
    case OpKind::gather:
    case OpKind::transpose:
    case OpKind::dynamic_update_slice:
    case OpKind::reduce:
    case OpKind::reduce_window:
    case OpKind::scatter:
    case OpKind::constant:
    case OpKind::reshape:
    case OpKind::partition_id:
    case OpKind::replica_id: return true;
    default: return is_elementwise(it.kind);
  }
}

bool FusionGraph::is_product(uint32_t unit) const {
  return op(unit).kind == OpKind::dot_general || (compiler_ == Compiler::tpu && op(unit).kind == OpKind::convolution);
}

}  // namespace sw
