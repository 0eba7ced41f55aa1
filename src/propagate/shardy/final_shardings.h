// The shardings that stand after propagation once edges are gone: those of data-flow ops are read from their edges, and
// everything is closed. Follows the passes sink-data-flow-edges, update-non-divisible-input-output-shardings and
// close-shardings.
#pragma once

#include <vector>

#include "propagate/shardy/engine.h"

namespace sw::shardy {

class FinalShardings {
 public:
  FinalShardings(Module& module, const Engine& engine)
      : module_(module), ir_(module.ir), shardings_(module.shardings), engine_(engine) {}

  // Of `count` values from `first` on, as propagation left them.
  std::vector<NamedShardingId> shardings_of(WorkValueId first, uint32_t count) const;
  // Edges that have no sharding become open when another edge beside them has one. Follows
  // getShardingsFromDataFlowEdges.
  std::vector<NamedShardingId> sunk(WorkValueId first, uint32_t count) const;
  // Of the results of an op, before closing.
  std::vector<NamedShardingId> results_of(WorkOpId id) const;
  // Of a value once edges are gone, before closing.
  NamedShardingId value_sharding(WorkValueId value) const;
  // With the axes that divide the value's dimensions.
  NamedShardingId divisible(NamedShardingId id, WorkValueId value) const;
  NamedShardingId closed(NamedShardingId id) const;
  // Of a value as exported: closed, and arguments of main and of regions with their own rules.
  NamedShardingId exported(WorkValueId value) const;
  // Of a result of main, as exported.
  NamedShardingId output(uint32_t i) const;

 private:
  Module& module_;
  const WorkIr& ir_;
  ShardingTable& shardings_;
  const Engine& engine_;
};

}  // namespace sw::shardy
