// See the header.
#include "propagate/hold.h"

#include <algorithm>
#include <memory>
#include <unordered_set>

#include "sharding/convert.h"

namespace sw {

namespace {

class Holder {
 public:
  Holder(Program& program, const Seeds& seeds, const Outcomes& start, const RunVariation& run, size_t max_runs)
      : program_(program), seeds_(seeds), start_(start), run_(run), max_runs_(max_runs) {}

  Hold find() {
    note(start_);
    add_differing(start_);
    cover();
    if (result_.left == 0) thin();
    return std::move(result_);
  }

 private:
  void cover() {
    const Outcomes* current = &start_;
    std::unique_ptr<Outcomes> kept;
    while (result_.left > 0 && add_pins(*current) && affords(ways_.size())) {
      kept = try_pins(result_.pins, ways_);
      // Pins may part ways that agreed without them.
      if (kept->uncertain().empty() && ways_.size() < start_.ways().size()) {
        if (!affords(start_.ways().size())) return;
        kept = try_pins(result_.pins, start_.ways());
        add_differing(*kept);
      }
      current = kept.get();
      note(*current);
    }
  }

  // The first way and all that ever differed from it.
  void add_differing(const Outcomes& outcomes) {
    std::vector<Variation> ways;
    for (size_t i = 0; i < outcomes.ways().size(); ++i) {
      const auto known = [&](const Variation& way) {
        return variation_name(way) == variation_name(outcomes.ways()[i]);
      };
      const auto differs = [&](ValueId value) { return outcomes.cut(i, value) != outcomes.cut(0, value); };
      if (i == 0 || std::any_of(ways_.begin(), ways_.end(), known) ||
          std::any_of(outcomes.uncertain().begin(), outcomes.uncertain().end(), differs))
        ways.push_back(outcomes.ways()[i]);
    }
    ways_ = std::move(ways);
  }

  void note(const Outcomes& outcomes) {
    result_.left = outcomes.uncertain().size();
    result_.uncertain.assign(program_.graph.value_count(), 0);
    for (const ValueId value : outcomes.uncertain()) result_.uncertain[value.index()] = 1;
  }

  // Partings; where they are all pinned, the first of each group that is not.
  bool add_pins(const Outcomes& outcomes) {
    const size_t before = result_.pins.size();
    for (const ValueId value : outcomes.partings()) add_pin(value);
    if (result_.pins.size() > before) return true;
    for (const std::vector<ValueId>& group : outcomes.groups())
      for (const ValueId value : group)
        if (add_pin(value)) break;
    return result_.pins.size() > before;
  }

  // Always to what the program has without any pins.
  bool add_pin(ValueId value) {
    if (!pinned_.insert(value).second) return false;
    const std::optional<NamedShardingId> sharding = pinned_sharding(program_, start_, value);
    if (!sharding) return false;
    result_.pins.push_back({value, *sharding, false});
    return true;
  }

  bool affords(size_t runs) const { return result_.runs + runs <= max_runs_; }

  std::unique_ptr<Outcomes> try_pins(const std::vector<Pin>& pins, const std::vector<Variation>& ways) {
    result_.runs += ways.size();
    Seeds seeds = seeds_;
    for (const Pin& pin : pins) seeds.push_back(pin_seed(pin.value, pin.sharding));
    return std::make_unique<Outcomes>(program_, seeds, ways, run_);
  }

  // Whether a set settles all that is checked, and at the end everything.
  void thin() {
    std::vector<Pin> pins = result_.pins;
    const size_t reserve = start_.ways().size();
    for (size_t piece = std::max<size_t>(pins.size() / 2, 1);; piece /= 2) {
      for (size_t i = 0; i < pins.size() && pins.size() > 1 && affords(ways_.size() + reserve);) {
        std::vector<Pin> fewer = pins;
        const auto from = fewer.begin() + static_cast<ptrdiff_t>(i);
        fewer.erase(from, from + static_cast<ptrdiff_t>(std::min(piece, fewer.size() - i)));
        if (!fewer.empty() && try_pins(fewer, ways_)->uncertain().empty())
          pins = std::move(fewer);
        else
          i += piece;
      }
      if (piece == 1) break;
    }
    if (pins.size() < result_.pins.size() && affords(reserve) && try_pins(pins, start_.ways())->uncertain().empty())
      result_.pins = std::move(pins);
  }

  Program& program_;
  const Seeds& seeds_;
  const Outcomes& start_;
  const RunVariation& run_;
  size_t max_runs_;
  std::vector<Variation> ways_;
  std::unordered_set<ValueId> pinned_;
  Hold result_;
};

}  // namespace

std::optional<NamedShardingSpec> planned_spec(const Program& from, const Plan& plan, ValueId value, AxisList* manual) {
  if (!plan.mesh.valid()) return std::nullopt;
  const size_t rank = from.graph.type_of(value).rank();
  NamedShardingSpec spec;
  if (plan.by == Partitioner::shardy) {
    if (value.index() < plan.named.size() && plan.named[value.index()].valid())
      spec = from.shardings.spec(plan.named[value.index()]);
  } else if (value.index() < plan.tiled.size() && plan.tiled[value.index()].valid()) {
    AxisList ignored;
    const auto named = named_from_tile(from.tile_shardings.get(plan.tiled[value.index()]), from.shardings, plan.mesh,
                                       rank, manual != nullptr ? manual : &ignored);
    if (!named.has_value()) return std::nullopt;
    spec = *named;
  }
  if (!spec.mesh.valid() || from.shardings.mesh(spec.mesh).mesh.axes.empty()) spec.mesh = plan.mesh;
  return as_pin(std::move(spec), rank);
}

std::optional<NamedShardingId> pinned_sharding(Program& program, const Outcomes& outcomes, ValueId value) {
  const std::optional<NamedShardingSpec> spec = planned_spec(outcomes.plan_program(), outcomes.plan(), value);
  // A mesh that propagation has made is none of the program's.
  if (!spec || spec->mesh.index() >= program.shardings.mesh_count()) return std::nullopt;
  return program.shardings.intern(*spec);
}

Hold find_hold(Program& program, const Seeds& seeds, const Outcomes& outcomes, const RunVariation& run,
               size_t max_runs) {
  return Holder(program, seeds, outcomes, run, max_runs).find();
}

}  // namespace sw
