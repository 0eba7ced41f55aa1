// Gather and scatter. Both walk the index vectors in the order of the slices (the result of a gather, an update of a
// scatter); each vector gives the corner of a window of the operand.
//
// A gather moves a window that does not fit until it does; a scatter leaves out a window that does not fit.
#include <algorithm>
#include <cstring>
#include <optional>

#include "exec/body.h"
#include "exec/kernel.h"
#include "exec/strided.h"
#include "ops/dims_gather_scatter.h"
#include "sharding/tile_grid.h"

namespace sw {

namespace {

// Where the windows of an array of `operand` dims are, in slices of `slices` dims, by index vectors.
class Windows {
 public:
  Windows(const GatherScatterDims& d, std::span<const int64_t> operand, std::span<const int64_t> indices,
          std::span<const int64_t> slices)
      : d_(d), operand_(operand), operand_steps_(row_major(operand)), slices_steps_(row_major(slices)) {
    const DimList steps = row_major(indices);
    component_step_ =
        static_cast<size_t>(d.index_vector_dim) < indices.size() ? steps[static_cast<size_t>(d.index_vector_dim)] : 0;
    for (size_t i = 0; i < d.batch.size(); ++i) {
      const auto in_indices = static_cast<size_t>(d.indices_dims[i]);
      batch_extents_.push_back(slices[static_cast<size_t>(d.batch[i])]);
      batch_slices_steps_.push_back(slices_steps_[static_cast<size_t>(d.batch[i])]);
      batch_indices_steps_.push_back(steps[in_indices]);
      // The dimension of the operand that this one walks along, if any.
      int64_t along = -1;
      for (size_t b = 0; b < d.indices_batch.size(); ++b)
        if (d.indices_batch[b] == d.indices_dims[i]) along = d.operand_batch[b];
      batch_operand_steps_.push_back(along < 0 ? 0 : operand_steps_[static_cast<size_t>(along)]);
    }
    for (size_t i = 0; i < d.window.size(); ++i) {
      window_.extents.push_back(slices[static_cast<size_t>(d.offset[i])]);
      window_.from.push_back(operand_steps_[static_cast<size_t>(d.window[i])]);
      window_.to.push_back(slices_steps_[static_cast<size_t>(d.offset[i])]);
    }
  }

  // From operand to slices; the starts are those of the window at hand.
  const StridedCopy& window() const { return window_; }
  int64_t window_count() const { return product(window_.extents); }

  // Calls body(fits) for every window, with window() at it; one that does not fit has been moved inside.
  template <class Fn>
  void each(const Array& indices, Fn body) {
    const int64_t* numbers = indices.data<int64_t>();
    const int64_t total = product(batch_extents_);
    DimList at(batch_extents_.size(), 0);
    for (int64_t done = 0; done < total; ++done) {
      int64_t first = 0, slices = 0, operand = 0;
      for (size_t i = 0; i < at.size(); ++i) {
        first += at[i] * batch_indices_steps_[i];
        slices += at[i] * batch_slices_steps_[i];
        operand += at[i] * batch_operand_steps_[i];
      }
      bool fits = true;
      for (size_t c = 0; c < d_.index_map.size(); ++c) {
        const auto dim = static_cast<size_t>(d_.index_map[c]);
        const int64_t wanted = numbers[first + static_cast<int64_t>(c) * component_step_];
        const int64_t start = std::clamp<int64_t>(wanted, 0, operand_[dim] - d_.slice_sizes[dim]);
        fits = fits && start == wanted;
        operand += start * operand_steps_[dim];
      }
      window_.from_start = operand;
      window_.to_start = slices;
      body(fits);
      for (size_t i = at.size(); i-- > 0;) {
        if (++at[i] < batch_extents_[i]) break;
        at[i] = 0;
      }
    }
  }

