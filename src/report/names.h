// What things are called in reports: the user's own names and source lines first, the file's spelling where nothing
// better is known.
#pragma once

#include <string>

#include "ir/graph.h"
#include "sharding/program.h"
#include "source/source_manager.h"

namespace sw {

// As the file spells it: "%4", "%4#1" for one result of several; HLO names without a percent sign.
std::string spelled_name(const Graph& graph, ValueId value);

// The user's name of an argument of main ("params['w1']"), or an empty text.
std::string argument_name(const Graph& graph, ValueId value);

// The user's name of result `index` of main ("result[0]", "['loss']"), or "result[<index>]".
std::string output_name(const Graph& graph, size_t index);

// argument_name, or spelled_name.
std::string display_name(const Graph& graph, ValueId value);

// Which region an argument of a loop's or conditional's region belongs to: "condition", "body", "branch 0"; empty for
// any other value. StableHLO's text gives a loop's variable one name in both regions.
std::string region_of(const Graph& graph, ValueId value);

// The location of a value: of its op, or its own when it is an argument.
LocationId location_of(const Graph& graph, ValueId value);
// The place in the input file where it is defined.
SourceRange range_of(const Graph& graph, ValueId value);

// The line of the input file, from 1. The cost does not depend on the length of the line, as that of a column does: the
// arguments of a large model all stand on one line of 100 kB.
uint32_t line_of(const SourceManager& sources, SourceRange range);

// The last part of a path.
std::string_view file_name(std::string_view path);

// "model.py:41": the file_name of the user's source, and the line. Empty when the location names none.
std::string user_place(const Graph& graph, LocationId loc);
// user_place, or "line 12" of the input file; "argument" for arguments of main, which all stand on one line.
std::string place_of(const Graph& graph, const SourceManager& sources, ValueId value);
std::string place_of(const Graph& graph, const SourceManager& sources, OpId op);

// The Python function around a position, or empty: `jit(f)/jvp()/dot_general` is a path of jax, not a function.
std::string_view function_name(const UserPosition& position);

// The name of the function that contains a value.
std::string_view containing_function(const Graph& graph, ValueId value);

// Whether the value is an argument of the main function.
bool is_main_argument(const Graph& graph, ValueId value);

}  // namespace sw
