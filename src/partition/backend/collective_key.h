// What two collectives must have in common to be merged: kind, reduction, element type, devices.
#pragma once

#include <optional>
#include <tuple>
#include <vector>

#include "partition/backend/rewrite.h"

namespace sw {

// Numbers for equal device groups, in whichever spelling.
// Groups of more devices are not looked into: no machine has them, and a text may say any number.
constexpr int64_t kMaxDevices = int64_t{1} << 20;

class GroupTable {
 public:
  // Invalid (-1) when the groups cannot be read: equal to nothing.
  int64_t number(const Rewrite& rewrite, OpId op);
  // Groups of a collective whose text lists none are all devices.
  static std::optional<TileGrid> groups_of(const Rewrite& rewrite, OpId op);

 private:
  std::vector<TileGrid> known_;
};

struct CollectiveKey {
  OpKind kind = OpKind::all_reduce;
  OpKind reduction = OpKind::unknown;  // all-reduce, reduce-scatter
  ElementType element = ElementType::other;
  bool has_channel = false, global_ids = false;
  bool scattered = false;  // of an all-reduce: devices keep only pieces of it
  int64_t groups = -1;     // of a permute: the pairs, as the number of the attribute
  friend auto operator<=>(const CollectiveKey&, const CollectiveKey&) = default;
};

// Follows GetAllReduceKey of XLA: nothing for a reduction that is more than one operation on two scalars.
std::optional<CollectiveKey> reduction_key(const Rewrite& rewrite, OpId op, GroupTable& groups);
// All-gathers: the element type does not matter.
std::optional<CollectiveKey> gather_key(const Rewrite& rewrite, OpId op, GroupTable& groups);
std::optional<CollectiveKey> permute_key(const Rewrite& rewrite, OpId op);

}  // namespace sw
