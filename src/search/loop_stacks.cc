// See the header.
#include "search/loop_stacks.h"

#include <algorithm>

#include "partition/collect.h"

namespace sw {

namespace {

int64_t element_index(const Graph& graph, const Op& op) {
  const AttrId index = graph.attr(op, "index");
  return index.valid() ? graph.attr_table.get(index).integer : -1;
}

bool rewraps(OpKind kind) {
  return kind == OpKind::reshape || kind == OpKind::copy || kind == OpKind::transpose || kind == OpKind::convert ||
         kind == OpKind::bitcast || kind == OpKind::broadcast_in_dim || kind == OpKind::broadcast;
}

bool is_loop(const Graph& graph, OpId id) {
  const Op& op = graph.op(id);
  if (op.kind != OpKind::while_ || op.regions.count != 2 || graph.operands(op).size() != 1 || op.result_count != 1)
    return false;
  const OpId init = graph.value(graph.operands(op)[0]).def;
  return init.valid() && graph.op(init).kind == OpKind::tuple;
}

class Finder {
 public:
  explicit Finder(const Graph& graph) : graph_(graph), users_(graph.value_count()) {
    for (size_t i = 0; i < graph.op_count(); ++i)
      if (graph.op(OpId{i}).parent.valid())
        for (const ValueId operand : graph.operands(OpId{i})) users_[operand.index()].push_back(OpId{i});
  }

  std::vector<LoopStack> find() {
    if (!graph_.main.valid() || !graph_.function(graph_.main).body.valid()) return {};
    for (const OpId id : graph_.block(graph_.entry_block(graph_.function(graph_.main).body)).ops)
      if (is_loop(graph_, id)) look(id);
    return std::move(found_);
  }

 private:
  void look(OpId loop) {
    const auto initial = graph_.operands(graph_.value(graph_.operands(loop)[0]).def);
    const LoopState state = loop_state(graph_, loop);
    for (uint32_t i = 0; i < state.end.size() && i < initial.size(); ++i) {
      const OpId writer = graph_.value(state.end[i]).def;
      if (!writer.valid() || graph_.op(writer).kind != OpKind::dynamic_update_slice) continue;
      const auto operands = graph_.operands(writer);
      if (!state.begin[i].valid() || operands[0] != state.begin[i]) continue;
      LoopStack stack{loop, i, initial[i], operands[1], std::max<int64_t>(trip_count(graph_, loop), 1), false, {}, 0};
      const ValueId written = unwrapped(graph_, operands[1]);
      stack.of_carry = std::find(state.begin.begin(), state.begin.end(), written) != state.begin.end();
      find_reader(stack);
      found_.push_back(stack);
    }
  }

  void find_reader(LoopStack& stack) const {
    OpId found;
    for (const OpId element : users_[graph_.result(stack.loop).index()]) {
      const Op& op = graph_.op(element);
      if (op.kind != OpKind::get_tuple_element) return;
      if (element_index(graph_, op) != stack.index) continue;
      for (const OpId tuple : users_[graph_.result(element).index()]) {
        if (graph_.op(tuple).kind != OpKind::tuple) return;
        for (const OpId user : users_[graph_.result(tuple).index()]) {
          if (!is_loop(graph_, user) || (found.valid() && found != user)) return;
          found = user;
          const auto state = graph_.operands(tuple);
          const auto place = std::find(state.begin(), state.end(), graph_.result(element));
          stack.reader_index = static_cast<uint32_t>(place - state.begin());
        }
      }
    }
    stack.reader = found;
  }

  const Graph& graph_;
  std::vector<std::vector<OpId>> users_;
  std::vector<LoopStack> found_;
};

}  // namespace

LoopState loop_state(const Graph& graph, OpId loop) {
  LoopState state;
  const RegionId body = graph.regions(graph.op(loop))[1];
  state.body = graph.region(body).function;
  const BlockId block = graph.entry_block(body);
  if (graph.block(block).arg_count != 1 || graph.block(block).ops.empty()) return state;
  const ValueId parameter = graph.arg(block, 0);
  const auto returned = graph.operands(graph.block(block).ops.back());
  const OpId root = returned.size() == 1 ? graph.value(returned[0]).def : OpId{};
  if (!root.valid() || graph.op(root).kind != OpKind::tuple) return state;
  const auto end = graph.operands(root);
  state.end.assign(end.begin(), end.end());
  state.begin.resize(state.end.size());
  for (const OpId id : graph.block(block).ops) {
    const Op& op = graph.op(id);
    if (op.kind != OpKind::get_tuple_element || graph.operands(op)[0] != parameter) continue;
    const int64_t index = element_index(graph, op);
    if (index >= 0 && index < static_cast<int64_t>(state.begin.size()))
      state.begin[static_cast<size_t>(index)] = graph.result(id);
  }
  return state;
}

ValueId unwrapped(const Graph& graph, ValueId value) {
  for (OpId def = graph.value(value).def; def.valid() && rewraps(graph.op(def).kind); def = graph.value(value).def)
    value = graph.operands(def)[0];
  return value;
}

std::vector<LoopStack> find_loop_stacks(const Graph& graph) { return Finder(graph).find(); }

}  // namespace sw
