// One step of a propagation in words: what the operation has to do with the dimension.
//
//   "dot_general: left free dimension"   "transpose: dimension 0 → 1"   "reshape: 1024 = 8 × 128, the major factor"
#pragma once

#include <string>

#include "propagate/explain.h"

namespace sw {

// How the axis came from `parent` (or from nowhere, kNoOrigin) to `origin`.
std::string step_words(const Program& program, const Plan& plan, const Provenance& provenance, uint32_t origin);

// "priority 1, round 2", "level 0, sweep 1"; empty for what was there before the first round.
std::string round_words(const Plan& plan, const Step& step);

// What an origin is about: the user's name of the argument or output, or the value as spelled with its op.
std::string origin_name(const Program& program, const AxisOrigin& origin);

// "already used by dimension 0", "the dimension is closed", ...
std::string refusal_words(const Program& program, const Plan& plan, const Refusal& refusal);

// The name of an op without its dialect: "dot_general", "@foo" for calls of foo.
std::string op_word(const Graph& graph, OpId op);

// "x", or "x:(1)2" for a part of an axis; "3 tiles" for what the mesh has no axis for.
std::string axis_word(const Program& program, const Plan& plan, const AxisRef& axis);
// Of an axis that the mesh has.
std::string axis_word(const Mesh& mesh, const AxisRef& axis);

}  // namespace sw
