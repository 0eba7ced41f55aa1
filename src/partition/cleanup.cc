#include "partition/cleanup.h"

#include <algorithm>
#include <unordered_map>

#include "base/hash.h"
#include "ir/builder.h"
#include "ir/donation.h"

namespace sw {

bool has_effect(const Graph& graph, const Graph& tables, const Op& op) {
  switch (op.kind) {
    case OpKind::send:
    case OpKind::recv:
    case OpKind::send_done:
    case OpKind::recv_done:
    case OpKind::infeed:
    case OpKind::outfeed:
    case OpKind::rng: return true;
    case OpKind::custom_call: {
      const AttrId effect = Graph::find(graph.attrs(op), tables.strings.find("has_side_effect"));
      return effect.valid() && tables.attr_table.get(effect).integer != 0;
    }
    default: return has_trait(op.kind, kTerminator);
  }
}

namespace {

bool is_collective(OpKind kind) { return facts(kind).family == Family::collective; }

// Copies what is alive into a new graph, computation by computation.
class Cleaner {
 public:
  explicit Cleaner(Graph& from)
      : from_(from),
        new_op_(from.op_count()),
        new_value_(from.value_count()),
        new_region_(from.region_count()),
        same_as_(from.value_count()) {
    to_.types() = std::move(from.types);
    to_.attr_table() = std::move(from.attr_table);
    to_.strings() = std::move(from.strings);
    to_.copy_locations(from);
  }

  Cleaned run() {
    const FunctionId main = copy_function(from_.main);
    Cleaned out;
    to_.set_main(main);
    to_.set_is_hlo(true);
    to_.set_module(from_.module_name, to_.attrs(from_.attrs(from_.module_attrs)));
    to_.set_module(from_.module_name, to_.attrs(kept_module_attrs()));
    out.graph = to_.take();
    out.new_op = std::move(new_op_);
    for (size_t i = 0; i < same_as_.size(); ++i)
      if (same_as_[i].valid()) new_value_[i] = new_value_[resolved(ValueId{i}).index()];
    out.new_value = std::move(new_value_);
    return out;
  }

 private:
  std::vector<NamedAttr> kept_module_attrs() {
    std::vector<NamedAttr> kept;
    for (const NamedAttr& a : from_.attrs(from_.module_attrs)) {
      const std::string_view name = to_.strings().text(a.name);
      // Shapes of the whole program, and what only propagation reads.
      if (name.find("entry_computation_layout") != std::string_view::npos ||
          name.find("allow_spmd_sharding_propagation") != std::string_view::npos ||
          name.find("alias_passthrough") != std::string_view::npos || is_donation_attr(name))
        continue;
      kept.push_back(a);
    }
    for (const NamedAttr& a : donation_attrs(to_, kept_donations())) kept.push_back(a);
    return kept;
  }

  // A result takes over a parameter only where both have equal size on a device. Where shardings have been changed
  // from outside they may not; XLA would refuse the module.
  Donations kept_donations() {
    const Graph& graph = to_.graph();
    Donations kept = read_donations(graph);
    if (kept.aliases.empty()) return kept;
    const Block& entry = graph.block(graph.entry_block(graph.function(graph.main).body));
    const auto size = [&](TypeId type, const Donations::Path& path) {
      for (const int64_t index : path) type = graph.types.get(type).elements[static_cast<size_t>(index)];
      const Type array = graph.types.get(type);
      return std::pair(array.element_count(), bits(array.element));
    };
    const TypeId root = graph.value(graph.operands(entry.ops.back())[0]).type;
    std::erase_if(kept.aliases, [&](const Donations::Alias& alias) {
      const ValueId parameter{entry.first_arg.raw + static_cast<uint32_t>(alias.argument.number)};
      return size(root, alias.result) != size(graph.value(parameter).type, alias.argument.path);
    });
    return kept;
  }

  ValueId resolved(ValueId v) {
    while (same_as_[v.index()].valid()) v = same_as_[v.index()];
    return v;
  }

