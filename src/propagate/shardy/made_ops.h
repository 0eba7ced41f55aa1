// Ops that stand in no text: XLA makes them on the way to Shardy (import_jax.cc). They live in a graph of their own, so
// that their factor rules come from the same place as all others.
#pragma once

#include <map>
#include <span>
#include <vector>

#include "ir/builder.h"

namespace sw::shardy {

class MadeOps {
 public:
  // A reshape, broadcast_in_dim or transpose between float tensors of these shapes; equal ones are one op.
  uint32_t shape_op(OpKind kind, std::span<const int64_t> in, std::span<const int64_t> out,
                    std::span<const int64_t> dims);
  // A slice of `out` at `starts`.
  uint32_t slice_op(std::span<const int64_t> in, std::span<const int64_t> out, std::span<const int64_t> starts);
  uint32_t concatenate_op(std::span<const std::vector<int64_t>> pieces, int64_t dim);
  const Graph& graph() const { return builder_.graph(); }

 private:
  uint32_t add(OpKind kind, std::span<const std::vector<int64_t>> in, std::span<const int64_t> out,
               std::span<const int64_t> dims);
  std::vector<NamedAttr> attributes(OpKind kind, std::span<const int64_t> out, std::span<const int64_t> dims);

  GraphBuilder builder_;
  BlockId block_;
  std::map<std::vector<int64_t>, uint32_t> known_;
};

}  // namespace sw::shardy
