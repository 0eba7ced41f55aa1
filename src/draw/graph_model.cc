// See the header. Made in this order: what is unfolded, nodes of ops, arguments and results, edges, collectives.
#include "draw/graph_model.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "base/checked_math.h"
#include "report/names.h"
#include "report/plan_text.h"
#include "report/rule_words.h"
#include "report/table.h"

namespace sw {

namespace {

constexpr size_t kTitleWidth = 40;
constexpr size_t kTypeWidth = 40;
constexpr size_t kSpecWidth = 48;
constexpr size_t kManyArguments = 3;  // more of them at one node become one
constexpr uint32_t kNone = GraphModel::kNoNode;

std::string shape_text(const std::vector<int64_t>& shape) {
  std::string text = "[";
  for (size_t i = 0; i < shape.size(); ++i)
    text += (i > 0 ? "," : "") + (shape[i] == kDynamic ? std::string("?") : std::to_string(shape[i]));
  return text + ']';
}

std::string times_text(const DrawScope& scope) {
  if (scope.kind == ScopeKind::loop && scope.times == 0) return "";
  return scope.times == 1 ? "" : " × " + count_text(scope.times);
}

class ModelBuilder {
 public:
  ModelBuilder(const PlanReport& report, ScopeTree tree, const OtherPlan* other)
      : report_(report),
        graph_(report.program.graph),
        other_(other),
        texts_(report),
        axes_(report.program, report.plan) {
    model_.tree = std::move(tree);
    model_.taker.assign(graph_.op_count(), kNone);
    model_.giver.assign(graph_.op_count(), kNone);
    model_.classes.push_back({"whole on every device", {}});
    differs_.assign(graph_.value_count(), 0);
    if (other != nullptr) {
      other_texts_.emplace_back(other->report);
      for (const Difference& d : other->comparison.differences()) differs_[d.a.index()] = 1;
    }
  }

  GraphModel build(const CollectiveList* collectives, const GraphOptions& options) {
    unfold(options);
    add_op_nodes();
    add_arguments();
    add_results();
    add_edges();
    colour_folded();
    if (collectives != nullptr) add_collectives(*collectives, 1);
    if (other_ != nullptr && other_->collectives != nullptr) add_collectives(*other_->collectives, 2);
    merge_sides();
    return std::move(model_);
  }

 private:
  // What is unfolded. ------------------------------------------------------------------------------------------

  void unfold(const GraphOptions& options) {
    const std::vector<DrawScope>& scopes = model_.tree.scopes;
    model_.unfolded.assign(scopes.size(), 0);
    std::vector<size_t> inside(scopes.size(), 0);  // nodes when unfolded
    for (const uint32_t s : model_.tree.scope_of_op)
      if (s != kNoScope) ++inside[s];
    for (const DrawScope& scope : scopes)
      if (scope.parent != kNoScope) ++inside[scope.parent];
    size_t nodes = 0;
    const auto open = [&](uint32_t s) {
      if (model_.unfolded[s] != 0) return;
      model_.unfolded[s] = 1;
      nodes += inside[s];
    };
    open(0);
    for (const uint32_t asked : options.expand)
      for (uint32_t s = asked; s != kNoScope; s = scopes[s].parent) open(s);
    const auto below_asked = [&](uint32_t s) {
      return std::any_of(options.expand.begin(), options.expand.end(),
                         [&](uint32_t asked) { return model_.tree.contains(asked, s); });
    };
    // What was asked for first, then everything; outer scopes before inner ones, and those that hold most before
    // others.
    const std::vector<int64_t> weight = bytes_inside();
    std::vector<uint32_t> order(scopes.size());
    for (uint32_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
      return scopes[a].depth != scopes[b].depth ? scopes[a].depth < scopes[b].depth : weight[a] > weight[b];
    });
    for (const bool asked_only : {true, false}) {
      if (asked_only && options.expand.empty()) continue;
      for (const uint32_t s : order) {
        const uint32_t parent = scopes[s].parent;
        if (parent == kNoScope || model_.unfolded[parent] == 0 || scopes[s].kind == ScopeKind::others) continue;
        if (nodes + inside[s] - 1 > options.budget || (asked_only && !below_asked(s))) continue;
        open(s);
      }
    }
  }

