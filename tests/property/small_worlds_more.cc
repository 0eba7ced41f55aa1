// More of the forms that ops with attributes have: products, convolutions, windows, indices, sorting, transforms.
#include "property/small_worlds_text.h"

namespace sw::test {

namespace {

constexpr const char* kZero = "  z = s32[] constant(0)\n";

void add_products(Worlds& out) {
  const auto dot = [&](const std::string& a, const std::string& b, const std::string& r, const std::string& rest) {
    out.push_back(op({a, b}, r, "dot(p0, p1), " + rest, "", WorldInputs::whole));
  };
  dot("s32[2,3,2,4]", "s32[2,2,4,3]", "s32[2,2,3,3]",
      "lhs_batch_dims={0,2}, lhs_contracting_dims={3}, rhs_batch_dims={0,1}, rhs_contracting_dims={2}");
  dot("s32[3,2,2]", "s32[2,3,2]", "s32[3,2]",
      "lhs_batch_dims={0,1}, lhs_contracting_dims={2}, rhs_batch_dims={1,0}, rhs_contracting_dims={2}");
  dot("s32[3]", "s32[4]", "s32[3,4]", "lhs_contracting_dims={}, rhs_contracting_dims={}");
  dot("s32[5]", "s32[5]", "s32[]", "lhs_contracting_dims={0}, rhs_contracting_dims={0}");
  dot("s32[4,5]", "s32[5]", "s32[4]", "lhs_contracting_dims={1}, rhs_contracting_dims={0}");
  dot("s8[3,4]", "s8[4,2]", "s32[3,2]", "lhs_contracting_dims={1}, rhs_contracting_dims={0}");
  dot("bf16[3,4]", "bf16[4,2]", "f32[3,2]", "lhs_contracting_dims={1}, rhs_contracting_dims={0}");
  dot("bf16[4,5]", "bf16[5,2]", "bf16[4,2]", "lhs_contracting_dims={1}, rhs_contracting_dims={0}");
  dot("f8e4m3fn[3,4]", "f8e5m2[4,2]", "f32[3,2]", "lhs_contracting_dims={1}, rhs_contracting_dims={0}");
  dot("c64[3,4]", "c64[4,2]", "c64[3,2]", "lhs_contracting_dims={1}, rhs_contracting_dims={0}");
}

void add_norms(Worlds& out) {
  const std::string how = ", epsilon=0.01, feature_index=";
  for (const char* feature : {"0", "1"}) {
    const std::string n = feature[0] == '0' ? "f32[4]" : "f32[3]", x = "f32[4,3]";
    out.push_back(
        op({x, n, n}, "(" + x + ", " + n + ", " + n + ")", "batch-norm-training(p0, p1, p2)" + how + feature));
    out.push_back(op({x, n, n, n, n}, x, "batch-norm-inference(p0, p1, p2, p3, p4)" + how + feature));
    out.push_back(op({x, n, n, n, x}, "(" + x + ", " + n + ", " + n + ")",
                     "batch-norm-grad(p0, p1, p2, p3, p4)" + how + feature));
  }
}

void add_solvers(Worlds& out) {
  out.push_back(op({"f32[3,3]"}, "f32[3,3]", "cholesky(p0), lower=false", "", WorldInputs::large_diagonal));
  for (const char* rest :
       {"left_side=false, lower=true, transpose_a=NO_TRANSPOSE", "left_side=true, lower=false, transpose_a=TRANSPOSE",
        "left_side=true, lower=true, unit_diagonal=true, transpose_a=ADJOINT"}) {
    const std::string b = rest[10] == 'f' ? "f32[2,4,3]" : "f32[2,3,4]";
    out.push_back(
        op({"f32[2,3,3]", b}, b, std::string("triangular-solve(p0, p1), ") + rest, "", WorldInputs::large_diagonal));
  }
  out.push_back(op({"c64[4,3]"}, "c64[4,3]", "fft(p0), fft_type=IFFT, fft_length={4,3}", "", WorldInputs::wild));
  out.push_back(op({"f32[3,5]"}, "c64[3,3]", "fft(p0), fft_type=RFFT, fft_length={5}", "", WorldInputs::wild));
  out.push_back(op({"c64[3,3]"}, "f32[3,4]", "fft(p0), fft_type=IRFFT, fft_length={4}", "", WorldInputs::wild));
}

}  // namespace

void add_more_arrays(Worlds& out) {
  add_products(out);
  add_norms(out);
  add_solvers(out);
  out.push_back(op({"s32[5]"}, "u8[5,4]", "bitcast-convert(p0)"));
  out.push_back(op({"u8[3,4]"}, "s32[3]", "bitcast-convert(p0)"));
  out.push_back(op({"s32[2,3]", "s32[1,3]", "s32[2,3]"}, "s32[5,3]", "concatenate(p0, p1, p2), dimensions={0}"));
  out.push_back(
      op({"s32[5]", "s32[]"}, "s32[3]", "dynamic-slice(p0, p1), dynamic_slice_sizes={3}", "", WorldInputs::wild));
  out.push_back(op({"s32[5,3]", "s32[2,3]", "s32[]"}, "s32[5,3]", "dynamic-update-slice(p0, p1, p2, z)", kZero,
                   WorldInputs::wild));
  out.push_back(op({}, "f32[5]", "iota(), iota_dimension=0"));
  out.push_back(op({"s32[]"}, "s32[4,3]", "broadcast(p0), dimensions={}"));
  out.push_back(op({"s32[3,4,2]"}, "s32[2,4,3]", "transpose(p0), dimensions={2,1,0}"));
}

void add_more_sums(Worlds& out) {
  // More than one array at a time: their pieces must stay together.
  WorldProgram both =
      op({"s32[5,4]", "f32[5,4]"}, "(s32[4], f32[4])", "reduce(p0, p1, a, b), dimensions={0}, to_apply=both",
         "  a = s32[] constant(0)\n  b = f32[] constant(0)\n", WorldInputs::whole);
  both.computations =
      "both {\n  a = s32[] parameter(0)\n  b = f32[] parameter(1)\n  c = s32[] parameter(2)\n"
      "  d = f32[] parameter(3)\n  e = s32[] add(a, c)\n  f = f32[] maximum(b, d)\n"
      "  ROOT t = (s32[], f32[]) tuple(e, f)\n}\n\n";
  out.push_back(both);
  WorldProgram windows = op({"s32[5,3]", "f32[5,3]"}, "(s32[5,3], f32[5,3])",
                            "reduce-window(p0, p1, a, b), window={size=3x1 pad=1_1x0_0}, to_apply=both",
                            "  a = s32[] constant(0)\n  b = f32[] constant(0)\n", WorldInputs::whole);
  windows.computations = both.computations;
  out.push_back(windows);
  WorldProgram odd = op({"s32[5,3]"}, "s32[3]", "reduce(p0, z), dimensions={0}, to_apply=xor_s32", kZero);
  odd.computations = reducer("xor_s32", "s32", "xor");
  out.push_back(odd);
  WorldProgram times =
      op({"s32[4,3]"}, "s32[4]", "reduce(p0, z), dimensions={1}, to_apply=times_s32", "  z = s32[] constant(1)\n");
  times.computations = reducer("times_s32", "s32", "multiply");
  out.push_back(times);
  for (const char* direction : {"GT", "LE"}) {
    WorldProgram sort =
        op({"f32[5,3]"}, "f32[5,3]", "sort(p0), dimensions={0}, is_stable=true, to_apply=by", "", WorldInputs::wild);
    sort.computations = std::string("by {\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n") +
                        "  ROOT r = pred[] compare(a, b), direction=" + direction + "\n}\n\n";
    out.push_back(sort);
  }
  WorldProgram three = op({"s32[5,2]", "s32[5,2]", "f32[5,2]"}, "(s32[5,2], s32[5,2], f32[5,2])",
                          "sort(p0, p1, p2), dimensions={0}, is_stable=true, to_apply=by");
  three.computations =
      "by {\n  a = s32[] parameter(0)\n  b = s32[] parameter(1)\n  c = s32[] parameter(2)\n  d = s32[] parameter(3)\n"
      "  e = f32[] parameter(4)\n  f = f32[] parameter(5)\n  ROOT r = pred[] compare(a, b), direction=GT\n}\n\n";
  out.push_back(three);
}

void add_more_indexed(Worlds& out) {
  const auto gather = [&](const std::vector<std::string>& shapes, const std::string& result, const std::string& rest) {
    out.push_back(op(shapes, result, "gather(p0, p1), " + rest, "", WorldInputs::wild));
  };
  gather({"s32[5,3]", "s32[4]"}, "s32[4,3]",
         "offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,3}");
  gather({"s32[5,4]", "s32[2,3]"}, "s32[3,2,4]",
         "offset_dims={1,2}, collapsed_slice_dims={}, start_index_map={1,0}, index_vector_dim=0, slice_sizes={2,4}");
  gather({"s32[4,5]", "s32[2,3]"}, "s32[3]",
         "offset_dims={}, collapsed_slice_dims={0,1}, start_index_map={0,1}, index_vector_dim=0, slice_sizes={1,1}");
  gather({"s32[5,4]", "u8[3,1]"}, "s32[2,3]",
         "offset_dims={0}, collapsed_slice_dims={1}, start_index_map={1}, index_vector_dim=1, slice_sizes={2,1}");
  const auto scatter = [&](const std::vector<std::string>& shapes, const std::string& result, const std::string& rest) {
    out.push_back(op(shapes, result, "scatter(p0, p1, p2), " + rest, "", WorldInputs::wild));
  };
  for (const char* kind : {"add_s32", "min_s32"})
    scatter({"s32[5,3]", "s32[4]", "s32[4,3]"}, "s32[5,3]",
            std::string("update_window_dims={1}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, "
                        "index_vector_dim=1, to_apply=") +
                kind);
  scatter({"s32[4,5]", "s32[2,3]", "s32[3]"}, "s32[4,5]",
          "update_window_dims={}, inserted_window_dims={0,1}, scatter_dims_to_operand_dims={0,1}, index_vector_dim=0, "
          "to_apply=add_s32");
  scatter({"s32[5,4]", "s32[3,1]", "s32[3,2,4]"}, "s32[5,4]",
          "update_window_dims={1,2}, inserted_window_dims={}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, "
          "to_apply=add_s32");
  // Rows that are written over: each at most once, since nothing says who comes last.
  WorldProgram over = op({"s32[5,3]", "s32[4,3]"}, "s32[5,3]",
                         "scatter(p0, i.sx0, p1), update_window_dims={1}, inserted_window_dims={0}, "
                         "scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=new",
                         "  i.sx0 = s32[4] constant({3, 0, 4, 1})\n");
  over.computations = "new {\n  x = s32[] parameter(0)\n  ROOT y = s32[] parameter(1)\n}\n\n";
  out.push_back(over);
  WorldProgram both = op({"s32[5,2]", "s32[5,2]", "s32[3]", "s32[3,2]", "s32[3,2]"}, "(s32[5,2], s32[5,2])",
                         "scatter(p0, p1, p2, p3, p4), update_window_dims={1}, inserted_window_dims={0}, "
                         "scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=both");
  both.computations =
      "both {\n  a = s32[] parameter(0)\n  b = s32[] parameter(1)\n  c = s32[] parameter(2)\n"
      "  d = s32[] parameter(3)\n  e = s32[] add(a, c)\n  f = s32[] maximum(b, d)\n"
      "  ROOT t = (s32[], s32[]) tuple(e, f)\n}\n\n";
  out.push_back(both);
}

void add_more_windows(Worlds& out) {
  const auto conv = [&](const std::string& a, const std::string& b, const std::string& r, const std::string& rest) {
    out.push_back(op({"s32[" + a + "]", "s32[" + b + "]"}, "s32[" + r + "]", "convolution(p0, p1), " + rest));
  };
  conv("2,4,3,2", "3,2,2,2", "2,4,3,2", "window={size=3x2 pad=1_1x0_1}, dim_labels=b01f_01io->b01f");
  conv("1,5,4,2", "2,2,2,3", "1,2,2,3", "window={size=2x2 stride=2x2}, dim_labels=b01f_01io->b01f");
  // Depthwise: every feature has a kernel of its own.
  conv("2,5,4", "3,1,4", "2,5,4", "window={size=3 pad=1_1}, dim_labels=b0f_0io->b0f, feature_group_count=4");
  conv("2,5,4", "3,1,8", "2,5,8", "window={size=3 pad=1_1}, dim_labels=b0f_0io->b0f, feature_group_count=4");
  // The gradients of a convolution: of its kernel, whose window is the whole output, and of its input.
  conv("3,5,2", "3,5,2", "3,2,2", "window={size=5 pad=1_1}, dim_labels=f0b_i0o->0bf");
  conv("4,5,2", "4,3,3", "2,2,3", "window={size=3 pad=1_0 rhs_dilate=2}, dim_labels=f0b_i0o->b0f");
  conv("2,3,2", "3,2,2", "2,5,2", "window={size=3 pad=1_1 lhs_dilate=2 rhs_reversal=1}, dim_labels=b0f_0oi->b0f");
  conv("2,3", "3,4", "2,4", "dim_labels=bf_io->bf");
  const auto window = [&](const std::string& shape, const std::string& result, const std::string& how,
                          const std::string& with, const std::string& from) {
    out.push_back(op({"s32[" + shape + "]"}, "s32[" + result + "]",
                     "reduce-window(p0, z), window={" + how + "}, to_apply=" + with,
                     "  z = s32[] constant(" + from + ")\n", WorldInputs::wild));
  };
  window("5", "5", "size=5 pad=4_0", "add_s32", "0");
  window("5,3", "5,3", "size=5x1 pad=4_0x0_0", "max_s32", "-9");
  window("4,4", "2,3", "size=2x2 stride=2x1", "min_s32", "9");
  window("5", "3", "size=3 stride=2 pad=1_1", "add_s32", "2");
  out.push_back(op({"s32[4,3]", "s32[2,3]"}, "s32[4,3]",
                   "select-and-scatter(p0, p1, z), window={size=3x1 stride=2x1 pad=0_1x0_0}, select=ge, "
                   "scatter=add_s32",
                   kZero, WorldInputs::wild));
}

}  // namespace sw::test
