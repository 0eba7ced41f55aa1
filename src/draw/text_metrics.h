// How wide text is, from a table, so that pictures are the same bytes on every machine whatever fonts it has.
//
// The table is that of DejaVu Sans, one of the widest common faces: with any other the text is a little narrower than
// the room made for it, so nothing overlaps or is cut. Monospaced faces are 0.6 of their size, or less, all alike.
// Letters that the table does not have count as wide ones.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace sw {

enum class Face : uint8_t { sans, bold, mono };

struct Font {
  Face face = Face::sans;
  double size = 12;  // of the em, in pixels
};

double pixel_width(std::string_view text, const Font& font);
// Cut to `width`, the last letter then "…".
std::string fit_pixels(std::string_view text, const Font& font, double width);

}  // namespace sw
