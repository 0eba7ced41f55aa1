// What XLA's simplification of StableHLO does to the instructions there are. Follows stablehlo's
// StablehloAggressiveSimplification and StablehloAggressiveFolder as far as JAX programs show them.
//
// Worked example: broadcast_in_dim of a constant 0 to 64x32 is a constant of 64x32; two of them are one. XLA writes it
// out again as a scalar and a broadcast, shared by both users, whose shardings then meet in it.
//
// One pass in program order sees every op after its operands are simplified; passes are repeated while something
// changes, since uses that went away enable patterns that ask for a single use.
#include "propagate/gspmd/stablehlo_simplify.h"

#include <algorithm>
#include <bit>

#include "propagate/gspmd/import.h"

namespace sw::gspmd {

void Simplifier::run() {
  constexpr int kMaxPasses = 6;
  for (int pass = 0; pass < kMaxPasses; ++pass) {
    changed_ = false;
    count_uses();
    remove_dead(function_.body);
    constants_.clear();
    simplify_region(function_.body);
    if (!changed_) break;
  }
  count_uses();
  remove_dead(function_.body);
}

void Simplifier::count_uses() {
  uses_.assign(function_.values.size(), 0);
  count_region(function_.body);
}

void Simplifier::count_region(const StableRegion& region) {
  for (const uint32_t id : region.nodes) {
    const StableNode& node = function_.nodes[id];
    if (node.dead) continue;
    for (const uint32_t operand : node.operands) ++uses_[function_.resolve(operand)];
    for (const StableRegion& inner : node.regions) count_region(inner);
  }
  for (const uint32_t result : region.results) ++uses_[function_.resolve(result)];
}

// From the last node to the first, so that what fed only dead nodes goes too.
void Simplifier::remove_dead(StableRegion& region) {
  for (size_t i = region.nodes.size(); i-- > 0;) {
    StableNode& node = function_.nodes[region.nodes[i]];
    for (StableRegion& inner : node.regions) remove_dead(inner);
    bool used = !removable(node);
    for (uint32_t r = 0; r < node.result_count && !used; ++r) {
      const uint32_t value = node.first_result + r;
      used = function_.values[value].replaced == kNone && uses_[value] > 0;
    }
    if (used || node.dead) continue;
    node.dead = true;
    for (const uint32_t operand : node.operands) --uses_[function_.resolve(operand)];
    for (const StableRegion& inner : node.regions) release(inner);
  }
  std::erase_if(region.nodes, [&](uint32_t id) { return function_.nodes[id].dead; });
}

void Simplifier::release(const StableRegion& region) {
  for (const uint32_t id : region.nodes) {
    const StableNode& node = function_.nodes[id];
    if (node.dead) continue;
    for (const uint32_t operand : node.operands) --uses_[function_.resolve(operand)];
    for (const StableRegion& inner : node.regions) release(inner);
  }
  for (const uint32_t result : region.results) --uses_[function_.resolve(result)];
}

bool Simplifier::removable(const StableNode& node) const {
  if (node.kind == OpKind::while_) return true;  // XLA assumes that loops have no effect but their results
  if (node.kind == OpKind::custom_call)
    return node.op.valid() ? !has_side_effect(graph_, graph_.op(node.op), node.kind) : !node.has_effect;
  return has_trait(node.kind, kPure);
}

void Simplifier::simplify_region(StableRegion& region) {
  const std::vector<uint32_t> nodes = std::move(region.nodes);
  region.nodes.clear();
  for (const uint32_t id : nodes) {
    if (function_.nodes[id].dead) continue;
    for (uint32_t& operand : function_.nodes[id].operands) operand = function_.resolve(operand);
    for (size_t r = 0; r < function_.nodes[id].regions.size(); ++r) {
      StableRegion inner = std::move(function_.nodes[id].regions[r]);
      simplify_region(inner);
      function_.nodes[id].regions[r] = std::move(inner);
    }
    out_ = &region;
    if (simplify_node(id)) {
      changed_ = true;
      if (all_replaced(function_.nodes[id])) {
        function_.nodes[id].dead = true;
        continue;
      }
    }
    region.nodes.push_back(id);
  }
  for (uint32_t& result : region.results) result = function_.resolve(result);
}

bool Simplifier::all_replaced(const StableNode& node) const {
  if (node.result_count == 0) return false;
  for (uint32_t r = 0; r < node.result_count; ++r) {
    if (function_.values[node.first_result + r].replaced == kNone) return false;
  }
  return true;
}

bool Simplifier::replace(uint32_t id, uint32_t by) {
  function_.values[function_.nodes[id].first_result].replaced = function_.resolve(by);
  return true;
}

// A node put in front of the one at hand.
uint32_t Simplifier::insert(StableNode node, TypeId type) {
  node.first_result = static_cast<uint32_t>(function_.values.size());
  node.result_count = 1;
  function_.values.push_back({type, static_cast<uint32_t>(function_.nodes.size()), {}, kNone});
  uses_.push_back(1);
  out_->nodes.push_back(static_cast<uint32_t>(function_.nodes.size()));
  function_.nodes.push_back(std::move(node));
  return function_.nodes.back().first_result;
}

// Makes the node at hand another op of the same result.
bool Simplifier::become(uint32_t id, OpKind kind, std::vector<uint32_t> operands, DimList dims) {
  StableNode& node = function_.nodes[id];
  node.kind = kind;
  node.operands = std::move(operands);
  node.dims = std::move(dims);
  node.made.clear();
  return true;
}

// A splat with the element of another one.
bool Simplifier::become_splat(uint32_t id, const StableNode& like) {
  const StringId splat = like.splat;
  const std::optional<int64_t> number = like.number;
  const std::optional<double> real = like.real;
  become(id, OpKind::constant, {}, {});
  StableNode& node = function_.nodes[id];
  node.op = OpId{};
  node.splat = splat;
  node.number = number;
  node.real = real;
  node.literal = AttrId{};
  unique_constant(id);
  return true;
}

bool Simplifier::become_number(uint32_t id, int64_t number) {
  StableNode like;
  like.splat = graph_.strings.intern("number");
  like.number = number;
  return become_splat(id, like);
}

bool Simplifier::become_real(uint32_t id, double value) {
  const std::optional<double> near = rounded(value, element_of(function_.nodes[id].first_result));
  if (!near) return become_some_constant(id);
  StableNode like;
  like.splat = graph_.strings.intern("real");
  like.real = near;
  return become_splat(id, like);
}

// The value of an op on constants. All its elements are equal when those of its operands are.
bool Simplifier::become_some_constant(uint32_t id) {
  const StableNode& before = function_.nodes[id];
  const TypeId type = function_.values[before.first_result].type;
  bool splat = graph_.types.get(type).rank() == 0;
  if (!splat && before.kind != OpKind::concatenate) {
    splat = std::all_of(before.operands.begin(), before.operands.end(), [&](uint32_t v) { return is_splat(v); });
  }
  const std::optional<Literal> value = folded(before);
  if (value && splat && value->is_whole()) return become_number(id, value->whole[0]);
  if (value && splat && !is_complex(value->element)) return become_real(id, value->real[0]);
  become(id, OpKind::constant, {}, {});
  StableNode& node = function_.nodes[id];
  node.op = OpId{};
  node.splat = StringId{};
  node.literal = AttrId{};
  node.number.reset();
  node.real.reset();
  if (value && splat)
    node.splat = graph_.strings.intern(hlo_element(*value));
  else if (value)
    node.literal = literal_attr(graph_.attr_table, type, *value);
  else if (splat)
    node.splat = graph_.strings.intern(std::string(kComputed) + std::to_string(graph_.strings.count()));
  return true;
}

// Equal constants of a function are one. A later one gives way to the first.
bool Simplifier::unique_constant(uint32_t id) {
  const StableNode& node = function_.nodes[id];
  if (!node.splat.valid() && !node.literal.valid()) return false;
  const uint32_t value = node.first_result;
  Content kind = node.splat.valid() ? Content::text : Content::literal;
  uint64_t content = node.splat.valid() ? node.splat.raw : node.literal.raw;
  if (node.number) {
    kind = Content::number;
    content = static_cast<uint64_t>(*node.number);
  } else if (node.real) {
    kind = Content::real;
    content = std::bit_cast<uint64_t>(*node.real);
  }
  const auto [at, fresh] = constants_.try_emplace({function_.values[value].type.raw, kind, content}, value);
  if (fresh || at->second == value) return false;
  function_.values[value].replaced = at->second;
  return true;
}

bool Simplifier::is_splat(uint32_t value) const {
  const StableNode* node = function_.def(value);
  return node != nullptr && node->kind == OpKind::constant && node->splat.valid();
}

std::optional<int64_t> Simplifier::number_of(uint32_t value) const {
  const StableNode* node = function_.def(value);
  return node != nullptr && node->kind == OpKind::constant ? node->number : std::nullopt;
}

std::optional<double> Simplifier::real_of(uint32_t value) const {
  const StableNode* node = function_.def(value);
  return node != nullptr && node->kind == OpKind::constant ? node->real : std::nullopt;
}

// A splat of this number, whole or floating.
bool Simplifier::is_value(uint32_t value, int64_t wanted) const {
  return number_of(value) == wanted || real_of(value) == static_cast<double>(wanted);
}

bool Simplifier::single_use(uint32_t value) const { return value < uses_.size() && uses_[value] == 1; }

std::span<const int64_t> Simplifier::dims_of(uint32_t value) const {
  return graph_.types.get(function_.values[value].type).dims;
}

ElementType Simplifier::element_of(uint32_t value) const {
  return graph_.types.get(function_.values[value].type).element;
}

TypeId Simplifier::typed(uint32_t like, std::span<const int64_t> dims) {
  const std::vector<int64_t> copy(dims.begin(), dims.end());
  return graph_.types.tensor(element_of(like), copy);
}

const StableNode* Simplifier::def_of_kind(uint32_t value, OpKind kind) const {
  const StableNode* node = function_.def(value);
  return node != nullptr && node->kind == kind ? node : nullptr;
}

void simplify(Graph& graph, StableFunction& function) { Simplifier(graph, function).run(); }

}  // namespace sw::gspmd
