// A program as JAX lowers it does not reach Shardy in that form: XLA takes it through HLO first. Here the working IR is
// brought into the form in which it comes out again, as far as propagation can tell the difference:
//
// 1. Functions are simplified (import_simplify.cc), and calls are inlined; a value of a function called twice is then
//    several values.
// 2. A broadcast_in_dim that expands a dimension of size 1 is three ops, for (64x1) -> (8x64x32): broadcast (64x1) ->
//    (8x64x1), reshape -> (8x64), broadcast -> (8x64x32). One whose dimensions are not in order is a transpose, and a
//    broadcast unless nothing is left of it.
// 3. Ops of a block stand in post-order of the operands, from the result back: what the first result needs comes first.
// 4. A loop variable that the body returns as it is, is no variable: the loop uses the value outside.
// 5. A value with a sharding that a loop uses from outside gets a fully open constraint before the loop; the loop uses
//    that, so that it may choose another sharding.
// At the end uses are put in the order that the text of the result would give.
//
// Follows XLA: CallInliner, XlaBuilder::BroadcastInDim, MakeInstructionPostOrder, OpenWhileFreeVarsShardingPass, and
// the canonicalisation of stablehlo.while.
#include <algorithm>
#include <unordered_map>

#include "ops/dims_listed.h"
#include "propagate/shardy/module.h"
#include "propagate/shardy/sharding_ops.h"

namespace sw::shardy {
namespace {

// ---- 1. calls ------------------------------------------------------------------------------------------------------

class CallInliner {
 public:
  // `aliases`: by function, values as read that others stand for already.
  CallInliner(Module& module, std::vector<std::vector<Alias>> aliases)
      : module_(module), ir_(module.ir), aliases_(std::move(aliases)) {}

  Result<void> run() {
    const Result<std::vector<uint32_t>> order = functions_post_order(module_);
    if (!order) return reported();
    std::vector<uint8_t> called(module_.functions.size());
    for (const uint32_t function : *order) {
      std::vector<WorkOpId> calls;
      walk_postorder(ir_, module_.body(module_.functions[function]), [&](WorkOpId id) {
        if (ir_.op(id).kind == OpKind::call && ir_.op(id).extra < module_.functions.size()) calls.push_back(id);
      });
      for (const WorkOpId call : calls) {
        called[ir_.op(call).extra] = 1;
        if (!inline_call(call, function)) return reported();
      }
    }
    for (uint32_t f = 0; f < module_.functions.size(); ++f) {
      if (called[f] != 0 && f != module_.main) {
        drop(module_.functions[f]);
      } else {
        module_.aliases.insert(module_.aliases.end(), aliases_[f].begin(), aliases_[f].end());
      }
    }
    return {};
  }

 private:
  static constexpr size_t kMostOps = size_t{1} << 26;

  // The original of an inlined function.
  void drop(WorkFunction& function) {
    function.alive = false;
    const WorkBlockId body = module_.body(function);
    while (ir_.block(body).last.valid()) ir_.erase(ir_.block(body).last);
    for (uint32_t i = 0; i < ir_.block(body).arg_count; ++i)
      ir_.shardings[ir_.arg(body, i).index()] = NamedShardingId{};
  }

