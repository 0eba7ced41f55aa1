// What values are called: as the file spells them, and as the user's Python does.
#pragma once

#include <string>
#include <string_view>

#include "ir/graph.h"

namespace sw {

// As the file spells it: "%4", "%4#1" for one result of several, "%arg0"; HLO names as they are, "dot.3".
std::string value_spelled_name(const Graph& graph, ValueId value);

// The name that JAX's debug information gives argument i of a function, "params['w1']"; empty where there is none.
std::string_view argument_source_name(const Graph& graph, FunctionId function, size_t i);

// The name that jax.result_info gives result i of a function, "result[1]['loss']"; "result[i]" where there is none.
std::string result_source_name(const Graph& graph, FunctionId function, size_t i);

// The user's own name where there is one (arguments of functions), otherwise as spelled.
std::string value_display_name(const Graph& graph, ValueId value);

// The argument number of a function's block argument; false for every other value.
bool is_function_argument(const Graph& graph, ValueId value, FunctionId& function, size_t& index);

// A source name as a path: params['layers'][0].w1 -> "params/layers/0/w1". What patterns such as `params/*/w1` match.
std::string name_as_path(std::string_view name);

}  // namespace sw
