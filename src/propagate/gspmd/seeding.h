// Shardings given from outside (--shard, --pin) put into the module.
#pragma once

#include "propagate/gspmd/module.h"
#include "propagate/seeds.h"
#include "sharding/program.h"

namespace sw::gspmd {

void apply_seeds(Program& program, const Seeds& seeds, Module& module);

}  // namespace sw::gspmd
