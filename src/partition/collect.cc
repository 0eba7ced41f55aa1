#include "partition/collect.h"

#include <charconv>
#include <limits>
#include <unordered_map>

#include "base/checked_math.h"
#include "partition/replica_groups.h"

namespace sw {

namespace {

std::optional<int64_t> constant_of(const Graph& graph, ValueId value) {
  OpId def = graph.value(value).def;
  while (def.valid() && (graph.op(def).kind == OpKind::copy || graph.op(def).kind == OpKind::convert))
    def = graph.value(graph.operands(def)[0]).def;
  if (!def.valid() || graph.op(def).kind != OpKind::constant) return std::nullopt;
  const AttrId literal = graph.attr(graph.op(def), "value");
  if (!literal.valid()) return std::nullopt;
  const std::string_view text = graph.attr_table.get(literal).text;
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// Which element of the computation's only parameter a value is.
std::optional<int64_t> state_element(const Graph& graph, ValueId value) {
  OpId def = graph.value(value).def;
  while (def.valid() && graph.op(def).kind == OpKind::copy) {
    value = graph.operands(def)[0];
    def = graph.value(value).def;
  }
  if (!def.valid() || graph.op(def).kind != OpKind::get_tuple_element) return std::nullopt;
  if (graph.value(graph.operands(def)[0]).def.valid()) return std::nullopt;
  const AttrId index = graph.attr(graph.op(def), "index");
  return index.valid() ? std::optional(graph.attr_table.get(index).integer) : std::nullopt;
}

ValueId root_of(const Graph& graph, RegionId region) {
  return graph.operands(graph.block(graph.entry_block(region)).ops.back())[0];
}

// Amount that the body adds to an element of the state.
std::optional<int64_t> step_of(const Graph& graph, RegionId body, int64_t element) {
  const OpId root = graph.value(root_of(graph, body)).def;
  if (!root.valid() || graph.op(root).kind != OpKind::tuple) return std::nullopt;
  const auto leaves = graph.operands(root);
  if (static_cast<size_t>(element) >= leaves.size()) return std::nullopt;
  const OpId add = graph.value(leaves[static_cast<size_t>(element)]).def;
  if (!add.valid() || graph.op(add).kind != OpKind::add) return std::nullopt;
  const auto terms = graph.operands(add);
  if (state_element(graph, terms[0]) == element) return constant_of(graph, terms[1]);
  if (state_element(graph, terms[1]) == element) return constant_of(graph, terms[0]);
  return std::nullopt;
}

std::optional<int64_t> written_trip_count(const Graph& graph, const Op& op) {
  const AttrId config = graph.attr(op, "backend_config");
  if (!config.valid()) return std::nullopt;
  const std::string_view text = graph.attr_table.get(config).text;
  const size_t known = text.find("known_trip_count");
  const size_t digits = known == std::string_view::npos ? known : text.find_first_of("0123456789", known);
  if (digits == std::string_view::npos) return std::nullopt;
  int64_t count = 0;
  std::from_chars(text.data() + digits, text.data() + text.size(), count);
  return count;
}

}  // namespace

int64_t trip_count(const Graph& graph, OpId while_op) {
  const Op& op = graph.op(while_op);
  if (const auto written = written_trip_count(graph, op)) return *written;
  const auto regions = graph.regions(op);
  const OpId compare = graph.value(root_of(graph, regions[0])).def;
  if (!compare.valid() || graph.op(compare).kind != OpKind::compare) return 0;
  const AttrId direction = graph.attr(graph.op(compare), "comparison_direction");
  const std::string_view text = direction.valid() ? graph.attr_table.get(direction).text : "";
  const auto element = state_element(graph, graph.operands(compare)[0]);
  const auto limit = constant_of(graph, graph.operands(compare)[1]);
  if (!element || !limit || (text != "LT" && text != "LE" && text != "NE")) return 0;
  const auto step = step_of(graph, regions[1], *element);
  const OpId initial = graph.value(graph.operands(op)[0]).def;
  if (!step || *step <= 0 || !initial.valid() || graph.op(initial).kind != OpKind::tuple) return 0;
  const auto start = constant_of(graph, graph.operands(initial)[static_cast<size_t>(*element)]);
  if (!start) return 0;
  const int64_t end = text == "LE" ? *limit + 1 : *limit;
  return end <= *start ? 0 : (end - *start + *step - 1) / *step;
}

namespace {

// The op itself, or what a first half starts that is written in short, `reduce-scatter-start(...)`, without a
// computation.
OpKind started_kind(const Graph& graph, const Op& op) {
  if (op.kind != OpKind::async_start) return op.kind;
  const std::string_view name = graph.strings.text(op.name);
  constexpr std::string_view kStart = "-start";
  return name.ends_with(kStart) ? op_kind_from_hlo(name.substr(0, name.size() - kStart.size())) : op.kind;
}

class Collector {
 public:
  Collector(const Graph& graph, std::span<const std::pair<OpId, CollectiveCause>> causes, std::span<const OpId> new_op)
      : graph_(graph) {
    for (const auto& [op, cause] : causes)
      if (op.index() < new_op.size() && new_op[op.index()].valid()) causes_.emplace(new_op[op.index()].raw, cause);
  }

