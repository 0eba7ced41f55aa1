#include "schedule/rewrite_gpu.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "ops/dims_dot.h"
#include "ops/dims_listed.h"
#include "schedule/ancestors.h"
#include "schedule/insertion.h"
#include "schedule/rewrite_conv.h"

namespace sw {

namespace {

constexpr int64_t kMostMergedProduct = int64_t{32} << 20;  // bytes of operands and result
constexpr int64_t kMostCombined = int64_t{30} << 20;
constexpr int kStepsToStack = 12;

class GpuRewrite {
 public:
  GpuRewrite(MachineProgram& program, const Graph& graph) : program_(program), graph_(graph) {
    replica_groups_ = graph.strings.find("replica_groups");
  }

  RelaidStacks run() {
    for (const ComputationId id : computations_in_use(program_)) {
      computation_ = id;
      for_each_op(&GpuRewrite::put_batch_first);
      for_each_op(&GpuRewrite::gather_outermost);
      rewrite_convolutions(program_, graph_, id);
      sort_topologically(program_, id);
      merge_products();
      sort_topologically(program_, id);
      combine_reductions();
      sort_topologically(program_, id);
    }
    return std::move(stacks_);
  }

 private:
  void for_each_op(void (GpuRewrite::*visit)(MachineOpId)) {
    const std::vector<MachineOpId> ops = program_.computation(computation_).ops;
    for (const MachineOpId id : ops) (this->*visit)(id);
  }

  Type type(MachineOpId id) const { return program_.type_of(id); }
  MachineOpId operand(MachineOpId id, size_t i) const { return program_.op(id).operands[i]; }

  MachineOpId add(OpKind kind, Role role, ElementType element, const DimList& dims,
                  SmallVector<MachineOpId, 4> operands, OpId source) {
    MachineOp op;
    op.kind = op.does = kind;
    op.role = role;
    op.type = program_.types.tensor(element, dims);
    op.computation = computation_;
    op.operands = std::move(operands);
    op.source = source;
    return program_.append(std::move(op));
  }

  MachineOpId transpose(MachineOpId of, const DimList& permutation, Role role, OpId source) {
    DimList dims;
    for (const int64_t d : permutation) dims.push_back(type(of).dims[static_cast<size_t>(d)]);
    const MachineOpId id = add(OpKind::transpose, role, type(of).element, dims, {of}, source);
    program_.op(id).dims = permutation;
    return id;
  }

  // The op becomes another one, over one operand.
  void become(MachineOpId id, OpKind kind, Role role, MachineOpId of) {
    MachineOp& op = program_.op(id);
    op.kind = op.does = kind;
    op.role = role;
    op.operands = {of};
    op.dims.clear();
    op.called.clear();
  }

  void put_batch_first(MachineOpId id) {
    DotDims dot;
    if (program_.op(id).kind != OpKind::dot_general || program_.op(id).operands.size() != 2 ||
        !read_dot_dims(graph_, program_.op(id).source, dot))
      return;
    for (size_t side = 0; side < 2; ++side) {
      const DimList& batch = side == 0 ? dot.lhs_batch : dot.rhs_batch;
      if (counts_up(batch)) continue;
      const DimList& contract = side == 0 ? dot.lhs_contract : dot.rhs_contract;
      const DimList& free = side == 0 ? dot.lhs_free : dot.rhs_free;
      DimList wanted = batch;
      wanted.append((side == 0 ? free : contract).begin(), (side == 0 ? free : contract).end());
      wanted.append((side == 0 ? contract : free).begin(), (side == 0 ? contract : free).end());
      const MachineOpId from = operand(id, side);
      const MachineOpId updated = update_in_order(from, wanted);
      const MachineOpId turned =
          updated.valid() ? updated : transpose(from, wanted, Role::relayout, program_.op(id).source);
      program_.op(id).operands[side] = turned;
      if (!moves_ones_only(wanted, type(from).dims)) note_stack(from);
    }
  }

  // An update of an argument of the program, which a product wants in another order, is made in that order: the
  // argument is laid out anew, and everybody else reads what is turned back. Nothing when it is no such update.
  MachineOpId update_in_order(MachineOpId id, const DimList& wanted) {
    if (program_.op(id).kind != OpKind::dynamic_update_slice || !program_.computation(computation_).is_entry ||
        program_.op(operand(id, 0)).kind != OpKind::parameter || moves_ones_only(wanted, type(id).dims))
      return {};
    const OpId source = program_.op(id).source;
    const MachineOpId base = transpose(operand(id, 0), wanted, Role::relayout, source);
    const MachineOpId update = transpose(operand(id, 1), wanted, Role::plain, source);
    SmallVector<MachineOpId, 4> operands = program_.op(id).operands;
    operands[0] = base;
    operands[1] = update;
    const ElementType element = type(base).element;
    const DimList dims(type(base).dims);
    const MachineOpId made = add(OpKind::dynamic_update_slice, Role::plain, element, dims, std::move(operands), source);
    DimList back;
    for (size_t d = 0; d < wanted.size(); ++d)
      back.push_back(std::find(wanted.begin(), wanted.end(), static_cast<int64_t>(d)) - wanted.begin());
    become(id, OpKind::transpose, Role::plain, made);
    program_.op(id).dims = back;
    return made;
  }

