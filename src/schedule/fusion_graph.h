// One computation while its ops are gathered into kernels.
//
// Ops that only rename (parts of tuples, reshapes, copies, transpositions that a product reads as well the other way
// round; on a CPU not reshapes, since a kernel's result has one shape) are looked through; what is left are *units*, in
// the order of the text. Every unit that computes begins as a group of its own; fusion moves units into the groups of
// those that use them, and a group that is left is a kernel whose result is its last unit's.
//
//   a = exp(p); b = reshape(a); c = add(b, b); d = dot(c, q)
//     units p, q, a, c, d;  a into c: groups {a, c} and {d}
//
// Invariant: consumers(u) are the groups with a leaf of u among their inputs, ascending, and nothing else.
#pragma once

#include <vector>

#include "schedule/machine.h"

namespace sw {

enum class Compiler : uint8_t { gpu, tpu, cpu };

// An array that a unit makes: the unit, and the place in its type.
struct Leaf {
  uint32_t unit = 0;
  uint32_t place = 0;
  friend auto operator<=>(const Leaf&, const Leaf&) = default;
};

struct FusionInput {
  Leaf leaf;
  int64_t bytes = 0;  // as much of it as is read
};

struct FusionGroup {
  std::vector<uint32_t> units;  // those fused in first, the one with the result last
  std::vector<FusionInput> inputs;
  int64_t bytes = 0;  // of the result
  double work = 0;    // operations
  bool reduces = false, product = false, alive = false;
  bool rows = false;  // a block of threads holds whole rows

  FusionInput* find(Leaf leaf);
  void add_input(Leaf leaf, int64_t bytes);   // the larger, if it is there
  void take_units(const FusionGroup& other);  // in front, those that are not here yet
};

class FusionGraph {
 public:
  FusionGraph(const MachineProgram& program, TypeTrees& trees, ComputationId computation, Compiler compiler);

  const MachineProgram& program() const { return program_; }
  TypeTrees& trees() { return trees_; }
  Compiler compiler() const { return compiler_; }
  size_t size() const { return units_.size(); }
  MachineOpId op_id(uint32_t unit) const { return units_[unit]; }
  const MachineOp& op(uint32_t unit) const { return program_.op(units_[unit]); }
  Type type(uint32_t unit) const { return program_.types.get(op(unit).type); }
  TypeId type_id(Leaf leaf) const;
  Type type(Leaf leaf) const { return program_.types.get(type_id(leaf)); }
  int64_t bytes(Leaf leaf) const;  // 0 for tuples

  // What the operands of a computing unit stand for, in their order.
  std::span<const Leaf> operands(uint32_t unit) const { return operands_[unit]; }
  // Whether the operand is another view of what it stands for, with other dimensions: such a view can stay outside of
  // the kernel that reads it.
  bool read_through_bitcast(uint32_t unit, size_t operand) const { return bitcast_[unit][operand]; }
  // Whether every operand of the unit's group that is the result of `of` is such a view.
  bool reads_views_only(uint32_t unit, uint32_t of) const;
  // What an op stands for; a tuple stands for itself.
  Leaf resolve(MachineOpId op) const { return resolved_[op.index()]; }
  // The arrays in a value, in order.
  void leaves(MachineOpId op, std::vector<Leaf>& out) const;
  // Loops and conditionals, and barriers that are not looked through.
  bool is_control(uint32_t unit) const;
  // Of those: of each operand.
  const std::vector<std::vector<Leaf>>& control_leaves(uint32_t unit) const { return control_[unit]; }
  const std::vector<Leaf>& root_leaves() const { return root_; }

  FusionGroup& group(uint32_t unit) { return groups_[unit]; }
  const FusionGroup& group(uint32_t unit) const { return groups_[unit]; }
  // Of the unit alone.
  const std::vector<FusionInput>& own_inputs(uint32_t unit) const { return own_inputs_[unit]; }
  bool has_group(uint32_t unit) const { return groups_[unit].alive; }
  const std::vector<uint32_t>& consumers(uint32_t unit) const { return consumers_[unit]; }
  // The group of `unit` reads this too, from a unit that gets a consumer.
  void add_input(uint32_t unit, const FusionInput& input);
  void add_consumer(uint32_t unit, uint32_t consumer);
  void drop_consumer(uint32_t unit, uint32_t consumer);
  // The group of `unit` is gone; its inputs lose a consumer.
  void remove_group(uint32_t unit);

  // What the window of a reduce_window holds.
  double window_elements(uint32_t unit) const;
  const TypeTree& tree(uint32_t unit) const { return trees_.of(op(unit).type); }

  // Its result must be in memory: loops, branches or the caller read it.
  bool must_exist(uint32_t unit) const { return must_[unit]; }
  // The same, but all of these read a view with other dimensions.
  bool must_exist_as_view(uint32_t unit) const { return must_[unit] && !must_itself_[unit]; }
  bool is_scalar(uint32_t unit) const { return is_one_element(type(unit)); }
  // Fills and counters, which cost nothing wherever they are made again.
  bool is_free(uint32_t unit) const;
  // May be part of a kernel with others.
  bool is_light(uint32_t unit) const;
  // A matrix product, or what the compiler runs like one.
  bool is_product(uint32_t unit) const;
  // A reduction along the last dimension, of rows that a block of threads can hold.
  bool reduces_rows(uint32_t unit) const;
  // The number of elements it iterates over: of a reduction those read.
  int64_t iterations(uint32_t unit) const;

 private:
  static bool is_one_element(const Type& type) { return type.is_array() && type.element_count() == 1; }
  void resolve_all(const Computation& computation, const Users& users);
  Leaf resolve_one(MachineOpId id, const Users& users) const;
  bool changes_dims(MachineOpId id) const;
  void keep(MachineOpId value);
  bool only_renames(const MachineOp& op, MachineOpId id, const Users& users) const;
  void find_control();
  void make_groups();

  const MachineProgram& program_;
  TypeTrees& trees_;
  const Compiler compiler_;
  std::vector<MachineOpId> units_;
  std::vector<uint32_t> unit_of_;  // by MachineOpId
  std::vector<Leaf> resolved_;     // by MachineOpId; units by number
  std::vector<std::vector<Leaf>> operands_;
  std::vector<std::vector<std::vector<Leaf>>> control_;
  std::vector<SmallVector<bool, 4>> bitcast_;  // by unit and operand
  std::vector<bool> is_view_;                  // by MachineOpId
  std::vector<Leaf> root_;
  std::vector<bool> must_, must_itself_;
  std::vector<FusionGroup> groups_;
  std::vector<std::vector<FusionInput>> own_inputs_;
  std::vector<std::vector<uint32_t>> consumers_;
};

}  // namespace sw
