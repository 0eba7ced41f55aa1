// Custom calls by target, as the CustomCallOp case of Shardy's op_sharding_rule_registry.cc has them. An unknown target
// gives `unknown`; a rule written on the op (attribute sdy.sharding_rule) has been taken before this is asked.
#include <algorithm>

#include "ops/attr_reader.h"
#include "ops/factor_input.h"

namespace sw {

namespace {

enum class Target : uint8_t { silent, pointwise, eigh, qr, householder, topk, partial_reduce, x64_combine };

struct TargetRow {
  std::string_view name;
  Target target;
};

constexpr TargetRow kTargets[] = {
    {"ApproxTopK", Target::partial_reduce},
    {"Cholesky", Target::pointwise},
    {"CompactWyHelper", Target::pointwise},
    {"Eigh", Target::eigh},
    {"InspectSharding", Target::pointwise},
    {"InvertDiagBlocksLowerTriangular", Target::pointwise},
    {"InvertDiagBlocksUpperTriangular", Target::pointwise},
    {"LayoutConstraint", Target::pointwise},
    {"MoveToDevice", Target::pointwise},
    {"MoveToHost", Target::pointwise},
    {"PartialReduce", Target::partial_reduce},
    {"ProductOfElementaryHouseholderReflectors", Target::householder},
    {"Qr", Target::qr},
    {"QrDecompositionBlock", Target::qr},
    {"X64Combine", Target::x64_combine},
    {"X64SplitHigh", Target::pointwise},
    {"X64SplitLow", Target::pointwise},
    {"_SPMDInternalOp_MultiPad", Target::pointwise},
    {"_SPMDInternalOp_MultiRotate", Target::pointwise},
    {"_SPMDInternalOp_MultiSlice", Target::pointwise},
    {"_SPMDInternalOp_RotateRight", Target::pointwise},
    {"_SPMDInternalOp_Wrap", Target::pointwise},
    {"annotate_device_placement", Target::pointwise},
    {"mhlo.erf", Target::pointwise},
    {"mhlo.topk", Target::topk},
    {"sdy_testonly", Target::silent},
    {"tpu_custom_call", Target::silent},
    {"xla.debug.Log", Target::silent},
    {"xla.megascale.provide_metadata", Target::pointwise},
    {"xla_ffi_python_cpu_callback", Target::silent},
    {"xla_ffi_python_gpu_callback", Target::silent},
    {"xla_python_cpu_callback", Target::silent},
    {"xla_python_gpu_callback", Target::silent},
};
static_assert(std::is_sorted(std::begin(kTargets), std::end(kTargets),
                             [](const TargetRow& a, const TargetRow& b) { return a.name < b.name; }));

// Adds the batch dimensions, all but the last two, to all tensors; false when operand 0 has no matrix.
bool batch_dims(std::span<const int64_t> shape, FactorRuleBuilder& rule) {
  if (shape.size() < 2) return false;
  for (size_t d = 0; d + 2 < shape.size(); ++d) rule.on_all(d, shape[d]);
  return true;
}

bool has_counts(const FactorInput& in, size_t operands, size_t results) {
  return in.operands.size() == operands && in.op.result_count == results;
}

int64_t last(std::span<const int64_t> shape) { return static_cast<int64_t>(shape.size()) - 1; }

// Eigenvectors like the operand; eigenvalues have its last dimension.
RuleOutcome eigh(const FactorInput& in, FactorRuleBuilder& rule) {
  if (!has_counts(in, 1, 2)) return RuleOutcome::unknown;
  const auto shape = in.operand_shape(0);
  if (in.result_shape(0).size() != shape.size() || in.result_shape(1).size() + 1 != shape.size() ||
      !batch_dims(shape, rule))
    return RuleOutcome::unknown;
  const int64_t column = last(shape), row = column - 1;
  rule.factor({row}, {row, kNoDim}, shape[static_cast<size_t>(row)]);
  rule.factor({column}, {column, row}, shape.back());
  return RuleOutcome::rule;
}

RuleOutcome qr(const FactorInput& in, FactorRuleBuilder& rule) {
  if (!has_counts(in, 1, 2)) return RuleOutcome::unknown;
  const auto shape = in.operand_shape(0), taus = in.result_shape(1);
  if (in.result_shape(0).size() != shape.size() || taus.size() + 1 != shape.size() || !batch_dims(shape, rule))
    return RuleOutcome::unknown;
  const int64_t column = last(shape), row = column - 1;
  constexpr FactorKind kind = FactorKind::need_replication;
  rule.factor({row}, {row, kNoDim}, shape[static_cast<size_t>(row)], kind);
  rule.factor({column}, {column, kNoDim}, shape.back(), kind);
  rule.factor({kNoDim}, {kNoDim, row}, taus.back(), kind);
  return RuleOutcome::rule;
}

RuleOutcome householder(const FactorInput& in, FactorRuleBuilder& rule) {
  if (!has_counts(in, 2, 1)) return RuleOutcome::unknown;
  const auto shape = in.operand_shape(0), taus = in.operand_shape(1);
  if (in.result_shape(0).size() != shape.size() || taus.size() + 1 != shape.size() || !batch_dims(shape, rule))
    return RuleOutcome::unknown;
  const int64_t column = last(shape), row = column - 1;
  constexpr FactorKind kind = FactorKind::need_replication;
  rule.factor({row, kNoDim}, {row}, shape[static_cast<size_t>(row)], kind);
  rule.factor({column, kNoDim}, {column}, shape.back(), kind);
  rule.factor({kNoDim, row}, {kNoDim}, taus.back(), kind);
  return RuleOutcome::rule;
}

// Values and indices, then two scalar initial values; the reduced dimension does not propagate from results.
RuleOutcome partial_reduce(const FactorInput& in, FactorRuleBuilder& rule) {
  if (!has_counts(in, 4, 2)) return RuleOutcome::unknown;
  const auto from = in.operand_shape(0), to = in.result_shape(0);
  if (from.size() != to.size() || in.operand_shape(1).size() != from.size() || in.result_shape(1).size() != from.size())
    return RuleOutcome::unknown;
  for (size_t d = 0; d < from.size(); ++d) {
    if (from[d] == to[d]) {
      rule.on_all(d, from[d]);
      continue;
    }
    const int64_t dim = static_cast<int64_t>(d);
    rule.factor({dim, dim}, {kNoDim, kNoDim}, from[d]);
    rule.factor({kNoDim, kNoDim}, {dim, dim}, to[d], FactorKind::need_replication, true);
  }
  return RuleOutcome::rule;
}

bool feeds_rng_bit_generator(const FactorInput& in) {
  const ValueId value = in.graph.result(in.id);
  if (in.context.feeds_rng_bit_generator) return in.context.feeds_rng_bit_generator(value);
  for (size_t i = 0; i < in.graph.op_count(); ++i) {
    const Op& op = in.graph.op(OpId{i});
    if (op.kind != OpKind::rng_bit_generator) continue;
    for (ValueId operand : in.graph.operands(op))
      if (operand == value) return true;
  }
  return false;
}

// Joins halves of 64-bit numbers. The state of a random bit generator must be replicated, and a value of 64 bits cannot
// be resharded on the machines that need this call, so nothing propagates across it then.
RuleOutcome x64_combine(const FactorInput& in, FactorRuleBuilder& rule) {
  if (in.op.result_count != 1) return RuleOutcome::unknown;
  const auto shape = in.result_shape(0);
  if (shape.size() != 1 || !feeds_rng_bit_generator(in)) return factors_pointwise(in, rule);
  rule.on_all(0, shape[0], FactorKind::need_replication, true);
  return RuleOutcome::rule;
}

}  // namespace

RuleOutcome factors_custom_call(const FactorInput& in, FactorRuleBuilder& rule) {
  std::string_view name;
  AttrReader attrs(in.graph, in.op, nullptr);
  if (!attrs.text("call_target_name", name)) return RuleOutcome::unknown;
  const auto* row = std::lower_bound(std::begin(kTargets), std::end(kTargets), name,
                                     [](const TargetRow& a, std::string_view b) { return a.name < b; });
  if (row == std::end(kTargets) || row->name != name) return RuleOutcome::unknown;
  switch (row->target) {
    case Target::silent: return RuleOutcome::none;
    case Target::pointwise: return factors_pointwise(in, rule);
    case Target::eigh: return eigh(in, rule);
    case Target::qr: return qr(in, rule);
    case Target::householder: return householder(in, rule);
    case Target::topk:
      if (!has_counts(in, 1, 2)) return RuleOutcome::unknown;
      return factors_topk(in, rule);
    case Target::partial_reduce: return partial_reduce(in, rule);
    case Target::x64_combine: return x64_combine(in, rule);
  }
  return RuleOutcome::unknown;
}

}  // namespace sw
