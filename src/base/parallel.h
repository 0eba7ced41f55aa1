// Data-parallel loops; oneTBB stands behind them and nowhere else.
#pragma once

#include <cstddef>
#include <functional>

namespace sw {

// Calls body(i) for every i in [0, count), in any order, from up to `threads` threads (0 = all cores, 1 = in place, in
// order). Bodies must not depend on one another; the caller merges results by index, so that output bytes are the same
// for any number of threads.
void parallel_for(size_t count, const std::function<void(size_t)>& body, int threads = 0);

}  // namespace sw
