// See the header.
#include "draw/dot.h"

#include <algorithm>
#include <cmath>

#include "draw/palette.h"
#include "draw/svg.h"
#include "report/table.h"

namespace sw {

namespace {

constexpr size_t kPillsOfEdge = 3;

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

// Labels are read once more for the entities of HTML.
std::string quoted_label(std::string_view text) {
  std::string escaped;
  for (const char c : text) c == '&' ? escaped += "&amp;" : escaped += c;
  return quoted(escaped);
}

// Graphviz measures in inches of 72 points; a pixel of ours is a point of its.
std::string inches(double pixels) {
  const auto milli = static_cast<int64_t>(std::llround(pixels / 72 * 10000));
  std::string digits = std::to_string(milli % 10000);
  digits.insert(0, 4 - digits.size(), '0');
  return std::to_string(milli / 10000) + '.' + digits;
}

class DotWriter {
 public:
  DotWriter(const GraphModel& model, const DotGraph& graph, const DotOptions& options)
      : model_(model), graph_(graph), options_(options) {
    members_.resize(model.tree.scopes.size());
    pills_in_.resize(model.tree.scopes.size());
    for (uint32_t i = 0; i < model.nodes.size(); ++i) members_[scope_of(i)].push_back(i);
    for (uint32_t i = 0; i < model.edges.size(); ++i)
      if (!graph.pills[i].empty()) pills_in_[common_scope(model.edges[i])].push_back(i);
  }

  std::string write(const std::string& title) {
    out_ = "digraph " + quoted(title) + " {\n";
    out_ += "  graph [rankdir=TB, nodesep=0.22, ranksep=0.34, fontname=\"Helvetica\", fontsize=12, pad=0.2";
    if (options_.text) out_ += ", label=" + quoted_label(title) + ", labelloc=t";
    out_ += "]\n";
    out_ += "  node [shape=box, style=\"rounded,filled\", fixedsize=true, fontname=\"Helvetica\", fontsize=10]\n";
    out_ += "  edge [color=\"#7b8794\", arrowsize=0.6]\n";
    write_scope(0, 1);
    for (uint32_t i = 0; i < model_.edges.size(); ++i) write_edge(i);
    return out_ + "}\n";
  }

 private:
  uint32_t scope_of(uint32_t node) const {
    const GraphNode& n = model_.nodes[node];
    return n.kind == NodeKind::folded ? model_.tree.scopes[n.scope].parent : n.scope;
  }
  uint32_t common_scope(const GraphEdge& edge) const {
    uint32_t scope = scope_of(edge.from);
    while (!model_.tree.contains(scope, scope_of(edge.to))) scope = model_.tree.scopes[scope].parent;
    return scope;
  }

  // Depth-first; the depth of scopes is bounded.
  void write_scope(uint32_t scope, size_t indent) {
    const std::string margin(2 * indent, ' ');
    if (scope != 0) {
      out_ += margin + "subgraph cluster_" + std::to_string(scope) + " {\n";
      out_ += margin + "  label=" + (options_.text ? quoted_label(label_of(scope)) : room_for_label(scope)) +
              "; labeljust=l; color=\"#9aa5b1\"; style=\"" +
              (model_.tree.scopes[scope].kind == ScopeKind::loop ? "rounded,dashed" : "rounded") + "\"; margin=10;\n";
    }
    for (const uint32_t node : members_[scope]) write_node(node, margin + "  ");
    for (const uint32_t edge : pills_in_[scope]) write_pills(edge, margin + "  ");
    for (const uint32_t child : model_.tree.scopes[scope].children)
      if (model_.unfolded[child] != 0) write_scope(child, indent + 1);
    if (scope != 0) out_ += margin + "}\n";
  }

  std::string label_of(uint32_t scope) const { return cluster_label(model_.tree.scopes[scope]); }
  std::string room_for_label(uint32_t scope) const {
    const double width = pixel_width(label_of(scope), {Face::bold, 12});
    return "<<TABLE BORDER=\"0\" FIXEDSIZE=\"TRUE\" WIDTH=\"" + std::to_string(std::lround(width)) +
           "\" HEIGHT=\"16\"><TR><TD></TD></TR></TABLE>>";
  }

