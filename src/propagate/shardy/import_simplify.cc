// What XLA's simplification of StableHLO does to a program before Shardy sees it, function by function, as far as it
// changes which values there are: an op that gives what it was given is gone, a reshape of a reshape is one, a
// broadcast that only adds dimensions of size 1 is a reshape, a slice at constant places is no dynamic one. What nobody
// needs then is gone too.
//
// Worked example: %s = select(%p, %a, %b), where %a and %b are both broadcasts of a constant 0, is %a, and the
// comparison behind %p, with the scatter that it reads, is dead.
//
// Passes over the ops in program order are repeated while something changes. Follows stablehlo's
// StablehloAggressiveSimplification as far as JAX programs show it; differs: equal constants are not joined, since
// split_constants would part them again. propagate/gspmd/stablehlo_patterns.cc does the same, and more, to
// the form that GSPMD gets.
#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string>

#include "ops/dims_listed.h"
#include "ops/dims_slice.h"
#include "propagate/shardy/fold_constants.h"
#include "propagate/shardy/module.h"

namespace sw::shardy {
namespace {

using Sizes = SmallVector<int64_t, 6>;

// -1 when it is too large.
int64_t element_count(const Sizes& sizes) {
  int64_t product = 1;
  for (const int64_t size : sizes)
    if (__builtin_mul_overflow(product, size, &product)) return -1;
  return product;
}

class Simplifier {
 public:
  Simplifier(Module& module, std::vector<Alias>& aliases)
      : module_(module), ir_(module.ir), folder_(module), aliases_(aliases) {}

  void run(WorkBlockId body) {
    constexpr int kMaxPasses = 6;
    for (int pass = 0; pass < kMaxPasses; ++pass) {
      std::vector<WorkOpId> all;
      walk_preorder(ir_, body, [&](WorkOpId id) {
        all.push_back(id);
        return true;
      });
      bool changed = false;
      for (const WorkOpId id : all)
        if ((ir_.op(id).flags & (kErased | kHasShardings)) == 0) changed = simplify(id) || changed;
      if (!changed) return;
    }
  }

 private:
  bool simplify(WorkOpId id) {
    if (fold(id)) return true;
    switch (ir_.op(id).kind) {
      case OpKind::broadcast_in_dim: return simplify_broadcast(id);
      case OpKind::reshape: return simplify_reshape(id);
      case OpKind::transpose: return simplify_transpose(id);
      case OpKind::convert: return same_type(id, 0) && forward(id, ir_.operand(id, 0));
      case OpKind::slice: return same_type(id, 0) && forward(id, ir_.operand(id, 0));
      case OpKind::reverse: return simplify_reverse(id);
      case OpKind::pad: return simplify_pad(id);
      case OpKind::reduce: return simplify_reduce(id);
      case OpKind::select: return simplify_select(id);
      case OpKind::add:
      case OpKind::subtract:
      case OpKind::multiply:
      case OpKind::and_:
      case OpKind::or_: return simplify_binary(id);
      case OpKind::real:
      case OpKind::imag: return simplify_part(id);
      case OpKind::concatenate: return simplify_concatenate(id);
      case OpKind::dynamic_slice: return simplify_dynamic_slice(id);
      case OpKind::dynamic_update_slice: return simplify_dynamic_update(id);
      default: return false;
    }
  }

  // ---- what there is

  Sizes sizes_of(WorkValueId value) const { return Sizes(module_.graph.types.get(ir_.value(value).type).dims); }
  bool same_type(WorkOpId id, uint32_t operand) const {
    return ir_.value(ir_.operand(id, operand)).type == ir_.value(ir_.result(id)).type;
  }
  bool shaped(WorkValueId value) const { return (ir_.value(value).flags & kShaped) != 0; }

  // The op that carries the attributes.
  std::pair<const Graph*, OpId> attributes(WorkOpId id) const {
    const WorkOp& op = ir_.op(id);
    if ((op.flags & kMadeOp) != 0) return {&module_.made.graph(), OpId{static_cast<size_t>(op.extra)}};
    return {&module_.graph, op.origin};
  }
  Sizes listed(WorkOpId id) const {
    const auto [graph, op] = attributes(id);
    return op.valid() ? Sizes(listed_dims(*graph, op, ir_.op(id).kind)) : Sizes{};
  }

  WorkOpId def_of_kind(WorkValueId value, OpKind kind) const {
    const WorkOpId def = ir_.value(value).def;
    return def.valid() && ir_.op(def).kind == kind && (ir_.op(def).flags & kHasShardings) == 0 ? def : WorkOpId{};
  }

