// JAX's PartitionSpec as Python text, and the entry that takes any spelling. Of Python only what specs are made of is
// read: strings, None, tuples and lists of strings, UNCONSTRAINED, and the keyword sets unreduced= and reduced=.
#include <fmt/format.h>

#include <algorithm>

#include "sharding/convert.h"
#include "sharding/dims_parser.h"
#include "sharding/scan.h"
#include "sharding/text.h"

namespace sw {

namespace {

class SpecParser {
 public:
  SpecParser(Scan& scan, const Mesh& mesh) : scan_(scan), mesh_(mesh) {}

  bool parse(NamedShardingSpec& spec, size_t rank, std::string_view value) {
    const size_t begin = scan_.here();
    if (!name()) return false;
    if (!scan_.expect('(', "after the name PartitionSpec or P")) return false;
    while (scan_.peek() != ')') {
      if (!argument(spec)) return false;
      if (!scan_.eat(',')) break;
    }
    if (!scan_.expect(')', "after the entries of the spec")) return false;
    if (spec.dims.size() > rank)
      return scan_.fail_at(DiagnosticKind::sharding_rank, begin, scan_.here(),
                           fmt::format("the spec has {} entries, {} has {} dimension{}", spec.dims.size(), value, rank,
                                       rank == 1 ? "" : "s"));
    spec.dims.resize(rank, {{}, /*closed=*/true, kNoPriority});
    std::sort(spec.unreduced.begin(), spec.unreduced.end());
    std::stable_sort(placed_.begin(), placed_.end(), [](const PlacedAxis& a, const PlacedAxis& b) {
      return a.list < 0 && b.list < 0 ? a.ref < b.ref : a.list >= 0 && b.list < 0;
    });
    return verify_axes(mesh_, placed_, scan_.diagnostics());
  }

 private:
  // P, PartitionSpec, jax.sharding.PartitionSpec, jax.P ...
  bool name() {
    const size_t begin = scan_.here();
    const std::string_view dotted = scan_.identifier("_.");
    const size_t dot = dotted.rfind('.');
    const std::string_view last = dot == dotted.npos ? dotted : dotted.substr(dot + 1);
    if (last == "P" || last == "PartitionSpec") return true;
    scan_.rewind(begin);
    return scan_.fail("`P(` or `PartitionSpec(`");
  }

  bool argument(NamedShardingSpec& spec) {
    const size_t begin = scan_.here();
    const bool unreduced = scan_.eat_word("unreduced");
    if (unreduced || scan_.eat_word("reduced")) {
      if (!scan_.expect('=', "after the name of the set")) return false;
      AxisList ignored;  // `reduced` says that gradients are to be unreduced: nothing about the value itself
      return axis_set(unreduced ? spec.unreduced : ignored, unreduced);
    }
    if (spec.dims.size() >= kMaxRank) return scan_.fail("fewer entries");
    spec.dims.push_back({{}, /*closed=*/true, kNoPriority});
    NamedShardingSpec::Dim& dim = spec.dims.back();
    const auto number = static_cast<int32_t>(spec.dims.size() - 1);
    const char next = scan_.peek();
    if (next == '\'' || next == '"') return axis(dim.axes, number, true);
    if (next == '(' || next == '[') return axis_tuple(dim.axes, number, next == '(' ? ')' : ']');
    const std::string_view word = scan_.identifier("_.");
    if (word == "None") return true;
    if (word == "UNCONSTRAINED" || word.ends_with(".UNCONSTRAINED")) {
      dim.closed = false;
      return true;
    }
    scan_.rewind(begin);
    scan_.fail("an axis name in quotes, a tuple of them, `None` or `P.UNCONSTRAINED`");
    return false;
  }

  bool axis_tuple(AxisList& list, int32_t number, char close) {
    scan_.eat(close == ')' ? '(' : '[');
    while (scan_.peek() != close) {
      if (!axis(list, number, true)) return false;
      if (!scan_.eat(',')) break;
    }
    return scan_.expect(close, "after the axes of a dimension");
  }

  // {'x', 'y'}, frozenset({'x'}), set()
  bool axis_set(AxisList& list, bool counts) {
    const bool called = scan_.eat_word("frozenset") || scan_.eat_word("set");
    if (called && !scan_.expect('(', "after `frozenset`")) return false;
    if (called && scan_.eat(')')) return true;
    const char open = scan_.peek();
    if (open != '{' && open != '(' && open != '[') return scan_.fail("`{` before a set of axes");
    scan_.eat(open);
    const char close = open == '{' ? '}' : open == '(' ? ')' : ']';
    while (scan_.peek() != close) {
      if (!axis(list, PlacedAxis::kUnreduced, counts)) return false;
      if (!scan_.eat(',')) break;
    }
    if (!scan_.expect(close, "after a set of axes")) return false;
    return !called || scan_.expect(')', "after `frozenset(`");
  }

