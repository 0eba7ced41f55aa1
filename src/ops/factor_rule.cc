// Text form of factor rules and the builder that lays them out. See the header; the exact form is Shardy's
// (ir/printers.cc, ir/parsers.cc, ir/verifiers.cc of openxla/shardy).
#include "ops/factor_rule.h"

#include <algorithm>

#include "base/check.h"

namespace sw {

namespace {

constexpr FactorIndex kLetters = 'z' - 'i' + 1;

void append_symbol(std::string& out, FactorIndex factor) {
  if (factor < kLetters) {
    out += static_cast<char>('i' + factor);
  } else {
    out += "z_";
    out += std::to_string(factor - kLetters + 1);
  }
}

void append_tensors(std::string& out, const std::vector<TensorFactors>& tensors) {
  out += '(';
  for (size_t t = 0; t < tensors.size(); ++t) {
    out += t == 0 ? "[" : ", [";
    for (size_t d = 0; d < tensors[t].rank(); ++d) {
      if (d > 0) out += ", ";
      for (FactorIndex f : tensors[t].dim(d)) append_symbol(out, f);
    }
    out += ']';
  }
  out += ')';
}

template <class Has>
void append_list(std::string& out, std::string_view name, size_t count, Has has) {
  bool open = false;
  for (size_t f = 0; f < count; ++f) {
    if (!has(f)) continue;
    if (open) {
      out += ", ";
    } else {
      out += ' ';
      out += name;
      out += "={";
      open = true;
    }
    append_symbol(out, static_cast<FactorIndex>(f));
  }
  if (open) out += '}';
}

// Recursive descent over the text; stops at the first error.
class Parser {
 public:
  Parser(std::string_view text, FactorRule& rule, FactorRuleError& error) : text_(text), rule_(rule), error_(error) {}

  bool run() {
    rule_ = FactorRule{};
    if (!expect('<') || !tensors(rule_.operands)) return false;
    skip_space();
    const size_t arrow = at_;
    if (!eat('-') || !eat('>')) return fail(arrow, "expected `->` after the operands");
    if (!tensors(rule_.results) || !sizes()) return false;
    if (!lists() || !end()) return false;
    return check();
  }

 private:
  bool fail(size_t begin, std::string message) {
    error_.begin = std::min(begin, text_.size());
    error_.end = std::min(std::max(begin + 1, at_), text_.size());
    error_.message = std::move(message);
    return false;
  }
  void skip_space() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n' || text_[at_] == '\r'))
      ++at_;
  }
  bool peek(char c) {
    skip_space();
    return at_ < text_.size() && text_[at_] == c;
  }
  bool eat(char c) {
    if (!peek(c)) return false;
    ++at_;
    return true;
  }
  std::string seen() const {
    if (at_ >= text_.size()) return "the end";
    return std::string("`") + text_[at_] + "`";
  }
  bool expect(char c) {
    if (eat(c)) return true;
    return fail(at_, std::string("expected `") + c + "`, found " + seen());
  }
  bool is_word(size_t at) const {
    if (at >= text_.size()) return false;
    const char c = text_[at];
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  }
  std::string_view word() {
    skip_space();
    const size_t begin = at_;
    while (is_word(at_)) ++at_;
    return text_.substr(begin, at_ - begin);
  }

  // One symbol; `at_` stands on its first character and ends behind it.
  bool symbol(FactorIndex& factor) {
    const size_t begin = at_;
    if (at_ >= text_.size() || text_[at_] < 'i' || text_[at_] > 'z')
      return fail(begin, "expected a factor, `i` to `z` or `z_1`, `z_2`, ..., found " + seen());
    const char letter = text_[at_++];
    factor = static_cast<FactorIndex>(letter - 'i');
    if (letter != 'z' || at_ >= text_.size() || text_[at_] != '_') return true;
    ++at_;
    const size_t digits = at_;
    size_t number = 0;
    while (at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9') {
      number = std::min(number * 10 + static_cast<size_t>(text_[at_] - '0'), kMaxFactors);
      ++at_;
    }
    if (at_ == digits) return fail(begin, "expected a number after `z_`");
    if (text_[digits] == '0') return fail(begin, "expected a positive number without leading zeros after `z_`");
    if (number >= kMaxFactors - kLetters) return fail(begin, "the number of this factor is too large");
    factor = static_cast<FactorIndex>(number + kLetters - 1);
    return true;
  }

