#include "partition/backend/all_reduce.h"

#include <algorithm>
#include <map>

#include "partition/backend/collective_key.h"

namespace sw {

void drop_trivial_collectives(Rewrite& rewrite) {
  for (FunctionId computation : rewrite.computations()) {
    for (OpId op : rewrite.post_order(computation)) {
      const OpKind kind = rewrite.graph().op(op).kind;
      const bool shapes = kind == OpKind::all_gather || kind == OpKind::reduce_scatter;
      if (!shapes && kind != OpKind::all_reduce) continue;
      const ValueId result = rewrite.result(op);
      if (rewrite.graph().operands(op).size() != 1 || !rewrite.shape(result).is_array()) continue;
      const ValueId operand = rewrite.operand(op);
      if (shapes) {
        if (std::ranges::equal(rewrite.shape(operand).dims, rewrite.shape(result).dims)) rewrite.replace(op, operand);
        continue;
      }
      const auto groups = GroupTable::groups_of(rewrite, op);
      if (groups && groups->dims[1] == 1) rewrite.replace(op, operand);
    }
  }
}

namespace {

// Orders the devices of every group as its first member meets them: for each device of its group in the second round,
// the devices that this one has met in the first.
void list_by_rounds(std::vector<std::vector<int64_t>>& groups, std::span<const int64_t> of_first,
                    std::span<const int64_t> of_second, std::span<const size_t> group_of, size_t size1, size_t size2) {
  std::vector<size_t> second_of(of_second.size(), 0);
  for (size_t i = 0; i < of_second.size(); ++i)
    if (static_cast<size_t>(of_second[i]) < second_of.size()) second_of[static_cast<size_t>(of_second[i])] = i / size2;
  for (std::vector<int64_t>& group : groups) {
    const size_t second = second_of[static_cast<size_t>(group.front())];
    group.clear();
    for (size_t j = 0; j < size2; ++j) {
      const size_t first = group_of[static_cast<size_t>(of_second[second * size2 + j])];
      for (size_t k = 0; k < size1; ++k) group.push_back(of_first[first * size1 + k]);
    }
  }
}

// Groups whose members have together what two rounds of groups bring them; nothing when something comes twice or when
// members of one new group do not get the same.
std::optional<TileGrid> folded_groups(const TileGrid& first, const TileGrid& second, FoldedOrder order) {
  const std::vector<int64_t> of_first = device_ids(first), of_second = device_ids(second);
  const auto size1 = static_cast<size_t>(first.dims[1]), size2 = static_cast<size_t>(second.dims[1]);
  const int64_t devices = 1 + *std::max_element(of_first.begin(), of_first.end());
  std::vector<size_t> group_of(static_cast<size_t>(devices), 0);
  for (size_t i = 0; i < of_first.size(); ++i) group_of[static_cast<size_t>(of_first[i])] = i / size1;
  std::map<std::vector<size_t>, size_t> number_of;  // sets of first groups
  std::vector<size_t> set_of(static_cast<size_t>(devices), 0);
  for (size_t g = 0; g * size2 < of_second.size(); ++g) {
    std::vector<size_t> set;
    for (size_t j = 0; j < size2; ++j) {
      const int64_t device = of_second[g * size2 + j];
      if (device >= devices) return std::nullopt;
      set.push_back(group_of[static_cast<size_t>(device)]);
    }
    std::sort(set.begin(), set.end());
    if (std::adjacent_find(set.begin(), set.end()) != set.end()) return std::nullopt;
    const size_t number = number_of.emplace(std::move(set), number_of.size() + 1).first->second;
    for (size_t j = 0; j < size2; ++j) set_of[static_cast<size_t>(of_second[g * size2 + j])] = number;
  }
  std::vector<std::vector<int64_t>> groups;
  for (const auto& [set, number] : number_of) {
    std::vector<int64_t>& group = groups.emplace_back();
    for (size_t g : set)
      for (size_t j = 0; j < size1; ++j) group.push_back(of_first[g * size1 + j]);
    for (int64_t device : group)
      if (set_of[static_cast<size_t>(device)] != number) return std::nullopt;
    std::sort(group.begin(), group.end());
  }
  std::sort(groups.begin(), groups.end());
  if (order == FoldedOrder::by_rounds) list_by_rounds(groups, of_first, of_second, group_of, size1, size2);
  std::vector<int64_t> ids;
  for (const auto& group : groups) ids.insert(ids.end(), group.begin(), group.end());
  const TileDims dims{static_cast<int64_t>(groups.size()), static_cast<int64_t>(size1 * size2)};
  const bool in_order =
      std::adjacent_find(ids.begin(), ids.end(), [](int64_t a, int64_t b) { return b != a + 1; }) == ids.end();
  return in_order && ids.front() == 0 ? identity_grid(dims) : list_grid(dims, std::move(ids));
}

bool same_but_for_groups(CollectiveKey a, const CollectiveKey& b) {
  a.groups = b.groups;
  return a == b;
}

}  // namespace

void fold_all_reduces(Rewrite& rewrite, FoldedOrder order) {
  GroupTable table;
  std::map<std::pair<int64_t, int64_t>, std::optional<TileGrid>> folded_before;  // by numbers of the groups
  for (FunctionId computation : rewrite.computations()) {
    for (OpId op : rewrite.post_order(computation)) {
      if (rewrite.graph().op(op).kind != OpKind::all_reduce || rewrite.graph().operands(op).size() != 1) continue;
      const ValueId inner = rewrite.operand(op);
      if (!rewrite.is(inner, OpKind::all_reduce) || !rewrite.has_one_user(inner)) continue;
      const OpId first = rewrite.def(inner);
      if (rewrite.graph().operands(first).size() != 1) continue;
      const auto key0 = reduction_key(rewrite, first, table), key1 = reduction_key(rewrite, op, table);
      if (!key0 || !key1 || !same_but_for_groups(*key0, *key1)) continue;
      const auto [at, fresh] = folded_before.emplace(std::pair(key0->groups, key1->groups), std::nullopt);
      if (fresh)
        at->second = folded_groups(*GroupTable::groups_of(rewrite, first), *GroupTable::groups_of(rewrite, op), order);
      const std::optional<TileGrid>& groups = at->second;
      if (!groups) continue;
      const ValueId operand = rewrite.operand(first);
      const ValueId folded = rewrite.clone(first, rewrite.type(rewrite.result(op)), std::span(&operand, 1));
      rewrite.set_groups(rewrite.def(folded), *groups);
      rewrite.merge_causes(rewrite.def(folded), op);
      rewrite.replace(op, folded);
    }
  }
}

namespace {

class Reassociation {
 public:
  explicit Reassociation(Rewrite& rewrite) : rewrite_(rewrite) {}

