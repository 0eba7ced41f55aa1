// See the header. A recursive descent; depth is bounded by kMaxDepth.
#include "report/assertion.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/edit_distance.h"
#include "base/quantity.h"
#include "report/collective_facts.h"

namespace sw {

namespace {

constexpr size_t kMaxDepth = 64;
constexpr double kSmallestBytes = 1024;  // a plain number from here on may mean bytes

constexpr std::array<std::string_view, 10> kMeasures = {"peak", "total",    "argument", "output", "alias",
                                                        "temp", "capacity", "reserve",  "usable", "devices"};
constexpr std::array<std::string_view, 6> kCalls = {"count", "runs", "bytes", "memory", "findings", "spec"};
constexpr std::array<std::string_view, 8> kCollectiveKinds = {
    "all-gather",         "all-reduce",           "reduce-scatter",    "all-to-all",
    "collective-permute", "collective-broadcast", "ragged-all-to-all", "any"};
constexpr std::array<std::string_view, 5> kFilters = {"axis", "cause", "in_loop", "user", "not"};

// What an expression is measured in. `constant` and `value` are known for plain numbers.
struct Unit {
  bool bytes = false, constant = false;
  double value = 0;
  bool may_be_bytes() const { return bytes || (constant && (value == 0 || value >= kSmallestBytes)); }
};

class Reader {
 public:
  Reader(FileId file, const SourceManager& sources, const Mesh* mesh, Diagnostics& diagnostics)
      : file_(file), text_(sources.text(file)), mesh_(mesh), diagnostics_(diagnostics) {}

  Result<Assertion> read() {
    out_.text = std::string(text_.substr(0, text_.find_last_not_of(" \t\n") + 1));
    out_.where = range(0, text_.size());
    next();
    const bool good = word_ == "no" ? no_finding() : word_ == "spec" ? spec() : compare();
    if (!good) return reported();
    if (!at_end()) {
      fail(DiagnosticKind::syntax, fmt::format("expected the end of the assertion, found `{}`", token_))
          .help("give several assertions as several `--assert`");
      return reported();
    }
    return std::move(out_);
  }

 private:
  SourceRange range(size_t begin, size_t end) const {
    return {file_, static_cast<uint32_t>(begin), static_cast<uint32_t>(end)};
  }
  Diagnostics::Builder fail(DiagnosticKind kind, std::string message) {
    return diagnostics_.error(kind, range(begin_, begin_ + token_.size()), std::move(message));
  }
  bool at_end() const { return token_.empty(); }

  static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
  static bool is_digit(char c) { return c >= '0' && c <= '9'; }

  // Words keep a dash between letters: all-gather is one word, a - b is not.
  size_t word_end(size_t at) const {
    while (at < text_.size()) {
      const char c = text_[at];
      const bool dash = c == '-' && at + 1 < text_.size() && is_letter(text_[at + 1]) && is_letter(text_[at - 1]);
      if (!is_letter(c) && !is_digit(c) && !dash) break;
      ++at;
    }
    return at;
  }
  size_t number_end(size_t at) const {
    while (at < text_.size() && (is_digit(text_[at]) || text_[at] == '.')) ++at;
    // An exponent; not the E of a unit that does not exist.
    if (at + 1 < text_.size() && (text_[at] == 'e' || text_[at] == 'E')) {
      size_t digits = at + 1;
      if (text_[digits] == '+' || text_[digits] == '-') ++digits;
      if (digits < text_.size() && is_digit(text_[digits])) {
        at = digits;
        while (at < text_.size() && is_digit(text_[at])) ++at;
      }
    }
    return at;
  }

  void next() {
    begin_ = end_;
    while (begin_ < text_.size() && (text_[begin_] == ' ' || text_[begin_] == '\t' || text_[begin_] == '\n')) ++begin_;
    word_ = {};
    end_ = begin_;
    if (begin_ < text_.size()) {
      const char c = text_[begin_];
      if (is_letter(c)) {
        end_ = word_end(begin_ + 1);
        word_ = text_.substr(begin_, end_ - begin_);
      } else if (is_digit(c) || c == '.') {
        end_ = std::max(number_end(begin_), begin_ + 1);
      } else if (c == '"') {
        end_ = text_.find('"', begin_ + 1);
        end_ = end_ == std::string_view::npos ? text_.size() : end_ + 1;
      } else {
        const bool two = begin_ + 1 < text_.size() && text_[begin_ + 1] == '=' &&
                         std::string_view("<>=!").find(c) != std::string_view::npos;
        end_ = begin_ + (two ? 2 : 1);
        // One character, all of its bytes.
        while (!two && end_ < text_.size() && (static_cast<unsigned char>(text_[end_]) & 0xC0U) == 0x80U) ++end_;
      }
    }
    token_ = text_.substr(begin_, end_ - begin_);
  }
  bool eat(std::string_view token) {
    if (token_ != token) return false;
    next();
    return true;
  }
  bool expect(std::string_view token) {
    if (eat(token)) return true;
    fail(DiagnosticKind::syntax, at_end() ? fmt::format("expected `{}`, found the end of the assertion", token)
                                          : fmt::format("expected `{}`, found `{}`", token, token_));
    return false;
  }

