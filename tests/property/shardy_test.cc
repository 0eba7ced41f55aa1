// Shardy on generated programs: what must hold whatever the program is. Programs are text, from a seeded generator,
// with random open and closed shardings on arguments and constraints inside.
#include <algorithm>
#include <map>

#include "support/recipe.h"
#include "support/shardy_plan.h"

namespace {

using sw::test::Planned;

using sw::test::Axis;
using sw::test::Recipe;
const std::vector<Axis>& kMesh = sw::test::kRecipeMesh;
constexpr unsigned kPrograms = 300;

std::map<std::string, std::string> answers(const Recipe& recipe, const Planned& plan) {
  std::map<std::string, std::string> out;
  for (const std::string& name : recipe.names()) out[name] = plan.of(name);
  return out;
}

TEST_CASE("shardy property: planning twice gives the same plan and the same trace") {
  for (unsigned seed = 0; seed < kPrograms; ++seed) {
    const Recipe recipe(seed);
    const std::string text = recipe.text(kMesh, {}, {});
    const Planned one(text), two(text);
    INFO(text);
    CHECK(answers(recipe, one) == answers(recipe, two));
    CHECK(one.plan().trace.steps.size() == two.plan().trace.steps.size());
  }
}

TEST_CASE("shardy property: what is closed stays, what is open only grows") {
  for (unsigned seed = 0; seed < kPrograms; ++seed) {
    const Recipe recipe(seed);
    const Planned plan(recipe.text(kMesh, {}, {}));
    INFO(recipe.text(kMesh, {}, {}));
    for (size_t i = 0; i < recipe.arg_count(); ++i) {
      std::string given = recipe.given(i);
      if (given.empty()) continue;
      // Dimension by dimension: the text up to `, ?}` or `}` must be the beginning of the answer's dimension.
      const std::string got = plan.of(recipe.names()[i]) == "-" ? "[{}, {}]" : plan.of(recipe.names()[i]);
      for (size_t d = 0, g = 0, a = 0; d < 2; ++d) {
        const size_t given_end = given.find('}', g), got_end = got.find('}', a);
        std::string want = given.substr(given.find('{', g), given_end - given.find('{', g));
        const std::string has = got.substr(got.find('{', a), got_end - got.find('{', a));
        const bool open = want.back() == '?';
        if (open) want = want.size() == 2 ? "{" : want.substr(0, want.size() - 3);
        CHECK((open ? has.substr(0, want.size()) == want : has == want));
        g = given_end + 1;
        a = got_end + 1;
      }
    }
  }
}

// The answer with every dimension open, except those that were closed from the start.
std::string opened(const std::string& dims, const std::string& given) {
  std::string out;
  size_t at = 0;
  for (const char c : dims) {
    if (c == '}') {
      const size_t end = given.empty() ? std::string::npos : given.find('}', at);
      const bool open = given.empty() || given[end - 1] == '?';
      if (open) out += out.back() == '{' ? "?" : ", ?";
      at = end + 1;
    }
    out += c;
  }
  return out;
}

// Without constraints: they act once before propagation and would act again on the answer.
TEST_CASE("shardy property: propagating the answer again changes nothing") {
  for (unsigned seed = 0; seed < kPrograms; ++seed) {
    const Recipe recipe(seed, /*constraints=*/false);
    const std::map<std::string, std::string> all = answers(recipe, Planned(recipe.text(kMesh, {}, {})));
    std::map<std::string, std::string> annotations;
    for (size_t i = 0; i < recipe.names().size(); ++i) {
      const std::string name = recipe.names()[i];
      const std::string given = i < recipe.arg_count() ? recipe.given(i) : "";
      const std::string dims = all.at(name) == "-" ? "[{}, {}]" : all.at(name);
      annotations[name] = opened(dims, given);
    }
    const std::string text = recipe.text(kMesh, {}, annotations);
    INFO(recipe.text(kMesh, {}, {}) << "\nthen\n" << text);
    CHECK(answers(recipe, Planned(text)) == all);
  }
}

TEST_CASE("shardy property: names and the order of mesh axes do not matter") {
  const std::map<std::string, std::string> rename = {{"a", "z"}, {"b", "model"}, {"c", "0"}};
  std::vector<Axis> turned = kMesh;
  std::reverse(turned.begin(), turned.end());
  for (unsigned seed = 0; seed < kPrograms; ++seed) {
    const Recipe recipe(seed);
    const std::map<std::string, std::string> plain = answers(recipe, Planned(recipe.text(kMesh, {}, {})));
    INFO(recipe.text(kMesh, {}, {}));
    CHECK(answers(recipe, Planned(recipe.text(turned, {}, {}))) == plain);
    std::map<std::string, std::string> other = answers(recipe, Planned(recipe.text(kMesh, rename, {})));
    for (auto& [name, dims] : other)
      for (const auto& [from, to] : rename)
        for (size_t at = 0; (at = dims.find("\"" + to + "\"", at)) != std::string::npos; at += from.size() + 2)
          dims.replace(at, to.size() + 2, "\"" + from + "\"");
    CHECK(other == plain);
  }
}

}  // namespace
