// See the header.
#include "report/subject.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "base/edit_distance.h"
#include "propagate/seed_rules.h"
#include "report/names.h"
#include "report/plan_report.h"

namespace sw {

namespace {

std::optional<uint32_t> number(std::string_view text) {
  uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

class Finder {
 public:
  Finder(const Program& program, const SourceManager& sources)
      : program_(program), graph_(program.graph), sources_(sources) {}

  bool find(std::string_view text, Subject& subject) {
    by_output(text, subject);
    if (subject.values.empty()) by_argument(text, subject);
    if (subject.values.empty()) by_name(text, subject);
    if (subject.values.empty()) subject.values = find_values(program_, sources_, text);  // lines
    const auto in_main = [&](ValueId v) { return containing_function(graph_, v) != main_name(); };
    std::stable_sort(subject.values.begin(), subject.values.end(), [&](ValueId a, ValueId b) {
      return std::pair(in_main(a), range_of(graph_, a).begin) < std::pair(in_main(b), range_of(graph_, b).begin);
    });
    return !subject.values.empty();
  }

  // Everything that could have been meant.
  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (ValueId v : main_arguments(graph_)) all.push_back(display_name(graph_, v));
    for (size_t i = 0; i < output_types(graph_).size(); ++i) all.push_back(output_name(graph_, i));
    for (size_t i = 0; i < graph_.value_count() && all.size() < 20'000; ++i)
      if (is_placed(ValueId{i})) all.push_back(spelled_name(graph_, ValueId{i}));
    return all;
  }

 private:
  std::string_view main_name() const {
    return graph_.main.valid() ? graph_.strings.text(graph_.function(graph_.main).name) : std::string_view{};
  }

  bool is_placed(ValueId value) const {
    const Value& v = graph_.value(value);
    return v.def.valid() ? graph_.op(v.def).parent.valid() : v.block.valid();
  }

  void by_argument(std::string_view text, Subject& subject) const {
    for (ValueId v : main_arguments(graph_))
      if (argument_name(graph_, v) == text) subject.values.push_back(v);
  }

  // The value that main returns there.
  void by_output(std::string_view text, Subject& subject) const {
    const size_t count = output_types(graph_).size();
    for (size_t i = 0; i < count; ++i) {
      if (output_name(graph_, i) != text && "result[" + std::to_string(i) + "]" != text) continue;
      const BlockId entry = graph_.entry_block(graph_.function(graph_.main).body);
      if (graph_.block(entry).ops.empty()) return;
      const std::vector<ValueId> returned = leaves(graph_.operands(graph_.block(entry).ops.back()));
      if (i >= returned.size()) return;
      subject.values.push_back(returned[i]);
      subject.output = output_name(graph_, i);
      return;
    }
  }

  // What is returned, in the order of output_types: an HLO tuple stands for what it is made of. A tuple that comes from
  // elsewhere (a loop) stands for itself at each of its leaves.
  std::vector<ValueId> leaves(std::span<const ValueId> returned) const {
    std::vector<ValueId> found;
    std::vector<ValueId> open(returned.rbegin(), returned.rend());
    while (!open.empty()) {
      const ValueId value = open.back();
      open.pop_back();
      const OpId def = graph_.value(value).def;
      if (graph_.is_hlo && def.valid() && graph_.op(def).kind == OpKind::tuple) {
        const auto parts = graph_.operands(def);
        open.insert(open.end(), parts.rbegin(), parts.rend());
      } else {
        found.insert(found.end(), graph_.is_hlo ? leaf_count(graph_.value(value).type) : 1, value);
      }
    }
    return found;
  }

  size_t leaf_count(TypeId id) const {
    const Type type = graph_.types.get(id);
    if (type.kind != TypeKind::tuple) return 1;
    size_t count = 0;
    for (TypeId element : type.elements) count += leaf_count(element);
    return count;
  }

  void by_name(std::string_view text, Subject& subject) const {
    std::string_view name = text;
    std::optional<uint32_t> index;
    if (const size_t hash = text.rfind('#'); hash != std::string_view::npos && number(text.substr(hash + 1))) {
      index = number(text.substr(hash + 1));
      name = text.substr(0, hash);
    }
    if (graph_.is_hlo && name.starts_with("%")) name.remove_prefix(1);
    const StringId id = graph_.strings.find(name);
    if (!id.valid()) return;
    for (size_t i = 0; i < graph_.value_count(); ++i) {
      const Value& v = graph_.value(ValueId{i});
      if (v.name == id && is_placed(ValueId{i}) && (!index || (v.def.valid() && v.index == *index)))
        subject.values.push_back(ValueId{i});
    }
  }

  const Program& program_;
  const Graph& graph_;
  const SourceManager& sources_;
};

}  // namespace

Result<Subject> find_subject(const Program& program, const SourceManager& sources, std::string_view text,
                             Diagnostics& diagnostics, SourceRange where) {
  Finder finder(program, sources);
  Subject subject;
  if (finder.find(text, subject)) return subject;
  auto builder = diagnostics.error(DiagnosticKind::unknown_name, where,
                                   "nothing in the program is called `" + std::string(text) + "`");
  const std::vector<std::string> names = finder.names();
  const std::vector<std::string_view> views(names.begin(), names.end());
  const std::string_view near = nearest_name(text, views);
  if (!near.empty()) builder.help("did you mean `" + std::string(near) + "`?");
  builder.help(
      "a value as the file spells it (`%12`, `%12#1`), an argument (`params['w1']`), an output (`result[0]`), a line "
      "(`61`, `model.py:41`)");
  return reported();
}

}  // namespace sw
