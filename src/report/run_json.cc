// JSON has no infinity: a difference that is none in numbers (NaN against a number) is null.
#include <cmath>
#include <cstdio>

#include "report/collectives_json.h"
#include "report/json_writer.h"
#include "report/miscompiled.h"
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

// How far off something is; the caller has opened the object.
void write_difference(const ArrayDifference& d, const ArrayDifference* wide, bool agrees, JsonWriter& json) {
  json.key("agrees").boolean(agrees);
  json.key("compared").number(d.compared);
  json.key("wrong").number(d.wrong);
  json.key("largest");
  write_number(json, d.largest);
  json.key("absolute");
  write_number(json, d.absolute);
  json.key("relative");
  write_number(json, d.relative);
  if (wide != nullptr) {
    json.key("relative_in_f64");
    write_number(json, wide->relative);
  }
  json.key("worst");
  if (d.absolute == 0) {
    json.null();
    return;
  }
  json.begin_object();
  json.key("at");
  write_dims(json, d.place);
  json.key("device").number(d.device);
  json.key("expected").string(d.expected);
  json.key("found").string(d.found);
  json.end();
}

void write_output(const RunReport& report, size_t index, JsonWriter& json) {
  const Simulation& s = report.simulation;
  const ArrayDifference& d = s.outputs[index];
  json.begin_object();
  json.key("name").string(output_name(report.plan.program.graph, index));
  json.key("element").string(hlo_spelling(d.element));
  json.key("dims");
  write_dims(json, d.dims);
  write_difference(d, s.wide.empty() ? nullptr : &s.wide[index], s.agrees(index), json);
  json.end();
}

std::string_view reason_text(FeedReason reason) {
  switch (reason) {
    case FeedReason::given: return "given";
    case FeedReason::aliases: return "aliases";
    case FeedReason::donors: return "donors";
    case FeedReason::position: break;
  }
  return "position";
}

void write_steps(const RunReport& report, JsonWriter& json) {
  const Simulation& s = report.simulation;
  json.key("steps").begin_object();
  json.key("count").number(s.steps);
  json.key("fed_by").string(reason_text(report.feeds->reason));
  json.key("feeds").begin_array();
  for (const Feed& feed : report.feeds->list) {
    json.begin_object();
    json.key("result").number(static_cast<int64_t>(feed.result));
    json.key("argument").number(static_cast<int64_t>(feed.argument));
    json.end();
  }
  json.end();
  json.key("curves").begin_array();
  for (const Curve& curve : s.curves) {
    json.begin_object();
    json.key("name").string(output_name(report.plan.program.graph, curve.result));
    json.key("element").string(hlo_spelling(curve.as_written.element));
    write_difference(curve.as_written, curve.wide.has_value() ? &*curve.wide : nullptr, curve.agrees(), json);
    for (const bool expected : {true, false}) {
      json.key(expected ? "as_written" : "partitioned").begin_array();
      for (const double value : expected ? curve.expected : curve.found) write_number(json, value);
      json.end();
    }
    json.end();
  }
  json.end();
  json.end();
}

// Those that are not as they should be; of the others the number.
void write_values(const RunReport& report, JsonWriter& json) {
  const Simulation& s = report.simulation;
  json.key("values").begin_object();
  json.key("compared").number(static_cast<int64_t>(s.values.size()));
  json.key("not_lined_up").number(s.values_not_lined_up);
  json.key("without_room").number(s.values_without_room);
  json.key("differing").begin_array();
  for (const ValueOutcome& value : s.values) {
    if (value.agrees()) continue;
    const ValuePlace place = place_of_value(report, value.as_written.value);
    const ArrayDifference& d = value.as_written.worst;
    json.begin_object();
    json.key("name").string(place.name);
    json.key("line");
    if (place.where.valid())
      json.number(line_of(report.plan.sources, place.where));
    else
      json.null();
    json.key("element").string(hlo_spelling(d.element));
    json.key("dims");
    write_dims(json, d.dims);
    json.key("times").number(value.as_written.times);
    json.key("worst_time").number(value.as_written.worst_time);
    write_difference(d, value.wide.has_value() ? &*value.wide : nullptr, false, json);
    json.end();
  }
  json.end();
  json.end();
}

}  // namespace

void write_run_json(const RunReport& report, TextSink& out) {
  const Simulation& s = report.simulation;
  const LocalProgram& local = *report.plan.local;
  JsonWriter json(out);
  json.begin_object();
  json.key("schema_version").number(1);
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
  json.key("miscompiled");
  write_findings_json(report.plan, miscompiled_findings(report.plan), json);
  json.key("memory").begin_object();
  json.key("measured_bytes").number(s.high_water);
  json.key("device").number(s.high_water_device);
  json.key("expected_bytes").number(s.predicted);
  json.key("by_device").begin_array();
  for (const int64_t bytes : s.high_water_of) json.number(bytes);
  json.end();
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
  if (s.steps > 1) write_steps(report, json);
  if (s.every_value) write_values(report, json);
  json.end();
}

}  // namespace sw
