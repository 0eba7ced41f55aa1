// Constants of the program text as arrays.
#pragma once

#include <optional>
#include <string>

#include "exec/array.h"
#include "ir/graph.h"

namespace sw {

// Nothing, with the reason in *why, when the text does not have the elements (`{...}`, dense_resource) or they cannot
// be read.
std::optional<Array> read_array(const Graph& graph, AttrId value, TypeId type, std::string* why);

}  // namespace sw
