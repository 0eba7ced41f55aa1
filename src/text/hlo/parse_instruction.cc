// One instruction: `ROOT %name = type opcode(operands), attribute=value, ...`, into a flat record of its computation.
#include <algorithm>

#include "text/hlo/parser.h"

namespace sw::hlo {

namespace {

// The async ops that HLO has as operations of their own; all others are written `<op>-start` in short form.
bool has_own_async_form(OpKind kind) {
  switch (kind) {
    case OpKind::all_gather:
    case OpKind::all_reduce:
    case OpKind::collective_permute:
    case OpKind::copy:
    case OpKind::recv:
    case OpKind::send: return true;
    default: return false;
  }
}

struct AsyncSuffix {
  std::string_view text;
  OpKind kind;
};
constexpr AsyncSuffix kAsyncSuffixes[] = {
    {"-start", OpKind::async_start}, {"-update", OpKind::async_update}, {"-done", OpKind::async_done}};

}  // namespace

bool Parser::parse_instruction(Computation& computation) {
  Instruction instruction;
  in_.skip_space();
  const uint32_t begin = in_.position();
  instruction.is_root = in_.eat_keyword("ROOT");
  in_.skip_space();
  const uint32_t name_begin = in_.position();
  in_.eat('%');
  const std::string_view name = in_.identifier();
  if (name.empty()) return expected("an instruction such as `%name = f32[] add(%a, %b)`, or `}`");
  instruction.name = intern(name);
  instruction.name_where = in_.range(name_begin, in_.position());
  const auto attrs_begin = static_cast<uint32_t>(computation.attrs.size());
  const auto operands_begin = static_cast<uint32_t>(computation.operands.size());
  const auto callees_begin = static_cast<uint32_t>(computation.callees.size());
  OpKind meaning = OpKind::unknown;
  const bool good = eat('=', "after the name of an instruction") && parse_result_type(instruction) &&
                    parse_opcode(instruction, meaning) && parse_operands(computation, instruction) &&
                    parse_attrs(computation, instruction, meaning);
  instruction.is_broken = !good;
  instruction.where = in_.range(begin, std::max(in_.position(), begin));
  instruction.operands = {operands_begin, static_cast<uint32_t>(computation.operands.size()) - operands_begin};
  instruction.attrs = {attrs_begin, static_cast<uint32_t>(computation.attrs.size()) - attrs_begin};
  auto& callees = computation.callees;
  std::stable_sort(callees.begin() + callees_begin, callees.end(),
                   [](const CalleeRef& a, const CalleeRef& b) { return a.slot < b.slot; });
  instruction.callees = {callees_begin, static_cast<uint32_t>(callees.size()) - callees_begin};
  computation.instructions.push_back(instruction);
  return good;
}

bool Parser::parse_result_type(Instruction& instruction) {
  if (!at_type()) return expected("the type of the result, such as `f32[2,3]`", DiagnosticKind::bad_type);
  return parse_type(instruction.type);
}

bool Parser::parse_opcode(Instruction& instruction, OpKind& meaning) {
  const std::string_view spelling = in_.identifier();
  if (spelling.empty()) return expected("an operation such as `add`");
  instruction.spelling = intern(spelling);
  instruction.kind = meaning = op_kind_from_hlo(spelling);
  if (meaning != OpKind::unknown) return true;
  for (const AsyncSuffix& suffix : kAsyncSuffixes) {
    if (!spelling.ends_with(suffix.text)) continue;
    const OpKind wrapped = op_kind_from_hlo(spelling.substr(0, spelling.size() - suffix.text.size()));
    if (wrapped == OpKind::unknown || has_own_async_form(wrapped)) continue;
    instruction.kind = suffix.kind;
    meaning = wrapped;
    return true;
  }
  auto warning = diagnostics_.report(DiagnosticKind::unsupported_op, in_.range(spelling),
                                     "operation `" + std::string(spelling) + "` is not known, it is kept as it stands");
  if (suggestions_++ < kMaxSuggestions) {
    std::vector<std::string_view> names;
    for (size_t i = 0; i < kOpKindCount; ++i)
      if (const std::string_view known = facts(static_cast<OpKind>(i)).hlo; !known.empty()) names.push_back(known);
    if (const std::string_view near = nearest_name(spelling, names); !near.empty())
      warning.help("did you mean `" + std::string(near) + "`?");
  }
  return true;
}

bool Parser::parse_parameter_number(Instruction& instruction) {
  if (!eat('(', "before the number of a parameter")) return false;
  in_.skip_space();
  const uint32_t begin = in_.position();
  if (!in_.integer(instruction.parameter) || instruction.parameter < 0) {
    in_.reset(begin);
    return expected("the number of a parameter");
  }
  return eat(')', "after the number of a parameter");
}

bool Parser::parse_operands(Computation& computation, Instruction& instruction) {
  if (instruction.kind == OpKind::parameter) return parse_parameter_number(instruction);
  if (instruction.kind == OpKind::constant) return parse_constant(computation, instruction);
  if (!eat('(', "before the operands")) return false;
  if (in_.eat(')')) return true;
  do {
    if (in_.peek() != '%' && at_type()) {
      TypeId given;
      if (!parse_type(given)) return false;
    }
    in_.skip_space();
    const uint32_t begin = in_.position();
    in_.eat('%');
    const std::string_view name = in_.identifier();
    if (name.empty()) return expected("the name of an operand");
    computation.operands.push_back({intern(name), begin, in_.position()});
    if (in_.peek() == '(')
      return error(DiagnosticKind::unsupported, in_.range(begin, in_.position()),
                   "instruction in place of an operand, expected a name: give it a line of its own");
  } while (in_.eat(','));
  return eat(')', "after the operands");
}

bool Parser::parse_attrs(Computation& computation, Instruction& instruction, OpKind meaning) {
  AttrSink sink{computation, instruction, meaning, computation.attrs, {}, {}};
  const size_t first = computation.attrs.size();
  while (in_.eat(',')) {
    const std::string_view spelling = in_.identifier();
    if (spelling.empty() || !in_.eat('=')) return expected("an attribute such as `dimensions={0}`");
    const AttrName* name = find_attr(meaning, spelling);
    if (name != nullptr) {
      if (is_given_twice(*name, spelling, sink)) return false;
      if (!parse_value(*name, sink)) return false;
      continue;
    }
    const std::string_view value = in_.raw_value();
    if (value.empty()) return expected("a value", DiagnosticKind::bad_attribute);
    add(computation.attrs, spelling, builder_.attr_table().opaque(value));
    unknown_attr(spelling);
  }
  finish_fields(sink, first);
  if (meaning == OpKind::convolution) add_group_counts(computation.attrs, first);
  return true;
}

bool Parser::is_given_twice(const AttrName& name, std::string_view spelling, AttrSink& sink) {
  if (std::find(sink.seen.begin(), sink.seen.end(), &name) == sink.seen.end()) {
    sink.seen.push_back(&name);
    return false;
  }
  return !error(DiagnosticKind::bad_attribute, in_.range(spelling),
                "second `" + std::string(spelling) + "` of an instruction");
}

void Parser::unknown_attr(std::string_view spelling) {
  auto warning =
      diagnostics_.warning(DiagnosticKind::unknown_name, in_.range(spelling),
                           "attribute `" + std::string(spelling) + "` is not known, it is kept as it stands");
  if (suggestions_++ < kMaxSuggestions)
    if (const std::string_view near = nearest_attr(spelling); !near.empty())
      warning.help("did you mean `" + std::string(near) + "`?");
}

// StableHLO always has the group counts of a convolution, HLO leaves out a 1: they come last, whether written or not.
void Parser::add_group_counts(std::vector<NamedAttr>& attrs, size_t first) {
  for (const std::string_view name : {"feature_group_count", "batch_group_count"}) {
    const StringId id = intern(name);
    NamedAttr count{id, integer_attr(1)};
    const auto found = std::find_if(attrs.begin() + static_cast<std::ptrdiff_t>(first), attrs.end(),
                                    [&](const NamedAttr& attr) { return attr.name == id; });
    if (found != attrs.end()) {
      count = *found;
      attrs.erase(found);
    }
    attrs.push_back(count);
  }
}

}  // namespace sw::hlo