  // The text of the element that every element of the value is; the view lives as long as the graph.
  std::optional<std::string_view> splat_of(WorkValueId value) const {
    for (WorkOpId def = ir_.value(value).def; def.valid(); def = ir_.value(ir_.operand(def, 0)).def) {
      const WorkOp& op = ir_.op(def);
      if (op.kind == OpKind::sdy_constant || op.kind == OpKind::constant) {
        const AttrId attr = op.origin.valid() ? module_.graph.attr(module_.graph.op(op.origin), "value") : AttrId{};
        if (!attr.valid()) return std::nullopt;
        const Attr literal = module_.graph.attr_table.get(attr);
        if (literal.kind != AttrKind::dense || literal.form != DenseForm::splat) return std::nullopt;
        return literal.text;
      }
      if (op.kind != OpKind::broadcast_in_dim && op.kind != OpKind::reshape) return std::nullopt;
    }
    return std::nullopt;
  }
  std::optional<double> number_of(WorkValueId value) const {
    const auto splat = splat_of(value);
    if (!splat || splat->starts_with("0x")) return std::nullopt;
    if (*splat == "true" || *splat == "false") return *splat == "true" ? 1 : 0;
    const std::string text(*splat);
    char* end = nullptr;
    const double number = std::strtod(text.c_str(), &end);
    return end != text.c_str() && *end == '\0' ? std::optional(number) : std::nullopt;
  }
  bool is_number(WorkValueId value, double number) const {
    const auto found = number_of(value);
    return found && *found >= number && *found <= number;
  }

  // ---- what is done

  void drop_if_dead(WorkOpId id) {
    std::vector<WorkOpId> stack{id};
    while (!stack.empty()) {
      const WorkOpId op = stack.back();
      stack.pop_back();
      const uint8_t flags = ir_.op(op).flags;
      if ((flags & (kErased | kDataFlow)) != 0 || (flags & kPureOp) == 0 || !ir_.unused(op)) continue;
      const std::vector<WorkOpId> defs = defs_of(op);
      ir_.erase(op);
      stack.insert(stack.end(), defs.begin(), defs.end());
    }
  }

  bool fold(WorkOpId id) {
    if (!folder_.can_fold(id)) return false;
    const std::vector<WorkOpId> before = defs_of(id);
    folder_.fold(id);
    drop_dead(before);
    return true;
  }

  std::vector<WorkOpId> defs_of(WorkOpId id) const {
    std::vector<WorkOpId> defs;
    for (uint32_t i = 0; i < ir_.op(id).operand_count; ++i)
      if (const WorkOpId def = ir_.value(ir_.operand(id, i)).def; def.valid()) defs.push_back(def);
    return defs;
  }
  void drop_dead(const std::vector<WorkOpId>& ids) {
    for (const WorkOpId id : ids) drop_if_dead(id);
  }

  // The result is `value`.
  bool forward(WorkOpId id, WorkValueId value) {
    const WorkValueId result = ir_.result(id);
    aliases_.push_back({ir_.value(result).origin, value});
    module_.replace(result, value);
    drop_if_dead(id);
    return true;
  }

  bool set_operand(WorkOpId id, WorkValueId value) {
    const WorkOpId before = ir_.value(ir_.operand(id, 0)).def;
    ir_.set_use(UseId{ir_.op(id).first_use}, value);
    if (before.valid()) drop_if_dead(before);
    return true;
  }

  // From `source`, with other attributes than the op as read has.
  bool become(WorkOpId id, OpKind kind, WorkValueId source, const Sizes& dims) {
    const Sizes in = sizes_of(source), out = sizes_of(ir_.result(id));
    ir_.op(id).kind = kind;
    ir_.op(id).flags |= kMadeOp;
    ir_.op(id).extra = module_.made.shape_op(kind, in, out, dims);
    return set_operand(id, source);
  }

  // ---- patterns

  // (x : same type) -> x; (broadcast_in_dim(x)) -> broadcast_in_dim(x), the inner one being none that is a reshape;
  // then, same elements in order -> reshape.
  bool simplify_broadcast(WorkOpId id) {
    const WorkValueId operand = ir_.operand(id, 0);
    const Sizes dims = listed(id), in = sizes_of(operand);
    if (!shaped(operand) || !shaped(ir_.result(id)) || dims.size() != in.size()) return false;
    const bool sorted = std::is_sorted(dims.begin(), dims.end());
    if (sorted && same_type(id, 0)) return forward(id, operand);
    if (sorted && element_count(in) == element_count(sizes_of(ir_.result(id))))
      return become(id, OpKind::reshape, operand, {});
    const WorkOpId inner = def_of_kind(operand, OpKind::broadcast_in_dim);
    if (!inner.valid()) return false;
    const Sizes inside = listed(inner);
    if (inside.size() != sizes_of(ir_.operand(inner, 0)).size()) return false;
    Sizes merged;
    for (const int64_t dim : inside) merged.push_back(dims[static_cast<size_t>(dim)]);
    return become(id, OpKind::broadcast_in_dim, ir_.operand(inner, 0), merged);
  }

