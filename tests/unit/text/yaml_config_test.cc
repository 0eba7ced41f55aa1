#include "sharding/text.h"
#include "support/catch.h"
#include "support/diagnostics.h"
#include "text/yaml/config_files.h"
#include "text/yaml/document.h"

using namespace sw;

namespace {

std::string mesh(const std::string& text) {
  SourceManager sources;
  Diagnostics diagnostics;
  const FileId file = sources.add("m.yaml", text);
  const auto read = read_mesh_file(file, sources, diagnostics);
  if (!read) return test::told(diagnostics, sources);
  return "@" + read->name + " " + sdy_text(read->mesh) + (read->hardware.empty() ? "" : " " + read->hardware);
}

std::string rules(const std::string& text) {
  SourceManager sources;
  Diagnostics diagnostics;
  const FileId file = sources.add("r.yaml", text);
  const auto read = read_sharding_rules(file, sources, diagnostics);
  if (!read) return test::told(diagnostics, sources);
  std::string out;
  for (const ShardingRule& r : *read) {
    // Positions are those of the text without its quotes.
    CHECK(sources.text(r.pattern_where) == r.pattern);
    CHECK(sources.text(r.spec_where) == r.spec);
    out += r.pattern + " -> " + r.spec + "\n";
  }
  return out;
}

std::string document(const std::string& text) {
  SourceManager sources;
  Diagnostics diagnostics;
  const FileId file = sources.add("d.yaml", text);
  return read_yaml(file, sources, diagnostics) ? "" : test::told(diagnostics, sources);
}

}  // namespace

TEST_CASE("mesh files") {
  CHECK(mesh("axes:\n  x: 2\n  y: 4\n") == R"(@mesh <["x"=2, "y"=4]>)");
  CHECK(mesh("name: m\naxes: {b: 2, a: 4}  # order of the file\nhardware: v5p\n") == R"(@m <["b"=2, "a"=4]> v5p)");
  CHECK(mesh("axes:\n  - {name: x, size: 2}\n  - {name: y, size: 2}\n") == R"(@mesh <["x"=2, "y"=2]>)");
  CHECK(mesh("axes: {x: 2, y: 2}\ndevice_order: [0, 2, 1, 3]\n") ==
        R"(@mesh <["x"=2, "y"=2], device_ids=[0, 2, 1, 3]>)");
  CHECK(mesh("axes: {x: 2, y: 2}\ndevice_order: \"[2,2]T(1,0)\"\n") ==
        R"(@mesh <["x"=2, "y"=2], device_ids=[0, 2, 1, 3]>)");
  CHECK(mesh("axes: {x: 4}\ndevice_order: \"[4]\"\n") == R"(@mesh <["x"=4]>)");
}

