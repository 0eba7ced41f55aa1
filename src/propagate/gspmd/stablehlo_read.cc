// From the graph as read to the form that is simplified. sdy ops become what JAX writes in their place when it lowers
// for GSPMD: a sharding_constraint an annotation, members of a sharding_group annotations with the group's tag, a
// manual_computation the call of its body between conversions to and from manual sharding. What a sharding leaves open
// are the annotation's unspecified dimensions, and inside a manual computation its axes are a manual subgroup:
//
//   manual_computation in_shardings=[<@mesh, [{"x", ?}]>] manual_axes={"x"}, of a mesh x=2, y=4, is
//   Sharding {devices=[2,4]<=[8] last_tile_dim_replicate}, unspecified_dims=[0]
//   SPMDFullToShardShape {devices=[1,2,4]<=[8] last_tile_dims={manual, replicated}}, unspecified_dims=[0]
#include <algorithm>
#include <cstdlib>
#include <optional>

#include "ops/attr_reader.h"
#include "ops/dims_listed.h"
#include "ops/literal.h"
#include "propagate/gspmd/import.h"
#include "propagate/gspmd/stablehlo_ir.h"

namespace sw::gspmd {
namespace {

constexpr int kMaxNesting = 400;
constexpr size_t kMaxManualScopes = 1024;

class Reader {
 public:
  Reader(Program& program, ManualScope scope, std::vector<AxisList>& scopes, std::vector<uint32_t>& of_value,
         Diagnostics& diagnostics)
      : program_(program), graph_(program.graph), diagnostics_(diagnostics), scopes_(scopes), of_value_(of_value) {
    out_.scope = scope;
  }

  Result<StableFunction> run(const StableSource& source) {
    of_value_.resize(graph_.value_count(), kNone);
    const RegionId body = source.function.valid() ? graph_.function(source.function).body
                                                  : graph_.regions(graph_.op(source.manual_computation))[0];
    if (body.valid() && !read_block(graph_.entry_block(body), out_.body, 0)) return reported();
    return std::move(out_);
  }

 private:
  uint32_t add_value(TypeId type, uint32_t node, ValueId origin) {
    out_.values.push_back({type, node, origin, kNone});
    const uint32_t id = static_cast<uint32_t>(out_.values.size() - 1);
    if (origin.valid()) of_value_[origin.index()] = id;
    return id;
  }

  uint32_t add_node(StableNode node, std::span<const TypeId> types, ValueId first_origin, StableRegion& region) {
    const uint32_t id = static_cast<uint32_t>(out_.nodes.size());
    node.first_result = static_cast<uint32_t>(out_.values.size());
    node.result_count = static_cast<uint32_t>(types.size());
    for (size_t i = 0; i < types.size(); ++i) {
      add_value(types[i], id, first_origin.valid() ? ValueId{first_origin.raw + static_cast<uint32_t>(i)} : ValueId{});
    }
    out_.nodes.push_back(std::move(node));
    region.nodes.push_back(id);
    return out_.nodes.back().first_result;
  }

  bool read_block(BlockId block_id, StableRegion& region, int depth) {
    const Block& block = graph_.block(block_id);
    for (uint32_t i = 0; i < block.arg_count; ++i) {
      const ValueId value = graph_.arg(block_id, i);
      region.args.push_back(add_value(graph_.value(value).type, kNone, value));
    }
    for (const OpId op : block.ops) {
      if (!read_op(op, region, depth)) return false;
    }
    return true;
  }

  std::vector<uint32_t> operands_of(const Op& op) const {
    std::vector<uint32_t> out;
    for (const ValueId v : graph_.operands(op)) out.push_back(of_value_[v.index()]);
    return out;
  }

