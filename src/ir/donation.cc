// See the header.
#include "ir/donation.h"

#include <charconv>
#include <set>

namespace sw {

namespace {

constexpr std::string_view kAlias = "input_output_alias", kDonor = "buffer_donor";

// Reads `{ {0}: (12, {}, may-alias), ... }` and `{ (0, {}), ... }`. Whoever asks for something that does not stand
// there gets nothing, from then on.
class Cursor {
 public:
  explicit Cursor(std::string_view text) : text_(text) {}

  bool good() const { return good_; }
  bool eat(char c) {
    skip();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) { good_ = eat(c) && good_; }
  int64_t integer() {
    skip();
    int64_t value = 0;
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    good_ = good_ && error == std::errc() && value >= 0;
    at_ = static_cast<size_t>(end - text_.data());
    return value;
  }
  Donations::Path path() {
    Donations::Path out;
    expect('{');
    if (eat('}')) return out;
    do out.push_back(integer());
    while (good_ && eat(','));
    expect('}');
    return out;
  }
  std::string_view word() {
    skip();
    const size_t begin = at_;
    while (at_ < text_.size() && (text_[at_] == '-' || (text_[at_] >= 'a' && text_[at_] <= 'z'))) ++at_;
    return text_.substr(begin, at_ - begin);
  }
  // `(0, {}`, up to what may follow.
  Donations::Argument argument() {
    Donations::Argument out;
    expect('(');
    out.number = integer();
    expect(',');
    out.path = path();
    return out;
  }

 private:
  void skip() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t')) ++at_;
  }
  std::string_view text_;
  size_t at_ = 0;
  bool good_ = true;
};

// The array type at a path, or invalid.
TypeId leaf_type(const Graph& graph, TypeId type, const Donations::Path& path) {
  for (const int64_t index : path) {
    const Type tuple = graph.types.get(type);
    if (tuple.kind != TypeKind::tuple || static_cast<size_t>(index) >= tuple.elements.size()) return {};
    type = tuple.elements[static_cast<size_t>(index)];
  }
  return graph.types.get(type).is_array() ? type : TypeId{};
}

class Reader {
 public:
  Reader(const Graph& graph, std::string* fault) : graph_(graph), fault_(fault) {}

  Donations read() {
    if (!graph_.main.valid() || !graph_.function(graph_.main).body.valid()) return {};
    graph_.is_hlo ? read_header() : read_arguments();
    return std::move(out_);
  }

 private:
  const Block& entry() const { return graph_.block(graph_.entry_block(graph_.function(graph_.main).body)); }
  std::span<const ValueId> results() const { return graph_.operands(entry().ops.back()); }

  void fail(std::string text) {
    if (fault_ != nullptr && fault_->empty()) *fault_ = std::move(text);
  }
  bool known(const Donations::Argument& argument) {
    const bool good =
        argument.number >= 0 && argument.number < static_cast<int64_t>(entry().arg_count) &&
        leaf_type(graph_, graph_.value(ValueId{entry().first_arg.raw + static_cast<uint32_t>(argument.number)}).type,
                  argument.path)
            .valid();
    if (!good) fail("parameter " + std::to_string(argument.number) + " is donated, and there is no such parameter");
    return good;
  }
  void add(Donations::Alias alias, TypeId result) {
    if (!known(alias.argument)) return;
    if (!result.valid())
      return fail("a result is to take over parameter " + std::to_string(alias.argument.number) +
                  ", and there is no such result");
    Donations::Path key = alias.argument.path;
    key.push_back(alias.argument.number);
    if (!arguments_.insert(key).second || !results_.insert(alias.result).second)
      return fail("parameter " + std::to_string(alias.argument.number) + " or its result is aliased twice");
    out_.aliases.push_back(std::move(alias));
  }
  std::string_view header(std::string_view key) const {
    const AttrId attr = Graph::find(graph_.attrs(graph_.module_attrs), graph_.strings.find(key));
    return attr.valid() ? graph_.attr_table.get(attr).text : std::string_view{};
  }

