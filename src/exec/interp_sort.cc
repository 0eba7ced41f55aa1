// Sorting along one dimension by a comparator, always stable, and the largest elements of rows.
#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <numeric>
#include <optional>

#include "exec/body.h"
#include "exec/kernel.h"
#include "exec/strided.h"
#include "ops/dims_reduce.h"

namespace sw {

namespace {

// The operand with dimension `d` last, and back.
Array with_last(const Array& a, size_t d, bool back) {
  const size_t rank = a.dims.size();
  DimList order;
  for (size_t i = 0; i < rank; ++i) {
    // There: all but d in order, then d. Back: the last one goes to place d.
    const size_t from = back ? (i < d ? i : i == d ? rank - 1 : i - 1) : i + 1 == rank ? d : i < d ? i : i + 1;
    order.push_back(static_cast<int64_t>(from));
  }
  return permuted(a, order);
}

Datum run_sort(const Body& body, size_t dim, std::span<Datum> operands) {
  const size_t n = operands.size();
  std::vector<Array> inputs, outputs;
  for (Datum& operand : operands) {
    inputs.push_back(with_last(operand.array, dim, false));
    outputs.push_back(new_array(inputs.back().element, inputs.back().dims));
  }
  const int64_t length = operands[0].array.dims[dim];
  const int64_t rows = length == 0 ? 0 : operands[0].array.count() / length;
  parallel_parts(rows, (1 << 12) / std::max<int64_t>(1, length), [&](int64_t begin, int64_t end) {
    Body::Scratch scratch = body.scratch();
    std::vector<int64_t> order(static_cast<size_t>(length));
    std::vector<const void*> in(2 * n);
    for (int64_t row = begin; row < end; ++row) {
      std::iota(order.begin(), order.end(), row * length);
      std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
        for (size_t i = 0; i < n; ++i) {
          const int64_t width = element_bytes(inputs[i].element);
          in[2 * i] = inputs[i].bytes() + a * width;
          in[2 * i + 1] = inputs[i].bytes() + b * width;
        }
        uint8_t first = 0;
        void* out[] = {&first};
        body.run(scratch, in.data(), out, 1);
        return first != 0;
      });
      for (size_t i = 0; i < n; ++i) {
        const auto width = static_cast<size_t>(element_bytes(inputs[i].element));
        std::byte* to = outputs[i].bytes() + static_cast<size_t>(row * length) * width;
        for (size_t k = 0; k < order.size(); ++k)
          std::memcpy(to + k * width, inputs[i].bytes() + static_cast<size_t>(order[k]) * width, width);
      }
    }
  });
  std::vector<Datum> results;
  for (const Array& output : outputs) results.emplace_back(with_last(output, dim, true));
  return n == 1 ? results[0] : make_tuple_datum(std::move(results));
}

// Integers in the order of the elements: -NaN first, NaN last.
std::vector<int64_t> sort_keys(const Array& a) {
  std::vector<int64_t> keys(static_cast<size_t>(a.count()));
  if (is_floating(a.element)) {
    const Array wide = converted(a, ElementType::f64);
    for (size_t i = 0; i < keys.size(); ++i) {
      const auto code = std::bit_cast<int64_t>(wide.data<double>()[i]);
      keys[i] = code < 0 ? code ^ std::numeric_limits<int64_t>::max() : code;
    }
    return keys;
  }
  const Array wide = converted(a, ElementType::s64);
  const uint64_t flip = a.element == ElementType::u64 ? uint64_t{1} << 63 : 0;
  for (size_t i = 0; i < keys.size(); ++i)
    keys[i] = static_cast<int64_t>(static_cast<uint64_t>(wide.data<int64_t>()[i]) ^ flip);
  return keys;
}

}  // namespace

Kernel interp_sort(const KernelRequest& request) {
  SortDims d;
  if (!read_sort_dims(request.graph, request.id, d, request.why)) return {};
  const std::optional<Body> body =
      Body::compile(request.graph, request.graph.regions(request.op())[0], request.precision, request.why);
  if (!body.has_value()) return {};
  return [dim = static_cast<size_t>(d.dimension), body = *body](std::span<Datum> operands) {
    return run_sort(body, dim, operands);
  };
}

// Of equal elements the first comes first. Results: the k largest of each row, and where they stood.
Kernel interp_top_k(const KernelRequest& request) {
  const Type result = request.result();
  if (result.kind != TypeKind::tuple || result.elements.size() != 2) return request.refused("top-k without indices");
  const Type values = request.held(request.graph.types.get(result.elements[0]));
  const Type places = request.graph.types.get(result.elements[1]);
  if (values.rank() == 0 || request.operand(0).rank() != values.rank()) return request.refused("top-k of no rows");
  const AttrId largest = request.graph.attr(request.op(), "largest");
  const bool up = largest.valid() && request.graph.attr_table.get(largest).kind == AttrKind::boolean &&
                  request.graph.attr_table.get(largest).integer == 0;
  return [up, dims = DimList(values.dims), element = places.element](std::span<Datum> operands) {
    const Array& a = operands[0].array;
    const int64_t length = a.dims.back(), k = dims.back();
    const std::vector<int64_t> keys = sort_keys(a);
    Array out = new_array(a.element, dims), where = new_array(ElementType::s64, dims);
    const auto width = static_cast<size_t>(element_bytes(a.element));
    std::vector<int64_t> order(static_cast<size_t>(length));
    const int64_t rows = k == 0 ? 0 : out.count() / k;
    for (int64_t row = 0; row < rows; ++row) {
      std::iota(order.begin(), order.end(), row * length);
      std::stable_sort(order.begin(), order.end(), [&](int64_t x, int64_t y) {
        const int64_t kx = keys[static_cast<size_t>(x)], ky = keys[static_cast<size_t>(y)];
        return up ? kx < ky : kx > ky;
      });
      for (int64_t i = 0; i < k; ++i) {
        const int64_t from = order[static_cast<size_t>(i)];
        where.data<int64_t>()[row * k + i] = from - row * length;
        std::memcpy(out.bytes() + static_cast<size_t>(row * k + i) * width,
                    a.bytes() + static_cast<size_t>(from) * width, width);
      }
    }
    return make_tuple_datum({out, converted(where, element)});
  };
}

}  // namespace sw
