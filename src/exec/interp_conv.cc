// Convolution as a sum of products: for each place in the kernel, the elements that it meets are brought together as a
// matrix (positions x input features), multiplied by the kernel's matrix there (input x output features) and added to
// the outputs that see them.
//
// Input, kernel and output are held as (group, batch, space, features), (group, space, input features, output features)
// and (group, batch, space, output features); a group of either kind is a convolution of its own.
#include <algorithm>
#include <optional>

#include "exec/kernel.h"
#include "exec/product.h"
#include "exec/window_walk.h"
#include "ops/dims_conv.h"
#include "sharding/tile_grid.h"

namespace sw {

namespace {

struct Shape {
  int64_t groups = 1, batch = 1, in_features = 1, out_features = 1;  // of one group
  DimList input, kernel, output;                                     // spatial
};

Shape shape_of(const ConvDims& d, const Type& input, const Type& kernel, const Type& output) {
  Shape s;
  const auto extent = [](const Type& type, int64_t dim) { return type.dims[static_cast<size_t>(dim)]; };
  s.groups = d.feature_group_count * d.batch_group_count;
  s.batch = extent(input, d.input_batch) / d.batch_group_count;
  s.in_features = extent(kernel, d.kernel_input_feature);
  s.out_features = extent(kernel, d.kernel_output_feature) / s.groups;
  for (size_t i = 0; i < d.input_spatial.size(); ++i) {
    s.input.push_back(extent(input, d.input_spatial[i]));
    s.kernel.push_back(extent(kernel, d.kernel_spatial[i]));
    s.output.push_back(extent(output, d.output_spatial[i]));
  }
  return s;
}

// Whether what the loops below read and write lies inside the arrays. The text of a user has been verified; a program
// that a partitioning rule made has not.
bool fits(const ConvDims& d, const Shape& s, const Type& input, const Type& kernel, const Type& output) {
  const auto extent = [](const Type& type, int64_t dim) { return type.dims[static_cast<size_t>(dim)]; };
  if (s.groups < 1 || extent(kernel, d.kernel_output_feature) % s.groups != 0 ||
      extent(input, d.input_batch) != s.batch * d.batch_group_count ||
      extent(input, d.input_feature) != s.in_features * d.feature_group_count ||
      extent(output, d.output_batch) != s.batch || extent(output, d.output_feature) != s.out_features * s.groups)
    return false;
  for (size_t i = 0; i < d.window.size(); ++i)
    if (s.kernel[i] != d.window[i].size) return false;
  return d.window.size() == s.kernel.size();
}

// An array whose dimension `split` counts (groups, rest), with the dimensions in the order of the list, in which -1
// stands for the groups.
Array arranged(const Array& a, int64_t split, int64_t groups, std::span<const int64_t> order) {
  const DimList steps = row_major(a.dims);
  DimList dims, distances;
  for (const int64_t d : order) {
    const auto i = static_cast<size_t>(d < 0 ? split : d);
    const int64_t rest = d == split || d < 0 ? a.dims[i] / groups : a.dims[i];
    dims.push_back(d < 0 ? groups : rest);
    distances.push_back(d < 0 ? steps[i] * rest : steps[i]);
  }
  return gathered(a, dims, distances, 0);
}

DimList listed(int64_t first, std::optional<int64_t> second, const DimList& space, int64_t last,
               std::optional<int64_t> very_last = {}) {
  DimList order{first};
  if (second) order.push_back(*second);
  order.append(space.begin(), space.end());
  order.push_back(last);
  if (very_last) order.push_back(*very_last);
  return order;
}

// A box of (batch, space, features) of one group as a dense matrix.
StridedCopy box_of(const WindowWalk& walk, const Shape& s, const DimList& space, int64_t features, bool of_output) {
  StridedCopy copy;
  DimList dims{s.batch};
  dims.append(space.begin(), space.end());
  dims.push_back(features);
  const DimList steps = row_major(dims);
  copy.extents.push_back(s.batch);
  copy.from.push_back(steps[0]);
  for (size_t d = 0; d < space.size(); ++d) {
    const WindowRange& r = walk.range(d);
    copy.extents.push_back(r.count);
    copy.from.push_back(steps[d + 1] * (of_output ? r.out_step : r.in_step));
    copy.from_start += steps[d + 1] * (of_output ? r.out_first : r.in_first);
  }
  copy.extents.push_back(features);
  copy.from.push_back(1);
  copy.to = row_major(copy.extents);
  return copy;
}

void convolve_group(const Shape& s, const WindowDims& windows, ProductFn multiply, size_t width, const std::byte* input,
                    const std::byte* kernel, std::byte* output) {
  const DimList kernel_steps = row_major(s.kernel);
  std::vector<std::byte> seen, sums;
  for (WindowWalk walk(windows, s.input, s.output); walk.next();) {
    if (walk.empty()) continue;
    int64_t place = 0;
    for (size_t d = 0; d < windows.size(); ++d)
      place += kernel_steps[d] * (windows[d].reversal ? windows[d].size - 1 - walk.at()[d] : walk.at()[d]);
    const StridedCopy from_input = box_of(walk, s, s.input, s.in_features, false);
    StridedCopy from_output = box_of(walk, s, s.output, s.out_features, true);
    const int64_t positions = product(from_input.extents) / std::max<int64_t>(1, s.in_features);
    seen.resize(static_cast<size_t>(positions * s.in_features) * width);
    sums.resize(static_cast<size_t>(positions * s.out_features) * width);
    copy_strided(from_input, input, seen.data(), width);
    copy_strided(from_output, output, sums.data(), width);
    multiply(seen.data(), kernel + static_cast<size_t>(place * s.in_features * s.out_features) * width, sums.data(),
             {positions, s.in_features, s.out_features}, true);
    std::swap(from_output.from, from_output.to);
    std::swap(from_output.from_start, from_output.to_start);
    copy_strided(from_output, sums.data(), output, width);
  }
}

Array run_convolution(const ConvDims& d, const Shape& s, ProductFn multiply, const Array& input, const Array& kernel,
                      std::span<const int64_t> dims) {
  const bool by_batch = d.batch_group_count > 1;
  const int64_t input_split = by_batch ? d.input_batch : d.input_feature;
  const Array in = arranged(input, input_split, s.groups, listed(-1, d.input_batch, d.input_spatial, d.input_feature));
  const Array weights = arranged(kernel, d.kernel_output_feature, s.groups,
                                 listed(-1, {}, d.kernel_spatial, d.kernel_input_feature, d.kernel_output_feature));
  DimList held{s.groups, s.batch};
  held.append(s.output.begin(), s.output.end());
  held.push_back(s.out_features);
  Array sums = zeros(input.element, held);
  const auto width = static_cast<size_t>(element_bytes(input.element));
  const auto part = [&](const Array& a) { return a.byte_size() / static_cast<size_t>(std::max<int64_t>(1, s.groups)); };
  if (product(held) > 0 && s.in_features > 0)
    parallel_parts(s.groups, 1, [&](int64_t begin, int64_t end) {
      for (auto g = static_cast<size_t>(begin); g < static_cast<size_t>(end); ++g)
        convolve_group(s, d.window, multiply, width, in.bytes() + g * part(in), weights.bytes() + g * part(weights),
                       sums.bytes() + g * part(sums));
    });
  // (group, batch, space, features) -> batch, space and (group, features) in their places.
  const size_t rank = dims.size();
  DimList places(rank, 0);
  const DimList steps = row_major(held);
  places[static_cast<size_t>(d.output_batch)] = 1;
  for (size_t i = 0; i < d.output_spatial.size(); ++i)
    places[static_cast<size_t>(d.output_spatial[i])] = static_cast<int64_t>(i) + 2;
  places[static_cast<size_t>(d.output_feature)] = static_cast<int64_t>(rank);
  DimList extents, distances;
  for (const int64_t place : places) {
    if (place == static_cast<int64_t>(rank)) {
      extents.push_back(s.groups);
      distances.push_back(steps[0]);
    }
    extents.push_back(held[static_cast<size_t>(place)]);
    distances.push_back(steps[static_cast<size_t>(place)]);
  }
  return with_dims(gathered(sums, extents, distances, 0), dims);
}

}  // namespace

Kernel interp_convolution(const KernelRequest& request) {
  ConvDims d;
  if (!read_conv_dims(request.graph, request.id, d, request.why)) return {};
  const Type result = request.result();
  const Shape s = shape_of(d, request.operand(0), request.operand(1), result);
  if (!fits(d, s, request.operand(0), request.operand(1), result))
    return request.refused("a convolution whose operands do not make its result cannot be executed");
  const ElementType in = multiplied_in(result.element);
  const ProductFn multiply = product_of(in);
  if (multiply == nullptr) return request.refused("a convolution of this element type cannot be executed");
  return
      [d, s, in, multiply, element = result.element, dims = DimList(result.dims)](std::span<Datum> operands) -> Datum {
        const Array input = converted(operands[0].array, in), kernel = converted(operands[1].array, in);
        return converted(run_convolution(d, s, multiply, input, kernel, dims), element);
      };
}

}  // namespace sw
