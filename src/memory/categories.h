// What each buffer is there for, as far as the program of one device shows it.
//
//   arguments    weights are read by products or gathers, or are the first of their shape among the arguments that have
//                a successor among the results; the others of that shape are the optimizer's; all else is the batch
//   temporaries  what collectives read or make; loop state, which is an activation if a later loop reads it, and a
//                gradient if it is a stack with the shape of a weight; arrays with the shape of a weight; what lives on
//                for long; and the rest
#pragma once

#include <map>

#include "memory/assignment.h"
#include "memory/profile.h"

namespace sw {

// An argument's array: the parameter and the place in it.
using ArgumentPlace = std::pair<uint32_t, uint32_t>;
using ArgumentCategories = std::map<ArgumentPlace, MemoryCategory>;

// `ops` is the program before ops became kernels, if there is such a form of it.
ArgumentCategories categorize_arguments(const MachineProgram& ops);

// By number in Buffers::all().
std::vector<MemoryCategory> categorize_buffers(const AssignmentInput& input, const Assignment& assignment,
                                               const ArgumentCategories& arguments);

}  // namespace sw