  bool inline_call(WorkOpId call, uint32_t caller) {
    const uint32_t callee = ir_.op(call).extra;
    const WorkBlockId body = module_.body(module_.functions[callee]);
    ir_.begin_clone();
    for (uint32_t i = 0; i < ir_.block(body).arg_count && i < ir_.op(call).operand_count; ++i) {
      const WorkValueId arg = ir_.arg(body, i);
      ir_.map_clone(arg, ir_.operand(call, i));
      aliases_[caller].push_back({ir_.value(arg).origin, ir_.operand(call, i)});
    }
    const WorkOpId terminator = ir_.terminator(body);
    for (WorkOpId id = ir_.block(body).first; id.valid(); id = ir_.op(id).next)
      if (id != terminator) ir_.insert_before(ir_.clone(id), call);
    for (const Alias& alias : aliases_[callee])
      aliases_[caller].push_back({alias.read, ir_.cloned(module_.current(alias.value))});
    for (uint32_t i = 0; i < ir_.op(call).result_count && i < ir_.op(terminator).operand_count; ++i) {
      const WorkValueId result = ir_.cloned(ir_.operand(terminator, i));
      aliases_[caller].push_back({ir_.value(ir_.result(call, i)).origin, result});
      module_.replace(ir_.result(call, i), result);
    }
    ir_.erase(call);
    if (ir_.ops.size() <= kMostOps) return true;
    module_.diagnostics.error(DiagnosticKind::unsupported, module_.graph.op(ir_.op(call).origin).where,
                              "calls multiply to more operations than can be planned");
    return false;
  }

  Module& module_;
  WorkIr& ir_;
  std::vector<std::vector<Alias>> aliases_;  // by function: values as read that stand for others after inlining
};

// ---- 2. broadcasts -------------------------------------------------------------------------------------------------

class BroadcastRewriter {
 public:
  explicit BroadcastRewriter(Module& module) : module_(module), ir_(module.ir) {}

  void run() {
    std::vector<WorkOpId> broadcasts;
    module_.for_each_body([&](WorkBlockId body) {
      walk_preorder(ir_, body, [&](WorkOpId id) {
        if (ir_.op(id).kind == OpKind::broadcast_in_dim) broadcasts.push_back(id);
        return true;
      });
    });
    for (const WorkOpId id : broadcasts) expand(id);
  }

 private:
  using Dims = SmallVector<int64_t, 6>;

  // The operand's dimensions in the result; those of an op that was changed stand with it.
  Dims mapped(WorkOpId id) const {
    const WorkOp& op = ir_.op(id);
    const bool made = (op.flags & kMadeOp) != 0;
    const OpId source = made ? OpId{static_cast<size_t>(op.extra)} : op.origin;
    return Dims(listed_dims(made ? module_.made.graph() : module_.graph, source, OpKind::broadcast_in_dim));
  }

  Dims extents(WorkValueId value) const { return Dims(module_.graph.types.get(ir_.value(value).type).dims); }

  // Puts the operand's dimensions in order; true when there is nothing more to do.
  bool sort(WorkOpId id, Dims& dims, Dims& in, const Dims& out) {
    if (std::is_sorted(dims.begin(), dims.end())) return false;
    Dims order, moved;
    for (size_t i = 0; i < dims.size(); ++i) order.push_back(static_cast<int64_t>(i));
    std::sort(order.begin(), order.end(),
              [&](int64_t a, int64_t b) { return dims[static_cast<size_t>(a)] < dims[static_cast<size_t>(b)]; });
    for (const int64_t d : order) moved.push_back(in[static_cast<size_t>(d)]);
    if (moved == out) {
      ir_.op(id).kind = OpKind::transpose;
      mark(id, OpKind::transpose, in, out, order);
      return true;
    }
    const WorkValueId turned = make(id, OpKind::transpose, ir_.operand(id, 0), in, moved, order);
    ir_.set_use(UseId{ir_.op(id).first_use}, turned);
    std::sort(dims.begin(), dims.end());
    in = moved;
    mark(id, OpKind::broadcast_in_dim, in, out, dims);
    return false;
  }

