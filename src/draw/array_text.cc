// A picture of an array for the terminal, in boxes:
//
//                data=2 ↓   model=4 →
//                ┌────┬────┬────┬────┐
//                │ 0  │ 1  │ 2  │ 3  │
//                ├────┼────┼────┼────┤
//                │ 4  │ 5  │ 6  │ 7  │
//                └────┴────┴────┴────┘
#include <algorithm>

#include "draw/array_picture.h"
#include "report/table.h"

namespace sw {

namespace {

constexpr int64_t kMostRows = 16, kMostRowsOfPanels = 6;
constexpr int64_t kMostPanels = 4;
constexpr size_t kColumns = 100;
constexpr size_t kIndent = 4;

std::string times(std::string_view text, size_t count) {
  std::string out;
  for (size_t i = 0; i < count; ++i) out += text;
  return out;
}

std::string centred(const std::string& text, size_t width) {
  const size_t room = width - std::min(width, text_width(text));
  return std::string(room / 2, ' ') + text + std::string(room - room / 2, ' ');
}

std::string axes_words(const TiledDim& dim) {
  std::string text;
  for (const TileAxis& axis : dim.axes) text += (text.empty() ? "" : " × ") + axis.name + '=' + count_text(axis.size);
  return text.empty() ? count_text(dim.tiles) + " tiles" : text;
}

class TextDrawer {
 public:
  TextDrawer(const Tiling& tiling, bool of_mesh, TextSink& out)
      : tiling_(tiling), of_mesh_(of_mesh), view_(flat_view(tiling)), out_(out) {}

  void draw() {
    write_axes();
    for (int64_t p = 0; p < std::min(view_.panel_count, kMostPanels); ++p) {
      const std::vector<int64_t> tile = panel_tile(tiling_, view_, p);
      if (!view_.panels.empty()) out_.write(std::string(kIndent, ' ') + panel_words(tile) + '\n');
      draw_panel(tile);
    }
    if (view_.panel_count > kMostPanels)
      out_.write(std::string(kIndent, ' ') + "…" + count_text(view_.panel_count - kMostPanels) + " more like these\n");
  }

 private:
  const TiledDim& dim(int d) const { return tiling_.dims[static_cast<size_t>(d)]; }
  int64_t tiles(int d) const { return d < 0 ? 1 : dim(d).tiles; }

  void write_axes() {
    std::string line;
    if (view_.rows >= 0) line = name_of(view_.rows) + axes_words(dim(view_.rows)) + " ↓";
    if (view_.columns >= 0)
      line += (line.empty() ? "" : "    ") + name_of(view_.columns) + axes_words(dim(view_.columns)) + " →";
    if (!line.empty()) out_.write(std::string(kIndent, ' ') + line + '\n');
  }

  // A mesh has axes and no dimensions.
  std::string name_of(int d) const { return of_mesh_ ? "" : "dimension " + std::to_string(d) + ", "; }

  std::string panel_words(const std::vector<int64_t>& tile) const {
    std::string text;
    for (const int d : view_.panels)
      text += (text.empty() ? "" : ", ") + name_of(d) + (of_mesh_ ? "" : "tile ") +
              std::to_string(tile[static_cast<size_t>(d)]) + " of " + axes_words(dim(d));
    return text;
  }

  size_t cell_lines() const { return tiling_.uneven() || tiling_.node_size > 0 ? 2 : 1; }

  // The lines in the cell of a tile: its devices; of an uneven array, how much it is; of a mesh, the node.
  std::vector<std::string> cell(std::vector<int64_t> tile, int64_t row, int64_t column) const {
    const std::vector<std::string> gap(cell_lines(), "…");
    if (row < 0 || column < 0) return gap;
    if (view_.rows >= 0) tile[static_cast<size_t>(view_.rows)] = row;
    if (view_.columns >= 0) tile[static_cast<size_t>(view_.columns)] = column;
    std::vector<std::string> lines = {tiling_.devices_text(tile)};
    if (tiling_.node_size > 0) lines.push_back("node " + std::to_string(tiling_.device(tile, 0) / tiling_.node_size));
    if (!tiling_.uneven()) return lines;
    const std::string shape = tiling_.filled_text(tile);
    lines.push_back(shape.empty() ? "padding" : shape);
    return lines;
  }

  void draw_panel(const std::vector<int64_t>& tile) {
    const std::vector<int64_t> rows =
        shown_of(tiles(view_.rows), view_.panel_count > 1 ? kMostRowsOfPanels : kMostRows);
    // The widest cell decides how many columns there is room for.
    int64_t room = 8;
    size_t width = 3;
    std::vector<int64_t> columns;
    for (int round = 0; round < 2; ++round) {
      columns = shown_of(tiles(view_.columns), room);
      for (const int64_t r : rows)
        for (const int64_t c : columns)
          for (const std::string& line : cell(tile, r, c)) width = std::max(width, text_width(line));
      room = std::max<int64_t>(3, static_cast<int64_t>((kColumns - kIndent - 1) / (width + 3)));
    }
    columns = shown_of(tiles(view_.columns), room);
    const auto rule = [&](const char* left, const char* middle, const char* right) {
      out_.write(std::string(kIndent, ' ') + left);
      for (size_t c = 0; c < columns.size(); ++c) out_.write((c > 0 ? middle : "") + times("─", width + 2));
      out_.write(std::string(right) + '\n');
    };
    rule("┌", "┬", "┐");
    for (size_t r = 0; r < rows.size(); ++r) {
      if (r > 0) rule("├", "┼", "┤");
      for (size_t line = 0; line < cell_lines(); ++line) {
        out_.write(std::string(kIndent, ' '));
        for (const int64_t c : columns) out_.write("│ " + centred(cell(tile, rows[r], c)[line], width) + ' ');
        out_.write("│\n");
      }
    }
    rule("└", "┴", "┘");
  }

  const Tiling& tiling_;
  bool of_mesh_;
  FlatView view_;
  TextSink& out_;
};

void write_words(const ArrayStage& stage, TextSink& out) {
  const auto line = [&](const std::string& name, const std::string& words) {
    if (!words.empty()) out.write("  " + padded(name, 12) + "  " + words + '\n');
  };
  for (size_t i = 0; i < stage.moves.size(); ++i) line(i == 0 ? "by" : "", stage.moves[i]);
  line("sharding", stage.spec);
  line("on a device", stage.on_device);
  for (const auto& [name, words] : stage.notes) line(name, words);
  if (stage.spec.empty()) {  // a mesh
    if (!stage.notes.empty()) out.write('\n');
    return;
  }
  for (size_t d = 0; d < stage.tiling.dims.size(); ++d)
    line("dimension " + std::to_string(d), dim_words(stage.tiling.dims[d]));
  line("copies", copies_words(stage.tiling));
}

}  // namespace

void write_array_text(const ArrayPicture& picture, TextSink& out) {
  out.write(picture.title + "  ·  " + picture.subtitle + "\n");
  for (const ArrayStage& stage : picture.stages) {
    out.write('\n');
    if (!stage.heading.empty()) out.write("  " + stage.heading + '\n');
    write_words(stage, out);
    if (!stage.spec.empty()) out.write('\n');
    if (stage.tiling.says_devices())
      TextDrawer(stage.tiling, stage.spec.empty(), out).draw();
    else
      out.write("    which device holds what is not said by this sharding\n");
  }
}

}  // namespace sw
