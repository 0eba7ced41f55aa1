// source/render.h: the caret stands under its character, whatever the line holds and however long it is.
#include "source/render.h"

#include <string>

#include "support/catch.h"

namespace {

using sw::DiagnosticKind;

std::string rendered(const std::string& text, uint32_t begin, uint32_t end, size_t width = 60) {
  sw::SourceManager sources;
  const sw::FileId file = sources.add("f.mlir", text);
  sw::Diagnostics diags;
  diags.error(DiagnosticKind::syntax, {file, begin, end}, "seen `a`, expected `b`");
  sw::RenderOptions options;
  options.width = width;
  return render(diags, sources, options);
}

}  // namespace

TEST_CASE("one error with its line, a note on another line and a help") {
  sw::SourceManager sources;
  const sw::FileId file = sources.add("mlp.mlir", "a = {\"x\"}\nb = {\"x\"}\n");
  sw::Diagnostics diags;
  diags.error(DiagnosticKind::duplicate_axis, {file, 15, 18}, "axis `x` shards two dimensions")
      .note({file, 5, 8}, "first used here")
      .help("drop one");
  CHECK(render(diags, sources) ==
        "mlp.mlir:2:6: error: axis `x` shards two dimensions [duplicate-axis]\n"
        "  2 | b = {\"x\"}\n"
        "    |      ^~~\n"
        "mlp.mlir:1:6: note: first used here\n"
        "  1 | a = {\"x\"}\n"
        "    |      ^~~\n"
        "help: drop one\n");
}

TEST_CASE("a long line is cut round the caret") {
  const std::string line = std::string(500, 'a') + "XYZ" + std::string(500, 'b');
  const std::string out = rendered(line, 500, 503);
  CHECK(out ==
        "f.mlir:1:501: error: seen `a`, expected `b` [syntax]\n"
        "  1 | ...aaaaaaaaaaaaaaaaaaaaaaaaXYZbbbbbbbbbbbbbbbbbbbbb...\n"
        "    |                            ^~~\n");
  CHECK(rendered(line, 0, 1).find("  1 | aaaaaa") != std::string::npos);
  const std::string last = rendered(line, 1002, 1003);
  CHECK(last.find("\n  1 | ..." + std::string(48, 'b') + "\n    | " + std::string(50, ' ') + "^\n") !=
        std::string::npos);
}

TEST_CASE("a line of 100 MB is cut as fast as a short one") {
  std::string line(100'000'000, 'a');
  line[99'000'000] = 'X';
  const std::string out = rendered(line, 99'000'000, 99'000'001);
  CHECK(out.size() < 250);
  CHECK(out.find("aaaX") != std::string::npos);
  CHECK(out.find("f.mlir:1:99000001: ") == 0);
}

TEST_CASE("tabs, UTF-8, wide and control characters") {
  CHECK(rendered("\t\"é\" = x", 8, 9) ==
        "f.mlir:1:8: error: seen `a`, expected `b` [syntax]\n  1 |  \"é\" = x\n    |        ^\n");
  CHECK(rendered("漢字 = x", 9, 10).find("\n  1 | 漢字 = x\n    |        ^\n") != std::string::npos);
  CHECK(rendered("a\x1b[31m\x01"
                 "b\xff"
                 "c\xe2\x80\xae",
                 9, 10)
            .find("\n  1 | a␛[31m␁b�c�\n    |          ^\n") != std::string::npos);
}

TEST_CASE("errors past the allowance are counted; repetitions are dropped") {
  sw::SourceManager sources;
  const sw::FileId file = sources.add("f", std::string(100, 'x'));
  sw::Diagnostics diags;
  for (uint32_t i = 0; i < 30; ++i) diags.error(DiagnosticKind::syntax, {file, i, i + 1}, "m");
  diags.error(DiagnosticKind::syntax, {file, 0, 1}, "m");
  const std::string out = render(diags, sources);
  CHECK(out.size() > 100);
  CHECK(out.substr(out.size() - 26) == "\n10 more errors not shown\n");
}

TEST_CASE("a position at the end of the text, and none at all") {
  CHECK(rendered("abc", 3, 3) == "f.mlir:1:4: error: seen `a`, expected `b` [syntax]\n  1 | abc\n    |    ^\n");
  sw::SourceManager sources;
  sw::Diagnostics diags;
  diags.error(DiagnosticKind::cannot_read_file, {}, "cannot read `a\nb`: no such file or directory");
  CHECK(render(diags, sources) == "error: cannot read `a␊b`: no such file or directory [cannot-read-file]\n");
}
