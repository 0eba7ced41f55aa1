// Which value of one program is which value of another: for comparing two versions of a model.
//
// Values are matched by what they are computed from. A signature of each value is hashed from its operation, its type
// and the signatures of its operands, arguments by their name (or number); values whose signature occurs equally often
// in both programs are the same, in order. What is left (everything downstream of a change) is matched by position:
// between two neighbours that are matched already, operations of the same kind and rank, in order. Worked example: in
// the second program one tanh became a relu. All before it keep their signatures; of what follows, kinds and ranks
// still line up; the tanh has no partner.
#pragma once

#include <vector>

#include "sharding/program.h"

namespace sw {

// By ValueId of `a`; invalid where `b` has no such value. The identity when both are the same object.
std::vector<ValueId> match_values(const Program& a, const Program& b);

}  // namespace sw
