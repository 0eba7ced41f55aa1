// The first of the programs: arrays, sums, indices, windows, linear algebra. The others are in small_worlds_*.cc.
#include "property/small_worlds_text.h"

namespace sw::test {

namespace {

const std::string kPick =
    "pick {\n  a = s32[] parameter(0)\n  i = s32[] parameter(1)\n  b = s32[] parameter(2)\n  j = s32[] parameter(3)\n"
    "  gt = pred[] compare(a, b), direction=GT\n  eq = pred[] compare(a, b), direction=EQ\n"
    "  lo = pred[] compare(i, j), direction=LT\n  tie = pred[] and(eq, lo)\n  c = pred[] or(gt, tie)\n"
    "  v = s32[] select(c, a, b)\n  k = s32[] select(c, i, j)\n  ROOT t = (s32[], s32[]) tuple(v, k)\n}\n\n";
const std::string kLess =
    "less {\n  a = s32[] parameter(0)\n  b = s32[] parameter(1)\n  ROOT r = pred[] compare(a, b), direction=LT\n}\n\n";
const std::string kLessTwo =
    "less_two {\n  a = s32[] parameter(0)\n  b = s32[] parameter(1)\n  c = s32[] parameter(2)\n  d = s32[] "
    "parameter(3)\n"
    "  ROOT r = pred[] compare(a, b), direction=LT\n}\n\n";
const std::string kGreaterEqual =
    "ge {\n  x = s32[] parameter(0)\n  y = s32[] parameter(1)\n  ROOT s = pred[] compare(x, y), direction=GE\n}\n\n";

const std::string kZero = "  z = s32[] constant(0)\n";
const std::string kNine = "  z = s32[] constant(9)\n";

void add_shapes(Worlds& out) {
  out.push_back(op({"s32[5,3]"}, "s32[5,3]", "negate(p0)"));
  out.push_back(op({"s32[4,3]", "s32[4,3]"}, "s32[4,3]", "add(p0, p1)"));
  out.push_back(op({"s32[5]", "s32[5]"}, "pred[5]", "compare(p0, p1), direction=LT"));
  out.push_back(op({"pred[3,4]", "s32[3,4]", "s32[3,4]"}, "s32[3,4]", "select(p0, p1, p2)"));
  out.push_back(op({"s32[4,2]"}, "f32[4,2]", "convert(p0)"));
  out.push_back(op({"s32[4]"}, "s32[3,4]", "broadcast(p0), dimensions={1}"));
  out.push_back(op({"s32[5]"}, "s32[5,2]", "broadcast(p0), dimensions={0}"));
  out.push_back(op({"s32[2,3]"}, "s32[2,4,3]", "broadcast(p0), dimensions={0,2}"));
  out.push_back(op({}, "s32[5,4]", "iota(), iota_dimension=0"));
  out.push_back(op({}, "s32[3,5]", "iota(), iota_dimension=1"));
  for (const char* pair : {"4,3|12", "12|3,4", "6|2,3", "2,3,2|4,3", "4,4|2,8", "5,4|4,5", "4,3|3,4", "2,2,3|4,3",
                           "8,3|2,4,3", "4,1,3|4,3", "5,3|5,1,3", "1,4|4", "3,4|2,6"}) {
    const std::string text = pair;
    const size_t bar = text.find('|');
    out.push_back(op({"s32[" + text.substr(0, bar) + "]"}, "s32[" + text.substr(bar + 1) + "]", "reshape(p0)"));
  }
  out.push_back(op({"s32[5,4]"}, "s32[4,5]", "transpose(p0), dimensions={1,0}"));
  out.push_back(op({"s32[2,3,4]"}, "s32[4,2,3]", "transpose(p0), dimensions={2,0,1}"));
  for (const char* dims : {"0", "1", "0,1"})
    out.push_back(op({"s32[5,4]"}, "s32[5,4]", std::string("reverse(p0), dimensions={") + dims + "}"));
}

void add_slices(Worlds& out) {
  out.push_back(op({"s32[5,4]"}, "s32[3,4]", "slice(p0), slice={[1:4], [0:4]}"));
  out.push_back(op({"s32[5,4]"}, "s32[2,2]", "slice(p0), slice={[0:4:2], [2:4]}"));
  out.push_back(op({"s32[5,5]"}, "s32[2,4]", "slice(p0), slice={[1:5:3], [1:5]}"));
  out.push_back(op({"s32[4,4]"}, "s32[4,3]", "slice(p0), slice={[0:4], [0:3]}"));
  for (const char* padding : {"1_1x0_0", "0_2x1_0", "2_0x0_0", "0_1_1x0_0", "1_0_1x0_1", "-1_1x0_0", "0_-1x0_0"}) {
    const std::string text = padding;
    const std::string rows = text.substr(0, text.find('x'));
    const int64_t extent = rows == "1_1" || rows == "0_2" || rows == "2_0" ? 6
                           : rows == "0_1_1" || rows == "1_0_1"            ? 8
                           : rows == "-1_1"                                ? 4
                                                                           : 3;
    const std::string columns = text.substr(text.find('x') + 1);
    const int64_t width = columns == "0_0" ? 3 : 4;
    out.push_back(op({"s32[4,3]"}, "s32[" + std::to_string(extent) + "," + std::to_string(width) + "]",
                     "pad(p0, z), padding=" + text, kNine));
  }
  out.push_back(op({"s32[2,3]", "s32[3,3]"}, "s32[5,3]", "concatenate(p0, p1), dimensions={0}"));
  out.push_back(op({"s32[4,3]", "s32[4,1]"}, "s32[4,4]", "concatenate(p0, p1), dimensions={1}"));
  out.push_back(op({"s32[5,4]", "s32[]"}, "s32[2,4]", "dynamic-slice(p0, p1, z), dynamic_slice_sizes={2,4}", kZero));
  out.push_back(op({"s32[4,5]", "s32[]", "s32[]"}, "s32[2,3]", "dynamic-slice(p0, p1, p2), dynamic_slice_sizes={2,3}"));
  out.push_back(op({"s32[5,4]", "s32[2,4]", "s32[]"}, "s32[5,4]", "dynamic-update-slice(p0, p1, p2, z)", kZero));
  out.push_back(op({"s32[5,4]", "s32[1,4]"}, "s32[5,4]", "dynamic-update-slice(p0, p1, z, c)",
                   kZero + "  c = s32[] constant(0)\n"));
  out.push_back(op({"s32[4,3]", "s32[2,2]", "s32[]", "s32[]"}, "s32[4,3]", "dynamic-update-slice(p0, p1, p2, p3)"));
  out.push_back(op({"s32[5,4]", "s32[1,4]"}, "s32[5,4]", "dynamic-update-slice(p0, p1, z, c)",
                   kNine + "  c = s32[] constant(0)\n"));
}

void add_sums(Worlds& out) {
  for (const char* dims : {"0", "1", "0,1"}) {
    const std::string text = dims;
    const std::string kept = text == "0" ? "4" : text == "1" ? "5" : "";
    for (const char* kind : {"add", "max", "min"})
      out.push_back(op({"s32[5,4]"}, "s32[" + kept + "]",
                       "reduce(p0, z), dimensions={" + text + "}, to_apply=" + std::string(kind) + "_s32", kZero));
  }
  out.push_back(op({"s32[3,4,2]"}, "s32[3,2]", "reduce(p0, z), dimensions={1}, to_apply=add_s32", kNine));
  out.push_back(op({"pred[5,3]"}, "pred[3]", "reduce(p0, z), dimensions={0}, to_apply=or_pred",
                   "  z = pred[] constant(false)\n"));
  for (const char* dims : {"0", "1"})
    out.push_back(
        op({"s32[5,4]"}, std::string(dims) == "0" ? "(s32[4], s32[4])" : "(s32[5], s32[5])",
           std::string("reduce(p0, i, l, z), dimensions={") + dims + "}, to_apply=pick",
           std::string("  i = s32[5,4] iota(), iota_dimension=") + dims + "\n  l = s32[] constant(-9)\n" + kZero));
  out.push_back(
      op({"s32[5,4]", "s32[4,3]"}, "s32[5,3]", "dot(p0, p1), lhs_contracting_dims={1}, rhs_contracting_dims={0}"));
  out.push_back(
      op({"s32[3,5]", "s32[4,5]"}, "s32[3,4]", "dot(p0, p1), lhs_contracting_dims={1}, rhs_contracting_dims={1}"));
  out.push_back(
      op({"s32[2,3,4]", "s32[2,4,3]"}, "s32[2,3,3]",
         "dot(p0, p1), lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_contracting_dims={1}"));
  out.push_back(
      op({"s32[3,2,5]", "s32[5,3]"}, "s32[3,2]",
         "dot(p0, p1), lhs_batch_dims={0}, rhs_batch_dims={1}, lhs_contracting_dims={2}, rhs_contracting_dims={0}"));
  out.back().often = 20;
  out.push_back(op({"s32[4,3,2]", "s32[3,2,5]"}, "s32[4,5]",
                   "dot(p0, p1), lhs_contracting_dims={1,2}, rhs_contracting_dims={0,1}"));
  out.back().often = 20;
  out.push_back(
      op({"f32[4,4]", "f32[4,4]"}, "f32[4,4]", "dot(p0, p1), lhs_contracting_dims={1}, rhs_contracting_dims={0}"));
}

void add_indexed(Worlds& out) {
  out.push_back(
      op({"s32[5,3]", "s32[4]"}, "s32[4,3]",
         "gather(p0, p1), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, "
         "slice_sizes={1,3}"));
  out.push_back(
      op({"s32[4,5]", "s32[3,2]"}, "s32[3]",
         "gather(p0, p1), offset_dims={}, collapsed_slice_dims={0,1}, start_index_map={0,1}, index_vector_dim=1, "
         "slice_sizes={1,1}"));
  out.push_back(
      op({"s32[5,4]", "s32[2,1]"}, "s32[2,2,4]",
         "gather(p0, p1), offset_dims={1,2}, collapsed_slice_dims={}, start_index_map={0}, index_vector_dim=1, "
         "slice_sizes={2,4}"));
  out.push_back(
      op({"s32[3,5]", "s32[3,2,1]"}, "s32[3,2]",
         "gather(p0, p1), offset_dims={}, collapsed_slice_dims={1}, start_index_map={1}, operand_batching_dims={0}, "
         "start_indices_batching_dims={0}, index_vector_dim=2, slice_sizes={1,1}"));
  for (const char* kind : {"add_s32", "max_s32"})
    out.push_back(
        op({"s32[5,3]", "s32[4]", "s32[4,3]"}, "s32[5,3]",
           "scatter(p0, p1, p2), update_window_dims={1}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, "
           "index_vector_dim=1, to_apply=" +
               std::string(kind)));
  out.push_back(op({"s32[4,5]", "s32[3,2]", "s32[3]"}, "s32[4,5]",
                   "scatter(p0, p1, p2), update_window_dims={}, inserted_window_dims={0,1}, "
                   "scatter_dims_to_operand_dims={0,1}, index_vector_dim=1, to_apply=add_s32"));
  out.push_back(
      op({"s32[3,5]", "s32[3,2,1]", "s32[3,2]"}, "s32[3,5]",
         "scatter(p0, p1, p2), update_window_dims={}, inserted_window_dims={1}, scatter_dims_to_operand_dims={1}, "
         "input_batching_dims={0}, scatter_indices_batching_dims={0}, index_vector_dim=2, to_apply=add_s32"));
  for (const char* dim : {"0", "1"}) {
    out.push_back(op({"s32[5,4]"}, "s32[5,4]", std::string("sort(p0), dimensions={") + dim + "}, to_apply=less"));
    out.push_back(op({"s32[4,5]", "s32[4,5]"}, "(s32[4,5], s32[4,5])",
                     std::string("sort(p0, p1), dimensions={") + dim + "}, is_stable=true, to_apply=less_two"));
  }
}

void add_windows(Worlds& out) {
  const auto sum = [&](const std::string& shape, const std::string& result, const std::string& window) {
    out.push_back(op({"s32[" + shape + "]"}, "s32[" + result + "]",
                     "reduce-window(p0, z), window={" + window + "}, to_apply=add_s32", kZero));
  };
  sum("5,4", "4,4", "size=2x1");
  sum("5,4", "5,4", "size=3x1 pad=1_1x0_0");
  sum("5,4", "2,2", "size=2x2 stride=2x2");
  sum("4,4", "4,4", "size=2x3 pad=1_0x1_1");
  sum("5,3", "3,3", "size=3x1 stride=2x1 pad=1_1x0_0");
  sum("5,3", "3,3", "size=2x1 rhs_dilate=2x1");
  sum("3,4", "4,4", "size=2x1 lhs_dilate=2x1");
  out.push_back(op({"s32[4,4]", "s32[2,2]"}, "s32[4,4]",
                   "select-and-scatter(p0, p1, z), window={size=2x2 stride=2x2}, select=ge, scatter=add_s32", kZero));
  out.push_back(op({"s32[5,2]", "s32[5,2]"}, "s32[5,2]",
                   "select-and-scatter(p0, p1, z), window={size=3x1 pad=1_1x0_0}, select=ge, scatter=add_s32", kZero));
  const auto conv = [&](const std::string& a, const std::string& b, const std::string& r, const std::string& rest) {
    out.push_back(op({"s32[" + a + "]", "s32[" + b + "]"}, "s32[" + r + "]", "convolution(p0, p1), " + rest));
  };
  conv("2,3,5", "2,3,3", "2,2,5", "window={size=3 pad=1_1}, dim_labels=bf0_oi0->bf0");
  conv("2,2,5", "3,2,2", "2,3,2", "window={size=2 stride=2}, dim_labels=bf0_oi0->bf0");
  conv("3,4,2", "3,2,2", "3,4,2", "window={size=3 pad=1_1}, dim_labels=b0f_0io->b0f");
  conv("2,2,3", "2,2,2", "2,2,6", "window={size=2 pad=1_1 lhs_dilate=2}, dim_labels=bf0_oi0->bf0");
  conv("2,2,3", "2,2,1", "2,6,2", "window={size=1 pad=1_0 lhs_dilate=2}, dim_labels=fb0_io0->b0f");
  conv("2,2,5", "2,2,2", "2,2,3", "window={size=2 rhs_dilate=2}, dim_labels=bf0_oi0->bf0");
  conv("2,2,4", "2,2,3", "2,2,4", "window={size=3 pad=1_1 rhs_reversal=1}, dim_labels=bf0_oi0->bf0");
  conv("2,4,4", "4,2,3", "2,4,4", "window={size=3 pad=1_1}, dim_labels=bf0_oi0->bf0, feature_group_count=2");
  conv("4,2,3", "4,2,3", "2,4,1", "window={size=3}, dim_labels=bf0_oi0->bf0, batch_group_count=2");
}

void add_linear_algebra(Worlds& out) {
  out.push_back(op({"f32[4,3,3]"}, "f32[4,3,3]", "cholesky(p0), lower=true", "", WorldInputs::large_diagonal));
  out.push_back(op({"f32[2,3,3]", "f32[2,3,2]"}, "f32[2,3,2]",
                   "triangular-solve(p0, p1), left_side=true, lower=true, transpose_a=NO_TRANSPOSE"));
  out.push_back(op({"c64[3,4]"}, "c64[3,4]", "fft(p0), fft_type=FFT, fft_length={4}"));
  out.push_back(op({"s32[5,3]"}, "f32[5,3]", "bitcast-convert(p0)"));
  out.push_back(op({"s32[4,3]", "s32[4,3]", "s32[4,3]"}, "s32[4,3]", "clamp(p0, p1, p2)"));
}

}  // namespace

WorldProgram op(const std::vector<std::string>& shapes, const std::string& result, const std::string& call,
                const std::string& before, WorldInputs inputs) {
  std::string lines;
  for (size_t i = 0; i < shapes.size(); ++i)
    lines += "  p" + std::to_string(i) + " = " + shapes[i] + " parameter(" + std::to_string(i) + ")\n";
  return {lines + before + "  ROOT r = " + result + " " + call + "\n", inputs, "", 1};
}

std::string reducer(const std::string& name, const std::string& element, const std::string& op) {
  return name + " {\n  x = " + element + "[] parameter(0)\n  y = " + element +
         "[] parameter(1)\n  ROOT r = " + element + "[] " + op + "(x, y)\n}\n\n";
}

std::string world_module(const WorldProgram& program) {
  std::string text = "HloModule world\n\n";
  text += reducer("add_s32", "s32", "add") + reducer("max_s32", "s32", "maximum") +
          reducer("min_s32", "s32", "minimum") + reducer("or_pred", "pred", "or") + kPick + kLess + kLessTwo +
          kGreaterEqual;
  return text + program.computations + "ENTRY main {\n" + program.lines + "}\n";
}

const std::vector<WorldProgram>& world_programs() {
  static const Worlds programs = [] {
    Worlds out;
    for (const auto add :
         {add_shapes, add_slices, add_sums, add_indexed, add_windows, add_linear_algebra, add_pointwise, add_types,
          add_control, add_more_arrays, add_more_sums, add_more_indexed, add_more_windows, add_calls})
      add(out);
    return out;
  }();
  return programs;
}

}  // namespace sw::test
