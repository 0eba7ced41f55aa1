// Block by block, in the order of the working IR. Constants are written where they are used, since computations cannot
// see one another's values; a splat of several elements is a scalar and a broadcast.
//
// Inside a manual computation shardings name the free axes only; the manual ones become subgroups:
//   manual {"x"}: [{}, {"y"}]  ->  {devices=[1,4,2]<=[2,4]T(1,0) last_tile_dims={manual}}; all axes: {manual}
#include "propagate/shardy/lower.h"

#include <map>
#include <unordered_map>

#include "base/check.h"
#include "ops/dims_listed.h"
#include "ops/dims_slice.h"
#include "propagate/hlo_broadcast.h"
#include "propagate/shardy/explicit_reshards.h"
#include "propagate/shardy/final_shardings.h"
#include "propagate/shardy/sharding_ops.h"
#include "sharding/convert.h"
#include "sharding/tile_algebra.h"

namespace sw::shardy {
namespace {

class Lowering {
 public:
  Lowering(Module& module, const Engine& engine)
      : module_(module),
        ir_(module.ir),
        final_(module, engine),
        explicit_(module, engine, final_),
        writer_(module.graph) {}

  Result<LoweredProgram> run() {
    const WorkFunction& main = module_.functions[module_.main];
    const WorkBlockId body = module_.body(main);
    Frame frame{writer_.begin("main"), body, {}, {}, {}};
    for (uint32_t i = 0; i < ir_.block(body).arg_count; ++i) {
      const WorkValueId arg = ir_.arg(body, i);
      NamedShardingId sharding = final_.divisible(final_.value_sharding(arg), arg);
      if (sharding.valid()) sharding = without_open_sub_axes(module_.shardings, sharding);
      frame.values[arg.raw] =
          writer_.add_parameter(frame.in, ir_.value(arg).type, tile(frame, sharding), ir_.value(arg).origin);
    }
    write_block(frame);
    finish_main(frame);
    return writer_.take(frame.in, module_.diagnostics);
  }

 private:
  using Values = std::unordered_map<uint32_t, ValueId>;

  // A computation that is being written.
  struct Frame {
    HloWriter::Computation in;
    WorkBlockId block;
    Values values;
    AxisList manual;  // of the manual computations around
    MeshId mesh;      // of those
  };

  // ---- shardings
  // -----------------------------------------------------------------------------------------------------

  TileShardingTable& tiles() { return module_.program.tile_shardings; }

  TileShardingId tile(const Frame& frame, NamedShardingId id) {
    if (!id.valid()) return {};
    const std::pair<uint32_t, uint32_t> key{id.raw, frame.manual.empty() ? 0U : frame.in.function.raw + 1};
    if (const auto known = tile_of_.find(key); known != tile_of_.end()) return known->second;
    const TileShardingId made = tiles().intern(
        tile_from_named(module_.shardings, final_.closed(id), std::span(frame.manual.data(), frame.manual.size())));
    tile_of_.emplace(key, made);
    return made;
  }

  // Inside a manual computation every value has one.
  TileShardingId tile(const Frame& frame, NamedShardingId id, TypeId type) {
    if (!id.valid() && !frame.manual.empty())
      id = module_.shardings.fully_open(frame.mesh, module_.graph.types.get(type).rank());
    return tile(frame, id);
  }

  // Of all results together; invalid when none has one.
  TileShardingId tuple_sharding(std::span<const TileShardingId> elements) {
    bool any = false;
    TileSharding tuple;
    tuple.kind = TileKind::tuple;
    for (const TileShardingId id : elements) {
      any = any || id.valid();
      tuple.elements.push_back(id.valid() ? id : tiles().intern(replicated_sharding()));
    }
    return any ? tiles().intern(tuple) : TileShardingId{};
  }

  std::vector<TileShardingId> result_tiles(const Frame& frame, WorkOpId id) {
    const std::vector<NamedShardingId> named = final_.results_of(id);
    std::vector<TileShardingId> list;
    for (uint32_t i = 0; i < ir_.op(id).result_count; ++i)
      list.push_back(tile(frame, named[i], ir_.value(ir_.result(id, i)).type));
    return list;
  }

  // ---- values
  // --------------------------------------------------------------------------------------------------------