  bool axis(AxisList& list, int32_t which, bool counts) {
    const size_t begin = scan_.here();
    const std::optional<std::string> name = scan_.quoted("an axis name in quotes");
    if (!name) return false;
    const std::optional<uint32_t> index = mesh_.axis_named(*name);
    if (!index) {
      report_unknown_axis(mesh_, *name, scan_.range_from(begin), scan_.diagnostics());
      return false;
    }
    const AxisRef ref{*index, 1, static_cast<uint32_t>(mesh_.axes[*index].size)};
    if (placed_.size() >= kMaxRank) return scan_.fail("fewer axes");
    if (counts) placed_.push_back({ref, which, scan_.range_from(begin), false});
    list.push_back(ref);
    return true;
  }

  Scan& scan_;
  const Mesh& mesh_;
  std::vector<PlacedAxis> placed_;
};

bool check_rank(Scan& scan, size_t begin, const ShardingTable& table, NamedShardingId id, size_t rank,
                std::string_view value) {
  const NamedSharding s = table.get(id);
  if (s.rank() == rank || table.mesh(s.mesh).mesh.maximal()) return true;
  return scan.fail_at(
      DiagnosticKind::sharding_rank, begin, scan.here(),
      fmt::format("the sharding has {} dimension{}, {} has {}", s.rank(), s.rank() == 1 ? "" : "s", value, rank));
}

}  // namespace

Result<NamedShardingSpec> parse_partition_spec(TextCursor& in, const ShardingTable& table, MeshId mesh, size_t rank,
                                               Diagnostics& diagnostics, std::string_view value) {
  Scan scan(in, diagnostics);
  NamedShardingSpec spec;
  spec.mesh = mesh;
  SpecParser parser(scan, table.mesh(mesh).mesh);
  if (!parser.parse(spec, rank, value)) return reported();
  return spec;
}

namespace {

Result<NamedShardingId> parse_hlo_as_named(TextCursor& in, ShardingTable& table, MeshId mesh, size_t rank,
                                           Diagnostics& diagnostics) {
  Scan scan(in, diagnostics);
  const size_t begin = scan.here();
  TileShardingTable tiles;
  const Result<TileShardingId> tile = parse_hlo_sharding(in, tiles, diagnostics);
  if (!tile) return reported();
  const Converted<NamedShardingSpec> spec = named_from_tile(tiles.get(*tile), table, mesh, rank);
  if (spec) return table.intern(*spec);
  diagnostics.error(
      DiagnosticKind::not_expressible, scan.range_from(begin),
      fmt::format("this sharding has no equal on mesh {}: {}", sdy_text(table.mesh(mesh).mesh), spec.error()));
  return reported();
}

Result<NamedShardingId> parse_by_form(TextCursor& in, ShardingTable& table, MeshId mesh, size_t rank,
                                      Diagnostics& diagnostics, std::string_view value) {
  Scan scan(in, diagnostics);
  switch (scan.peek()) {
    case '[': return parse_sdy_dims(in, table, mesh, diagnostics);
    case '<':
    case '#': return parse_sdy_sharding(in, table, diagnostics);
    case '{': return parse_hlo_as_named(in, table, mesh, rank, diagnostics);
    default: break;
  }
  const Result<NamedShardingSpec> spec = parse_partition_spec(in, table, mesh, rank, diagnostics, value);
  if (!spec) return reported();
  return table.intern(*spec);
}

}  // namespace

Result<NamedShardingId> parse_any_sharding(TextCursor& in, ShardingTable& table, MeshId mesh, size_t rank,
                                           Diagnostics& diagnostics, std::string_view value) {
  Scan scan(in, diagnostics);
  const size_t begin = scan.here();
  if (in.at_end()) {
    scan.fail("a sharding: `P('x', None)`, `[{\"x\"}, {}]` or `{devices=[...]<=[...]}`");
    return reported();
  }
  const Result<NamedShardingId> id = parse_by_form(in, table, mesh, rank, diagnostics, value);
  if (!id) return reported();
  if (!in.at_end()) {
    scan.fail("nothing after the sharding");
    return reported();
  }
  if (!check_rank(scan, begin, table, *id, rank, value)) return reported();
  return *id;
}

}  // namespace sw
