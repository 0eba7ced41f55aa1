// See the header. Words of the command line are checked before they are told: a pattern must select what is meant and
// nothing else, or everything is named one by one.
#include "report/advice_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "ir/names.h"
#include "memory/argument_names.h"
#include "propagate/seed_rules.h"
#include "report/names.h"
#include "report/plan_text.h"
#include "report/rule_words.h"
#include "report/table.h"
#include "search/loop_stacks.h"
#include "sharding/convert.h"
#include "sharding/text.h"

namespace sw {

namespace {

constexpr size_t kOptions = 4;    // of one change, in text
constexpr size_t kLines = 4;      // of changes that are not put together, for `check`
constexpr size_t kResiduals = 3;  // named of a remat

std::string_view kind_name(ChangeKind kind) {
  constexpr std::string_view kNames[] = {"donate", "shard", "pin", "remat"};
  return kNames[static_cast<size_t>(kind)];
}

// For a shell, in double quotes.
std::string option_text(std::string_view option, std::string_view value) {
  std::string text = std::string(option) + " \"";
  for (const char c : value) {
    if (c == '"' || c == '\\' || c == '$' || c == '`') text += '\\';
    text += c;
  }
  return text + '"';
}

// What --shard and --donate may select: arguments of main, and results.
class Selectable {
 public:
  explicit Selectable(const Graph& graph) {
    for (const ValueId value : main_arguments(graph)) {
      const size_t i = arguments.size();
      arguments.push_back(
          {std::string(argument_source_name(graph, graph.main, i)), value_spelled_name(graph, value), i});
    }
    for (size_t i = 0; !graph.is_hlo && i < output_types(graph).size(); ++i)
      results.push_back(
          {result_source_name(graph, graph.main, i), fmt::format("result[{}]", i), std::string_view::npos});
  }

  struct Named {
    std::string name, spelled;
    size_t number;
  };
  std::vector<Named> arguments, results;

  static std::set<size_t> selected(const std::string& pattern, const std::vector<Named>& from) {
    std::set<size_t> found;
    for (size_t i = 0; i < from.size(); ++i)
      if (pattern_selects(pattern, from[i].name, from[i].spelled, from[i].number)) found.insert(i);
    return found;
  }

  // The fewest patterns found that select these and nothing else.
  std::vector<std::string> patterns(const std::set<size_t>& wanted, bool of_results) const {
    const std::vector<Named>& from = of_results ? results : arguments;
    const auto selects = [&](const std::string& pattern, const std::set<size_t>& members) {
      // Results are looked at only where no argument is meant.
      return selected(pattern, from) == members && (!of_results || selected(pattern, arguments).empty());
    };
    std::map<std::string, std::set<size_t>> by_pattern;
    for (const size_t i : wanted) by_pattern[name_pattern(from[i].name)].insert(i);
    std::vector<std::string> out;
    for (const auto& [pattern, members] : by_pattern) {
      if (!pattern.empty() && selects(pattern, members)) {
        out.push_back(pattern);
        continue;
      }
      for (const size_t i : members)
        out.push_back(!from[i].name.empty() && selects(from[i].name, {i}) ? from[i].name
                      : selects(from[i].spelled, {i})                     ? from[i].spelled
                                                                          : std::to_string(i));
    }
    return out;
  }

