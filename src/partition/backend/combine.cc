#include "partition/backend/combine.h"

#include <map>

#include "partition/backend/slice_match.h"

namespace sw {

namespace {

class Combiner {
 public:
  Combiner(Rewrite& rewrite, const CombineKeyOf& key_of, CombineLimits limits, FunctionId computation)
      : rewrite_(rewrite), limits_(limits), computation_(computation) {
    for (OpId op : order_ = rewrite.post_order(computation))
      if (const auto key = key_of(op)) waiting_.emplace(op.raw, *key);
  }

  void run() {
    while (!waiting_.empty()) {
      const std::vector<OpId> set = next_set();
      if (set.size() < 2) continue;
      merge(set);
      order_ = rewrite_.post_order(computation_);
    }
  }

 private:
  // Members leave `waiting_`, and so does what can never be merged.
  std::vector<OpId> next_set() {
    std::vector<OpId> set;
    std::vector<bool> depends(rewrite_.graph().op_count(), false);  // on a member of the set, or is one
    int64_t bytes = 0;
    CollectiveKey key;
    for (OpId op : order_) {
      bool after = false;
      for (ValueId operand : rewrite_.graph().operands(op))
        after = after || (rewrite_.def(operand).valid() && depends[rewrite_.def(operand).index()]);
      depends[op.index()] = after;
      const auto at = waiting_.find(op.raw);
      if (at == waiting_.end()) continue;
      if (set.empty()) key = at->second;
      if (at->second != key) continue;
      const TypeId type = rewrite_.type(rewrite_.result(op));
      const int64_t size = byte_size(rewrite_.graph(), type);
      if (rewrite_.graph().operands(op).size() != 1 || size > limits_.bytes) {
        waiting_.erase(at);
        continue;
      }
      if (size > limits_.bytes - bytes || after) break;
      set.push_back(op);
      bytes += size;
      depends[op.index()] = true;
      waiting_.erase(at);
      if (static_cast<int64_t>(set.size()) >= limits_.count) break;
    }
    return set;
  }

  void merge(const std::vector<OpId>& set) {
    std::vector<ValueId> operands;
    std::vector<TypeId> types;
    for (OpId op : set) {
      operands.push_back(rewrite_.operand(op));
      types.push_back(rewrite_.type(rewrite_.result(op)));
    }
    const ValueId all = rewrite_.clone(set.front(), rewrite_.builder().types().tuple(types), operands);
    for (size_t i = 1; i < set.size(); ++i) rewrite_.merge_causes(rewrite_.def(all), set[i]);
    for (size_t i = 0; i < set.size(); ++i) {
      const NamedAttr index = rewrite_.integer_attr("index", static_cast<int64_t>(i));
      const ValueId part = rewrite_.add(set[i], OpKind::get_tuple_element, types[i], {all}, std::span(&index, 1));
      rewrite_.replace(set[i], part);
    }
  }

  Rewrite& rewrite_;
  CombineLimits limits_;
  FunctionId computation_;
  std::vector<OpId> order_;
  std::map<uint32_t, CollectiveKey> waiting_;  // by OpId
};

}  // namespace

void combine_collectives(Rewrite& rewrite, const CombineKeyOf& key_of, CombineLimits limits) {
  for (FunctionId id : rewrite.computations()) Combiner(rewrite, key_of, limits, id).run();
}

namespace {

void combine_kind(Rewrite& rewrite, OpKind kind, CombineLimits limits) {
  GroupTable groups;
  const auto key_of = [&](OpId op) -> std::optional<CollectiveKey> {
    if (rewrite.graph().op(op).kind != kind) return std::nullopt;
    if (kind == OpKind::all_gather) return gather_key(rewrite, op, groups);
    if (kind == OpKind::collective_permute) return permute_key(rewrite, op);
    return reduction_key(rewrite, op, groups);
  };
  combine_collectives(rewrite, key_of, limits);
}

}  // namespace

void combine_all_reduces(Rewrite& rewrite, CombineLimits limits) { combine_kind(rewrite, OpKind::all_reduce, limits); }
void combine_all_reduces_by_use(Rewrite& rewrite, CombineLimits limits) {
  GroupTable groups;
  DeviceOffsets offsets(rewrite);
  const auto key_of = [&](OpId op) -> std::optional<CollectiveKey> {
    if (rewrite.graph().op(op).kind != OpKind::all_reduce) return std::nullopt;
    auto key = reduction_key(rewrite, op, groups);
    if (key) key->scattered = is_scattered(rewrite, op, offsets);
    return key;
  };
  combine_collectives(rewrite, key_of, limits);
}
void combine_all_gathers(Rewrite& rewrite, CombineLimits limits) { combine_kind(rewrite, OpKind::all_gather, limits); }
void combine_reduce_scatters(Rewrite& rewrite, CombineLimits limits) {
  combine_kind(rewrite, OpKind::reduce_scatter, limits);
}
void combine_permutes(Rewrite& rewrite, CombineLimits limits) {
  combine_kind(rewrite, OpKind::collective_permute, limits);
}

}  // namespace sw
