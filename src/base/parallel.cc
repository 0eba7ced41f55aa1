#include "base/parallel.h"

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

namespace sw {

void parallel_for(size_t count, const std::function<void(size_t)>& body, int threads) {
  if (threads == 1 || count < 2) {
    for (size_t i = 0; i < count; ++i) body(i);
    return;
  }
  tbb::task_arena arena(threads == 0 ? tbb::task_arena::automatic : threads);
  arena.execute([&] { tbb::parallel_for(size_t{0}, count, body); });
}

}  // namespace sw