  bool read_op(OpId id, StableRegion& region, int depth) {
    const Op& op = graph_.op(id);
    if (depth > kMaxNesting) {
      diagnostics_.error(DiagnosticKind::nesting_too_deep, op.where, "regions nest too deep");
      return false;
    }
    switch (op.kind) {
      case OpKind::func_return:
      case OpKind::return_:
      case OpKind::sdy_return: region.results = operands_of(op); return true;
      case OpKind::sharding_constraint:
      case OpKind::reshard: return read_constraint(id, op, region);
      case OpKind::sharding_group: read_group(op, region); return true;
      case OpKind::data_flow_edge:
      case OpKind::func_data_flow_edge:
      case OpKind::propagation_barrier:
        of_value_[op.first_result.index()] = of_value_[graph_.operands(op)[0].index()];
        return true;
      case OpKind::named_computation: return read_inlined(id, op, region, depth);
      case OpKind::manual_computation: return read_manual(id, op, region);
      default: return read_plain(id, op, region, depth);
    }
  }

  bool read_plain(OpId id, const Op& op, StableRegion& region, int depth) {
    StableNode node;
    node.kind = op.kind == OpKind::chlo_square ? OpKind::multiply : op.kind;
    if (op.kind == OpKind::if_) node.kind = OpKind::case_;
    if (op.kind == OpKind::top_k) node.kind = OpKind::topk;
    if (op.kind == OpKind::sdy_constant) node.kind = OpKind::constant;
    node.op = id;
    node.operands = operands_of(op);
    if (op.kind == OpKind::chlo_square) node.operands.push_back(node.operands[0]);
    node.dims = listed_dims(graph_, id, node.kind);
    if (node.kind == OpKind::constant) read_constant(op, node);
    if (op.kind == OpKind::call || op.kind == OpKind::composite) node.callee = {callee_of(op), OpId{}, out_.scope};
    if (node.kind == OpKind::while_ || node.kind == OpKind::case_) {
      for (const RegionId r : graph_.regions(op)) {
        node.regions.emplace_back();
        if (!read_block(graph_.entry_block(r), node.regions.back(), depth + 1)) return false;
      }
    }
    std::vector<TypeId> types;
    for (uint32_t i = 0; i < op.result_count; ++i) types.push_back(graph_.value(graph_.result(id, i)).type);
    add_node(std::move(node), types, op.first_result, region);
    return true;
  }

  FunctionId callee_of(const Op& op) const {
    for (const char* name : {"callee", "decomposition"}) {
      const AttrId attr = graph_.attr(op, std::string_view(name));
      if (!attr.valid()) continue;
      const StringId symbol = graph_.strings.find(graph_.attr_table.get(attr).text);
      if (symbol.valid()) return graph_.function_named(symbol);
    }
    return {};
  }

  void read_constant(const Op& op, StableNode& node) {
    const AttrId attr = graph_.attr(op, "value");
    if (!attr.valid()) return;
    const Attr value = graph_.attr_table.get(attr);
    if (value.kind == AttrKind::dense && value.form == DenseForm::splat) {
      node.splat = graph_.strings.intern(value.text);
      const ElementType element = graph_.type_of(op.first_result).element;
      if (is_floating(element)) {
        node.real = splat_real(std::string(value.text), element);
      } else {
        node.number = splat_number(value.text);
      }
    } else {
      node.literal = attr;
    }
  }

  static std::optional<int64_t> splat_number(std::string_view text) {
    if (text == "true") return 1;
    if (text == "false") return 0;
    const bool negative = !text.empty() && text[0] == '-';
    if (negative) text.remove_prefix(1);
    if (text.empty() || text.size() > 18) return std::nullopt;
    int64_t value = 0;
    for (const char c : text) {
      if (c < '0' || c > '9') return std::nullopt;
      value = value * 10 + (c - '0');
    }
    return negative ? -value : value;
  }

  static std::optional<double> splat_real(const std::string& text, ElementType element) {
    if (text.rfind("0x", 0) == 0) return std::nullopt;  // the bits of a NaN or an infinity
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    return end != nullptr && *end == '\0' && end != text.c_str() ? rounded(value, element) : std::nullopt;
  }

