// Exit codes of every verb. Where several apply, the first of: bug, usage, input, device, out_of_memory, findings.
#pragma once

#include <initializer_list>

namespace sw {

enum ExitCode : int {
  kExitOk = 0,
  kExitFindings = 1,     // findings at or above --fail-on, a failed assertion, a difference
  kExitUsage = 2,        // wrong usage or configuration
  kExitInput = 3,        // the input cannot be read, parsed or verified
  kExitOutOfMemory = 4,  // predicted out of memory
  kExitDevice = 5,       // a device or a run failed
  kExitBug = 70,         // a bug of ours
};

// The one of two codes that counts.
inline int worse(int a, int b) {
  for (const int code : {kExitBug, kExitUsage, kExitInput, kExitDevice, kExitOutOfMemory, kExitFindings})
    if (a == code || b == code) return code;
  return kExitOk;
}

}  // namespace sw
