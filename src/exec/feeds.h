// Running a program step after step: which result of one step is which argument of the next.
//
//   main(w, m, x) -> (w', m', loss)        tf.aliasing_output = 0 on w, = 1 on m:   w' -> w, m' -> m; x stays
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ir/graph.h"

namespace sw {

struct Feed {
  size_t result = 0, argument = 0;
};

enum class FeedReason : uint8_t {
  given,     // by the user
  aliases,   // the program says which argument's memory a result takes
  donors,    // the program gives arguments up: each goes to the first result of its type that is free
  position,  // the first results have the types of the first arguments
};

struct Feeds {
  std::vector<Feed> list;
  FeedReason reason = FeedReason::position;
};

// Of a program as read (StableHLO or HLO). Nothing when no result can be an argument.
std::optional<Feeds> find_feeds(const Graph& program);

// "2=0" or "0-3=1-4": results, then arguments. Nothing, with the reason in *why, when that cannot be.
std::optional<Feeds> given_feeds(const Graph& program, const std::vector<std::string>& texts, std::string* why);

}  // namespace sw
