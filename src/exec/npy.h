// Arrays in NumPy's file format, version 1 to 3: little-endian numbers in C order.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "exec/array.h"

namespace sw {

// Nothing, with the reason in *why. The elements become those of `type`: the same, or bytes of the same width for types
// that NumPy does not know (bfloat16 is stored as two-byte voids).
std::optional<Array> read_npy(std::string_view bytes, const Type& type, std::string* why);
std::string write_npy(const Array& array);

}  // namespace sw
