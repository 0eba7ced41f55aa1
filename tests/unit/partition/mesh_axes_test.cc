// Axes of collectives: from iotas, from written lists, on meshes with and without a device order, from pairs.
#include "partition/mesh_axes.h"

#include <chrono>
#include <string>

#include "support/catch.h"

using namespace sw;

namespace {

Mesh mesh_of(std::vector<std::pair<std::string, int64_t>> axes, std::vector<int64_t> ids = {}) {
  Mesh mesh;
  for (auto& [name, size] : axes) mesh.axes.push_back({name, size});
  mesh.device_ids = std::move(ids);
  return mesh;
}

std::string words(const Mesh& mesh, const std::optional<AxisList>& axes) {
  if (!axes) return "none";
  std::string text = "{";
  for (const AxisRef& axis : *axes) {
    if (text.size() > 1) text += ",";
    text += mesh.axes[axis.axis].name;
    if (axis.size != mesh.axes[axis.axis].size)
      text += ":(" + std::to_string(axis.pre) + ")" + std::to_string(axis.size);
  }
  return text + "}";
}

std::string of_iota(const Mesh& mesh, std::vector<int64_t> dims, std::vector<int64_t> reshape,
                    std::vector<int32_t> perm) {
  return words(mesh, axes_of_groups(mesh, iota_grid(dims, reshape, perm)));
}

// The same groups written out.
std::string of_list(const Mesh& mesh, std::vector<int64_t> dims, std::vector<int64_t> reshape,
                    std::vector<int32_t> perm) {
  return words(mesh, axes_of_groups(mesh, list_grid(dims, device_ids(iota_grid(dims, reshape, perm)))));
}

std::string of_pairs(const Mesh& mesh, std::vector<std::pair<int64_t, int64_t>> pairs) {
  return words(mesh, axes_of_pairs(mesh, pairs));
}

}  // namespace

TEST_CASE("groups of an iota run over axes and parts of axes", "[mesh_axes]") {
  const Mesh mesh = mesh_of({{"x", 2}, {"y", 4}, {"z", 2}});
  struct Case {
    std::vector<int64_t> dims, reshape;
    std::vector<int32_t> perm;
    std::string axes;
  };
  const Case cases[] = {
      {{1, 16}, {16}, {0}, "{x,y,z}"},
      {{16, 1}, {16}, {0}, "{}"},
      {{8, 2}, {16}, {0}, "{z}"},
      {{8, 2}, {2, 8}, {1, 0}, "{x}"},
      {{4, 4}, {2, 4, 2}, {0, 2, 1}, "{y}"},
      {{4, 4}, {2, 4, 2}, {1, 0, 2}, "{x,z}"},
      {{4, 4}, {2, 4, 2}, {1, 2, 0}, "{x,z}"},
      {{4, 4}, {16}, {0}, "{y:(2)2,z}"},
      {{8, 2}, {2, 2, 4}, {0, 2, 1}, "{y:(1)2}"},
      {{8, 2}, {4, 2, 2}, {0, 2, 1}, "{y:(2)2}"},
      {{4, 4}, {4, 4}, {1, 0}, "{x,y:(1)2}"},
      {{1, 8}, {8}, {0}, "none"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.axes, c.dims, c.reshape, c.perm);
    CHECK(of_iota(mesh, c.dims, c.reshape, c.perm) == c.axes);
    CHECK(of_list(mesh, c.dims, c.reshape, c.perm) == c.axes);
  }
}

TEST_CASE("axes whose sizes share no divisor", "[mesh_axes]") {
  const Mesh mesh = mesh_of({{"a", 3}, {"b", 2}});
  CHECK(of_iota(mesh, {3, 2}, {6}, {0}) == "{b}");
  CHECK(of_iota(mesh, {2, 3}, {3, 2}, {1, 0}) == "{a}");
  CHECK(of_iota(mesh, {2, 3}, {6}, {0}) == "none");
  CHECK(of_iota(mesh_of({{"a", 6}}), {2, 3}, {6}, {0}) == "{a:(2)3}");
  CHECK(of_iota(mesh_of({{"a", 6}}), {3, 2}, {6}, {0}) == "{a:(3)2}");
}

