// StableHLO as XLA's importer would turn it into HLO. Functions are read and simplified one by one
// (stablehlo_simplify.cc), then written out from main: calls in place, the regions of loops and conditionals as
// computations of one parameter, what they use from outside as part of it, several results as a tuple and its elements.
// Follows mlir_hlo_to_hlo.cc, XlaBuilder and the passes before sharding propagation (CallInliner,
// ConditionalCanonicalizer).
//
// Constants are written where they are used: one for each computation. A splat of several elements is a scalar and a
// broadcast.
#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <numeric>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "ops/attr_reader.h"
#include "ops/dims_collective.h"
#include "propagate/gspmd/import.h"
#include "propagate/gspmd/rules.h"
#include "propagate/gspmd/stablehlo_ir.h"
#include "propagate/gspmd/user_order.h"
#include "sharding/convert.h"
#include "sharding/text.h"

namespace sw::gspmd {
namespace {

constexpr int kMaxCallDepth = 1000;
constexpr size_t kMaxInstructions = size_t{1} << 22;
constexpr size_t kMaxCalls = size_t{1} << 20;

class StableImporter {
 public:
  StableImporter(Program& program, bool simplified, Diagnostics& diagnostics)
      : program_(program), graph_(program.graph), diagnostics_(diagnostics), simplified_(simplified) {}

  Result<Module> run() {
    if (!graph_.main.valid()) {
      diagnostics_.error(DiagnosticKind::no_main_function, {}, "no function `main` to propagate through");
      return reported();
    }
    const StableFunction* main = function({graph_.main, OpId{}, 0});
    if (main == nullptr) return reported();
    module_.place_of_value.resize(graph_.value_count());
    module_.instances.push_back({graph_.main, 0, OpId{}});
    const CompId comp = module_.add_computation();
    Frame frame{*main, comp, std::vector<InstId>(main->values.size()), 0};
    add_entry_parameters(frame);
    if (!emit_region(frame, main->body)) return reported();
    add_entry_root(frame);
    list_users_as_inlined(module_, written_out_);
    if (wrote_out_calls_) remove_dead();
    settle_replaced();
    put_callees_first(comp);
    return std::move(module_);
  }

 private:
  // One activation of a function in one computation; by value number, the instruction that computes it there.
  struct Frame {
    const StableFunction& function;
    CompId comp;
    std::vector<InstId> inst;
    int depth;
  };

  const StableFunction* function(const StableSource& source) {
    const auto known = functions_.find(source);
    if (known != functions_.end()) return &known->second;
    Result<StableFunction> read = read_stable_function(program_, source, module_.manual_axes, scratch_, diagnostics_);
    if (!read) return nullptr;
    if (simplified_) simplify(graph_, *read);
    return &functions_.emplace(source, std::move(*read)).first->second;
  }

  TypeId type_of(const Frame& frame, uint32_t value) const { return frame.function.values[value].type; }

  InstId add(CompId comp, OpKind kind, OpId op, TypeId type, std::span<const InstId> operands,
             std::span<const CompId> called = {}, std::span<const int64_t> dims = {}) {
    Inst inst;
    inst.kind = kind;
    inst.op = op;
    inst.type = type;
    inst.scope = scope_;
    inst.instance = instance_;
    inst.elementwise = elementwise_kind(kind) || kind == OpKind::constant;
    if (op.valid() && (kind == OpKind::bitcast_convert || kind == OpKind::map))
      inst.elementwise = is_elementwise(graph_, op, kind);
    return module_.add(graph_, comp, inst, operands, called, dims);
  }

  // The value as read is reported where it is computed first.
  void name(InstId id, ValueId origin) {
    if (!origin.valid()) return;
    if (module_.place_of_value[origin.index()].inst.valid()) {
      if (!module_.inst(id).value.valid()) module_.set_copied_value(id, origin);
      return;
    }
    const ValueId values[] = {origin};
    module_.set_leaf_values(id, values);
  }

  void define(Frame& frame, uint32_t value, InstId id) {
    frame.inst[value] = id;
    name(id, frame.function.values[value].origin);
  }

