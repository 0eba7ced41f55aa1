// See the header.
#include "propagate/outcomes.h"

#include <algorithm>
#include <optional>

#include "base/parallel.h"
#include "propagate/as_written.h"
#include "propagate/compare.h"
#include "propagate/live_values.h"
#include "propagate/neighbours.h"
#include "sharding/convert.h"
#include "sharding/text.h"

namespace sw {

namespace {

// What is kept of one way.
struct Reduced {
  std::vector<uint32_t> cut_of_value;
  CutTable table;
  std::map<std::pair<uint32_t, size_t>, CutText> texts;  // by cut of `table`, and rank
  std::vector<ValueId> partings;
};

std::string spec_text(Program& program, const Plan& plan, uint32_t id, size_t rank) {
  if (plan.by == Partitioner::shardy)
    return partition_spec_text(program.shardings, NamedShardingId{id})
        .value_or(sdy_text(program.shardings, NamedShardingId{id}));
  const TileShardingId tile{id};
  if (plan.mesh.valid()) {
    AxisList manual;
    const auto named = named_from_tile(program.tile_shardings.get(tile), program.shardings, plan.mesh, rank, &manual);
    if (named.has_value())
      if (const auto text = partition_spec_text(program.shardings, program.shardings.intern(*named))) return *text;
  }
  return hlo_text(program.tile_shardings, tile);
}

std::vector<int64_t> tiles_of(std::span<const DimAxis> axes) {
  std::vector<int64_t> tiles;
  for (const DimAxis& piece : axes) {
    if (piece.dim >= tiles.size()) tiles.resize(size_t{piece.dim} + 1, 1);
    tiles[piece.dim] *= piece.axis.size;
  }
  return tiles;
}

Reduced reduce(Program& program, const Plan& plan) {
  Reduced out;
  const ShardingAxes axes(program, plan);
  const Cuts cuts(program, plan, axes, out.table);
  out.cut_of_value.resize(program.graph.value_count());
  for (size_t v = 0; v < out.cut_of_value.size(); ++v) {
    if (v < plan.absent.size() && plan.absent[v] != 0) {
      out.cut_of_value[v] = Outcomes::kAbsent;
      continue;
    }
    const uint32_t cut = out.cut_of_value[v] = cuts.of_value(ValueId{v});
    const Type type = program.graph.type_of(ValueId{v});
    if (!type.is_array()) continue;
    const auto [at, fresh] = out.texts.try_emplace({cut, type.rank()});
    if (!fresh) continue;
    const bool named = plan.by == Partitioner::shardy;
    const uint32_t id = named ? plan.named[v].raw : plan.tiled[v].raw;
    const bool known = id < cuts.sharding_count();
    at->second.text = known ? spec_text(program, plan, id, type.rank()) : "P()";
    if (known) at->second.tiles = tiles_of(axes.of_sharding(id));
    at->second.tiles.resize(type.rank(), 1);
  }
  return out;
}

bool same_cuts(const Reduced& a, const Reduced& b) {
  CutTable table;
  const std::vector<uint32_t> of_a = table.adopt(a.table), of_b = table.adopt(b.table);
  for (size_t v = 0; v < a.cut_of_value.size(); ++v) {
    const uint32_t x = a.cut_of_value[v], y = b.cut_of_value[v];
    if (x != Outcomes::kAbsent && y != Outcomes::kAbsent && of_a[x] != of_b[y]) return false;
  }
  return true;
}

bool has_elements(const Type& type) {
  return type.is_array() && type.rank() > 0 && std::find(type.dims.begin(), type.dims.end(), 0) == type.dims.end();
}

}  // namespace

std::string variation_name(const Variation& variation) {
  std::string name = variation.by == Partitioner::shardy ? "Shardy" : "GSPMD";
  switch (variation.order.kind) {
    case VisitOrder::Kind::own: break;
    case VisitOrder::Kind::reversed: name += " reversed"; break;
    case VisitOrder::Kind::seeded: name += " shuffled " + std::to_string(variation.order.seed); break;
    case VisitOrder::Kind::backward_first: name += " backward first"; break;
  }
  if (variation.strategy == Variation::Strategy::basic) name += " basic";
  if (variation.strategy == Variation::Strategy::basic_first) name += " basic first";
  if (!variation.priorities) name += variation.by == Partitioner::shardy ? " without priorities" : " without levels";
  return name;
}

std::vector<Variation> variations(const Program& program, Partitioner chosen) {
  std::vector<Variation> ways;
  if (chosen == Partitioner::none) return ways;
  constexpr size_t kLargeProgram = 20'000;
  const uint64_t shuffles = program.graph.op_count() > kLargeProgram ? 1 : 3;
  const Partitioner other = chosen == Partitioner::shardy ? Partitioner::gspmd : Partitioner::shardy;
  for (const Partitioner by : {chosen, other}) {
    if (by == Partitioner::shardy && by != chosen && is_for_gspmd(program)) continue;
    ways.push_back({.by = by});
    ways.push_back({.by = by, .order = {VisitOrder::Kind::reversed, 0}});
    ways.push_back({.by = by, .order = {VisitOrder::Kind::backward_first, 0}});
    for (uint64_t seed = 1; seed <= shuffles; ++seed)
      ways.push_back({.by = by, .order = {VisitOrder::Kind::seeded, seed}});
    ways.push_back({.by = by, .priorities = false});
    if (by != Partitioner::shardy) continue;
    ways.push_back({.by = by, .strategy = Variation::Strategy::basic});
    ways.push_back({.by = by, .strategy = Variation::Strategy::basic_first});
  }
  return ways;
}

Outcomes::Outcomes(const Program& program, const Seeds& seeds, std::span<const Variation> ways, const RunVariation& run,
                   int threads)
    : program_(program), plan_program_(program), uncertain_flag_(program.graph.value_count()) {
  std::vector<std::optional<Reduced>> reduced(ways.size());
  Result<Plan> first = ways.empty() ? Result<Plan>(reported()) : run(plan_program_, seeds, ways[0]);
  if (!first.has_value()) return;
  plan_ = std::move(*first);
  reduced[0] = reduce(plan_program_, plan_);
  std::vector<ValueId> same(program.graph.value_count());
  for (uint32_t i = 0; i < same.size(); ++i) same[i] = ValueId{i};
  const Provenance from_first(plan_program_, plan_);

  const auto run_one = [&](size_t i) {
    Program copy = program_;
    const Result<Plan> plan = run(copy, seeds, ways[i + 1]);
    if (!plan.has_value()) return;
    Reduced& out = reduced[i + 1].emplace(reduce(copy, *plan));
    if (same_cuts(*reduced[0], out)) return;
    const Provenance from(copy, *plan);
    const PlanComparison comparison({plan_program_, plan_}, from_first, {copy, *plan}, from, same);
    for (const DifferenceGroup& group : comparison.groups()) out.partings.push_back(group.parting);
  };
  parallel_for(ways.size() - 1, run_one, threads);

  CutTable table;
  for (size_t i = 0; i < ways.size(); ++i) {
    if (!reduced[i]) continue;
    ways_.push_back(ways[i]);
    const std::vector<uint32_t> here = table.adopt(reduced[i]->table);
    for (auto& [key, text] : reduced[i]->texts) texts_.try_emplace({here[key.first], key.second}, std::move(text));
    for (uint32_t& cut : reduced[i]->cut_of_value)
      if (cut != kAbsent) cut = here[cut];
    cuts_.push_back(std::move(reduced[i]->cut_of_value));
    partings_.insert(partings_.end(), reduced[i]->partings.begin(), reduced[i]->partings.end());
  }
  find_uncertain();
}

bool Outcomes::differs(ValueId value) const {
  uint32_t first = kAbsent;
  for (const std::vector<uint32_t>& cuts : cuts_) {
    const uint32_t here = cuts[value.index()];
    if (first == kAbsent) first = here;
    if (here != kAbsent && here != first) return true;
  }
  return false;
}

void Outcomes::find_uncertain() {
  const Graph& graph = program_.graph;
  const std::vector<char> live = live_values(graph);
  for (size_t v = 0; v < live.size(); ++v) {
    const ValueId value{v};
    if (live[v] == 0 || !has_elements(graph.type_of(value))) continue;
    if (!differs(value)) continue;
    uncertain_flag_[v] = 1;
    uncertain_.push_back(value);
  }
  sort_as_text(graph, uncertain_);
  std::sort(partings_.begin(), partings_.end());
  partings_.erase(std::unique(partings_.begin(), partings_.end()), partings_.end());
  std::erase_if(partings_, [&](ValueId value) { return !is_uncertain(value); });
  sort_as_text(graph, partings_);
}

const CutText& Outcomes::text(size_t way, ValueId value) const {
  return texts_.at({cut(way, value), program_.graph.type_of(value).rank()});
}

std::vector<std::vector<ValueId>> Outcomes::groups() const {
  return neighbour_groups(program_.graph, uncertain_, uncertain_flag_);
}

}  // namespace sw
