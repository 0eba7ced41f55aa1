// GPU: normalisations along rows. A kernel that reads an array together with reductions of that same array along its
// last dimension takes the reductions in, since one block of threads holds a whole row; its result can then not lie
// where the array lies, because rows are read more than once.
//
//   m = reduce max(x, last); s = reduce add(exp(x - m), last); y = exp(x - m) / s      one kernel, x and y both live
//
// Follows SoftmaxRewriterTriton of XLA.
#include <algorithm>

#include "schedule/fusion.h"

namespace sw {

namespace {

class RowFusion {
 public:
  explicit RowFusion(FusionGraph& graph) : graph_(graph) {}

  void run() {
    for (uint32_t unit = 0; unit < graph_.size(); ++unit) {
      if (!graph_.has_group(unit) || graph_.group(unit).product || !is_elementwise(graph_.op(unit).kind)) continue;
      const std::vector<FusionInput> inputs = graph_.group(unit).inputs;
      for (const FusionInput& input : inputs) try_array(unit, input.leaf);
    }
  }

 private:
  bool is_reduction(uint32_t unit) const {
    return graph_.has_group(unit) && graph_.group(unit).reduces && graph_.op(unit).kind == OpKind::reduce;
  }

  void add_reductions(const FusionGroup& group, std::vector<uint32_t>& todo) const {
    for (const FusionInput& input : group.inputs)
      if (is_reduction(input.leaf.unit)) todo.push_back(input.leaf.unit);
  }

  // Reads no large array but `array`, along rows.
  bool reduces_rows_of(uint32_t reduction, Leaf array) const {
    const FusionGroup& group = graph_.group(reduction);
    bool reads_it = false;
    for (const FusionInput& input : group.inputs) {
      if (input.bytes <= group.bytes) continue;
      if (input.leaf != array) return false;
      reads_it = true;
    }
    const MachineOp& op = graph_.op(reduction);
    const Type read = graph_.type(graph_.operands(reduction)[0]);
    return reads_it && !graph_.must_exist(reduction) && op.dims.size() == 1 && read.is_array() &&
           op.dims[0] == static_cast<int64_t>(read.rank()) - 1;
  }

  void try_array(uint32_t unit, Leaf array) {
    const FusionInput* input = graph_.group(unit).find(array);
    const bool known = graph_.has_group(array.unit) || graph_.op(array.unit).kind == OpKind::parameter;
    if (!known || input == nullptr || input->bytes == 0 || input->bytes < graph_.group(unit).bytes / 2) return;
    std::vector<uint32_t> found, todo;
    add_reductions(graph_.group(unit), todo);
    while (!todo.empty()) {
      const uint32_t reduction = todo.back();
      todo.pop_back();
      if (std::find(found.begin(), found.end(), reduction) != found.end()) continue;
      if (!reduces_rows_of(reduction, array)) continue;
      found.push_back(reduction);
      add_reductions(graph_.group(reduction), todo);
    }
    const auto has_other_user = [&](uint32_t reduction) {
      return std::any_of(graph_.consumers(reduction).begin(), graph_.consumers(reduction).end(), [&](uint32_t user) {
        return user != unit && std::find(found.begin(), found.end(), user) == found.end();
      });
    };
    for (bool changed = true; changed;) changed = std::erase_if(found, has_other_user) > 0;
    std::sort(found.begin(), found.end());
    take_in(unit, found);
  }

  void take_in(uint32_t unit, const std::vector<uint32_t>& reductions) {
    FusionGroup& group = graph_.group(unit);
    for (const uint32_t reduction : reductions) {
      const FusionGroup& taken = graph_.group(reduction);
      for (const FusionInput& input : taken.inputs) {
        if (std::binary_search(reductions.begin(), reductions.end(), input.leaf.unit)) continue;
        graph_.add_input(unit, input);
      }
      group.take_units(taken);
    }
    for (const uint32_t reduction : reductions) {
      std::erase_if(group.inputs, [&](const FusionInput& input) { return input.leaf.unit == reduction; });
      graph_.drop_consumer(reduction, unit);
    }
    for (const uint32_t reduction : reductions) graph_.remove_group(reduction);
  }

  FusionGraph& graph_;
};

}  // namespace

void fuse_rows(FusionGraph& graph) { RowFusion(graph).run(); }

}  // namespace sw
