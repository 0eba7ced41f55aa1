// SW_CHECK(cond, "text") is for our own bugs only: an input file must never reach a failing one (the fuzz targets test
// exactly that). It stays on in Release, prints where and what, and ends the process with exit code 70.
#pragma once

namespace sw {

[[noreturn]] void check_failed(const char* file, int line, const char* function, const char* condition,
                               const char* message);

}  // namespace sw

#define SW_CHECK(condition, message)                                              \
  do {                                                                            \
    if (!(condition)) [[unlikely]]                                                \
      ::sw::check_failed(__FILE_NAME__, __LINE__, __func__, #condition, message); \
  } while (false)
