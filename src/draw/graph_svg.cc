// See the header.
#include "draw/graph_svg.h"

#include <algorithm>

#include "draw/palette.h"
#include "report/table.h"

namespace sw {

namespace {

constexpr double kMargin = 20;
constexpr double kHeader = 74;

std::string axis_pattern(uint32_t axis) {
  return "url(#p" + std::to_string((axis + axis / kAxisColours) % kAxisColours) + ")";
}

// A patch in the colour of an axis, its pattern over it.
void patch(SvgWriter& out, uint32_t axis, double x, double y, double width, double height) {
  out.rect(axis_class(axis), x, y, width, height);
  if (axis != 0) out.rect("", x, y, width, height, 0, axis_pattern(axis));
}

bool is_round(const GraphNode& node) { return node.kind == NodeKind::argument || node.kind == NodeKind::result; }

class GraphDrawer {
 public:
  GraphDrawer(const GraphPicture& picture, double left, double top, SvgWriter& out)
      : p_(picture), left_(left), top_(top), out_(out) {}

  void draw_ground() {
    for (uint32_t s = 1; s < p_.model.tree.scopes.size(); ++s)
      if (p_.model.unfolded[s] != 0) draw_cluster(s);
    for (uint32_t e = 0; e < p_.model.edges.size(); ++e) draw_edge(e);
  }
  void draw() {
    draw_ground();
    for (uint32_t e = 0; e < p_.model.edges.size(); ++e) draw_pills_of_edge(e);
    for (uint32_t n = 0; n < p_.model.nodes.size(); ++n) draw_node(n);
  }

 private:
  void draw_cluster(uint32_t scope) {
    const auto at = p_.layout.clusters.find("cluster_" + std::to_string(scope));
    if (at == p_.layout.clusters.end()) return;
    const Box& box = at->second;
    const DrawScope& s = p_.model.tree.scopes[scope];
    out_.open("g", {});
    out_.title(s.path);
    out_.rect(s.kind == ScopeKind::loop ? "cluster loop" : "cluster", left_ + box.low.x, top_ + box.low.y,
              box.high.x - box.low.x, box.high.y - box.low.y, 8);
    out_.text(left_ + box.low.x + 10, top_ + box.low.y + 18, "head", cluster_label(s));
    out_.close("g");
  }

  void draw_curve(const std::string& id) {
    const auto at = p_.layout.edges.find(id);
    if (at == p_.layout.edges.end() || at->second.points.empty()) return;
    const Curve& curve = at->second;
    out_.leaf("path", {{"class", "edge"},
                       {"d", curve_path(curve, false, left_, top_)},
                       {"marker-end", curve.arrow ? "url(#tip)" : ""}});
  }

  void draw_edge(uint32_t edge) {
    const std::string id = "e" + std::to_string(edge);
    draw_curve(id);
    draw_curve(id + "a");
    draw_curve(id + "b");
  }

  void draw_pills_of_edge(uint32_t edge) {
    const std::vector<Pill>& pills = p_.graph.pills[edge];
    const auto at = p_.layout.nodes.find("c" + std::to_string(edge));
    if (pills.empty() || at == p_.layout.nodes.end()) return;
    double y = top_ + at->second.y - kPillHeight * static_cast<double>(pills.size()) / 2;
    for (size_t i = 0; i < pills.size(); ++i, y += kPillHeight) {
      out_.open("g", {});
      if (i < p_.model.edges[edge].collectives.size())
        out_.title(words_of(p_.model.collectives[p_.model.edges[edge].collectives[i]]));
      draw_pill(pills[i], left_ + at->second.x - pills[i].width / 2, y);
      out_.close("g");
    }
  }

  static std::string words_of(const GraphCollective& c) {
    return c.kind + ' ' + c.over + ", " + c.devices + " devices, " + bytes_text(c.bytes) + " a step, " + c.place +
           ": " + c.cause;
  }

  void draw_pill(const Pill& pill, double x, double y) {
    const bool one_side = !p_.names.b.empty() && pill.sides != 3;
    out_.rect(one_side ? "pill one-side" : "pill", x, y + 1, pill.width, kPillHeight - 2, (kPillHeight - 2) / 2);
    double at = x + 8;
    for (const uint32_t axis : pill.axes) {
      out_.leaf("circle", {{"class", axis_class(axis)},
                           {"cx", svg_number(at + 3)},
                           {"cy", svg_number(y + kPillHeight / 2)},
                           {"r", "3.5"}});
      at += 10;
    }
    out_.text(at, y + 12.8, one_side ? "one-side-text" : "pill-text", pill.text);
  }

  static std::string line_class(LineStyle style) {
    switch (style) {
      case LineStyle::name: return "name";
      case LineStyle::soft: return "soft";
      case LineStyle::mono: break;
    }
    return "mono";
  }

