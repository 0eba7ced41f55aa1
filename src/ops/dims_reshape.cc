// How a reshape splits and merges dimensions, as Shardy sees it (reshape case of op_sharding_rule_registry.cc).
//
// Walk both shapes from the major side. Per side keep the product D of the dimensions entered and the product F of the
// factors emitted; D / F is what is left of the current dimension. While both F are equal, the greatest common divisor
// of what is left is a common factor. When it is 1 the sides part: each emits the rest of its dimension alone, and the
// side with the smaller F then emits factors of its own until both F are equal again.
//
// (12, 5) -> (2, 15, 2): common 2; left 6 against 15: common 3; left 2 against 5: they part, 2 in, 5 out; in is behind
// (12 < 30), its 5 brings it to 60; out is behind, its 2 brings it to 60. Factors: 2, 3, 2 | 5, 5 | 2.
//
// It ends since every step multiplies an F by more than 1 or steps over a dimension of size 1, and both F end at the
// number of elements.
#include "ops/dims_reshape.h"

#include <numeric>

#include "base/checked_math.h"

namespace sw {

namespace {

// One side of the walk.
struct Side {
  std::span<const int64_t> dims;
  size_t dim = 0;
  int64_t entered = 1;  // D
  int64_t emitted = 1;  // F

  bool at_unit() const { return dim < dims.size() && dims[dim] == 1; }
  void enter() {
    if (dim < dims.size() && entered == emitted) entered *= dims[dim];
  }
  int64_t left() const { return entered / emitted; }
  void leave() {
    if (dim < dims.size() && entered == emitted) ++dim;
  }
};

// The factor that the side behind emits: the one that meets the other side when that is possible, else as much as
// leaves the common divisor of what is left for later.
int64_t catch_up(int64_t left, int64_t behind, int64_t ahead, int64_t common) {
  if (ahead % behind == 0 && left % (ahead / behind) == 0) return ahead / behind;
  return left > common ? left / common : left;
}

bool product(std::span<const int64_t> dims, int64_t& out) {
  out = 1;
  for (int64_t d : dims) {
    if (d <= 0) return false;
    const auto next = checked_mul(out, d);
    if (!next) return false;
    out = *next;
  }
  return true;
}

bool rank_of(const Graph& graph, const Op& op, size_t& rank, std::string* why) {
  const auto operands = graph.operands(op);
  if (operands.empty()) return explain(why, "expected an operand");
  const Type type = graph.type_of(operands[0]);
  if (!type.is_tensor()) return explain(why, "expected a tensor of known rank as operand");
  rank = type.rank();
  return true;
}

bool result_rank(const Graph& graph, OpId id, size_t& rank, std::string* why) {
  if (graph.op(id).result_count == 0) return explain(why, "expected a result");
  const Type type = graph.type_of(graph.result(id));
  if (!type.is_tensor()) return explain(why, "expected a tensor of known rank as result");
  rank = type.rank();
  return true;
}

bool check_size(const DimList& list, size_t size, std::string_view name, std::string* why) {
  if (list.size() == size) return true;
  return explain(why, "attribute `" + std::string(name) + "` has " + std::to_string(list.size()) +
                          " entries, expected " + std::to_string(size) + ", the rank of the operand");
}

}  // namespace

bool reshape_factors(std::span<const int64_t> in_dims, std::span<const int64_t> out_dims, ReshapeFactors& factors) {
  factors.clear();
  int64_t in_count = 0, out_count = 0;
  if (!product(in_dims, in_count) || !product(out_dims, out_count) || in_count != out_count) return false;
  Side in{in_dims}, out{out_dims};
  const auto emit_in = [&](int64_t size) {
    factors.push_back({size, static_cast<int64_t>(in.dim), -1});
    in.emitted *= size;
  };
  const auto emit_out = [&](int64_t size) {
    factors.push_back({size, -1, static_cast<int64_t>(out.dim)});
    out.emitted *= size;
  };
  while (in.dim < in.dims.size() || out.dim < out.dims.size()) {
    if (in.at_unit()) {
      emit_in(1);
      ++in.dim;
      continue;
    }
    if (out.at_unit()) {
      emit_out(1);
      ++out.dim;
      continue;
    }
    in.enter();
    out.enter();
    const int64_t in_left = in.left(), out_left = out.left();
    const int64_t common = std::gcd(in_left, out_left);
    if (in.emitted < out.emitted) {
      emit_in(catch_up(in_left, in.emitted, out.emitted, common));
    } else if (in.emitted > out.emitted) {
      emit_out(catch_up(out_left, out.emitted, in.emitted, common));
    } else if (common > 1) {
      factors.push_back({common, static_cast<int64_t>(in.dim), static_cast<int64_t>(out.dim)});
      in.emitted *= common;
      out.emitted *= common;
    } else {
      emit_in(in_left);
      emit_out(out_left);
    }
    in.leave();
    out.leave();
  }
  return true;
}

bool read_broadcast_dims(const Graph& graph, OpId id, DimList& out, std::string* why) {
  const Op& op = graph.op(id);
  size_t in = 0, result = 0;
  if (!rank_of(graph, op, in, why) || !result_rank(graph, id, result, why)) return false;
  AttrReader attrs(graph, op, why);
  return attrs.ints("broadcast_dimensions", out) && check_size(out, in, "broadcast_dimensions", why) &&
         check_dims(out, result, "broadcast dimension", why);
}

bool read_transpose_dims(const Graph& graph, OpId id, DimList& out, std::string* why) {
  const Op& op = graph.op(id);
  size_t rank = 0;
  if (!rank_of(graph, op, rank, why)) return false;
  AttrReader attrs(graph, op, why);
  return attrs.ints("permutation", out) && check_size(out, rank, "permutation", why) &&
         check_dims(out, rank, "permuted dimension", why);
}

bool read_reverse_dims(const Graph& graph, OpId id, DimList& out, std::string* why) {
  const Op& op = graph.op(id);
  size_t rank = 0;
  if (!rank_of(graph, op, rank, why)) return false;
  AttrReader attrs(graph, op, why);
  return attrs.ints("dimensions", out) && check_dims(out, rank, "reversed dimension", why);
}

bool read_iota_dim(const Graph& graph, OpId id, int64_t& out, std::string* why) {
  size_t rank = 0;
  if (!result_rank(graph, id, rank, why)) return false;
  AttrReader attrs(graph, graph.op(id), why);
  return attrs.integer("iota_dimension", out) && check_dim(out, rank, "iota dimension", why);
}

}  // namespace sw
