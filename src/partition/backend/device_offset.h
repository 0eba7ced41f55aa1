// The number that a scalar integer has on one device: constants, the device's own number, tables looked up by it, and
// arithmetic on these. Tells where each device cuts its piece out of a value that all of them have.
#pragma once

#include <map>
#include <optional>

#include "partition/backend/rewrite.h"

namespace sw {

class DeviceOffsets {
 public:
  explicit DeviceOffsets(const Rewrite& rewrite) : rewrite_(rewrite) {}

  // Nothing when the value depends on anything else.
  std::optional<int64_t> on(ValueId value, int64_t device) { return evaluate(value, device, 0); }
  // Whether member j of every group has the value j * piece.
  bool counts_members(ValueId value, const TileGrid& groups, int64_t piece);

 private:
  std::optional<int64_t> evaluate(ValueId value, int64_t device, int depth);
  std::optional<int64_t> arithmetic(const Op& op, int64_t device, int depth);
  std::optional<int64_t> entry(ValueId table, int64_t index);

  const Rewrite& rewrite_;
  std::map<uint32_t, std::vector<int64_t>> tables_;  // by ValueId of the constant; empty: not readable
};

// The integers of a constant, in order; nothing when it is too long to be a table or spelled in another way.
std::optional<std::vector<int64_t>> constant_integers(const Rewrite& rewrite, ValueId value);
bool is_constant_zero(const Rewrite& rewrite, ValueId value);

}  // namespace sw
