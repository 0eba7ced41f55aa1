#include "unit/exec/run_hlo.h"

#include <complex>
#include <cstdio>

#include "exec/kernel.h"
#include "support/diagnostics.h"

namespace sw::test {

namespace {

std::string number_text(const Array& array, int64_t i) {
  char text[80];
  if (array.element == ElementType::pred) return array.data<uint8_t>()[i] != 0 ? "true" : "false";
  if (is_complex(array.element)) {
    const Array wide = converted(array, ElementType::c128);
    const std::complex<double> value = wide.data<std::complex<double>>()[i];
    std::snprintf(text, sizeof text, "(%.6g,%.6g)", value.real(), value.imag());
  } else if (is_floating(array.element)) {
    std::snprintf(text, sizeof text, "%.6g", converted(array, ElementType::f64).data<double>()[i]);
  } else if (array.element == ElementType::u64) {
    return std::to_string(array.data<uint64_t>()[i]);
  } else {
    return std::to_string(converted(array, ElementType::s64).data<int64_t>()[i]);
  }
  return std::string(text) == "-nan" ? "nan" : text;
}

std::string array_text(const Array& array, size_t dim, int64_t& at) {
  if (dim == array.dims.size()) return number_text(array, at++);
  std::string text = "{";
  for (int64_t i = 0; i < array.dims[dim]; ++i) text += (i > 0 ? "," : "") + array_text(array, dim + 1, at);
  return text + "}";
}

Datum read_argument(const Graph& graph, TypeId type, const std::string& text) {
  Graph with_value = graph;
  Attr attr;
  attr.kind = AttrKind::dense;
  attr.type = type;
  attr.form = text.starts_with('{') ? DenseForm::list : DenseForm::splat;
  attr.text = text;
  const AttrId id = with_value.attr_table.intern(attr);
  std::string why;
  const std::optional<Array> array = read_array(with_value, id, type, &why);
  INFO(text << ": " << why);
  REQUIRE(array.has_value());
  return *array;
}

}  // namespace

std::string text_of(const Datum& datum) {
  std::vector<Array> leaves;
  collect_leaves(datum, leaves);
  std::string text;
  for (const Array& leaf : leaves) {
    int64_t at = 0;
    text += (text.empty() ? "" : " ") + array_text(leaf, 0, at);
  }
  return text;
}

Ran run_hlo(const std::string& module, const std::vector<std::vector<std::string>>& args, int64_t devices) {
  SourceManager sources;
  Diagnostics diagnostics;
  const FileId file = sources.add("test.hlo", module);
  const Result<Program> program = read_hlo(file, sources, diagnostics);
  INFO(module << told(diagnostics, sources));
  REQUIRE(program.has_value());
  Ran ran;
  const Result<Executable> executable =
      Executable::prepare(program->graph, {nullptr, {}, devices}, Precision::as_written, diagnostics);
  if (!executable.has_value()) {
    ran.error = told(diagnostics, sources);
    return ran;
  }
  Machine machine(*executable, {devices});
  const Graph& graph = program->graph;
  const BlockId block = graph.entry_block(graph.function(graph.main).body);
  std::vector<Replicas> values;
  for (size_t i = 0; i < args.size(); ++i) {
    values.emplace_back();
    for (const std::string& text : args[i])
      values.back().items.push_back(read_argument(graph, graph.value(graph.arg(block, i)).type, text));
  }
  const std::optional<Replicas> result = machine.run(std::move(values));
  ran.error = machine.error();
  if (result.has_value())
    for (size_t d = 0; d < static_cast<size_t>(devices); ++d) ran.results.push_back(text_of(result->on(d)));
  return ran;
}

}  // namespace sw::test
