// What a compiler does to the collectives of a local program after partitioning: it merges, folds, moves and replaces
// them. The result is the program whose collectives run.
//
// XLA's compilers are followed pass by pass (cpu.cc, gpu.cc); the TPU's is closed, and tpu.cc says what its answers
// show.
#pragma once

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

// "none", "xla-cpu", ...
std::string_view backend_name(Backend backend);

// The list of collectives is made anew: a collective that replaces others has the cause of the first of them.
void apply_backend(LocalProgram& program, Backend backend);

}  // namespace sw
