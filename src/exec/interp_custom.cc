// Custom calls, by target: annotations, which change nothing, and what JAX has LAPACK do on CPUs.
#include <cstdlib>

#include "exec/kernel.h"
#include "exec/numbers.h"

namespace sw {

namespace {

std::string_view target_of(const KernelRequest& request) {
  const AttrId attr = request.graph.attr(request.op(), "call_target_name");
  return attr.valid() ? request.graph.attr_table.get(attr).text : std::string_view();
}

// A parameter of an FFI call: `mhlo.backend_config = {side = 76 : ui8, ...}`, letters as LAPACK takes them.
char letter(const KernelRequest& request, std::string_view name, char otherwise) {
  for (const std::string_view config : {"mhlo.backend_config", "backend_config"}) {
    const AttrId attr = request.graph.attr(request.op(), config);
    if (!attr.valid()) continue;
    const Attr held = request.graph.attr_table.get(attr);
    const AttrId field = Graph::find(held.fields, request.graph.strings.find(name));
    if (field.valid()) return static_cast<char>(request.graph.attr_table.get(field).integer);
    // HLO text has it as `{side = 76 : ui8, uplo = 76 : ui8}`.
    if (const size_t at = held.text.find(std::string(name) + " = "); at != std::string_view::npos) {
      const int code = std::atoi(std::string(held.text.substr(at + name.size() + 3, 4)).c_str());
      if (code > 0) return static_cast<char>(code);
    }
  }
  return otherwise;
}

// The elements of the tuple that the call gives.
std::vector<Type> results_of(const KernelRequest& request) {
  std::vector<Type> out;
  const Type type = request.result();
  if (type.kind != TypeKind::tuple) return {type};
  for (const TypeId element : type.elements) out.push_back(request.held(request.graph.types.get(element)));
  return out;
}

// (factor, info): the triangle that is not computed keeps what the operand has there.
Kernel lapack_potrf(const KernelRequest& request) {
  const std::vector<Type> results = results_of(request);
  if (results.size() != 2) return request.refused("unknown results of a LAPACK call");
  const bool lower = letter(request, "uplo", 'L') == 'L';
  return [lower, element = results[0].element, info_dims = DimList(results[1].dims)](std::span<Datum> operands) {
    Array work = numbers(lower ? operands[0].array : transposed(operands[0].array));
    const Array before = numbers(work);
    Array info = zeros(ElementType::s32, info_dims);
    const int64_t n = work.dims.back();
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

Kernel lapack_trsm(const KernelRequest& request) {
  const bool left = letter(request, "side", 'L') == 'L', lower = letter(request, "uplo", 'L') == 'L';
  const char trans = letter(request, "trans_x", 'N');
  const bool unit = letter(request, "diag", 'N') == 'U';
  const Type result = results_of(request)[0];
  const bool tuple = request.result().kind == TypeKind::tuple;
  return [=, element = result.element](std::span<Datum> operands) -> Datum {
    const TriangularForm form{lower, unit, trans != 'N', trans == 'C'};
    const Array out = converted(solved(operands[0].array, operands[1].array, left, form), element);
    return tuple ? make_tuple_datum({out}) : Datum(out);
  };
}

}  // namespace

Kernel interp_custom_call(const KernelRequest& request) {
  const std::string_view target = target_of(request);
  for (const std::string_view same :
       {"Sharding", "xla.sdy.FuncResultSharding", "annotate_device_placement", "MoveToDevice", "MoveToHost",
        "PinToDevice", "PinToDeviceSram", "LayoutConstraint"})
    if (target == same) return interp_pass(request);
  if (target == "TopK") return interp_top_k(request);
  if (target.starts_with("lapack_") && target.ends_with("potrf_ffi")) return lapack_potrf(request);
  if (target.starts_with("lapack_") && target.ends_with("trsm_ffi")) return lapack_trsm(request);
  return request.refused("nothing is known about what `" + std::string(target) + "` computes");
}

}  // namespace sw
