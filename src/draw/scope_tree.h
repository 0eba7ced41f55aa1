// The scopes of a program as people think of it: forward and backward, the user's functions and named scopes, source
// lines, loops, calls, and what repeats in an unrolled program. What pictures cluster by, and fold.
//
// Every block is a list of ops in the order of the text. Each op has a path of names (from its location); a maximal run
// of ops with the same first name becomes a scope, and so on inside it. Runs and not sets of ops, so that a picture in
// which scopes are folded has no cycles: all edges go down the text. Where the names say nothing, a run that repeats
// (the layers of an unrolled loop) becomes one scope with an iteration each, and what is still long is cut into parts.
//
//   main                                 a path of names      "main/forward/attention/model.py:41"
//     forward
//       attention
//         model.py:41                    %5 %6 %7
//     optimizers.py:12 × 80              a repeat: its first iteration, and the others
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "report/plan_report.h"

namespace sw {

constexpr uint32_t kNoScope = 0xffffffffU;

enum class ScopeKind : uint8_t {
  program,    // the whole of it
  function,   // the body of a function, where it is called first
  loop,       // body of a while
  branches,   // a conditional; its children are its branches
  branch,     // one of them
  manual,     // body of a manual computation
  source,     // a named scope, a function or a line of the user's source
  repeat,     // runs of ops that are alike; the first child is the first of them, the second all others
  iteration,  // one of them
  others,     // all but the first
  part        // of a run that is too long
};
std::string_view scope_kind_name(ScopeKind kind);

struct DrawScope {
  ScopeKind kind = ScopeKind::program;
  std::string name;  // "attention", "loop × 80", "model.py:41"
  std::string path;  // the names from the program's down, joined by slashes; no two scopes have the same
  uint32_t parent = kNoScope;
  uint32_t depth = 0;
  OpId owner;              // the loop, call or conditional that this is the inside of
  int64_t times = 1;       // loops: iterations, 0 where not known; repeats: how many
  uint32_t ops = 0;        // drawn inside, also in scopes below
  OpId first_op, last_op;  // in the order of the text, of those drawn
  std::vector<uint32_t> children;
};

struct ScopeTree {
  std::vector<DrawScope> scopes;  // a scope after the one it is in; the first is the program
  // By OpId; kNoScope for ops that are not drawn: constants and what is made only of them, the bodies of reductions
  // and conditions of loops, functions that are not called, terminators, elements taken out of tuples.
  std::vector<uint32_t> scope_of_op;
  // By OpId: ops inside another one that is drawn in their place (a loop for its condition); invalid: none.
  std::vector<OpId> shown_as;
  // By ValueId: an argument of an inlined function is what the call is given, the result of a call what is returned, an
  // element of a tuple the tuple. Invalid: itself.
  std::vector<ValueId> same_as;
  // By RegionId: the loop, conditional, call or manual computation that is drawn with this inside; invalid: none.
  std::vector<OpId> owner_of_region;
  uint32_t hidden_constants = 0;

  // The value that a chain of same_as ends at.
  ValueId origin(ValueId value) const;
  // Whether `inner` is `outer` or inside it.
  bool contains(uint32_t outer, uint32_t inner) const;
  // What `--expand TEXT` means: a path, or the end of one or several. Empty: there is none.
  std::vector<uint32_t> find(std::string_view text) const;
};

ScopeTree scope_tree(const PlanReport& report);

}  // namespace sw
