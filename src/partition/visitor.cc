#include "partition/visitor.h"

#include "partition/align.h"
#include "partition/collect.h"

namespace sw {

TileShardingId Visitor::on_device_zero(TileShardingId id) {
  const TileSharding s = context.at(id);
  TileSharding device;
  device.kind = TileKind::maximal;
  device.device = 0;
  if (is_manual(s)) return context.id(device);
  if (s.kind != TileKind::tuple) return id;
  TileSharding tuple = s;
  for (TileShardingId& element : tuple.elements) element = on_device_zero(element);
  return context.id(tuple);
}

// The sharding inside the manual groups; the groups of a reference where one is given.
Visitor::Seen Visitor::grouped(TileShardingId id, const GroupedSharding* reference, GroupedSharding* out) {
  const TileSharding s = context.at(id);
  if (s.kind == TileKind::tuple) {
    TileSharding tuple = s;
    GroupedSharding first;
    for (size_t i = 0; i < tuple.elements.size(); ++i) {
      GroupedSharding element;
      tuple.elements[i] = grouped(s.elements[i], i == 0 ? reference : &first, &element).sharding;
      if (i == 0) first = element;
    }
    if (out != nullptr) *out = first;
    return {context.id(tuple), scope_};
  }
  if (!has_manual_subgroup(s)) {
    if (out != nullptr && reference != nullptr) *out = *reference;
    return {id, scope_};
  }
  const int64_t dim = manual_dim(s);
  GroupedSharding groups = group_on_dims(s, std::span(&dim, 1), true);
  if (reference != nullptr)
    if (auto aligned = align_groups_if_compatible(groups, *reference)) groups = *aligned;
  if (out != nullptr) *out = groups;
  return {context.id(groups.inner), scope_};
}

namespace {

// What a sharding is as a whole: a tuple is manual when all of its leaves are.
bool all_leaves(const Context& context, TileShardingId id, bool (*is)(const TileSharding&)) {
  const TileSharding& s = context.at(id);
  if (s.kind != TileKind::tuple) return is(s);
  for (TileShardingId element : s.elements)
    if (!all_leaves(context, element, is)) return false;
  return !s.elements.empty();
}

bool is_control(OpKind kind) {
  return kind == OpKind::all_reduce || kind == OpKind::call || kind == OpKind::case_ || kind == OpKind::infeed ||
         kind == OpKind::outfeed || kind == OpKind::rng || kind == OpKind::tuple || kind == OpKind::while_;
}

bool is_custom_call(const Graph& graph, OpId op, std::string_view target) {
  if (graph.op(op).kind != OpKind::custom_call) return false;
  const AttrId name = graph.attr(graph.op(op), "call_target_name");
  return name.valid() && graph.attr_table.get(name).text == target;
}

}  // namespace

void Visitor::visit(OpId op) {
  op_ = op;
  sharding_ = shardings_[graph().result(op).index()];
  scope_ = &everything_;
  all_manual_ = false;
  manual_groups_.reset();
  result_ = {};
  context.emit.set_visiting(op);
  context.cause = {op, -1, {}, sharding_, CollectiveReason::reshard, {}};
  const OpKind kind = graph().op(op).kind;
  const bool to_manual = is_custom_call(graph(), op, "SPMDFullToShardShape");
  if (!is_control(kind) && !to_manual) {
    if (all_leaves(context, sharding_, is_manual)) {
      if (kind != OpKind::custom_call && kind != OpKind::partition_id) enter_manual();
    } else if (all_leaves(context, sharding_, has_manual_subgroup) && kind != OpKind::get_tuple_element &&
               !is_custom_call(graph(), op, "SPMDShardToFullShape")) {
      enter_manual_groups();
    }
  }
  context.miscompiles = false;
  partition_rule(kind)(*this);
  if (context.miscompiles && context.shared.lowering == Lowering::right) default_rule();
  note_users_collective(kind);
  context.shared.note_piece(result_.value, graph().result(op), shardings_[graph().result(op).index()]);
  // What was written belongs to everybody again, in the sharding that the program gives it.
  pieces_[graph().result(op).index()] = {result_.value, full_type(), shardings_[graph().result(op).index()],
                                         &everything_};
}

// A collective of the program itself, which its rule has copied.
void Visitor::note_users_collective(OpKind kind) {
  if (!is_listed_collective(kind)) return;
  const OpId local = graph().value(result_.value).def;
  if (local.valid() && graph().op(local).kind == kind)
    context.shared.causes.emplace_back(local, CollectiveCause{op_, -1, {}, {}, CollectiveReason::user, {}});
}

void Visitor::enter_manual() {
  all_manual_ = true;
  sharding_ = on_device_zero(sharding_);
}

void Visitor::enter_manual_groups() {
  GroupedSharding groups;
  sharding_ = grouped(sharding_, nullptr, &groups).sharding;
  manual_groups_ = groups;
  scope_ = group_scope(context, &everything_, groups.device_groups);
}

ShardedValue Visitor::operand(size_t i) {
  context.cause = {op_, static_cast<int32_t>(i),   pieces_[operand_value(i).index()].sharding,
                   {},  CollectiveReason::reshard, operand_value(i)};
  return piece(operand_value(i));
}

uint32_t Visitor::uses(ValueId value) const { return context.shared.uses[value.index()]; }

ShardedValue Visitor::piece(ValueId value) {
  ShardedValue piece = pieces_[value.index()];
  if (all_manual_) piece.sharding = on_device_zero(piece.sharding);
  if (manual_groups_) {
    piece.sharding = grouped(piece.sharding, &*manual_groups_, nullptr).sharding;
    piece.scope = scope_;
  }
  return piece;
}

ShardedValue Visitor::reshard_result(const ShardedValue& value) {
  context.cause = {op_, -1, value.sharding, sharding_, CollectiveReason::result, {}};
  return reshard(context, value, sharding_);
}

ShardedValue Visitor::clone_as(TileShardingId s, std::span<const ValueId> operands) {
  return {context.emit.clone(op_, shard_type(context, full_type(), s), operands), full_type(), s, scope_};
}

void Visitor::default_rule() {
  const TileSharding s = sharding();
  TileSharding base = replicated_sharding();
  if (s.kind == TileKind::maximal) base = s;
  if (s.kind == TileKind::tuple && !s.elements.empty() && context.at(s.elements[0]).kind == TileKind::maximal)
    base = context.at(s.elements[0]);
  const TileShardingId id = context.id(base);
  std::vector<ValueId> operands;
  for (size_t i = 0; i < operand_count(); ++i) operands.push_back(reshard(context, operand(i), id).value);
  finish(ShardedValue{context.emit.clone(op_, full_type(), operands), full_type(), id, scope_});
}

// The bounds of a clamp may be scalars, for which XLA puts broadcasts in the result's sharding before it partitions.
bool Visitor::is_scalar_for_all(size_t i) {
  const Type result = graph().types.get(full_type());
  return result.is_array() && result.rank() > 0 && graph().op(op_).kind == OpKind::clamp && operand_dims(i).empty();
}

void Visitor::elementwise_rule() {
  const size_t count = operand_count();
  const auto given = [&](size_t i) { return is_scalar_for_all(i) ? sharding_ : operand(i).sharding; };
  bool all_equal = count > 1;
  for (size_t i = 1; i < count && all_equal; ++i) all_equal = context.same(given(i), given(0));
  const TileShardingId s = all_equal ? given(0) : sharding_;
  std::vector<ValueId> operands;
  for (size_t i = 0; i < count; ++i) {
    if (!is_scalar_for_all(i)) {
      operands.push_back(reshard(context, operand(i), s).value);
      continue;
    }
    const Type piece = graph().types.get(shard_type(context, full_type(), s));
    const ArrayShape shape{piece.element, Dims(piece.dims)};
    operands.push_back(context.emit.splat(replicate(context, operand(i)).value, shape));
  }
  finish(clone_as(s, operands));
}

void Visitor::elementwise_except(std::span<const int64_t> dims) {
  if (is_trivial(sharding())) return default_rule();
  TileSharding s = sharding();
  const Dims full = result_dims();
  const auto allowed = [&](int64_t d) { return !contains(dims, d); };
  for (int64_t d : dims) {
    if (const auto to = first_dim_to_absorb(full, s, d, allowed))
      s = move_tiles(s, d, *to);
    else
      s = replicate_dims(s, std::span(&d, 1));
  }
  const TileShardingId id = context.id(s);
  std::vector<ValueId> operands;
  for (size_t i = 0; i < operand_count(); ++i) operands.push_back(reshard(context, operand(i), id).value);
  finish(clone_as(id, operands));
}

}  // namespace sw