  void read_header() {
    if (entry().ops.empty() || results().size() != 1) return;
    const TypeId root = graph_.value(results()[0]).type;
    if (const std::string_view text = header(kAlias); !text.empty()) {
      bool good = false;
      for (const Donations::Alias& alias : parse_aliases(text, &good))
        add(alias, leaf_type(graph_, root, alias.result));
      if (!good) fail("`input_output_alias` is not a list of `{result}: (parameter, {}, may-alias)`");
    }
    if (const std::string_view text = header(kDonor); !text.empty()) {
      Cursor in(text);
      in.expect('{');
      while (in.good() && !in.eat('}')) {
        const Donations::Argument donor = in.argument();
        in.expect(')');
        in.eat(',');
        if (in.good() && known(donor)) out_.donors.push_back(donor);
      }
      if (!in.good()) fail("`buffer_donor` is not a list of `(parameter, {})`");
    }
  }

  void read_arguments() {
    if (entry().ops.empty()) return;
    const StringId alias = graph_.strings.find("tf.aliasing_output"), donor = graph_.strings.find("jax.buffer_donor");
    const Function& main = graph_.function(graph_.main);
    for (size_t i = 0; i < main.arg_attrs.size() && i < entry().arg_count; ++i) {
      const auto attrs = graph_.attrs(main.arg_attrs[i]);
      const Donations::Argument argument{static_cast<int64_t>(i), {}};
      if (const AttrId at = Graph::find(attrs, alias); at.valid()) {
        const int64_t result = graph_.attr_table.get(at).integer;
        const bool good = result >= 0 && static_cast<size_t>(result) < results().size();
        // A single result is no tuple in HLO.
        const Donations::Path path = results().size() == 1 ? Donations::Path{} : Donations::Path{result};
        add({path, argument, false}, good ? graph_.value(results()[static_cast<size_t>(result)]).type : TypeId{});
      } else if (const AttrId given = Graph::find(attrs, donor);
                 given.valid() && graph_.attr_table.get(given).integer != 0 && known(argument)) {
        out_.donors.push_back(argument);
      }
    }
  }

  const Graph& graph_;
  std::string* fault_;
  Donations out_;
  std::set<Donations::Path> arguments_, results_;  // that have a partner
};

std::string path_text(const Donations::Path& path) {
  std::string text = "{";
  for (size_t i = 0; i < path.size(); ++i) text += (i == 0 ? "" : ", ") + std::to_string(path[i]);
  return text + "}";
}

}  // namespace

std::vector<Donations::Alias> parse_aliases(std::string_view text, bool* good) {
  std::vector<Donations::Alias> all;
  Cursor in(text);
  in.expect('{');
  while (in.good() && !in.eat('}')) {
    Donations::Alias alias;
    alias.result = in.path();
    in.expect(':');
    alias.argument = in.argument();
    if (in.eat(',')) alias.must = in.word() == "must-alias";
    in.expect(')');
    in.eat(',');
    if (in.good()) all.push_back(std::move(alias));
  }
  if (good != nullptr) *good = in.good();
  return all;
}

Donations read_donations(const Graph& graph, std::string* fault) { return Reader(graph, fault).read(); }

std::vector<NamedAttr> donation_attrs(GraphBuilder& builder, const Donations& donations) {
  std::vector<NamedAttr> attrs;
  std::string text;
  for (const Donations::Alias& alias : donations.aliases)
    text += (text.empty() ? " " : ", ") + path_text(alias.result) + ": (" + std::to_string(alias.argument.number) +
            ", " + path_text(alias.argument.path) + (alias.must ? ", must-alias)" : ", may-alias)");
  if (!text.empty()) attrs.push_back({builder.name(kAlias), builder.attr_table().opaque("{" + text + " }")});
  text.clear();
  for (const Donations::Argument& donor : donations.donors)
    text += (text.empty() ? " (" : ", (") + std::to_string(donor.number) + ", " + path_text(donor.path) + ")";
  if (!text.empty()) attrs.push_back({builder.name(kDonor), builder.attr_table().opaque("{" + text + " }")});
  return attrs;
}

bool is_donation_attr(std::string_view name) { return name == kAlias || name == kDonor; }

}  // namespace sw