  bool is_constant(WorkOpId id) const { return id.valid() && has_trait(ir_.op(id).kind, kConstant); }

  ValueId use(Frame& frame, WorkValueId value) {
    const auto known = frame.values.find(value.raw);
    if (known != frame.values.end()) return known->second;
    const WorkOpId def = ir_.value(value).def;
    SW_CHECK(is_constant(def), "a value is used in a computation that does not have it");
    const ValueId made = write_constant(frame, def);
    frame.values[value.raw] = made;
    return made;
  }

  std::vector<ValueId> operands_of(Frame& frame, WorkOpId id) {
    std::vector<ValueId> list;
    for (uint32_t i = 0; i < ir_.op(id).operand_count; ++i) list.push_back(use(frame, ir_.operand(id, i)));
    return list;
  }

  ValueId write_folded(Frame& frame, HloWriter::Spec spec, uint32_t folded) {
    const std::optional<Literal>& literal = module_.folded[folded];
    AttrTable& attrs = writer_.builder().attr_table();
    const NamedAttr made[] = {literal
                                  ? NamedAttr{writer_.builder().name("value"), literal_attr(attrs, spec.type, *literal)}
                                  : writer_.unknown_constant()};
    spec.own_attrs = false;
    spec.made = made;
    return writer_.add(frame.in, spec);
  }

  ValueId write_constant(Frame& frame, WorkOpId id) {
    const WorkValueId result = ir_.result(id);
    const TypeId type = ir_.value(result).type;
    const TileShardingId sharding = tile(frame, final_.value_sharding(result), type);
    const OpId origin = ir_.op(id).origin;
    HloWriter::Spec spec;
    spec.kind = OpKind::constant;
    spec.origin = origin;
    spec.type = type;
    spec.sharding = sharding;
    spec.source = ir_.value(result).origin;
    if ((ir_.op(id).flags & kFoldedConstant) != 0) return write_folded(frame, spec, ir_.op(id).extra);
    const AttrId value = module_.graph.attr(module_.graph.op(origin), "value");
    const Attr literal = value.valid() ? module_.graph.attr_table.get(value) : Attr{};
    if (literal.kind != AttrKind::dense || literal.form != DenseForm::splat ||
        module_.graph.types.get(type).element_count() <= 1)
      return writer_.add(frame.in, spec);
    const TypeId scalar = writer_.builder().types().tensor(module_.graph.types.get(type).element, {});
    const NamedAttr made[] = {
        {writer_.builder().name("value"), writer_.builder().attr_table().splat(scalar, std::string(literal.text))}};
    HloWriter::Spec element;
    element.kind = OpKind::constant;
    element.type = scalar;
    element.made = made;
    const ValueId operand[] = {writer_.add(frame.in, element)};
    spec.kind = OpKind::broadcast_in_dim;
    spec.own_attrs = false;
    spec.operands = operand;
    return writer_.add(frame.in, spec);
  }

  // ---- operations
  // ----------------------------------------------------------------------------------------------------

  void write_block(Frame& frame) {
    const WorkOpId terminator = ir_.terminator(frame.block);
    for (WorkOpId id = ir_.block(frame.block).first; id.valid(); id = ir_.op(id).next)
      if (id != terminator) write_op(frame, id);
  }

  void write_op(Frame& frame, WorkOpId id) {
    const WorkOp& op = ir_.op(id);
    if (is_constant(id)) return;  // where it is used
    switch (op.kind) {
      case OpKind::data_flow_edge:
      case OpKind::func_data_flow_edge:
      case OpKind::propagation_barrier: frame.values[ir_.result(id).raw] = use(frame, ir_.operand(id, 0)); return;
      case OpKind::sharding_group: return;
      case OpKind::sharding_constraint:
      case OpKind::reshard: return write_copy(frame, id);
      case OpKind::while_: return write_while(frame, id);
      case OpKind::case_:
      case OpKind::if_: return write_case(frame, id);
      case OpKind::manual_computation: return write_manual(frame, id);
      case OpKind::named_computation: return write_named(frame, id);
      case OpKind::optimization_barrier:
        if (op.operand_count != 1) return write_barrier(frame, id);
        break;
      case OpKind::all_to_all:
        if (write_all_to_all(frame, id)) return;
        break;
      default: break;
    }
    write_plain(frame, id);
  }

