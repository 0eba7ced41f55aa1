// See the header.
#include "draw/text_metrics.h"

#include <algorithm>
#include <array>

#include "source/utf8.h"

namespace sw {

namespace {

// Thousandths of the size, of the characters from the blank to the tilde.
constexpr std::array<uint16_t, 95> kSans = {
    318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361,  318, 337, 636, 636, 636,
    636, 636, 636, 636, 636, 636, 636, 337, 337, 838, 838, 838, 531, 1000, 684, 686, 698, 770, 632,
    575, 775, 752, 295, 295, 656, 557, 863, 748, 787, 603, 787, 695, 635,  611, 732, 684, 989, 685,
    611, 685, 390, 337, 390, 838, 500, 500, 613, 635, 550, 635, 615, 352,  635, 634, 278, 278, 579,
    278, 974, 634, 612, 635, 635, 411, 521, 392, 634, 592, 818, 592, 592,  525, 636, 337, 636, 838};
constexpr std::array<uint16_t, 95> kBold = {
    348, 456,  521, 838, 696, 1002, 872, 306, 457, 457, 523, 838, 380, 415,  380, 365, 696, 696,  696,
    696, 696,  696, 696, 696, 696,  696, 400, 400, 838, 838, 838, 580, 1000, 774, 762, 734, 830,  683,
    683, 821,  837, 372, 372, 775,  637, 995, 837, 850, 733, 850, 770, 720,  682, 812, 774, 1103, 771,
    724, 725,  457, 365, 457, 838,  500, 500, 675, 716, 593, 716, 678, 435,  716, 712, 343, 343,  665,
    343, 1042, 712, 687, 716, 716,  493, 595, 478, 712, 652, 924, 645, 652,  582, 712, 365, 712,  838};
constexpr double kMono = 602;

double letter_width(uint32_t letter, Face face) {
  const bool wide = letter >= 0x1100;  // East Asian, symbols, emoji
  if (face == Face::mono) return wide && (letter < 0x2010 || letter >= 0x2600) ? 2 * kMono : kMono;
  if (letter >= 0x20 && letter < 0x7f) return (face == Face::bold ? kBold : kSans)[letter - 0x20];
  if (letter == 0xb7) return face == Face::bold ? 380 : 318;
  if (letter == 0x2013 || letter == 0x2019) return 500;
  if (letter == 0xd7 || letter == 0x2192) return 838;
  return wide ? 1000 : face == Face::bold ? 950 : 850;
}

// Of the letter at `at`, which is moved behind it.
double next_width(std::string_view text, Face face, size_t& at) {
  uint32_t letter = 0;
  at += std::max(utf8_length(text, at, &letter), 1U);
  return letter_width(letter, face);
}

}  // namespace

double pixel_width(std::string_view text, const Font& font) {
  double sum = 0;
  for (size_t at = 0; at < text.size();) sum += next_width(text, font.face, at);
  return sum * font.size / 1000;
}

std::string fit_pixels(std::string_view text, const Font& font, double width) {
  if (pixel_width(text, font) <= width) return std::string(text);
  double room = width - pixel_width("…", font);
  size_t end = 0;
  for (size_t at = 0; at < text.size(); end = at) {
    room -= next_width(text, font.face, at) * font.size / 1000;
    if (room < 0) break;
  }
  return std::string(text.substr(0, end)) + "…";
}

}  // namespace sw
