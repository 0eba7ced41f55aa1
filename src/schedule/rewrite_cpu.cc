// Follows, in this order, AlgebraicSimplifier for divisions, DotDecomposer, FloatNormalization with CpuFloatSupport,
// AllToAllDecomposer, TransposeFolding, ConvCanonicalization, CpuLayoutAssignment (which makes everything row-major but
// for the gathered or scattered dimension of a collective; here that is a transposition on either side) and
// CpuAllReduceCombiner. What the library (YNNPACK) runs is marked as IsDotSupportedByYnn and its like decide.
#include "schedule/rewrite_cpu.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "ops/dims_collective.h"
#include "ops/dims_conv.h"
#include "ops/dims_dot.h"
#include "ops/dims_listed.h"
#include "ops/dims_reduce.h"
#include "schedule/ancestors.h"

namespace sw {

namespace {

constexpr int64_t kSmallForLibrary = 4096;  // elements
constexpr int64_t kSmallProduct = 8;
constexpr int64_t kFewFeatures = 16;

class CpuRewrite {
 public:
  CpuRewrite(MachineProgram& program, const Graph& graph) : program_(program), graph_(graph) {
    replica_groups_ = graph.strings.find("replica_groups");
  }

  void run() {
    for (const ComputationId id : computations_in_use(program_)) {
      computation_ = id;
      known_.clear();
      instead_.clear();
      each(&CpuRewrite::rename);
      count_uses();
      each(&CpuRewrite::divide_once);
      each(&CpuRewrite::order_product);
      each(&CpuRewrite::split_exchange);
      each(&CpuRewrite::widen);
      each(&CpuRewrite::order_convolution);
      each(&CpuRewrite::order_collective);
      known_.clear();
      each(&CpuRewrite::rename);
      each(&CpuRewrite::fold_into_product);
      each(&CpuRewrite::mark_library);
      combine_reductions();
      sort_topologically(program_, id);
    }
  }

 private:
  // What an op over one operand does, to which type.
  using Known = std::tuple<OpKind, MachineOpId, TypeId, std::vector<int64_t>>;

  void each(void (CpuRewrite::*visit)(MachineOpId)) {
    sort_topologically(program_, computation_);
    instead_.assign(program_.ops.size(), MachineOpId{});
    const std::vector<MachineOpId> ops = program_.computation(computation_).ops;
    for (const MachineOpId id : ops) {
      for (MachineOpId& operand : program_.op(id).operands)
        if (operand.index() < instead_.size() && instead_[operand.index()].valid()) operand = instead_[operand.index()];
      (this->*visit)(id);
    }
    MachineOpId& root = program_.computation(computation_).root;
    if (instead_[root.index()].valid()) root = instead_[root.index()];
  }

  Type type(MachineOpId id) const { return program_.type_of(id); }
  MachineOpId operand(MachineOpId id, size_t i) const { return program_.op(id).operands[i]; }

  // One op of its kind over one operand, made once.
  MachineOpId once(OpKind kind, MachineOpId of, ElementType element, const DimList& dims, const DimList& permutation) {
    const TypeId type = program_.types.tensor(element, dims);
    MachineOpId& known = known_[{kind, of, type, {permutation.begin(), permutation.end()}}];
    if (known.valid()) return known;
    MachineOp op;
    op.kind = op.does = kind;
    op.type = type;
    op.computation = computation_;
    op.operands = {of};
    op.dims = permutation;
    op.source = program_.op(of).source;
    return known = program_.append(std::move(op));
  }

  MachineOpId reshape(MachineOpId of, const DimList& dims) {
    if (std::ranges::equal(type(of).dims, dims)) return of;
    return once(OpKind::reshape, of, type(of).element, dims, {});
  }

  // An op that gives elements of its one operand in another order, or more often.
  bool only_arranges(MachineOpId id) const {
    const MachineOp& op = program_.op(id);
    return op.operands.size() == 1 && !program_.is_tuple(id) &&
           (op.kind == OpKind::reshape || op.kind == OpKind::transpose || op.kind == OpKind::broadcast_in_dim);
  }