  // Dimensions of size 1 that grow.
  void expand(WorkOpId id) {
    const WorkValueId result = ir_.result(id);
    if ((ir_.value(ir_.operand(id, 0)).flags & ir_.value(result).flags & kShaped) == 0) return;
    Dims dims = mapped(id), in = extents(ir_.operand(id, 0));
    const Dims out = extents(result);
    if (dims.size() != in.size() || sort(id, dims, in, out)) return;
    const WorkValueId operand = ir_.operand(id, 0);
    bool expands = false;
    Dims middle = out, dropped, kept;
    for (size_t i = 0; i < in.size(); ++i) {
      const auto d = static_cast<size_t>(dims[i]);
      middle[d] = in[i];
      expands = expands || (in[i] == 1 && out[d] != 1);
    }
    if (!expands) return;
    for (size_t d = 0; d < out.size(); ++d)
      if (middle[d] == out[d]) {
        dropped.push_back(out[d]);
        kept.push_back(static_cast<int64_t>(d));
      }
    const WorkValueId first = make(id, OpKind::broadcast_in_dim, operand, in, middle, dims);
    const WorkValueId second = make(id, OpKind::reshape, first, middle, dropped, {});
    ir_.set_use(UseId{ir_.op(id).first_use}, second);
    mark(id, OpKind::broadcast_in_dim, dropped, out, kept);
  }

  // A new op before `before`.
  WorkValueId make(WorkOpId before, OpKind kind, WorkValueId operand, const Dims& in, const Dims& out,
                   const Dims& dims) {
    const WorkOpId made = ir_.add_op({kind, ir_.op(before).origin, kPureOp, std::span(&operand, 1)});
    const ElementType element = module_.graph.types.get(ir_.value(operand).type).element;
    const TypeId type = module_.program.graph.types.tensor(element, out);
    const auto flags = static_cast<uint8_t>(kShaped | (out.empty() ? kScalar : 0));
    const WorkValueId result = ir_.add_result(made, type, flags, ValueId{});
    ir_.insert_before(made, before);
    mark(made, kind, in, out, dims);
    return result;
  }

  void mark(WorkOpId id, OpKind kind, const Dims& in, const Dims& out, const Dims& dims) {
    ir_.op(id).flags |= kMadeOp;
    ir_.op(id).extra = module_.made.shape_op(kind, in, out, dims);
  }

  Module& module_;
  WorkIr& ir_;
};

// ---- 3. order ------------------------------------------------------------------------------------------------------

class PostOrder {
 public:
  explicit PostOrder(WorkIr& ir) : ir_(ir), seen_(ir.ops.size()) {}

  // Orders the ops of the block, and of every block inside.
  void run(WorkBlockId body) {
    std::vector<WorkBlockId> blocks{body};
    walk_preorder(ir_, body, [&](WorkOpId id) {
      for (uint32_t r = 0; r < ir_.op(id).region_count; ++r) {
        const WorkRegion& region = ir_.regions[ir_.op(id).first_region + r];
        for (uint32_t b = 0; b < region.block_count; ++b) blocks.push_back(WorkBlockId{region.first_block + b});
      }
      return true;
    });
    for (const WorkBlockId block : blocks) order(block);
  }

 private:
  void order(WorkBlockId block) {
    std::vector<WorkOpId> ordered;
    const WorkOpId terminator = ir_.terminator(block);
    for (WorkOpId id = ir_.block(block).first; id.valid(); id = ir_.op(id).next)
      if (id == terminator || ir_.unused(id)) visit(id, block, ordered);
    ir_.block(block).first = ir_.block(block).last = WorkOpId{};
    for (const WorkOpId id : ordered) ir_.append(block, id);
  }

  void visit(WorkOpId root, WorkBlockId block, std::vector<WorkOpId>& ordered) {
    enum : uint8_t { kNew, kOpen, kDone };
    stack_.assign(1, root);
    while (!stack_.empty()) {
      const WorkOpId id = stack_.back();
      uint8_t& state = seen_[id.index()];
      if (state != kNew) {
        stack_.pop_back();
        if (state == kOpen) ordered.push_back(id);
        state = kDone;
        continue;
      }
      state = kOpen;
      needs_.clear();
      collect_needs(id, block);
      stack_.insert(stack_.end(), needs_.rbegin(), needs_.rend());
    }
  }

