// Groups of devices compared in digits must give what comparing them device by device gives: every question is asked
// twice, of iotas and of the same grids written out as lists.
#include "partition/align.h"

#include <algorithm>
#include <numeric>
#include <random>

#include "support/catch.h"

using namespace sw;

namespace {

class Shuffler {
 public:
  explicit Shuffler(unsigned seed) : random_(seed) {}

  int64_t below(int64_t n) { return static_cast<int64_t>(random_() % static_cast<unsigned long>(n)); }

  // A random iota over `parts` devices (cut and permuted), as a grid of `dims`.
  TileGrid iota(std::span<const int64_t> dims, int64_t devices) {
    std::vector<int64_t> parts;
    for (int64_t left = devices; left > 1;) {
      int64_t part = std::min(left, 2 + below(3));
      while (left % part != 0) ++part;
      parts.push_back(part);
      left /= part;
    }
    std::vector<int32_t> perm(parts.size());
    std::iota(perm.begin(), perm.end(), 0);
    std::shuffle(perm.begin(), perm.end(), random_);
    return iota_grid(dims, parts, perm);
  }

  // Dims whose product is `devices`.
  TileDims dims(int64_t devices, size_t rank) {
    TileDims out(rank, 1);
    for (int64_t p = 2; devices > 1;) {
      if (devices % p != 0) {
        ++p;
        continue;
      }
      out[static_cast<size_t>(below(static_cast<int64_t>(rank)))] *= p;
      devices /= p;
    }
    return out;
  }

 private:
  std::mt19937_64 random_;
};

TileGrid listed(const TileGrid& grid) { return list_grid(grid.dims, device_ids(grid)); }

GroupedSharding listed(GroupedSharding g) {
  g.device_groups = listed(g.device_groups);
  return g;
}

void check_same(const GroupedSharding& a, const GroupedSharding& b) {
  CHECK(same_grid(a.device_groups, b.device_groups));
  CHECK(same_sharding(a.inner, b.inner));
}

}  // namespace

TEST_CASE("aligning groups by digits is aligning them device by device") {
  Shuffler shuffler(7);
  int aligned = 0;
  for (int round = 0; round < 4000; ++round) {
    const int64_t devices = std::vector<int64_t>{8, 12, 16, 24}[static_cast<size_t>(shuffler.below(4))];
    const TileDims shape = shuffler.dims(devices, 2);
    GroupedSharding grouped, reference;
    grouped.device_groups = shuffler.iota(shape, devices);
    reference.device_groups = shuffler.iota(shape, devices);
    grouped.inner = plain_tiles(shuffler.iota(shuffler.dims(shape[1], 2), shape[1]));
    const bool any = shuffler.below(2) == 0;
    check_same(align_groups(grouped, reference, any), align_groups(listed(grouped), listed(reference), any));
    const auto digits = align_groups_if_compatible(grouped, reference);
    const auto lists = align_groups_if_compatible(listed(grouped), listed(reference));
    REQUIRE(digits.has_value() == lists.has_value());
    if (digits) check_same(*digits, *lists);
    if (digits) ++aligned;
    CHECK(groups_match(grouped.device_groups, reference.device_groups) ==
          groups_match(listed(grouped.device_groups), listed(reference.device_groups)));
  }
  CHECK(aligned > 100);
}

TEST_CASE("dimensions that tell groups apart, and replicas in every group, by digits and device by device") {
  Shuffler shuffler(11);
  int found = 0, replicas = 0;
  for (int round = 0; round < 8000; ++round) {
    const int64_t devices = std::vector<int64_t>{8, 12, 16}[static_cast<size_t>(shuffler.below(3))];
    const TileGrid grid = shuffler.iota(shuffler.dims(devices, 3), devices);
    const TileGrid groups = shuffler.iota(shuffler.dims(devices, 2), devices);
    const TileSharding s = shuffler.below(2) == 0 ? partial_tiles(grid) : plain_tiles(grid);
    if (!is_tiled(s)) continue;
    TileSharding written = s;
    written.devices = listed(grid_of(s)).devices;
    const auto digits = dims_matching_groups(s, groups), lists = dims_matching_groups(written, listed(groups));
    REQUIRE(digits.has_value() == lists.has_value());
    if (digits) CHECK(*digits == *lists);
    if (digits) ++found;
    if (!replicates_on_last_dim(s) || s.tile.back() % groups.dims[0] != 0) continue;
    const int64_t kept = s.tile.back() / groups.dims[0];
    const auto by_digits = group_replicas_as(s, kept, groups),
               by_list = group_replicas_as(written, kept, listed(groups));
    REQUIRE(by_digits.has_value() == by_list.has_value());
    if (by_digits) check_same(*by_digits, *by_list);
    if (by_digits) ++replicas;
  }
  CHECK(found > 100);
  CHECK(replicas > 100);
}
