// Attributes: constants attached to ops, functions and arguments. Interned, so equal attributes have equal AttrId.
//
// Canonical form: whatever spelling an attribute was read from (pretty or generic StableHLO, HLO), it is stored under
// the name and in the form that the *generic* StableHLO text has, so that ops/ reads one form:
//   contracting_dims = [1] x [0]            -> dot_dimension_numbers = struct "stablehlo.dot"
//   {lhs_contracting_dimensions lhs_contracting_dims={1}, ...(HLO)         = [1], rhs_contracting_dimensions = [0],
//   ...} (missing lists are absent) dims = [0, 1]   dimensions={0,1} (HLO)  -> broadcast_dimensions / permutation /
//   dimensions = array<i64: 0, 1>
// Attributes that only HLO has keep their HLO name.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"

namespace sw {

enum class AttrKind : uint8_t {
  unit,           // present or absent
  boolean,        // integer
  integer,        // integer, type
  floating,       // text (as spelled), type
  string,         // text
  symbol,         // text without the @; a nested reference keeps its ::@ parts
  type,           // type
  array,          // elements: [1 : i64, "a"]
  dictionary,     // fields: {a = 1}
  struct_,        // text = dialect and mnemonic ("stablehlo.dot"), fields = its parameters in textual order;
                  // a parameter without a name has an empty field name
  enum_,          // text = value ("GT"), name = dialect and mnemonic ("stablehlo<comparison_direction"), may be empty
  dense_array,    // integers (array<i64: 1, 2>, array<i1: true>): type = element type
  dense,          // dense<...> : type. integers/floats of all elements, one for a splat; see DenseForm
  sharding,       // integer = NamedShardingId (#sdy.sharding<...>)
  sharding_list,  // integers = NamedShardingIds (#sdy.sharding_per_value<[...]>); for in_shardings/out_shardings too
  tile_sharding,  // integer = TileShardingId (mhlo.sharding = "{...}", HLO sharding={...})
  mesh,           // integer = MeshId (#sdy.mesh<...>)
  axes,           // text = the list as spelled: manual_axes={"x"}, and sdy collectives' axis lists
  factor_rule,    // text = the body of #sdy.op_sharding_rule<...>, as spelled
  location,       // integer = LocationId
  opaque,         // text verbatim: anything of a dialect this program does not know
};

// How the elements of a dense attribute are held.
enum class DenseForm : uint8_t {
  splat,     // text = the one literal as spelled ("0.000000e+00", "true", "-1", "(1.0,2.0)")
  list,      // text = the nested list as spelled, with its brackets
  hex,       // text = hexadecimal digits of the little-endian bytes, without 0x
  resource,  // text = the key of dense_resource<key>
  string,    // text = quoted strings
};

struct NamedAttr {
  StringId name;
  AttrId value;
  friend bool operator==(const NamedAttr&, const NamedAttr&) = default;
};

// What an AttrId stands for; spans and views are valid while nothing is added to the table.
struct Attr {
  AttrKind kind = AttrKind::unit;
  DenseForm form = DenseForm::splat;
  TypeId type;
  int64_t integer = 0;
  std::string_view text;
  std::string_view name;
  std::span<const int64_t> integers;
  std::span<const AttrId> elements;
  std::span<const NamedAttr> fields;
};

class AttrTable {
 public:
  AttrTable();
  AttrId intern(const Attr& attr);
  Attr get(AttrId id) const;
  size_t count() const { return records_.size(); }

  AttrId unit();
  AttrId boolean(bool value);
  AttrId integer(int64_t value, TypeId type);
  AttrId string(std::string_view text);
  AttrId symbol(std::string_view text);
  AttrId of_type(TypeId type);
  AttrId array(std::span<const AttrId> elements);
  AttrId dictionary(std::span<const NamedAttr> fields);
  AttrId struct_(std::string_view name, std::span<const NamedAttr> fields);
  AttrId dense_array(TypeId element, std::span<const int64_t> values);
  // dense<text> : type, every element the one literal as spelled.
  AttrId splat(TypeId type, std::string_view text);
  AttrId dense(DenseForm form, TypeId type, std::string_view text);
  AttrId opaque(std::string_view text);

 private:
  struct Record {
    AttrKind kind;
    DenseForm form;
    TypeId type;
    int64_t integer;
    Slice<char> text;
    Slice<char> name;
    Slice<int64_t> integers;
    Slice<AttrId> elements;
    Slice<NamedAttr> fields;
    uint64_t hash;
  };
  bool same(AttrId id, const Attr& attr) const;

  std::vector<Record> records_;
  std::vector<uint32_t> slots_;
  std::string chars_;
  std::vector<int64_t> integers_;
  std::vector<AttrId> elements_;
  std::vector<NamedAttr> fields_;
};

}  // namespace sw
