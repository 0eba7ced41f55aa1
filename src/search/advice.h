// What would make a program smaller on a device, found by trying: each change is made to a copy of the program, which
// is propagated, partitioned, scheduled and laid out in memory again. The figures that are told are those of the copy.
//
// Told in the order in which the guide of XLA's TPU compiler goes (its error E1000): an array that takes more than half
// of the device is sharded wrongly, so that comes first; else what costs nothing, donation; then more sharding, of
// arguments, then of values on the way; last what computes again. Within one kind, most bytes first. A remat cannot be
// tried, since its program cannot be made from the text: its figure is an estimate, and marked as one.
//
// Where there is a limit, changes are also put together, one by one: the smallest program of all tries is the one to
// change next, with changes that its own worst moment suggests, until it fits, nothing helps, or the tries are used up;
// of several that fit, that which moves least. What the last ones have made needless is taken away again.
//
// Which changes are tried at all: those that touch most bytes, in turn of what they are about, so that ten ways to
// shard one array do not keep another from being tried. Effort is counted in tries, never in time.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "search/situation.h"

namespace sw {

// Of one device: MemoryProfile::total() and peak, and what collectives move in a step.
struct Need {
  int64_t total = 0, peak = 0, moved = 0;
};

struct AdviceItem {
  Change change;
  std::vector<uint32_t> after;  // items on top of which it was tried; none: alone
  Need before, with;
  bool is_estimate = false;
  int64_t saves() const { return before.total - with.total; }
};

struct AdviceReport {
  Need before;
  std::optional<int64_t> limit;  // of Need::total
  std::vector<AdviceItem> items;
  std::vector<uint32_t> together;  // items which, all together, need `with`; empty: nothing was put together
  Change all;                      // them as one, but for a remat
  Need with;
  bool is_estimate = false;  // a remat is among them
  size_t tried = 0;

  bool fits() const { return !limit || with.total <= *limit; }
};

struct ChangedProgram {
  Program program;
  Plan plan;
  LocalProgram local;
};
// Propagates and partitions; none where that is refused. Called from several threads.
using RunChanged = std::function<std::optional<ChangedProgram>(Program program, const Seeds& seeds)>;

struct AdviceOptions {
  std::optional<int64_t> limit;
  size_t max_tries = 0;
};

// `program` and `seeds` are as read, its tables grow by the shardings of changes; `plan`, `local` and `profile` are
// what came of them.
AdviceReport find_advice(Program& program, const Seeds& seeds, const Plan& plan, const LocalProgram& local,
                         const MemoryProfile& profile, const RunChanged& run, const AdviceOptions& options);

// Of all runs of all collectives in a step; loops of unknown length count once.
int64_t moved_bytes(const LocalProgram& local);

}  // namespace sw
