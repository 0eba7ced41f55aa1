// Projection of shardings onto factors and back: propagate/shardy/project.h.
#include "propagate/shardy/project.h"

#include "ops/factor_rule.h"
#include "sharding/text.h"
#include "support/catch.h"
#include "support/diagnostics.h"

namespace {

using sw::AxisRef;
using sw::FactorIndex;
using sw::FactorRule;
using sw::TensorFactors;

// One tensor with one dimension of these factor sizes.
FactorRule one_dimension(std::initializer_list<int64_t> sizes) {
  FactorRule rule;
  TensorFactors tensor;
  tensor.dim_begins.push_back(0);
  for (const int64_t size : sizes) {
    tensor.factors.push_back(static_cast<FactorIndex>(rule.sizes.size()));
    rule.sizes.push_back(size);
    rule.kinds.push_back(sw::FactorKind::pass_through);
    rule.blocked.push_back(false);
  }
  tensor.dim_begins.push_back(static_cast<uint16_t>(tensor.factors.size()));
  rule.results.push_back(tensor);
  return rule;
}

struct Table {
  Table() {
    sw::Mesh mesh;
    mesh.axes = {{"x", 4}, {"y", 2}, {"z", 6}};
    id = shardings.add_mesh({"mesh", mesh});
  }
  sw::NamedShardingId sharded(std::initializer_list<AxisRef> axes, bool closed = false) {
    sw::NamedShardingSpec spec;
    spec.mesh = id;
    spec.dims.resize(1);
    spec.dims[0].axes = sw::AxisList(axes);
    spec.dims[0].closed = closed;
    return shardings.intern(spec);
  }
  std::string axes(const sw::AxisList& list) const {
    std::string out;
    for (const AxisRef& axis : list) out += sw::sdy_text(shardings.mesh(id).mesh, axis);
    return out;
  }
  // "factor axes|overflow" for each factor that is present, then the sharding read back.
  std::string project(std::initializer_list<int64_t> sizes, sw::NamedShardingId sharding) {
    const FactorRule rule = one_dimension(sizes);
    sw::shardy::Projection projection;
    projection.build(rule, std::span(&sharding, 1), shardings);
    std::string out;
    for (size_t f = 0; f < sizes.size(); ++f) {
      const sw::shardy::FactorSharding& cell = projection.at(0, f);
      if (cell.present)
        out +=
            axes(cell.axes) + (cell.overflow.empty() ? "" : "|" + axes(cell.overflow)) + (cell.closed ? "!" : "") + " ";
      else
        out += "absent ";
    }
    return out + sw::sdy_text(shardings, projection.read_back(rule, 0, id, sharding, shardings));
  }

  sw::ShardingTable shardings;
  sw::MeshId id;
};

constexpr AxisRef kX{0, 1, 4}, kY{1, 1, 2}, kZ{2, 1, 6};

TEST_CASE("project: axes go to factors from the major side") {
  Table t;
  CHECK(t.project({4, 8}, t.sharded({kX, kY})) == R"("x" "y" <@mesh, [{"x", "y", ?}]>)");
  CHECK(t.project({2, 4}, t.sharded({kX})) == R"("x":(1)2 "x":(2)2 <@mesh, [{"x", ?}]>)");
  CHECK(t.project({8, 4}, t.sharded({kX, kY}, true)) == R"("x""y"! ! <@mesh, [{"x", "y"}]>)");
}

TEST_CASE("project: the last factor takes what is left, divisible or not") {
  Table t;
  CHECK(t.project({3}, t.sharded({kX, kY})) == R"("x""y" <@mesh, [{"x", "y", ?}]>)");
  CHECK(t.project({2, 3}, t.sharded({kY, kX})) == R"("y" "x" <@mesh, [{"y", "x", ?}]>)");
}

TEST_CASE("project: sizes without a common divisor overflow and block what follows") {
  Table t;
  CHECK(t.project({3, 4, 5}, t.sharded({kX, kY})) == R"(|"x""y" ! absent <@mesh, [{"x", "y", ?}]>)");
  CHECK(t.project({4, 5}, t.sharded({kZ})) == R"("z":(1)2|"z":(2)3 ! <@mesh, [{"z", ?}]>)");
}

TEST_CASE("project: a minor factor of one that is not full is not read back") {
  Table t;
  const FactorRule rule = one_dimension({4, 8});
  const sw::NamedShardingId none = t.sharded({});
  sw::shardy::Projection projection;
  projection.build(rule, std::span(&none, 1), t.shardings);
  const AxisRef y[] = {kY}, x[] = {kX};
  CHECK(projection.expand(0, 1, y));
  CHECK(sw::sdy_text(t.shardings, projection.read_back(rule, 0, t.id, none, t.shardings)) == "<@mesh, [{?}]>");
  CHECK(projection.expand(0, 0, x));
  CHECK(sw::sdy_text(t.shardings, projection.read_back(rule, 0, t.id, none, t.shardings)) ==
        R"(<@mesh, [{"x", "y", ?}]>)");
  CHECK_FALSE(projection.expand(0, 0, x));
}

}  // namespace
