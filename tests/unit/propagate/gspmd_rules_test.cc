// Small programs with the answers that XLA gives, on the mesh x=2, y=4: (x,y) is {devices=[2,4]<=[8]}.
#include "support/gspmd.h"

using namespace sw;
using test::gspmd;

namespace {

const std::string kXY = "{devices=[2,4]<=[8]}";
const std::string kYX = "{devices=[4,2]<=[2,4]T(1,0)}";
const std::string kX = "{devices=[2,1,4]<=[8] last_tile_dim_replicate}";
const std::string kY = "{devices=[4,1,2]<=[2,4]T(1,0) last_tile_dim_replicate}";
const std::string k_X = "{devices=[1,2,4]<=[8] last_tile_dim_replicate}";
const std::string k_Y = "{devices=[1,4,2]<=[2,4]T(1,0) last_tile_dim_replicate}";
const std::string kAll = "{devices=[8,1]<=[8]}";
const std::string k_All = "{devices=[1,8]<=[8]}";
const std::string kWhole = "{replicated}";

// A module of one computation whose parameters are fixed and whose result is free.
std::string module(const std::string& body) {
  return "HloModule m, allow_spmd_sharding_propagation_to_output={true}, num_partitions=8\n\n"
         "%sum (a: f32[], b: f32[]) -> f32[] {\n  %a = f32[] parameter(0)\n  %b = f32[] parameter(1)\n"
         "  ROOT %c = f32[] add(%a, %b)\n}\n\nENTRY %main {\n" +
         body + "}\n";
}

std::string param(int number, const std::string& shape, const std::string& sharding) {
  const std::string n = std::to_string(number);
  return "  %p" + n + " = " + shape + " parameter(" + n + ")" + (sharding.empty() ? "" : ", sharding=" + sharding) +
         "\n";
}

// The result of one instruction on f32[64,32] with this sharding.
std::string unary(const std::string& sharding, const std::string& shape, const std::string& op) {
  return gspmd(module(param(0, "f32[64,32]", sharding) + "  %zero = f32[] constant(0)\n  ROOT %r = " + shape + " " +
                      op + "\n"))["r"];
}

std::string dot(const std::string& lhs, const std::string& rhs) {
  return gspmd(
      module(param(0, "f32[64,32]", lhs) + param(1, "f32[32,128]", rhs) +
             "  ROOT %r = f32[64,128] dot(%p0, %p1), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n"))["r"];
}

std::string add(const std::string& a, const std::string& b) {
  return gspmd(
      module(param(0, "f32[64,32]", a) + param(1, "f32[64,32]", b) + "  ROOT %r = f32[64,32] add(%p0, %p1)\n"))["r"];
}

}  // namespace

TEST_CASE("gspmd: products") {
  CHECK(dot(kX, k_Y) == kXY);
  CHECK(dot(kXY, kY) == kX);
  CHECK(dot(k_Y, kY) == kWhole);
  CHECK(dot(kXY, kWhole) == kX);
  CHECK(dot(kXY, kXY) == kXY);
  CHECK(dot(kXY, kYX) == k_X);  // both want x; the right operand has more bytes
  CHECK(dot(kAll, k_All) == k_All);
  CHECK(dot(k_X, kY) == kWhole);
  CHECK(dot(k_Y, k_X) == k_X);
}

TEST_CASE("gspmd: a batched product joins what both operands say") {
  const std::string body = param(0, "f32[8,64,32]", "{devices=[2,4,1]<=[8]}") +
                           param(1, "f32[8,32,16]", "{devices=[2,1,1,4]<=[8] last_tile_dim_replicate}") +
                           "  ROOT %r = f32[8,64,16] dot(%p0, %p1), lhs_batch_dims={0}, lhs_contracting_dims={2}, "
                           "rhs_batch_dims={0}, rhs_contracting_dims={1}\n";
  CHECK(gspmd(module(body))["r"] == "{devices=[2,4,1]<=[8]}");
}

TEST_CASE("gspmd: elementwise") {
  CHECK(add(kXY, kYX) == kXY);
  CHECK(add(kX, k_Y) == kXY);
  CHECK(add(kX, kXY) == kXY);
  CHECK(add(kWhole, kY) == kY);
}

TEST_CASE("gspmd: ops that rearrange") {
  CHECK(unary(kXY, "f32[16,64,32]", "broadcast(%p0), dimensions={1,2}") == "{devices=[1,2,4]<=[8]}");
  CHECK(unary(kXY, "f32[2048]", "reshape(%p0)") == "{devices=[2,4]<=[8] last_tile_dim_replicate}");
  CHECK(unary(kXY, "f32[32,64]", "transpose(%p0), dimensions={1,0}") == kYX);
  CHECK(unary(kXY, "f32[64,32]", "reverse(%p0), dimensions={0}") == "{devices=[2,4]4,5,6,7,0,1,2,3}");
  CHECK(unary(kXY, "f32[32,32]", "slice(%p0), slice={[8:40], [0:32]}") == kXY);
  CHECK(unary(kXY, "f32[68,32]", "pad(%p0, %zero), padding=2_2x0_0") == kXY);
  CHECK(unary(kXY, "f32[128,32]", "concatenate(%p0, %p0), dimensions={0}") == kXY);
  CHECK(unary(kXY, "f32[64]", "reduce(%p0, %zero), dimensions={1}, to_apply=%sum") ==
        "{devices=[2,4]<=[8] last_tile_dim_replicate}");
  CHECK(unary(kAll, "f32[32]", "reduce(%p0, %zero), dimensions={0}, to_apply=%sum") == kWhole);
}

