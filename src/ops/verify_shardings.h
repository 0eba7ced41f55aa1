// Shardings written in a program: do they fit the values that they are on? Private to ops/.
#pragma once

#include "ops/verify_check.h"

namespace sw {

// sdy.sharding, in_shardings, out_shardings, sdy.sharding_rule, mhlo.sharding of one op.
bool verify_op_shardings(const OpCheck& check);
// Those of a function's arguments and results.
void verify_function_shardings(const Program& program, const Function& function, Diagnostics& diagnostics);

}  // namespace sw
