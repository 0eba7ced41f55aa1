// Elementwise ops as loops over plain memory: the one place that knows what an op computes for one element. Array
// kernels and the bodies of reductions, sorts and scatters (exec/body.h) both run them.
//
// Loops exist for f32, f64, c64, c128, predicates and integers of whole bytes. Smaller floats go through f32 in chunks
// and are rounded after every op; integers of 2 and 4 bits through 8 bits and are wrapped after every op.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "ir/graph.h"

namespace sw {

// `param`: what an op has beside its operands (reduce_precision).
using LoopFn = void (*)(const void* const* operands, void* result, size_t count, int64_t param);

class ElementLoop {
 public:
  // False, with the reason in *why: there is no such loop.
  static bool find(const Graph& graph, OpId op, std::span<const ElementType> operands, ElementType result,
                   ElementLoop& out, std::string* why);
  // A conversion alone.
  static bool conversion(ElementType from, ElementType to, ElementLoop& out);

  // `scalar` (null: none) says which operands have one element that stands for all.
  void run(const void* const* operands, const bool* scalar, void* result, size_t count) const;

  ElementType result() const { return result_; }

  static constexpr size_t kMaxOperands = 3;

 private:
  bool set_up(std::span<const ElementType> operands, ElementType result);
  void run_chunks(const void* const* operands, const bool* scalar, void* result, size_t count) const;

  LoopFn fn_ = nullptr;
  int64_t param_ = 0;
  uint8_t operand_count_ = 0;
  bool direct_ = true;  // all stored as the loop computes
  ElementType operands_[kMaxOperands] = {};
  ElementType result_ = ElementType::other;
};

// How floats are held while a program runs.
enum class Precision : uint8_t {
  as_written,
  wide,  // every float as f64, every complex number as c128: what is off by rounding then agrees
};
ElementType held_as(ElementType element, Precision precision);

// What a loop computes in: f32 for smaller floats, s8 or u8 for sub-byte integers, else the element itself.
ElementType computed_in(ElementType element);

// The loops by op and by the (computed-in) element of the first operand; null: there is none.
LoopFn unary_loop(OpKind kind, ElementType element);
LoopFn special_loop(OpKind kind, ElementType element);
// Of those that look at bits, for integers of less than a byte; `param`: their bits.
LoopFn sub_byte_loop(OpKind kind);
LoopFn binary_loop(OpKind kind, ElementType element);
LoopFn compare_loop(std::string_view direction, bool total_order, ElementType element);
LoopFn convert_loop(ElementType from, ElementType to);
LoopFn select_loop(size_t width);
LoopFn clamp_loop(ElementType element);

}  // namespace sw
