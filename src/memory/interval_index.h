// Placed chunks by the time for which they are held: which of them overlap a given time?
//
// A balanced tree over the times; a chunk stands in the highest node whose middle it covers, so each stands once, and a
// question visits only nodes that may overlap.
#pragma once

#include <cstdint>
#include <vector>

namespace sw {

struct PlacedChunk {
  uint32_t begin = 0, end = 0;  // both included
  int64_t offset = 0, limit = 0;
};

class IntervalIndex {
 public:
  // Times are below `times`.
  explicit IntervalIndex(uint32_t times) {
    while (span_ < times) span_ *= 2;
    nodes_.resize(2 * size_t{span_});
  }

  void insert(const PlacedChunk& chunk) {
    uint32_t low = 0, high = span_ - 1;
    size_t node = 1;
    for (;;) {
      nodes_[node].below = true;
      const uint32_t middle = low + (high - low) / 2;
      if (chunk.begin <= middle && middle <= chunk.end) break;
      node *= 2;
      if (chunk.end < middle) {
        high = middle;
      } else {
        low = middle + 1;
        ++node;
      }
    }
    nodes_[node].chunks.push_back(chunk);
  }

  // Calls `found` for each chunk that is held at some time of begin .. end.
  template <class Found>
  void overlapping(uint32_t begin, uint32_t end, const Found& found) const {
    visit(1, 0, span_ - 1, begin, end, found);
  }

 private:
  struct Node {
    std::vector<PlacedChunk> chunks;
    bool below = false;  // there are chunks here or below
  };

  template <class Found>
  void visit(size_t node, uint32_t low, uint32_t high, uint32_t begin, uint32_t end, const Found& found) const {
    if (!nodes_[node].below || begin > high || end < low) return;
    for (const PlacedChunk& chunk : nodes_[node].chunks)
      if (chunk.begin <= end && begin <= chunk.end) found(chunk);
    if (low == high) return;
    const uint32_t middle = low + (high - low) / 2;
    visit(2 * node, low, middle, begin, end, found);
    visit(2 * node + 1, middle + 1, high, begin, end, found);
  }

  uint32_t span_ = 1;
  std::vector<Node> nodes_;
};

}  // namespace sw
