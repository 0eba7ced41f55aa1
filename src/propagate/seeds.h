// Shardings that are given from outside the program: --shard on arguments, --pin on any value.
#pragma once

#include <vector>

#include "base/ids.h"
#include "source/source_manager.h"

namespace sw {

struct Seed {
  ValueId value;
  NamedShardingId sharding;  // closed where the user's spec is closed
  SourceRange where;         // in the rule file, or invalid for a command line flag
  bool is_pin =
      false;  // pin: acts as a with_sharding_constraint on the value; otherwise replaces an argument's sharding
};

using Seeds = std::vector<Seed>;

inline Seed pin_seed(ValueId value, NamedShardingId sharding) {
  Seed seed;
  seed.value = value;
  seed.sharding = sharding;
  seed.is_pin = true;
  return seed;
}

}  // namespace sw
