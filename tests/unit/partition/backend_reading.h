// What a backend makes of a partitioned program, for the tests of partition/backend: one line a collective, in the
// order of the program: kind, result, and the groups it works in.
#pragma once

#include <string>

#include "partition/backend/backend.h"
#include "support/catch.h"
#include "support/diagnostics.h"
#include "text/hlo/reader.h"

namespace sw::test {

// `lines` are those of the entry computation, on 8 devices; %add, %max and %add16 are there to be called.
inline std::string partitioned_module(const std::string& lines, const std::string& computations = "") {
  const auto reduction = [](const std::string& name, const std::string& op, const std::string& type) {
    return "%" + name + " (x: " + type + "[], y: " + type + "[]) -> " + type + "[] {\n  %x = " + type +
           "[] parameter(0)\n  %y = " + type + "[] parameter(1)\n  ROOT %r = " + type + "[] " + op + "(%x, %y)\n}\n\n";
  };
  return "HloModule m, num_partitions=8\n\n" + reduction("add", "add", "f32") + reduction("max", "maximum", "f32") +
         reduction("add16", "add", "bf16") + computations + "ENTRY %main_spmd {\n" + lines + "}\n";
}

inline std::string line_of(const LocalProgram& local, const Collective& c) {
  std::string line = std::string(facts(c.kind).hlo) + ' ' +
                     hlo_text(local.graph.types, local.graph.value(local.graph.result(c.op)).type, false);
  if (!c.groups.dims.empty()) {
    const std::vector<int64_t> ids = device_ids(c.groups);
    line += ' ';
    for (size_t i = 0; i < ids.size(); ++i)
      line += (i == 0 ? "" : i % static_cast<size_t>(c.groups.dims[1]) == 0 ? "|" : ",") + std::to_string(ids[i]);
  }
  for (const auto& [from, to] : c.pairs) line += ' ' + std::to_string(from) + '>' + std::to_string(to);
  if (c.trip_count != 1) line += " x" + std::to_string(c.trip_count);
  return line + '\n';
}

inline LocalProgram after_backend(Backend backend, const std::string& module) {
  SourceManager sources;
  Diagnostics diagnostics;
  const auto program = read_hlo(sources.add("test.hlo", module), sources, diagnostics);
  INFO(told(diagnostics, sources));
  REQUIRE(program);
  LocalProgram local = already_partitioned(*program, 8);
  apply_backend(local, backend);
  return local;
}

inline std::string collectives_after(Backend backend, const std::string& module) {
  const LocalProgram local = after_backend(backend, module);
  std::string text;
  for (const Collective& c : local.collectives) text += line_of(local, c);
  return text;
}

}  // namespace sw::test
