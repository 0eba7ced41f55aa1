#include "exec/executable.h"

#include <algorithm>
#include <set>

#include "ops/dims_collective.h"
#include "ops/dims_reduce.h"
#include "partition/replica_groups.h"
#include "sharding/tile_algebra.h"

namespace sw {

std::vector<DimList> tile_coordinates(const TileSharding& sharding, int64_t device_count) {
  if (!is_tiled(sharding)) return {};
  const TileGrid grid = grid_of(sharding);
  std::vector<DimList> of_device(static_cast<size_t>(device_count));
  DimList at(grid.rank(), 0);
  for (const int64_t device : device_ids(grid)) {
    if (device >= 0 && device < device_count) {
      DimList& coordinates = of_device[static_cast<size_t>(device)];
      coordinates.assign(at.begin(), at.begin() + sharding.data_rank());
    }
    for (size_t d = grid.rank(); d-- > 0;) {
      if (++at[d] < grid.dims[d]) break;
      at[d] = 0;
    }
  }
  return of_device;
}

class ExecutableBuilder {
 public:
  ExecutableBuilder(const Graph& graph, const ProgramShardings& shardings, Precision precision,
                    Diagnostics& diagnostics)
      : graph_(graph), shardings_(shardings), diagnostics_(diagnostics) {
    out_.graph_ = &graph;
    out_.precision_ = precision;
  }

  Result<Executable> build() {
    if (!graph_.main.valid()) {
      diagnostics_.error(DiagnosticKind::no_main_function, {}, "the module has no entry computation");
      return reported();
    }
    out_.main_ = add(graph_.function(graph_.main).body);
    if (failed_) return reported();
    return std::move(out_);
  }

 private:
  // Called computations first, each once.
  size_t add(RegionId region) {
    if (const auto known = done_.find(region); known != done_.end()) return known->second;
    RunComputation made;
    const BlockId block = graph_.entry_block(region);
    std::map<ValueId, Slot> slots;
    made.arg_count = graph_.block(block).arg_count;
    for (uint32_t i = 0; i < made.arg_count; ++i) slots[graph_.arg(block, i)] = i;
    made.slot_count = made.arg_count;
    for (const OpId id : graph_.block(block).ops) {
      const Op& op = graph_.op(id);
      if (has_trait(op.kind, kTerminator)) {
        made.root = slots.at(graph_.operands(op)[0]);
        break;
      }
      RunStep step;
      step.op = id;
      step.kind = op.kind;
      for (const ValueId v : graph_.operands(op)) step.operands.push_back(slots.at(v));
      step.result = static_cast<Slot>(made.slot_count++);
      slots[graph_.result(id)] = step.result;
      make(step);
      made.steps.push_back(std::move(step));
    }
    find_last_uses(made);
    out_.computations_.push_back(std::move(made));
    return done_[region] = out_.computations_.size() - 1;
  }

  static void find_last_uses(RunComputation& c) {
    std::vector<char> needed(c.slot_count, 0);
    std::vector<std::set<int64_t>> elements(c.slot_count);
    std::vector<char> only_elements(c.slot_count, 1);
    needed[c.root] = 1;
    only_elements[c.root] = 0;
    for (size_t s = c.steps.size(); s-- > 0;) {
      RunStep& step = c.steps[s];
      step.drop_result = needed[step.result] == 0;
      step.last.assign(step.operands.size(), 0);
      for (size_t i = step.operands.size(); i-- > 0;) {
        const Slot operand = step.operands[i];
        step.last[i] = needed[operand] == 0;
        needed[operand] = 1;
        if (step.kind != OpKind::get_tuple_element || !elements[operand].insert(step.index).second)
          only_elements[operand] = 0;
      }
    }
    for (RunStep& step : c.steps)
      step.takes = step.kind == OpKind::get_tuple_element && only_elements[step.operands[0]] != 0;
  }

  void refuse(OpId id, const std::string& why) {
    failed_ = true;
    const Op& op = graph_.op(id);
    if (!reported_.insert({op.kind, why}).second) return;
    diagnostics_.error(DiagnosticKind::unsupported, op.where,
                       "`" + std::string(graph_.strings.text(op.name)) + "` cannot be executed: " + why);
  }

  void make(RunStep& step) {
    const Op& op = graph_.op(step.op);
    switch (op.kind) {
      case OpKind::while_:
      case OpKind::case_:
      case OpKind::if_:
      case OpKind::call:
      case OpKind::fusion:
        for (const RegionId region : graph_.regions(op)) step.called.push_back(add(region));
        return;
      case OpKind::get_tuple_element: {
        const AttrId index = graph_.attr(op, "index");
        step.index = index.valid() ? graph_.attr_table.get(index).integer : 0;
        return;
      }
      case OpKind::partition_id:
      case OpKind::replica_id: return;
      case OpKind::all_gather:
      case OpKind::all_reduce:
      case OpKind::all_to_all:
      case OpKind::collective_broadcast:
      case OpKind::collective_permute:
      case OpKind::reduce_scatter: return make_collective(step);
      case OpKind::custom_call:
        if (is_border(step)) return make_border(step);
        break;
      default: break;
    }
    std::string why;
    if (const KernelMaker maker = kernel_maker(op.kind); maker != nullptr) {
      step.kernel = maker({graph_, step.op, &why, out_.precision_});
    } else {
      why = kernel_cell(op.kind).reason;
    }
    if (!step.kernel) refuse(step.op, why);
  }

