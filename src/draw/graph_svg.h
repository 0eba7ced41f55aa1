// A drawn graph as SVG: Graphviz says where things lie, everything else is ours, so that the picture follows the
// colour scheme of its reader, has words for a screen reader, and is the same bytes everywhere.
#pragma once

#include <string>

#include "draw/dot.h"
#include "draw/layout.h"
#include "draw/svg.h"

namespace sw {

struct GraphPicture {
  const GraphModel& model;
  const DotGraph& graph;
  const GraphLayout& layout;
  const CardNames& names;
  std::string title;     // one line above it
  std::string subtitle;  // and another
};

std::string graph_svg(const GraphPicture& picture);

// Parts of it, for pictures that are more than one graph. Clusters, edges and cards, `left` and `top` being the origin.
void draw_graph(const GraphPicture& picture, double left, double top, SvgWriter& out);
// Names of axes with their colours and patterns, and the sign of what is whole, from (x, y) on; returns the width.
double draw_axis_legend(const Mesh* mesh, bool whole, double x, double y, SvgWriter& out);

}  // namespace sw
