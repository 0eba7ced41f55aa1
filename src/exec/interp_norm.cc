// Batch normalisation, in double and rounded once. The statistics of a feature are taken over all other dimensions; the
// variance is that of the whole population.
#include <cmath>

#include "exec/kernel.h"
#include "exec/strided.h"
#include "ops/dims_reduce.h"

namespace sw {

namespace {

struct Normalised {
  std::vector<double> mean, variance;
};

// Which feature an element belongs to.
struct Features {
  int64_t count = 1, step = 1;
  size_t of(int64_t element) const { return static_cast<size_t>(element / step % count); }
};

Normalised statistics(const Array& x, const Features& f) {
  Normalised out{std::vector<double>(static_cast<size_t>(f.count), 0),
                 std::vector<double>(static_cast<size_t>(f.count), 0)};
  const double members = static_cast<double>(x.count()) / static_cast<double>(std::max<int64_t>(1, f.count));
  for (int64_t i = 0; i < x.count(); ++i) out.mean[f.of(i)] += x.data<double>()[i] / members;
  for (int64_t i = 0; i < x.count(); ++i) {
    const double off = x.data<double>()[i] - out.mean[f.of(i)];
    out.variance[f.of(i)] += off * off / members;
  }
  return out;
}

Array per_feature(const std::vector<double>& values, ElementType element) {
  const int64_t dims[] = {static_cast<int64_t>(values.size())};
  Array out = new_array(ElementType::f64, dims);
  std::copy(values.begin(), values.end(), out.data<double>());
  return converted(out, element);
}

std::vector<double> read(const Array& a) {
  const Array wide = converted(a, ElementType::f64);
  return {wide.data<double>(), wide.data<double>() + wide.count()};
}

Datum forward(const Array& x, const Features& f, std::span<Datum> operands, const Normalised& n, double epsilon,
              bool with_statistics) {
  const ElementType element = operands[0].array.element;
  const std::vector<double> scale = read(operands[1].array), offset = read(operands[2].array);
  Array out = new_array(ElementType::f64, x.dims);
  for (int64_t i = 0; i < x.count(); ++i) {
    const size_t k = f.of(i);
    out.data<double>()[i] =
        scale[k] * (x.data<double>()[i] - n.mean[k]) / std::sqrt(n.variance[k] + epsilon) + offset[k];
  }
  const Array rounded = converted(out, element);
  if (!with_statistics) return rounded;
  return make_tuple_datum({rounded, per_feature(n.mean, element), per_feature(n.variance, element)});
}

// Operands: input, scale, mean, variance, gradient of the output.
Datum backward(const Array& x, const Features& f, std::span<Datum> operands, double epsilon) {
  const std::vector<double> scale = read(operands[1].array), mean = read(operands[2].array),
                            variance = read(operands[3].array), grad = read(operands[4].array);
  std::vector<double> sum(scale.size(), 0), product(scale.size(), 0);
  const double members = static_cast<double>(x.count()) / static_cast<double>(std::max<int64_t>(1, f.count));
  for (int64_t i = 0; i < x.count(); ++i) {
    const size_t k = f.of(i);
    sum[k] += grad[static_cast<size_t>(i)];
    product[k] += grad[static_cast<size_t>(i)] * (x.data<double>()[i] - mean[k]);
  }
  Array out = new_array(ElementType::f64, x.dims);
  std::vector<double> of_scale(scale.size(), 0);
  for (size_t k = 0; k < scale.size(); ++k) of_scale[k] = product[k] / std::sqrt(variance[k] + epsilon);
  for (int64_t i = 0; i < x.count(); ++i) {
    const size_t k = f.of(i);
    const double spread = variance[k] + epsilon, centred = x.data<double>()[i] - mean[k];
    out.data<double>()[i] = scale[k] / std::sqrt(spread) / members *
                            (members * grad[static_cast<size_t>(i)] - sum[k] - centred * product[k] / spread);
  }
  const ElementType element = operands[0].array.element;
  return make_tuple_datum({converted(out, element), per_feature(of_scale, element), per_feature(sum, element)});
}

}  // namespace

Kernel interp_batch_norm(const KernelRequest& request) {
  int64_t feature = 0;
  if (!read_batch_norm_dim(request.graph, request.id, feature, request.why)) return {};
  const AttrId attr = request.graph.attr(request.op(), "epsilon");
  const double epsilon =
      attr.valid() ? std::strtod(std::string(request.graph.attr_table.get(attr).text).c_str(), nullptr) : 0;
  const auto d = static_cast<size_t>(feature);
  return [d, epsilon, kind = request.op().kind](std::span<Datum> operands) -> Datum {
    const Array x = converted(operands[0].array, ElementType::f64);
    const Features f{x.dims[d], row_major(x.dims)[d]};
    if (kind == OpKind::batch_norm_grad) return backward(x, f, operands, epsilon);
    if (kind == OpKind::batch_norm_training) return forward(x, f, operands, statistics(x, f), epsilon, true);
    return forward(x, f, operands, {read(operands[3].array), read(operands[4].array)}, epsilon, false);
  };
}

}  // namespace sw
