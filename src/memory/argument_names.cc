#include "memory/argument_names.h"

namespace sw {

std::string_view name_root(std::string_view name) { return name.substr(0, name.find_first_of("[.")); }
std::string_view name_path(std::string_view name) { return name.substr(name_root(name).size()); }

std::string name_pattern(std::string_view name) {
  std::string pattern;
  for (size_t i = 0; i < name.size(); ++i) {
    pattern += name[i];
    const size_t end = name.find_first_not_of("0123456789", i + 1);
    const bool is_list = name[i] == '[' && end != std::string_view::npos && name[end] == ']';
    if ((name[i] != '_' && !is_list) || end == i + 1 || i + 1 == name.size()) continue;
    pattern += '*';
    i = (end == std::string_view::npos ? name.size() : end) - 1;
  }
  return pattern;
}

}  // namespace sw
