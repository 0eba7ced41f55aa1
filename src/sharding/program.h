// A program as read: the graph and the shardings that stand in it. What every stage after text/ starts from.
#pragma once

#include "ir/graph.h"
#include "sharding/named_sharding.h"
#include "sharding/tile_sharding.h"

namespace sw {

struct Program {
  Graph graph;
  ShardingTable shardings;
  TileShardingTable tile_shardings;
  FileId file;  // the input it was read from
};

}  // namespace sw
