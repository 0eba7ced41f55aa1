// See the header. `tests/report_schema.py` validates real reports against it.
#include "report/schema.h"

#include "report/schema_parts.h"

namespace sw {

namespace {

// What the reports on a plan begin with.
constexpr std::string_view kHead = R"json(    "schema_version": {"const": 1},
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
)json";

constexpr std::string_view kPlan = R"json({
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "title": "shardwright plan report",
  "description": "What `shardwright plan FILE --format json` prints. New keys may be added; these stay.",
  "type": "object",
  "required": ["schema_version", "input", "partitioner", "meshes", "values", "outputs", "collectives", "findings",
               "unsupported"],
  "properties": {
)json";

constexpr std::string_view kPlanRest = R"json(    "values": {
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
    "collectives": {"type": "array", "items": {"$ref": "#/$defs/collective"}},
    "memory": {"$ref": "#/$defs/memory"},
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
)json";

constexpr std::string_view kCollectives = R"json({
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "title": "shardwright collectives report",
  "description": "What `shardwright collectives FILE --format json` prints. New keys may be added; these stay.",
  "type": "object",
  "required": ["schema_version", "input", "partitioner", "meshes", "backend", "device_count", "total", "by", "sums",
               "collectives"],
  "properties": {
)json";

constexpr std::string_view kCollectivesRest = R"json(    "backend": {"enum": ["none", "xla-cpu", "xla-gpu", "tpu"]},
    "device_count": {"type": "integer", "minimum": 1},
    "total": {
      "description": "Of all collectives and all their runs in a step, on one device",
      "type": "object",
      "required": ["runs", "bytes"],
      "properties": {"runs": {"type": "integer", "minimum": 0}, "bytes": {"type": "integer", "minimum": 0}}
    },
    "by": {"enum": ["axis", "line", "bytes"]},
    "sums": {
      "description": "One of each axis or line, most bytes first; of everything when by is `bytes`",
      "type": "array",
      "items": {
        "type": "object",
        "required": ["label", "axes", "group_size", "runs", "bytes", "collectives"],
        "properties": {
          "label": {"type": ["string", "null"]},
          "axes": {"type": "array", "items": {"type": "string"}},
          "group_size": {"type": ["integer", "null"], "minimum": 1},
          "runs": {"type": "integer", "minimum": 0},
          "bytes": {"type": "integer", "minimum": 0},
          "collectives": {
            "description": "Which of the list below, most bytes first",
            "type": "array",
            "items": {"type": "integer", "minimum": 0}
          }
        }
      }
    },
    "collectives": {"type": "array", "items": {"$ref": "#/$defs/collective"}}
  },
)json";

constexpr std::string_view kMemory = R"json({
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "title": "shardwright memory report",
  "description": "What `shardwright memory FILE --format json` prints. New keys may be added; these stay.",
  "type": "object",
  "required": ["schema_version", "input", "partitioner", "meshes", "device_count", "memory", "advice"],
  "properties": {
)json";

constexpr std::string_view kMemoryRest = R"json(    "device_count": {"type": "integer", "minimum": 1},
    "memory": {"$ref": "#/$defs/memory"},
    "advice": {"$ref": "#/$defs/advice"}
  },
)json";

