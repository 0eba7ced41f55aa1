// StableHLO constraints reduce_window_c4 .. c12 and their like.
#include "ops/dims_window.h"

#include "base/checked_math.h"

namespace sw {

namespace {

// Reads a list of `per_dim` numbers for each of `rank` dimensions and hands them out.
template <class Set>
bool read_list(AttrReader& attrs, std::string_view name, size_t rank, size_t per_dim, std::string* why, Set set) {
  if (name.empty() || !attrs.present(name)) return true;
  DimList list;
  if (!attrs.ints(name, list)) return false;
  if (list.size() != rank * per_dim) {
    if (why == nullptr) return false;
    return explain(why, "attribute `" + std::string(name) + "` has " + std::to_string(list.size()) +
                            " entries, expected " + std::to_string(rank * per_dim));
  }
  for (size_t d = 0; d < rank; ++d) set(d, list);
  return true;
}

bool check_positive(const WindowDims& dims, std::string* why) {
  for (const WindowDim& d : dims) {
    if (d.size <= 0) return explain(why, "window size " + std::to_string(d.size) + ", expected a positive one");
    if (d.stride <= 0) return explain(why, "window stride " + std::to_string(d.stride) + ", expected a positive one");
    if (d.base_dilation <= 0 || d.window_dilation <= 0) return explain(why, "a dilation is not positive");
  }
  return true;
}

}  // namespace

std::optional<int64_t> window_output_size(int64_t input, const WindowDim& w) {
  const auto dilate = [](int64_t extent, int64_t dilation) -> std::optional<int64_t> {
    if (extent <= 0) return 0;
    const auto spread = checked_mul(extent - 1, dilation);
    return spread ? checked_add(*spread, 1) : std::nullopt;
  };
  const auto dilated = dilate(input, w.base_dilation);
  const auto window = dilate(w.size, w.window_dilation);
  if (!dilated || !window) return std::nullopt;
  const auto low = checked_add(*dilated, w.pad_low);
  const auto padded = low ? checked_add(*low, w.pad_high) : std::nullopt;
  if (!padded) return std::nullopt;
  if (*padded <= 0 || *window > *padded) return 0;
  return (*padded - *window) / w.stride + 1;
}

bool read_window_attrs(AttrReader& attrs, const WindowAttrNames& names, size_t rank, WindowDims& out,
                       std::string* why) {
  out.assign(rank, WindowDim{});
  return read_list(attrs, names.sizes, rank, 1, why, [&](size_t d, const DimList& l) { out[d].size = l[d]; }) &&
         read_list(attrs, names.strides, rank, 1, why, [&](size_t d, const DimList& l) { out[d].stride = l[d]; }) &&
         read_list(attrs, names.padding, rank, 2, why,
                   [&](size_t d, const DimList& l) {
                     out[d].pad_low = l[2 * d];
                     out[d].pad_high = l[2 * d + 1];
                   }) &&
         read_list(attrs, names.base_dilations, rank, 1, why,
                   [&](size_t d, const DimList& l) { out[d].base_dilation = l[d]; }) &&
         read_list(attrs, names.window_dilations, rank, 1, why,
                   [&](size_t d, const DimList& l) { out[d].window_dilation = l[d]; }) &&
         read_list(attrs, names.reversal, rank, 1, why,
                   [&](size_t d, const DimList& l) { out[d].reversal = l[d] != 0; }) &&
         check_positive(out, why);
}

bool read_window_dims(const Graph& graph, OpId id, WindowDims& out, std::string* why) {
  const Op& op = graph.op(id);
  const auto operands = graph.operands(op);
  if (operands.empty() || !graph.type_of(operands[0]).is_tensor()) return explain(why, "expected a tensor as operand");
  AttrReader attrs(graph, op, why);
  if (op.kind == OpKind::reduce_window && !attrs.present("window_dimensions"))
    return explain(why, "attribute `window_dimensions` is missing");
  return read_window_attrs(
      attrs,
      {"window_dimensions", "window_strides", "padding", "base_dilations", "window_dilations", "window_reversal"},
      graph.type_of(operands[0]).rank(), out, why);
}

}  // namespace sw
