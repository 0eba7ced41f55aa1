// See the header.
#include "propagate/settle.h"

#include <algorithm>
#include <optional>

#include "sharding/convert.h"

namespace sw {

namespace {

constexpr size_t kMaxPins = 12;
constexpr size_t kCandidateGroups = 4;  // of the largest, in each round

size_t count(const ComparedPlans& plans) {
  return plans.comparison.differences().size() + plans.comparison.outputs().size();
}

class Settler {
 public:
  Settler(Program& program, const RunPinned& run, size_t max_tries)
      : program_(program), run_(run), max_tries_(max_tries) {}

  Settlement settle(const ComparedPlans& start) {
    result_.before = result_.after = count(start);
    const ComparedPlans* current = &start;
    std::unique_ptr<ComparedPlans> kept;
    while (result_.after > 0 && result_.pins.size() < kMaxPins) {
      std::unique_ptr<ComparedPlans> best;
      std::optional<Pin> best_pin;
      size_t best_count = result_.after;
      for (const Pin& pin : candidates(*current)) {
        std::unique_ptr<ComparedPlans> tried = try_with(pin);
        if (tried == nullptr || count(*tried) >= best_count) continue;
        best_count = count(*tried);
        best = std::move(tried);
        best_pin = pin;
        if (best_count == 0) break;
      }
      if (!best_pin) break;
      result_.pins.push_back(*best_pin);
      result_.after = best_count;
      kept = std::move(best);
      current = kept.get();
    }
    drop_needless();
    return result_;
  }

 private:
  // The values where the largest groups part, each as either side has it; what the plans agree on most comes first.
  std::vector<Pin> candidates(const ComparedPlans& plans) {
    std::vector<DifferenceGroup> groups = plans.comparison.groups();
    std::stable_sort(groups.begin(), groups.end(),
                     [](const auto& x, const auto& y) { return x.members.size() > y.members.size(); });
    groups.resize(std::min(groups.size(), kCandidateGroups));
    std::vector<Pin> pins;
    for (const DifferenceGroup& group : groups)
      for (const bool from_b : {true, false})
        if (const auto sharding = sharding_of(from_b ? plans.b : plans.a, group.parting))
          pins.push_back({group.parting, *sharding, from_b});
    return pins;
  }

  // Closed, as a user would write it; none when the mesh cannot say it.
  std::optional<NamedShardingId> sharding_of(const Plan& plan, ValueId value) {
    const MeshId mesh = plan.mesh;
    if (!mesh.valid()) return std::nullopt;
    const size_t rank = program_.graph.type_of(value).rank();
    NamedShardingSpec spec;
    if (plan.by == Partitioner::shardy) {
      const NamedShardingId id = value.index() < plan.named.size() ? plan.named[value.index()] : NamedShardingId{};
      if (id.valid()) spec = program_.shardings.spec(id);
    } else {
      const TileShardingId id = value.index() < plan.tiled.size() ? plan.tiled[value.index()] : TileShardingId{};
      if (id.valid()) {
        const auto named = named_from_tile(program_.tile_shardings.get(id), program_.shardings, mesh, rank);
        if (!named.has_value()) return std::nullopt;
        spec = *named;
      }
    }
    if (!spec.mesh.valid()) spec.mesh = mesh;
    spec.dims.resize(rank);
    for (NamedShardingSpec::Dim& dim : spec.dims) {
      dim.closed = true;
      dim.priority = kNoPriority;
    }
    spec.replicated.clear();
    spec.unreduced.clear();
    return program_.shardings.intern(spec);
  }

  std::unique_ptr<ComparedPlans> run(const std::vector<Pin>& pins) {
    if (result_.tries == max_tries_) return nullptr;
    ++result_.tries;
    Seeds seeds;
    for (const Pin& pin : pins) {
      Seed seed;
      seed.value = pin.value;
      seed.sharding = pin.sharding;
      seed.is_pin = true;
      seeds.push_back(seed);
    }
    return run_(seeds);
  }

  std::unique_ptr<ComparedPlans> try_with(const Pin& pin) {
    const bool there =
        std::any_of(result_.pins.begin(), result_.pins.end(), [&](const Pin& p) { return p.value == pin.value; });
    if (there) return nullptr;
    std::vector<Pin> pins = result_.pins;
    pins.push_back(pin);
    return run(pins);
  }

  void drop_needless() {
    for (size_t i = 0; i < result_.pins.size() && result_.pins.size() > 1;) {
      std::vector<Pin> fewer = result_.pins;
      fewer.erase(fewer.begin() + static_cast<ptrdiff_t>(i));
      const std::unique_ptr<ComparedPlans> tried = run(fewer);
      if (tried != nullptr && count(*tried) <= result_.after)
        result_.pins = std::move(fewer);
      else
        ++i;
    }
  }

  Program& program_;
  const RunPinned& run_;
  size_t max_tries_;
  Settlement result_;
};

std::vector<ValueId> same_values(const Program& program) {
  std::vector<ValueId> same(program.graph.value_count());
  for (uint32_t i = 0; i < same.size(); ++i) same[i] = ValueId{i};
  return same;
}

}  // namespace

ComparedPlans::ComparedPlans(const Program& program, Plan plan_a, Plan plan_b)
    : a(std::move(plan_a)),
      b(std::move(plan_b)),
      from_a(program, a),
      from_b(program, b),
      comparison({program, a}, from_a, {program, b}, from_b, same_values(program)) {}

Settlement settle(Program& program, const ComparedPlans& start, const RunPinned& run, size_t max_tries) {
  return Settler(program, run, max_tries).settle(start);
}

}  // namespace sw
