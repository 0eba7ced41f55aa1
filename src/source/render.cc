// Diagnostics as text. One diagnostic is
//
//   mlp.mlir:14:119: error: axis `x` shards two dimensions of `%arg1` [duplicate-axis]
//     14 | ...: tensor<64x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"x"}]>}, %arg2: tensor<8xf32>...
//        |                                                                       ^~~
//   mlp.mlir:14:112: note: first used for dimension 0 here
//   help: drop one, or use sub-axes `"x":(1)2` and `"x":(2)2`
//
// Invariant: whatever bytes the input holds, the output is printable UTF-8 without control characters, the caret stands
// under its character, and the work for one excerpt depends on the width, not on the length of the line (which may be
// 100 MB). Cells: a character is one cell, a wide one two, a combining one none; a tab is printed as one blank.
#include "source/render.h"

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "source/utf8.h"

namespace sw {

namespace {

constexpr std::string_view kEllipsis = "...";
constexpr size_t kMaxMessageBytes = 2000;

struct Cell {
  std::string_view shown;  // what to print for the character
  uint8_t width = 1;
  uint32_t bytes = 1;  // how many bytes of the line it takes
};

constexpr std::string_view kReplacement = "\xef\xbf\xbd";  // U+FFFD
// U+2400 + c: the pictures of the control characters, and of DEL.
constexpr char kPictures[33][4] = {
    "\xe2\x90\x80", "\xe2\x90\x81", "\xe2\x90\x82", "\xe2\x90\x83", "\xe2\x90\x84", "\xe2\x90\x85", "\xe2\x90\x86",
    "\xe2\x90\x87", "\xe2\x90\x88", "\xe2\x90\x89", "\xe2\x90\x8a", "\xe2\x90\x8b", "\xe2\x90\x8c", "\xe2\x90\x8d",
    "\xe2\x90\x8e", "\xe2\x90\x8f", "\xe2\x90\x90", "\xe2\x90\x91", "\xe2\x90\x92", "\xe2\x90\x93", "\xe2\x90\x94",
    "\xe2\x90\x95", "\xe2\x90\x96", "\xe2\x90\x97", "\xe2\x90\x98", "\xe2\x90\x99", "\xe2\x90\x9a", "\xe2\x90\x9b",
    "\xe2\x90\x9c", "\xe2\x90\x9d", "\xe2\x90\x9e", "\xe2\x90\x9f", "\xe2\x90\xa1"};

struct CodeRange {
  uint32_t first, last;
};
constexpr CodeRange kWide[] = {{0x1100, 0x115f},   {0x2e80, 0x303e},   {0x3041, 0xa4cf},   {0xac00, 0xd7a3},
                               {0xf900, 0xfaff},   {0xfe30, 0xfe6f},   {0xff00, 0xff60},   {0xffe0, 0xffe6},
                               {0x1f300, 0x1f64f}, {0x1f680, 0x1f6ff}, {0x1f900, 0x1f9ff}, {0x20000, 0x3fffd}};
constexpr CodeRange kCombining[] = {{0x0300, 0x036f}, {0x20d0, 0x20ff}, {0xfe00, 0xfe0f}};
// Characters that would move or hide text: C1 controls, zero-width and bidirectional marks.
constexpr CodeRange kTreacherous[] = {{0x80, 0x9f},     {0x200b, 0x200f}, {0x2028, 0x202e},
                                      {0x2060, 0x206f}, {0xfeff, 0xfeff}, {0xfff9, 0xfffb}};

template <size_t N>
bool in_ranges(const CodeRange (&ranges)[N], uint32_t code) {
  return std::any_of(std::begin(ranges), std::end(ranges),
                     [&](const CodeRange& r) { return code >= r.first && code <= r.last; });
}

// The character at `at`; a byte that is not UTF-8 is one cell of its own.
Cell cell_at(std::string_view line, size_t at) {
  const auto lead = static_cast<unsigned char>(line[at]);
  if (lead == '\t') return {" ", 1, 1};
  if (lead < 0x20) return {kPictures[lead], 1, 1};
  if (lead == 0x7f) return {kPictures[32], 1, 1};
  uint32_t code = 0;
  const uint32_t length = utf8_length(line, at, &code);
  if (length == 0) return {kReplacement, 1, 1};
  if (in_ranges(kTreacherous, code)) return {kReplacement, 1, length};
  const uint8_t width = in_ranges(kCombining, code) ? 0 : in_ranges(kWide, code) ? 2 : 1;
  return {line.substr(at, length), width, length};
}

// The start of the character before `at`.
size_t previous(std::string_view line, size_t at) {
  size_t begin = at - 1;
  while (begin > 0 && at - begin < 4 && (static_cast<unsigned char>(line[begin]) & 0xc0U) == 0x80U) --begin;
  return begin + cell_at(line, begin).bytes == at ? begin : at - 1;
}

size_t cells_between(std::string_view line, size_t begin, size_t end, size_t limit) {
  size_t cells = 0;
  while (begin < end && cells <= limit) {
    const Cell cell = cell_at(line, begin);
    cells += cell.width;
    begin += cell.bytes;
  }
  return cells;
}

struct Window {
  size_t begin = 0, end = 0;  // bytes of the line that are shown
  bool cut_left = false, cut_right = false;
};

// The part of the line that fits into `width` cells and holds the caret at byte `caret`, about in its middle when the
// line is cut on both sides.
Window window_round(std::string_view line, size_t caret, size_t width) {
  if (line.size() <= 4 * width && cells_between(line, 0, line.size(), width) <= width)
    return {0, line.size(), false, false};
  const size_t room = width > 2 * kEllipsis.size() + 8 ? width - 2 * kEllipsis.size() : 8;
  Window window{caret, caret, false, false};
  size_t used = 0;
  // Left up to half; then right as far as it goes; then left again with what is free.
  const auto grow_left = [&](size_t limit) {
    while (window.begin > 0) {
      const size_t before = previous(line, window.begin);
      const size_t cells = cell_at(line, before).width;
      if (used + cells > limit) break;
      used += cells;
      window.begin = before;
    }
  };
  grow_left(room / 2);
  while (window.end < line.size()) {
    const Cell cell = cell_at(line, window.end);
    if (used + cell.width > room) break;
    used += cell.width;
    window.end += cell.bytes;
  }
  grow_left(room);
  window.cut_left = window.begin > 0;
  window.cut_right = window.end < line.size();
  return window;
}

std::string printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (size_t at = 0; at < text.size();) {
    const Cell cell = cell_at(text, at);
    out += cell.shown;
    at += cell.bytes;
    if (out.size() > kMaxMessageBytes && at < text.size()) return out + std::string(kEllipsis);
  }
  return out;
}

class Renderer {
 public:
  Renderer(const SourceManager& sources, const RenderOptions& options) : sources_(sources), options_(options) {}