  // Whether the value is a slice of a loop's state, perhaps updated in place.
  void note_stack(MachineOpId id) {
    bool sliced = false;
    for (int step = 0; step < kStepsToStack; ++step) {
      const MachineOp& op = program_.op(id);
      switch (op.kind) {
        case OpKind::dynamic_slice: sliced = true; break;
        case OpKind::reshape:
        case OpKind::bitcast:
        case OpKind::copy:
        case OpKind::convert:
        case OpKind::dynamic_update_slice: break;
        case OpKind::get_tuple_element:
          if (sliced && program_.op(op.operands[0]).kind == OpKind::parameter) stacks_.emplace(computation_, op.index);
          return;
        default: return;
      }
      id = op.operands[0];
    }
  }

  void gather_outermost(MachineOpId id) {
    const MachineOp& op = program_.op(id);
    if (op.kind != OpKind::all_gather || program_.is_tuple(id) || op.dims.empty()) return;
    const int64_t dim = op.dims[0];
    const Type result = type(id);
    const auto rank = static_cast<int64_t>(result.rank());
    if (dim >= rank || std::all_of(result.dims.begin(), result.dims.begin() + dim, [](int64_t d) { return d == 1; }))
      return;
    DimList outermost{dim}, back;
    for (int64_t d = 0; d < rank; ++d)
      if (d != dim) outermost.push_back(d);
    for (int64_t d = 0; d < rank; ++d)
      back.push_back(std::find(outermost.begin(), outermost.end(), d) - outermost.begin());
    DimList gathered;
    for (const int64_t d : outermost) gathered.push_back(result.dims[static_cast<size_t>(d)]);
    const ElementType element = result.element;
    const OpId source = op.source;
    const MachineOpId turned = transpose(operand(id, 0), outermost, Role::plain, source);
    const MachineOpId gather = add(OpKind::all_gather, Role::collective, element, gathered, {turned}, source);
    program_.op(gather).dims = {0};
    become(id, OpKind::transpose, Role::plain, gather);
    program_.op(id).dims = back;
  }

  MachineOpId behind_renames(MachineOpId id) const {
    for (;;) {
      const MachineOp& op = program_.op(id);
      if (op.kind != OpKind::reshape && op.kind != OpKind::bitcast && op.kind != OpKind::copy) return id;
      id = op.operands[0];
    }
  }

  // A small product with weights as its right operand, or nothing.
  bool may_merge(MachineOpId id, DotDims& dims) const {
    const MachineOp& op = program_.op(id);
    if (op.kind != OpKind::dot_general || op.operands.size() != 2 || !read_dot_dims(graph_, op.source, dims))
      return false;
    if (!dims.lhs_batch.empty() || type(op.operands[1]).rank() != 2 || dims.rhs_contract.size() != 1) return false;
    int64_t bytes = packed_bytes(type(id));
    for (const MachineOpId o : op.operands) bytes += packed_bytes(type(o));
    const OpKind weights = program_.op(behind_renames(op.operands[1])).kind;
    return bytes <= kMostMergedProduct &&
           (weights == OpKind::parameter || weights == OpKind::get_tuple_element || weights == OpKind::dynamic_slice);
  }

  // The members that do not depend on one another, each against those taken before.
  static std::vector<MachineOpId> independent(const std::vector<MachineOpId>& ops, const Ancestors& ancestors) {
    std::vector<MachineOpId> taken;
    for (const MachineOpId op : ops)
      if (std::none_of(taken.begin(), taken.end(), [&](MachineOpId other) { return ancestors.related(op, other); }))
        taken.push_back(op);
    return taken;
  }

  void merge_products() {
    using Key = std::tuple<MachineOpId, std::vector<int64_t>, std::vector<int64_t>, int64_t, ElementType>;
    std::map<Key, std::vector<MachineOpId>> groups;
    std::vector<Key> order;
    std::vector<MachineOpId> all;
    for (const MachineOpId id : program_.computation(computation_).ops) {
      DotDims dims;
      if (!may_merge(id, dims)) continue;
      const MachineOpId left = operand(id, 0);
      const Type shape = type(left);
      Key key{behind_renames(left), std::vector<int64_t>(shape.dims.begin(), shape.dims.end()),
              std::vector<int64_t>(dims.lhs_contract.begin(), dims.lhs_contract.end()), dims.rhs_contract[0],
              type(id).element};
      std::vector<MachineOpId>& group = groups[key];
      if (group.empty()) order.push_back(key);
      group.push_back(id);
      all.push_back(id);
    }
    Ancestors ancestors(program_, computation_, all);
    for (const Key& key : order) {
      const std::vector<MachineOpId> members = independent(groups[key], ancestors);
      if (members.size() < 2) continue;
      ancestors.unite(members);
      merge(members, std::get<3>(key));
    }
  }

