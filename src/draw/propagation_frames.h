// A propagation as a film: what each node of a drawn graph looks like after each part of the trace, what was set then,
// and from where it came. Frame 0 is what the program and the command line say; every later frame is a part of one
// round, so that a film is about as long for a large program as for a small one.
//
//   frame 0  as given                 w: model on dimension 1
//   frame 1  Shardy, round 1          dot: P(None, 'model'), from w
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "draw/graph_model.h"
#include "propagate/explain.h"

namespace sw {

// How a node looks from a frame on, until its next look.
struct NodeLook {
  uint32_t from_frame = 0;
  Colours colours;
  std::string text;  // "P('data', None)"; of a folded scope "12 of 40 values sharded"
};

struct NodeSet {
  uint32_t frame = 0, node = 0;
  uint32_t from = GraphModel::kNoNode;  // the node whose sharding was taken; kNoNode: it began here, or inside
  uint32_t by = GraphModel::kNoNode;    // the node of the op whose rule it was
};

struct Film {
  std::string name;                          // "Shardy"
  std::vector<std::string> captions;         // by frame
  std::vector<std::vector<NodeLook>> looks;  // by node, in the order of frames, the first from frame 0
  std::vector<NodeSet> sets;                 // in the order of frames
  std::vector<std::string> refused;          // by node: what it was offered and could not take, or empty
  uint32_t frames() const { return static_cast<uint32_t>(captions.size()); }
};

// `model` may have been made for another plan of the same program. At most about `most_frames`.
Film film_of(const PlanReport& report, const GraphModel& model, size_t most_frames);

}  // namespace sw