  InstId use(Frame& frame, uint32_t value) {
    if (!frame.inst[value].valid() && frame.function.is_constant(value)) {
      frame.inst[value] = emit_constant(frame.comp, *frame.function.def(value), type_of(frame, value));
      name(frame.inst[value], frame.function.values[value].origin);
    }
    return frame.inst[value];
  }

  InstId emit_constant(CompId comp, const StableNode& node, TypeId type) {
    const Type t = graph_.types.get(type);
    if (!node.splat.valid() || t.element_count() <= 1) return add_constant(comp, node, node.op, type);
    const TypeId scalar = graph_.types.tensor(t.element, {});
    const InstId operand[] = {add_constant(comp, node, OpId{}, scalar)};
    return add(comp, OpKind::broadcast_in_dim, node.op, type, operand);
  }

  // With its value, where that is known.
  InstId add_constant(CompId comp, const StableNode& node, OpId op, TypeId type) {
    const InstId id = add(comp, OpKind::constant, op, type, {});
    AttrId value = node.literal;
    if (const std::optional<std::string> text = splat_text(node, graph_.types.get(type).element)) {
      value = graph_.attr_table.splat(type, *text);
    }
    const NamedAttr made[] = {{value_, value}};
    if (value.valid()) module_.set_made(id, made);
    return id;
  }

  // As a literal spells the one element of a constant: as read, or computed by the simplifier.
  std::optional<std::string> splat_text(const StableNode& node, ElementType element) const {
    if (!node.splat.valid()) return std::nullopt;
    if (node.op.valid() || !(node.number || node.real)) {
      const std::string_view text = graph_.strings.text(node.splat);
      if (text.starts_with(kComputed)) return std::nullopt;
      return std::string(text);
    }
    if (node.number && element == ElementType::pred) return *node.number != 0 ? "true" : "false";
    if (node.number) return std::to_string(*node.number);
    std::array<char, 40> digits{};
    const auto end =
        std::to_chars(digits.data(), digits.data() + digits.size(), *node.real, std::chars_format::scientific);
    return std::string(digits.data(), end.ptr);
  }

  void give(InstId id, TileShardingId sharding) {
    if (sharding.valid()) module_.given.emplace_back(id, sharding);
  }

  // What the op as read is written with; an op that was simplified into another says nothing.
  void give_written(InstId id, const StableNode& node) {
    if (node.op.valid() && node.kind == graph_.op(node.op).kind) give(id, tile_attr(graph_.attrs(graph_.op(node.op))));
  }

  // `mhlo.sharding`, read already or still the text of a string.
  TileShardingId tile_attr(std::span<const NamedAttr> attrs) {
    const StringId key = graph_.strings.find("mhlo.sharding");
    const AttrId attr = key.valid() ? Graph::find(attrs, key) : AttrId{};
    if (!attr.valid()) return {};
    const Attr value = graph_.attr_table.get(attr);
    if (value.kind == AttrKind::tile_sharding) return TileShardingId{static_cast<size_t>(value.integer)};
    if (value.kind != AttrKind::string) return {};
    const auto [known, fresh] = tile_of_text_.try_emplace(attr.raw);
    if (!fresh) return known->second;
    TextCursor in;
    in.text = value.text;
    const Result<TileShardingId> read = parse_hlo_sharding(in, program_.tile_shardings, diagnostics_);
    if (read) known->second = *read;
    return known->second;
  }

  // An argument's or result's sharding, in either spelling.
  TileShardingId boundary_sharding(std::span<const NamedAttr> attrs) {
    if (const TileShardingId tile = tile_attr(attrs); tile.valid()) return tile;
    const StringId key = graph_.strings.find("sdy.sharding");
    if (!key.valid()) return {};
    const AttrId attr = Graph::find(attrs, key);
    if (!attr.valid() || graph_.attr_table.get(attr).kind != AttrKind::sharding) return {};
    const NamedShardingId named{static_cast<size_t>(graph_.attr_table.get(attr).integer)};
    return program_.tile_shardings.intern(tile_from_named(program_.shardings, named));
  }

