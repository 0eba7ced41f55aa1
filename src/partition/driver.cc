// Partitions a module: the entry computation, and from there every computation that loops, branches and calls need,
// each once per combination of shardings it is called with. Bodies of reductions, sorts and the like run per element
// and stay as they are.
//
// Follows SpmdPartitioner::RunImpl, PreprocessSharding and PreprocessCallSites of XLA (spmd_partitioner.cc). Differs:
// dead collectives of failed attempts are dropped with all other dead code (cleanup.cc) instead of by later passes.
#include <algorithm>
#include <deque>
#include <map>

#include "partition/cleanup.h"
#include "partition/collect.h"
#include "partition/partition.h"
#include "partition/visitor.h"

namespace sw {

namespace {

class Driver final : public Computations {
 public:
  Driver(const Graph& program, TileShardingTable& table, std::vector<TileShardingId> shardings, int64_t devices,
         Diagnostics& diagnostics)
      : builder_(program),
        table_(table),
        shardings_(std::move(shardings)),
        devices_(devices),
        diagnostics_(diagnostics) {
    pieces_.resize(program.value_count());
    const TileShardingId replicated = table_.intern(replicated_sharding());
    for (size_t i = 0; i < shardings_.size(); ++i) {
      if (shardings_[i].valid()) continue;
      shardings_[i] = replicated;
      const OpId def = program.value(ValueId{i}).def;
      // A random draw without a sharding happens once, on the first device.
      if (def.valid() && program.op(def).kind == OpKind::rng) shardings_[i] = table_.intern(on_device(0));
    }
    shared_.next_channel = first_free_channel(program);
    shared_.uses.assign(program.value_count(), 0);
    for (size_t i = 0; i < program.op_count(); ++i)
      for (ValueId operand : program.operands(program.op(OpId{i}))) ++shared_.uses[operand.index()];
  }

  FunctionId run(FunctionId main) {
    const Function& function = builder_.graph().function(main);
    const RegionId body = function.body;
    const Block& block = builder_.graph().block(builder_.graph().entry_block(body));
    std::vector<TileShardingId> args;
    for (uint32_t i = 0; i < block.arg_count; ++i) args.push_back(shardings_[block.first_arg.index() + i]);
    const TileShardingId root = shardings_[root_value(body).index()];
    const RegionId local = partitioned(body, std::move(args), root);
    const FunctionId id = builder_.graph().region(local).function;
    builder_.function(id).is_entry = true;
    builder_.set_main(id);
    return id;
  }

  RegionId partitioned(RegionId region, std::vector<TileShardingId> args, TileShardingId root) override {
    Key key{region, args, root};
    if (const auto known = done_.find(key); known != done_.end()) return known->second;
    const RegionId local = partition_region(region, args, root);
    done_.emplace(std::move(key), local);
    return local;
  }

  Graph take() { return builder_.take(); }
  Shared& shared() { return shared_; }

 private:
  using Key = std::tuple<RegionId, std::vector<TileShardingId>, TileShardingId>;

  static TileSharding on_device(int64_t device) {
    TileSharding s;
    s.kind = TileKind::maximal;
    s.device = device;
    return s;
  }

  static int64_t first_free_channel(const Graph& graph) {
    int64_t next = 1;
    for (size_t i = 0; i < graph.op_count(); ++i) {
      const AttrId channel = graph.attr(graph.op(OpId{i}), "channel_handle");
      if (!channel.valid()) continue;
      const AttrId handle = Graph::find(graph.attr_table.get(channel).fields, graph.strings.find("handle"));
      if (handle.valid()) next = std::max(next, graph.attr_table.get(handle).integer + 1);
    }
    return next;
  }

  ValueId root_value(RegionId region) const {
    const Graph& graph = builder_.graph();
    return graph.operands(graph.block(graph.entry_block(region)).ops.back())[0];
  }

  // A new computation with the parameters' pieces.
  BlockId start_computation(RegionId region, std::span<const TileShardingId> args, RegionId& local) {
    const FunctionId original = builder_.graph().region(region).function;
    Function function = builder_.graph().function(original);
    function.name = builder_.name(std::string(builder_.strings().text(function.name)) + "_spmd");
    function.is_entry = false;
    function.arg_attrs.assign(args.size(), {});
    const FunctionId id = builder_.add_function(function);
    local = builder_.add_region({}, id);
    builder_.function(id).body = local;
    return builder_.add_block(local);
  }

