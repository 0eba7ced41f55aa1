// See the header.
#include "report/collectives_report.h"

#include <algorithm>

#include "report/collective_rows.h"
#include "report/collectives_json.h"
#include "report/json_writer.h"
#include "report/plan_json.h"
#include "report/plan_text.h"
#include "report/table.h"

namespace sw {

namespace {

constexpr size_t kGroups = 16;
constexpr size_t kRows = 16;         // of a group
constexpr size_t kRowsByBytes = 40;  // where there are no groups

std::string more_text(size_t count, std::string_view what) {
  return "…" + count_text(static_cast<int64_t>(count)) + " more" + std::string(what) + " (--all)\n";
}

std::string_view order_name(CollectiveOrder order) {
  switch (order) {
    case CollectiveOrder::axis: return "axis";
    case CollectiveOrder::line: return "line";
    case CollectiveOrder::bytes: break;
  }
  return "bytes";
}

// The cells of a line; what the heading says already is left out.
std::vector<std::string> cells(const CollectiveRow& row, CollectiveOrder by) {
  const CollectiveFacts& c = *row.first;
  std::vector<std::string> line = {std::string(c.kind)};
  if (by != CollectiveOrder::axis) {
    line.push_back(c.groups->over);
    line.push_back(c.groups->devices);
  }
  line.push_back(c.shape);
  line.push_back(row.amount());
  line.push_back(row.bytes == c.collective->bytes ? "" : bytes_text(row.bytes));
  if (by != CollectiveOrder::line) line.push_back(c.place);
  line.push_back(c.cause);
  return line;
}

Table table_for(CollectiveOrder by) {
  switch (by) {
    case CollectiveOrder::axis: return Table({20, 30, 0, 0, 28, 0}, 4);
    case CollectiveOrder::line: return Table({20, 40, 14, 30, 0, 0, 0}, 4);
    case CollectiveOrder::bytes: break;
  }
  return Table({20, 40, 14, 30, 0, 0, 28, 0}, 2);
}

std::string heading(const CollectiveList& list, const CollectiveSum& sum) {
  std::string text = sum.label.empty() ? "nowhere" : sum.label;
  if (sum.groups != nullptr && sum.groups->size > 0) text += "  " + sum.groups->devices;
  return text + "   " + (sum.at_least ? "at least " : "") + bytes_text(sum.bytes) + ": " +
         kinds_text(list, sum.members);
}

}  // namespace

void write_collectives_report(const PlanReport& report, const CollectivesOptions& options, TextSink& out) {
  const CollectiveList list(report);
  out.write(plan_title(report) + (options.backend == "none" ? "" : "  ·  " + std::string(options.backend)) + "\n\n");
  if (list.all().empty()) {
    out.write("  no collectives: no device needs anything from another\n");
    return;
  }
  out.write("  " + moved_text(list) + "\n");
  const std::vector<CollectiveSum> sums = sums_of(list, options.by);
  const bool grouped = options.by != CollectiveOrder::bytes;
  const size_t groups = options.all ? sums.size() : std::min(sums.size(), kGroups);
  for (size_t g = 0; g < groups; ++g) {
    out.write('\n');
    if (grouped) out.write("  " + heading(list, sums[g]) + "\n");
    const std::vector<CollectiveRow> rows = rows_of(list, sums[g].members);
    const size_t count = options.all ? rows.size() : std::min(rows.size(), grouped ? kRows : kRowsByBytes);
    Table table = table_for(options.by);
    for (size_t i = 0; i < count; ++i) table.add(cells(rows[i], options.by));
    table.write(out);
    if (rows.size() > count) out.write((grouped ? "    " : "  ") + more_text(rows.size() - count, ""));
  }
  if (sums.size() > groups)
    out.write("\n  " +
              more_text(sums.size() - groups, options.by == CollectiveOrder::line ? " lines" : " sets of axes"));
}

void write_collectives_report_json(const PlanReport& report, const CollectivesOptions& options, TextSink& out) {
  CollectiveList list(report);
  int64_t runs = 0, bytes = 0;
  for (const CollectiveFacts& c : list.all()) {
    runs = saturated_add(runs, c.runs);
    bytes = saturated_add(bytes, c.bytes);
  }
  JsonWriter json(out);
  json.begin_object();
  write_report_head(report, json);
  json.key("backend").string(options.backend);
  json.key("device_count").number(report.local->device_count);
  json.key("total").begin_object();
  json.key("runs").number(runs);
  json.key("bytes").number(bytes);
  json.end();
  json.key("by").string(order_name(options.by));
  json.key("sums").begin_array();
  for (const CollectiveSum& sum : sums_of(list, options.by)) {
    json.begin_object();
    json.key("label").string_or_null(sum.label);
    json.key("axes").begin_array();
    if (sum.groups != nullptr)
      for (const std::string& axis : sum.groups->axes) json.string(axis);
    json.end();
    json.key("group_size");
    sum.groups != nullptr&& sum.groups->size > 0 ? json.number(sum.groups->size) : json.null();
    json.key("runs").number(sum.runs);
    json.key("bytes").number(sum.bytes);
    json.key("collectives").begin_array();
    for (const uint32_t i : sum.members) json.number(i);
    json.end();
    json.end();
  }
  json.end();
  json.key("collectives").begin_array();
  write_collectives(list, json);
  json.end();
  json.end();
}

void write_collectives_report_markdown(const PlanReport& report, const CollectivesOptions& options, TextSink& out) {
  const CollectiveList list(report);
  std::string text = "**" + plan_title(report) + "**\n\n";
  if (list.all().empty()) {
    out.write(text + "No collectives.\n");
    return;
  }
  text += "Collectives: " + moved_text(list) + ".\n";
  size_t left = 0;
  for (const CollectiveSum& sum : sums_of(list, options.by)) {
    std::string table =
        options.by == CollectiveOrder::bytes ? "\n" : "\n**" + markdown_cell(heading(list, sum)) + "**\n\n";
    table +=
        "| collective | over | devices | on a device | bytes | a step | where | why "
        "|\n|---|---|---|---|---|---|---|---|\n";
    for (const CollectiveRow& row : rows_of(list, sum.members)) {
      const CollectiveFacts& c = *row.first;
      const std::string line =
          markdown_row({std::string(c.kind), c.groups->over, c.groups->devices, "`" + c.shape + "`", row.amount(),
                        bytes_text(row.bytes), c.place, c.cause});
      if (left > 0 || text.size() + table.size() + line.size() > kMarkdownBytes) {
        ++left;
        continue;
      }
      text += table + line;
      table.clear();  // the heading stands once
    }
  }
  if (left > 0) text += "\n" + count_text(static_cast<int64_t>(left)) + " more are not shown.\n";
  out.write(text);
}

}  // namespace sw
