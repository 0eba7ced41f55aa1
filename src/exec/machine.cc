#include "exec/machine.h"

#include <algorithm>

#include "base/check.h"
#include "base/parallel.h"
#include "exec/strided.h"

namespace sw {

// The values of one computation while it runs; an empty place has no value yet, or none any more.
struct Machine::Frame {
  const RunComputation& computation;
  std::vector<Replicas> slots;
};

namespace {

// The values of some of the devices, given by their positions.
Replicas restricted(const Replicas& values, const std::vector<size_t>& positions) {
  if (values.uniform()) return values;
  Replicas out;
  for (const size_t p : positions) out.items.push_back(values.items[p]);
  return out;
}

Datum number(ElementType element, uint32_t value) {
  Array array = new_array(element, {});
  array.data<uint32_t>()[0] = value;
  return array;
}

}  // namespace

Machine::Machine(const Executable& program, MachineOptions options)
    : program_(program),
      options_(std::move(options)),
      meters_(static_cast<size_t>(options_.device_count)),
      high_water_(static_cast<size_t>(options_.device_count), 0) {}

std::optional<Replicas> Machine::run(std::vector<Replicas> args) {
  Devices all(static_cast<size_t>(options_.device_count));
  for (size_t i = 0; i < all.size(); ++i) all[i] = static_cast<int64_t>(i);
  sample();
  return run_computation(program_.main(), std::move(args), all);
}

void Machine::sample() {
  if (!options_.measure_memory) return;
  for (size_t d = 0; d < meters_.size(); ++d) high_water_[d] = std::max(high_water_[d], common_.live + meters_[d].live);
}

std::optional<Replicas> Machine::fail(const RunStep& step, std::string why) {
  if (error_.empty()) {
    error_ = std::move(why);
    failed_at_ = step.op;
  }
  return std::nullopt;
}

std::optional<Replicas> Machine::run_computation(size_t index, std::vector<Replicas> args, const Devices& devices) {
  const RunComputation& computation = program_.computation(index);
  Frame frame{computation, std::vector<Replicas>(computation.slot_count)};
  SW_CHECK(args.size() == computation.arg_count, "as many arguments as parameters");
  std::move(args.begin(), args.end(), frame.slots.begin());
  for (const RunStep& step : computation.steps)
    if (!run_step(step, frame, devices)) return std::nullopt;
  return std::move(frame.slots[computation.root]);
}

std::vector<Replicas> Machine::take_operands(const RunStep& step, Frame& frame) {
  std::vector<Replicas> operands;
  operands.reserve(step.operands.size());
  for (size_t i = 0; i < step.operands.size(); ++i) {
    Replicas& slot = frame.slots[step.operands[i]];
    if (step.last[i] != 0) {
      operands.push_back(std::move(slot));
      slot.items.clear();
    } else {
      operands.push_back(slot);
    }
  }
  return operands;
}

bool Machine::run_step(const RunStep& step, Frame& frame, const Devices& devices) {
  std::optional<Replicas> result;
  if (step.kind == OpKind::get_tuple_element) {
    // The tuple itself stays where it is until its last element is taken.
    Replicas& tuple = frame.slots[step.operands[0]];
    if (step.takes) {
      result.emplace();
      for (Datum& item : tuple.items) {
        Datum& element = (*item.elements)[static_cast<size_t>(step.index)];
        result->items.push_back(item.elements.use_count() == 1 ? std::move(element) : element);
      }
      if (step.last[0] != 0) tuple.items.clear();
    } else {
      result = element_of(step, step.last[0] != 0 ? std::move(tuple) : tuple);
    }
  } else {
    std::vector<Replicas> operands = take_operands(step, frame);
    if (step.kernel) {
      result = run_kernel(step, std::move(operands), devices);
    } else if (step.border != nullptr) {
      result = run_border(step, operands[0], devices);
    } else if (step.collective != nullptr) {
      result = run_collective(step, operands, devices);
    } else if (step.kind == OpKind::while_) {
      result = run_while(step, std::move(operands[0]), devices);
    } else if (step.kind == OpKind::case_ || step.kind == OpKind::if_) {
      result = run_branches(step, std::move(operands), devices);
    } else if (step.kind == OpKind::call || step.kind == OpKind::fusion) {
      result = run_computation(step.called[0], std::move(operands), devices);
    } else if (step.kind == OpKind::partition_id) {
      result.emplace();
      for (const int64_t device : devices) {
        const MeterScope scope(meter(static_cast<size_t>(device)));
        result->items.push_back(number(ElementType::u32, static_cast<uint32_t>(device)));
      }
    } else {
      result = Replicas{{number(ElementType::u32, 0)}};
    }
  }
  if (!result.has_value()) return false;
  frame.slots[step.result] = std::move(*result);
  sample();
  if (options_.watch && devices.size() == meters_.size())
    options_.watch(program_.graph().result(step.op), frame.slots[step.result]);
  if (step.drop_result) frame.slots[step.result].items.clear();
  return true;
}

Replicas Machine::run_kernel(const RunStep& step, std::vector<Replicas> operands, const Devices& devices) {
  const bool uniform = std::all_of(operands.begin(), operands.end(), [](const Replicas& r) { return r.uniform(); });
  const size_t copies = uniform ? 1 : devices.size();
  Replicas out;
  out.items.resize(copies);
  if (uniform) {
    std::vector<Datum> data;
    data.reserve(operands.size());
    for (Replicas& r : operands) data.push_back(std::move(r.items[0]));
    const MeterScope scope(devices.size() == meters_.size() ? common_meter() : meter(static_cast<size_t>(devices[0])));
    out.items[0] = step.kernel(data);
    return out;
  }
  int64_t elements = 0;
  for (const Replicas& r : operands)
    if (r.items[0].is_array()) elements = std::max(elements, r.items[0].array.count());
  constexpr int64_t kWorthSharing = 1 << 14;
  parallel_for(
      copies,
      [&](size_t position) {
        std::vector<Datum> data;
        data.reserve(operands.size());
        for (Replicas& r : operands) data.push_back(r.uniform() ? r.items[0] : std::move(r.items[position]));
        const MeterScope scope(meter(static_cast<size_t>(devices[position])));
        out.items[position] = step.kernel(data);
      },
      elements < kWorthSharing ? 1 : 0);
  return out;
}

Replicas Machine::element_of(const RunStep& step, Replicas tuple) const {
  Replicas out;
  for (const Datum& item : tuple.items) out.items.push_back((*item.elements)[static_cast<size_t>(step.index)]);
  return out;
}

std::optional<Replicas> Machine::run_while(const RunStep& step, Replicas state, const Devices& devices) {
  for (int64_t turn = 0; turn < options_.max_loop_turns; ++turn) {
    std::optional<Replicas> goes_on = run_computation(step.called[0], {state}, devices);
    if (!goes_on.has_value()) return std::nullopt;
    std::vector<size_t> running;
    for (size_t p = 0; p < devices.size(); ++p)
      if (integer_at(goes_on->on(p).array, 0) != 0) running.push_back(p);
    if (running.empty()) return state;
    if (running.size() < devices.size()) {
      Devices fewer;
      for (const size_t p : running) fewer.push_back(devices[p]);
      std::optional<Replicas> rest = run_while(step, restricted(state, running), fewer);
      if (!rest.has_value()) return std::nullopt;
      Replicas merged;
      for (size_t p = 0; p < devices.size(); ++p) merged.items.push_back(state.on(p));
      for (size_t i = 0; i < running.size(); ++i) merged.items[running[i]] = rest->on(i);
      return merged;
    }
    std::vector<Replicas> args;
    args.push_back(std::move(state));
    std::optional<Replicas> next = run_computation(step.called[1], std::move(args), devices);
    if (!next.has_value()) return std::nullopt;
    state = std::move(*next);
  }
  return fail(step, "a loop does not end");
}

std::optional<Replicas> Machine::run_branches(const RunStep& step, std::vector<Replicas> operands,
                                              const Devices& devices) {
  const size_t branches = step.called.size();
  std::vector<std::vector<size_t>> takers(branches);
  for (size_t p = 0; p < devices.size(); ++p) {
    const Array& which = operands[0].on(p).array;
    const int64_t index = integer_at(which, 0);
    // A predicate takes the first branch when it is true; a number outside the list takes the last.
    const bool inside = index >= 0 && index < static_cast<int64_t>(branches);
    const size_t branch = which.element == ElementType::pred ? (index != 0 ? 0 : 1)
                          : inside                           ? static_cast<size_t>(index)
                                                             : branches - 1;
    takers[std::min(branch, branches - 1)].push_back(p);
  }
  const auto args_of = [&](size_t branch, const std::vector<size_t>& positions) {
    std::vector<Replicas> args;
    const size_t arg_count = program_.computation(step.called[branch]).arg_count;
    for (size_t i = 0; i < arg_count; ++i) args.push_back(restricted(operands[branch + 1 + i], positions));
    return args;
  };
  Replicas merged;
  merged.items.resize(devices.size());
  for (size_t branch = 0; branch < branches; ++branch) {
    if (takers[branch].empty()) continue;
    if (takers[branch].size() == devices.size()) {
      std::vector<Replicas> args = args_of(branch, takers[branch]);
      operands.clear();
      return run_computation(step.called[branch], std::move(args), devices);
    }
    Devices some;
    for (const size_t p : takers[branch]) some.push_back(devices[p]);
    std::optional<Replicas> result = run_computation(step.called[branch], args_of(branch, takers[branch]), some);
    if (!result.has_value()) return std::nullopt;
    for (size_t i = 0; i < some.size(); ++i) merged.items[takers[branch][i]] = result->on(i);
  }
  return merged;
}

std::optional<Replicas> Machine::run_border(const RunStep& step, const Replicas& operand, const Devices& devices) {
  const BorderStep& border = *step.border;
  if (border.coordinates.empty() || border.full == border.piece) return operand;
  const auto width = static_cast<size_t>(element_bytes(operand.items[0].array.element));
  // The part of the whole that device `d` has, zero outside.
  const auto part_of = [&](size_t d, bool from_full) {
    StridedCopy copy;
    const DimList full = row_major(border.full), piece = row_major(border.piece);
    for (size_t i = 0; i < full.size(); ++i) {
      const DimList& at = border.coordinates[d];
      const int64_t start = i < at.size() ? at[i] * border.piece[i] : 0;
      copy.extents.push_back(std::clamp<int64_t>(border.full[i] - start, 0, border.piece[i]));
      copy.from_start += start * full[i];
    }
    copy.from = full;
    copy.to = piece;
    if (from_full) return copy;
    std::swap(copy.from, copy.to);
    std::swap(copy.from_start, copy.to_start);
    return copy;
  };
  Replicas out;
  if (border.enters) {
    for (size_t p = 0; p < devices.size(); ++p) {
      const MeterScope scope(meter(static_cast<size_t>(devices[p])));
      Array made = zeros(operand.items[0].array.element, border.piece);
      copy_strided(part_of(static_cast<size_t>(devices[p]), true), operand.on(p).array.bytes(), made.bytes(), width);
      out.items.emplace_back(std::move(made));
    }
    return out;
  }
  if (devices.size() != meters_.size()) return fail(step, "a manual region ends on some devices only");
  const MeterScope scope(common_meter());
  Array whole = zeros(operand.items[0].array.element, border.full);
  for (size_t p = devices.size(); p-- > 0;)  // among devices that have the same piece, the first decides
    copy_strided(part_of(static_cast<size_t>(devices[p]), false), operand.on(p).array.bytes(), whole.bytes(), width);
  out.items.emplace_back(std::move(whole));
  return out;
}

// The same values in memory that counts with `meter`.
Datum Machine::owned_by(Datum datum, MemoryMeter* owner) {
  if (datum.is_tuple()) {
    for (Datum& element : *datum.elements) element = owned_by(std::move(element), owner);
  } else if (datum.array.buffer.use_count() == 1) {
    datum.array.buffer->count_with(owner);
  } else {
    const MeterScope scope(owner);
    datum.array = copied(datum.array);
  }
  return datum;
}

std::optional<Replicas> Machine::run_collective(const RunStep& step, const std::vector<Replicas>& operands,
                                                const Devices& devices) {
  const CollectiveStep& c = *step.collective;
  std::vector<std::vector<int64_t>> groups = c.groups;
  if (groups.empty() && c.alone)
    for (const int64_t device : devices) groups.push_back({device});
  else if (groups.empty())
    groups.push_back(devices);
  Replicas out;
  out.items.resize(devices.size());
  Traffic& traffic = traffic_[step.op];
  ++traffic.executions;
  std::vector<char> served(devices.size(), 0);
  for (const std::vector<int64_t>& group : groups) {
    std::vector<size_t> positions;
    for (const int64_t device : group) {
      const auto at = std::lower_bound(devices.begin(), devices.end(), device);
      if (at != devices.end() && *at == device) positions.push_back(static_cast<size_t>(at - devices.begin()));
    }
    if (positions.empty()) continue;
    if (positions.size() != group.size())
      return fail(step, "it waits for a device that has taken another branch or has left the loop");
    std::vector<std::vector<Datum>> values;
    for (const size_t p : positions) {
      values.emplace_back();
      for (const Replicas& operand : operands) values.back().push_back(operand.on(p));
    }
    traffic.bytes += received_bytes(c, values[0], static_cast<int64_t>(group.size()));
    std::vector<Datum> results = run_group(c, group, values);
    values.clear();
    if (results.size() == 1 && positions.size() == meters_.size()) {
      out.items.assign(1, owned_by(std::move(results[0]), common_meter()));
      return out;
    }
    for (size_t i = 0; i < positions.size(); ++i) {
      const bool shared = results.size() == 1 && i + 1 < positions.size();
      Datum& result = results[results.size() == 1 ? 0 : i];
      MemoryMeter* own = meter(static_cast<size_t>(group[i]));
      out.items[positions[i]] = shared ? owned_by(result, own) : owned_by(std::move(result), own);
      served[positions[i]] = 1;
    }
  }
  if (std::find(served.begin(), served.end(), 0) != served.end())
    return fail(step, "a device is in none of its groups");
  return out;
}

}  // namespace sw
