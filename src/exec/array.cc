#include "exec/array.h"

#include <cstring>
#include <limits>
#include <new>

#include "base/check.h"
#include "sharding/tile_grid.h"

namespace sw {

namespace {

constexpr size_t kAlignment = 64;
thread_local MemoryMeter* current_meter = nullptr;

}  // namespace

int64_t element_bytes(ElementType element) {
  if (element == ElementType::token || element == ElementType::opaque || element == ElementType::quantized) return 0;
  return (bits(element) + 7) / 8;
}

MeterScope::MeterScope(MemoryMeter* meter) : before_(current_meter) { current_meter = meter; }
MeterScope::~MeterScope() { current_meter = before_; }

Buffer::Buffer(size_t size)
    : bytes_(static_cast<std::byte*>(::operator new(size > 0 ? size : 1, std::align_val_t{kAlignment}))),
      size_(size),
      meter_(current_meter) {
  if (meter_ != nullptr) meter_->live += static_cast<int64_t>(size_);
}

Buffer::~Buffer() {
  if (meter_ != nullptr) meter_->live -= static_cast<int64_t>(size_);
  ::operator delete(bytes_, std::align_val_t{kAlignment});
}

void Buffer::count_with(MemoryMeter* meter) {
  if (meter_ != nullptr) meter_->live -= static_cast<int64_t>(size_);
  meter_ = meter;
  if (meter_ != nullptr) meter_->live += static_cast<int64_t>(size_);
}

int64_t Array::count() const { return product(dims); }

Array new_array(ElementType element, std::span<const int64_t> dims) {
  Array array{element, DimList(dims), nullptr};
  array.buffer = std::make_shared<Buffer>(array.byte_size());
  return array;
}

Array zeros(ElementType element, std::span<const int64_t> dims) {
  Array array = new_array(element, dims);
  std::memset(array.bytes(), 0, array.byte_size());
  return array;
}

Array copied(const Array& array) {
  Array out = new_array(array.element, array.dims);
  std::copy(array.bytes(), array.bytes() + array.byte_size(), out.bytes());
  return out;
}

Array with_dims(Array array, std::span<const int64_t> dims) {
  array.dims = DimList(dims);
  return array;
}

Array reuse_or_new(Array& from, ElementType element, std::span<const int64_t> dims) {
  if (from.buffer.use_count() != 1 || element_bytes(from.element) != element_bytes(element))
    return new_array(element, dims);
  Array array{element, DimList(dims), from.buffer};
  if (array.count() != from.count()) return new_array(element, dims);
  return array;
}

Datum make_tuple_datum(std::vector<Datum> elements) {
  Datum datum;
  datum.elements = std::make_shared<std::vector<Datum>>(std::move(elements));
  return datum;
}

void collect_leaves(const Datum& datum, std::vector<Array>& out) {
  if (datum.is_array()) out.push_back(datum.array);
  if (!datum.is_tuple()) return;
  for (const Datum& element : *datum.elements) collect_leaves(element, out);
}

bool is_sub_byte(ElementType element) {
  switch (element) {
    case ElementType::s1:
    case ElementType::s2:
    case ElementType::s4:
    case ElementType::u1:
    case ElementType::u2:
    case ElementType::u4: return true;
    default: return false;
  }
}

void to_stored(ElementType element, uint8_t* values, size_t count) {
  const auto width = static_cast<unsigned>(bits(element));
  const bool has_sign = element == ElementType::s1 || element == ElementType::s2 || element == ElementType::s4;
  for (size_t i = 0; i < count; ++i) {
    const unsigned low = values[i] & ((1U << width) - 1);
    const bool negative = has_sign && (low >> (width - 1) & 1U) != 0;
    values[i] = static_cast<uint8_t>(negative ? low | (0xffU << width) : low);
  }
}

int64_t integer_at(const Array& array, int64_t index) {
  const auto at = [&]<class T>(T) { return array.data<T>()[index]; };
  switch (array.element) {
    case ElementType::pred:
    case ElementType::u8:
    case ElementType::u4:
    case ElementType::u2:
    case ElementType::u1: return at(uint8_t{});
    case ElementType::s8:
    case ElementType::s4:
    case ElementType::s2:
    case ElementType::s1: return at(int8_t{});
    case ElementType::s16: return at(int16_t{});
    case ElementType::u16: return at(uint16_t{});
    case ElementType::s32: return at(int32_t{});
    case ElementType::u32: return at(uint32_t{});
    case ElementType::index:
    case ElementType::s64: return at(int64_t{});
    case ElementType::u64: {
      const uint64_t value = at(uint64_t{});
      constexpr auto kMax = std::numeric_limits<int64_t>::max();
      return value > static_cast<uint64_t>(kMax) ? kMax : static_cast<int64_t>(value);
    }
    default: break;
  }
  SW_CHECK(false, "an index is an integer");
  return 0;
}

}  // namespace sw
