// Windows that slide over an array: reduce_window, select_and_scatter, and the walk that convolution shares
// (exec/window_walk.h).
#include <cstring>
#include <numeric>
#include <optional>

#include "exec/body.h"
#include "exec/kernel.h"
#include "exec/window_walk.h"
#include "sharding/tile_grid.h"

namespace sw {

WindowRange window_range(const WindowDim& w, int64_t offset, int64_t input, int64_t output) {
  // Output o sees position o * stride + shift of the dilated input, which holds input element position / dilation.
  const int64_t shift = offset * w.window_dilation - w.pad_low, dilation = w.base_dilation;
  WindowRange range;
  range.out_step = dilation / std::gcd(w.stride, dilation);
  range.in_step = range.out_step * w.stride / dilation;
  for (int64_t o = 0; o < std::min(range.out_step, output); ++o) {
    const int64_t position = o * w.stride + shift;
    if (((position % dilation) + dilation) % dilation != 0) continue;
    // The first of the outputs o, o + out_step, ... whose element is not before the input.
    const int64_t element = (position - (((position % dilation) + dilation) % dilation)) / dilation;
    const int64_t skipped = element < 0 ? (-element + range.in_step - 1) / range.in_step : 0;
    range.out_first = o + skipped * range.out_step;
    range.in_first = element + skipped * range.in_step;
    if (range.out_first >= output || range.in_first >= input) return range;
    const int64_t by_output = (output - 1 - range.out_first) / range.out_step;
    const int64_t by_input = (input - 1 - range.in_first) / range.in_step;
    range.count = std::min(by_output, by_input) + 1;
    return range;
  }
  return range;
}

bool WindowWalk::next() {
  if (started_) {
    size_t d = windows_.size();
    while (d-- > 0) {
      if (++at_[d] < windows_[d].size) break;
      at_[d] = 0;
    }
    if (d == static_cast<size_t>(-1)) return false;
  } else {
    started_ = true;
    for (const WindowDim& w : windows_)
      if (w.size == 0) return false;
  }
  ranges_.clear();
  empty_ = false;
  for (size_t d = 0; d < windows_.size(); ++d) {
    ranges_.push_back(window_range(windows_[d], at_[d], input_[d], output_[d]));
    empty_ = empty_ || ranges_.back().count == 0;
  }
  return true;
}

namespace {

// Copies between a box of an array and a dense run of memory.
StridedCopy box_of(const WindowWalk& walk, const DimList& dims, bool of_output) {
  StridedCopy copy;
  const DimList steps = row_major(dims);
  for (size_t d = 0; d < dims.size(); ++d) {
    const WindowRange& r = walk.range(d);
    copy.extents.push_back(r.count);
    copy.from.push_back(steps[d] * (of_output ? r.out_step : r.in_step));
    copy.from_start += steps[d] * (of_output ? r.out_first : r.in_first);
  }
  copy.to = row_major(copy.extents);
  return copy;
}

Datum run_reduce_window(const Body& body, const WindowDims& windows, const DimList& dims, std::span<Datum> operands) {
  const size_t n = operands.size() / 2;
  std::vector<Array> sums;
  for (size_t i = 0; i < n; ++i) {
    sums.push_back(new_array(operands[i].array.element, dims));
    fill(sums[i].bytes(), operands[n + i].array.bytes(), static_cast<size_t>(sums[i].count()),
         static_cast<size_t>(element_bytes(sums[i].element)));
  }
  Body::Scratch scratch = body.scratch();
  std::vector<std::vector<std::byte>> held(2 * n);
  std::vector<const void*> in(2 * n);
  std::vector<void*> out(n);
  for (WindowWalk walk(windows, operands[0].array.dims, dims); walk.next();) {
    if (walk.empty()) continue;
    StridedCopy from_sum = box_of(walk, dims, true), from_input = box_of(walk, operands[0].array.dims, false);
    const int64_t count = product(from_sum.extents);
    for (size_t i = 0; i < n; ++i) {
      const auto width = static_cast<size_t>(element_bytes(sums[i].element));
      held[i].resize(static_cast<size_t>(count) * width);
      held[n + i].resize(held[i].size());
      copy_strided(from_sum, sums[i].bytes(), held[i].data(), width);
      copy_strided(from_input, operands[i].array.bytes(), held[n + i].data(), width);
      in[i] = out[i] = held[i].data();
      in[n + i] = held[n + i].data();
    }
    body.run(scratch, in.data(), out.data(), static_cast<size_t>(count));
    std::swap(from_sum.from, from_sum.to);
    std::swap(from_sum.from_start, from_sum.to_start);
    for (size_t i = 0; i < n; ++i)
      copy_strided(from_sum, held[i].data(), sums[i].bytes(), static_cast<size_t>(element_bytes(sums[i].element)));
  }
  if (n == 1) return sums[0];
  return make_tuple_datum(std::vector<Datum>(sums.begin(), sums.end()));
}

// The place of the element that a window selects, in row-major order; -1 when the window lies in the padding alone.
class Selection {
 public:
  Selection(const Body& select, const WindowDims& windows, const Array& operand)
      : select_(select),
        scratch_(select.scratch()),
        windows_(windows),
        operand_(operand),
        steps_(row_major(operand.dims)) {}

