// Dense typed indices. IR objects refer to one another by Id, never by pointer, so that every order is deterministic,
// stores are plain vectors, and an Id of one kind cannot be passed for another.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace sw {

template <class Tag>
struct Id {
  static constexpr uint32_t kNoneRaw = 0xffffffffU;
  uint32_t raw = kNoneRaw;

  constexpr Id() = default;
  constexpr explicit Id(uint32_t value) : raw(value) {}
  constexpr explicit Id(size_t value) : raw(static_cast<uint32_t>(value)) {}
  constexpr explicit Id(int value) : raw(static_cast<uint32_t>(value)) {}

  constexpr bool valid() const { return raw != kNoneRaw; }
  constexpr size_t index() const { return raw; }
  friend constexpr auto operator<=>(Id, Id) = default;
};

using StringId = Id<struct StringTag>;
using TypeId = Id<struct TypeTag>;
using AttrId = Id<struct AttrTag>;
using ValueId = Id<struct ValueTag>;
using OpId = Id<struct OpTag>;
using BlockId = Id<struct BlockTag>;
using RegionId = Id<struct RegionTag>;
using FunctionId = Id<struct FunctionTag>;
using LocationId = Id<struct LocationTag>;
using FileId = Id<struct FileTag>;
using MeshId = Id<struct MeshTag>;
using NamedShardingId = Id<struct NamedShardingTag>;
using TileShardingId = Id<struct TileShardingTag>;
using FactorRuleId = Id<struct FactorRuleTag>;

// A run of elements in a pool: `pool[begin] .. pool[begin + count)`. The element type only documents the pool.
template <class T>
struct Slice {
  uint32_t begin = 0;
  uint32_t count = 0;
  constexpr bool empty() const { return count == 0; }
  friend constexpr bool operator==(Slice, Slice) = default;
};

}  // namespace sw

template <class Tag>
struct std::hash<sw::Id<Tag>> {
  size_t operator()(sw::Id<Tag> id) const noexcept { return id.raw * 0x9e3779b97f4a7c15ULL; }
};
