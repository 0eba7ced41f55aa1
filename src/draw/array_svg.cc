// A picture of an array as SVG: each sharding a column, from left to right in the order of the program. Bars along the
// edges say which axis of the mesh cuts which dimension; a piece on several devices is drawn as a stack; padding is
// hatched, to scale.
#include <algorithm>

#include "draw/array_picture.h"
#include "draw/graph_svg.h"
#include "draw/palette.h"
#include "draw/svg.h"
#include "report/table.h"

namespace sw {

namespace {

constexpr double kMargin = 20, kBar = 18, kGap = 26;
constexpr int64_t kMostRows = 12, kMostColumns = 8, kMostPanels = 6, kPanelsInRow = 2;
constexpr Font kCell = {Face::mono, 10.5}, kSoft = {Face::sans, 10.5};

struct Size {
  double width = 0, height = 0;
};

// One sharding of the array, at a place of its own.
class StageDrawer {
 public:
  StageDrawer(const ArrayStage& stage, SvgWriter& out) : stage_(stage), t_(stage.tiling), out_(out) {
    view_ = flat_view(t_);
    rows_ = shown_of(tiles(view_.rows), kMostRows);
    columns_ = shown_of(tiles(view_.columns), kMostColumns);
    shape_cells();
  }

  // Draws with the upper left corner at (x, y).
  Size draw(double x, double y) {
    const double top = y;
    double width = 0;
    const auto line = [&](const std::string& style, const Font& font, const std::string& words) {
      if (words.empty()) return;
      out_.text(x, y + 11, style, words);
      width = std::max(width, pixel_width(words, font));
      y += 16;
    };
    line("head", {Face::bold, 12}, stage_.heading);
    for (const std::string& move : stage_.moves) {
      y = draw_move(move, x, y);
      width = std::max(width, pixel_width(move, kSoft) + 16);
    }
    line("mono", {Face::mono, 10.5}, stage_.spec);
    if (!stage_.on_device.empty()) line("soft", kSoft, "on a device " + stage_.on_device);
    for (size_t d = 0; d < t_.dims.size() && !stage_.spec.empty(); ++d)
      line("soft", kSoft, "dimension " + std::to_string(d) + ": " + dim_words(t_.dims[d]));
    line("soft", kSoft, copies_words(t_));
    for (const auto& [name, words] : stage_.notes) line("soft", kSoft, name + (name.empty() ? "" : ": ") + words);
    y += 8;
    if (!t_.says_devices()) {
      line("soft", kSoft, "which device holds what is not said by this sharding");
      return {width, y - top};
    }
    const Size grid = draw_panels(x, y);
    return {std::max(width, grid.width), y + grid.height - top};
  }

 private:
  const TiledDim& dim(int d) const { return t_.dims[static_cast<size_t>(d)]; }
  int64_t tiles(int d) const { return d < 0 ? 1 : dim(d).tiles; }
  size_t levels(int d) const { return d < 0 || dim(d).tiles == 1 ? 0 : std::max<size_t>(dim(d).axes.size(), 1); }

  // Wide enough for the numbers in it.
  double bar(int d) const {
    return std::max(kBar, 12 + pixel_width(std::to_string(std::max<int64_t>(tiles(d) - 1, 0)), {Face::sans, 10}));
  }

  bool two_lines() const { return t_.uneven() || t_.node_size > 0; }

  // Cells in the proportions of the array, as far as their text leaves them.
  void shape_cells() {
    double widest = 34;
    std::vector<int64_t> tile(t_.dims.size(), 0);
    for (const int64_t r : rows_)
      for (const int64_t c : columns_)
        if (r >= 0 && c >= 0 && t_.says_devices()) {
          at(tile, r, c);
          widest = std::max(widest, pixel_width(t_.devices_text(tile), kCell) + 14);
          if (t_.node_size > 0) widest = std::max(widest, 52.0);
        }
    const double least = two_lines() ? 42 : 28;
    const double rows = static_cast<double>(rows_.size()), columns = static_cast<double>(columns_.size());
    const auto extent = [&](int shown, bool across) {
      const size_t rank = t_.dims.size();
      if (shown >= 0) return dim(shown).extent;
      if (across) return rank > 0 ? t_.dims[rank - 1].extent : 1;
      return rank > 1 ? t_.dims[rank - 2].extent : 1;
    };
    const double ratio = std::clamp(static_cast<double>(std::max<int64_t>(extent(view_.columns, true), 1)) /
                                        static_cast<double>(std::max<int64_t>(extent(view_.rows, false), 1)),
                                    0.5, 2.5);
    const double side = view_.panels.empty() ? 260 : 150;
    cell_.width = std::max(widest, std::min(side * std::min(1.0, ratio) / columns, 90.0));
    cell_.height = std::max(least, std::min(side * std::min(1.0, 1 / ratio) / rows, 60.0));
  }

