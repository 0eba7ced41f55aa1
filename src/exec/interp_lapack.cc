// What JAX has LAPACK do on CPUs: custom calls `lapack_<type><routine>_ffi`, with parameters as LAPACK takes them in
//
//   mhlo.backend_config = {uplo = 76 : ui8, mode = 86 : ui8}          'L', 'V'
//
// Whatever the type, numbers are complex doubles, rounded once at the end. A result that is only the used up operand
// (of svd, of tridiagonal systems) is the operand as it was.
#include <algorithm>
#include <cstdlib>

#include "exec/kernel.h"
#include "exec/numbers.h"
#include "exec/reflectors.h"
#include "exec/spectral.h"
#include "exec/strided.h"

namespace sw {

namespace {

// The parameters and result types of one call.
class Call {
 public:
  explicit Call(const KernelRequest& request) : request_(request) {}

  // A letter; 1 and 0 for true and false.
  char parameter(std::string_view name, char otherwise) const {
    for (const std::string_view config : {"mhlo.backend_config", "backend_config"}) {
      const AttrId attr = request_.graph.attr(request_.op(), config);
      if (!attr.valid()) continue;
      const Attr held = request_.graph.attr_table.get(attr);
      const AttrId field = Graph::find(held.fields, request_.graph.strings.find(name));
      if (field.valid()) return static_cast<char>(request_.graph.attr_table.get(field).integer);
      if (const char found = in_text(held.text, name); found != kAbsent) return found;
    }
    return otherwise;
  }

  // The elements of the tuple that the call gives.
  std::vector<Type> results() const {
    std::vector<Type> out;
    const Type type = request_.result();
    if (type.kind != TypeKind::tuple) return {type};
    for (const TypeId element : type.elements) out.push_back(request_.held(request_.graph.types.get(element)));
    return out;
  }

  struct Shape {
    DimList dims;
    bool integer = false;
  };
  // Whether operands and results are those of the routine.
  bool takes(std::initializer_list<Shape> operands, std::initializer_list<Shape> gives) const {
    if (request_.operand_count() != operands.size()) return false;
    const std::vector<Type> found = results();
    if (found.size() != gives.size()) return false;
    for (size_t i = 0; i < operands.size(); ++i)
      if (!is(request_.operand(i), operands.begin()[i])) return false;
    for (size_t i = 0; i < found.size(); ++i)
      if (!is(found[i], gives.begin()[i])) return false;
    return true;
  }

  // Of the operand: matrices of `rows` by `columns`; none where it has fewer than two dimensions.
  bool has_matrix(size_t i) const { return request_.operand_count() > i && request_.operand(i).rank() >= 2; }
  int64_t rows(size_t i) const { return request_.operand(i).dims[request_.operand(i).rank() - 2]; }
  int64_t columns(size_t i) const { return request_.operand(i).dims[request_.operand(i).rank() - 1]; }
  // How many reflectors the second operand scales; -1 when it is no array.
  int64_t reflectors() const {
    return request_.operand_count() > 1 && request_.operand(1).rank() > 0 ? request_.operand(1).dims.back() : -1;
  }
  Shape floats(std::initializer_list<int64_t> dims) const { return {batched(dims), false}; }
  Shape words(std::initializer_list<int64_t> dims) const { return {batched(dims), true}; }

 private:
  static bool is(const Type& type, const Shape& shape) {
    if (!type.is_array() || DimList(type.dims) != shape.dims) return false;
    return shape.integer ? type.element == ElementType::s32 : is_floating(type.element) || is_complex(type.element);
  }
  // After the batch dimensions of the first operand.
  DimList batched(std::initializer_list<int64_t> dims) const {
    const Type first = request_.operand(0);
    DimList out;
    for (size_t d = 0; d + 2 < first.rank(); ++d) out.push_back(first.dims[d]);
    for (const int64_t d : dims) out.push_back(d);
    return out;
  }

  static constexpr char kAbsent = -1;

  // HLO text has `{side = 76 : ui8, left = true}`.
  static char in_text(std::string_view text, std::string_view name) {
    const std::string key = std::string(name) + " = ";
    for (size_t at = text.find(key); at != std::string_view::npos; at = text.find(key, at + 1)) {
      if (at > 0 && text[at - 1] != ' ' && text[at - 1] != '{') continue;
      const std::string_view value = text.substr(at + key.size());
      if (value.starts_with("true")) return 1;
      if (value.starts_with("false")) return 0;
      return static_cast<char>(std::atoi(std::string(value.substr(0, 4)).c_str()));
    }
    return kAbsent;
  }

