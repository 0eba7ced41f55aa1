#include "sharding/axis_ref.h"

#include <vector>

#include "support/catch.h"

using namespace sw;

namespace {

// Every well-formed reference to an axis of size n.
std::vector<AxisRef> all_refs(uint32_t n) {
  std::vector<AxisRef> refs{{0, 1, n}};
  for (uint32_t pre = 1; pre <= n; ++pre)
    for (uint32_t size = 2; size < n; ++size)
      if (n % (uint64_t{pre} * size) == 0) refs.push_back({0, pre, size});
  return refs;
}

constexpr uint32_t kSizes[] = {1, 2, 3, 4, 6, 8, 12, 16, 24, 30, 36, 64};

template <class Body>
void for_all_pairs(Body body) {
  for (uint32_t n : kSizes)
    for (const AxisRef& a : all_refs(n))
      for (const AxisRef& b : all_refs(n)) body(a, b, n);
}

}  // namespace

TEST_CASE("axis references: the examples of the header") {
  const AxisRef x{0, 1, 8}, major{0, 1, 2}, rest{0, 2, 4}, y{1, 1, 4};
  CHECK(contains(x, rest));
  CHECK_FALSE(contains(rest, x));
  CHECK(prefix_of(major, x));
  CHECK_FALSE(prefix_of(rest, x));
  CHECK(suffix_of(rest, x));
  CHECK(can_merge(major, rest));
  CHECK_FALSE(can_merge(rest, major));
  CHECK(merge(major, rest) == x);
  CHECK(prefix_without_overlap(x, AxisRef{0, 4, 2}) == AxisRef{0, 1, 4});
  CHECK(prefix_without_overlap(x, major) == std::nullopt);
  CHECK(prefix_without_overlap(x, y) == x);
  CHECK(suffix_without_overlap(x, major) == rest);
  CHECK(overlap(AxisRef{0, 1, 4}, AxisRef{0, 2, 4}) == AxisRef{0, 2, 2});
  CHECK_FALSE(can_coexist(AxisRef{0, 1, 2}, AxisRef{0, 1, 3}));
}

TEST_CASE("axis references: a full axis of size one") {
  const AxisRef one{0, 1, 1};
  CHECK(overlaps(one, one));
  CHECK(contains(one, one));
  CHECK(overlap(one, one) == one);
  CHECK_FALSE(can_merge(one, one));
  CHECK(prefix_without_overlap(one, one) == std::nullopt);
}

TEST_CASE("axis references: relations hold for every pair of small axes") {
  for_all_pairs([](const AxisRef& a, const AxisRef& b, uint32_t n) {
    INFO(n << ": (" << a.pre << ")" << a.size << " and (" << b.pre << ")" << b.size);
    CHECK(overlaps(a, b) == overlaps(b, a));
    CHECK(can_coexist(a, b) == can_coexist(b, a));
    CHECK(overlap(a, b) == overlap(b, a));
    CHECK((contains(a, b) && contains(b, a)) == (a == b));
    CHECK((prefix_of(a, b) && prefix_of(b, a)) == (a == b));
    CHECK(strict_prefix_of(a, b) == (prefix_of(a, b) && a != b));
    if (prefix_of(a, b)) CHECK(contains(b, a));
    if (suffix_of(a, b)) CHECK(contains(b, a));
    if (a == b) CHECK(can_coexist(a, b));
    if (contains(a, b)) CHECK(overlaps(a, b));
    if (const auto common = overlap(a, b)) {
      CHECK(contains(a, *common));
      CHECK(contains(b, *common));
    }
    if (const auto prefix = greatest_common_prefix(a, b)) {
      CHECK(prefix_of(*prefix, a));
      CHECK(prefix_of(*prefix, b));
    }
  });
}

TEST_CASE("axis references: what is left beside an overlap, and merging it back") {
  for_all_pairs([](const AxisRef& a, const AxisRef& b, uint32_t n) {
    INFO(n << ": (" << a.pre << ")" << a.size << " and (" << b.pre << ")" << b.size);
    const auto before = prefix_without_overlap(a, b);
    const auto after = suffix_without_overlap(a, b);
    if (before) {
      CHECK(prefix_of(*before, a));
      CHECK_FALSE(overlaps(*before, b));
    }
    if (after) {
      CHECK(suffix_of(*after, a));
      CHECK_FALSE(overlaps(*after, b));
    }
    if (!can_coexist(a, b) || !overlaps(a, b)) return;
    // before + common + after is a again.
    AxisList parts;
    if (before) append_or_merge(parts, *before);
    append_or_merge(parts, *overlap(a, b));
    if (after) append_or_merge(parts, *after);
    REQUIRE(parts.size() == 1);
    CHECK(parts[0] == a);
  });
}

TEST_CASE("axis references: merging is splitting undone, and orders as the mesh does") {
  for_all_pairs([](const AxisRef& a, const AxisRef& b, uint32_t n) {
    if (!can_merge(a, b)) return;
    const AxisRef whole = merge(a, b);
    INFO(n << ": (" << a.pre << ")" << a.size << " and (" << b.pre << ")" << b.size);
    CHECK(strict_prefix_of(a, whole));
    CHECK(strict_suffix_of(b, whole));
    CHECK(suffix_without_overlap(whole, a) == b);
    CHECK(prefix_without_overlap(whole, b) == a);
    CHECK(a < whole);
    CHECK(whole < b);
    CHECK((whole.size == n) == (whole == AxisRef{0, 1, n}));
  });
}

TEST_CASE("axis lists: prefixes") {
  const AxisRef x{0, 1, 8}, x2{0, 1, 2}, y{1, 1, 4}, y2{1, 1, 2};
  const AxisList none, lx{x}, lx2{x2}, lxy{x, y}, lxy2{x, y2}, lx2y{x2, y};
  CHECK(is_prefix(none, none));
  CHECK_FALSE(is_strict_prefix(none, none));
  CHECK(is_strict_prefix(none, lx));
  CHECK(is_strict_prefix(lx2, lx));
  CHECK(is_strict_prefix(lx, lxy));
  CHECK(is_strict_prefix(lxy2, lxy));
  CHECK(is_strict_prefix(lx2, lxy));
  CHECK_FALSE(is_prefix(lx2y, lxy));
  CHECK_FALSE(is_prefix(lxy, lx));
  CHECK(product(lxy) == 32);
  CHECK(first_overlapping(lxy, y2) == 1);
  CHECK(first_overlapping(lx, y2) == -1);
  const AxisList others{{0, 4, 2}, {0, 2, 2}};
  CHECK(prefix_without_overlap(x, others) == x2);
}
