// See the header.
#include "draw/propagation_frames.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "base/small_vector.h"
#include "report/names.h"
#include "report/plan_text.h"
#include "report/rule_words.h"
#include "report/table.h"

namespace sw {

namespace {

constexpr size_t kSpecWidth = 40, kRefusedWidth = 56;
constexpr uint32_t kNone = GraphModel::kNoNode;

class FilmMaker {
 public:
  FilmMaker(const PlanReport& report, const GraphModel& model)
      : report_(report),
        graph_(report.program.graph),
        plan_(report.plan),
        model_(model),
        provenance_(report.program, report.plan),
        texts_(report) {}

  Film make(size_t most_frames) {
    film_.name = partitioner_title(plan_.by);
    film_.looks.resize(model_.nodes.size());
    place_values();
    cut_frames(most_frames);
    for (const Stretch& stretch : stretches_) play(stretch);
    settle();
    note_refusals();
    return std::move(film_);
  }

 private:
  // The values that each node stands for, by the value whose steps are theirs. A node that shows one value is it.
  void place_values() {
    nodes_of_home_.resize(graph_.value_count());
    for (const GraphEdge& e : model_.edges) edges_.emplace(e.from, e.to);
    shown_.resize(model_.nodes.size());
    counts_.resize(model_.nodes.size());
    totals_.assign(model_.nodes.size(), 0);
    const auto place = [&](ValueId value, uint32_t node) {
      if (graph_.type_of(value).rank() == 0 && graph_.type_of(value).is_array()) return;
      ++totals_[node];
      auto& nodes = nodes_of_home_[provenance_.home(value).value.index()];
      if (std::find(nodes.begin(), nodes.end(), node) == nodes.end()) nodes.push_back(node);
    };
    for (uint32_t n = 0; n < model_.nodes.size(); ++n) {
      const GraphNode& node = model_.nodes[n];
      if (node.kind == NodeKind::result) continue;
      if (node.values.size() == 1 && node.kind != NodeKind::folded) shown_[n] = node.values[0];
      if (node.kind == NodeKind::argument)
        for (const ValueId v : node.values) place(v, n);
    }
    for (size_t i = 0; i < graph_.op_count(); ++i) {
      const uint32_t node = model_.giver[i];
      if (node == kNone || model_.tree.scope_of_op[i] == kNoScope) continue;
      for (uint32_t r = 0; r < graph_.op(OpId{i}).result_count; ++r) place(graph_.result(OpId{i}, r), node);
    }
    for (uint32_t n = 0; n < model_.nodes.size(); ++n) film_.looks[n].push_back({});
  }

  // Steps that become one frame.
  struct Stretch {
    size_t begin = 0, end = 0;
    std::string caption;
  };

  void cut_frames(size_t most) {
    const auto& steps = plan_.trace.steps;
    size_t given = 0;
    while (given < steps.size() && steps[given].cause.kind == CauseKind::seed) ++given;
    stretches_.push_back({0, given, "as given"});
    const size_t share = std::max<size_t>(1, (steps.size() - given + most - 1) / std::max<size_t>(most, 1));
    for (size_t begin = given; begin < steps.size();) {
      size_t end = begin;
      const auto round = [&](size_t i) { return std::pair(steps[i].user_round, steps[i].round); };
      while (end < steps.size() && end - begin < share && round(end) == round(begin)) ++end;
      stretches_.push_back({begin, end, round_words(steps[begin])});
      begin = end;
    }
  }

  std::string round_words(const Step& step) const {
    const std::string round = std::to_string(step.round), outer = std::to_string(step.user_round);
    if (plan_.by == Partitioner::gspmd) return "level " + outer + ", sweep " + round;
    return (step.user_round > 0 ? "priority " + outer + ", " : "") + "round " + round;
  }

  bool is_shown(const Step& step) const {
    if (!step.value.valid() || step.leaf != 0) return false;
    return provenance_.home(step.value).instance == step.instance;
  }

  bool joined(uint32_t a, uint32_t b) const { return edges_.count({a, b}) > 0 || edges_.count({b, a}) > 0; }

  // The node of a value; of several the one beside `near`.
  uint32_t node_of(ValueId value, uint32_t near) const {
    const auto& nodes = nodes_of_home_[provenance_.home(value).value.index()];
    for (const uint32_t node : nodes)
      if (joined(node, near)) return node;
    return nodes.empty() ? model_.node_of_value(graph_, value) : nodes.front();
  }

