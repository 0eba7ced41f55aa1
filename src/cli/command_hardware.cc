// hardware: what is known of devices.
#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/output.h"
#include "report/hardware_report.h"
#include "text/yaml/hardware.h"

namespace sw {

int command_hardware(const Arguments& arguments, SourceManager& sources, Diagnostics& diagnostics) {
  std::vector<Hardware> chosen;
  if (!arguments.show_hardware) chosen = hardware_catalogue(sources, diagnostics);
  for (const std::string& name : arguments.hardware)
    if (Result<Hardware> found = find_hardware(name, {}, sources, diagnostics)) chosen.push_back(std::move(*found));
  if (diagnostics.has_errors()) return kExitUsage;
  return write_formats(arguments, diagnostics, [&](const std::string& format, TextSink& sink) {
    if (format == "json") return write_hardware_json(chosen, sink);
    if (!arguments.show_hardware) return write_hardware_list(chosen, sink);
    for (size_t i = 0; i < chosen.size(); ++i) {
      if (i > 0) sink.write("\n");
      write_hardware_text(chosen[i], sink);
    }
  });
}

}  // namespace sw
