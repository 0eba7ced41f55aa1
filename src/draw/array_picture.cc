// See the header.
#include "draw/array_picture.h"

#include <algorithm>
#include <map>

#include "base/checked_math.h"
#include "report/names.h"
#include "report/plan_text.h"
#include "report/rule_words.h"
#include "report/table.h"
#include "sharding/convert.h"
#include "sharding/tile_algebra.h"

namespace sw {

namespace {

constexpr size_t kMostStages = 4;  // after the first
constexpr size_t kMostMoves = 3;
constexpr size_t kNameWidth = 60;

std::string spec_of(const ShardingText* text) {
  return text == nullptr ? "P()" : cut_to(spelling_of(*text), kNameWidth);
}

std::string device_words(const Type& type, const Tiling& tiling) {
  std::vector<int64_t> shape;
  std::string text = "[";
  for (const TiledDim& d : tiling.dims) {
    text += (shape.empty() ? "" : ",") + std::to_string(d.piece);
    shape.push_back(d.piece);
  }
  return text + "], " + bytes_text(array_bytes(type, shape));
}

class Stages {
 public:
  Stages(const PlanReport& report, CollectiveList& list, ValueId value)
      : report_(report), graph_(report.program.graph), list_(list), value_(value), type_(graph_.type_of(value)) {}

  // One for each sharding that the value is moved to, in the order of the program.
  void add(ArrayPicture& picture) {
    for (const CollectiveFacts& facts : list_.all()) {
      const CollectiveCause& cause = facts.collective->cause;
      if (!cause.to.valid() || !is_move(cause.reason) || !moves_value(cause) || stays(cause.to)) continue;
      const auto [at, fresh] = stage_of_.try_emplace(cause.to.raw, picture.stages.size());
      if (fresh && picture.stages.size() > kMostStages) {
        stage_of_.erase(at);
        continue;
      }
      if (fresh) picture.stages.push_back(stage(cause));
      add_move(facts, picture.stages[at->second].moves);
    }
  }

 private:
  // Others compute: sums of parts, neighbours' rows.
  static bool is_move(CollectiveReason reason) {
    return reason == CollectiveReason::reshard || reason == CollectiveReason::full_replication ||
           reason == CollectiveReason::loop_state || reason == CollectiveReason::output;
  }

  bool moves_value(const CollectiveCause& cause) const {
    if (cause.value.valid()) return cause.value == value_;
    if (!cause.op.valid() || cause.operand < 0 || cause.op.index() >= graph_.op_count()) return false;
    const auto operands = graph_.operands(cause.op);
    return static_cast<size_t>(cause.operand) < operands.size() &&
           operands[static_cast<size_t>(cause.operand)] == value_;
  }

  // What is moved is not the value itself, but what is computed from it, when the value ends up where it was.
  bool stays(TileShardingId to) const {
    const PlannedSharding now = sharding_of(report_.plan, value_);
    const Program& program = report_.program;
    if (now.named.valid())
      return same_sharding(tile_from_named(program.shardings, now.named), program.tile_shardings.get(to));
    return now.tiled.valid() && same_sharding(program.tile_shardings.get(now.tiled), program.tile_shardings.get(to));
  }

  ArrayStage stage(const CollectiveCause& cause) {
    ArrayStage s;
    s.heading = "moved";
    if (cause.op.valid() && graph_.value(value_).def != cause.op) {
      s.heading += " for " + cut_to(shown(op_word(graph_, cause.op)), kNameWidth);
      const std::string place = cut_to(shown(place_of(graph_, report_.sources, cause.op)), kNameWidth);
      if (!place.empty()) s.heading += " at " + place;
    }
    s.tiling = tiling_of(report_.program, report_.plan.mesh, {{}, cause.to}, type_.dims);
    s.spec = spec_of(list_.sharding(cause.to, cause));
    s.on_device = device_words(type_, s.tiling);
    return s;
  }

  static void add_move(const CollectiveFacts& facts, std::vector<std::string>& moves) {
    std::string words = std::string(facts.kind) + ' ' + cut_to(shown(facts.groups->over), kNameWidth) + ", " +
                        bytes_text(facts.collective->bytes);
    if (std::find(moves.begin(), moves.end(), words) != moves.end()) return;
    if (moves.size() < kMostMoves) moves.push_back(std::move(words));
  }

