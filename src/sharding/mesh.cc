#include "sharding/mesh.h"

namespace sw {

int64_t Mesh::device_count() const {
  int64_t count = 1;
  for (const MeshAxis& axis : axes) count *= axis.size;
  return count;
}

std::optional<uint32_t> Mesh::axis_named(std::string_view name) const {
  for (uint32_t i = 0; i < axes.size(); ++i)
    if (axes[i].name == name) return i;
  return std::nullopt;
}

}  // namespace sw
