// One op under given shardings: partitioned, run on simulated devices and compared with the op itself. And the meshes
// of the small worlds, with every way to cut an array on them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "exec/machine.h"
#include "partition/partition.h"

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

extern const std::vector<Devices> kDevices;

// Axis k of the mesh cuts dimension choice[k], or none when that is the rank.
TileSharding tiles(const Devices& mesh, size_t rank, const std::vector<size_t>& choice);
std::vector<TileSharding> all_shardings(const Devices& mesh, size_t rank);

// One op, read and run once.
class World {
 public:
  explicit World(const std::string& lines);

  const std::string& text() const { return text_; }
  size_t value_count() const { return values_.size(); }
  // Rank of argument i, or of the first leaf of the result.
  size_t rank(size_t i) const;

  // Empty when all devices have what they should; otherwise what is wrong. `chosen`: by argument, then of the result.
  std::string run(const Devices& mesh, const std::vector<TileSharding>& chosen, Lowering lowering,
                  std::vector<Miscompile>* miscompiles = nullptr) const;

 private:
  std::string text_;
  Graph graph_;
  std::vector<ValueId> values_;  // arguments, then the result
  std::vector<Datum> inputs_;
  std::vector<Replicas> expected_;
};

}  // namespace sw::test
