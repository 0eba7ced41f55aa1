// Collectives as lines of a table for people: those that are alike in all that is shown are one line.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "report/collective_facts.h"

namespace sw {

struct CollectiveRow {
  const CollectiveFacts* first = nullptr;
  int64_t count = 0;  // collectives in the program
  int64_t bytes = 0;  // of all of them and all their runs

  // "256.0 MiB × 3 in a loop × 80": the bytes of one, how many there are, how often each runs a step.
  std::string amount() const;
};

// Of these members of the list; most bytes first.
std::vector<CollectiveRow> rows_of(const CollectiveList& list, std::span<const uint32_t> members);

}  // namespace sw
