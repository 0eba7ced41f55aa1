// HLO's sharding={...}. V1 lists devices, V2 gives an iota, V3 names mesh axes: `{mesh['x'=2,'y'=4], [{'x'}, {?}]}`.
// Words inside the braces come in any order, as XLA's parser has it; nesting is one level (a tuple), so nothing
// recurses.
#include <fmt/format.h>

#include <algorithm>

#include "base/checked_math.h"
#include "sharding/convert.h"
#include "sharding/dims_parser.h"
#include "sharding/scan.h"
#include "sharding/text.h"
#include "sharding/tile_build.h"

namespace sw {

namespace {

constexpr int64_t kMaxDevices = int64_t{1} << 31;
// More than this are never written out one by one, whatever a text asks for.
constexpr int64_t kMaxListed = int64_t{1} << 20;

class HloShardingParser {
 public:
  HloShardingParser(TextCursor& in, TileShardingTable& table, Diagnostics& diagnostics)
      : in_(in), scan_(in, diagnostics), table_(table) {}

  // Behind the opening brace, up to and with the closing one.
  std::optional<TileSharding> single();
  // `[4,2]T(1,0)`
  bool iota(DeviceList& devices);

 private:
  // What has been read of one sharding.
  struct Words {
    std::optional<TileKind> kind;
    std::optional<int64_t> device;
    std::optional<ReductionOp> reduction;
    SmallVector<int64_t, 6> tile;
    SmallVector<Subgroup, 2> subgroups;
    DeviceList devices;
    size_t devices_at = 0;
    bool has_devices = false;
    int32_t group_id = -1;
    bool group_is_as = false;
  };

  bool word(Words& words);
  bool attribute(Words& words, std::string_view name, size_t begin);
  bool extents(SmallVector<int64_t, 6>& list, std::string_view what);
  bool device_numbers(std::vector<int64_t>& ids);
  bool assignment(Words& words);
  bool last_tile_dims(Words& words);
  bool metadata(Words& words);
  bool shard_group(Words& words, bool is_as);
  std::optional<TileSharding> finish(Words& words, size_t begin);
  std::optional<TileSharding> tiled(Words& words, size_t begin);
  std::optional<TileSharding> named(size_t begin);
  bool named_mesh(Mesh& mesh);
  bool named_body(const Mesh& mesh, TileSharding& out);
  bool named_end(Words& words);

  bool deny(size_t begin, std::string message) {
    return scan_.fail_at(DiagnosticKind::invalid_sharding, begin, in_.at, std::move(message));
  }
  std::optional<TileSharding> refuse(size_t begin, std::string message) {
    deny(begin, std::move(message));
    return std::nullopt;
  }

