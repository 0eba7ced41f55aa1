// StableHLO as XLA's importer would turn it into HLO.
#include "propagate/gspmd/import.h"

namespace sw::gspmd {

Result<Module> import_stablehlo(Program&, Diagnostics& diagnostics) {
  diagnostics.error(DiagnosticKind::unsupported, SourceRange{}, "not yet");
  return reported();
}

}  // namespace sw::gspmd
