// What is gathered is known from the causes of the collectives; where the axes of both shardings were annotated, from
// the trace. The way out is a sharding in between: candidates are made by moving or dropping one axis at a time, the
// reshard is partitioned through each, alone in a small program, and the one that moves the fewest bytes without
// gathering everything is proposed.
//
// Worked example: x (4) and y (2), from P('y', None, 'x') to P(None, ('x', 'y'), None). Through P('y', 'x', None) it is
// two all-to-alls of a piece each.
#include "report/full_remat.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "ir/builder.h"
#include "propagate/explain.h"
#include "propagate/settle.h"
#include "report/collective_facts.h"
#include "report/names.h"
#include "report/rule_words.h"
#include "report/table.h"
#include "sharding/convert.h"
#include "sharding/text.h"
#include "sharding/tile_algebra.h"

namespace sw {

namespace {

// Tries of one finding. Each partitions two operations.
constexpr size_t kMostTries = 400;

// What it costs to go through a list of shardings.
struct Cost {
  int64_t bytes = 0;
  std::map<std::string_view, int64_t> kinds;
};

class WayOut {
 public:
  explicit WayOut(const PlanReport& report)
      : meshes_(report.program.shardings),
        tiles_(report.program.tile_shardings),
        types_(report.program.graph.types),
        mesh_(report.plan.mesh),
        written_in_axes_(report.plan.mesh.valid()),
        devices_(report.local->device_count) {}

  // The shardings in between, as a user writes them, and what is moved then; nothing when none was found.
  std::optional<std::pair<std::vector<std::string>, Cost>> find(TileShardingId from, TileShardingId to, TypeId type) {
    if (!from.valid() || !to.valid()) return std::nullopt;
    const size_t rank = types_.get(type).rank();
    if (!written_in_axes_) mesh_ = made_up_mesh(tiles_.get(from), tiles_.get(to));
    if (!mesh_.valid()) return std::nullopt;
    const auto begin = named(from, rank), end = named(to, rank);
    if (!begin || !end) return std::nullopt;
    type_ = type;
    from_ = from;
    to_ = to;
    tries_ = 0;
    best_.reset();
    const std::vector<NamedShardingSpec> near = neighbours(*begin, *end);
    for (const NamedShardingSpec& spec : near) consider({spec});
    for (const NamedShardingSpec& spec : neighbours(*end, *begin)) consider({spec});
    for (size_t i = 0; i < near.size() && !best_; ++i)
      for (const NamedShardingSpec& second : neighbours(near[i], *end)) consider({near[i], second});
    return best_;
  }

 private:
  // Text for GSPMD has no mesh: one whose axes both shardings can be said with.
  MeshId made_up_mesh(const TileSharding& from, const TileSharding& to) {
    std::set<int64_t> borders{1, devices_};  // devices in a step of an axis, and in a step of the axis before it
    for (const TileSharding* sharding : {&from, &to}) {
      if (!is_tiled(*sharding) || !grid_of(*sharding).is_iota()) return {};
      const auto& reshape = grid_of(*sharding).devices.reshape;
      int64_t step = 1;
      for (size_t d = reshape.size(); d-- > 0;) borders.insert(step *= reshape[d]);
    }
    Mesh mesh;
    int64_t step = 1;
    for (const int64_t border : borders) {
      if (border % step != 0) return {};
      if (border > step) mesh.axes.insert(mesh.axes.begin(), {"a" + std::to_string(border), border / step});
      step = border;
    }
    return meshes_.inline_mesh(mesh);
  }

  std::optional<NamedShardingSpec> named(TileShardingId id, size_t rank) {
    const auto spec = named_from_tile(tiles_.get(id), meshes_, mesh_, rank);
    if (!spec.has_value()) return std::nullopt;
    return as_pin(*spec, rank);
  }

  // `at` with one axis gone, or moved to where `wanted` has it, in front of or behind what stands there.
  static std::vector<NamedShardingSpec> neighbours(const NamedShardingSpec& at, const NamedShardingSpec& wanted) {
    std::vector<NamedShardingSpec> list;
    for (size_t d = 0; d < at.dims.size(); ++d) {
      for (const AxisRef& axis : at.dims[d].axes) {
        NamedShardingSpec without = at;
        AxisList kept;
        for (const AxisRef& other : at.dims[d].axes)
          if (!(other == axis)) kept.push_back(other);
        without.dims[d].axes = kept;
        list.push_back(without);
        for (size_t w = 0; w < wanted.dims.size(); ++w) {
          const AxisList& there = wanted.dims[w].axes;
          if (w == d || std::find(there.begin(), there.end(), axis) == there.end()) continue;
          NamedShardingSpec behind = without, in_front = without;
          behind.dims[w].axes.push_back(axis);
          list.push_back(behind);
          in_front.dims[w].axes = {axis};
          in_front.dims[w].axes.append(without.dims[w].axes.begin(), without.dims[w].axes.end());
          if (without.dims[w].axes.size() > 0) list.push_back(in_front);
        }
      }
    }
    return list;
  }

