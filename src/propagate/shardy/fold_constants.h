// Constants that XLA computes before Shardy sees the program: an op all of whose operands are constants is a constant
// itself. JAX writes such ops for indices that it knows, `[3, -1]` of 8: select([-1 < 0...], [3, -1] + 8, [3, -1]).
//
// Only ops of which an operand is a literal list are taken. What comes of splats alone stays as it is, which makes no
// difference: split_constants gives every user its own copy of such ops.
//
// Follows StablehloAggressiveFolder. Differs: numbers are computed for integers and predicates; of anything else only
// that it is a constant is known.
#pragma once

#include <optional>
#include <vector>

#include "propagate/shardy/module.h"

namespace sw::shardy {

class ConstantFolder {
 public:
  explicit ConstantFolder(Module& module) : module_(module), ir_(module.ir) {}

  // Makes the op a constant if it is one; its operands are gone then.
  bool fold(WorkOpId id);

 private:
  enum class Kind : uint8_t { none, splat, list };
  Kind kind_of(WorkValueId value) const;
  std::optional<std::vector<int64_t>> numbers_of(WorkValueId value) const;
  std::optional<std::vector<int64_t>> compute(WorkOpId id) const;
  std::optional<std::vector<int64_t>> compute_elements(WorkOpId id,
                                                       const std::vector<std::vector<int64_t>>& operands) const;

  Module& module_;
  WorkIr& ir_;
};

}  // namespace sw::shardy
