// Writing SVG: escaped text, numbers that are the same on every machine, a document with a title and a description.
//
// Texts of the input never become markup: `&`, `<`, `>` and quotes are escaped, characters that XML does not allow and
// controls that turn text around become "�".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "draw/text_metrics.h"

namespace sw {

std::string xml_text(std::string_view text);
// At most one decimal, no negative zero: "12", "12.5".
std::string svg_number(double value);

class SvgWriter {
 public:
  // `text` is put into the element as is; attributes are joined from pairs of a name and a value, which is escaped.
  SvgWriter& open(std::string_view element, std::initializer_list<std::pair<std::string_view, std::string>> attributes);
  SvgWriter& close(std::string_view element);
  SvgWriter& leaf(std::string_view element, std::initializer_list<std::pair<std::string_view, std::string>> attributes);
  // `radius` and `fill` only where they are given.
  SvgWriter& rect(const std::string& style, double x, double y, double width, double height, double radius = 0,
                  const std::string& fill = "");
  // A text in one of the classes of the style sheet, beginning (or, with `anchor`, "middle" or "end" at) (x, baseline).
  SvgWriter& text(double x, double baseline, std::string_view style, std::string_view content,
                  std::string_view anchor = {});
  // What assistive technology and tooltips say of the group around it.
  SvgWriter& title(std::string_view content);

  // The document around what has been written; `title` and `description` name the picture.
  std::string document(double width, double height, std::string_view title, std::string_view description,
                       std::string_view style, std::string_view definitions) const;
  const std::string& body() const { return out_; }

 private:
  std::string out_;
};

}  // namespace sw
