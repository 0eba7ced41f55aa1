// What one device runs, as its compiler sees it while it decides which arrays exist: ops in computations, first those
// of the partitioned program, after fusion kernels, at last in the order of the schedule.
//
// Every op may be a tuple of arrays, so a *value* is an op and a place in its type, and places are numbered: the places
// of a type are the nodes of its tree, each before its parts.
//
//   (f32[4], (s32[], f32[8]))    place 0: the whole, 1: f32[4], 2: the inner tuple, 3: s32[], 4: f32[8]
//
// A tuple's own place is its table of pointers.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <string_view>
#include <vector>

#include "base/small_vector.h"
#include "ir/graph.h"
#include "ops/attr_reader.h"

namespace sw {

using MachineOpId = Id<struct MachineOpTag>;
using KernelId = Id<struct KernelTag>;
using ComputationId = Id<struct ComputationTag>;

// The places of one type.
struct TypeTree {
  std::vector<TypeId> at;         // the type at each place
  std::vector<uint32_t> element;  // of a tuple: the place of each element
  bool is_tuple = false;
  size_t places() const { return at.size(); }
  // The element of a tuple in which a place lies that is not the tuple's own.
  uint32_t element_with(uint32_t place) const;
};

class TypeTrees {
 public:
  explicit TypeTrees(const TypeTable& types) : types_(types) {}
  const TypeTree& of(TypeId type);

 private:
  const TypeTable& types_;
  std::vector<uint32_t> slots_;  // by TypeId: 1 + the place in trees_
  std::deque<TypeTree> trees_;
};

// An operand of a kernel and a place of its result.
struct OperandToResult {
  uint32_t operand = 0;
  uint32_t place = 0;
  friend bool operator==(const OperandToResult&, const OperandToResult&) = default;
};

// What assignment must know of a kernel.
struct Kernel {
  std::vector<OperandToResult> may_overwrite;  // reads an element of the operand before it writes that element
  std::vector<OperandToResult> in_place;       // updates the operand, so both are one buffer
};

enum class Role : uint8_t {
  plain,
  copy,        // made because aliasing forces it
  product,     // a kernel with a matrix product or convolution in it
  collective,  // its kind says which
  relayout,    // a transposition that an operand needs; not free, whoever uses it
  standalone,  // is a kernel of its own, whatever is around it
};

struct MachineOp {
  OpKind kind = OpKind::unknown;  // OpKind::fusion is a kernel; its main op is `does`
  OpKind does = OpKind::unknown;
  Role role = Role::plain;
  TypeId type;
  ComputationId computation;
  uint32_t index = 0;       // of a parameter: its number; of get_tuple_element: which
  bool exact = false;       // a product that must not round its operands to bf16
  bool by_library = false;  // on a CPU: the library that runs products runs it, with what is fused to it
  uint32_t place = 0;       // of a kernel: where its last op stands in the text
  KernelId kernel;          // of a fusion
  SmallVector<MachineOpId, 4> operands;
  SmallVector<ComputationId, 2> called;  // while: condition, body; conditional: branches; call; async_start
  DimList dims;  // by kind: a permutation, reduced or gathered dimensions, a window, of a product how many of batch and
                 // contraction
  OpId source;   // of the graph
};

struct Computation {
  std::vector<MachineOpId> ops;  // parameters included; a schedule is this order
  MachineOpId root;
  bool is_entry = false;
};

struct MachineProgram {
  TypeTable types;
  std::vector<MachineOp> ops;
  std::vector<Kernel> kernels;
  std::vector<Computation> computations;
  ComputationId entry;
  size_t reducer_ops = 0;  // in computations that run per element outside of kernels, without their constants

  MachineOp& op(MachineOpId id) { return ops[id.index()]; }
  const MachineOp& op(MachineOpId id) const { return ops[id.index()]; }
  Computation& computation(ComputationId id) { return computations[id.index()]; }
  const Computation& computation(ComputationId id) const { return computations[id.index()]; }
  Type type_of(MachineOpId id) const { return types.get(op(id).type); }
  bool is_tuple(MachineOpId id) const { return type_of(id).kind == TypeKind::tuple; }

  // Appends the op to the store, not to the order of a computation.
  MachineOpId add(MachineOp op) {
    ops.push_back(std::move(op));
    return MachineOpId{ops.size() - 1};
  }
  MachineOpId append(MachineOp op) {
    const ComputationId where = op.computation;
    const MachineOpId id = add(std::move(op));
    computation(where).ops.push_back(id);
    return id;
  }
  KernelId add(Kernel kernel) {
    kernels.push_back(std::move(kernel));
    return KernelId{kernels.size() - 1};
  }
};

// The ops of `computation` that use each op of it, once each, in its order; by MachineOpId.
using Users = std::vector<SmallVector<MachineOpId, 4>>;
Users users_of(const MachineProgram& program, const Computation& computation);
// The same for every computation in use.
Users users_of(const MachineProgram& program);

// By MachineOpId: whether the root needs it, or it is a parameter, for ops in the order of the computation.
std::vector<bool> needed_ops(const MachineProgram& program, const Computation& computation);

// The place that an index into nested tuples leads to; past all places when it leads nowhere.
uint32_t place_of(TypeTrees& trees, const TypeTree& tree, std::span<const int64_t> index);

// Bytes of the elements of an array, packed; of a tuple, of the table of pointers to its parts.
int64_t packed_bytes(const Type& type);
// Elements of an array; 0 for a tuple.
int64_t element_count(const Type& type);
// Arrays of as many elements of the same width: each element of one may lie where one of the other lay.
bool same_storage(const Type& a, const Type& b);

// Works on elements alone, so may overwrite what it reads.
bool is_elementwise(OpKind kind);
bool runs_computations(OpKind kind);  // while, conditional, call: of the schedule, not per element

// The parameters of a computation, by number.
std::vector<MachineOpId> parameters_of(const MachineProgram& program, const Computation& computation);

// Puts operands before their users, otherwise keeps the order; what nobody uses stays.
void sort_topologically(MachineProgram& program, ComputationId computation);

// Computations from `entry` on that loops, branches, calls and asynchronous ops run, the called before the callers.
std::vector<ComputationId> computations_in_use(const MachineProgram& program);

}  // namespace sw
