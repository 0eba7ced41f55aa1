// See the header.
#include "draw/repeats.h"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace sw {

namespace {

constexpr size_t kCandidates = 12;
constexpr size_t kTimes = 3;

std::vector<size_t> likely_periods(std::span<const uint64_t> sequence) {
  std::unordered_map<uint64_t, size_t> last;
  std::map<size_t, size_t> votes;
  for (size_t i = 0; i < sequence.size(); ++i) {
    const auto [at, fresh] = last.try_emplace(sequence[i], i);
    if (!fresh) ++votes[i - at->second];
    at->second = i;
  }
  // By votes, which finds short periods, and by what they would cover: long ones have few elements that are rare enough
  // to vote for them.
  std::vector<std::pair<size_t, size_t>> ranked(votes.begin(), votes.end());
  std::erase_if(ranked, [](const auto& r) { return r.second + 1 < kTimes; });
  std::vector<size_t> periods;
  const auto take = [&](auto weight) {
    std::stable_sort(ranked.begin(), ranked.end(), [&](const auto& a, const auto& b) { return weight(a) > weight(b); });
    for (size_t i = 0; i < std::min(kCandidates, ranked.size()); ++i)
      if (std::find(periods.begin(), periods.end(), ranked[i].first) == periods.end())
        periods.push_back(ranked[i].first);
  };
  take([](const auto& r) { return r.second; });
  take([](const auto& r) { return r.first * r.second; });
  return periods;
}

bool is_enough(const Repeat& r, size_t least_length) { return r.times >= kTimes && r.period * r.times >= least_length; }

// What is left of repeats when one is taken: the parts before and behind it.
std::vector<Repeat> outside_of(const Repeat& taken, std::span<const Repeat> repeats, size_t least_length) {
  std::vector<Repeat> left;
  for (const Repeat& r : repeats) {
    if (r.begin >= taken.end() || taken.begin >= r.end()) {
      left.push_back(r);
      continue;
    }
    const size_t before = taken.begin - std::min(r.begin, taken.begin),
                 behind = r.end() - std::min(taken.end(), r.end());
    for (const Repeat& part :
         {Repeat{r.begin, r.period, before / r.period}, Repeat{taken.end(), r.period, behind / r.period}})
      if (is_enough(part, least_length)) left.push_back(part);
  }
  return left;
}

}  // namespace

std::vector<Repeat> find_repeats(std::span<const uint64_t> sequence, size_t least_length) {
  std::vector<Repeat> found;
  for (const size_t period : likely_periods(sequence)) {
    for (size_t i = period; i < sequence.size();) {
      size_t end = i;
      while (end < sequence.size() && sequence[end] == sequence[end - period]) ++end;
      const Repeat repeat{i - period, period, (end - i) / period + 1};
      if (is_enough(repeat, least_length)) found.push_back(repeat);
      i = end + 1;
    }
  }
  // What covers most goes first, but a multiple of a period repeats too, and may cover a little more: the shortest of
  // about the same cover.
  std::vector<Repeat> chosen;
  while (!found.empty()) {
    const auto cover = [](const Repeat& r) { return r.period * r.times; };
    size_t most = 0;
    for (const Repeat& r : found) most = std::max(most, cover(r));
    const Repeat* best = nullptr;
    for (const Repeat& r : found)
      if (cover(r) * 4 >= most * 3 && (best == nullptr || r.period < best->period)) best = &r;
    const Repeat taken = *best;
    chosen.push_back(taken);
    found = outside_of(taken, found, least_length);
  }
  std::sort(chosen.begin(), chosen.end(), [](const Repeat& a, const Repeat& b) { return a.begin < b.begin; });
  return chosen;
}

std::vector<size_t> cut_at_waists(std::span<const uint32_t> crossing, size_t target) {
  const size_t length = crossing.size();
  const size_t pieces = (length + target - 1) / std::max<size_t>(target, 1);
  std::vector<size_t> begins = {0};
  for (size_t i = 1; i < pieces; ++i) {
    const size_t even = length * i / pieces, slack = target / 3;
    size_t best = std::max(even, begins.back() + 1);
    for (size_t at = std::max(even - std::min(even, slack), begins.back() + 1); at < std::min(even + slack, length);
         ++at)
      if (crossing[at] < crossing[best]) best = at;
    if (best < length) begins.push_back(best);
  }
  return begins;
}

}  // namespace sw