  void add_entry_parameters(Frame& frame) {
    const Function& main = graph_.function(graph_.main);
    const StableRegion& body = frame.function.body;
    for (uint32_t i = 0; i < body.args.size(); ++i) {
      Inst inst;
      inst.kind = OpKind::parameter;
      inst.type = type_of(frame, body.args[i]);
      inst.number = i;
      const InstId id = module_.add(graph_, frame.comp, inst, {});
      define(frame, body.args[i], id);
      const TileShardingId sharding =
          i < main.arg_attrs.size() ? boundary_sharding(graph_.attrs(main.arg_attrs[i])) : TileShardingId{};
      give(id, sharding);
      module_.allow_parameters.push_back(!sharding.valid());
    }
  }

  // Several results are a tuple. Where a result has a sharding, XLA leaves a dead reshape of every result behind, with
  // the result's sharding (unless calls were inlined, since then what is dead is removed), and a single result goes
  // through a tuple.
  void add_entry_root(Frame& frame) {
    const Function& main = graph_.function(graph_.main);
    std::vector<InstId> results;
    std::vector<TileShardingId> shardings;
    bool any = false;
    for (size_t i = 0; i < frame.function.body.results.size(); ++i) {
      results.push_back(use(frame, frame.function.body.results[i]));
      shardings.push_back(i < main.result_attrs.size() ? boundary_sharding(graph_.attrs(main.result_attrs[i]))
                                                       : TileShardingId{});
      any = any || shardings.back().valid();
      module_.allow_outputs.push_back(!shardings.back().valid());
    }
    InstId& root = module_.comps[frame.comp.index()].root;
    if (results.size() == 1) {
      root = results[0];
      if (!any) return;
      const InstId tuple[] = {add_tuple(frame.comp, results)};
      give(tuple[0], given_to_result(frame));
      root = add_element(tuple[0], 0, module_.inst(results[0]).type, OpId{});
      give(root, shardings[0]);
      return;
    }
    for (size_t i = 0; any && !wrote_out_calls_ && i < results.size(); ++i) {
      const InstId operand[] = {results[i]};
      if (!graph_.types.get(module_.inst(results[i]).type).is_array()) continue;
      give(add(frame.comp, OpKind::reshape, OpId{}, module_.inst(results[i]).type, operand), shardings[i]);
    }
    root = add_tuple(frame.comp, results);
    if (!any) return;
    TileSharding tuple;
    tuple.kind = TileKind::tuple;
    for (const TileShardingId s : shardings) {
      tuple.elements.push_back(s.valid() ? s : program_.tile_shardings.intern(replicated_sharding()));
    }
    if (!tuple.elements.empty()) give(root, program_.tile_shardings.intern(tuple));
  }

  // The sharding that the op of the only result is written with; the tuple around the result gets it too.
  TileShardingId given_to_result(const Frame& frame) const {
    const uint32_t value = frame.function.body.results[0];
    const StableNode* def = frame.function.def(value);
    if (def != nullptr && (def->kind == OpKind::call || def->kind == OpKind::composite)) return {};
    for (size_t i = module_.given.size(); i-- > 0;) {
      if (module_.given[i].first == frame.inst[value]) return module_.given[i].second;
    }
    return {};
  }

  InstId add_tuple(CompId comp, std::span<const InstId> elements) {
    std::vector<TypeId> types;
    for (const InstId id : elements) types.push_back(module_.inst(id).type);
    return add(comp, OpKind::tuple, OpId{}, graph_.types.tuple(types), elements);
  }

  InstId add_element(InstId tuple, uint32_t index, TypeId type, OpId op) {
    Inst inst;
    inst.kind = OpKind::get_tuple_element;
    inst.op = op;
    inst.type = type;
    inst.scope = module_.inst(tuple).scope;
    inst.instance = instance_;
    inst.number = index;
    const InstId operand[] = {tuple};
    return module_.add(graph_, module_.inst(tuple).comp, inst, operand);
  }

  bool emit_region(Frame& frame, const StableRegion& region) {
    const ManualScope outside = scope_;
    for (const uint32_t id : region.nodes) {
      const StableNode& node = frame.function.nodes[id];
      if (node.dead || node.kind == OpKind::constant) continue;
      scope_ = node.scope.value_or(frame.function.scope);
      if (!emit_node(frame, node)) return false;
    }
    scope_ = outside;
    return true;
  }