  void at(std::vector<int64_t>& tile, int64_t row, int64_t column) const {
    if (view_.rows >= 0) tile[static_cast<size_t>(view_.rows)] = row;
    if (view_.columns >= 0) tile[static_cast<size_t>(view_.columns)] = column;
  }

  double draw_move(const std::string& move, double x, double y) {
    const double width = pixel_width(move, kSoft) + 16;
    out_.rect("pill", x, y, width, 16, 8);
    out_.text(x + 8, y + 11.8, "pill-text", move);
    return y + 21;
  }

  Size draw_panels(double x, double y) {
    Size size;
    const int64_t count = std::min(view_.panel_count, kMostPanels);
    double row_height = 0, at_x = x, at_y = y;
    for (int64_t p = 0; p < count; ++p) {
      const std::vector<int64_t> tile = panel_tile(t_, view_, p);
      const Size panel = draw_panel(tile, at_x, at_y);
      row_height = std::max(row_height, panel.height);
      size.width = std::max(size.width, at_x - x + panel.width);
      at_x += panel.width + kGap;
      if (p % kPanelsInRow != kPanelsInRow - 1 && p + 1 < count) continue;
      at_x = x;
      at_y += row_height + 10;
      row_height = 0;
    }
    if (view_.panel_count > count) {
      out_.text(x, at_y + 11, "soft", count_text(view_.panel_count - count) + " more like these");
      at_y += 16;
    }
    size.height = at_y - y;
    return size;
  }

  Size draw_panel(std::vector<int64_t> tile, double x, double y) {
    const double top = y;
    double width = 0;
    if (!view_.panels.empty()) {
      std::string words;
      for (const int d : view_.panels)
        words += (words.empty() ? "dimension " : ", dimension ") + std::to_string(d) + ": tile " +
                 std::to_string(tile[static_cast<size_t>(d)]);
      out_.text(x, y + 11, "soft", words);
      width = pixel_width(words, kSoft);
      y += 16;
    }
    const std::string rows_name = name_of(view_.rows, " ↓"), columns_name = name_of(view_.columns, " →");
    const double left = x + bar(view_.rows) * static_cast<double>(levels(view_.rows));
    out_.text(x, y + 11, "soft", rows_name + (rows_name.empty() || columns_name.empty() ? "" : " · ") + columns_name);
    width = std::max(width, pixel_width(rows_name + "   " + columns_name, kSoft));
    y += rows_name.empty() && columns_name.empty() ? 0 : 17;
    draw_bars(view_.columns, columns_, left, y, true);
    y += kBar * static_cast<double>(levels(view_.columns));
    draw_bars(view_.rows, rows_, x, y, false);
    for (size_t r = 0; r < rows_.size(); ++r)
      for (size_t c = 0; c < columns_.size(); ++c) {
        at(tile, rows_[r], columns_[c]);
        draw_cell(tile, rows_[r] < 0 || columns_[c] < 0, left + cell_.width * static_cast<double>(c),
                  y + cell_.height * static_cast<double>(r));
      }
    width = std::max(width, left - x + cell_.width * static_cast<double>(columns_.size()) + 6);
    return {width, y - top + cell_.height * static_cast<double>(rows_.size()) + 8};
  }

  std::string name_of(int d, const char* arrow) const {
    if (d < 0) return "";
    std::string text;
    for (const TileAxis& axis : dim(d).axes) text += (text.empty() ? "" : ", ") + axis.name;
    return (text.empty() ? "dimension " + std::to_string(d) : text) + arrow;
  }

  // Segments of each axis of a dimension, the major one outermost.
  void draw_bars(int d, const std::vector<int64_t>& shown_tiles, double x, double y, bool across) {
    const double step = across ? cell_.width : cell_.height, thick = across ? kBar : bar(d);
    for (size_t level = 0; level < levels(d); ++level) {
      const auto& axes = dim(d).axes;
      int64_t minor = 1;
      for (size_t i = level + 1; i < axes.size(); ++i) minor *= axes[i].size;
      const auto part = [&](int64_t tile) {
        return tile < 0 ? -1 : axes.empty() ? tile : tile / minor % axes[level].size;
      };
      const uint32_t axis = axes.empty() ? kNoAxis : axes[level].axis;
      for (size_t begin = 0; begin < shown_tiles.size();) {
        size_t end = begin + 1;
        while (end < shown_tiles.size() && shown_tiles[begin] >= 0 && shown_tiles[end] >= 0 &&
               part(shown_tiles[end]) == part(shown_tiles[begin]))
          ++end;
        const double along = step * static_cast<double>(begin), length = step * static_cast<double>(end - begin);
        const double across_by = thick * static_cast<double>(level);
        if (shown_tiles[begin] >= 0)
          draw_segment(axis, part(shown_tiles[begin]), across, across ? x + along : x + across_by,
                       across ? y + across_by : y + along, across ? length : thick, across ? thick : length);
        begin = end;
      }
    }
  }