  void define(Frame& frame, WorkOpId id, ValueId value) { frame.values[ir_.result(id).raw] = value; }

  void define_elements(Frame& frame, WorkOpId id, ValueId tuple, std::span<const TileShardingId> shardings) {
    for (uint32_t i = 0; i < ir_.op(id).result_count; ++i) {
      const WorkValueId result = ir_.result(id, i);
      frame.values[result.raw] =
          writer_.add_element(frame.in, tuple, i, shardings[i], ir_.value(result).origin, ir_.op(id).origin);
    }
  }

  ValueId copy(Frame& frame, ValueId operand, TileShardingId sharding, OpId origin, ValueId source) {
    HloWriter::Spec spec;
    spec.kind = OpKind::copy;
    spec.origin = origin;
    spec.own_attrs = false;
    spec.type = writer_.graph().value(operand).type;
    spec.operands = std::span(&operand, 1);
    spec.sharding = sharding;
    spec.source = source;
    return writer_.add(frame.in, spec);
  }

  void write_copy(Frame& frame, WorkOpId id) {
    const WorkValueId result = ir_.result(id);
    const TileShardingId sharding = tile(frame, final_.value_sharding(result), ir_.value(result).type);
    define(frame, id,
           copy(frame, use(frame, ir_.operand(id, 0)), sharding, ir_.op(id).origin, ir_.value(result).origin));
  }

  void write_plain(Frame& frame, WorkOpId id) {
    const WorkOp& op = ir_.op(id);
    std::vector<ValueId> operands = operands_of(frame, id);
    std::vector<TileShardingId> shardings = result_tiles(frame, id);
    Reshards around;
    if (explicit_.find(id, around)) reshard(frame, id, around, operands, shardings);
    if (op.kind == OpKind::select || op.kind == OpKind::clamp) broadcast_scalars(frame, id, shardings[0], operands);
    std::vector<TypeId> types;
    for (uint32_t i = 0; i < op.result_count; ++i) types.push_back(ir_.value(ir_.result(id, i)).type);
    HloWriter::Spec spec;
    spec.kind = op.kind;
    spec.origin = op.origin;
    spec.operands = operands;
    DimList dims;
    std::vector<NamedAttr> attrs;
    describe(id, spec, dims, attrs);
    spec.dims = dims;
    spec.made = attrs;
    if (types.size() == 1) {
      spec.type = types[0];
      spec.sharding = shardings[0];
      spec.source = ir_.value(ir_.result(id)).origin;
      const ValueId made = op.kind == OpKind::broadcast_in_dim ? add_broadcast(writer_, frame.in, spec, tiles())
                                                               : writer_.add(frame.in, spec);
      if (around.results.empty() || !around.results[0].valid()) return define(frame, id, made);
      return define(frame, id, copy(frame, made, original_tile(frame, id, around), op.origin, spec.source));
    }
    spec.type = writer_.builder().types().tuple(types);
    spec.sharding = tuple_sharding(shardings);
    define_elements(frame, id, writer_.add(frame.in, spec), shardings);
  }

  // Operands are copied into what the op is to have; its results are given that, to be copied back.
  void reshard(Frame& frame, WorkOpId id, const Reshards& around, std::vector<ValueId>& operands,
               std::vector<TileShardingId>& results) {
    for (size_t i = 0; i < around.operands.size(); ++i)
      if (around.operands[i].valid())
        operands[i] = copy(frame, operands[i], tile(frame, around.operands[i]), ir_.op(id).origin, ValueId{});
    for (size_t i = 0; i < around.results.size(); ++i)
      if (around.results[i].valid()) results[i] = tile(frame, around.results[i]);
  }

  // What the result of a resharded op is copied back to.
  TileShardingId original_tile(const Frame& frame, WorkOpId id, const Reshards& around) {
    NamedShardingId original = final_.results_of(id)[0];
    const NamedSharding during = module_.shardings.get(around.results[0]);
    if (!original.valid()) original = module_.shardings.fully_closed(during.mesh, during.rank());
    return tile(frame, original);
  }

