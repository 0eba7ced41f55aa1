// Runs a program on N simulated devices, each with its own values, in lock step: every op runs on all devices before
// the next one does, so that a collective finds all that it needs, and devices that leave a loop early or take another
// branch are set aside until the others arrive.
//
// A value that is the same on all devices because nothing before it told them apart is held, and computed, once:
//
//   p = parameter (replicated)   q = add(p, p)   id = partition-id   r = add(q, id)
//   one value, computed once     the same        one per device      one per device
//
// Memory is counted as if every device held its own copy.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "exec/executable.h"

namespace sw {

// One value on the devices that run: one datum for all of them, or one for each, in their order.
struct Replicas {
  std::vector<Datum> items;
  bool uniform() const { return items.size() == 1; }
  const Datum& on(size_t position) const { return items[uniform() ? 0 : position]; }
};

// What a collective has sent while the program ran.
struct Traffic {
  int64_t executions = 0;
  int64_t bytes = 0;  // received from other devices, over all devices: what any algorithm has to move
};

struct MachineOptions {
  int64_t device_count = 1;
  bool measure_memory = true;
  int64_t max_loop_turns = int64_t{1} << 32;
  // Told what an op has made, each time that all devices make it together.
  std::function<void(ValueId, const Replicas&)> watch = {};
};

class Machine {
 public:
  Machine(const Executable& program, MachineOptions options);

  // `args[i]`: parameter i, uniform or one datum per device. Nothing, with the reason in error(), when the program
  // cannot go on: a collective waits for a device that does not come.
  std::optional<Replicas> run(std::vector<Replicas> args);

  const std::string& error() const { return error_; }
  OpId failed_at() const { return failed_at_; }
  // Most bytes that a device held at once, by device, after any op.
  const std::vector<int64_t>& high_water() const { return high_water_; }
  const std::map<OpId, Traffic>& traffic() const { return traffic_; }
  int64_t device_count() const { return options_.device_count; }
  // Values made outside run() that belong to a device's memory (or to every device's) are made under these; they must
  // be gone before the machine is. Null when memory is not measured: then values may outlive the machine.
  MemoryMeter* meter(size_t device) { return options_.measure_memory ? &meters_[device] : nullptr; }
  MemoryMeter* common_meter() { return options_.measure_memory ? &common_ : nullptr; }

 private:
  using Devices = std::vector<int64_t>;  // ascending
  struct Frame;

  std::optional<Replicas> run_computation(size_t index, std::vector<Replicas> args, const Devices& devices);
  bool run_step(const RunStep& step, Frame& frame, const Devices& devices);
  std::vector<Replicas> take_operands(const RunStep& step, Frame& frame);

  Replicas run_kernel(const RunStep& step, std::vector<Replicas> operands, const Devices& devices);
  std::optional<Replicas> run_while(const RunStep& step, Replicas state, const Devices& devices);
  std::optional<Replicas> run_branches(const RunStep& step, std::vector<Replicas> operands, const Devices& devices);
  std::optional<Replicas> run_border(const RunStep& step, const Replicas& operand, const Devices& devices);
  std::optional<Replicas> run_collective(const RunStep& step, const std::vector<Replicas>& operands,
                                         const Devices& devices);
  Replicas element_of(const RunStep& step, Replicas tuple) const;
  std::optional<Replicas> fail(const RunStep& step, std::string why);
  void sample();
  static Datum owned_by(Datum datum, MemoryMeter* owner);

  const Executable& program_;
  MachineOptions options_;
  std::vector<MemoryMeter> meters_;
  MemoryMeter common_;
  std::vector<int64_t> high_water_;
  std::map<OpId, Traffic> traffic_;
  std::string error_;
  OpId failed_at_;
};

// A collective on the values of one group of devices, in its order (interp_collective.cc): one result for all of them
// or one for each. For a permute the group is ascending.
std::vector<Datum> run_group(const CollectiveStep& step, std::span<const int64_t> group,
                             const std::vector<std::vector<Datum>>& operands);
// What the devices of a group of `size` receive together from one another, when each has `operands`.
int64_t received_bytes(const CollectiveStep& step, const std::vector<Datum>& operands, int64_t size);

}  // namespace sw
