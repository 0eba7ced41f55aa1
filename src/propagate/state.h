// The shardings during propagation. They change only through State::refine, which records every change with its cause:
// the trace is complete because nothing else can write. Nothing is compared, merged or decided here.
//
// A *slot* is a place where a sharding stands: a value, or a result of the main function. A partitioner numbers its
// slots itself and says which value of the program as read each one is.
#pragma once

#include <cstdint>
#include <vector>

#include "base/ids.h"
#include "propagate/trace.h"

namespace sw {

class State {
 public:
  static constexpr uint32_t kNone = 0xffffffffU;

  // What a slot is in the program as read.
  struct Place {
    ValueId value;          // invalid: a result of main, or something that the text does not have
    uint32_t instance = 0;  // function instance
  };

  State() = default;
  // All slots, with the shardings they start from (ids of the partitioner's own table; kNone: nothing said).
  State(std::vector<uint32_t> start, std::vector<Place> places)
      : shardings_(std::move(start)), places_(std::move(places)) {}

  uint32_t sharding(uint32_t slot) const { return shardings_[slot]; }
  size_t slot_count() const { return shardings_.size(); }
  const Place& place(uint32_t slot) const { return places_[slot]; }

  // Sets the sharding of `slot` and appends a step. Returns whether that changed anything.
  bool refine(uint32_t slot, uint32_t next, const Cause& cause);

  // Rounds that the next steps are marked with.
  void set_round(uint16_t user_round, uint16_t round) {
    user_round_ = user_round;
    round_ = round;
  }

  const Trace& trace() const { return trace_; }
  Trace take_trace() { return std::move(trace_); }
  void add_refusal(const Refusal& refusal) { trace_.refusals.push_back(refusal); }

 private:
  std::vector<uint32_t> shardings_;
  std::vector<Place> places_;
  Trace trace_;
  uint16_t round_ = 0;
  uint16_t user_round_ = 0;
};

}  // namespace sw
