// The number that a scalar integer has on every device: constants, the device's own number, tables looked up by it, and
// arithmetic on these. Tells where each device cuts its piece out of a value that all of them have.
#pragma once

#include <map>
#include <optional>
#include <tuple>
#include <unordered_map>

#include "partition/backend/rewrite.h"

namespace sw {

class DeviceOffsets {
 public:
  explicit DeviceOffsets(const Rewrite& rewrite) : rewrite_(rewrite) {}

  // By device; empty when the value depends on anything else. Found once per value.
  const std::vector<int64_t>& on_all(ValueId value) { return evaluate(value, 0); }
  // Whether member j of every group has the value j * piece.
  bool counts_members(ValueId value, const TileGrid& groups, int64_t piece);

 private:
  using Numbers = std::vector<int64_t>;
  const Numbers& evaluate(ValueId value, int depth);
  Numbers compute(ValueId value, int depth);
  Numbers arithmetic(const Op& op, int depth);
  Numbers clamped(const Op& op, int depth);
  Numbers looked_up(ValueId table, const Numbers& index) const;
  Numbers same_on_all(int64_t number) const;

  const Rewrite& rewrite_;
  std::unordered_map<uint32_t, Numbers> numbers_;  // by ValueId
  struct Checked {
    ValueId value;
    int64_t piece;
    TileGrid groups;
    bool counts;
  };
  std::vector<Checked> checked_;  // questions answered so far: few, since equal offsets are one value
};

// The integers of a constant, in order; nothing when it is too long to be a table or spelled in another way.
std::optional<std::vector<int64_t>> constant_integers(const Rewrite& rewrite, ValueId value);
bool is_constant_zero(const Rewrite& rewrite, ValueId value);

}  // namespace sw
