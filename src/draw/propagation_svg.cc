// See the header.
#include "draw/propagation_svg.h"

#include <algorithm>
#include <map>
#include <set>

#include "draw/palette.h"
#include "report/table.h"

namespace sw {

namespace {

constexpr double kMargin = 20, kTop = 92, kBetween = 48;
constexpr double kCaptions = 64;       // name, two lines of words
constexpr double kSeconds = 1.4;       // of a frame
constexpr uint32_t kFramesAtRest = 3;  // that the end is held before it begins again
constexpr Font kSoft = {Face::sans, 10.5}, kMono = {Face::mono, 10.5}, kName = {Face::bold, 12};

// The style sheet of the spans of frames in which things are seen.
class Spans {
 public:
  Spans(uint32_t frames, std::optional<uint32_t> only) : frames_(frames), only_(only) {}

  // The class of what is seen in frames [begin, end), or nothing when it is not drawn at all. What is seen in the last
  // frame is also seen at rest, unless it `passes`.
  std::optional<std::string> seen(uint32_t begin, uint32_t end, bool passes = false) {
    if (begin >= end) return std::nullopt;
    if (only_.has_value()) {
      if (*only_ < begin || *only_ >= end) return std::nullopt;
      return "";
    }
    if (begin == 0 && end == frames_) return "";
    const std::string name = (passes ? "p" : "v") + std::to_string(begin) + '-' + std::to_string(end);
    used_.insert({begin, end, passes});
    return name;
  }

  std::string style() const {
    if (only_.has_value() || used_.empty()) return "";
    std::string text;
    const double slots = frames_ + kFramesAtRest;
    const std::string time = svg_number(kSeconds * slots) + "s step-end infinite}\n";
    for (const auto& [begin, end, passes] : used_) {
      const std::string name = (passes ? "p" : "v") + std::to_string(begin) + '-' + std::to_string(end);
      const bool at_rest = end == frames_ && !passes;
      text += "." + name + (at_rest ? "{" : "{opacity:0;") + "animation:" + name + ' ' + time;
      text += "@keyframes " + name + "{0%{opacity:" + (begin == 0 ? "1" : "0") + '}';
      if (begin > 0) text += percent(begin, slots) + "{opacity:1}";
      if (!at_rest) text += percent(end, slots) + "{opacity:0}";
      text += "}\n";
    }
    return text +
           "svg:hover *{animation-play-state:paused}\n"
           "@media (prefers-reduced-motion:reduce){*{animation:none!important}}\n";
  }

 private:
  static std::string percent(uint32_t frame, double slots) { return svg_number(100 * frame / slots) + '%'; }

  uint32_t frames_;
  std::optional<uint32_t> only_;
  std::set<std::tuple<uint32_t, uint32_t, bool>> used_;
};

class FilmDrawer {
 public:
  FilmDrawer(const PropagationPicture& picture, const DotGraph& graph, const GraphLayout& layout, const Film& film,
             uint32_t frames, double left, Spans& spans, SvgWriter& out)
      : p_(picture),
        graph_(graph),
        layout_(layout),
        film_(film),
        frames_(frames),
        left_(left),
        spans_(spans),
        out_(out) {
    for (uint32_t i = 0; i < p_.model.edges.size(); ++i) edge_of_[{p_.model.edges[i].from, p_.model.edges[i].to}] = i;
  }

  void draw() {
    draw_captions();
    const CardNames names = {"", "", p_.mesh};
    draw_clusters_and_edges({p_.model, graph_, layout_, names, "", ""}, left_, top(), out_);
    for (const NodeSet& set : film_.sets) draw_flow(set);
    for (uint32_t n = 0; n < p_.model.nodes.size(); ++n) draw_node(n);
    for (const NodeSet& set : film_.sets) draw_pulse(set);
  }

 private:
  double top() const { return kTop + kCaptions; }
  // Frames of this film that are over before the other one is stay as they are.
  uint32_t end_of(uint32_t frame) const { return frame + 1 >= film_.frames() ? frames_ : frame + 1; }

