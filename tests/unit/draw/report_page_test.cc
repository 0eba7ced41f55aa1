// draw/report_page.h: the page as embedded is whole, closed to the network, and coloured like the other pictures.
#include "draw/report_page.h"

#include <string>

#include "draw/palette.h"
#include "support/catch.h"

TEST_CASE("the page has its parts, and its policy names their hashes") {
  const std::string head(sw::report_page_head()), tail(sw::report_page_tail());
  CHECK(head.starts_with("<!doctype html>"));
  CHECK(head.ends_with("<script type=\"application/json\" id=\"data\">"));
  CHECK(tail.ends_with("</html>\n"));
  CHECK(head.find("default-src 'none'") != std::string::npos);
  CHECK(head.find("script-src 'sha256-") != std::string::npos);
  CHECK(head.find("style-src 'sha256-") != std::string::npos);
  CHECK((head + tail).find("http:") == (head + tail).find("http://www.w3.org/2000/svg"));
  CHECK((head + tail).find("https:") == std::string::npos);
}

TEST_CASE("axes have the colours that pictures give them") {
  const std::string head(sw::report_page_head());
  for (size_t axis = 0; axis < sw::kAxisColours; ++axis) {
    const std::string name = "--c" + std::to_string(axis) + ": ";
    CHECK(head.find(name + sw::axis_colour(axis).light + ";") != std::string::npos);
    CHECK(head.find(name + sw::axis_colour(axis).dark + ";") != std::string::npos);
  }
}
