// The part that Shardy's text and HLO's V3 share: dimensions of axes and the lists behind them,
//   [{"x"}, {"y":(1)2, ?}p1], replicated={"z"}, unreduced=max{"w"}
// Axes resolve against one mesh; all of them are kept with their places until verify() has seen the whole sharding.
// Not a public header.
#pragma once

#include "sharding/scan.h"
#include "sharding/verify.h"

namespace sw {

constexpr size_t kMaxRank = 4096;  // dimensions of one sharding, axes of one mesh: far above anything real

class DimsParser {
 public:
  // `hlo`: V3, which has no priorities, a `manual` list and perhaps metadata behind it, and may number the axes ('0').
  DimsParser(Scan& scan, const Mesh& mesh, bool hlo = false) : scan_(scan), mesh_(mesh), hlo_(hlo) {}

  bool dims(NamedShardingSpec& spec);
  // `, replicated={...}, unreduced=max{...}`, in either order; in HLO also `, manual={...}`, up to `, metadata=`.
  bool lists(NamedShardingSpec& spec, AxisList* manual = nullptr);
  // `{"x", "y":(1)2}`; `which` as in PlacedAxis::list.
  bool axes(AxisList& list, int32_t which);
  bool verify() { return verify_axes(mesh_, placed_, scan_.diagnostics()); }

 private:
  bool dim(NamedShardingSpec::Dim& dim, int32_t number);
  bool priority(NamedShardingSpec::Dim& dim, size_t dim_begin);
  bool reduction(NamedShardingSpec& spec);
  bool axis(AxisList& list, int32_t which);
  bool part(PlacedAxis& placed, size_t begin);
  std::optional<uint32_t> axis_index(std::string_view name) const;

  Scan& scan_;
  const Mesh& mesh_;
  bool hlo_;
  std::vector<PlacedAxis> placed_;
};

}  // namespace sw