  // Dimensions of the op, and whether its attributes are those of the op as read.
  void describe(WorkOpId id, HloWriter::Spec& spec, DimList& dims, std::vector<NamedAttr>& attrs) {
    const WorkOp& op = ir_.op(id);
    const bool made = (op.flags & kMadeOp) != 0;
    const Graph& graph = made ? module_.made.graph() : module_.graph;
    const OpId source = made ? OpId{static_cast<size_t>(op.extra)} : op.origin;
    spec.own_attrs = !made && source.valid();
    if (source.valid()) dims = listed_dims(graph, source, spec.kind);
    SliceDims window;
    if (!made || spec.kind != OpKind::slice || !read_slice_dims(graph, source, window)) return;
    GraphBuilder& builder = writer_.builder();
    attrs = {builder.dims_attr("start_indices", window.start), builder.dims_attr("limit_indices", window.limit),
             builder.dims_attr("strides", window.strides)};
  }

  // Predicates and bounds that are scalars are broadcast first.
  void broadcast_scalars(Frame& frame, WorkOpId id, TileShardingId sharding, std::vector<ValueId>& operands) {
    const Type result = module_.graph.types.get(ir_.value(ir_.result(id)).type);
    if (result.rank() == 0) return;
    const std::vector<int64_t> shape(result.dims.begin(), result.dims.end());
    for (ValueId& operand : operands) {
      const Type type = writer_.graph().type_of(operand);
      if (type.rank() != 0) continue;
      HloWriter::Spec spec;
      spec.kind = OpKind::broadcast_in_dim;
      spec.origin = ir_.op(id).origin;
      spec.own_attrs = false;
      spec.type = writer_.builder().types().tensor(type.element, shape);
      spec.operands = std::span(&operand, 1);
      spec.sharding = sharding;
      operand = writer_.add(frame.in, spec);
    }
  }

  void write_barrier(Frame& frame, WorkOpId id) {
    const std::vector<TileShardingId> shardings = result_tiles(frame, id);
    const ValueId operand[] = {writer_.add_tuple(frame.in, operands_of(frame, id), tuple_sharding(shardings))};
    HloWriter::Spec spec;
    spec.kind = OpKind::optimization_barrier;
    spec.origin = ir_.op(id).origin;
    spec.type = writer_.graph().value(operand[0]).type;
    spec.operands = operand;
    spec.sharding = tuple_sharding(shardings);
    define_elements(frame, id, writer_.add(frame.in, spec), shardings);
  }

  bool write_all_to_all(Frame& frame, WorkOpId id) {
    const WorkOp& op = ir_.op(id);
    if (op.operand_count != 1) return false;
    const WorkValueId result = ir_.result(id);
    const TileShardingId sharding = tile(frame, final_.value_sharding(result), ir_.value(result).type);
    const auto inside = [&](TypeId type) {
      if (frame.manual.empty()) return TileShardingId{};
      return tile(frame, module_.shardings.fully_open(frame.mesh, writer_.graph().types.get(type).rank()));
    };
    const ValueId made = writer_.add_all_to_all(frame.in, op.origin, use(frame, ir_.operand(id, 0)),
                                                ir_.value(result).type, sharding, inside, ir_.value(result).origin);
    if (!made.valid()) return false;
    define(frame, id, made);
    return true;
  }

  // ---- control flow
  // --------------------------------------------------------------------------------------------------

  // Values that regions use from outside, constants aside, in the order of use.
  std::vector<WorkValueId> captured_by(WorkOpId id, uint32_t first_region, uint32_t last_region) const {
    std::vector<WorkValueId> list;
    std::unordered_map<uint32_t, bool> known;
    for (uint32_t r = first_region; r < last_region; ++r) {
      const WorkBlockId block = ir_.entry_block(id, r);
      for (uint32_t i = 0; i < ir_.block(block).arg_count; ++i) known[ir_.arg(block, i).raw] = true;
      walk_preorder(ir_, block, [&](WorkOpId inner) {
        const WorkOp& op = ir_.op(inner);
        for (uint32_t i = 0; i < op.result_count; ++i) known[ir_.result(inner, i).raw] = true;
        for (uint32_t k = 0; k < op.region_count; ++k) {
          const WorkRegion& region = ir_.regions[op.first_region + k];
          for (uint32_t b = 0; b < region.block_count; ++b) {
            const WorkBlockId nested{region.first_block + b};
            for (uint32_t i = 0; i < ir_.block(nested).arg_count; ++i) known[ir_.arg(nested, i).raw] = true;
          }
        }
        for (uint32_t i = 0; i < op.operand_count; ++i) {
          const WorkValueId value = ir_.operand(inner, i);
          if (is_constant(ir_.value(value).def) || !known.try_emplace(value.raw, true).second) continue;
          list.push_back(value);
        }
        return true;
      });
    }
    return list;
  }

