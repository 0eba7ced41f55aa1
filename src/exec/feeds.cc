#include "exec/feeds.h"

#include <algorithm>
#include <charconv>

#include "ir/donation.h"

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
  // False: they do not fit.
  bool add(size_t result, size_t argument) {
    if (result >= taken_.size() || argument >= fed_.size() || taken_[result] || fed_[argument] ||
        !same_array(graph_, ends_.results[result], ends_.arguments[argument]))
      return false;
    taken_[result] = fed_[argument] = true;
    list_.push_back({result, argument});
    return true;
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

void add_aliases(const Donations& donations, Matching& matching) {
  for (const Donations::Alias& alias : donations.aliases) {
    // What is inside of a tuple inside of arguments or results is left where it is.
    if (alias.result.size() > 1 || !alias.argument.path.empty()) continue;
    const int64_t result = alias.result.empty() ? 0 : alias.result[0];  // empty: the only one
    matching.add(static_cast<size_t>(result), static_cast<size_t>(alias.argument.number));
  }
}

void add_donors(const Donations& donations, Matching& matching) {
  for (const Donations::Argument& donor : donations.donors)
    for (size_t result = 0; result < matching.ends().results.size(); ++result)
      if (matching.add(result, static_cast<size_t>(donor.number))) break;
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
  const Donations donations = read_donations(program);
  add_aliases(donations, matching);
  const FeedReason stated = matching.empty() ? FeedReason::donors : FeedReason::aliases;
  // jax states pairs where it knows both shardings, and leaves the others to the compiler: they go together.
  if (!program.is_hlo) add_donors(donations, matching);
  if (!matching.empty()) return matching.take(stated);
  size_t next = 0;
  while (matching.add(next, next)) ++next;
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
      if (!matching.add(result, argument)) {
        *why = pair + ": one of them is fed already";
        return std::nullopt;
      }
    }
  }
  return matching.take(FeedReason::given);
}

}  // namespace sw
