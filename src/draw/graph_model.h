// The graph of a plan as pictures show it: folded to a readable size, clustered by scope, with the collectives on the
// edges. Plain data, made once for all kinds of pictures; nothing here knows of layouts.
//
// Which scopes are unfolded: those asked for, and then from the outside in, in the order of the text, as long as the
// nodes stay within a budget. A folded scope is one node. Arguments and results of main that go to, or come from, the
// same node are one node where they are many; arguments stand in each of the outermost scopes that use them. Constants,
// and what is made only of them, are left out.
//
// Worked example: y = dot(x, w) with x cut by data and w by model, both in scope "mlp", budget 2: the nodes are the
// argument x, w ("2 arguments" if there were many) and "mlp" with whatever collectives run inside it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "draw/scope_tree.h"
#include "propagate/compare.h"
#include "propagate/sharding_axes.h"
#include "report/collective_facts.h"
#include "report/plan_report.h"

namespace sw {

enum class NodeKind : uint8_t {
  argument,  // of main, or several of them
  op,
  folded,  // a scope
  entry,   // of an unfolded loop or conditional: what it is given
  exit,    // what it gives
  result   // of main, or several of them
};

// What a sharding is coloured by: the axes that it cuts along, wherever.
struct Colours {
  std::vector<uint32_t> axes;  // positions in the mesh, in order
  bool other = false;          // cut, but not along axes of the mesh; then there are none
  auto operator<=>(const Colours&) const = default;
  bool none() const { return axes.empty() && !other; }
};
Colours colours_of(std::span<const DimAxis> cuts);

struct ColorClass {
  std::string label;  // "data + model", "whole", "other tiles"
  Colours colours;
};

// Collectives of one kind over the same axes in one place.
struct GraphCollective {
  std::string kind;               // "all-gather"
  std::string over;               // "over {fsdp}"
  std::vector<std::string> axes;  // empty where groups follow no axes
  std::string devices;            // "8 of 64"
  std::string place, cause;       // of the first
  int64_t count = 0;              // in the program
  int64_t bytes = 0;              // a device and step
  uint8_t sides = 1;              // bit 0: plan a, bit 1: plan b
};

struct GraphNode {
  NodeKind kind = NodeKind::op;
  uint32_t scope = 0;                 // where it stands; of a folded node the scope that is folded
  OpId op;                            // invalid for arguments, results and folded scopes
  std::vector<ValueId> values;        // arguments: all of them; results: what is returned; otherwise the first result
  std::string title;                  // "dot_general", "params['w1']", "attention × 80", "24 arguments"
  std::string name;                   // "%12"
  std::string type, on_device;        // "f32[256,512]", "[128,128]"
  std::string spec, other_spec;       // P('data', None); of plan b where it differs
  std::string place;                  // "model.py:41"
  uint32_t color = 0;                 // index into classes
  int64_t ops = 1;                    // that it stands for
  int64_t bytes = 0;                  // of the values shown, whole
  uint32_t differences = 0;           // values that plan b shards differently
  std::vector<uint32_t> collectives;  // on what it gives; of a folded node: inside it
};

struct GraphEdge {
  uint32_t from = 0, to = 0;
  std::vector<uint32_t> collectives;
};

struct GraphModel {
  ScopeTree tree;
  std::vector<char> unfolded;  // by scope
  std::vector<GraphNode> nodes;
  std::vector<GraphEdge> edges;
  std::vector<GraphCollective> collectives;
  std::vector<ColorClass> classes;

  static constexpr uint32_t kNoNode = 0xffffffffU;
  // By OpId: the node that takes its operands, and the one that gives its results; kNoNode: not drawn. They are two
  // only for unfolded loops and conditionals.
  std::vector<uint32_t> taker, giver;
  // By argument of main: its first node (each outermost scope that uses it has one); kNoNode: nothing uses it.
  std::vector<uint32_t> node_of_argument;
  // The node that gives a value, or kNoNode.
  uint32_t node_of_value(const Graph& graph, ValueId value) const;
};

struct GraphOptions {
  size_t budget = 120;           // nodes, arguments and results aside
  std::vector<uint32_t> expand;  // scopes to unfold whatever the budget says
};

// Plan b, where two are drawn as one.
struct OtherPlan {
  const PlanReport& report;
  const CollectiveList* collectives;  // null: not partitioned
  const PlanComparison& comparison;
};

// `collectives`: of the report; null when the plan was not partitioned.
GraphModel graph_model(const PlanReport& report, ScopeTree tree, const CollectiveList* collectives,
                       const GraphOptions& options, const OtherPlan* other = nullptr);

}  // namespace sw
