// Built in three passes: what is drawn at all and which block it is in (collect), grouping of each block's ops (group),
// numbering of the scopes from the outside in (number).
#include "draw/scope_tree.h"

#include <algorithm>
#include <unordered_map>

#include "base/hash.h"
#include "draw/repeats.h"
#include "draw/source_path.h"
#include "partition/collect.h"
#include "report/names.h"
#include "report/rule_words.h"
#include "report/table.h"

namespace sw {

namespace {

constexpr size_t kLeastRun = 3;       // ops that make a scope of their own
constexpr size_t kInterruption = 2;   // ops of other scopes that do not end a run
constexpr size_t kLeastRepeat = 24;   // ops in all iterations
constexpr size_t kLeastTimes = 4;     // elements
constexpr size_t kMostElements = 40;  // shown in one scope; more are cut into parts of
constexpr size_t kPart = 20;
constexpr uint32_t kMostDepth = 48;  // of scopes; deeper ones are drawn flat
constexpr size_t kNameWidth = 48;

// An op, or a scope under construction.
struct Element {
  OpId op;
  uint32_t scope = kNoScope;
};

struct Draft {
  ScopeKind kind = ScopeKind::program;
  std::string name;
  OpId owner;
  int64_t times = 1;
  std::vector<Element> elements;
  uint64_t likeness = 0;  // equal for scopes with the same inside
};

class Builder {
 public:
  explicit Builder(const PlanReport& report)
      : report_(report), graph_(report.program.graph), paths_(graph_), callee_(graph_.strings.find("callee")) {
    tree_.scope_of_op.assign(graph_.op_count(), kNoScope);
    tree_.shown_as.assign(graph_.op_count(), OpId{});
    tree_.same_as.assign(graph_.value_count(), ValueId{});
    tree_.owner_of_region.assign(graph_.region_count(), OpId{});
    constant_.assign(graph_.op_count(), 0);
    inlined_.assign(graph_.function_count(), 0);
    count_trips();
    note_moved();
  }

  ScopeTree build() {
    drafts_.push_back({});
    const auto title = graph_.main.valid() ? graph_.strings.text(graph_.function(graph_.main).name) : "program";
    drafts_[0].name = cut_to(shown(title), kNameWidth);
    if (graph_.main.valid() && graph_.function(graph_.main).body.valid()) {
      inlined_[graph_.main.index()] = 1;
      fill_region(0, graph_.function(graph_.main).body, 0);
    }
    number();
    return std::move(tree_);
  }

 private:
  void count_trips() {
    const LoweredProgram* lowered = report_.plan.lowered.get();
    const Graph& graph = lowered != nullptr ? lowered->graph : graph_;
    if (lowered == nullptr && !graph.is_hlo) return;
    for (size_t i = 0; i < graph.op_count(); ++i) {
      if (graph.op(OpId{i}).kind != OpKind::while_) continue;
      const OpId source = lowered != nullptr ? lowered->source_op[i] : OpId{i};
      if (source.valid()) trips_[source.raw] = trip_count(graph, OpId{i});
    }
  }

  // Ops that a collective moves something for are drawn, also when they are constants.
  void note_moved() {
    moved_.assign(graph_.op_count(), 0);
    if (report_.local == nullptr) return;
    for (const Collective& c : report_.local->collectives)
      if (c.cause.op.valid() && c.cause.op.index() < moved_.size()) moved_[c.cause.op.index()] = 1;
  }

  // Pass 1: which ops of a block are drawn, in the order of the text. ---------------------------------------------

  std::vector<OpId> drawn_ops(BlockId block) {
    std::vector<OpId> ops;
    for (const OpId id : graph_.block(block).ops) {
      const Op& op = graph_.op(id);
      if (!op.parent.valid() || has_trait(op.kind, kTerminator) || op.kind == OpKind::parameter) continue;
      if (op.kind == OpKind::get_tuple_element) {
        tree_.same_as[graph_.result(id).index()] = graph_.operands(op)[0];
        continue;
      }
      constant_[id.index()] = made_of_constants(op) && moved_[id.index()] == 0 ? 1 : 0;
      if (constant_[id.index()] != 0)
        ++tree_.hidden_constants;
      else
        ops.push_back(id);
    }
    return ops;
  }