  bool emit_node(Frame& frame, const StableNode& node) {
    if (module_.insts.size() > kMaxInstructions || calls_ > kMaxCalls) {
      diagnostics_.error(DiagnosticKind::unsupported, where(node),
                         "too many instructions once all calls are written out");
      return false;
    }
    switch (node.kind) {
      case OpKind::call:
      case OpKind::composite: return emit_call(frame, node);
      case OpKind::while_: return emit_while(frame, node);
      case OpKind::case_: return emit_case(frame, node);
      case OpKind::broadcast_in_dim: emit_broadcast(frame, node); return true;
      case OpKind::optimization_barrier: emit_barrier(frame, node); return true;
      case OpKind::select:
      case OpKind::clamp: emit_ternary(frame, node); return true;
      case OpKind::all_to_all: emit_all_to_all(frame, node); return true;
      default: emit_plain(frame, node); return true;
    }
  }

  SourceRange where(const StableNode& node) const { return node.op.valid() ? graph_.op(node.op).where : SourceRange{}; }

  std::vector<InstId> operands_of(Frame& frame, const StableNode& node) {
    std::vector<InstId> out;
    for (const uint32_t operand : node.operands) out.push_back(use(frame, operand));
    return out;
  }

  void emit_plain(Frame& frame, const StableNode& node) {
    const std::vector<InstId> operands = operands_of(frame, node);
    std::vector<TypeId> types;
    for (uint32_t r = 0; r < node.result_count; ++r) types.push_back(type_of(frame, node.first_result + r));
    const bool single = types.size() == 1 && node.kind != OpKind::topk;
    const InstId id =
        add(frame.comp, node.kind, node.op, single ? types[0] : graph_.types.tuple(types), operands, {}, node.dims);
    if (!node.made.empty()) module_.set_made(id, node.made);
    Inst& inst = module_.inst(id);
    if (node.op.valid() && node.kind == graph_.op(node.op).kind) {
      inst.has_side_effect = has_side_effect(graph_, graph_.op(node.op), node.kind);
      if (node.kind == OpKind::custom_call) describe_custom_call(graph_, graph_.op(node.op), inst);
      give(id, tile_attr(graph_.attrs(graph_.op(node.op))));
      if (node.kind == OpKind::custom_call) {
        if (const DimList open = unspecified_dims(graph_, graph_.op(node.op)); !open.empty()) {
          module_.unspecified.emplace_back(id, open);
        }
      }
    }
    if (node.target != CallTarget::none) inst.target = node.target;
    inst.has_side_effect = inst.has_side_effect || node.has_effect;
    give(id, node.sharding);
    if (!node.open.empty()) module_.unspecified.emplace_back(id, node.open);
    if (single) {
      define(frame, node.first_result, id);
    } else {
      define_elements(frame, node, id);
    }
  }

  // A scalar predicate or bound is broadcast first.
  void emit_ternary(Frame& frame, const StableNode& node) {
    const TypeId type = type_of(frame, node.first_result);
    std::vector<InstId> operands = operands_of(frame, node);
    const Type result = graph_.types.get(type);
    const std::vector<int64_t> shape(result.dims.begin(), result.dims.end());
    for (InstId& operand : operands) {
      const Type t = graph_.types.get(module_.inst(operand).type);
      if (shape.empty() || t.rank() != 0) continue;
      const InstId scalar[] = {operand};
      operand = add(frame.comp, OpKind::broadcast_in_dim, OpId{}, graph_.types.tensor(t.element, shape), scalar);
    }
    const InstId id = add(frame.comp, node.kind, node.op, type, operands);
    give_written(id, node);
    define(frame, node.first_result, id);
  }

