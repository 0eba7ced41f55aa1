// MLIR text: the reader takes any bytes; what it accepts is printed, read again, and must be the same program, printed
// the same once more. Names of values are not compared: a region that the short form does not spell has none.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "support/same_program.h"
#include "text/mlir/reader.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  sw::SourceManager sources;
  sw::Diagnostics diagnostics;
  const auto program = sw::read_mlir(sources.add("fuzz.mlir", std::string(text)), sources, diagnostics);
  if (!program) {
    if (!diagnostics.has_errors()) std::abort();
    return 0;
  }
  const std::string printed = sw::print_mlir(*program);
  sw::Diagnostics again;
  const auto second = sw::read_mlir(sources.add("printed.mlir", printed), sources, again);
  std::string difference =
      second ? sw::first_difference(*program, *second, /*names=*/false) : "the printed text is not accepted";
  if (difference.empty() && sw::print_mlir(*second) != printed) difference = "printed differently the second time";
  if (difference.empty()) return 0;
  std::fprintf(stderr, "%s\n%s\n", difference.c_str(), printed.c_str());
  std::abort();
}