  void draw_captions() {
    out_.text(left_, kTop + 14, "head", film_.name);
    const double slot = std::min(14.0, (layout_.width - 60) / std::max(1U, film_.frames()));
    const double from = left_ + pixel_width(film_.name, kName) + 14;
    for (uint32_t f = 0; f < film_.frames(); ++f) {
      const auto rect = [&](const std::string& style) { out_.rect(style, from + slot * f, kTop + 6, slot - 3, 8, 2); };
      rect("aw");
      if (const auto seen = spans_.seen(f, end_of(f))) rect("pill " + *seen);
    }
    for (uint32_t f = 0; f < film_.frames(); ++f) {
      const auto seen = spans_.seen(f, end_of(f));
      if (!seen.has_value()) continue;
      const std::string& words = film_.captions[f];
      const size_t cut = words.find(", as ");
      const double width = std::max(layout_.width, 300.0) + kBetween - 14;
      out_.text(left_, kTop + 32, "soft " + *seen, fit_pixels(words.substr(0, cut), kSoft, width));
      if (cut != std::string::npos)
        out_.text(left_, kTop + 47, "soft " + *seen, fit_pixels(words.substr(cut + 5), kSoft, width));
    }
  }

  const Curve* curve(uint32_t from, uint32_t to) const {
    const auto edge = edge_of_.find({from, to});
    if (edge == edge_of_.end()) return nullptr;
    const auto at = layout_.edges.find("e" + std::to_string(edge->second));
    return at == layout_.edges.end() || at->second.points.empty() ? nullptr : &at->second;
  }

  // Along the edge between two nodes, whichever way it runs. False: there is none.
  bool flow_between(uint32_t from, uint32_t to, const std::string& seen) {
    const Curve* forward = curve(from, to);
    const Curve* backward = forward == nullptr ? curve(to, from) : nullptr;
    if (forward == nullptr && backward == nullptr) return false;
    const std::string path = curve_path(forward != nullptr ? *forward : *backward, forward == nullptr, left_, top());
    out_.leaf("path", {{"class", "flow " + seen}, {"d", path}, {"marker-end", "url(#flow-tip)"}});
    return true;
  }

  void draw_flow(const NodeSet& set) {
    constexpr uint32_t kNone = GraphModel::kNoNode;
    if (set.from == kNone || set.from == set.node) return;
    const auto seen = spans_.seen(set.frame, set.frame + 1, true);
    if (!seen.has_value() || flow_between(set.from, set.node, *seen)) return;
    if (set.by == kNone || set.by == set.node || set.by == set.from) return;
    if (flow_between(set.from, set.by, *seen)) flow_between(set.by, set.node, *seen);
  }

  struct Place {
    double x = 0, y = 0;
  };
  Place place(uint32_t node) const {
    const auto at = layout_.nodes.find("n" + std::to_string(node));
    if (at == layout_.nodes.end()) return {};
    return {left_ + at->second.x - graph_.cards[node].width / 2, top() + at->second.y - graph_.cards[node].height / 2};
  }

  void draw_pulse(const NodeSet& set) {
    const auto seen = spans_.seen(set.frame, set.frame + 1, true);
    if (!seen.has_value() || !pulsed_.insert({set.frame, set.node}).second) return;
    const Place at = place(set.node);
    const Card& card = graph_.cards[set.node];
    out_.rect("pulse " + *seen, at.x - 2, at.y - 2, card.width + 4, card.height + 4, 8);
  }

  void draw_node(uint32_t index) {
    const GraphNode& node = p_.model.nodes[index];
    const Card& card = graph_.cards[index];
    const Place at = place(index);
    out_.open("g", {});
    out_.title(node.title + "  " + node.type + "  " + film_.looks[index].back().text);
    draw_card(node, "card", at.x, at.y, card.width, card.height, out_);
    const double x = at.x + kBand + kCardPad;
    double y = at.y + kCardPad + 10;
    out_.text(x, y, "name", card.lines[0].text);
    out_.text(at.x + card.width - kCardPad, y, "soft", card.lines[0].right, "end");
    if (!node.type.empty()) out_.text(x, y += kLineHeight, "mono", fit_pixels(node.type, kMono, 260));
    draw_looks(index, at, y += kLineHeight);
    if (!film_.refused[index].empty())
      if (const auto seen = spans_.seen(film_.frames() - 1, frames_))
        out_.text(x, y + kLineHeight, "refused " + *seen, refused_words(film_.refused[index]));
    out_.close("g");
  }

