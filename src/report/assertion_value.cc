// See the header.
#include "report/assertion_value.h"

#include <algorithm>

namespace sw {

AssertionValues::AssertionValues(const CollectiveList* list, const PlanReport& report,
                                 std::span<const Finding> findings)
    : list_(list), report_(report), findings_(findings) {
  if (report.local != nullptr) add_loops(report);
}

// Computations that loops run, and what those call. Called computations stand before their callers.
void AssertionValues::add_loops(const PlanReport& report) {
  const Graph& graph = report.local->graph;
  in_loop_.assign(graph.function_count(), 0);
  for (size_t f = graph.function_count(); f-- > 0;) {
    const Function& function = graph.function(FunctionId{f});
    if (!function.body.valid()) continue;
    for (const OpId id : graph.block(graph.entry_block(function.body)).ops) {
      const Op& op = graph.op(id);
      if (op.kind != OpKind::while_ && in_loop_[f] == 0) continue;
      for (const RegionId region : graph.regions(op))
        if (const FunctionId called = graph.region(region).function; called.valid()) in_loop_[called.index()] = 1;
    }
  }
}

bool AssertionValues::matches(const CollectiveFacts& facts, const CollectiveFilter& filter) const {
  if (!filter.kind.empty() && facts.kind != filter.kind) return false;
  if (filter.cause && facts.collective->cause.reason != *filter.cause) return false;
  if (filter.by_user && facts.by_user() != *filter.by_user) return false;
  if (filter.in_loop && (in_loop_[facts.collective->computation.index()] != 0) != *filter.in_loop) return false;
  if (filter.axis.empty()) return true;
  // "tensor", or "tensor:(1)2" for a part of it.
  return std::any_of(facts.groups->axes.begin(), facts.groups->axes.end(),
                     [&](const std::string& axis) { return axis.substr(0, axis.find(":(")) == filter.axis; });
}

std::optional<double> AssertionValues::measure(Measure measure, const CheckTarget* target) const {
  if (measure == Measure::devices)
    return static_cast<double>(report_.local != nullptr ? report_.local->device_count : 1);
  const auto bytes = [](std::optional<int64_t> count) {
    return count ? std::optional(static_cast<double>(*count)) : std::nullopt;
  };
  switch (measure) {
    case Measure::peak: return bytes(target->profile.peak);
    case Measure::total: return bytes(target->profile.total());
    case Measure::argument: return bytes(target->profile.argument);
    case Measure::output: return bytes(target->profile.output);
    case Measure::alias: return bytes(target->profile.alias);
    case Measure::temp: return bytes(target->profile.temp);
    case Measure::capacity: return bytes(target->hardware.capacity);
    case Measure::reserve: return bytes(target->hardware.reserve);
    case Measure::usable: return bytes(target->hardware.usable());
    case Measure::devices: break;
  }
  return std::nullopt;
}

Result<SideValue> AssertionValues::side(std::span<const AssertionStep> steps, const Assertion& assertion,
                                        const CheckTarget* target, Diagnostics& diagnostics) const {
  SideValue out;
  std::vector<double> stack;
  const auto pop = [&] {
    const double top = stack.back();
    stack.pop_back();
    return top;
  };
  for (const AssertionStep& step : steps) {
    using Kind = AssertionStep::Kind;
    double value = 0;
    switch (step.kind) {
      case Kind::number: value = step.number; break;
      case Kind::measure: {
        const std::optional<double> known = measure(step.measure, target);
        if (!known) {
          diagnostics.error(DiagnosticKind::bad_configuration, assertion.where,
                            "`" + target->hardware.name + "` has no capacity that this could be compared with");
          return reported();
        }
        value = *known;
        break;
      }
      case Kind::memory:
        for (const MemoryBuffer& buffer : target->profile.buffers)
          if (buffer.at_peak && buffer.category == step.category) value += static_cast<double>(buffer.bytes);
        break;
      case Kind::findings:
        value = static_cast<double>(
            std::count_if(findings_.begin(), findings_.end(), [&](const Finding& f) { return f.rule == step.rule; }));
        break;
      case Kind::count:
      case Kind::runs:
      case Kind::bytes:
        for (uint32_t i = 0; list_ != nullptr && i < list_->all().size(); ++i) {
          const CollectiveFacts& facts = list_->all()[i];
          if (!matches(facts, step.filter)) continue;
          out.collectives.push_back(i);
          value +=
              step.kind == Kind::count ? 1 : static_cast<double>(step.kind == Kind::runs ? facts.runs : facts.bytes);
        }
        break;
      case Kind::negate: value = -pop(); break;
      case Kind::add: value = pop() + pop(); break;
      case Kind::multiply: value = pop() * pop(); break;
      case Kind::subtract: {
        const double taken = pop();
        value = pop() - taken;
        break;
      }
      case Kind::divide: {
        const double by = pop();
        value = pop() / by;
        break;
      }
    }
    stack.push_back(value);
  }
  out.value = stack.back();
  std::sort(out.collectives.begin(), out.collectives.end());
  out.collectives.erase(std::unique(out.collectives.begin(), out.collectives.end()), out.collectives.end());
  return out;
}

bool holds(Comparison comparison, double left, double right) {
  switch (comparison) {
    case Comparison::less_equal: return left <= right;
    case Comparison::less: return left < right;
    case Comparison::greater_equal: return left >= right;
    case Comparison::greater: return left > right;
    case Comparison::equal: return left == right;
    case Comparison::not_equal: return left < right || left > right;
  }
  return false;
}

}  // namespace sw