  void emit_all_to_all(Frame& frame, const StableNode& node) {
    if (node.operands.size() != 1) return emit_plain(frame, node);
    const InstId operand[] = {use(frame, node.operands[0])};
    const TypeId from = module_.inst(operand[0]).type;
    const Type t = graph_.types.get(from);
    const ElementType element = t.element;
    const std::optional<AllToAllSteps> steps = all_to_all_steps(graph_, node.op, t.dims);
    if (!steps) return emit_plain(frame, node);
    const InstId sent[] = {add(frame.comp, node.kind, node.op, from, operand)};
    const InstId wide[] = {
        add(frame.comp, OpKind::reshape, node.op, graph_.types.tensor(element, steps->pieces), sent)};
    const InstId turned[] = {add(frame.comp, OpKind::transpose, node.op, graph_.types.tensor(element, steps->moved),
                                 wide, {}, steps->permutation)};
    define(frame, node.first_result,
           add(frame.comp, OpKind::reshape, node.op, type_of(frame, node.first_result), turned));
  }

  // Several values go through a barrier as a tuple.
  void emit_barrier(Frame& frame, const StableNode& node) {
    if (node.operands.size() == 1) return emit_plain(frame, node);
    const InstId operand[] = {add_tuple(frame.comp, operands_of(frame, node))};
    const InstId id = add(frame.comp, node.kind, node.op, module_.inst(operand[0]).type, operand);
    give_written(id, node);
    define_elements(frame, node, id);
  }

  // Elements have their part of the sharding that the op is written with.
  void define_elements(Frame& frame, const StableNode& node, InstId tuple) {
    TileShardingId whole;
    for (size_t i = module_.given.size(); i-- > 0 && module_.given[i].first >= tuple;) {
      if (module_.given[i].first == tuple) whole = module_.given[i].second;
    }
    for (uint32_t r = 0; r < node.result_count; ++r) {
      const uint32_t value = node.first_result + r;
      const InstId element = add_element(tuple, r, type_of(frame, value), node.op);
      if (whole.valid()) {
        const TileSharding& s = program_.tile_shardings.get(whole);
        if (s.kind != TileKind::tuple) {
          give(element, whole);
        } else if (r < s.elements.size()) {
          give(element, s.elements[r]);
        }
      }
      define(frame, value, element);
    }
  }

  // XLA's broadcast repeats no dimension of size 1: those are dropped by a reshape first. Unsorted dimensions are
  // sorted by a transpose first.
  void emit_broadcast(Frame& frame, const StableNode& node) {
    InstId operand = use(frame, node.operands[0]);
    const TypeId type = type_of(frame, node.first_result);
    DimList dims = node.dims;
    const Type from = graph_.types.get(module_.inst(operand).type);
    std::vector<int64_t> shape(from.dims.begin(), from.dims.end());
    const ElementType element = from.element;
    if (!std::is_sorted(dims.begin(), dims.end())) {
      DimList perm(dims.size(), 0);
      std::iota(perm.begin(), perm.end(), 0);
      std::sort(perm.begin(), perm.end(),
                [&](int64_t a, int64_t b) { return dims[static_cast<size_t>(a)] < dims[static_cast<size_t>(b)]; });
      std::vector<int64_t> moved;
      for (const int64_t p : perm) moved.push_back(shape[static_cast<size_t>(p)]);
      const InstId source[] = {operand};
      operand = add(frame.comp, OpKind::transpose, node.op, graph_.types.tensor(element, moved), source, {}, perm);
      shape = moved;
      std::sort(dims.begin(), dims.end());
    }
    const Type to = graph_.types.get(type);
    std::vector<int64_t> kept;
    DimList kept_dims;
    for (size_t i = 0; i < shape.size(); ++i) {
      if (shape[i] == 1 && to.dims[static_cast<size_t>(dims[i])] != 1) continue;
      kept.push_back(shape[i]);
      kept_dims.push_back(dims[i]);
    }
    if (kept.size() != shape.size())
      operand = expand_degenerate(frame, node, operand, element, shape, dims, kept, kept_dims);
    const InstId source[] = {operand};
    const InstId id = add(frame.comp, OpKind::broadcast_in_dim, node.op, type, source, {}, kept_dims);
    give_written(id, node);
    define(frame, node.first_result, id);
  }