// What all refer to.
constexpr std::string_view kDefs = R"json(  "$defs": {
    "line": {"description": "Line of the input file, from 1", "type": ["integer", "null"], "minimum": 1},
    "memory": {
      "description": "Bytes on one device, under the names of XLA's CompiledMemoryStats",
      "type": "object",
      "required": ["hardware", "rules", "argument", "output", "alias", "temp", "total", "peak", "capacity", "reserve",
                   "fits", "by_category", "worst", "at_peak"],
      "properties": {
        "hardware": {"type": "string"},
        "rules": {"description": "Whose compiler's", "enum": ["gpu", "tpu-v5e", "tpu-v5p", "cpu"]},
        "argument": {"type": "integer", "minimum": 0},
        "output": {"type": "integer", "minimum": 0},
        "alias": {"description": "Arguments whose storage results take over", "type": "integer", "minimum": 0},
        "temp": {"type": "integer", "minimum": 0},
        "total": {"description": "argument + output - alias + temp", "type": "integer", "minimum": 0},
        "peak": {"description": "The most at one time", "type": "integer", "minimum": 0},
        "capacity": {"type": ["integer", "null"], "minimum": 0},
        "reserve": {"description": "Of the capacity, what the runtime keeps", "type": "integer", "minimum": 0},
        "fits": {"type": "boolean"},
        "by_category": {
          "description": "At the worst moment",
          "type": "object",
          "required": ["parameters", "optimizer-state", "batch", "outputs", "activations", "gradients",
                       "collective-buffers", "loop-carries", "scratch"]
        },
        "worst": {
          "type": "object",
          "required": ["step", "steps", "line"],
          "properties": {
            "step": {"type": "integer", "minimum": 0},
            "steps": {"type": "integer", "minimum": 0},
            "line": {"$ref": "#/$defs/line"}
          }
        },
        "at_peak": {
          "description": "Buffers alive at the worst moment, largest first; in the report of plan the first of them",
          "type": "array",
          "items": {
            "type": "object",
            "required": ["what", "shape", "bytes", "unpadded_bytes", "category", "begin", "end", "line", "source"],
            "properties": {
              "what": {"type": "string"},
              "shape": {"type": ["string", "null"]},
              "bytes": {"type": "integer", "minimum": 0},
              "unpadded_bytes": {"type": "integer", "minimum": 0},
              "category": {"enum": ["parameters", "optimizer-state", "batch", "outputs", "activations", "gradients",
                                    "collective-buffers", "loop-carries", "scratch"]},
              "begin": {"description": "Step at which it is made", "type": "integer", "minimum": 0},
              "end": {"description": "Step at which it is read last", "type": "integer", "minimum": 0},
              "line": {"$ref": "#/$defs/line"},
              "source": {"type": ["string", "null"]}
            }
          }
        },
        "curve": {
          "description": "[step, bytes]: the most in each part of the schedule",
          "type": "array",
          "items": {"type": "array", "items": {"type": "integer", "minimum": 0}}
        }
      }
    },
    "need": {
      "description": "Bytes of one device: in all, at the worst moment, what collectives move in a step",
      "type": "object",
      "required": ["total", "peak", "moved"],
      "properties": {
        "total": {"type": "integer", "minimum": 0},
        "peak": {"type": "integer", "minimum": 0},
        "moved": {"type": "integer", "minimum": 0}
      }
    },
    "advice": {
      "description": "What makes the program smaller, found by trying; null: nothing was tried",
      "type": ["object", "null"],
      "required": ["tried", "limit", "before", "items", "together"],
      "properties": {
        "tried": {"description": "Changes", "type": "integer", "minimum": 0},
        "limit": {"description": "What it may need", "type": ["integer", "null"], "minimum": 0},
        "before": {"$ref": "#/$defs/need"},
        "items": {
          "type": "array",
          "items": {
            "type": "object",
            "required": ["number", "kind", "what", "spec", "code", "options", "after", "estimate", "saves", "with"],
            "properties": {
              "number": {"type": "integer", "minimum": 1},
              "kind": {"enum": ["donate", "shard", "pin", "remat"]},
              "what": {"type": "string"},
              "spec": {"description": "The sharding; of several that of the largest", "type": ["string", "null"]},
              "code": {"description": "What to write in JAX", "type": "string"},
              "options": {"description": "Words of the command line that make the change; none make a remat",
                          "type": "array", "items": {"type": "string"}},
              "after": {"description": "Items on top of which it was tried; their options go behind its own",
                        "type": "array", "items": {"type": "integer", "minimum": 1}},
              "estimate": {"description": "It could not be tried", "type": "boolean"},
              "saves": {"description": "Of the total, against the items before it", "type": "integer"},
              "with": {"$ref": "#/$defs/need"}
            }
          }
        },
        "together": {
          "description": "Changes put together until the program fits, or none helps more; null: it fits as it is",
          "type": ["object", "null"],
          "required": ["items", "options", "estimate", "with", "fits"],
          "properties": {
            "items": {"type": "array", "items": {"type": "integer", "minimum": 1}},
            "options": {"type": "array", "items": {"type": "string"}},
            "estimate": {"type": "boolean"},
            "with": {"$ref": "#/$defs/need"},
            "fits": {"type": "boolean"}
          }
        }
      }
    },
    "collective": {
      "description": "One collective of the program that every device runs",
      "type": "object",
      "required": ["op", "shape", "groups", "iota", "group_size", "group_count", "dims", "axes", "follows_axes",
                   "computation", "trip_count", "bytes", "user", "cause", "merged"],
      "properties": {
        "op": {"enum": ["all-reduce", "all-gather", "reduce-scatter", "all-to-all", "collective-permute",
                        "collective-broadcast", "ragged-all-to-all"]},
        "shape": {"description": "The result on one device, as HLO prints it without layouts", "type": "string"},
        "groups": {
          "description": "Devices of each group; [from, to] of a permute; null where that is more than 4,096 numbers",
          "type": ["array", "null"],
          "items": {"type": "array", "items": {"type": "integer", "minimum": 0}}
        },
        "iota": {"description": "The groups as HLO spells them shortly, `[8,8]<=[64]`", "type": ["string", "null"]},
        "group_size": {"description": "null for a permute", "type": ["integer", "null"], "minimum": 1},
        "group_count": {"description": "Of a permute: the number of pairs", "type": "integer", "minimum": 0},
        "dims": {
          "description": "The dimension that is gathered, scattered or exchanged",
          "type": ["array", "null"],
          "items": {"type": "integer", "minimum": 0}
        },
        "axes": {
          "description": "Mesh axes along which devices exchange data, `x:(2)4` for a part of one",
          "type": "array",
          "items": {"type": "string"}
        },
        "follows_axes": {"description": "false: the groups are not along axes of a mesh", "type": "boolean"},
        "computation": {"type": "string"},
        "trip_count": {"description": "How often it runs a step; null: in a loop of unknown length",
                       "type": ["integer", "null"], "minimum": 1},
        "bytes": {"description": "Of the result on one device, of one run", "type": "integer", "minimum": 0},
        "user": {"description": "Written by the user, in a shard_map", "type": "boolean"},
        "cause": {"$ref": "#/$defs/cause"},
        "merged": {
          "description": "Causes of the others that a compiler has merged into this one",
          "type": "array",
          "items": {"$ref": "#/$defs/cause"}
        }
      }
    },
    "cause": {
      "type": "object",
      "required": ["value", "operand", "line", "source", "reason", "from", "to", "why"],
      "properties": {
        "value": {"description": "The result of the operation that needs it", "type": ["string", "null"]},
        "operand": {"description": "The value that is moved, where the program has it", "type": ["string", "null"]},
        "line": {"$ref": "#/$defs/line"},
        "source": {"description": "Line of the user's source", "type": ["string", "null"]},
        "reason": {"enum": ["reshard", "result", "contraction", "reduction", "halo", "masked_rows", "partial_updates",
                            "full_replication", "loop_state", "output", "user", "as_read"]},
        "from": {"anyOf": [{"$ref": "#/$defs/sharding"}, {"type": "null"}]},
        "to": {"anyOf": [{"$ref": "#/$defs/sharding"}, {"type": "null"}]},
        "why": {"description": "In words", "type": "string"}
      }
    },
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

std::string report_schema(ReportKind kind) {
  if (kind == ReportKind::run) return std::string(run_schema());
  const SchemaParts parts = kind == ReportKind::plan     ? SchemaParts{kPlan, kPlanRest}
                            : kind == ReportKind::check  ? check_schema()
                            : kind == ReportKind::memory ? SchemaParts{kMemory, kMemoryRest}
                                                         : SchemaParts{kCollectives, kCollectivesRest};
  std::string text(parts.begin);
  for (const std::string_view part : {kHead, parts.rest, kDefs}) text += part;
  return text;
}

}  // namespace sw