  // A stretch in which nothing that is drawn changes is no frame.
  void play(const Stretch& stretch) {
    const uint32_t frame = film_.frames();
    size_t changes = 0;
    std::string example;
    for (size_t i = stretch.begin; i < stretch.end; ++i) {
      const Step& step = plan_.trace.steps[i];
      if (!is_shown(step) || nodes_of_home_[step.value.index()].empty()) continue;
      ++changes;
      for (const uint32_t node : nodes_of_home_[step.value.index()]) {
        change(step, frame, node);
        add_set(step, frame, node);
      }
      if (example.empty() && step.cause.kind != CauseKind::seed) example = words_of(i);
    }
    for (const uint32_t node : touched_) close_look(node, frame);
    touched_.clear();
    if (changes == 0 && frame > 0) return;
    std::string caption = stretch.caption + ": " + count_text(static_cast<int64_t>(changes)) +
                          (changes == 1 ? " sharding set" : " shardings set");
    if (!example.empty()) caption += ", as " + example;
    film_.captions.push_back(std::move(caption));
  }

  // The last look of a node, which is a new one where that before is of an earlier frame.
  static NodeLook& look_from(uint32_t frame, std::vector<NodeLook>& looks) {
    if (looks.back().from_frame != frame) looks.push_back({});
    return looks.back();
  }

  void change(const Step& step, uint32_t frame, uint32_t node) {
    const bool one = shown_[node].valid() && provenance_.home(shown_[node]).value == step.value;
    const Colours after = colours_of(provenance_.axes().of_sharding(step.after));
    if (one) {
      look_from(frame, film_.looks[node]) = {frame, after, cut_to(text_of(step.after, step.value), kSpecWidth)};
    } else if (!shown_[node].valid()) {
      auto& counts = counts_[node];
      const auto last = now_.find({node, step.value.raw});
      const Colours was = last != now_.end() ? last->second : colours_of(provenance_.axes().of_sharding(step.before));
      if (last != now_.end() && !was.none() && --counts[was] == 0) counts.erase(was);
      if (!after.none()) ++counts[after];
      now_[{node, step.value.raw}] = after;
      touched_.push_back(node);
    }
  }

  // Many values: the colour most of them have, and how many have any.
  void close_look(uint32_t node, uint32_t frame) {
    int64_t sharded = 0;
    uint32_t most = 0;
    Colours of_most;
    for (const auto& [colours, count] : counts_[node]) {
      sharded += count;
      if (count <= most) continue;
      most = count;
      of_most = colours;
    }
    look_from(frame, film_.looks[node]) = {frame, std::move(of_most),
                                           count_text(sharded) + " of " + count_text(totals_[node]) + " sharded"};
  }

  // As a PartitionSpec, whatever else the sharding says: what is open and may become more is no matter here.
  std::string text_of(uint32_t sharding, ValueId value) const {
    std::vector<std::string> dims(graph_.type_of(value).rank());
    if (provenance_.axes().of_sharding(sharding).empty()) return "P()";
    for (const DimAxis& cut : provenance_.axes().of_sharding(sharding)) {
      if (cut.dim >= dims.size()) continue;
      std::string& dim = dims[cut.dim];
      const std::string axis = axis_word(report_.program, plan_, cut.axis);
      dim += (dim.empty() ? "" : ", ") + (cut.axis.axis == kWholeDimension ? axis : "'" + axis + "'");
    }
    std::string text = "P(";
    for (size_t d = 0; d < dims.size(); ++d) {
      const bool several = dims[d].find("', '") != std::string::npos;
      text += (d > 0 ? ", " : "") + (dims[d].empty() ? "None" : several ? '(' + dims[d] + ')' : dims[d]);
    }
    return text + ')';
  }

  void add_set(const Step& step, uint32_t frame, uint32_t node) {
    NodeSet set{frame, node, kNone, kNone};
    if (step.cause.op.valid() && step.cause.op.index() < model_.taker.size())
      set.by = model_.taker[step.cause.op.index()];
    if (step.cause.from.valid()) set.from = node_of(step.cause.from, set.by != kNone && set.by != node ? set.by : node);
    const auto key = std::make_tuple(frame, node, set.from, set.by);
    if (seen_.insert(key).second) film_.sets.push_back(set);
  }

  // "dot_general %0 takes model from w (left free dimension)".
  std::string words_of(size_t step) {
    const auto all = provenance_.all();
    const auto at = std::lower_bound(all.begin(), all.end(), step,
                                     [](const AxisOrigin& o, size_t wanted) { return o.step < wanted; });
    if (at == all.end() || at->step != step) return "";
    const auto id = static_cast<uint32_t>(at - all.begin());
    std::string text =
        cut_to(origin_name(report_.program, *at), kSpecWidth) + " takes " + axis_word(report_.program, plan_, at->axis);
    if (at->parent != kNoOrigin)
      text += " from " + cut_to(origin_name(report_.program, provenance_.at(at->parent)), kSpecWidth);
    std::string why = cut_to(step_words(report_.program, plan_, provenance_, id), kRefusedWidth);
    if (const size_t colon = why.find(": "); colon != std::string::npos) why.erase(0, colon + 2);
    return why.empty() ? text : text + " (" + why + ')';
  }