  bool made_of_constants(const Op& op) const {
    if (has_trait(op.kind, kConstant) || op.kind == OpKind::iota) return true;
    if (!has_trait(op.kind, kPure) || op.operands.count == 0 || op.kind == OpKind::while_) return false;
    const auto operands = graph_.operands(op);
    return std::all_of(operands.begin(), operands.end(), [&](ValueId v) {
      const OpId def = graph_.value(tree_.origin(v)).def;
      return def.valid() && constant_[def.index()] != 0;
    });
  }

  // Pass 2: from a block to a draft. ----------------------------------------------------------------------------

  struct Item {
    OpId op;
    std::span<const uint32_t> path;
  };

  void fill_region(uint32_t draft, RegionId region, uint32_t depth) {
    tree_.owner_of_region[region.index()] = drafts_[draft].owner;
    for (const BlockId block : graph_.region(region).blocks) {
      std::vector<Item> items;
      for (const OpId op : drawn_ops(block)) items.push_back({op, paths_.of(graph_.op(op).loc)});
      std::vector<Element> elements = grouped(items, shared_parts(items), depth + 1);
      auto& into = drafts_[draft].elements;
      into.insert(into.end(), elements.begin(), elements.end());
    }
    drafts_[draft].elements = shortened(std::move(drafts_[draft].elements), depth);
  }

  // How many parts the paths of all items have in common, but for a last one, which is the line.
  static size_t shared_parts(std::span<const Item> items) {
    if (items.empty()) return 0;
    size_t shared = items.front().path.empty() ? 0 : items.front().path.size() - 1;
    for (const Item& item : items) {
      if (item.path.empty()) continue;
      const size_t most = std::min(shared, item.path.size() - 1);
      shared = 0;
      while (shared < most && item.path[shared] == items.front().path[shared]) ++shared;
    }
    return shared;
  }

  static uint32_t part_at(const Item& item, size_t level) {
    return level < item.path.size() ? item.path[level] : kNoScope;
  }

  // The end of the run that begins at `begin`: as long as the part at `level` is the same, short interruptions aside.
  static size_t run_end(std::span<const Item> items, size_t begin, size_t level) {
    const uint32_t part = part_at(items[begin], level);
    size_t end = begin + 1;
    for (size_t i = end; i < items.size() && i - end <= kInterruption; ++i)
      if (part_at(items[i], level) == part) end = i + 1;
    return end;
  }

  std::vector<Element> grouped(std::span<const Item> items, size_t level, uint32_t depth) {
    std::vector<Element> elements;
    for (size_t begin = 0; begin < items.size();) {
      const uint32_t part = part_at(items[begin], level);
      const size_t end = part == kNoScope ? begin + 1 : run_end(items, begin, level);
      const auto run = items.subspan(begin, end - begin);
      begin = end;
      if (part == kNoScope || run.size() < kLeastRun || run.size() == items.size() || depth >= kMostDepth) {
        // All of one part: the next one tells them apart. Too few for a scope: they stand alone.
        if (part != kNoScope && run.size() == items.size() && depth < kMostDepth && items.size() >= kLeastRun)
          return named_run(run, level, depth);
        for (const Item& item : run) elements.push_back(element_of(item.op, depth));
        continue;
      }
      const std::vector<Element> inside = named_run(run, level, depth);
      elements.insert(elements.end(), inside.begin(), inside.end());
    }
    return elements;
  }

  // One scope for a run of one part.
  std::vector<Element> named_run(std::span<const Item> run, size_t level, uint32_t depth) {
    const auto scope = static_cast<uint32_t>(drafts_.size());
    drafts_.push_back({});
    drafts_[scope].kind = ScopeKind::source;
    drafts_[scope].name = cut_to(shown(paths_.name(part_at(run.front(), level))), kNameWidth);
    std::vector<Element> inside = grouped(run, level + 1, depth + 1);
    // A scope that is all there is in another one is one with it; passes and outer names say more than inner ones.
    if (inside.size() == 1 && inside[0].scope != kNoScope && drafts_[inside[0].scope].kind == ScopeKind::source) {
      inside = std::move(drafts_[inside[0].scope].elements);
    } else {
      inside = shortened(std::move(inside), depth);
    }
    drafts_[scope].elements = std::move(inside);
    finish(scope);
    return {Element{{}, scope}};
  }

