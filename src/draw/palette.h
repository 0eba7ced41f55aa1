// The colours of pictures, light and dark. Every axis of a mesh has a colour of the palette by Okabe and Ito, which
// people with any kind of colour vision tell apart, and a pattern beside it; what is whole on every device has neither.
#pragma once

#include <cstddef>
#include <string>

namespace sw {

constexpr size_t kAxisColours = 7;

struct AxisColour {
  const char* light;  // on a light ground
  const char* dark;   // on a dark one
  const char* tint;   // a ground to write on, light
};
// Axes beyond the last colour begin again, with the next pattern.
const AxisColour& axis_colour(size_t axis);
const AxisColour& other_colour();  // tiles that follow no axis
// Its class in the style sheet.
std::string axis_class(size_t axis);

// The style sheet of our SVG pictures: classes for grounds, lines and text, both colour schemes, the colours `.a0` to
// `.a6` of the axes (fill), `.aw` whole and `.ao` other.
std::string picture_style();
// The heads of arrows, `tip` and `flow-tip`, and the hatching of padding, `padding`.
std::string picture_markers();
// The patterns `p0` to `p6`, as the contents of <defs>: drawn over a colour, in the colour of the ground.
std::string picture_patterns();

}  // namespace sw