  // Of all that is made in each scope.
  std::vector<int64_t> bytes_inside() const {
    std::vector<int64_t> bytes(model_.tree.scopes.size(), 0);
    for (size_t i = 0; i < graph_.op_count(); ++i) {
      const uint32_t scope = model_.tree.scope_of_op[i];
      for (uint32_t r = 0; scope != kNoScope && r < graph_.op(OpId{i}).result_count; ++r)
        bytes[scope] = saturated_add(bytes[scope], bytes_of(graph_.result(OpId{i}, r)));
    }
    for (size_t s = bytes.size(); s-- > 1;)
      bytes[model_.tree.scopes[s].parent] = saturated_add(bytes[model_.tree.scopes[s].parent], bytes[s]);
    return bytes;
  }

  // The outermost folded scope around `scope`, or kNoScope.
  uint32_t folded_around(uint32_t scope) const {
    uint32_t folded = kNoScope;
    for (uint32_t s = scope; s != kNoScope; s = model_.tree.scopes[s].parent)
      if (model_.unfolded[s] == 0) folded = s;
    return folded;
  }

  // Nodes of ops. ----------------------------------------------------------------------------------------------

  uint32_t add_node(GraphNode node) {
    model_.nodes.push_back(std::move(node));
    return static_cast<uint32_t>(model_.nodes.size() - 1);
  }

  void add_op_nodes() {
    std::vector<uint32_t> folded_node(model_.tree.scopes.size(), kNone);
    for (size_t i = 0; i < graph_.op_count(); ++i) {
      const uint32_t scope = model_.tree.scope_of_op[i];
      if (scope == kNoScope) continue;
      const uint32_t folded = folded_around(scope);
      if (folded != kNoScope) {
        if (folded_node[folded] == kNone) folded_node[folded] = add_node(node_of_scope(folded));
        model_.taker[i] = model_.giver[i] = folded_node[folded];
      } else if (model_.tree.scopes[scope].owner == OpId{i}) {
        add_entry_and_exit(OpId{i}, scope);
      } else {
        model_.taker[i] = model_.giver[i] = add_node(node_of_op(OpId{i}, scope));
      }
    }
    // Ops drawn as another, and calls, whose place is that of what is inside them.
    for (size_t i = 0; i < graph_.op_count(); ++i) {
      OpId as = model_.tree.shown_as[i];
      if (as.valid()) {
        model_.taker[i] = model_.taker[as.index()];
        model_.giver[i] = model_.taker[as.index()];
      }
    }
    for (const DrawScope& scope : model_.tree.scopes) {
      if (!scope.owner.valid() || !scope.first_op.valid()) continue;
      uint32_t& taker = model_.taker[scope.owner.index()];
      uint32_t& giver = model_.giver[scope.owner.index()];
      if (taker == kNone) taker = model_.taker[scope.first_op.index()];
      if (giver == kNone) giver = model_.giver[scope.last_op.index()];
    }
  }

  GraphNode node_of_scope(uint32_t s) {
    const DrawScope& scope = model_.tree.scopes[s];
    GraphNode node;
    node.kind = NodeKind::folded;
    node.scope = s;
    node.ops = scope.ops;
    node.title = cut_to(scope.name + times_text(scope), kTitleWidth);
    if (scope.kind == ScopeKind::others) node.title = count_text(scope.times) + " more like it";
    if (scope.first_op.valid()) node.place = place_between(scope.first_op, scope.last_op);
    return node;
  }

