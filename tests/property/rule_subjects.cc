#include "property/rule_subjects.h"

#include <map>
#include <string>

namespace sw::test {

std::vector<RandomGraph> single_operations(const RandomGraph& graph) {
  std::map<Var, const Step*> constants;
  std::vector<RandomGraph> out;
  for_each_step(graph, [&](const Step& step) {
    if (step.name == "stablehlo.constant") constants[step.results[0]] = &step;
  });
  for_each_step(graph, [&](const Step& step) {
    if (!step.blocks.empty() || step.callee >= 0 || step.operands.empty()) return;
    if (step.name == "sdy.sharding_constraint" || step.name == "stablehlo.optimization_barrier") return;
    RandomGraph alone;
    alone.types = graph.types;
    Step copy = step;
    for (Var& v : copy.operands) {
      // Every operand is a value of its own, so that one can be changed without another.
      const ArrayType type = alone.types[v];
      alone.types.push_back(type);
      const auto at = constants.find(v);
      v = static_cast<Var>(alone.types.size() - 1);
      if (at == constants.end()) {
        alone.main.args.push_back(v);
        continue;
      }
      alone.main.steps.push_back(*at->second);
      alone.main.steps.back().results = {v};
    }
    if (alone.main.args.empty()) return;
    alone.main.results = copy.results;
    alone.result_given.resize(copy.results.size());
    alone.main.steps.push_back(std::move(copy));
    out.push_back(std::move(alone));
  });
  return out;
}

namespace {

// tensor<4x3xf32> -> {f32, {4, 3}}
ArrayType type_of_text(const std::string& text) {
  ArrayType type;
  size_t at = text.find('<') + 1;
  while (text[at] >= '0' && text[at] <= '9') {
    size_t used = 0;
    type.dims.push_back(std::stoll(text.substr(at), &used));
    at += used + 1;
  }
  type.element = text.substr(at, text.size() - at - 1);
  return type;
}

RandomGraph operation(const std::string& name, const std::vector<std::string>& operands,
                      const std::vector<std::string>& results, const std::string& attributes,
                      const std::string& body = "") {
  RandomGraph graph;
  Step step;
  step.name = name.find('.') == std::string::npos ? "stablehlo." + name : name;
  step.attributes = attributes;
  step.body = body;
  const auto add = [&](const std::string& text) {
    graph.types.push_back(type_of_text("tensor<" + text + ">"));
    return static_cast<Var>(graph.types.size() - 1);
  };
  for (const std::string& text : operands) step.operands.push_back(add(text));
  for (const std::string& text : results) step.results.push_back(add(text));
  graph.main.args = step.operands;
  graph.main.results = step.results;
  graph.result_given.resize(results.size());
  graph.main.steps.push_back(std::move(step));
  return graph;
}

void add_convolutions(std::vector<RandomGraph>& out) {
  const auto conv = [&](const char* lhs, const char* rhs, const char* result, const char* labels, const char* groups) {
    out.push_back(operation("convolution", {lhs, rhs}, {result},
                            std::string("dimension_numbers = #stablehlo.conv<") + labels + ">, " + groups +
                                ", padding = dense<[[1, 1]]> : tensor<1x2xi64>"));
  };
  conv("2x4x4xi32", "4x2x3xi32", "2x4x4xi32", "[b, f, 0]x[o, i, 0]->[b, f, 0]",
       "batch_group_count = 1 : i64, feature_group_count = 2 : i64");
  conv("4x8x4xi32", "8x2x3xi32", "4x8x4xi32", "[b, f, 0]x[o, i, 0]->[b, f, 0]",
       "batch_group_count = 1 : i64, feature_group_count = 4 : i64");
  conv("4x4x4xi32", "4x1x3xi32", "4x4x4xi32", "[0, b, f]x[o, i, 0]->[b, 0, f]",
       "batch_group_count = 1 : i64, feature_group_count = 4 : i64");
  conv("4x2x4xi32", "4x2x3xi32", "2x4x4xi32", "[b, f, 0]x[o, i, 0]->[b, f, 0]",
       "batch_group_count = 2 : i64, feature_group_count = 1 : i64");
  conv("8x2x4xi32", "4x2x3xi32", "2x4x4xi32", "[b, f, 0]x[o, i, 0]->[b, f, 0]",
       "batch_group_count = 4 : i64, feature_group_count = 1 : i64");
}

void add_windows(std::vector<RandomGraph>& out) {
  const std::string greater =
      "  ^bb0(%x: tensor<i32>, %y: tensor<i32>):\n"
      "    %c = stablehlo.compare GE, %x, %y : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
      "    stablehlo.return %c : tensor<i1>\n  }, {\n"
      "  ^bb1(%p: tensor<i32>, %q: tensor<i32>):\n    %z = stablehlo.add %p, %q : tensor<i32>\n"
      "    stablehlo.return %z : tensor<i32>\n  ";
  out.push_back(operation("select_and_scatter", {"4x4xi32", "2x4xi32", "i32"}, {"4x4xi32"},
                          "window_dimensions = array<i64: 2, 1>, window_strides = array<i64: 2, 1>", greater));
  out.push_back(operation("select_and_scatter", {"5x3xi32", "5x3xi32", "i32"}, {"5x3xi32"},
                          "padding = dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 3, 1>",
                          greater));
}

void add_linear_algebra(std::vector<RandomGraph>& out) {
  for (const char* type : {"4x3x3xf32", "2x5x3x3xf32"})
    for (const char* lower : {"true", "false"})
      out.push_back(operation("cholesky", {type}, {type}, std::string("lower = ") + lower));
  for (const char* left : {"true", "false"})
    for (const char* transposed : {"NO_TRANSPOSE", "TRANSPOSE"})
      out.push_back(operation("triangular_solve", {"4x3x3xf32", left[0] == 't' ? "4x3x5xf32" : "4x5x3xf32"},
                              {left[0] == 't' ? "4x3x5xf32" : "4x5x3xf32"},
                              std::string("left_side = ") + left +
                                  ", lower = true, transpose_a = #stablehlo<transpose " + transposed +
                                  ">, unit_diagonal = false"));
  out.push_back(operation("fft", {"4x3x4xcomplex<f32>"}, {"4x3x4xcomplex<f32>"},
                          "fft_length = array<i64: 4>, fft_type = #stablehlo<fft_type FFT>"));
  out.push_back(operation("fft", {"4x3x4xf32"}, {"4x3x3xcomplex<f32>"},
                          "fft_length = array<i64: 3, 4>, fft_type = #stablehlo<fft_type RFFT>"));
  out.push_back(operation("fft", {"4x3x3xcomplex<f32>"}, {"4x3x4xf32"},
                          "fft_length = array<i64: 4>, fft_type = #stablehlo<fft_type IRFFT>"));
}

void add_the_rest(std::vector<RandomGraph>& out) {
  out.push_back(operation("batch_norm_inference", {"4x3x5xf32", "3xf32", "3xf32", "3xf32", "3xf32"}, {"4x3x5xf32"},
                          "epsilon = 0.1 : f32, feature_index = 1 : i64"));
  out.push_back(operation("bitcast_convert", {"5x4xi32"}, {"5x4xf32"}, ""));
  out.push_back(operation("bitcast_convert", {"5x4xi32"}, {"5x4x4xi8"}, ""));
  out.push_back(operation("bitcast_convert", {"5x4x4xi8"}, {"5x4xi32"}, ""));
  out.push_back(operation("rng_bit_generator", {"2xui64"}, {"2xui64", "4x5xui32"},
                          "rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>"));
  out.push_back(operation("complex", {"4x3xf32", "4x3xf32"}, {"4x3xcomplex<f32>"}, ""));
  out.push_back(operation("real", {"4x3xcomplex<f32>"}, {"4x3xf32"}, ""));
  out.push_back(
      operation("reduce_precision", {"4x3xf32"}, {"4x3xf32"}, "exponent_bits = 5 : i32, mantissa_bits = 10 : i32"));
  out.push_back(operation("chlo.top_k", {"4x8xf32"}, {"4x2xf32", "4x2xi32"}, "k = 2 : i64"));
}

}  // namespace

const std::vector<RandomGraph>& other_operations() {
  static const std::vector<RandomGraph> operations = [] {
    std::vector<RandomGraph> out;
    add_convolutions(out);
    add_windows(out);
    add_linear_algebra(out);
    add_the_rest(out);
    return out;
  }();
  return operations;
}

}  // namespace sw::test
