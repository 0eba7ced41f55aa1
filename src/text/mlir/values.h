// Which name stands for which value where: the SSA names of a function, by region.
//
// Names belong to the region that defines them and to the regions inside it; a region that is isolated from above (a
// function, sdy.manual_computation) sees nothing from outside and may use the same names again. Leaving a region undoes
// its definitions from a log, so the cost is that of the definitions, whatever the nesting.
//
// `%12` is by far the commonest spelling: such names are looked up by number, all others by interned text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/interner.h"

namespace sw::mlir {

struct Definition {
  StringId name;           // with the percent sign
  ValueId first;           // invalid: the op that defines it did not parse
  uint32_t count = 0;      // values of the group `%0:2`; 0: no such name
  uint32_t where = 0;      // offset of its definition
  uint32_t isolation = 0;  // which isolated scope it belongs to
};

class ValueScopes {
 public:
  explicit ValueScopes(StringInterner& strings) : strings_(strings) {}

  void push(bool isolated);
  void pop();
  // The visible definition of `name`, or null.
  const Definition* find(std::string_view name) const;
  // Defines `count` values from `first` on; returns an earlier visible definition instead of replacing it.
  const Definition* define(std::string_view name, ValueId first, uint32_t count, uint32_t where);
  // The same spelling interned.
  StringId name_id(std::string_view name);
  // The visible name nearest in spelling among the last few hundred definitions; empty when none is near, or
  // `name` is a number.
  std::string nearest(std::string_view name) const;

 private:
  struct Scope {
    size_t log_begin;
    uint32_t isolation;
  };
  struct Undo {
    bool numbered;
    uint32_t slot;
    Definition before;
  };
  static constexpr uint32_t kMaxNumber = 1U << 20;
  static bool number_of(std::string_view name, uint32_t& number);
  bool visible(const Definition& d) const { return d.count > 0 && d.isolation == isolation_; }

  StringInterner& strings_;
  std::vector<Definition> numbered_;
  std::vector<StringId> number_names_;
  std::vector<Definition> named_;  // by StringId
  std::vector<Undo> log_;
  std::vector<Scope> scopes_;
  uint32_t isolation_ = 0;
  uint32_t next_isolation_ = 1;
};

}  // namespace sw::mlir
