// Where everything of a drawn graph lies: the DOT text through Graphviz's library, and back as plain numbers. The only
// door to Graphviz; where the program was built without it, both functions report so.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "source/diagnostic.h"

namespace sw {

// Pixels, y downwards.
struct Point {
  double x = 0, y = 0;
};
struct Box {
  Point low, high;
};
struct Curve {
  std::vector<Point> points;  // the first, and then three for each cubic
  bool arrow = false;
  Point tip;  // of the arrow
};
struct GraphLayout {
  double width = 0, height = 0;
  std::map<std::string, Point> nodes;  // centres, by name
  std::map<std::string, Curve> edges;  // by id
  std::map<std::string, Box> clusters;
};

bool has_graphviz();
Result<GraphLayout> lay_out(const std::string& dot, Diagnostics& diagnostics);
// `format`: "png" or "pdf".
Result<std::string> render_dot(const std::string& dot, const std::string& format, Diagnostics& diagnostics);

}  // namespace sw