  // Of bf16. What only arranges elements arranges wide ones instead.
  MachineOpId wide(MachineOpId of) {
    std::vector<MachineOpId> arranged;
    while (only_arranges(of) && !known_.contains(Known{OpKind::convert, of, wide_type(of), {}})) {
      arranged.push_back(of);
      of = operand(of, 0);
    }
    MachineOpId made = once(OpKind::convert, of, ElementType::f32, DimList(type(of).dims), {});
    for (; !arranged.empty(); arranged.pop_back()) {
      const TypeId result = wide_type(arranged.back());
      MachineOp op = program_.op(arranged.back());
      op.type = result;
      op.operands = {made};
      made = program_.append(std::move(op));
      known_.emplace(Known{OpKind::convert, arranged.back(), result, {}}, made);
    }
    return made;
  }
  TypeId wide_type(MachineOpId of) { return program_.types.tensor(ElementType::f32, DimList(type(of).dims)); }

  MachineOpId transpose(MachineOpId of, const DimList& permutation) {
    if (counts_up(permutation)) return of;
    DimList dims;
    for (const int64_t d : permutation) dims.push_back(type(of).dims[static_cast<size_t>(d)]);
    return once(OpKind::transpose, of, type(of).element, dims, permutation);
  }

  // The op as it is, but of another shape; `id` becomes what gives it its own shape and order again.
  MachineOpId split_off(MachineOpId id, ElementType element, const DimList& dims, OpKind back, DimList permutation) {
    MachineOp inner = program_.op(id);
    inner.type = program_.types.tensor(element, dims);
    const MachineOpId made = program_.append(std::move(inner));
    MachineOp& op = program_.op(id);
    op.kind = op.does = back;
    op.role = Role::plain;
    op.operands = {made};
    op.dims = std::move(permutation);
    op.called.clear();
    return made;
  }

  void rename(MachineOpId id) {
    find_other_name(id);
    unite(id);
  }

  void find_other_name(MachineOpId id) {
    MachineOp& op = program_.op(id);
    if (op.operands.size() != 1 || program_.is_tuple(id) || program_.is_tuple(op.operands[0])) return;
    MachineOpId from = op.operands[0];
    const Type to = type(id);
    switch (op.kind) {
      case OpKind::copy: break;
      case OpKind::convert:
        if (to.element != type(from).element) return;
        break;
      case OpKind::transpose: {
        const MachineOp& before = program_.op(from);
        if (before.kind == OpKind::transpose) {
          DimList both;
          for (const int64_t d : op.dims) both.push_back(before.dims[static_cast<size_t>(d)]);
          op.dims = std::move(both);
          from = op.operands[0] = before.operands[0];
        }
        if (!moves_ones_only(op.dims, type(from).dims)) return;
        break;
      }
      case OpKind::broadcast_in_dim:
        if (to.element_count() != type(from).element_count()) {
          if (program_.op(from).kind == OpKind::reshape && differs_in_ones(from)) op.operands[0] = operand(from, 0);
          return;
        }
        break;
      case OpKind::reshape:
      case OpKind::bitcast: break;
      default: return;
    }
    while (program_.op(from).kind == OpKind::reshape) from = operand(from, 0);
    if (type(from).element != to.element) return;
    op.kind = op.does = OpKind::reshape;
    op.operands[0] = from;
    op.dims.clear();
    if (std::ranges::equal(type(from).dims, to.dims)) instead_[id.index()] = from;
  }

  // Conversions, transpositions and reshapes of one value to one type are one op.
  void unite(MachineOpId id) {
    const MachineOp& op = program_.op(id);
    if (op.operands.size() != 1 || instead_[id.index()].valid() ||
        (op.kind != OpKind::convert && op.kind != OpKind::transpose && op.kind != OpKind::reshape))
      return;
    const auto [known, is_new] =
        known_.emplace(Known{op.kind, op.operands[0], op.type, {op.dims.begin(), op.dims.end()}}, id);
    if (!is_new && known->second != id) instead_[id.index()] = known->second;
  }

