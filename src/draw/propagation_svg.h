// Films of propagation as SVG: one graph for each partitioner, side by side, frame by frame. Animated, or one frame of
// it as a picture that stands still.
//
// The animation is CSS: every look of a node is an element that is seen during its frames. What is seen in the last
// frame is seen without any animation, so a viewer that knows none, or a reader who wants none
// (prefers-reduced-motion), sees the plan.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "draw/graph_svg.h"
#include "draw/propagation_frames.h"

namespace sw {

struct PropagationPicture {
  const GraphModel& model;
  std::span<const Film> films;
  const Mesh* mesh = nullptr;
  std::string title, subtitle;
};

// The cards of the graph, wide enough for what they show in every film: what has to be laid out.
DotGraph propagation_cards(const PropagationPicture& picture);
uint32_t frame_count(std::span<const Film> films);
// `frame`: that one alone; nothing: all of them, animated.
std::string propagation_svg(const PropagationPicture& picture, const DotGraph& graph, const GraphLayout& layout,
                            std::optional<uint32_t> frame);

}  // namespace sw
