// See the header.
#include "search/advice.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <map>
#include <memory>
#include <numeric>

#include "base/checked_math.h"
#include "base/parallel.h"

namespace sw {

namespace {

constexpr int64_t kShare = 100;     // what saves less than one part in so many is not worth saying
constexpr int64_t kAlike = 10;      // savings that differ by less than one part in so many are alike
constexpr size_t kMostOfKind = 3;   // items of one kind that are told
constexpr size_t kLaterRounds = 6;  // part of the tries that a round after the first may take
constexpr size_t kLeastTries = 4;   // of such a round

bool same_change(const Change& a, const Change& b) {
  const auto same = [](const Placed& x, const Placed& y) { return x.value == y.value && x.sharding == y.sharding; };
  return a.kind == b.kind && a.donated == b.donated && std::ranges::equal(a.arguments, b.arguments, same) &&
         std::ranges::equal(a.pins, b.pins, same) && a.kind != ChangeKind::remat;
}

size_t touched(const Change& change) { return change.arguments.size() + change.pins.size() + change.donated.size(); }

// A program at which the search has arrived.
struct State {
  std::optional<ChangedProgram> own;  // none: the program as it is
  MemoryProfile profile;
  Need need;
};

class Advisor {
 public:
  Advisor(Program& program, const Seeds& seeds, const Plan& plan, const LocalProgram& local,
          const MemoryProfile& profile, const RunChanged& run, const AdviceOptions& options)
      : program_(program), seeds_(seeds), plan_(plan), local_(local), run_(run), options_(options) {
    state_.profile = profile;
    state_.need = {profile.total(), profile.peak, moved_bytes(local)};
    report_.before = report_.with = state_.need;
    report_.limit = options.limit;
  }

  AdviceReport find() {
    const bool must = !report_.fits();
    std::vector<Tried> tried = round((options_.max_tries + 1) / 2);
    list(tried);
    add_remats();
    while (must && advance(tried)) tried = round(std::max(options_.max_tries / kLaterRounds, kLeastTries));
    if (must) {
      if (fits(state_.need)) thin();
      conclude();
    }
    put_in_order();
    return std::move(report_);
  }

 private:
  struct Tried {
    Change change;
    Need need;
  };

  bool fits(const Need& need) const { return options_.limit && need.total <= *options_.limit; }
  size_t left() const { return options_.max_tries - report_.tried; }
  int64_t least() const { return std::max<int64_t>(report_.before.total / kShare, 1); }

  Situation situation() const {
    if (state_.own)
      return {state_.own->program, state_.own->plan, state_.own->local, state_.profile, program_.shardings};
    return {program_, plan_, local_, state_.profile, program_.shardings};
  }

  // In turn of their subjects, those that may save most first.
  std::vector<Change> candidates(size_t most) const {
    const Situation in = situation();
    std::map<uint64_t, std::vector<Change>> subjects;
    for (auto* find : {&argument_changes, &pin_changes})
      for (Change& change : (*find)(in))
        if (change.bound >= least()) subjects[change.subject].push_back(std::move(change));
    std::vector<std::vector<Change>*> order;
    for (auto& [subject, changes] : subjects) {
      std::stable_sort(changes.begin(), changes.end(),
                       [](const Change& a, const Change& b) { return a.bound > b.bound; });
      order.push_back(&changes);
    }
    std::stable_sort(order.begin(), order.end(), [](const auto* a, const auto* b) {
      return std::pair(a->front().kind != ChangeKind::donate, -a->front().bound) <
             std::pair(b->front().kind != ChangeKind::donate, -b->front().bound);
    });
    std::vector<Change> picked;
    for (size_t turn = 0, before = 1; picked.size() < most && before != picked.size(); ++turn) {
      before = picked.size();
      for (std::vector<Change>* changes : order)
        if (turn < changes->size() && picked.size() < most) picked.push_back(std::move((*changes)[turn]));
      if (before == picked.size()) break;
    }
    return picked;
  }

  // Only what makes the state smaller.
  std::vector<Tried> round(size_t most) {
    std::vector<Change> changes = candidates(std::min(most, left()));
    report_.tried += changes.size();
    std::vector<std::optional<Need>> needs(changes.size());
    parallel_for(changes.size(), [&](size_t i) {
      std::vector<Change> all = chosen_;
      all.push_back(changes[i]);
      MemoryProfile profile;
      if (const auto made = make(all, profile))
        needs[i] = Need{profile.total(), profile.peak, moved_bytes(made->local)};
    });
    std::vector<Tried> tried;
    for (size_t i = 0; i < changes.size(); ++i)
      if (needs[i] && state_.need.total - needs[i]->total >= least())
        tried.push_back({std::move(changes[i]), *needs[i]});
    return tried;
  }

