// Which results take over the storage of which arguments, and which arguments are given away without saying to whom.
//
// jax writes it on the arguments of main, `tf.aliasing_output = 3` where it knows the result, else `jax.buffer_donor`;
// HLO in the header of the module. One form here:
//
//   input_output_alias={ {0}: (12, {}, may-alias), {1}: (13, {}, may-alias) }, buffer_donor={ (0, {}), (1, {}) }
//   -> aliases [{result {0}, argument 12}, {result {1}, argument 13}], donors [argument 0, argument 1]
//
// Inside of tuples a path of indices follows: `(0, {1, 2})`. A result that is no tuple has the empty path.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ir/builder.h"

namespace sw {

struct Donations {
  using Path = std::vector<int64_t>;
  struct Argument {
    int64_t number = 0;
    Path path;
    friend bool operator==(const Argument&, const Argument&) = default;
  };
  struct Alias {
    Path result;
    Argument argument;
    bool must = false;  // the caller relies on it (`must-alias`)
  };
  std::vector<Alias> aliases;
  std::vector<Argument> donors;
};

// What stands in the header of HLO, or on the arguments of main in StableHLO. What cannot be read, or names an argument
// or result that there is not, is left out; `fault`, if given, then says what it was.
Donations read_donations(const Graph& graph, std::string* fault = nullptr);

// `{ {0}: (2, {}), {1, 0}: (3, {}, must-alias) }`, up to what cannot be read; `good`, if given: whether all could. An
// op lists its results that are made in the storage of its operands in the same way.
std::vector<Donations::Alias> parse_aliases(std::string_view text, bool* good = nullptr);

// As attributes of an HLO module; none for lists that are empty.
std::vector<NamedAttr> donation_attrs(GraphBuilder& builder, const Donations& donations);
bool is_donation_attr(std::string_view name);

}  // namespace sw
