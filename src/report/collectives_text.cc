#include "report/collectives_text.h"

#include <algorithm>
#include <map>

#include "report/collectives_json.h"
#include "report/names.h"
#include "report/table.h"

namespace sw {

namespace {

struct Line {
  std::vector<std::string> cells;
  int64_t count = 0, bytes = 0;
  bool in_loop = false;  // of unknown length
};

// "4 groups of 2", "8 pairs".
std::string devices_text(const Collective& c) {
  const auto plural = [](int64_t n, std::string_view what) {
    return count_text(n) + ' ' + std::string(what) + (n == 1 ? "" : "s");
  };
  if (!c.pairs.empty()) return plural(static_cast<int64_t>(c.pairs.size()), "pair");
  if (c.groups.dims.empty()) return "";
  return plural(c.groups.dims[0], "group") + " of " + count_text(c.groups.dims[1]);
}

std::string place_text(const PlanReport& report, const Collective& c) {
  std::string text;
  if (c.cause.op.valid()) text = shown(place_of(report.program.graph, report.sources, c.cause.op));
  if (!c.also.empty()) text += " and " + count_text(static_cast<int64_t>(c.also.size())) + " more";
  return text;
}

// Equal collectives from one place are one line.
std::vector<Line> lines_of(const PlanReport& report) {
  const Graph& local = report.local->graph;
  std::vector<Line> lines;
  std::map<std::vector<std::string>, size_t> known;
  for (const Collective& c : report.local->collectives) {
    std::vector<std::string> cells{std::string(collective_name(c.kind)),
                                   local_shape_text(local, local.value(local.result(c.op)).type), devices_text(c),
                                   place_text(report, c), collective_reason(report, c.cause)};
    const auto [at, fresh] = known.emplace(cells, lines.size());
    if (fresh) lines.push_back({std::move(cells), 0, 0, false});
    Line& line = lines[at->second];
    const int64_t times = std::max<int64_t>(c.trip_count, 1);
    line.count += times;
    line.bytes += times * c.bytes;
    line.in_loop = line.in_loop || c.trip_count == 0;
  }
  std::stable_sort(lines.begin(), lines.end(), [](const Line& a, const Line& b) { return a.bytes > b.bytes; });
  return lines;
}

// "12 all-gather (1.5 MiB), 4 all-reduce (2.0 KiB)".
std::string sums_text(const std::vector<Line>& lines) {
  std::map<std::string, std::pair<int64_t, int64_t>> sums;
  for (const Line& line : lines) {
    sums[line.cells[0]].first += line.count;
    sums[line.cells[0]].second += line.bytes;
  }
  std::string text;
  for (const auto& [name, sum] : sums)
    text += (text.empty() ? "" : ", ") + count_text(sum.first) + ' ' + name + " (" + bytes_text(sum.second) + ")";
  return text;
}

}  // namespace

void write_collectives_text(const PlanReport& report, size_t rows, TextSink& out) {
  if (report.local == nullptr) return;
  std::vector<Line> lines = lines_of(report);
  if (lines.empty()) {
    out.write("  collectives    none\n\n");
    return;
  }
  out.write("  collectives    " + sums_text(lines) + ", bytes of the results on a device\n");
  Table table({20, 26, 18, 0, 24, 0}, 4);
  const size_t shown_rows = std::min(rows, lines.size());
  for (size_t i = 0; i < shown_rows; ++i) {
    Line& line = lines[i];
    std::string amount = bytes_text(line.bytes / line.count);
    if (line.count > 1) amount += " × " + count_text(line.count);
    if (line.in_loop) amount += ", each time round its loop";
    table.add({line.cells[0], line.cells[1], line.cells[2], amount, line.cells[3], line.cells[4]});
  }
  table.write(out);
  if (lines.size() > shown_rows)
    out.write("    …" + count_text(static_cast<int64_t>(lines.size() - shown_rows)) + " more (--all)\n");
  out.write('\n');
}

}  // namespace sw
