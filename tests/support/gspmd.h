// Runs GSPMD propagation on a text and gives the sharding of each named value as HLO text.
#pragma once

#include <map>
#include <string>

#include "propagate/gspmd/propagate.h"
#include "sharding/text.h"
#include "support/catch.h"
#include "support/diagnostics.h"
#include "text/hlo/reader.h"
#include "text/mlir/reader.h"

namespace sw::test {

struct Propagated {
  std::map<std::string, std::string> values;  // by name without %; "none": no sharding
  std::vector<std::string> outputs;
  Plan plan;

  const std::string& operator[](const std::string& name) const {
    INFO("value " << name);
    REQUIRE(values.count(name) == 1);
    return values.at(name);
  }
};

inline Propagated gspmd(const std::string& text, bool hlo = true) {
  SourceManager sources;
  Diagnostics diagnostics;
  const FileId file = sources.add(hlo ? "test.hlo" : "test.mlir", text);
  Result<Program> program = hlo ? read_hlo(file, sources, diagnostics) : read_mlir(file, sources, diagnostics);
  INFO(told(diagnostics, sources));
  REQUIRE(program.has_value());
  Result<Plan> plan = propagate_gspmd(*program, {}, {}, diagnostics);
  INFO(told(diagnostics, sources));
  REQUIRE(plan.has_value());
  Propagated out;
  const auto spelled = [&](TileShardingId id) { return id.valid() ? hlo_text(program->tile_shardings, id) : "none"; };
  for (size_t v = 0; v < program->graph.value_count(); ++v) {
    std::string name(program->graph.strings.text(program->graph.value(ValueId{v}).name));
    if (name.rfind('%', 0) == 0) name.erase(0, 1);
    if (const Value& value = program->graph.value(ValueId{v}); !hlo && value.def.valid() && value.index > 0)
      name += "#" + std::to_string(value.index);
    out.values[name] = spelled(plan->tiled[v]);
  }
  for (const TileShardingId id : plan->outputs_tiled) out.outputs.push_back(spelled(id));
  out.plan = std::move(*plan);
  return out;
}

}  // namespace sw::test