  std::string place_between(OpId first, OpId last) const {
    const std::string a = shown(place_of(graph_, report_.sources, first));
    const std::string b = shown(place_of(graph_, report_.sources, last));
    if (a == b) return a;
    const size_t colon_a = a.find_last_of(": "), colon_b = b.find_last_of(": ");
    const bool one_file =
        colon_a != std::string::npos && colon_b != std::string::npos && a.substr(0, colon_a) == b.substr(0, colon_b);
    return one_file ? a + "–" + b.substr(colon_b + 1) : a + " … " + b;
  }

  // Empty: the whole.
  std::string on_device(const Type& type, PlannedSharding sharding) const {
    const std::vector<int64_t> device = device_shape(type, tiles_of(report_.program, sharding, type.rank()));
    const bool whole = std::equal(device.begin(), device.end(), type.dims.begin(), type.dims.end());
    return whole ? "" : shape_text(device);
  }

  void show_value(ValueId value, GraphNode& node) {
    const TypeId type_id = graph_.value(value).type;
    const Type type = graph_.types.get(type_id);
    node.values = {value};
    node.type = cut_to(shown(type_label(graph_, type_id)), kTypeWidth);
    if (type.is_array()) {
      node.on_device = on_device(type, sharding_of(report_.plan, value));
      node.bytes = array_bytes(type, std::vector<int64_t>(type.dims.begin(), type.dims.end()));
      node.spec = cut_to(spelling_of(texts_.of_value(value)), kSpecWidth);
    }
    const bool absent = value.index() < report_.plan.absent.size() && report_.plan.absent[value.index()] != 0;
    if (absent) node.spec = "not seen by the partitioner";
    node.color = class_of(axes_.of_value(value));
    if (differs_[value.index()] != 0) {
      node.differences = 1;
      node.other_spec = cut_to(spelling_of(other_texts_.front().of_value(value)), kSpecWidth);
    }
  }

  GraphNode node_of_op(OpId id, uint32_t scope) {
    GraphNode node;
    node.scope = scope;
    node.op = id;
    node.title = cut_to(shown(op_word(graph_, id)), kTitleWidth);
    node.place = shown(place_of(graph_, report_.sources, id));
    const Op& op = graph_.op(id);
    if (op.result_count == 0) return node;
    // Of several results the largest speaks for all.
    ValueId largest = graph_.result(id);
    for (uint32_t i = 1; i < op.result_count; ++i)
      if (bytes_of(graph_.result(id, i)) > bytes_of(largest)) largest = graph_.result(id, i);
    show_value(largest, node);
    node.name = cut_to(shown(spelled_name(graph_, largest)), kTitleWidth);
    for (uint32_t i = 0; i < op.result_count; ++i)
      if (graph_.result(id, i) != largest) node.differences += differs_[graph_.result(id, i).index()] != 0 ? 1U : 0U;
    return node;
  }

  int64_t bytes_of(ValueId value) const {
    const Type type = graph_.types.get(graph_.value(value).type);
    return type.is_array() ? array_bytes(type, {type.dims.begin(), type.dims.end()}) : 0;
  }

  void add_entry_and_exit(OpId id, uint32_t scope) {
    const DrawScope& s = model_.tree.scopes[scope];
    GraphNode entry = node_of_op(id, scope);
    const uint32_t carried = graph_.op(id).result_count;
    entry.kind = NodeKind::entry;
    entry.title = s.kind == ScopeKind::loop ? "each iteration" : "which branch";
    entry.name = s.kind == ScopeKind::loop ? count_text(carried) + " carried" : "";
    GraphNode exit = entry;
    exit.kind = NodeKind::exit;
    exit.title = s.kind == ScopeKind::loop ? "next iteration" : "result of the branch";
    entry.type = entry.on_device = entry.spec = entry.other_spec = exit.type = exit.on_device = exit.spec = "";
    exit.other_spec = "";
    entry.values.clear();
    exit.values.clear();
    entry.color = exit.color = 0;
    entry.bytes = exit.bytes = 0;
    entry.differences = exit.differences = 0;
    exit.ops = 0;
    model_.taker[id.index()] = add_node(std::move(entry));
    model_.giver[id.index()] = add_node(std::move(exit));
  }

