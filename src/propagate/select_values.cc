// What a pattern or a name selects.
#include <algorithm>
#include <charconv>

#include "ir/names.h"
#include "propagate/seed_rules.h"

namespace sw {

namespace {

// `*` any run, `?` one character; where `separator` is not 0 they stop at it and only `**` crosses it. The usual
// two-pointer match with one point of return for each kind of star: the last `**` may take over when the last `*` has
// run out.
bool glob_matches(std::string_view pattern, std::string_view text, char separator) {
  constexpr size_t kNone = std::string_view::npos;
  size_t p = 0, t = 0, star = kNone, star_t = 0, deep = kNone, deep_t = 0;
  for (;;) {
    if (p < pattern.size() && pattern[p] == '*') {
      const bool crosses = separator == 0 || (p + 1 < pattern.size() && pattern[p + 1] == '*');
      while (p < pattern.size() && pattern[p] == '*') ++p;
      (crosses ? deep : star) = p;
      (crosses ? deep_t : star_t) = t;
      if (crosses) star = kNone;
      continue;
    }
    if (t == text.size() && p == pattern.size()) return true;
    if (t < text.size() && p < pattern.size() &&
        (pattern[p] == text[t] || (pattern[p] == '?' && text[t] != separator))) {
      ++p;
      ++t;
      continue;
    }
    if (star != kNone && star_t < text.size() && text[star_t] != separator) {
      p = star;
      t = ++star_t;
    } else if (deep != kNone && deep_t < text.size()) {
      p = deep;
      t = ++deep_t;
      star = kNone;
    } else {
      return false;
    }
  }
}

std::optional<uint32_t> number(std::string_view text) {
  uint32_t value = 0;
  const char* end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, value);
  if (text.empty() || error != std::errc() || at != end) return std::nullopt;
  return value;
}

// "a/b/model.py" ends with the paths "model.py" and "b/model.py", not with "el.py".
bool path_ends_with(std::string_view path, std::string_view end) {
  return path.ends_with(end) && (path.size() == end.size() || path[path.size() - end.size() - 1] == '/');
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

class ValueFinder {
 public:
  ValueFinder(const Program& program, const SourceManager& sources)
      : program_(program), graph_(program.graph), sources_(sources) {}

  std::vector<ValueId> find(std::string_view text) {
    if (std::vector<ValueId> found = by_name(text); !found.empty()) return found;
    if (std::vector<ValueId> found = by_source_name(text); !found.empty()) return found;
    if (std::vector<ValueId> found = by_line(text); !found.empty()) return found;
    return by_line_and_name(text);
  }

  std::string address(ValueId value) {
    const auto stands_for_it = [&](const std::string& text) {
      const std::vector<ValueId> found = find(text);
      return found.size() == 1 && found.front() == value;
    };
    std::string name = value_display_name(graph_, value);
    if (stands_for_it(name)) return name;
    name = value_spelled_name(graph_, value);
    const SourceRange where = where_of(value);
    if (!where.valid() || where.file != program_.file) return name;
    const std::string on_line = std::to_string(sources_.line(where)) + ":" + name;
    if (stands_for_it(on_line)) return on_line;
    const std::vector<ValueId> same = find(on_line);
    const auto at = std::find(same.begin(), same.end(), value);
    return at == same.end() ? name : on_line + "@" + std::to_string(at - same.begin() + 1);
  }

 private:
  bool is_placed(ValueId value) const {
    const Value& v = graph_.value(value);
    return v.def.valid() ? graph_.op(v.def).parent.valid() : v.block.valid();
  }
  BlockId block_of(ValueId value) const {
    const Value& v = graph_.value(value);
    return v.def.valid() ? graph_.op(v.def).parent : v.block;
  }
  bool in_main(ValueId value) const {
    const BlockId block = block_of(value);
    return block.valid() && graph_.region(graph_.block(block).parent).function == graph_.main;
  }

  SourceRange where_of(ValueId value) const {
    const Value& v = graph_.value(value);
    return v.def.valid() ? graph_.op(v.def).where : v.where;
  }

  // As spelled. Names repeat from function to function: those of main are meant when there are some.
  std::vector<ValueId> by_name(std::string_view text) const {
    std::vector<ValueId> main, all = all_by_name(text);
    for (const ValueId v : all)
      if (in_main(v)) main.push_back(v);
    return main.empty() ? all : main;
  }

  std::vector<ValueId> all_by_name(std::string_view text) const {
    std::string_view name = text;
    std::optional<uint32_t> index;
    if (const size_t hash = text.rfind('#'); hash != std::string_view::npos) {
      index = number(text.substr(hash + 1));
      if (index) name = text.substr(0, hash);
    }
    if (graph_.is_hlo && name.starts_with("%")) name.remove_prefix(1);
    const StringId id = graph_.strings.find(name);
    std::vector<ValueId> all;
    if (!id.valid()) return all;
    for (size_t i = 0; i < graph_.value_count(); ++i) {
      const ValueId v{i};
      if (graph_.value(v).name != id || !is_placed(v) || (index && graph_.value(v).index != *index)) continue;
      all.push_back(v);
    }
    return all;
  }

  // 5:%3, step.mlir:5:%3, model.py:41:dot.3; with @2 the second of several that both fit, such as the variables of a
  // loop, which its condition and its body call by one name.
  std::vector<ValueId> by_line_and_name(std::string_view text) const {
    std::optional<uint32_t> which;
    if (const size_t at = text.rfind('@'); at != std::string_view::npos) {
      which = number(text.substr(at + 1));
      if (which) text = text.substr(0, at);
    }
    const size_t colon = text.rfind(':');
    if (colon == std::string_view::npos || colon == 0) return {};
    const std::string_view place = text.substr(0, colon);
    const size_t before = place.rfind(':');
    const std::string_view file = before == std::string_view::npos ? std::string_view() : place.substr(0, before);
    const std::optional<uint32_t> line = number(before == std::string_view::npos ? place : place.substr(before + 1));
    if (!line) return {};
    const bool is_input = file.empty() || path_ends_with(sources_.name(program_.file), file);
    std::vector<ValueId> found;
    for (const ValueId v : all_by_name(text.substr(colon + 1))) {
      const Value& value = graph_.value(v);
      const LocationId loc = value.def.valid() ? graph_.op(value.def).loc : value.loc;
      if (on_line(where_of(v), loc, *line, is_input, file)) found.push_back(v);
    }
    if (which) return *which == 0 || *which > found.size() ? std::vector<ValueId>() : std::vector{found[*which - 1]};
    return found;
  }

  std::vector<ValueId> by_source_name(std::string_view text) const {
    std::vector<ValueId> found;
    if (!graph_.main.valid() || !graph_.function(graph_.main).body.valid()) return found;
    const Block& entry = graph_.block(graph_.entry_block(graph_.function(graph_.main).body));
    for (uint32_t i = 0; i < entry.arg_count; ++i)
      if (argument_source_name(graph_, graph_.main, i) == text) found.push_back(ValueId{entry.first_arg.raw + i});
    if (!found.empty() || entry.ops.empty()) return found;
    const std::span<const ValueId> returned = graph_.operands(entry.ops.back());
    for (size_t i = 0; i < returned.size(); ++i)
      if (result_source_name(graph_, graph_.main, i) == text || "result[" + std::to_string(i) + "]" == text) {
        found.push_back(returned[i]);
        break;
      }
    return found;
  }

  std::vector<ValueId> by_line(std::string_view text) const {
    const size_t colon = text.rfind(':');
    const std::string_view file = colon == std::string_view::npos ? std::string_view() : text.substr(0, colon);
    const std::optional<uint32_t> line = number(colon == std::string_view::npos ? text : text.substr(colon + 1));
    std::vector<ValueId> found;
    if (!line) return found;
    const bool is_input = file.empty() || path_ends_with(sources_.name(program_.file), file);
    std::vector<bool> here(graph_.op_count(), false);
    for (size_t i = 0; i < graph_.op_count(); ++i)
      here[i] = graph_.op(OpId{i}).parent.valid() &&
                on_line(graph_.op(OpId{i}).where, graph_.op(OpId{i}).loc, *line, is_input, file);
    std::vector<bool> used_elsewhere(graph_.value_count(), false);
    for (size_t i = 0; i < graph_.op_count(); ++i) {
      if (here[i]) continue;
      for (ValueId v : graph_.operands(OpId{i})) used_elsewhere[v.index()] = true;
    }
    std::vector<ValueId> outcomes;
    for (size_t i = 0; i < graph_.op_count(); ++i) {
      if (!here[i]) continue;
      for (uint32_t r = 0; r < graph_.op(OpId{i}).result_count; ++r) {
        const ValueId v = graph_.result(OpId{i}, r);
        found.push_back(v);
        if (used_elsewhere[v.index()]) outcomes.push_back(v);
      }
    }
    return outcomes.empty() ? found : outcomes;
  }

  bool on_line(SourceRange where, LocationId loc, uint32_t line, bool is_input, std::string_view file) const {
    if (is_input) return where.valid() && where.file == program_.file && sources_.line(where) == line;
    const UserPosition position = user_position(graph_, loc);
    return position.line == line && path_ends_with(position.file, file);
  }

  const Program& program_;
  const Graph& graph_;
  const SourceManager& sources_;
};

}  // namespace

bool pattern_selects(std::string_view pattern, std::string_view source_name, std::string_view spelled_name,
                     size_t index) {
  pattern = trimmed(pattern);
  if (pattern == spelled_name || (!source_name.empty() && pattern == source_name)) return true;
  if (const auto n = number(pattern)) return *n == index;
  if (source_name.empty()) return glob_matches(pattern, spelled_name, 0);
  if (pattern.find('/') != std::string_view::npos) return glob_matches(pattern, name_as_path(source_name), '/');
  return glob_matches(pattern, source_name, 0) || pattern == name_as_path(source_name);
}

std::vector<ValueId> find_values(const Program& program, const SourceManager& sources, std::string_view text) {
  return ValueFinder(program, sources).find(trimmed(text));
}

std::string value_address(const Program& program, const SourceManager& sources, ValueId value) {
  return ValueFinder(program, sources).address(value);
}

}  // namespace sw
