// After propagation Shardy turns named computations back into functions, merges those that ended alike, moves the
// shardings of edges to their owners, repairs boundaries and closes everything. Here nothing is rewritten; the
// shardings that would come out are computed value by value.
//
// Functions. Two instances of a function with equal argument and result shardings become one; the one whose call comes
// first stays, in the order: calls of main, then calls inside the instances, instances counted from the inside out.
// What is inside the others is lost. Worked example: main calls f on [{"x"}] and on [{"y"}]: two functions stay. Called
// twice on [{"x"}]: one stays, and calls and values inside are reported from the first.
//
// Boundaries. Arguments and results of functions, and of manual computations, only keep axes that divide their
// dimensions; open dimensions of main's arguments and results lose sub-axes.
#include "propagate/shardy/export.h"

#include <algorithm>
#include <map>

#include "propagate/shardy/final_shardings.h"
#include "propagate/shardy/sharding_ops.h"

namespace sw::shardy {
namespace {

class Exporter {
 public:
  Exporter(Module& module, Engine& engine)
      : module_(module), ir_(module.ir), shardings_(module.shardings), engine_(engine), final_(module, engine) {}

  Plan run() {
    collect_instances();
    merge_instances();
    Plan plan;
    plan.by = Partitioner::shardy;
    plan.trace = engine_.state().take_trace();
    plan.named.resize(module_.graph.value_count());
    for (const WorkFunction& function : module_.functions)
      if (function.alive) fill_body(module_.body(function), plan);
    fill_function_arguments(plan);
    fill_aliases(plan);
    fill_absent(plan);
    fill_outputs(plan);
    fill_rules(plan);
    fill_mesh(plan);
    if (instances_.size() > 1) fill_instances(plan);
    plan.unsupported = engine_.unknown_ops();
    std::sort(plan.unsupported.begin(), plan.unsupported.end());
    plan.unsupported.erase(std::unique(plan.unsupported.begin(), plan.unsupported.end()), plan.unsupported.end());
    return plan;
  }

 private:
  struct Instance {
    std::vector<NamedShardingId> arguments, results;  // as Shardy's function would have them; empty: none at all
    uint32_t kept = 0;                                // the instance that stays in place of this one
    bool shown = false;                               // its values are the ones reported
    std::vector<uint32_t> calls;                      // instances called from it, in order
  };

  std::vector<TypeId> types_of(WorkValueId first, uint32_t count) const {
    std::vector<TypeId> list;
    for (uint32_t i = 0; i < count; ++i) list.push_back(ir_.value(WorkValueId{first.raw + i}).type);
    return list;
  }
  // ---- functions ---------------------------------------------------------------------------------------------------

  void collect_instances() {
    instances_.resize(module_.instances.size());
    module_.for_each_body([&](WorkBlockId body) {
      walk_postorder(ir_, body, [&](WorkOpId id) {
        if (ir_.op(id).kind != OpKind::named_computation || !instance_of_call(id)) return;
        const uint32_t instance = *instance_of_call(id);
        created_.push_back(instance);
        instances_[ir_.op(id).instance].calls.push_back(instance);
        describe(instance, id);
      });
    });
  }

  std::optional<uint32_t> instance_of_call(WorkOpId id) const {
    const WorkBlockId body = ir_.entry_block(id, 0);
    const WorkOpId first = ir_.block(body).first;
    if (!first.valid()) return std::nullopt;
    const uint32_t instance = ir_.op(first).instance;
    if (instance == ir_.op(id).instance) return std::nullopt;  // a named computation of the text, not a call
    return instance;
  }

  void describe(uint32_t instance, WorkOpId id) {
    Instance& made = instances_[instance];
    const WorkBlockId body = ir_.entry_block(id, 0);
    const uint32_t args = ir_.block(body).arg_count;
    if (args > 0) {
      const WorkValueId first = ir_.arg(body, 0);
      made.arguments = module_.completed(final_.sunk(first, args), types_of(first, args));
    }
    std::vector<NamedShardingId> returned;
    std::vector<TypeId> types;
    const WorkOpId terminator = ir_.terminator(body);
    for (uint32_t i = 0; i < ir_.op(terminator).operand_count; ++i) {
      const WorkValueId value = ir_.operand(terminator, i);
      returned.push_back(final_.value_sharding(value));
      types.push_back(ir_.value(value).type);
    }
    made.results = module_.completed(returned, types);
  }

