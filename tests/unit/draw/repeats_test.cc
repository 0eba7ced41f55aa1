// draw/repeats.h: what repeats in sequences, and where long ones are cut.
#include "draw/repeats.h"

#include <string_view>

#include "support/catch.h"

namespace {

std::vector<uint64_t> letters(std::string_view text) { return {text.begin(), text.end()}; }

}  // namespace

TEST_CASE("a run that comes again and again is one repeat") {
  const auto found = sw::find_repeats(letters("axyzxyzxyzb"), 6);
  REQUIRE(found.size() == 1);
  CHECK(found[0].begin == 1);
  CHECK(found[0].period == 3);
  CHECK(found[0].times == 3);
}

TEST_CASE("the shortest period wins over its multiples, and over short repeats inside it") {
  std::string_view layer = "nqqqsdoddmu";
  std::string text = "e";
  for (int i = 0; i < 8; ++i) text += layer;
  text += "hl";
  const auto found = sw::find_repeats(letters(text), 6);
  REQUIRE(found.size() == 1);
  CHECK(found[0].period == layer.size());
  CHECK(found[0].times == 8);
}

TEST_CASE("neighbouring repeats that share an edge are both found") {
  std::string text;
  for (int i = 0; i < 10; ++i) text += "abc";
  for (int i = 0; i < 10; ++i) text += "abde";
  const auto found = sw::find_repeats(letters(text), 6);
  REQUIRE(found.size() == 2);
  CHECK(found[0].period == 3);
  CHECK(found[1].period == 4);
  CHECK(found[0].end() <= found[1].begin);
  CHECK(found[0].times + found[1].times >= 18);
}

TEST_CASE("nothing repeats twice only, or in less than was asked for") {
  CHECK(sw::find_repeats(letters("abcabc"), 3).empty());
  CHECK(sw::find_repeats(letters("ababab"), 12).empty());
  CHECK(sw::find_repeats({}, 1).empty());
}

TEST_CASE("cuts fall where little crosses, near the even ones") {
  std::vector<uint32_t> crossing(40, 5);
  crossing[22] = 1;
  CHECK(sw::cut_at_waists(crossing, 20) == std::vector<size_t>{0, 22});
  CHECK(sw::cut_at_waists(std::vector<uint32_t>(10, 5), 20) == std::vector<size_t>{0});
}
