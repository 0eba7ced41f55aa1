// The files of configs/ against the programs of models/: each is read without a complaint, and the rule files say
// exactly what the models have written in them.
#include <filesystem>

#include "ir/names.h"
#include "propagate/seed_rules.h"
#include "sharding/text.h"
#include "source/input.h"
#include "support/catch.h"
#include "support/diagnostics.h"
#include "text/mlir/reader.h"
#include "text/yaml/config_files.h"

using namespace sw;

namespace {

const std::string kTop = SW_PROJECT_DIR "/";

std::vector<std::string> files_in(const std::string& folder) {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(kTop + folder)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

// The arguments whose annotation is not what the rules give them.
std::string differences(const std::string& model, const std::string& rules_file) {
  SourceManager sources;
  Diagnostics diagnostics;
  const auto file = load_input(kTop + model, sources, diagnostics);
  REQUIRE(file);
  auto program = read_mlir(*file, sources, diagnostics);
  const auto config = load_input(kTop + rules_file, sources, diagnostics);
  REQUIRE(config);
  auto rules = read_sharding_rules(*config, sources, diagnostics);
  INFO(test::told(diagnostics, sources));
  REQUIRE((program && rules));
  SeedRequest request;
  request.rules = std::move(*rules);
  const auto seeds = resolve_seeds(*program, request, sources, diagnostics);
  std::string out = test::told(diagnostics, sources);
  REQUIRE(seeds);
  const Graph& graph = program->graph;
  const StringId key = graph.strings.find("sdy.sharding");
  CHECK(seeds->size() == graph.function(graph.main).arg_attrs.size());
  for (const Seed& seed : *seeds) {
    const auto& attrs = graph.function(graph.main).arg_attrs[graph.value(seed.value).index];
    const AttrId attr = Graph::find(graph.attrs(attrs), key);
    const std::string given = sdy_text(program->shardings, seed.sharding);
    if (!attr.valid()) {
      if (!program->shardings.get(seed.sharding).fully_replicated())
        out += value_display_name(graph, seed.value) + ": nothing, " + given + "\n";
      continue;
    }
    const std::string written =
        sdy_text(program->shardings, NamedShardingId{static_cast<uint32_t>(graph.attr_table.get(attr).integer)});
    // JAX puts scalars on an empty mesh of their own.
    if (given != written && program->shardings.get(seed.sharding).rank() > 0)
      out += value_display_name(graph, seed.value) + ": " + written + ", " + given + "\n";
  }
  return out;
}

}  // namespace

TEST_CASE("every mesh and rule file of configs/ is read without a complaint") {
  size_t meshes = 0, rules = 0;
  for (const std::string& path : files_in("configs/meshes")) {
    SourceManager sources;
    Diagnostics diagnostics;
    const auto file = load_input(path, sources, diagnostics);
    REQUIRE(file);
    const auto mesh = read_mesh_file(*file, sources, diagnostics);
    INFO(path << "\n" << test::told(diagnostics, sources));
    REQUIRE(mesh);
    CHECK(diagnostics.in_order_reported().empty());
    ++meshes;
  }
  for (const std::string& path : files_in("configs/shardings")) {
    SourceManager sources;
    Diagnostics diagnostics;
    const auto file = load_input(path, sources, diagnostics);
    REQUIRE(file);
    const auto list = read_sharding_rules(*file, sources, diagnostics);
    INFO(path << "\n" << test::told(diagnostics, sources));
    REQUIRE(list);
    ++rules;
  }
  CHECK(meshes >= 6);
  CHECK(rules >= 3);
}

TEST_CASE("rule files say what the models have written in them") {
  CHECK(differences("models/llama3_8b_train.mlir", "configs/shardings/llama-fsdp-tensor.yaml") == "");
  CHECK(differences("models/llama3_70b_train.mlir", "configs/shardings/llama-fsdp-tensor.yaml") == "");
  CHECK(differences("models/moe_train.mlir", "configs/shardings/experts.yaml") == "");
}

TEST_CASE("the mesh of 256 devices fits the model it is for") {
  SourceManager sources;
  Diagnostics diagnostics;
  const auto file = load_input(kTop + "models/llama3_70b_train.mlir", sources, diagnostics);
  REQUIRE(file);
  auto program = read_mlir(*file, sources, diagnostics);
  const auto config = load_input(kTop + "configs/meshes/pod-256.yaml", sources, diagnostics);
  REQUIRE((program && config));
  auto mesh = read_mesh_file(*config, sources, diagnostics);
  REQUIRE(mesh);
  CHECK(mesh->mesh == program->shardings.mesh(MeshId{0}).mesh);
  SeedRequest request;
  request.mesh_file = std::move(*mesh);
  CHECK(resolve_seeds(*program, request, sources, diagnostics));
}