  void visit(OpId op) {
    const OpKind kind = rewrite_.graph().op(op).kind;
    if (kind != OpKind::add && kind != OpKind::multiply && kind != OpKind::minimum && kind != OpKind::maximum) return;
    const ValueId result = rewrite_.result(op);
    const ValueId lhs = reduced_behind(rewrite_.operand(op, 0), kind);
    const ValueId rhs = reduced_behind(rewrite_.operand(op, 1), kind);
    if (!lhs.valid() || !rhs.valid() || !rewrite_.shape(result).is_array()) return;
    const bool sliced = rewrite_.is(lhs, OpKind::dynamic_slice);
    if (sliced != rewrite_.is(rhs, OpKind::dynamic_slice)) return;
    if (sliced && !same_slice(rewrite_.def(lhs), rewrite_.def(rhs))) return;
    // Behind padding there may be less than the padded sum has.
    int64_t elements = rewrite_.shape(lhs).element_count();
    if (lhs != rhs) elements += rewrite_.shape(rhs).element_count();
    if (elements < rewrite_.shape(result).element_count()) return;
    const OpId ar0 = sliced ? rewrite_.def(rewrite_.operand(rewrite_.def(lhs))) : rewrite_.def(lhs);
    const OpId ar1 = sliced ? rewrite_.def(rewrite_.operand(rewrite_.def(rhs))) : rewrite_.def(rhs);
    const bool converted0 = is_convert_of(rewrite_.operand(op, 0), ar0);
    const bool converted1 = is_convert_of(rewrite_.operand(op, 1), ar1);
    const bool direct0 = converted0 || rewrite_.operand(op, 0) == rewrite_.result(ar0);
    const bool direct1 = converted1 || rewrite_.operand(op, 1) == rewrite_.result(ar1);
    const bool promote = direct0 && direct1 && (converted0 || converted1);
    if (promote && !conversions_agree(op, converted0, converted1)) return;
    if (!compatible(ar0, ar1, kind, promote)) return;
    reassociate(op, ar0, ar1, sliced ? rewrite_.def(lhs) : OpId{}, promote);
  }

 private:
  void reassociate(OpId op, OpId ar0, OpId ar1, OpId slice, bool promote) {
    if (ar1 != ar0) rewrite_.merge_causes(ar0, ar1);
    if (promote) {
      do_wide(op, ar0, ar1);
    } else if (slice.valid()) {
      do_sliced(op, ar0, ar1, slice);
    } else {
      do_plain(op, ar0, ar1);
    }
  }

  // The all-reduce (or the dynamic-slice of one) behind what may be looked through; invalid: none.
  ValueId reduced_behind(ValueId value, OpKind kind) const {
    const Op* op = rewrite_.maker(value);
    if (op == nullptr) return {};
    if (op->kind == OpKind::dynamic_slice) {
      const ValueId operand = rewrite_.graph().operands(*op)[0];
      const bool fits = rewrite_.is(operand, OpKind::all_reduce) && rewrite_.has_one_user(operand);
      return fits && rewrite_.has_one_user(value) ? value : ValueId{};
    }
    while (op->kind != OpKind::all_reduce) {
      if (!rewrite_.has_one_user(value)) return {};
      if (op->kind != OpKind::reshape && op->kind != OpKind::pad && op->kind != OpKind::slice &&
          op->kind != OpKind::convert)
        return {};
      if (op->kind == OpKind::pad && !(kind == OpKind::add && is_zero(rewrite_.graph().operands(*op)[1]))) return {};
      value = rewrite_.graph().operands(*op)[0];
      op = rewrite_.maker(value);
      if (op == nullptr) return {};
    }
    return rewrite_.has_one_user(value) && rewrite_.graph().operands(*op).size() == 1 ? value : ValueId{};
  }