  // A computation of one parameter, `values` as a tuple unless there is exactly one; returns the terminator's operands
  // and `returned`.
  RegionId write_computation(const Frame& outer, WorkBlockId block, std::span<const WorkValueId> values,
                             std::span<const TileShardingId> shardings, std::span<const WorkValueId> returned,
                             std::span<const TileShardingId> result_shardings) {
    Frame frame{writer_.begin("body"), block, {}, outer.manual, outer.mesh};
    std::vector<TypeId> types;
    for (const WorkValueId value : values) types.push_back(ir_.value(value).type);
    if (values.size() == 1) {
      frame.values[values[0].raw] =
          writer_.add_parameter(frame.in, types[0], shardings[0], ir_.value(values[0]).origin);
    } else {
      const ValueId tuple =
          writer_.add_parameter(frame.in, writer_.builder().types().tuple(types), tuple_sharding(shardings), ValueId{});
      for (size_t i = 0; i < values.size(); ++i)
        frame.values[values[i].raw] = writer_.add_element(frame.in, tuple, static_cast<int64_t>(i), shardings[i],
                                                          ir_.value(values[i]).origin, OpId{});
    }
    write_block(frame);
    const WorkOpId terminator = ir_.terminator(block);
    std::vector<ValueId> results = operands_of(frame, terminator);
    for (const WorkValueId value : returned) results.push_back(use(frame, value));
    writer_.finish(frame.in, results.size() == 1
                                 ? results[0]
                                 : writer_.add_tuple(frame.in, results, tuple_sharding(result_shardings)));
    return frame.in.region;
  }

  // The loop variables, then what the loop uses from outside.
  void write_while(Frame& frame, WorkOpId id) {
    const WorkOp op = ir_.op(id);
    const std::vector<WorkValueId> captured = captured_by(id, 0, op.region_count);
    std::vector<TileShardingId> shardings = result_tiles(frame, id);
    std::vector<ValueId> initial = operands_of(frame, id);
    for (const WorkValueId value : captured) {
      initial.push_back(use(frame, value));
      shardings.push_back(writer_.sharding(initial.back()));
    }
    if (initial.empty()) return;
    RegionId called[2];
    for (uint32_t r = 0; r < 2; ++r) {
      const WorkBlockId block = ir_.entry_block(id, r);
      std::vector<WorkValueId> values;
      for (uint32_t i = 0; i < ir_.block(block).arg_count; ++i) values.push_back(ir_.arg(block, i));
      values.insert(values.end(), captured.begin(), captured.end());
      called[r] = write_computation(frame, block, values, shardings, r == 1 ? captured : std::vector<WorkValueId>{},
                                    r == 1 ? shardings : std::vector<TileShardingId>{});
    }
    const bool tuple = initial.size() != 1;
    const TileShardingId sharding = tuple ? tuple_sharding(shardings) : shardings[0];
    const ValueId state[] = {tuple ? writer_.add_tuple(frame.in, initial, sharding) : initial[0]};
    HloWriter::Spec spec;
    spec.kind = OpKind::while_;
    spec.origin = op.origin;
    spec.own_attrs = false;
    spec.type = writer_.graph().value(state[0]).type;
    spec.operands = state;
    spec.called = called;
    spec.sharding = sharding;
    const ValueId loop = writer_.add(frame.in, spec);
    if (tuple) return define_elements(frame, id, loop, shardings);
    define(frame, id, loop);
  }

