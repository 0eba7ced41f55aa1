// See the header.
#include "propagate/state.h"

namespace sw {

bool State::refine(uint32_t slot, uint32_t next, const Cause& cause) {
  uint32_t& current = shardings_[slot];
  if (current == next) return false;
  const Place& place = places_[slot];
  trace_.steps.push_back({place.value, current, next, cause, place.instance, round_, user_round_});
  current = next;
  return true;
}

}  // namespace sw
