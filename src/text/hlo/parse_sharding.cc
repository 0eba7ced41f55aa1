// sharding={...}: the text of the group, looked up by spelling first, since a module repeats few shardings many times.
#include "text/hlo/parser.h"

namespace sw::hlo {

namespace {

bool read_dims(Scanner& in, SmallVector<int64_t, 6>& out) {
  if (!in.eat('[')) return false;
  do {
    int64_t value = 0;
    if (!in.integer(value)) return false;
    out.push_back(value);
  } while (in.eat(','));
  return in.eat(']');
}

bool read_devices(Scanner& in, TileSharding& out) {
  out.kind = TileKind::tiled;
  if (!read_dims(in, out.tile)) return false;
  if (in.eat("<=")) {
    SmallVector<int64_t, 6> reshape;
    if (!read_dims(in, reshape)) return false;
    out.devices.reshape.assign(reshape.begin(), reshape.end());
    if (in.eat('T')) {
      in.eat('(');
      do {
        int64_t value = 0;
        if (!in.integer(value)) return false;
        out.devices.perm.push_back(static_cast<int32_t>(value));
      } while (in.eat(','));
      if (!in.eat(')')) return false;
    } else {
      out.devices.perm.push_back(0);
    }
    return true;
  }
  do {
    int64_t value = 0;
    if (!in.integer(value)) return false;
    out.devices.ids.push_back(value);
  } while (in.eat(','));
  return true;
}

bool read_suffix(Scanner& in, TileSharding& out) {
  if (in.eat_keyword("last_tile_dim_replicate")) out.subgroups.push_back(Subgroup::replicated);
  if (in.eat("last_tile_dims={")) {
    do {
      if (in.eat_keyword("replicated")) {
        out.subgroups.push_back(Subgroup::replicated);
      } else if (in.eat_keyword("manual")) {
        out.subgroups.push_back(Subgroup::manual);
      } else if (in.eat_keyword("unreduced")) {
        out.subgroups.push_back(Subgroup::unreduced);
      } else {
        return false;
      }
    } while (in.eat(','));
    if (!in.eat('}')) return false;
  }
  for (const bool as : {true, false}) {
    if (!in.eat_keyword(as ? "shard_as" : "shard_like")) continue;
    int64_t id = 0;
    if (!in.integer(id)) return false;
    out.shard_group_id = static_cast<int32_t>(id);
    out.shard_group_is_as = as;
  }
  return in.eat('}');
}

bool read_one(Scanner& in, TileShardingTable& table, TileSharding& out) {
  if (!in.eat('{')) return false;
  if (in.peek() == '{') {
    out.kind = TileKind::tuple;
    do {
      TileSharding element;
      if (!read_one(in, table, element) || element.kind == TileKind::tuple) return false;
      out.elements.push_back(table.intern(std::move(element)));
    } while (in.eat(','));
    return in.eat('}');
  }
  if (in.eat_keyword("replicated")) {
    out.kind = TileKind::replicated;
  } else if (in.eat_keyword("manual")) {
    out.kind = TileKind::manual;
  } else if (in.eat_keyword("unknown")) {
    out.kind = TileKind::unknown;
  } else if (in.eat_keyword("unreduced")) {
    out.kind = TileKind::unreduced;
  } else if (in.eat("maximal device=")) {
    out.kind = TileKind::maximal;
    if (!in.integer(out.device)) return false;
  } else if (!in.eat("devices=") || !read_devices(in, out)) {
    return false;
  }
  return read_suffix(in, out);
}

}  // namespace

bool Parser::parse_sharding(AttrId& out) {
  const uint32_t begin = in_.position();
  const std::string_view text = in_.group();
  if (text.empty()) return expected("`{` and a sharding", DiagnosticKind::invalid_sharding);
  const auto [slot, fresh] = shardings_.try_emplace(text);
  if (!fresh) {
    out = slot->second;
    return true;
  }
  const uint32_t end = in_.position();
  in_.reset(begin);
  TileSharding sharding;
  if (!read_one(in_, program_.tile_shardings, sharding) || in_.position() != end) {
    shardings_.erase(slot);
    return expected("a sharding such as `{devices=[2,4]<=[8]}`", DiagnosticKind::invalid_sharding);
  }
  Attr attr;
  attr.kind = AttrKind::tile_sharding;
  attr.integer = program_.tile_shardings.intern(std::move(sharding)).raw;
  out = slot->second = builder_.attr_table().intern(attr);
  return true;
}

}  // namespace sw::hlo
