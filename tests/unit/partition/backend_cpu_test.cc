#include "unit/partition/backend_reading.h"

namespace sw {
namespace {

using test::collectives_after;
using test::partitioned_module;

std::string cpu(const std::string& lines) { return collectives_after(Backend::xla_cpu, partitioned_module(lines)); }

const std::string kArguments =
    "  %a = f32[8]{0} parameter(0)\n  %b = f32[4]{0} parameter(1)\n  %h = bf16[8]{0} parameter(2)\n";

std::string all_reduce(const std::string& name, const std::string& type, const std::string& operand, int channel,
                       const std::string& groups = "[2,4]<=[8]", const std::string& reduction = "add") {
  return "  %" + name + " = " + type + " all-reduce(%" + operand + "), channel_id=" + std::to_string(channel) +
         ", replica_groups=" + groups + ", use_global_device_ids=true, to_apply=%" + reduction + "\n";
}

TEST_CASE("backend cpu: independent all-reduces over the same groups are merged", "[backend]") {
  const std::string both = all_reduce("r", "f32[8]{0}", "a", 1) +
                           all_reduce("s", "f32[4]{0}", "b", 2, "{{0,1,2,3},{4,5,6,7}}") +
                           "  ROOT %t = (f32[8]{0}, f32[4]{0}) tuple(%r, %s)\n";
  CHECK(cpu(kArguments + both) == "all-reduce (f32[8], f32[4]) 0,1,2,3|4,5,6,7\n");
  CHECK(collectives_after(Backend::none, partitioned_module(kArguments + both)) ==
        "all-reduce f32[8] 0,1,2,3|4,5,6,7\nall-reduce f32[4] 0,1,2,3|4,5,6,7\n");
}

TEST_CASE("backend cpu: other groups, reductions and element types keep all-reduces apart", "[backend]") {
  const std::string root = "  ROOT %t = (f32[8]{0}, f32[8]{0}) tuple(%r, %s)\n";
  const std::string first = all_reduce("r", "f32[8]{0}", "a", 1);
  CHECK(cpu(kArguments + first + all_reduce("s", "f32[8]{0}", "a", 2, "[4,2]<=[2,4]T(1,0)") + root) ==
        "all-reduce f32[8] 0,1,2,3|4,5,6,7\nall-reduce f32[8] 0,4|1,5|2,6|3,7\n");
  CHECK(cpu(kArguments + first + all_reduce("s", "f32[8]{0}", "a", 2, "[2,4]<=[8]", "max") + root) ==
        "all-reduce f32[8] 0,1,2,3|4,5,6,7\nall-reduce f32[8] 0,1,2,3|4,5,6,7\n");
}

TEST_CASE("backend cpu: a set ends at the first all-reduce that depends on it", "[backend]") {
  // %d would still fit into the first set, but stands behind %c, which needs %r.
  CHECK(cpu(kArguments + all_reduce("r", "f32[8]{0}", "a", 1) + all_reduce("s", "f32[4]{0}", "b", 2) +
            "  %n = f32[8]{0} negate(%r)\n" + all_reduce("c", "f32[8]{0}", "n", 3) + "  %m = f32[4]{0} negate(%b)\n" +
            all_reduce("d", "f32[4]{0}", "m", 4) +
            "  ROOT %t = (f32[4]{0}, f32[8]{0}, f32[4]{0}) tuple(%s, %c, %d)\n") ==
        "all-reduce (f32[4], f32[8]) 0,1,2,3|4,5,6,7\nall-reduce (f32[8], f32[4]) 0,1,2,3|4,5,6,7\n");
}

TEST_CASE("backend cpu: bf16 is reduced in f32, and merged with what is f32 already", "[backend]") {
  CHECK(cpu(kArguments + all_reduce("r", "bf16[8]{0}", "h", 1, "[2,4]<=[8]", "add16") +
            all_reduce("s", "f32[8]{0}", "a", 2) + "  ROOT %t = (bf16[8]{0}, f32[8]{0}) tuple(%r, %s)\n") ==
        "all-reduce (f32[8], f32[8]) 0,1,2,3|4,5,6,7\n");
}

TEST_CASE("backend cpu: all collectives of bf16 are done in f32", "[backend]") {
  CHECK(cpu(kArguments + "  ROOT %g = bf16[32]{0} all-gather(%h), channel_id=1, replica_groups=[2,4]<=[8], "
                         "dimensions={0}, use_global_device_ids=true\n") == "all-gather f32[32] 0,1,2,3|4,5,6,7\n");
}

TEST_CASE("backend cpu: what is the same constant everywhere is not sent", "[backend]") {
  const std::string one = "  %one = f32[] constant(1)\n  %o = f32[8]{0} broadcast(%one), dimensions={}\n";
  CHECK(cpu(kArguments + one +
            "  ROOT %g = f32[32]{0} all-gather(%o), channel_id=1, replica_groups=[2,4]<=[8], dimensions={0}, "
            "use_global_device_ids=true\n") == "");
  CHECK(cpu(kArguments + one +
            "  %w = f32[8]{0} all-reduce(%o), channel_id=1, replica_groups=[2,4]<=[8], "
            "use_global_device_ids=true, to_apply=%add\n  ROOT %n = f32[8]{0} negate(%w)\n") == "");
  CHECK(cpu(kArguments + "  %one = f32[] constant(1)\n  %p = f32[8]{0} add(%a, %a)\n" +
            all_reduce("r", "f32[8]{0}", "p", 1) + "  ROOT %n = f32[8]{0} negate(%r)\n") ==
        "all-reduce f32[8] 0,1,2,3|4,5,6,7\n");
}

TEST_CASE("backend cpu: integers that are computed from constants are constants", "[backend]") {
  const std::string zeros =
      "  %zero = s32[] constant(0)\n  %two = s32[] constant(2)\n"
      "  %z = s32[8]{0} broadcast(%zero), dimensions={}\n"
      "  %t = s32[8]{0} broadcast(%two), dimensions={}\n"
      "  %below = pred[8]{0} compare(%z, %z), direction=LT\n  %sum = s32[8]{0} add(%z, %t)\n"
      "  %index = s32[8]{0} select(%below, %sum, %z)\n";
  const std::string gather =
      " all-gather(%index), channel_id=1, replica_groups=[2,4]<=[8], dimensions={0}, "
      "use_global_device_ids=true\n";
  CHECK(cpu(kArguments + zeros + "  ROOT %g = s32[32]{0}" + gather) == "");
  CHECK(cpu(kArguments + "  %c = s32[8]{0} convert(%a)\n" + zeros +
            "  %index2 = s32[8]{0} add(%index, %c)\n"
            "  ROOT %g = s32[32]{0} all-gather(%index2), channel_id=1, replica_groups=[2,4]<=[8], dimensions={0}, "
            "use_global_device_ids=true\n") == "all-gather s32[32] 0,1,2,3|4,5,6,7\n");
}

TEST_CASE("backend cpu: collectives in a loop are merged there and keep its count", "[backend]") {
  const std::string loop =
      "%body (s: (s32[], f32[8], f32[8])) -> (s32[], f32[8], f32[8]) {\n"
      "  %s = (s32[], f32[8]{0}, f32[8]{0}) parameter(0)\n"
      "  %i = s32[] get-tuple-element(%s), index=0\n  %u = f32[8]{0} get-tuple-element(%s), index=1\n"
      "  %v = f32[8]{0} get-tuple-element(%s), index=2\n" +
      all_reduce("ur", "f32[8]{0}", "u", 1) + all_reduce("vr", "f32[8]{0}", "v", 2) +
      "  %k = s32[] constant(1)\n  %j = s32[] add(%i, %k)\n"
      "  ROOT %out = (s32[], f32[8]{0}, f32[8]{0}) tuple(%j, %ur, %vr)\n}\n\n"
      "%cond (s: (s32[], f32[8], f32[8])) -> pred[] {\n"
      "  %s = (s32[], f32[8]{0}, f32[8]{0}) parameter(0)\n  %i = s32[] get-tuple-element(%s), index=0\n"
      "  %n = s32[] constant(6)\n  ROOT %lt = pred[] compare(%i, %n), direction=LT\n}\n\n";
  const std::string lines = kArguments +
                            "  %z = s32[] constant(0)\n  %init = (s32[], f32[8]{0}, f32[8]{0}) tuple(%z, %a, %a)\n"
                            "  ROOT %w = (s32[], f32[8]{0}, f32[8]{0}) while(%init), condition=%cond, body=%body\n";
  CHECK(collectives_after(Backend::xla_cpu, partitioned_module(lines, loop)) ==
        "all-reduce (f32[8], f32[8]) 0,1,2,3|4,5,6,7 x6\n");
}

}  // namespace
}  // namespace sw
