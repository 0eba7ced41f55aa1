#include "propagate/seed_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/edit_distance.h"
#include "ir/names.h"
#include "ops/verify.h"
#include "propagate/entry_changes.h"
#include "propagate/mesh_override.h"
#include "sharding/text.h"
#include "sharding/verify.h"

namespace sw {

namespace {

constexpr size_t kNamesShown = 8;

// A rule with what it has selected so far.
struct Rule {
  Rule(ShardingRule rule, bool flag) : text(std::move(rule)), from_flag(flag) {}
  ShardingRule text;
  bool from_flag = false;
  size_t selected = 0;
  bool shadowed = false;  // would have selected an argument that an earlier rule took
};

// Splits PATTERN=SPEC at the first `=` outside quotes and brackets; npos when there is none.
size_t split_at_equals(std::string_view text) {
  int depth = 0;
  char quote = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote != 0) {
      if (c == quote) quote = 0;
    } else if (c == '\'' || c == '"') {
      quote = c;
    } else if (c == '[' || c == '(') {
      ++depth;
    } else if (c == ']' || c == ')') {
      --depth;
    } else if (c == '=' && depth == 0) {
      return i;
    }
  }
  return std::string_view::npos;
}

std::optional<ShardingRule> rule_of_flag(const std::string& name, const std::string& text, std::string_view left,
                                         SourceManager& sources, Diagnostics& diagnostics) {
  const FileId file = sources.add(name, text);
  const size_t equals = split_at_equals(text);
  const auto range = [&](size_t begin, size_t end) {
    return SourceRange{file, static_cast<uint32_t>(begin), static_cast<uint32_t>(end)};
  };
  if (equals == std::string_view::npos || equals == 0 || equals + 1 == text.size()) {
    diagnostics
        .error(DiagnosticKind::bad_configuration, range(0, text.size()), fmt::format("`{}` is not {}=SPEC", text, left))
        .help(fmt::format("for example {} \"{}=P('x', None)\"", name, left == "PATTERN" ? "params['w1']" : "%12"));
    return std::nullopt;
  }
  return ShardingRule{text.substr(0, equals), text.substr(equals + 1), range(0, equals),
                      range(equals + 1, text.size())};
}

// `params['w1']`, `params['w2']` and 3 more
std::string names_list(const std::vector<std::string>& names) {
  std::string out;
  for (size_t i = 0; i < names.size() && i < kNamesShown; ++i) out += (i == 0 ? "`" : ", `") + names[i] + "`";
  if (names.size() > kNamesShown) out += fmt::format(" and {} more", names.size() - kNamesShown);
  return out;
}

class Resolver {
 public:
  Resolver(Program& program, SourceManager& sources, Diagnostics& diagnostics)
      : program_(program), graph_(program.graph), sources_(sources), diagnostics_(diagnostics) {}

  void arguments(std::vector<Rule>& rules);
  void pin(const ShardingRule& rule);
  void donate(const std::string& pattern);
  // Changes the program.
  Seeds take() {
    shard_results(program_, results_);
    give_away(program_, donated_);
    return std::move(seeds_);
  }

 private:
  bool seed(ValueId value, const ShardingRule& rule, bool is_pin);
  bool seed_result(uint32_t result, const ShardingRule& rule);
  void results(std::span<Rule> rules);
  bool need_mesh(const ShardingRule& rule);
  // What a rule says for a value of this type; nothing, after a report, where it cannot.
  std::optional<NamedShardingId> sharding_for(const Type& type, const std::string& name, const ShardingRule& rule);
  void report_unused(const Rule& rule, const std::vector<std::string>& names);
  void report_unmatched(const std::vector<Rule>& rules, const std::vector<std::string>& unmatched, size_t count);

  Program& program_;
  const Graph& graph_;
  SourceManager& sources_;
  Diagnostics& diagnostics_;
  Seeds seeds_;
  std::vector<ResultSharding> results_;
  std::vector<ValueId> donated_;
  bool mesh_missing_ = false;
};

bool Resolver::need_mesh(const ShardingRule& rule) {
  if (main_mesh(program_.shardings).valid()) return true;
  if (!mesh_missing_)
    diagnostics_
        .error(DiagnosticKind::unknown_mesh, rule.spec_where, "the program has no mesh for this sharding to be on")
        .help("give one: --mesh x=2,y=4, or --mesh FILE.yaml");
  mesh_missing_ = true;
  return false;
}

