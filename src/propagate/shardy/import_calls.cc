// Calls. Each call gets a copy of the function to itself, so that each call site may get its own shardings: the first
// call of a function (callees before callers) keeps the function, later ones clone it with everything it calls. Then
// every call becomes a named computation, an op with the body of the function as its region and data-flow edges on its
// arguments and results. Arguments take the shardings of the function's arguments, results those of the call.
//
// Worked example: main calls f twice and f calls g. f keeps g; main's first call keeps f; its second clones f and g.
// There are two instances of each.
//
// Follows FlattenCallGraphPass, ImportFuncCallsPass and walkCalls.
#include <algorithm>

#include "propagate/shardy/module.h"

namespace sw::shardy {
namespace {

// Functions called by a function, each once, in the order of its calls.
std::vector<uint32_t> callees_of(const Module& module, uint32_t function) {
  std::vector<uint32_t> out;
  const WorkIr& ir = module.ir;
  walk_preorder(ir, module.body(module.functions[function]), [&](WorkOpId id) {
    const WorkOp& op = ir.op(id);
    if (op.kind == OpKind::call && op.extra < module.functions.size() &&
        std::find(out.begin(), out.end(), op.extra) == out.end())
      out.push_back(op.extra);
    return true;
  });
  return out;
}

Reported report_recursion(const Module& module, uint32_t function) {
  const Function& of = module.graph.function(module.functions[function].origin);
  module.diagnostics.error(
      DiagnosticKind::call_recursion, of.where,
      "`@" + std::string(module.graph.strings.text(of.name)) + "` calls itself, directly or through others");
  return Reported{};
}

class CallImporter {
 public:
  explicit CallImporter(Module& module) : module_(module), ir_(module.ir) {}

  Result<void> run() {
    const Result<std::vector<uint32_t>> order = functions_post_order(module_);
    if (!order) return reported();
    std::vector<uint8_t> taken(module_.functions.size());
    for (const uint32_t function : *order) {
      for (const WorkOpId call : calls_in(function)) {
        const uint32_t callee = ir_.op(call).extra;
        if (taken[callee] != 0) {
          if (!clone_function(call)) return reported();
        }
        taken[callee] = 1;
      }
    }
    const size_t count = module_.functions.size();
    for (uint32_t function = 0; function < count; ++function)
      for (const WorkOpId call : calls_in(function)) inline_as_region(call);
    module_.for_each_body([&](WorkBlockId body) { add_edges_in(body); });
    return {};
  }

 private:
  // Beyond this many ops the program has more activations than anybody can compile.
  static constexpr size_t kMostOps = size_t{1} << 26;

  std::vector<WorkOpId> calls_in(uint32_t function) const {
    std::vector<WorkOpId> calls;
    walk_postorder(ir_, module_.body(module_.functions[function]), [&](WorkOpId id) {
      if (ir_.op(id).kind == OpKind::call && ir_.op(id).extra < module_.functions.size()) calls.push_back(id);
    });
    return calls;
  }

  // Gives `call` and all calls in its function their own copies. The work list replaces recursion; copies do not depend
  // on the order in which they are made.
  bool clone_function(WorkOpId call) {
    std::vector<WorkOpId> todo{call};
    while (!todo.empty()) {
      const WorkOpId next = todo.back();
      todo.pop_back();
      WorkFunction copy = module_.functions[ir_.op(next).extra];
      const WorkRegionId from = copy.body;
      copy.body = ir_.add_region(WorkOpId{});
      ir_.begin_clone();
      ir_.clone_region(from, copy.body);
      const auto index = static_cast<uint32_t>(module_.functions.size());
      ir_.op(next).extra = index;
      module_.functions.push_back(std::move(copy));
      for (const WorkOpId inner : calls_in(index)) todo.push_back(inner);
      if (ir_.ops.size() > kMostOps) {
        const OpId at = ir_.op(call).origin;
        module_.diagnostics.error(DiagnosticKind::unsupported, module_.graph.op(at).where,
                                  "calls multiply to more operations than can be planned");
        return false;
      }
    }
    return true;
  }

