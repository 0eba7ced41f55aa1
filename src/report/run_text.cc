// See the header.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>

#include "report/collectives_json.h"
#include "report/miscompiled.h"
#include "report/names.h"
#include "report/plan_text.h"
#include "report/run_report.h"
#include "report/table.h"

namespace sw {

namespace {

std::string short_number(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.2g", value);
  return text;
}

std::string long_number(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.8g", value);
  return text;
}

constexpr size_t kCurveRows = 40;

std::string shape_text(const ArrayDifference& d) {
  std::string text(hlo_spelling(d.element));
  text += '[';
  for (size_t i = 0; i < d.dims.size(); ++i) text += (i > 0 ? "," : "") + std::to_string(d.dims[i]);
  return text + ']';
}

std::string place_text(const ArrayDifference& d) {
  std::string text;
  if (!d.place.empty()) {
    text = "at [";
    for (size_t i = 0; i < d.place.size(); ++i) text += (i > 0 ? "," : "") + std::to_string(d.place[i]);
    text += "] ";
  }
  return text + "on device " + std::to_string(d.device) + ": " + d.found + " instead of " + d.expected;
}

std::string feeds_text(const Feeds& feeds) {
  const auto count = static_cast<int64_t>(feeds.list.size());
  const std::string text =
      "each with " + count_text(count) + (count == 1 ? " result" : " results") + " of the one before";
  switch (feeds.reason) {
    case FeedReason::given: return text + ", as `--feed` says";
    case FeedReason::aliases: return text + ", as the program aliases them to arguments";
    case FeedReason::donors: return text + ", in arguments of their type that are given up";
    case FeedReason::position: break;
  }
  return text + (count == 1 ? ", the first" : ", the first ones");
}

class RunText {
 public:
  RunText(const RunReport& report, size_t rows, TextSink& out)
      : report_(report), simulation_(report.simulation), rows_(rows), out_(out) {}

  void write() {
    out_.write(plan_title(report_.plan) + "\n\n");
    write_verdict();
    write_values();
    write_inputs();
    if (simulation_.steps > 1)
      out_.write("  steps          " + count_text(simulation_.steps) + ", " + feeds_text(*report_.feeds) + "\n");
    write_traffic();
    write_memory();
    write_curves();
    write_first_value();
    write_outputs();
    if (rows_ == SIZE_MAX) write_collectives();
  }

 private:
  void write_verdict() {
    const auto total = static_cast<int64_t>(simulation_.outputs.size());
    int64_t good = 0, rounded = 0;
    for (size_t i = 0; i < simulation_.outputs.size(); ++i) {
      good += simulation_.agrees(i) ? 1 : 0;
      rounded += simulation_.agrees(i) && simulation_.outputs[i].wrong > 0 ? 1 : 0;
    }
    out_.write("  results        " + count_text(good) + " of " + count_text(total) +
               " as the program computes them, on every device (within " + short_number(simulation_.tolerance) +
               " of the largest magnitude; integers exactly)\n");
    if (rounded > 0)
      out_.write(
          "                 " + count_text(rounded) +
          " of them only when floats are held as f64: what differs is rounding, which the program makes larger\n");
    const std::vector<Finding> wrong = miscompiled_findings(report_.plan);
    if (wrong.empty()) return;
    out_.write("  not as XLA     " + count_text(static_cast<int64_t>(wrong.size())) +
               " below, computed whole on every device\n");
    write_findings_text(report_.plan, wrong, rows_, out_);
  }

  void write_values() {
    if (!simulation_.every_value) return;
    const auto good = std::count_if(simulation_.values.begin(), simulation_.values.end(),
                                    [](const ValueOutcome& value) { return value.agrees(); });
    out_.write("  values         " + count_text(good) + " of " +
               count_text(static_cast<int64_t>(simulation_.values.size())) +
               " on the way as the program computes them, in every piece, each time\n");
    if (simulation_.values_not_lined_up > 0)
      out_.write("                 " + count_text(simulation_.values_not_lined_up) +
                 " more are not compared: the partitioned program makes them more or less often\n");
    if (simulation_.values_without_room > 0)
      out_.write("                 " + count_text(simulation_.values_without_room) +
                 " more are not compared: there is no memory to keep them\n");
  }

  // In the order in which the partitioned program makes them: what comes later may be wrong because of it.
  void write_first_value() {
    const auto first = std::find_if(simulation_.values.begin(), simulation_.values.end(),
                                    [](const ValueOutcome& value) { return !value.agrees(); });
    if (first == simulation_.values.end()) return;
    const ValuePlace place = place_of_value(report_, first->as_written.value);
    const ArrayDifference& d = first->as_written.worst;
    std::string text = "  the first value that differs is `" + shown(place.name) + "`";
    if (place.where.valid()) text += ", line " + std::to_string(line_of(report_.plan.sources, place.where));
    text += ", " + shape_text(d) + ": off by " + short_number(d.relative) + ", " + place_text(d);
    if (first->as_written.times > 1)
      text += ", the " + count_text(first->as_written.worst_time + 1) + ". of " + count_text(first->as_written.times) +
              " times";
    out_.write(text + "\n\n");
  }

