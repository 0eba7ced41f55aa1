#include "exec/body.h"

#include <algorithm>
#include <cstring>
#include <map>

#include "exec/kernel.h"
#include "exec/literal.h"
#include "exec/strided.h"

namespace sw {

namespace {

constexpr size_t kLanes = 256, kWidth = 16, kMaxDepth = 64;
constexpr size_t kRegisterBytes = kLanes * kWidth;

}  // namespace

// A value of the region is a list of registers: one, or one per leaf of a tuple.
class Body::Compiler {
 public:
  Compiler(const Graph& graph, Precision precision, Body& out, std::string* why)
      : graph_(graph), precision_(precision), out_(out), why_(why) {}

  using Registers = std::vector<uint32_t>;

  bool compile(RegionId region) {
    const BlockId block = graph_.entry_block(region);
    std::vector<Registers> args;
    for (uint32_t i = 0; i < graph_.block(block).arg_count; ++i) {
      const Type type = graph_.type_of(graph_.arg(block, i));
      if (!type.is_array() || type.rank() != 0) return refused("a parameter that is no number");
      out_.inputs_.push_back(add_register(held_as(type.element, precision_)));
      args.push_back({out_.inputs_.back()});
    }
    Registers results;
    if (!inline_region(region, std::move(args), results, 0)) return false;
    out_.outputs_ = std::move(results);
    return true;
  }

 private:
  using Values = std::map<ValueId, Registers>;

  bool refused(std::string_view what) { return explain(why_, "the body of the op has " + std::string(what)); }

  uint32_t add_register(ElementType element) {
    out_.registers_.push_back({element});
    return static_cast<uint32_t>(out_.registers_.size() - 1);
  }

  bool inline_region(RegionId region, std::vector<Registers> args, Registers& results, size_t depth) {
    if (depth > kMaxDepth) return refused("calls nested too deeply");
    const BlockId block = graph_.entry_block(region);
    Values values;
    for (uint32_t i = 0; i < args.size(); ++i) values[graph_.arg(block, i)] = std::move(args[i]);
    for (const OpId id : graph_.block(block).ops) {
      const Op& op = graph_.op(id);
      std::vector<Registers> operands;
      for (const ValueId v : graph_.operands(op)) {
        const auto known = values.find(v);
        if (known == values.end()) return refused("a value from outside it");
        operands.push_back(known->second);
      }
      Registers made;
      if (has_trait(op.kind, kTerminator)) {
        for (const Registers& r : operands) results.insert(results.end(), r.begin(), r.end());
        return true;
      }
      if (!compile_op(id, operands, made, depth)) return false;
      values[graph_.result(id)] = std::move(made);
    }
    return refused("no result");
  }

  bool compile_op(OpId id, std::vector<Registers>& operands, Registers& made, size_t depth) {
    const Op& op = graph_.op(id);
    switch (op.kind) {
      case OpKind::tuple:
      case OpKind::optimization_barrier:
        for (const Registers& r : operands) made.insert(made.end(), r.begin(), r.end());
        return true;
      case OpKind::get_tuple_element: return element_of(id, operands[0], made);
      case OpKind::call: return inline_region(graph_.regions(op)[0], std::move(operands), made, depth + 1);
      case OpKind::broadcast_in_dim:
      case OpKind::reshape:
      case OpKind::copy:
      case OpKind::sharding_constraint:
      case OpKind::custom_call:
        if (op.kind == OpKind::custom_call && !is_annotation(op)) return elementwise(id, operands, made);
        if (graph_.type_of(graph_.result(id)).rank() != 0) return refused("an array");
        made = operands[0];
        return true;
      case OpKind::constant: return constant(id, made);
      default: return elementwise(id, operands, made);
    }
  }

  bool is_annotation(const Op& op) const {
    const AttrId target = graph_.attr(op, "call_target_name");
    return target.valid() && graph_.attr_table.get(target).text == "Sharding";
  }

