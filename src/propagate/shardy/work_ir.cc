// See the header. Lists are doubly linked through ids; nothing here allocates per op beyond the growth of the stores.
#include "propagate/shardy/work_ir.h"

#include "base/check.h"

namespace sw::shardy {

bool WorkIr::unused(WorkOpId id) const {
  const WorkOp& o = op(id);
  for (uint32_t i = 0; i < o.result_count; ++i)
    if (values[o.first_result.raw + i].use_count > 0) return false;
  return true;
}

WorkOpId WorkIr::owning_op(WorkValueId id) const {
  const WorkValue& v = value(id);
  return v.def.valid() ? v.def : regions[block(v.block).parent.index()].owner;
}

bool WorkIr::before_in_block(WorkOpId a, WorkOpId b) {
  WorkBlock& in = block(op(a).parent);
  if (!in.ordered) {
    uint32_t order = 0;
    for (WorkOpId id = in.first; id.valid(); id = op(id).next) op(id).order = order++;
    in.ordered = true;
  }
  return op(a).order < op(b).order;
}

// ---- making --------------------------------------------------------------------------------------------------------

WorkOpId WorkIr::add_op(const Spec& spec) {
  const WorkOpId id{ops.size()};
  WorkOp o;
  o.kind = spec.kind;
  o.flags = spec.flags;
  o.origin = spec.origin;
  ops.push_back(o);
  set_operands(id, spec.operands);
  return id;
}

void WorkIr::set_operands(WorkOpId id, std::span<const WorkValueId> operands) {
  WorkOp& o = op(id);
  SW_CHECK(o.operand_count == 0, "operands are set once");
  o.first_use = static_cast<uint32_t>(uses.size());
  o.operand_count = static_cast<uint32_t>(operands.size());
  for (const WorkValueId operand : operands) {
    const UseId use{uses.size()};
    uses.push_back({WorkValueId{}, id, UseId{}, UseId{}});
    link(use, operand);
  }
}

WorkValueId WorkIr::add_result(WorkOpId id, TypeId type, uint8_t flags, ValueId origin) {
  const WorkValueId v{values.size()};
  WorkOp& o = op(id);
  if (o.result_count == 0) o.first_result = v;
  SW_CHECK(o.first_result.raw + o.result_count == v.raw, "results are consecutive");
  WorkValue made;
  made.origin = origin;
  made.def = id;
  made.index = o.result_count++;
  made.type = type;
  made.flags = flags;
  values.push_back(made);
  shardings.emplace_back();
  return v;
}

WorkRegionId WorkIr::add_region(WorkOpId owner) {
  const WorkRegionId id{regions.size()};
  regions.push_back({owner, 0, 0});
  if (owner.valid()) {
    WorkOp& o = op(owner);
    if (o.region_count == 0) o.first_region = id.raw;
    SW_CHECK(o.first_region + o.region_count == id.raw, "regions are consecutive");
    ++o.region_count;
  }
  return id;
}

WorkBlockId WorkIr::add_block(WorkRegionId region) {
  const WorkBlockId id{blocks.size()};
  WorkBlock b;
  b.parent = region;
  blocks.push_back(b);
  WorkRegion& r = regions[region.index()];
  if (r.block_count == 0) r.first_block = id.raw;
  SW_CHECK(r.first_block + r.block_count == id.raw, "blocks are consecutive");
  ++r.block_count;
  return id;
}

WorkValueId WorkIr::add_arg(WorkBlockId in, TypeId type, uint8_t flags, ValueId origin) {
  const WorkValueId v{values.size()};
  WorkBlock& b = block(in);
  if (b.arg_count == 0) b.first_arg = v;
  SW_CHECK(b.first_arg.raw + b.arg_count == v.raw, "arguments are consecutive");
  WorkValue made;
  made.origin = origin;
  made.block = in;
  made.index = b.arg_count++;
  made.type = type;
  made.flags = flags;
  values.push_back(made);
  shardings.emplace_back();
  return v;
}

// ---- order in blocks -----------------------------------------------------------------------------------------------

void WorkIr::append(WorkBlockId in, WorkOpId id) {
  WorkBlock& b = block(in);
  op(id).parent = in;
  op(id).prev = b.last;
  op(id).next = WorkOpId{};
  (b.last.valid() ? op(b.last).next : b.first) = id;
  b.last = id;
  b.ordered = false;
}

void WorkIr::insert_front(WorkBlockId in, WorkOpId id) {
  if (block(in).first.valid()) {
    insert_before(id, block(in).first);
  } else {
    append(in, id);
  }
}

void WorkIr::insert_before(WorkOpId id, WorkOpId next) {
  WorkBlock& b = block(op(next).parent);
  op(id).parent = op(next).parent;
  op(id).prev = op(next).prev;
  op(id).next = next;
  (op(id).prev.valid() ? op(op(id).prev).next : b.first) = id;
  op(next).prev = id;
  b.ordered = false;
}

void WorkIr::insert_after(WorkOpId id, WorkOpId prev) {
  if (op(prev).next.valid()) {
    insert_before(id, op(prev).next);
  } else {
    append(op(prev).parent, id);
  }
}

void WorkIr::unlink_from_block(WorkOpId id) {
  WorkOp& o = op(id);
  if (!o.parent.valid()) return;
  WorkBlock& b = block(o.parent);
  (o.prev.valid() ? op(o.prev).next : b.first) = o.next;
  (o.next.valid() ? op(o.next).prev : b.last) = o.prev;
  o.prev = o.next = WorkOpId{};
  b.ordered = false;
}

void WorkIr::move_after(WorkOpId id, WorkOpId prev) {
  if (op(prev).next == id) return;
  unlink_from_block(id);
  insert_after(id, prev);
}

void WorkIr::move_to_front(WorkOpId id, WorkBlockId in) {
  if (block(in).first == id) return;
  unlink_from_block(id);
  insert_front(in, id);
}

void WorkIr::move_to_back(WorkOpId id, WorkBlockId in) {
  unlink_from_block(id);
  append(in, id);
}

void WorkIr::insert_after_value(WorkOpId id, WorkValueId v) {
  if (value(v).def.valid()) {
    insert_after(id, value(v).def);
  } else {
    insert_front(value(v).block, id);
  }
}

// ---- uses ----------------------------------------------------------------------------------------------------------

void WorkIr::link(UseId use, WorkValueId v) {
  WorkUse& u = uses[use.index()];
  WorkValue& of = value(v);
  u.value = v;
  u.prev = UseId{};
  u.next = of.first_use;
  if (of.first_use.valid()) uses[of.first_use.index()].prev = use;
  of.first_use = use;
  ++of.use_count;
}

void WorkIr::unlink(UseId use) {
  WorkUse& u = uses[use.index()];
  WorkValue& of = value(u.value);
  (u.prev.valid() ? uses[u.prev.index()].next : of.first_use) = u.next;
  if (u.next.valid()) uses[u.next.index()].prev = u.prev;
  --of.use_count;
  u.value = WorkValueId{};
}

void WorkIr::set_use(UseId use, WorkValueId v) {
  unlink(use);
  link(use, v);
}

void WorkIr::refresh_uses(WorkOpId id) {
  const WorkOp& o = op(id);
  for (uint32_t i = 0; i < o.operand_count; ++i) set_use(UseId{o.first_use + i}, operand(id, i));
}

void WorkIr::replace_uses_except(WorkValueId from, WorkValueId to, WorkOpId except) {
  for (UseId use = value(from).first_use; use.valid();) {
    const UseId next = uses[use.index()].next;
    if (uses[use.index()].owner != except) set_use(use, to);
    use = next;
  }
}

void WorkIr::replace_operands(WorkOpId id, std::span<const WorkValueId> operands) {
  for (uint32_t u = 0; u < op(id).operand_count; ++u) unlink(UseId{op(id).first_use + u});
  op(id).operand_count = 0;
  set_operands(id, operands);
}

void WorkIr::relink(std::span<const WorkBlockId> bodies) {
  for (WorkValue& v : values) {
    v.first_use = UseId{};
    v.use_count = 0;
  }
  for (const WorkBlockId body : bodies)
    walk_postorder(*this, body, [&](WorkOpId id) {
      const WorkOp& o = op(id);
      for (uint32_t u = 0; u < o.operand_count; ++u) link(UseId{o.first_use + u}, operand(id, u));
    });
}

void WorkIr::erase(WorkOpId id) {
  // Users inside regions go before definitions, so walk the nested ops backwards.
  std::vector<WorkOpId> nested;
  const WorkOp& root = op(id);
  for (uint32_t r = 0; r < root.region_count; ++r) {
    const WorkRegion& region = regions[root.first_region + r];
    for (uint32_t b = 0; b < region.block_count; ++b)
      walk_preorder(*this, WorkBlockId{region.first_block + b}, [&](WorkOpId inner) {
        nested.push_back(inner);
        return true;
      });
  }
  nested.insert(nested.begin(), id);
  for (size_t i = nested.size(); i-- > 0;) {
    WorkOp& o = op(nested[i]);
    for (uint32_t u = 0; u < o.operand_count; ++u) unlink(UseId{o.first_use + u});
    o.operand_count = 0;
    for (uint32_t r = 0; r < o.result_count; ++r) shardings[o.first_result.raw + r] = NamedShardingId{};
    unlink_from_block(nested[i]);
    o.flags |= kErased;
  }
}

// ---- cloning -------------------------------------------------------------------------------------------------------

void WorkIr::begin_clone() { ++epoch_; }

bool WorkIr::is_cloned(WorkValueId id) const {
  return id.index() < clone_map_.size() && clone_map_[id.index()].epoch == epoch_;
}

WorkValueId WorkIr::cloned(WorkValueId id) const { return is_cloned(id) ? clone_map_[id.index()].to : id; }

void WorkIr::map_clone(WorkValueId from, WorkValueId to) {
  if (clone_map_.size() <= from.index()) clone_map_.resize(values.size());
  clone_map_[from.index()] = {epoch_, to};
}

WorkOpId WorkIr::clone_shell(WorkOpId id) {
  const WorkOpId copy = add_op({op(id).kind, op(id).origin, op(id).flags, {}});
  op(copy).extra = op(id).extra;
  const uint32_t results = op(id).result_count;
  for (uint32_t i = 0; i < results; ++i) {
    const WorkValueId from = result(id, i);
    const WorkValue v = value(from);
    const WorkValueId to = add_result(copy, v.type, v.flags, v.origin);
    shardings[to.index()] = shardings[from.index()];
    map_clone(from, to);
  }
  return copy;
}

WorkOpId WorkIr::clone(WorkOpId id) {
  const WorkOpId copy = clone_shell(id);
  std::vector<WorkValueId> operands;
  for (uint32_t i = 0; i < op(id).operand_count; ++i) operands.push_back(cloned(operand(id, i)));
  set_operands(copy, operands);
  const uint32_t count = op(id).region_count;
  for (uint32_t r = 0; r < count; ++r) add_region(copy);
  for (uint32_t r = 0; r < count; ++r)
    clone_region(WorkRegionId{op(id).first_region + r}, WorkRegionId{op(copy).first_region + r});
  return copy;
}

// First all ops of the region without operands, so that every value has its copy; then, op by op, the operands and
// after them the regions: the order in which MLIR makes the uses of a copy.
void WorkIr::clone_region(WorkRegionId from, WorkRegionId to) {
  struct Pair {
    WorkOpId from, to;
    WorkRegionId source, target;  // a region still to be copied, when valid
  };
  std::vector<Pair> todo;  // a stack: what is to be done next is at its end
  std::vector<WorkValueId> operands;
  std::vector<Pair> made;
  todo.push_back({WorkOpId{}, WorkOpId{}, from, to});
  while (!todo.empty()) {
    const Pair job = todo.back();
    todo.pop_back();
    made.clear();
    if (job.source.valid()) {
      const WorkRegion source = regions[job.source.index()];
      for (uint32_t b = 0; b < source.block_count; ++b) {
        const WorkBlockId source_block{source.first_block + b};
        const WorkBlockId target = add_block(job.target);
        const uint32_t args = block(source_block).arg_count;
        for (uint32_t i = 0; i < args; ++i) {
          const WorkValueId arg_from = arg(source_block, i);
          const WorkValue v = value(arg_from);
          const WorkValueId arg_to = add_arg(target, v.type, v.flags, v.origin);
          shardings[arg_to.index()] = shardings[arg_from.index()];
          map_clone(arg_from, arg_to);
        }
        for (WorkOpId id = block(source_block).first; id.valid(); id = op(id).next) {
          const WorkOpId copy = clone_shell(id);
          append(target, copy);
          made.push_back({id, copy, WorkRegionId{}, WorkRegionId{}});
        }
      }
    } else {
      operands.clear();
      for (uint32_t i = 0; i < op(job.from).operand_count; ++i) operands.push_back(cloned(operand(job.from, i)));
      set_operands(job.to, operands);
      const uint32_t count = op(job.from).region_count;
      for (uint32_t r = 0; r < count; ++r) add_region(job.to);
      for (uint32_t r = 0; r < count; ++r)
        made.push_back({WorkOpId{}, WorkOpId{}, WorkRegionId{op(job.from).first_region + r},
                        WorkRegionId{op(job.to).first_region + r}});
    }
    todo.insert(todo.end(), made.rbegin(), made.rend());
  }
}

}  // namespace sw::shardy
