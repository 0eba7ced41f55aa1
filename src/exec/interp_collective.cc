// Collectives on the values of one group of devices. A result that is the same for all of the group is made once.
#include <algorithm>
#include <cstring>

#include "exec/machine.h"
#include "exec/strided.h"

namespace sw {

namespace {

size_t width_of(const Array& array) { return static_cast<size_t>(element_bytes(array.element)); }

// One after the other, in the order of the group; small floats are added up in f32 and rounded once.
Array reduced(const CollectiveStep& step, const std::vector<Array>& values) {
  if (step.loop != nullptr) {
    const ElementType element = values[0].element;
    Array sum = new_array(computed_in(element), values[0].dims);
    const Array first = converted(values[0], computed_in(element));
    if (sum.byte_size() > 0) std::memcpy(sum.bytes(), first.bytes(), sum.byte_size());
    for (size_t i = 1; i < values.size(); ++i) {
      const Array next = converted(values[i], computed_in(element));
      const void* both[] = {sum.bytes(), next.bytes()};
      step.loop(both, sum.bytes(), static_cast<size_t>(sum.count()), 0);
    }
    return converted(sum, element);
  }
  Array sum = new_array(values[0].element, values[0].dims);
  if (sum.byte_size() > 0) std::memcpy(sum.bytes(), values[0].bytes(), sum.byte_size());
  Body::Scratch scratch = step.body->scratch();
  for (size_t i = 1; i < values.size(); ++i) {
    const void* both[] = {sum.bytes(), values[i].bytes()};
    void* to[] = {sum.bytes()};
    step.body->run(scratch, both, to, static_cast<size_t>(sum.count()));
  }
  return sum;
}

Array joined(const std::vector<Array>& values, size_t dim) {
  DimList dims = values[0].dims;
  dims[dim] = 0;
  for (const Array& a : values) dims[dim] += a.dims[dim];
  Array out = new_array(values[0].element, dims);
  StridedCopy copy;
  copy.to = row_major(dims);
  for (const Array& a : values) {
    copy.extents = a.dims;
    copy.from = row_major(a.dims);
    copy_strided(copy, a.bytes(), out.bytes(), width_of(a));
    copy.to_start += a.dims[dim] * copy.to[dim];
  }
  return out;
}

// Piece `index` of `count` along `dim`.
Array piece(const Array& a, size_t dim, int64_t index, int64_t count) {
  DimList dims = a.dims;
  dims[dim] /= count;
  const DimList steps = row_major(a.dims);
  return gathered(a, dims, steps, index * dims[dim] * steps[dim]);
}

// The arrays of all devices of the group for one operand.
std::vector<Array> column(const std::vector<std::vector<Datum>>& operands, size_t i) {
  std::vector<Array> values;
  for (const std::vector<Datum>& of_device : operands) values.push_back(of_device[i].array);
  return values;
}

std::vector<Array> run_op(const CollectiveStep& step, std::span<const int64_t> group,
                          const std::vector<Array>& values) {
  const auto size = static_cast<int64_t>(values.size());
  const auto dim = static_cast<size_t>(step.dim);
  std::vector<Array> out;
  switch (step.kind) {
    case OpKind::all_reduce: return {reduced(step, values)};
    case OpKind::all_gather: return {joined(values, dim)};
    case OpKind::collective_broadcast: return {values[0]};
    case OpKind::reduce_scatter: {
      const Array sum = reduced(step, values);
      for (int64_t i = 0; i < size; ++i) out.push_back(piece(sum, dim, i, size));
      return out;
    }
    case OpKind::all_to_all:
      for (int64_t to = 0; to < size; ++to) {
        std::vector<Array> received;
        for (const Array& from : values) received.push_back(piece(from, dim, to, size));
        out.push_back(joined(received, dim));
      }
      return out;
    default: break;
  }
  // collective_permute: who is sent nothing gets zeros.
  if (step.alone) return values;
  out.resize(values.size());
  const auto place = [&](int64_t device) {
    return static_cast<size_t>(std::lower_bound(group.begin(), group.end(), device) - group.begin());
  };
  for (const auto& [from, to] : step.pairs)
    if (place(from) < values.size() && place(to) < values.size()) out[place(to)] = values[place(from)];
  for (size_t i = 0; i < out.size(); ++i)
    if (out[i].buffer == nullptr) out[i] = zeros(values[i].element, values[i].dims);
  return out;
}

}  // namespace

std::vector<Datum> run_group(const CollectiveStep& step, std::span<const int64_t> group,
                             const std::vector<std::vector<Datum>>& operands) {
  const size_t size = operands.size(), count = operands[0].size();
  // Operand i of device j becomes part j of what device i has.
  if (step.kind == OpKind::all_to_all && step.dim < 0) {
    std::vector<Datum> out;
    for (size_t i = 0; i < size; ++i) {
      std::vector<Datum> parts;
      for (size_t j = 0; j < size; ++j) parts.push_back(operands[j][i]);
      out.push_back(make_tuple_datum(std::move(parts)));
    }
    return out;
  }
  std::vector<std::vector<Array>> results;
  for (size_t i = 0; i < count; ++i) results.push_back(run_op(step, group, column(operands, i)));
  std::vector<Datum> out;
  for (size_t device = 0; device < results[0].size(); ++device) {
    if (count == 1) {
      out.emplace_back(results[0][device]);
      continue;
    }
    std::vector<Datum> parts;
    for (const std::vector<Array>& result : results) parts.emplace_back(result[device]);
    out.push_back(make_tuple_datum(std::move(parts)));
  }
  return out;
}

int64_t received_bytes(const CollectiveStep& step, const std::vector<Datum>& operands, int64_t size) {
  int64_t bytes = 0;
  for (const Datum& operand : operands) bytes += static_cast<int64_t>(operand.array.byte_size());
  if (step.alone) return 0;
  switch (step.kind) {
    case OpKind::all_gather: return bytes * size * (size - 1);
    case OpKind::all_reduce: return 2 * bytes * (size - 1);
    case OpKind::collective_permute:
      return bytes *
             std::count_if(step.pairs.begin(), step.pairs.end(), [](const auto& p) { return p.first != p.second; });
    default: return bytes * (size - 1);
  }
}

}  // namespace sw