  bool dim(TensorFactors& tensor) {
    skip_space();
    const size_t begin = at_;
    while (is_word(at_)) {
      FactorIndex factor = 0;
      if (!symbol(factor)) return false;
      if (tensor.factors.size() >= kMaxFactors) return fail(begin, "too many factors");
      tensor.factors.push_back(factor);
    }
    if (at_ == begin) return fail(begin, "expected a factor, found " + seen());
    tensor.dim_begins.push_back(static_cast<uint16_t>(tensor.factors.size()));
    return true;
  }

  bool tensors(std::vector<TensorFactors>& out) {
    if (!expect('(')) return false;
    do {
      if (!expect('[')) return false;
      TensorFactors tensor;
      tensor.dim_begins.push_back(0);
      if (!eat(']')) {
        do {
          if (!dim(tensor)) return false;
        } while (eat(','));
        if (!expect(']')) return false;
      }
      out.push_back(std::move(tensor));
    } while (eat(','));
    return expect(')');
  }

  bool sizes() {
    if (!eat('{')) return true;
    do {
      skip_space();
      const size_t begin = at_;
      FactorIndex factor = 0;
      if (!symbol(factor)) return false;
      if (factor != rule_.sizes.size())
        return fail(begin, "sizes must be listed in the order of the factors: expected `" +
                               factor_symbol(static_cast<FactorIndex>(rule_.sizes.size())) + "`, found `" +
                               factor_symbol(factor) + "`");
      if (!expect('=')) return false;
      int64_t size = 0;
      if (!integer(size)) return false;
      rule_.sizes.push_back(size);
    } while (eat(','));
    return expect('}');
  }

