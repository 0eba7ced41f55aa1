// Follows ParseDotGeneralFromDot and ParseConvolutionDimsInfo (dot_as_convolution_util.cc) and IsConvolutionKernelSmall
// (sharding_propagation.cc).
#include "propagate/gspmd/contract.h"

#include <algorithm>

#include "ops/dims_conv.h"
#include "ops/dims_dot.h"

namespace sw::gspmd {
namespace {

size_t rank_of_operand(const Graph& graph, const Module& module, InstId id, size_t i) {
  return graph.types.get(module.inst(module.operand(id, i)).type).rank();
}

bool read_dot(const Graph& graph, const Module& module, InstId id, ContractDims& out) {
  DotDims dims;
  if (!read_dot_dims(graph, module.inst(id).op, dims)) return false;
  int64_t output = 0;
  for (size_t i = 0; i < dims.lhs_batch.size(); ++i)
    out.batch.push_back({dims.lhs_batch[i], dims.rhs_batch[i], output++});
  for (size_t i = 0; i < dims.lhs_contract.size(); ++i) {
    out.contracting.push_back({dims.lhs_contract[i], dims.rhs_contract[i], -1});
  }
  for (const int64_t d : dims.lhs_free) out.lhs_free.push_back({d, -1, output++});
  for (const int64_t d : dims.rhs_free) out.rhs_free.push_back({-1, d, output++});
  out.lhs_rank = rank_of_operand(graph, module, id, 0);
  out.rhs_rank = rank_of_operand(graph, module, id, 1);
  out.output_rank = static_cast<size_t>(output);
  return true;
}

bool unit_steps(const WindowDim& w) { return w.stride == 1 && w.window_dilation == 1 && w.base_dilation == 1; }
bool unpadded(const WindowDim& w) { return w.pad_low == 0 && w.pad_high == 0 && !w.reversal; }

// A batch dimension can be written as a spatial one, in two ways: dilated so far that each window sees one input
// element.
bool is_batch_like(int64_t size, const WindowDim& w) {
  if (size != w.size) return false;
  const int64_t step = std::max<int64_t>(1, size - 1);
  const bool by_stride = step == w.stride && w.window_dilation == 1;
  const bool by_dilation = step == w.window_dilation && w.stride == 1;
  if (size == w.base_dilation && (by_stride || by_dilation) && unpadded(w)) return true;
  return w.pad_high == size - 1 && w.pad_low == size - 1 && w.reversal && w.window_dilation == 1 && w.stride == size &&
         w.base_dilation == size - 1;
}

void classify_spatial(const ConvDims& conv, std::span<const int64_t> lhs, std::span<const int64_t> rhs, size_t i,
                      ContractDims& out) {
  const ContractDim dim{conv.input_spatial[i], conv.kernel_spatial[i], conv.output_spatial[i]};
  const int64_t lhs_size = lhs[static_cast<size_t>(dim.lhs)], rhs_size = rhs[static_cast<size_t>(dim.rhs)];
  const WindowDim& w = conv.window[i];
  if (is_batch_like(lhs_size, w)) {
    out.batch.push_back(dim);
  } else if (lhs_size == w.size && w.base_dilation == 1 && w.window_dilation == 1 && unpadded(w)) {
    out.contracting.push_back(dim);
  } else if (unit_steps(w) && rhs_size == 1 && w.size == 1 && unpadded(w)) {
    out.lhs_free.push_back(dim);
  } else if (unit_steps(w) && lhs_size == 1 && w.size == rhs_size && w.pad_high == rhs_size - 1 &&
             w.pad_low == rhs_size - 1 && w.reversal) {
    out.rhs_free.push_back(dim);
  } else {
    out.spatial.push_back(dim);
  }
}

bool kernel_is_small(const ConvDims& conv, std::span<const int64_t> rhs, std::span<const int64_t> output) {
  int64_t kernel_product = 1, output_product = 1;
  for (size_t i = 0; i < conv.input_spatial.size(); ++i) {
    const int64_t kernel = rhs[static_cast<size_t>(conv.kernel_spatial[i])];
    const int64_t out = output[static_cast<size_t>(conv.output_spatial[i])];
    kernel_product *= kernel;
    output_product *= out;
    if (kernel >= out && (i < 2 || kernel > 3 || kernel_product >= output_product)) return false;
  }
  return true;
}

bool read_convolution(const Graph& graph, const Module& module, InstId id, ContractDims& out) {
  ConvDims conv;
  if (!read_conv_dims(graph, module.inst(id).op, conv)) return false;
  const std::span<const int64_t> lhs = graph.types.get(module.inst(module.operand(id, 0)).type).dims;
  const std::span<const int64_t> rhs = graph.types.get(module.inst(module.operand(id, 1)).type).dims;
  const std::span<const int64_t> output = graph.types.get(module.inst(id).type).dims;
  out.lhs_free.push_back({conv.input_batch, -1, conv.output_batch});
  out.rhs_free.push_back({-1, conv.kernel_output_feature, conv.output_feature});
  out.contracting.push_back({conv.input_feature, conv.kernel_input_feature, -1});
  for (size_t i = 0; i < conv.input_spatial.size(); ++i) classify_spatial(conv, lhs, rhs, i, out);
  out.lhs_rank = lhs.size();
  out.rhs_rank = rhs.size();
  out.output_rank = output.size();
  out.feature_groups = conv.feature_group_count;
  out.batch_groups = conv.batch_group_count;
  out.input_batch = conv.input_batch;
  out.input_feature = conv.input_feature;
  out.lhs_of_output.resize(output.size());
  out.lhs_of_output[static_cast<size_t>(conv.output_batch)] = conv.input_batch;
  out.lhs_of_output[static_cast<size_t>(conv.output_feature)] = conv.input_feature;
  for (size_t i = 0; i < conv.input_spatial.size(); ++i) {
    out.lhs_of_output[static_cast<size_t>(conv.output_spatial[i])] = conv.input_spatial[i];
  }
  out.small_kernel = kernel_is_small(conv, rhs, output);
  return true;
}

}  // namespace

const ContractDims* ContractCache::get(const Graph& graph, const Module& module, InstId id, uint32_t rule_class) {
  const auto [at, fresh] = known_.try_emplace(rule_class);
  if (fresh) {
    const bool conv = module.inst(id).kind == OpKind::convolution;
    const bool ok = conv ? read_convolution(graph, module, id, at->second) : read_dot(graph, module, id, at->second);
    if (!ok) at->second = ContractDims{};
  }
  return at->second.output_rank == 0 && at->second.lhs_rank == 0 ? nullptr : &at->second;
}

}  // namespace sw::gspmd
