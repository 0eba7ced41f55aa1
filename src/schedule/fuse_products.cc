// What a matrix product's kernel takes in beside the product.
//
// After it: an elementwise op that alone uses the result, of the same size, whose other operands are parameters, their
// broadcasts or fills (a TPU: anything cheap, unless the result gets wider and no row of it is reduced). Before it, on
// a GPU: one op at a time, as long as it reads no more than it makes (a conversion from a narrower type, a scaling), or
// only parameters and constants; an elementwise product of two whole arrays is a buffer. A TPU takes producers in as
// any kernel does.
//
//   c = dot(convert(bf16 a), w); d = multiply(c, 2)     one kernel: reads a, w; makes d
//   c = dot(multiply(a, b), w)                          two kernels: the product is a buffer
//
// Follows GemmFusion and SoftmaxRewriter's neighbours in XLA's GPU compiler; the TPU side is from what it compiles to.
#include <algorithm>

#include "schedule/fusion.h"

namespace sw {

namespace {

constexpr int64_t kSlack = 1024;  // bytes
constexpr int kMostAbsorbed = 12;

int64_t bytes_read(const FusionGraph& graph, const std::vector<FusionInput>& inputs) {
  int64_t sum = 0;
  for (const FusionInput& input : inputs)
    if (!graph.is_free(input.leaf.unit)) sum += input.bytes;
  return sum;
}

bool is_parameter_broadcast(const FusionGraph& graph, uint32_t unit) {
  return graph.op(unit).kind == OpKind::broadcast_in_dim &&
         graph.op(graph.operands(unit)[0].unit).kind == OpKind::parameter;
}

// Whether the kernel may read this beside the product.
bool is_side_input(const FusionGraph& graph, uint32_t unit) {
  if (graph.is_free(unit) || graph.op(unit).kind == OpKind::parameter || is_parameter_broadcast(graph, unit))
    return true;
  if (graph.compiler() != Compiler::tpu) return false;
  return !graph.is_light(unit) || is_elementwise(graph.op(unit).kind) ||
         graph.op(unit).kind == OpKind::broadcast_in_dim;
}

// Whether what elementwise ops make of `unit`, each alone reading the one before, is reduced along rows. A reduction of
// the unit itself does not count: the compiler reduces what it was converted from.
bool ends_in_row_reduction(const FusionGraph& graph, uint32_t unit) {
  constexpr int kSteps = 8;
  for (int step = 0; step < kSteps; ++step) {
    const std::vector<uint32_t>& users = graph.consumers(unit);
    for (const uint32_t user : users) {
      const MachineOp& op = graph.op(user);
      if (step > 0 && op.kind == OpKind::reduce && op.dims.size() == 1 && graph.operands(user)[0].unit == unit &&
          op.dims[0] == static_cast<int64_t>(graph.type(unit).rank()) - 1)
        return true;
    }
    if (users.size() != 1 || !is_elementwise(graph.op(users[0]).kind)) return false;
    unit = users[0];
  }
  return false;
}

// The op that the kernel of `product` takes in after it; false when there is none.
bool next_after(const FusionGraph& graph, uint32_t product, uint32_t& out) {
  if (graph.must_exist(product) || graph.consumers(product).size() != 1) return false;
  const uint32_t user = graph.consumers(product)[0];
  const FusionGroup& group = graph.group(user);
  if (!is_elementwise(graph.op(user).kind) || group.units.size() != 1) return false;
  const Type result = graph.type(user), before = graph.type(product);
  if (element_count(result) != element_count(before)) return false;
  if (graph.compiler() == Compiler::tpu && packed_bytes(result) > packed_bytes(before) &&
      !ends_in_row_reduction(graph, user))
    return false;
  for (const FusionInput& input : group.inputs)
    if (input.leaf.unit != product && !is_side_input(graph, input.leaf.unit)) return false;
  if (graph.compiler() == Compiler::gpu && bytes_read(graph, group.inputs) - group.bytes < -kSlack) return false;
  out = user;
  return true;
}

void take_in_after(FusionGraph& graph, uint32_t unit) {
  uint32_t product = unit, user = 0;
  while (next_after(graph, product, user)) {
    FusionGroup before = graph.group(product);
    graph.remove_group(product);
    FusionGroup& group = graph.group(user);
    std::vector<FusionInput> read = std::move(before.inputs);
    std::swap(read, group.inputs);
    for (const FusionInput& input : read)
      if (input.leaf.unit != product) group.add_input(input.leaf, input.bytes);
    for (const FusionInput& input : group.inputs) graph.add_consumer(input.leaf.unit, user);
    graph.drop_consumer(product, user);
    group.units.insert(group.units.begin(), before.units.begin(), before.units.end());
    group.product = true;
    product = user;
  }
  graph.group(product).product = true;
}

bool may_precede(const FusionGraph& graph, uint32_t unit) {
  const OpKind kind = graph.op(unit).kind;
  if (!is_elementwise(kind) && kind != OpKind::broadcast_in_dim) return false;
  const std::vector<FusionInput>& inputs = graph.own_inputs(unit);
  if (bytes_read(graph, inputs) - graph.group(unit).bytes <= kSlack) return true;
  if (graph.consumers(unit).size() != 1 || graph.must_exist(unit)) return false;
  return std::all_of(inputs.begin(), inputs.end(), [&](const FusionInput& input) {
    const OpKind source = graph.op(input.leaf.unit).kind;
    return source == OpKind::parameter || source == OpKind::constant || graph.is_free(input.leaf.unit);
  });
}

void take_in_before(FusionGraph& graph, uint32_t product) {
  int absorbed = 0;
  for (bool changed = true; changed && absorbed < kMostAbsorbed;) {
    changed = false;
    const std::vector<FusionInput> inputs = graph.group(product).inputs;
    for (const FusionInput& input : inputs) {
      const uint32_t unit = input.leaf.unit;
      if (!graph.has_group(unit) || graph.group(unit).product || !may_precede(graph, unit)) continue;
      FusionGroup& group = graph.group(product);
      std::erase_if(group.inputs, [&](const FusionInput& i) { return i.leaf == input.leaf; });
      graph.drop_consumer(unit, product);
      for (const FusionInput& read : graph.own_inputs(unit)) graph.add_input(product, read);
      std::erase(group.units, unit);
      group.units.insert(group.units.begin(), unit);
      changed = true;
      ++absorbed;
    }
  }
}

}  // namespace

void fuse_products(FusionGraph& graph) {
  for (uint32_t unit = 0; unit < graph.size(); ++unit)
    if (graph.is_product(unit)) take_in_after(graph, unit);
  if (graph.compiler() != Compiler::gpu) return;
  for (uint32_t unit = 0; unit < graph.size(); ++unit)
    if (graph.has_group(unit) && graph.group(unit).product) take_in_before(graph, unit);
  // What only products used is inside of them now; users come after what they use.
  for (uint32_t unit = static_cast<uint32_t>(graph.size()); unit-- > 0;)
    if (graph.has_group(unit) && !graph.must_exist(unit) && graph.consumers(unit).empty() && graph.is_light(unit))
      graph.remove_group(unit);
}

}  // namespace sw