  std::string_view target(OpId id) const {
    const AttrId attr = graph_.attr(graph_.op(id), "call_target_name");
    return attr.valid() ? graph_.attr_table.get(attr).text : std::string_view();
  }
  bool is_border(const RunStep& step) const {
    return target(step.op) == "SPMDFullToShardShape" || target(step.op) == "SPMDShardToFullShape";
  }

  TileShardingId sharding_of(ValueId value) const {
    return value.index() < shardings_.of_value.size() ? shardings_.of_value[value.index()] : TileShardingId{};
  }

  void make_border(RunStep& step) {
    auto border = std::make_shared<BorderStep>();
    border->enters = target(step.op) == "SPMDFullToShardShape";
    const ValueId operand = graph_.operands(step.op)[0], result = graph_.result(step.op);
    const ValueId full = border->enters ? operand : result, piece = border->enters ? result : operand;
    border->full = DimList(graph_.type_of(full).dims);
    border->piece = DimList(graph_.type_of(piece).dims);
    const TileShardingId id = sharding_of(full);
    if (id.valid() && shardings_.table != nullptr) {
      const TileSharding& s = shardings_.table->get(id);
      border->coordinates = tile_coordinates(s, shardings_.device_count);
      // Tiles of the dimensions that stay automatic inside are not pieces.
      for (DimList& at : border->coordinates)
        for (size_t d = 0; d < at.size(); ++d) {
          const int64_t pieces =
              border->piece[d] == 0 ? 1 : (border->full[d] + border->piece[d] - 1) / border->piece[d];
          at[d] /= std::max<int64_t>(1, s.tile[d] / std::max<int64_t>(1, pieces));
        }
    }
    step.border = std::move(border);
  }

  bool read_groups(const RunStep& step, CollectiveStep& c) {
    const Op& op = graph_.op(step.op);
    const bool channel = graph_.attr(op, "channel_handle").valid();
    c.alone = !channel;
    if (op.kind == OpKind::collective_permute) {
      c.pairs = sw::read_source_target_pairs(graph_, op);
      return true;
    }
    const bool reduces =
        op.kind == OpKind::all_reduce || op.kind == OpKind::reduce_scatter || op.kind == OpKind::all_gather;
    const AttrId global = graph_.attr(op, "use_global_device_ids");
    const bool by_device = !reduces || (global.valid() && (graph_.attr_table.get(global).kind == AttrKind::unit ||
                                                           graph_.attr_table.get(global).integer != 0));
    if (!channel || !by_device) return true;
    const std::optional<TileGrid> grid = sw::read_replica_groups(graph_, op);
    if (!grid.has_value()) {
      const AttrId attr = graph_.attr(op, "replica_groups");
      return !attr.valid() || graph_.attr_table.get(attr).integers.empty();
    }
    const std::vector<int64_t> ids = device_ids(*grid);
    const auto size = static_cast<size_t>(grid->dims[1]);
    for (size_t begin = 0; size > 0 && begin < ids.size(); begin += size)
      c.groups.emplace_back(ids.begin() + static_cast<std::ptrdiff_t>(begin),
                            ids.begin() + static_cast<std::ptrdiff_t>(begin + size));
    return true;
  }

  void make_collective(RunStep& step) {
    const Op& op = graph_.op(step.op);
    CollectiveStep c;
    c.kind = op.kind;
    std::string why;
    bool fine = true;
    if (!read_groups(step, c)) return refuse(step.op, "its groups of devices have different sizes");
    if (op.kind == OpKind::all_gather) fine = read_all_gather_dim(graph_, step.op, c.dim, &why);
    if (op.kind == OpKind::reduce_scatter) fine = read_reduce_scatter_dim(graph_, step.op, c.dim, &why);
    if (op.kind == OpKind::all_to_all) {
      const AttrId split = graph_.attr(op, "split_dimension");
      c.dim = split.valid() ? graph_.attr_table.get(split).integer : -1;
      if (c.dim < 0 && op.operands.count == 1) c.dim = 0;
    }
    if (op.kind == OpKind::all_reduce || op.kind == OpKind::reduce_scatter) {
      const RegionId region = graph_.regions(op)[0];
      const ElementType element = held_as(graph_.type_of(graph_.operands(op)[0]).element, out_.precision_);
      const OpKind common = common_reducer(graph_, region, 1);
      if (common != OpKind::unknown && bits(element) >= 8) c.loop = binary_loop(common, computed_in(element));
      if (c.loop == nullptr) c.body = Body::compile(graph_, region, out_.precision_, &why);
      fine = c.loop != nullptr || c.body.has_value();
    }
    if (!fine) return refuse(step.op, why);
    step.collective = std::make_shared<const CollectiveStep>(std::move(c));
  }

  const Graph& graph_;
  const ProgramShardings& shardings_;
  Diagnostics& diagnostics_;
  Executable out_;
  std::map<RegionId, size_t> done_;
  std::set<std::pair<OpKind, std::string>> reported_;
  bool failed_ = false;
};

Result<Executable> Executable::prepare(const Graph& graph, const ProgramShardings& shardings, Precision precision,
                                       Diagnostics& diagnostics) {
  return ExecutableBuilder(graph, shardings, precision, diagnostics).build();
}

}  // namespace sw
