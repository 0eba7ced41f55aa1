// What makes a mesh or a sharding well-formed: the rules of Shardy's verifiers (ir/verifiers.cc), each with its own
// message. Two halves: what a text says by itself (checked by the parsers, at the bytes of each axis), and how it fits
// the value it is on (checked by whoever knows the value: verify_sharding). Whether a dimension divides is not among
// them: Shardy allows any size, also 0.
#pragma once

#include <span>
#include <string_view>

#include "ir/types.h"
#include "sharding/named_sharding.h"
#include "source/diagnostic.h"

namespace sw {

// Positions of the parts of a mesh in its text; empty where there are none (all messages then point at `whole`).
struct MeshPlaces {
  SourceRange whole;
  std::vector<SourceRange> axis_names, axis_sizes, device_ids;
};

// Sizes positive, fewer than 2^31 devices, names unique, device ids a permutation that is not the identity. Reports
// all.
bool verify_mesh(const Mesh& mesh, const MeshPlaces& places, Diagnostics& diagnostics);

// One axis of a sharding's text.
struct PlacedAxis {
  static constexpr int32_t kReplicated = -1, kUnreduced = -2, kManual = -3;
  AxisRef ref;
  int32_t list = 0;  // dimension number, or one of the above
  SourceRange where;
  bool spelled_as_part = false;  // `"x":(1)8` and not `"x"`
};

// All axes of one sharding, list by list, names resolved already: sub-axes well-formed, nothing used twice, neighbours
// that merge are merged, replicated and unreduced lists in mesh order. Reports all.
bool verify_axes(const Mesh& mesh, std::span<const PlacedAxis> axes, Diagnostics& diagnostics);

// "unknown axis `tenser`", with the nearest name of the mesh or the list of them.
void report_unknown_axis(const Mesh& mesh, std::string_view name, SourceRange where, Diagnostics& diagnostics);

// The sharding fits a value of this type: rank equal (0 for what is not an array), nothing on a maximal mesh, none of
// its axes among `manual` (axes of its mesh that an enclosing manual computation has taken). `value` is what messages
// call it:
// "`%arg1`".
bool verify_sharding(const ShardingTable& table, NamedShardingId id, const Type& type, std::span<const AxisRef> manual,
                     std::string_view value, SourceRange where, Diagnostics& diagnostics);

}  // namespace sw
