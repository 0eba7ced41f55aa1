#include "base/check.h"

#include <cstdio>
#include <cstdlib>

namespace sw {

void check_failed(const char* file, int line, const char* function, const char* condition, const char* message) {
  std::fprintf(stderr, "shardwright: internal error in %s (%s:%d): %s [%s]\n", function, file, line, message,
               condition);
  std::fputs("this is a bug in shardwright; please report it with the input file and the command line\n", stderr);
  std::fflush(stderr);
  std::_Exit(70);
}

}  // namespace sw
