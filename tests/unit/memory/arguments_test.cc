#include "memory/arguments.h"

#include "ir/donation.h"
#include "support/catch.h"
#include "text/hlo/reader.h"
#include "text/mlir/reader.h"

namespace sw {
namespace {

const EntryRules kGpu = entry_rules(MemoryTarget::h100), kTpu = entry_rules(MemoryTarget::tpu_v5e);

Graph module(const std::string& header, const std::string& parameters, const std::string& root) {
  SourceManager sources;
  Diagnostics diagnostics;
  const FileId file =
      sources.add("m.hlo", "HloModule m" + header + "\n\nENTRY main {\n" + parameters + "  ROOT r = " + root + "\n}\n");
  Result<Program> program = read_hlo(file, sources, diagnostics);
  REQUIRE(program.has_value());
  return std::move(program->graph);
}

// One donated parameter and one result.
std::optional<uint32_t> partner(const std::string& from, const std::string& to, const EntryRules& rules) {
  const Graph graph = module(", buffer_donor={ (0, {}) }", "  p = " + from + " parameter(0)\n",
                             to + " custom-call(p), custom_call_target=\"f\"");
  return entry_bytes(graph, rules).results.front().partner;
}

TEST_CASE("donation: bytes decide, on TPU with padding", "[memory]") {
  for (const EntryRules& rules : {kGpu, kTpu}) {
    CHECK(partner("f32[64,32]", "f32[64,32]", rules).has_value());
    CHECK_FALSE(partner("f32[64,128]", "f32[32,128]", rules).has_value());
    CHECK(partner("f32[64,128]", "s32[64,128]", rules).has_value());
    CHECK(partner("f32[]", "f32[]", rules).has_value());
  }
  CHECK(partner("f32[32,32]", "f32[16,64]", kGpu).has_value());
  CHECK_FALSE(partner("f32[32,32]", "f32[16,64]", kTpu).has_value());
}

TEST_CASE("donation: of equal ones the first", "[memory]") {
  const Graph two_donors = module(", buffer_donor={ (0, {}), (1, {}) }",
                                  "  a = f32[8] parameter(0)\n  b = f32[8] parameter(1)\n", "f32[8] add(a, b)");
  const EntryBytes bytes = entry_bytes(two_donors, kGpu);
  CHECK(bytes.results[0].partner == 0U);
  CHECK(bytes.alias == 32);
  CHECK(bytes.argument == 64);
  CHECK(bytes.output == 32);  // no table: the result is no tuple

  const Graph two_results =
      module(", buffer_donor={ (0, {}) }", "  a = f32[8] parameter(0)\n", "(f32[8], f32[8]) tuple(a, a)");
  const EntryBytes both = entry_bytes(two_results, kGpu);
  CHECK(both.results[0].partner == 0U);
  CHECK_FALSE(both.results[1].partner.has_value());
  CHECK(both.output == 64 + 16);
  CHECK(entry_bytes(two_results, kTpu).output == 512 + 512 + 512);
}

TEST_CASE("donation: named pairs first, then by size", "[memory]") {
  const Graph graph = module(", input_output_alias={ {1}: (0, {}, may-alias) }, buffer_donor={ (1, {}) }",
                             "  a = f32[8] parameter(0)\n  b = f32[8] parameter(1)\n", "(f32[8], f32[8]) tuple(a, b)");
  const EntryBytes bytes = entry_bytes(graph, kGpu);
  CHECK(bytes.results[0].partner == 1U);
  CHECK(bytes.results[1].partner == 0U);
}

TEST_CASE("donation: inside of tuples", "[memory]") {
  const Graph graph =
      module(", input_output_alias={ {}: (0, {1}, must-alias) }",
             "  a = (f32[8], f32[8]) parameter(0)\n  b = f32[8] get-tuple-element(a), index=1\n", "f32[8] negate(b)");
  const EntryBytes bytes = entry_bytes(graph, kGpu);
  CHECK(bytes.results[0].partner == 1U);
  CHECK(bytes.argument == 64 + 16);
}

TEST_CASE("donation: what jax writes on arguments is what HLO has in its header", "[memory]") {
  SourceManager sources;
  Diagnostics diagnostics;
  const FileId file =
      sources.add("m.mlir",
                  "func.func public @main(%arg0: tensor<4xf32> {jax.buffer_donor = true}, %arg1: tensor<4xf32> "
                  "{tf.aliasing_output = 1 : i32}) "
                  "-> (tensor<4xf32>, tensor<4xf32>) {\n  return %arg0, %arg1 : tensor<4xf32>, tensor<4xf32>\n}\n");
  const Result<Program> program = read_mlir(file, sources, diagnostics);
  REQUIRE(program.has_value());
  const Donations read = read_donations(program->graph);
  REQUIRE(read.aliases.size() == 1);
  CHECK(read.aliases[0].result == Donations::Path{1});
  CHECK(read.aliases[0].argument.number == 1);
  REQUIRE(read.donors.size() == 1);
  CHECK(read.donors[0].number == 0);

  GraphBuilder builder{Graph(program->graph)};
  const std::vector<NamedAttr> attrs = donation_attrs(builder, read);
  REQUIRE(attrs.size() == 2);
  CHECK(builder.graph().attr_table.get(attrs[0].value).text == "{ {1}: (1, {}, may-alias) }");
  CHECK(builder.graph().attr_table.get(attrs[1].value).text == "{ (0, {}) }");
}

TEST_CASE("donation: what does not fit the program is left out and named", "[memory]") {
  const auto fault = [](const std::string& header) {
    std::string text;
    const Graph graph = module(header, "  a = f32[8] parameter(0)\n", "f32[8] negate(a)");
    const Donations read = read_donations(graph, &text);
    return text + (read.aliases.empty() && read.donors.empty() ? "" : ", and something read");
  };
  CHECK(fault(", buffer_donor={ (3, {}) }") == "parameter 3 is donated, and there is no such parameter");
  CHECK(fault(", input_output_alias={ {4}: (0, {}, may-alias) }") ==
        "a result is to take over parameter 0, and there is no such result");
  CHECK(fault(", buffer_donor={ 0 }") == "`buffer_donor` is not a list of `(parameter, {})`");
  CHECK(fault(", input_output_alias={ {}: (0, {}, may-alias), {}: (0, {}, may-alias) }") ==
        "parameter 0 or its result is aliased twice, and something read");
}

}  // namespace
}  // namespace sw
