// See the header. The curve is the largest amount in each of a few equal parts of the schedule: the steps of a body
// stand in it once, where its loop runs them.
#include "report/memory_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/names.h"
#include "report/plan_json.h"
#include "report/plan_text.h"
#include "report/table.h"

namespace sw {

namespace {

constexpr size_t kBuffers = 20;             // in text
constexpr size_t kBuffersInPlan = 50;       // in the JSON of `plan`
constexpr size_t kColumns = 64, kRows = 8;  // of the curve
constexpr size_t kMostPoints = 1000;        // of the curve in JSON

// A buffer, or several of one kind from one place.
struct Row {
  const MemoryBuffer* first = nullptr;
  std::string what, shape, place;
  int64_t bytes = 0;
  int64_t count = 0;
  bool same_kind(const Row& other) const {
    return what == other.what && shape == other.shape && place == other.place && first->bytes == other.first->bytes &&
           first->category == other.first->category;
  }
};

class MemoryView {
 public:
  explicit MemoryView(const PlanReport& report)
      : report_(report),
        local_(report.local->graph),
        profile_(report.memory->profile),
        arguments_(main_arguments(report.program.graph)) {}

  std::vector<const MemoryBuffer*> at_worst() const {
    std::vector<const MemoryBuffer*> buffers;
    for (const MemoryBuffer& buffer : profile_.buffers)
      if (buffer.at_peak) buffers.push_back(&buffer);
    return buffers;
  }

  // "params['w1']" for arguments, else the op that makes it.
  std::string what(const MemoryBuffer& buffer) const {
    if (!buffer.op.valid() && buffer.value.valid()) {
      const uint32_t number = local_.value(buffer.value).index;
      return number < arguments_.size() ? display_name(report_.program.graph, arguments_[number])
                                        : display_name(local_, buffer.value);
    }
    return buffer.op.valid() ? std::string(facts(local_.op(buffer.op).kind).hlo) : "";
  }

  std::string shape(const MemoryBuffer& buffer) const {
    return buffer.value.valid() && local_.type_of(buffer.value).is_array()
               ? hlo_text(local_.types, local_.value(buffer.value).type, false)
               : "";
  }

  int64_t line(OpId op) const {
    const SourceRange where = op.valid() ? local_.op(op).where : SourceRange{};
    return where.valid() ? line_of(report_.sources, where) : 0;
  }

  std::string place(OpId op) const { return op.valid() ? place_of(local_, report_.sources, op) : ""; }

  std::vector<Row> rows() const {
    std::vector<Row> rows;
    for (const MemoryBuffer* buffer : at_worst()) {
      Row row{buffer, what(*buffer), shape(*buffer), buffer->op.valid() ? place(buffer->op) : "argument", buffer->bytes,
              1};
      if (!rows.empty() && rows.back().same_kind(row)) {
        rows.back().bytes += row.bytes;
        ++rows.back().count;
      } else {
        rows.push_back(std::move(row));
      }
    }
    return rows;
  }

  // The most in each of `parts` equal parts of the schedule, which may be fewer than that.
  std::vector<MemoryPoint> curve(size_t parts) const {
    std::vector<MemoryPoint> points;
    const size_t steps = profile_.curve.size();
    parts = std::min(parts, steps);
    for (size_t i = 0; i < parts; ++i) {
      const auto begin = profile_.curve.begin() + static_cast<std::ptrdiff_t>(i * steps / parts);
      const auto end = profile_.curve.begin() + static_cast<std::ptrdiff_t>((i + 1) * steps / parts);
      points.push_back(
          *std::max_element(begin, end, [](const MemoryPoint& a, const MemoryPoint& b) { return a.bytes < b.bytes; }));
    }
    return points;
  }