  uint32_t class_of(std::span<const DimAxis> axes) {
    ColorClass c{"", colours_of(axes)};
    for (uint32_t i = 0; i < model_.classes.size(); ++i)
      if (model_.classes[i].colours == c.colours) return i;
    const MeshId mesh = report_.plan.mesh;
    for (const uint32_t axis : c.colours.axes) {
      const auto& names = mesh.valid() ? report_.program.shardings.mesh(mesh).mesh.axes : std::vector<MeshAxis>();
      const std::string name = axis < names.size() ? shown(names[axis].name) : std::to_string(axis);
      c.label += (c.label.empty() ? "" : " + ") + cut_to(name, kTitleWidth);
    }
    if (c.colours.other) c.label = "tiles that follow no axis";
    model_.classes.push_back(std::move(c));
    return static_cast<uint32_t>(model_.classes.size() - 1);
  }

  // A folded scope has the colour that most of its ops have.
  void colour_folded() {
    std::map<uint32_t, std::map<uint32_t, uint32_t>> counts;
    for (size_t i = 0; i < graph_.op_count(); ++i) {
      const uint32_t node = model_.taker[i];
      if (node == kNone || model_.nodes[node].kind != NodeKind::folded) continue;
      const Op& op = graph_.op(OpId{i});
      for (uint32_t r = 0; r < op.result_count; ++r) {
        const ValueId value = graph_.result(OpId{i}, r);
        if (graph_.type_of(value).rank() > 0) ++counts[node][class_of(axes_.of_value(value))];
        if (differs_[value.index()] != 0) ++model_.nodes[node].differences;
      }
    }
    for (const auto& [node, classes] : counts)
      model_.nodes[node].color = std::max_element(classes.begin(), classes.end(), [](const auto& a, const auto& b) {
                                   return a.second < b.second;
                                 })->first;
  }

  // Arguments and results of main. -----------------------------------------------------------------------------

  void add_arguments() {
    const std::vector<ValueId> arguments = main_arguments(graph_);
    model_.node_of_argument.assign(arguments.size(), kNone);
    if (arguments.empty()) return;
    const uint32_t first = arguments.front().raw;
    const auto number = [&](ValueId v) {
      const ValueId from = model_.tree.origin(v);
      return from.raw >= first && from.raw - first < arguments.size() ? from.raw - first : kNone;
    };
    // Once in each outermost scope that uses it, so that no edge runs from the first line to the last.
    std::map<std::pair<uint32_t, uint32_t>, uint32_t> user;  // by argument and scope: the first node
    for (size_t i = 0; i < graph_.op_count(); ++i) {
      const uint32_t node = model_.taker[i];
      if (node == kNone) continue;
      for (const ValueId v : graph_.operands(OpId{i}))
        if (const uint32_t a = number(v); a != kNone) user.try_emplace({a, region_of_node(node)}, node);
    }
    std::map<uint32_t, std::vector<uint32_t>> groups;  // by the node that uses them first
    for (const auto& [use, node] : user) groups[node].push_back(use.first);
    for (const auto& [node, members] : groups) {
      const bool many = members.size() > kManyArguments;
      const uint32_t scope = outside_of(node), region = region_of_node(node);
      uint32_t shared = kNone;
      for (const uint32_t a : members) {
        if (!many || shared == kNone) shared = add_node(argument_node(arguments[a], scope));
        GraphNode& shown_node = model_.nodes[shared];
        argument_in_[{a, region}] = shared;
        if (model_.node_of_argument[a] == kNone) model_.node_of_argument[a] = shared;
        if (!many || a == members.front()) continue;
        shown_node.values.push_back(arguments[a]);
        shown_node.bytes = saturated_add(shown_node.bytes, bytes_of(arguments[a]));
        shown_node.differences += differs_[arguments[a].index()] != 0 ? 1U : 0U;
      }
      if (many) summarize(model_.nodes[shared], "arguments");
    }
  }

