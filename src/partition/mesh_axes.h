// Which axes of a mesh a collective runs over, from its replica groups or its source-target pairs.
//
// A mesh numbers its devices with one digit an axis, and groups that are an iota number them with one digit a part of
// the iota. The members of a group differ in the minor digits of the latter; these are runs of device numbers
// [stride, stride * size), and so is every axis. Where the ends of the runs fall on axes, or cut them evenly, the
// groups run over these axes or parts of axes. Nothing of this is work per device; lists of devices that were written
// out are read once.
//
// Worked example: the mesh x=2, y=4, z=2 has the runs z = [1,2), y = [2,8), x = [8,16). Groups [4,4]<=[2,4,2]T(1,0,2)
// have members that differ in the digits [1,2) and [8,16): the axes x and z. Groups [4,4]<=[16] differ in [1,4): z, and
// of y the part [2,4), which is "y":(2)2.
#pragma once

#include <optional>
#include <span>
#include <utility>

#include "partition/scope.h"
#include "sharding/axis_ref.h"
#include "sharding/mesh.h"

namespace sw {

// The axes, in the order of the mesh, along which the members of a group differ; empty for groups of one. Nothing when
// groups do not follow axes, or are not of all devices of the mesh.
std::optional<AxisList> axes_of_groups(const Mesh& mesh, const DeviceGroups& groups);

// The axes on which the two devices of some pair differ, or the smallest parts of them that say so. Nothing when a pair
// names no device of the mesh.
std::optional<AxisList> axes_of_pairs(const Mesh& mesh, std::span<const std::pair<int64_t, int64_t>> pairs);

}  // namespace sw
