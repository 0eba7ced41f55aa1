// Printing as XLA's HloSharding::ToString does: canonical iota, subgroups after the grid, /*index=5*/ in long tuples.
#include "sharding/text.h"

namespace sw {

namespace {

template <class List>
void append_joined(std::string& out, const List& list, std::string_view separator = ",") {
  bool first = true;
  for (auto v : list) {
    if (!first) out += separator;
    first = false;
    out += std::to_string(v);
  }
}

std::string_view subgroup_name(Subgroup group) {
  switch (group) {
    case Subgroup::replicated: return "replicated";
    case Subgroup::manual: return "manual";
    case Subgroup::unreduced: return "unreduced";
    case Subgroup::maximal: return "maximal";
  }
  return "";
}

void append_tiled(std::string& out, const TileSharding& s) {
  out += "devices=[";
  append_joined(out, s.tile);
  out += ']';
  if (!s.devices.ids.empty()) {
    append_joined(out, s.devices.ids);
  } else {
    out += "<=[";
    append_joined(out, s.devices.reshape);
    out += ']';
    if (s.devices.reshape.size() > 1) {
      out += "T(";
      append_joined(out, s.devices.perm);
      out += ')';
    }
  }
  if (s.subgroups.empty()) return;
  if (s.subgroups.size() == 1 && s.subgroups[0] == Subgroup::replicated) {
    out += " last_tile_dim_replicate";
    return;
  }
  out += " last_tile_dims={";
  for (size_t i = 0; i < s.subgroups.size(); ++i) {
    if (i > 0) out += ", ";
    out += subgroup_name(s.subgroups[i]);
  }
  out += '}';
}

void append_body(std::string& out, const TileSharding& s) {
  switch (s.kind) {
    case TileKind::replicated: out += "replicated"; break;
    case TileKind::manual: out += "manual"; break;
    case TileKind::unknown: out += "unknown"; break;
    case TileKind::unreduced: out += "unreduced"; break;
    case TileKind::maximal:
      out += "maximal device=";
      out += std::to_string(s.device);
      break;
    case TileKind::tiled: append_tiled(out, s); break;
    case TileKind::tuple: break;
  }
}

void append_one(std::string& out, const TileSharding& s) {
  out += '{';
  if (!s.named_text.empty()) {
    out += s.named_text;
    out += '}';
    return;
  }
  append_body(out, s);
  if (s.shard_group_id >= 0) {
    out += s.shard_group_is_as ? " shard_as " : " shard_like ";
    out += std::to_string(s.shard_group_id);
  }
  if (s.reduction != ReductionOp::sum) {
    out += " metadata={op_type=\"sdy::reduction_op\" op_name=\"";
    out += s.reduction == ReductionOp::max ? "MAX" : "MIN";
    out += "\"}";
  }
  out += '}';
}

}  // namespace

std::string hlo_text(const TileShardingTable& table, const TileSharding& sharding) {
  std::string out;
  if (sharding.kind != TileKind::tuple) {
    append_one(out, sharding);
    return out;
  }
  out += '{';
  for (size_t i = 0; i < sharding.elements.size(); ++i) {
    if (i > 0) out += ", ";
    if (i > 0 && i % 5 == 0) {
      out += "/*index=";
      out += std::to_string(i);
      out += "*/";
    }
    append_one(out, table.get(sharding.elements[i]));
  }
  return out + "}";
}

std::string hlo_text(const TileShardingTable& table, TileShardingId id) { return hlo_text(table, table.get(id)); }

}  // namespace sw
