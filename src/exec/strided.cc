#include "exec/strided.h"

#include <algorithm>
#include <cstring>

#include "base/check.h"
#include "base/parallel.h"
#include "sharding/tile_grid.h"

namespace sw {

DimList row_major(std::span<const int64_t> dims) {
  DimList distances(dims.size(), 1);
  for (size_t i = dims.size(); i-- > 1;) distances[i - 1] = distances[i] * dims[i];
  return distances;
}

namespace {

struct Wide {
  uint64_t low, high;
};

// Drops extents of 1 and joins neighbours that both walks cross in one stride.
StridedCopy simplified(const StridedCopy& copy) {
  StridedCopy out;
  out.from_start = copy.from_start;
  out.to_start = copy.to_start;
  for (size_t i = 0; i < copy.extents.size(); ++i) {
    const int64_t n = copy.extents[i];
    if (n == 1) continue;
    if (!out.extents.empty() && out.from.back() == copy.from[i] * n && out.to.back() == copy.to[i] * n) {
      out.extents.back() *= n;
      out.from.back() = copy.from[i];
      out.to.back() = copy.to[i];
      continue;
    }
    out.extents.push_back(n);
    out.from.push_back(copy.from[i]);
    out.to.push_back(copy.to[i]);
  }
  return out;
}

template <class T>
void copy_row(const T* from, int64_t from_step, T* to, int64_t to_step, int64_t count) {
  if (from_step == 1 && to_step == 1) {
    std::memcpy(to, from, static_cast<size_t>(count) * sizeof(T));
  } else if (from_step == 0 && to_step == 1) {
    std::fill(to, to + count, *from);
  } else if (to_step == 1) {
    for (int64_t i = 0; i < count; ++i) to[i] = from[i * from_step];
  } else {
    for (int64_t i = 0; i < count; ++i) to[i * to_step] = from[i * from_step];
  }
}

// The two innermost dimensions in blocks, so that a transpose does not walk a whole column per element.
template <class T>
void copy_plane(const StridedCopy& c, size_t outer, const T* from, T* to) {
  constexpr int64_t kBlock = 32;
  const int64_t rows = c.extents[outer], columns = c.extents[outer + 1];
  const bool blocked = c.from[outer + 1] != 1 && c.from[outer + 1] != 0 && columns > kBlock && rows > kBlock;
  const int64_t row_block = blocked ? kBlock : rows, column_block = blocked ? kBlock : columns;
  for (int64_t r0 = 0; r0 < rows; r0 += row_block)
    for (int64_t c0 = 0; c0 < columns; c0 += column_block)
      for (int64_t r = r0; r < std::min(rows, r0 + row_block); ++r)
        copy_row(from + r * c.from[outer] + c0 * c.from[outer + 1], c.from[outer + 1],
                 to + r * c.to[outer] + c0 * c.to[outer + 1], c.to[outer + 1], std::min(column_block, columns - c0));
}

template <class T>
void copy_from_dim(const StridedCopy& c, size_t dim, const T* from, T* to) {
  if (dim == c.extents.size()) {
    *to = *from;
  } else if (dim + 1 == c.extents.size()) {
    copy_row(from, c.from[dim], to, c.to[dim], c.extents[dim]);
  } else if (dim + 2 == c.extents.size()) {
    copy_plane(c, dim, from, to);
  } else {
    for (int64_t i = 0; i < c.extents[dim]; ++i) copy_from_dim(c, dim + 1, from + i * c.from[dim], to + i * c.to[dim]);
  }
}

template <class T>
void run_typed(const StridedCopy& c, const std::byte* from_bytes, std::byte* to_bytes) {
  const T* from = reinterpret_cast<const T*>(from_bytes) + c.from_start;
  T* to = reinterpret_cast<T*>(to_bytes) + c.to_start;
  const int64_t count = product(c.extents);
  constexpr int64_t kWorthSharing = 1 << 18;
  if (count < kWorthSharing || c.extents[0] < 2) return copy_from_dim(c, 0, from, to);
  parallel_parts(c.extents[0], std::max<int64_t>(1, kWorthSharing / 4 * c.extents[0] / count),
                 [&](int64_t begin, int64_t end) {
                   StridedCopy part = c;
                   part.extents[0] = end - begin;
                   copy_from_dim(part, 0, from + begin * c.from[0], to + begin * c.to[0]);
                 });
}

}  // namespace

void copy_strided(const StridedCopy& copy, const std::byte* from, std::byte* to, size_t width) {
  if (std::find(copy.extents.begin(), copy.extents.end(), 0) != copy.extents.end()) return;
  const StridedCopy c = simplified(copy);
  switch (width) {
    case 1: return run_typed<uint8_t>(c, from, to);
    case 2: return run_typed<uint16_t>(c, from, to);
    case 4: return run_typed<uint32_t>(c, from, to);
    case 8: return run_typed<uint64_t>(c, from, to);
    case 16: return run_typed<Wide>(c, from, to);
    default: SW_CHECK(false, "an element has 1, 2, 4, 8 or 16 bytes");
  }
}

void fill(std::byte* to, const std::byte* value, size_t count, size_t width) {
  StridedCopy copy;
  copy.extents = {static_cast<int64_t>(count)};
  copy.from = {0};
  copy.to = {1};
  copy_strided(copy, value, to, width);
}

Array permuted(const Array& a, std::span<const int64_t> order) {
  if (std::is_sorted(order.begin(), order.end())) return a;
  const DimList steps = row_major(a.dims);
  DimList dims, distances;
  for (const int64_t d : order) {
    dims.push_back(a.dims[static_cast<size_t>(d)]);
    distances.push_back(steps[static_cast<size_t>(d)]);
  }
  return gathered(a, dims, distances, 0);
}

Array gathered(const Array& from, std::span<const int64_t> dims, std::span<const int64_t> distances, int64_t start) {
  Array out = new_array(from.element, dims);
  StridedCopy copy{DimList(dims), DimList(distances), row_major(dims), start, 0};
  copy_strided(copy, from.bytes(), out.bytes(), static_cast<size_t>(element_bytes(from.element)));
  return out;
}

void parallel_parts(int64_t count, int64_t grain, const std::function<void(int64_t, int64_t)>& body) {
  constexpr int64_t kParts = 64;
  grain = std::max<int64_t>(grain, 1);
  const int64_t parts = std::clamp<int64_t>(count / grain, 1, kParts);
  if (parts == 1) return body(0, count);
  parallel_for(static_cast<size_t>(parts), [&](size_t part) {
    const auto p = static_cast<int64_t>(part);
    body(count * p / parts, count * (p + 1) / parts);
  });
}

}  // namespace sw
