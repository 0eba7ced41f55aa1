#include "cli/memory.h"

#include "cli/memory_target.h"
#include "text/yaml/hardware.h"

namespace sw {

Result<std::optional<Hardware>> one_hardware(const Arguments& arguments, SourceManager& sources,
                                             Diagnostics& diagnostics) {
  if (arguments.hardware.empty()) return std::nullopt;
  if (arguments.hardware.size() > 1) {
    diagnostics
        .error(DiagnosticKind::bad_configuration, {},
               "`--hardware` is given more than once: this report is of one device")
        .help("`shardwright check` takes several");
    return reported();
  }
  Result<Hardware> found = find_hardware(arguments.hardware.front(), {}, sources, diagnostics);
  if (!found.has_value()) return reported();
  return std::optional(std::move(*found));
}

Result<DeviceMemory> memory_on(const Graph& graph, const Hardware& hardware, Diagnostics& diagnostics) {
  Result<MemoryProfile> profile = profile_memory(graph, {memory_target(hardware)}, diagnostics);
  if (!profile.has_value()) return reported();
  return DeviceMemory{hardware, std::move(*profile)};
}

}  // namespace sw
