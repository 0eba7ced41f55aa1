// How many bytes a program will hold at most on one device, before it runs: its steps gone through with sizes only.
#pragma once

#include "exec/executable.h"

namespace sw {

// Shapes are static, so this is what Machine::high_water() measures, but for loops and branches: a loop counts as if
// its old and its new state were there at once, a conditional as its largest branch. Saturates.
int64_t peak_bytes(const Executable& program);

// Bytes that this machine can still give, or INT64_MAX when the system does not say.
int64_t available_memory();

}  // namespace sw