std::optional<NamedShardingId> Resolver::sharding_for(const Type& type, const std::string& name,
                                                      const ShardingRule& rule) {
  if (!need_mesh(rule)) return std::nullopt;
  if (!type.is_array()) {
    diagnostics_.error(DiagnosticKind::invalid_sharding, rule.pattern_where,
                       fmt::format("{} is not an array, so it has no sharding", name));
    return std::nullopt;
  }
  TextCursor in{rule.spec, 0, rule.spec_where};
  const Result<NamedShardingId> id =
      parse_any_sharding(in, program_.shardings, main_mesh(program_.shardings), type.rank(), diagnostics_, name);
  return id ? std::optional(*id) : std::nullopt;
}

bool Resolver::seed(ValueId value, const ShardingRule& rule, bool is_pin) {
  const std::string name = fmt::format("`{}`", value_display_name(graph_, value));
  const Type type = graph_.type_of(value);
  const std::optional<NamedShardingId> id = sharding_for(type, name, rule);
  if (!id) return false;
  const Value& v = graph_.value(value);
  const AxisList manual = manual_axes_around(program_, v.def.valid() ? graph_.op(v.def).parent : v.block);
  if (!manual.empty() && !verify_sharding(program_.shardings, *id, type, manual, name, rule.spec_where, diagnostics_))
    return false;
  seeds_.push_back({value, *id, rule.spec_where, is_pin});
  return true;
}

bool Resolver::seed_result(uint32_t result, const ShardingRule& rule) {
  if (graph_.is_hlo) {
    diagnostics_
        .error(DiagnosticKind::not_expressible, rule.pattern_where,
               "a result of HLO has the sharding of the value that it is")
        .help("pin that value: --pin \"VALUE=SPEC\"");
    return false;
  }
  const std::string name = fmt::format("`{}`", result_source_name(graph_, graph_.main, result));
  const Type main = graph_.types.get(graph_.function(graph_.main).type);
  const Type type = graph_.types.get(main.elements[main.input_count + result]);
  const std::optional<NamedShardingId> id = sharding_for(type, name, rule);
  if (id) results_.push_back({result, *id});
  return id.has_value();
}

// Those of no use for arguments; the first that selects a result wins.
void Resolver::results(std::span<Rule> rules) {
  const Type type = graph_.types.get(graph_.function(graph_.main).type);
  if (type.kind != TypeKind::function) return;
  const auto count = static_cast<uint32_t>(type.elements.size() - type.input_count);
  std::vector<bool> taken(count, false);
  for (Rule& rule : rules) {
    if (rule.selected > 0 || rule.shadowed) continue;
    for (uint32_t i = 0; i < count; ++i) {
      const std::string spelled = fmt::format("result[{}]", i);
      if (!pattern_selects(rule.text.pattern, result_source_name(graph_, graph_.main, i), spelled,
                           std::string_view::npos))
        continue;
      ++rule.selected;
      if (!taken[i] && !seed_result(i, rule.text)) break;
      taken[i] = true;
    }
  }
}

void Resolver::report_unused(const Rule& rule, const std::vector<std::string>& names) {
  if (rule.shadowed) {
    diagnostics_.report(
        DiagnosticKind::unmatched_rule, rule.text.pattern_where,
        fmt::format("every argument that `{}` would select is taken by an earlier rule", rule.text.pattern));
    return;
  }
  auto report = diagnostics_.report(DiagnosticKind::unmatched_rule, rule.text.pattern_where,
                                    fmt::format("`{}` selects no argument of the program", rule.text.pattern));
  std::vector<std::string> candidates = names;
  for (const std::string& name : names) candidates.push_back(name_as_path(name));
  const std::vector<std::string_view> views(candidates.begin(), candidates.end());
  const std::string_view nearest = nearest_name(rule.text.pattern, views);
  if (!nearest.empty()) {
    report.help(fmt::format("did you mean `{}`?", nearest));
  } else if (names.empty()) {
    report.help("the main function has no arguments");
  } else {
    report.help(fmt::format("its arguments are {}", names_list(names)));
  }
}

void Resolver::report_unmatched(const std::vector<Rule>& rules, const std::vector<std::string>& unmatched,
                                size_t count) {
  const auto from_file = std::find_if(rules.begin(), rules.end(), [](const Rule& r) { return !r.from_flag; });
  if (from_file == rules.end() || unmatched.empty()) return;
  diagnostics_.report(
      DiagnosticKind::unmatched_arguments, SourceRange{from_file->text.pattern_where.file, 0, 0},
      fmt::format("{} of {} arguments are selected by no rule: {}", unmatched.size(), count, names_list(unmatched)));
}

