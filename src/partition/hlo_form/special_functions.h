// Functions that StableHLO programs call (dialect chlo) and HLO has no operation for, in terms of operations it has.
//
// The formulas and their coefficients are the ones that XLA's compiler of StableHLO uses, so results agree to rounding.
// Types narrower than 32 bits are computed in f32 where XLA does so. Of complex numbers only conj has a formula.
#pragma once

#include <span>

#include "partition/emitter.h"

namespace sw {

// Whether HLO has to be told how this op is computed: it has no operation for it, or one that compilers do not take.
bool is_special_function(OpKind kind);

// Appends the computation; invalid when there is no formula for this type.
ValueId special_function(Emitter& emit, OpKind kind, std::span<const ValueId> operands, TypeId result);

}  // namespace sw
