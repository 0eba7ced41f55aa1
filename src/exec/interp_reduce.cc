// Reductions. The operand is seen as (outer, reduced, inner), or brought to (kept, reduced) when its dimensions do not
// stand so.
//
// Add, multiply, minimum, maximum, and, or: folded in halves, which is one long loop per half and loses few digits:
//   (1 2 3 4 5) -> halves of 2: (1+4 2+5 3) -> (1+4+3 2+5) -> all
// Any other body: one step after the other, for all kept elements at a time.
#include <algorithm>
#include <cstring>
#include <optional>

#include "exec/body.h"
#include "exec/kernel.h"
#include "exec/strided.h"
#include "ops/dims_reduce.h"
#include "ops/small_float.h"
#include "sharding/tile_grid.h"

namespace sw {

namespace {

struct Folded {
  int64_t outer = 1, reduced = 1, inner = 1;
  bool in_place = false;  // the operand is so already
};

Folded fold_dims(std::span<const int64_t> dims, const ReduceDims& r) {
  Folded f;
  int part = 0;  // outer, reduced, inner
  bool in_order = true;
  for (size_t i = 0; i < dims.size(); ++i) {
    if (dims[i] == 1) continue;
    const bool reduced = contains(r.reduced, static_cast<int64_t>(i));
    if (reduced && part == 2) in_order = false;
    if (reduced && part == 0) part = 1;
    if (!reduced && part == 1) part = 2;
    (reduced ? f.reduced : part == 2 ? f.inner : f.outer) *= dims[i];
  }
  f.in_place = in_order;
  if (!in_order) {
    f.outer *= f.inner;
    f.inner = 1;
  }
  return f;
}

// The operand with the kept dimensions first.
Array kept_first(const Array& a, const ReduceDims& r) {
  DimList order = r.kept;
  order.append(r.reduced.begin(), r.reduced.end());
  return permuted(a, order);
}

// One block of (reduced, inner), folded into its first row; `memory` has room for half of it.
const std::byte* fold_block(LoopFn loop, const std::byte* block, const Folded& f, size_t width, std::byte* memory) {
  const size_t row = static_cast<size_t>(f.inner) * width;
  const std::byte* from = block;
  for (int64_t n = f.reduced; n > 1;) {
    const int64_t half = n / 2, rest = n - half;
    const void* halves[] = {from, from + static_cast<size_t>(rest) * row};
    if (from == block && rest > half)  // the odd row in the middle has no partner
      std::memcpy(memory + static_cast<size_t>(half) * row, from + static_cast<size_t>(half) * row, row);
    loop(halves, memory, static_cast<size_t>(half * f.inner), 0);
    from = memory;
    n = rest;
  }
  return from;
}

Array fold(LoopFn loop, const Array& a, const Array& initial, const Folded& f, std::span<const int64_t> dims) {
  Array out = new_array(a.element, dims);
  const auto width = static_cast<size_t>(element_bytes(a.element));
  const size_t row = static_cast<size_t>(f.inner) * width, block = row * static_cast<size_t>(f.reduced);
  std::vector<std::byte> starts(row);
  fill(starts.data(), initial.bytes(), static_cast<size_t>(f.inner), width);
  if (f.reduced == 0) {
    fill(out.bytes(), initial.bytes(), static_cast<size_t>(out.count()), width);
    return out;
  }
  constexpr int64_t kGrain = 1 << 15;
  parallel_parts(f.outer, kGrain / std::max<int64_t>(1, f.reduced * f.inner), [&](int64_t begin, int64_t end) {
    const auto memory = std::make_unique<std::byte[]>(static_cast<size_t>((f.reduced + 1) / 2) * row);
    for (int64_t o = begin; o < end; ++o) {
      const std::byte* sum = fold_block(loop, a.bytes() + static_cast<size_t>(o) * block, f, width, memory.get());
      const void* both[] = {starts.data(), sum};
      loop(both, out.bytes() + static_cast<size_t>(o) * row, static_cast<size_t>(f.inner), 0);
    }
  });
  return out;
}

Array interp_folded(LoopFn loop, const ReduceDims& r, const Array& operand, const Array& initial,
                    std::span<const int64_t> dims) {
  const ElementType wide = computed_in(operand.element);
  const Folded f = fold_dims(operand.dims, r);
  const Array a = converted(f.in_place ? operand : kept_first(operand, r), wide);
  return converted(fold(loop, a, converted(initial, wide), f, dims), operand.element);
}

Datum interp_with_body(const Body& body, const ReduceDims& r, std::span<Datum> operands,
                       std::span<const int64_t> dims) {
  const size_t n = r.input_count;
  std::vector<Array> inputs, sums;
  const int64_t kept = product(dims);
  int64_t reduced = 1;
  for (const int64_t d : r.reduced) reduced *= operands[0].array.dims[static_cast<size_t>(d)];
  for (size_t i = 0; i < n; ++i) {
    // (reduced, kept): a step is one run of memory.
    ReduceDims turned;
    turned.kept = r.reduced;
    turned.reduced = r.kept;
    inputs.push_back(kept_first(operands[i].array, turned));
    sums.push_back(new_array(body.output(i), dims));
    fill(sums[i].bytes(), operands[n + i].array.bytes(), static_cast<size_t>(kept),
         static_cast<size_t>(element_bytes(sums[i].element)));
  }
  Body::Scratch scratch = body.scratch();
  std::vector<const void*> from(2 * n);
  std::vector<void*> to(n);
  for (int64_t step = 0; step < reduced; ++step) {
    for (size_t i = 0; i < n; ++i) {
      from[i] = to[i] = sums[i].bytes();
      from[n + i] = inputs[i].bytes() + step * kept * element_bytes(inputs[i].element);
    }
    body.run(scratch, from.data(), to.data(), static_cast<size_t>(kept));
  }
  if (n == 1) return sums[0];
  return make_tuple_datum(std::vector<Datum>(sums.begin(), sums.end()));
}

}  // namespace

Kernel interp_reduce(const KernelRequest& request) {
  ReduceDims dims;
  if (!read_reduce_dims(request.graph, request.id, dims, request.why)) return {};
  const RegionId region = request.graph.regions(request.op())[0];
  const Type type = request.result();
  const Type first = type.kind == TypeKind::tuple ? request.held(request.graph.types.get(type.elements[0])) : type;
  const OpKind kind = dims.input_count == 1 ? common_reducer(request.graph, region, 1) : OpKind::unknown;
  const LoopFn loop = kind == OpKind::unknown ? nullptr : binary_loop(kind, computed_in(first.element));
  const bool same = request.operand(0).element == first.element;
  if (loop != nullptr && same && bits(first.element) >= 8)
    return [loop, dims, out = DimList(first.dims)](std::span<Datum> operands) -> Datum {
      return interp_folded(loop, dims, operands[0].array, operands[1].array, out);
    };
  const std::optional<Body> body = Body::compile(request.graph, region, request.precision, request.why);
  if (!body.has_value()) return {};
  if (body->input_count() != 2 * dims.input_count || body->output_count() != dims.input_count)
    return request.refused("the body of the reduction has another number of parameters than the op");
  return [body = *body, dims, out = DimList(first.dims)](std::span<Datum> operands) {
    return interp_with_body(body, dims, operands, out);
  };
}

}  // namespace sw