  bool integer(int64_t& value) {
    skip_space();
    const size_t begin = at_;
    value = 0;
    while (at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9') {
      const int64_t digit = text_[at_++] - '0';
      if (__builtin_mul_overflow(value, int64_t{10}, &value) || __builtin_add_overflow(value, digit, &value)) {
        while (at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9') ++at_;
        return fail(begin, "this size does not fit into 64 bits");
      }
    }
    if (at_ == begin) return fail(begin, "expected the size of the factor, found " + seen());
    return true;
  }

  bool factor_list(SmallVector<FactorIndex, 8>& out) {
    if (!expect('=') || !expect('{')) return false;
    do {
      skip_space();
      const size_t begin = at_;
      FactorIndex factor = 0;
      if (!symbol(factor)) return false;
      if (factor >= rule_.sizes.size()) return fail(begin, "factor `" + factor_symbol(factor) + "` has no size");
      if (!out.empty() && factor <= out.back()) return fail(begin, "factors must be listed in order, each once");
      out.push_back(factor);
    } while (eat(','));
    return expect('}');
  }

  bool lists() {
    rule_.kinds.assign(rule_.sizes.size(), FactorKind::pass_through);
    rule_.blocked.assign(rule_.sizes.size(), false);
    static constexpr std::string_view kNames[] = {"reduction", "need_replication", "permutation",
                                                  "blocked_propagation"};
    size_t next = 0;
    for (;;) {
      skip_space();
      const size_t begin = at_;
      if (!is_word(at_)) return true;
      const std::string_view name = word();
      const size_t which =
          static_cast<size_t>(std::find(std::begin(kNames), std::end(kNames), name) - std::begin(kNames));
      if (which >= std::size(kNames) || which < next)
        return fail(begin,
                    "expected `reduction`, `need_replication`, `permutation` and `blocked_propagation` in this order, "
                    "each at most once, found `" +
                        std::string(name) + "`");
      next = which + 1;
      SmallVector<FactorIndex, 8> factors;
      if (!factor_list(factors)) return false;
      for (FactorIndex f : factors) {
        if (which == 3) {
          rule_.blocked[f] = true;
        } else {
          if (rule_.kinds[f] != FactorKind::pass_through)
            return fail(begin, "factor `" + factor_symbol(f) + "` is given two kinds");
          rule_.kinds[f] = static_cast<FactorKind>(which + 1);
        }
      }
    }
  }

  bool end() {
    if (eat(',')) {
      skip_space();
      const size_t begin = at_;
      if (word() != "custom") return fail(begin, "expected `custom`");
      rule_.custom = true;
    }
    if (!expect('>')) return false;
    skip_space();
    if (at_ != text_.size()) return fail(at_, "expected nothing after the rule, found " + seen());
    return true;
  }

  // What needs the whole rule.
  bool check() {
    std::vector<bool> used(rule_.sizes.size(), false);
    std::vector<uint32_t> last_tensor(rule_.sizes.size(), 0);
    uint32_t number = 0;
    for (const auto* list : {&rule_.operands, &rule_.results}) {
      for (const TensorFactors& tensor : *list) {
        ++number;
        for (size_t d = 0; d < tensor.rank(); ++d) {
          for (FactorIndex f : tensor.dim(d)) {
            if (f >= rule_.sizes.size()) return fail_whole("factor `" + factor_symbol(f) + "` has no size");
            if (last_tensor[f] == number)
              return fail_whole("factor `" + factor_symbol(f) + "` stands twice in one tensor");
            if (rule_.sizes[f] == 1 && tensor.dim(d).size() > 1)
              return fail_whole("factor `" + factor_symbol(f) + "` of size 1 stands beside others in one dimension");
            if (list == &rule_.results && rule_.kinds[f] == FactorKind::reduction)
              return fail_whole("reduction factor `" + factor_symbol(f) + "` stands in a result");
            last_tensor[f] = number;
            used[f] = true;
          }
        }
      }
    }
    for (size_t f = 0; f < used.size(); ++f)
      if (!used[f])
        return fail_whole("factor `" + factor_symbol(static_cast<FactorIndex>(f)) + "` stands in no tensor");
    return true;
  }
  bool fail_whole(std::string message) {
    at_ = text_.size();
    return fail(0, std::move(message));
  }

  std::string_view text_;
  FactorRule& rule_;
  FactorRuleError& error_;
  size_t at_ = 0;
};

}  // namespace

std::string factor_symbol(FactorIndex factor) {
  std::string text;
  append_symbol(text, factor);
  return text;
}

std::string factor_rule_text(const FactorRule& rule) {
  std::string out = "<";
  append_tensors(out, rule.operands);
  out += "->";
  append_tensors(out, rule.results);
  const size_t count = rule.factor_count();
  for (size_t f = 0; f < count; ++f) {
    out += f == 0 ? " {" : ", ";
    append_symbol(out, static_cast<FactorIndex>(f));
    out += '=';
    out += std::to_string(rule.sizes[f]);
  }
  if (count > 0) out += '}';
  append_list(out, "reduction", count, [&](size_t f) { return rule.kinds[f] == FactorKind::reduction; });
  append_list(out, "need_replication", count, [&](size_t f) { return rule.kinds[f] == FactorKind::need_replication; });
  append_list(out, "permutation", count, [&](size_t f) { return rule.kinds[f] == FactorKind::permutation; });
  append_list(out, "blocked_propagation", count, [&](size_t f) { return rule.blocked[f]; });
  if (rule.custom) out += ", custom";
  out += '>';
  return out;
}

bool parse_factor_rule(std::string_view text, FactorRule& rule, FactorRuleError& error) {
  return Parser(text, rule, error).run();
}

FactorRuleBuilder::FactorRuleBuilder(FactorRule& rule) : rule_(rule) {
  rule_.sizes.clear();
  rule_.kinds.clear();
  rule_.blocked.clear();
  rule_.custom = false;
  tensor_begins_.push_back(0);
}

void FactorRuleBuilder::operand(size_t rank) {
  ++operand_count_;
  result(rank);
}

void FactorRuleBuilder::result(size_t rank) {
  dim_counts_.resize(dim_counts_.size() + rank, 0);
  tensor_begins_.push_back(static_cast<uint32_t>(dim_counts_.size()));
}

FactorIndex FactorRuleBuilder::add(int64_t size, FactorKind kind, bool blocked) {
  if (rule_.sizes.size() >= kMaxFactors) {
    overflow_ = true;
    return 0;
  }
  rule_.sizes.push_back(size);
  rule_.kinds.push_back(kind);
  rule_.blocked.push_back(blocked);
  return static_cast<FactorIndex>(rule_.sizes.size() - 1);
}

void FactorRuleBuilder::map(size_t tensor, size_t dim, FactorIndex factor) {
  const uint32_t at = tensor_begins_[tensor] + static_cast<uint32_t>(dim);
  ++dim_counts_[at];
  entries_.push_back({at, factor});
}

void FactorRuleBuilder::map_range(size_t first, size_t last, size_t dim, FactorIndex factor) {
  for (size_t t = first; t < last; ++t)
    if (dim < rank(t)) map(t, dim, factor);
}

void FactorRuleBuilder::map_listed(size_t first, std::span<const int64_t> dims, FactorIndex factor, int64_t size) {
  for (size_t i = 0; i < dims.size(); ++i) {
    if (dims[i] == kNoDim) continue;
    const size_t dim = static_cast<size_t>(dims[i]);
    SW_CHECK(first + i + 1 < tensor_begins_.size() && dim < rank(first + i), "factor of a dimension that is not there");
    if (size == 1 && dim_counts_[tensor_begins_[first + i] + dim] > 0) continue;
    map(first + i, dim, factor);
  }
}

void FactorRuleBuilder::factor(std::span<const int64_t> operand_dims, std::span<const int64_t> result_dims,
                               int64_t size, FactorKind kind, bool blocked) {
  const FactorIndex f = add(size, kind, blocked);
  map_listed(0, operand_dims, f, size);
  map_listed(operand_count_, result_dims, f, size);
}

void FactorRuleBuilder::on_all(size_t dim, int64_t size, FactorKind kind, bool blocked) {
  map_range(0, tensor_begins_.size() - 1, dim, add(size, kind, blocked));
}

void FactorRuleBuilder::on_operands(size_t dim, int64_t size, FactorKind kind) {
  map_range(0, operand_count_, dim, add(size, kind, false));
}

void FactorRuleBuilder::on_results(size_t dim, int64_t size, FactorKind kind) {
  map_range(operand_count_, tensor_begins_.size() - 1, dim, add(size, kind, false));
}

void FactorRuleBuilder::lay_out(size_t tensor, TensorFactors& out) {
  out.dim_begins.clear();
  out.dim_begins.push_back(0);
  uint32_t total = 0;
  for (uint32_t d = tensor_begins_[tensor]; d < tensor_begins_[tensor + 1]; ++d) {
    dim_next_[d] = static_cast<uint16_t>(total);
    total += dim_counts_[d];
    out.dim_begins.push_back(static_cast<uint16_t>(total));
  }
  out.factors.assign(total, 0);
}

bool FactorRuleBuilder::finish() {
  if (overflow_) return false;
  for (uint32_t d = 0; d < dim_counts_.size(); ++d) {
    if (dim_counts_[d] > 0) continue;
    const FactorIndex f = add(1, FactorKind::pass_through, false);
    dim_counts_[d] = 1;
    entries_.push_back({d, f});
  }
  if (overflow_) return false;
  const size_t tensors = tensor_begins_.size() - 1;
  rule_.operands.resize(operand_count_);
  rule_.results.resize(tensors - operand_count_);
  dim_next_.resize(dim_counts_.size(), 0);
  const auto tensor = [&](size_t t) -> TensorFactors& {
    return t < operand_count_ ? rule_.operands[t] : rule_.results[t - operand_count_];
  };
  for (size_t t = 0; t < tensors; ++t) lay_out(t, tensor(t));
  size_t t = 0;
  for (const Entry& entry : entries_) {
    // Entries of one factor run through the tensors in order, so the tensor is nearly always the next one.
    if (entry.dim < tensor_begins_[t]) t = 0;
    while (entry.dim >= tensor_begins_[t + 1]) ++t;
    tensor(t).factors[dim_next_[entry.dim]++] = entry.factor;
  }
  return true;
}

}  // namespace sw
