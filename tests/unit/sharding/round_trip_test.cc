// Random shardings on random meshes: each spelling is read back as what was printed, and what one form can say of
// another comes back the same. Cases are small, so that a failure can be read; the generator is fixed, so that it can
// be repeated.
#include "sharding/convert.h"
#include "sharding/text.h"
#include "sharding/tile_build.h"
#include "support/catch.h"
#include "support/diagnostics.h"

using namespace sw;

namespace {

class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed * 2654435761U + 1) {}
  uint32_t below(uint32_t n) {
    state_ ^= state_ << 13U;
    state_ ^= state_ >> 7U;
    state_ ^= state_ << 17U;
    return static_cast<uint32_t>(state_ >> 33U) % n;
  }
  bool one_in(uint32_t n) { return below(n) == 0; }

 private:
  uint64_t state_;
};

Mesh random_mesh(Random& random) {
  static const char* const kNames[] = {"x", "y", "data", "a \"quoted\" name", "e\\f"};
  Mesh mesh;
  const uint32_t axes = 1 + random.below(4);
  for (uint32_t i = 0; i < axes; ++i) {
    static constexpr int64_t kSizes[] = {1, 2, 3, 4, 6, 8};
    mesh.axes.push_back({kNames[i], kSizes[random.below(6)]});
  }
  if (random.one_in(4) && mesh.device_count() > 1) {
    for (int64_t i = 0; i < mesh.device_count(); ++i) mesh.device_ids.push_back(i);
    std::reverse(mesh.device_ids.begin(), mesh.device_ids.end());
  }
  return mesh;
}

// Cuts every axis at a random chain of divisors and deals the parts out to dimensions and lists.
NamedShardingSpec random_spec(Random& random, const Mesh& mesh, MeshId id) {
  std::vector<AxisRef> parts;
  for (uint32_t axis = 0; axis < mesh.axes.size(); ++axis) {
    const auto n = static_cast<uint32_t>(mesh.axes[axis].size);
    for (uint32_t pre = 1; pre < n || (n == 1 && pre == 1);) {
      uint32_t size = n / pre;
      for (uint32_t cut = 2; cut < size; ++cut)
        if (size % cut == 0 && random.one_in(2)) size = cut;
      parts.push_back({axis, pre, size});
      pre *= size;
      if (n == 1) break;
    }
  }
  for (size_t i = parts.size(); i > 1; --i) std::swap(parts[i - 1], parts[random.below(static_cast<uint32_t>(i))]);
  NamedShardingSpec spec;
  spec.mesh = id;
  spec.dims.resize(random.below(4));
  for (NamedShardingSpec::Dim& d : spec.dims) d.closed = !random.one_in(3);
  for (const AxisRef& part : parts) {
    const uint32_t where = random.below(static_cast<uint32_t>(spec.dims.size()) + 3);
    if (where < spec.dims.size()) append_or_merge(spec.dims[where].axes, part);
    if (where == spec.dims.size()) spec.replicated.push_back(part);
    if (where == spec.dims.size() + 1) spec.unreduced.push_back(part);
  }
  for (AxisList* list : {&spec.replicated, &spec.unreduced}) {
    std::sort(list->begin(), list->end());
    AxisList merged;
    for (const AxisRef& a : *list) append_or_merge(merged, a);
    *list = merged;
  }
  if (!spec.unreduced.empty()) spec.reduction = static_cast<ReductionOp>(random.below(3));
  for (NamedShardingSpec::Dim& d : spec.dims)
    if (random.one_in(4) && (!d.closed || !d.axes.empty())) d.priority = static_cast<int32_t>(random.below(12));
  return spec;
}

}  // namespace

TEST_CASE("random shardings: every spelling comes back") {
  size_t as_spec = 0, as_tile = 0;
  for (uint64_t seed = 1; seed <= 3000; ++seed) {
    Random random(seed);
    ShardingTable table;
    TileShardingTable tiles;
    SourceManager sources;
    Diagnostics diagnostics;
    const Mesh mesh = random_mesh(random);
    const MeshId mesh_id = random.one_in(5) ? table.inline_mesh(mesh) : table.add_mesh({"mesh", mesh});
    const NamedShardingId id = table.intern(random_spec(random, mesh, mesh_id));
    const std::string text = sdy_text(table, id);
    INFO(seed << ": " << text << " on " << sdy_text(mesh));

    TextCursor in{text, 0, {}};
    const auto back = parse_sdy_sharding(in, table, diagnostics);
    INFO(test::told(diagnostics, sources));
    REQUIRE(back);
    REQUIRE(*back == id);

    const TileSharding tile = tile_from_named(table, id);
    const TileShardingId tile_id = tiles.intern(tile);
    const std::string hlo = hlo_text(tiles, tile_id);
    INFO(hlo);
    TextCursor hlo_in{hlo, 0, {}};
    const auto tile_back = parse_hlo_sharding(hlo_in, tiles, diagnostics);
    INFO(test::told(diagnostics, sources));
    REQUIRE(tile_back);
    REQUIRE(*tile_back == tile_id);

    const auto named = named_from_tile(tile, table, mesh_id, table.get(id).rank());
    if (named) {
      ++as_tile;
      REQUIRE(tiles.intern(tile_from_named(mesh, *named)) == tile_id);
    }
    if (const auto spec = partition_spec_text(table, id)) {
      ++as_spec;
      TextCursor spec_in{*spec, 0, {}};
      const auto spec_back = parse_partition_spec(spec_in, table, mesh_id, table.get(id).rank(), diagnostics);
      INFO(*spec << test::told(diagnostics, sources));
      REQUIRE(spec_back);
      NamedShardingSpec want = table.spec(id);  // a spec says neither priorities nor what is replicated on purpose
      want.replicated.clear();
      for (NamedShardingSpec::Dim& d : want.dims) d.priority = kNoPriority;
      REQUIRE(*spec_back == want);
    }
  }
  CHECK(as_tile > 2000);
  CHECK(as_spec > 300);
}

TEST_CASE("random device orders: digits say what the list says") {
  for (uint64_t seed = 1; seed <= 2000; ++seed) {
    Random random(seed);
    SmallVector<int64_t, 4> reshape;
    SmallVector<int32_t, 4> perm;
    const uint32_t rank = 1 + random.below(4);
    for (uint32_t i = 0; i < rank; ++i) {
      reshape.push_back(1 + random.below(4));
      perm.push_back(static_cast<int32_t>(i));
    }
    for (size_t i = rank; i > 1; --i) std::swap(perm[i - 1], perm[random.below(static_cast<uint32_t>(i))]);
    DeviceList plain;
    plain.reshape = reshape;
    plain.perm = perm;
    const DeviceList canonical = iota_devices(reshape, perm);
    REQUIRE(materialize(plain) == materialize(canonical));
    REQUIRE(devices_of(digits_of(canonical)) == canonical);
    DeviceList listed;
    listed.ids = materialize(plain);
    compress(listed);
    REQUIRE(listed == canonical);
    // Transposing the symbol and transposing the list agree.
    SmallVector<int32_t, 4> other = perm;
    std::reverse(other.begin(), other.end());
    SmallVector<int64_t, 6> tile;
    for (int32_t p : perm) tile.push_back(reshape[static_cast<size_t>(p)]);
    DeviceList by_list = listed;
    by_list.ids = materialize(canonical);
    by_list.reshape.clear();
    by_list.perm.clear();
    REQUIRE(transpose(canonical, tile, other) == transpose(by_list, tile, other));
  }
}
