// A YAML model as StableHLO text, with the YAML place of every line of it. Not a public header.
#pragma once

#include <string>
#include <vector>

#include "text/yaml/document.h"

namespace sw {

struct ModelText {
  std::string text;
  std::vector<SourceRange> places;  // of each line; an invalid range where nothing of the YAML stands behind it
};

Result<ModelText> model_text(const YamlNode& root, Diagnostics& diagnostics);

}  // namespace sw
