// What HLO has to be told about a call of somebody else's code: how its operands and results lie in memory, and the
// dictionary that a typed call is configured with.
//
//   operand_layouts = [dense<[0, 1]>], result_layouts = [...]  ->  operand_layout_constraints={f32[4,8]{0,1}}, and
//                                                                  layouts in the result type
//   mhlo.backend_config = {mode = 78 : ui8}                    ->  api_version=API_VERSION_TYPED_FFI,
//                                                                  backend_config={mode = 78 : ui8}
#pragma once

#include "ir/builder.h"

namespace sw {

void complete_custom_call(GraphBuilder& builder, OpId id);

}  // namespace sw