  RegionId partition_region(RegionId region, std::span<const TileShardingId> args, TileShardingId root) {
    RegionId local;
    const BlockId block = start_computation(region, args, local);
    scopes_.emplace_back();
    Scope& everything = scopes_.back();
    everything.device_count = devices_;
    Context context(builder_, block, table_, shared_);
    const BlockId source = builder_.graph().entry_block(region);
    const ValueId first_arg = builder_.graph().block(source).first_arg;
    std::vector<TypeId> inputs;
    for (uint32_t i = 0; i < args.size(); ++i) {
      const ValueId arg{first_arg.raw + i};
      const Value original = builder_.graph().value(arg);
      inputs.push_back(shard_type(context, original.type, args[i]));
      const ValueId piece = builder_.add_arg(block, inputs.back(), original.name, original.where, original.loc);
      pieces_[arg.index()] = {piece, original.type, args[i], &everything};
      shared_.note_piece(piece, arg, args[i]);
    }
    everything.partition_id = context.emit.partition_id();
    const ValueId root_of_region = root_value(region);
    if (!root.valid()) {
      // The condition of a loop: the same answer on every device.
      root = table_.intern(replicate_data_dims(table_.get(shardings_[root_of_region.index()]), -1));
      shardings_[root_of_region.index()] = root;
    }
    Visitor visitor(context, everything, *this, shardings_, pieces_, diagnostics_);
    const std::vector<OpId> ops = builder_.graph().block(source).ops;
    for (OpId op : ops)
      if (!has_trait(builder_.graph().op(op).kind, kTerminator)) visitor.visit(op);
    const ShardedValue result = pieces_[root_of_region.index()];
    context.emit.set_visiting(builder_.graph().value(root_of_region).def);
    context.cause = {builder_.graph().value(root_of_region).def,
                     -1,
                     result.sharding,
                     root,
                     CollectiveReason::output,
                     root_of_region};
    finish_computation(block, local, inputs, reshard(context, result, root).value);
    return local;
  }

  void finish_computation(BlockId block, RegionId local, std::span<const TypeId> inputs, ValueId result) {
    GraphBuilder::OpSpec end;
    end.kind = OpKind::func_return;
    end.name = builder_.name(facts(OpKind::func_return).mlir);
    end.operands = std::span(&result, 1);
    builder_.add_op(block, end);
    const TypeId type = builder_.graph().value(result).type;
    Function& function = builder_.function(builder_.graph().region(local).function);
    function.type = builder_.types().function(inputs, std::span(&type, 1));
    function.attrs = {};
    function.result_attrs.assign(1, {});
  }

  GraphBuilder builder_;
  TileShardingTable& table_;
  std::vector<TileShardingId> shardings_;
  std::vector<ShardedValue> pieces_;
  int64_t devices_;
  Diagnostics& diagnostics_;
  Shared shared_;
  std::deque<Scope> scopes_;
  std::map<Key, RegionId> done_;
};

// A computation may be there more than once, partitioned in different ways. Pieces are kept of the values that all of
// these ways still have after the clean-up, so that who runs both programs finds one for each time a value is made.
std::vector<SourcePiece> surviving_pieces(const std::vector<SourcePiece>& made, const Cleaned& cleaned,
                                          size_t source_count) {
  std::vector<char> lost(source_count, 0);
  for (const SourcePiece& p : made)
    if (!cleaned.new_value[p.local.index()].valid()) lost[p.source.index()] = 1;
  std::vector<SourcePiece> kept;
  for (const SourcePiece& p : made)
    if (lost[p.source.index()] == 0) kept.push_back({cleaned.new_value[p.local.index()], p.source, p.sharding});
  return kept;
}

int64_t devices_in(const TileShardingTable& table, std::span<const TileShardingId> shardings) {
  int64_t devices = 1;
  for (TileShardingId id : shardings) {
    if (!id.valid()) continue;
    const TileSharding& s = table.get(id);
    if (is_tiled(s)) devices = std::max(devices, device_count(s));
    if (s.kind == TileKind::tuple) devices = std::max(devices, devices_in(table, s.elements));
  }
  return devices;
}

}  // namespace

Result<LocalProgram> partition(const Graph& program, TileShardingTable& table, std::vector<TileShardingId> shardings,
                               int64_t device_count, Diagnostics& diagnostics, Lowering lowering) {
  LocalProgram result;
  shardings.resize(program.value_count());
  result.device_count = device_count > 0 ? device_count : devices_in(table, shardings);
  if (!program.main.valid()) {
    diagnostics.error(DiagnosticKind::no_main_function, {}, "the module has no entry computation");
    return reported();
  }
  const size_t source_count = program.value_count();
  Driver driver(program, table, std::move(shardings), result.device_count, diagnostics);
  driver.shared().lowering = lowering;
  driver.run(program.main);
  Cleaned cleaned = clean_up(driver.take());
  result.graph = std::move(cleaned.graph);
  result.miscompiles = std::move(driver.shared().miscompiles);
  result.collectives = collect(result.graph, driver.shared().causes, cleaned.new_op);
  result.pieces = surviving_pieces(driver.shared().pieces, cleaned, source_count);
  return result;
}

}  // namespace sw
