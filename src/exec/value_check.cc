#include "exec/value_check.h"

namespace sw {

namespace {

bool all_arrays(const Replicas& values) {
  for (const Datum& item : values.items)
    if (!item.is_array()) return false;
  return !values.items.empty();
}

int64_t bytes_of(const Replicas& values) {
  int64_t bytes = 0;
  for (const Datum& item : values.items) bytes += static_cast<int64_t>(item.array.byte_size());
  return bytes;
}

}  // namespace

ValueCheck::ValueCheck(const LocalProgram& local, const TileShardingTable& table, double tolerance, int64_t room)
    : local_(local), table_(table), tolerance_(tolerance), room_(room) {
  for (const SourcePiece& piece : local.pieces) {
    std::vector<const SourcePiece*>& of_local = pieces_[piece.local];
    // Ways to partition a computation that came out the same.
    bool known = false;
    for (const SourcePiece* other : of_local) known |= other->source == piece.source;
    if (!known) of_local.push_back(&piece);
    kept_[piece.source];
  }
}

void ValueCheck::keep(ValueId value, const Replicas& made) {
  const auto at = kept_.find(value);
  if (at == kept_.end() || !all_arrays(made)) return;
  Kept& kept = at->second;
  ++kept.made;
  if (kept.given_up) return;
  room_ -= bytes_of(made);
  if (room_ >= 0) {
    kept.waiting.push_back(made);
    return;
  }
  kept.given_up = true;
  for (const Replicas& values : kept.waiting) room_ += bytes_of(values);
  room_ += bytes_of(made);
  kept.waiting.clear();
}

void ValueCheck::compare(ValueId local, const Replicas& made) {
  const auto at = pieces_.find(local);
  if (at == pieces_.end() || !all_arrays(made)) return;
  for (const SourcePiece* piece : at->second) {
    Kept& kept = kept_[piece->source];
    ++kept.compared;
    if (kept.waiting.empty()) continue;
    const Replicas expected = std::move(kept.waiting.front());
    kept.waiting.pop_front();
    room_ += bytes_of(expected);
    const ArrayDifference difference =
        compare_pieces(expected, made, piece->sharding, table_, local_.device_count, tolerance_);
    if (kept.result == SIZE_MAX) {
      kept.result = found_.size();
      found_.push_back({piece->source, piece->sharding, 0, difference, 0});
    }
    ValueDifference& found = found_[kept.result];
    if (difference.relative > found.worst.relative) {
      found.worst = difference;
      found.worst_time = found.times;
    }
    ++found.times;
  }
}

ValueDifferences ValueCheck::take() const {
  ValueDifferences out;
  for (const ValueDifference& found : found_) {
    const Kept& kept = kept_.at(found.value);
    if (!kept.given_up && kept.made == kept.compared) out.values.push_back(found);
  }
  for (const auto& [value, kept] : kept_) {
    if (kept.given_up)
      ++out.no_room;
    else if (kept.made != kept.compared)
      ++out.not_lined_up;
  }
  return out;
}

}  // namespace sw