  bool is_zero(ValueId value) const {
    if (!rewrite_.is(value, OpKind::constant)) return false;
    const AttrId id = rewrite_.graph().attr(*rewrite_.maker(value), "value");
    if (!id.valid()) return false;
    const std::string_view text = rewrite_.graph().attr_table.get(id).text;
    return !text.empty() && text.find_first_not_of("0.") == std::string_view::npos;
  }

  bool is_convert_of(ValueId value, OpId reduced) const {
    return rewrite_.is(value, OpKind::convert) && rewrite_.operand(rewrite_.def(value)) == rewrite_.result(reduced);
  }

  bool same_slice(OpId a, OpId b) const {
    const auto of_a = rewrite_.graph().operands(a), of_b = rewrite_.graph().operands(b);
    return rewrite_.type(of_a[0]) == rewrite_.type(of_b[0]) &&
           rewrite_.type(rewrite_.result(a)) == rewrite_.type(rewrite_.result(b)) &&
           std::ranges::equal(of_a.subspan(1), of_b.subspan(1));
  }

  // Every value of the narrow type is one of the wide type.
  static bool widens(ElementType from, ElementType to) {
    if (is_floating(from) && is_floating(to)) return bits(from) < bits(to);
    return is_integer(from) && is_integer(to) && bits(from) < bits(to);
  }

  bool conversions_agree(OpId op, bool converted0, bool converted1) const {
    std::optional<ElementType> narrow;
    for (size_t i : {size_t{0}, size_t{1}}) {
      if (!(i == 0 ? converted0 : converted1)) continue;
      const ValueId value = rewrite_.operand(op, i);
      const ElementType from = rewrite_.shape(rewrite_.operand(rewrite_.def(value))).element;
      if (!widens(from, rewrite_.shape(value).element) || (narrow && *narrow != from)) return false;
      narrow = from;
    }
    return true;
  }

  bool compatible(OpId ar0, OpId ar1, OpKind kind, bool ignore_element) {
    auto key0 = reduction_key(rewrite_, ar0, groups_);
    const auto key1 = reduction_key(rewrite_, ar1, groups_);
    if (!key0 || !key1 || key0->reduction != kind) return false;
    if (ignore_element) key0->element = key1->element;
    return *key0 == *key1;
  }

  // The op stands as it is, on what was to be reduced; its result is reduced instead.
  void do_plain(OpId op, OpId ar0, OpId ar1) {
    const ValueId result = rewrite_.result(op);
    const ValueId all = rewrite_.clone(ar0, rewrite_.type(result), std::span(&result, 1));
    rewrite_.replace_uses(result, all);
    rewrite_.set_operand(rewrite_.def(all), 0, result);
    rewrite_.replace(ar0, rewrite_.operand(ar0));
    if (ar1 != ar0) rewrite_.replace(ar1, rewrite_.operand(ar1));
  }

  void do_wide(OpId op, OpId ar0, OpId ar1) {
    const TypeId type = rewrite_.type(rewrite_.result(op));
    ValueId terms[2];
    for (size_t i : {size_t{0}, size_t{1}}) {
      const ValueId before = rewrite_.operand(op, i);
      const ValueId local = rewrite_.operand(i == 0 ? ar0 : ar1);
      terms[i] = rewrite_.is(before, OpKind::convert) ? rewrite_.add(op, OpKind::convert, type, {local}) : local;
    }
    const ValueId sum = rewrite_.clone(op, type, terms);
    const ValueId all = rewrite_.clone(ar0, type, std::span(&sum, 1));
    rewrite_.set_reduction(rewrite_.def(all), rewrite_.graph().op(op).kind, rewrite_.shape(all).element);
    rewrite_.replace(op, all);
  }

  void do_sliced(OpId op, OpId ar0, OpId ar1, OpId slice) {
    const ValueId terms[] = {rewrite_.operand(ar0), rewrite_.operand(ar1)};
    const TypeId full = rewrite_.type(rewrite_.result(ar0));
    const ValueId sum = rewrite_.clone(op, full, terms);
    const ValueId all = rewrite_.clone(ar0, full, std::span(&sum, 1));
    std::vector<ValueId> operands(rewrite_.graph().operands(slice).begin(), rewrite_.graph().operands(slice).end());
    operands[0] = all;
    rewrite_.replace(op, rewrite_.clone(slice, rewrite_.type(rewrite_.result(op)), operands));
  }

  Rewrite& rewrite_;
  GroupTable groups_;
};

}  // namespace

void reassociate_all_reduces(Rewrite& rewrite) {
  Reassociation reassociation(rewrite);
  for (FunctionId computation : rewrite.computations())
    for (OpId op : rewrite.post_order(computation))
      if (!rewrite.erased(op)) reassociation.visit(op);
}

}  // namespace sw