  std::vector<Collective> run() {
    if (graph_.main.valid()) visit(graph_.main, 1);
    return std::move(found_);
  }

 private:
  void visit(FunctionId id, int64_t times) {
    const Function& function = graph_.function(id);
    for (OpId op_id : graph_.block(graph_.entry_block(function.body)).ops) {
      const Op& op = graph_.op(op_id);
      if (const OpKind kind = started_kind(graph_, op); is_listed_collective(kind)) {
        add(op_id, kind, id, times);
        continue;
      }
      const bool control = op.kind == OpKind::while_ || op.kind == OpKind::case_ || op.kind == OpKind::call ||
                           op.kind == OpKind::async_start;
      if (!control) continue;
      const auto regions = graph_.regions(op);
      int64_t inner = times;
      if (op.kind == OpKind::while_)
        inner = checked_mul(times, trip_count(graph_, op_id)).value_or(std::numeric_limits<int64_t>::max());
      for (RegionId region : regions) visit(graph_.region(region).function, inner);
    }
  }

  void add(OpId id, OpKind kind, FunctionId function, int64_t times) {
    const Op& op = graph_.op(id);
    Collective c;
    c.op = id;
    c.kind = kind;
    c.computation = function;
    c.trip_count = times;
    c.bytes = byte_size(graph_, collective_result_type(graph_, id));
    if (auto groups = read_replica_groups(graph_, op)) c.groups = *groups;
    c.pairs = pairs_of(op);
    const auto cause = causes_.find(id.raw);
    if (cause != causes_.end())
      c.cause = cause->second;
    else
      c.cause.reason = CollectiveReason::user;
    found_.push_back(std::move(c));
  }

  // Equal permutes share their list.
  PairList pairs_of(const Op& op) {
    const AttrId attr = graph_.attr(op, "source_target_pairs");
    if (!attr.valid()) return {};
    const auto [at, is_new] = pairs_.try_emplace(attr.raw);
    if (is_new) at->second = read_source_target_pairs(graph_, op);
    return at->second;
  }

  const Graph& graph_;
  std::unordered_map<uint32_t, PairList> pairs_;  // by AttrId
  std::unordered_map<uint32_t, CollectiveCause> causes_;
  std::vector<Collective> found_;
};

}  // namespace

LocalProgram already_partitioned(const Program& program, int64_t device_count) {
  LocalProgram result;
  result.graph = Graph(program.graph);
  result.device_count = device_count;
  result.collectives = collect(result.graph, {}, {});
  for (Collective& c : result.collectives) {
    c.cause.op = c.op;
    c.cause.reason = CollectiveReason::as_read;
  }
  return result;
}

TypeId collective_result_type(const Graph& graph, OpId op) {
  const TypeId id = graph.value(graph.result(op)).type;
  const OpKind kind = graph.op(op).kind;
  if (kind != OpKind::all_gather_start && kind != OpKind::collective_permute_start && kind != OpKind::async_start)
    return id;
  const Type type = graph.types.get(id);
  return type.kind == TypeKind::tuple && type.elements.size() > 1 ? type.elements[1] : id;
}

bool is_listed_collective(OpKind kind) {
  switch (kind) {
    case OpKind::all_gather:
    case OpKind::all_gather_start:
    case OpKind::all_reduce:
    case OpKind::all_reduce_start:
    case OpKind::all_to_all:
    case OpKind::collective_broadcast:
    case OpKind::collective_permute:
    case OpKind::collective_permute_start:
    case OpKind::ragged_all_to_all:
    case OpKind::reduce_scatter: return true;
    default: return false;
  }
}

std::vector<Collective> collect(const Graph& graph, std::span<const std::pair<OpId, CollectiveCause>> causes,
                                std::span<const OpId> new_op) {
  return Collector(graph, causes, new_op).run();
}

}  // namespace sw