  const PlanReport& report_;
  const Graph& graph_;
  CollectiveList& list_;
  ValueId value_;
  Type type_;
  std::map<uint32_t, size_t> stage_of_;  // by the sharding moved to
};

}  // namespace

ArrayPicture array_picture(const PlanReport& report, CollectiveList* collectives, ValueId value) {
  const Graph& graph = report.program.graph;
  ArrayPicture picture;
  picture.title = cut_to(shown(display_name(graph, value)), kNameWidth);
  const std::string spelled = cut_to(shown(spelled_name(graph, value)), kNameWidth);
  if (spelled != picture.title) picture.subtitle = spelled + "  ·  ";
  const OpId def = graph.value(value).def;
  if (def.valid()) picture.subtitle += cut_to(shown(op_word(graph, def)), kNameWidth) + "  ·  ";
  picture.subtitle += cut_to(shown(type_label(graph, graph.value(value).type)), kNameWidth);
  const std::string place = cut_to(shown(place_of(graph, report.sources, value)), kNameWidth);
  if (!place.empty()) picture.subtitle += "  ·  " + place;
  picture.subtitle += "  ·  " + std::string(partitioner_title(report.plan.by));
  if (report.plan.mesh.valid()) picture.mesh = &report.program.shardings.mesh(report.plan.mesh).mesh;
  const Type type = graph.type_of(value);
  if (!type.is_array()) return picture;

  ArrayStage first;
  ShardingTexts texts(report);
  first.tiling = tiling_of(report.program, report.plan.mesh, sharding_of(report.plan, value), type.dims);
  first.spec = spec_of(&texts.of_value(value));
  first.on_device = device_words(type, first.tiling);
  picture.stages.push_back(std::move(first));
  if (collectives != nullptr) Stages(report, *collectives, value).add(picture);
  if (picture.stages.size() > 1) picture.stages[0].heading = def.valid() ? "as it is made" : "as it is given";
  return picture;
}

namespace {

int64_t count_of(const Hardware& hardware, std::string_view key) {
  const HardwareFigure* f = hardware.figure(key);
  return f == nullptr ? 0 : static_cast<int64_t>(f->value);
}

// Of the members of a group along an axis, how many share a node with the first: all, one, or some.
int64_t in_one_node(const Mesh& mesh, size_t axis, int64_t node_size) {
  int64_t stride = 1;
  for (size_t i = axis + 1; i < mesh.axes.size(); ++i) stride *= mesh.axes[i].size;
  const int64_t size = mesh.axes[axis].size;
  const auto node = [&](int64_t position) {
    return (mesh.device_ids.empty() ? position : mesh.device_ids[static_cast<size_t>(position)]) / node_size;
  };
  // Devices in order are alike everywhere; of a list every group is looked at, and the least is said.
  const int64_t devices = mesh.device_count();
  int64_t least = size;
  for (int64_t first = 0; first < devices; ++first) {
    if (first / stride % size != 0) continue;
    int64_t together = 0;
    for (int64_t i = 0; i < size; ++i) together += node(first + i * stride) == node(first) ? 1 : 0;
    least = std::min(least, together);
    if (mesh.device_ids.empty()) break;
  }
  return least;
}

void place_in_nodes(const Mesh& mesh, int64_t node_size, ArrayStage& stage) {
  stage.tiling.node_size = node_size;
  const int64_t nodes = ceil_div(mesh.device_count(), node_size);
  stage.notes.emplace_back("nodes", count_text(nodes) + " of " + count_text(node_size) + " devices");
  for (size_t i = 0; i < mesh.axes.size(); ++i) {
    if (mesh.axes[i].size == 1) continue;
    const int64_t together = in_one_node(mesh, i, node_size);
    const std::string words = together == mesh.axes[i].size ? "inside a node"
                              : together == 1               ? "between nodes"
                                              : count_text(together) + " of " + count_text(mesh.axes[i].size) +
                                                    " inside a node, the rest between nodes";
    stage.notes.emplace_back(cut_to(shown(mesh.axes[i].name), kNameWidth), words);
  }
}

// Which axis lies along which dimension of a torus is decided when the job starts; what can be said is what is
// possible.
void place_on_torus(const Mesh& mesh, const Hardware& hardware, ArrayStage& stage) {
  const int64_t dimensions = count_of(hardware, "fabric.dimensions");
  stage.notes.emplace_back("torus", count_text(dimensions) + " dimensions, " +
                                        count_text(count_of(hardware, "fabric.links")) + " links a device");
  const HardwareFigure* wrap = hardware.figure("fabric.wrap");
  int64_t axes = 0;
  for (const MeshAxis& axis : mesh.axes) {
    if (axis.size == 1) continue;
    ++axes;
    if (wrap == nullptr || wrap->word != "multiples-of-4") continue;
    stage.notes.emplace_back(cut_to(shown(axis.name), kNameWidth),
                             axis.size % 4 == 0
                                 ? "wraps around where it has a dimension for itself"
                                 : "does not wrap around: " + count_text(axis.size) + " is no multiple of 4");
  }
  if (axes > dimensions) stage.notes.emplace_back("", "there are more axes than dimensions: some share one");
}

}  // namespace

ArrayPicture mesh_picture(const PlanReport& report, MeshId id, const Hardware* hardware) {
  const NamedMesh& named = report.program.shardings.mesh(id);
  ArrayPicture picture;
  picture.title = named.name.empty() ? "mesh" : cut_to(shown(named.name), kNameWidth);
  picture.subtitle = count_text(named.mesh.device_count()) + (named.mesh.device_count() == 1 ? " device" : " devices");
  picture.mesh = &named.mesh;
  ArrayStage stage;
  stage.tiling = tiling_of_mesh(named.mesh);
  if (hardware != nullptr) {
    picture.subtitle += "  ·  " + shown(hardware->description);
    const HardwareFigure* kind = hardware->figure("fabric.kind");
    const int64_t node = count_of(*hardware, "fabric.devices");
    if (kind != nullptr && kind->word == "torus")
      place_on_torus(named.mesh, *hardware, stage);
    else if (node > 0)
      place_in_nodes(named.mesh, node, stage);
  }
  picture.stages.push_back(std::move(stage));
  return picture;
}

}  // namespace sw
