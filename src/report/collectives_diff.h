// Which collectives two plans do not share: what appears, vanishes, grows or shrinks, most bytes first.
//
// Collectives of one kind over the same axes from the same line belong together. What only one plan has on a line may
// still be there in the other on another line (a step written with shard_map, and its form under jit): equal ones are
// paired, and count as the same.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "report/collective_facts.h"
#include "report/json_writer.h"

namespace sw {

// Collectives of one kind, axes and line in one plan.
struct CollectiveSide {
  std::vector<const CollectiveFacts*> members;
  int64_t runs = 0, bytes = 0;
  void add(const CollectiveFacts& c);
};

struct CollectiveChange {
  std::string_view kind;
  const GroupFacts* groups = nullptr;
  std::string place;  // empty in sums over all lines
  CollectiveSide a, b;
  int64_t change() const { return b.bytes - a.bytes; }
};

class CollectivesDiff {
 public:
  CollectivesDiff(const CollectiveList& a, const CollectiveList& b);

  bool equal() const { return changes_.empty(); }
  const std::vector<CollectiveChange>& changes() const { return changes_; }
  // Sums of each kind over each set of axes, whether they differ or not; most bytes first.
  const std::vector<CollectiveChange>& sums() const { return sums_; }
  int64_t bytes_a() const { return bytes_a_; }
  int64_t bytes_b() const { return bytes_b_; }
  // Collectives of a that stand on another line of b.
  size_t elsewhere() const { return elsewhere_; }

 private:
  std::vector<CollectiveChange> grouped(const CollectiveList& a, const CollectiveList& b, bool by_place) const;
  void pair_elsewhere(std::vector<CollectiveChange>& changes);

  std::vector<CollectiveChange> changes_, sums_;
  int64_t bytes_a_ = 0, bytes_b_ = 0;
  size_t elsewhere_ = 0;
};

// "a step moves 212.0 MiB more under Shardy", "a step moves the same 3.1 GiB under both".
std::string moved_difference(const CollectivesDiff& diff, const std::string& a, const std::string& b);

// Sections of the answer of `diff`; `a` and `b` are the names of the sides.
void write_collectives_diff_text(const CollectivesDiff& diff, const std::string& a, const std::string& b, bool all,
                                 TextSink& out);
void write_collectives_diff_json(const CollectivesDiff& diff, JsonWriter& json);
std::string collectives_diff_markdown(const CollectivesDiff& diff, const std::string& a, const std::string& b,
                                      size_t most_bytes);

}  // namespace sw
