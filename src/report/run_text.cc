// See the header.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>

#include "report/collectives_json.h"
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

class RunText {
 public:
  RunText(const RunReport& report, size_t rows, TextSink& out)
      : report_(report), simulation_(report.simulation), rows_(rows), out_(out) {}

  void write() {
    out_.write(plan_title(report_.plan) + "\n\n");
    write_verdict();
    write_inputs();
    write_traffic();
    write_memory();
    write_outputs();
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
      out_.write("                 " + count_text(rounded) +
                 " of them only when floats are held as f64: rounding decides a comparison\n");
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

void write_run_text(const RunReport& report, size_t rows, TextSink& out) { RunText(report, rows, out).write(); }

}  // namespace sw