  // The index of the word among `names`; SIZE_MAX and an error when it is none of them.
  size_t one_of(std::span<const std::string_view> names, std::string_view what) {
    const auto at = std::find(names.begin(), names.end(), word_);
    if (!word_.empty() && at != names.end()) {
      next();
      return static_cast<size_t>(at - names.begin());
    }
    if (word_.empty()) {
      fail(DiagnosticKind::syntax, at_end() ? fmt::format("expected {}, found the end of the assertion", what)
                                            : fmt::format("expected {}, found `{}`", what, token_));
      return SIZE_MAX;
    }
    auto error = fail(DiagnosticKind::unknown_name, fmt::format("`{}` is not {}", word_, what));
    if (const std::string_view near = nearest_name(word_, names); !near.empty())
      error.help(fmt::format("did you mean `{}`?", near));
    error.help(fmt::format("known are `{}`", fmt::join(names, "`, `")));
    return SIZE_MAX;
  }

  bool rule(LintRule& out) {
    std::vector<std::string_view> names;
    for (const LintRuleFacts& facts : lint_rules()) names.push_back(facts.name);
    const size_t at = one_of(names, "a lint rule");
    if (at == SIZE_MAX) return false;
    out = lint_rules()[at].rule;
    return true;
  }

  bool no_finding() {
    next();
    if (!expect("finding")) return false;
    out_.kind = Assertion::Kind::no_finding;
    if (at_end()) return true;
    LintRule of{};
    if (!rule(of)) return false;
    out_.rule = of;
    return true;
  }

  bool spec() {
    next();
    out_.kind = Assertion::Kind::spec;
    if (!expect("(")) return false;
    if (token_.size() < 2 || token_.front() != '"' || token_.back() != '"') {
      fail(DiagnosticKind::syntax, "expected the name of a value in double quotes");
      return false;
    }
    out_.value = std::string(token_.substr(1, token_.size() - 2));
    out_.value_where = range(begin_ + 1, end_ - 1);
    next();
    if (!expect(")")) return false;
    if (token_ != "==" && token_ != "!=") return expect("==");
    out_.comparison = token_ == "==" ? Comparison::equal : Comparison::not_equal;
    next();
    if (at_end()) {
      fail(DiagnosticKind::syntax, "expected a sharding, found the end of the assertion").help("P(None, 'x')");
      return false;
    }
    out_.spec_where = range(begin_, out_.text.size());
    end_ = text_.size();
    next();
    return true;
  }

  bool compare() {
    Unit left, right;
    const size_t begin = begin_;
    if (!sum(out_.left, left, 0)) return false;
    const auto at = std::find(kComparisons.begin(), kComparisons.end(), token_);
    if (at == kComparisons.end()) {
      auto error = fail(DiagnosticKind::syntax, at_end() ? "expected a comparison, found the end of the assertion"
                                                         : fmt::format("expected a comparison, found `{}`", token_));
      error.help(token_ == "=" ? "`==` compares" : "one of <=, <, >=, >, ==, !=");
      return false;
    }
    out_.comparison = static_cast<Comparison>(at - kComparisons.begin());
    next();
    if (!sum(out_.right, right, 0)) return false;
    out_.in_bytes = left.bytes || right.bytes;
    if (!out_.in_bytes || (left.may_be_bytes() && right.may_be_bytes())) return true;
    const Unit& plain = left.bytes ? right : left;
    auto error = diagnostics_.error(DiagnosticKind::bad_configuration, range(begin, out_.text.size()),
                                    plain.constant ? fmt::format("bytes are compared with the number {}", plain.value)
                                                   : "bytes are compared with a number");
    if (plain.constant && plain.value > 0 && plain.value <= 1)
      error.help(fmt::format("did you mean `{}*capacity`?", plain.value));
    else
      error.help("a number of bytes has a unit: 2GiB, 500 MB");
    return false;
  }

  static AssertionStep step(AssertionStep::Kind kind) {
    AssertionStep made;
    made.kind = kind;
    return made;
  }

