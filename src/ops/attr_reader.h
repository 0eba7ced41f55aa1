// Reads raw attributes of an op for the dims_* structs; nothing else in the program does. Each reader function says in
// `why` what is wrong, once, with what was seen and expected; a null `why` costs nothing.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/small_vector.h"
#include "ir/graph.h"

namespace sw {

// Dimensions of a tensor, or one number per dimension.
using DimList = SmallVector<int64_t, 6>;

inline bool contains(std::span<const int64_t> list, int64_t dim) {
  for (int64_t d : list)
    if (d == dim) return true;
  return false;
}

// The dimensions 0 .. rank - 1 that stand in neither list, ascending.
DimList other_dims(size_t rank, std::span<const int64_t> a, std::span<const int64_t> b = {});

// Every dimension in [0, rank), none twice. `what` names the list in the explanation.
bool check_dims(std::span<const int64_t> dims, size_t rank, std::string_view what, std::string* why);
bool check_dim(int64_t dim, size_t rank, std::string_view what, std::string* why);

// Sets *why when asked for, and returns false.
bool explain(std::string* why, std::string message);

class AttrReader {
 public:
  AttrReader(const Graph& graph, const Op& op, std::string* why) : graph_(graph), op_(op), why_(why) {}

  // Required ones are false when absent or of another kind; optional ones leave `out` alone when absent.
  bool ints(std::string_view name, DimList& out) { return read_ints(find(name), name, true, out); }
  bool optional_ints(std::string_view name, DimList& out) { return read_ints(find(name), name, false, out); }
  bool integer(std::string_view name, int64_t& out) { return read_integer(find(name), name, true, out); }
  bool optional_integer(std::string_view name, int64_t& out) { return read_integer(find(name), name, false, out); }
  bool optional_boolean(std::string_view name, bool& out);
  // StableHLO requires them, HLO leaves them out when they have the value that `out` has.
  bool stated_ints(std::string_view name, DimList& out) { return read_ints(find(name), name, !graph_.is_hlo, out); }
  bool stated_integer(std::string_view name, int64_t& out) {
    return read_integer(find(name), name, !graph_.is_hlo, out);
  }
  bool stated_boolean(std::string_view name, bool& out) {
    return !graph_.is_hlo && !present(name) ? missing(name) : optional_boolean(name, out);
  }
  // The value of an enum, as spelled: "GT". The view lives as long as the attribute table is not added to.
  bool enumerator(std::string_view name, std::string_view& out);
  bool text(std::string_view name, std::string_view& out);  // a string or symbol

  // Opens a struct such as #stablehlo.dot<...>; the next field_* calls read its parameters.
  bool open_struct(std::string_view name);
  bool field_ints(std::string_view name, DimList& out) { return read_ints(field(name), name, false, out); }
  bool field_integer(std::string_view name, int64_t& out, bool required) {
    return read_integer(field(name), name, required, out);
  }
  bool present(std::string_view name) const { return find(name).valid(); }

 private:
  AttrId find(std::string_view name) const;
  AttrId field(std::string_view name) const;
  bool read_ints(AttrId id, std::string_view name, bool required, DimList& out);
  bool read_integer(AttrId id, std::string_view name, bool required, int64_t& out);
  bool missing(std::string_view name);
  bool wrong(std::string_view name, std::string_view expected);

  const Graph& graph_;
  const Op& op_;
  std::string* why_;
  std::span<const NamedAttr> fields_;
};

}  // namespace sw
