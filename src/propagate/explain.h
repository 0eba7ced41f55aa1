// Where a sharding comes from: the trace read backwards.
//
// Every step of the trace adds axes to dimensions of one value, and names the value that gave them. An AxisOrigin is
// one axis at one dimension of one value, linked to the AxisOrigin of the value that gave it; following `parent` from
// the final sharding of a value leads to the annotation. Worked example, y = dot(x, w) with w annotated P(None, 'y'):
//
//   #0  w dim 1 "y"   seed                  parent: none
//   #1  y dim 1 "y"   rule of dot, from w   parent: #0
//
// Building all links is one pass over the trace, since a step can only refer to what was there before it. Steps of a
// partitioner that works on tiles (GSPMD) are read through the axes of the mesh (propagate/sharding_axes.h).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "propagate/plan.h"
#include "propagate/sharding_axes.h"

namespace sw {

constexpr uint32_t kNoOrigin = 0xffffffffU;
constexpr uint32_t kNoSharding = 0xffffffffU;

struct AxisOrigin {
  ValueId value;          // invalid: `output` is meant
  uint32_t instance = 0;  // function instance, as in Step
  uint32_t leaf = 0;      // of a tuple
  uint16_t dim = 0;
  AxisRef axis;
  uint32_t step = 0;             // index into the trace
  uint32_t parent = kNoOrigin;   // the origin that gave it; kNoOrigin: it began here
  uint32_t root = kNoOrigin;     // the end of the chain of parents, maybe itself
  uint32_t depth = 0;            // parents between it and the root
  uint32_t earlier = kNoOrigin;  // the previous origin of the same value
  uint32_t output = kNoOrigin;   // a result of main, which has a sharding beside that of the value returned there
};

class Provenance {
 public:
  // Both must outlive it, unchanged.
  Provenance(const Program& program, const Plan& plan);

  std::span<const AxisOrigin> all() const { return origins_; }
  const AxisOrigin& at(uint32_t index) const { return origins_[index]; }
  // The final shardings as axes, and those that steps name.
  const ShardingAxes& axes() const { return axes_; }
  // The last origin of this value, in the instance that the plan shows, that brought an overlapping axis to this
  // dimension.
  uint32_t find(ValueId value, const DimAxis& wanted) const { return find(home(value), wanted); }
  uint32_t find(ValueAt at, const DimAxis& wanted) const;
  // Whose steps are to be read for a value: its own or those of the value it is the same as, in the instance shown.
  ValueAt home(ValueId value) const;
  // The same in another instance of its function, where calls are written out (GSPMD).
  ValueAt home(ValueAt at) const;
  // The final sharding of a value in the table of its partitioner, or those of the leaves of a tuple.
  std::vector<uint32_t> leaves_of(ValueId value) const;
  // The instances of the function that the value is in, the one shown first; one when there is no other.
  std::vector<uint32_t> instances_of(ValueId value) const;
  // What the value was offered and did not take, each axis, dimension and reason once. GSPMD refuses shardings whole:
  // here they stand axis by axis, without those that it got later, and with what stood in the way.
  std::vector<Refusal> refusals(ValueAt at) const;
  // The last sharding that a step gave the value in this instance; kNoSharding when none did.
  uint32_t final_sharding(ValueAt at) const;
  // The same for a result of main.
  uint32_t find_output(size_t output, const DimAxis& wanted) const;
  // The origins from `origin` to its root, the root first.
  std::vector<uint32_t> chain(uint32_t origin) const;

 private:
  void add_step(uint32_t index);
  // Bit d: dimension d of the tensor in slot `from` shares a factor with dimension `to_dim` of the tensor in slot `to`.
  uint64_t mapped_dims(OpId op, OpSlot from, OpSlot to, const DimAxis& added) const;
  static uint64_t rule_dims(const FactorRule& rule, OpSlot from, OpSlot to, uint16_t to_dim);
  FunctionId function_of(ValueId value) const;
  uint32_t called_by(OpId call, uint32_t caller) const;
  void expand(const Refusal& whole, std::span<const DimAxis> has, std::vector<Refusal>& out) const;
  uint32_t parent_of(const Step& step, const DimAxis& added) const;
  uint32_t parent_at_op(const Step& step, const DimAxis& added) const;
  uint32_t latest(uint32_t last, const ValueAt& at, const AxisRef& axis, uint64_t dims) const;
  uint32_t last_on_dimension(uint32_t last, const DimAxis& wanted, const ValueAt& at) const;
  uint32_t* last_of(const Step& step);

  const Program& program_;
  const Plan& plan_;
  ShardingAxes axes_;
  std::vector<AxisOrigin> origins_;
  std::vector<uint32_t> last_;         // by ValueId: its last origin
  std::vector<uint32_t> last_output_;  // by result of main
};

}  // namespace sw
