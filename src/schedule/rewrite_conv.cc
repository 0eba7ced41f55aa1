#include "schedule/rewrite_conv.h"

#include <algorithm>
#include <map>

#include "ops/dims_conv.h"
#include "schedule/simplify.h"

namespace sw {

namespace {

enum class ConvKind : uint8_t { forward, input_gradient, filter_gradient };

class ConvRewrite {
 public:
  ConvRewrite(MachineProgram& program, const Graph& graph, ComputationId computation)
      : program_(program),
        graph_(graph),
        computation_(computation),
        users_(users_of(program, program.computation(computation))) {}

  void run() {
    const std::vector<MachineOpId> ops = program_.computation(computation_).ops;
    for (MachineOpId id : ops) {
      ConvDims dims;
      if (program_.op(id).kind != OpKind::convolution || program_.op(id).operands.size() != 2 ||
          !read_conv_dims(graph_, program_.op(id).source, dims))
        continue;
      const ConvKind kind = kind_of(id, dims);
      if (kind == ConvKind::forward) pad_unevenly(id, dims.window, dims.input_spatial);
      if (kind != ConvKind::filter_gradient) turn_filter(id, kind, dims);
      if (kind == ConvKind::forward && !is_depthwise(id, dims)) take_in_sums(id, dims);
    }
  }

 private:
  Type type(MachineOpId id) const { return program_.type_of(id); }
  MachineOpId operand(MachineOpId id, size_t i) const { return program_.op(id).operands[i]; }
  static int64_t at(const Type& type, int64_t dim) { return type.dims[static_cast<size_t>(dim)]; }

  bool looks_forward(MachineOpId id, const ConvDims& dims) const {
    if (at(type(operand(id, 0)), dims.input_batch) != at(type(id), dims.output_batch)) return false;
    for (size_t d = 0; d < dims.window.size(); ++d)
      if (dims.window[d].size > at(type(id), dims.output_spatial[d])) return false;
    return true;
  }

  bool is_filter_gradient(MachineOpId id, const ConvDims& dims) const {
    if (dims.feature_group_count > 1 || looks_forward(id, dims)) return false;
    size_t small = 0;
    bool dilated = false;
    for (size_t d = 0; d < dims.window.size(); ++d) {
      const WindowDim& window = dims.window[d];
      if (window.stride != 1 || window.base_dilation != 1 || window.pad_low < 0 || window.reversal) return false;
      dilated = dilated || window.window_dilation != 1;
      small += window.size <= at(type(id), dims.output_spatial[d]);
    }
    return dilated || (!dims.window.empty() && small == 0);
  }

  ConvKind kind_of(MachineOpId id, const ConvDims& dims) const {
    if (is_filter_gradient(id, dims)) return ConvKind::filter_gradient;
    if (dims.feature_group_count > 1) return ConvKind::forward;
    bool dilated = false, one = true;
    for (const WindowDim& window : dims.window) {
      if (window.stride != 1 || window.window_dilation != 1 || window.reversal) return ConvKind::forward;
      dilated = dilated || window.base_dilation != 1;
      one = one && window.size == 1;
    }
    const bool reversed = program_.op(operand(id, 1)).kind == OpKind::reverse;
    return reversed || (dilated && one) ? ConvKind::input_gradient : ConvKind::forward;
  }

  bool is_depthwise(MachineOpId id, const ConvDims& dims) const {
    return dims.feature_group_count > 1 && at(type(operand(id, 0)), dims.input_feature) == dims.feature_group_count;
  }

  MachineOpId add(OpKind kind, ElementType element, const DimList& dims, SmallVector<MachineOpId, 4> operands,
                  OpId source) {
    MachineOp op;
    op.kind = op.does = kind;
    op.type = program_.types.tensor(element, dims);
    op.computation = computation_;
    op.operands = std::move(operands);
    op.source = source;
    return program_.append(std::move(op));
  }

  void pad_unevenly(MachineOpId id, const WindowDims& window, const DimList& spatial) {
    const bool even = std::all_of(window.begin(), window.end(), [](const WindowDim& dim) {
      return dim.pad_low == dim.pad_high && dim.pad_low >= 0 && dim.base_dilation == 1;
    });
    if (even) return;
    const MachineOpId input = operand(id, 0);
    DimList padded(type(input).dims);
    for (size_t d = 0; d < window.size(); ++d) {
      int64_t& extent = padded[static_cast<size_t>(spatial[d])];
      extent =
          std::max<int64_t>(0, (extent - 1) * window[d].base_dilation + 1 + window[d].pad_low + window[d].pad_high);
    }
    const ElementType element = type(input).element;
    const MachineOpId made = add(OpKind::pad, element, padded, {input}, program_.op(id).source);
    program_.op(id).operands[0] = made;
  }

