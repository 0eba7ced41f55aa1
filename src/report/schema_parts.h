// What each report's schema begins with, and what stands between the common head and the common definitions. Not a
// public header.
#pragma once

#include <string_view>

namespace sw {

struct SchemaParts {
  std::string_view begin, rest;
};
SchemaParts check_schema();
std::string_view run_schema();  // all of it

}  // namespace sw
