// What compilers simplify before they look at collectives, as far as it decides which collectives they see side by
// side: calls and branches that are known are written out where they stand, copies and reshapes that do nothing go,
// equal ops become one.
#pragma once

#include "partition/backend/rewrite.h"

namespace sw {

// `but_for` is an element type whose selections are left alone.
void tidy(Rewrite& rewrite, std::optional<ElementType> but_for = {});

}  // namespace sw
