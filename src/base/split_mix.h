// splitmix64: pseudo-random numbers, the same on every machine.
#pragma once

#include <cstdint>

namespace sw {

class SplitMix {
 public:
  explicit SplitMix(uint64_t state) : state_(state) {}
  uint64_t next() {
    state_ += 0x9e3779b97f4a7c15ULL;
    uint64_t x = state_;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
  }

 private:
  uint64_t state_;
};

}  // namespace sw
