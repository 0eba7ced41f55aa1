#include "unit/partition/backend_reading.h"

namespace sw {
namespace {

using test::collectives_after;
using test::partitioned_module;

std::string tpu(const std::string& lines) { return collectives_after(Backend::tpu, partitioned_module(lines)); }

std::string reduced(const std::string& name, const std::string& type, const std::string& operand,
                    const std::string& groups) {
  return "  %" + name + " = " + type + " all-reduce(%" + operand + "), channel_id=1, replica_groups=" + groups +
         ", use_global_device_ids=true, to_apply=%add\n";
}

const std::string kArguments =
    "  %a = f32[8,16]{1,0} parameter(0)\n  %b = f32[8,16]{1,0} parameter(1)\n  %z = s32[] constant(0)\n"
    "  %id = u32[] partition-id()\n";

TEST_CASE("backend tpu: folded groups keep the order of the rounds, so that unlike ones stay apart", "[backend]") {
  const std::string rows = "[2,4]<=[8]", columns = "[4,2]<=[2,4]T(1,0)";
  const std::string tuple = "  ROOT %t = (f32[8,16]{1,0}, f32[8,16]{1,0}) tuple(%r2, %s2)\n";
  CHECK(tpu(kArguments + reduced("r1", "f32[8,16]{1,0}", "a", rows) + reduced("r2", "f32[8,16]{1,0}", "r1", columns) +
            reduced("s1", "f32[8,16]{1,0}", "b", rows) + reduced("s2", "f32[8,16]{1,0}", "s1", columns) + tuple) ==
        "all-reduce (f32[8,16], f32[8,16]) 0,1,2,3,4,5,6,7\n");
  CHECK(tpu(kArguments + reduced("r1", "f32[8,16]{1,0}", "a", rows) + reduced("r2", "f32[8,16]{1,0}", "r1", columns) +
            reduced("s1", "f32[8,16]{1,0}", "b", columns) + reduced("s2", "f32[8,16]{1,0}", "s1", rows) + tuple) ==
        "all-reduce f32[8,16] 0,1,2,3,4,5,6,7\nall-reduce f32[8,16] 0,4,1,5,2,6,3,7\n");
}

TEST_CASE("backend tpu: a reduce-scatter is an all-reduce, merged with others that are cut", "[backend]") {
  const std::string scattered =
      "  %k = f32[2,16]{1,0} reduce-scatter(%a), channel_id=2, replica_groups=[2,4]<=[8], dimensions={0}, "
      "use_global_device_ids=true, to_apply=%add\n";
  CHECK(tpu(kArguments + scattered + "  ROOT %n = f32[2,16]{1,0} negate(%k)\n") ==
        "all-reduce f32[8,16] 0,1,2,3|4,5,6,7\n");
  CHECK(tpu(kArguments + scattered + reduced("r", "f32[8,16]{1,0}", "b", "[2,4]<=[8]") +
            "  ROOT %t = (f32[2,16]{1,0}, f32[8,16]{1,0}) tuple(%k, %r)\n") ==
        "all-reduce f32[8,16] 0,1,2,3|4,5,6,7\nall-reduce f32[8,16] 0,1,2,3|4,5,6,7\n");
}

TEST_CASE("backend tpu: a flat all-gather is an all-reduce, others are not merged", "[backend]") {
  const auto gathered = [](const std::string& name, const std::string& type, const std::string& operand) {
    return "  %" + name + " = " + type + " all-gather(%" + operand +
           "), channel_id=1, replica_groups=[2,4]<=[8], dimensions={0}, use_global_device_ids=true\n";
  };
  const std::string row = "  %c = f32[8,1]{1,0} slice(%a), slice={[0:8], [0:1]}\n  %row = f32[8]{0} reshape(%c)\n";
  CHECK(tpu(kArguments + row + "  ROOT" + gathered("g", "f32[32]{0}", "row").substr(1)) ==
        "all-reduce f32[32] 0,1,2,3|4,5,6,7\n");
  CHECK(tpu(kArguments + gathered("g", "f32[32,16]{1,0}", "a") + gathered("k", "f32[32,16]{1,0}", "b") +
            "  ROOT %t = (f32[32,16]{1,0}, f32[32,16]{1,0}) tuple(%g, %k)\n") ==
        "all-gather f32[32,16] 0,1,2,3|4,5,6,7\nall-gather f32[32,16] 0,1,2,3|4,5,6,7\n");
}

// A loop of six iterations over (counter, carried f32[N,4]); `lines` make %out from %x = what is carried.
std::string in_loop(Backend backend, const std::string& type, const std::string& lines) {
  const std::string state = "(s32[], " + type + ")";
  const std::string loop =
      "%body (s: " + state + ") -> " + state + " {\n  %s = " + state + " parameter(0)\n" +
      "  %i = s32[] get-tuple-element(%s), index=0\n  %x = " + type + " get-tuple-element(%s), index=1\n" +
      "  %zero = s32[] constant(0)\n  %one = s32[] constant(1)\n  %five = s32[] constant(5)\n" +
      "  %j = s32[] add(%i, %one)\n  %f = f32[] convert(%i)\n  %part = f32[1,4]{1,0} broadcast(%f), dimensions={}\n" +
      reduced("r", "f32[1,4]{1,0}", "part", "[2,4]<=[8]") + lines + "  ROOT %t = " + state + " tuple(%j, %out)\n}\n\n" +
      "%cond (s: " + state + ") -> pred[] {\n  %s = " + state + " parameter(0)\n" +
      "  %i = s32[] get-tuple-element(%s), index=0\n  %n = s32[] constant(6)\n" +
      "  ROOT %lt = pred[] compare(%i, %n), direction=LT\n}\n\n";
  const std::string entry = "  %start = " + type + " parameter(0)\n  %z = s32[] constant(0)\n  %init = " + state +
                            " tuple(%z, %start)\n  %w = " + state + " while(%init), condition=%cond, body=%body\n" +
                            "  ROOT %last = " + type + " get-tuple-element(%w), index=1\n";
  return collectives_after(backend, partitioned_module(entry, loop));
}

TEST_CASE("backend: a sum leaves its loop, a value that is read in it does not", "[backend]") {
  const std::string once = "all-reduce f32[1,4] 0,1,2,3|4,5,6,7\n", each = "all-reduce f32[1,4] 0,1,2,3|4,5,6,7 x6\n";
  for (const Backend backend : {Backend::xla_gpu, Backend::tpu}) {
    CHECK(in_loop(backend, "f32[1,4]{1,0}", "  %out = f32[1,4]{1,0} add(%x, %r)\n") == once);
    CHECK(in_loop(backend, "f32[1,4]{1,0}", "  %out = f32[1,4]{1,0} multiply(%x, %r)\n") == each);
    CHECK(in_loop(backend, "f32[1,4]{1,0}",
                  "  %q = f32[1,4]{1,0} negate(%x)\n  %p = f32[1,4]{1,0} add(%x, %r)\n"
                  "  %out = f32[1,4]{1,0} add(%p, %q)\n") == each);
  }
  CHECK(in_loop(Backend::xla_cpu, "f32[1,4]{1,0}", "  %out = f32[1,4]{1,0} add(%x, %r)\n") == each);
}

TEST_CASE("backend gpu: rows that a loop stacks are reduced together when they are few", "[backend]") {
  const auto stack = [](const std::string& row) {
    return "  %row = s32[] subtract(%five, %i)\n  %out = f32[6,4]{1,0} dynamic-update-slice(%x, %r, " + row +
           ", %zero)\n";
  };
  CHECK(in_loop(Backend::xla_gpu, "f32[6,4]{1,0}", stack("%i")) == "all-reduce f32[6,4] 0,1,2,3|4,5,6,7\n");
  CHECK(in_loop(Backend::xla_gpu, "f32[6,4]{1,0}", stack("%row")) == "all-reduce f32[6,4] 0,1,2,3|4,5,6,7\n");
  // Always the same row; not all rows; the TPU's compiler.
  CHECK(in_loop(Backend::xla_gpu, "f32[6,4]{1,0}", stack("%zero")) == "all-reduce f32[1,4] 0,1,2,3|4,5,6,7 x6\n");
  CHECK(
      in_loop(Backend::xla_gpu, "f32[7,4]{1,0}", "  %out = f32[7,4]{1,0} dynamic-update-slice(%x, %r, %i, %zero)\n") ==
      "all-reduce f32[1,4] 0,1,2,3|4,5,6,7 x6\n");
  CHECK(in_loop(Backend::tpu, "f32[6,4]{1,0}", stack("%i")) == "all-reduce f32[1,4] 0,1,2,3|4,5,6,7 x6\n");
}

}  // namespace
}  // namespace sw
