#include "exec/peak.h"

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>

namespace sw {

namespace {

// Sums are of sizes below 2^62 each and clamped, so they do not overflow.
constexpr int64_t kMost = std::numeric_limits<int64_t>::max() / 4;
int64_t plus(int64_t a, int64_t b) { return std::min(a + b, kMost); }

class Sizes {
 public:
  explicit Sizes(const Executable& program) : program_(program) {}

  // Most bytes at once, the arguments counted in; of the result alone.
  int64_t peak(size_t index) {
    const auto known = peaks_.find(index);
    if (known != peaks_.end()) return known->second;
    return peaks_[index] = compute(index);
  }

 private:
  int64_t bytes_of(TypeId id) const {
    const Type type = program_.graph().types.get(id);
    int64_t bytes = 0;
    if (type.kind == TypeKind::tuple)
      for (const TypeId element : type.elements) bytes = plus(bytes, bytes_of(element));
    if (!type.is_array()) return bytes;
    bytes = element_bytes(held_as(type.element, program_.precision()));
    for (const int64_t d : type.dims) bytes = d > 0 && bytes > kMost / d ? kMost : bytes * d;
    return bytes;
  }

  // Whether the result is made of its operands' buffers.
  static bool shares(const RunStep& step) {
    switch (step.kind) {
      case OpKind::tuple:
      case OpKind::get_tuple_element:
      case OpKind::reshape:
      case OpKind::bitcast_convert:
      case OpKind::optimization_barrier:
      case OpKind::copy:
      case OpKind::call: return true;
      default: return false;
    }
  }

  int64_t compute(size_t index) {
    const RunComputation& c = program_.computation(index);
    // A value that shares lives as long as what it shares with: both are let go when the sharing one is.
    std::vector<int64_t> bytes(c.slot_count, 0);
    std::vector<char> alive(c.slot_count, 0);
    int64_t live = 0;
    for (size_t i = 0; i < c.arg_count; ++i) alive[i] = 1;
    for (const RunStep& step : c.steps)
      for (size_t i = 0; i < step.operands.size(); ++i)
        if (step.operands[i] < c.arg_count) bytes[step.operands[i]] = operand_bytes(step, i);
    for (size_t i = 0; i < c.arg_count; ++i) live = plus(live, bytes[i]);
    int64_t most = live;
    for (const RunStep& step : c.steps) {
      int64_t made = result_bytes(step);
      int64_t inner = 0;
      for (const size_t called : step.called) inner = std::max(inner, peak(called));
      most = std::max(most, plus(live, std::max(inner, made)));
      const bool shared = shares(step);
      int64_t passed = 0;
      for (size_t i = 0; i < step.operands.size(); ++i) {
        if (step.last[i] == 0 || alive[step.operands[i]] == 0) continue;
        alive[step.operands[i]] = 0;
        passed = plus(passed, bytes[step.operands[i]]);
      }
      live -= std::min(live, passed);
      bytes[step.result] = shared ? passed : made;
      if (step.drop_result) continue;
      alive[step.result] = 1;
      live = plus(live, bytes[step.result]);
      most = std::max(most, live);
    }
    return most;
  }

  int64_t result_bytes(const RunStep& step) const {
    return bytes_of(program_.graph().value(program_.graph().result(step.op)).type);
  }
  int64_t operand_bytes(const RunStep& step, size_t i) const {
    return bytes_of(program_.graph().value(program_.graph().operands(step.op)[i]).type);
  }

  const Executable& program_;
  std::map<size_t, int64_t> peaks_;
};

}  // namespace

int64_t peak_bytes(const Executable& program) { return Sizes(program).peak(program.main()); }

int64_t available_memory() {
  std::ifstream in("/proc/meminfo");
  for (std::string key; in >> key;) {
    int64_t kibibytes = 0;
    if (key == "MemAvailable:" && in >> kibibytes) return kibibytes * 1024;
    std::getline(in, key);
  }
  return std::numeric_limits<int64_t>::max();
}

}  // namespace sw
