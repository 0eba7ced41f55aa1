#include "partition/backend/slice_match.h"

#include "partition/backend/collective_key.h"

namespace sw {

std::optional<int64_t> unmodified_dim(std::span<const int64_t> before, std::span<const int64_t> after,
                                      int64_t after_dim) {
  int64_t left = 1;
  const auto at = static_cast<size_t>(after_dim);
  for (size_t i = 0; i < at; ++i) left *= after[i];
  int64_t done = 1;
  for (size_t i = 0; i < before.size(); ++i) {
    if (done == left && before[i] == after[at]) return static_cast<int64_t>(i);
    done *= before[i];
  }
  return std::nullopt;
}

std::optional<SliceMatch> match_slice(const Rewrite& rewrite, OpId collective) {
  const ValueId result = rewrite.result(collective);
  const Graph& graph = rewrite.graph();
  if (graph.operands(collective).size() != 1 || !rewrite.shape(result).is_array()) return std::nullopt;
  if (!rewrite.has_one_user(result)) return std::nullopt;
  OpId user = rewrite.users(result)[0];
  SliceMatch match;
  match.reshaped = graph.op(user).kind == OpKind::reshape;
  if (match.reshaped) {
    if (!rewrite.has_one_user(rewrite.result(user))) return std::nullopt;
    user = rewrite.users(rewrite.result(user))[0];
  }
  if (graph.op(user).kind != OpKind::dynamic_slice) return std::nullopt;
  match.slice = user;
  const auto operands = graph.operands(user);
  // The sliced value itself, not an offset, is the collective's.
  const ValueId sliced = operands[0];
  if (sliced != result && !(match.reshaped && rewrite.operand(rewrite.def(sliced)) == result)) return std::nullopt;
  const Type from = rewrite.shape(sliced), to = rewrite.shape(rewrite.result(user));
  int64_t dim = -1, cut = 0;
  for (size_t i = 0; i < from.rank(); ++i)
    if (from.dims[i] != to.dims[i]) {
      dim = static_cast<int64_t>(i);
      ++cut;
    }
  if (cut != 1) {
    dim = -1;
    for (size_t i = 0; i < from.rank(); ++i) {
      if (from.dims[i] == 1 || is_constant_zero(rewrite, operands[i + 1])) continue;
      if (dim >= 0) return std::nullopt;
      dim = static_cast<int64_t>(i);
    }
  }
  if (dim < 0 || to.dims[static_cast<size_t>(dim)] < 1) return std::nullopt;
  match.offset = operands[static_cast<size_t>(dim) + 1];
  match.pieces = from.dims[static_cast<size_t>(dim)] / to.dims[static_cast<size_t>(dim)];
  match.dim = dim;
  if (!match.reshaped) return match;
  const auto before = unmodified_dim(rewrite.shape(result).dims, from.dims, dim);
  if (!before) return std::nullopt;
  match.dim = *before;
  return match;
}

bool is_scattered(const Rewrite& rewrite, OpId collective, DeviceOffsets& offsets) {
  const auto match = match_slice(rewrite, collective);
  const auto groups = match ? GroupTable::groups_of(rewrite, collective) : std::nullopt;
  const Type type = rewrite.shape(rewrite.result(collective));
  if (!groups || groups->dims[1] < 2 || match->pieces != groups->dims[1] || type.rank() < 2) return false;
  return offsets.counts_members(match->offset, *groups, type.dims[static_cast<size_t>(match->dim)] / match->pieces);
}

}  // namespace sw