 private:
  const PlanReport& report_;
  const Graph& local_;
  const MemoryProfile& profile_;
  const std::vector<ValueId> arguments_;
};

void write_figures(const DeviceMemory& memory, TextSink& out) {
  const MemoryProfile& m = memory.profile;
  Table table({0, 0, 0});
  table.add({"arguments", bytes_text(m.argument), ""});
  table.add({"results", bytes_text(m.output), m.alias > 0 ? bytes_text(m.alias) + " of it in arguments" : ""});
  table.add({"temporaries", bytes_text(m.temp), ""});
  table.add({"in all", bytes_text(m.total()), bytes_text(m.peak) + " at the worst moment"});
  if (memory.hardware.capacity.has_value())
    table.add({"capacity", bytes_text(*memory.hardware.capacity),
               memory.hardware.reserve > 0 ? bytes_text(memory.hardware.reserve) + " of it kept by the runtime" : ""});
  table.write(out);
}

void write_categories(const MemoryProfile& profile, TextSink& out) {
  constexpr size_t kBar = 32;
  const auto sums = profile.worst_by_category();
  std::vector<size_t> order;
  int64_t all = 0;
  for (size_t i = 0; i < sums.size(); ++i) {
    if (sums[i] > 0) order.push_back(i);
    all += sums[i];
  }
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return sums[a] > sums[b]; });
  out.write("\n  at the worst moment\n");
  Table table({0, 0, 0, 0}, 4);
  for (const size_t i : order) {
    const double share = static_cast<double>(sums[i]) / static_cast<double>(all);
    table.add({std::string(category_name(static_cast<MemoryCategory>(i))), bytes_text(sums[i]),
               fmt::format("{:.0f} %", 100 * share),
               std::string(std::max<size_t>(1, static_cast<size_t>(share * kBar + 0.5)), '#')});
  }
  table.write(out);
}

void write_buffers(const MemoryView& view, bool all, TextSink& out) {
  const std::vector<Row> rows = view.rows();
  out.write("\n  largest buffers alive then\n");
  Table table({0, 0, 40, 30, 0, 28}, 4);
  const size_t shown_rows = all ? rows.size() : std::min(kBuffers, rows.size());
  for (size_t i = 0; i < shown_rows; ++i) {
    const Row& row = rows[i];
    const int64_t padding = row.first->bytes - row.first->unpadded;
    table.add({bytes_text(row.first->bytes) + (row.count > 1 ? " × " + count_text(row.count) : ""),
               padding > 0 ? bytes_text(padding) + " padding" : "", shown(row.what), row.shape,
               std::string(category_name(row.first->category)), row.place});
  }
  table.write(out);
  if (rows.size() > shown_rows) out.write(fmt::format("    …{} more (--all)\n", rows.size() - shown_rows));
}

// A picture of rows of blocks; the foot is what lives all the time.
void write_curve(const MemoryView& view, const MemoryProfile& profile, TextSink& out) {
  const std::vector<MemoryPoint> points = view.curve(kColumns);
  if (points.empty() || profile.peak <= 0) return;
  const int64_t fixed = profile.argument + profile.output - profile.alias;
  out.write("\n  over the step, temporaries above " + bytes_text(fixed) + "\n");
  int64_t most = 1;
  for (const MemoryPoint& point : points) most = std::max(most, point.bytes - fixed);
  for (size_t row = kRows; row-- > 0;) {
    std::string line;
    for (const MemoryPoint& point : points) {
      const double level = static_cast<double>(point.bytes - fixed) / static_cast<double>(most) * kRows;
      line += level > static_cast<double>(row) + 0.5 ? "█" : level > static_cast<double>(row) ? "▄" : " ";
    }
    while (line.ends_with(' ')) line.pop_back();
    out.write("    │" + line + (row == kRows - 1 ? "  " + bytes_text(most) : "") + "\n");
  }
}

void write_buffer_json(const MemoryView& view, const MemoryBuffer& buffer, JsonWriter& json) {
  json.begin_object();
  json.key("what").string(view.what(buffer));
  json.key("shape").string_or_null(view.shape(buffer));
  json.key("bytes").number(buffer.bytes);
  json.key("unpadded_bytes").number(buffer.unpadded);
  json.key("category").string(category_name(buffer.category));
  json.key("begin").number(buffer.begin);
  json.key("end").number(buffer.end);
  json.key("line");
  const int64_t line = view.line(buffer.op);
  line > 0 ? json.number(line) : json.null();
  json.key("source").string_or_null(buffer.op.valid() ? view.place(buffer.op) : "");
  json.end();
}

}  // namespace

