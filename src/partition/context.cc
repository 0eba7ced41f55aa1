#include "partition/context.h"

#include <algorithm>

#include "base/checked_math.h"
#include "partition/ordinal_extent.h"

namespace sw {

RegionId Context::computation(std::string_view name, std::span<const TypeId> inputs, const Body& body) {
  GraphBuilder& b = emit.builder();
  Function function;
  function.name = b.name(name);
  function.arg_attrs.resize(inputs.size());
  function.result_attrs.resize(1);
  const FunctionId id = b.add_function(function);
  const RegionId region = b.add_region({}, id);
  b.function(id).body = region;
  const BlockId block = b.add_block(region);
  Emitter inside(b, block);
  inside.set_visiting(emit.visiting());
  std::vector<ValueId> args;
  for (size_t i = 0; i < inputs.size(); ++i)
    args.push_back(b.add_arg(block, inputs[i], b.name("p" + std::to_string(i))));
  const ValueId result = body(inside, args);
  GraphBuilder::OpSpec end;
  end.kind = OpKind::func_return;
  end.name = b.name(facts(OpKind::func_return).mlir);
  end.operands = std::span(&result, 1);
  b.add_op(block, end);
  const TypeId type = b.graph().value(result).type;
  b.function(id).type = b.types().function(inputs, std::span(&type, 1));
  return region;
}

void Context::note_miscompile(MiscompileKind kind) {
  miscompiles = true;
  const Miscompile here{emit.visiting(), kind};
  std::vector<Miscompile>& all = shared.miscompiles;
  if (std::find(all.begin(), all.end(), here) == all.end()) all.push_back(here);
}

RegionId Context::adder(ElementType element) {
  const auto found = shared.adders.find(element);
  if (found != shared.adders.end()) return found->second;
  const TypeId scalar = emit.type({element, {}});
  const TypeId inputs[] = {scalar, scalar};
  const RegionId region = computation(
      "add." + std::string(hlo_spelling(element)), inputs, [&](Emitter& inside, std::span<const ValueId> args) {
        return inside.binary(element == ElementType::pred ? OpKind::or_ : OpKind::add, args[0], args[1]);
      });
  shared.adders[element] = region;
  return region;
}

namespace {

// Reasons of what an op does to its partial results.
bool combines(CollectiveReason reason) {
  switch (reason) {
    case CollectiveReason::contraction:
    case CollectiveReason::reduction:
    case CollectiveReason::halo:
    case CollectiveReason::masked_rows:
    case CollectiveReason::partial_updates: return true;
    default: return false;
  }
}

}  // namespace

MoveScope::MoveScope(Context& context, const ShardedValue& value, TileShardingId target)
    : context_(context), before_(context.cause) {
  if (context.reshards++ > 0) return;
  CollectiveCause& cause = context.cause;
  const std::vector<ValueId>& source_of = context.shared.source_of;
  cause.value = value.value.index() < source_of.size() ? source_of[value.value.index()] : ValueId{};
  if (value.scope->outer == nullptr) {
    cause.from = value.sharding;
    cause.to = target;
  } else {
    cause.to = {};  // numbered inside the groups
  }
  if (!cause.value.valid()) return;
  if (combines(cause.reason)) cause.reason = CollectiveReason::reshard;
  if (!cause.op.valid()) return;  // a computation that returns its argument
  const auto operands = context.emit.graph().operands(cause.op);
  for (size_t i = 0; i < operands.size(); ++i)
    if (operands[i] == cause.value) cause.operand = static_cast<int32_t>(i);
}

MoveScope::~MoveScope() {
  if (--context_.reshards == 0) context_.cause = before_;
}

Dims shard_dims(std::span<const int64_t> full, const TileSharding& s) {
  Dims dims(full);
  if (is_tiled(s))
    for (size_t i = 0; i < dims.size(); ++i) dims[i] = ceil_div(dims[i], s.tile[i]);
  return dims;
}

bool tiles_evenly(std::span<const int64_t> full, const TileSharding& s) {
  if (is_manual(s)) return true;
  if (!is_tiled(s)) return is_replicated(s);
  for (size_t i = 0; i < full.size(); ++i)
    if (full[i] % s.tile[i] != 0) return false;
  return true;
}

Dims padded_dims(std::span<const int64_t> full, const TileSharding& s) {
  Dims dims(full);
  if (!is_tiled(s)) return dims;
  for (size_t i = 0; i < dims.size(); ++i) dims[i] = ceil_div(dims[i], s.tile[i]) * s.tile[i];
  return dims;
}

TileShardingId leaf_sharding(const Context& context, TileShardingId sharding, size_t leaf) {
  const TileSharding& s = context.at(sharding);
  return s.kind == TileKind::tuple ? s.elements[leaf] : sharding;
}

TypeId shard_type(Context& context, TypeId full, TileShardingId sharding) {
  const Graph& graph = context.emit.graph();
  const Type type = graph.types.get(full);
  if (type.kind == TypeKind::tuple) {
    const std::vector<TypeId> elements(type.elements.begin(), type.elements.end());
    std::vector<TypeId> shards;
    for (size_t i = 0; i < elements.size(); ++i)
      shards.push_back(shard_type(context, elements[i], leaf_sharding(context, sharding, i)));
    return context.emit.builder().types().tuple(shards);
  }
  if (!type.is_array()) return full;
  const ElementType element = type.element;
  return context.emit.type({element, shard_dims(type.dims, context.at(sharding))});
}

int64_t byte_size(const Graph& graph, TypeId id) {
  const Type type = graph.types.get(id);
  if (type.kind == TypeKind::tuple) {
    int64_t sum = 0;
    for (TypeId element : type.elements) sum += byte_size(graph, element);
    return sum;
  }
  return type.is_array() ? type.element_count() * ceil_div(bits(type.element), 8) : 0;
}

std::vector<ValueId> shard_offsets(Context& context, std::span<const int64_t> full, const TileSharding& s,
                                   ValueId partition_id, std::optional<std::span<const int64_t>> only) {
  Emitter& emit = context.emit;
  const Dims shard = shard_dims(full, s);
  std::vector<ValueId> offsets;
  ValueId zero;
  for (size_t i = 0; i < shard.size(); ++i) {
    if (tiles_along(s, i) == 1 || (only && !contains(*only, static_cast<int64_t>(i)))) {
      if (!zero.valid()) zero = emit.zero(ElementType::s32);
      offsets.push_back(zero);
      continue;
    }
    const ValueId tile = emit_grid_coordinate(emit, grid_of(s), partition_id, i);
    offsets.push_back(emit.binary(OpKind::multiply, tile, emit.scalar(ElementType::s32, shard[i])));
  }
  return offsets;
}

std::vector<ValueId> shard_ordinals(Context& context, const TileSharding& s, ValueId partition_id) {
  std::vector<ValueId> ordinals;
  for (size_t i = 0; i < s.data_rank(); ++i)
    ordinals.push_back(emit_grid_coordinate(context.emit, grid_of(s), partition_id, i));
  return ordinals;
}

ValueId emit_extent(Context& context, const OrdinalExtent& extent, ValueId ordinal) {
  Emitter& emit = context.emit;
  const auto constant = [&](int64_t v) { return emit.scalar(ElementType::s32, v); };
  ValueId sum;
  int64_t fixed = 0;
  for (const OrdinalExtent::Term& t : extent.terms()) {
    if (t.coefficient == 0) continue;
    if (t.multiplier == 0) {
      fixed += t.coefficient * (t.offset / t.divisor);
      continue;
    }
    ValueId v = ordinal;
    if (t.multiplier != 1) v = emit.binary(OpKind::multiply, v, constant(t.multiplier));
    if (t.offset != 0) v = emit.binary(OpKind::add, v, constant(t.offset));
    if (t.divisor != 1) v = emit.binary(OpKind::divide, v, constant(t.divisor));
    if (t.coefficient != 1) v = emit.binary(OpKind::multiply, v, constant(t.coefficient));
    sum = sum.valid() ? emit.binary(OpKind::add, sum, v) : v;
  }
  if (!sum.valid()) return constant(fixed);
  return fixed == 0 ? sum : emit.binary(OpKind::add, sum, constant(fixed));
}

Scope* group_scope(Context& context, Scope* outer, const DeviceGroups& groups) {
  for (const auto& scope : outer->inner)
    if (same_grid(scope->groups, groups)) return scope.get();
  auto scope = std::make_unique<Scope>();
  scope->outer = outer;
  scope->groups = groups;
  scope->device_count = group_size(groups);
  scope->partition_id =
      context.emit.convert(emit_grid_coordinate(context.emit, groups, outer->partition_id, 1), ElementType::u32);
  outer->inner.push_back(std::move(scope));
  return outer->inner.back().get();
}

}  // namespace sw