  std::optional<ChangedProgram> make(std::span<const Change> changes, MemoryProfile& profile) const {
    Program program = program_;
    Seeds seeds = seeds_;
    apply_change(joined(changes), program, seeds);
    std::optional<ChangedProgram> made = run_(std::move(program), seeds);
    if (!made) return std::nullopt;
    Diagnostics refused;
    Result<MemoryProfile> result = profile_memory(made->local.graph, {state_.profile.target}, refused);
    if (!result) return std::nullopt;
    profile = std::move(*result);
    return made;
  }

  // Of two ways to change one thing: that which fits; where both save about the same, or both fit, what moves less.
  bool is_better_way(const Need& a, const Need& b) const {
    if (fits(a) != fits(b)) return fits(a);
    const int64_t saves_a = report_.before.total - a.total, saves_b = report_.before.total - b.total;
    const bool alike = fits(a) || std::abs(saves_a - saves_b) <= std::max(saves_a, saves_b) / kAlike;
    return alike ? std::pair(a.moved, a.total) < std::pair(b.moved, b.total) : a.total < b.total;
  }

  // How hard a change is to make, for the order of changes of one kind: in few places; results of operations, which
  // have a line; what comes first.
  std::tuple<size_t, bool, uint32_t> effort(const Change& change) const {
    const ValueId first = !change.pins.empty()        ? change.pins.front().value
                          : !change.arguments.empty() ? change.arguments.front().value
                                                      : change.donated.front();
    return {touched(change), !program_.graph.value(first).def.valid(), first.raw};
  }

  // What is told of the first round: of each subject the best, and nothing that another does as well with less, or that
  // has the very effect of another.
  void list(const std::vector<Tried>& tried) {
    std::map<uint64_t, const Tried*> best;
    for (const Tried& t : tried) {
      const Tried*& at = best[t.change.subject];
      if (at == nullptr || is_better_way(t.need, at->need)) at = &t;
    }
    const auto is_beaten = [&](const Tried& t) {
      const auto beats = [&](const auto& entry) {
        const Tried& o = *entry.second;
        return o.change.kind == t.change.kind && effort(o.change) < effort(t.change) && o.need.total <= t.need.total &&
               o.need.moved <= t.need.moved &&
               (touched(o.change) < touched(t.change) ||
                std::pair(o.need.total, o.need.moved) == std::pair(t.need.total, t.need.moved));
      };
      return std::any_of(best.begin(), best.end(), beats);
    };
    std::vector<const Tried*> told;
    for (const auto& [subject, t] : best)
      if (!is_beaten(*t)) told.push_back(t);
    std::stable_sort(told.begin(), told.end(), [](const Tried* a, const Tried* b) {
      return std::tuple(a->need.total, a->need.moved, touched(a->change)) <
             std::tuple(b->need.total, b->need.moved, touched(b->change));
    });
    std::map<ChangeKind, size_t> count;
    for (const Tried* t : told)
      if (++count[t->change.kind] <= kMostOfKind) report_.items.push_back({t->change, {}, report_.before, t->need});
  }

  void add_remats() {
    const Situation in = situation();
    for (Change& change : remat_changes(in)) {
      AdviceItem item{std::move(change), {}, report_.before, report_.before, true};
      item.with.peak = peak_with_remat(in, item.change);
      item.with.total -= report_.before.peak - item.with.peak;
      if (item.saves() >= least()) report_.items.push_back(std::move(item));
    }
  }

  // Takes the best of a round as the next state. False: there is nothing better, it fits, or nothing is left to try.
  bool advance(const std::vector<Tried>& tried) {
    const Tried* best = nullptr;
    const auto better = [&](const Tried& a, const Tried& b) {
      if (fits(a.need) != fits(b.need)) return fits(a.need);
      if (fits(a.need)) return std::pair(a.need.moved, a.need.total) < std::pair(b.need.moved, b.need.total);
      return std::tuple(a.need.total, a.need.moved, touched(a.change)) <
             std::tuple(b.need.total, b.need.moved, touched(b.change));
    };
    for (const Tried& t : tried)
      if (best == nullptr || better(t, *best)) best = &t;
    if (best == nullptr) return false;
    chosen_.push_back(best->change);
    chosen_items_.push_back(item_of(*best));
    const bool done = fits(best->need);
    state_.need = best->need;
    state_.own = make(chosen_, state_.profile);  // the one try that is made again, to go on from
    return state_.own && !done && left() > 0;
  }

