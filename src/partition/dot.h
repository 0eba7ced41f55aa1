// Products and the convolutions that are products: the classes of dimensions, and what partitioning them works with.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "partition/visitor.h"

namespace sw {

enum class DotSide : uint8_t { lhs, rhs, out };

struct DotDim {
  int64_t lhs = -1, rhs = -1, out = -1;  // the dimension on each side; -1: it has none
  int64_t spatial = -1;                  // window dimension, of a convolution read as a product
  int64_t on(DotSide side) const { return side == DotSide::lhs ? lhs : side == DotSide::rhs ? rhs : out; }
};

struct DotSpec {
  std::vector<DotDim> batch, contract, lhs_free, rhs_free;
  std::vector<DotDim> spatial;  // of a convolution: dimensions that a window really slides over
  size_t lhs_rank = 0, rhs_rank = 0, out_rank = 0;
};

// Tiles over all dimensions of a class.
int64_t tiles_over(const TileSharding& s, const std::vector<DotDim>& dims, DotSide side);
// Dimension numbers of a class on a side.
DimList dims_on(const std::vector<DotDim>& dims, DotSide side);
// The sharding of one side as another side sees it: dimensions in common keep their tiles. Nothing when a dimension
// that the other side lacks is tiled.
std::optional<TileSharding> seen_from(const DotSpec& spec, const TileSharding& s, DotSide from, DotSide to);
// What operand `side` should have, given the output's sharding and, with `other`, the other operand's.
TileSharding operand_from_output(const DotSpec& spec, const TileSharding& output, const TileSharding* other,
                                 DotSide side, bool combine);

// Partitions a product: `create` writes the local op from the local operands.
class DotPartitioner {
 public:
  using Create = std::function<ValueId(const ShardedValue& lhs, const ShardedValue& rhs)>;
  // A convolution's own strategies, tried first in every group; nothing: go on with the product's.
  using TryConv =
      std::function<std::optional<ShardedValue>(DotPartitioner&, const ShardedValue& lhs, const ShardedValue& rhs,
                                                TypeId out, TileShardingId sharding, int64_t devices, bool strict)>;

  DotPartitioner(Visitor& visitor, DotSpec dims, Create local)
      : v(visitor), spec(std::move(dims)), create_(std::move(local)) {}

  Visitor& v;
  DotSpec spec;
  TryConv try_conv;

  // The local piece of the output: `out` its full type in the scope of the operands, `sharding` what it is to have.
  ValueId partition(const ShardedValue& lhs, const ShardedValue& rhs, TypeId out, TileShardingId sharding,
                    int64_t devices);
  // With the dimensions read as `as`, grouped on their batch dimensions; invalid when these are not tiled alike. For
  // convolutions whose groups are batch dimensions in disguise.
  ValueId grouped_on_batch(DotSpec as, const ShardedValue& lhs, const ShardedValue& rhs, TypeId out,
                           TileShardingId sharding, int64_t devices, bool strict);
  // The local op as it is, or with the sum over the groups that contraction grouping has put around it.
  ValueId create(const ShardedValue& lhs, const ShardedValue& rhs) {
    return sum_around_ ? sum_around_(lhs, rhs) : create_(lhs, rhs);
  }

 private:
  struct Problem {
    ShardedValue lhs, rhs;
    TypeId out;
    TileShardingId sharding;
    int64_t devices;
    bool strict;  // groups of devices must match as they are
  };
  struct Counts {
    int64_t lhs_batch, rhs_batch, out_batch, lhs_contract, rhs_contract, lhs_free, rhs_free, out_lhs_free, out_rhs_free;
  };
  Counts counts(const Problem& p) const;
  const TileSharding& at(TileShardingId id) const { return v.context.at(id); }
  ValueId attempt(const Problem& p);
  ValueId before_grouping(const Problem& p);
  ValueId batch_tiled_output(const Problem& p, const Counts& c, bool only_direct_moves);
  ValueId after_grouping(const Problem& p);
  ValueId group_on_batch(const Problem& p);
  ValueId group_on_equal_batch(const Problem& p);
  std::optional<ShardedValue> to_output_batch(const Problem& p, DotSide side, const GroupedSharding& out_groups,
                                              Scope* scope);
  ValueId group_on_free(const Problem& p);
  ValueId group_on_free_dims(const Problem& p, DotSide matching, const std::vector<DotDim>& dims);
  std::optional<GroupedSharding> groups_of_other(const Problem& p, DotSide matching, const std::vector<DotDim>& dims,
                                                 const ShardedValue& other);
  ValueId group_on_contract(const Problem& p);
  ValueId group_on_contract_dims(const Problem& p, const std::vector<DotDim>& dims);
  ValueId group_on_output_replication(const Problem& p);
  ShardedValue in_groups(const ShardedValue& value, const GroupedSharding& grouped, Scope* scope, bool divide = true);

  Create create_;
  Create sum_around_;
};

}  // namespace sw
