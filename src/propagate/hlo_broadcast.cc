#include "propagate/hlo_broadcast.h"

#include <algorithm>

#include "sharding/tile_algebra.h"

namespace sw {

namespace {

class BroadcastWriter {
 public:
  BroadcastWriter(HloWriter& writer, const HloWriter::Computation& in, const HloWriter::Spec& spec,
                  TileShardingTable& table)
      : writer_(writer), in_(in), spec_(spec), table_(table), dims_(spec.dims) {}

  ValueId write() {
    const Type from = writer_.graph().type_of(spec_.operands[0]), to = writer_.graph().types.get(spec_.type);
    if (dims_.size() != from.rank()) return writer_.add(in_, spec_);
    DimList order, shape(from.dims), kept, kept_dims;
    for (size_t i = 0; i < dims_.size(); ++i) order.push_back(static_cast<int64_t>(i));
    std::sort(order.begin(), order.end(), [&](int64_t a, int64_t b) { return dim(a) < dim(b); });
    ValueId source = spec_.operands[0];
    if (!std::is_sorted(order.begin(), order.end())) {
      for (size_t i = 0; i < order.size(); ++i) shape[i] = from.dims[static_cast<size_t>(order[i])];
      std::sort(dims_.begin(), dims_.end());
      source = add(OpKind::transpose, source, from.element, shape, order);
    }
    for (size_t i = 0; i < dims_.size(); ++i) {
      if (shape[i] == 1 && to.dims[static_cast<size_t>(dims_[i])] != 1) continue;
      kept.push_back(shape[i]);
      kept_dims.push_back(dims_[i]);
    }
    if (kept.size() != shape.size()) {
      dims_ = kept_dims;
      source = add(OpKind::reshape, source, from.element, kept, {});
    }
    HloWriter::Spec plain = spec_;
    plain.operands = std::span(&source, 1);
    plain.dims = dims_;
    return writer_.add(in_, plain);
  }

 private:
  int64_t dim(int64_t i) const { return dims_[static_cast<size_t>(i)]; }

  ValueId add(OpKind kind, ValueId operand, ElementType element, const DimList& shape,
              std::span<const int64_t> listed) {
    HloWriter::Spec before;
    before.kind = kind;
    before.origin = spec_.origin;
    before.own_attrs = false;
    before.type = writer_.builder().types().tensor(element, shape);
    before.operands = std::span(&operand, 1);
    before.dims = listed;
    before.sharding = cut_like_result(shape);
    return writer_.add(in_, before);
  }

  // Along dims_, whose extents are `shape`; one that is repeated is whole.
  TileShardingId cut_like_result(const DimList& shape) {
    if (!spec_.sharding.valid()) return {};
    const TileSharding result = table_.get(spec_.sharding);
    if (result.kind != TileKind::tiled) return spec_.sharding;
    const Type to = writer_.graph().types.get(spec_.type);
    DimList fresh, whole;
    for (size_t d = 0; d < to.rank(); ++d) {
      const auto at = std::find(dims_.begin(), dims_.end(), static_cast<int64_t>(d));
      if (at == dims_.end()) fresh.push_back(static_cast<int64_t>(d));
      if (at == dims_.end() || shape[static_cast<size_t>(at - dims_.begin())] != to.dims[d])
        whole.push_back(static_cast<int64_t>(d));
    }
    return table_.intern(remove_dims(replicate_dims(result, whole), fresh));
  }

  HloWriter& writer_;
  const HloWriter::Computation& in_;
  const HloWriter::Spec& spec_;
  TileShardingTable& table_;
  DimList dims_;  // of the result, of what has been made of the operand
};

}  // namespace

ValueId add_broadcast(HloWriter& writer, const HloWriter::Computation& in, const HloWriter::Spec& spec,
                      TileShardingTable& table) {
  return BroadcastWriter(writer, in, spec, table).write();
}

}  // namespace sw