  void merge(const std::vector<MachineOpId>& members, int64_t contract) {
    const MachineOpId first = members[0];
    const auto side = static_cast<size_t>(1 - contract);
    int64_t columns = 0;
    SmallVector<MachineOpId, 4> weights;
    for (const MachineOpId id : members) {
      weights.push_back(operand(id, 1));
      columns += type(operand(id, 1)).dims[side];
    }
    const Type weight = type(operand(first, 1)), result = type(first);
    DimList together{weight.dims[0], weight.dims[1]}, out;
    together[side] = columns;
    out.append(result.dims.begin(), result.dims.end());
    out.back() = columns;
    const ElementType weight_element = weight.element, element = result.element;
    const OpId source = program_.op(first).source;
    const MachineOpId left = operand(first, 0);
    const MachineOpId side_by_side =
        add(OpKind::concatenate, Role::standalone, weight_element, together, std::move(weights), source);
    const MachineOpId product = add(OpKind::dot_general, Role::plain, element, out, {left, side_by_side}, source);
    for (const MachineOpId id : members) become(id, OpKind::slice, Role::plain, product);
  }

  void combine_reductions() {
    std::map<std::pair<AttrId, ElementType>, std::vector<MachineOpId>> groups;
    std::vector<MachineOpId> all;
    for (const MachineOpId id : program_.computation(computation_).ops) {
      const MachineOp& op = program_.op(id);
      if (op.kind != OpKind::all_reduce || program_.is_tuple(id)) continue;
      const AttrId devices = op.source.valid() ? graph_.attr(graph_.op(op.source), replica_groups_) : AttrId{};
      groups[{devices, type(id).element}].push_back(id);
      all.push_back(id);
    }
    Ancestors ancestors(program_, computation_, all);
    for (auto& [key, rest] : groups) {
      while (!rest.empty()) {
        std::vector<MachineOpId> together, later;
        int64_t bytes = 0;
        for (const MachineOpId id : rest) {
          const bool fits = bytes + packed_bytes(type(id)) <= kMostCombined;
          const bool free = fits && std::none_of(together.begin(), together.end(),
                                                 [&](MachineOpId other) { return ancestors.related(id, other); });
          if (free) bytes += packed_bytes(type(id));
          (free ? together : later).push_back(id);
        }
        if (together.empty()) later.erase(later.begin());  // larger than that alone
        rest = std::move(later);
        if (together.size() < 2) continue;
        ancestors.unite(together);
        combine(together, key.second);
      }
    }
  }

  void combine(const std::vector<MachineOpId>& members, ElementType element) {
    int64_t count = 0;
    SmallVector<MachineOpId, 4> reduced;
    for (const MachineOpId id : members) {
      count += element_count(type(id));
      reduced.push_back(operand(id, 0));
    }
    const OpId source = program_.op(members[0]).source;
    const MachineOpId all = add(OpKind::concatenate, Role::standalone, element, {count}, std::move(reduced), source);
    const MachineOpId sum = add(OpKind::all_reduce, Role::collective, element, {count}, {all}, source);
    for (const MachineOpId id : members) become(id, OpKind::slice, Role::standalone, sum);
  }

  MachineProgram& program_;
  const Graph& graph_;
  StringId replica_groups_;
  ComputationId computation_;
  RelaidStacks stacks_;
};

}  // namespace

RelaidStacks rewrite_for_gpu(MachineProgram& program, const Graph& graph) { return GpuRewrite(program, graph).run(); }

void copy_stacks_before_loops(MachineProgram& program, const RelaidStacks& stacks) {
  if (stacks.empty()) return;
  Insertions added(program);
  for (const ComputationId id : computations_in_use(program)) {
    for (const MachineOpId loop : program.computation(id).ops) {
      if (program.op(loop).kind != OpKind::while_) continue;
      const MachineOpId state = program.op(loop).operands[0];
      const ComputationId body = program.op(loop).called.back();
      const Computation& inside = program.computation(body);
      if (program.op(state).kind != OpKind::tuple || program.op(inside.root).kind != OpKind::tuple) continue;
      for (uint32_t i = 0; i < program.op(state).operands.size(); ++i) {
        if (!stacks.contains({body, i}) || !passed_through(program, inside, i).valid() ||
            program.is_tuple(program.op(state).operands[i]))
          continue;
        const MachineOpId made = added.copy_operand(state, i, OpKind::transpose);
        program.op(made).source = program.op(loop).source;
      }
    }
    added.apply(id);
  }
}

}  // namespace sw
