// Types of values. Interned: equal types have equal TypeId. One table for StableHLO and HLO; an HLO layout or an MLIR
// tensor encoding is kept as text beside the shape, so that printing gives back what was read.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"

namespace sw {

enum class ElementType : uint8_t {
#define SW_ELEMENT_TYPE(kind, mlir, hlo, bits) kind,
#include "ir/element_types.def"
#undef SW_ELEMENT_TYPE
};

std::string_view mlir_spelling(ElementType element);
std::string_view hlo_spelling(ElementType element);
// Bits of one stored element (pred is 8); 0 for tokens and opaque elements.
int64_t bits(ElementType element);
bool is_integer(ElementType element);  // signed, unsigned, index; not pred
bool is_floating(ElementType element);
bool is_complex(ElementType element);
// Of the real and the imaginary part of a complex type; any other type itself.
ElementType real_part_type(ElementType element);
// False when `text` spells no element type.
bool parse_mlir_element(std::string_view text, ElementType& out);
bool parse_hlo_element(std::string_view text, ElementType& out);

enum class TypeKind : uint8_t {
  tensor,    // ranked array (HLO: array shape); a token is a tensor with element `token` and rank 0
  scalar,    // bare element type: i32, index, f32 (attributes, dense_array elements)
  unranked,  // tensor<*xf32>
  tuple,     // elements
  function,  // elements = inputs then results; input_count splits them
  opaque,    // `text` verbatim: a type of a dialect this program does not know
};

constexpr int64_t kDynamic = -1;

// What a TypeId stands for; a view into the table, valid while the table lives and nothing is added to it.
struct Type {
  TypeKind kind = TypeKind::opaque;
  ElementType element = ElementType::other;
  std::span<const int64_t> dims;     // kDynamic where the extent is not static
  std::span<const TypeId> elements;  // tuple elements; function inputs then results
  uint32_t input_count = 0;          // function types
  std::string_view text;             // tensor: encoding (MLIR) or layout with braces (HLO), may be empty;
                                     // quantized element: full text of the element type in `element_text`;
                                     // HLO with bounded dynamic extents: "[<=8,4]", `dims` has the bounds
  std::string_view element_text;

  size_t rank() const { return dims.size(); }
  bool is_tensor() const { return kind == TypeKind::tensor; }
  bool is_array() const {
    return kind == TypeKind::tensor && element != ElementType::token && element != ElementType::opaque;
  }
  bool is_token() const { return kind == TypeKind::tensor && element == ElementType::token; }
  bool is_static() const;
  // Product of the extents; 1 for rank 0; only for static shapes (saturates at INT64_MAX).
  int64_t element_count() const;
};

class TypeTable {
 public:
  TypeTable();

  TypeId tensor(ElementType element, std::span<const int64_t> dims, std::string_view encoding = {},
                std::string_view element_text = {});
  TypeId scalar(ElementType element);
  TypeId token() { return tensor(ElementType::token, {}); }
  TypeId unranked(ElementType element);
  TypeId tuple(std::span<const TypeId> elements);
  TypeId function(std::span<const TypeId> inputs, std::span<const TypeId> results);
  TypeId opaque(std::string_view text);

  Type get(TypeId id) const;
  size_t count() const { return records_.size(); }

 private:
  struct Record {
    TypeKind kind;
    ElementType element;
    Slice<int64_t> dims;
    Slice<TypeId> elements;
    uint32_t input_count;
    Slice<char> text;
    Slice<char> element_text;
    uint64_t hash;
  };
  TypeId intern(const Type& type);
  bool same(const Record& record, const Type& type) const;

  std::vector<Record> records_;
  std::vector<uint32_t> slots_;
  std::vector<int64_t> dims_;
  std::vector<TypeId> elements_;
  std::string chars_;
};

// `tensor<2x3xf32>`, `!stablehlo.token`, `(tensor<f32>) -> tensor<f32>`
std::string mlir_text(const TypeTable& types, TypeId type);
// `f32[2,3]{1,0}` (with the layout that is stored, unless told not to), `(f32[2], s32[])`; every fifth element of a
// tuple is preceded by its number in a comment, as XLA prints it.
std::string hlo_text(const TypeTable& types, TypeId type, bool with_layout = true);

}  // namespace sw
