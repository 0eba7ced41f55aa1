// Numbers as people write them: amounts of bytes with their unit.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace sw {

// A number in decimal, `1e9` or `0.9`, that takes up the whole text; finite.
std::optional<double> parse_number(std::string_view text);

// The factor of `B`, `kB`, `MB`, `GB`, `TB`, `KiB`, `MiB`, `GiB`, `TiB`; nothing for any other word.
std::optional<int64_t> byte_unit(std::string_view word);

// `2 GiB`, `80GB`, `17179869184`, `1.5e9`: whole bytes, rounded; nothing where that is no number of bytes.
std::optional<int64_t> parse_bytes(std::string_view text);

}  // namespace sw
