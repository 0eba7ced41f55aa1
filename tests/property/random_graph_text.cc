// Printing.
#include "property/random_graph.h"

namespace sw::test {

int64_t ArrayType::count() const {
  int64_t n = 1;
  for (const int64_t d : dims) n *= d;
  return n;
}

std::string ArrayType::text() const {
  std::string out = "tensor<";
  for (const int64_t d : dims) out += std::to_string(d) + "x";
  return out + element + ">";
}

namespace {

std::string var(Var v) { return "%v" + std::to_string(v); }

class Writer {
 public:
  explicit Writer(const RandomGraph& graph) : graph_(graph) {}

  std::string module() {
    static constexpr const char* kAxes[] = {"a", "b", "c"};
    if (graph_.from_jax)
      out_ = "module @random attributes {mhlo.num_partitions = " + std::to_string(graph_.mesh.devices()) +
             " : i32, mhlo.num_replicas = 1 : i32} {\n";
    out_ += "sdy.mesh @mesh = <[";
    for (size_t i = 0; i < graph_.mesh.axes.size(); ++i)
      out_ += std::string(i > 0 ? ", " : "") + "\"" + kAxes[i] + "\"=" + std::to_string(graph_.mesh.axes[i]);
    out_ += "]>\n";
    function("public @main", graph_.main, true);
    std::vector<bool> called(graph_.functions.size(), false);
    for_each_step(graph_, [&](const Step& step) {
      if (step.callee >= 0) called[static_cast<size_t>(step.callee)] = true;
    });
    for (size_t i = 0; i < graph_.functions.size(); ++i)
      if (called[i]) function("private @f" + std::to_string(i), graph_.functions[i], false);
    if (graph_.from_jax) out_ += "}\n";
    return std::move(out_);
  }

 private:
  std::string type(Var v) const { return graph_.types[v].text(); }

  std::string list(const std::vector<Var>& vars, bool types) const {
    std::string out;
    for (size_t i = 0; i < vars.size(); ++i) out += (i > 0 ? ", " : "") + (types ? type(vars[i]) : var(vars[i]));
    return out;
  }
  // `: t, t` after what a terminator returns, which may be nothing.
  std::string returned(const std::vector<Var>& vars) const {
    return vars.empty() ? "" : " " + list(vars, false) + " : " + list(vars, true);
  }
  static std::string given(const std::string& sharding) {
    return sharding.empty() ? "" : " {sdy.sharding = #sdy.sharding<@mesh, " + sharding + ">}";
  }

  void function(const std::string& name, const Block& block, bool is_main) {
    out_ += "func.func " + name + "(";
    for (size_t i = 0; i < block.args.size(); ++i) {
      out_ += (i > 0 ? ", " : "") + var(block.args[i]) + ": " + type(block.args[i]);
      if (const auto at = graph_.given.find(block.args[i]); is_main && at != graph_.given.end())
        out_ += given(at->second);
    }
    out_ += ") -> (";
    for (size_t i = 0; i < block.results.size(); ++i)
      out_ += (i > 0 ? ", " : "") + type(block.results[i]) + (is_main ? given(graph_.result_given[i]) : std::string());
    out_ += ") {\n";
    for (const Step& step : block.steps) line(step, 1);
    out_ += "  return" + returned(block.results) + "\n}\n";
  }

  void region(const Block& block, int depth) {
    const std::string indent(static_cast<size_t>(2 * depth), ' ');
    out_ += "{\n";
    if (!block.args.empty()) {
      out_ += indent + "^bb0(";
      for (size_t i = 0; i < block.args.size(); ++i)
        out_ += (i > 0 ? ", " : "") + var(block.args[i]) + ": " + type(block.args[i]);
      out_ += "):\n";
    }
    for (const Step& step : block.steps) line(step, depth + 1);
    out_ += indent + "  stablehlo.return" + returned(block.results) + "\n" + indent + "}";
  }

  // Half of what has a short form is printed in it.
  static bool is_short(const Step& step) {
    return step.attributes.empty() && step.body.empty() && step.blocks.empty() && step.results.size() == 1 &&
           step.results[0] % 2 == 0;
  }

  void line(const Step& step, int depth) {
    out_ += std::string(static_cast<size_t>(2 * depth), ' ') + list(step.results, false) + " = ";
    const std::string types = "(" + list(step.operands, true) + ") -> (" + list(step.results, true) + ")\n";
    if (step.name == "sdy.sharding_constraint") {
      out_ +=
          step.name + " " + var(step.operands[0]) + " <@mesh, " + step.sharding + "> : " + type(step.results[0]) + "\n";
    } else if (step.callee >= 0) {
      out_ += "func.call @f" + std::to_string(step.callee) + "(" + list(step.operands, false) + ") : " + types;
    } else if (is_short(step) && (step.name == "stablehlo.reshape" || step.name == "stablehlo.convert")) {
      out_ += step.name + " " + var(step.operands[0]) + " : (" + type(step.operands[0]) + ") -> " +
              type(step.results[0]) + "\n";
    } else if (is_short(step) && step.name == "stablehlo.select") {
      out_ += step.name + " " + list(step.operands, false) + " : " + type(step.operands[0]) + ", " +
              type(step.results[0]) + "\n";
    } else if (is_short(step) && same_types(step)) {
      out_ += step.name + " " + list(step.operands, false) + " : " + type(step.results[0]) + "\n";
    } else {
      out_ += "\"" + step.name + "\"(" + list(step.operands, false) + ")";
      if (!step.attributes.empty()) out_ += " <{" + step.attributes + "}>";
      if (!step.body.empty()) out_ += " ({\n" + step.body + "})";
      for (size_t i = 0; i < step.blocks.size(); ++i) {
        out_ += i == 0 ? " (" : ", ";
        region(step.blocks[i], depth);
      }
      if (!step.blocks.empty()) out_ += ")";
      out_ += " : " + types;
    }
  }

  bool same_types(const Step& step) const {
    for (const Var v : step.operands)
      if (!(graph_.types[v] == graph_.types[step.results[0]])) return false;
    return true;
  }

  const RandomGraph& graph_;
  std::string out_;
};

void visit_steps(const Block& block, const std::function<void(const Step&)>& visit) {
  for (const Step& step : block.steps) {
    visit(step);
    for (const Block& inner : step.blocks) visit_steps(inner, visit);
  }
}

}  // namespace

std::string text_of(const RandomGraph& graph) { return Writer(graph).module(); }

void for_each_step(const RandomGraph& graph, const std::function<void(const Step&)>& visit) {
  visit_steps(graph.main, visit);
  for (const Block& function : graph.functions) visit_steps(function, visit);
}

}  // namespace sw::test
