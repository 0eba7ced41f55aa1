// Parts of the names that JAX gives to leaves of pytrees: params['layers'][0]['wq'], state.mu.layers_0.
#pragma once

#include <string>
#include <string_view>

namespace sw {

// "params", and "['layers'][0]['wq']".
std::string_view name_root(std::string_view name);
std::string_view name_path(std::string_view name);
// With the numbers of lists, [12], and of layers, layers_12, as `*`.
std::string name_pattern(std::string_view name);

}  // namespace sw
