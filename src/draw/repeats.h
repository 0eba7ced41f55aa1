// Finds what repeats in a sequence: the layers of a loop that was unrolled, the parameters an optimizer goes through.
//
//   a x y z x y z x y z b   ->   one repeat from 1, of period 3, three times
//
// A period shows as the distance between equal neighbours: every element votes for the distance to the last one like
// it, and the distances with most votes are tried. One pass over the sequence for each; nothing is quadratic.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace sw {

struct Repeat {
  size_t begin = 0, period = 1, times = 1;
  size_t end() const { return begin + period * times; }
};

// Repeats that do not overlap, in order: those that cover most are found first. Each is at least `least_length` long
// and comes at least three times.
std::vector<Repeat> find_repeats(std::span<const uint64_t> sequence, size_t least_length);

// Cuts `length` elements into pieces of about `target`, where `crossing` (for the place before element i, 1 <= i <
// length: how many values go across) is least near the even cut. Returns the beginnings of the pieces.
std::vector<size_t> cut_at_waists(std::span<const uint32_t> crossing, size_t target);

}  // namespace sw
