// The hardware catalogue (configs/hardware/*.yaml), which is part of the program, and files of the same form.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "sharding/hardware.h"
#include "source/diagnostic.h"

namespace sw {

// By name or alias, in any case, `_` and `-` alike; or a file, when the text ends in `.yaml`. Errors: unknown_name with
// the nearest one; what is wrong with the file (bad_configuration): a figure that is missing, is none, or is absurd.
// `where`: of the text, if it stands in a file.
Result<Hardware> find_hardware(const std::string& name, SourceRange where, SourceManager& sources,
                               Diagnostics& diagnostics);

// All of it, by name.
std::vector<Hardware> hardware_catalogue(SourceManager& sources, Diagnostics& diagnostics);

}  // namespace sw
