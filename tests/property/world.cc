#include "property/world.h"

#include "exec/inputs.h"
#include "exec/shards.h"
#include "property/small_worlds.h"
#include "sharding/tile_algebra.h"
#include "support/catch.h"
#include "text/hlo/reader.h"

namespace sw::test {

namespace {
constexpr double kTolerance = 1e-5;
}  // namespace

const std::vector<Devices> kDevices = {{"2", {2}}, {"4", {4}}, {"2x2", {2, 2}}, {"2x2x2", {2, 2, 2}}};

TileSharding tiles(const Devices& mesh, size_t rank, const std::vector<size_t>& choice) {
  TileDims dims(rank, 1);
  int64_t rest = 1;
  SmallVector<int32_t, 8> perm;
  for (size_t d = 0; d <= rank; ++d)
    for (size_t k = 0; k < mesh.axes.size(); ++k) {
      if (choice[k] != d) continue;
      perm.push_back(static_cast<int32_t>(k));
      (d < rank ? dims[d] : rest) *= mesh.axes[k];
    }
  if (rest == mesh.devices()) return replicated_sharding();
  if (rest > 1) dims.push_back(rest);
  const TileGrid grid = iota_grid(dims, mesh.axes, perm);
  return rest > 1 ? partial_tiles(grid) : plain_tiles(grid);
}

std::vector<TileSharding> all_shardings(const Devices& mesh, size_t rank) {
  std::vector<TileSharding> out;
  std::vector<size_t> choice(mesh.axes.size(), 0);
  for (;;) {
    out.push_back(tiles(mesh, rank, choice));
    size_t k = choice.size();
    while (k-- > 0) {
      if (++choice[k] <= rank) break;
      choice[k] = 0;
    }
    if (k == static_cast<size_t>(-1)) return out;
  }
}

World::World(const std::string& lines) : text_(world_module(lines)) {
  SourceManager sources;
  Diagnostics diagnostics;
  Result<Program> program = read_hlo(sources.add("world.hlo", text_), sources, diagnostics);
  INFO(text_);
  REQUIRE(program.has_value());
  graph_ = std::move(program->graph);
  const BlockId block = graph_.entry_block(graph_.function(graph_.main).body);
  for (uint32_t i = 0; i < graph_.block(block).arg_count; ++i) values_.push_back(graph_.arg(block, i));
  values_.push_back(graph_.operands(graph_.block(block).ops.back())[0]);
  inputs_ = random_inputs(graph_, 1, FloatRange::positive);
  make_definite(graph_, inputs_);
  Result<Executable> executable = Executable::prepare(graph_, {nullptr, {}, 1}, Precision::as_written, diagnostics);
  REQUIRE(executable.has_value());
  Machine machine(*executable, {1, false});
  std::vector<Replicas> args;
  for (const Datum& input : inputs_) args.push_back({{input}});
  std::optional<Replicas> result = machine.run(std::move(args));
  REQUIRE(result.has_value());
  expected_ = leaves_of(*result);
}

size_t World::rank(size_t i) const {
  Type type = graph_.type_of(values_[i]);
  if (type.kind == TypeKind::tuple) type = graph_.types.get(type.elements[0]);
  return type.rank();
}

std::string World::run(const Devices& mesh, const std::vector<TileSharding>& chosen, Lowering lowering,
                       std::vector<Miscompile>* miscompiles) const {
  TileShardingTable table;
  Diagnostics diagnostics;
  std::vector<TileShardingId> shardings(graph_.value_count());
  for (size_t i = 0; i < values_.size(); ++i) {
    TileShardingId id = table.intern(chosen[i]);
    if (const Type type = graph_.type_of(values_[i]); type.kind == TypeKind::tuple) {
      TileSharding tuple;
      tuple.kind = TileKind::tuple;
      tuple.elements.assign(type.elements.size(), id);
      id = table.intern(tuple);
    }
    shardings[values_[i].index()] = id;
  }
  const Result<LocalProgram> local = partition(graph_, table, shardings, mesh.devices(), diagnostics, lowering);
  if (!local.has_value()) return "not partitioned";
  if (miscompiles != nullptr) *miscompiles = local->miscompiles;
  const Result<Executable> executable =
      Executable::prepare(local->graph, {nullptr, {}, mesh.devices()}, Precision::as_written, diagnostics);
  if (!executable.has_value()) return "cannot be executed: " + diagnostics.in_order_reported()[0].message;
  Machine machine(*executable, {mesh.devices(), false});
  std::vector<Replicas> args(inputs_.size());
  for (size_t i = 0; i < inputs_.size(); ++i)
    if (!cut_to_pieces(inputs_[i], shardings[values_[i].index()], table, machine, args[i])) return "not cut";
  const std::optional<Replicas> found = machine.run(std::move(args));
  if (!found.has_value()) return "does not run: " + machine.error();
  const std::vector<Replicas> pieces = leaves_of(*found);
  for (size_t i = 0; i < expected_.size(); ++i) {
    const ArrayDifference d =
        compare_pieces(expected_[i], pieces[i], table.intern(chosen.back()), table, mesh.devices(), kTolerance);
    if (d.wrong > 0)
      return std::to_string(d.wrong) + " of " + std::to_string(d.compared) + " wrong: device " +
             std::to_string(d.device) + " has " + d.found + " instead of " + d.expected;
  }
  return {};
}

}  // namespace sw::test
