// The files of configs/hardware as they were when the program was built. Not a public header.
#pragma once

#include <span>
#include <string_view>

namespace sw {

struct HardwareFile {
  std::string_view name;  // without `.yaml`
  std::string_view text;
};
std::span<const HardwareFile> hardware_files();

}  // namespace sw
