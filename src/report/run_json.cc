// JSON has no infinity: a difference that is none in numbers (NaN against a number) is null.
#include <cmath>
#include <cstdio>

#include "report/collectives_json.h"
#include "report/json_writer.h"
#include "report/names.h"
#include "report/run_report.h"

namespace sw {

namespace {

void write_number(JsonWriter& json, double value) {
  if (!std::isfinite(value)) {
    json.null();
    return;
  }
  char text[40];
  std::snprintf(text, sizeof text, "%.9g", value);
  json.raw(text);
}

void write_dims(JsonWriter& json, const DimList& dims) {
  json.begin_array();
  for (const int64_t d : dims) json.number(d);
  json.end();
}

void write_output(const RunReport& report, size_t index, JsonWriter& json) {
  const ArrayDifference& d = report.simulation.outputs[index];
  json.begin_object();
  json.key("name").string(output_name(report.plan.program.graph, index));
  json.key("element").string(hlo_spelling(d.element));
  json.key("dims");
  write_dims(json, d.dims);
  json.key("agrees").boolean(report.simulation.agrees(index));
  json.key("compared").number(d.compared);
  json.key("wrong").number(d.wrong);
  json.key("largest");
  write_number(json, d.largest);
  json.key("absolute");
  write_number(json, d.absolute);
  json.key("relative");
  write_number(json, d.relative);
  if (!report.simulation.wide.empty()) {
    json.key("relative_in_f64");
    write_number(json, report.simulation.wide[index].relative);
  }
  json.key("worst");
  if (d.absolute == 0) {
    json.null();
  } else {
    json.begin_object();
    json.key("at");
    write_dims(json, d.place);
    json.key("device").number(d.device);
    json.key("expected").string(d.expected);
    json.key("found").string(d.found);
    json.end();
  }
  json.end();
}

}  // namespace

void write_run_json(const RunReport& report, TextSink& out) {
  const Simulation& s = report.simulation;
  const LocalProgram& local = *report.plan.local;
  JsonWriter json(out);
  json.begin_object();
  json.key("file").string(report.plan.file);
  json.key("partitioner").string(partitioner_name(report.plan.plan.by));
  json.key("devices").number(local.device_count);
  json.key("agrees").boolean(s.agrees());
  json.key("tolerance");
  write_number(json, s.tolerance);
  json.key("inputs").begin_object();
  json.key("random").boolean(s.random_inputs);
  if (s.random_inputs) {
    json.key("seed").raw(std::to_string(report.seed));
    json.key("floats").string(s.range == FloatRange::positive ? "positive" : "symmetric");
  }
  json.end();
  json.key("memory").begin_object();
  json.key("measured_bytes").number(s.high_water);
  json.key("device").number(s.high_water_device);
  json.key("expected_bytes").number(s.predicted);
  json.end();
  json.key("collectives").begin_array();
  for (size_t i = 0; i < local.collectives.size(); ++i) {
    const Collective& c = local.collectives[i];
    json.begin_object();
    json.key("kind").string(collective_name(c.kind));
    json.key("result").string(local_shape_text(local.graph, local.graph.value(local.graph.result(c.op)).type));
    json.key("executions").number(s.traffic[i].executions);
    json.key("moved_bytes").number(s.traffic[i].bytes);
    json.end();
  }
  json.end();
  json.key("outputs").begin_array();
  for (size_t i = 0; i < s.outputs.size(); ++i) write_output(report, i, json);
  json.end();
  json.end();
}

}  // namespace sw
