#include "partition/backend/loop_motion.h"

#include <algorithm>
#include <unordered_set>

#include "partition/backend/device_offset.h"
#include "partition/collect.h"

namespace sw {

namespace {

constexpr int kMaxIndexDepth = 20;  // of the expression of an index

// One loop: its op, and the parts of its body that carry values round.
class Loop {
 public:
  Loop(Rewrite& rewrite, OpId loop, int64_t trips) : rewrite_(rewrite), loop_(loop), trips_(trips) {
    const Op& op = rewrite.graph().op(loop);
    const auto regions = rewrite.graph().regions(op);
    if (op.kind != OpKind::while_ || regions.size() != 2 || rewrite.graph().operands(op).size() != 1) return;
    condition_ = rewrite.graph().region(regions[0]).function;
    body_ = rewrite.graph().region(regions[1]).function;
    const ValueId out = rewrite.root(body_), in = rewrite.operand(loop);
    if (!rewrite.is(out, OpKind::tuple) || !rewrite.is(in, OpKind::tuple)) return;
    next_ = rewrite.def(out);
    init_ = rewrite.def(in);
    if (rewrite.graph().block(rewrite.graph().entry_block(rewrite.graph().function(body_).body)).arg_count != 1) return;
    state_ = rewrite.graph().arg(rewrite.graph().entry_block(rewrite.graph().function(body_).body), 0);
    // Results must be taken apart at once, so that one of them can be replaced.
    usable_ =
        std::all_of(rewrite.users(rewrite.result(loop)).begin(), rewrite.users(rewrite.result(loop)).end(),
                    [&](OpId user) { return rewrite.graph().op(user).kind == OpKind::get_tuple_element; }) &&
        rewrite.root(rewrite.graph().region(rewrite.graph().block(op.parent).parent).function) != rewrite.result(loop);
  }

  bool usable() const { return usable_; }
  FunctionId body() const { return body_; }
  OpId op() const { return loop_; }

  // The element of the carried state that a value of the body is; nothing for any other value.
  std::optional<int64_t> carried(ValueId value) const {
    if (!rewrite_.is(value, OpKind::get_tuple_element) || rewrite_.operand(rewrite_.def(value)) != state_)
      return std::nullopt;
    const int64_t index = index_of(rewrite_.def(value));
    const size_t known = std::min(rewrite_.graph().operands(init_).size(), rewrite_.graph().operands(next_).size());
    return index >= 0 && static_cast<size_t>(index) < known ? std::optional(index) : std::nullopt;
  }
  // Where the op stands in the next state; nothing when that is not exactly once.
  std::optional<int64_t> place_in_next(ValueId value) const {
    std::optional<int64_t> place;
    const auto next = rewrite_.graph().operands(next_);
    for (size_t i = 0; i < next.size(); ++i) {
      if (next[i] != value) continue;
      if (place) return std::nullopt;
      place = static_cast<int64_t>(i);
    }
    return place;
  }
  bool is_next(OpId op) const { return op == next_; }
  // Ops of the body that read the element.
  std::vector<OpId> readers(int64_t element) const {
    std::vector<OpId> found;
    for (OpId user : rewrite_.users(state_))
      if (rewrite_.graph().op(user).kind == OpKind::get_tuple_element && index_of(user) == element)
        found.push_back(user);
    return found;
  }
  bool condition_reads(int64_t element) const {
    for (OpId op : rewrite_.post_order(condition_)) {
      if (rewrite_.graph().op(op).kind != OpKind::get_tuple_element) continue;
      const bool of_state = rewrite_.maker(rewrite_.operand(op)) == nullptr;
      if (of_state && index_of(op) == element) return true;
    }
    return false;
  }
  int64_t trips() const { return trips_; }
  bool has_barrier() const {
    const Graph& graph = rewrite_.graph();
    const std::vector<OpId>& ops = graph.block(graph.entry_block(graph.function(body_).body)).ops;
    return std::any_of(ops.begin(), ops.end(), [&](OpId op) {
      return graph.op(op).kind == OpKind::optimization_barrier && !rewrite_.erased(op);
    });
  }

