// Bytes of one array as each compiler stores it.
//
// GPU and CPU pack elements one after the other. A TPU stores tiles: rows of 128 lanes of 32 bits, types of fewer bits
// packed into a lane, and groups of rows. What does not fill its tile is padded, so the compiler picks which dimension
// runs along the lanes and which along the rows so that least is lost:
//
//   f32[1000,3]  -> {0,1:T(4,128)}   dimension 0 along the lanes: 4 rows of 1024, 16 KiB; the other way round 512 KiB
//
// The rules of TPUs are not published; these are what its compiler answered for 936 layouts (tests/unit/memory).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ir/types.h"

namespace sw {

enum class ArrayForm : uint8_t { packed, tiled };

// Of a static array; 0 for tokens, tuples and arrays without elements. Dynamic extents count as their bounds. Saturates
// at INT64_MAX.
int64_t stored_bytes(const Type& type, ArrayForm form);

// How a TPU stores an array. Without elements or of rank 0 there are no dimensions to order.
struct TiledLayout {
  std::vector<int64_t> minor_to_major;
  int64_t rows = 0;    // of a tile; 0: rank 0 or 1, tiled along its lanes only
  int64_t lanes = 0;   // of a tile; 0: not tiled
  int64_t packed = 1;  // elements in a lane
  int64_t bytes = 0;
};
TiledLayout tiled_layout(const Type& type);

// As XLA prints it: `{1,0:T(8,128)(2,1)}`.
std::string layout_text(const Type& type);

}  // namespace sw
