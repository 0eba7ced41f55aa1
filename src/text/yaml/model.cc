#include "text/yaml/model.h"

#include "ir/builder.h"
#include "text/mlir/reader.h"
#include "text/yaml/model_text.h"

namespace sw {

namespace {

// From the lines of the made-up text to the YAML behind them.
class Places {
 public:
  Places(const ModelText& model, FileId made_up, const SourceManager& sources)
      : model_(model), made_up_(made_up), sources_(sources) {}

  SourceRange yaml(SourceRange where) const {
    if (!where.valid() || where.file != made_up_) return where;
    const uint32_t line = sources_.line(where);
    return line <= model_.places.size() ? model_.places[line - 1] : SourceRange{};
  }

 private:
  const ModelText& model_;
  FileId made_up_;
  const SourceManager& sources_;
};

void pass_on(const Diagnostics& inner, const Places& places, Diagnostics& out) {
  for (const Diagnostic& d : inner.in_order_reported()) {
    auto report = d.severity == Severity::error     ? out.error(d.kind, places.yaml(d.where), d.message)
                  : d.severity == Severity::warning ? out.warning(d.kind, places.yaml(d.where), d.message)
                                                    : out.report(d.kind, places.yaml(d.where), d.message);
    for (const DiagnosticNote& n : d.notes) report.note(places.yaml(n.where), n.message);
    for (const std::string& h : d.helps) report.help(h);
  }
}

}  // namespace

bool is_yaml_model(std::string_view text) {
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    while (!line.empty() && (line.back() == ' ' || line.back() == '\r' || line.back() == '\t')) line.remove_suffix(1);
    if (line.empty() || line.starts_with("#") || line == "---") continue;
    return line.starts_with("format:");
  }
  return false;
}

Result<Program> read_yaml_model(FileId file, SourceManager& sources, Diagnostics& diagnostics) {
  const Result<YamlNode> root = read_yaml(file, sources, diagnostics);
  if (!root) return reported();
  const Result<ModelText> model = model_text(*root, diagnostics);
  if (!model) return reported();
  const FileId made_up = sources.add(std::string(sources.name(file)) + " (as StableHLO)", model->text);
  const Places places(*model, made_up, sources);
  Diagnostics inner;
  Result<Program> program = read_mlir(made_up, sources, inner);
  pass_on(inner, places, diagnostics);
  if (!program) return reported();

  GraphBuilder builder(std::move(program->graph));
  for (size_t i = 0; i < builder.graph().op_count(); ++i)
    builder.set_where(OpId{i}, places.yaml(builder.graph().op(OpId{i}).where));
  for (size_t i = 0; i < builder.graph().value_count(); ++i)
    builder.set_value_where(ValueId{i}, places.yaml(builder.graph().value(ValueId{i}).where));
  for (size_t i = 0; i < builder.graph().function_count(); ++i) {
    Function& f = builder.function(FunctionId{i});
    f.where = places.yaml(f.where);
  }
  program->graph = builder.take();
  program->file = file;
  return program;
}

}  // namespace sw
