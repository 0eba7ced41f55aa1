// HLO text: the reader takes any bytes; what it accepts is printed, read again, and must be the same program.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "support/same_program.h"
#include "text/hlo/reader.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  sw::SourceManager sources;
  sw::Diagnostics diagnostics;
  const auto program = sw::read_hlo(sources.add("fuzz.hlo", std::string(text)), sources, diagnostics);
  if (!program) {
    if (!diagnostics.has_errors()) std::abort();
    return 0;
  }
  std::string reason;
  sw::looks_partitioned(*program, &reason);
  const std::string printed = sw::print_hlo(*program);
  sw::Diagnostics again;
  const auto second = sw::read_hlo(sources.add("printed.hlo", printed), sources, again);
  const std::string difference = second ? sw::first_difference(*program, *second) : "the printed text is not accepted";
  if (difference.empty()) return 0;
  std::fprintf(stderr, "%s\n%s\n", difference.c_str(), printed.c_str());
  std::abort();
}
