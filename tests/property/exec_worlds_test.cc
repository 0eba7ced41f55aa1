// Small worlds: every op of the table, on arrays of up to five elements a side (so that most do not divide), with every
// sharding of every operand and of the result on meshes of 2, 4, 2x2 and 2x2x2 devices, partitioned, run on simulated
// devices and compared with the op itself. A partition rule that is wrong is found here, and a kernel too.
//
// XLA's partitioner itself goes wrong in some worlds. The rules that know it say so (partition/miscompile.h), and only
// then may the program that XLA makes be wrong; the program made with Lowering::right must be right in every world.
//
// Without more, of each op on each mesh those combinations are run that a fixed stride meets. Environment variables:
//   SHARDWRIGHT_WORLDS=all          every combination; about a million of each op on each mesh where there are more
//   SHARDWRIGHT_WORLDS=3/8          every eighth of those, from the fourth on
//   SHARDWRIGHT_WORLDS=100          about 100 of each op on each mesh
//   SHARDWRIGHT_WORLDS_ONLY=pad     of programs with this text
//   SHARDWRIGHT_WORLDS_LIST=FILE    writes every world as a line of JSON, for scripts/check_worlds.py
#include <array>
#include <atomic>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "base/parallel.h"
#include "exec/kernel.h"
#include "property/world.h"
#include "sharding/text.h"
#include "support/catch.h"