  // (x : same type) -> x; (reshape(x)) -> reshape(x).
  bool simplify_reshape(WorkOpId id) {
    const WorkValueId operand = ir_.operand(id, 0);
    if (!shaped(operand) || !shaped(ir_.result(id))) return false;
    if (same_type(id, 0)) return forward(id, operand);
    const WorkOpId inner = def_of_kind(operand, OpKind::reshape);
    if (!inner.valid()) return false;
    const WorkValueId source = ir_.operand(inner, 0);
    if (ir_.value(source).type == ir_.value(ir_.result(id)).type) return forward(id, source);
    return become(id, OpKind::reshape, source, {});
  }

  // (x, identity) -> x; only dimensions of 1 move -> reshape; (transpose(x)) -> transpose(x).
  bool simplify_transpose(WorkOpId id) {
    const WorkValueId operand = ir_.operand(id, 0);
    const Sizes dims = listed(id), in = sizes_of(operand);
    if (!shaped(operand) || dims.size() != in.size()) return false;
    if (counts_up(dims)) return forward(id, operand);
    if (moves_ones_only(dims, in)) return become(id, OpKind::reshape, operand, {});
    const WorkOpId inner = def_of_kind(operand, OpKind::transpose);
    if (!inner.valid()) return false;
    const Sizes inside = listed(inner);
    if (inside.size() != dims.size()) return false;
    Sizes merged;
    for (const int64_t d : dims) merged.push_back(inside[static_cast<size_t>(d)]);
    if (counts_up(merged)) return forward(id, ir_.operand(inner, 0));
    return become(id, OpKind::transpose, ir_.operand(inner, 0), merged);
  }

  // Along extents of 1, or of a splat -> x.
  bool simplify_reverse(WorkOpId id) {
    const WorkValueId operand = ir_.operand(id, 0);
    const Sizes in = sizes_of(operand);
    const auto moves = [&](int64_t d) { return in[static_cast<size_t>(d)] != 1; };
    const Sizes dims = listed(id);
    if (std::any_of(dims.begin(), dims.end(), moves) && !splat_of(operand)) return false;
    return forward(id, operand);
  }

  // By nothing -> x.
  bool simplify_pad(WorkOpId id) {
    PadDims pad;
    const auto [graph, op] = attributes(id);
    if (!same_type(id, 0) || !op.valid() || !read_pad_dims(*graph, op, pad)) return false;
    for (const DimList& list : {pad.low, pad.high, pad.interior})
      if (std::any_of(list.begin(), list.end(), [](int64_t v) { return v != 0; })) return false;
    return forward(id, ir_.operand(id, 0));
  }

  // Over no dimension -> x.
  bool simplify_reduce(WorkOpId id) {
    if (!ir_.op(id).origin.valid() || !listed(id).empty() || ir_.unused(id)) return false;
    for (uint32_t i = 0; i < ir_.op(id).result_count; ++i) {
      if (ir_.value(ir_.operand(id, i)).type != ir_.value(ir_.result(id, i)).type) return false;
      const WorkValueId operand = ir_.operand(id, i);
      aliases_.push_back({ir_.value(ir_.result(id, i)).origin, operand});
      module_.replace(ir_.result(id, i), operand);
    }
    drop_if_dead(id);
    return true;
  }

  // (p, x, x) -> x; (constant, x, y) -> one of them.
  bool simplify_select(WorkOpId id) {
    const WorkValueId yes = ir_.operand(id, 1), no = ir_.operand(id, 2);
    if (yes == no) return forward(id, yes);
    const auto a = splat_of(yes), b = splat_of(no);
    if (a && b && *a == *b) return forward(id, yes);
    const WorkValueId chosen = ir_.operand(id, 0);
    return number_of(chosen) && forward(id, is_number(chosen, 0) ? no : yes);
  }

