// The rows of the page's tables: values and ops in the order of the text, numbered from 0. Everything else in the data
// of the page refers to these numbers.
#pragma once

#include <cstdint>
#include <vector>

#include "draw/scope_tree.h"
#include "draw/script_json.h"
#include "report/plan_report.h"

namespace sw {

struct PageRows {
  explicit PageRows(const Graph& graph);

  std::vector<ValueId> values;
  std::vector<OpId> ops;

  static constexpr int64_t kNone = -1;
  int64_t of(ValueId value) const { return value.valid() ? value_row_[value.index()] : kNone; }
  int64_t of(OpId op) const { return op.valid() ? op_row_[op.index()] : kNone; }

 private:
  std::vector<int64_t> value_row_, op_row_;
};

// The program: types, values, ops, the lines of the file they stand on, and the scopes that the graph folds.
void write_page_program(const PlanReport& report, const PageRows& rows, const ScopeTree& scopes, ScriptStrings& strings,
                        TextSink& out);

}  // namespace sw
