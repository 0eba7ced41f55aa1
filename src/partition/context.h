// What every partitioning rule works with: the local program under construction, the shardings, the collectives written
// so far and why each of them is there.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "partition/miscompile.h"
#include "partition/permutes.h"
#include "partition/scope.h"
#include "sharding/tile_algebra.h"
#include "sharding/tile_sharding.h"

namespace sw {

// Why a collective is there.
enum class CollectiveReason : uint8_t {
  reshard,           // an op wants an operand in another sharding than it has
  result,            // the op gives its result in another sharding than the result was to have
  contraction,       // contracting dimension is sharded: partial sums are added up
  reduction,         // reduced dimension is sharded
  halo,              // neighbours' data for windows, slices, padding
  masked_rows,       // gather from a sharded dimension: every device has what it holds, the rest is zero
  partial_updates,   // scatter of sharded updates
  full_replication,  // no efficient way: gathered on every device first
  loop_state,        // carried value of a loop, branch result, tuple element
  output,            // the program's result
  user,              // written by the user, in a manual region
  as_read,           // of a program that had been partitioned already
};

struct CollectiveCause {
  OpId op;                  // op of the source program
  int32_t operand = -1;     // operand of it that is moved; -1: its result
  TileShardingId from, to;  // global shardings where they are known
  CollectiveReason reason = CollectiveReason::reshard;
  ValueId value;  // of the source program: what is moved; invalid: what is computed on the way
};

// A value of the local program that is one device's piece of a value of the program that was partitioned.
struct SourcePiece {
  ValueId local, source;
  TileShardingId sharding;
};

// What all computations of a program share while they are partitioned.
struct Shared {
  int64_t next_channel = 1;
  std::vector<std::pair<OpId, CollectiveCause>> causes;  // by collective op of the local program
  PermuteTable permutes;
  std::map<ElementType, RegionId> adders;         // `add` computations made so far
  std::vector<uint32_t> uses;                     // of the source's values, by ValueId
  std::map<uint32_t, std::vector<OpId>> callers;  // of the source's computations, by RegionId
  std::vector<ValueId> source_of;                 // by ValueId of the local program: the value it is the piece of
  std::vector<SourcePiece> pieces;                // every one, in the order in which they were made
  Lowering lowering = Lowering::as_xla;
  std::vector<Miscompile> miscompiles;  // each once

  void note_piece(ValueId local, ValueId source, TileShardingId sharding) {
    pieces.push_back({local, source, sharding});
    if (source_of.size() <= local.index()) source_of.resize(local.index() + 1);
    if (!source_of[local.index()].valid()) source_of[local.index()] = source;
  }
};

class Context {
 public:
  Context(GraphBuilder& builder, BlockId block, TileShardingTable& shardings, Shared& all)
      : emit(builder, block), table(shardings), shared(all) {}

  Emitter emit;
  TileShardingTable& table;
  Shared& shared;
  CollectiveCause cause;  // of what is being written now
  int reshards = 0;       // one inside the other: the outermost says what is moved, from where to where

  const TileSharding& at(TileShardingId id) const { return table.get(id); }
  TileShardingId id(const TileSharding& s) { return table.intern(s); }
  TileShardingId replicated() { return id(replicated_sharding()); }
  bool same(TileShardingId a, TileShardingId b) const { return a == b || same_sharding(at(a), at(b)); }

  // A new computation that an op is to call; `body` gets its arguments.
  using Body = std::function<ValueId(Emitter&, std::span<const ValueId>)>;
  RegionId computation(std::string_view name, std::span<const TypeId> inputs, const Body& body);
  // The computation that adds two scalars (or-s two predicates).
  RegionId adder(ElementType element);

  // What is being written for the op at hand is what XLA makes, and computes something else than the op.
  void note_miscompile(MiscompileKind kind);
  bool miscompiles = false;  // noted since somebody set it to false
};

// Sets the reason of the collectives that are written while it lives.
class ReasonScope {
 public:
  ReasonScope(Context& context, CollectiveReason reason) : context_(context), before_(context.cause.reason) {
    context.cause.reason = reason;
  }
  ~ReasonScope() { context_.cause.reason = before_; }
  ReasonScope(const ReasonScope&) = delete;
  ReasonScope& operator=(const ReasonScope&) = delete;

 private:
  Context& context_;
  CollectiveReason before_;
};

// While it lives, what is written moves `value` to the sharding `target`: that becomes the cause, unless a move around
// it has said so. A value of the program that is moved as it is is resharded, whatever the op around it does.
class MoveScope {
 public:
  MoveScope(Context& context, const ShardedValue& value, TileShardingId target);
  ~MoveScope();
  MoveScope(const MoveScope&) = delete;
  MoveScope& operator=(const MoveScope&) = delete;

 private:
  Context& context_;
  CollectiveCause before_;
};

// Tiles along a dimension; 1 when the sharding is not tiled.
inline int64_t tiles_along(const TileSharding& s, size_t dim) { return is_tiled(s) ? s.tile[dim] : 1; }
// Extents of one device's piece: uneven dimensions rounded up.
Dims shard_dims(std::span<const int64_t> full, const TileSharding& s);
bool tiles_evenly(std::span<const int64_t> full, const TileSharding& s);
// shard_dims times tiles: the full extents with padding at the end.
Dims padded_dims(std::span<const int64_t> full, const TileSharding& s);
// Type of one device's piece, for arrays and tuples.
TypeId shard_type(Context& context, TypeId full, TileShardingId sharding);
// The sharding of a leaf of a tuple; a sharding that is not a tuple holds for every leaf.
TileShardingId leaf_sharding(const Context& context, TileShardingId sharding, size_t leaf);
int64_t byte_size(const Graph& graph, TypeId type);

// Start of this device's piece along each dimension (s32 scalars); dimensions not in `only` (when given) start at 0.
std::vector<ValueId> shard_offsets(Context& context, std::span<const int64_t> full, const TileSharding& s,
                                   ValueId partition_id, std::optional<std::span<const int64_t>> only = {});
// This device's tile number along each data dimension.
std::vector<ValueId> shard_ordinals(Context& context, const TileSharding& s, ValueId partition_id);
// The value of `extent` for this device's ordinal.
ValueId emit_extent(Context& context, const class OrdinalExtent& extent, ValueId ordinal);

// A scope in which each group of `groups` (numbered as in `outer`) is on its own. Equal groups give the same scope, so
// that what was resharded inside it is found again.
Scope* group_scope(Context& context, Scope* outer, const DeviceGroups& groups);

}  // namespace sw