  void draw_looks(uint32_t index, const Place& at, double y) {
    const std::vector<NodeLook>& looks = film_.looks[index];
    const Card& card = graph_.cards[index];
    for (size_t i = 0; i < looks.size(); ++i) {
      const uint32_t end = i + 1 < looks.size() ? looks[i + 1].from_frame : frames_;
      const auto seen = spans_.seen(looks[i].from_frame, end);
      if (!seen.has_value()) continue;
      out_.open("g", {{"class", *seen}});
      draw_band(p_.model.nodes[index], looks[i].colours, at.x, at.y, card.height, out_);
      out_.text(at.x + kBand + kCardPad, y, looks[i].colours.none() ? "soft" : "mono", looks[i].text);
      out_.close("g");
    }
  }

 public:
  static std::string refused_words(const std::string& words) { return fit_pixels("✕ " + words, kSoft, 330); }

 private:
  const PropagationPicture& p_;
  const DotGraph& graph_;
  const GraphLayout& layout_;
  const Film& film_;
  uint32_t frames_;
  double left_;
  Spans& spans_;
  SvgWriter& out_;
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> edge_of_;
  std::set<std::pair<uint32_t, uint32_t>> pulsed_;
};

}  // namespace

DotGraph propagation_cards(const PropagationPicture& picture) {
  DotGraph graph;
  graph.pills.resize(picture.model.edges.size());
  for (uint32_t n = 0; n < picture.model.nodes.size(); ++n) {
    const GraphNode& node = picture.model.nodes[n];
    Card card;
    const bool round = node.kind == NodeKind::argument;
    card.lines.push_back({LineStyle::name, fit_pixels(node.title, kName, 230), round ? "" : node.name});
    double widest = pixel_width(card.lines[0].text, kName) + (round ? 0 : pixel_width(node.name, kSoft) + 10);
    widest = std::max(widest, std::min(pixel_width(node.type, kMono), 260.0));
    size_t lines = node.type.empty() ? 2 : 3;
    bool refused = false;
    for (const Film& film : picture.films) {
      for (const NodeLook& look : film.looks[n]) widest = std::max(widest, pixel_width(look.text, kMono));
      if (film.refused[n].empty()) continue;
      refused = true;
      widest = std::max(widest, pixel_width(FilmDrawer::refused_words(film.refused[n]), kSoft));
    }
    lines += refused ? 1 : 0;
    card.width = widest + kBand + 2 * kCardPad;
    card.height = 2 * kCardPad - 3 + kLineHeight * static_cast<double>(lines);
    graph.cards.push_back(std::move(card));
  }
  return graph;
}

uint32_t frame_count(std::span<const Film> films) {
  uint32_t frames = 0;
  for (const Film& film : films) frames = std::max(frames, film.frames());
  return frames;
}

std::string propagation_svg(const PropagationPicture& picture, const DotGraph& graph, const GraphLayout& layout,
                            std::optional<uint32_t> frame) {
  const uint32_t frames = frame_count(picture.films);
  SvgWriter out;
  Spans spans(frames, frame);
  out.text(kMargin, 32, "big", picture.title);
  out.text(kMargin, 50, "soft", picture.subtitle);
  double legend = draw_axis_legend(picture.mesh, true, kMargin, 60, out);
  const auto entry = [&](const std::string& words, const auto& draw) {
    draw(kMargin + legend);
    out.text(kMargin + legend + 28, 70, "soft", words);
    legend += 28 + pixel_width(words, kSoft) + 18;
  };
  entry("set in this frame", [&](double x) { out.rect("pulse", x, 60, 22, 12, 5); });
  entry("from where", [&](double x) {
    out.leaf("path", {{"class", "flow"}, {"d", "M" + svg_number(x) + " 66h20"}, {"marker-end", "url(#flow-tip)"}});
  });
  const double side = std::max(layout.width, 300.0) + kBetween;
  double left = kMargin;
  for (const Film& film : picture.films) {
    FilmDrawer(picture, graph, layout, film, frames, left, spans, out).draw();
    left += side;
  }
  const double width =
      std::max({left - kBetween, kMargin + legend, kMargin + pixel_width(picture.title, {Face::bold, 17}),
                kMargin + pixel_width(picture.subtitle, kSoft)});
  return out.document(width + kMargin + 6, kTop + kCaptions + layout.height + kMargin, picture.title, picture.subtitle,
                      picture_style() + spans.style(), picture_markers() + picture_patterns());
}

}  // namespace sw