  bool sum(std::vector<AssertionStep>& out, Unit& unit, size_t depth) {
    const size_t begin = begin_;
    if (!product(out, unit, depth)) return false;
    while (token_ == "+" || token_ == "-") {
      const bool adds = token_ == "+";
      next();
      Unit other;
      if (!product(out, other, depth)) return false;
      if ((unit.bytes || other.bytes) && !(unit.may_be_bytes() && other.may_be_bytes())) {
        diagnostics_.error(DiagnosticKind::bad_configuration, range(begin, begin_), "bytes and a number are added")
            .help("a number of bytes has a unit: 2GiB, 500 MB");
        return false;
      }
      unit = {unit.bytes || other.bytes, unit.constant && other.constant,
              adds ? unit.value + other.value : unit.value - other.value};
      out.push_back(step(adds ? AssertionStep::Kind::add : AssertionStep::Kind::subtract));
    }
    return true;
  }

  bool product(std::vector<AssertionStep>& out, Unit& unit, size_t depth) {
    const size_t begin = begin_;
    if (!factor(out, unit, depth)) return false;
    while (token_ == "*" || token_ == "/") {
      const bool times = token_ == "*";
      next();
      Unit other;
      if (!factor(out, other, depth)) return false;
      if (times && unit.bytes && other.bytes) {
        diagnostics_.error(DiagnosticKind::bad_configuration, range(begin, begin_), "bytes are multiplied by bytes");
        return false;
      }
      if (!times && other.constant && other.value == 0) {
        diagnostics_.error(DiagnosticKind::bad_configuration, range(begin, begin_), "division by zero");
        return false;
      }
      if (!times && other.bytes && !unit.bytes) {
        diagnostics_.error(DiagnosticKind::bad_configuration, range(begin, begin_), "a number is divided by bytes");
        return false;
      }
      unit = {times ? unit.bytes || other.bytes : unit.bytes && !other.bytes, unit.constant && other.constant,
              times              ? unit.value * other.value
              : other.value == 0 ? 0
                                 : unit.value / other.value};
      out.push_back(step(times ? AssertionStep::Kind::multiply : AssertionStep::Kind::divide));
    }
    return true;
  }

  bool factor(std::vector<AssertionStep>& out, Unit& unit, size_t depth) {
    if (depth > kMaxDepth) {
      fail(DiagnosticKind::nesting_too_deep, fmt::format("more than {} nested parentheses or signs", kMaxDepth));
      return false;
    }
    if (eat("(")) return sum(out, unit, depth + 1) && expect(")");
    if (eat("-")) {
      if (!factor(out, unit, depth + 1)) return false;
      unit.value = -unit.value;
      out.push_back(step(AssertionStep::Kind::negate));
      return true;
    }
    if (!token_.empty() && (is_digit(token_.front()) || token_.front() == '.')) return number(out, unit);
    if (!word_.empty() && std::find(kCalls.begin(), kCalls.end(), word_) != kCalls.end()) return call(out, unit);
    std::vector<std::string_view> names(kMeasures.begin(), kMeasures.end());
    names.insert(names.end(), kCalls.begin(), kCalls.end() - 1);
    const size_t at = one_of(names, "a measure");
    if (at >= kMeasures.size()) return false;
    AssertionStep made = step(AssertionStep::Kind::measure);
    made.measure = static_cast<Measure>(at);
    unit = {made.measure != Measure::devices, false, 0};
    out_.needs_target = out_.needs_target || made.measure != Measure::devices;
    out.push_back(made);
    return true;
  }

  bool number(std::vector<AssertionStep>& out, Unit& unit) {
    const std::optional<double> value = parse_number(token_);
    if (!value) {
      fail(DiagnosticKind::syntax, fmt::format("`{}` is not a number", token_));
      return false;
    }
    next();
    AssertionStep made = step(AssertionStep::Kind::number);
    made.number = *value;
    unit = {false, true, *value};
    if (!word_.empty()) {
      const std::optional<int64_t> factor = byte_unit(word_);
      if (!factor) {
        fail(DiagnosticKind::unknown_name, fmt::format("`{}` is not a unit of bytes", word_))
            .help("units are B, kB, MB, GB, TB, KiB, MiB, GiB, TiB");
        return false;
      }
      next();
      made.number *= static_cast<double>(*factor);
      unit = {true, true, made.number};
    }
    out.push_back(made);
    return true;
  }

