// The simplifier of one function; see stablehlo_simplify.cc for what it is for and stablehlo_patterns.cc for what it
// does.
#pragma once

#include <map>
#include <tuple>

#include "ops/dims_slice.h"
#include "ops/literal.h"
#include "propagate/gspmd/stablehlo_ir.h"

namespace sw::gspmd {

class Simplifier {
 public:
  Simplifier(Graph& graph, StableFunction& function) : graph_(graph), function_(function) {}
  void run();

 private:
  void count_uses();
  void count_region(const StableRegion& region);
  void remove_dead(StableRegion& region);
  void release(const StableRegion& region);
  bool removable(const StableNode& node) const;
  void simplify_region(StableRegion& region);
  bool all_replaced(const StableNode& node) const;

  // Changing the node at hand; all return true.
  bool replace(uint32_t id, uint32_t by);
  uint32_t insert(StableNode node, TypeId type);
  bool become(uint32_t id, OpKind kind, std::vector<uint32_t> operands, DimList dims);
  bool become_splat(uint32_t id, const StableNode& like);
  bool become_number(uint32_t id, int64_t number);
  bool become_real(uint32_t id, double value);
  bool become_some_constant(uint32_t id);
  bool unique_constant(uint32_t id);

  // Asking about values.
  bool is_splat(uint32_t value) const;
  bool is_constant(uint32_t value) const { return function_.is_constant(value); }
  std::optional<int64_t> number_of(uint32_t value) const;
  std::optional<double> real_of(uint32_t value) const;
  bool is_value(uint32_t value, int64_t wanted) const;
  bool all_ones(uint32_t value) const;
  bool single_use(uint32_t value) const;
  std::span<const int64_t> dims_of(uint32_t value) const;
  ElementType element_of(uint32_t value) const;
  TypeId typed(uint32_t like, std::span<const int64_t> dims);
  const StableNode* def_of_kind(uint32_t value, OpKind kind) const;

  // stablehlo_fold.cc
  std::optional<Literal> literal_of(uint32_t value) const;
  std::optional<Literal> folded(const StableNode& node) const;

  // stablehlo_patterns.cc: true when the node was changed or replaced.
  bool simplify_node(uint32_t id);
  bool simplify_broadcast(uint32_t id);
  bool simplify_reshape(uint32_t id);
  bool simplify_transpose(uint32_t id);
  bool simplify_binary(uint32_t id);
  bool simplify_reverse(uint32_t id);
  bool simplify_compare(uint32_t id);
  bool simplify_select(uint32_t id);
  bool simplify_unary(uint32_t id);
  bool simplify_slice(uint32_t id);
  bool simplify_dynamic_slice(uint32_t id);
  bool simplify_dynamic_update(uint32_t id);
  bool simplify_concatenate(uint32_t id);
  void join_splats(std::vector<uint32_t>& pieces, size_t dim);
  bool simplify_pad(uint32_t id);
  void set_window(StableNode& node, const SliceDims& window);
  void set_window(StableNode& node, std::span<const int64_t> shape, DimList starts, std::span<const int64_t> sizes);
  std::optional<SliceDims> window_of(const StableNode& node) const;
  AttrId direction_of(const StableNode& node) const;
  bool simplify_gather(uint32_t id);
  bool simplify_iota(uint32_t id);
  bool simplify_reduce(uint32_t id);
  bool simplify_while(uint32_t id);
  void drop_replaced_state(uint32_t id);
  bool simplify_case(uint32_t id);

  Graph& graph_;
  StableFunction& function_;
  std::vector<uint32_t> uses_;  // by value
  // By type and content: (text, literal, number or bits of a floating-point number).
  enum class Content : uint8_t { text, literal, number, real };
  std::map<std::tuple<uint32_t, Content, uint64_t>, uint32_t> constants_;
  StableRegion* out_ = nullptr;
  bool changed_ = false;
};

}  // namespace sw::gspmd
