// A broadcast_in_dim as HLO: broadcasts there have their dimensions in order and repeat none of size 1.
#pragma once

#include "propagate/hlo_writer.h"

namespace sw {

// Adds the broadcast that `spec` describes, with a transpose and a reshape of the operand before it where it needs
// them; these are cut as the result is. Example: (3x1) -> (1, 5, 3) by [2, 1]: transpose (1x3), reshape (3), broadcast
// by [2].
ValueId add_broadcast(HloWriter& writer, const HloWriter::Computation& in, const HloWriter::Spec& spec,
                      TileShardingTable& table);

}  // namespace sw