  // Definitions in the block of the operands of an op, then of what its regions use.
  void collect_needs(WorkOpId id, WorkBlockId block) {
    const auto add = [&](WorkOpId user) {
      for (uint32_t i = 0; i < ir_.op(user).operand_count; ++i) {
        const WorkOpId def = ir_.value(ir_.operand(user, i)).def;
        if (def.valid() && ir_.op(def).parent == block && def != id) needs_.push_back(def);
      }
    };
    add(id);
    for (uint32_t r = 0; r < ir_.op(id).region_count; ++r) {
      const WorkRegion& region = ir_.regions[ir_.op(id).first_region + r];
      for (uint32_t b = 0; b < region.block_count; ++b)
        walk_preorder(ir_, WorkBlockId{region.first_block + b}, [&](WorkOpId inner) {
          add(inner);
          return true;
        });
    }
  }

  WorkIr& ir_;
  std::vector<uint8_t> seen_;
  std::vector<WorkOpId> stack_, needs_;
};

// ---- 4. and 5. loops -----------------------------------------------------------------------------------------------

class LoopRewriter {
 public:
  explicit LoopRewriter(Module& module) : module_(module), ir_(module.ir) {}

  void run(WorkBlockId body) {
    std::vector<WorkOpId> loops = loops_in(body);
    for (const WorkOpId loop : loops) drop_invariants(loop);
    loops = loops_in(body);
    for (const WorkOpId loop : loops) open_free_values(loop);
  }

 private:
  std::vector<WorkOpId> loops_in(WorkBlockId body) const {
    std::vector<WorkOpId> loops;
    walk_postorder(ir_, body, [&](WorkOpId id) {
      if (ir_.op(id).kind == OpKind::while_ && ir_.op(id).region_count == 2) loops.push_back(id);
    });
    return loops;
  }

  void drop_invariants(WorkOpId loop) {
    const WorkBlockId cond = ir_.entry_block(loop, 0), body = ir_.entry_block(loop, 1);
    const WorkOpId terminator = ir_.terminator(body);
    const uint32_t count = ir_.op(loop).result_count;
    if (ir_.op(loop).operand_count != count || ir_.op(terminator).operand_count != count) return;
    std::vector<uint32_t> kept;
    for (uint32_t i = 0; i < count; ++i)
      if (ir_.operand(terminator, i) != ir_.arg(body, i)) kept.push_back(i);
    if (kept.size() == count) return;
    // A new loop with the kept variables; its blocks take over the ops of the old ones.
    std::vector<WorkValueId> operands, returned;
    for (const uint32_t i : kept) operands.push_back(ir_.operand(loop, i));
    for (const uint32_t i : kept) returned.push_back(ir_.operand(terminator, i));
    const WorkOpId made = ir_.add_op({OpKind::while_, ir_.op(loop).origin, ir_.op(loop).flags, operands});
    for (const uint32_t i : kept) {
      const WorkValue old = ir_.value(ir_.result(loop, i));
      const NamedShardingId sharding = ir_.shardings[ir_.result(loop, i).index()];
      ir_.shardings[ir_.add_result(made, old.type, old.flags, old.origin).index()] = sharding;
    }
    ir_.insert_before(made, loop);
    ir_.replace_operands(terminator, returned);
    ir_.add_region(made);
    ir_.add_region(made);
    move_block(cond, WorkRegionId{ir_.op(made).first_region}, kept, loop);
    move_block(body, WorkRegionId{ir_.op(made).first_region + 1}, kept, loop);
    for (uint32_t i = 0, k = 0; i < count; ++i) {
      const bool is_kept = k < kept.size() && kept[k] == i;
      replace(ir_.result(loop, i), is_kept ? ir_.result(made, k) : ir_.operand(loop, i), !is_kept);
      if (is_kept) ++k;
    }
    ir_.erase(loop);
  }