  void write_case(Frame& frame, WorkOpId id) {
    const WorkOp op = ir_.op(id);
    const std::vector<TileShardingId> shardings = result_tiles(frame, id);
    std::vector<ValueId> operands{use(frame, ir_.operand(id, 0))};
    std::vector<RegionId> called;
    for (uint32_t r = 0; r < op.region_count; ++r) {
      const std::vector<WorkValueId> captured = captured_by(id, r, r + 1);
      std::vector<ValueId> arguments;
      std::vector<TileShardingId> argument_shardings;
      for (const WorkValueId value : captured) {
        arguments.push_back(use(frame, value));
        argument_shardings.push_back(writer_.sharding(arguments.back()));
      }
      operands.push_back(captured.size() == 1
                             ? arguments[0]
                             : writer_.add_tuple(frame.in, arguments, tuple_sharding(argument_shardings)));
      called.push_back(write_computation(frame, ir_.entry_block(id, r), captured, argument_shardings, {}, shardings));
    }
    std::vector<TypeId> types;
    for (uint32_t i = 0; i < op.result_count; ++i) types.push_back(ir_.value(ir_.result(id, i)).type);
    HloWriter::Spec spec;
    spec.kind = OpKind::case_;
    spec.origin = op.origin;
    spec.own_attrs = false;
    spec.operands = operands;
    spec.called = called;
    const bool tuple = types.size() != 1;
    spec.type = tuple ? writer_.builder().types().tuple(types) : types[0];
    spec.sharding = tuple ? tuple_sharding(shardings) : shardings[0];
    const ValueId made = writer_.add(frame.in, spec);
    if (tuple) return define_elements(frame, id, made, shardings);
    define(frame, id, made);
  }

  // ---- bodies that are called
  // ----------------------------------------------------------------------------------------

  ValueId convert(Frame& frame, std::string_view target, ValueId operand, TypeId type, TileShardingId sharding,
                  OpId origin, ValueId source) {
    const NamedAttr made[] = {writer_.builder().text_attr("call_target_name", target)};
    HloWriter::Spec spec;
    spec.kind = OpKind::custom_call;
    spec.origin = origin;
    spec.own_attrs = false;
    spec.type = type;
    spec.operands = std::span(&operand, 1);
    spec.made = made;
    spec.sharding = sharding;
    spec.source = source;
    return writer_.add(frame.in, spec);
  }

  void write_manual(Frame& frame, WorkOpId id) {
    const WorkOp op = ir_.op(id);
    const ManualComputation& manual = module_.manual[op.extra];
    const WorkBlockId block = ir_.entry_block(id, 0);
    Frame inner{writer_.begin("manual_computation_body"), block, {}, frame.manual, frame.mesh};
    const MeshId mesh =
        module_.first_mesh(manual.in).valid() ? module_.first_mesh(manual.in) : module_.first_mesh(manual.out);
    if (mesh.valid()) inner.mesh = mesh;
    for (const uint32_t axis : manual.axes)
      inner.manual.push_back({axis, 1, static_cast<uint32_t>(module_.shardings.mesh(inner.mesh).mesh.axes[axis].size)});
    const uint32_t count = ir_.block(block).arg_count;
    const std::vector<NamedShardingId> inside =
        count > 0 ? final_.sunk(ir_.arg(block, 0), count) : std::vector<NamedShardingId>{};
    std::vector<TileShardingId> inside_tiles;
    for (uint32_t i = 0; i < count; ++i) {
      const WorkValueId arg = ir_.arg(block, i);
      const TypeId type = ir_.value(arg).type;
      inside_tiles.push_back(tile(inner, final_.divisible(inside[i], arg), type));
      inner.values[arg.raw] = writer_.add_parameter(inner.in, type, inside_tiles[i], ir_.value(arg).origin);
    }
    std::vector<ValueId> arguments;
    for (uint32_t i = 0; i < count; ++i) {
      const WorkValueId arg = ir_.arg(block, i);
      const NamedShardingId whole = outside(manual.in[i], final_.divisible(inside[i], arg), manual.axes);
      const ValueId kept = copy(frame, use(frame, ir_.operand(id, i)), tile(frame, whole), op.origin, ValueId{});
      arguments.push_back(
          convert(frame, "SPMDFullToShardShape", kept, ir_.value(arg).type, inside_tiles[i], op.origin, ValueId{}));
    }
    const std::vector<NamedShardingId> results = final_.results_of(id);
    std::vector<TileShardingId> local_tiles;
    const WorkOpId terminator = ir_.terminator(block);
    for (uint32_t i = 0; i < op.result_count; ++i) {
      const WorkValueId returned = ir_.operand(terminator, i);
      const NamedShardingId whole = final_.divisible(results[i], ir_.result(id, i));
      const NamedShardingId local = whole.valid() ? erase_manual_axes(module_.shardings, whole, manual.axes) : whole;
      local_tiles.push_back(tile(inner, local, ir_.value(returned).type));
    }
    const ValueId call = write_call(frame, inner, op.origin, arguments, local_tiles);
    for (uint32_t i = 0; i < op.result_count; ++i) {
      const WorkValueId result = ir_.result(id, i);
      const ValueId local =
          op.result_count == 1 ? call : writer_.add_element(frame.in, call, i, local_tiles[i], ValueId{}, op.origin);
      const ValueId kept = copy(frame, local, local_tiles[i], op.origin, ValueId{});
      frame.values[result.raw] =
          convert(frame, "SPMDShardToFullShape", kept, ir_.value(result).type,
                  tile(frame, final_.divisible(results[i], result)), op.origin, ir_.value(result).origin);
    }
  }

