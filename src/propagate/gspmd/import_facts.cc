// Facts of an op that the module keeps beside it: which custom call it is, the dimensions that rules read, whether it
// is elementwise or has side effects. One place for both importers.
#include <algorithm>

#include "ops/attr_reader.h"
#include "ops/dims_listed.h"
#include "propagate/gspmd/import.h"
#include "propagate/gspmd/rules.h"
#include "sharding/convert.h"

namespace sw::gspmd {
namespace {

std::string_view text_attr(const Graph& graph, const Op& op, std::string_view name) {
  const AttrId id = graph.attr(op, name);
  if (!id.valid()) return {};
  const Attr attr = graph.attr_table.get(id);
  return attr.kind == AttrKind::string || attr.kind == AttrKind::symbol || attr.kind == AttrKind::opaque
             ? attr.text
             : std::string_view{};
}

struct KnownTarget {
  std::string_view name;
  CallTarget target;
};
constexpr KnownTarget kTargets[] = {
    {"Sharding", CallTarget::sharding},
    {"SPMDFullToShardShape", CallTarget::full_to_shard},
    {"SPMDShardToFullShape", CallTarget::shard_to_full},
    {"ShardBarrierFrom", CallTarget::barrier_from},
    {"ShardBarrierTo", CallTarget::barrier_to},
    {"X64Combine", CallTarget::passes_first},
    {"LayoutConstraint", CallTarget::passes_first},
    {"ResizeNearest", CallTarget::passes_only},
    {"ResizeBilinear", CallTarget::passes_only},
    {"ResizeNearestGrad", CallTarget::passes_only},
    {"ResizeBilinearGrad", CallTarget::passes_only},
    {"Cholesky", CallTarget::passes_only},
    {"MoveToHost", CallTarget::passes_only},
    {"MoveToDevice", CallTarget::passes_only},
    {"PinToDevice", CallTarget::passes_only},
    {"PinToDeviceSram", CallTarget::passes_only},
};

// mhlo.frontend_attributes = {num_batch_dims = "1"}
std::optional<uint32_t> batch_dims(const Graph& graph, const Op& op) {
  const AttrId id = graph.attr(op, "mhlo.frontend_attributes");
  if (!id.valid()) return std::nullopt;
  for (const NamedAttr& field : graph.attr_table.get(id).fields) {
    if (graph.strings.text(field.name) != "num_batch_dims") continue;
    const std::string_view text = graph.attr_table.get(field.value).text;
    uint32_t value = 0;
    for (const char c : text) {
      if (c < '0' || c > '9' || value > 1000) return std::nullopt;
      value = value * 10 + static_cast<uint32_t>(c - '0');
    }
    return text.empty() ? std::nullopt : std::optional(value);
  }
  return std::nullopt;
}

}  // namespace

void describe_custom_call(const Graph& graph, const Op& op, Inst& inst) {
  const std::string_view name = text_attr(graph, op, "call_target_name");
  inst.target = CallTarget::other;
  for (const KnownTarget& known : kTargets) {
    if (known.name == name) inst.target = known.target;
  }
  if (inst.target != CallTarget::other) return;
  if (const std::optional<uint32_t> batch = batch_dims(graph, op)) {
    inst.target = CallTarget::batch;
    inst.number = *batch;
  }
}

DimList unspecified_dims(const Graph& graph, const Op& op) {
  DimList dims;
  std::string_view text = text_attr(graph, op, "backend_config");
  constexpr std::string_view kKey = "unspecified_dims=[";
  const size_t at = text.find(kKey);
  if (at == std::string_view::npos) return dims;
  text.remove_prefix(at + kKey.size());
  int64_t value = -1;
  for (const char c : text) {
    if (c >= '0' && c <= '9' && value < 1000) {
      value = std::max<int64_t>(value, 0) * 10 + (c - '0');
      continue;
    }
    if (value >= 0) dims.push_back(value);
    value = -1;
    if (c == ']') break;
  }
  std::sort(dims.begin(), dims.end());
  return dims;
}

DimList open_dims(const ShardingTable& table, NamedShardingId id) {
  const NamedSharding sharding = table.get(id);
  DimList open;
  for (size_t d = 0; d < sharding.rank(); ++d)
    if (!sharding.dims[d].closed) open.push_back(static_cast<int64_t>(d));
  return open;
}

TileShardingId tile_inside(Program& program, NamedShardingId id, std::span<const AxisRef> manual) {
  if (manual.empty()) return program.tile_shardings.intern(tile_from_named(program.shardings, id));
  NamedShardingSpec spec = program.shardings.spec(id);
  for (NamedShardingSpec::Dim& dim : spec.dims) {
    AxisList kept;
    for (const AxisRef& axis : dim.axes) {
      if (std::none_of(manual.begin(), manual.end(), [&](const AxisRef& m) { return m.axis == axis.axis; }))
        kept.push_back(axis);
    }
    dim.axes = kept;
  }
  return program.tile_shardings.intern(tile_from_named(program.shardings.mesh(spec.mesh).mesh, spec, manual));
}

bool is_elementwise(const Graph& graph, OpId id, OpKind kind) {
  if (!elementwise_kind(kind) && kind != OpKind::constant) return false;
  const Op& op = graph.op(id);
  if (kind == OpKind::bitcast_convert) {
    const ElementType from = graph.type_of(graph.operands(op)[0]).element;
    return bits(from) == bits(graph.type_of(graph.result(id)).element);
  }
  if (kind == OpKind::map) {
    DimList dims;
    AttrReader(graph, op, nullptr).optional_ints("dimensions", dims);
    return counts_up(dims) && (dims.empty() || dims.size() == graph.type_of(graph.result(id)).rank());
  }
  return true;
}

bool has_side_effect(const Graph& graph, const Op& op, OpKind kind) {
  switch (kind) {
    case OpKind::send:
    case OpKind::send_done:
    case OpKind::recv:
    case OpKind::recv_done:
    case OpKind::rng:
    case OpKind::rng_get_and_update_state:
    case OpKind::infeed:
    case OpKind::outfeed:
    case OpKind::all_reduce_start:
    case OpKind::all_reduce_done:
    case OpKind::all_gather_start:
    case OpKind::all_gather_done:
    case OpKind::collective_broadcast:
    case OpKind::collective_permute_start:
    case OpKind::collective_permute_done: return true;
    case OpKind::custom_call: {
      bool effect = false;
      AttrReader(graph, op, nullptr).optional_boolean("has_side_effect", effect);
      return effect;
    }
    default: return false;
  }
}

std::vector<bool> flags_of(const Graph& graph, std::string_view name) {
  std::vector<bool> flags;
  const StringId id = graph.strings.find(name);
  if (!id.valid()) return flags;
  const AttrId attr = Graph::find(graph.attrs(graph.module_attrs), id);
  if (!attr.valid()) return flags;
  const Attr value = graph.attr_table.get(attr);
  if (value.kind == AttrKind::boolean) flags.push_back(value.integer != 0);
  for (const int64_t flag : value.integers) flags.push_back(flag != 0);
  return flags;
}

}  // namespace sw::gspmd
