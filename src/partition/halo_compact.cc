// Halos that reach over many tiles, in few long moves. What each tile needs is cut at the borders of the tiles that
// have it; pieces that can move in one collective-permute (every tile sends and receives at most one) share it; each
// position of the result is then selected, by the tile's ordinal, from the permute that brought it, the own piece, or
// padding.
//
// Worked example: 6 rows in 4 tiles (2, 2, 2, 0) become 2 tiles of 3 rows, each on two devices. Tile 1 (rows 2, 3) must
// hand row 2 on to the first and row 3 to the second: the window of old tile i starts (i / 2) rows earlier.
//
// Follows ExchangeHaloCompact of XLA (spmd_partitioner_util.cc).
#include <algorithm>
#include <map>

#include "base/check.h"
#include "partition/collectives.h"
#include "partition/windowed.h"

namespace sw {

namespace {

enum class Source : uint8_t { padding, own, other };

// Rows [start, limit) of the piece of tile `tile`, at `offset` of the window of tile `receiver`.
struct Piece {
  Source source = Source::padding;
  int64_t receiver = 0, tile = 0, start = 0, limit = 0, offset = 0;
  size_t move = 0;  // which permute brings it (Source::other)
  int64_t size() const { return limit - start; }
};

struct Move {
  ValueId rows;
  int64_t start;  // first row sent, in the sender's piece
};

struct Exchange {
  Context& context;
  const Scope& scope;
  ValueId value;
  const Halo& halo;
  const TileSharding& s;
  ValueId ordinal;
  int64_t rows, tiles, full;
  int64_t window = 0;                      // largest window of a tile
  std::vector<std::vector<Piece>> pieces;  // by tile, in order of the window
  std::vector<Move> moves;
};

// Cuts the window of every tile at the borders of the tiles that hold it.
void cut_windows(Exchange& x) {
  x.pieces.resize(static_cast<size_t>(x.tiles));
  for (int64_t k = 0; k < x.tiles; ++k) {
    const int64_t begin = k * x.rows - x.halo.left.at(k), end = (k + 1) * x.rows + x.halo.right.at(k);
    x.window = std::max(x.window, end - begin);
    for (int64_t at = begin; at < end;) {
      Piece p;
      p.receiver = k;
      p.offset = at - begin;
      p.start = (at % x.rows + x.rows) % x.rows;
      int64_t size = end - at;
      if (at < 0 || at >= x.full) {
        if (at < 0) size = std::min(size, -at);
      } else {
        size = std::min(x.rows - p.start, size);
        p.tile = at / x.rows;
        p.source = p.tile == k ? Source::own : Source::other;
      }
      p.limit = p.start + size;
      at += size;
      x.pieces[static_cast<size_t>(k)].push_back(p);
    }
  }
}

// Where some tiles have data, padding longer than a piece is cut, so that it does not make the data's pieces longer.
void cut_long_padding(Exchange& x) {
  std::vector<std::vector<Piece>> cut(x.pieces.size());
  std::vector<size_t> next(x.pieces.size(), 0);
  while (true) {
    bool all_padding = true, any = false;
    for (size_t k = 0; k < next.size(); ++k) {
      if (next[k] >= x.pieces[k].size()) continue;
      any = true;
      all_padding = all_padding && x.pieces[k][next[k]].source == Source::padding;
    }
    if (!any) break;
    for (size_t k = 0; k < next.size(); ++k) {
      if (next[k] >= x.pieces[k].size()) continue;
      Piece& p = x.pieces[k][next[k]];
      cut[k].push_back(p);
      if (!all_padding && p.source == Source::padding && p.limit > x.rows) {
        cut[k].back().limit = x.rows;
        p.start = 0;
        p.limit -= x.rows;
      } else {
        ++next[k];
      }
    }
  }
  x.pieces = std::move(cut);
}

// Groups the pieces that come from other tiles in permutes with distinct senders and receivers.
void plan_moves(Exchange& x) {
  struct Slot {
    size_t tile, index;
  };
  std::vector<std::vector<Slot>> sends(x.pieces.size());
  for (size_t index = 0, any = 1; any != 0; ++index) {
    any = 0;
    for (size_t k = 0; k < x.pieces.size(); ++k) {
      if (index >= x.pieces[k].size()) continue;
      any = 1;
      const Piece& p = x.pieces[k][index];
      if (p.source == Source::other) sends[static_cast<size_t>(p.tile)].push_back({k, index});
    }
  }
  const auto piece = [&](const Slot& slot) -> Piece& { return x.pieces[slot.tile][slot.index]; };
  for (auto& list : sends)
    std::stable_sort(list.begin(), list.end(),
                     [&](const Slot& a, const Slot& b) { return piece(a).offset < piece(b).offset; });

  DimList others;
  for (size_t d = 0; d < x.s.tile.size(); ++d)
    if (d != x.halo.dim) others.push_back(static_cast<int64_t>(d));
  Scope lines;  // the devices that differ along `dim` only, numbered by their tile
  lines.outer = const_cast<Scope*>(&x.scope);
  lines.groups = group_on_dims(x.s, others).device_groups;
  lines.device_count = group_size(lines.groups);

  std::vector<size_t> next(sends.size(), 0);
  const TileGrid line = identity_grid(TileDims{lines.device_count});
  while (true) {
    std::vector<std::pair<int64_t, int64_t>> pairs;
    std::vector<bool> receives(x.pieces.size(), false);
    int64_t start = x.rows, limit = 0;
    for (size_t sender = 0; sender < sends.size(); ++sender) {
      if (next[sender] >= sends[sender].size()) continue;
      Piece& p = piece(sends[sender][next[sender]]);
      // Small left halos and small right halos do not go together: the permute would have to move everything between.
      const bool apart =
          (start > p.limit && limit == x.rows && p.start == 0) || (limit < p.start && start == 0 && p.limit == x.rows);
      if (!pairs.empty() && (receives[static_cast<size_t>(p.receiver)] || apart)) continue;
      p.move = x.moves.size();
      receives[static_cast<size_t>(p.receiver)] = true;
      pairs.emplace_back(static_cast<int64_t>(sender), p.receiver);
      start = std::min(start, p.start);
      limit = std::max(limit, p.limit);
      ++next[sender];
    }
    if (pairs.empty()) break;
    const ValueId rows = x.context.emit.slice_dim(x.value, x.halo.dim, start, limit);
    x.moves.push_back({emit_permute(x.context, lines, rows, {line, line, 0, std::move(pairs)}), start});
  }
}

// What the tiles have at one position of the window, joined by selects.
struct Position {
  ValueId value;
  int64_t size = 0;
  int64_t own_start = 0;
};

Position join_position(Exchange& x, size_t index, bool is_first, ValueId pad_value, bool& all_padding) {
  Emitter& emit = x.context.emit;
  const size_t dim = x.halo.dim;
  Position position;
  int64_t own_start = x.rows, own_limit = 0;
  for (const auto& list : x.pieces) {
    if (index >= list.size()) continue;
    const Piece& p = list[index];
    if (p.source == Source::other) {
      position.size = std::max(position.size, emit.dim(x.moves[p.move].rows, dim));
    } else if (p.source == Source::own) {
      own_start = std::min(own_start, p.start);
      own_limit = std::max(own_limit, p.limit);
      position.size = std::max(position.size, own_limit - own_start);
    } else {
      position.size = std::max(position.size, p.size());
    }
  }
  position.own_start = std::max<int64_t>(own_start - (position.size - (own_limit - own_start)), 0);

  ArrayShape shape = emit.shape(x.value);
  shape.dims[dim] = position.size;
  const ValueId padding = emit.splat(pad_value, shape);
  const auto fitted = [&](ValueId rows) {
    const int64_t missing = position.size - emit.dim(rows, dim);
    if (missing == 0) return rows;
    std::vector<PadDim> pads(shape.rank());
    (is_first ? pads[dim].low : pads[dim].high) = missing;
    return emit.pad(rows, pad_value, pads);
  };
  std::vector<ValueId> choices;
  std::map<int64_t, int64_t> choice_of;  // move number, -1: own, -2: padding
  std::vector<int64_t> choice(x.pieces.size(), 0);
  for (size_t k = 0; k < x.pieces.size(); ++k) {
    const Piece* p = index < x.pieces[k].size() ? &x.pieces[k][index] : nullptr;
    int64_t key = -2;
    if (p != nullptr && p->source == Source::other) key = static_cast<int64_t>(p->move);
    if (p != nullptr && p->source == Source::own) key = -1;
    if (key != -2) all_padding = false;
    const auto [at, is_new] = choice_of.emplace(key, static_cast<int64_t>(choices.size()));
    choice[k] = at->second;
    if (!is_new) continue;
    if (key >= 0)
      choices.push_back(fitted(x.moves[static_cast<size_t>(key)].rows));
    else if (key == -1)
      choices.push_back(fitted(
          emit.slice_dim(x.value, dim, position.own_start, std::min(position.own_start + position.size, x.rows))));
    else
      choices.push_back(padding);
  }
  size_t start = choices.size() > 1 && choices[0] == padding ? 1 : 0;
  position.value = choices[start];
  if (choices.size() == 1) return position;
  const ValueId selector = emit.table_lookup(ElementType::s32, choice, emit.convert(x.ordinal, ElementType::u32));
  for (size_t i = start + 1; i < choices.size(); ++i) {
    if (choices[i] == padding) continue;  // masked later
    const ValueId here = emit.compare("EQ", selector, emit.scalar(ElementType::s32, static_cast<int64_t>(i)));
    position.value = emit.select(emit.splat(here, {ElementType::pred, shape.dims}), choices[i], position.value);
  }
  return position;
}

// Sets rows outside of the array to the padding value.
ValueId mask_outside(Exchange& x, ValueId rows, ValueId pad_value) {
  Emitter& emit = x.context.emit;
  std::vector<int64_t> starts(x.pieces.size(), 0), limits(x.pieces.size(), 0);
  for (size_t k = 0; k < x.pieces.size(); ++k) {
    for (const Piece& p : x.pieces[k]) {
      if (p.source != Source::padding) break;
      starts[k] += p.size();
    }
    const auto ordinal = static_cast<int64_t>(k);
    limits[k] = x.halo.left.at(ordinal) + x.halo.right.at(ordinal) + x.rows;
    limits[k] -= std::max<int64_t>(0, x.halo.right.at(ordinal) + x.rows * (ordinal + 1) - x.full);
  }
  const ArrayShape shape = emit.shape(rows);
  const ArrayShape index{ElementType::s32, shape.dims};
  const ValueId position = emit.iota(index, static_cast<int64_t>(x.halo.dim));
  const ValueId ordinal = emit.convert(x.ordinal, ElementType::u32);
  const auto bound = [&](const std::vector<int64_t>& table) {
    return emit.splat(emit.table_lookup(ElementType::s32, table, ordinal), index);
  };
  ValueId mask = emit.compare("LT", position, bound(limits));
  if (std::any_of(starts.begin(), starts.end(), [](int64_t v) { return v > 0; }))
    mask = emit.binary(OpKind::and_, mask, emit.compare("GE", position, bound(starts)));
  return emit.select(mask, rows, emit.splat(pad_value, shape));
}

}  // namespace

ValueId exchange_halo_compact(Context& context, const Scope& scope, ValueId value, std::span<const int64_t> full,
                              const Halo& halo, ValueId pad_value, const TileSharding& s, ValueId ordinal) {
  const ReasonScope reason(context, CollectiveReason::halo);
  Emitter& emit = context.emit;
  const size_t dim = halo.dim;
  const bool mask = pad_value.valid();
  if (!mask) pad_value = emit.zero(emit.element(value));
  Exchange x{context, scope, value, halo, s, ordinal, emit.dim(value, dim), s.tile[dim], full[dim], 0, {}, {}};
  cut_windows(x);
  cut_long_padding(x);
  plan_moves(x);

  std::vector<ValueId> joined;
  int64_t own_start = x.rows;
  bool all_padding = true;
  const auto has = [&](size_t index) {
    return std::any_of(x.pieces.begin(), x.pieces.end(), [&](const auto& list) { return index < list.size(); });
  };
  for (size_t index = 0; has(index); ++index) {
    const Position position = join_position(x, index, joined.empty(), pad_value, all_padding);
    if (index == 0) own_start = position.own_start;
    joined.push_back(position.value);
  }
  if (all_padding) {
    ArrayShape shape = emit.shape(value);
    shape.dims[dim] = x.window;
    return emit.splat(pad_value, shape);
  }
  ValueId rows = emit.concatenate(joined, static_cast<int64_t>(dim));
  // Where each tile's window starts in the concatenation: the first pieces differ in where their data lies.
  const int64_t first_size = emit.dim(joined[0], dim);
  int64_t needed = emit.dim(rows, dim);
  std::vector<int64_t> starts(x.pieces.size(), 0);
  for (size_t k = 0; k < x.pieces.size(); ++k) {
    if (x.pieces[k].empty()) continue;
    const Piece& p = x.pieces[k][0];
    if (p.source == Source::other)
      starts[k] = p.start - x.moves[p.move].start + first_size - emit.dim(x.moves[p.move].rows, dim);
    else if (p.source == Source::own)
      starts[k] = p.start - own_start;
    else
      starts[k] = first_size - p.size();
    needed = std::max(needed, starts[k] + x.window);
  }
  if (needed > emit.dim(rows, dim)) {
    std::vector<PadDim> pads(emit.dims(rows).size());
    pads[dim].high = needed - emit.dim(rows, dim);
    rows = emit.pad(rows, pad_value, pads);
  }
  if (emit.dim(rows, dim) > x.window) {
    Dims sizes = emit.dims(rows);
    sizes[dim] = x.window;
    std::vector<ValueId> offsets(sizes.size(), emit.zero(ElementType::s32));
    offsets[dim] = emit.table_lookup(ElementType::s32, starts, emit.convert(ordinal, ElementType::u32));
    rows = emit.dynamic_slice(rows, offsets, sizes);
  }
  return mask ? mask_outside(x, rows, pad_value) : rows;
}

}  // namespace sw
