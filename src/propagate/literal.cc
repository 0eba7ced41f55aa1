#include "propagate/literal.h"

#include <charconv>
#include <string_view>

namespace sw {

std::optional<std::vector<int64_t>> constant_integers(const Graph& graph, OpId op) {
  AttrId id = graph.attr(graph.op(op), "value");
  if (!id.valid()) return std::nullopt;
  const Attr attr = graph.attr_table.get(id);
  if (attr.kind != AttrKind::dense) return std::nullopt;
  const int64_t count = graph.type_of(graph.result(op)).element_count();
  std::vector<int64_t> values;
  if (attr.form != DenseForm::splat && attr.form != DenseForm::list) return std::nullopt;
  const std::string_view text = attr.text;
  for (size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == 't' || c == 'f') {
      const std::string_view word = c == 't' ? "true" : "false";
      if (text.substr(at, word.size()) != word) return std::nullopt;
      at += word.size();
      values.push_back(c == 't' ? 1 : 0);
      continue;
    }
    if (c != '-' && (c < '0' || c > '9')) {
      // Brackets, commas and blanks only.
      if (c != '[' && c != ']' && c != '{' && c != '}' && c != ',' && c != ' ' && c != '\n' && c != '\t')
        return std::nullopt;
      ++at;
      continue;
    }
    int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data() + at, text.data() + text.size(), value);
    if (error != std::errc{}) return std::nullopt;
    at = static_cast<size_t>(end - text.data());
    values.push_back(value);
  }
  if (attr.form == DenseForm::splat && values.size() == 1) values.assign(static_cast<size_t>(count), values[0]);
  return values;
}

}  // namespace sw
