// One small world: a program, read and run whole, that can be partitioned and run under any choice of shardings.
//
// Which values are given shardings is said by their names. Every parameter and every leaf of the result has a choice of
// its own; a value named `x.sp1` has that of parameter 1, `x.sr` that of the result's first leaf, and values `x.sx0`
// share one more choice. Of a tuple the leaves with as many dimensions as the choice have it, the others are
// replicated. What is written in the text (`sharding={manual}`) stays as it is; all else is replicated.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "exec/shards.h"
#include "partition/partition.h"
#include "property/small_worlds.h"

namespace sw::test {

struct Devices {
  const char* name;
  std::vector<int64_t> axes;
  int64_t devices() const {
    int64_t n = 1;
    for (const int64_t a : axes) n *= a;
    return n;
  }
};
// The meshes: 2, 4, 2x2, 2x2x2.
extern const std::vector<Devices> kDevices;
// Axis k of the mesh cuts dimension choice[k], or none when that is the rank.
TileSharding tiles(const Devices& mesh, size_t rank, const std::vector<size_t>& choice);
// Every way to cut `rank` dimensions with the axes of the mesh, whole axes only.
std::vector<TileSharding> all_shardings(const Devices& mesh, size_t rank);

class World {
 public:
  // `devices`: 1 unless the text has shardings, which are then for so many.
  World(const WorldProgram& program, int64_t devices);

  const std::string& text() const { return text_; }
  const Graph& graph() const { return graph_; }
  // Of each choice, how many dimensions it cuts.
  const std::vector<size_t>& ranks() const { return ranks_; }
  // The ops that compute what is cut in every way, or is manual.
  std::vector<OpKind> subjects() const;

  // Empty when all devices have what they should; otherwise what is wrong.
  std::string run(const Devices& mesh, const std::vector<TileSharding>& chosen, Lowering lowering,
                  std::vector<Miscompile>* miscompiles = nullptr) const;

  // For the list: the shardings of parameters, of results, and of every value that has one by its name.
  struct Written {
    std::vector<std::string> inputs, outputs;
    std::map<std::string, std::string> named;
  };
  Written written(const std::vector<TileSharding>& chosen) const;

 private:
  struct Place {
    ValueId value;
    std::vector<int> leaves;  // the choice of each; -1: none
  };
  void find_places();
  void place(ValueId value, const std::string& choice);
  void run_whole(const TileShardingTable& table, int64_t devices);
  std::vector<size_t> leaf_ranks(ValueId value) const;
  std::string_view name(ValueId value) const { return graph_.strings.text(graph_.value(value).name); }
  TileShardingId chosen_for(const Place& place, const std::vector<TileSharding>& chosen,
                            TileShardingTable& table) const;

  std::string text_;
  Graph graph_;
  TileShardingTable table_;               // of the text
  std::vector<TileShardingId> given_;     // by value; what the text says
  std::vector<Place> places_;             // arguments, the result, then others
  std::map<std::string, int> choice_of_;  // "p1", "r", "x0"
  std::vector<size_t> ranks_;
  size_t arg_count_ = 0;
  std::vector<Datum> inputs_;
  std::vector<Replicas> expected_;
  std::vector<double> tolerances_;
};

}  // namespace sw::test