  TextCursor& in_;
  Scan scan_;
  TileShardingTable& table_;
};

bool HloShardingParser::extents(SmallVector<int64_t, 6>& list, std::string_view what) {
  if (!scan_.expect('[', fmt::format("before {}", what))) return false;
  int64_t total = 1;
  do {
    const size_t begin = scan_.here();
    const std::optional<int64_t> n = scan_.integer("a number of tiles");
    if (!n) return false;
    const std::optional<int64_t> next = checked_mul(total, *n);
    if (*n < 1 || !next || *next >= kMaxDevices)
      return scan_.fail_at(DiagnosticKind::invalid_sharding, begin, in_.at,
                           *n < 1 ? fmt::format("{} has an extent of {}, expected at least 1", what, *n)
                                  : fmt::format("{} has 2^31 devices or more", what));
    total = *next;
    if (list.size() >= kMaxRank) return scan_.fail("fewer dimensions");
    list.push_back(*n);
  } while (scan_.eat(','));
  return scan_.expect(']', fmt::format("after {}", what));
}

// `[4,2]T(1,0)`
bool HloShardingParser::iota(DeviceList& devices) {
  SmallVector<int64_t, 6> reshape;
  if (!extents(reshape, "the shape of the device order")) return false;
  SmallVector<int32_t, 6> perm;
  if (scan_.eat_text("T")) {
    const size_t begin = scan_.here();
    if (!scan_.expect('(', "before the permutation")) return false;
    std::vector<bool> seen(reshape.size(), false);
    bool valid = true;
    do {
      const std::optional<int64_t> p = scan_.integer("a dimension");
      if (!p) return false;
      valid = valid && *p < static_cast<int64_t>(reshape.size()) && !seen[static_cast<size_t>(*p)];
      if (!valid) break;
      seen[static_cast<size_t>(*p)] = true;
      perm.push_back(static_cast<int32_t>(*p));
    } while (scan_.eat(','));
    if (!valid || perm.size() != reshape.size())
      return scan_.fail_at(DiagnosticKind::invalid_sharding, begin, in_.at,
                           fmt::format("expected a permutation of 0 to {}", reshape.size() - 1));
    if (!scan_.expect(')', "after the permutation")) return false;
  } else if (reshape.size() > 1) {
    return scan_.fail("`T(` and a permutation");
  }
  devices = iota_devices(reshape, perm);
  return true;
}

bool HloShardingParser::device_numbers(std::vector<int64_t>& ids) {
  const size_t begin = scan_.here();
  do {
    const std::optional<int64_t> id = scan_.integer("a device number");
    if (!id) return false;
    ids.push_back(*id);
  } while (scan_.eat(','));
  std::vector<int64_t> sorted = ids;
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end())
    return scan_.fail_at(DiagnosticKind::invalid_sharding, begin, in_.at,
                         fmt::format("device {} is listed twice", *twice));
  return true;
}

// `[2,4]<=[8]`, `[2,2]0,1,2,3`
bool HloShardingParser::assignment(Words& words) {
  words.devices_at = scan_.here();
  words.has_devices = true;
  if (!extents(words.tile, "the tile grid")) return false;
  int64_t tiles = 1;
  for (int64_t n : words.tile) tiles *= n;
  const bool is_iota = scan_.eat_text("<=");
  if (is_iota ? !iota(words.devices) : !device_numbers(words.devices.ids)) return false;
  if (!is_iota && words.devices.ids.size() == 1)
    return deny(words.devices_at, "a tile grid lists one device, expected `maximal device=` for that");
  if (device_count(words.devices) != tiles)
    return deny(words.devices_at,
                fmt::format("the tile grid has {} tiles for {} devices", tiles, device_count(words.devices)));
  return true;
}

bool HloShardingParser::last_tile_dims(Words& words) {
  if (!scan_.expect('{', "after `last_tile_dims=`")) return false;
  do {
    const size_t begin = scan_.here();
    const std::string_view name = scan_.identifier();
    if (name == "manual") {
      words.subgroups.push_back(Subgroup::manual);
    } else if (name == "replicated") {
      words.subgroups.push_back(Subgroup::replicated);
    } else if (name == "unreduced") {
      words.subgroups.push_back(Subgroup::unreduced);
    } else if (name == "maximal") {
      words.subgroups.push_back(Subgroup::maximal);
    } else {
      if (!name.empty()) in_.at = begin;
      return scan_.fail("`manual`, `replicated`, `unreduced` or `maximal`");
    }
  } while (scan_.eat(','));
  return scan_.expect('}', "after the kinds of the last tile dimensions");
}

// Skips a balanced {...}; of its contents only the reduction op means anything.
bool HloShardingParser::metadata(Words& words) {
  const size_t begin = scan_.here();
  if (scan_.peek() != '{') return scan_.fail("`{` after `metadata=`");
  size_t depth = 0;
  bool in_string = false;
  for (size_t at = begin; at < in_.text.size(); ++at) {
    const char c = in_.text[at];
    if (in_string) {
      if (c == '\\') ++at;
      if (c == '"') in_string = false;
      continue;
    }
    if (c == '"') in_string = true;
    if (c == '{') ++depth;
    if (c == '}' && --depth == 0) {
      in_.at = at + 1;
      const std::string_view text = in_.text.substr(begin, in_.at - begin);
      if (text.find("sdy::reduction_op") == text.npos) return true;
      words.reduction = text.find("\"MAX\"") != text.npos   ? ReductionOp::max
                        : text.find("\"MIN\"") != text.npos ? ReductionOp::min
                                                            : ReductionOp::sum;
      return true;
    }
  }
  return scan_.fail_at(DiagnosticKind::syntax, begin, begin + 1, "this `{` of the metadata is not closed");
}

bool HloShardingParser::shard_group(Words& words, bool is_as) {
  const size_t begin = scan_.here();
  const std::optional<int64_t> id = scan_.integer("the number of a shard group");
  if (!id) return false;
  if (*id > INT32_MAX)
    return scan_.fail_at(DiagnosticKind::invalid_sharding, begin, in_.at, "the number of the shard group is too large");
  words.group_id = static_cast<int32_t>(*id);
  words.group_is_as = is_as;
  return true;
}

bool HloShardingParser::attribute(Words& words, std::string_view name, size_t begin) {
  if (name == "device") {
    words.device = scan_.integer("a device number");
    return words.device.has_value();
  }
  if (name == "devices") return assignment(words);
  if (name == "last_tile_dims") return last_tile_dims(words);
  if (name == "metadata") return metadata(words);
  if (name == "unreduced") {
    words.kind = TileKind::unreduced;
    const std::string_view op = scan_.identifier();
    words.reduction = op == "max" ? ReductionOp::max : op == "min" ? ReductionOp::min : ReductionOp::sum;
    return op == "max" || op == "min" || op == "sum" || scan_.fail("`sum`, `max` or `min`");
  }
  return scan_.fail_at(
      DiagnosticKind::syntax, begin, begin + name.size(),
      fmt::format("`{}=` is no part of a sharding, expected `devices=`, `device=`, `last_tile_dims=` or "
                  "`metadata=`",
                  name));
}

bool HloShardingParser::word(Words& words) {
  const size_t begin = scan_.here();
  const std::string_view name = scan_.identifier();
  if (name.empty()) return scan_.fail("a word of a sharding, such as `replicated` or `devices=`");
  if (scan_.eat('=')) return attribute(words, name, begin);
  if (name == "shard_as") return shard_group(words, true);
  if (name == "shard_like") return shard_group(words, false);
  if (name == "last_tile_dim_replicate") {
    words.subgroups.push_back(Subgroup::replicated);
    return true;
  }
  const std::pair<std::string_view, TileKind> kinds[] = {{"replicated", TileKind::replicated},
                                                         {"maximal", TileKind::maximal},
                                                         {"manual", TileKind::manual},
                                                         {"unknown", TileKind::unknown},
                                                         {"unreduced", TileKind::unreduced}};
  for (const auto& [text, kind] : kinds) {
    if (text != name) continue;
    if (words.kind && *words.kind != kind)
      return scan_.fail_at(DiagnosticKind::invalid_sharding, begin, begin + name.size(),
                           fmt::format("`{}` contradicts the word before it", name));
    words.kind = kind;
    return true;
  }
  in_.at = begin;
  return scan_.fail("a word of a sharding, such as `replicated` or `devices=`");
}

std::optional<TileSharding> HloShardingParser::tiled(Words& words, size_t begin) {
  if (!words.has_devices) return refuse(begin, "the sharding has no `devices=` and no word such as `replicated`");
  if (words.device) return refuse(begin, "`device=` is for `maximal` only");
  if (words.subgroups.size() > words.tile.size())
    return refuse(begin,
                  fmt::format("{} last tile dimensions of a grid of {}", words.subgroups.size(), words.tile.size()));
  if (words.devices.ids.empty() && device_count(words.devices) > kMaxListed &&
      !digits_per_dim(digits_of(words.devices), words.tile))
    return refuse(words.devices_at, "the tile grid cuts the device order unevenly and has more than 2^20 devices");
  TileSharding s;
  s.kind = TileKind::tiled;
  s.tile = words.tile;
  s.subgroups = words.subgroups;
  s.devices = std::move(words.devices);
  return normalize_tiled(std::move(s));
}

std::optional<TileSharding> HloShardingParser::finish(Words& words, size_t begin) {
  std::optional<TileSharding> out;
  if (!words.kind) {
    out = tiled(words, begin);
    if (!out) return out;
  } else {
    if (words.has_devices || !words.subgroups.empty() || (words.device && *words.kind != TileKind::maximal))
      return refuse(begin, "a sharding in one word has devices, expected none");
    out.emplace();
    out->kind = *words.kind;
    if (*words.kind == TileKind::maximal) {
      if (!words.device) return refuse(begin, "`maximal` has no device, expected `device=` and its number");
      out->device = *words.device;
    }
  }
  out->shard_group_id = words.group_id;
  out->shard_group_is_as = words.group_is_as;
  if (words.reduction) out->reduction = *words.reduction;
  return out;
}

// `['x'=2,'y'=4], device_ids=([2,4]T(1,0))`, behind the word mesh.
bool HloShardingParser::named_mesh(Mesh& mesh) {
  MeshPlaces places;
  const size_t begin = scan_.here();
  if (!scan_.expect('[', "after `mesh`")) return false;
  if (!scan_.eat(']')) {
    do {
      const size_t name_begin = scan_.here();
      std::optional<std::string> name = scan_.quoted("the name of an axis in quotes");
      if (!name) return false;
      places.axis_names.push_back(scan_.range_from(name_begin));
      if (!scan_.expect('=', "and the size of the axis")) return false;
      const size_t size_begin = scan_.here();
      const std::optional<int64_t> size = scan_.integer("the size of the axis", /*allow_negative=*/true);
      if (!size) return false;
      places.axis_sizes.push_back(scan_.range_from(size_begin));
      if (mesh.axes.size() >= kMaxRank) return scan_.fail("fewer axes");
      mesh.axes.push_back({std::move(*name), *size});
    } while (scan_.eat(','));
    if (!scan_.expect(']', "after the axes of the mesh")) return false;
  }
  places.whole = scan_.range_from(begin);
  if (!verify_mesh(mesh, places, scan_.diagnostics())) return false;
  const size_t comma = scan_.here();
  if (!scan_.eat(',')) return true;
  if (!scan_.eat_word("device_ids")) {
    in_.at = comma;
    return true;
  }
  if (!scan_.expect('=', "after `device_ids`") || !scan_.expect('(', "before the device ids")) return false;
  DeviceList devices;
  if (scan_.peek() == '[' ? !iota(devices) : !device_numbers(devices.ids)) return false;
  if (!scan_.expect(')', "after the device ids")) return false;
  compress(devices);
  places.whole = scan_.range_from(begin);
  if (device_count(devices) != mesh.device_count())
    return deny(comma, fmt::format("{} device ids for {} devices", device_count(devices), mesh.device_count()));
  if (devices.reshape.size() == 1) return true;  // in order
  if (device_count(devices) > kMaxListed) return deny(comma, "this device order has more than 2^20 devices");
  mesh.device_ids = materialize(devices);
  return verify_mesh(mesh, places, scan_.diagnostics());
}

// `, metadata={...}` if it is there, and the closing brace.
bool HloShardingParser::named_end(Words& words) {
  if (scan_.eat(',')) {
    if (!scan_.eat_word("metadata") || !scan_.eat('=')) return scan_.fail("`metadata=`");
    if (!metadata(words)) return false;
  }
  return scan_.expect('}', "at the end of the sharding");
}

// Behind the mesh of V3: `, manual`, or `, [{'x'}, {?}], replicated={'y'}`.
bool HloShardingParser::named_body(const Mesh& mesh, TileSharding& out) {
  if (!scan_.expect(',', "after the mesh")) return false;
  const std::pair<std::string_view, TileKind> kinds[] = {
      {"replicated", TileKind::replicated}, {"manual", TileKind::manual}, {"unreduced", TileKind::unreduced}};
  for (const auto& [text, kind] : kinds) {
    if (!scan_.eat_word(text)) continue;
    out.kind = kind;
    if (kind != TileKind::unreduced || !scan_.eat('=')) return true;
    const std::string_view op = scan_.identifier();
    out.reduction = op == "max" ? ReductionOp::max : op == "min" ? ReductionOp::min : ReductionOp::sum;
    return op == "max" || op == "min" || op == "sum" || scan_.fail("`sum`, `max` or `min`");
  }
  DimsParser parser(scan_, mesh, /*hlo=*/true);
  NamedShardingSpec spec;
  AxisList manual;
  if (!parser.dims(spec) || !parser.lists(spec, &manual) || !parser.verify()) return false;
  for (const AxisRef& a : manual)
    if (a.pre != 1 || a.size != mesh.axes[a.axis].size)
      return deny(scan_.here(),
                  fmt::format("only a part of axis `{}` is manual, expected whole axes", mesh.axes[a.axis].name));
  out = tile_from_named(mesh, spec, manual);
  return true;
}

// V3, from the word `mesh` or `maximal_mesh` on. The tiles are what the text means; the text is kept for printing.
std::optional<TileSharding> HloShardingParser::named(size_t begin) {
  TileSharding out;
  if (scan_.eat_word("maximal_mesh")) {
    out.kind = TileKind::maximal;
    if (!scan_.expect('[', "after `maximal_mesh`")) return std::nullopt;
    if (!scan_.eat_word("device_id")) {
      scan_.fail("`device_id=`");
      return std::nullopt;
    }
    if (!scan_.expect('=', "after `device_id`")) return std::nullopt;
    const std::optional<int64_t> device = scan_.integer("a device number");
    if (!device || !scan_.expect(']', "after the device")) return std::nullopt;
    out.device = *device;
  } else {
    Mesh mesh;
    scan_.eat_word("mesh");
    if (!named_mesh(mesh) || !named_body(mesh, out)) return std::nullopt;
  }
  out.named_text = std::string(in_.text.substr(begin, in_.at - begin));
  Words words;
  if (!named_end(words)) return std::nullopt;
  return out;
}

std::optional<TileSharding> HloShardingParser::single() {
  const size_t begin = scan_.here();
  if (scan_.peek_word("mesh") || scan_.peek_word("maximal_mesh")) return named(begin);
  Words words;
  while (!scan_.eat('}'))
    if (!word(words)) return std::nullopt;
  return finish(words, begin);
}

}  // namespace

Result<TileShardingId> parse_hlo_sharding(TextCursor& in, TileShardingTable& table, Diagnostics& diagnostics) {
  Scan scan(in, diagnostics);
  HloShardingParser parser(in, table, diagnostics);
  if (!scan.expect('{', "at the start of a sharding")) return reported();
  if (scan.peek() != '{' && scan.peek() != '}') {
    std::optional<TileSharding> one = parser.single();
    if (!one) return reported();
    return table.intern(std::move(*one));
  }
  TileSharding tuple;
  tuple.kind = TileKind::tuple;
  if (!scan.eat('}')) {
    do {
      if (!scan.expect('{', "before the next sharding of the tuple")) return reported();
      std::optional<TileSharding> one = parser.single();
      if (!one) return reported();
      tuple.elements.push_back(table.intern(std::move(*one)));
    } while (scan.eat(','));
    if (!scan.expect('}', "after the shardings of the tuple")) return reported();
  }
  return table.intern(std::move(tuple));
}

Result<DeviceList> parse_device_order(TextCursor& in, Diagnostics& diagnostics) {
  TileShardingTable unused;
  DeviceList devices;
  if (!HloShardingParser(in, unused, diagnostics).iota(devices)) return reported();
  return devices;
}

}  // namespace sw