  void consider(const std::vector<NamedShardingSpec>& through) {
    if (tries_ == kMostTries) return;
    ++tries_;
    std::vector<TileShardingId> steps{from_};
    std::vector<std::string> words;
    for (const NamedShardingSpec& spec : through) {
      const NamedShardingId id = meshes_.intern(spec);
      steps.push_back(tiles_.intern(tile_from_named(meshes_, id)));
      const auto text = partition_spec_text(meshes_, id);
      if (!text.has_value()) return;
      words.push_back(written_in_axes_ ? *text : hlo_text(tiles_, steps.back()));
    }
    steps.push_back(to_);
    const std::optional<Cost> cost = run(steps);
    if (cost && (!best_ || cost->bytes < best_->second.bytes)) best_ = {words, *cost};
  }

  // A parameter and a copy for each step, partitioned.
  std::optional<Cost> run(const std::vector<TileShardingId>& steps) {
    GraphBuilder builder;
    builder.types() = types_;
    builder.set_is_hlo(true);
    Function function;
    function.name = builder.name("main");
    function.is_entry = true;
    const FunctionId main = builder.add_function(function);
    const RegionId region = builder.add_region({}, main);
    builder.function(main).body = region;
    const BlockId block = builder.add_block(region);
    ValueId value = builder.add_arg(block, type_, builder.name("x"));
    std::vector<TileShardingId> shardings{steps[0]};
    for (size_t i = 1; i < steps.size(); ++i) {
      GraphBuilder::OpSpec copy;
      copy.kind = OpKind::copy;
      copy.name = builder.name("copy");
      copy.operands = std::span(&value, 1);
      copy.result_types = std::span(&type_, 1);
      value = builder.graph().result(builder.add_op(block, copy));
      shardings.push_back(steps[i]);
    }
    GraphBuilder::OpSpec end;
    end.kind = OpKind::func_return;
    end.name = builder.name(facts(OpKind::func_return).mlir);
    end.operands = std::span(&value, 1);
    builder.add_op(block, end);
    builder.function(main).type = builder.types().function(std::span(&type_, 1), std::span(&type_, 1));
    builder.function(main).arg_attrs.resize(1);
    builder.function(main).result_attrs.resize(1);
    builder.set_main(main);
    Diagnostics ignored;
    const Result<LocalProgram> local = partition(builder.graph(), tiles_, shardings, devices_, ignored);
    if (!local.has_value()) return std::nullopt;
    Cost cost;
    for (const Collective& c : local->collectives) {
      if (c.cause.reason == CollectiveReason::full_replication) return std::nullopt;
      cost.bytes = saturated_add(cost.bytes, c.bytes);
      ++cost.kinds[facts(c.kind).hlo];
    }
    return cost;
  }

  ShardingTable meshes_;  // copies that grow
  TileShardingTable tiles_;
  const TypeTable& types_;
  MeshId mesh_;
  bool written_in_axes_;  // shardings are shown as specs on the mesh; else as HLO has them
  int64_t devices_;
  TypeId type_;
  TileShardingId from_, to_;
  size_t tries_ = 0;
  std::optional<std::pair<std::vector<std::string>, Cost>> best_;
};

std::string kinds_words(const std::map<std::string_view, int64_t>& kinds) {
  std::string text;
  for (const auto& [kind, count] : kinds)
    text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + std::string(kind);
  return text;
}

// All collectives that gather one value for one op.
struct Gathered {
  CollectiveCause cause;
  int64_t largest = 0, moved = 0, runs = 1;
  std::map<std::string_view, int64_t> kinds;
};

class RematFinder {
 public:
  explicit RematFinder(const PlanReport& report)
      : report_(report),
        graph_(report.program.graph),
        list_(report),
        provenance_(report.program, report.plan),
        way_out_(report) {}

  std::vector<Finding> find() {
    std::vector<Finding> findings;
    for (const Gathered& gathered : group()) findings.push_back(describe(gathered));
    return findings;
  }