  uint32_t item_of(const Tried& tried) {
    for (uint32_t i = 0; i < report_.items.size(); ++i)
      if (same_change(report_.items[i].change, tried.change)) return i;
    report_.items.push_back({tried.change, chosen_items_, state_.need, tried.need});
    return static_cast<uint32_t>(report_.items.size() - 1);
  }

  // Takes away what it fits without.
  void thin() {
    for (size_t i = 0; i + 1 < chosen_.size() && left() > 0;) {
      std::vector<Change> fewer = chosen_;
      fewer.erase(fewer.begin() + static_cast<ptrdiff_t>(i));
      ++report_.tried;
      MemoryProfile profile;
      std::optional<ChangedProgram> made = make(fewer, profile);
      if (!made || profile.total() > *options_.limit) {
        ++i;
        continue;
      }
      chosen_ = std::move(fewer);
      chosen_items_.erase(chosen_items_.begin() + static_cast<ptrdiff_t>(i));
      state_.need = {profile.total(), profile.peak, moved_bytes(made->local)};
      state_.own = std::move(made);
      state_.profile = std::move(profile);
    }
  }

  // What was put together, and a remat on top where that alone does not do.
  void conclude() {
    report_.together = chosen_items_;
    report_.all = joined(chosen_);
    report_.with = state_.need;
    if (fits(state_.need)) return;
    const Situation in = situation();
    std::optional<uint32_t> best;
    Need need = state_.need;
    for (const Change& remat : remat_changes(in)) {
      const Op& loop = in.local.graph.op(remat.loop);
      const auto item = std::find_if(report_.items.begin(), report_.items.end(), [&](const AdviceItem& i) {
        return i.change.kind == ChangeKind::remat && local_.graph.op(i.change.loop).where == loop.where;
      });
      const int64_t peak = peak_with_remat(in, remat);
      if (item == report_.items.end() || peak >= need.peak) continue;
      best = static_cast<uint32_t>(item - report_.items.begin());
      need.peak = peak;
      need.total = state_.need.total - (state_.need.peak - peak);
    }
    if (!best) return;
    report_.together.push_back(*best);
    report_.with = need;
    report_.is_estimate = true;
  }

  int rank(const AdviceItem& item) const {
    const bool placed = item.change.kind == ChangeKind::shard || item.change.kind == ChangeKind::pin;
    if (placed && options_.limit && item.change.largest > *options_.limit / 2) return 0;
    return 1 + static_cast<int>(item.change.kind);
  }

  // What was tried on top of others comes last, in the order of the search.
  void put_in_order() {
    std::vector<uint32_t> order(report_.items.size());
    std::iota(order.begin(), order.end(), 0U);
    const auto key = [&](uint32_t i) {
      const AdviceItem& item = report_.items[i];
      return item.after.empty() ? std::tuple(false, rank(item), -item.saves()) : std::tuple(true, 0, int64_t{i});
    };
    std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return key(a) < key(b); });
    std::vector<uint32_t> now(order.size());
    std::vector<AdviceItem> items;
    for (uint32_t i = 0; i < order.size(); ++i) {
      now[order[i]] = i;
      items.push_back(std::move(report_.items[order[i]]));
    }
    const auto renumber = [&](std::vector<uint32_t>& list) {
      for (uint32_t& i : list) i = now[i];
      std::sort(list.begin(), list.end());
    };
    for (AdviceItem& item : items) renumber(item.after);
    renumber(report_.together);
    report_.items = std::move(items);
  }

  Program& program_;
  const Seeds& seeds_;
  const Plan& plan_;
  const LocalProgram& local_;
  const RunChanged& run_;
  const AdviceOptions options_;
  State state_;
  std::vector<Change> chosen_;
  std::vector<uint32_t> chosen_items_;
  AdviceReport report_;
};

}  // namespace

AdviceReport find_advice(Program& program, const Seeds& seeds, const Plan& plan, const LocalProgram& local,
                         const MemoryProfile& profile, const RunChanged& run, const AdviceOptions& options) {
  return Advisor(program, seeds, plan, local, profile, run, options).find();
}

int64_t moved_bytes(const LocalProgram& local) {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  int64_t bytes = 0;
  for (const Collective& c : local.collectives) {
    const int64_t all = checked_mul(c.bytes, std::max<int64_t>(c.trip_count, 1)).value_or(kMost);
    bytes = checked_add(bytes, all).value_or(kMost);
  }
  return bytes;
}

}  // namespace sw
