// The JSON Schemas (draft 2020-12) of the JSON reports. Additions to a report never change what its schema requires.
#pragma once

#include <cstdint>
#include <string>

namespace sw {

enum class ReportKind : uint8_t { plan, collectives, check, run, memory };

std::string report_schema(ReportKind kind);

}  // namespace sw
