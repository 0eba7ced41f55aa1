#include "sharding/tile_build.h"

#include <algorithm>

namespace sw {

namespace {

int64_t product_of(std::span<const int64_t> values) {
  int64_t product = 1;
  for (int64_t v : values) product *= v;
  return product;
}

void append_digit(DeviceDigits& digits, DeviceDigit d) {
  if (d.size == 1) return;
  if (!digits.empty() && digits.back().stride == d.stride * d.size) {
    digits.back() = {digits.back().size * d.size, d.stride};
  } else {
    digits.push_back(d);
  }
}

// The value of a written-out list's digits, minor first, or nothing. The minor-most digit is as long as the list's
// arithmetic run; every `run`-th entry is the list of the digits before it.
std::optional<DeviceDigits> digits_of_list(std::span<const int64_t> ids) {
  const auto count = static_cast<int64_t>(ids.size());
  if (count == 0 || ids[0] != 0) return std::nullopt;
  DeviceDigits minor_first;
  for (int64_t step = 1; step < count;) {
    const auto at = [&](int64_t i) { return ids[static_cast<size_t>(i * step)]; };
    const int64_t left = count / step;
    const int64_t stride = at(1);
    int64_t run = 2;
    while (run < left && at(run) == run * stride) ++run;
    if (stride <= 0 || left % run != 0) return std::nullopt;
    minor_first.push_back({run, stride});
    step *= run;
  }
  // Every entry must be the sum over its digits; then the strides must be those of a permuted mixed radix.
  for (int64_t i = 0; i < count; ++i) {
    int64_t rest = i, value = 0;
    for (const DeviceDigit& d : minor_first) {
      value += rest % d.size * d.stride;
      rest /= d.size;
    }
    if (value != ids[static_cast<size_t>(i)]) return std::nullopt;
  }
  DeviceDigits by_stride = minor_first;
  std::sort(by_stride.begin(), by_stride.end(),
            [](const DeviceDigit& a, const DeviceDigit& b) { return a.stride < b.stride; });
  int64_t expected = 1;
  for (const DeviceDigit& d : by_stride) {
    if (d.stride != expected) return std::nullopt;
    expected *= d.size;
  }
  DeviceDigits digits;
  for (size_t i = minor_first.size(); i-- > 0;) append_digit(digits, minor_first[i]);
  return digits;
}

// Sorts the devices inside each group of the `group` minor-most ones.
void sort_groups(DeviceList& devices, int64_t group) {
  if (devices.ids.empty()) {
    const DeviceDigits digits = digits_of(devices);
    const int64_t extents[] = {device_count(devices) / group, group};
    if (auto parts = digits_per_dim(digits, extents)) {
      DeviceDigits& minor = (*parts)[1];
      std::sort(minor.begin(), minor.end(),
                [](const DeviceDigit& a, const DeviceDigit& b) { return a.stride > b.stride; });
      DeviceDigits sorted = (*parts)[0];
      for (const DeviceDigit& d : minor) append_digit(sorted, d);
      devices = devices_of(sorted);
      return;
    }
    devices.ids = materialize(devices);
    devices.reshape.clear();
    devices.perm.clear();
  }
  for (size_t begin = 0; begin < devices.ids.size(); begin += static_cast<size_t>(group))
    std::sort(devices.ids.begin() + static_cast<ptrdiff_t>(begin),
              devices.ids.begin() + static_cast<ptrdiff_t>(begin) + static_cast<ptrdiff_t>(group));
}

TileSharding word(TileKind kind) {
  TileSharding s;
  s.kind = kind;
  return s;
}

TileKind kind_of(Subgroup group) {
  switch (group) {
    case Subgroup::manual: return TileKind::manual;
    case Subgroup::unreduced: return TileKind::unreduced;
    default: return TileKind::replicated;
  }
}

// Subgroups in the order manual, unreduced, replicated, one of each at most, none of size 1.
void order_subgroups(TileSharding& s) {
  const size_t data = s.data_rank();
  SmallVector<int32_t, 8> perm;
  for (size_t i = 0; i < data; ++i) perm.push_back(static_cast<int32_t>(i));
  SmallVector<int64_t, 6> tile;
  tile.append(s.tile.begin(), s.tile.begin() + data);
  SmallVector<Subgroup, 2> groups;
  for (Subgroup type : {Subgroup::maximal, Subgroup::manual, Subgroup::unreduced, Subgroup::replicated}) {
    int64_t extent = 1;
    for (size_t i = 0; i < s.subgroups.size(); ++i) {
      if (s.subgroups[i] != type || s.tile[data + i] == 1) continue;
      perm.push_back(static_cast<int32_t>(data + i));
      extent *= s.tile[data + i];
    }
    if (extent == 1) continue;
    tile.push_back(extent);
    groups.push_back(type);
  }
  for (size_t i = 0; i < s.subgroups.size(); ++i)
    if (s.tile[data + i] == 1) perm.push_back(static_cast<int32_t>(data + i));
  s.devices = transpose(s.devices, s.tile, perm);
  s.tile = tile;
  s.subgroups = groups;
}

}  // namespace

DeviceDigits digits_of(const DeviceList& devices) {
  const size_t rank = devices.reshape.size();
  SmallVector<int64_t, 8> strides(rank, 1);
  for (size_t i = rank; i-- > 1;) strides[i - 1] = strides[i] * devices.reshape[i];
  DeviceDigits digits;
  for (int32_t p : devices.perm)
    append_digit(digits, {devices.reshape[static_cast<size_t>(p)], strides[static_cast<size_t>(p)]});
  return digits;
}

DeviceList devices_of(const DeviceDigits& digits) {
  DeviceList devices;
  const auto count = digits.size();
  if (count == 0) return iota_devices(std::span<const int64_t>({int64_t{1}}));
  SmallVector<int32_t, 8> major_first;
  for (size_t i = 0; i < count; ++i) major_first.push_back(static_cast<int32_t>(i));
  std::sort(major_first.begin(), major_first.end(), [&](int32_t a, int32_t b) {
    return digits[static_cast<size_t>(a)].stride > digits[static_cast<size_t>(b)].stride;
  });
  devices.perm.resize(count);
  for (size_t i = 0; i < count; ++i) {
    devices.reshape.push_back(digits[static_cast<size_t>(major_first[i])].size);
    devices.perm[static_cast<size_t>(major_first[i])] = static_cast<int32_t>(i);
  }
  canonicalize(devices);
  return devices;
}

void compress(DeviceList& devices) {
  if (devices.ids.empty()) return;
  if (const auto digits = digits_of_list(devices.ids)) devices = devices_of(*digits);
}

DeviceList iota_devices(std::span<const int64_t> reshape, std::span<const int32_t> perm) {
  DeviceList devices;
  devices.reshape.append(reshape.begin(), reshape.end());
  for (size_t i = 0; i < reshape.size(); ++i) devices.perm.push_back(perm.empty() ? static_cast<int32_t>(i) : perm[i]);
  if (reshape.empty()) {
    devices.reshape.push_back(1);
    devices.perm.push_back(0);
  }
  canonicalize(devices);
  return devices;
}

std::optional<std::vector<DeviceDigits>> digits_per_dim(const DeviceDigits& digits, std::span<const int64_t> tile) {
  std::vector<DeviceDigits> parts(tile.size());
  DeviceDigits rest(std::span<const DeviceDigit>(digits.data(), digits.size()));
  std::reverse(rest.begin(), rest.end());  // the next digit is at the back
  for (size_t i = 0; i < tile.size(); ++i) {
    int64_t left = tile[i];
    while (left > 1) {
      if (rest.empty()) return std::nullopt;
      DeviceDigit& next = rest.back();
      if (left % next.size == 0) {
        left /= next.size;
        parts[i].push_back(next);
        rest.pop_back();
      } else if (next.size % left == 0) {
        const int64_t minor = next.size / left;
        parts[i].push_back({left, next.stride * minor});
        next.size = minor;
        left = 1;
      } else {
        return std::nullopt;
      }
    }
  }
  return parts;
}

DeviceList transpose(const DeviceList& devices, std::span<const int64_t> tile, std::span<const int32_t> perm) {
  if (devices.ids.empty()) {
    if (const auto parts = digits_per_dim(digits_of(devices), tile)) {
      DeviceDigits digits;
      for (int32_t p : perm)
        for (const DeviceDigit& d : (*parts)[static_cast<size_t>(p)]) append_digit(digits, d);
      return devices_of(digits);
    }
  }
  const std::vector<int64_t> from = materialize(devices);
  std::vector<int64_t> strides(tile.size(), 1);
  for (size_t i = tile.size(); i-- > 1;) strides[i - 1] = strides[i] * tile[i];
  DeviceList out;
  out.ids.reserve(from.size());
  std::vector<int64_t> at(perm.size(), 0);
  for (size_t n = 0; n < from.size(); ++n) {
    int64_t offset = 0;
    for (size_t i = 0; i < perm.size(); ++i) offset += at[i] * strides[static_cast<size_t>(perm[i])];
    out.ids.push_back(from[static_cast<size_t>(offset)]);
    for (size_t i = perm.size(); i-- > 0;) {
      if (++at[i] < tile[static_cast<size_t>(perm[i])]) break;
      at[i] = 0;
    }
  }
  compress(out);
  return out;
}

TileSharding normalize_tiled(TileSharding s) {
  compress(s.devices);
  canonicalize(s.devices);
  if (product_of(s.tile) == 1) return word(TileKind::replicated);
  if (s.subgroups.empty()) return s;
  const auto first = s.subgroups[0];
  const bool one_type = first != Subgroup::maximal &&
                        std::all_of(s.subgroups.begin(), s.subgroups.end(), [&](Subgroup g) { return g == first; });
  if (one_type && product_of({s.tile.data(), s.data_rank()}) == 1) return word(kind_of(first));
  order_subgroups(s);
  const bool word_like =
      s.subgroups.size() == 1 && (s.subgroups[0] == Subgroup::manual || s.subgroups[0] == Subgroup::replicated);
  if (word_like && s.tile.back() == product_of(s.tile)) return word(kind_of(s.subgroups[0]));
  if (!s.subgroups.empty() && s.subgroups.back() == Subgroup::replicated) {
    sort_groups(s.devices, s.tile.back());
    compress(s.devices);
  }
  return s;
}

}  // namespace sw
