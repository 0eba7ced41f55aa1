// Constants of the program text as arrays: lists of either text, one element for all, hexadecimal bytes.
#pragma once

#include <optional>
#include <string>

#include "exec/array.h"
#include "ir/graph.h"

namespace sw {

// Nothing, with the reason in *why, when the text does not have the elements (`{...}`, dense_resource) or they cannot
// be read.
std::optional<Array> read_literal(const Graph& graph, AttrId value, TypeId type, std::string* why);

// Writes the number that `word` spells as one element. False: it spells none.
bool write_number(ElementType element, std::string_view word, std::byte* to);

}  // namespace sw