TEST_CASE("mesh files: errors") {
  CHECK(mesh("axes: {x: two}\n") == "1:11-14 bad-configuration: the size of axis `x` is a whole number, found `two`\n");
  CHECK(mesh("axes: {x: \"2\"}\n") == "1:12-13 bad-configuration: the size of axis `x` is a whole number, found `2`\n");
  CHECK(mesh("axes: {x: 2, x: 4}\n") ==
        "1:14-15 bad-configuration: key `x` is given twice\n  1:8-9 first given here\n");
  CHECK(mesh("axes: [{name: x, size: 2}, {name: x, size: 2}]\n") ==
        "1:35-36 duplicate-axis: the mesh has two axes named `x`\n  1:15-16 first defined here\n");
  CHECK(mesh("axes: {x: 0}\n") == "1:11-12 axis-size-invalid: axis `x` has size 0, expected at least 1\n");
  CHECK(mesh("axes: {x: 4}\nhardwear: v5p\n") ==
        "2:1-9 bad-configuration: a mesh file has no key `hardwear`\n  help: did you mean `hardware`?\n");
  CHECK(mesh("axis: {x: 4}\n") ==
        "1:1-2 bad-configuration: a mesh file has no key `axes`\n"
        "1:1-5 bad-configuration: a mesh file has no key `axis`\n  help: did you mean `axes`?\n");
  CHECK(mesh("axes: {}\n") == "1:7-8 bad-configuration: the mesh has no axes\n");
  CHECK(mesh("axes: 4\n") == "1:7-8 bad-configuration: `axes` is a mapping of names to sizes, found a word\n");
  CHECK(mesh("- x\n") == "1:1-2 bad-configuration: a mesh file is a mapping, found a list\n");
  CHECK(mesh("axes: {x: 2, y: 2}\ndevice_order: [0, 1, 2]\n") == "2:15-16 invalid-mesh: 3 device ids for 4 devices\n");
  CHECK(mesh("axes: {x: 2, y: 2}\ndevice_order: [0, 1, 1, 2]\n") ==
        "2:22-23 invalid-mesh: device id 1 is listed twice\n  2:19-20 first listed here\n");
  CHECK(mesh("axes: {x: 2, y: 2}\ndevice_order: \"[2,4]T(1,0)\"\n") ==
        "2:16-27 bad-configuration: the device order has 8 devices, the axes have 4\n");
  CHECK(mesh("axes: {x: 2, y: 2}\ndevice_order: \"[2,2]T(1,1)\"\n") ==
        "2:22-26 invalid-sharding: expected a permutation of 0 to 1\n");
}

TEST_CASE("files of sharding rules") {
  CHECK(
      rules("rules:\n  - params/*/w1: P('x', None)\n  - pattern: \"**/b\"\n    spec: P()\n    description: biases\n") ==
      "params/*/w1 -> P('x', None)\n**/b -> P()\n");
  CHECK(rules("rules:\n  - params['w1']: '[{\"x\"}, {}]'\n") == "params['w1'] -> [{\"x\"}, {}]\n");
  CHECK(rules("rules: []\n").empty());
  CHECK(rules("rules:\n  - a: [x]\n") ==
        "2:8-9 bad-configuration: the sharding of `a` is a word, found a list\n"
        "  help: a sharding that begins with `[` or `{` needs quotes in YAML\n");
  CHECK(rules("rules:\n  - pattern: a\n    specs: P()\n") ==
        "2:5-6 bad-configuration: a rule has no key `spec`\n"
        "3:5-10 bad-configuration: a rule has no key `specs`\n  help: did you mean `spec`?\n");
  CHECK(rules("rule: []\n") ==
        "1:1-2 bad-configuration: a file of sharding rules has no key `rules`\n"
        "1:1-5 bad-configuration: a file of sharding rules has no key `rule`\n  help: did you mean `rules`?\n");
  CHECK(rules("rules:\n  - a\n") == "2:5-6 bad-configuration: a rule is a mapping, found a word\n");
}

TEST_CASE("YAML documents: what is refused, and where") {
  CHECK(document("a: *b\n").find("1:4-4 bad-configuration: not valid YAML:") == 0);
  CHECK(document("a: &b [1]\nc: *b\n") ==
        "2:4-4 bad-configuration: not valid YAML: aliases (`*name`) are not read, write the value out\n");
  CHECK(document("a: [1, 2\n").find("bad-configuration: not valid YAML: ") != std::string::npos);
  CHECK(document("a: 1\n b: 2\n").find("bad-configuration: not valid YAML: ") != std::string::npos);
  CHECK(document("a: 1\n---\nb: 2\n") == "3:1-2 bad-configuration: a second document begins here, expected one\n");
  CHECK(document("") == "1:1-1 bad-configuration: the file is empty\n");
  CHECK(document("? [a]\n: 1\n") == "1:3-4 bad-configuration: the key of this mapping is a list, expected a word\n");
  CHECK(document(std::string(10'000, '[')).find("bad-configuration: not valid YAML: ") != std::string::npos);
  std::string deep;
  for (int i = 0; i < 300; ++i) deep += "[";
  CHECK(document(deep).find("bad-configuration") != std::string::npos);
}