namespace sw::test {
namespace {

// How many combinations of an op on a mesh are run: all, or about `limit` of them where there are more; and of these
// every `slices`-th, from the `slice`-th on.
struct Sample {
  int64_t limit = 0, slice = 0, slices = 1;
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

void list_world(const World& world, const Devices& mesh, const std::vector<TileSharding>& chosen,
                const std::string& as_xla, const std::string& right, const std::vector<Miscompile>& miscompiles,
                std::ofstream& list) {
  const World::Written written = world.written(chosen);
  nlohmann::json line{{"devices", mesh.devices()},
                      {"inputs", written.inputs},
                      {"outputs", written.outputs},
                      {"named", written.named},
                      {"as_xla", as_xla},
                      {"right", right},
                      {"miscompiles", nlohmann::json::array()}};
  for (const Miscompile& m : miscompiles) line["miscompiles"].push_back(miscompile_name(m.kind));
  list << line.dump() << "\n";
}

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
  if (tally.list.is_open()) list_world(world, mesh, chosen, as_xla, wrong, miscompiles, tally.list);
  return wrong;
}

void run_world(const World& world, const Devices& mesh, const Sample& sample, Tally& tally) {
  std::vector<std::vector<TileSharding>> choices;
  int64_t total = 1;
  for (const size_t rank : world.ranks()) {
    choices.push_back(all_shardings(mesh, rank));
    total *= static_cast<int64_t>(choices.back().size());
  }
  // One that shares no factor with the counts, which are powers of small numbers.
  int64_t stride = std::max<int64_t>(1, total / sample.limit);
  while (stride > 1 && (stride % 2 == 0 || stride % 3 == 0 || stride % 5 == 0)) --stride;
  const int64_t first = sample.slice * stride, step = sample.slices * stride;
  if (first >= total) return;
  const int64_t count = (total - first + step - 1) / step;
  std::atomic<int> shown{0};
  parallel_for(static_cast<size_t>(count), [&](size_t n) {
    int64_t rest = first + static_cast<int64_t>(n) * step;
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
  constexpr int64_t kMost = 1'000'000;
  const char* asked = std::getenv("SHARDWRIGHT_WORLDS");
  if (asked == nullptr) return {limit};
  const std::string text = asked;
  if (text == "all") return {kMost};
  const size_t slash = text.find('/');
  if (slash == std::string::npos) return {std::max<int64_t>(1, std::stoll(text))};
  return {kMost, std::stoll(text.substr(0, slash)), std::max<int64_t>(1, std::stoll(text.substr(slash + 1)))};
}

void run_programs(const std::vector<WorldProgram>& programs, const std::vector<const Devices*>& meshes, int64_t devices,
                  const Sample& sample, Tally& tally) {
  const char* only = std::getenv("SHARDWRIGHT_WORLDS_ONLY");
  for (const WorldProgram& program : programs) {
    if (only != nullptr && program.lines.find(only) == std::string::npos) continue;
    const World world(program, devices);
    if (tally.list.is_open()) tally.list << nlohmann::json{{"module", world.text()}}.dump() << "\n";
    const Sample of_this{sample.limit * program.often, sample.slice, sample.slices};
    for (const Devices* mesh : meshes) run_world(world, *mesh, of_this, tally);
  }
}

TEST_CASE("small worlds: every op computes the same whatever the shardings", "[worlds]") {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  constexpr int64_t kLimit = 40, kAtLeast = 10'000;  // sanitizers look at what the rules touch, not at every answer
#else
  constexpr int64_t kLimit = 200, kAtLeast = 200'000;
#endif
  const Sample sample = sample_asked_for(kLimit);
  const bool whole = std::getenv("SHARDWRIGHT_WORLDS") == nullptr && std::getenv("SHARDWRIGHT_WORLDS_ONLY") == nullptr;
  Tally tally;
  if (const char* list = std::getenv("SHARDWRIGHT_WORLDS_LIST")) tally.list.open(list);
  std::vector<const Devices*> all;
  for (const Devices& mesh : kDevices) all.push_back(&mesh);
  run_programs(world_programs(), all, 1, sample, tally);
  for (const Devices* mesh : all) run_programs(manual_programs(mesh->axes), {mesh}, mesh->devices(), sample, tally);
  CHECK(tally.wrong == 0);
  std::cerr << tally.run << " small worlds run, " << tally.wrong << " wrong; known to be miscompiled by XLA:";
  for (size_t k = 0; k < kMiscompileKinds; ++k) {
    const Tally::OfKind& kind = tally.kinds[k];
    std::cerr << "\n  " << kind.wrong + kind.right << " " << miscompile_name(static_cast<MiscompileKind>(k)) << ", "
              << kind.right << " of them with the right numbers here";
    // A rule that never goes wrong would excuse nothing. One takes two ops, and is for the random graphs.
    if (k == static_cast<size_t>(MiscompileKind::piece_mistaken)) continue;
    if (whole && kLimit > 100) CHECK(kind.wrong > 0);
  }
  std::cerr << "\n";
  if (whole) CHECK(tally.run >= kAtLeast);
}

bool is_so(OpKind kind, NoWorld why) {
  switch (why) {
    case NoWorld::not_in_hlo: return facts(kind).hlo.empty();
    case NoWorld::no_kernel: return kernel_cell(kind).kind == CellKind::unsupported;
    case NoWorld::no_array: return kind == OpKind::after_all;
    case NoWorld::unknown_op: return kind == OpKind::unknown;
  }
  return false;
}

TEST_CASE("small worlds: every op of the table has one, or a reason why not", "[worlds][table]") {
  std::set<OpKind> with_world, without;
  for (const WorldProgram& program : world_programs())
    for (const OpKind kind : World(program, 1).subjects()) with_world.insert(kind);
  for (const Devices& mesh : kDevices)
    for (const WorldProgram& program : manual_programs(mesh.axes))
      for (const OpKind kind : World(program, mesh.devices()).subjects()) with_world.insert(kind);
  for (const auto& [kind, why] : ops_without_world()) {
    INFO(facts(kind).mlir << " " << facts(kind).hlo);
    CHECK(without.insert(kind).second);
    CHECK(with_world.count(kind) == 0);
    CHECK(is_so(kind, why));
  }
  for (size_t i = 0; i < kOpKindCount; ++i) {
    const auto kind = static_cast<OpKind>(i);
    INFO(facts(kind).mlir << " " << facts(kind).hlo);
    CHECK(with_world.count(kind) + without.count(kind) == 1);
  }
  std::cerr << with_world.size() << " ops have small worlds, " << without.size() << " a reason why not\n";
}

}  // namespace
}  // namespace sw::test
