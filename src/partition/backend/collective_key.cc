#include "partition/backend/collective_key.h"

#include "partition/replica_groups.h"

namespace sw {

std::optional<TileGrid> GroupTable::groups_of(const Rewrite& rewrite, OpId id) {
  const Op& op = rewrite.graph().op(id);
  std::optional<TileGrid> groups = read_replica_groups(rewrite.graph(), op);
  if (groups && groups->device_count() > kMaxDevices) return std::nullopt;
  if (groups && groups->device_count() > 0) return groups;
  const AttrId attr = rewrite.graph().attr(op, "replica_groups");
  const bool empty = !attr.valid() || (rewrite.graph().attr_table.get(attr).kind == AttrKind::dense &&
                                       rewrite.graph().attr_table.get(attr).integers.empty());
  if (!empty || rewrite.device_count() < 1 || rewrite.device_count() > kMaxDevices) return std::nullopt;
  return identity_grid(TileDims{1, rewrite.device_count()});
}

int64_t GroupTable::number(const Rewrite& rewrite, OpId op) {
  const std::optional<TileGrid> groups = groups_of(rewrite, op);
  if (!groups) return -1;
  for (size_t i = 0; i < known_.size(); ++i)
    if (same_grid(known_[i], *groups)) return static_cast<int64_t>(i);
  known_.push_back(*groups);
  return static_cast<int64_t>(known_.size()) - 1;
}

namespace {

CollectiveKey common_key(const Rewrite& rewrite, OpId id, int64_t groups) {
  const Op& op = rewrite.graph().op(id);
  CollectiveKey key;
  key.kind = op.kind;
  key.element = rewrite.shape(rewrite.result(id)).element;
  key.has_channel = rewrite.graph().attr(op, "channel_handle").valid();
  key.global_ids = rewrite.graph().attr(op, "use_global_device_ids").valid();
  key.groups = groups;
  return key;
}

}  // namespace

std::optional<CollectiveKey> reduction_key(const Rewrite& rewrite, OpId id, GroupTable& groups) {
  const Op& op = rewrite.graph().op(id);
  const std::optional<OpKind> reduction = reduction_kind(rewrite.graph(), op);
  if (!reduction) return std::nullopt;
  CollectiveKey key = common_key(rewrite, id, groups.number(rewrite, id));
  if (key.groups < 0) return std::nullopt;
  key.reduction = *reduction;
  return key;
}

std::optional<CollectiveKey> gather_key(const Rewrite& rewrite, OpId id, GroupTable& groups) {
  CollectiveKey key = common_key(rewrite, id, groups.number(rewrite, id));
  if (key.groups < 0) return std::nullopt;
  key.element = ElementType::other;
  return key;
}

std::optional<CollectiveKey> permute_key(const Rewrite& rewrite, OpId id) {
  const AttrId pairs = rewrite.graph().attr(rewrite.graph().op(id), "source_target_pairs");
  if (!pairs.valid()) return std::nullopt;
  CollectiveKey key = common_key(rewrite, id, static_cast<int64_t>(pairs.raw));
  key.element = ElementType::other;
  return key;
}

}  // namespace sw
