// See the header.
#include "propagate/settle.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "sharding/convert.h"

namespace sw {

namespace {

constexpr size_t kMaxPins = 12;
constexpr size_t kCandidateGroups = 4;  // of the largest, in each round
constexpr size_t kMaxCandidates = 16;   // in each round

size_t count(const ComparedPlans& plans) {
  return plans.comparison.differences().size() + plans.comparison.outputs().size();
}

// What pins are judged by: results of main first, since a pin at one may make values inside differ that others settle.
std::pair<size_t, size_t> badness(const ComparedPlans& plans) {
  return {plans.comparison.outputs().size(), plans.comparison.differences().size()};
}

class Settler {
 public:
  Settler(Program& program, const RunPinned& run, size_t max_tries)
      : program_(program), run_(run), max_tries_(max_tries) {}

  Settlement settle(const ComparedPlans& start) {
    result_.before = count(start);
    std::pair<size_t, size_t> left = badness(start);
    const ComparedPlans* current = &start;
    std::unique_ptr<ComparedPlans> kept;
    while (left.first + left.second > 0 && result_.pins.size() < kMaxPins) {
      std::unique_ptr<ComparedPlans> best;
      std::optional<Pin> best_pin;
      for (const Pin& pin : candidates(*current)) {
        std::unique_ptr<ComparedPlans> tried = try_with(pin);
        if (tried == nullptr || badness(*tried) >= (best ? badness(*best) : left)) continue;
        best = std::move(tried);
        best_pin = pin;
        if (count(*best) == 0) break;
      }
      if (!best_pin) break;
      result_.pins.push_back(*best_pin);
      kept = std::move(best);
      current = kept.get();
      left = badness(*current);
    }
    drop_needless(left);
    result_.after = left.first + left.second;
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
    const auto add = [&](const Plan& plan, ValueId value, std::optional<size_t> output, bool from_b) {
      if (const auto sharding = sharding_of(plan, value, output)) pins.push_back({value, *sharding, from_b});
    };
    for (const DifferenceGroup& group : groups)
      for (const bool from_b : {true, false}) add(from_b ? plans.b : plans.a, group.parting, std::nullopt, from_b);
    // What is returned, as a result of main has it: there each partitioner may drop what it left inside.
    const std::vector<ValueId> returned = returned_values();
    for (const uint32_t output : plans.comparison.outputs()) {
      if (output >= returned.size() || pins.size() >= kMaxCandidates) break;
      for (const bool from_b : {true, false}) add(from_b ? plans.b : plans.a, returned[output], output, from_b);
    }
    return pins;
  }

  std::vector<ValueId> returned_values() const {
    const Graph& graph = program_.graph;
    if (graph.is_hlo || !graph.main.valid()) return {};
    const BlockId body = graph.entry_block(graph.function(graph.main).body);
    if (graph.block(body).ops.empty()) return {};
    const auto operands = graph.operands(graph.op(graph.block(body).ops.back()));
    return {operands.begin(), operands.end()};
  }

  // Of the value, or of the result of main. Closed, as a user would write it; none when the mesh cannot say it.
  std::optional<NamedShardingId> sharding_of(const Plan& plan, ValueId value, std::optional<size_t> output) {
    const MeshId mesh = plan.mesh;
    if (!mesh.valid()) return std::nullopt;
    const size_t rank = program_.graph.type_of(value).rank();
    NamedShardingSpec spec;
    if (plan.by == Partitioner::shardy) {
      const auto& list = output ? plan.outputs_named : plan.named;
      const size_t at = output.value_or(value.index());
      const NamedShardingId id = at < list.size() ? list[at] : NamedShardingId{};
      if (id.valid()) spec = program_.shardings.spec(id);
    } else {
      const auto& list = output ? plan.outputs_tiled : plan.tiled;
      const size_t at = output.value_or(value.index());
      const TileShardingId id = at < list.size() ? list[at] : TileShardingId{};
      if (id.valid()) {
        AxisList manual;
        const auto named = named_from_tile(program_.tile_shardings.get(id), program_.shardings, mesh, rank, &manual);
        if (!named.has_value()) return std::nullopt;
        spec = *named;
      }
    }
    if (!spec.mesh.valid()) spec.mesh = mesh;
    return program_.shardings.intern(as_pin(std::move(spec), rank));
  }

  std::unique_ptr<ComparedPlans> run(const std::vector<Pin>& pins) {
    if (result_.tries == max_tries_) return nullptr;
    ++result_.tries;
    Seeds seeds;
    for (const Pin& pin : pins) seeds.push_back(pin_seed(pin.value, pin.sharding));
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

  void drop_needless(std::pair<size_t, size_t>& left) {
    for (size_t i = 0; i < result_.pins.size() && result_.pins.size() > 1;) {
      std::vector<Pin> fewer = result_.pins;
      fewer.erase(fewer.begin() + static_cast<ptrdiff_t>(i));
      const std::unique_ptr<ComparedPlans> tried = run(fewer);
      if (tried == nullptr || badness(*tried) > left) {
        ++i;
        continue;
      }
      result_.pins = std::move(fewer);
      left = badness(*tried);
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

NamedShardingSpec as_pin(NamedShardingSpec spec, size_t rank) {
  spec.dims.resize(rank);
  for (NamedShardingSpec::Dim& dim : spec.dims) {
    dim.closed = true;
    dim.priority = kNoPriority;
  }
  spec.replicated.clear();
  spec.unreduced.clear();
  return spec;
}

Settlement settle(Program& program, const ComparedPlans& start, const RunPinned& run, size_t max_tries) {
  return Settler(program, run, max_tries).settle(start);
}

}  // namespace sw