  void merge_instances() {
    if (instances_.empty()) return;
    // In the order in which calls are met: those of functions that stand by themselves, then those inside created ones.
    std::vector<uint32_t> callers;
    for (uint32_t i = 0; i < instances_.size(); ++i)
      if (!module_.instances[i].call.valid()) callers.push_back(i);
    const size_t roots = callers.size();
    callers.insert(callers.end(), created_.begin(), created_.end());
    std::map<std::tuple<uint32_t, std::vector<NamedShardingId>, std::vector<NamedShardingId>>, uint32_t> first;
    for (const uint32_t caller : callers)
      for (const uint32_t callee : instances_[caller].calls) {
        const Instance& instance = instances_[callee];
        instances_[callee].kept =
            first.try_emplace({module_.instances[callee].function.raw, instance.arguments, instance.results}, callee)
                .first->second;
      }
    // Of each function, the first instance that can still be reached is shown.
    std::vector<uint8_t> reached(instances_.size());
    std::vector<uint32_t> todo(callers.begin(), callers.begin() + static_cast<ptrdiff_t>(roots));
    while (!todo.empty()) {
      const uint32_t at = todo.back();
      todo.pop_back();
      if (reached[at] != 0) continue;
      reached[at] = 1;
      for (const uint32_t callee : instances_[at].calls) todo.push_back(instances_[callee].kept);
    }
    std::vector<uint8_t> seen(module_.graph.function_count());
    for (const uint32_t root : callers) {
      if (root < instances_.size() && !module_.instances[root].call.valid()) show(root, seen);
      for (const uint32_t callee : instances_[root].calls)
        if (reached[instances_[callee].kept] != 0) show(instances_[callee].kept, seen);
    }
  }

  void show(uint32_t instance, std::vector<uint8_t>& seen) {
    uint8_t& shown = seen[module_.instances[instance].function.index()];
    if (shown != 0) return;
    shown = 1;
    instances_[instance].shown = true;
  }

  // ---- values ------------------------------------------------------------------------------------------------------

  void put(Plan& plan, WorkValueId value, NamedShardingId sharding) {
    const ValueId origin = ir_.value(value).origin;
    if (!origin.valid() || !sharding.valid() || plan.named[origin.index()].valid()) return;
    plan.named[origin.index()] = final_.closed(sharding);
  }

  void fill_body(WorkBlockId body, Plan& plan) {
    walk_preorder(ir_, body, [&](WorkOpId id) {
      const WorkOp& op = ir_.op(id);
      if (!instances_[op.instance].shown || op.kind == OpKind::data_flow_edge) return true;
      std::vector<NamedShardingId> results;
      if (op.kind == OpKind::named_computation && instance_of_call(id)) {
        results = instances_[instances_[*instance_of_call(id)].kept].results;
        results.resize(op.result_count);
        for (uint32_t i = 0; i < op.result_count; ++i) results[i] = final_.divisible(results[i], ir_.result(id, i));
      } else if ((op.flags & kDataFlow) != 0) {
        results = final_.results_of(id);
        if (op.kind == OpKind::manual_computation)
          for (uint32_t i = 0; i < op.result_count; ++i) results[i] = final_.divisible(results[i], ir_.result(id, i));
      } else {
        for (uint32_t i = 0; i < op.result_count; ++i)
          put(plan, ir_.result(id, i), engine_.sharding(ir_.result(id, i)));
        return true;
      }
      for (uint32_t i = 0; i < op.result_count; ++i) put(plan, ir_.result(id, i), results[i]);
      fill_block_arguments(id, results, plan);
      return true;
    });
  }

