// Indexed access: gather, scatter, sort, top-k. Gather and scatter share one walk over the dimensions of the slices,
// which follows addGatherScatterFactors of Shardy's op_sharding_rule_registry.cc.
//
// Example: rows of a (5, 3) table by indices (4, 1), slices (4, 3). Slices dimension 0 is a batch dimension: factor i=4
// of indices and result. Dimension 1 is a whole window dimension: j=3 of table and result. The collapsed table
// dimension is a reduction k=5 (each shard looks up the rows that it has), the index vector needs replication (l=1):
//   ([k, j], [i, l])->([i, j]) {i=4, j=3, k=5, l=1} reduction={k} need_replication={l}
#include "ops/dims_gather_scatter.h"
#include "ops/dims_reduce.h"
#include "ops/factor_input.h"

namespace sw {

namespace {

// The shapes and dimensions of a gather or scatter, and how a factor of (operand, indices, slices) is added.
struct Indexed {
  const GatherScatterDims& dims;
  std::span<const int64_t> operand, indices, slices;
  bool is_scatter;
  FactorKind batch_kind;  // of a batch dimension that the operand lacks

  template <class Add>
  void window_factor(size_t i, Add add) const {
    const int64_t operand_dim = dims.window[i], slices_dim = dims.offset[i];
    const int64_t whole = operand[static_cast<size_t>(operand_dim)], size = slices[static_cast<size_t>(slices_dim)];
    if (whole == size) {
      add(operand_dim, kNoDim, slices_dim, whole, FactorKind::pass_through, false);
    } else if (is_scatter) {
      add(operand_dim, kNoDim, kNoDim, whole, FactorKind::need_replication, false);
      add(kNoDim, kNoDim, slices_dim, size, FactorKind::need_replication, false);
    } else if (size == 1) {
      add(operand_dim, kNoDim, kNoDim, whole, FactorKind::reduction, false);
      add(kNoDim, kNoDim, slices_dim, size, FactorKind::need_replication, false);
    } else {
      add(operand_dim, kNoDim, slices_dim, whole, FactorKind::need_replication, true);
    }
  }

  template <class Add>
  void batch_factor(size_t i, Add add) const {
    const int64_t slices_dim = dims.batch[i], indices_dim = dims.indices_dims[i];
    int64_t operand_dim = kNoDim;
    for (size_t b = 0; b < dims.indices_batch.size(); ++b)
      if (dims.indices_batch[b] == indices_dim) operand_dim = dims.operand_batch[b];
    add(operand_dim, indices_dim, slices_dim, slices[static_cast<size_t>(slices_dim)],
        operand_dim == kNoDim ? batch_kind : FactorKind::pass_through, false);
  }

  template <class Add>
  void all_factors(Add add) const {
    size_t window = 0, batch = 0;
    for (int64_t d = 0; d < static_cast<int64_t>(slices.size()); ++d) {
      if (window < dims.offset.size() && dims.offset[window] == d) {
        window_factor(window++, add);
      } else {
        batch_factor(batch++, add);
      }
    }
    for (int64_t d : dims.collapsed) {
      const int64_t size = operand[static_cast<size_t>(d)];
      const FactorKind kind = is_scatter  ? FactorKind::pass_through
                              : size == 1 ? FactorKind::need_replication
                                          : FactorKind::reduction;
      add(d, kNoDim, kNoDim, size, kind, false);
    }
    if (dims.index_vector_dim < static_cast<int64_t>(indices.size()))
      add(kNoDim, dims.index_vector_dim, kNoDim, indices[static_cast<size_t>(dims.index_vector_dim)],
          FactorKind::need_replication, false);
  }
};

}  // namespace

RuleOutcome factors_gather(const FactorInput& in, FactorRuleBuilder& rule) {
  GatherScatterDims dims;
  if (!read_gather_dims(in.graph, in.id, dims)) return RuleOutcome::unknown;
  const Indexed indexed{dims,  in.operand_shape(0),     in.operand_shape(1), in.result_shape(0),
                        false, FactorKind::pass_through};
  indexed.all_factors(
      [&](int64_t operand, int64_t indices, int64_t slices, int64_t size, FactorKind kind, bool blocked) {
        rule.factor({operand, indices}, {slices}, size, kind, blocked);
      });
  return RuleOutcome::rule;
}

// Batch dimensions that only indices and updates have make results that must be combined: a reduction when the update
// computation is known to be commutative, otherwise replication.
RuleOutcome factors_scatter(const FactorInput& in, FactorRuleBuilder& rule) {
  ScatterDims dims;
  if (!read_scatter_dims(in.graph, in.id, dims)) return RuleOutcome::unknown;
  const size_t n = dims.input_count;
  const auto regions = in.graph.regions(in.op);
  const bool combines = !regions.empty() && common_reducer(in.graph, regions[0], n) != OpKind::unknown;
  const Indexed indexed{dims,
                        in.operand_shape(0),
                        in.operand_shape(n),
                        in.operand_shape(n + 1),
                        true,
                        combines ? FactorKind::reduction : FactorKind::need_replication};
  DimList operand_dims, result_dims;
  indexed.all_factors([&](int64_t input, int64_t indices, int64_t slices, int64_t size, FactorKind kind, bool blocked) {
    operand_dims.assign(2 * n + 1, slices);
    for (size_t i = 0; i < n; ++i) operand_dims[i] = input;
    operand_dims[n] = indices;
    result_dims.assign(n, input);
    rule.factor(operand_dims, result_dims, size, kind, blocked);
  });
  return RuleOutcome::rule;
}

// The sorted dimension needs replication, and does not propagate when there is no other dimension to shard.
RuleOutcome factors_sort(const FactorInput& in, FactorRuleBuilder& rule) {
  SortDims dims;
  if (!read_sort_dims(in.graph, in.id, dims)) return RuleOutcome::unknown;
  const auto shape = in.operand_shape(0);
  bool alone = true;
  for (size_t d = 0; d < shape.size(); ++d) alone &= static_cast<int64_t>(d) == dims.dimension || shape[d] == 1;
  for (size_t d = 0; d < shape.size(); ++d) {
    if (static_cast<int64_t>(d) == dims.dimension) {
      rule.on_all(d, shape[d], FactorKind::need_replication, alone);
    } else {
      rule.on_all(d, shape[d]);
    }
  }
  return RuleOutcome::rule;
}

// mhlo.topk, and chlo.top_k, which XLA turns into it. Follows TopKShardingRuleOpInterface (mhlo_extensions.cc).
RuleOutcome factors_topk(const FactorInput& in, FactorRuleBuilder& rule) {
  return factors_by_size(in.operand_shape(0), in.result_shape(0), FactorKind::need_replication, true, rule);
}

}  // namespace sw