  bool call(std::vector<AssertionStep>& out, Unit& unit) {
    const std::string name(word_);
    if (name == "spec") {
      fail(DiagnosticKind::syntax, "`spec` stands alone on the left of `==` or `!=`");
      return false;
    }
    next();
    if (!expect("(")) return false;
    AssertionStep made;
    if (name == "memory") {
      std::vector<std::string_view> names;
      for (size_t i = 0; i < kMemoryCategoryCount; ++i) names.push_back(category_name(static_cast<MemoryCategory>(i)));
      const size_t at = one_of(names, "a category of memory");
      if (at == SIZE_MAX) return false;
      made.kind = AssertionStep::Kind::memory;
      made.category = static_cast<MemoryCategory>(at);
      out_.needs_target = true;
    } else if (name == "findings") {
      made.kind = AssertionStep::Kind::findings;
      if (!rule(made.rule)) return false;
    } else {
      made.kind = name == "count"  ? AssertionStep::Kind::count
                  : name == "runs" ? AssertionStep::Kind::runs
                                   : AssertionStep::Kind::bytes;
      if (!collectives(made.filter)) return false;
    }
    unit = {name == "memory" || name == "bytes", false, 0};
    out.push_back(std::move(made));
    return expect(")");
  }

  bool collectives(CollectiveFilter& filter) {
    const size_t kind = one_of(kCollectiveKinds, "a kind of collective");
    if (kind == SIZE_MAX) return false;
    if (kCollectiveKinds[kind] != "any") filter.kind = kCollectiveKinds[kind];
    while (eat(",")) {
      const bool positive = !eat("not");
      const size_t at = one_of(std::span(kFilters).first(positive ? 5 : 4), "a filter");
      if (at == SIZE_MAX) return false;
      if (at < 2 && !positive) {
        fail(DiagnosticKind::syntax, "`not` stands before `in_loop` or `user`");
        return false;
      }
      if (at == 0 && !axis(filter)) return false;
      if (at == 1 && !cause(filter)) return false;
      if (at == 2) filter.in_loop = positive;
      if (at == 3) filter.by_user = positive;
    }
    return true;
  }

  bool axis(CollectiveFilter& filter) {
    if (!expect("=")) return false;
    // Quotes are allowed, for names that are no words.
    const bool quoted = token_.size() >= 2 && token_.front() == '"' && token_.back() == '"';
    const std::string name(quoted ? token_.substr(1, token_.size() - 2) : word_);
    std::vector<std::string_view> names;
    if (mesh_ != nullptr)
      for (const MeshAxis& a : mesh_->axes) names.push_back(a.name);
    const bool known = mesh_ == nullptr || std::find(names.begin(), names.end(), name) != names.end();
    if (!known || name.empty()) {
      auto error = name.empty() ? fail(DiagnosticKind::syntax, "expected the name of a mesh axis")
                                : fail(DiagnosticKind::unknown_axis, fmt::format("the mesh has no axis `{}`", name));
      if (const std::string_view near = nearest_name(name, names); !near.empty())
        error.help(fmt::format("did you mean `{}`?", near));
      if (!names.empty()) error.help(fmt::format("its axes are `{}`", fmt::join(names, "`, `")));
      return false;
    }
    filter.axis = name;
    next();
    return true;
  }

  bool cause(CollectiveFilter& filter) {
    if (!expect("=")) return false;
    std::vector<std::string_view> names;
    for (uint8_t i = 0; i <= static_cast<uint8_t>(CollectiveReason::as_read); ++i)
      names.push_back(reason_name(static_cast<CollectiveReason>(i)));
    const size_t at = one_of(names, "a cause");
    if (at == SIZE_MAX) return false;
    filter.cause = static_cast<CollectiveReason>(at);
    return true;
  }

  FileId file_;
  std::string_view text_;
  const Mesh* mesh_;
  Diagnostics& diagnostics_;
  Assertion out_;
  std::string_view token_, word_;  // the current token, and the same if it is a word
  size_t begin_ = 0, end_ = 0;     // of it
};

bool asks(std::span<const AssertionStep> steps, LintRule of) {
  return std::any_of(steps.begin(), steps.end(),
                     [&](const AssertionStep& s) { return s.kind == AssertionStep::Kind::findings && s.rule == of; });
}

}  // namespace

bool Assertion::asks_for(LintRule of) const {
  if (kind == Kind::no_finding) return rule == of;
  return asks(left, of) || asks(right, of);
}

Result<Assertion> read_assertion(FileId file, const SourceManager& sources, const Mesh* mesh,
                                 Diagnostics& diagnostics) {
  return Reader(file, sources, mesh, diagnostics).read();
}

}  // namespace sw
