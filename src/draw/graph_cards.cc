// See the header.
#include "draw/graph_cards.h"

#include <algorithm>
#include <cmath>

#include "report/table.h"

namespace sw {

namespace {

constexpr double kLeast = 84, kMost = 290;  // width of a card
constexpr size_t kPillsOfNode = 3;

std::string plural(int64_t count, std::string_view what) {
  return count_text(count) + ' ' + std::string(what) + (count == 1 ? "" : "s");
}

std::vector<uint32_t> positions(const Mesh* mesh, const std::vector<std::string>& axes) {
  std::vector<uint32_t> found;
  for (const std::string& axis : axes)
    for (uint32_t i = 0; mesh != nullptr && i < mesh->axes.size(); ++i)
      if (axis == mesh->axes[i].name || axis.starts_with(mesh->axes[i].name + ":")) found.push_back(i);
  return found;
}

Pill pill_with(std::string text, uint8_t sides) {
  Pill pill;
  pill.text = fit_pixels(text, pill_font(), kMost - 3 * kCardPad);
  pill.sides = sides;
  return pill;
}

void measure(Pill& pill) {
  pill.width = std::ceil(pixel_width(pill.text, pill_font())) + 16 + 10 * static_cast<double>(pill.axes.size());
}

void add_sharding(const GraphNode& node, const CardNames& names, Card& card) {
  if (!node.type.empty())
    card.lines.push_back({LineStyle::mono, node.type + (node.on_device.empty() ? "" : " → " + node.on_device), ""});
  if (!node.other_spec.empty()) {
    card.lines.push_back({LineStyle::mono, names.a + ": " + node.spec, ""});
    card.lines.push_back({LineStyle::mono, names.b + ": " + node.other_spec, ""});
  } else if (!node.spec.empty()) {
    card.lines.push_back({node.color == 0 ? LineStyle::soft : LineStyle::mono, node.spec, ""});
  }
}

void add_summary(const GraphNode& node, Card& card) {
  if (node.kind == NodeKind::folded) card.lines.push_back({LineStyle::soft, plural(node.ops, "operation"), ""});
  const bool grouped = (node.kind == NodeKind::argument || node.kind == NodeKind::result) && node.values.size() > 1;
  if (grouped) card.lines.push_back({LineStyle::soft, bytes_text(node.bytes), ""});
  if (node.other_spec.empty() && node.differences > 0)
    card.lines.push_back(
        {LineStyle::soft, plural(node.differences, "value") + " differ" + (node.differences == 1 ? "s" : ""), ""});
}

}  // namespace

Font font_of(LineStyle style) {
  switch (style) {
    case LineStyle::name: return {Face::bold, 12};
    case LineStyle::mono: return {Face::mono, 10.5};
    case LineStyle::soft: break;
  }
  return {Face::sans, 10.5};
}

Font pill_font() { return {Face::sans, 10.5}; }

std::vector<Pill> pills_of(const GraphModel& model, const std::vector<uint32_t>& collectives, size_t most,
                           const CardNames& names) {
  std::vector<Pill> pills;
  const size_t shown = collectives.size() <= most ? collectives.size() : most - 1;
  for (size_t i = 0; i < shown; ++i) {
    const GraphCollective& c = model.collectives[collectives[i]];
    std::string text =
        (c.count > 1 ? count_text(c.count) + ' ' : "") + c.kind + ' ' + c.over + " · " + bytes_text(c.bytes);
    if (c.sides == 1 && !names.b.empty()) text = names.a + ": " + text;
    if (c.sides == 2) text = names.b + ": " + text;
    Pill pill = pill_with(std::move(text), c.sides);
    pill.axes = positions(names.mesh, c.axes);
    measure(pill);
    pills.push_back(std::move(pill));
  }
  if (shown < collectives.size()) {
    int64_t count = 0, bytes = 0;
    uint8_t sides = 0;
    for (size_t i = shown; i < collectives.size(); ++i) {
      count += model.collectives[collectives[i]].count;
      bytes = saturated_add(bytes, model.collectives[collectives[i]].bytes);
      sides |= model.collectives[collectives[i]].sides;
    }
    pills.push_back(pill_with(count_text(count) + " more · " + bytes_text(bytes), sides));
    measure(pills.back());
  }
  return pills;
}

Card card_of(const GraphModel& model, const GraphNode& node, const CardNames& names) {
  Card card;
  card.lines.push_back({LineStyle::name, node.title, node.kind == NodeKind::argument ? "" : node.name});
  add_sharding(node, names, card);
  add_summary(node, card);
  // Not what the title or the scope around says already.
  bool said = node.title.starts_with(node.place) || node.title.starts_with("lines ");
  for (uint32_t s = node.scope; s != kNoScope; s = model.tree.scopes[s].parent)
    said |= model.tree.scopes[s].name == node.place;
  const bool placed = !node.place.empty() && !said && node.kind != NodeKind::exit && node.kind != NodeKind::entry;
  if (placed) card.lines.push_back({LineStyle::soft, node.place, ""});
  card.pills = pills_of(model, node.collectives, kPillsOfNode, names);
  double widest = kLeast;
  for (CardLine& line : card.lines) {
    const double room = kMost - kBand - 2 * kCardPad;
    const double right = line.right.empty() ? 0 : pixel_width(line.right, font_of(LineStyle::soft)) + 10;
    line.text = fit_pixels(line.text, font_of(line.style), room - right);
    widest = std::max(widest, pixel_width(line.text, font_of(line.style)) + right + kBand + 2 * kCardPad);
  }
  for (const Pill& pill : card.pills) widest = std::max(widest, pill.width + kBand + kCardPad);
  card.width = std::ceil(widest);
  card.height = 2 * kCardPad - 3 + kLineHeight * static_cast<double>(card.lines.size()) +
                (kPillHeight + 3) * static_cast<double>(card.pills.size());
  return card;
}

}  // namespace sw
