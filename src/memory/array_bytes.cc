// See the header.
//
// Let p = max(1, 32 / bits) be the elements packed in a lane.
//   rank 0    one tile of 128 p elements
//   rank 1    tiles of 128 p, 256 p ... 1024 elements: the smallest power of two that holds the array, at most 1024
//   rank >= 2 the pair (rows, lanes) of dimensions with the least padding; of equal ones that nearest to the default,
//             the last dimension along the lanes. Lanes are filled up to 128, rows to the smallest of 1, 2, 4, 8 that
//             holds them, at least p, since p rows lie in one.
// The sum is rounded up to 512 bytes. 64-bit types are stored as two arrays of 32 bits, complex doubles as four.
#include "memory/array_bytes.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "base/checked_math.h"

namespace sw {

namespace {

constexpr int64_t kLanes = 128, kRows = 8, kMostInLine = 1024, kGranule = 512;
constexpr int64_t kSaturated = std::numeric_limits<int64_t>::max();

int64_t product(int64_t a, int64_t b) { return checked_mul(a, b).value_or(kSaturated); }

// Of so many elements of so many bits.
int64_t whole_bytes(int64_t elements, int64_t element_bits) {
  const int64_t all = product(elements, element_bits);
  return all == kSaturated ? all : ceil_div(all, 8);
}

int64_t rounded_up(int64_t value, int64_t unit) { return product(ceil_div(value, unit), unit); }

bool has_elements(const Type& type) {
  return type.is_array() && type.is_static() && std::find(type.dims.begin(), type.dims.end(), 0) == type.dims.end();
}

int64_t tile_rows(int64_t extent, int64_t packed) {
  const auto smallest =
      static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(std::clamp<int64_t>(extent, 1, kRows))));
  return std::max(packed, smallest);
}

// Elements of the array with dimension `minor` along the lanes and `second` along the rows.
int64_t padded_elements(const Type& type, size_t minor, size_t second, int64_t packed) {
  int64_t count = product(rounded_up(type.dims[minor], kLanes),
                          rounded_up(type.dims[second], tile_rows(type.dims[second], packed)));
  for (size_t d = 0; d < type.rank(); ++d)
    if (d != minor && d != second) count = product(count, type.dims[d]);
  return count;
}

// Fills in order and tile; returns the elements stored.
int64_t choose_tile(const Type& type, TiledLayout& out) {
  const int64_t packed = out.packed, line = std::min(kMostInLine, kLanes * packed);
  if (type.rank() == 0) {
    out.lanes = line;
    return line;
  }
  if (type.rank() == 1) {
    const int64_t extent = std::min(type.dims[0], kMostInLine);
    out.minor_to_major = {0};
    out.lanes = std::max(line, static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(extent))));
    return rounded_up(type.dims[0], out.lanes);
  }
  const size_t rank = type.rank();
  size_t minor = 0, second = 0;
  int64_t least = -1;
  for (size_t m = rank; m-- > 0;)
    for (size_t s = rank; s-- > 0;) {
      if (m == s) continue;
      const int64_t count = padded_elements(type, m, s, packed);
      if (least >= 0 && count >= least) continue;
      least = count;
      minor = m;
      second = s;
    }
  out.minor_to_major = {static_cast<int64_t>(minor), static_cast<int64_t>(second)};
  for (size_t d = rank; d-- > 0;)
    if (d != minor && d != second) out.minor_to_major.push_back(static_cast<int64_t>(d));
  out.lanes = kLanes;
  // Bytes and less fill whole rows of lanes where the extent allows.
  const bool whole_rows = packed >= 4 && type.dims[second] % (kRows * packed) == 0;
  out.rows = whole_rows ? kRows * packed : tile_rows(type.dims[second], packed);
  return least;
}

}  // namespace

TiledLayout tiled_layout(const Type& type) {
  TiledLayout out;
  if (!has_elements(type)) {
    for (size_t d = type.is_array() ? type.rank() : 0; d-- > 0;) out.minor_to_major.push_back(static_cast<int64_t>(d));
    return out;
  }
  const int64_t element_bits = bits(type.element);
  const int64_t parts = element_bits > 32 ? element_bits / 32 : 1, part_bits = std::min<int64_t>(element_bits, 32);
  out.packed = part_bits > 0 ? std::max<int64_t>(1, 32 / part_bits) : 1;
  const int64_t elements = choose_tile(type, out);
  const int64_t part = rounded_up(whole_bytes(elements, part_bits), kGranule);
  out.bytes = product(part, parts);
  return out;
}

int64_t stored_bytes(const Type& type, ArrayForm form) {
  if (form == ArrayForm::tiled) return tiled_layout(type).bytes;
  return has_elements(type) ? whole_bytes(type.element_count(), bits(type.element)) : 0;
}

std::string layout_text(const Type& type) {
  const TiledLayout layout = tiled_layout(type);
  std::string text = "{";
  for (size_t i = 0; i < layout.minor_to_major.size(); ++i)
    text += (i == 0 ? "" : ",") + std::to_string(layout.minor_to_major[i]);
  std::string tiles;
  if (layout.lanes > 0) {
    tiles = layout.rows > 0 ? "T(" + std::to_string(layout.rows) + ",128)" : "T(" + std::to_string(layout.lanes) + ")";
    if (layout.packed > 1 && type.rank() == 1) tiles += "(128)";
    if (layout.packed > 1 && type.rank() > 0) tiles += "(" + std::to_string(layout.packed) + ",1)";
  }
  if (type.is_array() && bits(type.element) < 8) tiles += "E(" + std::to_string(bits(type.element)) + ")";
  if (!tiles.empty()) text += ":" + tiles;
  return text + "}";
}

}  // namespace sw