  // Follows XlaBuilder::BroadcastInDim: first a broadcast to the result's rank that repeats nothing, then a reshape
  // that drops the dimensions to be repeated. The dimensions that stay are then those of the result that are not
  // repeated.
  InstId expand_degenerate(Frame& frame, const StableNode& node, InstId operand, ElementType element,
                           std::span<const int64_t> shape, const DimList& dims, std::vector<int64_t>& kept,
                           DimList& kept_dims) {
    const Type to = graph_.types.get(type_of(frame, node.first_result));
    std::vector<int64_t> wide(to.dims.begin(), to.dims.end());
    for (size_t i = 0; i < shape.size(); ++i) wide[static_cast<size_t>(dims[i])] = shape[i];
    const std::vector<int64_t> target(to.dims.begin(), to.dims.end());
    // Also when it repeats nothing at all; propagation stops at it like at any other broadcast.
    const InstId narrow[] = {operand};
    operand = add(frame.comp, OpKind::broadcast_in_dim, node.op, graph_.types.tensor(element, wide), narrow, {}, dims);
    kept.clear();
    kept_dims.clear();
    for (size_t d = 0; d < wide.size(); ++d) {
      if (wide[d] == 1 && target[d] != 1) continue;
      kept.push_back(wide[d]);
      kept_dims.push_back(static_cast<int64_t>(d));
    }
    const InstId source[] = {operand};
    return add(frame.comp, OpKind::reshape, node.op, graph_.types.tensor(element, kept), source);
  }

  bool emit_call(Frame& frame, const StableNode& node) {
    if (!node.callee.valid() || frame.depth >= kMaxCallDepth) {
      diagnostics_.error(
          node.callee.valid() ? DiagnosticKind::call_recursion : DiagnosticKind::undefined_symbol, where(node),
          node.callee.valid() ? "calls nest too deep, or a function calls itself" : "call of an unknown function");
      return false;
    }
    const StableFunction* callee = function(node.callee);
    if (callee == nullptr) return false;
    ++calls_;
    Frame inner{*callee, frame.comp, std::vector<InstId>(callee->values.size()), frame.depth + 1};
    for (size_t i = 0; i < callee->body.args.size() && i < node.operands.size(); ++i) {
      inner.inst[callee->body.args[i]] = use(frame, node.operands[i]);
      alias(callee->values[callee->body.args[i]].origin, inner.inst[callee->body.args[i]]);
    }
    const size_t written = begin_call(frame, node);
    const uint32_t caller = instance_;
    if (node.callee.function.valid()) {
      instance_ = static_cast<uint32_t>(module_.instances.size());
      module_.instances.push_back({node.callee.function, caller, node.op});
    }
    if (!emit_region(inner, callee->body)) return false;
    wrote_out_calls_ = true;
    std::vector<InstId> results;
    for (const uint32_t result : callee->body.results) results.push_back(use(inner, result));
    // The callee's root, a tuple, and its elements stay behind when the call is written out.
    const InstId tuple = results.size() > 1 ? add_tuple(frame.comp, results) : InstId{};
    end_call(frame.comp, written, results.size() == 1 ? results[0] : tuple);
    instance_ = caller;
    if (results.size() != node.result_count || results.empty()) return results.empty();
    if (results.size() > 1) {
      define_elements(frame, node, tuple);
      return true;
    }
    frame.inst[node.first_result] = results[0];
    alias(frame.function.values[node.first_result].origin, results[0]);
    return true;
  }

  // Notes what comes of a call; of those that another call brings with it nothing needs to be known.
  size_t begin_call(Frame& frame, const StableNode& node) {
    if (inside_call_.contains(frame.comp.raw)) return kNestedCall;
    inside_call_.insert(frame.comp.raw);
    WrittenOutCall call;
    call.comp = frame.comp;
    for (const uint32_t operand : node.operands) call.operands.push_back(use(frame, operand));
    call.first = static_cast<uint32_t>(module_.insts.size());
    written_out_.push_back(std::move(call));
    return written_out_.size() - 1;
  }
  void end_call(CompId comp, size_t call, InstId root) {
    if (call == kNestedCall) return;
    inside_call_.erase(comp.raw);
    written_out_[call].last = static_cast<uint32_t>(module_.insts.size());
    written_out_[call].root = root;
  }

  // A value as read that another instruction already stands for: it reports that one's sharding.
  void alias(ValueId origin, InstId id) {
    if (origin.valid() && !module_.place_of_value[origin.index()].inst.valid()) {
      module_.place_of_value[origin.index()] = {id, 0, false};
    }
  }

