// Values of a running program: dense arrays in row-major order, and tuples of them.
//
// An element is stored in the smallest whole number of bytes: predicates and sub-byte integers have one byte each (the
// latter sign-extended), floats of 16 bits and less keep their bits. Buffers are shared between values and are written
// only by who holds the sole reference, which is how a loop updates its state in place.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "ir/types.h"
#include "ops/attr_reader.h"

namespace sw {

// Bytes of one element in memory; 0 for what has no elements (tokens) or cannot be computed with.
int64_t element_bytes(ElementType element);

// Integers of 1, 2 and 4 bits.
bool is_sub_byte(ElementType element);
// Makes of bytes, of which the low bits count, what is stored for such integers.
void to_stored(ElementType element, uint8_t* values, size_t count);

// What the buffers of one device hold at the moment.
struct MemoryMeter {
  std::atomic<int64_t> live{0};
};

// Buffers made by this thread while it lives belong to `meter`; null: to none.
class MeterScope {
 public:
  explicit MeterScope(MemoryMeter* meter);
  ~MeterScope();
  MeterScope(const MeterScope&) = delete;
  MeterScope& operator=(const MeterScope&) = delete;

 private:
  MemoryMeter* before_;
};

// Bytes without initial values, aligned for vector loads.
class Buffer {
 public:
  explicit Buffer(size_t size);
  ~Buffer();
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  std::byte* bytes() { return bytes_; }
  const std::byte* bytes() const { return bytes_; }
  size_t size() const { return size_; }
  // Counts it with another meter from now on. Only while nobody else uses the buffer.
  void count_with(MemoryMeter* meter);

 private:
  std::byte* bytes_;
  size_t size_;
  MemoryMeter* meter_;
};

struct Array {
  ElementType element = ElementType::other;
  DimList dims;
  std::shared_ptr<Buffer> buffer;

  int64_t count() const;
  size_t byte_size() const { return static_cast<size_t>(count() * element_bytes(element)); }
  std::byte* bytes() { return buffer->bytes(); }
  const std::byte* bytes() const { return buffer->bytes(); }
  template <class T>
  T* data() {
    return reinterpret_cast<T*>(buffer->bytes());
  }
  template <class T>
  const T* data() const {
    return reinterpret_cast<const T*>(buffer->bytes());
  }
};

Array new_array(ElementType element, std::span<const int64_t> dims);
Array zeros(ElementType element, std::span<const int64_t> dims);
// The same elements in memory of its own.
Array copied(const Array& array);
// The same elements in the same order under other dims.
Array with_dims(Array array, std::span<const int64_t> dims);
// An array to write to: `from` itself when nobody else holds its buffer and an element is as wide, else a new one.
Array reuse_or_new(Array& from, ElementType element, std::span<const int64_t> dims);

// An array, a tuple, or (with neither) a token.
struct Datum {
  Array array;
  std::shared_ptr<std::vector<Datum>> elements;

  Datum() = default;
  Datum(Array a) : array(std::move(a)) {}  // NOLINT: arrays are values
  bool is_tuple() const { return elements != nullptr; }
  bool is_array() const { return array.buffer != nullptr; }
};
Datum make_tuple_datum(std::vector<Datum> elements);

// The arrays in a datum, depth first.
void collect_leaves(const Datum& datum, std::vector<Array>& out);

// The integer (or predicate) at `index`, for indices and branch numbers; unsigned ones saturate.
int64_t integer_at(const Array& array, int64_t index);

}  // namespace sw
