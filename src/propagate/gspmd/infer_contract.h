// Rules of products that convolutions share.
#pragma once

#include "propagate/gspmd/rules.h"

namespace sw::gspmd {

bool forward_contract(Context& ctx, InstId id, const ContractDims& dims);
// For operand k of `user`.
bool backward_contract(Context& ctx, size_t k, InstId user, const ContractDims& dims, Leaves& out);

}  // namespace sw::gspmd
