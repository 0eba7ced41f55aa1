// Makes a failing program smaller. An operation that is left out of main becomes an argument of main, elsewhere a
// constant, so that what remains is always a program.
#include <algorithm>
#include <set>

#include "property/random_graph.h"

namespace sw::test {

namespace {

constexpr Var kNoVar = static_cast<Var>(-1);

struct Place {
  Block* block;
  size_t at;
  Step& step() const { return block->steps[at]; }
};

// Where something can be left out: not in what ends a loop.
void places_in(Block& block, std::vector<Place>& out, Var counter) {
  for (size_t i = 0; i < block.steps.size(); ++i) {
    Step& step = block.steps[i];
    if (step.results[0] != counter && !step.kept) out.push_back({&block, i});
    const bool loop = step.name == "stablehlo.while";
    for (size_t b = loop ? 1 : 0; b < step.blocks.size(); ++b)
      places_in(step.blocks[b], out, loop ? step.blocks[b].results[0] : kNoVar);
  }
}

std::vector<Place> places(RandomGraph& graph) {
  std::vector<Place> out;
  places_in(graph.main, out, kNoVar);
  for (Block& function : graph.functions) places_in(function, out, kNoVar);
  return out;
}

void replace_uses(Block& block, Var from, Var to) {
  for (Var& v : block.results)
    if (v == from) v = to;
  for (Step& step : block.steps) {
    for (Var& v : step.operands)
      if (v == from) v = to;
    for (Block& inner : step.blocks) replace_uses(inner, from, to);
  }
}

void note_uses(const Block& block, std::set<Var>& used) {
  used.insert(block.results.begin(), block.results.end());
  for (const Step& step : block.steps) {
    used.insert(step.operands.begin(), step.operands.end());
    for (const Block& inner : step.blocks) note_uses(inner, used);
  }
}

// Drops what nobody uses.
void sweep(RandomGraph& graph) {
  for (bool changed = true; changed;) {
    changed = false;
    std::set<Var> used;
    note_uses(graph.main, used);
    for (const Block& function : graph.functions) note_uses(function, used);
    for (const Place& place : places(graph)) {
      const std::vector<Var>& made = place.step().results;
      if (std::any_of(made.begin(), made.end(), [&](Var v) { return used.contains(v); })) continue;
      place.block->steps.erase(place.block->steps.begin() + static_cast<ptrdiff_t>(place.at));
      changed = true;
      break;
    }
    std::set<int> called;
    for_each_step(graph, [&](const Step& step) { called.insert(step.callee); });
    for (size_t i = 0; i < graph.functions.size(); ++i)
      if (!called.contains(static_cast<int>(i))) graph.functions[i] = {};
    std::erase_if(graph.main.args, [&](Var v) { return !used.contains(v); });
  }
}

Step one(const RandomGraph& graph, Var v) {
  const ArrayType& type = graph.types[v];
  Step step;
  step.name = "stablehlo.constant";
  const std::string value = type.element == "i1" ? "true" : type.element == "f32" ? "1.0" : "1";
  step.attributes = "value = dense<" + value + "> : " + type.text();
  step.results = {v};
  return step;
}

enum class Edit : uint8_t { keep_result, end_early, leave_out, forward, drop_given, drop_result_given, last };

// Makes edit number `at` of its kind. False: there is none, or it does nothing.
bool apply(RandomGraph& graph, Edit edit, size_t at) {
  Block& main = graph.main;
  switch (edit) {
    case Edit::keep_result:
      if (main.results.size() < 2) return false;
      main.results = {main.results[at]};
      graph.result_given = {graph.result_given[at]};
      return true;
    case Edit::end_early:
      if (at + 1 >= main.steps.size()) return false;
      main.results = main.steps[at].results;
      graph.result_given.assign(main.results.size(), "");
      main.steps.erase(main.steps.begin() + static_cast<ptrdiff_t>(at) + 1, main.steps.end());
      return true;
    case Edit::leave_out: {
      const Place place = places(graph)[at];
      const std::vector<Var> made = place.step().results;
      if (place.block != &main && place.step().name == "stablehlo.constant") return false;
      std::vector<Step>& steps = place.block->steps;
      steps.erase(steps.begin() + static_cast<ptrdiff_t>(place.at));
      for (const Var v : made)
        if (place.block == &main)
          main.args.push_back(v);
        else
          steps.insert(steps.begin() + static_cast<ptrdiff_t>(place.at), one(graph, v));
      return true;
    }
    case Edit::forward: {
      const Place place = places(graph)[at];
      const Step step = place.step();
      if (step.results.size() != 1) return false;
      for (const Var v : step.operands) {
        if (!(graph.types[v] == graph.types[step.results[0]])) continue;
        replace_uses(*place.block, step.results[0], v);
        return true;
      }
      return false;
    }
    case Edit::drop_given: return at < main.args.size() && graph.given.erase(main.args[at]) > 0;
    case Edit::drop_result_given:
      if (graph.result_given[at].empty()) return false;
      graph.result_given[at].clear();
      return true;
    case Edit::last: break;
  }
  return false;
}

size_t count(RandomGraph& graph, Edit edit) {
  switch (edit) {
    case Edit::keep_result:
    case Edit::drop_result_given: return graph.main.results.size();
    case Edit::end_early: return graph.main.steps.size();
    case Edit::drop_given: return graph.main.args.size();
    default: return places(graph).size();
  }
}

}  // namespace

RandomGraph shrunk(RandomGraph graph, const std::function<bool(const RandomGraph&)>& fails) {
  for (bool changed = true; changed;) {
    changed = false;
    for (uint8_t kind = 0; kind < static_cast<uint8_t>(Edit::last); ++kind)
      for (size_t at = 0; at < count(graph, static_cast<Edit>(kind));) {
        RandomGraph candidate = graph;
        if (apply(candidate, static_cast<Edit>(kind), at)) {
          sweep(candidate);
          if (fails(candidate)) {
            graph = std::move(candidate);
            changed = true;
            continue;
          }
        }
        ++at;
      }
  }
  return graph;
}

}  // namespace sw::test
