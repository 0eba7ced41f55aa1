// Compares values on the way, not only results: every value of the partitioned program that is a piece of a value of
// the program as written is held against it, each time it is made.
//
//   as written    v made three times (a loop)        kept: v0 v1 v2
//   partitioned   a piece of v made three times      compared with v0, v1, v2, and let go
//
// A value that the two programs do not make equally often (it was moved, or is made where no device needs it) is left
// out and counted.
#pragma once

#include <deque>
#include <map>
#include <vector>

#include "exec/shards.h"
#include "partition/partition.h"

namespace sw {

struct ValueDifference {
  ValueId value;  // of the program as written
  TileShardingId sharding;
  int64_t times = 0;       // how often it was made
  ArrayDifference worst;   // the time it was furthest off
  int64_t worst_time = 0;  // from 0
};

struct ValueDifferences {
  std::vector<ValueDifference> values;  // in the order in which the partitioned program first makes them
  int64_t not_lined_up = 0;             // values left out: not made equally often
  int64_t no_room = 0;                  // values left out: there was no memory to keep them
};

class ValueCheck {
 public:
  // May keep `room` bytes.
  ValueCheck(const LocalProgram& local, const TileShardingTable& table, double tolerance, int64_t room);

  // What the program as written made, in its order; then what the partitioned one makes.
  void keep(ValueId value, const Replicas& made);
  void compare(ValueId local, const Replicas& made);

  ValueDifferences take() const;

 private:
  struct Kept {
    std::deque<Replicas> waiting;
    int64_t made = 0, compared = 0;
    bool given_up = false;
    size_t result = SIZE_MAX;  // in found_
  };

  const LocalProgram& local_;
  const TileShardingTable& table_;
  double tolerance_;
  int64_t room_;
  std::map<ValueId, std::vector<const SourcePiece*>> pieces_;  // by local value
  std::map<ValueId, Kept> kept_;                               // by value
  std::vector<ValueDifference> found_;
};

}  // namespace sw
