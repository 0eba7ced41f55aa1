// Result<T> is how a stage of the library fails: the text of the error is already in Diagnostics, the token only says
// so.
#pragma once

#include <tl/expected.hpp>

namespace sw {

// Empty token: "a diagnostic has been reported".
struct Reported {};

template <class T>
using Result = tl::expected<T, Reported>;

inline tl::unexpected<Reported> reported() { return tl::make_unexpected(Reported{}); }

}  // namespace sw
