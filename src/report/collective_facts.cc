// See the header.
#include "report/collective_facts.h"

#include <algorithm>
#include <limits>

#include "base/checked_math.h"
#include "partition/collect.h"
#include "partition/mesh_axes.h"
#include "report/collectives_json.h"
#include "report/names.h"
#include "report/rule_words.h"
#include "report/table.h"
#include "sharding/text.h"

namespace sw {

namespace {

constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
constexpr int64_t kListedDevices = 4096;  // JSON lists no more; a mesh of 65,536 devices would fill the disk
constexpr size_t kShownList = 28;         // characters of a written list on the screen

template <class Number>
std::string joined(std::span<const Number> numbers, const char* between) {
  std::string text;
  for (size_t i = 0; i < numbers.size(); ++i) text += (i > 0 ? between : "") + std::to_string(numbers[i]);
  return text;
}

std::string iota_text(const DeviceGroups& groups) {
  std::string text = "[" + joined(std::span<const int64_t>(groups.dims), ",") + "]<=[" +
                     joined(std::span<const int64_t>(groups.devices.reshape), ",") + "]";
  const std::span<const int32_t> order(groups.devices.perm);
  return std::is_sorted(order.begin(), order.end()) ? text : text + "T(" + joined(order, ",") + ")";
}

// Lists of device numbers, as JSON.
std::string groups_json(const DeviceGroups& groups) {
  if (checked_mul(group_count(groups), group_size(groups)).value_or(kMost) > kListedDevices) return "null";
  const std::vector<int64_t> ids = device_ids(groups);
  const auto size = static_cast<size_t>(group_size(groups));
  std::string text = "[";
  for (size_t begin = 0; begin < ids.size(); begin += size)
    text += (begin > 0 ? ", [" : "[") + joined(std::span(ids).subspan(begin, size), ", ") + ']';
  return text + ']';
}

std::string pairs_json(std::span<const std::pair<int64_t, int64_t>> pairs) {
  if (static_cast<int64_t>(pairs.size()) > kListedDevices) return "null";
  std::string text = "[";
  for (const auto& [from, to] : pairs) {
    text += text.size() > 1 ? ", [" : "[";
    text += std::to_string(from) + ", " + std::to_string(to) + ']';
  }
  return text + ']';
}

// "{0,3},{1,2},…"
std::string groups_list(const DeviceGroups& groups) {
  const std::vector<int64_t> ids = device_ids(groups);
  const auto size = static_cast<size_t>(group_size(groups));
  std::string text;
  for (size_t begin = 0; begin < ids.size() && text.size() <= kShownList; begin += size)
    text += (begin > 0 ? ",{" : "{") + joined(std::span(ids).subspan(begin, std::min<size_t>(size, 16)), ",") + '}';
  return cut_to(text, kShownList);
}

// "{0→1,1→2,…}"
std::string pairs_list(std::span<const std::pair<int64_t, int64_t>> pairs) {
  std::string text = "{";
  for (size_t i = 0; i < pairs.size() && text_width(text) <= kShownList; ++i) {
    if (i > 0) text += ',';
    text += std::to_string(pairs[i].first) + "→" + std::to_string(pairs[i].second);
  }
  return cut_to(text + "}", kShownList);
}

std::vector<int64_t> dims_of(const Graph& local, const Collective& c) {
  std::string_view name;
  switch (c.kind) {
    case OpKind::all_gather:
    case OpKind::all_gather_start: name = "all_gather_dim"; break;
    case OpKind::reduce_scatter: name = "scatter_dimension"; break;
    case OpKind::all_to_all: name = "split_dimension"; break;
    default: return {};
  }
  const AttrId id = local.attr(local.op(c.op), name);
  if (!id.valid() || local.attr_table.get(id).kind != AttrKind::integer) return {};
  return {local.attr_table.get(id).integer};
}

// The user's name of the result of main that this value is, where it is one.
std::string returned_name(const Graph& graph, ValueId value, const std::string& otherwise) {
  const BlockId entry = graph.entry_block(graph.function(graph.main).body);
  const auto returned = graph.operands(graph.block(entry).ops.back());
  for (size_t i = 0; i < returned.size(); ++i)
    if (returned[i] == value) return shown(output_name(graph, i));
  return otherwise;
}

}  // namespace

int64_t saturated_add(int64_t a, int64_t b) { return checked_add(a, b).value_or(kMost); }

std::string_view reason_name(CollectiveReason reason) {
  switch (reason) {
    case CollectiveReason::reshard: return "reshard";
    case CollectiveReason::result: return "result";
    case CollectiveReason::contraction: return "contraction";
    case CollectiveReason::reduction: return "reduction";
    case CollectiveReason::halo: return "halo";
    case CollectiveReason::masked_rows: return "masked_rows";
    case CollectiveReason::partial_updates: return "partial_updates";
    case CollectiveReason::full_replication: return "full_replication";
    case CollectiveReason::loop_state: return "loop_state";
    case CollectiveReason::output: return "output";
    case CollectiveReason::user: return "user";
    case CollectiveReason::as_read: break;
  }
  return "as_read";
}

CollectiveList::CollectiveList(const PlanReport& report, const Program* other)
    : report_(report), other_(other), texts_(report) {
  const Graph& local = report.local->graph;
  all_.reserve(report.local->collectives.size());
  for (const Collective& c : report.local->collectives) {
    CollectiveFacts facts;
    facts.collective = &c;
    facts.groups = groups_of(c);
    facts.kind = collective_name(c.kind);
    facts.shape = local_shape_text(local, collective_result_type(local, c.op));
    facts.place = place(c.cause);
    facts.line = line(c.cause);
    if (facts.place.empty()) facts.place = shown(place_of(local, report.sources, c.op));
    if (facts.line == 0 && local.op(c.op).where.valid()) facts.line = line_of(report.sources, local.op(c.op).where);
    if (!c.also.empty()) facts.place += " and " + count_text(static_cast<int64_t>(c.also.size())) + " more";
    facts.cause = cause_words(c.cause);
    facts.dims = dims_of(local, c);
    facts.runs = std::max<int64_t>(c.trip_count, 1);
    facts.bytes = checked_mul(facts.runs, c.bytes).value_or(kMost);
    all_.push_back(std::move(facts));
  }
}

const GroupFacts* CollectiveList::groups_of(const Collective& c) {
  const Graph& local = report_.local->graph;
  const AttrId attr = local.attr(local.op(c.op), c.pairs.empty() ? "replica_groups" : "source_target_pairs");
  auto facts = std::make_unique<GroupFacts>();
  if (!attr.valid()) {
    *facts = describe(c);
    return others_.emplace_back(std::move(facts)).get();
  }
  const auto [at, fresh] = by_attr_.emplace(attr.raw, nullptr);
  if (fresh) {
    *facts = describe(c);
    at->second = std::move(facts);
  }
  return at->second.get();
}

GroupFacts CollectiveList::describe(const Collective& c) const {
  GroupFacts facts;
  const int64_t devices = report_.local->device_count;
  if (!c.pairs.empty()) {
    facts.count = static_cast<int64_t>(c.pairs.size());
    facts.devices = count_text(facts.count) + (facts.count == 1 ? " pair" : " pairs");
    facts.json = pairs_json(c.pairs);
    facts.over = "along " + pairs_list(c.pairs);
    name_axes(c, facts);
    return facts;
  }
  // No groups written: one of all devices.
  const bool written = c.groups.dims.size() == 2 && group_size(c.groups) > 0;
  const int64_t all[] = {1, devices};
  Collective one = {};
  if (!written) one.groups = identity_grid(all);
  const Collective& as = written ? c : one;
  facts.size = group_size(as.groups);
  facts.count = group_count(as.groups);
  facts.devices = count_text(facts.size) + " of " + count_text(devices);
  facts.json = written ? groups_json(as.groups) : "null";
  if (as.groups.is_iota()) facts.iota = iota_text(as.groups);
  if (facts.size == 1)
    facts.over = "alone";
  else if (facts.size == devices)
    facts.over = "over all devices";
  else
    facts.over = "in " + (as.groups.is_iota() ? facts.iota : groups_list(as.groups));
  name_axes(as, facts);
  return facts;
}

// In the axes of the mesh that the plan speaks of, or of the first other that fits.
void CollectiveList::name_axes(const Collective& c, GroupFacts& facts) const {
  const auto try_mesh = [&](const Mesh& mesh) {
    if (mesh.axes.empty() || mesh.device_count() != report_.local->device_count) return false;
    const std::optional<AxisList> axes =
        c.pairs.empty() ? axes_of_groups(mesh, c.groups) : axes_of_pairs(mesh, c.pairs);
    if (!axes) return false;
    facts.follows_axes = true;
    std::string names;
    for (const AxisRef& axis : *axes) {
      facts.axes.push_back(axis_word(mesh, axis));
      names += (names.empty() ? "" : ", ") + facts.axes.back();
    }
    if (!axes->empty()) facts.over = "over {" + names + "}";
    return true;
  };
  const ShardingTable& shardings = report_.program.shardings;
  if (report_.plan.mesh.valid() && try_mesh(shardings.mesh(report_.plan.mesh).mesh)) return;
  for (const Program* program : {&report_.program, other_})
    for (size_t i = 0; program != nullptr && i < program->shardings.mesh_count(); ++i)
      if (try_mesh(program->shardings.mesh(MeshId{i}).mesh)) return;
}

std::string CollectiveList::place(const CollectiveCause& cause) const {
  const Graph& graph = report_.program.graph;
  if (cause.op.valid()) return shown(place_of(graph, report_.sources, cause.op));
  if (cause.value.valid()) return shown(place_of(graph, report_.sources, cause.value));
  return {};
}

std::string CollectiveList::source(const CollectiveCause& cause) const {
  const Graph& graph = report_.program.graph;
  if (cause.op.valid()) return user_place(graph, graph.op(cause.op).loc);
  return cause.value.valid() ? user_place(graph, location_of(graph, cause.value)) : std::string();
}

int64_t CollectiveList::line(const CollectiveCause& cause) const {
  const Graph& graph = report_.program.graph;
  SourceRange range;
  if (cause.op.valid())
    range = graph.op(cause.op).where;
  else if (cause.value.valid())
    range = range_of(graph, cause.value);
  return range.valid() ? line_of(report_.sources, range) : 0;
}

std::string CollectiveList::value_name(const CollectiveCause& cause) const {
  const Graph& graph = report_.program.graph;
  if (cause.op.valid() && graph.op(cause.op).result_count > 0) return spelled_name(graph, graph.result(cause.op));
  return cause.value.valid() ? spelled_name(graph, cause.value) : std::string();
}

const ShardingText* CollectiveList::sharding(TileShardingId id, const CollectiveCause& cause) {
  if (!id.valid()) return nullptr;
  const Graph& graph = report_.program.graph;
  size_t rank = 0;
  if (cause.value.valid())
    rank = graph.type_of(cause.value).rank();
  else if (cause.op.valid() && graph.op(cause.op).result_count > 0)
    rank = graph.type_of(graph.result(cause.op)).rank();
  const TileSharding& tiles = report_.program.tile_shardings.get(id);
  if (tiles.kind == TileKind::tiled) rank = tiles.data_rank();
  return &texts_.of_tiled(id, rank);
}

std::string CollectiveList::spec(TileShardingId id, const CollectiveCause& cause) {
  const ShardingText* text = sharding(id, cause);
  if (text == nullptr) return {};
  return !text->spec.empty() ? text->spec : text->hlo;
}

// What the user calls the op.
std::string CollectiveList::op_words(const CollectiveCause& cause) const {
  if (!cause.op.valid()) return {};
  const Graph& graph = report_.program.graph;
  const Op& op = graph.op(cause.op);
  const AttrId target = graph.attr(op, "call_target_name");
  const bool annotation = target.valid() && graph.attr_table.get(target).text == "Sharding";
  if (annotation || op.kind == OpKind::sharding_constraint) return "with_sharding_constraint";
  const std::string word = op_word(graph, cause.op);
  return target.valid() ? word + " @" + shown(graph.attr_table.get(target).text) : word;
}

// "dot_general takes params['w1'] as P('x'), it is P('y')".
std::string CollectiveList::move_words(const CollectiveCause& cause) {
  const Graph& graph = report_.program.graph;
  const std::string from = spec(cause.from, cause), to = spec(cause.to, cause), op = op_words(cause);
  const std::string value = cause.value.valid() ? shown(display_name(graph, cause.value)) : "";
  if (op == "with_sharding_constraint" && !from.empty() && !to.empty()) return op + ": " + from + " becomes " + to;
  if (value.empty()) {
    const std::string text = op.empty() ? "a value is moved" : op + " moves an operand or its result";
    return from.empty() || to.empty() ? text : text + " from " + from + " to " + to;
  }
  if (op.empty() && !from.empty() && !to.empty())
    return returned_name(graph, cause.value, value) + " is to be " + to + ", it is " + from;
  const std::string text = op.empty() ? value + " is wanted" : op + " takes " + value;
  if (from.empty()) return text + " in another sharding than it has";
  return to.empty() ? text + " in another sharding than " + from : text + " as " + to + ", it is " + from;
}

std::string CollectiveList::cause_words(const CollectiveCause& cause) {
  const std::string from = spec(cause.from, cause), to = spec(cause.to, cause), known = op_words(cause),
                    op = known.empty() ? "an operation" : known;
  const std::string wanted =
      from.empty() || to.empty() ? " is wanted in another sharding than it has" : " is to be " + to + ", it is " + from;
  const std::string value =
      cause.value.valid() ? shown(display_name(report_.program.graph, cause.value)) : std::string("a value");
  switch (cause.reason) {
    case CollectiveReason::reshard: return move_words(cause);
    case CollectiveReason::result: return "the result of " + op + wanted;
    case CollectiveReason::contraction: return op + " sums over a sharded dimension";
    case CollectiveReason::reduction: return op + " over a sharded dimension";
    case CollectiveReason::halo: return op + " reads across the borders between devices";
    case CollectiveReason::masked_rows: return op + " from a sharded dimension: each device has some of the rows";
    case CollectiveReason::partial_updates: return op + " of sharded updates: each device has a part of the result";
    case CollectiveReason::full_replication:
      return (from.empty() || to.empty() ? "no direct way to the sharding wanted"
                                         : "no direct way from " + from + " to " + to) +
             ": gathered whole on every device (full rematerialization)";
    case CollectiveReason::loop_state: return value + ", carried by a loop or branch," + wanted;
    case CollectiveReason::output: {
      const int32_t index = std::max(cause.operand, 0);
      return shown(output_name(report_.program.graph, static_cast<size_t>(index))) + wanted;
    }
    case CollectiveReason::user: return "your own, in shard_map";
    case CollectiveReason::as_read: break;
  }
  return "stands in the file";
}

std::vector<CollectiveSum> sums_of(const CollectiveList& list, CollectiveOrder order) {
  std::vector<CollectiveSum> sums;
  std::map<std::string, size_t> known;
  for (uint32_t i = 0; i < list.all().size(); ++i) {
    const CollectiveFacts& c = list.all()[i];
    std::string key;
    if (order == CollectiveOrder::axis) key = c.groups->over;
    if (order == CollectiveOrder::line) key = c.place;
    const auto [at, fresh] = known.emplace(key, sums.size());
    if (fresh) sums.push_back({std::move(key), nullptr, {}, 0, 0, false});
    CollectiveSum& sum = sums[at->second];
    // Pairs of a permute say nothing of the size of a group.
    if (order == CollectiveOrder::axis && (sum.groups == nullptr || sum.groups->size == 0)) sum.groups = c.groups;
    sum.members.push_back(i);
    sum.runs = saturated_add(sum.runs, c.runs);
    sum.bytes = saturated_add(sum.bytes, c.bytes);
    sum.at_least = sum.at_least || c.collective->trip_count == 0;
  }
  const auto more_bytes = [&](uint32_t a, uint32_t b) { return list.all()[a].bytes > list.all()[b].bytes; };
  for (CollectiveSum& sum : sums) std::stable_sort(sum.members.begin(), sum.members.end(), more_bytes);
  std::stable_sort(sums.begin(), sums.end(),
                   [](const CollectiveSum& a, const CollectiveSum& b) { return a.bytes > b.bytes; });
  return sums;
}

std::string kinds_text(const CollectiveList& list, std::span<const uint32_t> members) {
  struct Sum {
    std::string_view kind;
    int64_t runs = 0, bytes = 0;
  };
  std::vector<Sum> sums;
  for (const uint32_t i : members) {
    const CollectiveFacts& c = list.all()[i];
    auto at = std::find_if(sums.begin(), sums.end(), [&](const Sum& s) { return s.kind == c.kind; });
    if (at == sums.end()) at = sums.insert(sums.end(), {c.kind, 0, 0});
    at->runs = saturated_add(at->runs, c.runs);
    at->bytes = saturated_add(at->bytes, c.bytes);
  }
  std::stable_sort(sums.begin(), sums.end(), [](const Sum& a, const Sum& b) { return a.bytes > b.bytes; });
  std::string text;
  for (const Sum& sum : sums)
    text += (text.empty() ? "" : ", ") + count_text(sum.runs) + ' ' + std::string(sum.kind) + " (" +
            bytes_text(sum.bytes) + ')';
  return text;
}

std::string moved_text(const CollectiveList& list) {
  int64_t runs = 0, bytes = 0, own = 0, own_bytes = 0;
  bool at_least = false;
  for (const CollectiveFacts& c : list.all()) {
    runs = saturated_add(runs, c.runs);
    bytes = saturated_add(bytes, c.bytes);
    at_least = at_least || c.collective->trip_count == 0;
    if (!c.by_user()) continue;
    own = saturated_add(own, c.runs);
    own_bytes = saturated_add(own_bytes, c.bytes);
  }
  std::string text = (at_least ? "at least " : "") + bytes_text(bytes) + " a device and step, in " + count_text(runs) +
                     (runs == 1 ? " collective" : " collectives");
  if (own > 0 && own == runs)
    text += runs == 1 ? ", your own" : ", all your own";
  else if (own > 0)
    text += "; " + count_text(own) + " of them your own (" + bytes_text(own_bytes) + ")";
  if (at_least) text += "; loops of unknown length are counted once";
  return text;
}

}  // namespace sw