  int64_t of(const DimList& output) {
    int64_t chosen = -1;
    DimList at(windows_.size(), 0);
    for (bool more = true; more;) {
      int64_t place = 0;
      bool inside = true;
      for (size_t d = 0; d < windows_.size(); ++d) {
        const int64_t i = output[d] * windows_[d].stride + at[d] - windows_[d].pad_low;
        inside = inside && i >= 0 && i < operand_.dims[d];
        place += i * steps_[d];
      }
      if (inside && (chosen < 0 || !stays(chosen, place))) chosen = place;
      more = false;
      for (size_t d = windows_.size(); d-- > 0 && !more;) {
        more = ++at[d] < windows_[d].size;
        if (!more) at[d] = 0;
      }
    }
    return chosen;
  }

 private:
  bool stays(int64_t chosen, int64_t other) {
    const int64_t width = element_bytes(operand_.element);
    const void* in[] = {operand_.bytes() + chosen * width, operand_.bytes() + other * width};
    uint8_t answer = 0;
    void* out[] = {&answer};
    select_.run(scratch_, in, out, 1);
    return answer != 0;
  }

  const Body& select_;
  Body::Scratch scratch_;
  const WindowDims& windows_;
  const Array& operand_;
  DimList steps_;
};

Array run_select_and_scatter(const Body& select, const Body& scatter, const WindowDims& windows,
                             std::span<Datum> operands) {
  const Array& operand = operands[0].array;
  const Array& source = operands[1].array;
  Array out = new_array(operand.element, operand.dims);
  const auto width = static_cast<size_t>(element_bytes(out.element));
  fill(out.bytes(), operands[2].array.bytes(), static_cast<size_t>(out.count()), width);
  Selection selection(select, windows, operand);
  Body::Scratch scratch = scatter.scratch();
  DimList at(source.dims.size(), 0);
  for (int64_t i = 0; i < source.count(); ++i) {
    if (const int64_t place = selection.of(at); place >= 0) {
      std::byte* element = out.bytes() + static_cast<size_t>(place) * width;
      const void* in[] = {element, source.bytes() + static_cast<size_t>(i) * width};
      void* to[] = {element};
      scatter.run(scratch, in, to, 1);
    }
    for (size_t d = at.size(); d-- > 0;) {
      if (++at[d] < source.dims[d]) break;
      at[d] = 0;
    }
  }
  return out;
}

}  // namespace

Kernel interp_reduce_window(const KernelRequest& request) {
  WindowDims windows;
  if (!read_window_dims(request.graph, request.id, windows, request.why)) return {};
  const std::optional<Body> body =
      Body::compile(request.graph, request.graph.regions(request.op())[0], request.precision, request.why);
  if (!body.has_value()) return {};
  const Type type = request.result();
  const Type first = type.kind == TypeKind::tuple ? request.graph.types.get(type.elements[0]) : type;
  if (body->input_count() != request.operand_count() || body->output_count() * 2 != request.operand_count())
    return request.refused("the body of the reduction has another number of parameters than the op");
  return [windows, body = *body, dims = DimList(first.dims)](std::span<Datum> operands) {
    return run_reduce_window(body, windows, dims, operands);
  };
}

Kernel interp_select_and_scatter(const KernelRequest& request) {
  WindowDims windows;
  if (!read_window_dims(request.graph, request.id, windows, request.why)) return {};
  const auto regions = request.graph.regions(request.op());
  const std::optional<Body> select = Body::compile(request.graph, regions[0], request.precision, request.why);
  const std::optional<Body> scatter = Body::compile(request.graph, regions[1], request.precision, request.why);
  if (!select.has_value() || !scatter.has_value()) return {};
  return [windows, select = *select, scatter = *scatter](std::span<Datum> operands) -> Datum {
    return run_select_and_scatter(select, scatter, windows, operands);
  };
}

}  // namespace sw
