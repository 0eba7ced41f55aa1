// Replays a corpus through a fuzz target in builds without libFuzzer:  replay_fuzz_mlir mlir,txt DIR...
// Every file of these folders with such an extension is given whole, then cut off at a few places and with a byte
// changed, always the same ones. A target that fails aborts: the last file named on standard output is the one.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

void give(std::string_view bytes) {
  // A copy of exactly this size, so that a sanitizer sees a read past the end.
  const std::vector<uint8_t> copy(bytes.begin(), bytes.end());
  LLVMFuzzerTestOneInput(copy.data(), copy.size());
}

void replay(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  give(text);
  constexpr size_t kCuts = 6;
  constexpr size_t kLarge = 100'000;  // large files: whole and cut in half only
  const size_t cuts = text.size() > kLarge ? 1 : kCuts;
  for (size_t cut = 1; cut <= cuts; ++cut) {
    const size_t place = text.size() * cut / (cuts + 1);
    give(std::string_view(text).substr(0, place));
    if (text.empty() || cuts == 1) continue;
    std::string changed = text;
    changed[place] = static_cast<char>(changed[place] ^ 0x15);
    give(changed);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: %s EXTENSION[,EXTENSION...] DIR...\n", argv[0]);
    return 2;
  }
  const std::string wanted = "," + std::string(argv[1]) + ",";
  std::vector<std::string> files;
  for (int i = 2; i < argc; ++i) {
    if (!std::filesystem::is_directory(argv[i])) continue;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(argv[i])) {
      const std::string extension = entry.path().extension().string();
      if (!entry.is_regular_file() || extension.size() < 2) continue;
      if (wanted.find("," + extension.substr(1) + ",") != std::string::npos) files.push_back(entry.path().string());
    }
  }
  std::sort(files.begin(), files.end());
  for (const std::string& file : files) {
    std::puts(file.c_str());
    std::fflush(stdout);
    replay(file);
  }
  std::printf("%zu files replayed\n", files.size());
  return files.empty() ? 1 : 0;
}