  bool differs_in_ones(MachineOpId reshape) const {
    const auto others = [](std::span<const int64_t> dims) {
      DimList kept;
      for (const int64_t d : dims)
        if (d != 1) kept.push_back(d);
      return kept;
    };
    return others(type(reshape).dims) == others(type(operand(reshape, 0)).dims);
  }

  void count_uses() {
    uses_.assign(program_.ops.size(), 0);
    for (const MachineOpId id : program_.computation(computation_).ops)
      for (const MachineOpId operand : program_.op(id).operands) ++uses_[operand.index()];
  }

  // A division by a number is a multiplication, by a row that is spread out one of the row and a multiplication.
  void divide_once(MachineOpId id) {
    if (program_.op(id).kind != OpKind::divide || !is_floating(type(id).element)) return;
    const MachineOpId spread = operand(id, 1);
    const bool is_spread = program_.op(spread).kind == OpKind::broadcast_in_dim;
    const MachineOpId by = is_spread ? operand(spread, 0) : spread;
    if (program_.op(by).kind != OpKind::constant) {
      if (!is_spread || by.index() >= uses_.size() || uses_[by.index()] != 1) return;
      MachineOp inverse = program_.op(id);
      inverse.type = program_.op(by).type;
      inverse.operands = {by};
      MachineOp spread_again = program_.op(spread);
      spread_again.operands = {program_.append(std::move(inverse))};
      program_.op(id).operands[1] = program_.append(std::move(spread_again));
    }
    program_.op(id).kind = program_.op(id).does = OpKind::multiply;
  }

  static bool is_canonical(size_t rank, const DimList& batch, const DimList& contract) {
    return contract.size() == 1 && rank <= batch.size() + 2 && counts_up(batch);
  }

  // Batch, then the first and the second group of dimensions, each as one; a group that is free goes if it is 1.
  MachineOpId grouped(MachineOpId from, const DimList& batch, const DimList& first, const DimList& second,
                      const DimList& free) {
    DimList permutation = batch, dims;
    permutation.append(first.begin(), first.end());
    permutation.append(second.begin(), second.end());
    const std::span<const int64_t> extents = type(from).dims;
    for (const int64_t d : batch) dims.push_back(extents[static_cast<size_t>(d)]);
    for (const DimList* group : {&first, &second}) {
      int64_t size = 1;
      for (const int64_t d : *group) size *= extents[static_cast<size_t>(d)];
      if (group != &free || size != 1) dims.push_back(size);
    }
    return reshape(transpose(from, permutation), dims);
  }

  // Afterwards the dims of a product are the contracted dimension of its left and of its right operand.
  void order_product(MachineOpId id) {
    DotDims dot;
    if (program_.op(id).kind != OpKind::dot_general || program_.op(id).operands.size() != 2 ||
        !read_dot_dims(graph_, program_.op(id).source, dot))
      return;
    const MachineOpId left = operand(id, 0), right = operand(id, 1);
    if (is_canonical(type(left).rank(), dot.lhs_batch, dot.lhs_contract) &&
        is_canonical(type(right).rank(), dot.rhs_batch, dot.rhs_contract)) {
      program_.op(id).dims = {dot.lhs_contract[0], dot.rhs_contract[0]};
      return;
    }
    const MachineOpId a = grouped(left, dot.lhs_batch, dot.lhs_free, dot.lhs_contract, dot.lhs_free);
    const MachineOpId b = grouped(right, dot.rhs_batch, dot.rhs_contract, dot.rhs_free, dot.rhs_free);
    const size_t batch = dot.lhs_batch.size();
    DimList dims(type(a).dims);
    dims.pop_back();
    if (type(b).rank() > batch + 1) dims.push_back(type(b).dims.back());
    const auto contracted = static_cast<int64_t>(type(a).rank()) - 1;
    MachineOpId product = id;
    if (!std::ranges::equal(type(id).dims, dims)) product = split_off(id, type(id).element, dims, OpKind::reshape, {});
    program_.op(product).operands = {a, b};
    program_.op(product).dims = {contracted, static_cast<int64_t>(batch)};
  }

