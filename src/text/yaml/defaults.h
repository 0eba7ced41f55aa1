// `shardwright.yaml`: defaults of command line options, one key an option, its value a word or a list of words.
//
//   partitioner: gspmd
//   mesh: meshes/v5p-16.yaml
//   shard: ["params/w1=P('fsdp', 'tensor')", "batch=P('data')"]
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "source/diagnostic.h"

namespace sw {

struct DefaultOption {
  std::string name;  // as the long option without its dashes
  std::vector<std::string> values;
  SourceRange where;  // of the key
};

// In the order of the file. Errors (bad_configuration): not YAML, not a mapping, a value that is neither word nor list.
Result<std::vector<DefaultOption>> read_defaults(const std::string& path, SourceManager& sources,
                                                 Diagnostics& diagnostics);

}  // namespace sw