  // x + 0, x - 0, x * 1, x & true, x | false -> x, with the constant on either side where that is the same.
  bool simplify_binary(WorkOpId id) {
    const OpKind kind = ir_.op(id).kind;
    const WorkValueId a = ir_.operand(id, 0), b = ir_.operand(id, 1);
    const bool logical = kind == OpKind::and_ || kind == OpKind::or_;
    if (logical && module_.graph.types.get(ir_.value(a).type).element != ElementType::pred) return false;
    const double neutral = kind == OpKind::multiply || kind == OpKind::and_ ? 1 : 0;
    if (splat_of(a) && splat_of(b)) return false;
    if (is_number(b, neutral)) return forward(id, a);
    if (kind != OpKind::subtract && is_number(a, neutral)) return forward(id, b);
    if (!logical) return false;
    // false & x is false, true | x is true.
    if (is_number(a, 1 - neutral)) return forward(id, a);
    return is_number(b, 1 - neutral) && forward(id, b);
  }

  // real(complex(a, b)) -> a.
  bool simplify_part(WorkOpId id) {
    const WorkOpId parts = def_of_kind(ir_.operand(id, 0), OpKind::complex);
    return parts.valid() && forward(id, ir_.operand(parts, ir_.op(id).kind == OpKind::real ? 0 : 1));
  }

  // Of one -> it; pieces of extent 0 go; one that only this one uses is taken apart.
  bool simplify_concatenate(WorkOpId id) {
    const WorkOp op = ir_.op(id);
    const Sizes dims = listed(id);
    if (op.operand_count == 1) return forward(id, ir_.operand(id, 0));
    std::vector<WorkValueId> pieces;
    for (uint32_t i = 0; i < op.operand_count; ++i) {
      const WorkValueId operand = ir_.operand(id, i);
      if (sizes_of(operand)[static_cast<size_t>(dims[0])] == 0) continue;
      const WorkOpId inner = def_of_kind(operand, OpKind::concatenate);
      if (!inner.valid() || !ir_.has_one_use(operand) || !std::ranges::equal(listed(inner), dims)) {
        pieces.push_back(operand);
        continue;
      }
      for (uint32_t k = 0; k < ir_.op(inner).operand_count; ++k) pieces.push_back(ir_.operand(inner, k));
    }
    if (pieces.empty() || pieces.size() == op.operand_count) return false;
    if (pieces.size() == 1) return forward(id, pieces[0]);
    const std::vector<WorkOpId> before = defs_of(id);
    std::vector<std::vector<int64_t>> shapes;
    for (const WorkValueId piece : pieces) {
      const Sizes sizes = sizes_of(piece);
      shapes.emplace_back(sizes.begin(), sizes.end());
    }
    ir_.replace_operands(id, pieces);
    ir_.op(id).flags |= kMadeOp;
    ir_.op(id).extra = module_.made.concatenate_op(shapes, dims[0]);
    drop_dead(before);
    return true;
  }

  // At constant places -> slice, or x when it takes all of it.
  bool simplify_dynamic_slice(WorkOpId id) {
    const WorkValueId operand = ir_.operand(id, 0);
    Sizes starts;
    for (uint32_t i = 1; i < ir_.op(id).operand_count; ++i) {
      const auto start = number_of(ir_.operand(id, i));
      if (!start) return false;
      starts.push_back(static_cast<int64_t>(*start));
    }
    const Sizes in = sizes_of(operand), out = sizes_of(ir_.result(id));
    if (starts.size() != in.size()) return false;
    if (in == out) return forward(id, operand);
    for (size_t d = 0; d < in.size(); ++d) starts[d] = std::clamp<int64_t>(starts[d], 0, in[d] - out[d]);
    ir_.op(id).kind = OpKind::slice;
    ir_.op(id).flags |= kMadeOp;
    ir_.op(id).extra = module_.made.slice_op(in, out, starts);
    const WorkValueId only[] = {operand};
    ir_.replace_operands(id, only);
    return true;
  }

  // Of all of it, at zero -> the update.
  bool simplify_dynamic_update(WorkOpId id) {
    if (ir_.value(ir_.operand(id, 0)).type != ir_.value(ir_.operand(id, 1)).type) return false;
    for (uint32_t i = 2; i < ir_.op(id).operand_count; ++i)
      if (!is_number(ir_.operand(id, i), 0)) return false;
    return forward(id, ir_.operand(id, 1));
  }

  Module& module_;
  WorkIr& ir_;
  ConstantFolder folder_;
  std::vector<Alias>& aliases_;
};

}  // namespace

std::vector<std::vector<Alias>> simplify_functions(Module& module) {
  std::vector<std::vector<Alias>> aliases(module.functions.size());
  for (size_t f = 0; f < module.functions.size(); ++f)
    if (module.functions[f].alive) Simplifier(module, aliases[f]).run(module.body(module.functions[f]));
  return aliases;
}

}  // namespace sw::shardy
