// Draws the operations of a random program; inside of random_graph().
#pragma once

#include "exec/inputs.h"
#include "property/random_graph.h"

namespace sw::test {

class GraphMaker {
 public:
  explicit GraphMaker(uint64_t seed) : random_(seed, 0x9a4) {}
  RandomGraph make();

 private:
  // Where operations are added, and what they may use; the more recent is drawn more often.
  struct Scope {
    Block& block;
    std::vector<Var> visible;
    int depth = 0;  // of loops, branches and calls around it
  };
  using Dims = std::vector<int64_t>;

  // Drawing.
  int64_t below(int64_t limit) { return random_.below(limit); }
  int64_t between(int64_t low, int64_t high) { return low + below(high - low + 1); }
  bool chance(int percent) { return below(100) < percent; }
  int64_t size();
  std::vector<int64_t> order(size_t count);                  // a permutation
  std::vector<int64_t> some(size_t count, size_t at_least);  // ascending
  std::string sharding(size_t rank);
  Var any(const Scope& scope);
  Var any_ranked(const Scope& scope);  // of rank 1 at least

  // Adding.
  ArrayType type(Var v) const { return graph_.types[v]; }  // a copy, since adding moves them
  Var new_var(ArrayType type);
  std::vector<Var> add(Scope& scope, Step step, const std::vector<ArrayType>& results);
  Var op(Scope& scope, const std::string& name, std::vector<Var> operands, ArrayType result,
         std::string attributes = "", std::string body = "");
  Var constant(Scope& scope, const ArrayType& type);
  Var splat(Scope& scope, const ArrayType& type, const std::string& value);
  // A value of this type: one that is there, or one that is made to fit.
  Var made(Scope& scope, const ArrayType& type);
  Var fitted(Scope& scope, Var v, const Dims& dims);
  Var start_index(Scope& scope);
  Var start_inside(Scope& scope, int64_t most);  // constants may be outside
  Var summed(Scope& scope, Var v, const Dims& dims);
  Var combined(Scope& scope, Var a, Var b);
  Var bounded(Scope& scope, Var v);  // integers from 0 to 3, floats from -1 to 1

  void random_step(Scope& scope);

  // random_graph_ops.cc
  void pointwise(Scope& scope);
  void compare(Scope& scope);
  void convert(Scope& scope);
  void broadcast(Scope& scope);
  void reshape(Scope& scope);
  void transpose(Scope& scope);
  void reverse(Scope& scope);
  void slice(Scope& scope);
  void pad(Scope& scope);
  void concatenate(Scope& scope);
  void dynamic_slice(Scope& scope);
  void dynamic_update_slice(Scope& scope);
  void reduce(Scope& scope);
  void arg_max(Scope& scope);
  void reduce_window(Scope& scope);
  void dot(Scope& scope);
  void convolution(Scope& scope);
  void gather(Scope& scope);
  void scatter(Scope& scope);
  void sort(Scope& scope);
  void pin(Scope& scope);
  void barrier(Scope& scope);

  struct Indexed {
    Dims slice_sizes, indices, slices;  // sizes of the operand's windows, shape of indices, shape of what is taken
    std::string dims;                   // the attribute's fields, named as for gather
    std::vector<int64_t> offset, collapsed, map, batching, indices_batching;
    int64_t vector_dim = 0;
  };
  bool indexed(const Dims& operand, Indexed& out);

  // random_graph.cc
  void loop(Scope& scope);
  void branches(Scope& scope);
  void call(Scope& scope);
  Block body_block(const Scope& scope, const std::vector<ArrayType>& args, const std::vector<ArrayType>& results,
                   int steps, bool isolated);

  static std::string reducer(const std::string& name, const std::string& element);
  std::string neutral(const std::string& reducer, const std::string& element);
  std::string any_reducer(const std::string& element);

  RandomNumbers random_;
  RandomGraph graph_;
};

// array<i64: 1, 2>, [1, 2]
std::string i64_array(const std::vector<int64_t>& values);
std::string bracketed(const std::vector<int64_t>& values);

constexpr int64_t kMaxElements = 256;
constexpr size_t kMaxRank = 4;

}  // namespace sw::test
