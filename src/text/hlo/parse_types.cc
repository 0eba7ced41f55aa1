// Types: `f32[2,<=8]{1,0:T(8,128)}`, `(f32[], (s32[2]))`, `token[]`. A layout is kept as text; of a bounded dynamic
// extent the bound counts as the extent (as for XLA's partitioner), and the spelling of all extents is kept beside.
#include "base/checked_math.h"
#include "text/hlo/parser.h"

namespace sw::hlo {

bool Parser::at_type() {
  const char c = in_.peek();
  if (c == '(') return true;
  if (!is_name_start(c)) return false;
  const uint32_t begin = in_.position();
  in_.identifier();
  const bool result = in_.raw_peek() == '[' || (in_.raw_peek() == '(' && in_.position() == begin + 1 && c == 'b');
  in_.reset(begin);
  return result;
}

bool Parser::parse_type(TypeId& out) {
  if (in_.peek() != '(')
    return in_.raw_peek() == 'b' && in_.raw_peek(1) == '(' ? parse_buffer_type(out) : parse_array_type(out);
  if (nesting_ >= kMaxNesting)
    return error(DiagnosticKind::nesting_too_deep, in_.token_range(), "tuple type nested more than 200 deep");
  ++nesting_;
  in_.eat('(');
  std::vector<TypeId> elements;
  bool good = true;
  if (in_.peek() != ')') {
    do {
      TypeId element;
      good = parse_type(element);
      elements.push_back(element);
    } while (good && in_.eat(','));
  }
  --nesting_;
  if (!good || !eat(')', "after the elements of a tuple type")) return false;
  out = builder_.types().tuple(elements);
  return true;
}

// `b(f32[4])`: a buffer that a custom call writes in place. Nothing is derived from such a value; the type stays text.
bool Parser::parse_buffer_type(TypeId& out) {
  const uint32_t begin = in_.position();
  TypeId inner;
  in_.eat('b');
  if (!eat('(', "before the type of a buffer") || !parse_array_type(inner) || !eat(')', "after the type of a buffer"))
    return false;
  out = builder_.types().opaque(in_.text(begin, in_.position()));
  return true;
}

bool Parser::parse_array_type(TypeId& out) {
  const uint32_t begin = in_.position();
  const std::string_view spelling = in_.identifier();
  if (spelling.empty()) return expected("a type", DiagnosticKind::bad_type);
  ElementType element;
  if (!parse_hlo_element(spelling, element)) {
    in_.reset(begin);
    return expected("an element type such as `f32` or `s32`", DiagnosticKind::bad_type);
  }
  SmallVector<int64_t, 8> dims;
  if (!in_.eat('[')) return expected("`[` and the extents", DiagnosticKind::bad_type);
  const uint32_t dims_begin = in_.position() - 1;
  bool dynamic = false;
  int64_t product = 1;
  if (in_.peek() != ']') {
    do {
      if (in_.eat('?')) {
        dims.push_back(kDynamic);
        continue;
      }
      if (in_.eat("<=")) {
        dynamic = true;
        if (in_.eat('?')) {
          dims.push_back(kDynamic);
          continue;
        }
      }
      int64_t extent = 0;
      if (in_.peek() == '-' || !in_.integer(extent)) return expected("an extent", DiagnosticKind::bad_type);
      const auto next = checked_mul(product, extent);
      if (!next || extent < 0)
        return error(DiagnosticKind::bad_type, in_.range(begin, in_.position()), "array has 2^63 elements or more");
      product = *next;
      dims.push_back(extent);
    } while (in_.eat(','));
  }
  if (!eat(']', "after the extents of a type")) return false;
  const std::string_view bounds = dynamic ? in_.text(dims_begin, in_.position()) : std::string_view{};
  scratch_.clear();
  // A brace opens a layout when a number or a colon follows; otherwise it is the body of a computation.
  if (in_.raw_peek() == '{' && (is_digit(in_.raw_peek(1)) || in_.raw_peek(1) == ':' || in_.raw_peek(1) == '}') &&
      !parse_layout(scratch_))
    return false;
  out = builder_.types().tensor(element, std::span<const int64_t>(dims.data(), dims.size()), scratch_, bounds);
  return true;
}

// Checks brackets and characters only: what a layout says is of no concern before memory planning.
bool Parser::parse_layout(std::string& out) {
  const uint32_t begin = in_.position();
  const std::string_view group = in_.group();
  bool good = !group.empty();
  for (const char c : group)
    good = good && (is_name_char(c) || std::string_view("{}()[]:,*#+~? ").find(c) != std::string_view::npos);
  if (!good) {
    in_.reset(begin);
    return error(DiagnosticKind::bad_type, in_.token_range(),
                 "layout is not closed, or has characters that no layout has");
  }
  for (const char c : group)
    if (c != ' ') out += c;
  return true;
}

}  // namespace sw::hlo
