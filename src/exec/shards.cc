#include "exec/shards.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstring>
#include <limits>

#include "exec/kernel.h"
#include "exec/strided.h"
#include "partition/context.h"
#include "sharding/tile_algebra.h"

namespace sw {

namespace {

size_t width_of(const Array& array) { return static_cast<size_t>(element_bytes(array.element)); }

// Along each dimension: where the piece of a device begins, and how much of it lies inside the whole.
struct Part {
  DimList start, inside;
};

// A device that no tile names is given the first one.
Part part_of(std::span<const int64_t> whole, const DimList& piece, const DimList* coordinates) {
  Part part{DimList(whole.size(), 0), DimList(whole)};
  for (size_t i = 0; i < whole.size(); ++i) {
    if (coordinates != nullptr && i < coordinates->size())
      part.start[i] = std::min((*coordinates)[i] * piece[i], whole[i]);
    part.inside[i] = std::clamp<int64_t>(whole[i] - part.start[i], 0, piece[i]);
  }
  return part;
}

// 0x5b5b..., or what a smaller element has room for; NaN for floats.
void fill_outside(Array& array) {
  const bool sub_byte = bits(array.element) < 8;
  const int byte = (is_floating(array.element) && !sub_byte) || is_complex(array.element) ? 0xff
                   : array.element == ElementType::pred || sub_byte                       ? 0x01
                                                                                          : 0x5b;
  std::memset(array.bytes(), byte, array.byte_size());
}

Array cut(const Array& whole, const TileSharding& s, const DimList* coordinates) {
  const DimList dims = shard_dims(whole.dims, s);
  Array out = new_array(whole.element, dims);
  const Part part = part_of(whole.dims, dims, coordinates);
  if (part.inside != dims) fill_outside(out);
  StridedCopy copy{part.inside, row_major(whole.dims), row_major(dims), 0, 0};
  for (size_t i = 0; i < dims.size(); ++i) copy.from_start += part.start[i] * copy.from[i];
  copy_strided(copy, whole.bytes(), out.bytes(), width_of(whole));
  return out;
}

std::string number_text(const Array& numbers, int64_t i, ElementType element) {
  char text[80];
  const std::complex<double> value = numbers.data<std::complex<double>>()[i];
  if (is_complex(element))
    std::snprintf(text, sizeof text, "(%.9g,%.9g)", value.real(), value.imag());
  else
    std::snprintf(text, sizeof text, is_floating(element) ? "%.9g" : "%.0f", value.real());
  return text;
}

bool same_special(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

double distance(std::complex<double> a, std::complex<double> b) {
  const auto part = [](double x, double y) {
    if (same_special(x, y)) return 0.0;
    return std::isfinite(x) && std::isfinite(y) ? std::fabs(x - y) : std::numeric_limits<double>::infinity();
  };
  return std::hypot(part(a.real(), b.real()), part(a.imag(), b.imag()));
}

double largest_magnitude(const Array& numbers) {
  double largest = 0;
  const auto* values = numbers.data<std::complex<double>>();
  for (int64_t i = 0; i < numbers.count(); ++i) {
    const double magnitude = std::abs(values[i]);
    if (std::isfinite(magnitude)) largest = std::max(largest, magnitude);
  }
  return largest;
}

// The part of a larger array, as numbers.
Array part_as_numbers(const Array& a, const DimList& start, const DimList& extents, Array* raw) {
  const DimList steps = row_major(a.dims);
  int64_t at = 0;
  for (size_t i = 0; i < steps.size(); ++i) at += start[i] * steps[i];
  *raw = gathered(a, extents, steps, at);
  return converted(*raw, ElementType::c128);
}

class Comparison {
 public:
  Comparison(ArrayDifference& out, double tolerance) : out_(out), tolerance_(tolerance) {}

  void device(const Array& whole, const Array& piece, const Part& part, int64_t device) {
    Array raw_expected, raw_found;
    const DimList zero(part.start.size(), 0);
    const Array expected = part_as_numbers(whole, part.start, part.inside, &raw_expected);
    const Array found = part_as_numbers(piece, zero, part.inside, &raw_found);
    const size_t width = width_of(whole);
    const bool exact = !is_floating(whole.element) && !is_complex(whole.element);
    const auto* e = expected.data<std::complex<double>>();
    const auto* f = found.data<std::complex<double>>();
    for (int64_t i = 0; i < expected.count(); ++i) {
      ++out_.compared;
      const auto at = static_cast<size_t>(i) * width;
      if (std::memcmp(raw_expected.bytes() + at, raw_found.bytes() + at, width) == 0) continue;
      const double off = std::max(distance(e[i], f[i]), exact ? std::numeric_limits<double>::min() : 0.0);
      if (exact || off > tolerance_ * out_.largest) ++out_.wrong;
      if (off <= out_.absolute) continue;
      out_.absolute = off;
      out_.device = device;
      out_.expected = number_text(expected, i, whole.element);
      out_.found = number_text(found, i, whole.element);
      out_.place = part.start;
      int64_t rest = i;
      for (size_t d = part.inside.size(); d-- > 0; rest /= part.inside[d]) out_.place[d] += rest % part.inside[d];
    }
  }

 private:
  ArrayDifference& out_;
  double tolerance_;
};

}  // namespace

TileSharding given_sharding(TileShardingId sharding, const TileShardingTable& table) {
  return sharding.valid() ? table.get(sharding) : replicated_sharding();
}

bool cut_to_pieces(const Datum& whole, TileShardingId sharding, const TileShardingTable& table, Machine& machine,
                   Replicas& out) {
  out.items.clear();
  const auto devices = static_cast<size_t>(machine.device_count());
  if (whole.is_tuple()) {
    std::vector<std::vector<Datum>> parts(devices);
    for (size_t i = 0; i < whole.elements->size(); ++i) {
      const TileSharding* s = sharding.valid() ? &table.get(sharding) : nullptr;
      const TileShardingId leaf = s != nullptr && s->kind == TileKind::tuple ? s->elements[i] : sharding;
      Replicas pieces;
      if (!cut_to_pieces((*whole.elements)[i], leaf, table, machine, pieces)) return false;
      for (size_t d = 0; d < devices; ++d) parts[d].push_back(pieces.on(d));
    }
    for (std::vector<Datum>& p : parts) out.items.push_back(make_tuple_datum(std::move(p)));
    return true;
  }
  const TileSharding s = given_sharding(sharding, table);
  if (s.kind == TileKind::manual || s.kind == TileKind::unreduced) return false;
  if (!is_tiled(s)) {
    const MeterScope scope(machine.common_meter());
    out.items.emplace_back(copied(whole.array));
    return true;
  }
  const std::vector<DimList> coordinates = tile_coordinates(s, machine.device_count());
  for (size_t d = 0; d < devices; ++d) {
    const MeterScope scope(machine.meter(d));
    out.items.emplace_back(cut(whole.array, s, &coordinates[d]));
  }
  return true;
}

Array join_pieces(const Replicas& pieces, std::span<const int64_t> dims, TileShardingId sharding,
                  const TileShardingTable& table, int64_t device_count) {
  const TileSharding s = given_sharding(sharding, table);
  if (!is_tiled(s)) return pieces.on(s.kind == TileKind::maximal ? static_cast<size_t>(s.device) : 0).array;
  const std::vector<DimList> coordinates = tile_coordinates(s, device_count);
  const DimList piece = shard_dims(dims, s);
  Array out = new_array(pieces.on(0).array.element, dims);
  for (size_t d = coordinates.size(); d-- > 0;) {
    if (coordinates[d].empty()) continue;
    const Part part = part_of(dims, piece, &coordinates[d]);
    StridedCopy copy{part.inside, row_major(piece), row_major(dims), 0, 0};
    for (size_t i = 0; i < piece.size(); ++i) copy.to_start += part.start[i] * copy.to[i];
    copy_strided(copy, pieces.on(d).array.bytes(), out.bytes(), width_of(out));
  }
  return out;
}

ArrayDifference compare_pieces(const Replicas& whole, const Replicas& pieces, TileShardingId sharding,
                               const TileShardingTable& table, int64_t device_count, double tolerance) {
  ArrayDifference out;
  const Array& first = whole.on(0).array;
  out.element = first.element;
  out.dims = first.dims;
  out.largest = largest_magnitude(converted(first, ElementType::c128));
  const TileSharding s = given_sharding(sharding, table);
  const std::vector<DimList> coordinates = tile_coordinates(s, device_count);
  Comparison comparison(out, tolerance);
  // Equal values on all devices need one look.
  const bool once = whole.uniform() && pieces.uniform() && coordinates.empty();
  for (int64_t d = 0; d < (once ? 1 : device_count); ++d) {
    if (s.kind == TileKind::maximal && s.device != d && !once) continue;
    const auto at = static_cast<size_t>(d);
    const Array& expected = whole.on(at).array;
    const DimList dims = shard_dims(expected.dims, s);
    const Part part = part_of(expected.dims, dims, coordinates.empty() ? nullptr : &coordinates[at]);
    if (pieces.on(at).array.dims != dims) {  // a partition rule has gone wrong
      out.wrong += expected.count();
      out.absolute = std::numeric_limits<double>::infinity();
      out.device = d;
      out.found = "an array of another shape";
      continue;
    }
    comparison.device(expected, pieces.on(at).array, part, d);
  }
  out.relative = out.absolute == 0 ? 0 : out.absolute / std::max(out.largest, std::numeric_limits<double>::min());
  return out;
}

ArrayDifference compare_numbers(std::span<const double> expected, std::span<const double> found, double tolerance) {
  const auto array_of = [](std::span<const double> list) {
    Array array = new_array(ElementType::f64, DimList{static_cast<int64_t>(list.size())});
    std::copy(list.begin(), list.end(), array.data<double>());
    return array;
  };
  return compare_pieces({{array_of(expected)}}, {{array_of(found)}}, {}, TileShardingTable(), 1, tolerance);
}

std::vector<Replicas> leaves_of(const Replicas& values) {
  std::vector<Replicas> out;
  for (size_t d = 0; d < values.items.size(); ++d) {
    std::vector<Array> leaves;
    collect_leaves(values.items[d], leaves);
    out.resize(leaves.size());
    for (size_t i = 0; i < leaves.size(); ++i) out[i].items.emplace_back(leaves[i]);
  }
  return out;
}

void leaf_shardings(TileShardingId sharding, const TileShardingTable& table, size_t leaf_count,
                    std::vector<TileShardingId>& out) {
  if (sharding.valid() && table.get(sharding).kind == TileKind::tuple) {
    for (const TileShardingId element : table.get(sharding).elements) leaf_shardings(element, table, 1, out);
    return;
  }
  out.insert(out.end(), leaf_count, sharding);
}

}  // namespace sw