  NamedShardingId sharding_attr(const Op& op, std::string_view name) const {
    const AttrId attr = graph_.attr(op, name);
    if (!attr.valid()) return {};
    const Attr value = graph_.attr_table.get(attr);
    return value.kind == AttrKind::sharding ? NamedShardingId{static_cast<size_t>(value.integer)} : NamedShardingId{};
  }

  // `scope`: of the value annotated; for a conversion, of what comes out. `op`: the one that says so.
  uint32_t annotate(uint32_t value, CallTarget target, NamedShardingId sharding, ManualScope scope, TypeId type,
                    ValueId origin, StableRegion& region, OpId op) {
    StableNode node;
    node.op = op;
    node.kind = OpKind::custom_call;
    node.target = target;
    node.operands = {value};
    node.sharding = tile_inside(program_, sharding, scopes_[scope]);
    node.scope = scope;
    node.open = open_dims(program_.shardings, sharding);
    const TypeId types[] = {type};
    return add_node(std::move(node), types, origin, region);
  }

  bool read_constraint(OpId id, const Op& op, StableRegion& region) {
    const NamedShardingId sharding = sharding_attr(op, "sharding");
    const uint32_t operand = of_value_[graph_.operands(op)[0].index()];
    if (!sharding.valid()) {
      of_value_[op.first_result.index()] = operand;
      return true;
    }
    annotate(operand, CallTarget::sharding, sharding, out_.scope, graph_.value(op.first_result).type, op.first_result,
             region, id);
    return true;
  }

  // What follows uses the value through an annotation that says nothing but the group.
  void read_group(const Op& op, StableRegion& region) {
    const AttrId attr = graph_.attr(op, "group_id");
    const ValueId operand = graph_.operands(op)[0];
    if (!attr.valid()) return;
    TileSharding unknown;
    unknown.kind = TileKind::unknown;
    unknown.shard_group_id = static_cast<int32_t>(graph_.attr_table.get(attr).integer);
    unknown.shard_group_is_as = true;
    StableNode node;
    node.kind = OpKind::custom_call;
    node.target = CallTarget::sharding;
    node.operands = {of_value_[operand.index()]};
    node.sharding = program_.tile_shardings.intern(unknown);
    node.has_effect = true;
    const TypeId types[] = {graph_.value(operand).type};
    of_value_[operand.index()] = add_node(std::move(node), types, {}, region);
  }

  std::vector<NamedShardingId> sharding_list(const Op& op, std::string_view name) const {
    std::vector<NamedShardingId> list;
    const AttrId attr = graph_.attr(op, name);
    if (!attr.valid()) return list;
    for (const int64_t id : graph_.attr_table.get(attr).integers)
      list.push_back(NamedShardingId{static_cast<size_t>(id)});
    return list;
  }

  // The scope inside a manual computation: its axes, every one named in the attribute's text, and those around it.
  std::optional<ManualScope> inside_of(const Op& op, MeshId mesh) {
    AxisList axes = scopes_[out_.scope];
    const AttrId attr = graph_.attr(op, "manual_axes");
    if (attr.valid() && mesh.valid()) {
      const std::string_view text = graph_.attr_table.get(attr).text;
      const Mesh& m = program_.shardings.mesh(mesh).mesh;
      for (uint32_t a = 0; a < m.axes.size(); ++a) {
        if (text.find('"' + m.axes[a].name + '"') == std::string_view::npos) continue;
        axes.push_back({a, 1, static_cast<uint32_t>(m.axes[a].size)});
      }
    }
    std::sort(axes.begin(), axes.end());
    axes.resize(static_cast<size_t>(std::unique(axes.begin(), axes.end()) - axes.begin()));
    const auto known = std::find(scopes_.begin(), scopes_.end(), axes);
    if (known == scopes_.end()) {
      if (scopes_.size() == kMaxManualScopes) {
        diagnostics_.error(DiagnosticKind::unsupported, op.where,
                           "more than 1,024 different sets of manual axes in one program");
        return std::nullopt;
      }
      scopes_.push_back(axes);
      return static_cast<ManualScope>(scopes_.size() - 1);
    }
    return static_cast<ManualScope>(known - scopes_.begin());
  }