  Element element_of(OpId op, uint32_t depth) {
    // HLO's computations can be shared; what is drawn already is not drawn again.
    for (const RegionId region : graph_.regions(graph_.op(op)))
      if (depth >= kMostDepth || tree_.owner_of_region[region.index()].valid()) return {op, kNoScope};
    switch (graph_.op(op).kind) {
      case OpKind::while_: return loop(op, depth);
      case OpKind::case_:
      case OpKind::if_: return conditional(op, depth);
      case OpKind::manual_computation: return body_of(op, graph_.regions(graph_.op(op))[0], ScopeKind::manual, depth);
      case OpKind::named_computation:
      case OpKind::fusion:
      case OpKind::call: return call(op, depth);
      default: return {op, kNoScope};
    }
  }

  uint32_t new_draft(ScopeKind kind, std::string_view name, OpId owner) {
    drafts_.push_back({});
    drafts_.back().kind = kind;
    drafts_.back().name = cut_to(shown(name), kNameWidth);
    drafts_.back().owner = owner;
    return static_cast<uint32_t>(drafts_.size() - 1);
  }

  Element loop(OpId op, uint32_t depth) {
    const auto regions = graph_.regions(graph_.op(op));
    const uint32_t scope = new_draft(ScopeKind::loop, "loop", op);
    const auto trips = trips_.find(op.raw);
    drafts_[scope].times = trips == trips_.end() ? 0 : trips->second;
    drafts_[scope].elements.push_back({op, kNoScope});
    if (regions.size() > 1) fill_region(scope, regions[1], depth + 1);
    finish(scope);
    return {{}, scope};
  }

  Element conditional(OpId op, uint32_t depth) {
    const uint32_t scope = new_draft(ScopeKind::branches, "conditional", op);
    drafts_[scope].elements.push_back({op, kNoScope});
    const auto regions = graph_.regions(graph_.op(op));
    for (size_t i = 0; i < regions.size(); ++i) {
      const uint32_t branch = new_draft(ScopeKind::branch, "branch " + std::to_string(i), op);
      fill_region(branch, regions[i], depth + 2);
      finish(branch);
      if (!drafts_[branch].elements.empty()) drafts_[scope].elements.push_back({{}, branch});
    }
    finish(scope);
    return {{}, scope};
  }

  // What is inside takes the operands and gives the results as they are.
  Element body_of(OpId op, RegionId region, ScopeKind kind, uint32_t depth) {
    const Op& o = graph_.op(op);
    std::string_view name = "manual";
    if (kind == ScopeKind::function) {
      const FunctionId function = graph_.region(region).function;
      name = graph_.region(region).owner.valid() ? "computation" : graph_.strings.text(graph_.function(function).name);
    }
    const uint32_t scope = new_draft(kind, name, op);
    const BlockId entry = graph_.entry_block(region);
    const auto operands = graph_.operands(o);
    for (uint32_t i = 0; i < std::min<size_t>(graph_.block(entry).arg_count, operands.size()); ++i)
      tree_.same_as[graph_.arg(entry, i).index()] = operands[i];
    fill_region(scope, region, depth + 1);
    const auto& ops = graph_.block(entry).ops;
    if (!ops.empty() && has_trait(graph_.op(ops.back()).kind, kTerminator)) {
      const auto returned = graph_.operands(ops.back());
      for (uint32_t i = 0; i < std::min<size_t>(o.result_count, returned.size()); ++i)
        tree_.same_as[graph_.result(op, i).index()] = returned[i];
    }
    finish(scope);
    if (drafts_[scope].elements.size() == 1 && drafts_[scope].elements[0].scope == kNoScope &&
        kind != ScopeKind::manual)
      return drafts_[scope].elements[0];
    return {{}, scope};
  }

  // A function is drawn where it is called first; other calls of it are one op each.
  Element call(OpId op, uint32_t depth) {
    const Op& o = graph_.op(op);
    RegionId region = graph_.regions(o).empty() ? RegionId{} : graph_.regions(o)[0];
    if (!region.valid() && callee_.valid()) {
      const AttrId name = graph_.attr(o, callee_);
      const FunctionId function =
          name.valid() ? graph_.function_named(graph_.strings.find(graph_.attr_table.get(name).text)) : FunctionId{};
      if (function.valid()) region = graph_.function(function).body;
    }
    if (!region.valid() || graph_.region(region).blocks.empty()) return {op, kNoScope};
    const FunctionId function = graph_.region(region).function;
    if (!graph_.region(region).owner.valid()) {
      if (!function.valid() || inlined_[function.index()] != 0) return {op, kNoScope};
      inlined_[function.index()] = 1;
    }
    return body_of(op, region, ScopeKind::function, depth);
  }