  void write_node(uint32_t index, const std::string& margin) {
    const GraphNode& node = model_.nodes[index];
    const Card& card = graph_.cards[index];
    out_ += margin + 'n' + std::to_string(index) + " [width=" + inches(card.width) + ", height=" + inches(card.height);
    if (options_.text) {
      out_ += ", label=\"";
      for (const CardLine& line : card.lines) add_line(line.text + (line.right.empty() ? "" : "  " + line.right));
      for (const Pill& pill : card.pills) add_line("⇄ " + pill.text);
      out_ += "\", fillcolor=" + quoted(fill_of(model_.classes[node.color].colours)) + ", color=\"#52606d\"";
      if (node.kind == NodeKind::folded) out_ += ", peripheries=2";
      if (node.kind == NodeKind::argument || node.kind == NodeKind::result) out_ += ", style=filled";
      if (node.differences > 0) out_ += ", color=\"#c24a00\", penwidth=2.5";
    } else {
      out_ += ", label=\"\"";
    }
    out_ += "]\n";
  }

  void add_line(const std::string& text) {
    const std::string line = quoted_label(text);
    out_ += line.substr(1, line.size() - 2) + "\\l";
  }

  // Two axes are two colours.
  static std::string fill_of(const Colours& c) {
    if (c.other) return other_colour().tint;
    if (c.axes.empty()) return "#ffffff";
    std::string fill = axis_colour(c.axes[0]).tint;
    if (c.axes.size() > 1) fill += std::string(":") + axis_colour(c.axes[1]).tint;
    return fill;
  }

  void write_edge(uint32_t index) {
    const GraphEdge& edge = model_.edges[index];
    const std::string from = "n" + std::to_string(edge.from), to = "n" + std::to_string(edge.to);
    if (graph_.pills[index].empty()) {
      out_ += "  " + from + " -> " + to + " [id=e" + std::to_string(index) + "]\n";
      return;
    }
    const std::string name = "c" + std::to_string(index);
    out_ += "  " + from + " -> " + name + " [arrowhead=none, id=e" + std::to_string(index) + "a]\n";
    out_ += "  " + name + " -> " + to + " [id=e" + std::to_string(index) + "b]\n";
  }

  void write_pills(uint32_t edge, const std::string& margin) {
    const std::vector<Pill>& pills = graph_.pills[edge];
    double width = 0;
    for (const Pill& pill : pills) width = std::max(width, pill.width);
    out_ += margin + "c" + std::to_string(edge) + " [width=" + inches(width) +
            ", height=" + inches(kPillHeight * static_cast<double>(pills.size()));
    if (options_.text) {
      out_ += ", label=\"";
      for (const Pill& pill : pills) add_line("⇄ " + pill.text);
      out_ += "\", fillcolor=\"#3e4c59\", fontcolor=white, color=\"#3e4c59\"]\n";
    } else {
      out_ += ", label=\"\"]\n";
    }
  }

  const GraphModel& model_;
  const DotGraph& graph_;
  const DotOptions& options_;
  std::vector<std::vector<uint32_t>> members_, pills_in_;  // by scope: nodes, and edges with collectives
  std::string out_;
};

}  // namespace

std::string cluster_label(const DrawScope& scope) {
  const bool counted = scope.times > 1 && (scope.kind == ScopeKind::loop || scope.kind == ScopeKind::repeat);
  return scope.name + (counted ? " × " + count_text(scope.times) : "");
}

DotGraph dot_graph(const GraphModel& model, const CardNames& names) {
  DotGraph graph;
  for (const GraphNode& node : model.nodes) graph.cards.push_back(card_of(model, node, names));
  for (const GraphEdge& edge : model.edges)
    graph.pills.push_back(pills_of(model, edge.collectives, kPillsOfEdge, names));
  return graph;
}

std::string dot_text(const GraphModel& model, const DotGraph& graph, const std::string& title,
                     const DotOptions& options) {
  return DotWriter(model, graph, options).write(title);
}

}  // namespace sw
