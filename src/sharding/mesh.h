// Meshes: a grid of devices with named axes, in the order of the text, optionally with an explicit device order.
// Three special forms of Shardy: the empty mesh `<[]>` (wildcard), and the maximal mesh `<[], device_ids=[3]>` (one
// device).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"

namespace sw {

struct MeshAxis {
  std::string name;
  int64_t size = 1;
  friend bool operator==(const MeshAxis&, const MeshAxis&) = default;
};

struct Mesh {
  std::vector<MeshAxis> axes;
  std::vector<int64_t> device_ids;  // empty: 0, 1, 2, ... in row-major order of the axes
  friend bool operator==(const Mesh&, const Mesh&) = default;

  bool empty() const { return axes.empty() && device_ids.empty(); }
  bool maximal() const { return axes.empty() && device_ids.size() == 1; }
  // Product of the axis sizes (1 for empty and maximal meshes). Readers guarantee that it is below 2^31.
  int64_t device_count() const;
  std::optional<uint32_t> axis_named(std::string_view name) const;
};

// Meshes of a program by symbol name. Equal contents under two names stay two entries; `MeshId` names the symbol.
struct NamedMesh {
  std::string name;  // "mesh"; inline meshes have an empty name
  Mesh mesh;
};

}  // namespace sw
