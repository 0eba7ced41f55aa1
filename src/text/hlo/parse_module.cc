// The module: header, tables of source positions, computations.
#include "text/hlo/parser.h"

namespace sw::hlo {

const AttrName* find_header_attr(std::string_view hlo) {
  static constexpr AttrName kHeader[] = {
      {"alias_passthrough_params", Form::boolean, "alias_passthrough_params"},
      {"allow_spmd_sharding_propagation_to_output", Form::bools, "allow_spmd_sharding_propagation_to_output"},
      {"allow_spmd_sharding_propagation_to_parameters", Form::bools, "allow_spmd_sharding_propagation_to_parameters"},
      {"buffer_donor", Form::raw, "buffer_donor"},
      {"debug_attributes", Form::raw, "debug_attributes"},
      {"entry_computation_layout", Form::raw, "entry_computation_layout"},
      {"frontend_attributes", Form::frontend, "mhlo.frontend_attributes"},
      {"input_output_alias", Form::raw, "input_output_alias"},
      {"is_scheduled", Form::boolean, "is_scheduled"},
      {"num_partitions", Form::integer, "mhlo.num_partitions"},
      {"origin_recovery_table", Form::raw, "origin_recovery_table"},
      {"replica_count", Form::integer, "mhlo.num_replicas"},
  };
  for (const AttrName& row : kHeader)
    if (row.hlo == hlo || row.canonical == hlo) return &row;
  return nullptr;
}

Parser::Parser(FileId file, const SourceManager& sources, Diagnostics& diagnostics)
    : file_(file), diagnostics_(diagnostics), in_(file, sources.text(file)) {
  i64_ = builder_.types().scalar(ElementType::s64);
  i1_ = builder_.types().scalar(ElementType::pred);
  builder_.set_is_hlo(true);
}

Result<Program> Parser::parse() {
  const size_t errors_before = diagnostics_.error_count();
  if (parse_header()) parse_computations();
  if (in_.exhausted())
    error(DiagnosticKind::syntax, in_.token_range(),
          "too many strings or brackets without an end, reading stopped here");
  else
    resolve_callees();
  if (diagnostics_.error_count() == errors_before) finish_module();
  if (diagnostics_.error_count() != errors_before) return reported();
  program_.graph = builder_.take();
  program_.file = file_;
  return std::move(program_);
}

// The header may be missing, as in files written by hand; the module is then named after its entry computation.
bool Parser::parse_header() {
  if (!in_.eat_keyword("HloModule")) {
    const char c = in_.peek();
    return is_name_start(c) || c == '%' || expected("`HloModule` and the name of the module");
  }
  in_.eat('%');
  const std::string_view name = in_.identifier();
  if (name.empty()) return expected("the name of the module");
  std::vector<NamedAttr> attrs;
  bool good = true;
  while (good && in_.eat(',')) good = parse_header_attr(attrs);
  if (!good) in_.skip_line();
  parse_frame_tables(attrs);
  builder_.set_module(intern(name), builder_.attrs(attrs));
  return true;
}

bool Parser::parse_header_attr(std::vector<NamedAttr>& attrs) {
  const std::string_view spelling = in_.identifier();
  if (spelling.empty() || !in_.eat('=')) return expected("an attribute of the module such as `num_partitions=8`");
  const AttrName* name = find_header_attr(spelling);
  AttrId value;
  if (name == nullptr || name->hlo != spelling) {
    const std::string_view raw = in_.raw_value();
    if (raw.empty()) return expected("a value", DiagnosticKind::bad_attribute);
    add(attrs, spelling, builder_.attr_table().opaque(raw));
    unknown_attr(spelling);
    return true;
  }
  bool good = false;
  if (name->form == Form::bools) {
    good = parse_bools(value);
  } else if (name->form == Form::frontend) {
    good = parse_frontend(value);
  } else if (name->form == Form::integer) {
    int64_t number = 0;
    good = in_.integer(number) && number >= 0 && number <= INT32_MAX;
    if (!good) return expected("a count below 2^31", DiagnosticKind::bad_attribute);
    value = builder_.attr_table().integer(number, builder_.types().scalar(ElementType::s32));
  } else {
    good = parse_simple_value(*name, value);
  }
  if (good) add(attrs, name->canonical, value);
  return good;
}

// Four tables, each a title on its own line and numbered rows. Their text is kept as it is, since `stack_frame_id` in
// the metadata of instructions, which is kept too, counts its rows.
bool Parser::parse_frame_tables(std::vector<NamedAttr>& attrs) {
  in_.skip_space();
  const uint32_t begin = in_.position();
  uint32_t end = begin;
  for (const std::string_view title : {"FileNames", "FunctionNames", "FileLocations", "StackFrames"}) {
    if (!in_.eat_keyword(title)) continue;
    if (!parse_frame_table(title)) return false;
    end = in_.position();
  }
  while (end > begin && std::string_view(" \n\r\t").find(in_.text()[end - 1]) != std::string_view::npos) --end;
  if (end > begin) add(attrs, "hlo.stack_frames", builder_.attr_table().opaque(in_.text(begin, end)));
  frames_.built.resize(frames_.frames.size());
  return true;
}

bool Parser::parse_frame_table(std::string_view title) {
  int64_t number = 0;
  while (is_digit(in_.peek()) && in_.integer(number)) {
    if (in_.peek() == '"') {
      if (!in_.quoted(scratch_)) return expected("a string that is closed");
      (title == "FileNames" ? frames_.files : frames_.functions).push_back(intern(scratch_));
      continue;
    }
    if (!eat('{', "before a row of the table")) return false;
    StackFrames::FileLocation location;
    StackFrames::Frame frame;
    while (!in_.eat('}')) {
      const std::string_view field = in_.identifier();
      int64_t value = 0;
      if (field.empty() || !in_.eat('=') || !in_.integer(value)) return expected("a field such as `line=12`, or `}`");
      if (field == "file_name_id") location.file = value;
      if (field == "function_name_id") location.function = value;
      if (field == "line") location.line = value;
      if (field == "end_line") location.end_line = value;
      if (field == "column") location.column = value;
      if (field == "end_column") location.end_column = value;
      if (field == "file_location_id") frame.location = value;
      if (field == "parent_frame_id") frame.parent = value;
    }
    if (title == "FileLocations") frames_.locations.push_back(location);
    if (title == "StackFrames") frames_.frames.push_back(frame);
  }
  return true;
}

void Parser::parse_computations() {
  while (!in_.at_end() && !in_.exhausted()) {
    if (const uint32_t begin = in_.position(); in_.eat_keyword("HloModule")) {
      error(DiagnosticKind::syntax, in_.range(begin, in_.position()),
            "second `HloModule`, expected one module in a file");
      return;
    }
    if (!parse_computation()) skip_to_next_computation();
  }
  if (!last_function_.valid() && !failed_) expected("a computation such as `ENTRY %main { ... }`");
}

// A computation ends at a line that starts with `}`; the next one starts at the beginning of a line too.
void Parser::skip_to_next_computation() {
  in_.skip_line();
  while (in_.raw_peek() != '\0') {
    const char c = in_.raw_peek();
    if (c == '}') {
      in_.skip_line();
      return;
    }
    if (c == '%' || is_name_start(c)) return;
    in_.skip_line();
  }
}

bool Parser::parse_computation() {
  Computation computation;
  in_.skip_space();
  const uint32_t begin = in_.position();
  computation.is_entry = in_.eat_keyword("ENTRY");
  in_.eat('%');
  const std::string_view name = in_.identifier();
  if (name.empty()) return expected("a computation such as `%name (x: f32[2]) -> f32[2] {`");
  computation.name = intern(name);
  computation.where = in_.range(begin, in_.position());
  if ((in_.peek() == '(' && !parse_signature()) || !parse_body(computation) || !parse_execution_thread(computation)) {
    broken_.insert(computation.name.raw);
    return false;
  }
  if (computation.is_entry && builder_.graph().main.valid()) {
    failed_ = true;
    diagnostics_.error(DiagnosticKind::duplicate_symbol, computation.where, "second `ENTRY`, expected one in a module")
        .note(builder_.function(builder_.graph().main).where, "first one here");
    return true;
  }
  const auto id = emit(computation);
  if (!id) {
    broken_.insert(computation.name.raw);
    return true;
  }
  const auto [slot, fresh] = functions_.try_emplace(computation.name.raw, *id);
  if (!fresh) {
    failed_ = true;
    diagnostics_
        .error(DiagnosticKind::duplicate_symbol, computation.where,
               "second computation named `" + std::string(name) + "`")
        .note(builder_.function(slot->second).where, "first one here");
  }
  return true;
}

// The types in front of the body repeat what the parameters and the root say.
bool Parser::parse_signature() {
  in_.eat('(');
  while (in_.peek() != ')') {
    in_.eat('%');
    TypeId type;
    if (in_.identifier().empty()) return expected("the name of a parameter, or `)`");
    if (!eat(':', "after the name of a parameter") || !parse_type(type)) return false;
    if (!in_.eat(',')) break;
  }
  if (!eat(')', "after the parameters")) return false;
  TypeId result;
  if (!in_.eat("->")) return expected("`->` and the type of the result");
  return parse_type(result);
}

bool Parser::parse_body(Computation& computation) {
  const uint32_t begin = in_.position();
  if (!eat('{', "before the instructions of a computation")) return false;
  while (in_.peek() != '}') {
    if (in_.at_end())
      return error(DiagnosticKind::syntax, in_.range(begin, begin + 1),
                   "computation is not closed, expected `}` before the end");
    if (in_.eat_keyword("ENTRY")) {
      in_.reset(in_.position() - 5);
      return error(DiagnosticKind::syntax, in_.token_range(),
                   "saw `ENTRY`, expected `}` at the end of the computation before");
    }
    if (in_.exhausted()) return false;
    const uint32_t instruction_begin = in_.position();
    if (parse_instruction(computation)) continue;
    // What was missing may be noticed only on the line of the next instruction, which is then read as one.
    if (in_.position() == instruction_begin || !in_.at_line_start()) in_.skip_line();
  }
  in_.eat('}');
  return true;
}

bool Parser::parse_execution_thread(Computation& computation) {
  while (in_.eat(',')) {
    const std::string_view name = in_.identifier();
    if (name != "execution_thread") return expected("`execution_thread=\"...\"`");
    if (!in_.eat('=') || !in_.quoted(scratch_)) return expected("the name of a thread in quotes");
    add(computation.function_attrs, "execution_thread", builder_.attr_table().string(scratch_));
  }
  return true;
}

// A computation in place of a name: `to_apply={ ... ROOT r = ... }`. It becomes a function of its own.
bool Parser::parse_computation_in_place(uint8_t slot, AttrSink& sink) {
  if (nesting_ >= kMaxNesting)
    return error(DiagnosticKind::nesting_too_deep, in_.token_range(), "computation nested more than 200 deep");
  ++nesting_;
  Computation inner;
  const uint32_t begin = in_.position();
  const std::string stem = std::string(builder_.strings().text(sink.instruction.name)) + ".computation";
  do {
    inner.name = intern(stem + std::to_string(in_place_++));
  } while (functions_.contains(inner.name.raw));
  inner.where = in_.range(begin, begin + 1);
  const bool good = parse_body(inner);
  --nesting_;
  if (!good) return false;
  const auto id = emit(inner);
  if (id) {
    functions_.emplace(inner.name.raw, *id);
  } else {
    broken_.insert(inner.name.raw);
  }
  sink.computation.callees.push_back({slot, inner.name, begin, begin + 1, id.value_or(FunctionId{})});
  return true;
}

bool Parser::error(DiagnosticKind kind, SourceRange where, std::string message) {
  failed_ = true;
  diagnostics_.error(kind, where, std::move(message));
  return false;
}

bool Parser::expected(std::string_view what, DiagnosticKind kind) {
  const SourceRange where = in_.token_range();
  return error(kind, where, "saw " + in_.token_for_message() + ", expected " + std::string(what));
}

bool Parser::eat(char c, std::string_view context) {
  if (in_.eat(c)) return true;
  return expected("`" + std::string(1, c) + "` " + std::string(context));
}

}  // namespace sw::hlo
