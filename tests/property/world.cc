#include "property/world.h"

#include <algorithm>
#include <cmath>

#include "exec/inputs.h"
#include "exec/kernel.h"
#include "sharding/text.h"
#include "sharding/tile_algebra.h"
#include "support/catch.h"
#include "text/hlo/reader.h"

namespace sw::test {

const std::vector<Devices> kDevices = {{"2", {2}}, {"4", {4}}, {"2x2", {2, 2}}, {"2x2x2", {2, 2, 2}}};

namespace {

// What of the name says which choice is meant; empty: nothing.
std::string choice_in(std::string_view name) {
  const size_t at = name.rfind(".s");
  return at == std::string_view::npos ? std::string() : std::string(name.substr(at + 2));
}

// The rounding of one operation, at least 1e-5: what is added in another order may differ by it.
double tolerance_of(ElementType element) {
  constexpr double kLeast = 1e-5;
  return bits(real_part_type(element)) >= 32 || !is_floating(element) ? kLeast : 0;
}

void make_wild(Array& array, RandomNumbers& numbers) {
  if (!is_integer(array.element)) return;
  Array wide = new_array(ElementType::s64, array.dims);
  for (int64_t i = 0; i < wide.count(); ++i) wide.data<int64_t>()[i] = numbers.below(11) - 3;
  array = converted(wide, array.element);
}

void make_whole(Array& array, RandomNumbers& numbers) {
  if (!is_floating(array.element) && !is_complex(array.element)) return;
  Array wide = new_array(ElementType::s64, array.dims);
  for (int64_t i = 0; i < wide.count(); ++i) wide.data<int64_t>()[i] = numbers.below(3);
  array = converted(wide, array.element);
}

void enlarge_diagonal(Array& array) {
  if (array.element != ElementType::f32 || array.dims.size() < 2) return;
  const int64_t n = array.dims.back();
  for (int64_t i = 0; i < array.count(); ++i)
    if (i / n % array.dims[array.dims.size() - 2] == i % n) array.data<float>()[i] += static_cast<float>(n);
}

std::vector<Datum> inputs_for(const Graph& graph, WorldInputs kind) {
  std::vector<Datum> inputs =
      random_inputs(graph, 1, kind == WorldInputs::wild ? FloatRange::symmetric : FloatRange::positive);
  uint64_t stream = 100;
  for (Datum& input : inputs) {
    RandomNumbers numbers(1, ++stream);
    if (kind == WorldInputs::wild) make_wild(input.array, numbers);
    if (kind == WorldInputs::whole) make_whole(input.array, numbers);
    if (kind == WorldInputs::large_diagonal) enlarge_diagonal(input.array);
  }
  return inputs;
}

}  // namespace

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

World::World(const WorldProgram& program, int64_t devices) : text_(world_module(program)) {
  SourceManager sources;
  Diagnostics diagnostics;
  Result<Program> read = read_hlo(sources.add("world.hlo", text_), sources, diagnostics);
  INFO(text_);
  for (const Diagnostic& d : diagnostics.in_order_reported()) UNSCOPED_INFO(d.message);
  REQUIRE(read.has_value());
  graph_ = std::move(read->graph);
  table_ = std::move(read->tile_shardings);
  given_.resize(graph_.value_count());
  for (size_t i = 0; i < given_.size(); ++i) {
    const OpId def = graph_.value(ValueId{i}).def;
    const AttrId attr = def.valid() ? graph_.attr(graph_.op(def), "mhlo.sharding") : AttrId{};
    if (attr.valid()) given_[i] = TileShardingId{static_cast<uint32_t>(graph_.attr_table.get(attr).integer)};
  }
  find_places();
  inputs_ = inputs_for(graph_, program.inputs);
  Result<Executable> executable =
      Executable::prepare(graph_, {&table_, given_, devices}, Precision::as_written, diagnostics);
  for (const Diagnostic& d : diagnostics.in_order_reported()) UNSCOPED_INFO(d.message);
  REQUIRE(executable.has_value());
  Machine machine(*executable, {devices, false});
  std::vector<Replicas> args;
  for (const Datum& input : inputs_) args.push_back({{input}});
  const std::optional<Replicas> result = machine.run(std::move(args));
  INFO(machine.error());
  REQUIRE(result.has_value());
  expected_ = leaves_of(*result);
}

std::vector<size_t> World::leaf_ranks(ValueId value) const {
  const Type type = graph_.type_of(value);
  if (type.kind != TypeKind::tuple) return {type.rank()};
  std::vector<size_t> ranks;
  for (const TypeId element : type.elements) ranks.push_back(graph_.types.get(element).rank());
  return ranks;
}

void World::place(ValueId value, const std::string& choice) {
  const std::vector<size_t> ranks = leaf_ranks(value);
  const auto [known, is_new] = choice_of_.emplace(choice, static_cast<int>(ranks_.size()));
  if (is_new) ranks_.push_back(*std::max_element(ranks.begin(), ranks.end()));
  const int index = known->second;
  Place place{value, {}};
  for (const size_t rank : ranks) place.leaves.push_back(rank == ranks_[static_cast<size_t>(index)] ? index : -1);
  places_.push_back(std::move(place));
}

void World::find_places() {
  const BlockId block = graph_.entry_block(graph_.function(graph_.main).body);
  arg_count_ = graph_.block(block).arg_count;
  for (uint32_t i = 0; i < arg_count_; ++i) place(graph_.arg(block, i), "p" + std::to_string(i));
  const ValueId root = graph_.operands(graph_.block(block).ops.back())[0];
  Place result{root, {}};
  for (const size_t rank : leaf_ranks(root)) {
    if (result.leaves.empty()) choice_of_["r"] = static_cast<int>(ranks_.size());
    result.leaves.push_back(static_cast<int>(ranks_.size()));
    ranks_.push_back(rank);
  }
  places_.push_back(std::move(result));
  for (size_t i = 0; i < graph_.value_count(); ++i)
    if (const std::string choice = choice_in(name(ValueId{i})); !choice.empty()) place(ValueId{i}, choice);
  for (const Place& p : places_) REQUIRE(!given_[p.value.index()].valid());
}

std::vector<OpKind> World::subjects() const {
  std::vector<OpKind> out;
  for (size_t i = 0; i < given_.size(); ++i)
    if (const OpId def = graph_.value(ValueId{i}).def; given_[i].valid() && def.valid())
      out.push_back(graph_.op(def).kind);
  for (const Place& p : places_) {
    const OpId def = graph_.value(p.value).def;
    out.push_back(def.valid() ? graph_.op(def).kind : OpKind::parameter);
  }
  return out;
}

TileShardingId World::chosen_for(const Place& place, const std::vector<TileSharding>& chosen,
                                 TileShardingTable& table) const {
  const auto leaf = [&](int choice) {
    return table.intern(choice < 0 ? replicated_sharding() : chosen[static_cast<size_t>(choice)]);
  };
  if (graph_.type_of(place.value).kind != TypeKind::tuple) return leaf(place.leaves[0]);
  TileSharding tuple;
  tuple.kind = TileKind::tuple;
  for (const int choice : place.leaves) tuple.elements.push_back(leaf(choice));
  return table.intern(tuple);
}

std::string World::run(const Devices& mesh, const std::vector<TileSharding>& chosen, Lowering lowering,
                       std::vector<Miscompile>* miscompiles) const {
  TileShardingTable table = table_;
  Diagnostics diagnostics;
  std::vector<TileShardingId> shardings = given_;
  for (const Place& p : places_) shardings[p.value.index()] = chosen_for(p, chosen, table);
  const Result<LocalProgram> local = partition(graph_, table, shardings, mesh.devices(), diagnostics, lowering);
  if (!local.has_value()) return "not partitioned";
  if (miscompiles != nullptr) *miscompiles = local->miscompiles;
  const Result<Executable> executable =
      Executable::prepare(local->graph, {nullptr, {}, mesh.devices()}, Precision::as_written, diagnostics);
  if (!executable.has_value()) return "cannot be executed: " + diagnostics.in_order_reported()[0].message;
  Machine machine(*executable, {mesh.devices(), false});
  std::vector<Replicas> args(inputs_.size());
  for (size_t i = 0; i < inputs_.size(); ++i)
    if (!cut_to_pieces(inputs_[i], shardings[places_[i].value.index()], table, machine, args[i])) return "not cut";
  const std::optional<Replicas> found = machine.run(std::move(args));
  if (!found.has_value()) return "does not run: " + machine.error();
  const std::vector<Replicas> pieces = leaves_of(*found);
  for (size_t i = 0; i < expected_.size(); ++i) {
    const int choice = places_[arg_count_].leaves[i];
    const ArrayDifference d = compare_pieces(expected_[i], pieces[i], table.intern(chosen[static_cast<size_t>(choice)]),
                                             table, mesh.devices(), tolerance_of(expected_[i].on(0).array.element));
    if (d.wrong > 0)
      return std::to_string(d.wrong) + " of " + std::to_string(d.compared) + " wrong: device " +
             std::to_string(d.device) + " has " + d.found + " instead of " + d.expected;
  }
  return {};
}

World::Written World::written(const std::vector<TileSharding>& chosen) const {
  Written out;
  TileShardingTable table;
  for (size_t i = 0; i < places_.size(); ++i) {
    const Place& p = places_[i];
    const TileShardingId id = chosen_for(p, chosen, table);
    out.named[std::string(name(p.value))] = hlo_text(table, table.get(id));
    if (i > arg_count_) continue;
    for (const int choice : p.leaves)
      (i < arg_count_ ? out.inputs : out.outputs)
          .push_back(hlo_text(table, choice < 0 ? replicated_sharding() : chosen[static_cast<size_t>(choice)]));
  }
  return out;
}

}  // namespace sw::test