  void move_block(WorkBlockId from, WorkRegionId to, const std::vector<uint32_t>& kept, WorkOpId loop) {
    const WorkBlockId block = ir_.add_block(to);
    for (const uint32_t i : kept) {
      const WorkValue old = ir_.value(ir_.arg(from, i));
      ir_.add_arg(block, old.type, old.flags, old.origin);
    }
    for (uint32_t i = 0, k = 0; i < ir_.block(from).arg_count; ++i) {
      const bool is_kept = k < kept.size() && kept[k] == i;
      replace(ir_.arg(from, i), is_kept ? ir_.arg(block, k) : ir_.operand(loop, i), !is_kept);
      if (is_kept) ++k;
    }
    while (ir_.block(from).first.valid()) ir_.move_to_back(ir_.block(from).first, block);
  }

  void replace(WorkValueId from, WorkValueId to, bool alias) {
    module_.replace(from, to);
    if (alias) module_.aliases.push_back({ir_.value(from).origin, to});
  }

  bool is_inside(WorkOpId id, WorkOpId loop) const {
    for (WorkOpId up = ir_.parent_op(id); up.valid(); up = ir_.parent_op(up))
      if (up == loop) return true;
    return false;
  }
  bool is_defined_inside(WorkValueId value, WorkOpId loop) const {
    if (ir_.value(value).def.valid()) return is_inside(ir_.value(value).def, loop);
    const WorkOpId owner = ir_.owning_op(value);
    return owner == loop || (owner.valid() && is_inside(owner, loop));
  }

  void open_free_values(WorkOpId loop) {
    std::vector<WorkValueId> free;
    for (uint32_t r = 0; r < 2; ++r)
      walk_postorder(ir_, ir_.entry_block(loop, r), [&](WorkOpId id) {
        for (uint32_t i = 0; i < ir_.op(id).operand_count; ++i) {
          const WorkValueId value = ir_.operand(id, i);
          if (!needs_opening(value) || is_defined_inside(value, loop)) continue;
          if (std::find(free.begin(), free.end(), value) == free.end()) free.push_back(value);
        }
      });
    for (const WorkValueId value : free) {
      const NamedShardingId sharding = module_.sharding_of(value);
      const WorkOpId open = ir_.add_op({OpKind::sharding_constraint, OpId{}, kElementwiseOp, std::span(&value, 1)});
      const WorkValueId result = ir_.add_result(open, ir_.value(value).type, ir_.value(value).flags, ValueId{});
      ir_.shardings[result.index()] =
          module_.shardings.fully_open(module_.shardings.get(sharding).mesh, module_.rank(value));
      ir_.insert_before(open, loop);
      for (UseId use = ir_.value(value).first_use; use.valid();) {
        const UseId next = ir_.uses[use.index()].next;
        if (is_inside(ir_.uses[use.index()].owner, loop)) ir_.set_use(use, result);
        use = next;
      }
    }
  }

  bool needs_opening(WorkValueId value) const {
    const NamedShardingId id = module_.sharding_of(value);
    if (!id.valid() || module_.rank(value) == 0) return false;
    const NamedSharding sharding = module_.shardings.get(id);
    return !fully_replicated_and_open(sharding) || !empty_axes(sharding);
  }

  Module& module_;
  WorkIr& ir_;
};

}  // namespace

bool is_jax_text(const Module& module) {
  const std::span<const NamedAttr> attrs = module.graph.attrs(module.graph.module_attrs);
  const auto has = [&](std::string_view name) { return Graph::find(attrs, module.graph.strings.find(name)).valid(); };
  return has("mhlo.num_partitions") && !has("mhlo.is_dynamic");
}

Result<void> import_jax(Module& module) {
  if (!CallInliner(module, simplify_functions(module)).run()) return reported();
  BroadcastRewriter(module).run();
  PostOrder order(module.ir);
  module.for_each_body([&](WorkBlockId body) { order.run(body); });
  LoopRewriter loops(module);
  module.for_each_body([&](WorkBlockId body) { loops.run(body); });
  std::vector<WorkBlockId> bodies;
  module.for_each_body([&](WorkBlockId body) { bodies.push_back(body); });
  module.ir.relink(bodies);
  return {};
}

}  // namespace sw::shardy
