// "Did you mean": the nearest of a list of names.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace sw {

// Levenshtein distance, given up (and returned as limit + 1) once it exceeds `limit`.
size_t edit_distance(std::string_view a, std::string_view b, size_t limit);

// The candidate nearest to `name` within a third of its length (at least 1, at most 4 edits); empty when none is. The
// first of equally near candidates wins.
std::string_view nearest_name(std::string_view name, std::span<const std::string_view> candidates);

}  // namespace sw
