// Which attributes HLO instructions have, how their values are written, and under which canonical name they are kept.
// One table serves the reader and the printer, so that the two cannot disagree.
#pragma once

#include <cstdint>
#include <string_view>

#include "ir/op_kind.h"

namespace sw::hlo {

enum class Form : uint8_t {
  boolean,        // true, false
  unit,           // true, false: a unit attribute when true, absent when false
  integer,        // 3
  floating,       // 0.001
  word,           // kLoop: kept as a string
  text,           // "..."
  list,           // {0,1}: dense_array
  list_single,    // {0}: an integer
  bools,          // {true,false} or true: dense_array of i1
  enumeration,    // GT: enum_, the value in capitals without its HLO prefix
  computation,    // %name or {instructions}: a region
  computations,   // {%a, %b}
  groups,         // replica_groups in its three spellings
  pairs,          // {{0,1},{1,2}}: dense
  window,         // {size=3x3 stride=..}
  dim_labels,     // b01f_01io->b01f
  slice,          // {[0:8:2]}
  padding,        // 0_0x1_1_2
  precision,      // {highest,default}: array of enum_
  field,          // {0}: part of the dimension numbers of the op
  field_integer,  // 1: part of the dimension numbers of the op
  channel,        // 1: channel_handle
  api_version,    // API_VERSION_TYPED_FFI: 4
  sharding,       // {devices=..}
  frontend,       // {a="b"}
  backend,        // "..." or {..}: kept as a string
  metadata,       // {op_name="..."}
  predecessors,   // {%a, %b}: array of strings
  literal,        // s32[] 1: opaque
  raw,            // not looked into: opaque
};

// The region that a computation attribute fills comes from `slot`.
struct AttrName {
  std::string_view hlo;
  Form form = Form::raw;
  std::string_view canonical;  // of an enumeration: "attribute=stablehlo<mnemonic" split by enum_name
  uint8_t slot = 0;
};

// The row for an attribute of this op by its HLO spelling; nullptr when HLO has no such attribute.
const AttrName* find_attr(OpKind kind, std::string_view hlo);
// The row by canonical name, for printing; nullptr for attributes that are printed together with others or raw.
const AttrName* find_canonical(OpKind kind, std::string_view canonical);
// Whether any operation may have the attribute of this canonical name; XLA prints those last.
bool is_common_attr(std::string_view canonical);
// "stablehlo<comparison_direction" of an enumeration's row and the prefix that HLO puts before its values ("rng_").
std::string_view enum_name(std::string_view canonical);
std::string_view enum_prefix(std::string_view canonical);
// The attribute name nearest to a misspelled one; empty when none is near.
std::string_view nearest_attr(std::string_view hlo);

// api_version of a custom call, by the number that StableHLO has for it.
inline constexpr std::string_view kApiVersions[] = {"API_VERSION_UNSPECIFIED", "API_VERSION_ORIGINAL",
                                                    "API_VERSION_STATUS_RETURNING",
                                                    "API_VERSION_STATUS_RETURNING_UNIFIED", "API_VERSION_TYPED_FFI"};

// Dimension numbers: name of the attribute, of its struct, and its fields in the order of the StableHLO text.
struct Dimensions {
  std::string_view attr;
  std::string_view name;
  struct Field {
    std::string_view hlo;
    std::string_view canonical;
    bool is_integer = false;
    bool always_printed = false;
  };
  const Field* fields = nullptr;
  size_t count = 0;
};
const Dimensions* dimensions_of(OpKind kind);

// Names under which the parts of window={...} are kept.
struct WindowNames {
  std::string_view size, stride, pad, lhs_dilate, rhs_dilate, rhs_reversal;
};
const WindowNames* window_of(OpKind kind);

}  // namespace sw::hlo
