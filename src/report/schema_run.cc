// The schema of what `run` prints: it shares nothing with the reports on a plan.
#include "report/schema_parts.h"

namespace sw {

namespace {

constexpr std::string_view kRun = R"json({
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "title": "shardwright run report",
  "description": "What `shardwright run FILE --format json` prints. New keys may be added; these stay.",
  "type": "object",
  "required": ["schema_version", "file", "partitioner", "devices", "agrees", "tolerance", "inputs",
               "miscompiled", "memory", "collectives", "outputs"],
  "properties": {
    "schema_version": {"const": 1},
    "file": {"type": "string"},
    "partitioner": {"enum": ["shardy", "gspmd", "none"]},
    "devices": {"type": "integer", "minimum": 1},
    "agrees": {"description": "Everything that was compared is as the program computes it", "type": "boolean"},
    "tolerance": {"description": "For floats, relative to the largest magnitude of their array", "type": "number"},
    "inputs": {
      "type": "object",
      "required": ["random"],
      "properties": {
        "random": {"type": "boolean"},
        "seed": {"type": "integer", "minimum": 0},
        "floats": {"description": "symmetric: -1 to 1; positive: 0.1 to 1", "enum": ["symmetric", "positive"]}
      }
    },
    "miscompiled": {
      "description": "Operations that XLA's partitioner computes wrongly; here they are computed whole on every device",
      "type": "array",
      "items": {
        "type": "object",
        "required": ["rule", "line", "value", "message", "fix"],
        "properties": {
          "rule": {"const": "miscompiled"},
          "line": {"type": ["integer", "null"]},
          "value": {"type": ["string", "null"]},
          "message": {"type": "string"},
          "fix": {"type": ["string", "null"]}
        }
      }
    },
    "memory": {
      "type": "object",
      "required": ["measured_bytes", "device", "expected_bytes", "by_device"],
      "properties": {
        "measured_bytes": {"description": "On the device that held most", "type": "integer", "minimum": 0},
        "device": {"type": "integer", "minimum": 0},
        "expected_bytes": {"description": "On one device, computed before the run", "type": "integer", "minimum": 0},
        "by_device": {"description": "Measured", "type": "array", "items": {"type": "integer", "minimum": 0}}
      }
    },
    "collectives": {
      "type": "array",
      "items": {
        "type": "object",
        "required": ["kind", "result", "executions", "moved_bytes"],
        "properties": {
          "kind": {"type": "string"},
          "result": {"description": "Shape on one device, as HLO prints it", "type": "string"},
          "executions": {"type": "integer", "minimum": 0},
          "moved_bytes": {"description": "Between all devices, in all executions", "type": "integer", "minimum": 0}
        }
      }
    },
    "outputs": {"type": "array", "items": {"$ref": "#/$defs/output"}},
    "steps": {
      "description": "Of --steps",
      "type": "object",
      "required": ["count", "fed_by", "feeds", "curves"],
      "properties": {
        "count": {"type": "integer", "minimum": 2},
        "fed_by": {"enum": ["given", "aliases", "donors", "position"]},
        "feeds": {
          "type": "array",
          "items": {
            "type": "object",
            "required": ["result", "argument"],
            "properties": {
              "result": {"type": "integer", "minimum": 0},
              "argument": {"type": "integer", "minimum": 0}
            }
          }
        },
        "curves": {
          "description": "Scalar results that are not fed back",
          "type": "array",
          "items": {"$ref": "#/$defs/curve"}
        }
      }
    },
    "values": {
      "description": "Of --every-value",
      "type": "object",
      "required": ["compared", "not_lined_up", "without_room", "differing"],
      "properties": {
        "compared": {"type": "integer", "minimum": 0},
        "not_lined_up": {"description": "Left out: not made equally often", "type": "integer", "minimum": 0},
        "without_room": {"description": "Left out: no memory to keep them", "type": "integer", "minimum": 0},
        "differing": {"description": "In the order in which they are made", "type": "array",
                      "items": {"$ref": "#/$defs/differing"}}
      }
    }
  },
  "$defs": {
    "number": {"description": "null: infinite, or NaN against a number", "type": ["number", "null"]},
    "dims": {"type": "array", "items": {"type": "integer", "minimum": 0}},
    "worst": {
      "description": "Where it is furthest off; null: nowhere",
      "type": ["object", "null"],
      "required": ["at", "device", "expected", "found"],
      "properties": {
        "at": {"$ref": "#/$defs/dims"},
        "device": {"type": "integer", "minimum": 0},
        "expected": {"type": "string"},
        "found": {"type": "string"}
      }
    },
    "output": {
      "type": "object",
      "required": ["name", "element", "dims", "agrees", "compared", "wrong", "largest", "absolute", "relative",
                   "worst"],
      "properties": {
        "name": {"type": "string"},
        "element": {"type": "string"},
        "dims": {"$ref": "#/$defs/dims"},
        "agrees": {"type": "boolean"},
        "compared": {"description": "Elements, over all devices", "type": "integer", "minimum": 0},
        "wrong": {"description": "Off by more than the tolerance", "type": "integer", "minimum": 0},
        "largest": {"$ref": "#/$defs/number"},
        "absolute": {"$ref": "#/$defs/number"},
        "relative": {"$ref": "#/$defs/number"},
        "relative_in_f64": {"$ref": "#/$defs/number"},
        "worst": {"$ref": "#/$defs/worst"}
      }
    },
    "curve": {
      "type": "object",
      "required": ["name", "element", "agrees", "absolute", "relative", "as_written", "partitioned"],
      "properties": {
        "name": {"type": "string"},
        "element": {"type": "string"},
        "agrees": {"type": "boolean"},
        "absolute": {"$ref": "#/$defs/number"},
        "relative": {"$ref": "#/$defs/number"},
        "as_written": {"type": "array", "items": {"$ref": "#/$defs/number"}},
        "partitioned": {"type": "array", "items": {"$ref": "#/$defs/number"}}
      }
    },
    "differing": {
      "type": "object",
      "required": ["name", "line", "element", "dims", "times", "worst_time", "wrong", "relative", "worst"],
      "properties": {
        "name": {"description": "As the file spells it, or the user's name of an argument", "type": "string"},
        "line": {"type": ["integer", "null"], "minimum": 1},
        "element": {"type": "string"},
        "dims": {"$ref": "#/$defs/dims"},
        "times": {"description": "How often it is made", "type": "integer", "minimum": 1},
        "worst_time": {"description": "When it is furthest off, from 0", "type": "integer", "minimum": 0},
        "wrong": {"type": "integer", "minimum": 0},
        "relative": {"$ref": "#/$defs/number"},
        "worst": {"$ref": "#/$defs/worst"}
      }
    }
  }
}
)json";

}  // namespace

std::string_view run_schema() { return kRun; }

}  // namespace sw
