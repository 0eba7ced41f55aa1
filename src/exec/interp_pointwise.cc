// Elementwise ops on arrays, and `map`, whose computation is applied element by element.
#include <algorithm>
#include <optional>

#include "exec/body.h"
#include "exec/kernel.h"
#include "exec/strided.h"
#include "sharding/tile_grid.h"

namespace sw {

namespace {

constexpr int64_t kGrain = 1 << 15;

// Where the result goes: into an operand of the same shape that is not needed any more, if there is one.
Array destination(std::span<Datum> operands, ElementType element, std::span<const int64_t> dims, int64_t count) {
  for (Datum& operand : operands)
    if (operand.array.count() == count && operand.array.buffer.use_count() == 1 &&
        element_bytes(operand.array.element) == element_bytes(element))
      return reuse_or_new(operand.array, element, dims);
  return new_array(element, dims);
}

Array apply(const ElementLoop& loop, std::span<Datum> operands, std::span<const int64_t> dims) {
  const int64_t count = product(dims);
  const std::byte* from[ElementLoop::kMaxOperands] = {};
  size_t steps[ElementLoop::kMaxOperands] = {};
  bool scalar[ElementLoop::kMaxOperands] = {};
  for (size_t i = 0; i < operands.size(); ++i) {
    const Array& a = operands[i].array;
    from[i] = a.bytes();
    scalar[i] = a.dims.empty() && !dims.empty();
    steps[i] = scalar[i] ? 0 : static_cast<size_t>(element_bytes(a.element));
  }
  Array out = destination(operands, loop.result(), dims, count);
  const auto width = static_cast<size_t>(element_bytes(loop.result()));
  std::byte* to = out.bytes();
  parallel_parts(count, kGrain, [&](int64_t begin, int64_t end) {
    const void* part[ElementLoop::kMaxOperands] = {};
    for (size_t i = 0; i < operands.size(); ++i) part[i] = from[i] + steps[i] * static_cast<size_t>(begin);
    loop.run(part, scalar, to + width * static_cast<size_t>(begin), static_cast<size_t>(end - begin));
  });
  return out;
}

}  // namespace

Kernel interp_pointwise(const KernelRequest& request) {
  ElementLoop loop;
  ElementType elements[ElementLoop::kMaxOperands] = {};
  if (request.operand_count() > ElementLoop::kMaxOperands) return request.refused("an op of too many operands");
  for (size_t i = 0; i < request.operand_count(); ++i) elements[i] = request.operand(i).element;
  const Type result = request.result();
  if (!ElementLoop::find(request.graph, request.id, std::span(elements, request.operand_count()), result.element, loop,
                         request.why))
    return {};
  return
      [loop, dims = DimList(result.dims)](std::span<Datum> operands) -> Datum { return apply(loop, operands, dims); };
}

Kernel interp_map(const KernelRequest& request) {
  const std::optional<Body> body =
      Body::compile(request.graph, request.graph.regions(request.op())[0], request.precision, request.why);
  if (!body.has_value()) return {};
  if (body->output_count() != 1) return request.refused("a map with several results");
  return [body = *body, dims = DimList(request.result().dims)](std::span<Datum> operands) -> Datum {
    Array out = new_array(body.output(0), dims);
    std::vector<const void*> from;
    for (const Datum& operand : operands) from.push_back(operand.array.bytes());
    void* to[] = {out.bytes()};
    Body::Scratch scratch = body.scratch();
    body.run(scratch, from.data(), to, static_cast<size_t>(out.count()));
    return out;
  };
}

Array converted(const Array& array, ElementType to) {
  if (array.element == to) return array;
  ElementLoop loop;
  ElementLoop::conversion(array.element, to, loop);
  Datum operand(array);
  return apply(loop, std::span(&operand, 1), array.dims);
}

}  // namespace sw