  // The scope right below the program's that a node is in; 0 when it is in none.
  uint32_t region_of_node(uint32_t node) const {
    uint32_t scope = model_.nodes[node].scope;
    while (scope != 0 && model_.tree.scopes[scope].parent != 0) scope = model_.tree.scopes[scope].parent;
    return scope;
  }

  // The node that gives `value` (an origin) to `taker`.
  uint32_t giver_for(ValueId value, uint32_t taker) const {
    const uint32_t node = model_.node_of_value(graph_, value);
    if (node == kNone || model_.nodes[node].kind != NodeKind::argument) return node;
    const auto copy = argument_in_.find({graph_.value(value).index, region_of_node(taker)});
    return copy == argument_in_.end() ? node : copy->second;
  }

  // The scope in which the arguments of a node stand: that of the node, outside of a loop it begins.
  uint32_t outside_of(uint32_t node) const {
    const GraphNode& n = model_.nodes[node];
    const bool edge_of_scope = n.kind == NodeKind::folded || n.kind == NodeKind::entry || n.kind == NodeKind::exit;
    const uint32_t parent = model_.tree.scopes[n.scope].parent;
    return edge_of_scope && parent != kNoScope ? parent : n.scope;
  }

  GraphNode argument_node(ValueId value, uint32_t scope) {
    GraphNode node;
    node.kind = NodeKind::argument;
    node.scope = scope;
    node.ops = 0;
    show_value(value, node);
    node.title = cut_to(shown(display_name(graph_, value)), kTitleWidth);
    return node;
  }

  // Many arguments or results as one.
  void summarize(GraphNode& node, std::string_view what) {
    node.title = count_text(static_cast<int64_t>(node.values.size())) + ' ' + std::string(what);
    node.name = node.type = node.on_device = node.spec = node.other_spec = "";
    std::map<uint32_t, uint32_t> classes;
    if (what == "arguments")
      for (const ValueId v : node.values) ++classes[class_of(axes_.of_value(v))];
    for (const auto& [c, count] : classes)
      if (count > classes[node.color]) node.color = c;
  }
  void add_results() {
    if (!graph_.main.valid() || !graph_.function(graph_.main).body.valid()) return;
    const Block& block = graph_.block(graph_.entry_block(graph_.function(graph_.main).body));
    if (block.ops.empty() || !has_trait(graph_.op(block.ops.back()).kind, kTerminator)) return;
    const auto returned = graph_.operands(block.ops.back());
    std::map<uint32_t, std::vector<uint32_t>> groups;  // by the node that gives them
    for (uint32_t i = 0; i < returned.size(); ++i)
      if (const uint32_t node = model_.node_of_value(graph_, returned[i]); node != kNone) groups[node].push_back(i);
    for (const auto& [from, members] : groups) {
      const bool many = members.size() > kManyArguments;
      const uint32_t scope = outside_of(from);
      uint32_t shared = kNone;
      for (const uint32_t i : members) {
        if (!many || shared == kNone) shared = add_node(result_node(returned[i], i, scope));
        if (many && i != members.front()) {
          model_.nodes[shared].values.push_back(returned[i]);
          model_.nodes[shared].bytes = saturated_add(model_.nodes[shared].bytes, bytes_of(returned[i]));
        }
        result_node_of_.resize(returned.size(), kNone);
        result_node_of_[i] = shared;
        add_edge(from, shared);
      }
      if (many) summarize(model_.nodes[shared], "results");
    }
  }

