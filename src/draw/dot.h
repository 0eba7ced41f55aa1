// A drawn graph as DOT, the language of Graphviz: complete, so that any Graphviz draws a readable picture from it, with
// every size fixed, so that every Graphviz lays it out alike whatever its fonts are.
#pragma once

#include <string>
#include <vector>

#include "draw/graph_cards.h"
#include "draw/graph_model.h"

namespace sw {

// Names in the DOT text: nodes n<i>, collectives on edge i c<i>, clusters cluster_<scope>.
struct DotGraph {
  std::vector<Card> cards;               // by node
  std::vector<std::vector<Pill>> pills;  // by edge
};
// "attention", "loop × 80".
std::string cluster_label(const DrawScope& scope);

DotGraph dot_graph(const GraphModel& model, const CardNames& names);

struct DotOptions {
  bool text = true;  // labels; for a layout alone they are not needed
};
std::string dot_text(const GraphModel& model, const DotGraph& graph, const std::string& title,
                     const DotOptions& options);

}  // namespace sw