  void draw_node(uint32_t index) {
    const GraphNode& node = p_.model.nodes[index];
    const Card& card = p_.graph.cards[index];
    const auto found = p_.layout.nodes.find("n" + std::to_string(index));
    if (found == p_.layout.nodes.end()) return;
    const double x = left_ + found->second.x - card.width / 2, y = top_ + found->second.y - card.height / 2;
    out_.open("g", {});
    out_.title(words_of(node));
    draw_card(node, node.differences > 0 ? "card differs" : "card", x, y, card.width, card.height, out_);
    draw_band(node, p_.model.classes[node.color].colours, x, y, card.height, out_);
    double line_y = y + kCardPad + 10;
    for (const CardLine& line : card.lines) {
      out_.text(x + kBand + kCardPad, line_y, line_class(line.style), line.text);
      out_.text(x + card.width - kCardPad, line_y, "soft", line.right, "end");
      line_y += kLineHeight;
    }
    double pill_y = line_y - 9;
    for (const Pill& pill : card.pills) {
      draw_pill(pill, x + kBand + 2, pill_y);
      pill_y += kPillHeight + 3;
    }
    out_.close("g");
  }

  std::string words_of(const GraphNode& node) const {
    std::string text = node.title;
    for (const std::string* part : {&node.name, &node.type, &node.spec, &node.other_spec, &node.place})
      if (!part->empty()) text += "  " + *part;
    if (node.kind == NodeKind::folded) text += "  --expand " + p_.model.tree.scopes[node.scope].path;
    return text;
  }

  const GraphPicture& p_;
  double left_, top_;
  SvgWriter& out_;
};

}  // namespace

void draw_clusters_and_edges(const GraphPicture& picture, double left, double top, SvgWriter& out) {
  GraphDrawer(picture, left, top, out).draw_ground();
}

void draw_card(const GraphNode& node, const std::string& style, double x, double y, double width, double height,
               SvgWriter& out) {
  const double radius = is_round(node) ? 12 : 4;
  if (node.kind == NodeKind::folded) out.rect("back", x + 4, y + 4, width, height, radius);
  out.rect(style, x, y, width, height, radius);
}

void draw_band(const GraphNode& node, const Colours& colours, double x, double y, double height, SvgWriter& out) {
  const double inset = is_round(node) ? 10 : 4;
  const double top = y + inset, length = height - 2 * inset;
  const std::vector<uint32_t>& axes = colours.axes;
  if (axes.empty()) {
    out.rect(colours.other ? "ao" : "aw", x + 3, top, colours.other ? kBand - 3 : 2, length, 1);
    return;
  }
  const double piece = length / static_cast<double>(axes.size());
  for (size_t i = 0; i < axes.size(); ++i)
    patch(out, axes[i], x + 3, top + piece * static_cast<double>(i), kBand - 3, piece);
}

std::string curve_path(const Curve& curve, bool backwards, double left, double top) {
  std::vector<Point> points = curve.points;
  if (points.empty()) return "";
  if (backwards) std::reverse(points.begin(), points.end());
  const auto place = [&](const Point& p) { return svg_number(left + p.x) + ',' + svg_number(top + p.y); };
  std::string path = "M" + place(backwards && curve.arrow ? curve.tip : points[0]);
  if (backwards && curve.arrow) path += "L" + place(points[0]);
  for (size_t i = 1; i < points.size(); ++i) path += (i % 3 == 1 ? "C" : " ") + place(points[i]);
  if (curve.arrow && !backwards) path += "L" + place(curve.tip);
  return path;
}

double draw_axis_legend(const Mesh* mesh, bool whole, double x, double y, SvgWriter& out) {
  double at = x;
  const auto item = [&](const std::string& label) {
    out.text(at + 20, y + 10, "soft", label);
    at += 20 + pixel_width(label, font_of(LineStyle::soft)) + 18;
  };
  for (uint32_t i = 0; mesh != nullptr && i < mesh->axes.size() && i < 16; ++i) {
    patch(out, i, at, y, 14, 12);
    item(cut_to(shown(mesh->axes[i].name), 40) + '=' + std::to_string(mesh->axes[i].size));
  }
  if (!whole) return at - x;
  out.rect("aw", at + 6, y, 2, 12);
  item("whole on every device");
  return at - x;
}

std::string graph_svg(const GraphPicture& picture) {
  SvgWriter out;
  out.text(kMargin, 32, "big", picture.title);
  out.text(kMargin, 50, "soft", picture.subtitle);
  double legend = draw_axis_legend(picture.names.mesh, true, kMargin, 60, out);
  const auto entry = [&](const std::string& style, const std::string& words) {
    out.rect(style, kMargin + legend, 60, 22, 12, 6);
    out.text(kMargin + legend + 28, 70, "soft", words);
    legend += 28 + pixel_width(words, font_of(LineStyle::soft)) + 18;
  };
  entry("pill", "collective, with the bytes a device and step");
  if (!picture.names.b.empty()) {
    entry("pill one-side", "of one partitioner only");
    entry("card differs", "sharded differently");
  }
  GraphDrawer(picture, kMargin, kHeader + kMargin, out).draw();
  const double width = std::max({picture.layout.width, legend, pixel_width(picture.title, {Face::bold, 17}),
                                 pixel_width(picture.subtitle, font_of(LineStyle::soft))}) +
                       2 * kMargin + 4;
  return out.document(width, picture.layout.height + kHeader + 2 * kMargin, picture.title, picture.subtitle,
                      picture_style(), picture_markers() + picture_patterns());
}

}  // namespace sw
