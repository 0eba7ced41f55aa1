// A program given as text, planned by Shardy, for tests: `Planned(text).of("%0")` is `[{"a"}, {}]`, or `-` when no
// dimension is sharded. Results of main are `out(0)`.
#pragma once

#include <string>
#include <string_view>

#include "propagate/shardy/propagate.h"
#include "sharding/text.h"
#include "support/catch.h"
#include "support/diagnostics.h"
#include "text/mlir/reader.h"

namespace sw::test {

class Planned {
 public:
  explicit Planned(std::string_view text, const ShardyOptions& options = {}) {
    const FileId file = sources_.add("test.mlir", std::string(text));
    Result<Program> read = read_mlir(file, sources_, diagnostics_);
    INFO(told(diagnostics_, sources_));
    REQUIRE(read.has_value());
    program_ = std::move(*read);
    again(options);
  }

  // Plans again, with seeds for values by name.
  void again(const ShardyOptions& options = {}, const Seeds& seeds = {}) {
    Result<Plan> result = propagate_shardy(program_, seeds, options, diagnostics_);
    planned_ = result.has_value();
    if (planned_) plan_ = std::move(*result);
  }

  bool planned() const { return planned_; }
  std::string errors() const { return told(diagnostics_, sources_); }
  Program& program() { return program_; }
  const Plan& plan() const { return plan_; }

  // The first value of this name; `%0#1` is the second result of %0.
  ValueId value(std::string_view name) const {
    const size_t hash = name.find('#');
    const uint32_t index = hash == std::string_view::npos ? 0 : static_cast<uint32_t>(name[hash + 1] - '0');
    for (size_t i = 0; i < program_.graph.value_count(); ++i) {
      const Value& v = program_.graph.value(ValueId{i});
      if (program_.graph.strings.text(v.name) == name.substr(0, hash) && (!v.def.valid() || v.index == index))
        return ValueId{i};
    }
    FAIL("no value " << name);
    return {};
  }
  std::string of(std::string_view name) const {
    REQUIRE(planned_);
    return dims(plan_.named[value(name).index()]);
  }
  std::string out(size_t i) const {
    REQUIRE(planned_);
    return dims(plan_.outputs_named[i]);
  }

 private:
  std::string dims(NamedShardingId id) const {
    if (!id.valid() || program_.shardings.get(id).fully_replicated()) return "-";
    const std::string text = sdy_text(program_.shardings, id);
    const size_t begin = text.find('[');
    return text.substr(begin, text.size() - 1 - begin);
  }

  SourceManager sources_;
  Diagnostics diagnostics_;
  Program program_;
  Plan plan_;
  bool planned_ = false;
};

}  // namespace sw::test
