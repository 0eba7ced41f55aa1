// What a compiler does to the collectives of a local program after partitioning: it merges, folds, moves and replaces
// them. The result is the program whose collectives run.
//
// XLA's compilers are followed pass by pass (cpu.cc, gpu.cc); the TPU's is closed, and tpu.cc says what its answers
// show.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "partition/partition.h"

namespace sw {

enum class Backend : uint8_t {
  none,     // what stands right after the partitioner
  xla_cpu,  // XLA for CPU
  xla_gpu,  // XLA for GPU
  tpu,      // the TPU compiler
};

// As users spell them, in the order of the enum.
inline constexpr std::array<std::string_view, 4> kBackendNames = {"none", "xla-cpu", "xla-gpu", "tpu"};
inline std::string_view backend_name(Backend backend) { return kBackendNames[static_cast<size_t>(backend)]; }

// The list of collectives is made anew: a collective that replaces others has the cause of the first of them.
void apply_backend(LocalProgram& program, Backend backend);

}  // namespace sw
