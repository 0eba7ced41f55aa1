#include "exec/inputs.h"

#include <algorithm>
#include <map>

#include "exec/kernel.h"
#include "ops/dims_gather_scatter.h"
#include "ops/dims_reshape.h"

namespace sw {

Array random_array(ElementType element, std::span<const int64_t> dims, int64_t limit, FloatRange range,
                   RandomNumbers& numbers) {
  const bool floats = is_floating(element) || is_complex(element);
  const ElementType made = element == ElementType::pred ? element
                           : is_complex(element)        ? ElementType::c128
                           : floats                     ? ElementType::f64
                                                        : ElementType::s64;
  Array array = new_array(made, dims);
  const int64_t count = array.count();
  if (floats) {
    const double low = range == FloatRange::positive ? 0.1 : -1.0;
    const int64_t parts = is_complex(element) ? 2 * count : count;
    for (int64_t i = 0; i < parts; ++i) array.data<double>()[i] = low + (1.0 - low) * numbers.uniform();
  } else if (element == ElementType::pred) {
    for (int64_t i = 0; i < count; ++i) array.data<uint8_t>()[i] = static_cast<uint8_t>(numbers.below(2));
  } else {
    // Words without sign are keys of random generators more often than counts.
    const bool any = limit == kNoLimit && (element == ElementType::u32 || element == ElementType::u64);
    constexpr int64_t kSmall = 8;
    for (int64_t i = 0; i < count; ++i)
      array.data<int64_t>()[i] =
          any ? static_cast<int64_t>(numbers.bits()) : numbers.below(limit == kNoLimit ? kSmall : limit);
  }
  return converted(array, element);
}

namespace {

// Limits flow from the ops that use indices back to the arguments.
class Limits {
 public:
  explicit Limits(const Graph& graph) : graph_(graph) {}

  // One list per argument of the region.
  std::vector<std::vector<int64_t>> of_arguments(RegionId region) {
    if (const auto known = done_.find(region); known != done_.end()) return known->second;
    done_[region] = {};  // a cycle would be an error of the program
    const BlockId block = graph_.entry_block(region);
    const std::vector<OpId>& ops = graph_.block(block).ops;
    for (size_t i = ops.size(); i-- > 0;) visit(ops[i]);
    std::vector<std::vector<int64_t>> out;
    for (uint32_t i = 0; i < graph_.block(block).arg_count; ++i) out.push_back(of(graph_.arg(block, i)));
    return done_[region] = out;
  }

 private:
  std::vector<int64_t>& of(ValueId value) {
    std::vector<int64_t>& limits = limits_[value];
    if (limits.empty()) {
      const Type type = graph_.type_of(value);
      limits.assign(type.kind == TypeKind::tuple ? type.elements.size() : 1, kNoLimit);
    }
    return limits;
  }
  void at_most(ValueId value, int64_t limit) { of(value)[0] = std::min(of(value)[0], limit); }
  void pass(ValueId to, const std::vector<int64_t>& limits) {
    std::vector<int64_t>& own = of(to);
    for (size_t i = 0; i < std::min(own.size(), limits.size()); ++i) own[i] = std::min(own[i], limits[i]);
  }

  void visit(OpId id) {
    const Op& op = graph_.op(id);
    const std::span<const ValueId> operands = graph_.operands(op);
    switch (op.kind) {
      case OpKind::gather:
      case OpKind::scatter: return visit_indexed(id);
      case OpKind::dynamic_slice: return visit_starts(operands[0], graph_.result(id), operands.subspan(1));
      case OpKind::dynamic_update_slice: return visit_starts(operands[0], operands[1], operands.subspan(2));
      case OpKind::compare: return visit_compare(operands[0], operands[1]);
      case OpKind::get_tuple_element: {
        const AttrId attr = graph_.attr(op, "index");
        const auto index = static_cast<size_t>(attr.valid() ? graph_.attr_table.get(attr).integer : 0);
        std::vector<int64_t>& tuple = of(operands[0]);
        if (index < tuple.size()) tuple[index] = std::min(tuple[index], of(graph_.result(id))[0]);
        return;
      }
      case OpKind::tuple:
        for (size_t i = 0; i < operands.size(); ++i) at_most(operands[i], of(graph_.result(id))[i]);
        return;
      case OpKind::call:
      case OpKind::fusion:
      case OpKind::while_:
      case OpKind::case_:
      case OpKind::if_: return visit_call(id);
      default: break;
    }
    if (passes_on(op.kind))
      for (const ValueId operand : operands) pass(operand, of(graph_.result(id)));
  }