  void inline_as_region(WorkOpId call) {
    WorkFunction& callee = module_.functions[ir_.op(call).extra];
    callee.alive = false;
    const OpId origin = ir_.op(call).origin;
    std::vector<WorkValueId> operands;
    for (uint32_t i = 0; i < ir_.op(call).operand_count; ++i) operands.push_back(ir_.operand(call, i));
    const WorkOpId named = ir_.add_op({OpKind::named_computation, origin, kPureOp | kDataFlow, operands});
    const bool has_shardings = (ir_.op(call).flags & kHasShardings) != 0;
    for (uint32_t i = 0; i < ir_.op(call).result_count; ++i) {
      const WorkValueId from = ir_.result(call, i);
      const WorkValue value = ir_.value(from);
      const WorkValueId to = ir_.add_result(named, value.type, value.flags, value.origin);
      if (has_shardings) ir_.shardings[to.index()] = ir_.shardings[from.index()];
    }
    ir_.insert_before(named, call);
    // The body of the function becomes the region.
    ir_.op(named).first_region = callee.body.raw;
    ir_.op(named).region_count = 1;
    ir_.regions[callee.body.index()].owner = named;
    const WorkBlockId body = ir_.entry_block(callee.body);
    complete_arguments(body);
    const WorkOpId terminator = ir_.terminator(body);
    if (terminator.valid() && ir_.op(terminator).kind == OpKind::func_return) {
      ir_.refresh_uses(terminator);
      ir_.op(terminator).kind = OpKind::sdy_return;
    }
    for (uint32_t i = 0; i < ir_.op(call).result_count; ++i)
      ir_.replace_uses_except(ir_.result(call, i), ir_.result(named, i), WorkOpId{});
    ir_.erase(call);
  }

  // All arguments get a sharding as soon as one has: missing ones are open.
  void complete_arguments(WorkBlockId body) {
    std::vector<NamedShardingId> list;
    std::vector<TypeId> types;
    const uint32_t count = ir_.block(body).arg_count;
    for (uint32_t i = 0; i < count; ++i) {
      list.push_back(ir_.shardings[ir_.arg(body, i).index()]);
      types.push_back(ir_.value(ir_.arg(body, i)).type);
    }
    const std::vector<NamedShardingId> complete = module_.completed(list, types);
    for (uint32_t i = 0; i < count; ++i)
      ir_.shardings[ir_.arg(body, i).index()] = complete.empty() ? NamedShardingId{} : complete[i];
  }

  void add_edges_in(WorkBlockId body) {
    std::vector<WorkValueId> owners;
    walk_postorder(ir_, body, [&](WorkOpId id) {
      if (ir_.op(id).kind != OpKind::named_computation) return;
      owners.clear();
      const WorkBlockId block = ir_.entry_block(id, 0);
      for (uint32_t i = 0; i < ir_.block(block).arg_count; ++i) owners.push_back(ir_.arg(block, i));
      add_edges(module_, owners);
      owners.clear();
      for (uint32_t i = 0; i < ir_.op(id).result_count; ++i) owners.push_back(ir_.result(id, i));
      add_edges(module_, owners);
    });
  }

  Module& module_;
  WorkIr& ir_;
};

}  // namespace

Result<std::vector<uint32_t>> functions_post_order(const Module& module) {
  enum : uint8_t { kNew, kOpen, kDone };
  struct Frame {
    uint32_t function;
    std::vector<uint32_t> callees;
    size_t next = 0;
  };
  std::vector<uint32_t> order;
  std::vector<uint8_t> state(module.functions.size(), kNew);
  std::vector<Frame> stack;
  for (uint32_t root = 0; root < module.functions.size(); ++root) {
    if (state[root] != kNew) continue;
    state[root] = kOpen;
    stack.push_back({root, callees_of(module, root)});
    while (!stack.empty()) {
      Frame& top = stack.back();
      if (top.next == top.callees.size()) {
        state[top.function] = kDone;
        order.push_back(top.function);
        stack.pop_back();
        continue;
      }
      const uint32_t callee = top.callees[top.next++];
      if (state[callee] == kOpen) return tl::make_unexpected(report_recursion(module, callee));
      if (state[callee] == kDone) continue;
      state[callee] = kOpen;
      stack.push_back({callee, callees_of(module, callee)});
    }
  }
  return order;
}

Result<void> import_calls(Module& module) {
  const bool any = std::any_of(module.ir.ops.begin(), module.ir.ops.end(), [](const WorkOp& op) {
    return (op.kind == OpKind::call || op.kind == OpKind::named_computation) && (op.flags & kErased) == 0;
  });
  if (!any) return {};
  return CallImporter(module).run();
}

}  // namespace sw::shardy
