// Meshes, shardings and YAML files: every reader of them takes any bytes. What is accepted is printed, read again, and
// must be the same; a conversion that succeeds must come back.
//
// The whole input is read as each kind of YAML file, and each of its lines as each spelling of a sharding.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "sharding/convert.h"
#include "sharding/text.h"
#include "text/yaml/config_files.h"
#include "text/yaml/model.h"

namespace {

void require(bool condition, const char* what, std::string_view text) {
  if (condition) return;
  std::fprintf(stderr, "%s: %.*s\n", what, static_cast<int>(text.size()), text.data());
  std::abort();
}

class LineReader {
 public:
  LineReader() { mesh_ = table_.add_mesh({"mesh", {{{"x", 2}, {"y", 8}, {"z", 6}}, {}}}); }

  void read(std::string_view line) {
    sdy_mesh(line);
    sdy_sharding(line);
    hlo_sharding(line);
    for (size_t rank = 0; rank < 4; ++rank) any(line, rank);
  }

 private:
  void sdy_mesh(std::string_view line) {
    sw::Diagnostics d, again;
    sw::TextCursor in{line, 0, {}};
    const auto mesh = parse_sdy_mesh(in, d);
    require(mesh.has_value() != d.has_errors(), "a mesh without a message", line);
    if (!mesh) return;
    const std::string text = sw::sdy_text(*mesh);
    sw::TextCursor second{text, 0, {}};
    const auto back = parse_sdy_mesh(second, again);
    require(back && *back == *mesh, "a mesh that does not come back", text);
  }

  void sdy_sharding(std::string_view line) {
    sw::Diagnostics d;
    sw::TextCursor in{line, 0, {}};
    const auto id = parse_sdy_sharding(in, table_, d);
    require(id.has_value() != d.has_errors(), "a sharding without a message", line);
    if (id) named(*id);
  }

  void any(std::string_view line, size_t rank) {
    sw::Diagnostics d;
    sw::TextCursor in{line, 0, {}};
    const auto id = parse_any_sharding(in, table_, mesh_, rank, d);
    require(id.has_value() != d.has_errors(), "a sharding without a message", line);
    if (id) named(*id);
  }

  void hlo_sharding(std::string_view line) {
    sw::Diagnostics d, again;
    sw::TextCursor in{line, 0, {}};
    const auto id = parse_hlo_sharding(in, tiles_, d);
    require(id.has_value() != d.has_errors(), "an HLO sharding without a message", line);
    if (!id) return;
    const std::string text = hlo_text(tiles_, *id);
    sw::TextCursor second{text, 0, {}};
    const auto back = parse_hlo_sharding(second, tiles_, again);
    require(back && *back == *id, "an HLO sharding that does not come back", text);
  }

  void named(sw::NamedShardingId id) {
    const std::string text = sdy_text(table_, id);
    sw::Diagnostics d;
    sw::TextCursor in{text, 0, {}};
    const auto back = parse_sdy_sharding(in, table_, d);
    require(back && *back == id, "a sharding that does not come back", text);
    const sw::NamedSharding s = table_.get(id);
    const sw::MeshId mesh = s.mesh;
    const size_t rank = s.rank();
    if (table_.mesh(mesh).mesh.device_count() > 1 << 16) return;
    const sw::TileSharding tile = tile_from_named(table_, id);
    static_cast<void>(partition_spec_text(table_, id));
    // What comes back may be spelled otherwise (open dimensions close), but it is the same tiles.
    const auto spec = named_from_tile(tile, table_, mesh, rank);
    if (!spec) return;
    require(tile_from_named(table_.mesh(mesh).mesh, *spec) == tile, "tiles that do not come back", text);
  }

  sw::ShardingTable table_;
  sw::TileShardingTable tiles_;
  sw::MeshId mesh_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  sw::SourceManager sources;
  const sw::FileId file = sources.add("fuzz.yaml", text);
  sw::Diagnostics mesh, rules, model;
  require(read_mesh_file(file, sources, mesh).has_value() != mesh.has_errors(), "a mesh file without a message", text);
  require(read_sharding_rules(file, sources, rules).has_value() != rules.has_errors(), "rules without a message", text);
  require(read_yaml_model(file, sources, model).has_value() != model.has_errors(), "a model without a message", text);
  LineReader lines;
  std::string_view rest = text;
  for (int count = 0; count < 64 && !rest.empty(); ++count) {
    const size_t end = std::min(rest.find('\n'), rest.size());
    lines.read(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return 0;
}
