#include "partition/backend/combine.h"

#include <map>
#include <unordered_map>

#include "partition/backend/slice_match.h"

namespace sw {

namespace {

class Combiner {
 public:
  Combiner(Rewrite& rewrite, const CombineKeyOf& key_of, CombineLimits limits, FunctionId computation)
      : rewrite_(rewrite), limits_(limits), computation_(computation) {
    for (OpId op : order_ = rewrite.post_order(computation)) {
      const auto key = key_of(op);
      if (!key) continue;
      waiting_.emplace(op.raw, *key);
      ++left_[*key];
    }
  }

  void run() {
    while (!waiting_.empty()) {
      const std::vector<OpId> set = next_set();
      if (set.size() < 2) continue;
      merge(set);
      order_ = rewrite_.post_order(computation_);
      first_ = 0;
    }
  }

 private:
  // Members leave `waiting_`, and so does what can never be merged. Looks no further than from the first that waits to
  // where the set ends, so that a chain of collectives, each needing the one before, costs no more than its length.
  std::vector<OpId> next_set() {
    std::vector<OpId> set;
    std::vector<bool> depends(rewrite_.graph().op_count(), false);  // on a member of the set, or is one
    int64_t bytes = 0;
    CollectiveKey key;
    while (first_ < order_.size() && !waiting_.contains(order_[first_].raw)) ++first_;
    if (first_ == order_.size()) waiting_.clear();
    for (size_t i = first_; i < order_.size(); ++i) {
      const OpId op = order_[i];
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
      const bool fits = rewrite_.graph().operands(op).size() == 1 && size <= limits_.bytes;
      if (fits && (size > limits_.bytes - bytes || after)) break;
      waiting_.erase(at);
      --left_[key];
      if (fits) {
        set.push_back(op);
        bytes += size;
        depends[op.index()] = true;
      }
      if (set.empty()) continue;
      if (left_[key] == 0 || static_cast<int64_t>(set.size()) >= limits_.count) break;
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
  size_t first_ = 0;                                     // nothing before it in the order waits
  std::unordered_map<uint32_t, CollectiveKey> waiting_;  // by OpId
  std::map<CollectiveKey, int64_t> left_;                // how many wait
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