  // A transposition of rows and columns before a product is read by it the other way round.
  void fold_into_product(MachineOpId id) {
    if (program_.op(id).kind != OpKind::dot_general || program_.op(id).dims.size() != 2) return;
    for (size_t side = 0; side < 2; ++side) {
      const MachineOp& turned = program_.op(operand(id, side));
      if (turned.kind != OpKind::transpose || turned.dims.size() < 2) continue;
      const auto rank = static_cast<int64_t>(turned.dims.size());
      DimList swapped;
      for (int64_t d = 0; d < rank; ++d) swapped.push_back(d < rank - 2 ? d : 2 * rank - 3 - d);
      if (turned.dims != swapped) continue;
      const MachineOpId from = turned.operands[0];
      program_.op(id).operands[side] = from;
      int64_t& contracted = program_.op(id).dims[side];
      contracted = 2 * rank - 3 - contracted;
    }
  }

  // Whole pieces are sent: they are cut out before and put together after.
  void split_exchange(MachineOpId id) {
    if (program_.op(id).kind != OpKind::all_to_all || program_.is_tuple(id) || program_.op(id).operands.size() != 1)
      return;
    const MachineOpId from = operand(id, 0);
    const MachineOpId pieces = once(OpKind::slice, from, type(from).element, DimList(type(from).dims), {});
    program_.op(pieces).role = Role::standalone;
    program_.op(id).operands[0] = pieces;
    split_off(id, type(id).element, DimList(type(id).dims), OpKind::concatenate, {0});
  }

  static bool keeps_bf16(const MachineOp& op) {
    switch (op.kind) {
      case OpKind::parameter:
      case OpKind::constant:
      case OpKind::tuple:
      case OpKind::get_tuple_element:
      case OpKind::while_:
      case OpKind::case_:
      case OpKind::call:
      case OpKind::custom_call:
      case OpKind::optimization_barrier:
      case OpKind::bitcast_convert:
      case OpKind::convert: return true;
      default: return false;
    }
  }

  void widen(MachineOpId id) {
    if (keeps_bf16(program_.op(id)) || program_.is_tuple(id) || only_arranges(id) || is_library_reduction(id)) return;
    const bool narrow = type(id).element == ElementType::bf16;
    for (size_t i = 0; i < program_.op(id).operands.size(); ++i) {
      const MachineOpId from = operand(id, i);
      if (program_.is_tuple(from) || type(from).element != ElementType::bf16) continue;
      const MachineOpId widened = wide(from);
      program_.op(id).operands[i] = widened;
    }
    if (narrow) split_off(id, ElementType::f32, DimList(type(id).dims), OpKind::convert, {});
  }

  void order_convolution(MachineOpId id) {
    ConvDims conv;
    if (program_.op(id).kind != OpKind::convolution || !read_conv_dims(graph_, program_.op(id).source, conv)) return;
    const auto order = [](int64_t first, const DimList& spatial, int64_t last) {
      DimList dims{first};
      dims.append(spatial.begin(), spatial.end());
      dims.push_back(last);
      return dims;
    };
    const DimList input = order(conv.input_batch, conv.input_spatial, conv.input_feature);
    DimList kernel = conv.kernel_spatial;
    kernel.push_back(conv.kernel_input_feature);
    kernel.push_back(conv.kernel_output_feature);
    const DimList output = order(conv.output_batch, conv.output_spatial, conv.output_feature);
    const bool is_entry = program_.computation(computation_).is_entry;
    const bool in_order = counts_up(input) && counts_up(kernel) && counts_up(output);
    if (is_entry && !in_order) {
      const MachineOpId x = transpose(operand(id, 0), input), w = transpose(operand(id, 1), kernel);
      DimList dims, back;
      for (const int64_t d : output) dims.push_back(type(id).dims[static_cast<size_t>(d)]);
      for (int64_t d = 0; d < static_cast<int64_t>(output.size()); ++d)
        back.push_back(std::find(output.begin(), output.end(), d) - output.begin());
      if (!counts_up(back)) id = split_off(id, type(id).element, dims, OpKind::transpose, back);
      program_.op(id).operands = {x, w};
    }
    program_.op(id).by_library = (is_entry || in_order) && is_library_convolution(id, conv);
  }

