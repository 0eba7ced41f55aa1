// Follows IotaTileAssignment and TileAssignment of XLA (tile_assignment.cc). Worked example, transposing an iota:
//   grid [2,4]<=[8] with perm (1,0): one part, so the parts become the dims: [4,2]<=[2,4]T(1,0).
//   grid [2,2,2]<=[2,4]T(1,0): dims 2,2 come from the part of size 4, the last from the part of size 2; the parts are
//   cut into primes, dims take whole runs of primes, runs are permuted, and neighbours are fused again.
#include "sharding/tile_grid.h"

#include <algorithm>
#include <numeric>

namespace sw {
namespace {

using Parts = SmallVector<int64_t, 16>;
using PartOrder = SmallVector<int32_t, 16>;

// Drops parts of size 1, renumbering `perm`.
void drop_unit_parts(Parts& parts, PartOrder& perm) {
  SmallVector<int32_t, 16> renumbered(parts.size(), -1);
  int32_t kept = 0;
  for (size_t i = 0; i < parts.size(); ++i) {
    if (parts[i] != 1) renumbered[i] = kept++;
  }
  if (static_cast<size_t>(kept) == parts.size()) return;
  size_t at = 0;
  for (const int32_t p : PartOrder(perm)) {
    if (renumbered[static_cast<size_t>(p)] >= 0) perm[at++] = renumbered[static_cast<size_t>(p)];
  }
  perm.resize(at);
  at = 0;
  for (const int64_t part : Parts(parts)) {
    if (part != 1) parts[at++] = part;
  }
  parts.resize(at);
}

// Fuses runs of parts that are neighbours in both orders. Returns whether anything was fused.
bool fuse_neighbours(Parts& parts, const PartOrder& perm) {
  bool fused = false;
  size_t base = 0;
  for (size_t i = 1; i < perm.size(); ++i) {
    if (perm[base] + static_cast<int32_t>(i - base) == perm[i]) {
      parts[static_cast<size_t>(perm[base])] *= parts[static_cast<size_t>(perm[i])];
      parts[static_cast<size_t>(perm[i])] = 1;
      fused = true;
    } else {
      base = i;
    }
  }
  return fused;
}

DeviceList canonical_iota(Parts parts, PartOrder perm) {
  if (parts.size() > 1) {
    do drop_unit_parts(parts, perm);
    while (fuse_neighbours(parts, perm));
  }
  DeviceList devices;
  if (parts.empty()) {
    devices.reshape.push_back(1);
    devices.perm.push_back(0);
    return devices;
  }
  devices.reshape.assign(parts.begin(), parts.end());
  devices.perm.assign(perm.begin(), perm.end());
  return devices;
}

enum class TransposeEffect : uint8_t { none, moves_units, moves_devices };

TransposeEffect transpose_effect(std::span<const int64_t> dims, std::span<const int64_t> perm) {
  TransposeEffect effect = TransposeEffect::none;
  int64_t last = -1;
  for (size_t i = 0; i < perm.size(); ++i) {
    const size_t d = static_cast<size_t>(perm[i]);
    if (dims[d] == 1) {
      if (d != i && dims[i] != 1) effect = TransposeEffect::moves_units;
      continue;
    }
    if (perm[i] <= last) return TransposeEffect::moves_devices;
    last = perm[i];
  }
  return effect;
}

// The parts of an iota cut into primes, in the order of the permutation.
struct PrimeParts {
  Parts sizes;      // by position in the uncut array, major to minor
  PartOrder order;  // permuted order, indices into sizes
  PartOrder owner;  // by position in `order`: the part it was cut from
};

PrimeParts cut_into_primes(const DeviceList& devices) {
  PrimeParts primes;
  SmallVector<int32_t, 16> first;
  for (int64_t size : devices.reshape) {
    first.push_back(static_cast<int32_t>(primes.sizes.size()));
    for (; size % 2 == 0; size /= 2) primes.sizes.push_back(2);
    for (int64_t p = 3; p * p <= size; p += 2) {
      for (; size % p == 0; size /= p) primes.sizes.push_back(p);
    }
    if (size > 1) primes.sizes.push_back(size);
  }
  first.push_back(static_cast<int32_t>(primes.sizes.size()));
  for (const int32_t part : devices.perm) {
    for (int32_t j = first[static_cast<size_t>(part)]; j < first[static_cast<size_t>(part) + 1]; ++j) {
      primes.order.push_back(j);
      primes.owner.push_back(part);
    }
  }
  return primes;
}

// The prime at `at` that divides `target`; primes of one part may trade places, since their product is all that counts.
// Returns -1 when there is none.
int32_t take_prime(PrimeParts& primes, int64_t target, size_t at) {
  const int32_t here = primes.order[at];
  if (target % primes.sizes[static_cast<size_t>(here)] == 0) return here;
  for (size_t later = at + 1; later < primes.order.size(); ++later) {
    if (primes.owner[later] != primes.owner[at]) continue;
    const int32_t there = primes.order[later];
    if (target % primes.sizes[static_cast<size_t>(there)] == 0) {
      std::swap(primes.sizes[static_cast<size_t>(here)], primes.sizes[static_cast<size_t>(there)]);
      return here;
    }
  }
  return -1;
}

std::optional<TileGrid> transposed_by_primes(const TileGrid& grid, std::span<const int64_t> perm,
                                             const TileDims& dims) {
  PrimeParts primes = cut_into_primes(grid.devices);
  SmallVector<int32_t, 16> run_begin(grid.rank() + 1, 0);  // dim d owns order[run_begin[d] .. run_begin[d + 1])
  size_t at = 0;
  for (size_t d = 0; d < grid.rank(); ++d) {
    run_begin[d] = static_cast<int32_t>(at);
    int64_t target = grid.dims[d];
    while (target != 1 && at < primes.order.size()) {
      const int32_t prime = take_prime(primes, target, at);
      if (prime < 0) break;
      target /= primes.sizes[static_cast<size_t>(prime)];
      ++at;
    }
    if (target != 1) return std::nullopt;
  }
  run_begin[grid.rank()] = static_cast<int32_t>(at);
  PartOrder flat;
  for (const int64_t d : perm) {
    const size_t i = static_cast<size_t>(d);
    for (int32_t j = run_begin[i]; j < run_begin[i + 1]; ++j) flat.push_back(primes.order[static_cast<size_t>(j)]);
  }
  return TileGrid{dims, canonical_iota(std::move(primes.sizes), std::move(flat))};
}

std::optional<TileGrid> transposed_iota(const TileGrid& grid, std::span<const int64_t> perm, const TileDims& dims) {
  if (grid.devices.reshape.size() == 1) {
    PartOrder order;
    for (const int64_t d : perm) order.push_back(static_cast<int32_t>(d));
    return TileGrid{dims, canonical_iota(Parts(std::span<const int64_t>(grid.dims)), std::move(order))};
  }
  return transposed_by_primes(grid, perm, dims);
}

// Row-major walk over `dims` reading an array whose strides are `strides`.
std::vector<int64_t> read_strided(std::span<const int64_t> dims, std::span<const int64_t> strides,
                                  std::span<const int64_t> source) {
  std::vector<int64_t> out;
  out.reserve(static_cast<size_t>(product(dims)));
  SmallVector<int64_t, 16> index(dims.size(), 0);
  int64_t offset = 0;
  for (int64_t left = product(dims); left > 0; --left) {
    out.push_back(source.empty() ? offset : source[static_cast<size_t>(offset)]);
    for (size_t d = dims.size(); d-- > 0;) {
      offset += strides[d];
      if (++index[d] < dims[d]) break;
      offset -= strides[d] * dims[d];
      index[d] = 0;
    }
  }
  return out;
}

std::vector<int64_t> permuted_read(std::span<const int64_t> from, std::span<const int64_t> perm,
                                   std::span<const int64_t> source) {
  SmallVector<int64_t, 16> stride(from.size(), 1);
  for (size_t i = from.size(); i-- > 1;) stride[i - 1] = stride[i] * from[i];
  SmallVector<int64_t, 16> dims, strides;
  for (const int64_t p : perm) {
    dims.push_back(from[static_cast<size_t>(p)]);
    strides.push_back(stride[static_cast<size_t>(p)]);
  }
  return read_strided(dims, strides, source);
}

// Sorts the last parts of the iota, whose product is `group`, by position; cuts a part in two when the group begins
// inside it. Nothing when the group does not fall on such a boundary.
std::optional<DeviceList> iota_sorted_in_groups(const DeviceList& devices, int64_t group) {
  Parts parts{std::span<const int64_t>(devices.reshape)};
  PartOrder perm;
  perm.assign(devices.perm.begin(), devices.perm.end());
  size_t tail = perm.size();
  while (group > 1 && tail > 0) {
    const size_t part = static_cast<size_t>(perm[tail - 1]);
    const int64_t size = parts[part];
    if (size <= group) {
      if (group % size != 0) return std::nullopt;
      group /= size;
      --tail;
      continue;
    }
    if (size % group != 0) return std::nullopt;
    parts[part] = size / group;
    parts.insert(parts.begin() + part + 1, group);
    for (int32_t& p : perm) {
      if (static_cast<size_t>(p) > part) ++p;
    }
    perm.insert(perm.begin() + tail, static_cast<int32_t>(part) + 1);
    group = 1;
  }
  std::sort(perm.begin() + tail, perm.end());
  return canonical_iota(std::move(parts), std::move(perm));
}

}  // namespace

int64_t product(std::span<const int64_t> sizes) {
  int64_t all = 1;
  for (const int64_t size : sizes) all *= size;
  return all;
}

int64_t TileGrid::device_count() const { return product(dims); }

TileGrid identity_grid(std::span<const int64_t> dims) {
  TileGrid grid{TileDims(dims), {}};
  grid.devices.reshape.push_back(product(dims));
  grid.devices.perm.push_back(0);
  return grid;
}

TileGrid iota_grid(std::span<const int64_t> dims, std::span<const int64_t> reshape, std::span<const int32_t> perm) {
  SW_CHECK(reshape.size() == perm.size() && product(dims) == product(reshape), "iota does not fit its grid");
  return {TileDims(dims), canonical_iota(Parts(reshape), PartOrder(perm))};
}

TileGrid list_grid(std::span<const int64_t> dims, std::vector<int64_t> ids) {
  SW_CHECK(static_cast<int64_t>(ids.size()) == product(dims), "device list does not fit its grid");
  TileGrid grid{TileDims(dims), {}};
  grid.devices.ids = std::move(ids);
  return grid;
}

TileGrid reshaped(const TileGrid& grid, std::span<const int64_t> dims) {
  SW_CHECK(product(dims) == grid.device_count(), "reshape changes the number of devices");
  return {TileDims(dims), grid.devices};
}

TileGrid transposed(const TileGrid& grid, std::span<const int64_t> perm) {
  SW_CHECK(perm.size() == grid.rank(), "permutation does not fit the grid");
  const TransposeEffect effect = transpose_effect(grid.dims, perm);
  if (effect == TransposeEffect::none) return grid;
  TileDims dims;
  for (const int64_t d : perm) dims.push_back(grid.dims[static_cast<size_t>(d)]);
  if (grid.is_iota()) {
    if (effect == TransposeEffect::moves_units) return {dims, grid.devices};
    if (std::optional<TileGrid> iota = transposed_iota(grid, perm, dims)) return *iota;
  }
  return list_grid(dims, permuted_read(grid.dims, perm, device_ids(grid)));
}

std::vector<int64_t> device_ids(const TileGrid& grid) {
  if (!grid.is_iota()) return grid.devices.ids;
  DimList perm;
  for (const int32_t p : grid.devices.perm) perm.push_back(p);
  return permuted_read(grid.devices.reshape, perm, {});
}

bool same_grid(const TileGrid& a, const TileGrid& b) {
  if (!(a.dims == b.dims)) return false;
  if (a.is_iota() == b.is_iota()) return a.devices == b.devices;
  return device_ids(a) == device_ids(b);
}

TileGrid sorted_in_groups(TileGrid grid, int64_t group) {
  if (group <= 1) return grid;
  if (grid.is_iota()) {
    // An iota whose last part has the size of the group is sorted as it is.
    if (grid.devices.reshape[static_cast<size_t>(grid.devices.perm.back())] == group) return grid;
    if (std::optional<DeviceList> sorted = iota_sorted_in_groups(grid.devices, group)) {
      grid.devices = std::move(*sorted);
      return grid;
    }
    grid.devices.ids = device_ids(grid);
    grid.devices.reshape.clear();
    grid.devices.perm.clear();
  }
  for (size_t at = 0; at < grid.devices.ids.size(); at += static_cast<size_t>(group)) {
    const auto begin = grid.devices.ids.begin() + static_cast<std::ptrdiff_t>(at);
    std::sort(begin, begin + group);
  }
  return grid;
}

}  // namespace sw
