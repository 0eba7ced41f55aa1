// Assertions of `check`: what must hold of a plan, as one line of text.
//
//   assertion  = "no" "finding" [RULE]
//              | "spec" "(" STRING ")" ("==" | "!=") SPEC
//              | sum ("<=" | "<" | ">=" | ">" | "==" | "!=") sum
//   sum        = product { ("+" | "-") product }
//   product    = factor { ("*" | "/") factor }
//   factor     = NUMBER [UNIT] | MEASURE | "-" factor | "(" sum ")"
//              | ("count" | "runs" | "bytes") "(" KIND { "," filter } ")"
//              | "memory" "(" CATEGORY ")" | "findings" "(" RULE ")"
//   filter     = "axis" "=" AXIS | "cause" "=" CAUSE | ["not"] ("in_loop" | "user")
//
// SPEC is a PartitionSpec or any other spelling of a sharding, and goes to the end. Both sides are bytes, or both plain
// numbers: `peak <= 0.9` is an error, since it means `0.9*capacity`. A plain number of at least 1024, and 0, count as
// bytes too.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "memory/profile.h"
#include "report/findings.h"
#include "report/subject.h"
#include "source/diagnostic.h"

namespace sw {

// What a target must be known for.
enum class Measure : uint8_t { peak, total, argument, output, alias, temp, capacity, reserve, usable, devices };

struct CollectiveFilter {
  std::string kind;  // "all-gather"; empty: any
  std::string axis;  // empty: any
  std::optional<CollectiveReason> cause;
  std::optional<bool> in_loop, by_user;
};

// One step of an expression in postfix order.
struct AssertionStep {
  enum class Kind : uint8_t {
    number,
    measure,
    count,
    runs,
    bytes,
    memory,
    findings,
    add,
    subtract,
    multiply,
    divide,
    negate
  };
  Kind kind = Kind::number;
  double number = 0;
  Measure measure = Measure::peak;
  MemoryCategory category = MemoryCategory::scratch;
  LintRule rule = LintRule::full_remat;
  CollectiveFilter filter;
};
enum class Comparison : uint8_t { less_equal, less, greater_equal, greater, equal, not_equal };
inline constexpr std::array<std::string_view, 6> kComparisons = {"<=", "<", ">=", ">", "==", "!="};

struct Assertion {
  std::string text;
  SourceRange where;
  enum class Kind : uint8_t { compare, no_finding, spec } kind = Kind::compare;
  Comparison comparison = Comparison::equal;
  std::vector<AssertionStep> left, right;  // compare
  bool in_bytes = false;                   // compare
  std::optional<LintRule> rule;            // no_finding: of this rule only
  std::string value;                       // spec: whose
  SourceRange value_where, spec_where;
  Subject subject;            // spec, once resolved: the value itself,
  uint32_t wanted = 0;        // and the sharding, in the table of the partitioner
  bool needs_target = false;  // speaks of memory

  // Whether it asks for findings of this rule.
  bool asks_for(LintRule of) const;
};

// Reads all of `file`, which holds one assertion. `mesh`: whose axes it may name; null: not known yet, any. Errors:
// syntax, unknown_name with the nearest name, unknown_axis, bad_configuration (bytes compared with numbers), each at
// its place.
Result<Assertion> read_assertion(FileId file, const SourceManager& sources, const Mesh* mesh, Diagnostics& diagnostics);

// Looks up the value and the sharding of a `spec`. Errors: a value that the program does not have, a sharding that
// cannot be read or not be said on its mesh.
bool resolve_spec(Assertion& assertion, Program& program, const Plan& plan, const SourceManager& sources,
                  Diagnostics& diagnostics);

}  // namespace sw
