// References to mesh axes and their algebra. `"x"` is a full axis; `"x":(m)k` is the part of size k after m more-major
// parts. Of an axis of size 8: "x":(1)2 is its major half, "x":(2)4 the rest, and together, in this order, they are
// "x".
//
// Invariant: a full axis has pre 1 and size = the size of the axis in its mesh; a sub-axis never spells a full axis
// (the verifier refuses it), so equality of the three numbers is equality of the references *within one mesh*. Hence a
// reference is the interval [pre, next) of "products of more-major parts", a full axis [1, n), and all of the algebra
// below is arithmetic on intervals; axes of size 1 are the empty interval and need the equality test beside it.
// Order (<): by position of the axis in the mesh, then pre, then size; a sub-axis that starts an axis is before the
// axis.
//
// Follows class AxisRefAttr of Shardy (ir/dialect.cc). Propagation calls these millions of times: all inline, no heap.
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <optional>
#include <span>

#include "base/small_vector.h"

namespace sw {

struct AxisRef {
  uint32_t axis = 0;  // position in Mesh::axes
  uint32_t pre = 1;   // product of the more-major parts
  uint32_t size = 1;
  constexpr uint64_t next() const { return uint64_t{pre} * size; }
  friend constexpr bool operator==(const AxisRef&, const AxisRef&) = default;
  friend constexpr auto operator<=>(const AxisRef&, const AxisRef&) = default;
};

using AxisList = SmallVector<AxisRef, 4>;

// a covers all of b: "x" contains "x":(2)2, "x":(1)4 contains "x":(2)2.
constexpr bool contains(const AxisRef& a, const AxisRef& b) {
  return a.axis == b.axis && a.pre <= b.pre && a.next() >= b.next();
}

// a is the major part of b, or b itself: "x":(1)2 is a prefix of "x".
constexpr bool prefix_of(const AxisRef& a, const AxisRef& b) {
  return a.axis == b.axis && a.pre == b.pre && a.size <= b.size;
}
constexpr bool strict_prefix_of(const AxisRef& a, const AxisRef& b) {
  return a.axis == b.axis && a.pre == b.pre && a.size < b.size;
}

// a is the minor part of b, or b itself: "x":(2)4 is a suffix of "x" of size 8.
constexpr bool suffix_of(const AxisRef& a, const AxisRef& b) {
  return a.axis == b.axis && a.next() == b.next() && a.pre >= b.pre;
}
constexpr bool strict_suffix_of(const AxisRef& a, const AxisRef& b) { return suffix_of(a, b) && a != b; }

constexpr bool overlaps(const AxisRef& a, const AxisRef& b) {
  return a.axis == b.axis && ((a.pre < b.next() && b.pre < a.next()) || a == b);
}

// Both can stand in one sharding (not necessarily disjoint): the axis can be cut at all four boundaries at once.
// "x":(1)4 and "x":(2)4 of 16 can; "x":(1)2 and "x":(1)3 of 6 cannot.
constexpr bool can_coexist(const AxisRef& a, const AxisRef& b) {
  if (a.axis != b.axis || a == b) return true;
  const uint64_t min_pre = std::min(a.pre, b.pre), max_pre = std::max(a.pre, b.pre);
  const uint64_t min_next = std::min(a.next(), b.next()), max_next = std::max(a.next(), b.next());
  if (min_next > max_pre) return min_next % max_pre == 0 && max_pre % min_pre == 0 && max_next % min_next == 0;
  return max_pre % min_next == 0;
}

// The common part, when they overlap and can coexist.
constexpr std::optional<AxisRef> overlap(const AxisRef& a, const AxisRef& b) {
  if (!overlaps(a, b) || !can_coexist(a, b)) return std::nullopt;
  const uint64_t pre = std::max(a.pre, b.pre);
  const uint64_t next = std::min(a.next(), b.next());
  return AxisRef{a.axis, static_cast<uint32_t>(pre), static_cast<uint32_t>(next / pre)};
}

// The longest prefix of a that does not overlap b; none when that is empty or the two cannot coexist.
// "x" against "x":(4)2 -> "x":(1)4; "x" against "x":(1)2 -> none; "x" against "y" -> "x".
constexpr std::optional<AxisRef> prefix_without_overlap(const AxisRef& a, const AxisRef& b) {
  if (a.axis != b.axis) return a;
  if (!can_coexist(a, b)) return std::nullopt;
  if (!overlaps(a, b)) return a;
  if (a.pre >= b.pre) return std::nullopt;
  return AxisRef{a.axis, a.pre, b.pre / a.pre};
}
inline std::optional<AxisRef> prefix_without_overlap(AxisRef a, std::span<const AxisRef> others) {
  for (const AxisRef& other : others) {
    const std::optional<AxisRef> rest = prefix_without_overlap(a, other);
    if (!rest) return std::nullopt;
    a = *rest;
  }
  return a;
}

// The same from the minor side: "x" (8) against "x":(1)2 -> "x":(2)4.
constexpr std::optional<AxisRef> suffix_without_overlap(const AxisRef& a, const AxisRef& b) {
  if (a.axis != b.axis) return a;
  if (!can_coexist(a, b)) return std::nullopt;
  if (!overlaps(a, b)) return a;
  if (a.next() <= b.next()) return std::nullopt;
  return AxisRef{a.axis, static_cast<uint32_t>(b.next()), static_cast<uint32_t>(a.next() / b.next())};
}

// Whichever of the two is a prefix of the other; none when they cannot coexist.
constexpr std::optional<AxisRef> greatest_common_prefix(const AxisRef& a, const AxisRef& b) {
  if (!can_coexist(a, b)) return std::nullopt;
  if (prefix_of(a, b)) return a;
  if (prefix_of(b, a)) return b;
  return std::nullopt;
}

// b continues a: "x":(1)2 then "x":(2)4. Never for full axes.
constexpr bool can_merge(const AxisRef& a, const AxisRef& b) {
  return a.axis == b.axis && a.next() == b.pre && a.size > 1;
}
// Of two that can merge. The whole axis comes out as the full axis by itself (pre 1, size n).
constexpr AxisRef merge(const AxisRef& a, const AxisRef& b) { return {a.axis, a.pre, a.size * b.size}; }

// Appends `axis`, or grows the last entry by it where they merge: {"x":(1)2} + "x":(2)4 -> {"x"}.
template <class List>
inline void append_or_merge(List& list, const AxisRef& axis) {
  if (!list.empty() && can_merge(list.back(), axis)) {
    list.back() = merge(list.back(), axis);
  } else {
    list.push_back(axis);
  }
}

// Product of the sizes. Entries are disjoint parts of one mesh, which has fewer than 2^31 devices.
inline int64_t product(std::span<const AxisRef> axes) {
  int64_t size = 1;
  for (const AxisRef& axis : axes) size *= axis.size;
  return size;
}

// `a` comes first in every extension of it: all but the last entry of a equal those of b, and the last is a prefix of
// the corresponding one. {} is a prefix of everything; {"x", "y":(1)2} of {"x", "y", "z"}.
inline bool is_prefix(std::span<const AxisRef> a, std::span<const AxisRef> b) {
  if (a.empty()) return true;
  if (a.size() > b.size()) return false;
  const size_t last = a.size() - 1;
  for (size_t i = 0; i < last; ++i)
    if (a[i] != b[i]) return false;
  return prefix_of(a[last], b[last]);
}
inline bool same_axes(std::span<const AxisRef> a, std::span<const AxisRef> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}
inline bool is_strict_prefix(std::span<const AxisRef> a, std::span<const AxisRef> b) {
  return is_prefix(a, b) && !same_axes(a, b);
}

// The index of an entry of `axes` that overlaps `axis`, or -1.
inline ptrdiff_t first_overlapping(std::span<const AxisRef> axes, const AxisRef& axis) {
  for (size_t i = 0; i < axes.size(); ++i)
    if (overlaps(axes[i], axis)) return static_cast<ptrdiff_t>(i);
  return -1;
}

}  // namespace sw
