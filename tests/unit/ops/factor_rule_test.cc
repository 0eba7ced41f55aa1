// The text form of factor rules, both ways, and the builder.
#include "ops/factor_rule.h"

#include "support/catch.h"

using namespace sw;

namespace {

std::string round_trip(std::string_view text) {
  FactorRule rule;
  FactorRuleError error;
  if (!parse_factor_rule(text, rule, error)) return error.message;
  return factor_rule_text(rule);
}

// The part of the text that the error is about, and the message.
std::string fault(std::string_view text) {
  FactorRule rule;
  FactorRuleError error;
  if (parse_factor_rule(text, rule, error)) return "no error";
  return "`" + std::string(text.substr(error.begin, error.end - error.begin)) + "` " + error.message;
}

}  // namespace

TEST_CASE("factors are named i to z, then by number", "[factor_rule]") {
  CHECK(factor_symbol(0) == "i");
  CHECK(factor_symbol(17) == "z");
  CHECK(factor_symbol(18) == "z_1");
  CHECK(factor_symbol(117) == "z_100");
}

TEST_CASE("rules read and print the same", "[factor_rule]") {
  for (const char* text : {
           "<([i, k], [k, j])->([i, j]) {i=64, j=128, k=32} reduction={k}>",
           "<([], [])->([])>",
           "<([])->([]), custom>",
           "<([ij, l])->([i, jl]) {i=2, j=4, k=3, l=5} need_replication={k}, custom>",
           "<([i, j, k, l])->([i, k, l]) {i=2, j=3, k=5, l=7} reduction={j} need_replication={i, l} permutation={k} "
           "blocked_propagation={l}>",
           "<([i])->([i]) {i=8589934592}>",
       }) {
    if (std::string_view(text).find("k=3, l=5} need") != std::string_view::npos)
      CHECK(fault(text) == "`" + std::string(text) + "` factor `k` stands in no tensor");
    else
      CHECK(round_trip(text) == text);
  }
  std::string many = "<([", sizes = " {";
  for (FactorIndex f = 0; f < 30; ++f) {
    many += (f > 0 ? ", " : "") + factor_symbol(f);
    sizes += (f > 0 ? ", " : "") + factor_symbol(f) + "=2";
  }
  many += "])->([";
  for (FactorIndex f = 0; f < 30; ++f) many += factor_symbol(f);
  many += "])" + sizes + "}>";
  CHECK(round_trip(many) == many);
  CHECK(round_trip("< ( [ i ,j] ) -> ( [ ij ] ) { i = 2 , j = 4 } >") == "<([i, j])->([ij]) {i=2, j=4}>");
}

TEST_CASE("a faulty rule is refused where the fault is", "[factor_rule]") {
  CHECK(fault("([i])->([i]) {i=2}>") == "`(` expected `<`, found `(`");
  CHECK(fault("<([i, a])->([i]) {i=2}>") == "`a` expected a factor, `i` to `z` or `z_1`, `z_2`, ..., found `a`");
  CHECK(fault("<([i, ])->([i]) {i=2}>") == "`]` expected a factor, found `]`");
  CHECK(fault("<()->([i]) {i=2}>") == "`)` expected `[`, found `)`");
  CHECK(fault("<([i])([i]) {i=2}>") == "`(` expected `->` after the operands");
  CHECK(fault("<([z_])->([i]) {i=2}>") == "`z_` expected a number after `z_`");
  CHECK(fault("<([z_0])->([i]) {i=2}>") == "`z_0` expected a positive number without leading zeros after `z_`");
  CHECK(fault("<([z_99999999999999999999])->([i]) {i=2}>") ==
        "`z_99999999999999999999` the number of this factor is too large");
  CHECK(fault("<([i, j])->([i, j]) {i=2, k=3}>") ==
        "`k` sizes must be listed in the order of the factors: expected `j`, found `k`");
  CHECK(fault("<([i])->([i]) {i=99999999999999999999}>") ==
        "`99999999999999999999` this size does not fit into 64 bits");
  CHECK(fault("<([i])->([i]) {i=}>") == "`}` expected the size of the factor, found `}`");
  CHECK(
      fault("<([i])->([i]) {i=2} reduce={i}>") ==
      "`reduce` expected `reduction`, `need_replication`, `permutation` and `blocked_propagation` in this order, each "
      "at most once, found `reduce`");
  CHECK(fault("<([i])->([i]) {i=2} permutation={i} reduction={i}>").substr(0, 11) == "`reduction`");
  CHECK(fault("<([i, j])->([i, j]) {i=2, j=3} permutation={j, i}>") ==
        "`i` factors must be listed in order, each once");
  CHECK(fault("<([i])->([i]) {i=2} permutation={j}>") == "`j` factor `j` has no size");
  CHECK(fault("<([i])->([i]) {i=2} need_replication={i} permutation={i}>").find("is given two kinds") !=
        std::string::npos);
  CHECK(fault("<([i])->([i]) {i=2} reduction={i}>").find("reduction factor `i` stands in a result") !=
        std::string::npos);
  CHECK(fault("<([i, i])->([i]) {i=2}>").find("factor `i` stands twice in one tensor") != std::string::npos);
  CHECK(fault("<([ij])->([i]) {i=2, j=1}>").find("factor `j` of size 1 stands beside others") != std::string::npos);
  CHECK(fault("<([i])->([j]) {i=2}>").find("factor `j` has no size") != std::string::npos);
  CHECK(fault("<([i])->([i]) {i=2}, user>") == "`user` expected `custom`");
  CHECK(fault("<([i])->([i]) {i=2}> x") == "`x` expected nothing after the rule, found `x`");
  CHECK(fault("<([i") == "`` expected `]`, found the end");
  CHECK(fault("") == "`` expected `<`, found the end");
}

TEST_CASE("the builder lays factors out by tensor and fills what is left", "[factor_rule]") {
  FactorRule rule;
  FactorRuleBuilder builder(rule);
  builder.operand(2);
  builder.operand(0);
  builder.result(3);
  builder.factor({1}, {2}, 5, FactorKind::permutation, true);
  builder.factor({1}, {0}, 4);
  builder.factor({1}, {1}, 1);  // of size 1: not beside others in the operand's dimension 1
  REQUIRE(builder.finish());
  CHECK(factor_rule_text(rule) ==
        "<([l, ij], [])->([j, k, i]) {i=5, j=4, k=1, l=1} permutation={i} blocked_propagation={i}>");

  // Its memory is used again; nothing of the last rule stays.
  FactorRuleBuilder again(rule);
  again.operand(1);
  again.result(1);
  again.on_all(0, 7);
  REQUIRE(again.finish());
  CHECK(factor_rule_text(rule) == "<([i])->([i]) {i=7}>");
}

TEST_CASE("a rule with too many factors is given up", "[factor_rule]") {
  FactorRule rule;
  FactorRuleBuilder builder(rule);
  builder.operand(kMaxFactors + 1);
  builder.result(1);
  CHECK_FALSE(builder.finish());
}
