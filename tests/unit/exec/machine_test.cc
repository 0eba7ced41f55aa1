// Shapes, reductions, products, control flow, and collectives between simulated devices.
#include "unit/exec/run_hlo.h"

namespace sw {
namespace {

using test::module_of;
using test::Ran;
using test::result_of;
using test::run_hlo;

const std::string kAdd = "add {\n  x = f32[] parameter(0)\n  y = f32[] parameter(1)\n  ROOT s = f32[] add(x, y)\n}\n\n";

TEST_CASE("exec: padding may be negative and between elements", "[exec]") {
  CHECK(result_of("  a = s32[3] parameter(0)\n  z = s32[] constant(9)\n  ROOT r = s32[5] pad(a, z), padding=-1_1_1\n",
                  {"{1,2,3}"}) == "{9,2,9,3,9}");
}

TEST_CASE("exec: dynamic slices are moved until they fit", "[exec]") {
  const std::string lines = "  a = s32[5] parameter(0)\n  i = s32[] parameter(1)\n";
  CHECK(result_of(lines + "  ROOT r = s32[2] dynamic-slice(a, i), dynamic_slice_sizes={2}\n", {"{1,2,3,4,5}", "9"}) ==
        "{4,5}");
  CHECK(result_of(lines + "  u = s32[2] constant({7,8})\n  ROOT r = s32[5] dynamic-update-slice(a, u, i)\n",
                  {"{1,2,3,4,5}", "-3"}) == "{7,8,3,4,5}");
}

TEST_CASE("exec: empty arrays", "[exec]") {
  CHECK(result_of("  a = f32[0,3] parameter(0)\n  z = f32[] constant(-1)\n"
                  "  ROOT r = f32[3] reduce(a, z), dimensions={0}, to_apply=add\n",
                  {"{}"}, kAdd) == "{-1,-1,-1}");
  CHECK(result_of("  a = f32[2,0] parameter(0)\n  b = f32[0,2] parameter(1)\n"
                  "  ROOT r = f32[2,2] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n",
                  {"{}", "{}"}) == "{{0,0},{0,0}}");
}

TEST_CASE("exec: reductions along every kind of dimension", "[exec]") {
  const std::string values = "{{{1,2},{3,4},{5,6}},{{7,8},{9,10},{11,12}}}";
  const auto sum = [&](const std::string& shape, const std::string& dims) {
    return result_of("  a = f32[2,3,2] parameter(0)\n  z = f32[] constant(0)\n  ROOT r = f32[" + shape +
                         "] reduce(a, z), dimensions={" + dims + "}, to_apply=add\n",
                     {values}, kAdd);
  };
  CHECK(sum("3,2", "0") == "{{8,10},{12,14},{16,18}}");
  CHECK(sum("2,2", "1") == "{{9,12},{27,30}}");
  CHECK(sum("2,3", "2") == "{{3,7,11},{15,19,23}}");
  CHECK(sum("3", "0,2") == "{18,26,34}");
  CHECK(sum("", "0,1,2") == "78");
}

TEST_CASE("exec: a reduction of two arrays with a body of its own", "[exec]") {
  const std::string body =
      "pick {\n  a = f32[] parameter(0)\n  i = s32[] parameter(1)\n  b = f32[] parameter(2)\n  j = s32[] parameter(3)\n"
      "  c = pred[] compare(a, b), direction=GE\n  v = f32[] select(c, a, b)\n  k = s32[] select(c, i, j)\n"
      "  ROOT t = (f32[], s32[]) tuple(v, k)\n}\n\n";
  CHECK(result_of("  a = f32[2,3] parameter(0)\n  i = s32[2,3] iota(), iota_dimension=1\n  l = f32[] constant(-inf)\n"
                  "  z = s32[] constant(-1)\n"
                  "  ROOT r = (f32[2], s32[2]) reduce(a, i, l, z), dimensions={1}, to_apply=pick\n",
                  {"{{1,5,2},{7,7,3}}"}, body) == "{5,7} {1,0}");
}

TEST_CASE("exec: products with batch dimensions anywhere", "[exec]") {
  CHECK(result_of("  a = s32[2,2,3] parameter(0)\n  b = s32[3,2] parameter(1)\n"
                  "  ROOT r = s32[2,2] dot(a, b), lhs_batch_dims={1}, rhs_batch_dims={1}, lhs_contracting_dims={2}, "
                  "rhs_contracting_dims={0}\n",
                  {"{{{1,2,3},{4,5,6}},{{7,8,9},{1,1,1}}}", "{{1,2},{1,2},{1,2}}"}) == "{{6,24},{30,6}}");
}

TEST_CASE("exec: loops, branches and calls", "[exec]") {
  const std::string before =
      "cond {\n  p = (s32[], f32[2]) parameter(0)\n  i = s32[] get-tuple-element(p), index=0\n  n = s32[] constant(3)\n"
      "  ROOT c = pred[] compare(i, n), direction=LT\n}\n\n"
      "body {\n  p = (s32[], f32[2]) parameter(0)\n  i = s32[] get-tuple-element(p), index=0\n"
      "  x = f32[2] get-tuple-element(p), index=1\n  one = s32[] constant(1)\n  j = s32[] add(i, one)\n"
      "  y = f32[2] add(x, x)\n  ROOT t = (s32[], f32[2]) tuple(j, y)\n}\n\n";
  CHECK(result_of("  a = f32[2] parameter(0)\n  z = s32[] constant(0)\n  s = (s32[], f32[2]) tuple(z, a)\n"
                  "  ROOT w = (s32[], f32[2]) while(s), condition=cond, body=body\n",
                  {"{1,2}"}, before) == "3 {8,16}");
  const std::string branches =
      "a {\n  p = s32[] parameter(0)\n  ROOT r = s32[] negate(p)\n}\n\nb {\n  q = s32[] parameter(0)\n"
      "  ROOT r = s32[] add(q, q)\n}\n\n";
  const std::string pick =
      "  i = s32[] parameter(0)\n  x = s32[] constant(5)\n"
      "  ROOT r = s32[] conditional(i, x, x), branch_computations={a, b}\n";
  CHECK(result_of(pick, {"0"}, branches) == "-5");
  CHECK(result_of(pick, {"7"}, branches) == "10");
}

TEST_CASE("exec: collectives by group", "[exec]") {
  const std::vector<std::vector<std::string>> four = {{"{1,2}", "{3,4}", "{5,6}", "{7,8}"}};
  const auto run = [&](const std::string& root) {
    return run_hlo(module_of("  a = f32[2] parameter(0)\n  ROOT r = " + root + "\n", kAdd), four, 4).results;
  };
  using Texts = std::vector<std::string>;
  CHECK(run("f32[2] all-reduce(a), channel_id=1, replica_groups={{0,2},{1,3}}, use_global_device_ids=true, "
            "to_apply=add") == Texts{"{6,8}", "{10,12}", "{6,8}", "{10,12}"});
  CHECK(run("f32[4] all-gather(a), channel_id=1, replica_groups={{1,0},{2,3}}, dimensions={0}, "
            "use_global_device_ids=true") == Texts{"{3,4,1,2}", "{3,4,1,2}", "{5,6,7,8}", "{5,6,7,8}"});
  CHECK(run("f32[1] reduce-scatter(a), channel_id=1, replica_groups={{0,1},{2,3}}, dimensions={0}, "
            "use_global_device_ids=true, to_apply=add") == Texts{"{4}", "{6}", "{12}", "{14}"});
  CHECK(run("f32[2] all-to-all(a), channel_id=1, replica_groups={{0,1},{2,3}}, dimensions={0}") ==
        Texts{"{1,3}", "{2,4}", "{5,7}", "{6,8}"});
  CHECK(run("f32[2] collective-permute(a), channel_id=1, source_target_pairs={{0,1},{3,0}}") ==
        Texts{"{7,8}", "{1,2}", "{0,0}", "{0,0}"});
}

TEST_CASE("exec: devices that part in a branch meet again, and one that waits for ever is named", "[exec]") {
  const std::string branches =
      "a {\n  p = u32[] parameter(0)\n  ROOT r = u32[] add(p, p)\n}\n\nb {\n  q = u32[] parameter(0)\n"
      "  ROOT r = u32[] copy(q)\n}\n\n";
  const std::string lines =
      "  i = u32[] partition-id()\n  two = u32[] constant(2)\n  c = pred[] compare(i, two), direction=LT\n";
  const Ran ran = run_hlo(
      module_of(lines + "  ROOT r = u32[] conditional(c, i, i), branch_computations={a, b}\n", branches), {}, 4);
  CHECK(ran.results == std::vector<std::string>{"0", "2", "2", "3"});
  const std::string sums =
      "add {\n  x = u32[] parameter(0)\n  y = u32[] parameter(1)\n  ROOT s = u32[] add(x, y)\n}\n\n"
      "a {\n  p = u32[] parameter(0)\n  ROOT r = u32[] all-reduce(p), channel_id=1, replica_groups={{0,1,2,3}}, "
      "use_global_device_ids=true, to_apply=add\n}\n\nb {\n  q = u32[] parameter(0)\n  ROOT r = u32[] copy(q)\n}\n\n";
  CHECK(run_hlo(module_of(lines + "  ROOT r = u32[] conditional(c, i, i), branch_computations={a, b}\n", sums), {}, 4)
            .error == "it waits for a device that has taken another branch or has left the loop");
}

TEST_CASE("exec: a loop that updates an array in place leaves the caller's array alone", "[exec]") {
  const std::string before =
      "cond {\n  p = (s32[], s32[3]) parameter(0)\n  i = s32[] get-tuple-element(p), index=0\n  n = s32[] constant(3)\n"
      "  ROOT c = pred[] compare(i, n), direction=LT\n}\n\n"
      "body {\n  p = (s32[], s32[3]) parameter(0)\n  i = s32[] get-tuple-element(p), index=0\n"
      "  x = s32[3] get-tuple-element(p), index=1\n  one = s32[] constant(1)\n  j = s32[] add(i, one)\n"
      "  u = s32[1] reshape(j)\n  y = s32[3] dynamic-update-slice(x, u, i)\n  ROOT t = (s32[], s32[3]) tuple(j, "
      "y)\n}\n\n";
  CHECK(result_of("  a = s32[3] parameter(0)\n  z = s32[] constant(0)\n  s = (s32[], s32[3]) tuple(z, a)\n"
                  "  w = (s32[], s32[3]) while(s), condition=cond, body=body\n"
                  "  v = s32[3] get-tuple-element(w), index=1\n  ROOT t = (s32[3], s32[3]) tuple(v, a)\n",
                  {"{7,7,7}"}, before) == "{1,2,3} {7,7,7}");
}

// Large enough for several threads at once, over devices and within an op; what ThreadSanitizer looks at.
//   rows i, on device d: sum over k of (i + d) k = (i + d) 32640; over 8 devices (8 i + 28) 32640; then over all
//   elements
TEST_CASE("exec: large arrays on several devices are computed by several threads", "[exec]") {
  const std::string sums =
      "add {\n  x = s32[] parameter(0)\n  y = s32[] parameter(1)\n  ROOT s = s32[] add(x, y)\n}\n\n";
  const std::string lines =
      "  i = s32[256,256] iota(), iota_dimension=0\n  p = u32[] partition-id()\n  d = s32[] convert(p)\n"
      "  b = s32[256,256] broadcast(d), dimensions={}\n  s = s32[256,256] add(i, b)\n"
      "  t = s32[256,256] transpose(s), dimensions={1,0}\n"
      "  m = s32[256,256] dot(t, i), lhs_contracting_dims={0}, rhs_contracting_dims={0}\n"
      "  a = s32[256,256] all-reduce(m), channel_id=1, replica_groups={{0,1,2,3,4,5,6,7}}, "
      "use_global_device_ids=true, to_apply=add\n"
      "  z = s32[] constant(0)\n  ROOT r = s32[] reduce(a, z), dimensions={0,1}, to_apply=add\n";
  const Ran ran = run_hlo(module_of(lines, sums), {}, 8);
  CHECK(ran.error == "");
  REQUIRE(!ran.results.empty());
  CHECK(ran.results[0] == std::to_string(static_cast<int32_t>(static_cast<uint32_t>(256LL * 32640 * 268288))));
}

}  // namespace
}  // namespace sw
