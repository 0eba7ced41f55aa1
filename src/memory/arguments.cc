// See the header.
#include "memory/arguments.h"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "base/checked_math.h"
#include "ir/donation.h"
#include "memory/argument_names.h"

namespace sw {

namespace {

int64_t sum(int64_t a, int64_t b) { return checked_add(a, b).value_or(std::numeric_limits<int64_t>::max()); }

// The leaves of parameters and results by number and path.
using Places = std::map<std::pair<int64_t, Donations::Path>, uint32_t>;

class Entry {
 public:
  Entry(const Graph& graph, const EntryRules& rules) : graph_(graph), rules_(rules) {}

  EntryBytes measure() {
    if (!graph_.main.valid() || !graph_.function(graph_.main).body.valid()) return {};
    const Block& entry = graph_.block(graph_.entry_block(graph_.function(graph_.main).body));
    for (uint32_t i = 0; i < entry.arg_count; ++i) {
      number_ = i;
      out_.argument =
          sum(out_.argument, add(graph_.value(ValueId{entry.first_arg.raw + i}).type, parameters_, out_.parameters));
    }
    number_ = 0;
    if (!entry.ops.empty())
      for (const ValueId root : graph_.operands(entry.ops.back()))
        out_.output = sum(out_.output, add(graph_.value(root).type, results_, out_.results));
    pair_up();
    for (const EntryArray& result : out_.results)
      if (result.partner) out_.alias = sum(out_.alias, out_.parameters[*result.partner].bytes);
    return std::move(out_);
  }

 private:
  // Bytes of the leaves below and of the tables of tuples.
  int64_t add(TypeId id, Places& places, std::vector<EntryArray>& list) {
    const Type type = graph_.types.get(id);
    if (type.kind != TypeKind::tuple) {
      const int64_t bytes = stored_bytes(type, rules_.form);
      if (type.is_array()) {
        places.emplace(std::pair(number_, path_), static_cast<uint32_t>(list.size()));
        list.push_back({static_cast<uint32_t>(number_), id, bytes, false, std::nullopt});
      }
      return bytes;
    }
    const auto count = static_cast<int64_t>(type.elements.size());
    int64_t bytes = ceil_div(count * rules_.pointer, rules_.table_unit) * rules_.table_unit;
    for (int64_t i = 0; i < count; ++i) {
      path_.push_back(i);
      bytes = sum(bytes, add(graph_.types.get(id).elements[static_cast<size_t>(i)], places, list));
      path_.pop_back();
    }
    return bytes;
  }

  void pair_up() {
    const Donations donations = read_donations(graph_);
    for (const Donations::Alias& alias : donations.aliases) {
      const auto from = parameters_.find({alias.argument.number, alias.argument.path});
      const auto to = results_.find({0, alias.result});
      if (from != parameters_.end() && to != results_.end()) pair(from->second, to->second);
    }
    std::vector<uint32_t> donors, takers;
    for (const Donations::Argument& donor : donations.donors)
      if (const auto at = parameters_.find({donor.number, donor.path}); at != parameters_.end())
        out_.parameters[at->second].donated = true;
    for (uint32_t i = 0; i < out_.parameters.size(); ++i)
      if (out_.parameters[i].donated && !out_.parameters[i].partner) donors.push_back(i);
    for (uint32_t i = 0; i < out_.results.size(); ++i)
      if (!out_.results[i].partner) takers.push_back(i);
    const auto larger_first = [](std::vector<uint32_t>& list, const std::vector<EntryArray>& arrays) {
      std::stable_sort(list.begin(), list.end(),
                       [&](uint32_t a, uint32_t b) { return arrays[a].bytes > arrays[b].bytes; });
    };
    larger_first(donors, out_.parameters);
    larger_first(takers, out_.results);
    for (size_t d = 0, t = 0; d < donors.size() && t < takers.size();) {
      const int64_t donor = out_.parameters[donors[d]].bytes, taker = out_.results[takers[t]].bytes;
      if (donor == taker) pair(donors[d], takers[t]);
      d += donor >= taker ? 1 : 0;
      t += taker >= donor ? 1 : 0;
    }
  }

  void pair(uint32_t parameter, uint32_t result) {
    out_.parameters[parameter].partner = result;
    out_.parameters[parameter].donated = true;
    out_.results[result].partner = parameter;
  }

  const Graph& graph_;
  const EntryRules& rules_;
  EntryBytes out_;
  Places parameters_, results_;
  Donations::Path path_;
  int64_t number_ = 0;
};

}  // namespace

EntryRules entry_rules(MemoryTarget target) {
  switch (target) {
    case MemoryTarget::tpu_v5e: return {ArrayForm::tiled, 4, 512};
    case MemoryTarget::tpu_v5p: return {ArrayForm::tiled, 4, 32};
    case MemoryTarget::h100:
    case MemoryTarget::cpu: break;
  }
  return {ArrayForm::packed, 8, 1};
}

EntryBytes entry_bytes(const Graph& graph, const EntryRules& rules) { return Entry(graph, rules).measure(); }

std::map<size_t, size_t> pairs_not_donated(const EntryBytes& entry, std::span<const std::string> parameters,
                                           std::span<const std::string> results) {
  std::map<TypeId, std::vector<size_t>> by_type;
  for (size_t a = 0; a < entry.parameters.size(); ++a)
    if (!entry.parameters[a].donated) by_type[entry.parameters[a].type].push_back(a);
  std::map<size_t, size_t> pairs;
  for (size_t r = 0; r < entry.results.size(); ++r) {
    const auto at = by_type.find(entry.results[r].type);
    if (entry.results[r].partner || at == by_type.end() || at->second.empty()) continue;
    std::vector<size_t>& open = at->second;
    const auto same_path = [&](size_t a) {
      const std::string_view path = name_path(parameters[a]);
      return !path.empty() && results[r].ends_with(path);
    };
    auto best = std::find_if(open.begin(), open.end(), same_path);
    if (best == open.end()) best = open.begin();
    pairs[*best] = r;
    open.erase(best);
  }
  return pairs;
}

}  // namespace sw
