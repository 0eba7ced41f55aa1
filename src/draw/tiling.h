// One array in one sharding, as a grid of pieces: how each dimension is cut and by which axes of the mesh, how many
// devices hold each piece, which ones, and what of a piece is padding. Everything is arithmetic on the sharding; a mesh
// of thousands of devices costs what a small one costs, and only pieces that are asked for are worked out.
//
//   f32[9,16] under {devices=[2,1,4]<=[8] last_tile_dim_replicate} on data=2, model=4:
//     dimension 0: 9 in 2 tiles of 5 by data, the last has 4; dimension 1: whole; 4 copies of each, by model
//     the piece (1,0) is on the devices 4 5 6 7
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/checked_math.h"
#include "report/plan_report.h"

namespace sw {

constexpr uint32_t kNoAxis = 0xffffffffU;

struct TileAxis {
  std::string name;  // "data", "x:(1)2"; empty: tiles that follow no axis
  int64_t size = 1;
  uint32_t axis = kNoAxis;  // position in the mesh: its colour
};

struct TiledDim {
  int64_t extent = 1, tiles = 1, piece = 1;
  std::vector<TileAxis> axes;  // major to minor
  // Of tile i: what is not padding.
  int64_t filled(int64_t i) const {
    return std::clamp<int64_t>(extent - checked_mul(i, piece).value_or(extent), 0, piece);
  }
  bool uneven() const { return extent % tiles != 0; }
};

enum class TilingKind : uint8_t { tiled, whole, one_device, manual, unknown };

struct Tiling {
  TilingKind kind = TilingKind::whole;
  std::vector<TiledDim> dims;
  int64_t copies = 1;               // devices of each piece
  std::vector<TileAxis> copy_axes;  // those that are axes of the mesh as a whole
  bool manual_copies = false;       // not copies: pieces of a manual region, which is not cut here
  int64_t devices = 1;
  DeviceList order;       // by tiles, row-major, then copies
  int64_t node_size = 0;  // devices of a node, which are numbered one after the other; 0: not known

  int64_t device(std::span<const int64_t> tile, int64_t copy) const;
  // "5", "0, 4", "4–7", "0, 8 … 56": the devices of a piece, in at most about 16 characters.
  std::string devices_text(std::span<const int64_t> tile) const;
  // What the numbers of the copies of a piece differ by; 0 where it is not always the same.
  int64_t copies_step(std::span<const int64_t> tile) const;
  bool uneven() const;
  // Whether it is known which device holds which piece.
  bool says_devices() const { return kind != TilingKind::manual && kind != TilingKind::unknown; }
  // "[4,16]": what of a piece is not padding; empty where all of it is.
  std::string filled_text(std::span<const int64_t> tile) const;
};

Tiling tiling_of(const Program& program, MeshId mesh, PlannedSharding sharding, std::span<const int64_t> extents);
// The mesh itself: an axis a dimension, a device a piece.
Tiling tiling_of_mesh(const Mesh& mesh);

// Which dimensions a flat picture shows: at most one down and one across, the others by panels, one for each of their
// tiles. Those with most tiles are shown; what is not cut takes no part.
struct FlatView {
  int rows = -1, columns = -1;  // dimensions
  std::vector<int> panels;
  int64_t panel_count = 1;
};
FlatView flat_view(const Tiling& tiling);
// The tile coordinates of panel `index`, with zeros for rows and columns.
std::vector<int64_t> panel_tile(const Tiling& tiling, const FlatView& view, int64_t index);

// Which of `count` things are shown where there is room for `most`: the first ones, -1 for a gap, and the last.
std::vector<int64_t> shown_of(int64_t count, int64_t most);

// "512 in 4 of 128 by model", "9 in 2 of 5 by data, the last has 4", "784, whole".
std::string dim_words(const TiledDim& dim);
// "each piece on 4 devices, along model", or empty.
std::string copies_words(const Tiling& tiling);

}  // namespace sw