TEST_CASE("gspmd: a result that the caller cannot hold in equal tiles is replicated") {
  CHECK(unary(kXY, "f32[64,30]", "slice(%p0), slice={[0:64], [1:31]}") == kWhole);
}

TEST_CASE("gspmd: dynamic slices leave sliced dimensions whole") {
  const std::string index = "  %i = s32[] constant(0)\n";
  CHECK(gspmd(module(param(0, "f32[64,32]", kXY) + index +
                     "  ROOT %r = f32[8,32] dynamic-slice(%p0, %i, %i), dynamic_slice_sizes={8,32}\n"))["r"] == k_Y);
  CHECK(gspmd(module(param(0, "f32[64,32]", kXY) + param(1, "f32[8,32]", k_Y) + index +
                     "  ROOT %r = f32[64,32] dynamic-update-slice(%p0, %p1, %i, %i)\n"))["r"] == kXY);
}

TEST_CASE("gspmd: gather and scatter") {
  const auto take = [](const std::string& table, const std::string& indices) {
    return gspmd(module(param(0, "f32[128,32]", table) + param(1, "s32[16,1]", indices) +
                        "  ROOT %r = f32[16,32] gather(%p0, %p1), offset_dims={1}, collapsed_slice_dims={0}, "
                        "start_index_map={0}, index_vector_dim=1, slice_sizes={1,32}\n"))["r"];
  };
  CHECK(take(kXY, kWhole) == k_Y);
  CHECK(take(kWhole, kX) == kX);
  CHECK(take(kAll, kWhole) == kWhole);
  CHECK(take(kY, kX) == kX);
  const std::string body =
      param(0, "f32[128,32]", kXY) + param(1, "s32[16,1]", kWhole) + param(2, "f32[16,32]", k_Y) +
      "  ROOT %r = f32[128,32] scatter(%p0, %p1, %p2), update_window_dims={1}, "
      "inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=%sum\n";
  CHECK(gspmd(module(body))["r"] == kXY);
}

TEST_CASE("gspmd: an iota among the indices makes their dimension parallel") {
  const std::string body = param(0, "f32[16,32]", kX) +
                           "  %i = s32[16,1] iota(), iota_dimension=0\n"
                           "  ROOT %r = f32[16,32] gather(%p0, %i), offset_dims={1}, collapsed_slice_dims={0}, "
                           "start_index_map={0}, index_vector_dim=1, slice_sizes={1,32}\n";
  const test::Propagated answer = gspmd(module(body));
  CHECK(answer["r"] == kX);
  CHECK(answer["i"] == kX);
}

TEST_CASE("gspmd: convolutions") {
  const auto conv = [](const std::string& x, const std::string& w) {
    return gspmd(module(param(0, "f32[16,32,32,8]", x) + param(1, "f32[3,3,8,16]", w) +
                        "  ROOT %r = f32[16,32,32,16] convolution(%p0, %p1), window={size=3x3 pad=1_1x1_1}, "
                        "dim_labels=b01f_01io->b01f\n"))["r"];
  };
  const std::string batch = "{devices=[2,1,1,1,4]<=[8] last_tile_dim_replicate}";
  CHECK(conv(batch, "{devices=[1,1,1,4,2]<=[2,4]T(1,0) last_tile_dim_replicate}") == "{devices=[2,1,1,4]<=[8]}");
  const std::string rows = "{devices=[1,4,1,1,2]<=[2,4]T(1,0) last_tile_dim_replicate}";
  CHECK(conv(rows, kWhole) == rows);
  CHECK(conv("{devices=[1,1,1,4,2]<=[2,4]T(1,0) last_tile_dim_replicate}",
             "{devices=[1,1,4,1,2]<=[2,4]T(1,0) last_tile_dim_replicate}") == kWhole);
}

TEST_CASE("gspmd: sorting along a tiled dimension needs another one to move the tiles to") {
  const std::string less =
      "HloModule m, allow_spmd_sharding_propagation_to_output={true}, num_partitions=8\n\n"
      "%less (a: f32[], b: f32[]) -> pred[] {\n  %a = f32[] parameter(0)\n  %b = f32[] parameter(1)\n"
      "  ROOT %c = pred[] compare(%a, %b), direction=LT\n}\n\nENTRY %main {\n";
  const auto sort = [&](const std::string& shape, const std::string& sharding, const std::string& dim) {
    return gspmd(less + param(0, shape, sharding) + "  ROOT %r = " + shape + " sort(%p0), dimensions={" + dim +
                 "}, to_apply=%less\n}\n")["r"];
  };
  CHECK(sort("f32[64,32]", kXY, "1") == kXY);
  CHECK(sort("f32[2,32]", k_Y, "1") == "none");
}
