// What the entry of a program takes on one device: its parameters, its results, and the parameters whose storage
// results take over.
//
// Results take over parameters as XLA's OptimizeInputOutputBufferAlias pairs them. Pairs that the program names are
// taken as they are. The donors left and the results left are sorted by bytes, largest first, equal ones as they stand;
// both lists are walked together, and of unequal heads the larger is passed over:
//
//   donors  #0 4 KiB, #1 1 KiB     results  {0} 2 KiB, {1} 1 KiB     -> {1} takes #1; #0 is only freed early
//
// Only bytes count, neither shape nor type: f32[64,32] donated to s32[32,64] is a pair on a GPU. On a TPU the padded
// bytes count, so that f32[32,32] and f32[16,64] are none.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ir/graph.h"
#include "memory/array_bytes.h"
#include "memory/profile.h"

namespace sw {

// What differs from compiler to compiler.
struct EntryRules {
  ArrayForm form = ArrayForm::packed;
  int64_t pointer = 8;     // of a table of pointers: one for each element of a tuple,
  int64_t table_unit = 1;  // rounded up to this
};
EntryRules entry_rules(MemoryTarget target);

// An array among the parameters or results; tuples stand for their leaves.
struct EntryArray {
  uint32_t number = 0;  // of the parameter; 0 for results
  TypeId type;
  int64_t bytes = 0;
  bool donated = false;             // parameters
  std::optional<uint32_t> partner;  // index in the other list
};

struct EntryBytes {
  std::vector<EntryArray> parameters, results;
  int64_t argument = 0, output = 0, alias = 0;
};

// `graph` is the program of one device.
EntryBytes entry_bytes(const Graph& graph, const EntryRules& rules);

// Parameters that no result takes over, though one of the same type stands alone: parameter -> result. Of several that
// of the same path, params['w1'] for result[0]['w1']; the names are those of the lists in `entry`.
std::map<size_t, size_t> pairs_not_donated(const EntryBytes& entry, std::span<const std::string> parameters,
                                           std::span<const std::string> results);

}  // namespace sw
