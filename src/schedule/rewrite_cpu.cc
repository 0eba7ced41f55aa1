// Follows, in this order, AlgebraicSimplifier for divisions and masks, DotDecomposer, AllToAllDecomposer,
// FloatNormalization with CpuFloatSupport, ChangeOpDataType, SelectAndScatterExpander, ConvolutionGroupConverter,
// ConvCanonicalization with ConvOperandSwapper, ReshapeMover where nothing else reads what is moved,
// CpuLayoutAssignment (which makes everything row-major but for the gathered or scattered dimension of a collective;
// here that is a transposition on either side), TransposeFolding and TreeReductionRewriter.
#include "schedule/rewrite_cpu.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "base/checked_math.h"
#include "ops/dims_collective.h"
#include "ops/dims_conv.h"
#include "ops/dims_dot.h"
#include "ops/dims_listed.h"
#include "partition/replica_groups.h"
#include "schedule/library_cpu.h"

namespace sw {

namespace {

class CpuRewrite {
 public:
  CpuRewrite(MachineProgram& program, const Graph& graph) : program_(program), graph_(graph) {}

  void run() {
    for (const ComputationId id : computations_in_use(program_)) {
      computation_ = id;
      known_.clear();
      instead_.clear();
      count_uses();
      each(&CpuRewrite::divide_once);
      each(&CpuRewrite::rename);
      each(&CpuRewrite::select_masked);
      each(&CpuRewrite::order_product);
      each(&CpuRewrite::split_exchange);
      known_.clear();  // what the program converts is not what widening converts
      each(&CpuRewrite::widen);
      each(&CpuRewrite::widen_product);
      each(&CpuRewrite::expand_select_and_scatter);
      each(&CpuRewrite::order_convolution);
      each(&CpuRewrite::rename);
      count_uses();
      each(&CpuRewrite::arrange_after);
      each(&CpuRewrite::order_collective);
      known_.clear();
      each(&CpuRewrite::rename);
      each(&CpuRewrite::fold_into_product);
      each(&CpuRewrite::mark_library);
      each(&CpuRewrite::split_reduction);
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
    if (program_.op(of).kind == OpKind::constant) {
      program_.op(made).kind = program_.op(made).does = OpKind::constant;
      program_.op(made).operands.clear();
    }
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

  // What a mask of ones and zeros multiplies is selected instead; the zeros need no array.
  void select_masked(MachineOpId id) {
    MachineOp& op = program_.op(id);
    if (op.kind != OpKind::multiply) return;
    for (size_t i = 0; i < 2; ++i) {
      const MachineOp& mask = program_.op(op.operands[i]);
      if (mask.kind != OpKind::convert || type(mask.operands[0]).element != ElementType::pred) continue;
      op.operands = {mask.operands[0], op.operands[1 - i]};
      op.kind = op.does = OpKind::select;
      return;
    }
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

  // Batch without dimensions of 1, then the first and the second group of dimensions, each as one; a group that is free
  // goes if it is 1.
  MachineOpId grouped(MachineOpId from, const DimList& batch, const DimList& first, const DimList& second,
                      const DimList& free) {
    DimList permutation = batch, dims;
    permutation.append(first.begin(), first.end());
    permutation.append(second.begin(), second.end());
    const std::span<const int64_t> extents = type(from).dims;
    for (const int64_t d : batch)
      if (extents[static_cast<size_t>(d)] != 1) dims.push_back(extents[static_cast<size_t>(d)]);
    for (const DimList* group : {&first, &second}) {
      // Beside an empty dimension the others may multiply to anything.
      std::optional<int64_t> size = 1;
      for (const int64_t d : *group) size = checked_mul(size.value_or(0), extents[static_cast<size_t>(d)]);
      if (group != &free || size != 1) dims.push_back(size.value_or(0));
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
    const bool is_one =
        std::ranges::any_of(dot.lhs_batch, [&](int64_t d) { return type(left).dims[static_cast<size_t>(d)] == 1; });
    if (!is_one && is_canonical(type(left).rank(), dot.lhs_batch, dot.lhs_contract) &&
        is_canonical(type(right).rank(), dot.rhs_batch, dot.rhs_contract)) {
      program_.op(id).dims = {dot.lhs_contract[0], dot.rhs_contract[0]};
      return;
    }
    const MachineOpId a = grouped(left, dot.lhs_batch, dot.lhs_free, dot.lhs_contract, dot.lhs_free);
    const MachineOpId b = grouped(right, dot.rhs_batch, dot.rhs_contract, dot.rhs_free, dot.rhs_free);
    const auto batch = static_cast<size_t>(
        std::ranges::count_if(dot.lhs_batch, [&](int64_t d) { return type(left).dims[static_cast<size_t>(d)] != 1; }));
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

  // Every device gets a piece: they are cut out before and put together after.
  void split_exchange(MachineOpId id) {
    constexpr int64_t kMostPieces = 1024;
    AllToAllDims dims;
    if (program_.op(id).kind != OpKind::all_to_all || program_.is_tuple(id) || program_.op(id).operands.size() != 1 ||
        !read_all_to_all_dims(graph_, program_.op(id).source, dims) || dims.split != dims.concat)
      return;
    const std::optional<TileGrid> groups = read_replica_groups(graph_, graph_.op(program_.op(id).source));
    const int64_t count = groups.has_value() && groups->dims.size() == 2 ? groups->dims[1] : 0;
    if (count < 1 || count > kMostPieces) return;
    DimList extents(type(id).dims);
    extents[static_cast<size_t>(dims.split)] /= count;
    const ElementType element = type(id).element;
    const bool narrow = element == ElementType::bf16;
    const TypeId piece = program_.types.tensor(narrow ? ElementType::f32 : element, extents);
    MachineOp slice = program_.op(id), sent = program_.op(id);
    slice.kind = slice.does = OpKind::slice;
    slice.role = Role::plain;
    slice.type = program_.types.tensor(element, extents);
    sent.operands.clear();
    for (int64_t i = 0; i < count; ++i) {
      const MachineOpId cut = program_.append(slice);
      sent.operands.push_back(narrow ? wide(cut) : cut);
    }
    sent.type = program_.types.tuple(std::vector<TypeId>(static_cast<size_t>(count), piece));
    MachineOp part;
    part.kind = part.does = OpKind::get_tuple_element;
    part.type = piece;
    part.computation = computation_;
    part.operands = {program_.append(std::move(sent))};
    SmallVector<MachineOpId, 4> pieces;
    for (int64_t i = 0; i < count; ++i) {
      part.index = static_cast<uint32_t>(i);
      const MachineOpId received = program_.append(part);
      pieces.push_back(narrow ? once(OpKind::convert, received, element, extents, {}) : received);
    }
    MachineOp& op = program_.op(id);
    op.kind = op.does = OpKind::concatenate;
    op.role = Role::plain;
    op.operands = std::move(pieces);
    op.dims = {dims.split};
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
      case OpKind::bitcast_convert: return true;
      default: return false;
    }
  }

  // A conversion that the program asks for reads what was not rounded, if the op before it has just been widened.
  void read_unrounded(MachineOpId id) {
    const MachineOpId from = operand(id, 0);
    if (program_.is_tuple(from) || type(from).element != ElementType::bf16 || type(id).element != ElementType::f32)
      return;
    if (rounded_.contains(from))
      instead_[id.index()] = operand(from, 0);
    else if (only_arranges(from))
      instead_[id.index()] = wide(from);
  }

  void widen(MachineOpId id) {
    if (program_.op(id).kind == OpKind::convert) return read_unrounded(id);
    if (keeps_bf16(program_.op(id)) || program_.is_tuple(id) || only_arranges(id)) return;
    if (is_library_reduction(program_, graph_, id)) return;
    const bool narrow = type(id).element == ElementType::bf16;
    for (size_t i = 0; i < program_.op(id).operands.size(); ++i) {
      const MachineOpId from = operand(id, i);
      if (program_.is_tuple(from) || type(from).element != ElementType::bf16) continue;
      const MachineOpId widened = wide(from);
      program_.op(id).operands[i] = widened;
    }
    if (!narrow) return;
    rounding_.insert(split_off(id, ElementType::f32, DimList(type(id).dims), OpKind::convert, {}));
    rounded_.insert(id);
  }

  // An elementwise op on arrays that have been arranged alike, by ops that nothing else reads, works on them as they
  // were and its result is arranged.
  void arrange_after(MachineOpId id) {
    const MachineOp& op = program_.op(id);
    if (!is_elementwise(op.kind) || program_.is_tuple(id) || is_mask_of_groups(op)) return;
    MachineOpId first;
    for (const MachineOpId from : op.operands) {
      const MachineOp& arranged = program_.op(from);
      if (is_number(from)) continue;
      if ((arranged.kind != OpKind::reshape && arranged.kind != OpKind::transpose) || from.index() >= uses_.size() ||
          uses_[from.index()] != 1)
        return;
      if (!first.valid()) first = from;
      const MachineOp& like = program_.op(first);
      if (like.kind != arranged.kind || like.dims != arranged.dims ||
          !std::ranges::equal(type(like.operands[0]).dims, type(arranged.operands[0]).dims))
        return;
    }
    if (!first.valid()) return;
    const DimList dims(type(operand(first, 0)).dims);
    SmallVector<MachineOpId, 4> operands;
    for (const MachineOpId from : SmallVector<MachineOpId, 4>(program_.op(id).operands)) {
      if (!is_number(from)) {
        operands.push_back(operand(from, 0));
      } else if (program_.op(from).operands.empty()) {
        operands.push_back(from);
      } else {
        MachineOp again = program_.op(from);
        again.type = program_.types.tensor(type(from).element, dims);
        operands.push_back(program_.append(std::move(again)));
      }
    }
    const OpKind back = program_.op(first).kind;
    const DimList permutation = program_.op(first).dims;
    const MachineOpId inner = split_off(id, type(id).element, dims, back, permutation);
    program_.op(inner).operands = std::move(operands);
  }

  // Counts its own elements, so it cannot move.
  static bool is_mask_of_groups(const MachineOp& op) { return op.kind == OpKind::select && op.operands.size() == 1; }

  // A scalar, or one spread out.
  bool is_number(MachineOpId id) const {
    const MachineOp& op = program_.op(id);
    if (op.kind == OpKind::broadcast_in_dim) return element_count(type(op.operands[0])) == 1;
    return op.operands.empty() && element_count(type(id)) == 1;
  }

  // Products and convolutions of f16 are computed in f32.
  void widen_product(MachineOpId id) {
    const OpKind kind = program_.op(id).kind;
    if ((kind != OpKind::dot_general && kind != OpKind::convolution) || type(id).element != ElementType::f16) return;
    for (size_t i = 0; i < program_.op(id).operands.size(); ++i) {
      if (type(operand(id, i)).element != ElementType::f16) continue;
      const MachineOpId widened = wide(operand(id, i));
      program_.op(id).operands[i] = widened;
    }
    split_off(id, ElementType::f32, DimList(type(id).dims), OpKind::convert, {});
  }

  // What it selects of each window it finds by an array of numbers for each dimension, and scatters there.
  void expand_select_and_scatter(MachineOpId id) {
    if (program_.op(id).kind != OpKind::select_and_scatter || program_.is_tuple(id) ||
        program_.op(id).operands.size() != 3)
      return;
    const MachineOpId source = operand(id, 1);
    const DimList dims(type(id).dims), windows(type(source).dims);
    const auto rank = static_cast<int64_t>(dims.size());
    constexpr int64_t kNumbers = 3;  // for each dimension: of the operand, of the windows, of the list
    if (!may_add(type(id), rank * kNumbers * bits(ElementType::s32))) return;
    const OpId from = program_.op(id).source;
    const auto make = [&](OpKind kind, TypeId type, SmallVector<MachineOpId, 4> operands, DimList list) {
      MachineOp op;
      op.kind = op.does = kind;
      op.type = type;
      op.computation = computation_;
      op.operands = std::move(operands);
      op.dims = std::move(list);
      op.source = from;
      return program_.append(std::move(op));
    };
    const TypeId places = program_.types.tensor(ElementType::s32, windows);
    SmallVector<MachineOpId, 4> read{operand(id, 0)}, found;
    std::vector<TypeId> results{program_.op(source).type};
    for (int64_t d = 0; d < rank; ++d) {
      read.push_back(make(OpKind::iota, program_.types.tensor(ElementType::s32, dims), {}, {d}));
      results.push_back(places);
    }
    const MachineOpId window = make(OpKind::reduce_window, program_.types.tuple(results), std::move(read), {});
    for (int64_t d = 0; d < rank; ++d) {
      found.push_back(make(OpKind::get_tuple_element, places, {window}, {}));
      program_.op(found.back()).index = static_cast<uint32_t>(d + 1);
    }
    const DimList list{type(source).element_count(), rank};
    const MachineOpId at =
        make(OpKind::concatenate, program_.types.tensor(ElementType::s32, list), std::move(found), {1});
    const MachineOpId filled = make(OpKind::broadcast_in_dim, program_.op(id).type, {operand(id, 2)}, {});
    MachineOp& op = program_.op(id);
    op.kind = op.does = OpKind::scatter;
    op.operands = {filled, at, source};
    op.dims.clear();
  }

  // Long sums that the library does not do are done in pieces first.
  void split_reduction(MachineOpId id) {
    constexpr int64_t kPiece = 32;
    if (program_.op(id).kind != OpKind::reduce || program_.op(id).by_library || program_.is_tuple(id) ||
        program_.op(id).operands.size() != 2)
      return;
    for (;;) {
      const MachineOpId from = operand(id, 0);
      DimList pieces(type(from).dims);
      bool is_long = false;
      for (const int64_t d : program_.op(id).dims) {
        int64_t& extent = pieces[static_cast<size_t>(d)];
        is_long = is_long || extent > kPiece;
        extent = ceil_div(extent, kPiece);
      }
      if (!is_long) return;
      MachineOp window = program_.op(id);
      window.kind = window.does = OpKind::reduce_window;
      window.type = program_.types.tensor(type(from).element, pieces);
      const MachineOpId made = program_.append(std::move(window));
      program_.op(id).operands[0] = made;
    }
  }

  // Whether arrays of so many times these bytes still add up without overflow; those that are added count.
  bool may_add(const Type& type, std::optional<int64_t> times) {
    constexpr int64_t kMostAdded = int64_t{1} << 55;
    const std::optional<int64_t> more =
        times.has_value() ? checked_mul(packed_bytes(type), *times) : std::optional<int64_t>();
    if (!more.has_value() || *more > kMostAdded - added_) return false;
    added_ += *more;
    return true;
  }

  // A convolution in groups along the batch, each of one image and one feature, computes all pairs of groups, of which
  // a mask and a sum leave the wanted ones. Gives the op that computes.
  MachineOpId expand_groups(MachineOpId id, const ConvDims& conv) {
    const auto batch = static_cast<size_t>(conv.output_batch);
    const int64_t groups = conv.batch_group_count;
    constexpr int64_t kLayers = 4;  // of all pairs: computed, transposed, masked, and the mask
    if (groups < 2 || type(operand(id, 0)).dims[static_cast<size_t>(conv.input_batch)] != groups ||
        type(operand(id, 1)).dims[static_cast<size_t>(conv.kernel_output_feature)] != groups ||
        !may_add(type(id), checked_mul(groups, kLayers)))
      return id;
    DimList dims(type(id).dims);
    dims[batch] *= groups;
    const MachineOpId all = split_off(id, type(id).element, dims, OpKind::reduce, {conv.output_batch});
    MachineOp masked = program_.op(all);
    masked.kind = masked.does = OpKind::select;
    masked.operands = {all};
    program_.op(id).operands = {program_.append(std::move(masked))};
    program_.op(id).by_library = true;
    return all;
  }

  // Whether the kernel is slid over by the images, being the larger.
  bool is_swapped(MachineOpId id, const ConvDims& conv) const {
    if (conv.feature_group_count != 1 || conv.batch_group_count != 1) return false;
    double kernel = 1, swapped = 1;
    for (size_t d = 0; d < conv.window.size(); ++d) {
      const WindowDim& window = conv.window[d];
      const int64_t input = type(operand(id, 0)).dims[static_cast<size_t>(conv.input_spatial[d])];
      const bool is_plain =
          !window.reversal && window.pad_low == 0 && window.pad_high == 0 && window.window_dilation == 1;
      const bool is_group = window.base_dilation == window.size && window.stride == window.size - 1;
      const bool is_contracted = window.size == input && window.base_dilation == 1 && window.stride == 1;
      if (is_plain && (is_group || is_contracted)) continue;
      const bool is_outer = input == 1 && window.stride == 1 && window.window_dilation == 1 &&
                            window.pad_low == window.size - 1 && window.pad_high == window.size - 1;
      kernel *= static_cast<double>(window.size);
      swapped *= static_cast<double>(is_outer ? window.size : input);
    }
    return kernel > swapped;
  }

  void order_convolution(MachineOpId id) {
    ConvDims conv;
    if (program_.op(id).kind != OpKind::convolution || !read_conv_dims(graph_, program_.op(id).source, conv)) return;
    const bool swapped = is_swapped(id, conv);
    id = expand_groups(id, conv);
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
    if (swapped) {
      const MachineOpId reversed =
          once(OpKind::reverse, operand(id, 1), type(operand(id, 1)).element, DimList(type(operand(id, 1)).dims), {});
      program_.op(id).operands = {reversed, operand(id, 0)};
    } else {
      program_.op(id).by_library = (is_entry || in_order) && is_library_convolution(program_, id, conv);
    }
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

  void mark_library(MachineOpId id) {
    MachineOp& op = program_.op(id);
    const bool reduces = op.kind == OpKind::reduce || op.kind == OpKind::reduce_window;
    if (reduces && !rounding_.contains(id))
      op.by_library = op.by_library || is_library_reduction(program_, graph_, id);
    else if (op.kind == OpKind::dot_general)
      op.by_library = is_library_product(program_, id);
  }

  MachineProgram& program_;
  const Graph& graph_;
  ComputationId computation_;
  std::map<Known, MachineOpId> known_;
  std::set<MachineOpId> rounding_;    // ops that have been widened; a sum among them rounds at every step
  std::set<MachineOpId> rounded_;     // the conversions of their results to bf16
  int64_t added_ = 0;                 // bytes of arrays that the program does not have
  std::vector<uint32_t> uses_;        // by MachineOpId
  std::vector<MachineOpId> instead_;  // by MachineOpId: what takes its place
};

}  // namespace

void rewrite_for_cpu(MachineProgram& program, const Graph& graph) { CpuRewrite(program, graph).run(); }

}  // namespace sw
