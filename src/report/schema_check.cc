// The parts of the schema that only `check` has.
#include "report/schema_parts.h"

namespace sw {

namespace {

constexpr std::string_view kBegin = R"json({
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "title": "shardwright check report",
  "description": "What `shardwright check FILE --format json` prints. New keys may be added; these stay.",
  "type": "object",
  "required": ["schema_version", "input", "partitioner", "meshes", "passed", "exit_code", "verdict", "targets",
               "items"],
  "properties": {
)json";

constexpr std::string_view kRest = R"json(    "passed": {"type": "boolean"},
    "exit_code": {"enum": [0, 1, 4]},
    "verdict": {"description": "In words", "type": "string"},
    "targets": {
      "description": "The program on each device that was asked for; all sizes are bytes of one device",
      "type": "array",
      "items": {
        "type": "object",
        "required": ["hardware", "argument", "output", "alias", "temp", "peak", "total", "capacity", "reserve", "limit",
                     "fits", "advice"],
        "properties": {
          "hardware": {"type": "string"},
          "argument": {"type": "integer", "minimum": 0},
          "output": {"type": "integer", "minimum": 0},
          "alias": {"type": "integer", "minimum": 0},
          "temp": {"type": "integer", "minimum": 0},
          "peak": {"type": "integer", "minimum": 0},
          "total": {"description": "What the program needs", "type": "integer", "minimum": 0},
          "capacity": {"type": ["integer", "null"], "minimum": 0},
          "reserve": {"description": "What the runtime keeps of the capacity", "type": "integer", "minimum": 0},
          "limit": {"description": "What it may need: the budget, else capacity without reserve; null: none is known",
                    "type": ["integer", "null"], "minimum": 0},
          "fits": {"description": "Into what is usable, whatever the budget", "type": ["boolean", "null"]},
          "advice": {"$ref": "#/$defs/advice"}
        }
      }
    },
    "items": {
      "description": "The memory of each target, each assertion (and target, where it is about memory), each finding",
      "type": "array",
      "items": {
        "type": "object",
        "required": ["kind", "outcome", "severity", "rule", "title", "target", "value", "message", "file", "line",
                     "bytes", "notes", "fixes", "key", "flows"],
        "properties": {
          "kind": {"enum": ["memory", "assertion", "finding"]},
          "outcome": {"description": "known: the baseline holds it",
                      "enum": ["passed", "failed", "reported", "known"]},
          "severity": {"enum": ["note", "warning", "error"]},
          "rule": {"type": "string"},
          "title": {"description": "The assertion as it was given, or the rule", "type": "string"},
          "target": {"type": ["string", "null"]},
          "value": {"description": "What a finding is about", "type": ["string", "null"]},
          "message": {"type": "string"},
          "file": {"description": "The user's source where that is known, else the input", "type": "string"},
          "line": {"$ref": "#/$defs/line"},
          "bytes": {"type": "integer", "minimum": 0},
          "notes": {"type": "array", "items": {"type": "string"}},
          "fixes": {"type": "array", "items": {"type": "string"}},
          "key": {"description": "What a baseline knows a finding by", "type": ["string", "null"]},
          "flows": {
            "description": "How each axis came to the value, from the annotation on",
            "type": "array",
            "items": {
              "type": "array",
              "items": {
                "type": "object",
                "required": ["text", "file", "line"],
                "properties": {
                  "text": {"type": "string"},
                  "file": {"type": "string"},
                  "line": {"$ref": "#/$defs/line"}
                }
              }
            }
          }
        }
      }
    }
  },
)json";

}  // namespace

SchemaParts check_schema() { return {kBegin, kRest}; }

}  // namespace sw
