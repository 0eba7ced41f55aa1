// A vector of trivially copyable elements that holds up to N of them without allocating. For shapes, axis lists and
// worklists of a few entries; anything long-lived and large belongs into a pool instead.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <span>
#include <type_traits>

#include "base/check.h"

namespace sw {

template <class T, size_t N>
class SmallVector {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  using value_type = T;
  using iterator = T*;
  using const_iterator = const T*;

  SmallVector() = default;
  explicit SmallVector(size_t count, T value = T{}) { resize(count, value); }
  SmallVector(std::initializer_list<T> items) { append(items.begin(), items.end()); }
  explicit SmallVector(std::span<const T> items) { append(items.begin(), items.end()); }
  SmallVector(const SmallVector& other) { append(other.begin(), other.end()); }
  SmallVector(SmallVector&& other) noexcept { take(other); }
  SmallVector& operator=(const SmallVector& other) {
    if (this != &other) {
      clear();
      append(other.begin(), other.end());
    }
    return *this;
  }
  SmallVector& operator=(SmallVector&& other) noexcept {
    if (this != &other) {
      release();
      take(other);
    }
    return *this;
  }
  ~SmallVector() { release(); }

  T* begin() { return items_; }
  T* end() { return items_ + count_; }
  const T* begin() const { return items_; }
  const T* end() const { return items_ + count_; }
  T* data() { return items_; }
  const T* data() const { return items_; }
  size_t size() const { return count_; }
  bool empty() const { return count_ == 0; }
  T& operator[](size_t i) { return items_[i]; }
  const T& operator[](size_t i) const { return items_[i]; }
  T& front() { return items_[0]; }
  const T& front() const { return items_[0]; }
  T& back() { return items_[count_ - 1]; }
  const T& back() const { return items_[count_ - 1]; }

  void push_back(T value) {
    if (count_ == capacity_) reserve(capacity_ * 2);
    items_[count_++] = value;
  }
  void pop_back() { --count_; }
  void clear() { count_ = 0; }
  void resize(size_t count, T value = T{}) {
    reserve(count);
    for (size_t i = count_; i < count; ++i) items_[i] = value;
    count_ = static_cast<uint32_t>(count);
  }
  void assign(size_t count, T value) {
    clear();
    resize(count, value);
  }
  template <class It>
  void assign(It first, It last) {
    clear();
    append(first, last);
  }
  template <class It>
  void append(It first, It last) {
    for (; first != last; ++first) push_back(*first);
  }
  T* insert(T* at, T value) {
    const size_t index = static_cast<size_t>(at - items_);
    push_back(value);
    std::rotate(items_ + index, items_ + count_ - 1, items_ + count_);
    return items_ + index;
  }
  T* erase(T* at) { return erase(at, at + 1); }
  T* erase(T* first, T* last) {
    T* tail = std::copy(last, end(), first);
    count_ = static_cast<uint32_t>(tail - items_);
    return first;
  }
  void reserve(size_t capacity) {
    if (capacity <= capacity_) return;
    SW_CHECK(capacity < (1U << 31), "small vector too long");
    T* items = static_cast<T*>(::operator new(capacity * sizeof(T)));
    if (count_ > 0) std::memcpy(static_cast<void*>(items), items_, count_ * sizeof(T));
    release();
    items_ = items;
    capacity_ = static_cast<uint32_t>(capacity);
  }

  friend bool operator==(const SmallVector& a, const SmallVector& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }

 private:
  T* inline_items() { return reinterpret_cast<T*>(inline_); }
  void release() {
    if (items_ != inline_items()) ::operator delete(items_);
    items_ = inline_items();
    capacity_ = N;
  }
  void take(SmallVector& other) noexcept {
    if (other.items_ == other.inline_items()) {
      items_ = inline_items();
      capacity_ = N;
      count_ = other.count_;
      std::memcpy(static_cast<void*>(inline_), other.inline_, sizeof(T) * N);
    } else {
      items_ = other.items_;
      capacity_ = other.capacity_;
      count_ = other.count_;
      other.items_ = other.inline_items();
      other.capacity_ = N;
    }
    other.count_ = 0;
  }

  T* items_ = inline_items();
  uint32_t count_ = 0;
  uint32_t capacity_ = N;
  alignas(T) unsigned char inline_[sizeof(T) * N] = {};
};

}  // namespace sw