  ValueId initial(int64_t element) const { return rewrite_.operand(init_, static_cast<size_t>(element)); }
  void start_from_zero(int64_t element) {
    const ValueId value = initial(element);
    const Type type = rewrite_.shape(value);
    const ArrayShape shape{type.element, Dims(type.dims)};
    const ValueId zeros =
        rewrite_.emit(loop_, [&](Emitter& emit) { return emit.splat(emit.zero(shape.element), shape); });
    std::vector<ValueId> state(rewrite_.graph().operands(init_).begin(), rewrite_.graph().operands(init_).end());
    state[static_cast<size_t>(element)] = zeros;
    const ValueId tuple = rewrite_.add(loop_, OpKind::tuple, rewrite_.type(rewrite_.result(init_)), state);
    rewrite_.set_operand(loop_, 0, tuple);
    init_ = rewrite_.def(tuple);
  }
  // Results of the loop that are the element; made when nobody has taken it yet.
  std::vector<OpId> results(int64_t element) const {
    std::vector<OpId> found;
    for (OpId user : rewrite_.users(rewrite_.result(loop_)))
      if (index_of(user) == element) found.push_back(user);
    return found;
  }

 private:
  int64_t index_of(OpId op) const {
    const AttrId attr = rewrite_.graph().attr(rewrite_.graph().op(op), "index");
    return attr.valid() ? rewrite_.graph().attr_table.get(attr).integer : 0;
  }

  Rewrite& rewrite_;
  OpId loop_, next_, init_;
  int64_t trips_;  // 0: not known
  FunctionId condition_, body_;
  ValueId state_;
  bool usable_ = false;
};

bool keeps_elements(OpKind kind) {
  return kind == OpKind::convert || kind == OpKind::bitcast || kind == OpKind::reshape || kind == OpKind::transpose;
}

class Mover {
 public:
  Mover(Rewrite& rewrite, LoopMotion options) : rewrite_(rewrite), options_(options) {}

  void visit(OpId op, int64_t trips) {
    Loop loop(rewrite_, op, trips);
    if (!loop.usable()) return;
    for (OpId reduced : rewrite_.post_order(loop.body())) {
      const Op& data = rewrite_.graph().op(reduced);
      if (data.kind != OpKind::all_reduce || rewrite_.graph().operands(reduced).size() != 1) continue;
      if (moved_.contains(reduced.raw) || !reduction_kind(rewrite_.graph(), data)) continue;
      if (const auto element = stacked(loop, reduced)) {
        sink(loop, reduced, *element, false);
      } else if (reduction_kind(rewrite_.graph(), data) == OpKind::add) {
        std::vector<int64_t> elements = accumulated(loop, reduced);
        if (elements.empty() && options_.scattered_sums) elements = scattered(loop, reduced);
        for (int64_t e : elements) sink(loop, reduced, e, true);
        if (elements.empty()) continue;
      } else {
        continue;
      }
      rewrite_.replace(reduced, rewrite_.operand(reduced));
    }
  }

 private:
  // The elements of the state that the result is only added to, and that nobody reads; empty: something else is done
  // with it.
  std::vector<int64_t> accumulated(const Loop& loop, OpId reduced) const {
    const ElementType type = rewrite_.shape(rewrite_.result(reduced)).element;
    if (!is_integer(type) && !is_floating(type)) return {};
    if (!options_.scattered_sums && comes_from_scatter(rewrite_.operand(reduced))) return {};
    std::vector<int64_t> elements;
    std::vector<ValueId> waiting{rewrite_.result(reduced)};
    while (!waiting.empty()) {
      const ValueId value = waiting.back();
      waiting.pop_back();
      for (OpId user : rewrite_.users(value)) {
        const OpKind kind = rewrite_.graph().op(user).kind;
        if (keeps_elements(kind) || kind == OpKind::slice || kind == OpKind::broadcast_in_dim) {
          waiting.push_back(rewrite_.result(user));
          continue;
        }
        if (kind != OpKind::add || rewrite_.operand(user, 0) == rewrite_.operand(user, 1)) return {};
        const auto element = sum_of(loop, user, rewrite_.operand(user, rewrite_.operand(user, 0) == value ? 1 : 0));
        if (!element || loop.condition_reads(*element)) return {};
        elements.push_back(*element);
      }
      if (loop.place_in_next(value)) return {};
    }
    return elements;
  }