  GraphNode result_node(ValueId value, size_t index, uint32_t scope) {
    GraphNode node;
    node.kind = NodeKind::result;
    node.scope = scope;
    node.ops = 0;
    show_value(value, node);
    node.title = cut_to(shown(output_name(graph_, index)), kTitleWidth);
    // What is returned has a sharding beside that of the value.
    const PlannedSharding own = sharding_of_output(report_.plan, index);
    if (!own.named.valid() && !own.tiled.valid()) return node;
    const Type type = graph_.type_of(value);
    node.on_device = on_device(type, own);
    node.spec = cut_to(spelling_of(texts_.of_output(index)), kSpecWidth);
    node.color = class_of(axes_.of_output(index));
    node.differences = 0;
    node.other_spec.clear();
    if (other_ == nullptr) return node;
    const auto& outputs = other_->comparison.outputs();
    if (std::find(outputs.begin(), outputs.end(), index) == outputs.end()) return node;
    node.differences = 1;
    node.other_spec = cut_to(spelling_of(other_texts_.front().of_output(index)), kSpecWidth);
    return node;
  }

  // Edges. -----------------------------------------------------------------------------------------------------

  void add_edge(uint32_t from, uint32_t to) {
    if (from == kNone || to == kNone || from == to) return;
    if (edge_of_.try_emplace({from, to}, static_cast<uint32_t>(model_.edges.size())).second)
      model_.edges.push_back({from, to, {}});
  }

  void add_edges() {
    for (size_t i = 0; i < graph_.op_count(); ++i) {
      const OpId id{i};
      uint32_t to = model_.taker[i];
      const Op& op = graph_.op(id);
      if (to == kNone && has_trait(op.kind, kTerminator)) to = end_of_iteration(op);
      if (to == kNone) continue;
      for (const ValueId v : graph_.operands(id)) add_edge(giver_for(model_.tree.origin(v), to), to);
    }
  }

  // What a terminator hands its values to: the end of the loop or conditional around it.
  uint32_t end_of_iteration(const Op& terminator) const {
    if (!terminator.parent.valid()) return kNone;
    const RegionId region = graph_.block(terminator.parent).parent;
    const OpId owner = model_.tree.owner_of_region[region.index()];
    if (!owner.valid()) return kNone;
    const OpKind kind = graph_.op(owner).kind;
    const bool ends = kind == OpKind::while_ || kind == OpKind::case_ || kind == OpKind::if_;
    return ends ? model_.giver[owner.index()] : kNone;
  }

  // Collectives. -----------------------------------------------------------------------------------------------

  // Where a collective is drawn: on an edge, at a node, or nowhere.
  struct Place {
    uint32_t edge = kNone, node = kNone;
    auto operator<=>(const Place&) const = default;
  };

  Place place_of_collective(const CollectiveCause& cause) {
    if (cause.op.valid() && cause.op.index() < model_.taker.size()) {
      const Op& op = graph_.op(cause.op);
      const uint32_t to = model_.taker[cause.op.index()];
      const bool of_operand = cause.operand >= 0 && static_cast<uint32_t>(cause.operand) < op.operands.count;
      if (of_operand) {
        const ValueId moved = model_.tree.origin(graph_.operands(op)[static_cast<size_t>(cause.operand)]);
        const uint32_t from = to != kNone ? giver_for(moved, to) : model_.node_of_value(graph_, moved);
        const uint32_t end = to != kNone ? to : has_trait(op.kind, kTerminator) ? result_of(cause) : kNone;
        if (const auto edge = edge_of_.find({from, end}); from != end && edge != edge_of_.end())
          return {edge->second, kNone};
      }
      if (to != kNone) return {kNone, of_operand ? to : model_.giver[cause.op.index()]};
    }
    if (cause.value.valid() && cause.value.index() < graph_.value_count())
      return {kNone, model_.node_of_value(graph_, cause.value)};
    return {};
  }

  uint32_t result_of(const CollectiveCause& cause) const {
    const auto i = static_cast<size_t>(cause.operand);
    const bool of_main = i < result_node_of_.size() && graph_.main.valid() &&
                         graph_.op(cause.op).parent == graph_.entry_block(graph_.function(graph_.main).body);
    return of_main ? result_node_of_[i] : end_of_iteration(graph_.op(cause.op));
  }

