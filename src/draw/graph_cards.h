// What stands on the nodes of a drawn graph, line by line, and how large they become. Used by the DOT text, which needs
// the sizes, and by the SVG, which draws the lines.
#pragma once

#include <string>
#include <vector>

#include "draw/graph_model.h"
#include "draw/text_metrics.h"

namespace sw {

enum class LineStyle : uint8_t { name, mono, soft };

struct CardLine {
  LineStyle style = LineStyle::name;
  std::string text;
  std::string right;  // at the right end, soft
};

// A collective as a rounded bar, on an edge or at the foot of a card.
struct Pill {
  std::string text;
  std::vector<uint32_t> axes;  // colours; positions in the mesh
  double width = 0;
  uint8_t sides = 1;
};

struct Card {
  std::vector<CardLine> lines;
  std::vector<Pill> pills;
  double width = 0, height = 0;
};

constexpr double kLineHeight = 15, kPillHeight = 18, kBand = 9, kCardPad = 8;
Font font_of(LineStyle style);
Font pill_font();

struct CardNames {
  std::string a, b;            // of the two plans, where two are drawn
  const Mesh* mesh = nullptr;  // whose axes have colours; may be null
};

Card card_of(const GraphModel& model, const GraphNode& node, const CardNames& names);
// The pills of an edge: the largest ones, the rest as a number.
std::vector<Pill> pills_of(const GraphModel& model, const std::vector<uint32_t>& collectives, size_t most,
                           const CardNames& names);

}  // namespace sw