std::string memory_line(const DeviceMemory& memory) {
  const std::optional<int64_t> usable = memory.hardware.usable();
  std::string text = bytes_text(memory.profile.total());
  if (usable.has_value()) text += " of " + bytes_text(*usable) + " usable";
  text += " on " + memory.hardware.name;
  if (usable.has_value()) text += memory.fits() ? ", fits" : ", does not fit";
  return text + "; at most " + bytes_text(memory.profile.peak) + " at one time";
}

void write_memory_report(const PlanReport& report, const MemoryReportOptions& options, TextSink& out) {
  const MemoryView view(report);
  const DeviceMemory& memory = *report.memory;
  out.write(plan_title(report) + "\n\n  " + memory_line(memory) + "\n\n");
  write_figures(memory, out);
  write_categories(memory.profile, out);
  if (const OpId worst = memory.profile.worst_op(); worst.valid()) {
    const Graph& local = report.local->graph;
    const std::string place = view.place(worst);
    out.write(fmt::format("\n  the worst moment is step {} of {}, {}{}\n", memory.profile.peak_position + 1,
                          memory.profile.curve.size(), facts(local.op(worst).kind).hlo,
                          place.empty() ? "" : ", " + place));
  }
  write_buffers(view, options.all, out);
  write_curve(view, memory.profile, out);
  if (options.advice != nullptr) write_advice(report, *options.advice, options.all, out);
}

void write_memory_json(const PlanReport& report, bool everything, JsonWriter& json) {
  const MemoryView view(report);
  const DeviceMemory& memory = *report.memory;
  const MemoryProfile& m = memory.profile;
  json.begin_object();
  json.key("hardware").string(memory.hardware.name);
  json.key("rules").string(memory.hardware.memory_model);
  json.key("argument").number(m.argument);
  json.key("output").number(m.output);
  json.key("alias").number(m.alias);
  json.key("temp").number(m.temp);
  json.key("total").number(m.total());
  json.key("peak").number(m.peak);
  json.key("capacity").number_or_null(memory.hardware.capacity);
  json.key("reserve").number(memory.hardware.reserve);
  json.key("fits").boolean(memory.fits());
  json.key("by_category").begin_object();
  const auto sums = m.worst_by_category();
  for (size_t i = 0; i < sums.size(); ++i) json.key(category_name(static_cast<MemoryCategory>(i))).number(sums[i]);
  json.end();
  json.key("worst").begin_object();
  json.key("step").number(m.peak_position);
  json.key("steps").number(static_cast<int64_t>(m.curve.size()));
  json.key("line");
  const int64_t line = view.line(m.worst_op());
  line > 0 ? json.number(line) : json.null();
  json.end();
  json.key("at_peak").begin_array();
  std::vector<const MemoryBuffer*> buffers = view.at_worst();
  if (!everything && buffers.size() > kBuffersInPlan) buffers.resize(kBuffersInPlan);
  for (const MemoryBuffer* buffer : buffers) write_buffer_json(view, *buffer, json);
  json.end();
  if (everything) {
    json.key("curve").begin_array();
    for (const MemoryPoint& point : view.curve(kMostPoints)) {
      json.begin_array();
      json.number(point.position);
      json.number(point.bytes);
      json.end();
    }
    json.end();
  }
  json.end();
}

void write_memory_report_json(const PlanReport& report, const Advice& advice, TextSink& out) {
  JsonWriter json(out, 3);
  json.begin_object();
  write_report_head(report, json);
  json.key("device_count").number(report.local->device_count);
  json.key("memory");
  write_memory_json(report, /*everything=*/true, json);
  json.key("advice");
  write_advice_json(report, advice, json);
  json.end();
  out.write('\n');
}

}  // namespace sw
