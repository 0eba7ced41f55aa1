// Small worlds: every op of a list, on arrays of up to five elements a side (so that most do not divide), with every
// sharding of every operand and of the result on meshes of 2, 4, 2x2 and 2x2x2 devices, partitioned, run on simulated
// devices and compared with the op itself. A partition rule that is wrong is found here, and a kernel too.
//
// XLA's partitioner itself goes wrong in some worlds. The rules that know it say so (partition/miscompile.h), and only
// then may the program that XLA makes be wrong; the program made with Lowering::right must be right in every world.
//
// Without more, of each op on each mesh those combinations are run that a fixed stride meets. Environment variables:
//   SHARDWRIGHT_WORLDS=all          every combination
//   SHARDWRIGHT_WORLDS=3/8          every eighth of them, from the fourth on
//   SHARDWRIGHT_WORLDS_ONLY=pad     of programs with this text
//   SHARDWRIGHT_WORLDS_LIST=FILE    writes every world as a line of JSON, for scripts/check_worlds.py
#include <array>
#include <atomic>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <mutex>
#include <nlohmann/json.hpp>

#include "base/parallel.h"
#include "property/small_worlds.h"
#include "property/world.h"
#include "sharding/text.h"
#include "support/catch.h"

namespace sw {
namespace {

using test::all_shardings;
using test::Devices;
using test::kDevices;
using test::World;

// How many combinations are run: every `stride`-th, from `first` on; 0: as many as `limit` allows.
struct Sample {
  int64_t stride = 0, first = 0, limit = 0;
};

struct Tally {
  struct OfKind {
    int64_t wrong = 0, right = 0;  // worlds in which the program that XLA makes is so
  };
  int64_t run = 0, wrong = 0;
  std::array<OfKind, kMiscompileKinds> kinds;
  std::ofstream list;
  std::mutex mutex;
};

// What is wrong with one world; empty: nothing.
std::string run_one(const World& world, const Devices& mesh, const std::vector<TileSharding>& chosen, Tally& tally) {
  std::vector<Miscompile> miscompiles;
  const std::string as_xla = world.run(mesh, chosen, Lowering::as_xla, &miscompiles);
  const std::string wrong = miscompiles.empty() ? as_xla : world.run(mesh, chosen, Lowering::right);
  const std::lock_guard<std::mutex> lock(tally.mutex);
  ++tally.run;
  tally.wrong += wrong.empty() ? 0 : 1;
  for (const Miscompile& m : miscompiles) {
    Tally::OfKind& kind = tally.kinds[static_cast<size_t>(m.kind)];
    ++(as_xla.empty() ? kind.right : kind.wrong);
  }
  if (tally.list.is_open()) {
    nlohmann::json line{{"as_xla", as_xla}, {"right", wrong}, {"miscompiles", nlohmann::json::array()}};
    for (const TileSharding& s : chosen) line["shardings"].push_back(hlo_text(TileShardingTable(), s));
    for (const Miscompile& m : miscompiles) line["miscompiles"].push_back(static_cast<int>(m.kind));
    tally.list << line.dump() << "\n";
  }
  return wrong;
}

void run_world(const World& world, const Devices& mesh, const Sample& sample, Tally& tally) {
  std::vector<std::vector<TileSharding>> choices;
  int64_t total = 1;
  for (size_t i = 0; i < world.value_count(); ++i) {
    choices.push_back(all_shardings(mesh, world.rank(i)));
    total *= static_cast<int64_t>(choices.back().size());
  }
  int64_t stride = sample.stride;
  if (stride == 0) {
    // One that shares no factor with the counts, which are powers of small numbers.
    stride = std::max<int64_t>(1, total / sample.limit);
    while (stride > 1 && (stride % 2 == 0 || stride % 3 == 0 || stride % 5 == 0)) --stride;
  }
  if (sample.first >= total) return;
  const int64_t count = (total - sample.first + stride - 1) / stride;
  std::atomic<int> shown{0};
  parallel_for(static_cast<size_t>(count), [&](size_t n) {
    int64_t rest = sample.first + static_cast<int64_t>(n) * stride;
    std::vector<TileSharding> chosen;
    for (const std::vector<TileSharding>& list : choices) {
      chosen.push_back(list[static_cast<size_t>(rest) % list.size()]);
      rest /= static_cast<int64_t>(list.size());
    }
    const std::string wrong = run_one(world, mesh, chosen, tally);
    constexpr int kShown = 2;
    if (wrong.empty() || shown++ >= kShown) return;
    const std::lock_guard<std::mutex> lock(tally.mutex);
    std::cerr << world.text() << "mesh " << mesh.name << ":";
    for (const TileSharding& s : chosen) std::cerr << ' ' << hlo_text(TileShardingTable(), s);
    std::cerr << "\n" << wrong << "\n\n";
  });
}

Sample sample_asked_for(int64_t limit) {
  const char* asked = std::getenv("SHARDWRIGHT_WORLDS");
  if (asked == nullptr) return {0, 0, limit};
  const std::string text = asked;
  if (text == "all") return {1, 0, 0};
  const size_t slash = text.find('/');
  REQUIRE(slash != std::string::npos);
  return {std::stoll(text.substr(slash + 1)), std::stoll(text.substr(0, slash)), 0};
}

TEST_CASE("small worlds: every op computes the same whatever the shardings", "[worlds]") {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  constexpr int64_t kLimit = 100, kAtLeast = 10'000;  // sanitizers look at what the rules touch, not at every answer
#else
  constexpr int64_t kLimit = 1500, kAtLeast = 200'000;
#endif
  const Sample sample = sample_asked_for(kLimit);
  const char* only = std::getenv("SHARDWRIGHT_WORLDS_ONLY");
  Tally tally;
  if (const char* list = std::getenv("SHARDWRIGHT_WORLDS_LIST")) tally.list.open(list);
  for (const std::string& program : test::world_programs()) {
    if (only != nullptr && program.find(only) == std::string::npos) continue;
    const World world(program);
    if (tally.list.is_open()) tally.list << nlohmann::json{{"module", world.text()}}.dump() << "\n";
    for (const Devices& mesh : kDevices) run_world(world, mesh, sample, tally);
  }
  CHECK(tally.wrong == 0);
  std::cerr << tally.run << " small worlds run, " << tally.wrong << " wrong; known to be miscompiled by XLA:";
  for (size_t k = 0; k < kMiscompileKinds; ++k) {
    const Tally::OfKind& kind = tally.kinds[k];
    std::cerr << "\n  " << kind.wrong + kind.right << " " << miscompile_name(static_cast<MiscompileKind>(k)) << ", "
              << kind.right << " of them with the right numbers here";
    // A rule that never goes wrong would excuse nothing.
    if (sample.stride == 0 && only == nullptr && kLimit > 1000) CHECK(kind.wrong > 0);
  }
  std::cerr << "\n";
  if (sample.stride == 0 && only == nullptr) CHECK(tally.run >= kAtLeast);
}

}  // namespace
}  // namespace sw
