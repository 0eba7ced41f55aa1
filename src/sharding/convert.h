// From one spelling of a sharding to another, where the other can say it; where it cannot, the reason in words.
//
// named -> tile follows XLA's export of Shardy's result (service/spmd/shardy/stablehlo_round_trip/export_shardings.cc):
// open dimensions, priorities and explicitly replicated axes are dropped; every axis is written down in the order
// dimensions, manual, unreduced, the rest, and the normal form of tile_build.h does the rest.
#pragma once

#include <span>
#include <string>
#include <tl/expected.hpp>

#include "sharding/named_sharding.h"
#include "sharding/tile_sharding.h"

namespace sw {

// A converted value, or why there is none: lower case, no full stop, "axis `x` is cut into parts".
template <class T>
using Converted = tl::expected<T, std::string>;

// `manual`: full axes of the mesh on which an enclosing manual computation works.
TileSharding tile_from_named(const Mesh& mesh, const NamedShardingSpec& spec, std::span<const AxisRef> manual = {});
TileSharding tile_from_named(const ShardingTable& table, NamedShardingId id, std::span<const AxisRef> manual = {});

// The sharding over `mesh` with exactly this assignment of devices to tiles; all dimensions closed. `rank` gives the
// rank of what is written without one (`{replicated}`). Parts of axes where needed. `manual`
// takes the axes of a manual subgroup: inside a manual computation a named sharding speaks of the others only. Without
// it a manual subgroup cannot be said.
Converted<NamedShardingSpec> named_from_tile(const TileSharding& tile, const ShardingTable& table, MeshId mesh,
                                             size_t rank, AxisList* manual = nullptr);

// `P('x', ('y', 'z'), None)`: an entry for each dimension, `P()` where all are None; an open dimension without axes is
// P.UNCONSTRAINED.
Converted<std::string> partition_spec_text(const ShardingTable& table, NamedShardingId id);

}  // namespace sw