  const KernelRequest& request_;
};

// An array of matrices, or of vectors, one of which is taken at a time.
class Stack {
 public:
  explicit Stack(Array array) : array_(std::move(array)) {}
  Stack(std::span<const int64_t> dims) : array_(zeros(ElementType::c128, dims)) {}

  MatrixView matrix(int64_t i) {
    const int64_t rows = array_.dims[array_.dims.size() - 2], columns = array_.dims.back();
    return {part(i, rows * columns), rows, columns};
  }
  std::span<Number> vector(int64_t i) { return part(i, array_.dims.back()); }
  // How many matrices.
  int64_t batch() const {
    int64_t count = 1;
    for (size_t d = 0; d + 2 < array_.dims.size(); ++d) count *= array_.dims[d];
    return count;
  }
  Array as(ElementType element) const { return converted(array_, element); }

 private:
  std::span<Number> part(int64_t i, int64_t size) {
    return numbers_of(array_).subspan(static_cast<size_t>(i * size), static_cast<size_t>(size));
  }
  Array array_;
};

std::span<int32_t> integers(Array& array, int64_t i) {
  const int64_t size = array.dims.back();
  return {array.data<int32_t>() + i * size, static_cast<size_t>(size)};
}

Kernel unknown_results(const KernelRequest& request) {
  return request.refused("a LAPACK call with other operands or results than its routine has");
}

// (factor, info): the triangle that is not computed keeps what the operand has there.
Kernel potrf(const KernelRequest& request, const Call& call) {
  if (!call.has_matrix(0)) return unknown_results(request);
  const int64_t n = call.columns(0);
  if (!call.takes({call.floats({n, n})}, {call.floats({n, n}), call.words({})})) return unknown_results(request);
  const std::vector<Type> results = call.results();
  const bool lower = call.parameter("uplo", 'L') == 'L';
  return [lower, n, element = results[0].element, info_dims = DimList(results[1].dims)](std::span<Datum> operands) {
    Array work = numbers(lower ? operands[0].array : transposed(operands[0].array));
    const Array before = numbers(work);
    Array info = zeros(ElementType::s32, info_dims);
    const auto size = static_cast<size_t>(n * n);
    for (size_t at = 0, i = 0; size > 0 && at < numbers_of(work).size(); at += size, ++i) {
      const std::span<Number> one = numbers_of(work).subspan(at, size);
      info.data<int32_t>()[i] = cholesky_in_place(one, n) ? 0 : 1;
      for (int64_t r = 0; r < n; ++r)
        for (int64_t c = r + 1; c < n; ++c)
          one[static_cast<size_t>(r * n + c)] = before.data<Number>()[at + static_cast<size_t>(r * n + c)];
    }
    return make_tuple_datum({converted(lower ? work : transposed(work), element), info});
  };
}

Kernel trsm(const KernelRequest& request, const Call& call) {
  const bool left = call.parameter("side", 'L') == 'L', lower = call.parameter("uplo", 'L') == 'L';
  if (!call.has_matrix(0) || !call.has_matrix(1)) return unknown_results(request);
  const int64_t n = call.columns(0);
  const Call::Shape x = left ? call.floats({n, call.columns(1)}) : call.floats({call.rows(1), n});
  if (!call.takes({call.floats({n, n}), x}, {x})) return unknown_results(request);
  const char trans = call.parameter("trans_x", 'N');
  const bool unit = call.parameter("diag", 'N') == 'U';
  const bool tuple = request.result().kind == TypeKind::tuple;
  return [=, element = call.results()[0].element](std::span<Datum> operands) -> Datum {
    const TriangularForm form{lower, unit, trans != 'N', trans == 'C'};
    const Array out = converted(solved(operands[0].array, operands[1].array, left, form), element);
    return tuple ? make_tuple_datum({out}) : Datum(out);
  };
}

// (r and reflectors, taus); with pivots (r and reflectors, order, taus), from the order wanted.
Kernel geqrf(const KernelRequest& request, const Call& call, bool pivoted) {
  if (!call.has_matrix(0)) return unknown_results(request);
  const int64_t m = call.rows(0), n = call.columns(0), k = std::min(m, n);
  const Call::Shape in = call.floats({m, n}), scales = call.floats({k}), places = call.words({n});
  if (!(pivoted ? call.takes({in, places}, {in, places, scales}) : call.takes({in}, {in, scales})))
    return unknown_results(request);
  const std::vector<Type> results = call.results();
  return [pivoted, element = results[0].element, tau_dims = DimList(results.back().dims)](std::span<Datum> operands) {
    Stack a(numbers(operands[0].array)), taus(tau_dims);
    Array order;
    if (pivoted) order = copied(operands[1].array);
    for (int64_t i = 0; i < a.batch(); ++i) {
      if (pivoted)
        qr_pivoted_in_place(a.matrix(i), integers(order, i), taus.vector(i));
      else
        qr_in_place(a.matrix(i), taus.vector(i));
    }
    if (pivoted) return make_tuple_datum({a.as(element), order, taus.as(element)});
    return make_tuple_datum({a.as(element), taus.as(element)});
  };
}

// The columns of q that the operand has room for.
Kernel orgqr(const KernelRequest& request, const Call& call) {
  if (!call.has_matrix(0)) return unknown_results(request);
  const int64_t m = call.rows(0), n = call.columns(0), k = call.reflectors();
  const Call::Shape in = call.floats({m, n}), scales = call.floats({k});
  if (k < 0 || k > std::min(m, n) || !call.takes({in, scales}, {in})) return unknown_results(request);
  return [element = call.results()[0].element](std::span<Datum> operands) -> Datum {
    Stack a(numbers(operands[0].array)), taus(numbers(operands[1].array)), q(operands[0].array.dims);
    for (int64_t i = 0; i < a.batch(); ++i) {
      const MatrixView out = q.matrix(i);
      for (int64_t j = 0; j < std::min(out.rows, out.columns); ++j) out.at(j, j) = 1;
      apply_reflectors(a.matrix(i), taus.vector(i), false, out);
    }
    return q.as(element);
  };
}

void conjugate(Array& a) {
  for (Number& x : numbers_of(a)) x = std::conj(x);
}

// q c, q^H c, c q or c q^H; from the right as the adjoint of a product from the left.
Kernel ormqr(const KernelRequest& request, const Call& call) {
  const bool left = call.parameter("left", 1) != 0, transpose = call.parameter("transpose", 0) != 0;
  if (!call.has_matrix(0) || !call.has_matrix(2)) return unknown_results(request);
  const int64_t m = call.rows(0), n = call.columns(0), k = call.reflectors();
  const Call::Shape in = call.floats({m, n}), scales = call.floats({k});
  const Call::Shape out = left ? call.floats({m, call.columns(2)}) : call.floats({call.rows(2), m});
  if (k < 0 || k > std::min(m, n) || !call.takes({in, scales, out}, {out})) return unknown_results(request);
  return [=, element = call.results()[0].element](std::span<Datum> operands) -> Datum {
    Stack a(numbers(operands[0].array)), taus(numbers(operands[1].array));
    Array start = numbers(left ? operands[2].array : transposed(operands[2].array));
    if (!left) conjugate(start);
    Stack c(start);
    for (int64_t i = 0; i < a.batch(); ++i)
      apply_reflectors(a.matrix(i), taus.vector(i), transpose == left, c.matrix(i));
    if (left) return c.as(element);
    conjugate(start);
    return converted(transposed(start), element);
  };
}

// (l and u, pivots, info)
Kernel getrf(const KernelRequest& request, const Call& call) {
  if (!call.has_matrix(0)) return unknown_results(request);
  const int64_t m = call.rows(0), n = call.columns(0), k = std::min(m, n);
  if (!call.takes({call.floats({m, n})}, {call.floats({m, n}), call.words({k}), call.words({})}))
    return unknown_results(request);
  const std::vector<Type> results = call.results();
  return [element = results[0].element, pivot_dims = DimList(results[1].dims),
          info_dims = DimList(results[2].dims)](std::span<Datum> operands) {
    Stack a(numbers(operands[0].array));
    Array pivots = zeros(ElementType::s32, pivot_dims), info = zeros(ElementType::s32, info_dims);
    for (int64_t i = 0; i < a.batch(); ++i) info.data<int32_t>()[i] = lu_in_place(a.matrix(i), integers(pivots, i));
    return make_tuple_datum({a.as(element), pivots, info});
  };
}

// (vectors, values, info)
Kernel syevd(const KernelRequest& request, const Call& call) {
  if (!call.has_matrix(0)) return unknown_results(request);
  const int64_t n = call.columns(0);
  const Call::Shape in = call.floats({n, n});
  if (!call.takes({in}, {in, call.floats({n}), call.words({})})) return unknown_results(request);
  const std::vector<Type> results = call.results();
  const bool lower = call.parameter("uplo", 'L') == 'L', real = !is_complex(results[0].element);
  return [lower, real, n, results = std::vector<ElementType>{results[0].element, results[1].element},
          value_dims = DimList(results[1].dims), info_dims = DimList(results[2].dims)](std::span<Datum> operands) {
    Stack a(numbers(operands[0].array)), vectors(operands[0].array.dims);
    Array values = zeros(ElementType::f64, value_dims), info = zeros(ElementType::s32, info_dims);
    for (int64_t i = 0; i < a.batch(); ++i) {
      const std::span<double> own{values.data<double>() + i * n, static_cast<size_t>(n)};
      info.data<int32_t>()[i] = hermitian_eigen(a.matrix(i), lower, real, own, vectors.matrix(i)) ? 0 : 1;
    }
    return make_tuple_datum({vectors.as(results[0]), converted(values, results[1]), info});
  };
}

// (the operand, singular values, left, right, info); with mode 'N' there are no vectors, and zeros in their place.
Kernel gesdd(const KernelRequest& request, const Call& call) {
  if (!call.has_matrix(0)) return unknown_results(request);
  const int64_t m = call.rows(0), n = call.columns(0), k = std::min(m, n);
  const bool vectors = call.parameter("mode", 'S') != 'N';
  const Call::Shape in = call.floats({m, n}), line = call.floats({k}), code = call.words({});
  const Call::Shape square_u = call.floats({m, m}), square_v = call.floats({n, n});
  const bool full = call.takes({in}, {in, line, square_u, square_v, code});
  const bool thin = call.takes({in}, {in, line, call.floats({m, k}), call.floats({k, n}), code});
  if (!full && !thin) return unknown_results(request);
  const std::vector<Type> results = call.results();
  const bool real = !is_complex(results[0].element);
  return [vectors, real, k, element = results[0].element, value_element = results[1].element,
          dims = std::vector<DimList>{DimList(results[1].dims), DimList(results[2].dims), DimList(results[3].dims),
                                      DimList(results[4].dims)}](std::span<Datum> operands) {
    Stack a(numbers(operands[0].array)), left(dims[1]), right(dims[2]);
    Array values = zeros(ElementType::f64, dims[0]), info = zeros(ElementType::s32, dims[3]);
    for (int64_t i = 0; i < a.batch(); ++i) {
      const std::span<double> own{values.data<double>() + i * k, static_cast<size_t>(k)};
      const MatrixView u = vectors ? left.matrix(i) : MatrixView(), v = vectors ? right.matrix(i) : MatrixView();
      info.data<int32_t>()[i] = singular_values(a.matrix(i), real, own, u, v) ? 0 : 1;
    }
    return make_tuple_datum(
        {operands[0].array, converted(values, value_element), left.as(element), right.as(element), info});
  };
}

// (the diagonals, x, info) of t x = b; the first number of the lower diagonal is not looked at.
Kernel gtsv(const KernelRequest& request, const Call& call) {
  if (!call.has_matrix(3)) return unknown_results(request);
  const DimList dims(request.operand(3).dims);
  const Call::Shape line{DimList(std::span(dims).first(dims.size() - 1))}, x{dims};
  const Call::Shape code{DimList(std::span(dims).first(dims.size() - 2)), true};
  if (!call.takes({line, line, line, x}, {line, line, line, x, code})) return unknown_results(request);
  const std::vector<Type> results = call.results();
  return [element = results[3].element, info_dims = DimList(results[4].dims)](std::span<Datum> operands) {
    Stack below(numbers(operands[0].array)), diagonal(numbers(operands[1].array)), above(numbers(operands[2].array)),
        b(numbers(operands[3].array));
    Array info = zeros(ElementType::s32, info_dims);
    for (int64_t i = 0; i < b.batch(); ++i)
      info.data<int32_t>()[i] = solve_tridiagonal(below.vector(i), diagonal.vector(i), above.vector(i), b.matrix(i));
    return make_tuple_datum({operands[0], operands[1], operands[2], b.as(element), info});
  };
}

}  // namespace

Kernel interp_lapack(const KernelRequest& request, std::string_view target) {
  const Call call(request);
  std::string_view routine = target;
  routine.remove_prefix(std::min(routine.size(), std::string_view("lapack_s").size()));
  if (routine == "potrf_ffi") return potrf(request, call);
  if (routine == "trsm_ffi") return trsm(request, call);
  if (routine == "geqrf_ffi") return geqrf(request, call, false);
  if (routine == "geqp3_ffi") return geqrf(request, call, true);
  if (routine == "orgqr_ffi" || routine == "ungqr_ffi") return orgqr(request, call);
  if (routine == "ormqr_ffi" || routine == "unmqr_ffi") return ormqr(request, call);
  if (routine == "getrf_ffi") return getrf(request, call);
  if (routine == "syevd_ffi" || routine == "heevd_ffi") return syevd(request, call);
  if (routine == "gesdd_ffi" || routine == "gesvd_ffi") return gesdd(request, call);
  if (routine == "gtsv_ffi") return gtsv(request, call);
  return request.refused("the LAPACK routine of `" + std::string(target) + "` is not among those computed here");
}

}  // namespace sw