  // Values that a region uses from outside, constants aside, in the order of use.
  void collect_captured(const StableFunction& f, const StableRegion& region, std::vector<uint8_t>& inside,
                        std::vector<uint32_t>& out) const {
    for (const uint32_t arg : region.args) inside[arg] = 1;
    const auto note = [&](uint32_t value) {
      if (inside[value] != 0 || f.is_constant(value)) return;
      inside[value] = 1;
      out.push_back(value);
    };
    for (const uint32_t id : region.nodes) {
      const StableNode& node = f.nodes[id];
      if (node.dead) continue;
      for (const StableRegion& inner : node.regions) collect_captured(f, inner, inside, out);
      for (const uint32_t operand : node.operands) note(operand);
      for (uint32_t r = 0; r < node.result_count; ++r) inside[node.first_result + r] = 1;
    }
    for (const uint32_t result : region.results) note(result);
  }

  // A computation for a region: one parameter that holds the arguments and what is captured. `always_tuple`: also when
  // there is one element, or none.
  bool emit_computation(Frame& outer, const StableRegion& region, std::span<const uint32_t> captured,
                        std::span<const uint32_t> returned, bool always_tuple, OpId op, CompId& out) {
    out = module_.add_computation();
    Frame frame{outer.function, out, std::vector<InstId>(outer.function.values.size()), outer.depth};
    std::vector<uint32_t> values(region.args.begin(), region.args.end());
    values.insert(values.end(), captured.begin(), captured.end());
    std::vector<TypeId> types;
    for (const uint32_t value : values) types.push_back(type_of(outer, value));
    const bool tuple = always_tuple || values.size() != 1;
    Inst param;
    param.kind = OpKind::parameter;
    param.scope = scope_;
    param.instance = instance_;
    param.type = tuple ? graph_.types.tuple(types) : types[0];
    const InstId param_id = module_.add(graph_, out, param, {});
    for (uint32_t i = 0; i < values.size(); ++i) {
      const InstId id = tuple ? add_element(param_id, i, types[i], op) : param_id;
      if (i < region.args.size()) {
        define(frame, values[i], id);
      } else {
        frame.inst[values[i]] = id;
      }
    }
    if (!emit_region(frame, region)) return false;
    std::vector<InstId> results;
    for (const uint32_t result : region.results) results.push_back(use(frame, result));
    for (const uint32_t value : returned) results.push_back(use(frame, value));
    const bool wrap = always_tuple || results.size() != 1;
    module_.comps[out.index()].root = wrap ? add_tuple(out, results) : results[0];
    return true;
  }

  bool emit_while(Frame& frame, const StableNode& node) {
    std::vector<uint8_t> inside(frame.function.values.size(), 0);
    std::vector<uint32_t> captured;
    for (const StableRegion& region : node.regions) collect_captured(frame.function, region, inside, captured);
    CompId body, cond;
    if (!emit_computation(frame, node.regions[1], captured, captured, false, node.op, body)) return false;
    if (!emit_computation(frame, node.regions[0], captured, {}, false, node.op, cond)) return false;
    std::vector<InstId> operands = operands_of(frame, node);
    for (const uint32_t value : captured) operands.push_back(use(frame, value));
    if (operands.empty()) return true;
    const bool tuple = operands.size() != 1;
    const InstId init[] = {tuple ? add_tuple(frame.comp, operands) : operands[0]};
    const CompId called[] = {cond, body};
    const InstId id = add(frame.comp, OpKind::while_, node.op, module_.inst(init[0]).type, init, called);
    if (node.op.valid()) give(id, tile_attr(graph_.attrs(graph_.op(node.op))));
    if (tuple) {
      define_elements(frame, node, id);
    } else {
      define(frame, node.first_result, id);
    }
    return true;
  }