  void fill_block_arguments(WorkOpId id, const std::vector<NamedShardingId>& results, Plan& plan) {
    const WorkOp& op = ir_.op(id);
    if (op.kind == OpKind::while_) {
      for (uint32_t r = 0; r < op.region_count; ++r) {
        const WorkBlockId block = ir_.entry_block(id, r);
        for (uint32_t i = 0; i < ir_.block(block).arg_count && i < results.size(); ++i)
          put(plan, ir_.arg(block, i), results[i]);
      }
      return;
    }
    if (op.kind != OpKind::manual_computation && op.kind != OpKind::named_computation) return;
    const std::optional<uint32_t> instance =
        op.kind == OpKind::named_computation ? instance_of_call(id) : std::optional<uint32_t>();
    if (instance && !instances_[*instance].shown) return;
    const WorkBlockId block = ir_.entry_block(id, 0);
    const uint32_t args = ir_.block(block).arg_count;
    if (args == 0) return;
    const std::vector<NamedShardingId> list = final_.sunk(ir_.arg(block, 0), args);
    for (uint32_t i = 0; i < args; ++i) put(plan, ir_.arg(block, i), final_.divisible(list[i], ir_.arg(block, i)));
  }

  void fill_function_arguments(Plan& plan) {
    for (size_t f = 0; f < module_.functions.size(); ++f) {
      if (!module_.functions[f].alive) continue;
      const WorkBlockId body = module_.body(module_.functions[f]);
      for (uint32_t i = 0; i < ir_.block(body).arg_count; ++i) {
        const WorkValueId arg = ir_.arg(body, i);
        NamedShardingId sharding = final_.divisible(engine_.sharding(arg), arg);
        if (f == module_.main && sharding.valid()) sharding = without_open_sub_axes(shardings_, sharding);
        put(plan, arg, sharding);
      }
    }
  }

  // A value that became another has its sharding from that one: as a step of the trace too.
  void fill_aliases(Plan& plan) {
    for (const Alias& alias : module_.aliases) {
      if (!alias.read.valid() || plan.named[alias.read.index()].valid()) continue;
      const WorkValueId value = module_.current(alias.value);
      NamedShardingId sharding = final_.closed(final_.value_sharding(value));
      // A computation of constants has a copy for each use, and the one that was passed to a function may be gone.
      const ValueId passed = ir_.value(value).origin;
      if (!sharding.valid() && passed.valid()) sharding = plan.named[passed.index()];
      if (!sharding.valid()) continue;
      plan.named[alias.read.index()] = sharding;
      Step step;
      step.value = alias.read;
      step.after = sharding.raw;
      step.cause.kind = CauseKind::edge;
      step.cause.op = module_.graph.value(alias.read).def;
      const State::Place from = engine_.place_of(value);
      step.cause.from = from.value;
      step.instance = from.instance;
      plan.trace.steps.push_back(step);
    }
  }

  // Values as read that no op of the propagated module stands for: arguments of functions written out, dead code.
  void fill_absent(Plan& plan) {
    plan.absent.assign(module_.graph.value_count(), 1);
    const auto present = [&](ValueId origin) {
      if (origin.valid()) plan.absent[origin.index()] = 0;
    };
    const auto block = [&](WorkBlockId id) {
      for (uint32_t i = 0; i < ir_.block(id).arg_count; ++i) present(ir_.value(ir_.arg(id, i)).origin);
    };
    module_.for_each_body([&](WorkBlockId body) {
      block(body);
      walk_preorder(ir_, body, [&](WorkOpId id) {
        const WorkOp& op = ir_.op(id);
        for (uint32_t i = 0; i < op.result_count; ++i) present(ir_.value(ir_.result(id, i)).origin);
        for (uint32_t r = 0; r < op.region_count; ++r) block(ir_.entry_block(id, r));
        return true;
      });
    });
    for (const Alias& alias : module_.aliases) present(alias.read);
    for (size_t v = 0; v < plan.named.size(); ++v)
      if (plan.named[v].valid()) plan.absent[v] = 0;
  }

