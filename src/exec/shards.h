// Between whole arrays and what each device has of them: cutting inputs to pieces, and comparing pieces of results with
// the whole.
#pragma once

#include <string>
#include <vector>

#include "exec/machine.h"
#include "sharding/tile_sharding.h"

namespace sw {

// Replicated where nothing else is said.
TileSharding given_sharding(TileShardingId sharding, const TileShardingTable& table);

// What every device has of `whole`, as partition() cuts it: pieces of equal extents, rounded up. Elements outside of
// the whole are NaN, or numbers that nobody should look at, so that a program that does look shows it. False: an array
// cannot be cut so (it is manual or unreduced).
bool cut_to_pieces(const Datum& whole, TileShardingId sharding, const TileShardingTable& table, Machine& machine,
                   Replicas& out);

// The whole of which devices have these pieces, `dims` large; of devices that have the same piece the first decides.
Array join_pieces(const Replicas& pieces, std::span<const int64_t> dims, TileShardingId sharding,
                  const TileShardingTable& table, int64_t device_count);

// How far one array is from what it should be.
struct ArrayDifference {
  ElementType element = ElementType::other;
  DimList dims;         // of the whole array
  double largest = 0;   // largest finite magnitude of what it should be
  double absolute = 0;  // worst difference; infinity where one is NaN or infinite and the other is not so
  double relative = 0;  // absolute / largest
  int64_t wrong = 0;    // elements off by more than the tolerance, over all devices
  int64_t compared = 0;
  DimList place;  // of the worst difference, in the whole array
  int64_t device = 0;
  std::string expected, found;  // there
};

// `pieces`: one result, or leaf of it, on every device of `machine`. Numbers that are not floats must be equal.
ArrayDifference compare_pieces(const Replicas& whole, const Replicas& pieces, TileShardingId sharding,
                               const TileShardingTable& table, int64_t device_count, double tolerance);

// The same of lists of numbers.
ArrayDifference compare_numbers(std::span<const double> expected, std::span<const double> found, double tolerance);

// What is on each device, leaf by leaf: tuples taken apart, depth first.
std::vector<Replicas> leaves_of(const Replicas& values);
// The shardings of those leaves.
void leaf_shardings(TileShardingId sharding, const TileShardingTable& table, size_t leaf_count,
                    std::vector<TileShardingId>& out);

}  // namespace sw