  void write_curves() {
    for (const Curve& curve : simulation_.curves) {
      const std::string name = shown(output_name(report_.plan.program.graph, curve.result));
      out_.write("  " + name + " step by step: " +
                 (curve.agrees() ? "equal within the tolerance" : "not as the program computes it") + "\n");
      Table table({}, 4);
      table.add({"step", "as written", "partitioned", "off by"});
      const auto count = static_cast<size_t>(simulation_.steps);
      for (size_t step = 0; step < count && step < std::max(rows_, kCurveRows); ++step)
        table.add({std::to_string(step + 1), long_number(curve.expected[step]), long_number(curve.found[step]),
                   short_number(std::fabs(curve.expected[step] - curve.found[step]))});
      table.write(out_);
      if (count > std::max(rows_, kCurveRows))
        out_.write("    …" + count_text(static_cast<int64_t>(count - kCurveRows)) + " more (--all)\n");
      out_.write("\n");
    }
  }

  void write_inputs() {
    if (!simulation_.random_inputs) {
      out_.write("  inputs         " + shown(report_.inputs_from) + "\n");
      return;
    }
    const bool positive = simulation_.range == FloatRange::positive;
    out_.write("  inputs         random, seed " + std::to_string(report_.seed) + ", floats from " +
               (positive ? "0.1 to 1, as others give NaN or overflow" : "-1 to 1") + "\n");
  }

  void write_traffic() {
    struct Sum {
      int64_t runs = 0, bytes = 0;
    };
    std::map<std::string_view, Sum> sums;
    const std::vector<Collective>& collectives = report_.plan.local->collectives;
    for (size_t i = 0; i < collectives.size(); ++i) {
      Sum& sum = sums[collective_name(collectives[i].kind)];
      sum.runs += simulation_.traffic[i].executions;
      sum.bytes += simulation_.traffic[i].bytes;
    }
    std::string text;
    for (const auto& [name, sum] : sums)
      text += (text.empty() ? "" : ", ") + count_text(sum.runs) + " " + std::string(name) + " (" +
              bytes_text(sum.bytes) + ")";
    out_.write("  moved          " + (text.empty() ? "nothing" : text + ", between all devices") + "\n");
  }

  void write_memory() {
    out_.write("  memory         " + bytes_text(simulation_.high_water) + " at most, on device " +
               std::to_string(simulation_.high_water_device) + "; " + bytes_text(simulation_.predicted) +
               " expected before the run\n\n");
  }

  // Every one, in the order of the text.
  void write_collectives() {
    const LocalProgram& local = *report_.plan.local;
    if (local.collectives.empty()) return;
    out_.write("\n  what each collective moved\n");
    Table table({0, 60, 0, 0}, 4);
    for (size_t i = 0; i < local.collectives.size(); ++i) {
      const Collective& c = local.collectives[i];
      const Traffic& traffic = simulation_.traffic[i];
      table.add({std::string(collective_name(c.kind)),
                 local_shape_text(local.graph, local.graph.value(local.graph.result(c.op)).type),
                 count_text(traffic.executions) + (traffic.executions == 1 ? " time" : " times"),
                 bytes_text(traffic.bytes)});
    }
    table.write(out_);
  }

  // Wrong ones first, then the least exact.
  void write_outputs() {
    std::vector<size_t> order(simulation_.outputs.size());
    for (size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
      const ArrayDifference& x = simulation_.outputs[a];
      const ArrayDifference& y = simulation_.outputs[b];
      return std::pair(!simulation_.agrees(a), x.relative) > std::pair(!simulation_.agrees(b), y.relative);
    });
    Table table({40, 26, 0, 0, 0}, 4);
    const size_t count = std::min(rows_, order.size());
    for (size_t i = 0; i < count; ++i) {
      const ArrayDifference& d = simulation_.outputs[order[i]];
      std::string off = d.absolute == 0 ? "equal" : "off by " + short_number(d.relative);
      std::string amount = d.absolute == 0 ? "" : "absolute " + short_number(d.absolute);
      if (!simulation_.agrees(order[i])) {
        off += ", " + count_text(d.wrong) + " of " + count_text(d.compared) + " wrong";
      } else if (d.wrong > 0) {
        off += ", in f64 by " + short_number(simulation_.wide[order[i]].relative);
      }
      table.add({shown(output_name(report_.plan.program.graph, order[i])), shape_text(d), std::move(off),
                 std::move(amount), d.absolute == 0 ? "" : place_text(d)});
    }
    out_.write("  results, the least exact first\n");
    table.write(out_);
    if (count < order.size())
      out_.write("    …" + count_text(static_cast<int64_t>(order.size() - count)) + " more (--all)\n");
  }

  const RunReport& report_;
  const Simulation& simulation_;
  size_t rows_;
  TextSink& out_;
};

}  // namespace

ValuePlace place_of_value(const RunReport& report, ValueId value) {
  const Graph& read = report.plan.program.graph;
  const ValueId source = report.source_of.empty()                  ? value
                         : value.index() < report.source_of.size() ? report.source_of[value.index()]
                                                                   : ValueId{};
  if (source.valid()) return {display_name(read, source), range_of(read, source)};
  return {display_name(report.whole, value), range_of(report.whole, value)};
}

void write_run_text(const RunReport& report, size_t rows, TextSink& out) { RunText(report, rows, out).write(); }

}  // namespace sw