  // The last frame is the plan: closed shardings, as they are exported. Results of main are only known then.
  void settle() {
    for (auto& counts : counts_) counts.clear();
    std::fill(totals_.begin(), totals_.end(), 0);
    const auto count = [&](ValueId value, uint32_t node) {
      if (graph_.type_of(value).rank() == 0) return;
      ++totals_[node];
      const Colours colours = colours_of(provenance_.axes().of_value(value));
      if (!colours.none()) ++counts_[node][colours];
    };
    for (uint32_t n = 0; n < model_.nodes.size(); ++n) {
      const GraphNode& node = model_.nodes[n];
      const bool edge_of_loop = node.kind == NodeKind::entry || node.kind == NodeKind::exit;
      if (node.kind == NodeKind::folded || edge_of_loop) continue;
      if (node.values.size() == 1)
        settle_one(n, node.values[0]);
      else
        for (const ValueId v : node.values) count(v, n);
    }
    for (size_t i = 0; i < graph_.op_count(); ++i) {
      const uint32_t node = model_.giver[i];
      if (node == kNone || model_.tree.scope_of_op[i] == kNoScope || shown_[node].valid()) continue;
      for (uint32_t r = 0; r < graph_.op(OpId{i}).result_count; ++r) count(graph_.result(OpId{i}, r), node);
    }
    for (uint32_t n = 0; n < model_.nodes.size(); ++n) {
      if (totals_[n] > 0) close_look(n, film_.frames() - 1);
      drop_repeated(film_.looks[n]);
    }
  }

  void settle_one(uint32_t n, ValueId value) {
    if (!graph_.type_of(value).is_array()) return;
    const uint32_t last = film_.frames() - 1;
    std::string text = spelling_of(texts_.of_value(value));
    if (value.index() < plan_.absent.size() && plan_.absent[value.index()] != 0) text = "not seen by the partitioner";
    look_from(last, film_.looks[n]) = {last, colours_of(provenance_.axes().of_value(value)), cut_to(text, kSpecWidth)};
  }

  static void drop_repeated(std::vector<NodeLook>& looks) {
    const auto same = [](const NodeLook& a, const NodeLook& b) { return a.colours == b.colours && a.text == b.text; };
    looks.erase(std::unique(looks.begin(), looks.end(), same), looks.end());
  }

  void note_refusals() {
    film_.refused.resize(model_.nodes.size());
    if (!plan_.mesh.valid()) return;
    for (uint32_t n = 0; n < model_.nodes.size(); ++n) {
      if (!shown_[n].valid()) continue;
      for (const Refusal& r : provenance_.refusals(provenance_.home(shown_[n]))) {
        const bool conflict = r.reason == RefusalReason::axis_in_use || r.reason == RefusalReason::conflict ||
                              r.reason == RefusalReason::dimension_taken || r.reason == RefusalReason::came_with_others;
        if (!conflict) continue;
        const AxisRef axis = r.part.size > 1 ? r.part : AxisRef{r.axis, 1, axis_size(r.axis)};
        film_.refused[n] = cut_to(axis_word(report_.program, plan_, axis) + " on dimension " + std::to_string(r.dim) +
                                      ": " + refusal_words(report_.program, plan_, r),
                                  kRefusedWidth);
        break;
      }
    }
  }

  uint32_t axis_size(uint32_t axis) const {
    const auto& axes = report_.program.shardings.mesh(plan_.mesh).mesh.axes;
    return axis < axes.size() ? static_cast<uint32_t>(axes[axis].size) : 1;
  }

  const PlanReport& report_;
  const Graph& graph_;
  const Plan& plan_;
  const GraphModel& model_;
  Provenance provenance_;
  ShardingTexts texts_;
  Film film_;
  std::vector<SmallVector<uint32_t, 1>> nodes_of_home_;  // by ValueId: an argument can be drawn several times
  std::set<std::pair<uint32_t, uint32_t>> edges_;
  std::vector<ValueId> shown_;                            // by node: the one value it shows
  std::vector<std::map<Colours, uint32_t>> counts_;       // by node: of many values
  std::vector<uint32_t> totals_;                          // by node: values
  std::map<std::pair<uint32_t, uint32_t>, Colours> now_;  // by node and ValueId, of nodes with many
  std::vector<uint32_t> touched_;
  std::set<std::tuple<uint32_t, uint32_t, uint32_t, uint32_t>> seen_;
  std::vector<Stretch> stretches_;
};

}  // namespace

Film film_of(const PlanReport& report, const GraphModel& model, size_t most_frames) {
  return FilmMaker(report, model).make(most_frames);
}

}  // namespace sw