  void turn_filter(MachineOpId id, ConvKind kind, const ConvDims& dims) {
    MachineOpId filter = operand(id, 1);
    DimList spatial = dims.kernel_spatial, wanted{dims.kernel_output_feature};
    int64_t last = dims.kernel_input_feature;
    if (kind == ConvKind::input_gradient) {
      if (program_.op(filter).kind == OpKind::reverse) filter = operand(filter, 0);
      std::swap(wanted[0], last);
    }
    std::sort(spatial.begin(), spatial.end());
    wanted.append(spatial.begin(), spatial.end());
    wanted.push_back(last);
    const auto [known, is_new] =
        turned_.emplace(std::pair(filter, std::vector<int64_t>(wanted.begin(), wanted.end())), MachineOpId{});
    if (is_new) {
      DimList out;
      for (const int64_t d : wanted) out.push_back(at(type(filter), d));
      const ElementType element = type(filter).element;
      known->second = add(OpKind::transpose, element, out, {filter}, program_.op(id).source);
      program_.op(known->second).role = Role::relayout;
      program_.op(known->second).dims = wanted;
    }
    program_.op(id).operands[1] = known->second;
  }

  // The op that alone reads `id`, or nothing.
  MachineOpId only_user(MachineOpId id) const {
    if (id == program_.computation(computation_).root || users_[id.index()].size() != 1) return {};
    return users_[id.index()][0];
  }

  // The numbers for each channel that an array repeats, or nothing.
  MachineOpId channel_numbers(MachineOpId id, const ConvDims& dims) const {
    const MachineOp& op = program_.op(id);
    if (op.kind != OpKind::broadcast_in_dim) return {};
    const bool by_channel = op.dims.size() == 1 && op.dims[0] == dims.output_feature;
    return by_channel || op.dims.empty() ? op.operands[0] : MachineOpId{};
  }

  bool is_zero(MachineOpId id) const {
    while (program_.op(id).kind == OpKind::broadcast_in_dim || program_.op(id).kind == OpKind::reshape)
      id = operand(id, 0);
    const MachineOp& op = program_.op(id);
    if (op.kind != OpKind::constant || !op.source.valid()) return false;
    const std::optional<double> number = constant_number(graph_, op.source);
    return number.has_value() && *number == 0;
  }

  // `user` becomes the convolution, which does the work of both.
  void become(MachineOpId user, MachineOpId conv, MachineOpId more) {
    MachineOp& op = program_.op(user);
    op.kind = op.does = OpKind::convolution;
    op.operands = program_.op(conv).operands;
    if (more.valid()) op.operands.push_back(more);
    op.dims.clear();
    op.exact = program_.op(conv).exact;
    op.source = program_.op(conv).source;
  }

  bool takes_in_sums(MachineOpId id) const {
    ConvDims dims;
    return program_.op(id).kind == OpKind::convolution && program_.op(id).operands.size() == 2 &&
           only_user(id).valid() && read_conv_dims(graph_, program_.op(id).source, dims) &&
           kind_of(id, dims) == ConvKind::forward && !is_depthwise(id, dims);
  }

  void take_in_sums(MachineOpId conv, const ConvDims& dims) {
    bool bias = false, side = false;
    for (MachineOpId user = only_user(conv); user.valid(); user = only_user(conv)) {
      const MachineOp& op = program_.op(user);
      if (op.operands.size() != 2 || operand(user, 0) == operand(user, 1) || op.type != program_.op(conv).type) return;
      const MachineOpId other = operand(user, operand(user, 0) == conv ? 1 : 0);
      if (other == operand(user, 0) && takes_in_sums(other)) return;  // the first of two does
      if (op.kind == OpKind::maximum && is_zero(other)) return become(user, conv, {});
      if (op.kind != OpKind::add) return;
      const MachineOpId numbers = channel_numbers(other, dims);
      const bool as_bias = !bias && numbers.valid();
      if (!as_bias && side) return;
      (as_bias ? bias : side) = true;
      become(user, conv, as_bias ? numbers : other);
      conv = user;
    }
  }

  MachineProgram& program_;
  const Graph& graph_;
  const ComputationId computation_;
  const Users users_;
  std::map<std::pair<MachineOpId, std::vector<int64_t>>, MachineOpId> turned_;  // by filter and order of dimensions
};

}  // namespace

void rewrite_convolutions(MachineProgram& program, const Graph& graph, ComputationId computation) {
  ConvRewrite(program, graph, computation).run();
}

}  // namespace sw
