// The computation inside a reduction, a sort, a scatter: from a few scalars to a few scalars. Translated once into a
// list of loops over registers, and then run for many independent lanes at a time, 256 by 256, so that a call costs
// about what its loops cost.
//
//   region { a, b: f32;  c = compare LT a, b;  return select(c, a, b) }     registers: a b c d
//   -> c = less(a, b)   d = select(c, a, b)                                 outputs: d
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "exec/element_loop.h"

namespace sw {

class Body {
 public:
  // Nothing, with the reason in *why, when there is an op in it that is not elementwise.
  static std::optional<Body> compile(const Graph& graph, RegionId region, Precision precision, std::string* why);

  // Registers of one run; each thread has its own.
  class Scratch {
   private:
    friend class Body;
    std::unique_ptr<std::byte[]> memory_;
  };
  Scratch scratch() const;

  // `inputs[i]` and `outputs[j]` point to `lanes` elements; an output may be where an input is.
  void run(Scratch& scratch, const void* const* inputs, void* const* outputs, size_t lanes) const;

  size_t input_count() const { return inputs_.size(); }
  size_t output_count() const { return outputs_.size(); }
  ElementType input(size_t i) const { return registers_[inputs_[i]].element; }
  ElementType output(size_t i) const { return registers_[outputs_[i]].element; }

 private:
  struct Register {
    ElementType element;
    int64_t constant = -1;  // place in constants_
  };
  struct Step {
    ElementLoop loop;
    uint32_t operands[ElementLoop::kMaxOperands];
    uint32_t result;
  };
  class Compiler;

  std::vector<Register> registers_;
  std::vector<uint32_t> inputs_, outputs_;
  std::vector<Step> steps_;
  std::vector<std::byte> constants_;
};

}  // namespace sw
