#include "partition/backend/rewrite.h"

#include <algorithm>

#include "partition/cleanup.h"
#include "partition/collect.h"

namespace sw {

Rewrite::Rewrite(LocalProgram& program) : program_(program), builder_(std::move(program.graph)) {
  users_.resize(graph().value_count());
  erased_.resize(graph().op_count(), false);
  std::vector<bool> seen(graph().function_count(), false);
  find_computations(graph().main, seen);
  ends_.resize(graph().block_count());
  for (FunctionId id : computations_) {
    const std::vector<OpId>& ops = graph().block(block_of(id)).ops;
    ends_[block_of(id).index()] = ops.back();
    for (OpId op : ops) note_users(op);
  }
  for (const Collective& c : program.collectives) {
    causes_.emplace(c.op.raw, c.cause);
    if (!c.also.empty()) also_.emplace(c.op.raw, c.also);
  }
}

// Depth of calls, not of data: computations nest as the program's text does.
void Rewrite::find_computations(FunctionId id, std::vector<bool>& seen) {
  if (seen[id.index()]) return;
  seen[id.index()] = true;
  for (OpId op_id : graph().block(block_of(id)).ops) {
    const Op& op = graph().op(op_id);
    if (op.kind != OpKind::while_ && op.kind != OpKind::case_ && op.kind != OpKind::call) continue;
    for (RegionId region : graph().regions(op)) find_computations(graph().region(region).function, seen);
  }
  computations_.push_back(id);
}

void Rewrite::note_users(OpId op) {
  if (has_trait(graph().op(op).kind, kTerminator)) return;
  for (ValueId operand : graph().operands(op)) {
    std::vector<OpId>& users = users_[operand.index()];
    if (users.empty() || users.back() != op) {
      if (std::find(users.begin(), users.end(), op) == users.end()) users.push_back(op);
    }
  }
}

void Rewrite::forget_users(OpId op) {
  for (ValueId operand : graph().operands(op)) std::erase(users_[operand.index()], op);
}

ValueId Rewrite::root(FunctionId computation) const {
  return graph().operands(ends_[block_of(computation).index()])[0];
}

std::vector<OpId> Rewrite::post_order(FunctionId computation) const {
  std::vector<OpId> order;
  std::vector<uint8_t> state(graph().op_count(), 0);  // 1: operands are being visited, 2: done
  std::vector<OpId> stack;
  const auto visit_from = [&](OpId start) {
    stack.push_back(start);
    while (!stack.empty()) {
      const OpId op = stack.back();
      uint8_t& at = state[op.index()];
      if (at != 0) {
        stack.pop_back();
        if (at == 1) order.push_back(op);
        at = 2;
        continue;
      }
      at = 1;
      const auto operands = graph().operands(op);
      for (size_t i = operands.size(); i-- > 0;)
        if (const OpId from = def(operands[i]); from.valid() && state[from.index()] == 0) stack.push_back(from);
    }
  };
  const std::vector<OpId>& ops = graph().block(block_of(computation)).ops;
  for (OpId op : ops) {
    const Op& data = graph().op(op);
    if (has_trait(data.kind, kTerminator) || erased(op)) continue;
    const bool used =
        std::any_of(users_.begin() + data.first_result.raw, users_.begin() + data.first_result.raw + data.result_count,
                    [](const auto& users) { return !users.empty(); });
    if (!used) visit_from(op);
  }
  return order;
}

ValueId Rewrite::add(OpId near, OpKind kind, TypeId type, std::span<const ValueId> operands,
                     std::span<const NamedAttr> attrs) {
  return emit(near, [&](Emitter& emitter) { return emitter.op(kind, type, operands, attrs); });
}

ValueId Rewrite::clone(OpId op, TypeId type, std::span<const ValueId> operands, OpId near) {
  const std::vector<ValueId> kept_operands(operands.begin(), operands.end());
  const std::vector<NamedAttr> attrs(graph().attrs(graph().op(op)).begin(), graph().attrs(graph().op(op)).end());
  const std::vector<RegionId> regions(graph().regions(graph().op(op)).begin(), graph().regions(graph().op(op)).end());
  const ValueId result = add(near.valid() ? near : op, graph().op(op).kind, type, kept_operands, attrs);
  builder_.set_location(def(result), graph().op(op).loc);
  builder_.set_where(def(result), graph().op(op).where);
  if (!regions.empty()) builder_.set_regions(def(result), regions);
  take_causes(def(result), op);
  return result;
}

ValueId Rewrite::emit(OpId near, const std::function<ValueId(Emitter&)>& write) {
  const size_t before = graph().op_count();
  Emitter emitter(builder_, graph().op(near).parent);
  emitter.set_visiting(near);
  const ValueId result = write(emitter);
  users_.resize(graph().value_count());
  erased_.resize(graph().op_count(), false);
  for (size_t i = before; i < graph().op_count(); ++i) note_users(OpId{i});
  return result;
}

ValueId Rewrite::scalar(OpId near, ElementType element, std::string_view number) {
  return emit(near, [&](Emitter& emitter) { return emitter.scalar_text(element, number); });
}

void Rewrite::set_attr(OpId op, NamedAttr attr) {
  std::vector<NamedAttr> attrs(graph().attrs(graph().op(op)).begin(), graph().attrs(graph().op(op)).end());
  const auto at = std::find_if(attrs.begin(), attrs.end(), [&](const NamedAttr& a) { return a.name == attr.name; });
  if (at == attrs.end())
    attrs.push_back(attr);
  else
    at->value = attr.value;
  builder_.set_attrs(op, attrs);
}

void Rewrite::set_groups(OpId op, const TileGrid& groups) {
  if (same_grid(groups, identity_grid(groups.dims))) {
    const std::string text = "[" + std::to_string(groups.dims[0]) + "," + std::to_string(groups.dims[1]) + "]<=[" +
                             std::to_string(groups.device_count()) + "]";
    set_attr(op, {builder_.name("replica_groups"), builder_.attr_table().opaque(text)});
    return;
  }
  Attr attr;
  attr.kind = AttrKind::dense;
  attr.form = DenseForm::list;
  attr.type = builder_.types().tensor(ElementType::s64, groups.dims);
  const std::vector<int64_t> ids = device_ids(groups);
  attr.integers = ids;
  set_attr(op, {builder_.name("replica_groups"), builder_.attr_table().intern(attr)});
}

void Rewrite::set_reduction(OpId op, OpKind kind, ElementType element) {
  RegionId& region = reductions_[{kind, element}];
  if (!region.valid()) {
    const TypeId scalar = builder_.types().tensor(element, {});
    const TypeId inputs[] = {scalar, scalar};
    Function function;
    function.name = builder_.name(std::string(facts(kind).hlo) + "_" + std::string(hlo_spelling(element)));
    function.type = builder_.types().function(inputs, std::span(inputs, 1));
    function.arg_attrs.resize(2);
    function.result_attrs.resize(1);
    const FunctionId id = builder_.add_function(function);
    region = builder_.add_region({}, id);
    builder_.function(id).body = region;
    const BlockId block = builder_.add_block(region);
    const ValueId x = builder_.add_arg(block, scalar, builder_.name("x"));
    const ValueId operands[] = {x, builder_.add_arg(block, scalar, builder_.name("y"))};
    GraphBuilder::OpSpec spec;
    spec.kind = kind;
    spec.name = builder_.name(facts(kind).hlo);
    spec.operands = operands;
    spec.result_types = std::span(&scalar, 1);
    const ValueId result = graph().result(builder_.add_op(block, spec));
    GraphBuilder::OpSpec end;
    end.kind = OpKind::func_return;
    end.name = builder_.name(facts(OpKind::func_return).mlir);
    end.operands = std::span(&result, 1);
    builder_.add_op(block, end);
    users_.resize(graph().value_count());
    erased_.resize(graph().op_count(), false);
  }
  builder_.set_regions(op, std::span(&region, 1));
}

void Rewrite::set_operand(OpId op, size_t i, ValueId value) {
  forget_users(op);
  builder_.set_operand(op, i, value);
  note_users(op);
}

void Rewrite::replace_uses(ValueId from, ValueId to) {
  if (from == to) return;
  const std::vector<OpId> users = users_[from.index()];
  for (OpId user : users)
    for (size_t i = 0; i < graph().operands(user).size(); ++i)
      if (operand(user, i) == from) builder_.set_operand(user, i, to);
  std::vector<OpId>& now = users_[to.index()];
  for (OpId user : users)
    if (std::find(now.begin(), now.end(), user) == now.end()) now.push_back(user);
  users_[from.index()].clear();
  // The end of the computation is not among the users.
  const OpId maker = def(from);
  const OpId end = ends_[(maker.valid() ? graph().op(maker).parent : graph().value(from).block).index()];
  for (size_t i = 0; i < graph().operands(end).size(); ++i)
    if (operand(end, i) == from) builder_.set_operand(end, i, to);
}

void Rewrite::replace(OpId op, ValueId value) {
  replace_uses(result(op), value);
  erase_unused(op);
}

void Rewrite::erase_unused(OpId start) {
  std::vector<OpId> waiting{start};
  while (!waiting.empty()) {
    const OpId id = waiting.back();
    waiting.pop_back();
    const Op& op = graph().op(id);
    if (erased(id) || has_effect(graph(), graph(), op)) continue;
    bool used = false;
    for (uint32_t r = 0; r < op.result_count; ++r) used = used || !users(graph().result(id, r)).empty();
    for (ValueId returned : graph().operands(ends_[op.parent.index()])) used = used || def(returned) == id;
    if (used) continue;
    erased_[id.index()] = true;
    forget_users(id);
    for (ValueId operand : graph().operands(id))
      if (def(operand).valid()) waiting.push_back(def(operand));
  }
}

void Rewrite::take_causes(OpId op, OpId other) {
  if (const auto at = causes_.find(other.raw); at != causes_.end())
    causes_.insert_or_assign(op.raw, CollectiveCause(at->second));
  if (const auto at = also_.find(other.raw); at != also_.end())
    also_.insert_or_assign(op.raw, std::vector<CollectiveCause>(at->second));
}

void Rewrite::merge_causes(OpId into, OpId other) {
  std::vector<CollectiveCause> more;
  if (const auto at = causes_.find(other.raw); at != causes_.end()) more.push_back(at->second);
  if (const auto at = also_.find(other.raw); at != also_.end())
    more.insert(more.end(), at->second.begin(), at->second.end());
  std::vector<CollectiveCause>& all = also_[into.raw];
  all.insert(all.end(), more.begin(), more.end());
}

void Rewrite::order_blocks() {
  for (FunctionId id : computations_) {
    const BlockId block = block_of(id);
    std::vector<OpId> ops = post_order(id);
    ops.push_back(ends_[block.index()]);
    builder_.set_block_ops(block, std::move(ops));
  }
}

void Rewrite::finish() {
  order_blocks();
  Cleaned cleaned = clean_up(builder_.take());
  std::vector<std::pair<OpId, CollectiveCause>> causes;
  for (const auto& [op, cause] : causes_) causes.emplace_back(OpId{op}, cause);
  program_.graph = std::move(cleaned.graph);
  program_.pieces.clear();
  program_.collectives = collect(program_.graph, causes, cleaned.new_op);
  std::unordered_map<uint32_t, Collective*> by_op;
  for (Collective& c : program_.collectives) by_op.emplace(c.op.raw, &c);
  for (auto& [op, also] : also_) {
    const OpId now = cleaned.new_op[op];
    if (const auto at = now.valid() ? by_op.find(now.raw) : by_op.end(); at != by_op.end())
      at->second->also = std::move(also);
  }
}

std::optional<OpKind> reduction_kind(const Graph& graph, const Op& op) {
  const auto regions = graph.regions(op);
  if (regions.size() != 1) return std::nullopt;
  const Block& block = graph.block(graph.entry_block(regions[0]));
  if (block.ops.size() != 2 || block.arg_count != 2) return std::nullopt;
  const Op& only = graph.op(block.ops[0]);
  return graph.operands(only).size() == 2 ? std::optional(only.kind) : std::nullopt;
}

}  // namespace sw