  bool element_of(OpId id, const Registers& tuple, Registers& made) {
    const AttrId attr = graph_.attr(graph_.op(id), "index");
    const auto index = static_cast<size_t>(attr.valid() ? graph_.attr_table.get(attr).integer : 0);
    if (index >= tuple.size()) return refused("a tuple inside a tuple");
    made = {tuple[index]};
    return true;
  }

  bool constant(OpId id, Registers& made) {
    const ValueId result = graph_.result(id);
    std::optional<Array> value =
        read_array(graph_, graph_.attr(graph_.op(id), "value"), graph_.value(result).type, why_);
    if (!value.has_value()) return false;
    if (!value->dims.empty()) return refused("an array");
    value = converted(*value, held_as(value->element, precision_));
    made = {add_register(value->element)};
    out_.registers_[made[0]].constant = static_cast<int64_t>(out_.constants_.size());
    out_.constants_.insert(out_.constants_.end(), value->bytes(), value->bytes() + value->byte_size());
    return true;
  }

  bool elementwise(OpId id, const std::vector<Registers>& operands, Registers& made) {
    const Type type = graph_.type_of(graph_.result(id));
    if (!type.is_array() || type.rank() != 0) return refused("an array");
    ElementType elements[ElementLoop::kMaxOperands] = {};
    Step step{};
    if (operands.size() > ElementLoop::kMaxOperands) return refused("an op that is not elementwise");
    for (size_t i = 0; i < operands.size(); ++i) {
      if (operands[i].size() != 1) return refused("arithmetic on a tuple");
      step.operands[i] = operands[i][0];
      elements[i] = out_.registers_[operands[i][0]].element;
    }
    const ElementType element = held_as(type.element, precision_);
    if (!ElementLoop::find(graph_, id, std::span(elements, operands.size()), element, step.loop, why_)) return false;
    step.result = add_register(element);
    out_.steps_.push_back(step);
    made = {step.result};
    return true;
  }

  const Graph& graph_;
  Precision precision_;
  Body& out_;
  std::string* why_;
};

std::optional<Body> Body::compile(const Graph& graph, RegionId region, Precision precision, std::string* why) {
  Body body;
  if (!Compiler(graph, precision, body, why).compile(region)) return std::nullopt;
  return body;
}

Body::Scratch Body::scratch() const {
  Scratch scratch;
  scratch.memory_ = std::make_unique<std::byte[]>(registers_.size() * kRegisterBytes);
  for (size_t r = 0; r < registers_.size(); ++r)
    if (registers_[r].constant >= 0)
      fill(scratch.memory_.get() + r * kRegisterBytes, constants_.data() + registers_[r].constant, kLanes,
           static_cast<size_t>(element_bytes(registers_[r].element)));
  return scratch;
}

void Body::run(Scratch& scratch, const void* const* inputs, void* const* outputs, size_t lanes) const {
  std::byte* memory = scratch.memory_.get();
  const auto width_of = [&](uint32_t r) { return static_cast<size_t>(element_bytes(registers_[r].element)); };
  for (size_t begin = 0; begin < lanes; begin += kLanes) {
    const size_t n = std::min(kLanes, lanes - begin);
    for (size_t i = 0; i < inputs_.size(); ++i) {
      const size_t width = width_of(inputs_[i]);
      std::memcpy(memory + inputs_[i] * kRegisterBytes, static_cast<const std::byte*>(inputs[i]) + begin * width,
                  n * width);
    }
    for (const Step& step : steps_) {
      const void* operands[ElementLoop::kMaxOperands];
      for (size_t i = 0; i < ElementLoop::kMaxOperands; ++i) operands[i] = memory + step.operands[i] * kRegisterBytes;
      step.loop.run(operands, nullptr, memory + step.result * kRegisterBytes, n);
    }
    for (size_t i = 0; i < outputs_.size(); ++i) {
      const size_t width = width_of(outputs_[i]);
      std::memcpy(static_cast<std::byte*>(outputs[i]) + begin * width, memory + outputs_[i] * kRegisterBytes,
                  n * width);
    }
  }
}

}  // namespace sw
