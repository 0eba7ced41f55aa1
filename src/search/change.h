// A change to what a program says about sharding and donation: what a user could write elsewhere in JAX, and what the
// command line can say (--shard, --pin, --donate). Made of it: the same program, changed.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "propagate/entry_changes.h"
#include "propagate/seeds.h"
#include "sharding/program.h"

namespace sw {

// In the order in which things are tried to be told: what costs nothing first (advice.h).
enum class ChangeKind : uint8_t { donate, shard, pin, remat };

struct Placed {
  ValueId value;
  NamedShardingId sharding;
};

struct Change {
  ChangeKind kind = ChangeKind::donate;
  std::vector<ValueId> donated;
  std::vector<Placed> arguments;
  std::vector<ResultSharding> results;
  std::vector<Placed> pins;
  OpId loop;                     // of a remat: in the program of one device
  std::vector<uint32_t> stacks;  // of a remat: which of its stacks (loop_stacks.h), largest first
  uint64_t subject = 0;          // several changes to the same thing have the same
  int64_t bound = 0;             // bytes on a device that it can save, as far as is known without trying
  int64_t largest = 0;           // bytes of the largest array on a device that it is about
};

// All of them as one; of several shardings of one thing the last holds.
Change joined(std::span<const Change> changes);

// What `change` says takes the place of what program and seeds say of the same things.
void apply_change(const Change& change, Program& program, Seeds& seeds);

}  // namespace sw
