// Where an op stands in the user's program, as a path of names, outermost first.
//
// JAX writes two things into a location: the stack of names (transformations, jitted functions, named scopes, module
// names), and the Python frames. Names that the user gave win; without any, the functions of the frames do. The line is
// the last part of either.
//
//   "jit(step)/transpose(jvp(encoder))/attn/mul"(...)  ->  backward, encoder, attn, model.py:41
//   "jit(step)/jvp()/mul"(mlp at loss at step)         ->  forward, step, loss, mlp, model.py:41
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/interner.h"
#include "ir/graph.h"

namespace sw {

class SourcePaths {
 public:
  explicit SourcePaths(const Graph& graph);

  // Ids of parts; equal ids are the same part of the program: a function called from another line is another part.
  std::span<const uint32_t> of(LocationId loc);
  // What a part is called.
  std::string_view name(uint32_t part) const;
  // "forward", "backward" and "recomputed": what JAX's transformations make of one function.
  bool is_pass(uint32_t part) const { return part >= passes_ && part < passes_ + 3; }

 private:
  struct Frame {
    std::string_view function, file;
    uint32_t line = 0;
  };
  void add_names(std::string_view stack, std::vector<uint32_t>& path);
  void add_frames(LocationId loc, std::vector<uint32_t>& path);
  uint32_t part(std::string_view name, uint32_t line);

  const Graph& graph_;
  StringInterner keys_;
  std::vector<std::vector<uint32_t>> paths_;  // by LocationId
  std::vector<char> known_;
  uint32_t passes_ = 0;  // the first of them
};

}  // namespace sw