  // get-tuple-element of a tuple is the tuple's operand; a tuple of all elements of one tuple is that tuple.
  void simplify_tuples(const std::vector<OpId>& ops) {
    for (OpId id : ops) {
      const Op& op = from_.op(id);
      if (op.kind == OpKind::get_tuple_element) {
        const ValueId tuple = resolved(from_.operands(op)[0]);
        const OpId def = from_.value(tuple).def;
        if (!def.valid() || from_.op(def).kind != OpKind::tuple) continue;
        same_as_[from_.result(id).index()] = resolved(from_.operands(def)[index_of(op)]);
      } else if (op.kind == OpKind::tuple) {
        simplify_whole_tuple(id);
      }
    }
  }

  size_t index_of(const Op& op) const {
    const AttrId attr = Graph::find(from_.attrs(op), to_.graph().strings.find("index"));
    return attr.valid() ? static_cast<size_t>(to_.graph().attr_table.get(attr).integer) : 0;
  }

  void simplify_whole_tuple(OpId id) {
    const auto operands = from_.operands(id);
    ValueId whole;
    for (size_t i = 0; i < operands.size(); ++i) {
      const OpId def = from_.value(resolved(operands[i])).def;
      if (!def.valid() || from_.op(def).kind != OpKind::get_tuple_element || index_of(from_.op(def)) != i) return;
      const ValueId source = resolved(from_.operands(def)[0]);
      if (i == 0) whole = source;
      if (whole != source) return;
    }
    if (!whole.valid() || to_.graph().types.get(from_.value(whole).type).elements.size() != operands.size()) return;
    same_as_[from_.result(id).index()] = whole;
  }

  std::vector<bool> alive(const std::vector<OpId>& ops) {
    std::vector<bool> used(ops.size(), false);
    std::unordered_map<uint32_t, size_t> position;
    for (size_t i = 0; i < ops.size(); ++i) position.emplace(ops[i].raw, i);
    for (size_t i = ops.size(); i-- > 0;) {
      if (!used[i] && !has_effect(from_, to_.graph(), from_.op(ops[i]))) continue;
      used[i] = true;
      for (ValueId operand : from_.operands(ops[i])) {
        const OpId def = from_.value(resolved(operand)).def;
        if (!def.valid()) continue;
        const auto at = position.find(def.raw);
        if (at != position.end()) used[at->second] = true;
      }
    }
    return used;
  }

  FunctionId copy_function(FunctionId id) {
    Function function = from_.function(id);
    const RegionId body = function.body;
    for (auto& slice : function.arg_attrs) slice = copy_attrs(slice);
    for (auto& slice : function.result_attrs) slice = copy_attrs(slice);
    function.attrs = copy_attrs(function.attrs);
    const std::vector<OpId> ops = from_.block(from_.entry_block(body)).ops;
    simplify_tuples(ops);
    const std::vector<bool> used = alive(ops);
    // Called computations stand before their callers.
    for (size_t i = 0; i < ops.size(); ++i)
      if (used[i])
        for (RegionId region : from_.regions(from_.op(ops[i]))) copy_region(region);
    const FunctionId copy = to_.add_function(function);
    const RegionId region = to_.add_region({}, copy);
    to_.function(copy).body = region;
    new_region_[body.index()] = region;
    copy_block(from_.entry_block(body), to_.add_block(region), ops, used);
    return copy;
  }

  void copy_region(RegionId region) {
    if (new_region_[region.index()].valid()) return;
    copy_function(from_.region(region).function);
  }

  Slice<NamedAttr> copy_attrs(Slice<NamedAttr> slice) { return to_.attrs(from_.attrs(slice)); }

  void copy_block(BlockId from, BlockId to, const std::vector<OpId>& ops, const std::vector<bool>& used) {
    const Block& block = from_.block(from);
    for (uint32_t i = 0; i < block.arg_count; ++i) {
      const ValueId arg{block.first_arg.raw + i};
      const Value& value = from_.value(arg);
      new_value_[arg.index()] = to_.add_arg(to, value.type, value.name, value.where, value.loc);
    }
    std::unordered_map<uint64_t, std::vector<OpId>> seen;
    for (size_t i = 0; i < ops.size(); ++i)
      if (used[i]) copy_op(ops[i], to, seen);
  }