  bool emit_case(Frame& frame, const StableNode& node) {
    std::vector<InstId> operands{use(frame, node.operands[0])};
    std::vector<CompId> called;
    for (const StableRegion& region : node.regions) {
      std::vector<uint8_t> inside(frame.function.values.size(), 0);
      std::vector<uint32_t> captured;
      collect_captured(frame.function, region, inside, captured);
      std::vector<InstId> elements;
      for (const uint32_t value : captured) elements.push_back(use(frame, value));
      operands.push_back(add_tuple(frame.comp, elements));
      called.emplace_back();
      if (!emit_computation(frame, region, captured, {}, true, node.op, called.back())) return false;
    }
    std::vector<TypeId> types;
    for (uint32_t r = 0; r < node.result_count; ++r) types.push_back(type_of(frame, node.first_result + r));
    const InstId id = add(frame.comp, OpKind::case_, node.op, graph_.types.tuple(types), operands, called);
    if (node.op.valid()) give(id, tile_attr(graph_.attrs(graph_.op(node.op))));
    define_elements(frame, node, id);
    return true;
  }

  // Values that were simplified away report the value that stands for them.
  void settle_replaced() {
    for (const auto& [source, f] : functions_) {
      for (uint32_t v = 0; v < f.values.size(); ++v) {
        const ValueId origin = f.values[v].origin;
        if (!origin.valid() || f.values[v].replaced == kNone || module_.place_of_value[origin.index()].inst.valid())
          continue;
        const ValueId stands_for = f.values[f.resolve(v)].origin;
        if (stands_for.valid()) module_.place_of_value[origin.index()] = module_.place_of_value[stands_for.index()];
      }
    }
  }

  // What nobody uses, once calls are written out.
  void remove_dead() {
    for (size_t i = module_.insts.size(); i-- > 0;) {
      const InstId id{i};
      const Inst& inst = module_.insts[i];
      if (!module_.users[i].empty() || module_.is_root(id) || inst.has_side_effect || inst.kind == OpKind::parameter)
        continue;
      module_.remove(id);
    }
  }

  // XLA lists a computation after those it calls; they were made before their parents were finished, but after they
  // were begun.
  void put_callees_first(CompId entry) {
    std::vector<uint32_t> order, position(module_.comps.size());
    std::vector<uint8_t> seen(module_.comps.size(), 0);
    std::vector<std::pair<uint32_t, size_t>> stack{{entry.raw, 0}};
    std::vector<std::vector<uint32_t>> callees(module_.comps.size());
    for (const Inst& inst : module_.insts) {
      for (uint32_t i = 0; i < inst.called_count; ++i) {
        callees[inst.comp.index()].push_back(module_.called_pool[inst.called_begin + i]);
      }
    }
    seen[entry.index()] = 1;
    while (!stack.empty()) {
      auto& [comp, next] = stack.back();
      if (next == callees[comp].size()) {
        position[comp] = static_cast<uint32_t>(order.size());
        order.push_back(comp);
        stack.pop_back();
        continue;
      }
      const uint32_t callee = callees[comp][next++];
      if (seen[callee] == 0) stack.emplace_back(callee, 0);
      seen[callee] = 1;
    }
    std::vector<Computation> comps;
    for (const uint32_t comp : order) comps.push_back(std::move(module_.comps[comp]));
    module_.comps = std::move(comps);
    for (Inst& inst : module_.insts) inst.comp = CompId{position[inst.comp.index()]};
    for (uint32_t& comp : module_.called_pool) comp = position[comp];
    module_.entry = CompId{position[entry.index()]};
  }

  Program& program_;
  Graph& graph_;
  Diagnostics& diagnostics_;
  bool simplified_;
  Module module_;
  std::map<StableSource, StableFunction> functions_;
  std::vector<uint32_t> scratch_;
  std::unordered_map<uint32_t, TileShardingId> tile_of_text_;
  StringId value_ = graph_.strings.intern("value");
  size_t calls_ = 0;
  ManualScope scope_ = 0;  // of what is emitted
  uint32_t instance_ = 0;
  bool wrote_out_calls_ = false;
  static constexpr size_t kNestedCall = static_cast<size_t>(-1);
  std::vector<WrittenOutCall> written_out_;
  std::unordered_set<uint32_t> inside_call_;  // computations
};

}  // namespace

Result<Module> import_stablehlo(Program& program, bool simplified, Diagnostics& diagnostics) {
  return StableImporter(program, simplified, diagnostics).run();
}

}  // namespace sw::gspmd
