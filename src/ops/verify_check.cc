// Helpers shared by the checks of all families.
#include "ops/verify_check.h"

namespace sw {

bool OpCheck::fail(DiagnosticKind kind, const std::string& message) const {
  diagnostics.error(kind, op.where, "`" + std::string(graph.strings.text(op.name)) + "`: " + message);
  return false;
}

std::string OpCheck::text(TypeId type) const {
  return "`" + (graph.is_hlo ? hlo_text(graph.types, type) : mlir_text(graph.types, type)) + "`";
}

bool OpCheck::arrays() const {
  for (size_t i = 0; i < operands.size(); ++i)
    if (!operand(i).is_array())
      return mismatch("operand " + std::to_string(i) + " is " + text(operand_id(i)) + ", expected a tensor");
  for (size_t i = 0; i < op.result_count; ++i) {
    const Type type = result(i);
    if (type.is_array() || (is_hlo() && type.kind == TypeKind::tuple)) continue;
    return mismatch("result " + std::to_string(i) + " is " + text(result_id(i)) + ", expected a tensor");
  }
  return true;
}

bool OpCheck::elements(const Type& a, const Type& b, std::string_view what) const {
  if (same_element(a, b) || (is_hlo() && is_floating(a.element) && is_floating(b.element))) return true;
  const auto spelled = [&](const Type& type) {
    return "`" + std::string(is_hlo() ? hlo_spelling(type.element) : mlir_spelling(type.element)) + "`";
  };
  return mismatch(std::string(what) + " have elements of " + spelled(a) + " and " + spelled(b) + ", expected one type");
}

bool OpCheck::promotable(const Type& a, const Type& b, std::string_view what) const {
  const bool widened = (is_floating(a.element) && is_floating(b.element)) ||
                       (is_integer(a.element) && is_integer(b.element)) ||
                       (is_complex(a.element) && is_complex(b.element));
  return widened || elements(a, b, what);
}

bool OpCheck::scalar(const Type& type, std::string_view what) const {
  if (type.is_array() && type.rank() == 0) return true;
  return mismatch(std::string(what) + " has rank " + std::to_string(type.rank()) + ", expected a scalar");
}

bool same_dims(std::span<const int64_t> a, std::span<const int64_t> b) {
  if (a.size() != b.size()) return false;
  for (size_t d = 0; d < a.size(); ++d)
    if (!same_size(a[d], b[d])) return false;
  return true;
}

bool same_element(const Type& a, const Type& b) {
  const auto vague = [](ElementType e) { return e == ElementType::quantized || e == ElementType::other; };
  return a.element == b.element || vague(a.element) || vague(b.element);
}

std::string counted(size_t count, std::string_view singular, std::string_view plural) {
  std::string text = std::to_string(count) + " ";
  if (count == 1) return text + std::string(singular);
  return text + (plural.empty() ? std::string(singular) + "s" : std::string(plural));
}

std::string dims_text(std::span<const int64_t> dims) {
  if (dims.empty()) return "()";
  std::string text;
  for (size_t d = 0; d < dims.size(); ++d) {
    if (d > 0) text += "x";
    text += dims[d] == kDynamic ? std::string("?") : std::to_string(dims[d]);
  }
  return text;
}

namespace {

const Block* only_block(const OpCheck& check, size_t region) {
  if (region >= check.regions().size()) return nullptr;
  const Region& r = check.graph.region(check.regions()[region]);
  return r.blocks.size() == 1 ? &check.graph.block(r.blocks.front()) : nullptr;
}

}  // namespace

bool check_region(const OpCheck& check, size_t region, std::string_view name) {
  if (check.is_hlo()) return true;
  const Block* block = only_block(check, region);
  if (block == nullptr) return check.invalid("expected one block in the region `" + std::string(name) + "`");
  if (block->ops.empty() || !has_trait(check.graph.op(block->ops.back()).kind, kTerminator))
    return check.invalid("the region `" + std::string(name) + "` does not end with a return");
  return true;
}

bool check_region(const OpCheck& check, size_t region, std::string_view name, std::span<const TypeId> args,
                  std::span<const TypeId> results) {
  if (check.is_hlo()) return true;
  if (!check_region(check, region, name)) return false;
  const Graph& graph = check.graph;
  const Block& block = *only_block(check, region);
  const std::string where = "the region `" + std::string(name) + "`";
  if (block.arg_count != args.size())
    return check.invalid(where + " has " + std::to_string(block.arg_count) + " arguments, expected " +
                         std::to_string(args.size()));
  for (uint32_t i = 0; i < block.arg_count; ++i) {
    const TypeId type = graph.value(ValueId{block.first_arg.raw + i}).type;
    if (type != args[i])
      return check.mismatch("argument " + std::to_string(i) + " of " + where + " is " + check.text(type) +
                            ", expected " + check.text(args[i]));
  }
  const auto returned = graph.operands(block.ops.back());
  if (returned.size() != results.size())
    return check.invalid(where + " returns " + counted(returned.size(), "value") + ", expected " +
                         std::to_string(results.size()));
  for (size_t i = 0; i < returned.size(); ++i) {
    const TypeId type = graph.value(returned[i]).type;
    if (type != results[i])
      return check.mismatch("value " + std::to_string(i) + " returned by " + where + " is " + check.text(type) +
                            ", expected " + check.text(results[i]));
  }
  return true;
}

bool check_scalar_body(const OpCheck& check, size_t region, size_t args, size_t results) {
  if (check.is_hlo()) return true;
  if (!check_region(check, region, "body")) return false;
  const Graph& graph = check.graph;
  const Block& block = *only_block(check, region);
  if (block.arg_count != args)
    return check.invalid("the body has " + std::to_string(block.arg_count) + " arguments, expected " +
                         std::to_string(args));
  for (uint32_t i = 0; i < block.arg_count; ++i)
    if (!check.scalar(graph.type_of(ValueId{block.first_arg.raw + i}),
                      "argument " + std::to_string(i) + " of the body"))
      return false;
  const auto returned = graph.operands(block.ops.back());
  if (returned.size() != results)
    return check.invalid("the body returns " + counted(returned.size(), "value") + ", expected " +
                         std::to_string(results));
  for (size_t i = 0; i < returned.size(); ++i)
    if (!check.scalar(graph.type_of(returned[i]), "value " + std::to_string(i) + " returned by the body")) return false;
  return true;
}

}  // namespace sw