  bool comes_from_scatter(ValueId value) const {
    while (const Op* op = rewrite_.maker(value)) {
      if (op->kind == OpKind::scatter) return true;
      if (!keeps_elements(op->kind)) return false;
      value = rewrite_.graph().operands(*op)[0];
    }
    return false;
  }

  // A scatter-add into what is carried, whose all-reduce is carried on: the partitioner lets one device of a group
  // begin with the carried value and the others with zero. Begun with zero everywhere, the selection between the two is
  // none.
  std::vector<int64_t> scattered(const Loop& loop, OpId reduced) {
    const ValueId updated = rewrite_.operand(reduced), result = rewrite_.result(reduced);
    if (!rewrite_.is(updated, OpKind::scatter) || !rewrite_.has_one_user(updated) || !rewrite_.has_one_user(result))
      return {};
    const OpId scatter = rewrite_.def(updated);
    const ValueId base = rewrite_.operand(scatter);
    if (reduction_kind(rewrite_.graph(), rewrite_.graph().op(scatter)) != OpKind::add) return {};
    if (!rewrite_.is(base, OpKind::select) || !rewrite_.has_one_user(base)) return {};
    const OpId select = rewrite_.def(base);
    const ValueId carried = rewrite_.operand(select, is_zero(rewrite_.operand(select, 1)) ? 2 : 1);
    if (!is_zero(rewrite_.operand(select, carried == rewrite_.operand(select, 1) ? 2 : 1))) return {};
    const auto element = loop.carried(carried);
    if (!element || loop.place_in_next(result) != element || loop.condition_reads(*element)) return {};
    const std::vector<OpId> readers = loop.readers(*element);
    if (readers.size() != 1 || !rewrite_.has_one_user(carried)) return {};
    rewrite_.replace(select, carried);
    return {*element};
  }

  bool is_zero(ValueId value) const {
    while (rewrite_.is(value, OpKind::broadcast_in_dim)) value = rewrite_.operand(rewrite_.def(value));
    if (!rewrite_.is(value, OpKind::constant)) return false;
    const AttrId literal = rewrite_.graph().attr(*rewrite_.maker(value), "value");
    if (!literal.valid()) return false;
    const std::string_view text = rewrite_.graph().attr_table.get(literal).text;
    return !text.empty() && text.find_first_not_of("0.e+") == std::string_view::npos;
  }

  // The element that `add` adds to: read only there, and next what is added up.
  std::optional<int64_t> sum_of(const Loop& loop, OpId add, ValueId buffer) const {
    while (!loop.carried(buffer)) {
      const Op* op = rewrite_.maker(buffer);
      if (op == nullptr || !keeps_elements(op->kind)) return std::nullopt;
      buffer = rewrite_.graph().operands(*op)[0];
    }
    const int64_t element = *loop.carried(buffer);
    std::vector<ValueId> reading;
    for (OpId reader : loop.readers(element)) reading.push_back(rewrite_.result(reader));
    if (!only_leads_to(loop, std::move(reading), add)) return std::nullopt;
    ValueId sum = rewrite_.result(add);
    for (;;) {
      if (!rewrite_.has_one_user(sum)) return std::nullopt;
      const OpId user = rewrite_.users(sum)[0];
      if (loop.is_next(user)) return loop.place_in_next(sum) == element ? std::optional(element) : std::nullopt;
      if (!keeps_elements(rewrite_.graph().op(user).kind)) return std::nullopt;
      sum = rewrite_.result(user);
    }
  }

  bool only_leads_to(const Loop& loop, std::vector<ValueId> waiting, OpId goal) const {
    while (!waiting.empty()) {
      const ValueId value = waiting.back();
      waiting.pop_back();
      if (loop.place_in_next(value)) return false;
      for (OpId user : rewrite_.users(value)) {
        if (user == goal) continue;
        if (!keeps_elements(rewrite_.graph().op(user).kind)) return false;
        waiting.push_back(rewrite_.result(user));
      }
    }
    return true;
  }