  bool is_library_convolution(MachineOpId id, const ConvDims& conv) const {
    if (conv.batch_group_count != 1 || conv.input_spatial.size() != 2) return false;
    const Type x = type(operand(id, 0)), w = type(operand(id, 1)), y = type(id);
    if (!is_library_product(x.element, w.element, y.element)) return false;
    if (std::max(x.dims[3], y.dims[3]) <= kFewFeatures) return false;
    for (size_t d = 0; d < 2; ++d)
      if (y.dims[d + 1] > x.dims[d + 1] || w.dims[d] > x.dims[d + 1] || conv.window[d].base_dilation != 1 ||
          conv.window[d].reversal)
        return false;
    return true;
  }

  static bool is_library_product(ElementType left, ElementType right, ElementType result) {
    if (left == ElementType::s8 || left == ElementType::u8)
      return right == ElementType::s8 && result == ElementType::s32;
    return left == right && left == result && (left == ElementType::f32 || left == ElementType::f64);
  }

  void order_collective(MachineOpId id) {
    const OpKind kind = program_.op(id).kind;
    if ((kind != OpKind::all_gather && kind != OpKind::reduce_scatter) || program_.is_tuple(id) ||
        program_.op(id).operands.size() != 1)
      return;
    int64_t dim = 0;
    if (kind == OpKind::all_gather ? !read_all_gather_dim(graph_, program_.op(id).source, dim)
                                   : !read_reduce_scatter_dim(graph_, program_.op(id).source, dim))
      return;
    const auto rank = static_cast<int64_t>(type(id).rank());
    if (dim >= rank) return;
    DimList outermost{dim}, back, dims;
    for (int64_t d = 0; d < rank; ++d)
      if (d != dim) outermost.push_back(d);
    for (int64_t d = 0; d < rank; ++d)
      back.push_back(std::find(outermost.begin(), outermost.end(), d) - outermost.begin());
    if (moves_ones_only(outermost, type(id).dims) && moves_ones_only(outermost, type(operand(id, 0)).dims)) return;
    for (const int64_t d : outermost) dims.push_back(type(id).dims[static_cast<size_t>(d)]);
    const MachineOpId turned = transpose(operand(id, 0), outermost);
    const MachineOpId inner = split_off(id, type(id).element, dims, OpKind::transpose, back);
    program_.op(inner).operands[0] = turned;
    program_.op(inner).dims = {0};
  }

  OpKind reducer(MachineOpId id) const {
    const OpId source = program_.op(id).source;
    if (!source.valid() || graph_.op(source).regions.empty()) return OpKind::unknown;
    return common_reducer(graph_, graph_.regions(graph_.op(source))[0], 1);
  }

  // A sum or an extreme of so many elements that calling the library is worth it.
  bool is_library_reduction(MachineOpId id) const {
    const MachineOp& op = program_.op(id);
    if (op.kind != OpKind::reduce || program_.is_tuple(id) || op.operands.size() != 2 || op.dims.empty()) return false;
    const Type from = type(op.operands[0]), to = type(id);
    if (std::max(from.element_count(), to.element_count()) < kSmallForLibrary) return false;
    const OpKind kind = reducer(id);
    if (kind == OpKind::maximum || kind == OpKind::minimum) {
      switch (to.element) {
        case ElementType::u8:
        case ElementType::s8:
        case ElementType::bf16:
        case ElementType::f16:
        case ElementType::f32:
        case ElementType::f64: return from.element == to.element;
        default: return false;
      }
    }
    if (kind != OpKind::add) return false;
    if (to.element == ElementType::f64) return from.element == ElementType::f64;
    if (to.element == ElementType::f32)
      return from.element == ElementType::f32 || from.element == ElementType::bf16 || from.element == ElementType::f16;
    return to.element == ElementType::s32 && (from.element == ElementType::s8 || from.element == ElementType::u8);
  }

