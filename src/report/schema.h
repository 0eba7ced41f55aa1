// The JSON Schema (draft 2020-12) of the JSON report. Additions to the report never change what the schema requires.
#pragma once

#include <string_view>

namespace sw {

std::string_view report_schema();

}  // namespace sw
