// See the header.
#include "text/yaml/defaults.h"

#include "source/input.h"
#include "text/yaml/document.h"

namespace sw {

Result<std::vector<DefaultOption>> read_defaults(const std::string& path, SourceManager& sources,
                                                 Diagnostics& diagnostics) {
  const Result<FileId> file = load_input(path, sources, diagnostics);
  if (!file.has_value()) return reported();
  const Result<YamlNode> root = read_yaml(*file, sources, diagnostics);
  if (!root.has_value()) return reported();
  if (root->kind != YamlKind::mapping) {
    diagnostics.error(DiagnosticKind::bad_configuration, root->where, "expected a mapping of option names to values");
    return reported();
  }
  std::vector<DefaultOption> options;
  bool good = true;
  for (size_t i = 0; i < root->entry_count(); ++i) {
    const YamlNode& value = root->value(i);
    DefaultOption option{root->key(i).text, {}, root->key(i).where};
    bool words = value.kind == YamlKind::scalar || (value.kind == YamlKind::sequence && !value.items.empty());
    if (value.kind == YamlKind::scalar) option.values.push_back(value.text);
    for (const YamlNode& item : value.items) {
      words = words && item.kind == YamlKind::scalar;
      if (words) option.values.push_back(item.text);
    }
    if (!words) {
      diagnostics.error(DiagnosticKind::bad_configuration, option.where,
                        "the value of `" + option.name + "` is neither a word nor a list of words");
      good = false;
    }
    options.push_back(std::move(option));
  }
  if (!good) return reported();
  return options;
}

}  // namespace sw
