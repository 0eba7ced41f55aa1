// UTF-8, strictly: what render and the report writers may pass through as it is.
#pragma once

#include <cstdint>
#include <string_view>

namespace sw {

// Bytes of the character at `at` (1 to 4), or 0 when the bytes there are not valid UTF-8 (overlong, a surrogate, cut
// off). Sets `code` when given.
inline uint32_t utf8_length(std::string_view text, size_t at, uint32_t* code = nullptr) {
  const auto byte = [&](size_t i) { return static_cast<uint32_t>(static_cast<unsigned char>(text[at + i])); };
  const uint32_t lead = byte(0);
  if (lead < 0x80) {
    if (code != nullptr) *code = lead;
    return 1;
  }
  const uint32_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || at + length > text.size()) return 0;
  uint32_t value = lead & (0xffU >> (length + 1));
  for (uint32_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0U) != 0x80U) return 0;
    value = (value << 6) | (byte(i) & 0x3fU);
  }
  constexpr uint32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  if (value < kSmallest[length] || value > 0x10ffff || (value >= 0xd800 && value <= 0xdfff)) return 0;
  if (code != nullptr) *code = value;
  return length;
}

}  // namespace sw
