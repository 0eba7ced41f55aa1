// What would make a program smaller (search/advice.h) in words: what to change and where, what it saves and costs, how
// it is written in JAX, and the words of the command line that try it.
#pragma once

#include <string>
#include <vector>

#include "report/json_writer.h"
#include "report/plan_report.h"
#include "search/advice.h"

namespace sw {

// What was found, or why nothing was looked for; neither: nobody asked.
struct Advice {
  std::optional<AdviceReport> found;
  std::string not_tried;
};

struct AdviceWords {
  std::string kind;                  // "donate", "shard", "pin", "remat"
  std::string what;                  // "params['w1'] and 3 more", "%41 dot_general, model.py:61"
  std::string spec;                  // P('x', None); of several arguments that of the largest
  std::string effect;                // "saves 1.2 GiB, moves 64.0 MiB more a step"
  std::string code;                  // what to write in JAX
  std::vector<std::string> options;  // `--pin "%41=P('x', None)"`
};

class AdviceTexts {
 public:
  // Both outlive it; `report.local` must be there.
  AdviceTexts(const PlanReport& report, const AdviceReport& advice) : report_(report), advice_(advice) {}

  AdviceWords of_item(size_t index) const;
  // "with 1, 3 and 4: 12.1 GiB of 15.8 GiB, fits; moves 4.2 GiB more a step"; empty where nothing was put together.
  std::string together() const;
  std::vector<std::string> together_options() const { return options_of(advice_.all); }
  // "41 changes tried".
  std::string effort() const;
  // Where there are no items.
  std::string nothing_helps() const;

 private:
  std::vector<std::string> options_of(const Change& change) const;
  std::string spec_text(NamedShardingId id) const;
  std::string effect(const AdviceItem& item) const;

  const PlanReport& report_;
  const AdviceReport& advice_;
};

// Below the memory report; with `all`, all words of each change.
void write_advice(const PlanReport& report, const Advice& advice, bool all, TextSink& out);
// The value of the key `advice`; null where nothing was looked for.
void write_advice_json(const PlanReport& report, const Advice& advice, JsonWriter& json);
// Lines for `check`: every item, and what was put together.
std::vector<std::string> advice_lines(const PlanReport& report, const Advice& advice);

}  // namespace sw
