// Collectives, custom calls and sdy ops that carry a sharding.
#include "base/checked_math.h"
#include "ops/dims_collective.h"
#include "ops/verify_check.h"

namespace sw {

namespace {

// Operand i and result i agree but in the dimensions `first` and `second`. HLO: a tuple result is let pass.
bool check_other_dims(const OpCheck& check, int64_t first, int64_t second) {
  if (check.is_hlo() && check.result().kind == TypeKind::tuple) return true;
  if (check.op.result_count != check.operands.size() && !check.is_hlo())
    return check.fail(DiagnosticKind::wrong_arity, counted(check.op.result_count, "result") + ", expected " +
                                                       std::to_string(check.operands.size()) + ", one per operand");
  for (size_t i = 0; i < check.op.result_count && i < check.operands.size(); ++i) {
    const auto from = check.operand(i).dims, to = check.result(i).dims;
    if (!check.elements(check.operand(i), check.result(i), "operand and result")) return false;
    bool agree = from.size() == to.size();
    for (size_t d = 0; agree && d < from.size(); ++d)
      agree = static_cast<int64_t>(d) == first || static_cast<int64_t>(d) == second || same_size(from[d], to[d]);
    if (!agree || first >= static_cast<int64_t>(from.size()) || second >= static_cast<int64_t>(from.size()))
      return check.mismatch("operand " + std::to_string(i) + " has shape " + dims_text(from) + ", the result " +
                            dims_text(to) + ", expected equal sizes" +
                            (first < 0 ? std::string() : " but in dimension " + std::to_string(first)));
  }
  return true;
}

}  // namespace

namespace {

bool check_groups(const OpCheck& check) {
  if (check.is_hlo()) return true;
  ReplicaGroups groups;
  std::string why;
  return read_replica_groups(check.graph, check.id, groups, &why) || why.empty() || check.bad_attribute(why);
}

bool check_multiple(const OpCheck& check, int64_t dim, int64_t whole, int64_t part) {
  if (whole == kDynamic || part == kDynamic || whole == part || (part > 0 && whole % part == 0)) return true;
  return check.mismatch("dimension " + std::to_string(dim) + " of size " + std::to_string(whole) +
                        " is no multiple of " + std::to_string(part));
}

}  // namespace

// all_reduce, collective_broadcast: results are the operands' types.
bool verify_grouped(const OpCheck& check) { return verify_same_types(check) && check_groups(check); }

bool verify_collective_permute(const OpCheck& check) {
  if (!verify_same_types(check)) return false;
  if (check.is_hlo()) return true;
  DimList pairs;
  std::string why;
  return read_source_target_pairs(check.graph, check.id, pairs, &why) || check.bad_attribute(why);  // c2 .. c4
}

bool verify_all_gather(const OpCheck& check) {
  if (check.operands.empty()) return check.invalid("no operands, expected at least one");
  if (!check.arrays()) return false;
  int64_t dim = 0;
  std::string why;
  if (!read_all_gather_dim(check.graph, check.id, dim, &why)) return check.bad_attribute(why);
  if (!check_other_dims(check, dim, dim) || !check_groups(check)) return false;  // all_gather_c6
  if (check.is_hlo() && check.result().kind == TypeKind::tuple) return true;
  const size_t d = static_cast<size_t>(dim);
  return check_multiple(check, dim, check.result().dims[d], check.operand(0).dims[d]);
}

bool verify_reduce_scatter(const OpCheck& check) {
  if (check.operands.empty()) return check.invalid("no operands, expected at least one");
  if (!check.arrays()) return false;
  int64_t dim = 0;
  std::string why;
  if (!read_reduce_scatter_dim(check.graph, check.id, dim, &why)) return check.bad_attribute(why);
  if (!check_other_dims(check, dim, dim) || !check_groups(check)) return false;  // reduce_scatter_c8
  if (check.is_hlo() && check.result().kind == TypeKind::tuple) return true;
  const size_t d = static_cast<size_t>(dim);
  return check_multiple(check, dim, check.operand(0).dims[d], check.result().dims[d]);
}

bool verify_all_to_all(const OpCheck& check) {
  if (check.operands.empty()) return check.invalid("no operands, expected at least one");
  if (!check.arrays()) return false;
  // HLO has a second form without dimensions, whose operands are the parts.
  if (check.is_hlo()) return true;
  AllToAllDims dims;
  std::string why;
  if (!read_all_to_all_dims(check.graph, check.id, dims, &why)) return check.bad_attribute(why);
  if (!check_other_dims(check, dims.split, dims.concat) || !check_groups(check)) return false;
  const auto from = check.operand(0).dims, to = check.result().dims;  // all_to_all_c9
  const int64_t split = from[static_cast<size_t>(dims.split)], concat = from[static_cast<size_t>(dims.concat)];
  if (split != kDynamic && split % dims.count != 0)
    return check.mismatch("dimension " + std::to_string(dims.split) + " of size " + std::to_string(split) +
                          " does not divide by split_count " + std::to_string(dims.count));
  if (dims.split == dims.concat) return check_other_dims(check, -1, -1);
  const auto joined = concat == kDynamic ? kDynamic : checked_mul(concat, dims.count);
  if (!joined || !same_size(to[static_cast<size_t>(dims.concat)], *joined) ||
      (split != kDynamic && !same_size(to[static_cast<size_t>(dims.split)], split / dims.count)))
    return check.mismatch("operand of shape " + dims_text(from) + " cannot become " + dims_text(to));
  return true;
}

bool verify_custom_call(const OpCheck& check) {
  std::string_view target;
  std::string why;
  AttrReader attrs(check.graph, check.op, &why);
  return attrs.text("call_target_name", target) || check.bad_attribute(why);
}

// sharding_constraint and reshard: `sharding` is theirs by definition.
bool verify_sharding_op(const OpCheck& check) {
  for (const NamedAttr& named : check.graph.attrs(check.op)) {
    if (check.graph.strings.text(named.name) != "sharding") continue;
    if (check.graph.attr_table.get(named.value).kind != AttrKind::sharding)
      return check.bad_attribute("attribute `sharding` is not a sharding");
    if (check.result_id() == check.operand_id(0)) return true;
    return check.mismatch("the result is " + check.text(check.result_id()) + ", expected " +
                          check.text(check.operand_id(0)));
  }
  return check.bad_attribute("attribute `sharding` is missing");
}

}  // namespace sw
