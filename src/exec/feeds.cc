#include "exec/feeds.h"

#include <algorithm>
#include <charconv>

#include "ir/types.h"

namespace sw {

namespace {

// The types of what goes into main and comes out of it; a tuple that comes out counts as what is in it.
struct Ends {
  std::vector<TypeId> arguments, results;
};

void add_leaves(const Graph& graph, TypeId id, std::vector<TypeId>& out) {
  const Type type = graph.types.get(id);
  if (type.kind != TypeKind::tuple) {
    out.push_back(id);
    return;
  }
  for (const TypeId element : type.elements) add_leaves(graph, element, out);
}

Ends ends_of(const Graph& graph) {
  Ends ends;
  const Function& main = graph.function(graph.main);
  const BlockId block = graph.entry_block(main.body);
  for (uint32_t i = 0; i < graph.block(block).arg_count; ++i)
    ends.arguments.push_back(graph.value(graph.arg(block, i)).type);
  for (const ValueId value : graph.operands(graph.block(block).ops.back()))
    add_leaves(graph, graph.value(value).type, ends.results);
  return ends;
}

bool same_array(const Graph& graph, TypeId a, TypeId b) {
  const Type x = graph.types.get(a), y = graph.types.get(b);
  return x.is_array() && y.is_array() && x.element == y.element && std::ranges::equal(x.dims, y.dims);
}

// Feeds in the order of arguments; takes no result and no argument twice.
class Matching {
 public:
  explicit Matching(const Graph& graph) : graph_(graph), ends_(ends_of(graph)) {
    taken_.resize(ends_.results.size());
    fed_.resize(ends_.arguments.size());
  }

  const Ends& ends() const { return ends_; }
  bool fits(size_t result, size_t argument) const {
    return result < taken_.size() && argument < fed_.size() && !taken_[result] && !fed_[argument] &&
           same_array(graph_, ends_.results[result], ends_.arguments[argument]);
  }
  void add(size_t result, size_t argument) {
    taken_[result] = fed_[argument] = true;
    list_.push_back({result, argument});
  }
  bool empty() const { return list_.empty(); }
  std::optional<Feeds> take(FeedReason reason) {
    if (list_.empty()) return std::nullopt;
    return Feeds{std::move(list_), reason};
  }

 private:
  const Graph& graph_;
  Ends ends_;
  std::vector<bool> taken_, fed_;
  std::vector<Feed> list_;
};

std::optional<size_t> number_in(std::string_view& text) {
  size_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  return value;
}

bool take(std::string_view& text, std::string_view what) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  if (!text.starts_with(what)) return false;
  text.remove_prefix(what.size());
  return true;
}

// input_output_alias={ {0}: (0, {}, may-alias), {}: (1, {}) }: the result (no number: the only one), the argument.
void add_hlo_aliases(const Graph& graph, Matching& matching) {
  const AttrId attr = Graph::find(graph.attrs(graph.module_attrs), graph.strings.find("input_output_alias"));
  if (!attr.valid()) return;
  std::string_view text = graph.attr_table.get(attr).text;
  for (size_t at = text.find("{", 1); at != std::string_view::npos; at = text.find("{")) {
    text.remove_prefix(at + 1);
    const std::optional<size_t> result = number_in(text);
    if (!take(text, "}") || !take(text, ":") || !take(text, "(")) continue;
    const std::optional<size_t> argument = number_in(text);
    const bool whole = take(text, ",") && take(text, "{") && take(text, "}");
    if (argument.has_value() && whole && matching.fits(result.value_or(0), *argument))
      matching.add(result.value_or(0), *argument);
  }
}

void add_aliases(const Graph& graph, Matching& matching) {
  const std::vector<Slice<NamedAttr>>& attrs = graph.function(graph.main).arg_attrs;
  for (size_t i = 0; i < attrs.size(); ++i) {
    const AttrId alias = Graph::find(graph.attrs(attrs[i]), graph.strings.find("tf.aliasing_output"));
    if (!alias.valid()) continue;
    const int64_t result = graph.attr_table.get(alias).integer;
    if (result >= 0 && matching.fits(static_cast<size_t>(result), i)) matching.add(static_cast<size_t>(result), i);
  }
}

void add_donors(const Graph& graph, Matching& matching) {
  const std::vector<Slice<NamedAttr>>& attrs = graph.function(graph.main).arg_attrs;
  for (size_t i = 0; i < attrs.size(); ++i) {
    if (!Graph::find(graph.attrs(attrs[i]), graph.strings.find("jax.buffer_donor")).valid()) continue;
    for (size_t result = 0; result < matching.ends().results.size(); ++result) {
      if (!matching.fits(result, i)) continue;
      matching.add(result, i);
      break;
    }
  }
}

// "3" or "0-3".
bool read_range(std::string_view text, size_t& first, size_t& last) {
  const std::optional<size_t> from = number_in(text);
  if (!from.has_value()) return false;
  first = last = *from;
  if (!take(text, "-")) return text.empty();
  const std::optional<size_t> to = number_in(text);
  if (!to.has_value() || *to < first) return false;
  last = *to;
  return text.empty();
}

}  // namespace

std::optional<Feeds> find_feeds(const Graph& program) {
  Matching matching(program);
  if (program.is_hlo)
    add_hlo_aliases(program, matching);
  else
    add_aliases(program, matching);
  const FeedReason stated = matching.empty() ? FeedReason::donors : FeedReason::aliases;
  // jax states pairs where it knows both shardings, and leaves the others to the compiler: they go together.
  add_donors(program, matching);
  if (!matching.empty()) return matching.take(stated);
  for (size_t i = 0; matching.fits(i, i); ++i) matching.add(i, i);
  return matching.take(FeedReason::position);
}

std::optional<Feeds> given_feeds(const Graph& program, const std::vector<std::string>& texts, std::string* why) {
  Matching matching(program);
  for (const std::string& text : texts) {
    const size_t equals = text.find('=');
    size_t result = 0, last_result = 0, argument = 0, last_argument = 0;
    if (equals == std::string::npos || !read_range(std::string_view(text).substr(0, equals), result, last_result) ||
        !read_range(std::string_view(text).substr(equals + 1), argument, last_argument) ||
        last_result - result != last_argument - argument) {
      *why = "cannot read `" + text + "`; a result and an argument are `2=0`, several of both are `0-3=1-4`";
      return std::nullopt;
    }
    for (; result <= last_result; ++result, ++argument) {
      const Ends& ends = matching.ends();
      const std::string pair = "result " + std::to_string(result) + " cannot be argument " + std::to_string(argument);
      if (result >= ends.results.size() || argument >= ends.arguments.size()) {
        *why = pair + ": the program has " + std::to_string(ends.results.size()) + " results and " +
               std::to_string(ends.arguments.size()) + " arguments, counted from 0";
        return std::nullopt;
      }
      if (!same_array(program, ends.results[result], ends.arguments[argument])) {
        *why = pair + ": it is `" + mlir_text(program.types, ends.results[result]) + "`, the argument is `" +
               mlir_text(program.types, ends.arguments[argument]) + "`";
        return std::nullopt;
      }
      if (!matching.fits(result, argument)) {
        *why = pair + ": one of them is fed already";
        return std::nullopt;
      }
      matching.add(result, argument);
    }
  }
  return matching.take(FeedReason::given);
}

}  // namespace sw