  // Repeats and parts: no scope shows more than kMostElements at once. ----------------------------------------------

  std::vector<Element> shortened(std::vector<Element> elements, uint32_t depth) {
    if (elements.size() < kLeastTimes || depth >= kMostDepth) return elements;
    std::vector<uint64_t> likeness;
    for (const Element& e : elements) likeness.push_back(likeness_of(e));
    std::vector<Element> result;
    size_t at = 0;
    for (const Repeat& repeat : find_repeats(likeness, kLeastTimes)) {
      if (ops_in(std::span(elements).subspan(repeat.begin, repeat.period * repeat.times)) < kLeastRepeat) continue;
      result.insert(result.end(), elements.begin() + static_cast<std::ptrdiff_t>(at),
                    elements.begin() + static_cast<std::ptrdiff_t>(repeat.begin));
      result.push_back(
          repeated(std::span(elements).subspan(repeat.begin, repeat.period * repeat.times), repeat, depth));
      at = repeat.end();
    }
    result.insert(result.end(), elements.begin() + static_cast<std::ptrdiff_t>(at), elements.end());
    return in_parts(std::move(result), depth);
  }

  Element repeated(std::span<const Element> elements, const Repeat& repeat, uint32_t depth) {
    const bool one = repeat.period == 1 && elements[0].scope != kNoScope;
    const uint32_t scope = new_draft(ScopeKind::repeat, "repeat", {});
    drafts_[scope].times = static_cast<int64_t>(repeat.times);
    drafts_[scope].name = one ? drafts_[elements[0].scope].name : place_of_element(elements[0]);
    const uint32_t others = new_draft(ScopeKind::others, "others", {});
    drafts_[others].times = static_cast<int64_t>(repeat.times) - 1;
    for (size_t i = 0; i < repeat.times; ++i) {
      Element iteration = elements[i];
      if (!one) {
        const uint32_t draft = new_draft(ScopeKind::iteration, "iteration " + std::to_string(i + 1), {});
        const auto inside = elements.subspan(i * repeat.period, repeat.period);
        drafts_[draft].elements = in_parts({inside.begin(), inside.end()}, depth + 2);
        finish(draft);
        iteration = {{}, draft};
      }
      drafts_[i == 0 ? scope : others].elements.push_back(iteration);
    }
    drafts_[others].elements = in_parts(std::move(drafts_[others].elements), depth + 1);
    finish(others);
    drafts_[scope].elements.push_back({{}, others});
    finish(scope);
    return {{}, scope};
  }

  size_t ops_in(std::span<const Element> elements) const {
    size_t count = 0;
    for (const Element& e : elements) each_op(e, [&](OpId) { ++count; });
    return count;
  }

  // Repeats stay what they are; what is between them is cut.
  std::vector<Element> in_parts(std::vector<Element> elements, uint32_t depth) {
    if (elements.size() <= kMostElements || depth >= kMostDepth) return elements;
    std::vector<Element> parts;
    const auto is_repeat = [&](const Element& e) {
      return e.scope != kNoScope && drafts_[e.scope].kind == ScopeKind::repeat;
    };
    for (size_t begin = 0; begin < elements.size();) {
      size_t end = begin;
      while (end < elements.size() && !is_repeat(elements[end])) ++end;
      const std::vector<Element> cut = cut_in_parts(std::span(elements).subspan(begin, end - begin));
      parts.insert(parts.end(), cut.begin(), cut.end());
      if (end < elements.size()) parts.push_back(elements[end++]);
      begin = end;
    }
    return parts.size() < elements.size() ? in_parts(std::move(parts), depth + 1) : parts;
  }

  std::vector<Element> cut_in_parts(std::span<const Element> elements) {
    if (elements.size() <= kPart / 2) return {elements.begin(), elements.end()};
    const std::vector<size_t> begins = cut_at_waists(crossing(elements), kPart);
    std::vector<Element> parts;
    for (size_t i = 0; i < begins.size(); ++i) {
      const size_t end = i + 1 < begins.size() ? begins[i + 1] : elements.size();
      const uint32_t part = new_draft(ScopeKind::part, "", {});
      drafts_[part].elements.assign(elements.begin() + static_cast<std::ptrdiff_t>(begins[i]),
                                    elements.begin() + static_cast<std::ptrdiff_t>(end));
      drafts_[part].name = lines_of(drafts_[part].elements);
      finish(part);
      parts.push_back({{}, part});
    }
    return parts;
  }

