// Where XLA's partitioner makes a program that computes something else than the program it was given. What it makes is
// what `plan` tells of, so the rules of this folder make it too, and say so by a name of this list; where the right
// program is asked for, such an op is then computed whole on every device instead.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/ids.h"

namespace sw {

enum class Lowering : uint8_t {
  as_xla,  // what XLA makes, right or wrong
  right,   // the same, but for ops that XLA is known to compute wrongly
};

enum class MiscompileKind : uint8_t {
  init_on_each_device,   // reduce: every device starts from the initial value, which then counts once for each of them
  sum_over_replicas,     // convolution: devices that hold the same add the same to the sum
  kernel_padding_moved,  // convolution: a reversed kernel is padded at its start and then moved as if it were at its
                         // end
  group_numbering,       // product: a group of devices that makes a piece of the sum numbers them unlike the output
  piece_cut_as_whole,    // product: what is cut after the sum is a piece already, and is cut as if it were the whole
  outer_sum_lost,        // product: contracted over two sets of axes, the parts are summed over one alone
  cut_groups,            // convolution: tiles cut through groups of features or of the batch
  cut_index_vectors,     // gather, scatter: components of one index vector are on different devices
  filter_moved,          // gather: which rows a device holds is taken from a device that holds others
  operand_lost,          // scatter: of several sums one alone starts from the operand
  padding_scattered,     // scatter: indices that stand for padding are moved, become 0, and what is there is written
  window_padding_lost,   // window with base dilation over a replicated array: padding of the device's window is dropped
  window_shift_lost,     // window over a replicated array: moved by as much as is cut off, it is taken for unmoved
  init_in_padding,       // reduce-window: padding holds the initial value, which then counts once for each such row
  halo_not_masked,       // convolution: what far tiles read beyond the ends of the image is not zero
  piece_mistaken,        // what a piece was made into before is taken though it was for an array of other extents, or
                         // padded with something else
  update_outside,    // dynamic update: a start that has to be moved to fit in is on no device; said where it is known
  offset_misplaced,  // convolution: where a device's outputs start is taken for another dimension of the result
};

constexpr size_t kMiscompileKinds = static_cast<size_t>(MiscompileKind::offset_misplaced) + 1;
std::string_view miscompile_name(MiscompileKind kind);  // "group-numbering"

struct Miscompile {
  OpId op;  // of the program that was partitioned
  MiscompileKind kind;
  friend bool operator==(const Miscompile&, const Miscompile&) = default;
};

}  // namespace sw
