// Products: which dimensions of the two operands are batch, contracting and free. Read from dot_general, dot and
// ragged_dot; the result's dimensions are batch, then free of the left, then free of the right operand.
#pragma once

#include "ops/attr_reader.h"

namespace sw {

struct DotDims {
  DimList lhs_batch, rhs_batch;        // pairwise
  DimList lhs_contract, rhs_contract;  // pairwise
  DimList lhs_free, rhs_free;          // ascending
};

// dot_general (HLO: dot) and StableHLO's old dot. Checks ranges, repetitions and pairing, not sizes.
bool read_dot_dims(const Graph& graph, OpId op, DotDims& out, std::string* why = nullptr);

// Which kind of dimension of the left operand is ragged.
enum class RaggedMode : uint8_t { non_contracting, contracting, batch };

struct RaggedDotDims {
  DotDims dot;             // rhs_free leaves the group dimension out
  int64_t lhs_ragged = 0;  // dimension of the left operand
  DimList rhs_group;       // one dimension when the mode is non_contracting, else none
  RaggedMode mode = RaggedMode::non_contracting;
};
bool read_ragged_dot_dims(const Graph& graph, OpId op, RaggedDotDims& out, std::string* why = nullptr);

}  // namespace sw
