// Random programs for tests/property/random_graphs_test.cc: up to forty operations on small arrays, with loops,
// branches and calls, and random shardings on arguments, results and in between. A program is data, so that it can be
// made smaller, and is only ever used as the text that it prints.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "property/world.h"

namespace sw::test {

struct ArrayType {
  std::string element;  // i32, f32, i1
  std::vector<int64_t> dims;
  int64_t count() const;
  std::string text() const;  // tensor<5x3xi32>
  friend bool operator==(const ArrayType&, const ArrayType&) = default;
};

using Var = uint32_t;  // a value; printed %v7

struct Step;
struct Block {
  std::vector<Var> args, results;
  std::vector<Step> steps;
};

// One operation, in generic form: %v7, %v8 = "name"(%v1, %v2) <{attributes}> (body) : (...) -> (...)
struct Step {
  std::string name, attributes;
  std::string body;  // the region of a reduction and the like, which sees nothing from outside
  std::vector<Var> operands, results;
  std::vector<Block> blocks;  // of a loop or of branches, which see all that is before the step
  std::string sharding;       // of a pin
  int callee = -1;            // in RandomGraph::functions
  bool kept = false;          // not left out when the program is made smaller
};

struct RandomGraph {
  Devices mesh;
  bool from_jax = false;             // has the attributes by which Shardy knows a program that XLA has not seen yet
  std::vector<ArrayType> types;      // by Var
  Block main;                        // its arguments are inputs
  std::vector<Block> functions;      // see their arguments alone
  std::map<Var, std::string> given;  // shardings of arguments of main
  std::vector<std::string> result_given;  // of results of main; empty: none
};

RandomGraph random_graph(uint64_t seed);

// MLIR, with shardings in Shardy's spelling.
std::string text_of(const RandomGraph& graph);
// Every operation of main, of functions and of bodies.
void for_each_step(const RandomGraph& graph, const std::function<void(const Step&)>& visit);

// What is left when results, operations and shardings are left out one by one as long as `fails` holds.
RandomGraph shrunk(RandomGraph graph, const std::function<bool(const RandomGraph&)>& fails);

}  // namespace sw::test