 private:
  std::vector<Gathered> group() const {
    std::vector<Gathered> list;
    std::map<std::tuple<uint32_t, uint32_t, uint32_t, uint32_t>, size_t> known;
    for (const CollectiveFacts& facts : list_.all()) {
      const Collective& c = *facts.collective;
      if (c.cause.reason != CollectiveReason::full_replication) continue;
      const auto [at, fresh] =
          known.try_emplace({c.cause.op.raw, c.cause.value.raw, c.cause.from.raw, c.cause.to.raw}, list.size());
      if (fresh) list.emplace_back().cause = c.cause;
      Gathered& gathered = list[at->second];
      gathered.largest = std::max(gathered.largest, c.bytes);
      gathered.moved = saturated_add(gathered.moved, c.bytes);
      gathered.runs = std::max(gathered.runs, c.trip_count);
      ++gathered.kinds[facts.kind];
    }
    return list;
  }

  Finding describe(const Gathered& gathered) {
    const CollectiveCause& cause = gathered.cause;
    const bool has_result = cause.op.valid() && graph_.op(cause.op).result_count > 0;
    const ValueId result = has_result ? graph_.result(cause.op) : ValueId{};
    Finding finding{LintRule::full_remat, result.valid() ? result : cause.value, {}, {}, gathered.largest};
    finding.message = list_.cause_words(cause) + ", by " + kinds_words(gathered.kinds);
    if (gathered.runs > 1) finding.message += ", " + count_text(gathered.runs) + " times a step";
    std::string from = origins(cause.value), to = origins(result);
    if (from == to) to.clear();
    if (!from.empty()) finding.message += "; it has " + from;
    if (!to.empty()) finding.message += (from.empty() ? "; wanted is " : ", wanted is ") + to;
    finding.fix = fix(gathered);
    return finding;
  }

  // "`y` on dimension 0 and `x` on dimension 2 from %arg0 (line 3)": where each axis was annotated.
  std::string origins(ValueId value) {
    if (!value.valid()) return {};
    std::vector<std::pair<std::string, std::string>> by_origin;  // origin, axes
    for (const DimAxis& axis : provenance_.axes().of_value(value)) {
      const uint32_t at = provenance_.find(value, axis);
      if (at == kNoOrigin) continue;
      const AxisOrigin& origin = provenance_.at(provenance_.chain(at).front());
      std::string name = shown(origin_name(report_.program, origin));
      if (const size_t wide = name.find("  "); wide != std::string::npos) name.erase(wide, 1);
      if (origin.value.valid()) name += " (" + shown(place_of(graph_, report_.sources, origin.value)) + ")";
      const std::string word =
          "`" + axis_word(report_.program, report_.plan, axis.axis) + "` on dimension " + std::to_string(axis.dim);
      const auto known =
          std::find_if(by_origin.begin(), by_origin.end(), [&](const auto& pair) { return pair.first == name; });
      if (known == by_origin.end())
        by_origin.emplace_back(name, word);
      else
        known->second += " and " + word;
    }
    std::string text;
    for (const auto& [name, axes] : by_origin) text += (text.empty() ? "" : ", ") + axes + " from " + name;
    return text;
  }

  std::string fix(const Gathered& gathered) {
    const CollectiveCause& cause = gathered.cause;
    if (cause.from.valid() && report_.program.tile_shardings.get(cause.from).kind == TileKind::maximal)
      return "it is made on one device: let each device make its own piece, in jax.shard_map";
    if (!cause.value.valid()) return {};
    const auto way = way_out_.find(cause.from, cause.to, graph_.value(cause.value).type);
    if (!way || way->second.bytes >= gathered.moved) return {};
    std::string text;
    for (const std::string& spec : way->first) {
      text += spec.starts_with('{') ? "x through the sharding " + spec
                                    : "x = jax.lax.with_sharding_constraint(x, " + spec + ")";
      text += (&spec == &way->first.front() ? "  # x: " + named(cause.value) : "") + "\n";
    }
    return text + "then it is " + kinds_words(way->second.kinds) + " (" + bytes_text(way->second.bytes) +
           " on each device instead of " + bytes_text(gathered.moved) + ")";
  }

  std::string named(ValueId value) const {
    const OpId def = graph_.value(value).def;
    return (def.valid() ? op_word(graph_, def) + " " : "argument ") + shown(display_name(graph_, value)) + ", " +
           shown(place_of(graph_, report_.sources, value));
  }

  const PlanReport& report_;
  const Graph& graph_;
  CollectiveList list_;
  Provenance provenance_;
  WayOut way_out_;
};

}  // namespace

std::vector<Finding> full_remat_findings(const PlanReport& report) {
  if (report.local == nullptr) return {};
  const auto& all = report.local->collectives;
  const bool any = std::any_of(
      all.begin(), all.end(), [](const Collective& c) { return c.cause.reason == CollectiveReason::full_replication; });
  return any ? RematFinder(report).find() : std::vector<Finding>{};
}

}  // namespace sw
