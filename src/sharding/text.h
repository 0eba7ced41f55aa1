// Every spelling of a mesh or a sharding, read and printed: Shardy's (`<@mesh, [{"x"}, {?}]>`), HLO's
// (`{devices=[2,4]<=[8]}`), JAX's (`P('x', None)`).
//
// Readers consume from a TextCursor and leave it behind what they read, so that a parser of a whole file can call them
// in the middle of its text. Errors are diagnostics at the exact bytes; a reader that fails has reported at least one
// and leaves the cursor somewhere inside. Meshes are looked up by name in the ShardingTable: whoever reads a file adds
// its meshes first.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "sharding/named_sharding.h"
#include "sharding/tile_sharding.h"
#include "source/diagnostic.h"

namespace sw {

// A text, how far it has been read, and where it lies. When `text` is the bytes `where` of a file, positions are exact;
// when it is not (the contents of a string literal with escapes, so that lengths differ) every message points at all of
// `where`.
struct TextCursor {
  std::string_view text;
  size_t at = 0;
  SourceRange where;

  // A whole file, or the part of one.
  static TextCursor of_file(const SourceManager& sources, FileId file, size_t offset = 0);
  static TextCursor of_range(const SourceManager& sources, SourceRange range);
  // The bytes [begin, end) of `text` as a place in the file.
  SourceRange range(size_t begin, size_t end) const;
  // Only white space is left.
  bool at_end() const;
};

// ---- Shardy --------------------------------------------------------------------------------------------------------

// `<["x"=2, "y"=4], device_ids=[3, 2, 1, 0]>`, also with `#sdy.mesh` or `mesh` before it. Verified (shardy.md 1.1).
Result<Mesh> parse_sdy_mesh(TextCursor& in, Diagnostics& diagnostics);
// `{mesh = #sdy.mesh<["x"=2]>, mesh_0 = ...}`: the text of the module attribute xla.sdy.meshes. Adds them to `table`; a
// name that is there already must have the same contents.
Result<void> parse_sdy_meshes(TextCursor& in, ShardingTable& table, Diagnostics& diagnostics);
// `<@mesh, [{"x"}, {"y":(1)2, ?}p1], replicated={"z"}, unreduced=max{"w"}>`, also with `#sdy.sharding` before it. Its
// axes are verified (shardy.md 1.3); what depends on the value is for verify_sharding.
Result<NamedShardingId> parse_sdy_sharding(TextCursor& in, ShardingTable& table, Diagnostics& diagnostics);
// `[<@mesh, ...>, <@mesh, ...>]`: in_shardings, out_shardings; an element may have `#sdy.sharding` before it.
Result<std::vector<NamedShardingId>> parse_sdy_sharding_list(TextCursor& in, ShardingTable& table,
                                                             Diagnostics& diagnostics);
// `<[<@mesh, ...>]>`, also with `#sdy.sharding_per_value` before it.
Result<std::vector<NamedShardingId>> parse_sdy_sharding_per_value(TextCursor& in, ShardingTable& table,
                                                                  Diagnostics& diagnostics);
// Only the dimensions, on a mesh that is known from elsewhere: `[{"x"}, {}]`, with the optional lists after it.
Result<NamedShardingId> parse_sdy_dims(TextCursor& in, ShardingTable& table, MeshId mesh, Diagnostics& diagnostics);
// `{"x", "y"}`: manual_axes, also with `#sdy<manual_axes{...}>` around it. Full axes of `mesh`, in the order written.
Result<AxisList> parse_sdy_manual_axes(TextCursor& in, const Mesh& mesh, Diagnostics& diagnostics);
// `{"x", "y":(1)2}`: the axes of an all_reduce.
Result<AxisList> parse_sdy_axes(TextCursor& in, const Mesh& mesh, Diagnostics& diagnostics);
// `[{"x"}, {}]`: the axes per dimension of an all_gather.
Result<std::vector<AxisList>> parse_sdy_axes_per_dim(TextCursor& in, const Mesh& mesh, Diagnostics& diagnostics);

std::string sdy_text(const Mesh& mesh);                             // `<["x"=2, "y"=4]>`
std::string sdy_text(const Mesh& mesh, const AxisRef& axis);        // `"x":(1)2`
std::string sdy_text(const ShardingTable& table, NamedShardingId);  // `<@mesh, [{"x"}, {}]>`
std::string sdy_text(const ShardingTable& table, const NamedShardingSpec& spec);
std::string sdy_list_text(const ShardingTable& table, std::span<const NamedShardingId> list);  // `[<...>, <...>]`

// ---- HLO -----------------------------------------------------------------------------------------------------------

// `{devices=[2,4]<=[8] last_tile_dim_replicate}` and all the others: V1, V2, V3, single words, tuples, shard groups.
// Brought to the form that XLA gives it on reading (gspmd.md 1.4); metadata is skipped, except for the reduction op.
Result<TileShardingId> parse_hlo_sharding(TextCursor& in, TileShardingTable& table, Diagnostics& diagnostics);
// `[2,4]T(1,0)`: the order that 0, 1, 2, ... gets by reshaping and transposing.
Result<DeviceList> parse_device_order(TextCursor& in, Diagnostics& diagnostics);
std::string hlo_text(const TileShardingTable& table, TileShardingId id);
std::string hlo_text(const TileShardingTable& table, const TileSharding& sharding);

// ---- JAX -----------------------------------------------------------------------------------------------------------

// `P('x', None, ('y', 'z'))`, `PartitionSpec(...)`, `jax.sharding.P(...)`, P.UNCONSTRAINED, unreduced={'x'}; for a
// value of `rank` dimensions on `mesh`. What the spec does not mention is closed and replicated, UNCONSTRAINED is open.
Result<NamedShardingSpec> parse_partition_spec(TextCursor& in, const ShardingTable& table, MeshId mesh, size_t rank,
                                               Diagnostics& diagnostics, std::string_view value = "the value");

// ---- Any of them ---------------------------------------------------------------------------------------------------

// What a user may give for a value of `rank` dimensions (--shard, --pin, rule files): a PartitionSpec, an sdy sharding
// with or without its mesh (`<@mesh, [{"x"}, {}]>`, `[{"x"}, {}]`), or an HLO sharding that `mesh` can express. The
// whole text must be used up. `value` is what messages about the rank call it.
Result<NamedShardingId> parse_any_sharding(TextCursor& in, ShardingTable& table, MeshId mesh, size_t rank,
                                           Diagnostics& diagnostics, std::string_view value = "the value");

}  // namespace sw
