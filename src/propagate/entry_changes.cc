// See the header.
#include "propagate/entry_changes.h"

#include <algorithm>

#include "ir/donation.h"
#include "propagate/as_written.h"
#include "sharding/convert.h"

namespace sw {

namespace {

constexpr std::string_view kShardy = "sdy.sharding", kGspmd = "mhlo.sharding";

bool has(const Graph& graph, std::span<const NamedAttr> attrs, std::string_view key) {
  const StringId name = graph.strings.find(key);
  return name.valid() && Graph::find(attrs, name).valid();
}

// Copies of the attributes but those of these names.
std::vector<NamedAttr> without(GraphBuilder& builder, Slice<NamedAttr> attrs, std::span<const std::string_view> names) {
  const auto all = builder.graph().attrs(attrs);
  std::vector<NamedAttr> kept(all.begin(), all.end());
  std::erase_if(kept, [&](const NamedAttr& attr) {
    return std::find(names.begin(), names.end(), builder.graph().strings.text(attr.name)) != names.end();
  });
  return kept;
}

void donate_in_header(GraphBuilder& builder, std::span<const ValueId> arguments) {
  const Graph& graph = builder.graph();
  Donations donations = read_donations(graph);
  for (const ValueId value : arguments) {
    const Donations::Argument donor{graph.value(value).index, {}};
    const auto is_it = [&](const Donations::Alias& alias) { return alias.argument == donor; };
    if (graph.type_of(value).is_array() &&
        std::find(donations.donors.begin(), donations.donors.end(), donor) == donations.donors.end() &&
        std::none_of(donations.aliases.begin(), donations.aliases.end(), is_it))
      donations.donors.push_back(donor);
  }
  std::vector<NamedAttr> attrs;
  for (const NamedAttr& attr : graph.attrs(graph.module_attrs))
    if (!is_donation_attr(graph.strings.text(attr.name))) attrs.push_back(attr);
  for (const NamedAttr& attr : donation_attrs(builder, donations)) attrs.push_back(attr);
  builder.set_module(graph.module_name, builder.attrs(attrs));
}

void donate_in_arguments(GraphBuilder& builder, std::span<const ValueId> arguments) {
  constexpr std::string_view kAlias = "tf.aliasing_output", kDonor = "jax.buffer_donor";
  const FunctionId main = builder.graph().main;
  const size_t count = builder.graph().block(builder.graph().entry_block(builder.function(main).body)).arg_count;
  for (const ValueId value : arguments) {
    const uint32_t number = builder.graph().value(value).index;
    if (builder.function(main).arg_attrs.size() < count) builder.function(main).arg_attrs.resize(count);
    const Slice<NamedAttr> old = builder.function(main).arg_attrs[number];
    if (has(builder.graph(), builder.graph().attrs(old), kAlias)) continue;
    std::vector<NamedAttr> attrs = without(builder, old, std::span(&kDonor, 1));
    attrs.push_back({builder.name(kDonor), builder.attr_table().boolean(true)});
    builder.function(main).arg_attrs[number] = builder.attrs(attrs);
  }
}

}  // namespace

void give_away(Program& program, std::span<const ValueId> arguments) {
  if (arguments.empty()) return;
  GraphBuilder builder(std::move(program.graph));
  if (builder.graph().is_hlo)
    donate_in_header(builder, arguments);
  else
    donate_in_arguments(builder, arguments);
  program.graph = builder.take();
}

void shard_results(Program& program, std::span<const ResultSharding> results) {
  if (results.empty()) return;
  const bool as_gspmd = is_for_gspmd(program);
  const FunctionId main = program.graph.main;
  GraphBuilder builder(std::move(program.graph));
  const Type type = builder.graph().types.get(builder.function(main).type);
  const size_t count = type.elements.size() - type.input_count;
  if (builder.function(main).result_attrs.size() < count) builder.function(main).result_attrs.resize(count);
  for (const ResultSharding& result : results) {
    Attr attr;
    if (as_gspmd) {
      const TileShardingId tile = program.tile_shardings.intern(tile_from_named(program.shardings, result.sharding));
      attr.kind = AttrKind::tile_sharding;
      attr.integer = tile.raw;
    } else {
      attr.kind = AttrKind::sharding;
      attr.integer = result.sharding.raw;
    }
    constexpr std::string_view kBoth[] = {kShardy, kGspmd};
    std::vector<NamedAttr> attrs = without(builder, builder.function(main).result_attrs[result.result], kBoth);
    attrs.push_back({builder.name(as_gspmd ? kGspmd : kShardy), builder.attr_table().intern(attr)});
    builder.function(main).result_attrs[result.result] = builder.attrs(attrs);
  }
  program.graph = builder.take();
}

bool says_sharding_of_result(const Program& program, uint32_t result) {
  const Graph& graph = program.graph;
  if (graph.is_hlo || !graph.main.valid()) return false;
  const std::vector<Slice<NamedAttr>>& results = graph.function(graph.main).result_attrs;
  if (result >= results.size()) return false;
  const auto attrs = graph.attrs(results[result]);
  return has(graph, attrs, kShardy) || has(graph, attrs, kGspmd);
}

}  // namespace sw
