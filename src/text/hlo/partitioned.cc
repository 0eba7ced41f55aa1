// Whether an HLO module is what the SPMD partitioner left: per-device shapes, collectives with channels.
//
// The partitioner keeps the shardings of parameters and root, and the attributes of the module, so those say nothing.
// It renames the entry computation to `<name>_spmd`. Where a pass or a user has renamed it, collectives that cross
// partitions show it, unless they are in a manual region of a program that is still to be partitioned: then there are
// shardings.
#include "text/hlo/reader.h"

namespace sw {

namespace {

// The first op with a channel that is not in a region of its own; invalid when there is none or when an op is sharded.
OpId cross_partition_op(const Graph& graph) {
  const StringId sharding = graph.strings.find("mhlo.sharding"), channel = graph.strings.find("channel_handle");
  OpId found;
  for (size_t i = 0; i < graph.op_count(); ++i) {
    const Op& op = graph.op(OpId{i});
    const bool crosses =
        op.kind == OpKind::partition_id ||
        (channel.valid() && facts(op.kind).family == Family::collective && graph.attr(op, channel).valid());
    if (crosses && !found.valid()) found = OpId{i};
    const bool is_root = op.kind == OpKind::func_return;
    if (!is_root && sharding.valid() && graph.attr(op, sharding).valid()) {
      const Block& block = graph.block(op.parent);
      if (graph.operands(block.ops.back()).front() != op.first_result) return {};
    }
  }
  return found;
}

}  // namespace

int64_t partition_count(const Program& program) {
  const Graph& graph = program.graph;
  const StringId name = graph.strings.find("mhlo.num_partitions");
  const AttrId count = name.valid() ? Graph::find(graph.attrs(graph.module_attrs), name) : AttrId{};
  return count.valid() ? graph.attr_table.get(count).integer : 1;
}

bool looks_partitioned(const Program& program, std::string* reason) {
  const Graph& graph = program.graph;
  if (!graph.is_hlo || !graph.main.valid() || partition_count(program) <= 1) return false;
  const std::string_view entry = graph.strings.text(graph.function(graph.main).name);
  if (entry.ends_with("_spmd")) {
    if (reason != nullptr)
      *reason = "its entry computation `" + std::string(entry) + "` is named as XLA's partitioner names what it made";
    return true;
  }
  const OpId op = cross_partition_op(graph);
  if (!op.valid()) return false;
  if (reason != nullptr)
    *reason = "`" + std::string(graph.strings.text(graph.value(graph.result(op)).name)) +
              "` works across partitions and no operation has a sharding";
  return true;
}

}  // namespace sw
