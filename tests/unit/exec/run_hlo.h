// Runs HLO text on simulated devices, for tests: arguments and results are spelled as constants are.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "exec/literal.h"
#include "exec/machine.h"
#include "support/catch.h"
#include "text/hlo/reader.h"

namespace sw::test {

// A computation ENTRY around the given lines; computations that they call stand in `before`.
inline std::string module_of(const std::string& lines, const std::string& before = "") {
  return "HloModule m\n\n" + before + "ENTRY main {\n" + lines + "}\n";
}

struct Ran {
  std::vector<std::string> results;  // by device: the leaves, separated by blanks
  std::string error;
};

std::string text_of(const Datum& datum);

// `args[i]` is the text of parameter i, the same on every device, or a list of texts with one for each.
Ran run_hlo(const std::string& module, const std::vector<std::vector<std::string>>& args, int64_t devices = 1);

// One device, one result.
inline std::string result_of(const std::string& lines, const std::vector<std::string>& args,
                             const std::string& before = "") {
  std::vector<std::vector<std::string>> all;
  for (const std::string& arg : args) all.push_back({arg});
  const Ran ran = run_hlo(module_of(lines, before), all);
  return ran.results.empty() ? ran.error : ran.results[0];
}

}  // namespace sw::test
