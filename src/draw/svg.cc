// See the header.
#include "draw/svg.h"

#include <cmath>

#include "source/utf8.h"

namespace sw {

namespace {

constexpr std::string_view kReplacement = "\xef\xbf\xbd";

// Controls, also of the second set; what turns the direction of text around; what XML has no place for.
bool is_unwanted(uint32_t code) {
  return code < 0x20 || (code >= 0x7f && code < 0xa0) || (code >= 0x202a && code <= 0x202e) ||
         (code >= 0x2066 && code <= 0x2069) || code == 0xfffe || code == 0xffff;
}

}  // namespace

std::string xml_text(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (size_t at = 0; at < text.size();) {
    uint32_t code = 0;
    const uint32_t length = utf8_length(text, at, &code);
    if (length == 0 || is_unwanted(code)) {
      out += kReplacement;
      at += length == 0 ? 1 : length;
      continue;
    }
    switch (text[at]) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\'': out += "&#39;"; break;
      default: out += text.substr(at, length);
    }
    at += length;
  }
  return out;
}

std::string svg_number(double value) {
  const auto tenths = static_cast<int64_t>(std::llround(value * 10));
  const int64_t whole = tenths / 10, tenth = std::abs(tenths % 10);
  std::string text = tenths < 0 && whole == 0 ? "-0" : std::to_string(whole);
  if (tenth != 0) text += '.' + std::to_string(tenth);
  return text;
}

SvgWriter& SvgWriter::open(std::string_view element,
                           std::initializer_list<std::pair<std::string_view, std::string>> attributes) {
  out_ += '<';
  out_ += element;
  for (const auto& [name, value] : attributes) {
    if (value.empty()) continue;
    out_ += ' ';
    out_ += name;
    out_ += "=\"" + xml_text(value) + '"';
  }
  out_ += ">\n";
  return *this;
}

SvgWriter& SvgWriter::leaf(std::string_view element,
                           std::initializer_list<std::pair<std::string_view, std::string>> attributes) {
  open(element, attributes);
  out_.resize(out_.size() - 2);
  out_ += "/>\n";
  return *this;
}

SvgWriter& SvgWriter::rect(const std::string& style, double x, double y, double width, double height, double radius,
                           const std::string& fill) {
  return leaf("rect", {{"class", style},
                       {"x", svg_number(x)},
                       {"y", svg_number(y)},
                       {"width", svg_number(width)},
                       {"height", svg_number(height)},
                       {"rx", radius == 0 ? "" : svg_number(radius)},
                       {"fill", fill}});
}

SvgWriter& SvgWriter::close(std::string_view element) {
  out_ += "</";
  out_ += element;
  out_ += ">\n";
  return *this;
}

SvgWriter& SvgWriter::text(double x, double baseline, std::string_view style, std::string_view content,
                           std::string_view anchor) {
  if (content.empty()) return *this;
  open("text", {{"x", svg_number(x)},
                {"y", svg_number(baseline)},
                {"class", std::string(style)},
                {"text-anchor", std::string(anchor)}});
  out_.pop_back();
  out_ += xml_text(content) + "</text>\n";
  return *this;
}

SvgWriter& SvgWriter::title(std::string_view content) {
  out_ += "<title>" + xml_text(content) + "</title>\n";
  return *this;
}

std::string SvgWriter::document(double width, double height, std::string_view title, std::string_view description,
                                std::string_view style, std::string_view definitions) const {
  const std::string w = svg_number(std::ceil(width)), h = svg_number(std::ceil(height));
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  text += "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + w + "\" height=\"" + h + "\" viewBox=\"0 0 " + w +
          ' ' + h + "\" role=\"img\" aria-labelledby=\"picture-title picture-description\">\n";
  text += "<title id=\"picture-title\">" + xml_text(title) + "</title>\n";
  text += "<desc id=\"picture-description\">" + xml_text(description) + "</desc>\n";
  text += "<style>\n";
  text += style;
  text += "</style>\n<defs>\n";
  text += definitions;
  text += "</defs>\n<rect class=\"ground\" width=\"" + w + "\" height=\"" + h + "\"/>\n";
  text += out_;
  return text + "</svg>\n";
}

}  // namespace sw