  bool is_token(TypeId type) const { return graph_.types.get(type).element == ElementType::token; }

  bool read_manual(OpId id, const Op& op, StableRegion& region) {
    const std::vector<NamedShardingId> in = sharding_list(op, "in_shardings"), out = sharding_list(op, "out_shardings");
    const MeshId mesh = !in.empty() ? program_.shardings.get(in[0]).mesh
                                    : (out.empty() ? MeshId{} : program_.shardings.get(out[0]).mesh);
    const std::optional<ManualScope> inside = inside_of(op, mesh);
    if (!inside) return false;
    const BlockId body = graph_.entry_block(graph_.regions(op)[0]);
    StableNode call;
    call.kind = OpKind::call;
    call.op = id;
    call.callee = {FunctionId{}, id, *inside};
    call.scope = *inside;
    call.operands = operands_of(op);
    for (uint32_t i = 0; i < call.operands.size() && i < in.size(); ++i) {
      const TypeId whole = out_.values[call.operands[i]].type;
      if (is_token(whole)) continue;
      const uint32_t said = annotate(call.operands[i], CallTarget::sharding, in[i], out_.scope, whole, {}, region, id);
      const ValueId arg = graph_.arg(body, i);
      call.operands[i] =
          annotate(said, CallTarget::full_to_shard, in[i], *inside, graph_.value(arg).type, arg, region, id);
    }
    std::vector<TypeId> types;
    for (const ValueId v : graph_.operands(graph_.op(graph_.block(body).ops.back())))
      types.push_back(graph_.value(v).type);
    const uint32_t results = add_node(std::move(call), types, {}, region);
    for (uint32_t i = 0; i < op.result_count; ++i) {
      const ValueId result = graph_.result(id, i);
      of_value_[result.index()] = results + i;
      if (i >= out.size() || is_token(types[i])) continue;
      const uint32_t said = annotate(results + i, CallTarget::sharding, out[i], *inside, types[i], {}, region, id);
      annotate(said, CallTarget::shard_to_full, out[i], out_.scope, graph_.value(result).type, result, region, id);
    }
    return true;
  }

  bool read_inlined(OpId id, const Op& op, StableRegion& region, int depth) {
    const std::vector<NamedShardingId> in = sharding_list(op, "in_shardings"), out = sharding_list(op, "out_shardings");
    const BlockId body = graph_.entry_block(graph_.regions(op)[0]);
    const std::vector<uint32_t> operands = operands_of(op);
    for (uint32_t i = 0; i < graph_.block(body).arg_count; ++i) {
      const ValueId arg = graph_.arg(body, i);
      uint32_t value = operands[i];
      if (i < in.size())
        value = annotate(value, CallTarget::sharding, in[i], out_.scope, out_.values[value].type, {}, region, id);
      of_value_[arg.index()] = value;
    }
    StableRegion inner;
    for (const OpId inner_op : graph_.block(body).ops) {
      if (!read_op(inner_op, inner, depth + 1)) return false;
    }
    region.nodes.insert(region.nodes.end(), inner.nodes.begin(), inner.nodes.end());
    for (uint32_t i = 0; i < op.result_count && i < inner.results.size(); ++i) {
      const ValueId result = graph_.result(id, i);
      uint32_t value = inner.results[i];
      if (i < out.size())
        value =
            annotate(value, CallTarget::sharding, out[i], out_.scope, graph_.value(result).type, result, region, id);
      of_value_[result.index()] = value;
    }
    return true;
  }

  Program& program_;
  Graph& graph_;
  Diagnostics& diagnostics_;
  StableFunction out_;
  std::vector<AxisList>& scopes_;
  std::vector<uint32_t>& of_value_;  // by ValueId
};

}  // namespace

Result<StableFunction> read_stable_function(Program& program, StableSource source, std::vector<AxisList>& scopes,
                                            std::vector<uint32_t>& scratch, Diagnostics& diagnostics) {
  return Reader(program, source.scope, scopes, scratch, diagnostics).run(source);
}

}  // namespace sw::gspmd
