// The dimensions of a product, seen from GSPMD: a convolution is a product too, and its spatial dimensions may turn out
// to be batch, contracting or free ones.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "base/small_vector.h"
#include "ir/graph.h"
#include "propagate/gspmd/module.h"

namespace sw::gspmd {

// One loop of the product: where it stands in each tensor, -1 for nowhere.
struct ContractDim {
  int64_t lhs = -1, rhs = -1, output = -1;
};
using ContractDimList = SmallVector<ContractDim, 4>;

struct ContractDims {
  ContractDimList batch, contracting, lhs_free, rhs_free;
  ContractDimList spatial;  // of a convolution: what is none of the above
  size_t lhs_rank = 0, rhs_rank = 0, output_rank = 0;
  // Convolutions only.
  int64_t feature_groups = 1, batch_groups = 1;
  int64_t input_batch = 0, input_feature = 0;
  DimList lhs_of_output;      // by output dimension
  bool small_kernel = false;  // the output, not the kernel, is worth tiling

  const ContractDimList& free_of(size_t operand) const { return operand == 0 ? lhs_free : rhs_free; }
  size_t rank_of(size_t operand) const { return operand == 0 ? lhs_rank : rhs_rank; }
};
inline int64_t of_operand(const ContractDim& d, size_t operand) { return operand == 0 ? d.lhs : d.rhs; }

// Dimensions of dot and convolution instructions, each read once.
class ContractCache {
 public:
  // Null when the attributes make no sense.
  const ContractDims* get(const Graph& graph, const Module& module, InstId id, uint32_t rule_class);

 private:
  std::unordered_map<uint32_t, ContractDims> known_;
};

}  // namespace sw::gspmd
