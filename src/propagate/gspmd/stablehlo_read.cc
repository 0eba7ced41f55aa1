// From the graph as read to the form that is simplified. sdy ops become what XLA's exporter makes of them for GSPMD: a
// sharding_constraint an annotation, a manual_computation its body between conversions to and from manual sharding.
#include <cstdlib>

#include "ops/attr_reader.h"
#include "ops/dims_listed.h"
#include "propagate/gspmd/import.h"
#include "propagate/gspmd/stablehlo_ir.h"
#include "sharding/convert.h"

namespace sw::gspmd {
namespace {

constexpr int kMaxNesting = 400;

class Reader {
 public:
  Reader(Program& program, std::vector<uint32_t>& of_value, Diagnostics& diagnostics)
      : program_(program), graph_(program.graph), diagnostics_(diagnostics), of_value_(of_value) {}

  Result<StableFunction> run(FunctionId id) {
    of_value_.resize(graph_.value_count(), kNone);
    const Function& function = graph_.function(id);
    if (function.body.valid() && !read_block(graph_.entry_block(function.body), out_.body, 0)) return reported();
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
      case OpKind::sharding_group: return true;
      case OpKind::data_flow_edge:
      case OpKind::func_data_flow_edge:
      case OpKind::propagation_barrier:
        of_value_[op.first_result.index()] = of_value_[graph_.operands(op)[0].index()];
        return true;
      case OpKind::named_computation:
      case OpKind::manual_computation: return read_inlined(id, op, region, depth);
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
    if (op.kind == OpKind::call || op.kind == OpKind::composite) node.callee = callee_of(op);
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
    return end != nullptr && *end == '\0' && end != text.c_str() ? rounded_to(value, element) : std::nullopt;
  }

  NamedShardingId sharding_attr(const Op& op, std::string_view name) const {
    const AttrId attr = graph_.attr(op, name);
    if (!attr.valid()) return {};
    const Attr value = graph_.attr_table.get(attr);
    return value.kind == AttrKind::sharding ? NamedShardingId{static_cast<size_t>(value.integer)} : NamedShardingId{};
  }

  uint32_t annotate(uint32_t value, CallTarget target, TileShardingId sharding, TypeId type, ValueId origin,
                    StableRegion& region) {
    StableNode node;
    node.kind = OpKind::custom_call;
    node.target = target;
    node.operands = {value};
    node.sharding = sharding;
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
    annotate(operand, CallTarget::sharding, tile_of(sharding), graph_.value(op.first_result).type, op.first_result,
             region);
    StableNode& node = out_.nodes.back();
    node.op = id;
    const NamedSharding named = program_.shardings.get(sharding);
    for (size_t d = 0; d < named.rank(); ++d) {
      if (!named.dims[d].closed && named.dims[d].axes.empty()) node.open.push_back(static_cast<int64_t>(d));
    }
    return true;
  }

  TileShardingId tile_of(NamedShardingId id, std::span<const AxisRef> manual = {}) {
    return program_.tile_shardings.intern(tile_from_named(program_.shardings, id, manual));
  }

  std::vector<NamedShardingId> sharding_list(const Op& op, std::string_view name) const {
    std::vector<NamedShardingId> list;
    const AttrId attr = graph_.attr(op, name);
    if (!attr.valid()) return list;
    for (const int64_t id : graph_.attr_table.get(attr).integers)
      list.push_back(NamedShardingId{static_cast<size_t>(id)});
    return list;
  }

  // Axes of a manual computation: every axis named in the attribute's text.
  AxisList manual_axes(const Op& op, MeshId mesh) const {
    AxisList axes;
    const AttrId attr = graph_.attr(op, "manual_axes");
    if (!attr.valid() || !mesh.valid()) return axes;
    const std::string_view text = graph_.attr_table.get(attr).text;
    const Mesh& m = program_.shardings.mesh(mesh).mesh;
    for (uint32_t a = 0; a < m.axes.size(); ++a) {
      if (text.find('"' + m.axes[a].name + '"') == std::string_view::npos) continue;
      axes.push_back({a, 1, static_cast<uint32_t>(m.axes[a].size)});
    }
    return axes;
  }

  // What an annotation inside a manual region says of a value: its own axes, and the manual ones as manual.
  TileShardingId inside_manual(NamedShardingId id, const AxisList& manual) {
    NamedShardingSpec spec = program_.shardings.spec(id);
    const auto is_manual = [&](const AxisRef& axis) {
      for (const AxisRef& m : manual) {
        if (m.axis == axis.axis) return true;
      }
      return false;
    };
    for (NamedShardingSpec::Dim& dim : spec.dims) {
      AxisList kept;
      for (const AxisRef& axis : dim.axes) {
        if (!is_manual(axis)) kept.push_back(axis);
      }
      dim.axes = kept;
    }
    return program_.tile_shardings.intern(tile_from_named(program_.shardings.mesh(spec.mesh).mesh, spec, manual));
  }

  bool read_inlined(OpId id, const Op& op, StableRegion& region, int depth) {
    const std::vector<NamedShardingId> in = sharding_list(op, "in_shardings"), out = sharding_list(op, "out_shardings");
    const bool manual = op.kind == OpKind::manual_computation;
    const MeshId mesh = !in.empty() ? program_.shardings.get(in[0]).mesh
                                    : (out.empty() ? MeshId{} : program_.shardings.get(out[0]).mesh);
    const AxisList axes = manual ? manual_axes(op, mesh) : AxisList{};
    const BlockId body = graph_.entry_block(graph_.regions(op)[0]);
    const std::vector<uint32_t> operands = operands_of(op);
    for (uint32_t i = 0; i < graph_.block(body).arg_count; ++i) {
      const ValueId arg = graph_.arg(body, i);
      uint32_t value = operands[i];
      if (i < in.size()) {
        value = annotate(value, CallTarget::sharding, tile_of(in[i]), out_.values[value].type, {}, region);
        if (!axes.empty()) {
          value = annotate(value, CallTarget::full_to_shard, inside_manual(in[i], axes), graph_.value(arg).type, arg,
                           region);
        }
      }
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
      if (i < out.size()) {
        if (!axes.empty()) {
          value =
              annotate(value, CallTarget::sharding, inside_manual(out[i], axes), out_.values[value].type, {}, region);
        }
        const CallTarget target = axes.empty() ? CallTarget::sharding : CallTarget::shard_to_full;
        value = annotate(value, target, tile_of(out[i]), graph_.value(result).type, result, region);
      }
      of_value_[result.index()] = value;
    }
    return true;
  }

  Program& program_;
  Graph& graph_;
  Diagnostics& diagnostics_;
  StableFunction out_;
  std::vector<uint32_t>& of_value_;  // by ValueId
};

}  // namespace

Result<StableFunction> read_stable_function(Program& program, FunctionId id, std::vector<uint32_t>& scratch,
                                            Diagnostics& diagnostics) {
  return Reader(program, scratch, diagnostics).run(id);
}

}  // namespace sw::gspmd
