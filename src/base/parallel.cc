#include "base/parallel.h"

#if defined(__SANITIZE_THREAD__)
#define SW_PLAIN_THREADS 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define SW_PLAIN_THREADS 1
#endif
#endif

#ifdef SW_PLAIN_THREADS
#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>
#else
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#endif

namespace sw {

namespace {

#ifdef SW_PLAIN_THREADS

// oneTBB's library is not instrumented, so that ThreadSanitizer takes what it hands from thread to thread for races.
// Plain threads show those of the bodies and no others.
void on_threads(size_t count, const std::function<void(size_t)>& body, int) {
  constexpr size_t kThreads = 4;
  std::atomic<size_t> next{0};
  const auto work = [&] {
    for (size_t i = next++; i < count; i = next++) body(i);
  };
  std::vector<std::thread> workers;
  for (size_t t = 1; t < std::min(count, kThreads); ++t) workers.emplace_back(work);
  work();
  for (std::thread& worker : workers) worker.join();
}

#else

void on_threads(size_t count, const std::function<void(size_t)>& body, int threads) {
  const auto run = [&] { tbb::parallel_for(size_t{0}, count, body); };
  if (threads != 0) {
    tbb::task_arena(threads).execute(run);
  } else {
    // In the arena that all share: making one costs more than most loops. Isolated, so that a thread which waits for an
    // inner loop does not begin with another part of an outer one.
    tbb::this_task_arena::isolate(run);
  }
}

#endif

}  // namespace

void parallel_for(size_t count, const std::function<void(size_t)>& body, int threads) {
  if (threads != 1 && count > 1) return on_threads(count, body, threads);
  for (size_t i = 0; i < count; ++i) body(i);
}

}  // namespace sw
