// A program from text, for the tests of ops/: the text of a whole file, or a function's arguments and body.
#pragma once

#include <string>

#include "ops/verify.h"
#include "support/catch.h"
#include "support/diagnostics.h"
#include "text/hlo/reader.h"
#include "text/mlir/reader.h"

namespace sw::test {

struct Reading {
  SourceManager sources;
  Diagnostics diagnostics;
  Program program;

  static Reading mlir(std::string text) { return Reading(std::move(text), false); }
  static Reading hlo(std::string text) { return Reading(std::move(text), true); }
  // A function without results.
  static Reading function(const std::string& args, const std::string& body) {
    return mlir("func.func @main(" + args + ") {\n" + body + "\nreturn\n}\n");
  }

  const Graph& graph() const { return program.graph; }
  // The last op of this kind, in the order of the text.
  OpId last(OpKind kind) const {
    for (size_t i = graph().op_count(); i-- > 0;)
      if (graph().op(OpId{i}).kind == kind) return OpId{i};
    FAIL("no such op");
    return {};
  }
  // The last op before the return of @main.
  OpId last() const {
    const Block& block = graph().block(graph().entry_block(graph().function(graph().main).body));
    return block.ops[block.ops.size() - 2];
  }
  // What verify says, one line per diagnostic.
  std::string verified() {
    verify(program, diagnostics);
    return told(diagnostics, sources);
  }

 private:
  Reading(std::string text, bool is_hlo) {
    const FileId file = sources.add("test", std::move(text));
    auto result = is_hlo ? read_hlo(file, sources, diagnostics) : read_mlir(file, sources, diagnostics);
    INFO(told(diagnostics, sources));
    REQUIRE(result.has_value());
    program = std::move(*result);
  }
};

}  // namespace sw::test
