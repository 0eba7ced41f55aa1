#include "text/mlir/parser.h"

#include <algorithm>

#include "base/hash.h"

namespace sw::mlir {

namespace {

constexpr std::string_view kIntLists[] = {"broadcast_dimensions",
                                          "broadcast_sizes",
                                          "permutation",
                                          "dimensions",
                                          "start_indices",
                                          "limit_indices",
                                          "strides",
                                          "slice_sizes",
                                          "edge_padding_low",
                                          "edge_padding_high",
                                          "interior_padding",
                                          "window_dimensions",
                                          "window_strides",
                                          "base_dilations",
                                          "window_dilations",
                                          "lhs_dilation",
                                          "rhs_dilation",
                                          "window_reversal",
                                          "fft_length",
                                          "known_expanding_dimensions",
                                          "known_nonexpanding_dimensions"};
// The short form of an op leaves these out when they have their default value (drop_defaults).
constexpr std::string_view kHaveDefaults[] = {"has_side_effect",        "api_version", "called_computations",
                                              "output_operand_aliases", "version",     "lower",
                                              "result_accuracy"};
constexpr std::string_view kIntMatrices[] = {"padding", "replica_groups", "source_target_pairs"};

}  // namespace

std::string plural(size_t count, std::string_view what) {
  return std::to_string(count) + " " + std::string(what) + (count == 1 ? "" : "s");
}

Parser::Parser(FileId file, std::string_view text, Program& program, Diagnostics& diagnostics)
    : file_(file), lexer_(text), program_(program), diagnostics_(diagnostics), values_(builder_.strings()) {
#define SW_NAME(word) names_.word = builder_.name(#word);
#include "text/mlir/names.def"
#undef SW_NAME
  const auto set_role = [this](std::string_view name, AttrRole role) {
    const StringId id = builder_.name(name);
    if (id.index() >= roles_.size()) roles_.resize(id.index() + 1, AttrRole::plain);
    roles_[id.index()] = role;
  };
  for (const std::string_view name : kIntLists) set_role(name, AttrRole::int_list);
  for (const std::string_view name : kIntMatrices) set_role(name, AttrRole::int_matrix);
  set_role("mhlo.sharding", AttrRole::tile_sharding);
  set_role("allowed_direction", AttrRole::direction);
  for (const std::string_view name : kHaveDefaults) set_role(name, AttrRole::has_default);
  kind_names_.resize(kOpKindCount);
  scalar_i64_ = builder_.types().scalar(ElementType::s64);
  program_.file = file;
}

void Parser::seek(uint32_t offset) {
  last_end_ = offset;
  token_ = lexer_.token_at(offset);
  switch (token_.kind) {
    case TokenKind::left_brace: ++braces_; break;
    case TokenKind::right_brace: --braces_; break;
    default: break;
  }
}

bool Parser::accept(TokenKind kind) {
  if (!at(kind)) return false;
  advance();
  return true;
}

bool Parser::accept_keyword(std::string_view word) {
  if (!at_keyword(word)) return false;
  advance();
  return true;
}

bool Parser::expect(TokenKind kind, std::string_view expected) {
  if (accept(kind)) return true;
  return fail_expected(expected);
}

bool Parser::expect_keyword(std::string_view word) {
  if (accept_keyword(word)) return true;
  return fail_expected("`" + std::string(word) + "`");
}

std::string Parser::seen() const {
  switch (token_.kind) {
    case TokenKind::end: return "end of file";
    case TokenKind::bad_character: {
      static constexpr char kHex[] = "0123456789abcdef";
      const auto byte = static_cast<uint8_t>(lexer_.at(token_.begin));
      if (byte > ' ' && byte < 127) return "character `" + std::string(1, static_cast<char>(byte)) + "`";
      return std::string("byte 0x") + kHex[byte >> 4] + kHex[byte & 15];
    }
    case TokenKind::unterminated_string: return "a string without its closing quote";
    default: break;
  }
  static constexpr size_t kLongest = 40;
  const std::string_view all = text();
  if (all.size() <= kLongest) return "`" + std::string(all) + "`";
  return "`" + std::string(all.substr(0, kLongest)) + "...`";
}

Diagnostics::Builder Parser::report(DiagnosticKind kind, SourceRange where, std::string message) {
  if (++errors_ >= kMaxErrors) stopped_ = true;
  return diagnostics_.error(kind, where, std::move(message));
}

bool Parser::fail(DiagnosticKind kind, SourceRange where, std::string message) {
  report(kind, where, std::move(message));
  return false;
}

bool Parser::fail_expected(std::string_view expected) {
  if (stopped_) return false;
  if (at(TokenKind::end)) stopped_ = true;  // every construct that is still open would say the same
  const bool bad = at(TokenKind::bad_character);
  // What is missing at the end of an op is missing there, not where the next one begins.
  const bool next_op = token_.begin != op_begin_ && starts_op();
  const SourceRange where = at(TokenKind::end) || next_op ? range(last_end_, last_end_) : range(token_);
  return fail(bad ? DiagnosticKind::bad_character : DiagnosticKind::syntax, where,
              (next_op ? "end of line" : seen()) + ", expected " + std::string(expected));
}

bool Parser::enter() {
  if (++depth_ <= kMaxDepth) return !stopped_;
  if (!stopped_)
    report(DiagnosticKind::nesting_too_deep, range(token_),
           "nested more than " + std::to_string(kMaxDepth) + " levels deep, which no program needs");
  stopped_ = true;
  return false;
}

uint32_t Parser::TextMemo::find(std::string_view text, uint64_t hash) const {
  const size_t mask = slots_.size() - 1;
  for (size_t slot = static_cast<size_t>(hash) & mask; slots_[slot].value != kMissing; slot = (slot + 1) & mask)
    if (slots_[slot].hash == hash && slots_[slot].text == text) return slots_[slot].value;
  return kMissing;
}

void Parser::TextMemo::add(std::string_view text, uint64_t hash, uint32_t value) {
  if (++used_ * 2 > slots_.size()) {
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    const size_t mask = slots_.size() - 1;
    for (const Slot& s : old) {
      if (s.value == kMissing) continue;
      size_t slot = static_cast<size_t>(s.hash) & mask;
      while (slots_[slot].value != kMissing) slot = (slot + 1) & mask;
      slots_[slot] = s;
    }
  }
  const size_t mask = slots_.size() - 1;
  size_t slot = static_cast<size_t>(hash) & mask;
  while (slots_[slot].value != kMissing) slot = (slot + 1) & mask;
  slots_[slot] = {hash, text, value};
}

}  // namespace sw::mlir
