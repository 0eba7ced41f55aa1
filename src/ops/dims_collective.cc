// StableHLO constraints all_gather_c1, reduce_scatter_c2, all_to_all_c1 .. c3.
#include "ops/dims_collective.h"

#include <algorithm>
#include <vector>

namespace sw {

namespace {

constexpr int64_t kMaxDevices = int64_t{1} << 24;

bool read_dim(const Graph& graph, OpId id, std::string_view name, std::string_view what, int64_t& out,
              std::string* why) {
  const Op& op = graph.op(id);
  const auto operands = graph.operands(op);
  if (operands.empty() || !graph.type_of(operands[0]).is_tensor())
    return explain(why, "expected a tensor of known rank as operand");
  AttrReader attrs(graph, op, why);
  return attrs.integer(name, out) && check_dim(out, graph.type_of(operands[0]).rank(), what, why);
}

// Each id that is not -1 in [0, count), once.
bool check_ids(const DimList& ids, size_t first, size_t step, int64_t count, std::string_view what, std::string* why) {
  std::vector<bool> seen(static_cast<size_t>(count), false);
  for (size_t i = first; i < ids.size(); i += step) {
    const int64_t id = ids[i];
    if (id == -1 && step == 1) continue;
    if (id < 0 || id >= count)
      return explain(why, std::string(what) + " " + std::to_string(id) + " is out of range, expected 0 to " +
                              std::to_string(count - 1));
    if (seen[static_cast<size_t>(id)])
      return explain(why, std::string(what) + " " + std::to_string(id) + " is given twice");
    seen[static_cast<size_t>(id)] = true;
  }
  return true;
}

}  // namespace

bool read_all_gather_dim(const Graph& graph, OpId op, int64_t& out, std::string* why) {
  return read_dim(graph, op, "all_gather_dim", "gathered dimension", out, why);
}

bool read_reduce_scatter_dim(const Graph& graph, OpId op, int64_t& out, std::string* why) {
  return read_dim(graph, op, "scatter_dimension", "scattered dimension", out, why);
}

bool read_all_to_all_dims(const Graph& graph, OpId op, AllToAllDims& out, std::string* why) {
  out = AllToAllDims{};
  AttrReader attrs(graph, graph.op(op), why);
  if (!read_dim(graph, op, "split_dimension", "split dimension", out.split, why)) return false;
  // HLO has one dimension for both, and the count is the size of a group.
  out.concat = out.split;
  const bool both = !graph.is_hlo || attrs.present("concat_dimension");
  if (both && !read_dim(graph, op, "concat_dimension", "concatenated dimension", out.concat, why)) return false;
  if (!graph.is_hlo && !attrs.integer("split_count", out.count)) return false;
  return out.count > 0 || explain(why, "split_count " + std::to_string(out.count) + ", expected a positive one");
}

std::optional<AllToAllSteps> all_to_all_steps(const Graph& graph, OpId op, std::span<const int64_t> shape) {
  AllToAllDims dims;
  if (graph.operands(op).size() != 1 || !read_all_to_all_dims(graph, op, dims) || dims.split == dims.concat)
    return std::nullopt;
  const auto split = static_cast<size_t>(dims.split);
  if (shape[split] % dims.count != 0) return std::nullopt;
  AllToAllSteps steps;
  steps.pieces = DimList(shape);
  steps.pieces[split] /= dims.count;
  steps.pieces.insert(steps.pieces.begin() + dims.split, dims.count);
  for (int64_t d = 0; d < static_cast<int64_t>(steps.pieces.size()); ++d) {
    if (d == dims.split) continue;
    if ((d > dims.split ? d - 1 : d) == dims.concat) steps.permutation.push_back(dims.split);
    steps.permutation.push_back(d);
  }
  for (const int64_t d : steps.permutation) steps.moved.push_back(steps.pieces[static_cast<size_t>(d)]);
  return steps;
}

bool read_replica_groups(const Graph& graph, OpId id, ReplicaGroups& out, std::string* why) {
  const Op& op = graph.op(id);
  AttrReader attrs(graph, op, why);
  const AttrId attr = graph.attr(op, "replica_groups");
  if (attr.valid() && graph.attr_table.get(attr).kind != AttrKind::dense) return false;
  if (!attrs.ints("replica_groups", out.ids)) return false;
  const TypeId type_id = graph.attr_table.get(attr).type;
  const Type type = type_id.valid() ? graph.types.get(type_id) : Type{};
  if (type.rank() != 2) return explain(why, "`replica_groups` is no list of lists");
  out.group_size = type.dims[1];
  // A broadcast may leave devices out; the others name all of them.
  const bool gaps = op.kind == OpKind::collective_broadcast;
  int64_t count = 0;
  for (int64_t i : out.ids) count = gaps ? std::max(count, i < kMaxDevices ? i + 1 : 0) : count + (i == -1 ? 0 : 1);
  return check_ids(out.ids, 0, 1, count, "replica id", why);
}

bool read_source_target_pairs(const Graph& graph, OpId id, DimList& out, std::string* why) {
  AttrReader attrs(graph, graph.op(id), why);
  if (!attrs.ints("source_target_pairs", out)) return false;
  if (out.size() % 2 != 0) return explain(why, "`source_target_pairs` is no list of pairs");
  int64_t count = 0;
  for (int64_t i : out) count = std::max(count, i < kMaxDevices ? i + 1 : 0);
  return check_ids(out, 0, 2, count, "source", why) && check_ids(out, 1, 2, count, "target", why);
}

}  // namespace sw
