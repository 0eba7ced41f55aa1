// See the header. `tests/report_schema.py` validates real reports against it.
#include "report/schema.h"

namespace sw {

namespace {

constexpr std::string_view kSchema = R"json({
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "title": "shardwright plan report",
  "description": "What `shardwright plan FILE --format json` prints. New keys may be added; these stay.",
  "type": "object",
  "required": ["schema_version", "input", "partitioner", "meshes", "values", "outputs", "collectives", "findings",
               "unsupported"],
  "properties": {
    "schema_version": {"const": 1},
    "input": {
      "type": "object",
      "required": ["file", "format", "module"],
      "properties": {
        "file": {"type": "string"},
        "format": {"enum": ["stablehlo", "hlo", "yaml"]},
        "module": {"type": "string"}
      }
    },
    "partitioner": {"enum": ["shardy", "gspmd", "none"]},
    "meshes": {"type": "array", "items": {"$ref": "#/$defs/mesh"}},
    "values": {
      "description": "Every op result in the order of the text, then the block arguments",
      "type": "array",
      "items": {"$ref": "#/$defs/value"}
    },
    "outputs": {
      "description": "Results of the main function",
      "type": "array",
      "items": {
        "type": "object",
        "required": ["index", "name", "type", "sharding", "device_shape"],
        "properties": {
          "index": {"type": "integer", "minimum": 0},
          "name": {"type": "string"},
          "type": {"$ref": "#/$defs/type"},
          "sharding": {"$ref": "#/$defs/sharding"},
          "device_shape": {"$ref": "#/$defs/device_shape"}
        }
      }
    },
    "collectives": {"type": "array", "items": {"type": "object"}},
    "findings": {"type": "array", "items": {"type": "object"}},
    "unsupported": {
      "description": "Operations of which nothing is known, and what was assumed",
      "type": "array",
      "items": {
        "type": "object",
        "required": ["op", "line", "assumed"],
        "properties": {
          "op": {"type": "string"},
          "line": {"$ref": "#/$defs/line"},
          "assumed": {"type": "string"}
        }
      }
    }
  },
  "$defs": {
    "line": {"description": "Line of the input file, from 1", "type": ["integer", "null"], "minimum": 1},
    "mesh": {
      "type": "object",
      "required": ["name", "axes", "device_ids"],
      "properties": {
        "name": {"type": "string"},
        "axes": {
          "type": "array",
          "items": {
            "type": "object",
            "required": ["name", "size"],
            "properties": {"name": {"type": "string"}, "size": {"type": "integer", "minimum": 1}}
          }
        },
        "device_ids": {"type": ["array", "null"], "items": {"type": "integer", "minimum": 0}}
      }
    },
    "type": {
      "anyOf": [
        {
          "type": "object",
          "required": ["element", "shape"],
          "properties": {
            "element": {"type": "string"},
            "shape": {"type": "array", "items": {"type": ["integer", "null"], "minimum": 0}}
          }
        },
        {
          "type": "object",
          "required": ["tuple"],
          "properties": {"tuple": {"type": "array", "items": {"$ref": "#/$defs/type"}}}
        },
        {"type": "object", "required": ["text"], "properties": {"text": {"type": "string"}}}
      ]
    },
    "sharding": {
      "description": "One sharding in every spelling; null where that form cannot say it or nothing is said",
      "type": "object",
      "required": ["sdy", "hlo", "spec"],
      "properties": {
        "sdy": {"type": ["string", "null"]},
        "hlo": {"type": ["string", "null"]},
        "spec": {"type": ["string", "null"]}
      }
    },
    "device_shape": {
      "description": "Extents on one device, uneven ones rounded up; null where dynamic, and for what is no array",
      "type": ["array", "null"],
      "items": {"type": ["integer", "null"], "minimum": 0}
    },
    "value": {
      "type": "object",
      "required": ["kind", "function", "name", "line", "index", "type", "sharding", "device_shape", "rule", "origin"],
      "properties": {
        "kind": {"enum": ["result", "argument"]},
        "function": {"type": "string"},
        "name": {"description": "As the file spells it", "type": "string"},
        "argument": {"description": "The user's name of an argument", "type": "string"},
        "line": {"$ref": "#/$defs/line"},
        "index": {"type": "integer", "minimum": 0},
        "op": {"type": "string"},
        "type": {"$ref": "#/$defs/type"},
        "sharding": {"$ref": "#/$defs/sharding"},
        "device_shape": {"$ref": "#/$defs/device_shape"},
        "rule": {"description": "The factor rule as Shardy prints it", "type": ["string", "null"]},
        "origin": {
          "description": "The annotation behind each axis of the sharding",
          "type": ["object", "null"],
          "required": ["axes"],
          "properties": {
            "axes": {
              "type": "array",
              "items": {
                "type": "object",
                "required": ["dim", "axis", "from", "from_dim", "line", "steps"],
                "properties": {
                  "dim": {"type": "integer", "minimum": 0},
                  "axis": {"type": ["string", "null"]},
                  "from": {"type": "string"},
                  "from_dim": {"type": "integer", "minimum": 0},
                  "line": {"$ref": "#/$defs/line"},
                  "steps": {"type": "integer", "minimum": 0}
                }
              }
            }
          }
        },
        "source": {
          "description": "The user's own source",
          "type": "object",
          "required": ["file", "line", "function"],
          "properties": {
            "file": {"type": "string"},
            "line": {"type": "integer", "minimum": 1},
            "function": {"type": ["string", "null"]}
          }
        }
      },
      "if": {"properties": {"kind": {"const": "result"}}},
      "then": {"required": ["op"]}
    }
  }
}
)json";

}  // namespace

std::string_view report_schema() { return kSchema; }

}  // namespace sw
