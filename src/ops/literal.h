// The numbers of a constant, from whichever spelling its text has: one element for all, nested lists, hexadecimal bytes
// (MLIR), braces (HLO). And back into a literal of either text.
//
// Integers and predicates are kept as int64 (unsigned ones of 64 bits as their bits), everything else as doubles, which
// hold each floating-point number of at most 64 bits; complex numbers are pairs of doubles.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ir/graph.h"

namespace sw {

struct Literal {
  ElementType element = ElementType::f32;
  std::vector<int64_t> dims;
  bool splat = false;          // one element stands for all
  std::vector<int64_t> whole;  // integers, predicates
  std::vector<double> real;    // floating-point; complex numbers: real and imaginary parts in turn

  bool is_whole() const { return is_integer(element) || element == ElementType::pred; }
  // Entries of `whole` or `real` that one element takes.
  size_t width() const { return is_complex(element) ? 2 : 1; }
  int64_t element_count() const;  // of the shape
};

// Nothing when the text does not say the elements (`{...}`, a resource, a string) or has another number of them.
std::optional<Literal> read_literal(const Graph& graph, AttrId value, TypeId type);

// Of a constant op of integers or predicates, all elements in row-major order. Nothing for anything else, and for
// hexadecimal text.
std::optional<std::vector<int64_t>> constant_integers(const Graph& graph, OpId op);

// The first dimension along which each number of an integer constant is its coordinate; large constants are not looked
// into.
std::optional<int64_t> counted_dim_of_constant(const Graph& graph, OpId op);

// The bits of a floating-point number of at most 64 bits, rounded to the type.
uint64_t real_bits(double value, ElementType element);

// As `stablehlo.constant` has it between its brackets: a splat, or a nested list; not finite numbers as their bits.
std::string mlir_literal(const Literal& literal);
// As HLO's `constant` has it between its brackets; splats are written out.
std::string hlo_literal(const Literal& literal);
// The first element alone, in HLO's spelling.
std::string hlo_element(const Literal& literal);

// The attribute `value` of a constant of this type.
AttrId literal_attr(AttrTable& table, TypeId type, const Literal& literal);

// The number of a floating-point type nearest to `value`, ties to even; nothing for types that are no binary
// floating-point numbers with the usual rounding.
std::optional<double> rounded(double value, ElementType element);
// The low bits of `value`, as a number of the integer type.
int64_t wrapped(int64_t value, ElementType element);

}  // namespace sw
