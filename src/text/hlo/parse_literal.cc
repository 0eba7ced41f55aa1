// Constants: `constant({ { 1, 2 }, { 3, 4 } })`, `constant(-1.5e3)`, `constant((1, 2))`, `constant({...})` (elided),
// and tuples of those. The text is kept as spelled; what is checked here is that it has as many elements as its type.
#include "text/hlo/parser.h"

namespace sw::hlo {

namespace {

// Skips one element: number, true, false, inf, nan(0x..), or a complex pair.
bool skip_element(Scanner& in, ElementType element) {
  if (is_complex(element) && in.peek() == '(') return !in.group().empty();
  const uint32_t begin = in.position();
  in.skip_space();
  const std::string_view word = in.word();
  if (word == "nan" || word == "-nan")
    if (in.raw_peek() == '(') return !in.group().empty();
  if (word.empty()) return false;
  const char c = word.front() == '-' ? (word.size() > 1 ? word[1] : ' ') : word.front();
  const bool named =
      word == "true" || word == "false" || word == "inf" || word == "-inf" || word == "nan" || word == "-nan";
  if (is_digit(c) || c == '.' || named) return true;
  in.reset(begin);
  return false;
}

}  // namespace

// Walks the braces with a count of elements for each open one, so nesting is as deep as the rank and no deeper.
bool Parser::check_literal(Type type, uint32_t begin, uint32_t end) {
  in_.reset(begin);
  if (!type.is_array()) {
    in_.reset(end);
    return true;
  }
  const std::vector<int64_t> dims(type.dims.begin(), type.dims.end());
  if (in_.peek() != '{' && in_.peek() != '}') {  // one element that stands for all
    if (!skip_element(in_, type.element)) return expected("a number or `{`", DiagnosticKind::bad_literal);
    in_.skip_space();
    return in_.position() >= end || expected("`)` after the constant", DiagnosticKind::bad_literal);
  }
  const bool empty = type.element_count() == 0;
  std::vector<int64_t> counts;
  do {
    if (in_.peek() == '{' && counts.size() < dims.size()) {
      in_.eat('{');
      counts.push_back(0);
      if (in_.eat("...")) {
        counts.back() = dims[counts.size() - 1];
      } else if (in_.peek() != '}') {
        continue;
      }
    } else if (counts.size() < dims.size() && !empty) {
      return expected("`{` and a list of elements", DiagnosticKind::bad_literal);
    } else if (!skip_element(in_, type.element)) {
      return expected("a number", DiagnosticKind::bad_literal);
    } else if (!counts.empty()) {
      ++counts.back();
    }
    while (!counts.empty() && in_.peek() == '}') {
      const int64_t wanted = dims[counts.size() - 1];
      if (counts.back() != wanted && !empty && wanted != kDynamic)
        return error(DiagnosticKind::bad_literal, in_.token_range(),
                     "list has " + std::to_string(counts.back()) + " elements, expected " + std::to_string(wanted));
      in_.eat('}');
      counts.pop_back();
      if (!counts.empty()) ++counts.back();
    }
    if (counts.empty()) break;
    if (!in_.eat(',')) return expected("`,` or `}`", DiagnosticKind::bad_literal);
  } while (true);
  in_.skip_space();
  if (in_.position() < end) return expected("`)` after the constant", DiagnosticKind::bad_literal);
  return true;
}

bool Parser::parse_constant(Computation& computation, const Instruction& instruction) {
  if (in_.peek() != '(') return expected("`(` and the value of the constant");
  const uint32_t begin = in_.position();
  const std::string_view group = in_.group();
  if (group.empty())
    return error(DiagnosticKind::bad_literal, in_.range(begin, begin + 1),
                 "value of the constant is not closed, expected `)`");
  const uint32_t end = in_.position();
  if (!check_literal(builder_.types().get(instruction.type), begin + 1, end - 1)) return false;
  in_.reset(end);
  std::string_view value = group.substr(1, group.size() - 2);
  while (!value.empty() && value.front() == ' ') value.remove_prefix(1);
  while (!value.empty() && value.back() == ' ') value.remove_suffix(1);
  Attr attr;
  attr.kind = AttrKind::dense;
  attr.type = instruction.type;
  attr.form = value.starts_with('{') ? DenseForm::list : DenseForm::splat;
  attr.text = value;
  add(computation.attrs, "value", builder_.attr_table().intern(attr));
  return true;
}

}  // namespace sw::hlo
