#include "text/yaml/hardware.h"

#include "support/catch.h"

namespace sw {
namespace {

TEST_CASE("hardware: every file of the catalogue is good and named after its file", "[hardware]") {
  SourceManager sources;
  Diagnostics diagnostics;
  const std::vector<Hardware> all = hardware_catalogue(sources, diagnostics);
  CHECK_FALSE(diagnostics.has_errors());
  CHECK(all.size() == 16);
  for (const Hardware& hardware : all) {
    const Result<Hardware> found = find_hardware(hardware.name, {}, sources, diagnostics);
    REQUIRE(found.has_value());
    CHECK(found->name == hardware.name);
    CHECK(sources.name(FileId{sources.count() - 1}) == "<hardware " + hardware.name + ">");
    if (hardware.name != "cpu") CHECK(hardware.usable().value_or(0) > int64_t{10} << 30);
    for (const HardwareSample& sample : hardware.measured)
      CHECK(std::any_of(hardware.sources.begin(), hardware.sources.end(),
                        [&](const auto& source) { return source.first == sample.source; }));
  }
}

TEST_CASE("hardware: found by alias, in any case", "[hardware]") {
  SourceManager sources;
  Diagnostics diagnostics;
  for (const char* name : {"h100", "H100-SXM", "h100_sxm"})
    CHECK(find_hardware(name, {}, sources, diagnostics)->name == "h100");
  CHECK_FALSE(find_hardware("h10", {}, sources, diagnostics).has_value());
  CHECK(diagnostics.in_order_reported().back().helps.front() == "did you mean `h100`?");
}

}  // namespace
}  // namespace sw
