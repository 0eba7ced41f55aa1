// StableHLO constraints convolution_c1 .. c9, c12, c13, c17 .. c23.
#include "ops/dims_conv.h"

namespace sw {

namespace {

bool check_cover(int64_t a, int64_t b, const DimList& spatial, size_t rank, std::string_view what, std::string* why) {
  DimList all = spatial;
  all.push_back(a);
  all.push_back(b);
  if (all.size() != rank)
    return explain(why, std::to_string(spatial.size()) + " spatial dimensions of the " + std::string(what) +
                            ", expected two fewer than its rank " + std::to_string(rank));
  return check_dims(all, rank, std::string(what) + " dimension", why);
}

bool read_numbers(AttrReader& attrs, ConvDims& d) {
  return attrs.open_struct("dimension_numbers") && attrs.field_integer("input_batch_dimension", d.input_batch, true) &&
         attrs.field_integer("input_feature_dimension", d.input_feature, true) &&
         attrs.field_ints("input_spatial_dimensions", d.input_spatial) &&
         attrs.field_integer("kernel_input_feature_dimension", d.kernel_input_feature, true) &&
         attrs.field_integer("kernel_output_feature_dimension", d.kernel_output_feature, true) &&
         attrs.field_ints("kernel_spatial_dimensions", d.kernel_spatial) &&
         attrs.field_integer("output_batch_dimension", d.output_batch, true) &&
         attrs.field_integer("output_feature_dimension", d.output_feature, true) &&
         attrs.field_ints("output_spatial_dimensions", d.output_spatial);
}

}  // namespace

bool read_conv_dims(const Graph& graph, OpId id, ConvDims& out, std::string* why) {
  const Op& op = graph.op(id);
  out = ConvDims{};
  const auto operands = graph.operands(op);
  if (operands.size() < 2 || op.result_count == 0) return explain(why, "expected two operands and a result");
  const Type lhs = graph.type_of(operands[0]), rhs = graph.type_of(operands[1]);
  const Type result = graph.type_of(graph.result(id));
  if (!lhs.is_tensor() || !rhs.is_tensor() || !result.is_tensor())
    return explain(why, "expected tensors of known rank as operands and result");

  AttrReader attrs(graph, op, why);
  if (!read_numbers(attrs, out)) return false;
  if (!check_cover(out.input_batch, out.input_feature, out.input_spatial, lhs.rank(), "input", why) ||
      !check_cover(out.kernel_input_feature, out.kernel_output_feature, out.kernel_spatial, rhs.rank(), "kernel",
                   why) ||
      !check_cover(out.output_batch, out.output_feature, out.output_spatial, result.rank(), "output", why))
    return false;
  if (out.input_spatial.size() != out.kernel_spatial.size() || out.input_spatial.size() != out.output_spatial.size())
    return explain(why, "input, kernel and output differ in rank");
  const WindowAttrNames names{{}, "window_strides", "padding", "lhs_dilation", "rhs_dilation", "window_reversal"};
  if (!read_window_attrs(attrs, names, out.input_spatial.size(), out.window, why)) return false;
  for (size_t i = 0; i < out.window.size(); ++i)
    out.window[i].size = rhs.dims[static_cast<size_t>(out.kernel_spatial[i])];

  if (!attrs.stated_integer("feature_group_count", out.feature_group_count) ||
      !attrs.stated_integer("batch_group_count", out.batch_group_count))
    return false;
  if (out.feature_group_count <= 0 || out.batch_group_count <= 0)
    return explain(why, "a group count is not positive");  // convolution_c21, c22
  if (out.feature_group_count > 1 && out.batch_group_count > 1)
    return explain(why, "both group counts are above 1, expected one of them to be 1");  // convolution_c23
  return true;
}

}  // namespace sw