  void diagnostic(const Diagnostic& d) {
    const bool error = d.severity == Severity::error;
    header(d.where,
           error                             ? "error"
           : d.severity == Severity::warning ? "warning"
                                             : "note",
           error ? "31" : "35", d.message);
    out_ += " [" + std::string(diagnostic_name(d.kind)) + "]\n";
    excerpt(d.where, error ? "31" : "35");
    for (const DiagnosticNote& note : d.notes) {
      header(note.where, "note", "36", note.message);
      out_ += '\n';
      if (!same_line(note.where, d.where)) excerpt(note.where, "36");
    }
    for (const std::string& help : d.helps) {
      paint("help:", "32");
      out_ += ' ' + printable(help) + '\n';
    }
  }
  void line(const std::string& text) { out_ += text + '\n'; }
  std::string take() { return std::move(out_); }

 private:
  void paint(std::string_view text, const char* code) {
    if (options_.color) out_ += std::string("\x1b[1;") + code + 'm';
    out_ += text;
    if (options_.color) out_ += "\x1b[0m";
  }

  void header(SourceRange where, std::string_view severity, const char* code, const std::string& message) {
    if (where.valid()) {
      const LineColumn at = sources_.line_column(where.file, where.begin);
      out_ +=
          printable(sources_.name(where.file)) + ':' + std::to_string(at.line) + ':' + std::to_string(at.column) + ": ";
    }
    paint(std::string(severity) + ':', code);
    out_ += ' ' + printable(message);
  }

  bool same_line(SourceRange a, SourceRange b) const {
    return !a.valid() || (b.valid() && a.file == b.file && sources_.line(a) == sources_.line(b));
  }

  void excerpt(SourceRange where, const char* code) {
    if (!where.valid()) return;
    const uint32_t number = sources_.line(where);
    uint32_t line_begin = 0;
    const std::string_view line = sources_.line_text(where.file, number, &line_begin);
    const size_t caret = std::min<size_t>(where.begin - line_begin, line.size());
    const size_t caret_end = std::min<size_t>(std::max(where.end, where.begin) - line_begin, line.size());
    const std::string digits = std::to_string(number);
    const size_t gutter = digits.size() + 5;  // "  14 | "
    const Window window = window_round(line, caret, options_.width > gutter + 20 ? options_.width - gutter : 20);

    out_ += "  " + digits + " | ";
    size_t indent = 0;
    if (window.cut_left) {
      out_ += kEllipsis;
      indent = kEllipsis.size();
    }
    for (size_t at = window.begin; at < window.end;) {
      const Cell cell = cell_at(line, at);
      out_ += cell.shown;
      at += cell.bytes;
    }
    if (window.cut_right) out_ += kEllipsis;
    indent += cells_between(line, window.begin, caret, options_.width * 2);
    const size_t length = cells_between(line, caret, std::min(caret_end, window.end), options_.width * 2);
    out_ += '\n' + std::string(digits.size() + 2, ' ') + " | " + std::string(indent, ' ');
    paint('^' + std::string(length > 1 ? length - 1 : 0, '~'), code);
    out_ += '\n';
  }

  const SourceManager& sources_;
  const RenderOptions& options_;
  std::string out_;
};

std::string counted(size_t count, std::string_view what) {
  return std::to_string(count) + " more " + std::string(what) + (count == 1 ? "" : "s");
}

}  // namespace

std::string render(const Diagnostics& diagnostics, const SourceManager& sources, const RenderOptions& options) {
  Renderer renderer(sources, options);
  // Errors and warnings have their own allowance, so that many warnings do not hide the error.
  size_t errors = 0, warnings = 0;
  for (const Diagnostic* d : diagnostics.sorted()) {
    size_t& count = d->severity == Severity::error ? errors : warnings;
    if (count++ < options.max_errors) renderer.diagnostic(*d);
  }
  const size_t more_errors = errors - std::min(errors, options.max_errors);
  const size_t more_warnings = warnings - std::min(warnings, options.max_errors);
  std::string rest = more_errors > 0 ? counted(more_errors, "error") : "";
  if (more_warnings > 0) rest += (rest.empty() ? "" : " and ") + counted(more_warnings, "warning");
  if (!rest.empty()) renderer.line(rest + " not shown");
  return renderer.take();
}

}  // namespace sw
