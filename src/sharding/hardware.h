// What is known of one kind of device: the memory of one of them, how fast it computes, what ties them together. Read
// from configs/hardware (text/yaml/hardware.h); configs/README.md says what each figure means.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sw {

enum class HardwareUnit : uint8_t { bytes, bytes_per_second, flops, seconds, count, ratio, word };

// One figure by the place where it stands in the file: "memory.bandwidth", "flops.bf16".
struct HardwareFigure {
  std::string key;
  HardwareUnit unit = HardwareUnit::count;
  double value = 0;
  std::string word;  // unit `word`
};

// Something that was measured, apart from what data sheets say: a collective among `devices`, or a square product.
struct HardwareSample {
  std::string collective, product;  // one of them is empty
  std::vector<HardwareFigure> figures;
  std::string source;
};

struct Hardware {
  std::string name, description;
  std::vector<std::string> aliases;
  std::string memory_model;         // whose compiler's rules hold for its memory: "gpu", "tpu-v5e", "tpu-v5p", "cpu"
  std::optional<int64_t> capacity;  // bytes of one device; a CPU has no fixed one
  int64_t reserve = 0;              // of which the runtime keeps this much
  std::vector<HardwareFigure> figures;  // all of them, in the order of the format
  std::vector<HardwareSample> measured;
  std::vector<std::pair<std::string, std::string>> sources;

  // By its key; null: not known.
  const HardwareFigure* figure(std::string_view key) const {
    for (const HardwareFigure& f : figures)
      if (f.key == key) return &f;
    return nullptr;
  }
  // What a program can use.
  std::optional<int64_t> usable() const {
    return capacity.has_value() ? std::optional(*capacity - reserve) : std::nullopt;
  }
};

}  // namespace sw
