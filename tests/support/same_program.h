// Whether two programs are the same, part by part, whatever order their interned things came in. For round trips: a
// text read, printed and read again must give the same program.
#pragma once

#include <string>

#include "sharding/program.h"

namespace sw {

// Empty when they are the same; else where the first difference is, for people. Byte positions are not compared, and
// names of values only with `names` (the generic and the short form of one program may name values differently).
std::string first_difference(const Program& a, const Program& b, bool names = true);

}  // namespace sw
