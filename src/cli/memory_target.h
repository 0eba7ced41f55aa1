// Whose rules for memory hold on a device of the catalogue.
#pragma once

#include "memory/profile.h"
#include "sharding/hardware.h"

namespace sw {

inline MemoryTarget memory_target(const Hardware& hardware) {
  if (hardware.memory_model == "tpu-v5e") return MemoryTarget::tpu_v5e;
  if (hardware.memory_model == "tpu-v5p") return MemoryTarget::tpu_v5p;
  return hardware.memory_model == "cpu" ? MemoryTarget::cpu : MemoryTarget::h100;
}

}  // namespace sw
