// See the header. Colours that carry meaning have a contrast of 3:1 at least against their ground, text of 4.5:1.
#include "draw/palette.h"

#include <array>

namespace sw {

namespace {

// Okabe and Ito's colours; the light ones darkened a little on a light ground, the dark ones lightened on a dark one.
constexpr std::array<AxisColour, kAxisColours> kAxes = {{
    {"#0072b2", "#3d9bd9", "#d6e8f3"},  // blue
    {"#d98300", "#e69f00", "#fbead0"},  // orange
    {"#009e73", "#1fbf92", "#d3efe6"},  // green
    {"#b8608f", "#cc79a7", "#f4e1ec"},  // purple
    {"#2f9bd6", "#56b4e9", "#dff1fb"},  // sky
    {"#c24a00", "#e8692a", "#f8ddcd"},  // vermilion
    {"#a59700", "#f0e442", "#f7f3c8"},  // yellow
}};
constexpr AxisColour kWhole = {"#c3c9d0", "#525a66", "#f3f5f7"};
constexpr AxisColour kOther = {"#6b7280", "#9aa3af", "#e5e7eb"};

}  // namespace

const AxisColour& axis_colour(size_t axis) { return kAxes[axis % kAxisColours]; }
const AxisColour& other_colour() { return kOther; }
std::string axis_class(size_t axis) { return "a" + std::to_string(axis % kAxisColours); }

std::string picture_style() {
  std::string style =
      "text{font-family:Inter,'Helvetica Neue',Helvetica,Arial,'DejaVu Sans',sans-serif;font-size:11px;fill:#1f2933}\n"
      ".big{font-size:17px;font-weight:bold}\n"
      ".name{font-size:12px;font-weight:bold}\n"
      ".head{font-size:12px;font-weight:bold;fill:#3e4c59}\n"
      ".mono{font-family:Menlo,Consolas,'Liberation Mono','DejaVu Sans Mono',monospace;font-size:10.5px}\n"
      ".soft{fill:#5b6875}\n"
      ".small{font-size:10px;fill:#5b6875}\n"
      ".pill-text{font-size:10.5px;fill:#ffffff}\n"
      ".ground{fill:#ffffff}\n"
      ".card{fill:#ffffff;stroke:#9aa5b1}\n"
      ".back{fill:#f3f5f7;stroke:#9aa5b1}\n"
      ".cluster{fill:#52606d;fill-opacity:.06;stroke:#9aa5b1;stroke-opacity:.7}\n"
      ".loop{stroke-dasharray:6 3}\n"
      ".edge{fill:none;stroke:#7b8794}\n"
      ".tip{fill:#7b8794}\n"
      ".pill{fill:#3e4c59}\n"
      ".one-side{fill:#ffffff;stroke:#3e4c59;stroke-width:1.5;stroke-dasharray:4 2}\n"
      ".one-side-text{font-size:10.5px}\n"
      ".differs{stroke:#c24a00;stroke-width:2.5}\n"
      ".tint{fill-opacity:.22}\n"
      ".hatch{fill:none;stroke:#9aa5b1}\n"
      ".halo{paint-order:stroke;stroke:#ffffff;stroke-width:3px;stroke-linejoin:round}\n"
      ".flow{fill:none;stroke:#1f2933;stroke-width:2.4}\n"
      ".flow-tip{fill:#1f2933}\n"
      ".pulse{fill:none;stroke:#1f2933;stroke-width:2.4}\n"
      ".refused{font-size:10.5px;fill:#b03a00}\n"
      ".pattern{fill:none;stroke:#ffffff;stroke-width:1.6}\n";
  std::string dark =
      "text{fill:#e6eaef}.head{fill:#cbd2d9}.soft,.small{fill:#a3aeba}.ground{fill:#14181d}.card{fill:#1f252c;"
      "stroke:#6b7783}.back{fill:#2a313a;stroke:#6b7783}.cluster{fill:#cbd2d9;fill-opacity:.05;stroke:#6b7783}"
      ".edge{stroke:#8a96a3}.tip{fill:#8a96a3}.pill{fill:#d3dae1}.pill-text{fill:#14181d}.one-side{fill:#14181d;stroke:"
      "#d3dae1}"
      ".differs{stroke:#f08a4b}.flow,.pulse{stroke:#f2f5f8}.flow-tip{fill:#f2f5f8}.refused{fill:#f5a06e}.hatch{stroke:#"
      "6b7783}.halo{stroke:#1f252c}.pattern{stroke:#14181d}"
      "\n";
  for (size_t i = 0; i < kAxisColours; ++i) {
    style += ".a" + std::to_string(i) + "{fill:" + kAxes[i].light + "}\n";
    dark += ".a" + std::to_string(i) + "{fill:" + kAxes[i].dark + '}';
  }
  style += std::string(".aw{fill:") + kWhole.light + "}\n.ao{fill:" + kOther.light + "}\n";
  dark += std::string(".aw{fill:") + kWhole.dark + "}.ao{fill:" + kOther.dark + '}';
  return style + "@media (prefers-color-scheme:dark){\n" + dark + "\n}\n";
}

std::string picture_markers() {
  return "<marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" "
         "orient=\"auto\"><path class=\"tip\" d=\"M0 0.5L8 4L0 7.5z\"/></marker>\n"
         "<marker id=\"flow-tip\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"9\" markerHeight=\"9\" "
         "markerUnits=\"userSpaceOnUse\" orient=\"auto\"><path class=\"flow-tip\" d=\"M0 0.5L8 4L0 7.5z\"/></marker>\n"
         "<pattern id=\"padding\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\"><path class=\"hatch\" "
         "d=\"M-1 5L5 -1M-1 8L8 -1M2 8L8 2\"/></pattern>\n";
}

std::string picture_patterns() {
  // No lines, falling, rising, level, upright, dots, crossed.
  constexpr std::array<const char*, kAxisColours> kLines = {
      "",
      "M-1 5L5 11M-1 -3L11 9M3 -7L15 5",
      "M-1 3L5 -3M-1 11L11 -1M3 15L15 3",
      "M0 4H8",
      "M4 0V8",
      "M3 4H5",
      "M0 4H8M4 0V8",
  };
  std::string text;
  for (size_t i = 0; i < kAxisColours; ++i)
    text += "<pattern id=\"p" + std::to_string(i) +
            "\" width=\"8\" height=\"8\" patternUnits=\"userSpaceOnUse\"><path class=\"pattern\" d=\"" +
            (kLines[i][0] == 0 ? "M0 0" : kLines[i]) + "\"/></pattern>\n";
  return text;
}

}  // namespace sw