 private:
  const GatherScatterDims& d_;
  DimList operand_, operand_steps_, slices_steps_;
  int64_t component_step_ = 0;
  DimList batch_extents_, batch_slices_steps_, batch_indices_steps_, batch_operand_steps_;
  StridedCopy window_;
};

// Window sizes beyond the operand leave no place at all, not even a moved one.
bool windows_fit(const GatherScatterDims& d, std::span<const int64_t> operand) {
  for (size_t i = 0; i < operand.size(); ++i)
    if (d.slice_sizes[i] > operand[i]) return false;
  return true;
}

Array run_gather(const GatherScatterDims& d, const Array& operand, const Array& indices, const DimList& dims) {
  Array out = new_array(operand.element, dims);
  if (out.count() == 0) return out;
  const Array numbers = converted(indices, ElementType::s64);
  Windows windows(d, operand.dims, indices.dims, dims);
  const auto width = static_cast<size_t>(element_bytes(operand.element));
  const bool single = windows.window_count() == 1;
  windows.each(numbers, [&](bool) {
    const StridedCopy& w = windows.window();
    if (single)
      std::memcpy(out.bytes() + static_cast<size_t>(w.to_start) * width,
                  operand.bytes() + static_cast<size_t>(w.from_start) * width, width);
    else
      copy_strided(w, operand.bytes(), out.bytes(), width);
  });
  return out;
}

// An array of the same elements that may be written to.
Array own(Array& from) {
  Array out = reuse_or_new(from, from.element, from.dims);
  if (out.buffer != from.buffer && out.byte_size() > 0) std::memcpy(out.bytes(), from.bytes(), out.byte_size());
  return out;
}

Datum run_scatter(const ScatterDims& d, const Body& body, std::span<Datum> operands) {
  const size_t n = d.input_count;
  const Array numbers = converted(operands[n].array, ElementType::s64);
  std::vector<Array> inputs;
  for (size_t i = 0; i < n; ++i) inputs.push_back(own(operands[i].array));
  const Array& update = operands[n + 1].array;
  if (update.count() > 0 && windows_fit(d, inputs[0].dims)) {
    Windows windows(d, inputs[0].dims, operands[n].array.dims, update.dims);
    const int64_t count = windows.window_count();
    Body::Scratch scratch = body.scratch();
    std::vector<std::vector<std::byte>> held(2 * n);  // the window, then its update, in order
    std::vector<const void*> in(2 * n);
    std::vector<void*> out(n);
    for (size_t i = 0; i < 2 * n; ++i)
      held[i].resize(static_cast<size_t>(count * element_bytes(inputs[i % n].element)));
    windows.each(numbers, [&](bool fits) {
      if (!fits) return;
      const StridedCopy& w = windows.window();
      StridedCopy load{w.extents, w.from, row_major(w.extents), w.from_start, 0};
      StridedCopy news{w.extents, w.to, row_major(w.extents), w.to_start, 0};
      for (size_t i = 0; i < n; ++i) {
        const auto width = static_cast<size_t>(element_bytes(inputs[i].element));
        std::byte* element = inputs[i].bytes() + static_cast<size_t>(w.from_start) * width;
        const std::byte* change = operands[n + 1 + i].array.bytes();
        if (count == 1) {
          in[i] = out[i] = element;
          in[n + i] = change + static_cast<size_t>(w.to_start) * width;
          continue;
        }
        copy_strided(load, inputs[i].bytes(), held[i].data(), width);
        copy_strided(news, change, held[n + i].data(), width);
        in[i] = out[i] = held[i].data();
        in[n + i] = held[n + i].data();
      }
      body.run(scratch, in.data(), out.data(), static_cast<size_t>(count));
      if (count == 1) return;
      const StridedCopy store{w.extents, row_major(w.extents), w.from, 0, w.from_start};
      for (size_t i = 0; i < n; ++i)
        copy_strided(store, held[i].data(), inputs[i].bytes(), static_cast<size_t>(element_bytes(inputs[i].element)));
    });
  }
  if (n == 1) return inputs[0];
  return make_tuple_datum(std::vector<Datum>(inputs.begin(), inputs.end()));
}

}  // namespace

Kernel interp_gather(const KernelRequest& request) {
  GatherScatterDims d;
  if (!read_gather_dims(request.graph, request.id, d, request.why)) return {};
  return [d, dims = DimList(request.result().dims)](std::span<Datum> operands) -> Datum {
    return run_gather(d, operands[0].array, operands[1].array, dims);
  };
}

Kernel interp_scatter(const KernelRequest& request) {
  ScatterDims d;
  if (!read_scatter_dims(request.graph, request.id, d, request.why)) return {};
  const std::optional<Body> body =
      Body::compile(request.graph, request.graph.regions(request.op())[0], request.precision, request.why);
  if (!body.has_value()) return {};
  if (body->input_count() != 2 * d.input_count || body->output_count() != d.input_count)
    return request.refused("the body of the scatter has another number of parameters than the op");
  return [d, body = *body](std::span<Datum> operands) { return run_scatter(d, body, operands); };
}

}  // namespace sw
