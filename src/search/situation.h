// Where changes are looked for: a program, its plan, what each device runs, and how that fills its memory.
#pragma once

#include <optional>

#include "memory/profile.h"
#include "partition/partition.h"
#include "propagate/plan.h"
#include "search/change.h"

namespace sw {

struct Situation {
  const Program& program;
  const Plan& plan;
  const LocalProgram& local;
  const MemoryProfile& profile;
  ShardingTable& shardings;  // takes the shardings of changes; knows all meshes of the program as read

  // Whose axes changes can use; null when there are none to use.
  const Mesh* mesh() const {
    if (plan.by == Partitioner::none || !plan.mesh.valid() || plan.mesh.index() >= shardings.mesh_count())
      return nullptr;
    const Mesh& m = shardings.mesh(plan.mesh).mesh;
    return m.device_count() > 1 ? &m : nullptr;
  }
  // What a value has in the axes of that mesh; none where they cannot say it, and in manual computations, whose shapes
  // are written out.
  std::optional<NamedShardingSpec> spec(ValueId value) const;
};

// `spec` with one more axis on a dimension, the most minor there; none where the axis cuts something already or does
// not divide what a device has of an array of `dims`.
std::optional<NamedShardingSpec> with_axis(const Mesh& mesh, NamedShardingSpec spec, std::span<const int64_t> dims,
                                           size_t dim, uint32_t axis);

// What a device saves when `size` devices share what each has now.
inline int64_t shared_saving(int64_t bytes, int64_t size) { return bytes - bytes / size; }

// Changes to arguments: donations that are missing; one more axis on arguments of one name, on a weight with the state
// of the optimizer of its shape, on all weights, on all state, on the batch.
std::vector<Change> argument_changes(const Situation& in);

// Pins of what is large at the worst moment: one more axis, or the sharding that another value of the shape has.
std::vector<Change> pin_changes(const Situation& in);

// Loops whose residuals could be computed again.
std::vector<Change> remat_changes(const Situation& in);
// What the worst moment would come to then, roughly: the stacks gone, and while the backward loop runs, what one run of
// the forward loop saves. `peak` as in MemoryProfile.
int64_t peak_with_remat(const Situation& in, const Change& remat);

}  // namespace sw