void Resolver::arguments(std::vector<Rule>& rules) {
  if (rules.empty()) return;
  std::vector<std::string> names, unmatched;
  size_t arrays = 0;
  const RegionId body = graph_.main.valid() ? graph_.function(graph_.main).body : RegionId{};
  if (body.valid()) {
    const BlockId entry = graph_.entry_block(body);
    // A rule that is wrong for one argument would be wrong for hundreds: each is tried until it has failed once.
    std::vector<bool> failed(rules.size(), false);
    for (size_t i = 0; i < graph_.block(entry).arg_count; ++i) {
      const ValueId value = graph_.arg(entry, i);
      const std::string_view source_name = argument_source_name(graph_, graph_.main, i);
      const std::string spelled = value_spelled_name(graph_, value);
      names.push_back(source_name.empty() ? spelled : std::string(source_name));
      auto rule = rules.end();
      for (auto r = rules.begin(); r != rules.end(); ++r) {
        if (rule != rules.end() && r->selected > 0) continue;  // taken already, and known to be of use
        if (!pattern_selects(r->text.pattern, source_name, spelled, i)) continue;
        if (rule != rules.end()) {
          r->shadowed = true;
        } else {
          rule = r;
        }
      }
      if (graph_.type_of(value).is_array()) ++arrays;
      if (rule != rules.end()) {
        ++rule->selected;
        const auto index = static_cast<size_t>(rule - rules.begin());
        if (!failed[index]) failed[index] = !seed(value, rule->text, /*is_pin=*/false);
      } else if (graph_.type_of(value).is_array()) {
        unmatched.push_back(names.back());
      }
    }
  }
  if (body.valid()) results(rules);
  for (const Rule& rule : rules)
    if (rule.selected == 0) report_unused(rule, names);
  report_unmatched(rules, unmatched, arrays);
}

void Resolver::donate(const std::string& pattern) {
  const FileId file = sources_.add("--donate", pattern);
  const SourceRange where{file, 0, static_cast<uint32_t>(pattern.size())};
  const Rule rule({pattern, {}, where, {}}, /*from_flag=*/true);
  const RegionId body = graph_.main.valid() ? graph_.function(graph_.main).body : RegionId{};
  const size_t before = donated_.size();
  std::vector<std::string> names;
  if (body.valid()) {
    const BlockId entry = graph_.entry_block(body);
    for (size_t i = 0; i < graph_.block(entry).arg_count; ++i) {
      const ValueId value = graph_.arg(entry, i);
      const std::string_view source_name = argument_source_name(graph_, graph_.main, i);
      const std::string spelled = value_spelled_name(graph_, value);
      names.push_back(source_name.empty() ? spelled : std::string(source_name));
      if (pattern_selects(pattern, source_name, spelled, i)) donated_.push_back(value);
    }
  }
  if (donated_.size() == before) report_unused(rule, names);
}

void Resolver::pin(const ShardingRule& rule) {
  const std::vector<ValueId> values = find_values(program_, sources_, rule.pattern);
  if (values.size() == 1) {
    seed(values[0], rule, /*is_pin=*/true);
    return;
  }
  if (values.empty()) {
    diagnostics_
        .error(DiagnosticKind::unknown_name, rule.pattern_where,
               fmt::format("there is no value or line `{}` in the program", rule.pattern))
        .help("name a value (%12, %12#1, dot.3, params['w1'], result[0]), a line (61, model.py:41) or both (61:%12)");
    return;
  }
  std::vector<std::string> names;
  for (size_t i = 0; i < values.size() && i < kNamesShown; ++i)
    names.push_back(value_address(program_, sources_, values[i]));
  names.resize(values.size());  // the rest is only counted
  diagnostics_
      .error(DiagnosticKind::unknown_name, rule.pattern_where,
             fmt::format("`{}` stands for {} values, expected one", rule.pattern, values.size()))
      .help(fmt::format("pin one of them: {}", names_list(names)));
}

}  // namespace

Result<Seeds> resolve_seeds(Program& program, const SeedRequest& request, SourceManager& sources,
                            Diagnostics& diagnostics) {
  const size_t errors = diagnostics.error_count();
  if (!override_mesh(program, request, sources, diagnostics)) return reported();

  std::vector<Rule> rules;
  for (const std::string& flag : request.shard)
    if (auto rule = rule_of_flag("--shard", flag, "PATTERN", sources, diagnostics))
      rules.push_back({std::move(*rule), /*from_flag=*/true});
  for (const ShardingRule& rule : request.rules) rules.push_back({rule, /*from_flag=*/false});

  Resolver resolver(program, sources, diagnostics);
  resolver.arguments(rules);
  for (const std::string& flag : request.pin)
    if (const auto rule = rule_of_flag("--pin", flag, "VALUE", sources, diagnostics)) resolver.pin(*rule);
  for (const std::string& pattern : request.donate) resolver.donate(pattern);
  if (diagnostics.error_count() > errors) return reported();
  return resolver.take();
}

}  // namespace sw