  void mark_library(MachineOpId id) {
    MachineOp& op = program_.op(id);
    if (op.kind == OpKind::reduce) {
      op.by_library = is_library_reduction(id);
    } else if (op.kind == OpKind::dot_general && op.dims.size() == 2) {
      const Type a = type(op.operands[0]), b = type(op.operands[1]), c = type(id);
      const auto rank = static_cast<int64_t>(a.rank());
      const auto batch = static_cast<int64_t>(a.rank() + b.rank() - c.rank()) - 2;
      if (!is_library_product(a.element, b.element, c.element) || rank != batch + 2 ||
          static_cast<int64_t>(b.rank()) != batch + 2)
        return;
      const int64_t m = c.dims[static_cast<size_t>(batch)], n = c.dims.back();
      const int64_t k = a.dims[static_cast<size_t>(op.dims[0])];
      op.by_library = m != 1 && n != 1 && std::max({m, n, k}) >= kSmallProduct && op.dims[0] == rank - 1;
    }
  }

  // Reductions of one kind over the same devices, those that do not depend on one another.
  void combine_reductions() {
    constexpr size_t kMostTogether = 256;
    sort_topologically(program_, computation_);
    using Key = std::tuple<AttrId, ElementType, OpKind>;
    std::map<Key, std::vector<MachineOpId>> groups;
    std::vector<MachineOpId> all;
    for (const MachineOpId id : program_.computation(computation_).ops) {
      const MachineOp& op = program_.op(id);
      if (op.kind != OpKind::all_reduce || program_.is_tuple(id) || op.operands.size() != 1) continue;
      const AttrId devices = op.source.valid() ? graph_.attr(graph_.op(op.source), replica_groups_) : AttrId{};
      groups[{devices, type(id).element, reducer(id)}].push_back(id);
      all.push_back(id);
    }
    Ancestors ancestors(program_, computation_, all);
    for (auto& [key, rest] : groups) {
      while (rest.size() > 1) {
        std::vector<MachineOpId> together, later;
        for (const MachineOpId id : rest) {
          const bool joins = together.size() < kMostTogether &&
                             std::none_of(together.begin(), together.end(),
                                          [&](MachineOpId other) { return ancestors.related(id, other); });
          (joins ? together : later).push_back(id);
        }
        rest = std::move(later);
        if (together.size() < 2) continue;
        ancestors.unite(together);
        combine(together);
      }
    }
  }

  void combine(const std::vector<MachineOpId>& members) {
    MachineOp list = program_.op(members[0]);
    list.operands.clear();
    std::vector<TypeId> types;
    for (const MachineOpId id : members) {
      list.operands.push_back(operand(id, 0));
      types.push_back(program_.op(id).type);
    }
    list.type = program_.types.tuple(types);
    const MachineOpId made = program_.append(std::move(list));
    for (uint32_t i = 0; i < members.size(); ++i) {
      MachineOp& op = program_.op(members[i]);
      op.kind = op.does = OpKind::get_tuple_element;
      op.role = Role::plain;
      op.index = i;
      op.operands = {made};
      op.dims.clear();
    }
  }

  MachineProgram& program_;
  const Graph& graph_;
  StringId replica_groups_;
  ComputationId computation_;
  std::map<Known, MachineOpId> known_;
  std::vector<uint32_t> uses_;        // by MachineOpId
  std::vector<MachineOpId> instead_;  // by MachineOpId: what takes its place
};

}  // namespace

void rewrite_for_cpu(MachineProgram& program, const Graph& graph) { CpuRewrite(program, graph).run(); }

}  // namespace sw
