// base/interner.h: equal text, equal id; ids stay valid while the table grows.
#include "base/interner.h"

#include <string>

#include "support/catch.h"

TEST_CASE("equal text has an equal id, also after growth") {
  sw::StringInterner strings;
  const sw::StringId a = strings.intern("params['w1']");
  std::vector<sw::StringId> ids;
  for (int i = 0; i < 5000; ++i) ids.push_back(strings.intern("%" + std::to_string(i)));
  CHECK(strings.intern("params['w1']") == a);
  CHECK(strings.text(a) == "params['w1']");
  for (int i = 0; i < 5000; ++i) CHECK(strings.find("%" + std::to_string(i)) == ids[static_cast<size_t>(i)]);
  CHECK_FALSE(strings.find("absent").valid());
  CHECK(strings.text(strings.intern("")).empty());
}