  void copy_op(OpId id, BlockId block, std::unordered_map<uint64_t, std::vector<OpId>>& seen) {
    const Op& op = from_.op(id);
    std::vector<ValueId> operands;
    for (ValueId operand : from_.operands(op)) operands.push_back(new_value_[resolved(operand).index()]);
    std::vector<TypeId> types;
    for (uint32_t r = 0; r < op.result_count; ++r) types.push_back(from_.value(from_.result(id, r)).type);
    const std::vector<NamedAttr> attrs(from_.attrs(op).begin(), from_.attrs(op).end());
    std::vector<RegionId> regions;
    for (RegionId region : from_.regions(op)) regions.push_back(new_region_[region.index()]);
    const bool mergeable = op.result_count == 1 && !is_collective(op.kind) && !has_effect(from_, to_.graph(), op) &&
                           regions.empty() && op.kind != OpKind::custom_call;
    if (mergeable || op.kind == OpKind::partition_id) {
      if (const OpId twin = find_twin(op, operands, types, attrs, seen); twin.valid()) {
        new_op_[id.index()] = twin;
        new_value_[from_.result(id).index()] = to_.graph().result(twin);
        return;
      }
    }
    GraphBuilder::OpSpec spec;
    spec.kind = op.kind;
    spec.name = op.name;
    spec.operands = operands;
    spec.result_types = types;
    spec.attrs = attrs;
    spec.loc = op.loc;
    spec.where = op.where;
    if (op.result_count > 0) spec.result_name = from_.value(op.first_result).name;
    const OpId copy = to_.add_op(block, spec);
    if (!regions.empty()) to_.set_regions(copy, regions);
    new_op_[id.index()] = copy;
    for (uint32_t r = 0; r < op.result_count; ++r)
      new_value_[from_.result(id, r).index()] = to_.graph().result(copy, r);
    if (mergeable || op.kind == OpKind::partition_id) seen[key_of(op, operands, types)].push_back(copy);
  }

  static uint64_t key_of(const Op& op, const std::vector<ValueId>& operands, const std::vector<TypeId>& types) {
    uint64_t h = static_cast<uint64_t>(op.kind);
    for (ValueId v : operands) h = hash_mix(h, v.raw);
    for (TypeId t : types) h = hash_mix(h, t.raw);
    return h;
  }

  OpId find_twin(const Op& op, const std::vector<ValueId>& operands, const std::vector<TypeId>& types,
                 const std::vector<NamedAttr>& attrs, std::unordered_map<uint64_t, std::vector<OpId>>& seen) {
    const auto found = seen.find(key_of(op, operands, types));
    if (found == seen.end()) return {};
    const auto metadata = to_.graph().strings.find("metadata");
    const auto significant = [&](std::span<const NamedAttr> list) {
      std::vector<NamedAttr> kept;
      for (const NamedAttr& a : list)
        if (a.name != metadata) kept.push_back(a);
      return kept;
    };
    const Graph& graph = to_.graph();
    for (OpId candidate : found->second) {
      const Op& other = graph.op(candidate);
      if (other.kind != op.kind || !std::ranges::equal(graph.operands(other), operands)) continue;
      if (graph.value(other.first_result).type != types[0]) continue;
      if (significant(graph.attrs(other)) == significant(attrs)) return candidate;
    }
    return {};
  }

  Graph& from_;
  GraphBuilder to_;
  std::vector<OpId> new_op_;
  std::vector<ValueId> new_value_;
  std::vector<RegionId> new_region_;
  std::vector<ValueId> same_as_;
};

}  // namespace

Cleaned clean_up(Graph graph) { return Cleaner(graph).run(); }

}  // namespace sw
