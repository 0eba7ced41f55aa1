// One hash for the whole program: deterministic across runs and machines, so nothing depends on a random seed.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace sw {

constexpr uint64_t hash_mix(uint64_t seed, uint64_t value) {
  uint64_t h = seed ^ (value + 0x9e3779b97f4a7c15ULL + (seed << 6) + (seed >> 2));
  h ^= h >> 32;
  h *= 0xd6e8feb86659fd93ULL;
  h ^= h >> 32;
  return h;
}

inline uint64_t hash_bytes(std::string_view text) {
  uint64_t h = 0xcbf29ce484222325ULL ^ text.size();
  size_t at = 0;
  for (; at + 8 <= text.size(); at += 8) {
    uint64_t word = 0;
    std::memcpy(&word, text.data() + at, 8);
    h = hash_mix(h, word);
  }
  if (at < text.size()) {
    uint64_t word = 0;
    std::memcpy(&word, text.data() + at, text.size() - at);
    h = hash_mix(h, word);
  }
  return h;
}

}  // namespace sw
