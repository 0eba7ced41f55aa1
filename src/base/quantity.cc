// See the header.
#include "base/quantity.h"

#include <charconv>
#include <cmath>

namespace sw {

std::optional<double> parse_number(std::string_view text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, value);
  if (text.empty() || error != std::errc() || at != end || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::optional<int64_t> byte_unit(std::string_view word) {
  struct Unit {
    std::string_view word;
    int64_t bytes;
  };
  constexpr int64_t kibi = 1024, kilo = 1000;
  constexpr Unit kUnits[] = {{"B", 1},
                             {"kB", kilo},
                             {"MB", kilo * kilo},
                             {"GB", kilo * kilo * kilo},
                             {"TB", kilo * kilo * kilo * kilo},
                             {"KiB", kibi},
                             {"MiB", kibi * kibi},
                             {"GiB", kibi * kibi * kibi},
                             {"TiB", kibi * kibi * kibi * kibi}};
  for (const Unit& unit : kUnits)
    if (unit.word == word) return unit.bytes;
  return std::nullopt;
}

std::optional<int64_t> parse_bytes(std::string_view text) {
  size_t end = text.find_first_not_of("0123456789.+-");
  // The exponent of a number, not the beginning of a unit.
  if (end != std::string_view::npos && (text[end] == 'e' || text[end] == 'E'))
    end = text.find_first_not_of("0123456789+-", end + 1);
  if (end == std::string_view::npos) end = text.size();
  const std::optional<double> number = parse_number(text.substr(0, end));
  while (end < text.size() && text[end] == ' ') ++end;
  const std::optional<int64_t> unit = end == text.size() ? 1 : byte_unit(text.substr(end));
  if (!number || !unit) return std::nullopt;
  const double bytes = std::round(*number * static_cast<double>(*unit));
  if (bytes < 0 || bytes > 9e18) return std::nullopt;
  return static_cast<int64_t>(bytes);
}

}  // namespace sw
