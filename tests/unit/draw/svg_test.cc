// draw/svg.h and draw/text_metrics.h: texts of strangers in pictures.
#include "draw/svg.h"

#include "draw/text_metrics.h"
#include "support/catch.h"

TEST_CASE("text never becomes markup, and is always XML") {
  CHECK(sw::xml_text("<b>&\"'</b>") == "&lt;b&gt;&amp;&quot;&#39;&lt;/b&gt;");
  CHECK(sw::xml_text("имя 名前") == "имя 名前");
  CHECK(sw::xml_text(std::string("a\0b\x1b\n", 5)) == "a�b��");
  CHECK(sw::xml_text("a\xff\xc3") == "a��");  // not UTF-8
  CHECK(sw::xml_text("\xe2\x80\xae"
                     "exe.\xe2\x81\xa6") == "�exe.�");  // text turned around
  CHECK(sw::xml_text("\xef\xbf\xbe\xc2\x85") == "��");  // not allowed in XML; a control
}

TEST_CASE("attributes are escaped as texts are") {
  sw::SvgWriter out;
  out.leaf("rect", {{"class", "a\" onload=\"x"}, {"rx", ""}});
  CHECK(out.body() == "<rect class=\"a&quot; onload=&quot;x\"/>\n");
}

TEST_CASE("numbers have one decimal at most") {
  CHECK(sw::svg_number(12) == "12");
  CHECK(sw::svg_number(12.25) == "12.3");
  CHECK(sw::svg_number(-0.3) == "-0.3");
  CHECK(sw::svg_number(-0.01) == "0");
  CHECK(sw::svg_number(-7.04) == "-7");
}

TEST_CASE("long texts are cut to the room there is") {
  const sw::Font font{sw::Face::sans, 12};
  const std::string text(10000, 'x');
  const std::string cut = sw::fit_pixels(text, font, 100);
  CHECK(cut.size() < 20);
  CHECK(cut.ends_with("…"));
  CHECK(sw::pixel_width(cut, font) <= 100);
  CHECK(sw::fit_pixels("short", font, 100) == "short");
  CHECK(sw::pixel_width("名", font) > sw::pixel_width("n", font));
  CHECK(sw::pixel_width("ab", {sw::Face::mono, 10}) == Approx(12.04));
}