  // Values that go from before element i to it or beyond.
  std::vector<uint32_t> crossing(std::span<const Element> elements) {
    std::unordered_map<uint32_t, uint32_t> element_of_op, last_use;
    std::vector<std::pair<uint32_t, OpId>> ops;
    for (uint32_t i = 0; i < elements.size(); ++i)
      each_op(elements[i], [&](OpId op) {
        element_of_op[op.raw] = i;
        ops.emplace_back(i, op);
      });
    std::vector<int64_t> change(elements.size() + 1, 0);
    for (const auto& [i, op] : ops)
      for (const ValueId v : graph_.operands(op)) {
        const ValueId from = tree_.origin(v);
        const OpId def = graph_.value(from).def;
        const auto at = def.valid() ? element_of_op.find(def.raw) : element_of_op.end();
        if (at == element_of_op.end() || at->second >= i) continue;
        uint32_t& last = last_use.try_emplace(from.raw, at->second).first->second;
        if (last >= i) continue;
        ++change[last + 1];
        --change[i + 1];
        last = i;
      }
    std::vector<uint32_t> sums;
    int64_t sum = 0;
    for (size_t i = 0; i < elements.size(); ++i) sums.push_back(static_cast<uint32_t>(sum += change[i]));
    return sums;
  }

  template <class Visit>
  void each_op(const Element& element, const Visit& visit) const {
    if (element.scope == kNoScope) {
      visit(element.op);
      return;
    }
    for (const Element& inner : drafts_[element.scope].elements) each_op(inner, visit);
  }

  uint64_t likeness_of(const Element& e) const {
    if (e.scope != kNoScope) return drafts_[e.scope].likeness;
    const Op& op = graph_.op(e.op);
    return hash_mix(static_cast<uint64_t>(op.kind), op.operands.count);
  }

  void finish(uint32_t scope) {
    uint64_t h = hash_mix(hash_bytes(drafts_[scope].name), static_cast<uint64_t>(drafts_[scope].kind));
    if (drafts_[scope].kind == ScopeKind::iteration || drafts_[scope].kind == ScopeKind::part) h = 0;
    for (const Element& e : drafts_[scope].elements) h = hash_mix(h, likeness_of(e));
    drafts_[scope].likeness = h;
  }

  // The first (last) op of an element in the block that it stands in: of a call, the call.
  OpId outer_op(const Element& e, bool last) const {
    const Element* at = &e;
    while (at->scope != kNoScope) {
      const Draft& draft = drafts_[at->scope];
      if (draft.owner.valid()) return draft.owner;
      if (draft.elements.empty()) return {};
      at = last ? &draft.elements.back() : &draft.elements.front();
    }
    return at->op;
  }

  std::string place_of_element(const Element& e) const {
    const OpId op = outer_op(e, false);
    return op.valid() ? cut_to(shown(place_of(graph_, report_.sources, op)), kNameWidth) : "ops";
  }

  std::string lines_of(std::span<const Element> elements) const {
    const OpId a = outer_op(elements.front(), false), b = outer_op(elements.back(), true);
    if (!a.valid() || !b.valid() || !graph_.op(a).where.valid() || !graph_.op(b).where.valid()) return "part";
    return "lines " + std::to_string(line_of(report_.sources, graph_.op(a).where)) + "-" +
           std::to_string(line_of(report_.sources, graph_.op(b).where));
  }

  // Pass 3. ----------------------------------------------------------------------------------------------------