  void fill_outputs(Plan& plan) {
    const size_t count = module_.functions[module_.main].results.size();
    for (uint32_t i = 0; i < count; ++i) plan.outputs_named.push_back(final_.output(i));
  }

  void fill_rules(Plan& plan) {
    plan.rule_of_op.resize(module_.graph.op_count());
    std::vector<FactorRuleId> number(engine_.rules().count());
    for (size_t i = 0; i < ir_.ops.size(); ++i) {
      const WorkOp& op = ir_.ops[i];
      if (!op.origin.valid() || (op.flags & kErased) != 0 || plan.rule_of_op[op.origin.index()].valid()) continue;
      if (op.kind == OpKind::data_flow_edge || op.kind == OpKind::propagation_barrier) continue;
      const RuleId rule = engine_.rule_of(WorkOpId{i});
      if (!rule.valid()) continue;
      if (!number[rule.index()].valid()) {
        number[rule.index()] = FactorRuleId{plan.rules.size()};
        plan.rules.push_back(engine_.rules().get(rule));
      }
      plan.rule_of_op[op.origin.index()] = number[rule.index()];
    }
  }

  void fill_mesh(Plan& plan) {
    std::vector<size_t> count(shardings_.mesh_count());
    for (const NamedShardingId id : plan.named)
      if (id.valid()) ++count[shardings_.get(id).mesh.index()];
    const auto most = std::max_element(count.begin(), count.end());
    if (most != count.end() && *most > 0) {
      plan.mesh = MeshId{static_cast<size_t>(most - count.begin())};
    } else if (!count.empty()) {
      plan.mesh = MeshId{0};
    }
  }

  void fill_instances(Plan& plan) {
    for (const WorkInstance& instance : module_.instances) {
      const OpId call = instance.call.valid() ? ir_.op(instance.call).origin : OpId{};
      plan.instances.push_back({instance.function, instance.caller, call});
    }
    plan.instance_shown.resize(module_.graph.function_count());
    for (uint32_t i = 0; i < instances_.size(); ++i)
      if (instances_[i].shown) plan.instance_shown[module_.instances[i].function.index()] = i;
  }

  Module& module_;
  WorkIr& ir_;
  ShardingTable& shardings_;
  Engine& engine_;
  FinalShardings final_;
  std::vector<Instance> instances_;
  std::vector<uint32_t> created_;  // instances in the order in which Shardy makes functions of them
};

}  // namespace

void number_instances(Module& module) {
  WorkIr& ir = module.ir;
  module.instances.clear();
  const auto number = [&](const WorkFunction& function) {
    const auto root = static_cast<uint32_t>(module.instances.size());
    module.instances.push_back({function.origin, 0, WorkOpId{}});
    walk_preorder(ir, module.body(function), [&](WorkOpId id) {
      const WorkOpId parent = ir.parent_op(id);
      WorkOp& op = ir.op(id);
      op.instance = root;
      if (parent.valid()) {
        const WorkOp& around = ir.op(parent);
        op.instance = around.kind == OpKind::named_computation ? around.extra : around.instance;
      }
      if (op.kind != OpKind::named_computation) return true;
      op.extra = op.instance;  // a named computation of the text stays in the instance around it
      if (!op.origin.valid() || module.graph.op(op.origin).kind != OpKind::call) return true;
      const AttrId callee = module.graph.attr(module.graph.op(op.origin), "callee");
      const FunctionId to =
          module.graph.function_named(module.graph.strings.find(module.graph.attr_table.get(callee).text));
      op.extra = static_cast<uint32_t>(module.instances.size());
      module.instances.push_back({to, op.instance, id});
      return true;
    });
  };
  number(module.functions[module.main]);
  for (uint32_t f = 0; f < module.functions.size(); ++f)
    if (f != module.main && module.functions[f].alive) number(module.functions[f]);
}

Plan export_plan(Module& module, Engine& engine) { return Exporter(module, engine).run(); }

}  // namespace sw::shardy