  // What an operand is like outside: its manual axes and then the free ones inside.
  NamedShardingId outside(NamedShardingId given, NamedShardingId local, ManualAxes axes) {
    return local.valid() ? add_free_axes(module_.shardings, given, local, axes) : given;
  }

  // The body, and the call of it.
  ValueId write_call(Frame& frame, Frame& inner, OpId origin, std::span<const ValueId> arguments,
                     std::span<const TileShardingId> shardings) {
    write_block(inner);
    const std::vector<ValueId> results = operands_of(inner, ir_.terminator(inner.block));
    const bool tuple = results.size() != 1;
    const ValueId root = tuple ? writer_.add_tuple(inner.in, results, tuple_sharding(shardings)) : results[0];
    writer_.finish(inner.in, root);
    HloWriter::Spec spec;
    spec.kind = OpKind::call;
    spec.origin = origin;
    spec.own_attrs = false;
    spec.type = writer_.graph().value(root).type;
    spec.operands = arguments;
    spec.called = std::span(&inner.in.region, 1);
    spec.sharding = tuple ? tuple_sharding(shardings) : shardings[0];
    return writer_.add(frame.in, spec);
  }

  void write_named(Frame& frame, WorkOpId id) {
    const WorkOp op = ir_.op(id);
    const WorkBlockId block = ir_.entry_block(id, 0);
    Frame inner{writer_.begin("body"), block, {}, frame.manual, frame.mesh};
    const std::vector<ValueId> arguments = operands_of(frame, id);
    const uint32_t count = ir_.block(block).arg_count;
    const std::vector<NamedShardingId> inside =
        count > 0 ? final_.sunk(ir_.arg(block, 0), count) : std::vector<NamedShardingId>{};
    for (uint32_t i = 0; i < count; ++i) {
      const WorkValueId arg = ir_.arg(block, i);
      inner.values[arg.raw] = writer_.add_parameter(inner.in, ir_.value(arg).type,
                                                    tile(inner, final_.divisible(inside[i], arg), ir_.value(arg).type),
                                                    ir_.value(arg).origin);
    }
    const std::vector<TileShardingId> shardings = result_tiles(frame, id);
    if (op.result_count == 0) return;
    const ValueId call = write_call(frame, inner, op.origin, arguments, shardings);
    if (op.result_count == 1) return define(frame, id, call);
    define_elements(frame, id, call, shardings);
  }

  // Results that are to have another sharding than they have are copied into it.
  void finish_main(Frame& frame) {
    std::vector<ValueId> results = operands_of(frame, ir_.terminator(frame.block));
    std::vector<TileShardingId> shardings;
    for (uint32_t i = 0; i < results.size(); ++i) shardings.push_back(tile(frame, final_.output(i)));
    if (results.size() != 1)
      return writer_.finish(frame.in, writer_.add_tuple(frame.in, results, tuple_sharding(shardings)));
    const TileShardingId has = writer_.sharding(results[0]);
    const bool differs = shardings[0].valid() && shardings[0] != has;
    writer_.finish(frame.in, differs ? copy(frame, results[0], shardings[0], OpId{}, ValueId{}) : results[0]);
  }

  Module& module_;
  const WorkIr& ir_;
  FinalShardings final_;
  ExplicitReshards explicit_;
  HloWriter writer_;
  std::map<std::pair<uint32_t, uint32_t>, TileShardingId> tile_of_;
};

}  // namespace

Result<LoweredProgram> lower(Module& module, const Engine& engine) { return Lowering(module, engine).run(); }

}  // namespace sw::shardy
