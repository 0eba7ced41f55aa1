#include "memory/profile.h"

#include <map>

#include "memory/interval_index.h"
#include "support/hlo_text.h"

namespace sw {
namespace {

MemoryProfile profile(const std::string& text, MemoryTarget target = MemoryTarget::h100) {
  Diagnostics diagnostics;
  Result<MemoryProfile> result = profile_memory(hlo_graph(text), {target}, diagnostics);
  REQUIRE(result.has_value());
  return std::move(*result);
}

std::string scheduled(const std::string& computations, const std::string& entry) {
  return "HloModule m, is_scheduled=true\n\n" + computations + "ENTRY main {\n" + entry + "}\n";
}

const std::string kCall = ", custom_call_target=\"f\"\n";

TEST_CASE("memory: arrays that live at different times share storage", "[memory]") {
  const MemoryProfile m = profile(scheduled(
      "", "  p = f32[256] parameter(0)\n  a = f32[256] custom-call(p)" + kCall + "  b = f32[256] custom-call(a)" +
              kCall + "  c = f32[256] custom-call(b)" + kCall + "  ROOT d = f32[64] custom-call(c)" + kCall));
  CHECK(m.argument == 1024);
  CHECK(m.output == 256);
  CHECK(m.temp == 2048);
  CHECK(m.peak == 1024 + 256 + 2048);
  CHECK(m.curve.size() == 5);
}

TEST_CASE("memory: an elementwise op writes over the operand that dies, a copy does not", "[memory]") {
  const std::string head = "  p = f32[256] parameter(0)\n  a = f32[256] custom-call(p)" + kCall;
  const std::string tail = "  ROOT d = f32[64] custom-call(b)" + kCall;
  CHECK(profile(scheduled("", head + "  b = f32[256] negate(a)\n" + tail)).temp == 1024);
  CHECK(profile(scheduled("", head + "  b = f32[256] copy(a)\n" + tail)).temp == 2048);
}

TEST_CASE("memory: a kernel writes over an operand that it reads element by element", "[memory]") {
  const auto with = [](const std::string& inside) {
    return profile(scheduled("k {\n  x = f32[16,16] parameter(0)\n" + inside + "}\n\n",
                             "  p = f32[16,16] parameter(0)\n  a = f32[16,16] custom-call(p)" + kCall +
                                 "  b = f32[16,16] fusion(a), kind=kLoop, calls=k\n  ROOT d = f32[64] custom-call(b)" +
                                 kCall))
        .temp;
  };
  CHECK(with("  ROOT y = f32[16,16] exponential(x)\n") == 1024);
  CHECK(with("  t = f32[16,16] transpose(x), dimensions={1,0}\n  ROOT y = f32[16,16] add(x, t)\n") == 2048);
}

TEST_CASE("memory: a temporary lies in a result that is not written yet", "[memory]") {
  const MemoryProfile m =
      profile(scheduled("", "  p = f32[256] parameter(0)\n  a = f32[128] custom-call(p)" + kCall +
                                "  b = f32[64] custom-call(a)" + kCall + "  ROOT d = f32[256] custom-call(b)" + kCall));
  // a is done with when d is made; b is read by it and lies in the heap.
  CHECK(m.temp == 256);
}

TEST_CASE("memory: starts and ends of asynchronous ops have tables of pointers", "[memory]") {
  const std::string groups = ", channel_id=1, replica_groups={{0,1}}, dimensions={0}, use_global_device_ids=true\n";
  const MemoryProfile one =
      profile(scheduled("", "  p = f32[256] parameter(0)\n  s = (f32[256], f32[512]) all-gather-start(p)" + groups +
                                "  d = f32[512] all-gather-done(s)\n  ROOT r = f32[64] custom-call(d)" + kCall));
  CHECK(one.temp == 256 + 2048);  // the table of s in front
  const MemoryProfile two = profile(
      scheduled("",
                "  p = f32[256] parameter(0)\n  q = f32[256] parameter(1)\n"
                "  s = ((f32[256], f32[256]), (f32[512], f32[512])) all-gather-start(p, q)" +
                    groups +
                    "  d = (f32[512], f32[512]) all-gather-done(s)\n  x = f32[512] get-tuple-element(d), index=0\n"
                    "  y = f32[512] get-tuple-element(d), index=1\n  ROOT r = f32[64] custom-call(x, y)" +
                    kCall));
  CHECK(two.temp == 4 * 256 + 4096);  // of s, of its two lists, of d
}

TEST_CASE("memory: the state of a loop is one buffer", "[memory]") {
  const MemoryProfile m = profile(scheduled(
      "body {\n  s = (s32[], f32[1024]) parameter(0)\n  i = s32[] get-tuple-element(s), index=0\n"
      "  x = f32[1024] get-tuple-element(s), index=1\n  one = s32[] constant(1)\n  n = s32[] add(i, one)\n"
      "  y = f32[1024] negate(x)\n  ROOT t = (s32[], f32[1024]) tuple(n, y)\n}\n\n"
      "condition {\n  s = (s32[], f32[1024]) parameter(0)\n  i = s32[] get-tuple-element(s), index=0\n"
      "  ten = s32[] constant(10)\n  ROOT c = pred[] compare(i, ten), direction=LT\n}\n\n",
      "  p = f32[1024] parameter(0)\n  zero = s32[] constant(0)\n  i = s32[] copy(zero)\n  x = f32[1024] copy(p)\n"
      "  t = (s32[], f32[1024]) tuple(i, x)\n  l = (s32[], f32[1024]) while(t), condition=condition, body=body\n"
      "  y = f32[1024] get-tuple-element(l), index=1\n  ROOT r = f32[1024] negate(y)\n"));
  // The state lies in the result: only the counter, the condition and the tables are left.
  CHECK(m.output == 4096);
  CHECK(m.temp < 2048);
}

TEST_CASE("memory: each branch of a conditional may use the storage of the result until it writes there", "[memory]") {
  const auto branch = [](const std::string& name) {
    return name + " {\n  x = f32[256] parameter(0)\n  a = f32[128] custom-call(x)" + kCall +
           "  b = f32[64] custom-call(a)" + kCall + "  ROOT d = f32[256] custom-call(b)" + kCall + "}\n\n";
  };
  const MemoryProfile m =
      profile(scheduled(branch("one") + branch("two") + branch("three"),
                        "  i = s32[] parameter(0)\n  p = f32[256] parameter(1)\n"
                        "  ROOT r = f32[256] conditional(i, p, p, p), branch_computations={one, two, three}\n"));
  CHECK(m.output == 1024);
  CHECK(m.temp == 256);  // b; a lies in the result
}

TEST_CASE("memory: partitioned programs are fused, ordered and copied first", "[memory]") {
  const MemoryProfile m = profile(
      "HloModule m, num_partitions=2\n\nENTRY main_spmd {\n  p = f32[256,256] parameter(0)\n  w = f32[256,256] "
      "parameter(1)\n"
      "  a = f32[256,256] dot(p, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n"
      "  b = f32[256,256] exponential(a)\n  c = f32[256,256] multiply(b, a)\n"
      "  d = f32[256,256] dot(c, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n  ROOT e = f32[256,256] "
      "negate(d)\n}\n");
  CHECK(m.argument == 2 * 262144);
  CHECK(m.output == 262144);
  // The first product lies in the result until the second is made; exp and multiply are one kernel that writes over it.
  CHECK(m.temp <= 262144);
  for (const MemoryBuffer& buffer : m.buffers) CHECK(buffer.bytes == buffer.unpadded);
}

TEST_CASE("memory: weights, the optimizer's state and the batch", "[memory]") {
  const MemoryProfile m = profile(
      "HloModule m, buffer_donor={ (0, {}), (1, {}) }, num_partitions=2\n\nENTRY main_spmd {\n"
      "  w = f32[256,256] parameter(0)\n  v = f32[256,256] parameter(1)\n  x = f32[64,256] parameter(2)\n"
      "  a = f32[64,256] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n"
      "  g = f32[256,256] dot(x, a), lhs_contracting_dims={0}, rhs_contracting_dims={0}\n"
      "  n = f32[256,256] add(v, g)\n  u = f32[256,256] subtract(w, n)\n"
      "  ROOT t = (f32[256,256], f32[256,256]) tuple(u, n)\n}\n");
  std::map<MemoryCategory, int64_t> bytes;
  for (const MemoryBuffer& buffer : m.buffers) bytes[buffer.category] += buffer.bytes;
  CHECK(bytes[MemoryCategory::parameter] == 262144);
  CHECK(bytes[MemoryCategory::optimizer_state] == 262144);
  CHECK(bytes[MemoryCategory::batch] == 65536);
  CHECK(m.alias == 2 * 262144);
}

TEST_CASE("interval index: finds what overlaps, once each", "[memory]") {
  IntervalIndex index(100);
  index.insert({0, 99, 0, 1});
  index.insert({10, 20, 1, 2});
  index.insert({21, 21, 2, 3});
  index.insert({63, 64, 3, 4});
  const auto found = [&](uint32_t begin, uint32_t end) {
    std::vector<int64_t> offsets;
    index.overlapping(begin, end, [&](const PlacedChunk& chunk) { offsets.push_back(chunk.offset); });
    std::sort(offsets.begin(), offsets.end());
    return offsets;
  };
  CHECK(found(20, 21) == std::vector<int64_t>{0, 1, 2});
  CHECK(found(22, 62) == std::vector<int64_t>{0});
  CHECK(found(64, 99) == std::vector<int64_t>{0, 3});
}

TEST_CASE("memory: on a TPU a product makes the maximum of each row too, and then shares its storage with nobody",
          "[memory]") {
  const std::string max =
      "max {\n  x = f32[] parameter(0)\n  y = f32[] parameter(1)\n  ROOT m = f32[] maximum(x, y)\n}\n\n";
  const std::string text = "HloModule m\n\n" + max +
                           "ENTRY main {\n"
                           "  a = f32[8192,64] parameter(0)\n"
                           "  b = f32[64,8192] parameter(1)\n"
                           "  low = f32[] constant(-inf)\n"
                           "  s = f32[8192,8192] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n"
                           "  top = f32[8192] reduce(s, low), dimensions={1}, to_apply=max\n"
                           "  tops = f32[8192,8192] broadcast(top), dimensions={0}\n"
                           "  less = f32[8192,8192] subtract(s, tops)\n"
                           "  p = f32[8192,8192] exponential(less)\n"
                           "  ROOT r = f32[8] custom-call(p)" +
                           kCall + "}\n";
  const int64_t array = int64_t{8192} * 8192 * 4;
  const int64_t temp = profile(text, MemoryTarget::tpu_v5p).temp;
  CHECK(temp >= 2 * array);
  CHECK(temp < 2 * array + array / 4);
}

}  // namespace
}  // namespace sw