  // The element of the state that is a stack of the results of all iterations.
  std::optional<int64_t> stacked(const Loop& loop, OpId reduced) const {
    if (options_.stacked_bytes == 0 || loop.has_barrier()) return std::nullopt;
    ValueId value = rewrite_.result(reduced);
    const int64_t trips = loop.trips(), bytes = byte_size(rewrite_.graph(), rewrite_.type(value));
    if (trips < 1 || bytes > options_.stacked_bytes / trips || !rewrite_.has_one_user(value)) return std::nullopt;
    OpId user = rewrite_.users(value)[0];
    while (keeps_elements(rewrite_.graph().op(user).kind)) {
      value = rewrite_.result(user);
      if (!rewrite_.has_one_user(value)) return std::nullopt;
      user = rewrite_.users(value)[0];
    }
    if (rewrite_.graph().op(user).kind != OpKind::dynamic_update_slice || rewrite_.operand(user, 1) != value)
      return std::nullopt;
    const auto element = loop.carried(rewrite_.operand(user, 0));
    const ValueId stack = rewrite_.result(user);
    if (!element || loop.place_in_next(stack) != element || !rewrite_.has_one_user(stack)) return std::nullopt;
    const std::vector<OpId> readers = loop.readers(*element);
    if (readers.size() != 1 || !rewrite_.has_one_user(rewrite_.result(readers[0]))) return std::nullopt;
    if (loop.condition_reads(*element) || !fills(loop, user, trips)) return std::nullopt;
    return element;
  }

  // Every iteration writes one row of its own, together all of them.
  bool fills(const Loop& loop, OpId update, int64_t trips) const {
    const Type whole = rewrite_.shape(rewrite_.result(update)), part = rewrite_.shape(rewrite_.operand(update, 1));
    bool counted = false;
    for (size_t i = 0; i < whole.rank(); ++i) {
      const ValueId at = rewrite_.operand(update, i + 2);
      if (whole.dims[i] == part.dims[i] && is_constant_zero(rewrite_, at)) continue;
      if (counted || part.dims[i] != 1 || whole.dims[i] != trips) return false;
      counted = true;
      std::vector<bool> written(static_cast<size_t>(trips), false);
      for (int64_t step = 0; step < trips; ++step) {
        const auto row = at_step(loop, at, step, 0);
        if (!row || *row < 0 || *row >= trips || written[static_cast<size_t>(*row)]) return false;
        written[static_cast<size_t>(*row)] = true;
      }
    }
    return counted;
  }

