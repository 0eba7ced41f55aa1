// Constants that XLA computes before Shardy sees the program: an op all of whose operands are constants is a constant
// itself. JAX writes such ops for indices that it knows, `[3, -1]` of 8: select([-1 < 0...], [3, -1] + 8, [3, -1]).
//
// Only ops of which an operand is a literal list are taken. What comes of splats alone stays as it is, which makes no
// difference: split_constants gives every user its own copy of such ops.
//
// Follows StablehloAggressiveFolder.
#pragma once

#include <optional>

#include "ops/literal.h"
#include "propagate/shardy/module.h"

namespace sw::shardy {

class ConstantFolder {
 public:
  explicit ConstantFolder(Module& module) : module_(module), ir_(module.ir) {}

  // Whether the op is a constant; `fold` makes it one, and its operands are gone then.
  bool can_fold(WorkOpId id) const;
  void fold(WorkOpId id);

 private:
  enum class Kind : uint8_t { none, splat, list };
  Kind kind_of(WorkValueId value) const;
  std::optional<Literal> literal_of(WorkValueId value) const;
  std::optional<Literal> compute(WorkOpId id) const;

  Module& module_;
  WorkIr& ir_;
};

}  // namespace sw::shardy