  static bool passes_on(OpKind kind) {
    switch (kind) {
      case OpKind::broadcast_in_dim:
      case OpKind::reshape:
      case OpKind::transpose:
      case OpKind::reverse:
      case OpKind::slice:
      case OpKind::pad:
      case OpKind::concatenate:
      case OpKind::convert:
      case OpKind::copy:
      case OpKind::optimization_barrier:
      case OpKind::select:
      case OpKind::add:
      case OpKind::subtract:
      case OpKind::clamp:
      case OpKind::maximum:
      case OpKind::minimum:
      case OpKind::custom_call:
      case OpKind::sort: return true;
      default: return false;
    }
  }

  void visit_indexed(OpId id) {
    GatherScatterDims gather;
    ScatterDims scatter;
    const bool is_gather = graph_.op(id).kind == OpKind::gather;
    if (is_gather ? !read_gather_dims(graph_, id, gather) : !read_scatter_dims(graph_, id, scatter)) return;
    const GatherScatterDims& d = is_gather ? gather : scatter;
    const size_t indices = is_gather ? 1 : scatter.input_count;
    const Type operand = graph_.type_of(graph_.operands(id)[0]);
    int64_t limit = kNoLimit;
    for (const int64_t dim : d.index_map) {
      const auto i = static_cast<size_t>(dim);
      limit = std::min(limit, operand.dims[i] - d.slice_sizes[i] + 1);
    }
    at_most(graph_.operands(id)[indices], limit);
  }

  void visit_starts(ValueId whole, ValueId part, std::span<const ValueId> starts) {
    const Type from = graph_.type_of(whole), piece = graph_.type_of(part);
    for (size_t i = 0; i < std::min(starts.size(), from.rank()); ++i)
      at_most(starts[i], from.dims[i] - piece.dims[i] + 1);
    pass(whole, of(part));
  }

  // Compared with a count (one_hot): numbers that can be equal to one.
  void visit_compare(ValueId a, ValueId b) {
    if (const int64_t extent = counted_extent(a); extent > 0) at_most(b, extent);
    if (const int64_t extent = counted_extent(b); extent > 0) at_most(a, extent);
  }
  int64_t counted_extent(ValueId value) const {
    for (int steps = 0; steps < 8; ++steps) {
      const OpId def = graph_.value(value).def;
      if (!def.valid()) return 0;
      const Op& op = graph_.op(def);
      int64_t dim = 0;
      if (op.kind == OpKind::iota)
        return read_iota_dim(graph_, def, dim) ? graph_.type_of(value).dims[static_cast<size_t>(dim)] : 0;
      if (op.kind != OpKind::broadcast_in_dim && op.kind != OpKind::reshape && op.kind != OpKind::convert) return 0;
      value = graph_.operands(op)[0];
    }
    return 0;
  }

  void visit_call(OpId id) {
    const Op& op = graph_.op(id);
    const std::span<const ValueId> operands = graph_.operands(op);
    const bool branches = op.kind == OpKind::case_ || op.kind == OpKind::if_;
    const std::span<const RegionId> regions = graph_.regions(op);
    for (size_t r = 0; r < regions.size(); ++r) {
      const std::vector<std::vector<int64_t>> args = of_arguments(regions[r]);
      for (size_t i = 0; i < args.size(); ++i) {
        const size_t operand = branches ? r + 1 + i : i;
        if (operand < operands.size()) pass(operands[operand], args[i]);
      }
    }
    if (op.kind == OpKind::while_) pass(operands[0], of(graph_.result(id)));
  }

  const Graph& graph_;
  std::map<ValueId, std::vector<int64_t>> limits_;
  std::map<RegionId, std::vector<std::vector<int64_t>>> done_;
};

}  // namespace

std::vector<std::vector<int64_t>> index_limits(const Graph& graph) {
  return Limits(graph).of_arguments(graph.function(graph.main).body);
}

std::vector<Datum> random_inputs(const Graph& graph, uint64_t seed, FloatRange range) {
  const std::vector<std::vector<int64_t>> limits = index_limits(graph);
  const BlockId block = graph.entry_block(graph.function(graph.main).body);
  std::vector<Datum> out;
  uint64_t stream = 0;
  const std::function<Datum(TypeId, int64_t)> make = [&](TypeId id, int64_t limit) -> Datum {
    const Type type = graph.types.get(id);
    if (type.kind == TypeKind::tuple) {
      std::vector<Datum> parts;
      for (const TypeId element : std::vector<TypeId>(type.elements.begin(), type.elements.end()))
        parts.push_back(make(element, kNoLimit));
      return make_tuple_datum(std::move(parts));
    }
    if (!type.is_array()) return make_tuple_datum({});
    RandomNumbers numbers(seed, ++stream);
    return random_array(type.element, type.dims, limit, range, numbers);
  };
  for (uint32_t i = 0; i < graph.block(block).arg_count; ++i) {
    const std::vector<int64_t>& limit = limits[i];
    out.push_back(make(graph.value(graph.arg(block, i)).type, limit.size() == 1 ? limit[0] : kNoLimit));
  }
  return out;
}

}  // namespace sw