  // A scalar of the body in the step-th iteration: arithmetic on the counter, which counts from zero in ones.
  std::optional<int64_t> at_step(const Loop& loop, ValueId value, int64_t step, int depth) const {
    if (loop.carried(value)) return is_counter(loop, *loop.carried(value)) ? std::optional(step) : std::nullopt;
    const Op* op = rewrite_.maker(value);
    if (op == nullptr || depth > kMaxIndexDepth || rewrite_.shape(value).rank() != 0) return std::nullopt;
    const auto of = [&](size_t i) { return at_step(loop, rewrite_.graph().operands(*op)[i], step, depth + 1); };
    switch (op->kind) {
      case OpKind::constant: {
        const auto number = constant_integers(rewrite_, value);
        return number ? std::optional((*number)[0]) : std::nullopt;
      }
      case OpKind::convert:
      case OpKind::copy:
      case OpKind::reshape: return of(0);
      case OpKind::add:
      case OpKind::subtract: {
        const auto a = of(0), b = of(1);
        if (!a || !b) return std::nullopt;
        return op->kind == OpKind::add ? *a + *b : *a - *b;
      }
      case OpKind::select: {
        const auto choice = below(loop, rewrite_.graph().operands(*op)[0], step, depth + 1);
        return choice ? of(*choice ? 1 : 2) : std::nullopt;
      }
      default: return std::nullopt;
    }
  }
  std::optional<bool> below(const Loop& loop, ValueId value, int64_t step, int depth) const {
    const Op* op = rewrite_.maker(value);
    if (op == nullptr || op->kind != OpKind::compare) return std::nullopt;
    const AttrId direction = rewrite_.graph().attr(*op, "comparison_direction");
    if (!direction.valid() || rewrite_.graph().attr_table.get(direction).text != "LT") return std::nullopt;
    const auto operands = rewrite_.graph().operands(*op);
    const auto a = at_step(loop, operands[0], step, depth), b = at_step(loop, operands[1], step, depth);
    return a && b ? std::optional(*a < *b) : std::nullopt;
  }
  bool is_counter(const Loop& loop, int64_t element) const {
    if (!is_constant_zero(rewrite_, loop.initial(element))) return false;
    for (OpId reader : loop.readers(element))
      for (OpId user : rewrite_.users(rewrite_.result(reader))) {
        if (rewrite_.graph().op(user).kind != OpKind::add) continue;
        if (loop.place_in_next(rewrite_.result(user)) != element) continue;
        const ValueId other = rewrite_.operand(user, rewrite_.operand(user, 0) == rewrite_.result(reader) ? 1 : 0);
        const auto number = constant_integers(rewrite_, other);
        if (number && (*number)[0] == 1) return true;
      }
    return false;
  }

  // The all-reduce behind the loop. A sum has begun with zero, and what it was to begin with is added now.
  void sink(Loop& loop, OpId reduced, int64_t element, bool sum) {
    const ValueId start = loop.initial(element);
    const std::vector<OpId> results = loop.results(element);
    if (sum) loop.start_from_zero(element);
    for (OpId result : results) {
      const ValueId local = rewrite_.result(result);
      const TypeId type = rewrite_.type(local);
      const std::vector<OpId> users = rewrite_.users(local);
      const ElementType element_of_sum = rewrite_.shape(rewrite_.result(reduced)).element;
      const Dims dims(rewrite_.shape(local).dims);
      const TypeId sent = rewrite_.builder().types().tensor(element_of_sum, dims);
      const bool same = rewrite_.shape(local).element == element_of_sum;
      const ValueId before = same ? local : rewrite_.add(loop.op(), OpKind::convert, sent, {local});
      ValueId all = rewrite_.clone(reduced, sent, std::span(&before, 1), loop.op());
      moved_.insert(rewrite_.def(all).raw);
      const OpId done = rewrite_.def(all);
      if (!same) all = rewrite_.add(loop.op(), OpKind::convert, type, {all});
      if (sum) all = rewrite_.add(loop.op(), OpKind::add, type, {start, all});
      rewrite_.replace_uses(local, all);
      // The uses that the new ops themselves make of it are not to be replaced.
      rewrite_.set_operand(same ? done : rewrite_.def(before), 0, local);
    }
  }

  Rewrite& rewrite_;
  LoopMotion options_;
  std::unordered_set<uint32_t> moved_;
};

}  // namespace

void move_all_reduces_out_of_loops(Rewrite& rewrite, LoopMotion options) {
  Mover mover(rewrite, options);
  std::unordered_set<uint32_t> once, shared;    // bodies, by FunctionId
  std::vector<std::pair<OpId, int64_t>> loops;  // and their trip counts
  rewrite.order_blocks();
  for (FunctionId computation : rewrite.computations())
    for (OpId op : rewrite.post_order(computation)) {
      const Op& data = rewrite.graph().op(op);
      if (data.kind != OpKind::while_) continue;
      loops.emplace_back(op, trip_count(rewrite.graph(), op));
      const uint32_t body = rewrite.graph().region(rewrite.graph().regions(data)[1]).function.raw;
      if (!once.insert(body).second) shared.insert(body);
    }
  for (const auto& [op, trips] : loops) {
    const FunctionId body = rewrite.graph().region(rewrite.graph().regions(rewrite.graph().op(op))[1]).function;
    if (!shared.contains(body.raw)) mover.visit(op, trips);
  }
}

}  // namespace sw
