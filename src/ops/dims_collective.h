// Collectives written in the program: the dimensions that they gather, scatter or exchange.
#pragma once

#include "ops/attr_reader.h"

namespace sw {

// all_gather: the gathered dimension. reduce_scatter: the scattered one.
bool read_all_gather_dim(const Graph& graph, OpId op, int64_t& out, std::string* why = nullptr);
bool read_reduce_scatter_dim(const Graph& graph, OpId op, int64_t& out, std::string* why = nullptr);

struct AllToAllDims {
  int64_t split = 0, concat = 0, count = 1;
};
bool read_all_to_all_dims(const Graph& graph, OpId op, AllToAllDims& out, std::string* why = nullptr);

}  // namespace sw