  void add_collectives(const CollectiveList& list, uint8_t side) {
    for (const CollectiveFacts& facts : list.all()) {
      const Place place = place_of_collective(facts.collective->cause);
      const auto key = std::make_tuple(place, std::string(facts.kind), facts.groups->over, side);
      const auto [at, fresh] = collective_of_.try_emplace(key, static_cast<uint32_t>(model_.collectives.size()));
      if (fresh) {
        GraphCollective c;
        c.kind = std::string(facts.kind);
        c.over = cut_to(shown(facts.groups->over), kTitleWidth);
        c.axes = facts.groups->axes;
        c.devices = facts.groups->devices;
        c.place = facts.place;
        c.cause = facts.cause;
        c.sides = side;
        model_.collectives.push_back(std::move(c));
      }
      GraphCollective& c = model_.collectives[at->second];
      ++c.count;
      c.bytes = saturated_add(c.bytes, facts.bytes);
    }
  }

  // What both plans have in one place is one; then everything goes to its place.
  void merge_sides() {
    for (const auto& [key, index] : collective_of_) {
      const auto& [place, kind, over, side] = key;
      GraphCollective& c = model_.collectives[index];
      if (side == 2) {
        const auto twin = collective_of_.find(std::make_tuple(place, kind, over, uint8_t{1}));
        if (twin != collective_of_.end()) {
          GraphCollective& first = model_.collectives[twin->second];
          if (first.bytes == c.bytes && first.count == c.count) {
            first.sides = 3;
            c.sides = 0;
            continue;
          }
        }
      }
      if (place.edge != kNone)
        model_.edges[place.edge].collectives.push_back(index);
      else if (place.node != kNone)
        model_.nodes[place.node].collectives.push_back(index);
    }
    const auto most_bytes_first = [&](std::vector<uint32_t>& list) {
      std::stable_sort(list.begin(), list.end(), [&](uint32_t a, uint32_t b) {
        return model_.collectives[a].bytes > model_.collectives[b].bytes;
      });
    };
    for (GraphEdge& edge : model_.edges) most_bytes_first(edge.collectives);
    for (GraphNode& node : model_.nodes) most_bytes_first(node.collectives);
  }

  const PlanReport& report_;
  const Graph& graph_;
  const OtherPlan* other_;
  ShardingTexts texts_;
  std::vector<ShardingTexts> other_texts_;  // one or none
  ShardingAxes axes_;
  GraphModel model_;
  std::vector<char> differs_;                                      // by ValueId
  std::vector<uint32_t> result_node_of_;                           // by result of main
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> argument_in_;  // by argument and region: its node there
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> edge_of_;
  std::map<std::tuple<Place, std::string, std::string, uint8_t>, uint32_t> collective_of_;
};

}  // namespace

uint32_t GraphModel::node_of_value(const Graph& graph, ValueId value) const {
  value = tree.origin(value);
  const Value& v = graph.value(value);
  if (v.def.valid()) return giver[v.def.index()];
  if (!v.block.valid()) return kNoNode;
  const RegionId region = graph.block(v.block).parent;
  const OpId owner = tree.owner_of_region[region.index()];
  if (owner.valid()) return taker[owner.index()];
  const bool of_main = graph.main.valid() && graph.function(graph.main).body == region;
  return of_main && v.index < node_of_argument.size() ? node_of_argument[v.index] : kNoNode;
}

Colours colours_of(std::span<const DimAxis> cuts) {
  Colours c;
  for (const DimAxis& cut : cuts) {
    if (cut.axis.axis == kWholeDimension)
      c.other = true;
    else
      c.axes.push_back(cut.axis.axis);
  }
  std::sort(c.axes.begin(), c.axes.end());
  c.axes.erase(std::unique(c.axes.begin(), c.axes.end()), c.axes.end());
  if (c.other) c.axes.clear();
  return c;
}

GraphModel graph_model(const PlanReport& report, ScopeTree tree, const CollectiveList* collectives,
                       const GraphOptions& options, const OtherPlan* other) {
  return ModelBuilder(report, std::move(tree), other).build(collectives, options);
}

}  // namespace sw
