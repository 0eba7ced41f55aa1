#include "unit/partition/backend_reading.h"

namespace sw {
namespace {

using test::collectives_after;
using test::partitioned_module;

std::string gpu(const std::string& lines, const std::string& computations = "") {
  return collectives_after(Backend::xla_gpu, partitioned_module(lines, computations));
}

std::string reduced(const std::string& name, const std::string& type, const std::string& operand,
                    const std::string& groups = "[2,4]<=[8]", const std::string& reduction = "add") {
  return "  %" + name + " = " + type + " all-reduce(%" + operand + "), channel_id=1, replica_groups=" + groups +
         ", use_global_device_ids=true, to_apply=%" + reduction + "\n";
}

std::string gathered(const std::string& name, const std::string& type, const std::string& operand, int dim) {
  return "  %" + name + " = " + type + " all-gather(%" + operand + "), channel_id=1, replica_groups=[2,4]<=[8], " +
         "dimensions={" + std::to_string(dim) + "}, use_global_device_ids=true\n";
}

const std::string kArguments =
    "  %a = f32[8,16]{1,0} parameter(0)\n  %b = f32[8,16]{1,0} parameter(1)\n  %h = bf16[8,16]{1,0} parameter(2)\n"
    "  %i = bf16[8,16]{1,0} parameter(3)\n  %z = s32[] constant(0)\n  %id = u32[] partition-id()\n";

// Device d of a group of four starts at 2 * (d % 4), looked up in two tables as XLA's partitioner does.
const std::string kOffset =
    "  %t1 = u32[8]{0} constant({0, 1, 2, 3, 0, 1, 2, 3})\n  %e1 = u32[1]{0} dynamic-slice(%t1, %id), "
    "dynamic_slice_sizes={1}\n  %s1 = u32[] reshape(%e1)\n  %t2 = s32[4]{0} constant({0, 2, 4, 6})\n"
    "  %e2 = s32[1]{0} dynamic-slice(%t2, %s1), dynamic_slice_sizes={1}\n  %o = s32[] reshape(%e2)\n";

TEST_CASE("backend gpu: an all-reduce of an all-reduce becomes one over both groups", "[backend]") {
  const std::string first = reduced("r", "f32[8,16]{1,0}", "a");
  CHECK(gpu(kArguments + first + "  ROOT" + reduced("s", "f32[8,16]{1,0}", "r", "[4,2]<=[2,4]T(1,0)").substr(1)) ==
        "all-reduce f32[8,16] 0,1,2,3,4,5,6,7\n");
  // Twice over the same groups counts everything four times; another reduction is another number.
  CHECK(gpu(kArguments + first + "  ROOT" + reduced("s", "f32[8,16]{1,0}", "r").substr(1)) ==
        "all-reduce f32[8,16] 0,1,2,3|4,5,6,7\nall-reduce f32[8,16] 0,1,2,3|4,5,6,7\n");
  CHECK(
      gpu(kArguments + first + "  ROOT" + reduced("s", "f32[8,16]{1,0}", "r", "[4,2]<=[2,4]T(1,0)", "max").substr(1)) ==
      "all-reduce f32[8,16] 0,1,2,3|4,5,6,7\nall-reduce f32[8,16] 0,4|1,5|2,6|3,7\n");
}

TEST_CASE("backend gpu: the sum of two all-reduces is the all-reduce of the sum", "[backend]") {
  const std::string both = reduced("r", "f32[8,16]{1,0}", "a") + reduced("s", "f32[8,16]{1,0}", "b");
  CHECK(gpu(kArguments + both + "  ROOT %n = f32[8,16]{1,0} add(%r, %s)\n") ==
        "all-reduce f32[8,16] 0,1,2,3|4,5,6,7\n");
  // The largest of two sums is no sum; what somebody else wants is needed anyway.
  CHECK(gpu(kArguments + both + "  ROOT %n = f32[8,16]{1,0} maximum(%r, %s)\n") ==
        "all-reduce (f32[8,16], f32[8,16]) 0,1,2,3|4,5,6,7\n");
  CHECK(gpu(kArguments + both +
            "  %n = f32[8,16]{1,0} add(%r, %s)\n"
            "  ROOT %t = (f32[8,16]{1,0}, f32[8,16]{1,0}) tuple(%n, %r)\n") ==
        "all-reduce (f32[8,16], f32[8,16]) 0,1,2,3|4,5,6,7\n");
}

TEST_CASE("backend: a collective that does the work of others keeps their causes", "[backend]") {
  const std::string lines = kArguments + reduced("r", "f32[8,16]{1,0}", "a") + reduced("s", "f32[8,16]{1,0}", "b") +
                            "  %n = f32[8,16]{1,0} add(%r, %s)\n  %c = f32[8,16]{1,0} multiply(%a, %b)\n" +
                            reduced("u", "f32[8,16]{1,0}", "c") +
                            "  ROOT %t = (f32[8,16]{1,0}, f32[8,16]{1,0}) tuple(%n, %u)\n";
  const auto causes = [&](Backend backend) {
    const LocalProgram local = test::after_backend(backend, partitioned_module(lines));
    std::vector<size_t> merged;
    for (const Collective& c : local.collectives) merged.push_back(c.also.size());
    return merged;
  };
  CHECK(causes(Backend::none) == std::vector<size_t>{0, 0, 0});
  CHECK(causes(Backend::xla_cpu) == std::vector<size_t>{2});
  CHECK(causes(Backend::xla_gpu) == std::vector<size_t>{2});
}

TEST_CASE("backend gpu: sums of bf16 that are added in f32 are reduced in f32", "[backend]") {
  CHECK(gpu(kArguments + reduced("r", "bf16[8,16]{1,0}", "h", "[2,4]<=[8]", "add16") +
            reduced("s", "bf16[8,16]{1,0}", "i", "[2,4]<=[8]", "add16") +
            "  %c = f32[8,16]{1,0} convert(%r)\n  %d = f32[8,16]{1,0} convert(%s)\n"
            "  ROOT %n = f32[8,16]{1,0} add(%c, %d)\n") == "all-reduce f32[8,16] 0,1,2,3|4,5,6,7\n");
}

TEST_CASE("backend gpu: an all-reduce of which each device keeps its piece is a reduce-scatter", "[backend]") {
  const std::string cut = "  ROOT %k = f32[2,16]{1,0} dynamic-slice(%r, %o, %z), dynamic_slice_sizes={2,16}\n";
  CHECK(gpu(kArguments + kOffset + reduced("r", "f32[8,16]{1,0}", "a") + cut) ==
        "reduce-scatter f32[2,16] 0,1,2,3|4,5,6,7\n");
  // Members in another order would get one another's pieces.
  CHECK(gpu(kArguments + kOffset + reduced("r", "f32[8,16]{1,0}", "a", "{{1,0,2,3},{5,4,6,7}}") + cut) ==
        "all-reduce f32[8,16] 1,0,2,3|5,4,6,7\n");
  // By arithmetic instead of tables.
  CHECK(gpu(kArguments +
            "  %four = u32[] constant(4)\n  %m = u32[] remainder(%id, %four)\n  %c = s32[] convert(%m)\n"
            "  %two = s32[] constant(2)\n  %o = s32[] multiply(%c, %two)\n" +
            reduced("r", "f32[8,16]{1,0}", "a") + cut) == "reduce-scatter f32[2,16] 0,1,2,3|4,5,6,7\n");
  // Behind a reshape that leaves the dimension alone.
  CHECK(gpu(kArguments + kOffset + reduced("r", "f32[8,16]{1,0}", "a") +
            "  %v = f32[8,4,4]{2,1,0} reshape(%r)\n"
            "  ROOT %k = f32[2,4,4]{2,1,0} dynamic-slice(%v, %o, %z, %z), dynamic_slice_sizes={2,4,4}\n") ==
        "reduce-scatter f32[2,16] 0,1,2,3|4,5,6,7\n");
}

TEST_CASE("backend gpu: an all-reduce over too many devices is split when its parts are there already", "[backend]") {
  const std::string wide = reduced("r", "f32[8,16]{1,0}", "a", "[1,8]<=[8]") +
                           "  %k = f32[2,16]{1,0} dynamic-slice(%r, %o, %z), dynamic_slice_sizes={2,16}\n";
  CHECK(gpu(kArguments + kOffset + wide + "  ROOT %n = f32[2,16]{1,0} negate(%k)\n") ==
        "all-reduce f32[8,16] 0,1,2,3,4,5,6,7\n");
  CHECK(gpu(kArguments + kOffset + wide + reduced("other", "f32[8,16]{1,0}", "b") +
            "  ROOT %t = (f32[2,16]{1,0}, f32[8,16]{1,0}) tuple(%k, %other)\n") ==
        "reduce-scatter f32[2,16] 0,1,2,3|4,5,6,7\nall-reduce f32[2,16] 0,4|1,5|2,6|3,7\n"
        "all-reduce f32[8,16] 0,1,2,3|4,5,6,7\n");
}

TEST_CASE("backend gpu: a device that cuts its own piece out of an all-gather has it already", "[backend]") {
  CHECK(gpu(kArguments + kOffset + "  %p = f32[2,16]{1,0} slice(%a), slice={[0:2], [0:16]}\n" +
            gathered("g", "f32[8,16]{1,0}", "p", 0) +
            "  ROOT %k = f32[2,16]{1,0} dynamic-slice(%g, %o, %z), dynamic_slice_sizes={2,16}\n") == "");
}

TEST_CASE("backend gpu: all-gathers that are added up are one of the sum", "[backend]") {
  CHECK(gpu(kArguments + gathered("g", "f32[32,16]{1,0}", "a", 0) + gathered("k", "f32[32,16]{1,0}", "b", 0) +
            "  ROOT %n = f32[32,16]{1,0} add(%g, %k)\n") == "all-gather f32[32,16] 0,1,2,3|4,5,6,7\n");
}

TEST_CASE("backend gpu: what is broadcast is gathered before", "[backend]") {
  const std::string row = "  %row = f32[8]{0} reshape(%c)\n";
  const std::string c = "  %c = f32[8,1]{1,0} slice(%a), slice={[0:8], [0:1]}\n";
  CHECK(gpu(kArguments + c + row + "  %w = f32[8,5]{1,0} broadcast(%row), dimensions={0}\n  ROOT" +
            gathered("g", "f32[32,5]{1,0}", "w", 0).substr(1)) == "all-gather f32[32] 0,1,2,3|4,5,6,7\n");
  CHECK(gpu(kArguments + c + row + "  %w = f32[8,5,3]{2,1,0} broadcast(%row), dimensions={0}\n  ROOT" +
            gathered("g", "f32[8,20,3]{2,1,0}", "w", 1).substr(1)) == "all-gather f32[4,8] 0,1,2,3|4,5,6,7\n");
}

TEST_CASE("backend gpu: collectives are merged up to 30 MiB", "[backend]") {
  const std::string sizes =
      "  %a = f32[4194304]{0} parameter(0)\n  %b = f32[3145728]{0} parameter(1)\n  %c = f32[1048576]{0} parameter(2)\n"
      "  %d = f32[8388608]{0} parameter(3)\n";
  CHECK(gpu(sizes + reduced("ra", "f32[4194304]{0}", "a") + reduced("rb", "f32[3145728]{0}", "b") +
            reduced("rc", "f32[1048576]{0}", "c") + reduced("rd", "f32[8388608]{0}", "d") +
            "  ROOT %t = (f32[4194304]{0}, f32[3145728]{0}, f32[1048576]{0}, f32[8388608]{0}) tuple(%ra, %rb, %rc, "
            "%rd)\n") ==
        "all-reduce (f32[4194304], f32[3145728]) 0,1,2,3|4,5,6,7\nall-reduce f32[1048576] 0,1,2,3|4,5,6,7\n"
        "all-reduce f32[8388608] 0,1,2,3|4,5,6,7\n");
}

TEST_CASE("backend gpu: all-gathers of other types and dimensions go together, permutes of the same pairs",
          "[backend]") {
  CHECK(gpu(kArguments + gathered("g", "f32[32,16]{1,0}", "a", 0) + gathered("k", "bf16[8,64]{1,0}", "h", 1) +
            "  ROOT %t = (f32[32,16]{1,0}, bf16[8,64]{1,0}) tuple(%g, %k)\n") ==
        "all-gather (f32[32,16], bf16[8,64]) 0,1,2,3|4,5,6,7\n");
  CHECK(gpu(kArguments +
            "  %p = f32[8,16]{1,0} collective-permute(%a), channel_id=1, source_target_pairs={{0,1},{1,0}}\n"
            "  %q = f32[8,16]{1,0} collective-permute(%b), channel_id=2, source_target_pairs={{0,1},{1,0}}\n"
            "  ROOT %t = (f32[8,16]{1,0}, f32[8,16]{1,0}) tuple(%p, %q)\n") ==
        "collective-permute (f32[8,16], f32[8,16]) 0>1 1>0\n");
}

TEST_CASE("backend gpu: calls are written out, so that both sides of them are seen", "[backend]") {
  const std::string called = "%psum (x: f32[8,16]) -> f32[8,16] {\n  %x = f32[8,16]{1,0} parameter(0)\n  ROOT" +
                             reduced("p", "f32[8,16]{1,0}", "x").substr(1) + "}\n\n";
  CHECK(gpu(kArguments + kOffset +
                "  %r = f32[8,16]{1,0} call(%a), to_apply=%psum\n  %w = f32[8,16]{1,0} copy(%r)\n"
                "  ROOT %k = f32[2,16]{1,0} dynamic-slice(%w, %o, %z), dynamic_slice_sizes={2,16}\n",
            called) == "reduce-scatter f32[2,16] 0,1,2,3|4,5,6,7\n");
}

TEST_CASE("backend gpu: a conditional whose branch is known is written out too", "[backend]") {
  const auto branch = [](const std::string& name, const std::string& groups) {
    return "%" + name + " (x: f32[8,16]) -> f32[8,16] {\n  %x = f32[8,16]{1,0} parameter(0)\n  ROOT" +
           reduced("p", "f32[8,16]{1,0}", "x", groups).substr(1) + "}\n\n";
  };
  const std::string branches = branch("rows", "[2,4]<=[8]") + branch("columns", "[4,2]<=[2,4]T(1,0)");
  const auto chosen = [&](const std::string& which) {
    return gpu(kArguments + "  %k = s32[] constant(" + which +
                   ")\n  %r = f32[8,16]{1,0} conditional(%k, %a, %b), "
                   "branch_computations={%rows, %columns}\n  ROOT" +
                   reduced("s", "f32[8,16]{1,0}", "r").substr(1),
               branches);
  };
  CHECK(chosen("1") == "all-reduce f32[8,16] 0,1,2,3,4,5,6,7\n");
  CHECK(chosen("7") == "all-reduce f32[8,16] 0,1,2,3,4,5,6,7\n");
  CHECK(chosen("0") == "all-reduce f32[8,16] 0,1,2,3|4,5,6,7\nall-reduce f32[8,16] 0,1,2,3|4,5,6,7\n");
}

TEST_CASE("backend gpu: groups of one device, and what is the same whatever was selected, are nothing to do",
          "[backend]") {
  CHECK(gpu(kArguments + "  ROOT" + reduced("r", "f32[8,16]{1,0}", "a", "[8,1]<=[8]").substr(1)) == "");
  CHECK(gpu(kArguments +
            "  %zero = f32[] constant(0)\n  %w = f32[8,16]{1,0} broadcast(%zero), dimensions={}\n"
            "  %c = pred[8,16]{1,0} compare(%a, %b), direction=LT\n  %s = f32[8,16]{1,0} select(%c, %w, %w)\n  ROOT" +
            reduced("r", "f32[8,16]{1,0}", "s").substr(1)) == "");
}

}  // namespace
}  // namespace sw