  void number() {
    struct Open {
      uint32_t draft, parent;
    };
    std::vector<Open> open = {{0, kNoScope}};
    std::unordered_map<std::string, uint32_t> taken;
    while (!open.empty()) {
      const Open at = open.back();
      open.pop_back();
      const auto id = static_cast<uint32_t>(tree_.scopes.size());
      Draft& draft = drafts_[at.draft];
      DrawScope scope;
      scope.kind = draft.kind;
      scope.owner = draft.owner;
      scope.times = draft.times;
      scope.parent = at.parent;
      scope.name = std::move(draft.name);
      scope.path = at.parent == kNoScope ? scope.name : tree_.scopes[at.parent].path + '/' + scope.name;
      const uint32_t copies = ++taken[scope.path];
      if (copies > 1) scope.path += '#' + std::to_string(copies);
      if (at.parent != kNoScope) {
        scope.depth = tree_.scopes[at.parent].depth + 1;
        tree_.scopes[at.parent].children.push_back(id);
      }
      tree_.scopes.push_back(std::move(scope));
      std::vector<Open> inside;
      for (const Element& e : draft.elements) {
        if (e.scope != kNoScope)
          inside.push_back({e.scope, id});
        else
          tree_.scope_of_op[e.op.index()] = id;
      }
      open.insert(open.end(), inside.rbegin(), inside.rend());
    }
    sum_up();
    note_hidden();
  }

  void sum_up() {
    const auto add = [&](OpId op) {
      for (uint32_t s = tree_.scope_of_op[op.index()]; s != kNoScope; s = tree_.scopes[s].parent) {
        DrawScope& scope = tree_.scopes[s];
        ++scope.ops;
        const auto begin = [&](OpId o) { return graph_.op(o).where.begin; };
        if (!scope.first_op.valid() || begin(op) < begin(scope.first_op)) scope.first_op = op;
        if (!scope.last_op.valid() || begin(op) > begin(scope.last_op)) scope.last_op = op;
      }
    };
    for (size_t i = 0; i < tree_.scope_of_op.size(); ++i)
      if (tree_.scope_of_op[i] != kNoScope) add(OpId{i});
  }

  // Ops in regions of drawn ones.
  void note_hidden() {
    std::vector<char> owns(graph_.op_count(), 0);  // calls and the like, which are drawn as what is inside them
    for (const DrawScope& scope : tree_.scopes)
      if (scope.owner.valid()) owns[scope.owner.index()] = 1;
    for (size_t i = 0; i < graph_.op_count(); ++i) {
      OpId op{i};
      if (tree_.scope_of_op[i] != kNoScope || constant_[i] != 0 || owns[i] != 0 ||
          has_trait(graph_.op(op).kind, kTerminator))
        continue;
      for (int level = 0; op.valid() && level < 1000; ++level) {
        const BlockId parent = graph_.op(op).parent;
        if (!parent.valid()) break;
        op = graph_.region(graph_.block(parent).parent).owner;
        if (op.valid() && tree_.scope_of_op[op.index()] != kNoScope) {
          tree_.shown_as[i] = op;
          break;
        }
      }
    }
  }

  const PlanReport& report_;
  const Graph& graph_;
  SourcePaths paths_;
  StringId callee_;
  ScopeTree tree_;
  std::vector<Draft> drafts_;
  std::vector<char> constant_, moved_, inlined_;
  std::unordered_map<uint32_t, int64_t> trips_;  // by OpId of the while
};

}  // namespace

std::string_view scope_kind_name(ScopeKind kind) {
  switch (kind) {
    case ScopeKind::program: return "program";
    case ScopeKind::function: return "function";
    case ScopeKind::loop: return "loop";
    case ScopeKind::branches: return "conditional";
    case ScopeKind::branch: return "branch";
    case ScopeKind::manual: return "manual";
    case ScopeKind::source: return "source";
    case ScopeKind::repeat: return "repeat";
    case ScopeKind::iteration: return "iteration";
    case ScopeKind::others: return "others";
    case ScopeKind::part: break;
  }
  return "part";
}

ValueId ScopeTree::origin(ValueId value) const {
  for (size_t steps = 0; steps < same_as.size() && same_as[value.index()].valid(); ++steps)
    value = same_as[value.index()];
  return value;
}

bool ScopeTree::contains(uint32_t outer, uint32_t inner) const {
  while (inner != kNoScope && inner != outer) inner = scopes[inner].parent;
  return inner == outer;
}

std::vector<uint32_t> ScopeTree::find(std::string_view text) const {
  std::vector<uint32_t> found;
  for (uint32_t i = 0; i < scopes.size(); ++i) {
    const std::string_view path = scopes[i].path;
    if (path == text) return {i};
    const bool tail = path.size() > text.size() && path.ends_with(text) && path[path.size() - text.size() - 1] == '/';
    if (tail || scopes[i].name == text) found.push_back(i);
  }
  return found;
}

ScopeTree scope_tree(const PlanReport& report) { return Builder(report).build(); }

}  // namespace sw