TEST_CASE("groups that follow no axes", "[mesh_axes]") {
  const Mesh mesh = mesh_of({{"x", 2}, {"y", 4}});
  CHECK(words(mesh, axes_of_groups(mesh, list_grid(TileDims{2, 4}, {0, 1, 2, 4, 3, 5, 6, 7}))) == "none");
  CHECK(words(mesh, axes_of_groups(mesh, list_grid(TileDims{4, 2}, {0, 1, 2, 3, 4, 6, 5, 7}))) == "none");
  CHECK(words(mesh, axes_of_groups(mesh, list_grid(TileDims{4, 2}, {0, 3, 1, 2, 4, 7, 5, 6}))) == "none");
  CHECK(words(mesh, axes_of_groups(mesh, list_grid(TileDims{4, 2}, {1, 2, 3, 4, 5, 6, 7, 0}))) == "none");
  CHECK(words(mesh, axes_of_groups(mesh, list_grid(TileDims{4, 2}, {0, 1, 2, 3, 4, 5, 6, 9}))) == "none");
  // In any order of groups and members.
  CHECK(words(mesh, axes_of_groups(mesh, list_grid(TileDims{2, 4}, {7, 5, 6, 4, 3, 2, 1, 0}))) == "{y}");
}

TEST_CASE("a mesh with an order of devices", "[mesh_axes]") {
  const Mesh mesh = mesh_of({{"x", 2}, {"y", 2}}, {0, 2, 1, 3});
  CHECK(of_iota(mesh, {2, 2}, {4}, {0}) == "{x}");
  CHECK(of_iota(mesh, {2, 2}, {2, 2}, {1, 0}) == "{y}");
  CHECK(of_pairs(mesh, {{0, 1}, {1, 0}}) == "{x}");
  CHECK(of_iota(mesh_of({{"x", 2}, {"y", 2}}, {0, 2, 1, 9}), {2, 2}, {4}, {0}) == "none");
}

TEST_CASE("pairs run over what they differ in", "[mesh_axes]") {
  const Mesh mesh = mesh_of({{"x", 2}, {"y", 4}});
  CHECK(of_pairs(mesh, {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 5}, {5, 6}, {6, 7}, {7, 4}}) == "{y}");
  CHECK(of_pairs(mesh, {{0, 1}, {1, 2}, {2, 3}}) == "{y}");
  CHECK(of_pairs(mesh, {{0, 4}, {4, 0}}) == "{x}");
  CHECK(of_pairs(mesh, {{0, 1}, {1, 0}, {2, 3}, {3, 2}}) == "{y:(2)2}");
  CHECK(of_pairs(mesh, {{0, 2}, {2, 0}, {1, 3}, {3, 1}}) == "{y:(1)2}");
  CHECK(of_pairs(mesh, {{1, 4}, {4, 1}}) == "{x,y:(2)2}");
  CHECK(of_pairs(mesh, {{0, 0}, {1, 1}}) == "{}");
  CHECK(of_pairs(mesh, {{0, 8}}) == "none");
  // Blocks of three, steps of two: no part of an axis of six says both.
  CHECK(of_pairs(mesh_of({{"a", 6}}), {{0, 2}, {3, 5}}) == "{a}");
}

TEST_CASE("the number of devices costs nothing", "[mesh_axes]") {
  const Mesh mesh = mesh_of({{"x", 1 << 10}, {"y", 1 << 10}, {"z", 1 << 10}});
  const auto start = std::chrono::steady_clock::now();
  CHECK(of_iota(mesh, {1 << 20, 1 << 10}, {1 << 10, 1 << 10, 1 << 10}, {0, 2, 1}) == "{y}");
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(1));
}
