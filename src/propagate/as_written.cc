// See the header.
#include "propagate/as_written.h"

namespace sw {

namespace {

class Collector {
 public:
  explicit Collector(const Program& program) : program_(program), graph_(program.graph) {
    plan_.by = Partitioner::none;
    plan_.named.resize(graph_.value_count());
    plan_.tiled.resize(graph_.value_count());
    sdy_ = graph_.strings.find("sdy.sharding");
    mhlo_ = graph_.strings.find("mhlo.sharding");
    hlo_ = graph_.strings.find("sharding");
    out_ = graph_.strings.find("out_sharding");
  }

  Plan collect(const Seeds& seeds) {
    for (uint32_t i = 0; i < graph_.op_count(); ++i) collect_op(OpId{i});
    for (uint32_t i = 0; i < graph_.function_count(); ++i) collect_function(graph_.function(FunctionId{i}));
    for (const Seed& seed : seeds) plan_.named[seed.value.index()] = seed.sharding;
    if (graph_.is_hlo && graph_.main.valid()) collect_root(graph_.function(graph_.main));
    choose_mesh();
    return std::move(plan_);
  }

 private:
  void collect_op(OpId id) {
    const Op& op = graph_.op(id);
    for (const NamedAttr& attr : graph_.attrs(op)) {
      if (attr.name != sdy_ && attr.name != mhlo_ && attr.name != hlo_ && attr.name != out_) continue;
      const Attr value = graph_.attr_table.get(attr.value);
      if (value.kind == AttrKind::sharding_list) {
        for (uint32_t r = 0; r < op.result_count && r < value.integers.size(); ++r)
          set_named(graph_.result(id, r), NamedShardingId{static_cast<uint32_t>(value.integers[r])});
      } else {
        for (uint32_t r = 0; r < op.result_count; ++r)
          set(graph_.result(id, r), value, op.result_count > 1 ? r : kWhole);
      }
    }
  }

  void collect_function(const Function& function) {
    if (!function.body.valid()) return;
    const BlockId entry = graph_.entry_block(function.body);
    for (size_t i = 0; i < function.arg_attrs.size() && i < graph_.block(entry).arg_count; ++i)
      for (const StringId name : {sdy_, mhlo_}) {
        const AttrId attr = Graph::find(graph_.attrs(function.arg_attrs[i]), name);
        if (attr.valid()) set(graph_.arg(entry, i), graph_.attr_table.get(attr), kWhole);
      }
    if (!function.is_entry) return;
    plan_.outputs_named.resize(function.result_attrs.size());
    plan_.outputs_tiled.resize(function.result_attrs.size());
    for (size_t i = 0; i < function.result_attrs.size(); ++i)
      for (const StringId name : {sdy_, mhlo_}) {
        const AttrId id = Graph::find(graph_.attrs(function.result_attrs[i]), name);
        if (!id.valid()) continue;
        const Attr attr = graph_.attr_table.get(id);
        if (attr.kind == AttrKind::sharding)
          plan_.outputs_named[i] = NamedShardingId{static_cast<uint32_t>(attr.integer)};
        if (attr.kind == AttrKind::tile_sharding)
          plan_.outputs_tiled[i] = TileShardingId{static_cast<uint32_t>(attr.integer)};
      }
  }

  // HLO: the sharding of the root, one for each leaf of a tuple.
  void collect_root(const Function& main) {
    if (!main.body.valid() || graph_.block(graph_.entry_block(main.body)).ops.empty()) return;
    const auto returned = graph_.operands(graph_.block(graph_.entry_block(main.body)).ops.back());
    if (returned.empty()) return;
    const TileShardingId id = plan_.tiled[returned.front().index()];
    if (!id.valid()) return;
    const TileSharding& tile = program_.tile_shardings.get(id);
    plan_.outputs_tiled = tile.kind == TileKind::tuple ? tile.elements : std::vector<TileShardingId>{id};
  }

  static constexpr uint32_t kWhole = 0xffffffffU;

  void set_named(ValueId value, NamedShardingId id) { plan_.named[value.index()] = id; }

  // `element`: of a tuple sharding, which stands on an op with several results.
  void set(ValueId value, const Attr& attr, uint32_t element) {
    const auto id = static_cast<uint32_t>(attr.integer);
    if (attr.kind == AttrKind::sharding) set_named(value, NamedShardingId{id});
    if (attr.kind != AttrKind::tile_sharding) return;
    const TileSharding& tile = program_.tile_shardings.get(TileShardingId{id});
    const bool is_list = element != kWhole && tile.kind == TileKind::tuple && element < tile.elements.size();
    plan_.tiled[value.index()] = is_list ? tile.elements[element] : TileShardingId{id};
  }

  // The mesh that most shardings name; the first mesh when there are none.
  void choose_mesh() {
    std::vector<size_t> uses(program_.shardings.mesh_count());
    for (NamedShardingId id : plan_.named)
      if (id.valid() && program_.shardings.get(id).mesh.valid()) ++uses[program_.shardings.get(id).mesh.index()];
    for (size_t i = 0; i < uses.size(); ++i)
      if (!plan_.mesh.valid() || uses[i] > uses[plan_.mesh.index()]) plan_.mesh = MeshId{i};
  }

  const Program& program_;
  const Graph& graph_;
  Plan plan_;
  StringId sdy_, mhlo_, hlo_, out_;
};

}  // namespace

Plan plan_as_written(const Program& program, const Seeds& seeds) { return Collector(program).collect(seeds); }

bool is_for_gspmd(const Program& program) {
  if (program.graph.is_hlo) return true;
  const AttrTable& attrs = program.graph.attr_table;
  bool tiles = false;
  for (size_t i = 0; i < attrs.count(); ++i) {
    const AttrKind kind = attrs.get(AttrId{i}).kind;
    if (kind == AttrKind::sharding || kind == AttrKind::sharding_list) return false;
    tiles = tiles || kind == AttrKind::tile_sharding;
  }
  return tiles;
}

}  // namespace sw