  // Of whole trees: `params[*`.
  std::vector<std::string> roots(const std::set<size_t>& wanted) const {
    std::map<std::string, std::set<size_t>> by_root;
    for (const size_t i : wanted) by_root[std::string(name_root(arguments[i].name))].insert(i);
    std::vector<std::string> out;
    for (const auto& [root, members] : by_root) {
      std::string found;
      for (const char* end : {"", "[*", ".*", "*"})
        if (found.empty() && !root.empty() && selected(root + end, arguments) == members) found = root + end;
      if (!found.empty()) {
        out.push_back(found);
        continue;
      }
      for (std::string& each : patterns(members, false)) out.push_back(std::move(each));
    }
    return out;
  }
};

// The first two of them, and how many more.
std::string list_text(const std::vector<std::string>& names) {
  std::string text;
  for (size_t i = 0; i < std::min<size_t>(names.size(), 2); ++i)
    text += (i == 0 ? "" : names.size() == 2 ? " and " : ", ") + names[i];
  return text + (names.size() > 2 ? " and " + count_text(static_cast<int64_t>(names.size() - 2)) + " more" : "");
}

std::string numbers_text(const std::vector<uint32_t>& items) {
  std::string text;
  for (size_t i = 0; i < items.size(); ++i)
    text += (i == 0 ? "" : i + 1 == items.size() ? " and " : ", ") + std::to_string(items[i] + 1);
  return text;
}

std::string moves_text(int64_t more) {
  if (more == 0) return "";
  return more > 0 ? ", moves " + bytes_text(more) + " more a step" : ", moves " + bytes_text(-more) + " less a step";
}

}  // namespace

std::string AdviceTexts::spec_text(NamedShardingId id) const {
  const ShardingTable& table = report_.program.shardings;
  return partition_spec_text(table, id).value_or(sdy_text(table, id));
}

std::vector<std::string> AdviceTexts::options_of(const Change& change) const {
  const Graph& graph = report_.program.graph;
  const Selectable selectable(graph);
  std::vector<std::string> options;
  std::set<size_t> donated;
  for (const ValueId value : change.donated) donated.insert(graph.value(value).index);
  for (const std::string& pattern : selectable.roots(donated)) options.push_back(option_text("--donate", pattern));
  const auto placed = [&](const std::map<std::string, std::set<size_t>>& by_spec, bool of_results) {
    for (const auto& [spec, members] : by_spec)
      for (const std::string& pattern : selectable.patterns(members, of_results))
        options.push_back(option_text("--shard", pattern + "=" + spec));
  };
  std::map<std::string, std::set<size_t>> arguments, results;
  for (const Placed& a : change.arguments) arguments[spec_text(a.sharding)].insert(graph.value(a.value).index);
  for (const ResultSharding& r : change.results) results[spec_text(r.sharding)].insert(r.result);
  placed(arguments, false);
  placed(results, true);
  for (const Placed& pin : change.pins)
    options.push_back(option_text(
        "--pin", value_address(report_.program, report_.sources, pin.value) + "=" + spec_text(pin.sharding)));
  return options;
}

std::string AdviceTexts::effect(const AdviceItem& item) const {
  std::string text = fmt::format("saves {}{}", item.is_estimate ? "about " : "", bytes_text(item.saves()));
  text += moves_text(item.with.moved - item.before.moved);
  if (!item.after.empty()) text += ", on top of " + numbers_text(item.after);
  return text;
}

AdviceWords AdviceTexts::of_item(size_t index) const {
  const AdviceItem& item = advice_.items[index];
  const Change& change = item.change;
  const Graph& graph = report_.program.graph;
  AdviceWords words;
  words.kind = kind_name(change.kind);
  words.effect = effect(item);
  words.options = options_of(change);
  std::vector<std::string> names;
  switch (change.kind) {
    case ChangeKind::donate: {
      std::set<std::string> roots;
      for (const ValueId value : change.donated)
        roots.insert(change.donated.size() == 1 || argument_name(graph, value).empty()
                         ? display_name(graph, value)
                         : std::string(name_root(argument_name(graph, value))));
      names.assign(roots.begin(), roots.end());
      words.what = list_text(names);
      words.code = "jax.jit(..., donate_argnums=...), if the caller does not need the old values";
      if (!argument_name(graph, change.donated.front()).empty())
        words.code = "jax.jit(..., donate_argnames='" +
                     std::string(name_root(argument_name(graph, change.donated[0]))) +
                     "'), if the caller does not need the old values";
      break;
    }
    case ChangeKind::shard: {
      std::vector<Placed> largest = change.arguments;
      const auto bytes = [&](const Placed& p) {
        const Type type = graph.type_of(p.value);
        return array_bytes(type, {type.dims.begin(), type.dims.end()});
      };
      std::stable_sort(largest.begin(), largest.end(),
                       [&](const Placed& a, const Placed& b) { return bytes(a) > bytes(b); });
      for (const Placed& a : largest) {
        const std::string name = argument_name(graph, a.value);
        const std::string pattern = name.empty() ? display_name(graph, a.value) : name_pattern(name);
        if (std::find(names.begin(), names.end(), pattern) == names.end()) names.push_back(pattern);
      }
      words.what = list_text(names);
      words.spec = spec_text(largest.front().sharding);
      words.code = change.results.empty() && change.pins.empty() ? "in_shardings of jax.jit, or jax.device_put"
                                                                 : "in_shardings and out_shardings of jax.jit";
      break;
    }
    case ChangeKind::pin: {
      const ValueId value = change.pins.front().value;
      const OpId def = graph.value(value).def;
      // What a loop passes to its body has no place of its own.
      const RegionId region = def.valid() ? RegionId{} : graph.block(graph.value(value).block).parent;
      const OpId loop = region.valid() ? graph.region(region).owner : OpId{};
      words.what = display_name(graph, value) + ", " +
                   (def.valid() ? op_word(graph, def) : "given to a " + region_of(graph, value)) + ", " +
                   (loop.valid() ? place_of(graph, report_.sources, loop) : place_of(graph, report_.sources, value)) +
                   ", " + type_label(graph, graph.value(value).type);
      words.spec = spec_text(change.pins.front().sharding);
      words.code = "x = jax.lax.with_sharding_constraint(x, " + words.spec + ")";
      break;
    }
    case ChangeKind::remat: {
      const Graph& local = report_.local->graph;
      const std::vector<LoopStack> stacks = find_loop_stacks(local);
      words.what = "loop " + place_of(local, report_.sources, change.loop) + ", whose backward pass reads ";
      for (size_t i = 0; i < std::min(change.stacks.size(), kResiduals); ++i)
        words.what += (i == 0 ? "" : ", ") + type_label(local, local.value(stacks[change.stacks[i]].init).type);
      if (change.stacks.size() > kResiduals)
        words.what += fmt::format(" and {} more", change.stacks.size() - kResiduals);
      words.code = "jax.checkpoint around the body of the scan: it is computed once more in the backward pass";
      break;
    }
  }
  return words;
}

std::string AdviceTexts::together() const {
  if (advice_.together.empty()) return "";
  const bool alone = advice_.together.size() == 1;
  std::string text = "with " + numbers_text(advice_.together) + (alone ? " alone" : "") + ": ";
  text += (advice_.is_estimate ? "about " : "") + bytes_text(advice_.with.total);
  if (advice_.limit) text += " of " + bytes_text(*advice_.limit) + (advice_.fits() ? ", fits" : ", still too much");
  return text + moves_text(advice_.with.moved - advice_.before.moved);
}

std::string AdviceTexts::effort() const {
  return count_text(static_cast<int64_t>(advice_.tried)) + (advice_.tried == 1 ? " change" : " changes") + " tried";
}

std::string AdviceTexts::nothing_helps() const {
  return advice_.tried > 0 ? effort() + ": none makes it smaller by a hundredth"
                           : "nothing to try: all that is large is cut by every axis, and nothing is left to donate";
}

void write_advice(const PlanReport& report, const Advice& advice, bool all, TextSink& out) {
  if (!advice.found) {
    if (!advice.not_tried.empty()) out.write("\n  " + advice.not_tried + "\n");
    return;
  }
  const AdviceTexts texts(report, *advice.found);
  if (advice.found->items.empty()) {
    out.write("\n  " + texts.nothing_helps() + "\n");
    return;
  }
  out.write("\n  what makes it smaller, in the order of XLA's own guide; " + texts.effort() + "\n");
  const auto write_options = [&](const std::vector<std::string>& options, std::string_view indent) {
    const size_t most = all ? options.size() : std::min(options.size(), kOptions);
    for (size_t i = 0; i < most; ++i) out.write(std::string(indent) + shown(options[i]) + "\n");
    if (most < options.size()) out.write(fmt::format("{}…{} more (--all)\n", indent, options.size() - most));
  };
  for (size_t i = 0; i < advice.found->items.size(); ++i) {
    const AdviceWords words = texts.of_item(i);
    out.write(fmt::format("    {:<3}{:<8}{}{}\n", i + 1, words.kind, shown(words.what),
                          words.spec.empty() ? "" : " to " + shown(words.spec)));
    out.write("               " + words.effect + "\n");
    out.write("               └ " + shown(words.code) + "\n");
    write_options(words.options, "                 ");
  }
  if (const std::string together = texts.together(); !together.empty()) {
    out.write("\n    " + together + "\n");
    if (advice.found->together.size() > 1) write_options(texts.together_options(), "                 ");
  }
}

namespace {

void write_need(const Need& need, JsonWriter& json) {
  json.begin_object();
  json.key("total").number(need.total);
  json.key("peak").number(need.peak);
  json.key("moved").number(need.moved);
  json.end();
}

void write_strings(const std::vector<std::string>& texts, JsonWriter& json) {
  json.begin_array();
  for (const std::string& text : texts) json.string(text);
  json.end();
}

void write_numbers(const std::vector<uint32_t>& items, JsonWriter& json) {
  json.begin_array();
  for (const uint32_t item : items) json.number(int64_t{item} + 1);
  json.end();
}

}  // namespace

void write_advice_json(const PlanReport& report, const Advice& advice, JsonWriter& json) {
  if (!advice.found) {
    json.null();
    return;
  }
  const AdviceReport& found = *advice.found;
  const AdviceTexts texts(report, found);
  json.begin_object();
  json.key("tried").number(static_cast<int64_t>(found.tried));
  json.key("limit").number_or_null(found.limit);
  json.key("before");
  write_need(found.before, json);
  json.key("items").begin_array();
  for (size_t i = 0; i < found.items.size(); ++i) {
    const AdviceItem& item = found.items[i];
    const AdviceWords words = texts.of_item(i);
    json.begin_object();
    json.key("number").number(static_cast<int64_t>(i) + 1);
    json.key("kind").string(words.kind);
    json.key("what").string(words.what);
    json.key("spec").string_or_null(words.spec);
    json.key("code").string(words.code);
    json.key("options");
    write_strings(words.options, json);
    json.key("after");
    write_numbers(item.after, json);
    json.key("estimate").boolean(item.is_estimate);
    json.key("saves").number(item.saves());
    json.key("with");
    write_need(item.with, json);
    json.end();
  }
  json.end();
  json.key("together");
  if (found.together.empty()) {
    json.null();
  } else {
    json.begin_object();
    json.key("items");
    write_numbers(found.together, json);
    json.key("options");
    write_strings(texts.together_options(), json);
    json.key("estimate").boolean(found.is_estimate);
    json.key("with");
    write_need(found.with, json);
    json.key("fits").boolean(found.fits());
    json.end();
  }
  json.end();
}

std::vector<std::string> advice_lines(const PlanReport& report, const Advice& advice) {
  if (!advice.found) return advice.not_tried.empty() ? std::vector<std::string>() : std::vector{advice.not_tried};
  const AdviceTexts texts(report, *advice.found);
  std::vector<std::string> lines;
  size_t left_out = 0;
  for (size_t i = 0; i < advice.found->items.size(); ++i) {
    const std::vector<uint32_t>& together = advice.found->together;
    if (i >= kLines && std::find(together.begin(), together.end(), i) == together.end()) {
      ++left_out;
      continue;
    }
    const AdviceWords words = texts.of_item(i);
    std::string line = fmt::format("{}. {} {}{}: {} ({})", i + 1, words.kind, words.what,
                                   words.spec.empty() ? "" : " to " + words.spec, words.effect,
                                   advice.found->items[i].is_estimate ? "estimated" : "tried");
    line += ": " + words.code;
    for (size_t o = 0; o < std::min(words.options.size(), kOptions); ++o)
      line += (o == 0 ? "; " : " ") + words.options[o];
    if (words.options.size() > kOptions) line += fmt::format(" and {} more", words.options.size() - kOptions);
    lines.push_back(std::move(line));
  }
  if (left_out > 0) lines.push_back(fmt::format("{} more: `shardwright memory`", left_out));
  if (lines.empty()) lines.push_back(texts.nothing_helps());
  if (const std::string together = texts.together(); !together.empty()) lines.push_back(together);
  return lines;
}

}  // namespace sw
