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

// Parts of it, for pictures that are more than one graph; `left` and `top` are the origin of the layout.
// What lies behind the cards: clusters and edges.
void draw_clusters_and_edges(const GraphPicture& picture, double left, double top, SvgWriter& out);
// The outline of a card, with the class `style`; folded scopes are stacks, arguments and results round.
void draw_card(const GraphNode& node, const std::string& style, double x, double y, double width, double height,
               SvgWriter& out);
// The band at the left edge of a card: a piece in the colour of each axis.
void draw_band(const GraphNode& node, const Colours& colours, double x, double y, double height, SvgWriter& out);
// The path of a curve; backwards when asked for.
std::string curve_path(const Curve& curve, bool backwards, double left, double top);
// Names of axes with their colours and patterns, and the sign of what is whole, from (x, y) on; returns the width.
double draw_axis_legend(const Mesh* mesh, bool whole, double x, double y, SvgWriter& out);

}  // namespace sw
