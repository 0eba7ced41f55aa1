// A collective whose result every device cuts its own piece from.
#pragma once

#include "partition/backend/device_offset.h"

namespace sw {

struct SliceMatch {
  OpId slice;       // the dynamic-slice
  bool reshaped;    // of a reshape of the collective's result
  int64_t dim = 0;  // which is cut, of the collective's result
  int64_t pieces = 0;
  ValueId offset;
};

// The only user of the collective's result is a dynamic-slice (of a reshape) that cuts one dimension. Several differ:
// the one whose offset is not constantly zero. Follows MatchWithDynamicSlice of XLA, but for what the offset is.
std::optional<SliceMatch> match_slice(const Rewrite& rewrite, OpId collective);

// Whether member j of every group cuts piece j of an array of two dimensions or more.
bool is_scattered(const Rewrite& rewrite, OpId collective, DeviceOffsets& offsets);

// The dimension of `before` that dimension `after_dim` of the reshaped value is; nothing when it is split or merged.
std::optional<int64_t> unmodified_dim(std::span<const int64_t> before, std::span<const int64_t> after,
                                      int64_t after_dim);

}  // namespace sw
