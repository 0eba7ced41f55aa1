// See the header. Differs from Shardy in form only: tensors x factors lie in one flat array that is reused.
#include "propagate/shardy/project.h"

#include <numeric>

namespace sw::shardy {
namespace {

// Reads a list of axes from the left; an axis may be taken in parts.
class AxisReader {
 public:
  explicit AxisReader(std::span<const AxisRef> axes) : axes_(axes) {
    if (!axes_.empty()) rest_ = axes_.front();
  }
  bool done() const { return next_ >= axes_.size(); }
  const AxisRef& rest() const { return rest_; }
  AxisRef take_all() {
    const AxisRef taken = rest_;
    if (++next_ < axes_.size()) rest_ = axes_[next_];
    return taken;
  }
  AxisRef take_part(uint32_t size) {
    const AxisRef taken{rest_.axis, rest_.pre, size};
    rest_ = {rest_.axis, rest_.pre * size, rest_.size / size};
    return taken;
  }
  void drain_into(AxisList& list) {
    while (!done()) append_or_merge(list, take_all());
  }

 private:
  std::span<const AxisRef> axes_;
  size_t next_ = 0;
  AxisRef rest_;
};

// A factor that is not the last of its dimension takes axes while sizes have a common divisor. Returns what of it stays
// unsharded.
int64_t take_axes(AxisReader& reader, int64_t size, AxisList& axes) {
  int64_t common = 1;
  while (!reader.done() && (reader.rest().size == 1 || (common = std::gcd(size, int64_t{reader.rest().size})) > 1)) {
    if (reader.rest().size > common) {
      axes.push_back(reader.take_part(static_cast<uint32_t>(common)));
      size /= common;
    } else {
      size /= reader.rest().size;
      axes.push_back(reader.take_all());
    }
  }
  return size;
}

}  // namespace

void Projection::build(const FactorRule& rule, std::span<const NamedShardingId> shardings, const ShardingTable& table) {
  operand_count_ = rule.operands.size();
  result_count_ = rule.results.size();
  factor_count_ = rule.factor_count();
  const size_t cells = tensor_count() * factor_count_;
  if (factors_.size() < cells) factors_.resize(cells);
  if (replicated_.size() < tensor_count()) {
    replicated_.resize(tensor_count());
    unreduced_.resize(tensor_count());
  }
  for (size_t i = 0; i < cells; ++i) {
    FactorSharding& cell = factors_[i];
    cell.axes.clear();
    cell.overflow.clear();
    cell.present = cell.closed = cell.minor_most = false;
  }
  for (size_t t = 0; t < tensor_count(); ++t) project(rule, tensor_factors(rule, t), shardings[t], table, t);
}

void Projection::project(const FactorRule& rule, const TensorFactors& dims, NamedShardingId id,
                         const ShardingTable& table, size_t t) {
  replicated_[t].clear();
  unreduced_[t].clear();
  NamedSharding sharding;
  if (id.valid()) sharding = table.get(id);
  if (sharding.rank() != dims.rank()) id = NamedShardingId{};  // malformed input that was not verified
  if (id.valid()) {
    replicated_[t].append(sharding.replicated.begin(), sharding.replicated.end());
    unreduced_[t].append(sharding.unreduced.begin(), sharding.unreduced.end());
  }
  for (size_t d = 0; d < dims.rank(); ++d) {
    const bool closed = id.valid() && sharding.dims[d].closed;
    AxisReader reader(id.valid() ? sharding.axes(d) : std::span<const AxisRef>());
    const std::span<const FactorIndex> factors = dims.dim(d);
    bool overflowed = false;
    for (size_t k = 0; k < factors.size(); ++k) {
      FactorSharding& cell = at(t, factors[k]);
      cell.present = true;
      cell.minor_most = k + 1 == factors.size();
      if (overflowed) {
        // The factor after one with overflow cannot be sharded; any further factor of the dimension counts as absent.
        cell.closed = true;
        break;
      }
      cell.closed = closed;
      if (cell.minor_most) {
        reader.drain_into(cell.axes);  // no check that it divides: padding is allowed here
        break;
      }
      const int64_t left = take_axes(reader, rule.sizes[factors[k]], cell.axes);
      if (left > 1 && !reader.done()) {
        overflowed = true;
        reader.drain_into(cell.overflow);
      }
    }
  }
}

bool Projection::expand(size_t tensor, size_t factor, std::span<const AxisRef> axes) {
  FactorSharding& cell = at(tensor, factor);
  if (!cell.present || !is_strict_prefix(cell.axes, axes)) return false;
  cell.axes.assign(axes.begin(), axes.end());
  return true;
}

NamedShardingId Projection::read_back(const FactorRule& rule, size_t t, MeshId mesh, NamedShardingId before,
                                      ShardingTable& table) const {
  const TensorFactors& dims = tensor_factors(rule, t);
  NamedShardingSpec spec;
  if (before.valid()) {
    const NamedSharding was = table.get(before);
    spec.replicated.append(was.replicated.begin(), was.replicated.end());
    spec.unreduced.append(was.unreduced.begin(), was.unreduced.end());
    spec.reduction = was.reduction;
  }
  spec.mesh = mesh;
  spec.dims.resize(dims.rank());
  const auto append = [](AxisList& list, const AxisList& axes) {
    for (size_t i = 0; i < axes.size(); ++i) {
      if (i == 0) {
        append_or_merge(list, axes[i]);  // sub-axes meet only at the boundary of two factors
      } else {
        list.push_back(axes[i]);
      }
    }
  };
  for (size_t d = 0; d < dims.rank(); ++d) {
    NamedShardingSpec::Dim& dim = spec.dims[d];
    for (const FactorIndex f : dims.dim(d)) {
      const FactorSharding& cell = at(t, f);
      dim.closed = dim.closed || cell.closed;
      append(dim.axes, cell.axes);
      if (!cell.overflow.empty()) {
        append(dim.axes, cell.overflow);
        break;
      }
      // A minor factor of a factor that is not fully sharded would be a strided view; its axes are dropped.
      if (product(cell.axes) < rule.sizes[f]) break;
    }
  }
  return table.intern(spec);
}

}  // namespace sw::shardy
