// The collectives of a plan in the words of reports: over which axes of the mesh, among how many devices, from which
// line, and why. Every form of report (the screens, JSON, Markdown, the comparison of two plans) speaks through here.
//
// What many collectives share (their groups) is worked out once.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "report/plan_report.h"

namespace sw {

// Who exchanges data with whom.
struct GroupFacts {
  std::vector<std::string> axes;  // "fsdp", "tensor:(2)2" for a part of an axis; empty when `follows_axes` is false
  bool follows_axes = false;
  std::string over;     // "over {fsdp}"; where groups follow no axes, the groups: "in [8,8]<=[64]", "in {0,3},{1,2}"
  std::string devices;  // "8 of 64", "64 pairs"
  int64_t size = 0, count = 0;  // devices of a group, and groups; 0 and the number of pairs for a permute
  std::string json;             // lists of device numbers; "null" when they would be long
  std::string iota;             // "[8,8]<=[64]", or empty
};

struct CollectiveFacts {
  const Collective* collective = nullptr;
  const GroupFacts* groups = nullptr;
  std::string_view kind;      // "all-gather"
  std::string shape;          // of the result on one device
  std::string place;          // "model.py:41", "line 12"; that of the first cause
  int64_t line = 0;           // of the file; 0: none
  std::string cause;          // why it is there, in words
  std::vector<int64_t> dims;  // gathered, scattered or exchanged; empty: none
  int64_t runs = 1;           // how often a step; 1 where that is not known
  int64_t bytes = 0;          // of all runs
  bool by_user() const { return collective->cause.reason == CollectiveReason::user; }
};

class CollectiveList {
 public:
  // `report.local` must be there. `other`: a program whose meshes name the axes where the report's own do not.
  explicit CollectiveList(const PlanReport& report, const Program* other = nullptr);

  const std::vector<CollectiveFacts>& all() const { return all_; }
  const PlanReport& report() const { return report_; }

  // Of a cause: the words, the place in the user's source or in the file, the line of the file (0: none), the name of
  // the value it is about, the sharding in every spelling.
  std::string cause_words(const CollectiveCause& cause);
  std::string place(const CollectiveCause& cause) const;
  int64_t line(const CollectiveCause& cause) const;
  std::string value_name(const CollectiveCause& cause) const;
  std::string source(const CollectiveCause& cause) const;
  const ShardingText* sharding(TileShardingId id, const CollectiveCause& cause);

 private:
  const GroupFacts* groups_of(const Collective& collective);
  GroupFacts describe(const Collective& collective) const;
  void name_axes(const Collective& collective, GroupFacts& facts) const;
  std::string move_words(const CollectiveCause& cause);
  std::string op_words(const CollectiveCause& cause) const;
  std::string spec(TileShardingId id, const CollectiveCause& cause);

  const PlanReport& report_;
  const Program* other_;
  ShardingTexts texts_;
  std::map<uint32_t, std::unique_ptr<GroupFacts>> by_attr_;  // groups that are the same attribute
  std::vector<std::unique_ptr<GroupFacts>> others_;
  std::vector<CollectiveFacts> all_;
};

// "contraction", "halo", ...: the cause as one word.
std::string_view reason_name(CollectiveReason reason);

// Sums of what is alike: of one axis, of one line.
struct CollectiveSum {
  std::string label;                   // "over {fsdp}", "model.py:41"
  const GroupFacts* groups = nullptr;  // of an axis: whose size is known, where one is
  std::vector<uint32_t> members;       // indices into the list, most bytes first
  int64_t runs = 0, bytes = 0;
  bool at_least = false;  // some are in a loop of unknown length
};
enum class CollectiveOrder : uint8_t { axis, line, bytes };
// One sum for each axis or line, most bytes first; for `bytes` one of everything.
std::vector<CollectiveSum> sums_of(const CollectiveList& list, CollectiveOrder order);

// "1,387 all-reduce (176.7 GiB), 2 all-to-all (512.0 MiB)", most bytes first.
std::string kinds_text(const CollectiveList& list, std::span<const uint32_t> members);

// "209.4 GiB a device and step, in 2,513 collectives; 3 of them your own (1.2 MiB)".
std::string moved_text(const CollectiveList& list);

int64_t saturated_add(int64_t a, int64_t b);

}  // namespace sw