  void draw_segment(uint32_t axis, int64_t part, bool across, double x, double y, double width, double height) {
    const std::string style = axis == kNoAxis ? "ao" : axis_class(axis);
    out_.rect(style + " tint", x + 1, y + 1, width - 2, height - 2);
    out_.rect(style, x + 1, y + 1, across ? width - 2 : 4, across ? 4 : height - 2);
    out_.text(x + width / 2 + (across ? 0 : 2), y + height / 2 + (across ? 5.5 : 4), "small", std::to_string(part),
              "middle");
  }

  void draw_cell(const std::vector<int64_t>& tile, bool gap, double x, double y) {
    if (gap) {
      out_.text(x + cell_.width / 2, y + cell_.height / 2 + 3, "soft", "…", "middle");
      return;
    }
    const double width = cell_.width - 4, height = cell_.height - 4;
    if (t_.copies > 1) out_.rect("back", x + 4, y + 4, width, height, 3);
    out_.rect("card", x + 1, y + 1, width, height, 3);
    const std::string shape = t_.filled_text(tile);
    const bool empty = shape.empty();
    const auto share = [&](int d) {
      if (d < 0 || dim(d).piece == 0) return 1.0;
      return static_cast<double>(dim(d).filled(tile[static_cast<size_t>(d)])) / static_cast<double>(dim(d).piece);
    };
    const double down = empty ? 0 : share(view_.rows), right = empty ? 0 : share(view_.columns);
    if (down < 1) out_.rect("", x + 1, y + 1 + height * down, width, height * (1 - down), 0, "url(#padding)");
    if (right < 1 && down > 0)
      out_.rect("", x + 1 + width * right, y + 1, width * (1 - right), height * down, 0, "url(#padding)");
    const double middle = x + 1 + width / 2;
    const double baseline = y + 1 + height / 2 + (two_lines() ? -3 : 4);
    out_.text(middle, baseline, "mono halo", t_.devices_text(tile), "middle");
    if (!two_lines()) return;
    const std::string words = t_.node_size > 0 ? "node " + std::to_string(t_.device(tile, 0) / t_.node_size)
                              : empty          ? "padding"
                                               : fit_pixels(shape, {Face::sans, 10}, width - 4);
    out_.text(middle, baseline + 14, "small halo", words, "middle");
  }

  const ArrayStage& stage_;
  const Tiling& t_;
  SvgWriter& out_;
  FlatView view_;
  std::vector<int64_t> rows_, columns_;
  Size cell_;
};

// The stages of one array, from left to right.
Size draw_stages(const ArrayPicture& picture, double top, SvgWriter& out) {
  double x = kMargin, height = 0;
  for (const ArrayStage& stage : picture.stages) {
    if (&stage != &picture.stages.front()) {
      out.leaf("path", {{"class", "edge"},
                        {"d", "M" + svg_number(x + 6) + ' ' + svg_number(top + 6) + "h" + svg_number(kGap + 2)},
                        {"marker-end", "url(#tip)"}});
      x += 2 * kGap - 8;
    }
    const Size size = StageDrawer(stage, out).draw(x, top);
    x += size.width;
    height = std::max(height, size.height);
  }
  return {x - kMargin, height};
}

}  // namespace

std::string array_svg(std::span<const ArrayPicture> pictures) {
  SvgWriter out;
  double width = 0, y = 0;
  for (const ArrayPicture& picture : pictures) {
    out.open("g", {});
    out.text(kMargin, y + 32, "big", picture.title);
    out.text(kMargin, y + 50, "soft", picture.subtitle);
    width = std::max({width, pixel_width(picture.title, {Face::bold, 17}), pixel_width(picture.subtitle, kSoft),
                      draw_axis_legend(picture.mesh, false, kMargin, y + 60, out)});
    const Size size = draw_stages(picture, y + 92, out);
    out.close("g");
    width = std::max(width, size.width);
    y += 92 + size.height;
  }
  const std::string title = pictures.empty() ? "" : pictures.front().title;
  const std::string subtitle = pictures.empty() ? "" : pictures.front().subtitle;
  return out.document(width + 2 * kMargin, y + kMargin, title, subtitle, picture_style(),
                      picture_markers() + picture_patterns());
}

}  // namespace sw
