#include "report/collectives_text.h"

#include <algorithm>
#include <numeric>

#include "report/collective_facts.h"
#include "report/collective_rows.h"
#include "report/table.h"

namespace sw {

namespace {

std::string more_text(size_t count, const PlanReport& report) {
  return "    …" + count_text(static_cast<int64_t>(count)) + " more (shardwright collectives " + shown(report.file) +
         ")\n";
}

void write_axes(const CollectiveList& list, size_t most, TextSink& out) {
  const std::vector<CollectiveSum> sums = sums_of(list, CollectiveOrder::axis);
  Table table({40, 14, 0, 0}, 4);
  const size_t rows = std::min(most, sums.size());
  for (size_t i = 0; i < rows; ++i)
    table.add({sums[i].label, sums[i].groups->size > 0 ? sums[i].groups->devices : "", bytes_text(sums[i].bytes),
               kinds_text(list, sums[i].members)});
  table.write(out);
  if (sums.size() > rows) out.write(more_text(sums.size() - rows, list.report()));
}

}  // namespace

void write_collectives_text(const PlanReport& report, size_t rows, TextSink& out) {
  if (report.local == nullptr) return;
  const CollectiveList list(report);
  if (list.all().empty()) {
    out.write("  collectives    none\n\n");
    return;
  }
  out.write("  collectives    " + moved_text(list) + "\n");
  write_axes(list, rows, out);
  out.write("\n  largest collectives\n");
  std::vector<uint32_t> all(list.all().size());
  std::iota(all.begin(), all.end(), 0U);
  const std::vector<CollectiveRow> lines = rows_of(list, all);
  Table table({20, 40, 26, 0, 24, 0}, 4);
  const size_t shown_rows = std::min(rows, lines.size());
  for (size_t i = 0; i < shown_rows; ++i) {
    const CollectiveFacts& c = *lines[i].first;
    table.add({std::string(c.kind), c.groups->over, c.shape, lines[i].amount(), c.place, c.cause});
  }
  table.write(out);
  if (lines.size() > shown_rows) out.write(more_text(lines.size() - shown_rows, report));
  out.write('\n');
}

}  // namespace sw
