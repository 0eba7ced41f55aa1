// See the header.
#include "text/yaml/defaults.h"

#include <yaml-cpp/yaml.h>

#include <algorithm>

#include "source/input.h"

namespace sw {

namespace {

SourceRange range_of(FileId file, const YAML::Mark& mark, size_t length, size_t text_size) {
  const size_t begin = mark.is_null() ? 0 : std::min(static_cast<size_t>(std::max(mark.pos, 0)), text_size);
  return {file, static_cast<uint32_t>(begin), static_cast<uint32_t>(std::min(begin + length, text_size))};
}

}  // namespace

Result<std::vector<DefaultOption>> read_defaults(const std::string& path, SourceManager& sources,
                                                 Diagnostics& diagnostics) {
  const Result<FileId> file = load_input(path, sources, diagnostics);
  if (!file.has_value()) return reported();
  const std::string text(sources.text(*file));
  std::vector<DefaultOption> options;
  try {
    const YAML::Node root = YAML::Load(text);
    if (!root.IsMap()) {
      diagnostics.error(DiagnosticKind::bad_configuration, range_of(*file, root.Mark(), 0, text.size()),
                        "expected a mapping of option names to values");
      return reported();
    }
    bool good = true;
    for (const auto& entry : root) {
      DefaultOption option;
      option.name = entry.first.IsScalar() ? entry.first.Scalar() : "";
      option.where = range_of(*file, entry.first.Mark(), option.name.size(), text.size());
      if (entry.second.IsScalar()) option.values.push_back(entry.second.Scalar());
      bool words = entry.second.IsScalar() || entry.second.IsSequence();
      if (entry.second.IsSequence())
        for (const YAML::Node& item : entry.second) {
          words = words && item.IsScalar();
          if (words) option.values.push_back(item.Scalar());
        }
      if (!words || option.values.empty()) {
        diagnostics.error(DiagnosticKind::bad_configuration, option.where,
                          "the value of `" + option.name + "` is neither a word nor a list of words");
        good = false;
      }
      options.push_back(std::move(option));
    }
    if (!good) return reported();
  } catch (const YAML::Exception& error) {
    diagnostics.error(DiagnosticKind::bad_configuration, range_of(*file, error.mark, 1, text.size()),
                      "not valid YAML: " + error.msg);
    return reported();
  }
  return options;
}

}  // namespace sw
